//! How much JSON is taken, whatever its length in bytes: a list takes 40 times the memory of its text, an object 100 times.

use memchr::memchr2;
use serde_json::Value;

/// Deepest nesting of a notebook. `serde_json` and readers of other languages give up at 128 levels.
pub(crate) const DEEPEST: usize = 120;
/// Deepest nesting of what is put into a notebook, some levels deeper than it came: an output of a message, the text of an old
/// output, a key that a file has in the wrong place. Else what was written could not be read again.
pub(crate) const DEEPEST_PART: usize = 100;
/// Most lists and objects: each object has some 700 bytes of memory.
const MOST_CONTAINERS: usize = 500_000;
/// Most values: each has 32 bytes of memory, thrice that while a list grows.
const MOST_VALUES: usize = 8_000_000;

/// In words, where the depth of a whole notebook is what matters.
const LEVELS: &str = "120 levels of nesting";

/// What a document has too much of, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Excess(pub(crate) &'static str);

/// Whether a JSON text keeps to the bounds, with at most so many levels. Strings are passed over; whether it is JSON at all is not looked at.
pub(crate) fn within_bounds(text: &[u8], deepest: usize) -> Result<(), Excess> {
    let (mut depth, mut containers, mut commas, mut at) = (0_usize, 0, 0, 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => at = after_string(text, at),
            b'[' | b'{' => {
                depth += 1;
                containers += 1;
                if depth > deepest {
                    return Err(Excess(LEVELS));
                }
                if containers > MOST_CONTAINERS {
                    return Err(Excess("500,000 lists and objects"));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => {
                commas += 1;
                if commas > MOST_VALUES {
                    return Err(Excess("8,000,000 values"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The place behind a string, or behind the text when it does not end.
fn after_string(text: &[u8], mut at: usize) -> usize {
    while let Some(found) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found + 1;
        if text[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// Whether a value has at most so many levels of lists and objects.
pub(crate) fn is_at_most(value: &Value, levels: usize) -> bool {
    let inside = |value: &Value| levels > 0 && is_at_most(value, levels - 1);
    match value {
        Value::Array(values) => levels > 0 && values.iter().all(inside),
        Value::Object(map) => levels > 0 && map.values().all(inside),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_number_are_bounded_outside_of_strings() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let check = |text: &str| within_bounds(text.as_bytes(), 100);
        assert_eq!(check(&nested(100)), Ok(()));
        assert_eq!(check(&nested(101)), Err(Excess(LEVELS)));
        assert_eq!(check(&format!("\"\\\"{}\"", nested(101))), Ok(()));
        assert_eq!(check(&"[],".repeat(500_001)), Err(Excess("500,000 lists and objects")));
        assert_eq!(check(&",".repeat(8_000_001)), Err(Excess("8,000,000 values")));
        assert_eq!(check("\"\\"), Ok(()));
        assert_eq!(check("\""), Ok(()));
    }

    #[test]
    fn levels_are_those_of_lists_and_objects() {
        let value = serde_json::json!({ "a": [1, []] });
        assert!(is_at_most(&value, 3) && !is_at_most(&value, 2));
        assert!(is_at_most(&Value::Null, 0));
    }
}
