//! What a call is given.

use crate::follow::value::Value;

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub(crate) places: Vec<Value>,
    pub(crate) names: Vec<(String, Value)>,
}

impl Given {
    pub(crate) fn of(places: Vec<Value>) -> Self {
        Self { places, names: Vec::new() }
    }

    /// The argument of this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Value> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The argument of this name, or else at this place.
    pub(crate) fn get(&self, place: usize, name: &str) -> Option<&Value> {
        self.named(name).or_else(|| self.places.get(place))
    }

    pub(crate) fn text(&self, place: usize, name: &str) -> Option<&str> {
        self.get(place, name).and_then(Value::text)
    }

    pub(crate) fn first(&self) -> Option<&Value> {
        self.places.first()
    }

    /// Whether an argument of this name is true.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.named(name).and_then(Value::flag) == Some(true)
    }

    /// All values, places first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Value> {
        self.places.iter().chain(self.names.iter().map(|(_, value)| value))
    }
}
