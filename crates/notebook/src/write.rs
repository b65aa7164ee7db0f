//! From a [`Notebook`] to the text of a 4.5 file, laid out as the reference writer lays it out: one space of indent,
//! sorted keys, non-ASCII kept, multiline strings split, a line end at the end.

use std::io;

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter, Serializer};
use serde_json::{Map, Value, json};

use crate::document::{Cell, CellKind, Notebook, Output};
use crate::language::{Language, language};
use crate::valid;

/// The text of `notebook` as nbformat 4.5. Cells without a usable id get one by [`Notebook::assign_ids`]. As in the
/// reference writer, `orig_nbformat`, `orig_nbformat_minor` and `signature` of the notebook and `trusted` of cells,
/// which say something about the copy that was read, are left out; what the schema does not take is made to fit.
#[must_use]
pub fn write(notebook: &Notebook) -> String {
    let mut notebook = notebook.clone();
    notebook.assign_ids();
    let language = match language(&notebook) {
        Language::R => "R".to_owned(),
        other => other.to_string().to_lowercase(),
    };
    let Notebook { cells, mut metadata, .. } = notebook;
    valid::notebook(&mut metadata, &language);
    for transient in ["orig_nbformat", "orig_nbformat_minor", "signature"] {
        metadata.remove(transient);
    }
    let cells: Vec<Value> = cells.into_iter().map(cell_value).collect();
    let mut root = object([
        ("nbformat", Value::from(4)),
        ("nbformat_minor", Value::from(5)),
        ("metadata", Value::Object(metadata)),
        ("cells", Value::Array(cells)),
    ]);
    sort_keys(&mut root);
    let mut text = serialize(&root, b" ");
    text.push('\n');
    text
}

/// An object of these entries. The macro `json!` would copy every value, and outputs are long.
fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn cell_value(cell: Cell) -> Value {
    let Cell { id, mut metadata, source, kind } = cell;
    metadata.remove("trusted");
    let cell_type = match kind {
        CellKind::Code { .. } => "code",
        CellKind::Markdown { .. } => "markdown",
        CellKind::Raw { .. } => "raw",
    };
    valid::cell(&mut metadata, cell_type);
    let (id, metadata, cell_type) = (Value::from(id), Value::Object(metadata), Value::from(cell_type));
    let mut value =
        object([("id", id), ("cell_type", cell_type), ("metadata", metadata), ("source", split_lines(&source))]);
    match kind {
        CellKind::Code { execution_count, outputs } => {
            value["execution_count"] = json!(execution_count);
            value["outputs"] = outputs.into_iter().map(output_value).collect();
        }
        CellKind::Markdown { attachments } | CellKind::Raw { attachments } => with_attachments(&mut value, attachments),
    }
    value
}

fn with_attachments(value: &mut Value, attachments: Option<Value>) {
    if let Some(mut attachments) = attachments.and_then(valid::attachments) {
        for bundle in attachments.as_object_mut().into_iter().flat_map(Map::values_mut) {
            if let Value::Object(bundle) = bundle {
                split_bundle(bundle);
            }
        }
        value["attachments"] = attachments;
    }
}

pub(crate) fn output_value(output: Output) -> Value {
    let counted = |count: Option<u64>| ("execution_count", Value::from(count));
    let shown = |mut data: Map<String, Value>, metadata| {
        valid::bundle(&mut data);
        split_bundle(&mut data);
        (("data", Value::Object(data)), ("metadata", Value::Object(metadata)))
    };
    let (kind, mut value) = match output {
        Output::Stream { name, text } => ("stream", object([("name", name.into()), ("text", split_lines(&text))])),
        Output::DisplayData { data, metadata } => {
            let (data, metadata) = shown(data, metadata);
            ("display_data", object([data, metadata]))
        }
        Output::ExecuteResult { execution_count, data, metadata } => {
            let (data, metadata) = shown(data, metadata);
            ("execute_result", object([counted(execution_count), data, metadata]))
        }
        Output::Error { ename, evalue, traceback } => {
            let entries = [("ename", ename.into()), ("evalue", evalue.into()), ("traceback", traceback.into())];
            ("error", object(entries))
        }
    };
    value["output_type"] = kind.into();
    value
}

/// Splits the texts of a mime bundle in place: `text/*`, SVG and JavaScript, no others.
fn split_bundle(bundle: &mut Map<String, Value>) {
    for (mime, value) in bundle.iter_mut() {
        let splits = mime.starts_with("text/") || mime == "application/javascript" || mime == "image/svg+xml";
        if splits && let Value::String(text) = value {
            *value = split_lines(text);
        }
    }
}

