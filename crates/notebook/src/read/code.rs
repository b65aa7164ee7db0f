//! A reader for the code alone: sources and the notebook's metadata, while outputs (often megabytes of pictures) and
//! texts are passed over without a copy.
//!
//! It takes files of format 4 that keep to the shape that every writer gives. All others go to [`super::read`], so that
//! both find the same code.

use std::fmt;

use memchr::memchr2;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::ReadError;
use crate::document::{Cell, Notebook};
use crate::json::{DEEPEST, within_bounds};

/// Reads a notebook's code cells and metadata; outputs, cell metadata, ids and other cells are left out.
///
/// The sources are those of [`crate::read()`], at about the speed at which a file can be read. What is passed over is not checked:
/// a notebook with a fault in an output, which [`crate::read()`] refuses, may still give its code.
///
/// # Errors
///
/// As [`crate::read()`], for faults outside of what is passed over.
pub fn read_code(bytes: &[u8]) -> Result<Notebook, ReadError> {
    if let Some(notebook) = read_plain(bytes) {
        return Ok(notebook);
    }
    let mut notebook = super::read(bytes)?.notebook;
    notebook.cells = notebook.cells.into_iter().filter(Cell::is_code).map(|cell| Cell::code(cell.source)).collect();
    Ok(notebook)
}

/// A file of format 4 without anything to forgive that could touch its code.
fn read_plain(bytes: &[u8]) -> Option<Notebook> {
    let mut cursor = Cursor { bytes, at: 0 };
    let (mut cells, mut metadata, mut major, mut minor) = (None, None, None, None);
    cursor.object(|key, cursor| {
        let is_first = match key {
            b"cells" => cells.replace(code_of_cells(cursor)?).is_none(),
            b"metadata" => metadata.replace(cursor.parsed::<Map<String, Value>>()?).is_none(),
            b"nbformat" => major.replace(cursor.parsed::<u32>()?).is_none(),
            b"nbformat_minor" => minor.replace(cursor.parsed::<u32>()?).is_none(),
            _ => false,
        };
        is_first.then_some(())
    })?;
    cursor.blanks();
    (cursor.at == bytes.len() && major == Some(4)).then_some(())?;
    Some(Notebook { cells: cells?, metadata: metadata?, nbformat: (4, minor?) })
}

fn code_of_cells(cursor: &mut Cursor<'_>) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    cursor.sequence(b'[', b']', |cursor| {
        let (mut kind, mut source) = (None, None);
        cursor.object(|key, cursor| {
            let value = cursor.value()?;
            match key {
                b"cell_type" => kind = Some(value),
                b"source" => source = Some(value),
                _ => {}
            }
            Some(())
        })?;
        // A kind written in another way than plainly, or none, is for the full reader.
        let kind = kind.filter(|kind| kind.starts_with(b"\"") && !kind.contains(&b'\\'))?;
        if kind == b"\"code\"" {
            cells.push(Cell::code(serde_json::from_slice::<Text>(source?).ok()?.0));
        }
        Some(())
    })?;
    Some(cells)
}

/// A place in a JSON text. Every step gives `None` where the text ends or has another form than expected.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// The next byte that is no blank, without going over it.
    fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.bytes.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Goes over an object; `member` goes over the value of each key.
    fn object(&mut self, mut member: impl FnMut(&'a [u8], &mut Self) -> Option<()>) -> Option<()> {
        self.sequence(b'{', b'}', |cursor| {
            (cursor.peek()? == b'"').then_some(())?;
            let key = cursor.value()?;
            let key = &key[1..key.len() - 1];
            (!key.contains(&b'\\')).then_some(())?;
            cursor.expect(b':')?;
            member(key, cursor)
        })
    }

    /// Goes over a list or an object; `element` goes over what stands between the commas.
    fn sequence(&mut self, open: u8, close: u8, mut element: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.expect(open)?;
        if self.peek()? == close {
            return self.expect(close);
        }
        loop {
            element(self)?;
            if self.peek()? == close {
                return self.expect(close);
            }
            self.expect(b',')?;
        }
    }

    /// The value here, parsed.
    fn parsed<T: serde::de::DeserializeOwned>(&mut self) -> Option<T> {
        let value = self.value()?;
        within_bounds(value, DEEPEST).ok()?;
        serde_json::from_slice(value).ok()
    }

    /// The text of the value here, which is gone over. Inside of lists and objects only strings and brackets are seen.
    fn value(&mut self) -> Option<&'a [u8]> {
        self.blanks();
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.bytes.get(self.at)? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b'}' | b']' | b':' if depth == 0 => return None,
                _ if depth == 0 => {
                    self.scalar();
                    return Some(&self.bytes[start..self.at]);
                }
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            if depth == 0 {
                return Some(&self.bytes[start..self.at]);
            }
        }
    }

    /// Goes over the string that starts here.
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let found = self.at + memchr2(b'"', b'\\', self.bytes.get(self.at..)?)?;
            if self.bytes[found] == b'"' {
                self.at = found + 1;
                return Some(());
            }
            self.at = found + 2;
        }
    }

    /// Goes over a number or a word.
    fn scalar(&mut self) {
        let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(is_end).unwrap_or(rest.len());
    }
}

