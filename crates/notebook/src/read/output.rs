//! One output of a code cell, of either format, to an [`Output`].

use serde_json::{Map, Value};

use super::{any_text, count, join_bundle, text};
use crate::document::Output;
use crate::json::{DEEPEST_PART, within_bounds};
use crate::quirk::Quirk;

/// Reads one output of cell `cell`; `None`, with a quirk, when its type is unknown.
pub(super) fn read(value: Value, cell: usize, quirks: &mut Vec<Quirk>) -> Option<Output> {
    let mut fields = match value {
        Value::Object(fields) => fields,
        other => {
            quirks.push(Quirk::UnreadableOutput { cell, found: other.to_string() });
            return None;
        }
    };
    let name = string(&mut fields, "output_type");
    let output = match name.as_str() {
        "stream" => stream(&mut fields),
        "display_data" => {
            let (data, metadata) = bundle(&mut fields);
            Output::DisplayData { data, metadata }
        }
        "execute_result" | "pyout" => execute_result(&mut fields),
        "error" | "pyerr" => error(&mut fields),
        _ => {
            quirks.push(Quirk::UnreadableOutput { cell, found: name });
            return None;
        }
    };
    quirks.extend(fields.into_iter().map(|(key, _)| Quirk::UnknownOutputKey { cell, key }));
    Some(output)
}

fn string(fields: &mut Map<String, Value>, key: &str) -> String {
    fields.remove(key).map(any_text).unwrap_or_default()
}

fn stream(fields: &mut Map<String, Value>) -> Output {
    let old = string(fields, "stream");
    let names = [string(fields, "name"), old, "stdout".to_owned()];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    fields.remove("metadata");
    Output::Stream { name, text: string(fields, "text") }
}

fn execute_result(fields: &mut Map<String, Value>) -> Output {
    let new = fields.remove("execution_count");
    let old = fields.remove("prompt_number");
    let execution_count = new.as_ref().and_then(count).or_else(|| old.as_ref().and_then(count));
    let (data, metadata) = bundle(fields);
    Output::ExecuteResult { execution_count, data, metadata }
}

fn error(fields: &mut Map<String, Value>) -> Output {
    let traceback = match fields.remove("traceback") {
        Some(Value::Array(lines)) => lines.into_iter().map(any_text).collect(),
        other => other.map(any_text).unwrap_or_default().lines().map(str::to_owned).collect(),
    };
    fields.remove("metadata");
    Output::Error { ename: string(fields, "ename"), evalue: string(fields, "evalue"), traceback }
}

/// Data and metadata of an output that shows something. Format 3 has no `data`: its short keys stand beside the others.
fn bundle(fields: &mut Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    let mut metadata = match fields.remove("metadata") {
        Some(Value::Object(metadata)) => metadata,
        _ => Map::new(),
    };
    let mut data = match fields.remove("data") {
        Some(Value::Object(data)) => data,
        other => {
            metadata = with_mime_types(metadata);
            let mut short: Map<String, Value> =
                SHORT_KEYS.iter().filter_map(|(key, _)| fields.remove_entry(*key)).collect();
            let lost = other.filter(|data| !data.is_null());
            short.extend(lost.map(|data| ("text".to_owned(), Value::String(any_text(data)))));
            parse_json_text(with_mime_types(short))
        }
    };
    join_bundle(&mut data);
    (data, metadata)
}

/// The keys that format 3 uses for mime types.
const SHORT_KEYS: [(&str, &str); 9] = [
    ("text", "text/plain"),
    ("html", "text/html"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpeg", "image/jpeg"),
    ("latex", "text/latex"),
    ("json", "application/json"),
    ("javascript", "application/javascript"),
    ("pdf", "application/pdf"),
];

fn with_mime_types(map: Map<String, Value>) -> Map<String, Value> {
    let full = |key: String| match SHORT_KEYS.iter().find(|(short, _)| *short == key) {
        Some((_, mime)) => (*mime).to_owned(),
        None => key,
    };
    map.into_iter().map(|(key, value)| (full(key), value)).collect()
}

/// Format 3 kept JSON as text; format 4 keeps the value itself.
fn parse_json_text(mut data: Map<String, Value>) -> Map<String, Value> {
    if let Some(value) = data.get_mut("application/json")
        && let Some(joined) = text(value.clone())
        && within_bounds(joined.as_bytes(), DEEPEST_PART).is_ok()
        && let Ok(parsed) = serde_json::from_str(&joined)
    {
        *value = parsed;
    }
    data
}
