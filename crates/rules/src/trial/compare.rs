//! Whether two values are the same, as `data/run_cases.py` writes them.

use serde_json::Value;

/// Numbers may differ by this part of the larger one.
const RELATIVE: f64 = 1e-3;
/// Numbers this near to each other are equal.
const ABSOLUTE: f64 = 1e-9;

/// Compares two values; numbers with a relative tolerance of 0.001, truth values as Python's numbers.
#[must_use]
pub fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|found| same_value(value, found)))
        }
        _ => match (number(one), number(other)) {
            (Some(a), Some(b)) => (a - b).abs() <= ABSOLUTE.max(RELATIVE * a.abs().max(b.abs())),
            _ => one == other,
        },
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Number(number) => number.as_f64(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn content_decides() {
        assert!(same_value(&json!([1, 2.0, {"a": "x"}]), &json!([1.0005, 2, {"a": "x"}])));
        assert!(same_value(&json!(true), &json!(1)));
        assert!(!same_value(&json!([1, 2]), &json!([1, 2, 3])));
        assert!(!same_value(&json!(1.0), &json!(1.1)));
        assert!(!same_value(&json!("1"), &json!(1)));
        assert!(!same_value(&json!({"a": 1}), &json!({"b": 1})));
    }
}
