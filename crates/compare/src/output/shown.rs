//! The outputs of a cell as a reader has them: streams in one piece, warnings apart.

use nbrevive_notebook::Output;
use serde_json::{Map, Value};

/// Something that a cell shows.
#[derive(Clone, Debug, PartialEq)]
pub enum ShownOutput<'o> {
    /// What it printed, without stderr.
    Printed(String),
    /// A display, or the value of its last expression.
    Bundle {
        /// By mime type.
        data: &'o Map<String, Value>,
        /// Whether it is the value of the last expression.
        is_result: bool,
    },
    /// The exception that ended it.
    Raised {
        /// Its class.
        name: &'o str,
        /// Its message.
        message: &'o str,
    },
}

/// What a cell shows, in the order that [`crate::FirstDifference::output`] counts, and what it wrote to stderr. Neighbouring pieces of a stream are one, as Jupyter merges them; pieces that only stderr
/// parts are neighbours.
#[must_use]
pub fn shown_outputs(outputs: &[Output]) -> (Vec<ShownOutput<'_>>, String) {
    let (mut all, mut errors) = (Vec::new(), String::new());
    for output in outputs {
        match output {
            Output::Stream { name, text } if name == "stderr" => errors.push_str(text),
            Output::Stream { text, .. } => match all.last_mut() {
                Some(ShownOutput::Printed(before)) => before.push_str(text),
                _ => all.push(ShownOutput::Printed(text.clone())),
            },
            Output::DisplayData { data, .. } => all.push(ShownOutput::Bundle { data, is_result: false }),
            Output::ExecuteResult { data, .. } => all.push(ShownOutput::Bundle { data, is_result: true }),
            Output::Error { ename, evalue, .. } => all.push(ShownOutput::Raised { name: ename, message: evalue }),
        }
    }
    // A cell that prints nothing may still have saved an empty piece.
    all.retain(|shown| !matches!(shown, ShownOutput::Printed(text) if text.is_empty()));
    (all, errors)
}