/// The lines of `text` with their ends. Python's `str.splitlines` knows more line ends than most, and the reference
/// writer uses it.
fn split_lines(text: &str) -> Value {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((index, character)) = characters.next() {
        let ends_line = match character {
            '\r' => characters.peek().is_none_or(|(_, next)| *next != '\n'),
            '\n' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
            _ => false,
        };
        if ends_line {
            let end = index + character.len_utf8();
            lines.push(Value::from(&text[start..end]));
            start = end;
        }
    }
    if start < text.len() {
        lines.push(Value::from(&text[start..]));
    }
    Value::Array(lines)
}

/// Sorts the keys of all objects; `serde_json` may keep insertion order, depending on who else is compiled in.
pub(crate) fn sort_keys(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(sort_keys),
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = std::mem::take(map).into_iter().collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            entries.iter_mut().for_each(|(_, value)| sort_keys(value));
            map.extend(entries);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A value as the reference writer lays it out, with this before each level.
pub(crate) fn serialize(value: &Value, indent: &[u8]) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, ReferenceLayout(PrettyFormatter::with_indent(indent)));
    value.serialize(&mut serializer).expect("a JSON value always serializes into memory");
    String::from_utf8(bytes).expect("JSON text is UTF-8")
}

/// Pretty printing with Python's way of writing floats.
struct ReferenceLayout<'a>(PrettyFormatter<'a>);

/// The parts that are pretty printing as `serde_json` does it.
macro_rules! forward {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $name<W: ?Sized + io::Write>(&mut self, writer: &mut W $(, $argument: $type)*) -> io::Result<()> {
            self.0.$name(writer $(, $argument)*)
        }
    )*};
}

impl Formatter for ReferenceLayout<'_> {
    forward! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
        write_char_escape(escape: CharEscape);
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, number: f64) -> io::Result<()> {
        writer.write_all(python_float(number).as_bytes())
    }
}

/// The text of a finite float as Python's `repr` gives it: shortest digits that read back, an exponent (of two digits
/// at least) below 1e-4 and from 1e16 on, and `.0` on whole numbers.
fn python_float(number: f64) -> String {
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let Ok(exponent) = exponent.parse::<i32>() else { return scientific };
    if number != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let plain = number.to_string();
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_python_does() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (123_456.789, "123456.789"),
            (5e-324, "5e-324"),
        ];
        for (number, expected) in cases {
            assert_eq!(python_float(number), expected);
        }
    }

    #[test]
    fn lines_split_where_python_splits() {
        assert_eq!(split_lines("a\nb\r\nc\rd\u{2028}e\u{c}"), json!(["a\n", "b\r\n", "c\r", "d\u{2028}", "e\u{c}"]));
        assert_eq!(split_lines(""), json!([]));
        assert_eq!(split_lines("\n"), json!(["\n"]));
        assert_eq!(split_lines("no end"), json!(["no end"]));
    }

    #[test]
    fn what_a_file_says_of_its_own_trust_is_left_out() {
        let trusted = br#"{"nbformat": 4, "metadata": {"signature": "x"}, "cells": [{"cell_type": "code", "source": "",
            "metadata": {"trusted": true}, "outputs": [{"output_type": "display_data", "data": {"text/html": "<script>"}}]}]}"#;
        let text = write(&crate::read(trusted).expect("readable").notebook);
        assert!(text.contains("<script>") && !text.contains("trusted") && !text.contains("signature"), "{text}");
    }

    #[test]
    fn the_layout_is_that_of_the_reference_writer() {
        let mut notebook = Notebook::from_cells(vec![Cell::markdown("# Ä\ntext"), Cell::code("1/0")]);
        notebook.metadata.insert("kaggle".to_owned(), json!({ "z": [], "a": {}, "score": 1e-7 }));
        notebook.metadata.insert("orig_nbformat".to_owned(), json!(3));
        let CellKind::Code { execution_count, outputs } = &mut notebook.cells[1].kind else { panic!("code") };
        *execution_count = Some(1);
        let data = json!({ "text/plain": "a\nb", "image/png": "x\ny", "application/json": ["k\n"] });
        outputs.push(Output::DisplayData { data: data.as_object().expect("object").clone(), metadata: Map::new() });
        insta::assert_snapshot!(write(&notebook), @r##"
        {
         "cells": [
          {
           "cell_type": "markdown",
           "id": "cell-1",
           "metadata": {},
           "source": [
            "# Ä\n",
            "text"
           ]
          },
          {
           "cell_type": "code",
           "execution_count": 1,
           "id": "cell-2",
           "metadata": {},
           "outputs": [
            {
             "data": {
              "application/json": [
               "k\n"
              ],
              "image/png": "x\ny",
              "text/plain": [
               "a\n",
               "b"
              ]
             },
             "metadata": {},
             "output_type": "display_data"
            }
           ],
           "source": [
            "1/0"
           ]
          }
         ],
         "metadata": {
          "kaggle": {
           "a": {},
           "score": 1e-07,
           "z": []
          }
         },
         "nbformat": 4,
         "nbformat_minor": 5
        }
        "##);
    }
}
