//! A saved notebook with the outputs of a new run: every other byte of its file stays as it was.

use std::ops::Range;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::document::{CellKind, Notebook};
use crate::write::{output_value, serialize, sort_keys};

/// Why a file cannot take new outputs.
#[derive(Debug, thiserror::Error)]
pub enum NotRenewed {
    /// It is no JSON as the format has it, or fields are missing.
    #[error("its JSON is not as nbformat 4 has it ({0})")]
    Json(#[from] serde_json::Error),
    /// It is of a format whose outputs are written otherwise.
    #[error("it is of nbformat {0}, and outputs are written into nbformat 4: open and save it in Jupyter")]
    Format(u64),
    /// Its cells are not those of the run.
    #[error("its cells are not those that ran")]
    OtherCells,
}

#[derive(Deserialize)]
struct File<'text> {
    nbformat: u64,
    #[serde(borrow, default)]
    cells: Vec<Fields<'text>>,
}

/// What of a cell is replaced. A `null` is a value here: it has a place in the file.
#[derive(Deserialize)]
struct Fields<'text> {
    #[serde(borrow, default, deserialize_with = "written")]
    execution_count: Option<&'text RawValue>,
    #[serde(borrow, default)]
    outputs: Option<&'text RawValue>,
}

#[derive(Deserialize)]
struct Counted<'text> {
    #[serde(borrow, default, deserialize_with = "written")]
    execution_count: Option<&'text RawValue>,
}

fn written<'de: 'text, 'text, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'text RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The file with the counts of a run in all its code cells, and its outputs in those cells, by their index among all, that are to be renewed. What
/// is put in has the indent of the file, and its escapes where it is ASCII throughout.
///
/// # Errors
/// [`NotRenewed`]; the file is to stay as it is then.
pub fn renewed(text: &str, run: &Notebook, is_renewed: impl Fn(usize) -> bool) -> Result<String, NotRenewed> {
    let file: File<'_> = serde_json::from_str(text)?;
    if file.nbformat != 4 {
        return Err(NotRenewed::Format(file.nbformat));
    }
    if file.cells.len() != run.cells.len() {
        return Err(NotRenewed::OtherCells);
    }
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (index, (fields, cell)) in file.cells.iter().zip(&run.cells).enumerate() {
        let CellKind::Code { execution_count, outputs } = &cell.kind else { continue };
        let count = json!(execution_count).to_string();
        edits.extend(fields.execution_count.map(|old| (place(text, old), count.clone())));
        let Some(old) = fields.outputs else { continue };
        if is_renewed(index) {
            let mut new: Value = outputs.iter().cloned().map(output_value).collect();
            sort_keys(&mut new);
            edits.push((place(text, old), laid_out(&new, text, place(text, old).start)));
        } else {
            let counted: Vec<Counted<'_>> = serde_json::from_str(old.get())?;
            // Displays have none, errors and streams neither.
            let counts = counted.iter().filter_map(|output| output.execution_count);
            edits.extend(counts.map(|old| (place(text, old), count.clone())));
        }
    }
    Ok(applied(text, edits))
}

/// Where in the text a value stands that was read from it.
fn place(text: &str, value: &RawValue) -> Range<usize> {
    let start = value.get().as_ptr().addr() - text.as_ptr().addr();
    start..start + value.get().len()
}

fn applied(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| place.start);
    let (mut renewed, mut done) = (String::with_capacity(text.len()), 0);
    for (place, new) in edits {
        renewed.push_str(&text[done..place.start]);
        renewed.push_str(&new);
        done = place.end;
    }
    renewed.push_str(&text[done..]);
    renewed
}

/// A value as the file would have it that begins at this place.
fn laid_out(value: &Value, file: &str, start: usize) -> String {
    let before = |at: usize| &file[file[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    let leading = |line: &str| line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned();
    // The second line has the first key, one level deep. A file of one line has none.
    let Some(second) = file.lines().nth(1) else { return escaped(&value.to_string(), file) };
    let text = serialize(value, leading(second).as_bytes());
    escaped(&text.replace('\n', &format!("\n{}", leading(before(start)))), file)
}

/// Escapes what is not ASCII, where the file does.
fn escaped(text: &str, file: &str) -> String {
    if !file.is_ascii() {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii() {
            escaped.push(letter);
        } else {
            let units =
                letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            escaped.push_str(&units);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    const SAVED: &str = r#"{
  "unknown": [1.50, {"z": 1, "a": 2}],
  "cells": [
    {
      "cell_type": "markdown", "metadata": {}, "source": "text"
    },
    {
      "outputs": [{"data": {"text/plain": "1"}, "execution_count": 7, "metadata": {}, "output_type": "execute_result"}],
      "cell_type": "code",
      "execution_count": 7,
      "metadata": {"tags": ["z"]},
      "source": ["a"]
    },
    {
      "cell_type": "code",
      "execution_count": null,
      "metadata": {},
      "outputs": [],
      "source": ["print(2)"]
    }
  ],
  "metadata": {},
  "nbformat": 4,
  "nbformat_minor": 1
}"#;

    fn run(printed: &str) -> Notebook {
        let mut run = read(SAVED.as_bytes()).unwrap().notebook;
        for (cell, count) in run.cells.iter_mut().skip(1).zip(1..) {
            let CellKind::Code { execution_count, outputs } = &mut cell.kind else { panic!("code") };
            *execution_count = Some(count);
            if count == 2 {
                *outputs = vec![crate::Output::Stream { name: "stdout".into(), text: printed.into() }];
            }
        }
        run
    }

    #[test]
    fn only_counts_and_the_outputs_that_differ_are_written() {
        let new = renewed(SAVED, &run("é\n2\n"), |index| index == 2).unwrap();
        let expected = SAVED.replace("\"execution_count\": 7", "\"execution_count\": 1");
        let expected = expected.replace("\"execution_count\": null", "\"execution_count\": 2");
        let outputs = r#""outputs": [
        {
          "name": "stdout",
          "output_type": "stream",
          "text": [
            "\u00e9\n",
            "2\n"
          ]
        }
      ]"#;
        assert_eq!(new, expected.replace(r#""outputs": []"#, outputs));
        let again = read(new.as_bytes()).unwrap().notebook;
        assert_eq!(again.cells[2].outputs(), run("é\n2\n").cells[2].outputs());
    }

    #[test]
    fn letters_stay_where_the_file_has_some_and_one_line_stays_one() {
        let letters = SAVED.replace("\"text\"", "\"tëxt\"");
        assert!(renewed(&letters, &run("é"), |index| index == 2).unwrap().contains("\"é\""));
        let line: String = SAVED.lines().map(str::trim).collect();
        let new = renewed(&line, &run("𝄞"), |index| index == 2).unwrap();
        assert!(!new.contains('\n') && new.contains(r#""text":["\ud834\udd1e"]"#), "{new}");
    }

    #[test]
    fn what_cannot_take_outputs_says_why() {
        let told = |text: &str| renewed(text, &run(""), |_| true).unwrap_err().to_string();
        assert!(told(&SAVED.replace("\"nbformat\": 4", "\"nbformat\": 3")).contains("nbformat 3"));
        assert!(told(r#"{"nbformat": 4, "cells": []}"#).contains("not those that ran"));
        assert!(told("{\"nbformat\": NaN}").contains("JSON"));
    }
}
