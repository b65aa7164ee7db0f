//! Outputs without what is no value: drawings, and objects that are shown by their names.

use std::sync::LazyLock;

use nbrevive_notebook::Output;
use regex::Regex;
use serde_json::{Map, Value};

use super::written;

/// Longest text that is looked at, in bytes; a longer one is compared as it stands.
const LONGEST: usize = 1 << 16;

/// An object or a list of them, shown by the name of its class; or an estimator by its arguments.
static NAMES_ALONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:[\[({,\s]*(?:array\()?<[^<>]*(?:<[^<>]*>[^<>]*)*>[\])}),\s]*(?:dtype=object\))?)+$|^[A-Z]\w*\((?:\w+=[\s\S]*)?\)$|^Text\([\s\S]*\)$").ok()
});

/// The outputs of a cell that hold values, as they are compared.
pub(super) fn of(outputs: &[Output], code: &str) -> Vec<Output> {
    outputs.iter().filter_map(|output| value(output, code)).collect()
}

fn value(output: &Output, code: &str) -> Option<Output> {
    match output {
        Output::Stream { name, text } if name == "stdout" => {
            Some(Output::Stream { name: name.clone(), text: settled(text, code)? })
        }
        Output::Stream { .. } | Output::Error { .. } => None,
        Output::DisplayData { data, metadata } => {
            Some(Output::DisplayData { data: bundle(data, code)?, metadata: metadata.clone() })
        }
        Output::ExecuteResult { execution_count, data, metadata } => Some(Output::ExecuteResult {
            execution_count: *execution_count,
            data: bundle(data, code)?,
            metadata: metadata.clone(),
        }),
    }
}

/// The text of a bundle alone: tables stand in it too, and their markup changes with every release.
fn bundle(data: &Map<String, Value>, code: &str) -> Option<Map<String, Value>> {
    if data.keys().any(|mime| mime.starts_with("image/") || mime.starts_with("application/")) {
        return None;
    }
    let text = text(data.get("text/plain")?)?;
    let is_name = text.len() <= LONGEST && NAMES_ALONE.as_ref().is_some_and(|names| names.is_match(text.trim()));
    let mut kept = Map::new();
    kept.insert("text/plain".to_owned(), settled(&text, code)?.into());
    (!is_name).then_some(kept)
}

/// A text of a bundle, which may be a list of lines.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(lines) => lines.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// What is compared of a text; `None` where no value stands in it.
fn settled(text: &str, code: &str) -> Option<String> {
    if text.len() > LONGEST {
        return Some(text.to_owned());
    }
    let text = written::results(text, code)?;
    Some(written::settled(&written::counts(&text, code)))
}
