//! What the schema of nbformat 4.5 takes, made of what is there. A kernel, and who wrote the notebook, can put any JSON where the schema
//! wants a text, and one such value makes the whole file invalid for every reader that checks.

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

/// Attachments: mime bundles by file name.
pub(crate) fn attachments(value: Value) -> Option<Value> {
    let Value::Object(mut files) = value else { return None };
    files.retain(|_, bundle| bundle.is_object());
    files.values_mut().filter_map(Value::as_object_mut).for_each(bundle);
    Some(Value::Object(files))
}

/// The metadata of a notebook.
pub(crate) fn notebook(metadata: &mut Map<String, Value>) {
    keep(metadata, "title", Value::is_string);
    keep(metadata, "authors", Value::is_array);
    keep(metadata, "kernelspec", |spec| spec["name"].is_string() || spec["display_name"].is_string());
    if let Some(Value::Object(spec)) = metadata.get_mut("kernelspec") {
        for (name, other) in [("name", "display_name"), ("display_name", "name")] {
            if !spec.get(name).is_some_and(Value::is_string) {
                spec.insert(name.to_owned(), spec.get(other).cloned().unwrap_or_default());
            }
        }
    }
    keep(metadata, "language_info", |info| info["name"].is_string());
    if let Some(Value::Object(info)) = metadata.get_mut("language_info") {
        keep(info, "codemirror_mode", |mode| mode.is_string() || mode.is_object());
        for name in ["file_extension", "mimetype", "pygments_lexer"] {
            keep(info, name, Value::is_string);
        }
    }
}

/// The metadata of a cell.
pub(crate) fn cell(metadata: &mut Map<String, Value>, is_code: bool) {
    let is_name = |name: &str| !name.is_empty() && !name.contains('\n');
    keep(metadata, "name", |name| name.as_str().is_some_and(is_name));
    keep(metadata, "jupyter", Value::is_object);
    keep(metadata, "format", Value::is_string);
    keep(metadata, "tags", Value::is_array);
    if let Some(Value::Array(tags)) = metadata.get_mut("tags") {
        let mut seen = std::collections::HashSet::new();
        tags.retain(|tag| tag.as_str().is_some_and(|tag| is_tag(tag) && seen.insert(tag.to_owned())));
    }
    if is_code {
        keep(metadata, "collapsed", Value::is_boolean);
        keep(metadata, "scrolled", |scrolled| scrolled.is_boolean() || scrolled == "auto");
        keep(metadata, "execution", Value::is_object);
        if let Some(Value::Object(times)) = metadata.get_mut("execution") {
            times.retain(|_, time| time.is_string());
        }
    }
}

/// Removes an entry that is not as the schema has it.
fn keep(map: &mut Map<String, Value>, name: &str, is_valid: impl Fn(&Value) -> bool) {
    if map.get(name).is_some_and(|value| !is_valid(value)) {
        map.remove(name);
    }
}

fn is_tag(tag: &str) -> bool {
    !tag.is_empty() && !tag.contains(',')
}

/// `application/json` and `application/…+json`.
fn is_json(mime: &str) -> bool {
    let kind = mime.strip_prefix("application/").filter(|kind| !kind.contains('\n'));
    kind.is_some_and(|kind| kind == "json" || kind.ends_with("+json"))
}

/// A text, or lines of one.
fn is_text(value: &Value) -> bool {
    value.is_string() || value.as_array().is_some_and(|lines| lines.iter().all(Value::is_string))
}

#[cfg(test)]
mod attacks {
    use serde_json::json;

    use crate::{Cell, CellKind, Notebook, Output, write};

    fn map(value: serde_json::Value) -> serde_json::Map<String, serde_json::Value> {
        let serde_json::Value::Object(map) = value else { panic!("an object") };
        map
    }

    /// Everything that a kernel can say, and a file can hold, where the schema wants something else.
    pub(super) fn odd() -> Notebook {
        let data = || {
            map(json!({
                "text/html": 5, "text/plain": {"a": [1]}, "image/png": null, "text/latex": ["a", 7], "application/json": [1, null],
                "application/vnd.plotly.v1+json": {"x": 1}, "application/json5": true, "": false, "text/x+json": {"y": 2},
            }))
        };
        let mut cell = Cell::code("display(X())");
        cell.metadata = map(json!({
            "name": "", "tags": ["a", "a", "b,c", "", 7], "collapsed": "yes", "scrolled": 3, "jupyter": [], "execution": {"x": 1},
        }));
        cell.kind = CellKind::Code {
            execution_count: Some(u64::MAX),
            outputs: vec![
                Output::DisplayData { data: data(), metadata: map(json!({"text/html": 5})) },
                Output::ExecuteResult { execution_count: None, data: data(), metadata: map(json!({"": null})) },
                Output::Stream { name: String::new(), text: "\u{0}\u{1b}".to_owned() },
            ],
        };
        let mut markdown = Cell::markdown("x");
        markdown.metadata = map(json!({"tags": "none", "name": "a\nb"}));
        markdown.kind = CellKind::Markdown { attachments: Some(json!({"a.png": {"image/png": 7}, "b.png": 3})) };
        let mut raw = Cell::raw("x");
        raw.metadata = map(json!({"format": 7}));
        raw.kind = CellKind::Raw { attachments: Some(json!([])) };
        let mut notebook = Notebook::from_cells(vec![cell, markdown, raw]);
        notebook.metadata = map(json!({
            "kernelspec": {"name": "python3", "display_name": 7}, "title": 3, "authors": "me",
            "language_info": {"name": "python", "codemirror_mode": 3, "mimetype": null, "version": 3},
        }));
        notebook
    }

    #[test]
    fn what_a_kernel_says_leaves_a_valid_notebook() {
        let value: serde_json::Value = serde_json::from_str(&write(&odd())).unwrap();
        assert_eq!(
            value["cells"][0]["outputs"][0]["data"],
            json!({
                "text/html": ["5"], "text/plain": ["{\"a\":[1]}"], "text/latex": ["[\"a\",7]"], "application/json": [1, null],
                "application/vnd.plotly.v1+json": {"x": 1}, "application/json5": "true", "": "false", "text/x+json": ["{\"y\":2}"],
            })
        );
        assert_eq!(value["cells"][0]["metadata"], json!({"tags": ["a"], "execution": {}}));
        assert_eq!(value["cells"][1]["attachments"], json!({"a.png": {"image/png": "7"}}));
        assert_eq!(value["cells"][1]["metadata"], json!({}));
        assert_eq!(value["cells"][2].get("attachments"), None);
        assert_eq!(
            value["metadata"],
            json!({
                "kernelspec": {"name": "python3", "display_name": "python3"}, "language_info": {"name": "python", "version": 3},
            })
        );
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::PathBuf;
    use std::process::{Command, Stdio};

    use super::attacks::odd;
    use crate::write;

    /// The reference implementation says so too, where `scripts/setup --for-tests` has put it.
    #[test]
    fn the_reference_reader_takes_it() {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = folder("NBREVIVE_HOME")
            .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("nbrevive")))
            .or_else(|| folder("HOME").map(|home| home.join(".cache/nbrevive")))
            .expect("there is a home folder");
        let python = home.join("tools/nbformat-venv/bin/python");
        assert!(python.exists(), "{} is missing: run scripts/setup --for-tests", python.display());
        let script = "import json, sys, nbformat; nbformat.validate(json.load(sys.stdin), version=4, version_minor=5, relax_add_props=False)";
        let mut child = Command::new(python).args(["-I", "-c", script]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(write(&odd()).as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "nbformat does not take it");
    }
}
