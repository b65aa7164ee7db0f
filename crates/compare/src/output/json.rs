//! JSON that an output holds: figures of plotly, data for viewers, what a library shows of itself.

use serde_json::{Map, Number, Value};

use crate::difference::{Compared, DifferenceKind, PathStep, differ, within};
use crate::normal::normal;
use crate::text::Tolerance;

/// Deeper values are not compared: nothing that a notebook's reader lets through is so deep.
const DEEPEST: usize = 128;

/// Compares two values: the same keys and elements, strings that are equal once normal, numbers within `tolerance`, or written alike where
/// there is none.
pub(super) fn same_json(saved: &Value, new: &Value, tolerance: Option<&Tolerance>) -> Compared {
    Comparer { tolerance }.values(saved, new, DEEPEST)
}

struct Comparer<'a> {
    tolerance: Option<&'a Tolerance>,
}

impl Comparer<'_> {
    fn values(&self, saved: &Value, new: &Value, depth: usize) -> Compared {
        let Some(depth) = depth.checked_sub(1) else { return differ(DifferenceKind::TooLarge, "", "") };
        match (saved, new) {
            (Value::Object(old), Value::Object(now)) => self.objects(old, now, depth),
            (Value::Array(old), Value::Array(now)) => self.arrays(old, now, depth),
            (Value::String(old), Value::String(now)) => strings(old, now),
            (Value::Number(old), Value::Number(now)) => self.numbers(old, now),
            (Value::Null, Value::Null) => Ok(()),
            (Value::Bool(old), Value::Bool(now)) if old == now => Ok(()),
            (Value::Bool(old), Value::Bool(now)) => differ(DifferenceKind::Text, &old.to_string(), &now.to_string()),
            _ => differ(DifferenceKind::Type, kind(saved), kind(new)),
        }
    }

    fn objects(&self, saved: &Map<String, Value>, new: &Map<String, Value>, depth: usize) -> Compared {
        for (key, old) in saved {
            let compared = match new.get(key) {
                Some(_) if key == "model_id" => Ok(()),
                Some(now) => self.values(old, now, depth),
                None => differ(DifferenceKind::Shape, kind(old), ""),
            };
            within(compared, || PathStep::Key(key.clone()))?;
        }
        match new.iter().find(|(key, _)| !saved.contains_key(*key)) {
            Some((key, now)) => within(differ(DifferenceKind::Shape, "", kind(now)), || PathStep::Key(key.clone())),
            None => Ok(()),
        }
    }

    fn arrays(&self, saved: &[Value], new: &[Value], depth: usize) -> Compared {
        for (index, (old, now)) in saved.iter().zip(new).enumerate() {
            within(self.values(old, now, depth), || PathStep::Index(index))?;
        }
        if saved.len() == new.len() {
            return Ok(());
        }
        let count = |values: &[Value]| format!("{} elements", values.len());
        differ(DifferenceKind::Shape, &count(saved), &count(new))
    }

    fn numbers(&self, saved: &Number, new: &Number) -> Compared {
        let are_integers = !saved.is_f64() && !new.is_f64();
        let is_close = |tolerance: &Tolerance| match (saved.as_f64(), new.as_f64()) {
            (Some(old), Some(now)) => tolerance.accepts(old, now),
            _ => false,
        };
        if saved == new || (!are_integers && self.tolerance.is_some_and(is_close)) {
            return Ok(());
        }
        differ(DifferenceKind::Number, &saved.to_string(), &new.to_string())
    }
}

fn strings(saved: &str, new: &str) -> Compared {
    if saved == new || normal(saved, false) == normal(new, false) {
        return Ok(());
    }
    differ(DifferenceKind::Text, saved, new)
}

/// What a value is, in a word; short values as they are.
fn kind(value: &Value) -> &str {
    match value {
        Value::Null => "null",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::Number(_) => "a number",
        Value::String(text) => text,
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_have_their_path() {
        let saved = json!({ "data": [{ "x": [1, 2.5], "name": "a" }], "layout": { "model_id": "1" } });
        let place = |new: Value| match same_json(&saved, &new, Some(&Tolerance::default())) {
            Ok(()) => "same".to_owned(),
            Err(place) => place.at(0, None).to_string(),
        };
        let close = json!({ "layout": { "model_id": "2" }, "data": [{ "x": [1.0, 2.5000001], "name": "a" }] });
        assert_eq!(place(close.clone()), "same");
        assert!(same_json(&saved, &close, None).is_err());
        let far = json!({ "layout": { "model_id": "2" }, "data": [{ "x": [1, 2.6], "name": "a" }] });
        assert_eq!(place(far), "output 1, key \"data\", [0], key \"x\", [1]: number: \"2.5\" is now \"2.6\"");
    }
}
