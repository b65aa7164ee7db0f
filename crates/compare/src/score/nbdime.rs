//! Whether nbdime calls the outputs of a cell unchanged, counts and metadata aside: our reading of the paper's score (section 4.1).
//!
//! The paper compares by nbdime and counts identical cells without saying which of its comparisons. Read here is the one by which nbdime 4
//! aligns cells strictly (`compare_cell_strict`): the same number of outputs in the same order, of the same types, with the same mime
//! types; streams and errors equal; data equal, but for texts, which may be more than 95 % similar (difflib's ratio), and one-line plain
//! texts, in which pointers may differ. Texts of which both are longer than 10,000 characters must be equal, and so must base64.
//! Streams are compared as they are saved, stderr too, not merged.

use nbrevive_notebook::Output;
use serde_json::{Map, Value};

use super::ratio::{quick_ratio, ratio};

/// How similar texts must be.
const SIMILAR: f64 = 0.95;
/// Characters of a text from which on it must be equal, when the other one is so long too.
const LONG: usize = 10_000;
/// Characters from which on a text may be base64.
const LEAST_BASE64: usize = 64;

/// Whether nbdime calls outputs unchanged, by our reading of it: see the module. Two cells without outputs are unchanged.
#[must_use]
pub fn is_unchanged_for_nbdime(saved: &[Output], new: &[Output]) -> bool {
    saved.len() == new.len() && saved.iter().zip(new).all(|(old, now)| is_same(old, now))
}

fn is_same(saved: &Output, new: &Output) -> bool {
    match (saved, new) {
        (Output::DisplayData { data: old, .. }, Output::DisplayData { data: now, .. })
        | (Output::ExecuteResult { data: old, .. }, Output::ExecuteResult { data: now, .. }) => {
            is_same_bundle(old, now)
        }
        (Output::Stream { .. }, Output::Stream { .. }) | (Output::Error { .. }, Output::Error { .. }) => saved == new,
        _ => false,
    }
}

fn is_same_bundle(saved: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    saved.len() == new.len()
        && saved.iter().all(|(mime, old)| new.get(mime).is_some_and(|now| is_same_data(&mime.to_lowercase(), old, now)))
}

fn is_same_data(mime: &str, saved: &Value, new: &Value) -> bool {
    let (Value::String(old), Value::String(now)) = (saved, new) else { return saved == new };
    if old == now {
        return true;
    }
    if mime == "text/plain"
        && !old.contains('\n')
        && !now.contains('\n')
        && without_pointers(old) == without_pointers(now)
    {
        return true;
    }
    let is_binary = !mime.starts_with("text/") && is_base64(old);
    !is_binary && is_similar(old, now)
}

/// nbdime's `compare_strings_approximate`.
fn is_similar(saved: &str, new: &str) -> bool {
    if saved.is_empty() != new.is_empty() {
        return false;
    }
    let (old, now): (Vec<char>, Vec<char>) = (saved.chars().collect(), new.chars().collect());
    let most = 2.0 * old.len().min(now.len()) as f64 / (old.len() + now.len()).max(1) as f64;
    if most < SIMILAR || quick_ratio(&old, &now) < SIMILAR || (old.len() > LONG && now.len() > LONG) {
        return false;
    }
    ratio(&old, &now).is_some_and(|ratio| ratio > SIMILAR)
}

/// The text between `0x` and 8 to 16 hexadecimal digits.
fn without_pointers(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(found) = rest.get(from..).and_then(|tail| tail.find("0x").or_else(|| tail.find("0X"))) {
        let start = from + found;
        let digits = rest.bytes().skip(start + 2).take(16).take_while(u8::is_ascii_hexdigit).count();
        if digits < 8 {
            from = start + 2;
            continue;
        }
        pieces.push(rest.get(..start).unwrap_or_default());
        rest = rest.get(start + 2 + digits..).unwrap_or_default();
        from = 0;
    }
    pieces.push(rest);
    pieces
}

fn is_base64(text: &str) -> bool {
    if text.len() < LEAST_BASE64 {
        return false;
    }
    let letters: Vec<u8> = text.lines().flat_map(str::bytes).collect();
    let padding = letters.iter().rev().take_while(|byte| **byte == b'=').count();
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    letters.len().is_multiple_of(4) && padding <= 2 && letters.iter().take(letters.len() - padding).all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_part_texts() {
        assert_eq!(without_pointers("<a at 0x7f3c2c0b5a90>!"), ["<a at ", ">!"]);
        assert_eq!(without_pointers("0x12 0xabcdef12"), ["0x12 ", ""]);
    }

    #[test]
    fn base64_is_of_its_letters() {
        assert!(is_base64(&"abcd".repeat(16)) && is_base64(&format!("{}\n{}==", "abcd".repeat(16), "ab")));
        assert!(!is_base64("abcd") && !is_base64(&"ab-d".repeat(16)) && !is_base64(&"abcde".repeat(13)));
    }

    #[test]
    fn texts_may_differ_a_little() {
        let text: String = ('!'..='~').chain('À'..='Å').collect();
        let data = |text: &str| Map::from_iter([("text/plain".to_owned(), Value::from(text))]);
        let shown = |text: &str| [Output::DisplayData { data: data(text), metadata: Map::new() }];
        assert!(is_unchanged_for_nbdime(&shown(&text), &shown(&text.replace(['1', '5', 'E', 'a'], "§"))));
        assert!(!is_unchanged_for_nbdime(&shown(&text), &shown(&text.replace(['1', '5', 'E', 'a', 'q'], "§"))));
        assert!(is_unchanged_for_nbdime(&[], &[]) && !is_unchanged_for_nbdime(&[], &shown("")));
    }
}
