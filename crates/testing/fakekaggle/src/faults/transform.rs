//! Changes of finished answers.

use nbrevive_loopback::{Reply, ReplyBody, wrong_types};
use serde_json::{Map, Value, json};

use crate::faults::Fault;

/// An id that no item of any world has.
const NOBODY: u64 = 987_654_321_000;
/// The slug that must never become a path.
pub(crate) const HOSTILE_SLUG: &str = "../../etc/passwd";

/// Changes an answer as a fault says; answers that the fault does not fit stay as they are.
pub(crate) fn transform(fault: &Fault, reply: Reply) -> Reply {
    match fault {
        Fault::TruncatedJson => truncated(reply),
        Fault::WrongTypes => reply.with_json(wrong_types),
        Fault::HostileSlug => reply.with_json(with_hostile_item),
        Fault::HugeNotebook { bytes, is_chunked } => huge(reply, *bytes, *is_chunked),
        _ => reply,
    }
}

fn truncated(mut reply: Reply) -> Reply {
    if let (true, ReplyBody::Bytes(bytes)) = (reply.json_body().is_some(), &mut reply.body) {
        bytes.truncate(bytes.len() / 2);
    }
    reply
}

/// Adds a copy of a list's first item, with a name that tries to leave the folder.
fn with_hostile_item(value: &mut Value) {
    let items = match value {
        Value::Array(items) => items,
        Value::Object(fields) => match fields.get_mut("kernels") {
            Some(Value::Array(items)) => items,
            _ => return,
        },
        _ => return,
    };
    let Some(Value::Object(first)) = items.first() else { return };
    if !first.contains_key("ref") && !first.contains_key("currentUrlSlug") {
        return;
    }
    let mut item = first.clone();
    let set = |item: &mut Map<String, Value>, key: &str, text: Value| {
        if item.contains_key(key) {
            item.insert(key.to_owned(), text);
        }
    };
    set(&mut item, "id", json!(NOBODY));
    set(&mut item, "scriptVersionId", json!(NOBODY));
    set(&mut item, "ref", json!(HOSTILE_SLUG));
    set(&mut item, "slug", json!(HOSTILE_SLUG));
    set(&mut item, "currentUrlSlug", json!(HOSTILE_SLUG));
    set(&mut item, "scriptUrl", json!(format!("/code/{HOSTILE_SLUG}")));
    items.push(Value::Object(item));
}

const START: &str = "{\"nbformat\":4,\"nbformat_minor\":4,\"metadata\":{\"kernelspec\":{\"name\":\"python3\"}},\"cells\":[{\"cell_type\":\"code\",\"execution_count\":1,\"metadata\":{},\"source\":\"x = 1\",\"outputs\":[{\"output_type\":\"stream\",\"name\":\"stdout\",\"text\":\"";
const END: &str = "\"}]}]}";
/// A kilobyte of text without a character that JSON escapes.
const PIECE: &[u8; 1024] = &[b'x'; 1024];
const MARK: &str = "the huge source goes here";

/// Puts a huge document in the place of a source: the body itself for downloads, the field `source` in JSON.
fn huge(mut reply: Reply, bytes: u64, is_chunked: bool) -> Reply {
    reply.is_chunked = is_chunked;
    let count = bytes / PIECE.len() as u64;
    let (before, after) = match reply.json_body() {
        Some(mut value) if value.get("cells").is_none() && value.get("worksheets").is_none() => {
            if !replace_source(&mut value) {
                return reply;
            }
            let text = value.to_string();
            let Some((before, after)) = text.split_once(MARK) else { return reply };
            (format!("{before}{}", escaped(START)), format!("{}{after}", escaped(END)))
        }
        Some(_) => (START.to_owned(), END.to_owned()),
        None if reply.content_type().starts_with("text/html") => return reply,
        None => (String::new(), String::new()),
    };
    reply.body =
        ReplyBody::Repeated { before: before.into_bytes(), piece: PIECE.to_vec(), count, after: after.into_bytes() };
    reply
}

/// The inside of a JSON text, without its quotes.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Marks the first field `source` that holds text.
fn replace_source(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            if let Some(source @ Value::String(_)) = fields.get_mut("source") {
                *source = json!(MARK);
                return true;
            }
            fields.values_mut().any(replace_source)
        }
        Value::Array(items) => items.iter_mut().any(replace_source),
        _ => false,
    }
}
