//! Answers that name cells and what becomes of them, in the place of the whole notebook.
//!
//! After the plan come lines `=== cell N`, each with one or more edits: `<<<< search`, the text as it stands, `==== replace`, the new one,
//! `>>>>`; or `<<<< cell`, all of the new cell, `>>>>`. A line `=== decline REASON` in their place says that there is nothing to be done.

use std::collections::BTreeMap;
use std::ops::Range;

use nbrevive_notebook::{Cell, CellKind, Notebook};

use super::{Answer, AnswerError, LONGEST, check};

/// What an answer by edits comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum EditsAnswer {
    /// A patch.
    Patch(Answer),
    /// Nothing is to be done, for this reason.
    Decline(String),
}

/// One edit of a cell.
enum Edit {
    /// The text as it stands, and what takes its place.
    Replace { search: String, text: String },
    /// The whole cell anew.
    Cell(String),
}

/// Reads an answer by edits to a question about `notebook`, whose cells are counted from 1.
///
/// # Errors
///
/// [`AnswerError`] with the first thing that is wrong; then no edit is applied.
pub fn read_edits(answer: &str, notebook: &Notebook) -> Result<EditsAnswer, AnswerError> {
    if answer.len() > LONGEST {
        return Err(AnswerError::TooLarge { bytes: answer.len(), limit: LONGEST });
    }
    let mut lines = Lines { lines: answer.lines().collect(), next: 0 };
    let plan = lines.until(|line| line.starts_with("=== "));
    if let Some(reason) = lines.peek().and_then(|line| line.strip_prefix("=== decline")) {
        let reason =
            if reason.trim().is_empty() { plan } else { reason.trim().trim_start_matches(':').trim().to_owned() };
        return if reason.is_empty() { Err(AnswerError::EmptyPlan) } else { Ok(EditsAnswer::Decline(reason)) };
    }
    if !plan.chars().any(char::is_alphanumeric) {
        return Err(AnswerError::EmptyPlan);
    }
    let mut edits: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    while let Some(line) = lines.take() {
        let number = line.strip_prefix("=== cell ").and_then(|number| number.trim().parse::<usize>().ok());
        let cell = number.ok_or_else(|| lines.broken("`=== cell N`"))?;
        let place = cell.checked_sub(1).filter(|place| notebook.cells.get(*place).is_some_and(Cell::is_code));
        let place = place.ok_or(AnswerError::NoSuchCell { cell })?;
        edits.entry(place).or_default().extend(lines.edits()?);
    }
    if edits.values().all(Vec::is_empty) {
        return Err(AnswerError::NoEdits);
    }
    let mut patched = notebook.clone();
    for (place, edits) in edits {
        let source = apply(place, &notebook.cells[place].source, edits, notebook)?;
        if source != notebook.cells[place].source {
            patched.cells[place].source = source;
            patched.cells[place].kind = CellKind::Code { execution_count: None, outputs: Vec::new() };
        }
    }
    check::check_python(&patched, notebook)?;
    Ok(EditsAnswer::Patch(Answer { plan, notebook: patched }))
}

/// The lines of an answer, read one after the other.
struct Lines<'a> {
    lines: Vec<&'a str>,
    next: usize,
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.next).copied()
    }

    /// The next line that is not blank.
    fn take(&mut self) -> Option<&'a str> {
        while let Some(line) = self.peek() {
            self.next += 1;
            if !line.trim().is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// The text up to a line, which stays; all of it where there is no such line.
    fn until(&mut self, is_end: impl Fn(&str) -> bool) -> String {
        let rest = &self.lines[self.next..];
        let length = rest.iter().position(|line| is_end(line)).unwrap_or(rest.len());
        self.next += length;
        rest[..length].join("\n").trim().to_owned()
    }

    /// The text up to a line of these words, which is passed.
    fn block(&mut self, end: &str) -> Result<String, AnswerError> {
        let rest = &self.lines[self.next..];
        let length = rest.iter().position(|line| line.trim_end() == end).ok_or(AnswerError::Truncated)?;
        self.next += length + 1;
        Ok(rest[..length].join("\n"))
    }

    /// The edits up to the next cell.
    fn edits(&mut self) -> Result<Vec<Edit>, AnswerError> {
        let mut edits = Vec::new();
        while let Some(line) = self.take() {
            if line.starts_with("=== ") {
                self.next -= 1;
                break;
            }
            edits.push(match line.trim_end() {
                "<<<< search" => Edit::Replace { search: self.block("==== replace")?, text: self.block(">>>>")? },
                "<<<< cell" => Edit::Cell(self.block(">>>>")?),
                _ => return Err(self.broken("`<<<< search`, `<<<< cell` or `=== cell N`")),
            });
        }
        Ok(edits)
    }

    /// The line that was taken last is another than it has to be.
    fn broken(&self, expected: &'static str) -> AnswerError {
        AnswerError::BadEdit { line: self.next, expected }
    }
}

/// A cell after its edits, each of which finds its text once, and none in that of another.
fn apply(place: usize, source: &str, edits: Vec<Edit>, notebook: &Notebook) -> Result<String, AnswerError> {
    let cell = place + 1;
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for edit in edits {
        let (range, text) = match edit {
            Edit::Cell(text) => (0..source.len(), text),
            Edit::Replace { search, text } => (only_place(cell, source, &search)?, text),
        };
        check::check_elisions(&text, notebook)?;
        // Two ranges of nothing are those of an empty cell, anew twice.
        let overlaps = |other: &Range<usize>| range == *other || range.start < other.end && other.start < range.end;
        if found.iter().any(|(other, _)| overlaps(other)) {
            return Err(AnswerError::OverlappingEdits { cell });
        }
        found.push((range, text));
    }
    found.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut source = source.to_owned();
    for (range, text) in found {
        source.replace_range(range, &text);
    }
    Ok(source)
}

