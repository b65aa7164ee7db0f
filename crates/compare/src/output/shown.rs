//! The outputs of a cell as a reader has them: streams in one piece, warnings apart.

use nbrevive_notebook::Output;
use serde_json::{Map, Value};

/// Something that a cell shows.
#[derive(Debug)]
pub(super) enum Shown<'o> {
    /// What it printed, without stderr.
    Printed(String),
    /// A display, or the value of its last expression.
    Bundle { data: &'o Map<String, Value>, is_result: bool },
    /// The exception that ended it.
    Raised { name: &'o str, message: &'o str },
}

/// What a cell shows, and what it wrote to stderr. Neighbouring pieces of a stream are one, as Jupyter merges them; pieces that only stderr
/// parts are neighbours.
pub(super) fn shown(outputs: &[Output]) -> (Vec<Shown<'_>>, String) {
    let (mut all, mut errors) = (Vec::new(), String::new());
    for output in outputs {
        match output {
            Output::Stream { name, text } if name == "stderr" => errors.push_str(text),
            Output::Stream { text, .. } => match all.last_mut() {
                Some(Shown::Printed(before)) => before.push_str(text),
                _ => all.push(Shown::Printed(text.clone())),
            },
            Output::DisplayData { data, .. } => all.push(Shown::Bundle { data, is_result: false }),
            Output::ExecuteResult { data, .. } => all.push(Shown::Bundle { data, is_result: true }),
            Output::Error { ename, evalue, .. } => all.push(Shown::Raised { name: ename, message: evalue }),
        }
    }
    // A cell that prints nothing may still have saved an empty piece.
    all.retain(|shown| !matches!(shown, Shown::Printed(text) if text.is_empty()));
    (all, errors)
}
