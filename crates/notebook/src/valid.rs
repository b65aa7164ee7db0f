//! What the schema of nbformat 4.5 takes, made of what is there. A kernel, and who wrote the notebook, can put any JSON where the schema
//! wants a text, and one such value makes the whole file invalid for every reader that checks. What says something is kept: in another
//! form where there is one, else beside its place, as `<name>_as_read`.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// Values of a mime bundle: texts, or any JSON under a type of JSON. What is no text becomes the text of its JSON, and what is nothing goes.
pub(crate) fn bundle(bundle: &mut Map<String, Value>) {
    bundle.retain(|mime, value| is_json(mime) || !value.is_null());
    for (mime, value) in bundle.iter_mut() {
        if !is_json(mime) && !is_text(value) {
            *value = Value::String(value.to_string());
        }
    }
}

/// Attachments: mime bundles by file name. What stands in place of a bundle becomes a text.
pub(crate) fn attachments(value: Value) -> Option<Value> {
    let Value::Object(mut files) = value else { return None };
    files.retain(|_, bundle| bundle.is_object() || !is_nothing(bundle));
    for file in files.values_mut() {
        if !file.is_object() {
            let text = text(file.clone()).unwrap_or_else(|| Value::String(file.to_string()));
            *file = Value::Object(Map::from_iter([("text/plain".to_owned(), text)]));
        }
        file.as_object_mut().into_iter().for_each(bundle);
    }
    Some(Value::Object(files))
}

/// The metadata of a notebook in `language`, which stands in for names that the schema requires and nobody gave.
pub(crate) fn notebook(metadata: &mut Map<String, Value>, language: &str) {
    fit(metadata, "title", text);
    fit(metadata, "authors", |authors| match authors {
        Value::Array(_) => Some(authors),
        other => text(other).map(|name| Value::Array(vec![named(name)])),
    });
    fit(metadata, "kernelspec", object_or_name);
    if let Some(Value::Object(spec)) = metadata.get_mut("kernelspec") {
        fit(spec, "name", text);
        fit(spec, "display_name", text);
        for (name, other) in [("name", "display_name"), ("display_name", "name")] {
            if !spec.contains_key(name) {
                spec.insert(name.to_owned(), spec.get(other).cloned().unwrap_or_else(|| language.into()));
            }
        }
    }
    fit(metadata, "language_info", object_or_name);
    if let Some(Value::Object(info)) = metadata.get_mut("language_info") {
        for name in ["name", "file_extension", "mimetype", "pygments_lexer"] {
            fit(info, name, text);
        }
        fit(info, "codemirror_mode", |mode| if mode.is_object() { Some(mode) } else { text(mode) });
        info.entry("name").or_insert_with(|| language.into());
    }
}

/// The metadata of a cell of the type `cell_type`.
pub(crate) fn cell(metadata: &mut Map<String, Value>, cell_type: &str) {
    fit(metadata, "name", |name| {
        let name = text(name)?.as_str()?.replace('\n', " ");
        (!name.is_empty()).then_some(Value::String(name))
    });
    fit(metadata, "jupyter", object);
    fit(metadata, "tags", tags);
    match cell_type {
        "raw" => fit(metadata, "format", text),
        "code" => {
            fit(metadata, "collapsed", boolean);
            fit(metadata, "scrolled", |scrolled| if scrolled == "auto" { Some(scrolled) } else { boolean(scrolled) });
            fit(metadata, "execution", object);
            if let Some(Value::Object(times)) = metadata.get_mut("execution") {
                let others = times.values_mut().filter(|time| !time.is_string());
                others.for_each(|time| *time = Value::String(time.to_string()));
            }
        }
        _ => {}
    }
}

/// Puts in the place of an entry what `fitting` makes of it. An entry that says nothing goes, and one that nothing can be made of stands
/// beside its place.
fn fit(map: &mut Map<String, Value>, name: &str, fitting: impl Fn(Value) -> Option<Value>) {
    let Some(value) = map.remove(name) else { return };
    if let Some(fitted) = fitting(value.clone()) {
        map.insert(name.to_owned(), fitted);
    } else if !is_nothing(&value) {
        map.entry(format!("{name}_as_read")).or_insert(value);
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A text, lines of one joined, or a number or truth value written out.
fn text(value: Value) -> Option<Value> {
    match value {
        Value::String(_) => Some(value),
        Value::Bool(_) | Value::Number(_) => Some(Value::String(value.to_string())),
        Value::Array(lines) if !lines.is_empty() => {
            lines.iter().map(Value::as_str).collect::<Option<String>>().map(Value::String)
        }
        Value::Array(_) | Value::Null | Value::Object(_) => None,
    }
}

fn object(value: Value) -> Option<Value> {
    value.is_object().then_some(value)
}

fn object_or_name(value: Value) -> Option<Value> {
    if value.is_object() { Some(value) } else { text(value).filter(|name| name != "").map(named) }
}

fn named(name: Value) -> Value {
    Value::Object(Map::from_iter([("name".to_owned(), name)]))
}

fn boolean(value: Value) -> Option<Value> {
    let truths = [(true, ["true", "1", "1.0"]), (false, ["false", "0", "0.0"])];
    let written = text(value)?.as_str()?.to_ascii_lowercase();
    truths.iter().find(|(_, words)| words.contains(&written.as_str())).map(|(truth, _)| Value::Bool(*truth))
}

/// Tags, each once. One with commas is several.
fn tags(value: Value) -> Option<Value> {
    let found = match value {
        Value::Array(items) => items,
        other => vec![text(other)?],
    };
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for tag in found {
        let written =
            tag.as_str().map_or_else(|| if tag.is_null() { String::new() } else { tag.to_string() }, str::to_owned);
        let is_several = written.contains(',');
        let parts = written.split(',').map(|part| if is_several { part.trim() } else { part });
        kept.extend(parts.filter(|part| !part.is_empty() && seen.insert((*part).to_owned())).map(Value::from));
    }
    Some(Value::Array(kept))
}

/// `application/json` and `application/…+json`.
fn is_json(mime: &str) -> bool {
    let kind = mime.strip_prefix("application/").filter(|kind| !kind.contains('\n'));
    kind.is_some_and(|kind| kind == "json" || kind.ends_with("+json"))
}

/// A text, or lines of one.
pub(crate) fn is_text(value: &Value) -> bool {
    value.is_string() || value.as_array().is_some_and(|lines| lines.iter().all(Value::is_string))
}

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;
