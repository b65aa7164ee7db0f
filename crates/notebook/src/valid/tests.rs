use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::damage::{one_at_a_time, several_at_once, whole};
use crate::{Cell, CellKind, Notebook, Output, read, write};

fn map(value: Value) -> serde_json::Map<String, Value> {
    let Value::Object(map) = value else { panic!("an object") };
    map
}

/// Everything that a kernel can say, and a file can hold, where the schema wants something else.
fn odd() -> Notebook {
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
    let value: Value = serde_json::from_str(&write(&odd())).unwrap();
    assert_eq!(
        value["cells"][0]["outputs"][0]["data"],
        json!({
            "text/html": ["5"], "text/plain": ["{\"a\":[1]}"], "text/latex": ["[\"a\",7]"], "application/json": [1, null],
            "application/vnd.plotly.v1+json": {"x": 1}, "application/json5": "true", "": "false", "text/x+json": ["{\"y\":2}"],
        })
    );
    assert_eq!(
        value["cells"][0]["metadata"],
        json!({"tags": ["a", "b", "c", "7"], "execution": {"x": "1"}, "collapsed_as_read": "yes", "scrolled_as_read": 3})
    );
    assert_eq!(value["cells"][1]["attachments"], json!({"a.png": {"image/png": "7"}, "b.png": {"text/plain": ["3"]}}));
    assert_eq!(value["cells"][1]["metadata"], json!({"tags": ["none"], "name": "a b"}));
    assert_eq!(value["cells"][2].get("attachments"), None);
    assert_eq!(
        value["metadata"],
        json!({
            "kernelspec": {"name": "python3", "display_name": "7"}, "title": "3", "authors": [{"name": "me"}],
            "language_info": {"name": "python", "codemirror_mode": "3", "version": 3},
        })
    );
}

#[test]
fn what_is_valid_stays_as_it_is() {
    let text = write(&read(whole().to_string().as_bytes()).unwrap().notebook);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), whole());
}

/// The metadata that are saved of a notebook with these.
fn saved(metadata: Value) -> Value {
    let mut notebook = Notebook::from_cells(Vec::new());
    notebook.metadata = map(metadata);
    serde_json::from_str::<Value>(&write(&notebook)).unwrap()["metadata"].take()
}

#[test]
fn names_that_the_schema_requires_are_found() {
    let cases = [
        (json!({"kernelspec": {"display_name": "P"}}), json!({"kernelspec": {"display_name": "P", "name": "P"}})),
        (
            json!({"kernelspec": {"language": "R"}}),
            json!({"kernelspec": {"language": "R", "name": "R", "display_name": "R"}}),
        ),
        (json!({"kernelspec": {}}), json!({"kernelspec": {"name": "python", "display_name": "python"}})),
        (json!({"kernelspec": "ir"}), json!({"kernelspec": {"name": "ir", "display_name": "ir"}})),
        (
            json!({"language_info": {"version": "3.6.1"}}),
            json!({"language_info": {"version": "3.6.1", "name": "python"}}),
        ),
        (
            json!({"language_info": {"version": "1"}, "kernelspec": {"name": "julia-1", "display_name": ""}}),
            json!({"language_info": {"version": "1", "name": "julia"}, "kernelspec": {"name": "julia-1", "display_name": ""}}),
        ),
    ];
    for (metadata, expected) in cases {
        assert_eq!(saved(metadata.clone()), expected, "{metadata}");
    }
}

#[test]
fn what_says_something_is_kept() {
    let cases = [
        (json!({"title": ["My ", "title"]}), json!({"title": "My title"})),
        (json!({"title": {"a": 1}, "authors": "me"}), json!({"title_as_read": {"a": 1}, "authors": [{"name": "me"}]})),
        (json!({"title": null, "authors": {}, "kernelspec": [], "language_info": ""}), json!({})),
        (json!({"orig_nbformat": "2", "kernelspec": [7]}), json!({"kernelspec_as_read": [7]})),
    ];
    for (metadata, expected) in cases {
        assert_eq!(saved(metadata.clone()), expected, "{metadata}");
    }
    let file = json!({"nbformat": 4, "metadata": {}, "cells": [
        {"cell_type": "code", "source": ["1\n", null, ["2"]], "metadata": {"tags": "a, b", "collapsed": "True", "format": 3}, "outputs": [
            {"output_type": "stream", "name": null, "stream": "stderr", "text": ["a", 7]},
            {"output_type": "display_data", "data": ["<b>", 1]},
            {"output_type": "error", "traceback": [["t"], 5]}]},
        {"cell_type": "markdown", "source": {"a": 1}, "attachments": {"a.txt": "hello"}},
        {"cell_type": "raw", "source": "", "attachments": ["x"]},
    ]});
    let text = write(&read(file.to_string().as_bytes()).unwrap().notebook);
    let mut value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value["cells"].take(),
        json!([
            {"id": "cell-1", "cell_type": "code", "source": ["1\n", "2"], "execution_count": null,
             "metadata": {"tags": ["a", "b"], "collapsed": true, "format": 3, "source": ["1\n", null, ["2"]]}, "outputs": [
                {"output_type": "stream", "name": "stderr", "text": ["a7"]},
                {"output_type": "display_data", "data": {"text/plain": ["<b>1"]}, "metadata": {}},
                {"output_type": "error", "ename": "", "evalue": "", "traceback": ["t", "5"]}]},
            {"id": "cell-2", "cell_type": "markdown", "source": [], "metadata": {"source": {"a": 1}},
             "attachments": {"a.txt": {"text/plain": ["hello"]}}},
            {"id": "cell-3", "cell_type": "raw", "source": [], "metadata": {"attachments": ["x"]}},
        ])
    );
}

/// The reference implementation takes whatever is saved, where `scripts/setup --for-tests` has put it.
#[test]
fn the_reference_reader_takes_what_is_made_of_any_damage() {
    let mut texts = vec![write(&odd())];
    for file in one_at_a_time().into_iter().chain(several_at_once(2000)) {
        let Ok(reading) = read(file.to_string().as_bytes()) else { continue };
        let text = write(&reading.notebook);
        let again = read(text.as_bytes()).unwrap();
        assert_eq!((write(&again.notebook), again.quirks), (text.clone(), vec![]), "{file}");
        texts.push(text);
    }
    assert!(texts.len() > 8000, "{}", texts.len());
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = folder("NBREVIVE_HOME")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("nbrevive")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/nbrevive")))
        .expect("there is a home folder");
    let python = home.join("tools/nbformat-venv/bin/python");
    assert!(python.exists(), "{} is missing: run scripts/setup --for-tests", python.display());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/validate.py");
    let mut child = Command::new(python).args(["-I", script]).stdin(Stdio::piped()).spawn().unwrap();
    let lines: Vec<String> = texts.iter().map(|text| format!("{}\n", Value::from(text.as_str()))).collect();
    child.stdin.take().unwrap().write_all(lines.concat().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "nbformat does not take it");
}
