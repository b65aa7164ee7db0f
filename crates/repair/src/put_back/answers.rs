//! What of an answer is taken: one block, of the form that was asked for, within its limits.

use nbrevive_pysource::names::{CellState, NameAct, NameEvent, names};
use nbrevive_pysource::parse::with_file;

/// Bytes of code that defines a name.
const LONGEST_DEFINITION: usize = 64 << 10;
/// Bytes of a file.
const LONGEST_FILE: usize = 1 << 20;
/// Bytes of a recipe.
const LONGEST_RECIPE: usize = 1 << 20;
/// Bytes of a requirement.
const LONGEST_REQUIREMENT: usize = 200;
/// Backticks that begin a fence, at least.
const FENCE: usize = 3;

/// Why an answer is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PutBackAnswerError {
    /// Its block does not end.
    #[error("its block does not end: the answer was cut, or its fence is not closed")]
    Truncated,
    /// There is nothing in it.
    #[error("it is empty: the model knows of nothing")]
    Empty,
    /// There is too much in it.
    #[error("it has {found} bytes, more than {most}")]
    TooLong {
        /// How many it has.
        found: usize,
        /// How many it may have.
        most: usize,
    },
    /// It is more than one line.
    #[error("it is more than the name of a package")]
    NotOneLine,
    /// It holds a character that no text has.
    #[error("it is no text: it holds a NUL")]
    NotText,
    /// It is not Python 3, or holds magics or shell commands.
    #[error("it is not plain Python 3")]
    NotPython,
    /// It does not define what was asked for.
    #[error("it does not define `{0}`")]
    NotDefined(String),
}

/// The name of a distribution, as pip takes it; still to be parsed as a requirement.
///
/// # Errors
/// What is wrong with the answer.
pub fn answered_distribution(answer: &str) -> Result<String, PutBackAnswerError> {
    let block = block(answer, LONGEST_REQUIREMENT)?;
    let line = block.trim();
    let line = ["!pip install ", "%pip install ", "pip install "]
        .iter()
        .find_map(|words| line.strip_prefix(words))
        .unwrap_or(line);
    if line.contains('\n') { Err(PutBackAnswerError::NotOneLine) } else { Ok(line.trim().to_owned()) }
}

/// Code that defines a name: plain Python 3, without magics and shell commands.
///
/// # Errors
/// What is wrong with the answer.
pub fn answered_definition(answer: &str, name: &str) -> Result<String, PutBackAnswerError> {
    let code = block(answer, LONGEST_DEFINITION)?.trim_end().to_owned();
    if with_file(&code, |parsed| parsed.errors().is_empty()) != Some(true) {
        return Err(PutBackAnswerError::NotPython);
    }
    let binds = |event: &NameEvent| matches!(event.act, NameAct::Bind(_)) && event.name == name;
    let found = names(&[code.as_str()]);
    let is_defined =
        found.cells.iter().any(|cell| cell.state == CellState::Python && cell.acts.events.iter().any(binds));
    if is_defined { Ok(code) } else { Err(PutBackAnswerError::NotDefined(name.to_owned())) }
}

/// What stands in a file: any text.
///
/// # Errors
/// What is wrong with the answer.
pub fn answered_contents(answer: &str) -> Result<String, PutBackAnswerError> {
    let text = block(answer, LONGEST_FILE)?;
    if text.contains('\0') { Err(PutBackAnswerError::NotText) } else { Ok(text.to_owned()) }
}

/// The JSON of a recipe; still to be read and checked as one.
///
/// # Errors
/// What is wrong with the answer.
pub fn answered_recipe(answer: &str) -> Result<String, PutBackAnswerError> {
    Ok(block(answer, LONGEST_RECIPE)?.to_owned())
}

/// What stands in the first fenced block of an answer, its line ends included; all of it where there is no fence.
fn block(answer: &str, most: usize) -> Result<&str, PutBackAnswerError> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in answer.split_inclusive('\n') {
        lines.push((at, line.trim_end()));
        at += line.len();
    }
    let ticks = |line: &str| line.bytes().take_while(|byte| *byte == b'`').count();
    let opened = lines.iter().position(|(_, line)| ticks(line) >= FENCE);
    let text = match opened {
        None => answer,
        Some(first) => {
            let fence = ticks(lines[first].1);
            let inside = &lines[first + 1..];
            let closes = |(_, line): &&(usize, &str)| ticks(line) >= fence && ticks(line) == line.len();
            let (end, _) = inside.iter().find(closes).ok_or(PutBackAnswerError::Truncated)?;
            &answer[inside[0].0..*end]
        }
    };
    match text.len() {
        _ if text.trim().is_empty() => Err(PutBackAnswerError::Empty),
        found if found > most => Err(PutBackAnswerError::TooLong { found, most }),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PutBackAnswerError::{Empty, NotDefined, NotOneLine, NotPython, NotText, TooLong, Truncated};

    #[test]
    fn the_block_is_what_stands_in_its_fence() {
        assert_eq!(answered_contents("Here:\n````csv\na,b\n```\n1,2\n````\nDone."), Ok("a,b\n```\n1,2\n".to_owned()));
        assert_eq!(answered_contents("a,b\n1,2"), Ok("a,b\n1,2".to_owned()));
        assert_eq!(answered_contents("````\na,b\n```\n"), Err(Truncated));
        assert_eq!(answered_contents("````"), Err(Truncated));
        assert_eq!(answered_contents("````\n\n````"), Err(Empty));
        assert_eq!(answered_contents("````\na\0b\n````"), Err(NotText));
        let long = "a".repeat(LONGEST_FILE + 1);
        assert_eq!(answered_contents(&long), Err(TooLong { found: LONGEST_FILE + 1, most: LONGEST_FILE }));
    }

    #[test]
    fn a_distribution_is_one_line() {
        let of = |text: &str| answered_distribution(&format!("````\n{text}\n````"));
        assert_eq!(of("pip install opencv-python").as_deref(), Ok("opencv-python"));
        assert_eq!(of("scikit-learn<1.3").as_deref(), Ok("scikit-learn<1.3"));
        assert_eq!(of("a\nb"), Err(NotOneLine));
        assert_eq!(of(""), Err(Empty));
    }

    #[test]
    fn a_definition_is_plain_python_that_binds_the_name() {
        let of = |text: &str| answered_definition(&format!("````python\n{text}\n````"), "softmax");
        assert_eq!(
            of("import numpy as np\ndef softmax(x):\n    return x").as_deref(),
            Ok("import numpy as np\ndef softmax(x):\n    return x")
        );
        assert_eq!(of("from scipy.special import softmax").as_deref(), Ok("from scipy.special import softmax"));
        assert_eq!(of("def soft(x): return x"), Err(NotDefined("softmax".to_owned())));
        assert_eq!(of("from scipy.special import *"), Err(NotDefined("softmax".to_owned())));
        for wrong in ["!curl x\nsoftmax = 1", "%run a.py\nsoftmax = 1", "def softmax(x)\n  x", "softmax = 1 +"] {
            assert_eq!(of(wrong), Err(NotPython), "{wrong}");
        }
    }
}
