//! What the cells of an executed notebook printed, as text for a prompt.

use nbrevive_notebook::{Notebook, Output};
use nbrevive_repair::CellOutput;
use serde_json::{Map, Value};

/// The most bytes of one cell that are looked at; a prompt shows far less.
const MOST_BYTES: usize = 64 << 10;

/// The text outputs of every cell that has any, those of standard error last: between the two streams the order is another one from run to
/// run. Pictures and tables in other forms have none.
#[must_use]
pub fn text_outputs(notebook: &Notebook) -> Vec<CellOutput> {
    let cells = notebook.cells.iter().enumerate();
    let outputs = cells.map(|(cell, content)| CellOutput { cell, text: text(content.outputs()) });
    outputs.filter(|output| !output.text.is_empty()).collect()
}

fn text(outputs: &[Output]) -> String {
    let is_error = |output: &&Output| matches!(output, Output::Stream { name, .. } if name == "stderr");
    let (errors, others): (Vec<&Output>, Vec<&Output>) = outputs.iter().partition(is_error);
    let mut text = String::new();
    for output in others.into_iter().chain(errors) {
        let part = match output {
            Output::Stream { text, .. } => text.clone(),
            Output::ExecuteResult { data, .. } | Output::DisplayData { data, .. } => shown(data),
            _ => String::new(),
        };
        text.push_str(&part);
        if !part.is_empty() && !part.ends_with('\n') {
            text.push('\n');
        }
        if text.len() > MOST_BYTES {
            text.truncate(text.floor_char_boundary(MOST_BYTES));
            break;
        }
    }
    text
}

/// The plain text of something shown, unless it only stands for a picture.
fn shown(data: &Map<String, Value>) -> String {
    if data.keys().any(|kind| kind.starts_with("image/")) {
        return String::new();
    }
    match data.get("text/plain") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_printed_and_shown_as_text_is_taken() {
        let text = r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "title"},
            {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": "x", "outputs": [
                {"output_type": "stream", "name": "stderr", "text": "warned"},
                {"output_type": "stream", "name": "stdout", "text": "one"},
                {"output_type": "display_data", "metadata": {}, "data": {"image/png": "", "text/plain": "<Figure>"}},
                {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": ["a\n", "b"]}}]},
            {"cell_type": "code", "id": "c", "metadata": {}, "execution_count": 2, "source": "y", "outputs": []}]}"#;
        let notebook = nbrevive_notebook::read(text.as_bytes()).unwrap().notebook;
        assert_eq!(text_outputs(&notebook), [CellOutput { cell: 1, text: "one\na\nb\nwarned\n".to_owned() }]);
    }
}
