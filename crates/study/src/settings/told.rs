//! What is told of a study's file that cannot be: the line where it stands, and the word that was meant.

use nbrevive_spelling::with_nearest;
use toml::de::DeTable;

/// What the reader of the file says.
pub(crate) fn told(error: &toml::de::Error) -> String {
    with_nearest(&error.to_string())
}

/// A sentence with the line of a place, which is in bytes.
pub(crate) fn at(text: &str, place: usize, sentence: &str) -> String {
    let line = 1 + text.bytes().take(place).filter(|byte| *byte == b'\n').count();
    format!("line {line}: {sentence}")
}

/// A sentence that begins with a key (`limits.seconds`, `[model]`), with the line where that stands; alone where it stands nowhere.
pub(crate) fn at_its_key(text: &str, sentence: &str) -> String {
    place_of_key(text, sentence).map_or_else(|| sentence.to_owned(), |place| at(text, place, sentence))
}

/// Where the key stands that a sentence begins with, or the innermost of its tables that is there.
fn place_of_key(text: &str, sentence: &str) -> Option<usize> {
    let path = sentence.split_whitespace().next()?.trim_matches(|sign: char| "[]`:,".contains(sign));
    let file = DeTable::parse(text).ok()?;
    let (mut table, mut place) = (file.get_ref(), None);
    for name in path.split('.') {
        let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == name) else { break };
        place = Some(key.span().start);
        let Some(inner) = value.get_ref().as_table() else { break };
        table = inner;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_that_begins_with_a_key_has_its_line() {
        let text = "tau = -1\n\n[limits]\nseconds = 0\n[[mine.git]]\npath = \"a\"\n";
        for (sentence, line) in [
            ("tau = -1 must not be negative", "line 1: "),
            ("limits.seconds = 0 must be at least 1", "line 4: "),
            ("limits.cores must be there", "line 3: "),
            ("[[mine.git]] of a: no", "line 5: "),
            ("`tau` and `seconds`", "line 1: "),
            ("the score is zero", ""),
            ("", ""),
        ] {
            assert_eq!(at_its_key(text, sentence), format!("{line}{sentence}"));
        }
    }
}
