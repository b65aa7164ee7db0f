//! Properties over generated notebooks and arbitrary input.

use nbrevive_notebook::percent;
use nbrevive_notebook::{Cell, CellKind, Notebook, Output, read, read_code, write};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Lines that are hard for the percent form, between ordinary ones.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ a-z=()#%\\\\!?\"']{0,12}",
        "#[ \t]{0,2}[\\\\]{0,3}%%( \\[(markdown|raw|x)\\])?[ \r]?",
        Just(String::new()),
        Just("# %%".to_owned()),
        "\\PC{0,8}",
    ]
}

fn source() -> impl Strategy<Value = String> {
    vec(line(), 0..6).prop_map(|lines| lines.join("\n"))
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("[a-z_]{1,8}", inner), 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn metadata() -> impl Strategy<Value = Map<String, Value>> {
    vec(("[a-c]{1,3}", value()), 0..3).prop_map(|entries| entries.into_iter().collect())
}

fn bundle() -> impl Strategy<Value = Map<String, Value>> {
    let text = (prop_oneof![Just("text/plain"), Just("image/png"), Just("image/svg+xml")], "[ -~\n]{0,20}")
        .prop_map(|(mime, text)| (mime.to_owned(), Value::from(text)));
    let any_json = value().prop_map(|value| ("application/vnd.x+json".to_owned(), value));
    vec(prop_oneof![text, any_json], 0..3).prop_map(|entries| entries.into_iter().collect())
}

fn output() -> impl Strategy<Value = Output> {
    prop_oneof![
        ("std(out|err)", source()).prop_map(|(name, text)| Output::Stream { name, text }),
        (bundle(), metadata()).prop_map(|(data, metadata)| Output::DisplayData { data, metadata }),
        (option::of(0_u64..99), bundle(), metadata()).prop_map(|(execution_count, data, metadata)| {
            Output::ExecuteResult { execution_count, data, metadata }
        }),
        ("[A-Z]{1,4}", "\\PC{0,9}", vec("\\PC{0,9}", 0..3)).prop_map(|(ename, evalue, traceback)| Output::Error {
            ename,
            evalue,
            traceback
        }),
    ]
}

fn kind() -> impl Strategy<Value = CellKind> {
    let attachments = || {
        option::of(vec(("[a-z]{1,4}", bundle()), 0..2).prop_map(|files| {
            json!(Map::from_iter(files.into_iter().map(|(name, bundle)| (name, Value::Object(bundle)))))
        }))
    };
    prop_oneof![
        3 => (option::of(0_u64..99), vec(output(), 0..3))
            .prop_map(|(execution_count, outputs)| CellKind::Code { execution_count, outputs }),
        1 => attachments().prop_map(|attachments| CellKind::Markdown { attachments }),
        1 => attachments().prop_map(|attachments| CellKind::Raw { attachments }),
    ]
}

fn cell() -> impl Strategy<Value = Cell> {
    (option::of("[a-zA-Z0-9_-]{1,5}"), metadata(), source(), kind()).prop_map(|(id, metadata, source, kind)| Cell {
        id,
        metadata,
        source,
        kind,
    })
}

fn notebook() -> impl Strategy<Value = Notebook> {
    (vec(cell(), 1..6), metadata()).prop_map(|(cells, metadata)| Notebook { metadata, ..Notebook::from_cells(cells) })
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_notebook(notebook in notebook()) {
        let text = write(&notebook);
        let reading = read(text.as_bytes()).expect("own text");
        let mut expected = notebook;
        expected.assign_ids();
        prop_assert_eq!(&reading.notebook, &expected);
        prop_assert_eq!(reading.quirks, vec![]);
        prop_assert_eq!(write(&expected), text);
    }

    #[test]
    fn the_percent_form_gives_the_notebook(notebook in notebook()) {
        let text = percent::render(&notebook);
        let cells = percent::parse(&text).expect("own text");
        prop_assert_eq!(&percent::apply(&notebook, cells), &notebook);
        let converted = percent::parse(&text.replace('\n', "\r\n")).expect("own text");
        prop_assert_eq!(percent::apply(&notebook, converted), notebook);
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(read_code(&bytes).is_ok(), read(&bytes).is_ok());
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in "(\\PC|[\\[\\]{}\",:\\\\u0-9\n]){0,80}") {
        let _ = read(text.as_bytes());
        let _ = percent::parse(&text);
    }

    #[test]
    fn arbitrary_json_in_the_place_of_cells_is_read(cells in vec(shaken_cell(), 0..5), rest in metadata()) {
        let mut file = json!({ "nbformat": 4, "cells": cells });
        file.as_object_mut().expect("object").extend(rest);
        let reading = read(file.to_string().as_bytes()).expect("readable");
        let again = read(write(&reading.notebook).as_bytes()).expect("own text");
        prop_assert_eq!(again.quirks, vec![]);
        prop_assert_eq!(again.notebook.cells.len(), reading.notebook.cells.len());
        let code = read_code(file.to_string().as_bytes()).expect("readable");
        prop_assert_eq!(code.code_sources(), reading.notebook.code_sources());
        prop_assert_eq!(code.metadata, reading.notebook.metadata);
    }

    #[test]
    fn the_fast_reader_finds_the_code(notebook in notebook()) {
        let code = read_code(write(&notebook).as_bytes()).expect("own text");
        prop_assert_eq!(code.code_sources(), notebook.code_sources());
        prop_assert_eq!(code.metadata, notebook.metadata);
    }
}

/// A cell whose fields hold anything.
fn shaken_cell() -> impl Strategy<Value = Value> {
    let keys = "(cell_type|source|input|outputs|metadata|id|execution_count|attachments|level|other)";
    let known = prop_oneof![
        Just(json!("code")),
        Just(json!("markdown")),
        Just(json!("heading")),
        Just(json!([{"output_type": "pyout"}]))
    ];
    let fields = vec((keys, prop_oneof![value(), known]), 0..7);
    fields.prop_map(|fields| Value::Object(fields.into_iter().collect()))
}
