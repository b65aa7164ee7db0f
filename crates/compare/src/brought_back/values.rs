//! Outputs without what is no value: drawings, and objects that are shown by their names.

use std::sync::LazyLock;

use nbrevive_notebook::Output;
use regex::Regex;
use serde_json::{Map, Value};

/// Longest text that is looked at, in bytes; a longer one is compared as it stands.
const LONGEST: usize = 1 << 16;

/// An object or a list of them, shown by the name of its class; or an estimator by its arguments.
static NAMES_ALONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:[\[({,\s]*(?:array\()?<[^<>]*(?:<[^<>]*>[^<>]*)*>[\])}),\s]*(?:dtype=object\))?)+$|^[A-Z]\w*\((?:\w+=[\s\S]*)?\)$|^Text\([\s\S]*\)$").ok()
});

/// A scalar of numpy 2, which shows its type; and the types of text columns.
static WRITTEN_ANEW: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"np\.(?:float|int|uint|bool|str)_?\d*\(([^()]*)\)").ok());
/// What arrays and indexes show besides their values: a shape since numpy 2.2, the spelling of a frequency.
static BESIDE_VALUES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r", shape=\([\d, ]*\)|,\s+freq='[^']*'").ok());
static TEXT_TYPES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"dtype(: |=')(?:object|str|string)\b").ok());

/// The outputs that hold values, as they are compared.
pub(super) fn of(outputs: &[Output]) -> Vec<Output> {
    outputs.iter().filter_map(value).collect()
}

fn value(output: &Output) -> Option<Output> {
    match output {
        Output::Stream { name, text } if name == "stdout" => {
            Some(Output::Stream { name: name.clone(), text: settled(text) })
        }
        Output::Stream { .. } | Output::Error { .. } => None,
        Output::DisplayData { data, metadata } => {
            Some(Output::DisplayData { data: bundle(data)?, metadata: metadata.clone() })
        }
        Output::ExecuteResult { execution_count, data, metadata } => Some(Output::ExecuteResult {
            execution_count: *execution_count,
            data: bundle(data)?,
            metadata: metadata.clone(),
        }),
    }
}

/// The text of a bundle alone: tables stand in it too, and their markup changes with every release.
fn bundle(data: &Map<String, Value>) -> Option<Map<String, Value>> {
    if data.keys().any(|mime| mime.starts_with("image/") || mime.starts_with("application/")) {
        return None;
    }
    let text = text(data.get("text/plain")?)?;
    let is_name = text.len() <= LONGEST && NAMES_ALONE.as_ref().is_some_and(|names| names.is_match(text.trim()));
    let mut kept = Map::new();
    kept.insert("text/plain".to_owned(), settled(&text).into());
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

fn settled(text: &str) -> String {
    if text.len() > LONGEST {
        return text.to_owned();
    }
    let (Some(scalars), Some(types)) = (WRITTEN_ANEW.as_ref(), TEXT_TYPES.as_ref()) else { return text.to_owned() };
    let text = types.replace_all(&scalars.replace_all(text, "$1"), "dtype${1}text").into_owned();
    BESIDE_VALUES.as_ref().map_or_else(|| text.clone(), |beside| beside.replace_all(&text, "").into_owned())
}
