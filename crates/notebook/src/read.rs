//! From bytes to a [`Notebook`]: every departure that real files show is forgiven and told.

mod cell;
mod code;
mod output;

pub use code::read_code;

use serde_json::{Map, Value};

use crate::document::{Cell, Notebook};
use crate::json::{self, JsonError};
use crate::quirk::Quirk;

/// A notebook and what had to be forgiven to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The notebook.
    pub notebook: Notebook,
    /// The departures in the order met; empty for a file that keeps to format 4.
    pub quirks: Vec<Quirk>,
}

/// Why bytes are not a readable notebook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The bytes are not UTF-8.
    #[error("not UTF-8 (first bad byte at offset {offset}): save the notebook as UTF-8")]
    NotUtf8 {
        /// Offset of the first bad byte from 0.
        offset: usize,
    },
    /// The text is not JSON, even by Python's looser rules.
    #[error("not JSON at line {line}, column {column} ({reason}): is the file a complete .ipynb?")]
    NotJson {
        /// Line from 1.
        line: usize,
        /// Column from 1, in bytes.
        column: usize,
        /// What the parser missed.
        reason: String,
    },
    /// The JSON is something else than an object.
    #[error("the JSON is {found} and not an object: is the file an .ipynb?")]
    NotObject {
        /// What it is.
        found: &'static str,
    },
    /// No list of cells, neither at the top (format 4) nor in worksheets (format 3).
    #[error("no list of cells, neither `cells` nor `worksheets`: is the file an .ipynb?")]
    NoCells,
    /// Its values are more, or nested more deeply, than a notebook can sensibly have: reading it could take all memory.
    #[error("its JSON has more than {0}: clear the outputs and try again")]
    TooMuch(&'static str),
    /// A format version that this reader does not know.
    #[error(
        "format {0} cannot be read, only 3 and 4: open and save it with a Jupyter that knows it, or `jupyter nbconvert --to notebook`"
    )]
    UnsupportedVersion(u32),
}

/// Reads a notebook of format 3 or 4.
///
/// # Errors
///
/// When the bytes are not UTF-8 JSON, not an object with cells, or of another format version.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let mut quirks = Vec::new();
    let mut root = parse_object(bytes, &mut quirks)?;
    let nbformat = version(&mut root, &mut quirks)?;
    let mut metadata = match root.remove("metadata") {
        Some(Value::Object(metadata)) => metadata,
        _ => {
            quirks.push(Quirk::NotebookMetadataMissing);
            Map::new()
        }
    };
    let values = cell_values(&mut root, &mut quirks).ok_or(ReadError::NoCells)?;
    if nbformat.0 == 3 {
        tidy_metadata_of_3(&mut metadata, &values);
    }
    keep_leftovers(root, None, &mut metadata, &mut quirks);
    let cells = read_cells(values, nbformat.0, &mut quirks);
    Ok(Reading { notebook: Notebook { cells, metadata, nbformat }, quirks })
}

fn parse_object(bytes: &[u8], quirks: &mut Vec<Quirk>) -> Result<Map<String, Value>, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ReadError::NotUtf8 { offset: error.valid_up_to() })?;
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => {
            quirks.push(Quirk::ByteOrderMark);
            rest
        }
        None => text,
    };
    let value = json::parse(text, quirks).map_err(|error| match error {
        JsonError::Excess(excess) => ReadError::TooMuch(excess.0),
        JsonError::Syntax(error) => {
            ReadError::NotJson { line: error.line(), column: error.column(), reason: reason_without_position(&error) }
        }
    })?;
    match value {
        Value::Object(root) => Ok(root),
        other => Err(ReadError::NotObject { found: name_of(&other) }),
    }
}