/// A multiline string, joined.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut text = String::new();
        deserializer.deserialize_any(Lines(&mut text))?;
        Ok(Self(text))
    }
}

/// Appends a string or the strings of a list.
struct Lines<'a>(&'a mut String);

impl<'de> Visitor<'de> for Lines<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of strings")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.push_str(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Line(self.0))?.is_some() {}
        Ok(())
    }
}

struct Line<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Line<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(Lines(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(notebook: &Notebook) -> Vec<&str> {
        notebook.code_sources()
    }

    #[test]
    fn code_is_what_the_full_reader_finds() {
        let files = [
            r#"{"nbformat": 4, "nbformat_minor": 2, "metadata": {"kernelspec": {"name": "python2"}}, "cells": [
                {"cell_type": "markdown", "metadata": {}, "source": ["import no"]},
                {"cell_type": "code", "metadata": {}, "outputs": [{"data": {"image/png": "aGVsbG8="}}],
                 "execution_count": 1, "source": ["import a\n", "import \u0062"]},
                {"source": "import c", "cell_type": "code"}]}"#,
            // A number of Python in an output is passed over; fast reading gives up on another format, a cell without type,
            // a source that is none, and a key written with an escape.
            r#"{"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [
                {"cell_type": "code", "source": "import a", "outputs": [{"data": {"application/json": NaN}}]}]}"#,
            r#"{"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": [
                {"cell_type": "code", "language": "python", "input": ["import a"], "outputs": []}]}]}"#,
            r#"{"nbformat": 4, "nbformat_minor": 0, "metadata": {}, "cells": [{"outputs": [], "source": "import a"}]}"#,
            r#"{"nbformat": 4, "nbformat_minor": 0, "metadata": {}, "cells": [
                {"cell_type": "code", "source": 3}, 7, {"cell_type": "code", "source": ["import a", null]}]}"#,
            r#"{"nbformat": 4, "nbformat_minor": 0, "metadata": {}, "cells": [
                {"cell_type": "code", "sourc\u0065": "import a", "source": "import b", "outputs": []}]}"#,
            "\u{feff}{\"cells\": [{\"cell_type\": \"code\", \"source\": null, \"input\": \"import a\"}]}",
        ];
        for file in files {
            let full = crate::read(file.as_bytes()).expect("readable").notebook;
            let code = read_code(file.as_bytes()).expect("readable");
            assert_eq!(sources(&code), sources(&full), "{file}");
            assert_eq!((code.nbformat, code.metadata), (full.nbformat, full.metadata), "{file}");
            assert!(code.cells.iter().all(|cell| cell.outputs().is_empty()), "{file}");
        }
        assert_eq!(sources(&read_code(files[0].as_bytes()).expect("readable")), ["import a\nimport b", "import c"]);
    }

    #[test]
    fn plain_files_need_no_second_reading() {
        let plain = br#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "code", "source": "x", "outputs": [{"text": "\ud83d\ude00"}]}]}"#;
        assert!(read_plain(plain).is_some());
        assert!(read_plain(br#"{"nbformat": 5, "nbformat_minor": 0, "metadata": {}, "cells": []}"#).is_none());
    }

    #[test]
    fn faults_in_what_is_passed_over_do_not_cost_the_code() {
        let file = b"{\"nbformat\": 4, \"nbformat_minor\": 5, \"metadata\": {}, \"cells\": [
            {\"cell_type\": \"code\", \"outputs\": [{\"text\": \"\xff]\\\"\", \"x\": nil}], \"source\": \"import a\"}]}";
        assert!(crate::read(file).is_err());
        assert_eq!(sources(&read_code(file).expect("readable")), ["import a"]);
    }

    #[test]
    fn cut_files_are_errors() {
        let file = r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {"a": [1]}, "cells": [
            {"cell_type": "code", "outputs": [{"text": "x\""}], "source": ["import a"]}]}"#;
        assert!(read_code(file.as_bytes()).is_ok());
        for end in 0..file.len() {
            assert!(read_code(&file.as_bytes()[..end]).is_err(), "{end}");
        }
        assert!(read_code(format!("{file}x").as_bytes()).is_err());
    }

    #[test]
    fn errors_are_those_of_the_full_reader() {
        for bytes in [&b"{"[..], b"[]", b"{\"nbformat\": 2, \"cells\": []}", b"{\"nbformat\": 4}", b"\"\xff\""] {
            assert_eq!(read_code(bytes).map(|_| ()), crate::read(bytes).map(|_| ()));
        }
    }
}
