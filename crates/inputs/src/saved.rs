//! What saved outputs show of the frames of a notebook: names, kinds and values. The best evidence that there is.

mod html;
mod learn;
mod text;

use nbrevive_notebook::{Notebook, Output};

use crate::follow::{About, Followed, ShownValue, Value};
use html::frames_of_html;
pub(crate) use learn::is_number;
use text::{frames_of_text, infos_of_text};

/// A frame as an output shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShownFrame {
    /// Names of the columns.
    pub(crate) names: Vec<String>,
    /// Labels of the rows, and the values beside them.
    pub(crate) rows: Vec<(String, Vec<String>)>,
    /// The name of the labels.
    pub(crate) index: Option<String>,
    /// Whether columns are left out.
    pub(crate) is_cut: bool,
    /// Whether rows are left out.
    pub(crate) has_gap: bool,
    /// Rows and columns of the whole, where they are told.
    pub(crate) shape: Option<(usize, usize)>,
}

/// Learns from the outputs of a notebook what its frames hold.
pub(crate) fn learn(followed: &mut Followed, notebook: &Notebook) {
    let shown = std::mem::take(&mut followed.shown);
    for (cell, (_, source)) in notebook.code_cells().enumerate() {
        let values: Vec<&ShownValue> = shown.iter().filter(|shown| shown.cell == cell).collect();
        if !values.is_empty() {
            learn_cell(followed, cell, &values, source.outputs());
        }
    }
}

fn learn_cell(followed: &mut Followed, cell: usize, values: &[&ShownValue], outputs: &[Output]) {
    let streams: String = outputs.iter().filter_map(stream).collect();
    let infos = values.iter().filter(|shown| matches!(shown.value, Value::About(_, About::Info)));
    for (shown, info) in infos.zip(infos_of_text(&streams)) {
        followed.learn_info(cell, &shown.value, &info);
    }
    let results: Vec<&&ShownValue> = values.iter().filter(|shown| shown.is_result).collect();
    let framed: Vec<&&&ShownValue> = results.iter().filter(|shown| is_framed(&shown.value)).collect();
    let tables: Vec<ShownFrame> =
        outputs.iter().filter_map(|output| data(output, "text/html")).flat_map(|html| frames_of_html(&html)).collect();
    if framed.len() == tables.len() {
        for (shown, table) in framed.iter().zip(&tables) {
            followed.learn_frame(cell, &shown.value, table);
        }
    } else if let (Some(shown), Some(table)) = (framed.last(), tables.last())
        && results.last().is_some_and(|last| is_framed(&last.value))
    {
        followed.learn_frame(cell, &shown.value, table);
    }
    // Plain text: of a result, or of the only thing that was printed.
    let result = outputs.iter().rev().find_map(|output| data(output, "text/plain"));
    let is_only = results.len() == 1;
    let text = match (result, is_only) {
        (Some(text), _) => Some(text),
        (None, true) if !streams.is_empty() => Some(streams),
        _ => None,
    };
    if let (Some(text), Some(shown)) = (text, results.last()) {
        if is_framed(&shown.value) && tables.is_empty() {
            if let Some(table) = frames_of_text(&text) {
                followed.learn_frame(cell, &shown.value, &table);
            }
        } else {
            followed.learn_text(cell, &shown.value, &text);
        }
    }
}

/// Whether a value is shown as a table.
fn is_framed(value: &Value) -> bool {
    match value {
        Value::Frame(_) => true,
        Value::About(of, About::Describe) => matches!(**of, Value::Frame(_)),
        _ => false,
    }
}

fn stream(output: &Output) -> Option<&str> {
    match output {
        Output::Stream { name, text } if name == "stdout" => Some(text),
        _ => None,
    }
}

fn data(output: &Output, mime: &str) -> Option<String> {
    match output {
        Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } => {
            Some(data.get(mime)?.as_str()?.to_owned())
        }
        _ => None,
    }
}