fn reason_without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn version(root: &mut Map<String, Value>, quirks: &mut Vec<Quirk>) -> Result<(u32, u32), ReadError> {
    let minor = root.remove("nbformat_minor").as_ref().and_then(count).unwrap_or(0);
    let minor = u32::try_from(minor).unwrap_or(u32::MAX);
    let major = match root.remove("nbformat").as_ref().and_then(count) {
        Some(major) => u32::try_from(major).unwrap_or(u32::MAX),
        None => {
            quirks.push(Quirk::VersionGuessed);
            if root.contains_key("worksheets") { 3 } else { 4 }
        }
    };
    if !(3..=4).contains(&major) {
        return Err(ReadError::UnsupportedVersion(major));
    }
    if major == 4 && minor > 5 {
        quirks.push(Quirk::NewerMinor(minor));
    }
    Ok((major, minor))
}

/// The values of the cells: `cells` of format 4, or those of all worksheets of format 3.
fn cell_values(root: &mut Map<String, Value>, quirks: &mut Vec<Quirk>) -> Option<Vec<Value>> {
    if let Some(Value::Array(cells)) = root.remove("cells") {
        return Some(cells);
    }
    let Some(Value::Array(worksheets)) = root.remove("worksheets") else { return None };
    quirks.push(Quirk::UpgradedFrom3);
    if worksheets.len() > 1 {
        quirks.push(Quirk::Worksheets(worksheets.len()));
    }
    let mut cells = Vec::new();
    for worksheet in worksheets {
        if let Value::Object(mut worksheet) = worksheet
            && let Some(Value::Array(more)) = worksheet.remove("cells")
        {
            cells.extend(more);
        }
    }
    Some(cells)
}

/// Drops what the upgrade of the reference implementation drops, and keeps a language other than Python that format 3
/// notes in each cell only.
fn tidy_metadata_of_3(metadata: &mut Map<String, Value>, cells: &[Value]) {
    metadata.remove("name");
    metadata.remove("signature");
    if metadata.contains_key("kernelspec") || metadata.contains_key("language_info") {
        return;
    }
    let languages = cells.iter().filter_map(|cell| cell.get("language")).filter_map(Value::as_str);
    if let Some(language) = languages.into_iter().find(|language| *language != "python") {
        metadata.insert("language_info".to_owned(), serde_json::json!({ "name": language }));
    }
}

fn read_cells(values: Vec<Value>, major: u32, quirks: &mut Vec<Quirk>) -> Vec<Cell> {
    let mut reader = cell::Reader::new(major, quirks);
    values.into_iter().filter_map(|value| reader.read(value)).collect()
}

/// Moves the keys left in `from` into `metadata`, so that nothing is lost and the written file is valid. Values nested so deeply
/// that nothing could read them there are left out.
fn keep_leftovers(
    from: Map<String, Value>,
    cell: Option<usize>,
    metadata: &mut Map<String, Value>,
    quirks: &mut Vec<Quirk>,
) {
    for (key, value) in from {
        quirks.push(Quirk::MisplacedKey { cell, key: key.clone() });
        if json::is_at_most(&value, json::DEEPEST_PART) {
            metadata.entry(key).or_insert(value);
        }
    }
}

/// A whole number from a number or from a string of digits.
fn count(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn whole(number: f64) -> Option<u64> {
    ((0.0..9e15).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

/// A multiline string: a string, or a list of strings to be joined without a separator.
fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(lines) => {
            lines.into_iter().map(|line| if let Value::String(line) = line { Some(line) } else { None }).collect()
        }
        _ => None,
    }
}

/// What there is of text in something that should be a multiline string: of a list what stands in it, of anything else but null its JSON.
fn any_text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(lines) => lines.into_iter().map(any_text).collect(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

/// Types whose values are JSON and never joined or split.
pub(crate) fn is_json_type(mime: &str) -> bool {
    mime == "application/json" || (mime.starts_with("application/") && mime.ends_with("+json"))
}

/// Joins the multiline strings of a mime bundle in place.
fn join_bundle(bundle: &mut Map<String, Value>) {
    for (mime, value) in bundle.iter_mut() {
        let is_list_of_text =
            value.as_array().is_some_and(|lines| lines.iter().all(Value::is_string)) && !is_json_type(mime);
        if is_list_of_text && let Some(joined) = text(value.take()) {
            *value = Value::String(joined);
        }
    }
}

#[cfg(test)]
mod tests;