fn only_place(cell: usize, source: &str, search: &str) -> Result<Range<usize>, AnswerError> {
    let first = source.find(search).filter(|_| !search.trim().is_empty());
    let start = first.ok_or(AnswerError::SearchLost { cell })?;
    // From the next character on, so that a text that overlaps with itself counts twice.
    let next = start + source[start..].chars().next().map_or(1, char::len_utf8);
    match source[next..].find(search) {
        Some(_) => Err(AnswerError::SearchTwice { cell }),
        None => Ok(start..start + search.len()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::AnswerProblem;

    fn notebook() -> Notebook {
        let cells = ["import pandas as pd\n", "a = df.ix[0]\nb = df.ix[1]\nprint(a, a)\n"];
        let mut cells: Vec<Cell> = cells.into_iter().map(Cell::code).collect();
        cells.insert(1, Cell { kind: CellKind::Markdown { attachments: None }, ..Cell::code("text") });
        Notebook::from_cells(cells)
    }

    fn patched(edits: &str) -> Result<String, AnswerProblem> {
        match read_edits(&format!("A plan.\n\n{edits}"), &notebook()) {
            Ok(EditsAnswer::Patch(answer)) => Ok(answer.notebook.cells[2].source.clone()),
            Ok(EditsAnswer::Decline(reason)) => Ok(format!("declined: {reason}")),
            Err(error) => Err(error.problem()),
        }
    }

    const FIRST: &str = "<<<< search\ndf.ix[0]\n==== replace\ndf.loc[0]\n>>>>\n";

    #[test]
    fn edits_change_what_they_name_and_nothing_else() {
        let second = "<<<< search\nb = df.ix[1]\n==== replace\nb = df.loc[1]\nc = b\n>>>>\n";
        let both = "a = df.loc[0]\nb = df.loc[1]\nc = b\nprint(a, a)\n";
        assert_eq!(patched(&format!("=== cell 3\n{FIRST}{second}")).as_deref(), Ok(both));
        assert_eq!(patched(&format!("=== cell 3\n{second}\n=== cell 3\n{FIRST}")).as_deref(), Ok(both));
        assert_eq!(patched("=== cell 3\n<<<< cell\na = 1\n>>>>").as_deref(), Ok("a = 1"));
        assert_eq!(patched("=== decline: the data is not there").as_deref(), Ok("declined: the data is not there"));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_its_kind() {
        let problem = |edits: &str| patched(edits).unwrap_err();
        let search = |text: &str, new: &str| format!("=== cell 3\n<<<< search\n{text}\n==== replace\n{new}\n>>>>\n");
        assert_eq!(problem(""), AnswerProblem::NoEdits);
        assert_eq!(problem("=== cell 3\n"), AnswerProblem::NoEdits);
        for cell in ["0", "2", "4", "99999999999999999999"] {
            let wanted = if cell.len() > 1 { AnswerProblem::BadEdit } else { AnswerProblem::NoSuchCell };
            assert_eq!(problem(&format!("=== cell {cell}\n{FIRST}")), wanted, "{cell}");
        }
        assert_eq!(problem("=== cell 3\nwords\n"), AnswerProblem::BadEdit);
        assert_eq!(problem("=== cell 3\n<<<< search\na\n==== replace\n"), AnswerProblem::Truncated);
        assert_eq!(problem(&search("df.iy", "x")), AnswerProblem::SearchLost);
        assert_eq!(problem(&search("", "x")), AnswerProblem::SearchLost);
        assert_eq!(problem(&search("df.ix", "x")), AnswerProblem::SearchTwice);
        assert_eq!(problem(&(search("ix[0]\nb", "x") + FIRST)), AnswerProblem::OverlappingEdits);
        assert_eq!(problem(&format!("=== cell 3\n{FIRST}<<<< cell\nx = 1\n>>>>")), AnswerProblem::OverlappingEdits);
        let (twice, empty) = ("A plan.\n\n=== cell 1\n<<<< cell\na\n>>>>\n<<<< cell\nb\n>>>>\n", Cell::code(""));
        let refused = read_edits(twice, &Notebook::from_cells(vec![empty])).unwrap_err();
        assert_eq!(refused.problem(), AnswerProblem::OverlappingEdits, "an empty cell is written once");
        assert_eq!(problem(&search("df.ix[0]", "df.loc[")), AnswerProblem::NotPython);
        assert_eq!(problem(&search("df.ix[0]", "1\n# ... rest unchanged")), AnswerProblem::Elided);
        assert_eq!(read_edits("=== cell 3\n", &notebook()).unwrap_err().problem(), AnswerProblem::EmptyPlan);
    }

    proptest! {
        /// Whatever is answered, a refusal changes nothing and a patch keeps the number of cells.
        #[test]
        fn any_answer_is_read_or_refused(
            parts in prop::collection::vec(
                prop_oneof![
                    Just("=== cell 3".to_owned()), Just("=== cell 1".to_owned()), Just("<<<< search".to_owned()),
                    Just("==== replace".to_owned()), Just(">>>>".to_owned()), Just("<<<< cell".to_owned()),
                    Just("df.ix[0]".to_owned()), Just("=== decline".to_owned()), "[a-zé =\\[\\]]{0,6}",
                ],
                0..14,
            )
        ) {
            if let Ok(EditsAnswer::Patch(answer)) = read_edits(&parts.join("\n"), &notebook()) {
                prop_assert_eq!(answer.notebook.cells.len(), 3);
                prop_assert_eq!(&answer.notebook.cells[1], &notebook().cells[1]);
            }
        }
    }
}
