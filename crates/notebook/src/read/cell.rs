//! One cell of a file, of either format, to a [`Cell`].

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{any_text, count, join_bundle, keep_leftovers, output};
use crate::document::{Cell, CellKind, is_valid_id};
use crate::quirk::Quirk;
use crate::valid::is_text;

/// Reads cells in order and remembers the ids met.
pub(super) struct Reader<'a> {
    major: u32,
    position: usize,
    ids: HashSet<String>,
    quirks: &'a mut Vec<Quirk>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(major: u32, quirks: &'a mut Vec<Quirk>) -> Self {
        Self { major, position: 0, ids: HashSet::new(), quirks }
    }

    /// Reads one cell, `None` when there is nothing to read in it.
    pub(super) fn read(&mut self, value: Value) -> Option<Cell> {
        let Value::Object(mut fields) = value else {
            self.quirks.push(Quirk::CellNotObject(self.position));
            return None;
        };
        let mut metadata = self.metadata(&mut fields);
        let id = self.id(&mut fields);
        let type_name = self.type_name(&mut fields);
        let source = self.source(&mut fields);
        let (kind, source) = self.kind(&type_name, source, &mut fields);
        if self.major == 3 {
            fields.remove("language");
            if let Some(collapsed) = fields.remove("collapsed") {
                metadata.insert("collapsed".to_owned(), collapsed);
            }
        }
        keep_leftovers(fields, Some(self.position), &mut metadata, self.quirks);
        self.position += 1;
        Some(Cell { id, metadata, source, kind })
    }

    fn metadata(&mut self, fields: &mut Map<String, Value>) -> Map<String, Value> {
        if let Some(Value::Object(metadata)) = fields.remove("metadata") {
            return metadata;
        }
        self.quirks.push(Quirk::CellMetadataMissing(self.position));
        Map::new()
    }

    fn id(&mut self, fields: &mut Map<String, Value>) -> Option<String> {
        let value = fields.remove("id")?;
        let found = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if value.is_string() && is_valid_id(&found) && self.ids.insert(found.clone()) {
            return Some(found);
        }
        self.quirks.push(Quirk::UnusableId { cell: self.position, found });
        None
    }

    /// The type as written or, when it is missing, the one that the fields show.
    fn type_name(&mut self, fields: &mut Map<String, Value>) -> String {
        if let Some(Value::String(name)) = fields.remove("cell_type") {
            return name;
        }
        self.quirks.push(Quirk::UnknownCellType { cell: self.position, found: String::new() });
        let is_code =
            ["outputs", "execution_count", "input", "prompt_number"].iter().any(|key| fields.contains_key(*key));
        if is_code { "code".to_owned() } else { "raw".to_owned() }
    }

    fn source(&mut self, fields: &mut Map<String, Value>) -> String {
        let value = match fields.remove("source") {
            None | Some(Value::Null) => fields.remove("input").filter(|value| !value.is_null()),
            found => found,
        };
        let Some(value) = value else {
            self.quirks.push(Quirk::SourceMissing(self.position));
            return String::new();
        };
        if is_text(&value) {
            return any_text(value);
        }
        self.quirks.push(Quirk::SourceNotText(self.position));
        let found = strings(&value);
        fields.insert("source".to_owned(), value);
        found
    }

    fn kind(&mut self, name: &str, source: String, fields: &mut Map<String, Value>) -> (CellKind, String) {
        match name {
            "code" => (self.code(fields), source),
            "markdown" => (CellKind::Markdown { attachments: attachments(fields) }, source),
            "raw" => (CellKind::Raw { attachments: attachments(fields) }, source),
            "html" if self.major == 3 => (CellKind::Markdown { attachments: None }, source),
            "heading" => {
                if self.major != 3 {
                    self.unknown(name);
                }
                (CellKind::Markdown { attachments: None }, heading(&source, fields))
            }
            other => {
                self.unknown(other);
                (CellKind::Raw { attachments: attachments(fields) }, source)
            }
        }
    }

    fn unknown(&mut self, found: &str) {
        self.quirks.push(Quirk::UnknownCellType { cell: self.position, found: found.to_owned() });
    }

    fn code(&mut self, fields: &mut Map<String, Value>) -> CellKind {
        let new = fields.remove("execution_count");
        let old = fields.remove("prompt_number");
        let execution_count = new.as_ref().and_then(count).or_else(|| old.as_ref().and_then(count));
        let outputs = match fields.remove("outputs") {
            Some(Value::Array(outputs)) => outputs,
            _ => {
                self.quirks.push(Quirk::OutputsMissing(self.position));
                Vec::new()
            }
        };
        let outputs = outputs.into_iter().filter_map(|value| output::read(value, self.position, self.quirks)).collect();
        CellKind::Code { execution_count, outputs }
    }
}

/// The strings in a list and in its lists, joined. Nothing else becomes code.
fn strings(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

/// Attachments by file name. What has another form stays among the fields.
fn attachments(fields: &mut Map<String, Value>) -> Option<Value> {
    if fields.get("attachments").is_some_and(Value::is_null) {
        fields.remove("attachments");
    }
    fields.get("attachments").filter(|attachments| attachments.is_object())?;
    let mut attachments = fields.remove("attachments")?;
    for bundle in attachments.as_object_mut()?.values_mut().filter_map(Value::as_object_mut) {
        join_bundle(bundle);
    }
    Some(attachments)
}

/// A heading cell of format 3 as markdown: hashes by level, on one line.
fn heading(source: &str, fields: &mut Map<String, Value>) -> String {
    let level = fields.remove("level").as_ref().and_then(count).map_or(1, |level| level.clamp(1, 6));
    let hashes = "######".get(..usize::try_from(level).unwrap_or(1)).unwrap_or("#");
    let line: Vec<&str> = source.split(['\r', '\n']).filter(|part| !part.is_empty()).collect();
    format!("{hashes} {}", line.join(" "))
}
