//! What is known of a value, and of all variables.

use std::collections::BTreeMap;
use std::rc::Rc;

/// Whether a value comes from predictions; for tables the same for columns that are known by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Value {
    /// The value as a whole, columns that are not listed included.
    pub(super) learned: bool,
    /// Columns that were set by name.
    pub(super) columns: BTreeMap<String, bool>,
}

impl Value {
    pub(super) fn plain(learned: bool) -> Self {
        Self { learned, columns: BTreeMap::new() }
    }

    /// Whether any part of it comes from predictions.
    pub(super) fn is_learned(&self) -> bool {
        self.learned || self.columns.values().any(|column| *column)
    }

    pub(super) fn column(&self, name: &str) -> bool {
        self.columns.get(name).copied().unwrap_or(self.learned)
    }

    /// What holds when the value is this one or the other.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let names = self.columns.keys().chain(other.columns.keys());
        let columns = names.map(|name| (name.clone(), self.column(name) || other.column(name))).collect();
        Self { learned: self.learned || other.learned, columns }
    }

    /// The whole is replaced, columns and all.
    pub(super) fn replace_all(&mut self, learned: bool) {
        *self = Self::plain(learned);
    }
}

/// The variables by name; attributes by their dotted text, as in `self.model`. Copies share what is the same in both.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Environment(BTreeMap<Rc<str>, Rc<Value>>);

impl Environment {
    pub(super) fn get(&self, name: &str) -> Value {
        self.0.get(name).map(|value| Value::clone(value)).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        match self.0.get_mut(name) {
            Some(old) => *old = Rc::new(value),
            None => {
                self.0.insert(Rc::from(name), Rc::new(value));
            }
        }
    }

    pub(super) fn change(&mut self, name: &str, change: impl FnOnce(&mut Value)) {
        let mut value = self.get(name);
        change(&mut value);
        self.set(name, value);
    }

    /// What holds when either of two ways was taken.
    pub(super) fn join(&mut self, other: &Self) {
        for (name, value) in &other.0 {
            match self.0.get_mut(name) {
                Some(own) => join(own, value),
                None => {
                    self.0.insert(Rc::clone(name), Rc::clone(value));
                }
            }
        }
    }

    /// After a call: variables of the caller as the function left them, what was new to it is forgotten.
    pub(super) fn after_call(&mut self, inside: &Self, parameters: &[String]) {
        for (name, left) in &inside.0 {
            match self.0.get_mut(name) {
                Some(own) if !parameters.iter().any(|parameter| **parameter == **name) => join(own, left),
                Some(_) => {}
                // Attributes outlive the function that set them.
                None if name.contains('.') => {
                    self.0.insert(Rc::clone(name), Rc::clone(left));
                }
                None => {}
            }
        }
    }
}

fn join(own: &mut Rc<Value>, other: &Rc<Value>) {
    if !Rc::ptr_eq(own, other) && own != other {
        *own = Rc::new(own.joined(other));
    }
}
