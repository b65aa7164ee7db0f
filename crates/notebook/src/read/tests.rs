use serde_json::json;

use super::*;
use crate::document::{CellKind, Output};

fn reading(text: &str) -> Reading {
    read(text.as_bytes()).expect("readable")
}

fn cells_of(cells: &Value) -> Reading {
    reading(&json!({ "nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells }).to_string())
}

fn outputs_of(outputs: &Value) -> (Vec<Output>, Vec<Quirk>) {
    let cell =
        json!([{ "cell_type": "code", "metadata": {}, "source": "", "execution_count": null, "outputs": outputs }]);
    let reading = cells_of(&cell);
    (reading.notebook.cells[0].outputs().to_vec(), reading.quirks)
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else { panic!("an object") };
    map
}

#[test]
fn a_plain_file_has_no_quirks() {
    let text = r##"{"nbformat":4,"nbformat_minor":4,"metadata":{"kernelspec":{"name":"python3"},"kaggle":{"x":1}},
        "cells":[{"cell_type":"markdown","metadata":{},"source":["# Title\n","text"]},
        {"cell_type":"code","metadata":{"tags":["t"]},"execution_count":1,"source":"1/0","outputs":[
        {"output_type":"error","ename":"ZeroDivisionError","evalue":"division by zero","traceback":["a","b"]}]}]}"##;
    let Reading { notebook, quirks } = reading(text);
    assert_eq!(quirks, []);
    assert_eq!(notebook.nbformat, (4, 4));
    assert_eq!(notebook.metadata["kaggle"], json!({ "x": 1 }));
    assert_eq!(notebook.cells[0], Cell::markdown("# Title\ntext"));
    let CellKind::Code { execution_count, outputs } = &notebook.cells[1].kind else { panic!("code") };
    assert_eq!(*execution_count, Some(1));
    assert!(
        matches!(&outputs[0], Output::Error { ename, traceback, .. } if ename == "ZeroDivisionError" && traceback.len() == 2)
    );
}

#[test]
fn what_cannot_be_read() {
    let errors = [
        (&b"\xff\xfe{"[..], ReadError::NotUtf8 { offset: 0 }),
        (b"[]", ReadError::NotObject { found: "a list" }),
        (b"{}", ReadError::NoCells),
        (b"{\"cells\": {}}", ReadError::NoCells),
        (b"{\"nbformat\": 2, \"worksheets\": []}", ReadError::UnsupportedVersion(2)),
        (b"{\"nbformat\": 5, \"cells\": []}", ReadError::UnsupportedVersion(5)),
    ];
    for (bytes, expected) in errors {
        assert_eq!(read(bytes), Err(expected));
    }
    let Err(ReadError::NotJson { line, column, reason }) = read(b"{\n  \"cells\": [}") else { panic!("not JSON") };
    assert_eq!((line, column, reason.as_str()), (2, 13, "expected value"));
}

#[test]
fn holes_are_filled() {
    let cells = json!([
        { "cell_type": "code" },
        { "cell_type": "code", "metadata": null, "source": null, "outputs": [], "id": "a b" },
        { "cell_type": "markdown", "metadata": {}, "source": 3, "id": "x" },
        7,
        { "cell_type": "sql", "metadata": {}, "source": "select", "id": "x", "custom": [1] },
        { "metadata": {}, "source": "1", "execution_count": "12", "outputs": [] },
    ]);
    let Reading { notebook, quirks } = cells_of(&cells);
    let expected = [
        Quirk::CellMetadataMissing(0),
        Quirk::SourceMissing(0),
        Quirk::OutputsMissing(0),
        Quirk::CellMetadataMissing(1),
        Quirk::UnusableId { cell: 1, found: "a b".to_owned() },
        Quirk::SourceMissing(1),
        Quirk::SourceNotText(2),
        Quirk::MisplacedKey { cell: Some(2), key: "source".to_owned() },
        Quirk::CellNotObject(3),
        Quirk::UnusableId { cell: 3, found: "x".to_owned() },
        Quirk::UnknownCellType { cell: 3, found: "sql".to_owned() },
        Quirk::MisplacedKey { cell: Some(3), key: "custom".to_owned() },
        Quirk::UnknownCellType { cell: 4, found: String::new() },
    ];
    assert_eq!(quirks, expected);
    assert_eq!(notebook.cells.len(), 5);
    assert!(matches!(notebook.cells[3].kind, CellKind::Raw { .. }));
    assert_eq!(notebook.cells[3].metadata["custom"], json!([1]));
    assert!(matches!(notebook.cells[4].kind, CellKind::Code { execution_count: Some(12), .. }));
}

#[test]
fn the_notebook_itself_may_have_holes() {
    let Reading { notebook, quirks } = reading("\u{feff}{\"cells\": [], \"nbformat_minor\": 7, \"owner\": NaN}");
    let expected = [
        Quirk::ByteOrderMark,
        Quirk::NonFiniteNumbers(1),
        Quirk::VersionGuessed,
        Quirk::NewerMinor(7),
        Quirk::NotebookMetadataMissing,
        Quirk::MisplacedKey { cell: None, key: "owner".to_owned() },
    ];
    assert_eq!(quirks, expected);
    assert_eq!(notebook.metadata["owner"], Value::Null);
    assert_eq!(reading("{\"nbformat\": 4.0, \"metadata\": {}, \"cells\": []}").notebook.nbformat, (4, 0));
}

#[test]
fn outputs_of_all_types() {
    let (outputs, quirks) = outputs_of(&json!([
        { "output_type": "stream", "name": "stderr", "text": ["a\n", "b"] },
        { "output_type": "stream" },
        { "output_type": "display_data", "data": { "text/html": ["<b>", "</b>"], "image/png": ["x\n", "y"],
            "application/vnd.x+json": ["p", "q"] }, "metadata": {}, "transient": {} },
        { "output_type": "execute_result", "execution_count": 3, "data": { "text/plain": "1" }, "metadata": { "k": 1 } },
        { "output_type": "error", "ename": "E", "evalue": "m", "traceback": "l1\nl2" },
        { "output_type": "update_display_data", "data": {} },
        "text",
    ]));
    let html = json!({ "text/html": "<b></b>", "image/png": "x\ny", "application/vnd.x+json": ["p", "q"] });
    let expected = [
        Output::Stream { name: "stderr".to_owned(), text: "a\nb".to_owned() },
        Output::Stream { name: "stdout".to_owned(), text: String::new() },
        Output::DisplayData { data: object(html), metadata: Map::new() },
        Output::ExecuteResult {
            execution_count: Some(3),
            data: object(json!({ "text/plain": "1" })),
            metadata: object(json!({ "k": 1 })),
        },
        Output::Error {
            ename: "E".to_owned(),
            evalue: "m".to_owned(),
            traceback: vec!["l1".to_owned(), "l2".to_owned()],
        },
    ];
    assert_eq!(outputs, expected);
    let expected = [
        Quirk::UnknownOutputKey { cell: 0, key: "transient".to_owned() },
        Quirk::UnreadableOutput { cell: 0, found: "update_display_data".to_owned() },
        Quirk::UnreadableOutput { cell: 0, found: "\"text\"".to_owned() },
    ];
    assert_eq!(quirks, expected);
}

#[test]
fn format_3_is_upgraded() {
    let file = json!({
        "nbformat": 3, "nbformat_minor": 0, "metadata": { "name": "", "signature": "s" },
        "worksheets": [
            { "metadata": {}, "cells": [
                { "cell_type": "heading", "level": 2, "metadata": {}, "source": ["Two\n", "lines"] },
                { "cell_type": "html", "metadata": {}, "source": "<b>" },
                { "cell_type": "code", "collapsed": false, "language": "python", "metadata": {}, "input": ["print 1\n", "2"],
                  "prompt_number": 4, "outputs": [
                    { "output_type": "stream", "stream": "stdout", "text": ["1\n"] },
                    { "output_type": "pyout", "prompt_number": 4, "text": ["2"], "json": ["[1]"], "metadata": { "png": { "width": 3 } } },
                    { "output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": [] } ] } ] },
            { "metadata": {}, "cells": [{ "cell_type": "markdown", "metadata": {}, "source": "end" }] } ]
    });
    let Reading { notebook, quirks } = reading(&file.to_string());
    assert_eq!(quirks, [Quirk::UpgradedFrom3, Quirk::Worksheets(2)]);
    assert_eq!(notebook.nbformat, (3, 0));
    assert!(notebook.metadata.is_empty());
    let sources: Vec<_> = notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!(sources, ["## Two lines", "<b>", "print 1\n2", "end"]);
    assert_eq!(notebook.cells[2].metadata, object(json!({ "collapsed": false })));
    let expected = [
        Output::Stream { name: "stdout".to_owned(), text: "1\n".to_owned() },
        Output::ExecuteResult {
            execution_count: Some(4),
            data: object(json!({ "text/plain": "2", "application/json": [1] })),
            metadata: object(json!({ "image/png": { "width": 3 } })),
        },
        Output::Error { ename: "E".to_owned(), evalue: "v".to_owned(), traceback: vec![] },
    ];
    assert_eq!(notebook.cells[2].outputs(), expected);
}

#[test]
fn format_3_in_another_language_says_so() {
    let file = json!({ "nbformat": 3, "metadata": {}, "worksheets": [{ "cells": [
        { "cell_type": "code", "language": "julia", "metadata": {}, "input": "1", "outputs": [] }] }] });
    let notebook = reading(&file.to_string()).notebook;
    assert_eq!(crate::language(&notebook), crate::Language::Julia);
}

#[test]
fn what_is_read_can_be_read_again_however_deep_it_is() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let files = |depth: usize| {
        let value = nested(depth);
        [
            format!(r#"{{"nbformat": 4, "cells": [], "extra": {value}}}"#),
            format!(r#"{{"nbformat": 4, "cells": [{{"cell_type": "raw", "extra": {value}}}]}}"#),
            format!(
                r#"{{"nbformat": 3, "worksheets": [{{"cells": [{{"cell_type": "code", "outputs": [
                {{"output_type": "pyout", "json": "{value}"}}]}}]}}]}}"#
            ),
        ]
    };
    for depth in [90, 97, 99, 100, 101, 117, 118, 119, 120, 126, 127, 128] {
        for file in files(depth) {
            let Ok(reading) = read(file.as_bytes()) else { continue };
            assert!(read(crate::write(&reading.notebook).as_bytes()).is_ok(), "{depth}: {file}");
        }
    }
    assert_eq!(read(files(120)[0].as_bytes()), Err(ReadError::TooMuch("120 levels of nesting")));
}
