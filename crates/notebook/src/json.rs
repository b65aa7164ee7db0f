//! JSON as notebook files have it: what Python's parser lets through, brought into the form that a strict parser takes.

mod bounds;

use serde_json::Value;

pub(crate) use bounds::{DEEPEST, DEEPEST_PART, Excess, is_at_most, within_bounds};

use crate::quirk::Quirk;

/// Why a text is not taken.
#[derive(Debug)]
pub(crate) enum JsonError {
    /// It is no JSON.
    Syntax(serde_json::Error),
    /// Its values would take more memory than any document is worth.
    Excess(Excess),
}

/// Parses `text` strictly and, when that fails, once more after [`Repair`].
pub(crate) fn parse(text: &str, quirks: &mut Vec<Quirk>) -> Result<Value, JsonError> {
    within_bounds(text.as_bytes(), DEEPEST).map_err(JsonError::Excess)?;
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    let repaired = Repair::of(text);
    let value = serde_json::from_str(&repaired.text).map_err(JsonError::Syntax)?;
    quirks.extend(repaired.quirks());
    Ok(value)
}

/// Parses JSON as Jupyter's programs write it: what Python's parser lets through (`NaN`, lone surrogates, …) is accepted, and bytes
/// that are not UTF-8 are replaced. `None` for what is no JSON even so, or has more values or levels than a document may have.
#[must_use]
pub fn parse_lenient(bytes: &[u8]) -> Option<Value> {
    within_bounds(bytes, DEEPEST_PART).ok()?;
    serde_json::from_slice(bytes).ok().or_else(|| parse(&String::from_utf8_lossy(bytes), &mut Vec::new()).ok())
}

/// One pass over the text that rewrites only what strict JSON forbids and Python's parser allows.
struct Repair {
    text: String,
    non_finite: usize,
    surrogates: usize,
    controls: usize,
}

impl Repair {
    fn of(text: &str) -> Self {
        let mut repair =
            Self { text: String::with_capacity(text.len() + 16), non_finite: 0, surrogates: 0, controls: 0 };
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            rest = match first {
                '"' => repair.string(rest),
                '-' | '0'..='9' | 'N' | 'I' => repair.number(rest),
                _ => {
                    repair.text.push(first);
                    &rest[first.len_utf8()..]
                }
            };
        }
        repair
    }

    fn quirks(&self) -> impl Iterator<Item = Quirk> {
        let counted = [
            (self.non_finite, Quirk::NonFiniteNumbers as fn(usize) -> Quirk),
            (self.surrogates, Quirk::LoneSurrogates),
            (self.controls, Quirk::RawControlCharacters),
        ];
        counted.into_iter().filter(|(count, _)| *count > 0).map(|(count, quirk)| quirk(count))
    }

    /// Copies the string that `text` starts with and returns what follows it.
    fn string<'a>(&mut self, text: &'a str) -> &'a str {
        self.text.push('"');
        let mut rest = &text[1..];
        loop {
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            self.text.push_str(&rest[..plain]);
            rest = &rest[plain..];
            match rest.as_bytes().first() {
                None => return rest,
                Some(b'"') => {
                    self.text.push('"');
                    return &rest[1..];
                }
                Some(b'\\') => rest = self.escape(rest),
                Some(control) => {
                    self.controls += 1;
                    self.text.push_str(&format!("\\u{control:04x}"));
                    rest = &rest[1..];
                }
            }
        }
    }

    /// Copies the escape that `text` starts with; half a surrogate pair becomes the replacement character.
    fn escape<'a>(&mut self, text: &'a str) -> &'a str {
        let length = match unit(text) {
            Some(0xD800..=0xDBFF) if matches!(text.get(6..).and_then(unit), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                self.surrogates += 1;
                self.text.push_str("\\ufffd");
                return &text[6..];
            }
            Some(_) => 6,
            None => 1 + text[1..].chars().next().map_or(0, char::len_utf8),
        };
        self.text.push_str(&text[..length]);
        &text[length..]
    }

    /// Copies the number or number-like word that `text` starts with.
    fn number<'a>(&mut self, text: &'a str) -> &'a str {
        for word in ["NaN", "Infinity", "-Infinity"] {
            if let Some(rest) = text.strip_prefix(word) {
                self.null();
                return rest;
            }
        }
        let end = text[1..].find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
        let (token, rest) = text.split_at(end.map_or(text.len(), |end| end + 1));
        if token.parse::<f64>().is_ok_and(f64::is_infinite) {
            self.null();
        } else {
            self.text.push_str(token);
        }
        rest
    }

    fn null(&mut self) {
        self.non_finite += 1;
        self.text.push_str("null");
    }
}

/// The UTF-16 unit of the `\u` escape (four hexadecimal digits) that `text` starts with.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Value, Vec<Quirk>) {
        let mut quirks = Vec::new();
        let value = parse(text, &mut quirks).expect("readable");
        (value, quirks)
    }

    #[test]
    fn messages_of_old_kernels_are_read() {
        use serde_json::json;
        assert_eq!(parse_lenient(br#"{"a": [NaN, -Infinity, -1]}"#), Some(json!({ "a": [null, null, -1] })));
        assert_eq!(parse_lenient(b"[\"\xff\"]"), Some(json!(["\u{fffd}"])));
        assert_eq!(parse_lenient(b"{"), None);
        assert_eq!(parse_lenient(b"\"\\"), None);
    }

    #[test]
    fn numbers_of_python_become_null() {
        let (value, quirks) = parsed(r#"[NaN, Infinity, -Infinity, -1.5e3, 1e999, "NaN -Infinity"]"#);
        assert_eq!(value, serde_json::json!([null, null, null, -1500.0, null, "NaN -Infinity"]));
        assert_eq!(quirks, [Quirk::NonFiniteNumbers(4)]);
    }

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_kept() {
        let (value, quirks) = parsed(r#"["\ud83d\ude00", "\ud83d", "x\ude00y", "\\ud83d", "\ud83d\ud83d\ude00"]"#);
        assert_eq!(value, serde_json::json!(["😀", "\u{fffd}", "x\u{fffd}y", "\\ud83d", "\u{fffd}😀"]));
        assert_eq!(quirks, [Quirk::LoneSurrogates(3)]);
    }

    #[test]
    fn raw_control_characters_survive() {
        let (value, quirks) = parsed("[\"a\tb\nc\"]");
        assert_eq!(value, serde_json::json!(["a\tb\nc"]));
        assert_eq!(quirks, [Quirk::RawControlCharacters(2)]);
    }

    #[test]
    fn strict_text_has_no_quirks() {
        assert_eq!(parsed(r#"{"a": [1, "\u00e4"]}"#).1, []);
    }

    #[test]
    fn what_is_not_json_stays_an_error() {
        for text in ["", "{", "\"\\", "\"\\ud8", "[1,]", "nul", "<html>", "[-]", "NaNa"] {
            assert!(parse(text, &mut Vec::new()).is_err(), "{text}");
        }
    }
}
