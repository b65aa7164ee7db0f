//! Two states of one notebook, cell beside cell.

use nbrevive_notebook::{Cell, Notebook};
use serde::Serialize;
use thiserror::Error;

use crate::agreement::{Agreement, Incomparable};
use crate::comparer::OutputComparer;
use crate::output::CellComparison;
use crate::score::{CellShare, is_unchanged_for_nbdime};

/// Why two notebooks are not two states of one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OtherDocument {
    /// They have different numbers of code cells.
    #[error("the saved notebook has {saved} code cells and the new one {new}: compare a notebook with a run of itself")]
    CellCount {
        /// Code cells of the saved one.
        saved: usize,
        /// Code cells of the new one.
        new: usize,
    },
    /// A cell has other code.
    #[error("code cell {cell} (from 0), line {line}: the code has changed: compare a notebook with a run of itself")]
    Source {
        /// Which code cell, from 0.
        cell: usize,
        /// The first line that differs, from 1.
        line: usize,
    },
}

/// A notebook beside a new run of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedNotebook {
    /// Its code cells in order.
    pub cells: Vec<ComparedCell>,
}

impl ComparedNotebook {
    /// The paper's score, by our reading: cells whose outputs nbdime calls unchanged over all code cells, empty equal to empty
    /// ([`is_unchanged_for_nbdime`]).
    #[must_use]
    pub fn score_of_paper(&self) -> CellShare {
        CellShare { cells: self.cells.iter().filter(|cell| cell.is_unchanged_for_nbdime).count(), of: self.cells.len() }
    }

    /// Our score: cells that agree at `level` or more strictly, over those that can be compared. At [`Agreement::Exact`] it stands beside
    /// the paper's.
    #[must_use]
    pub fn score_at(&self, level: Agreement) -> CellShare {
        let agreements = || self.cells.iter().filter_map(|cell| cell.comparison.agreement.ok());
        CellShare {
            cells: agreements().filter(|agreement| agreement.holds_at(level)).count(),
            of: agreements().count(),
        }
    }
}

/// A code cell beside itself in a new run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedCell {
    /// Its index among all cells of the saved notebook, from 0.
    pub index: usize,
    /// How far it agrees.
    pub comparison: CellComparison,
    /// Whether it counts in the paper's score.
    pub is_unchanged_for_nbdime: bool,
}

impl ComparedCell {
    /// Whether it can be compared, and does not agree at this level.
    #[must_use]
    pub fn differs_at(&self, level: Agreement) -> bool {
        self.comparison.agreement.is_ok_and(|found| !found.holds_at(level))
    }
}

impl OutputComparer {
    /// Compares a saved notebook with a new run of it, code cell by code cell in their order. Cells that are not code may differ.
    ///
    /// # Errors
    /// [`OtherDocument`] when the code cells are not the same ones. Line ends do not count, nor do lines that the new run has as
    /// comments: install lines are carried out before a run, and a comment takes their place.
    pub fn notebooks(&self, saved: &Notebook, new: &Notebook) -> Result<ComparedNotebook, OtherDocument> {
        let (old, now): (Vec<_>, Vec<_>) = (saved.code_cells().collect(), new.code_cells().collect());
        if old.len() != now.len() {
            return Err(OtherDocument::CellCount { saved: old.len(), new: now.len() });
        }
        let mut cells = Vec::with_capacity(old.len());
        for (cell, ((index, old), (_, now))) in old.into_iter().zip(now).enumerate() {
            if let Some(line) = changed_line(&old.source, &now.source) {
                return Err(OtherDocument::Source { cell, line });
            }
            cells.push(self.compared(index, old, now));
        }
        Ok(ComparedNotebook { cells })
    }

    fn compared(&self, index: usize, saved: &Cell, new: &Cell) -> ComparedCell {
        let is_unchanged_for_nbdime = is_unchanged_for_nbdime(saved.outputs(), new.outputs());
        let mut comparison = self.cells(saved, new);
        if comparison.agreement.is_ok() && saved.source.trim_end() != new.source.trim_end() && is_comment(&new.source) {
            comparison = CellComparison {
                agreement: Err(Incomparable::Installed),
                outputs: Vec::new(),
                difference: None,
                ..comparison
            };
        }
        ComparedCell { index, comparison, is_unchanged_for_nbdime }
    }
}

/// Whether nothing of a code runs.
fn is_comment(source: &str) -> bool {
    source.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}

/// The first line, from 1, whose code differs.
fn changed_line(saved: &str, new: &str) -> Option<usize> {
    let (mut old, mut now) = (saved.trim_end().lines(), new.trim_end().lines());
    (1..).find_map(|line| match (old.next(), now.next()) {
        (None, None) => Some(None),
        (old, Some(now)) if old.is_some() && now.trim_start().starts_with('#') => None,
        (old, now) if old.map(str::trim_end) == now.map(str::trim_end) => None,
        _ => Some(Some(line)),
    })?
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{CellKind, Output};

    use super::*;
    use crate::ScoreCategory;

    fn cell(source: &str, count: Option<u64>, text: &str) -> Cell {
        let stream = || Output::Stream { name: "stdout".to_owned(), text: text.to_owned() };
        let outputs = if text.is_empty() { Vec::new() } else { vec![stream()] };
        Cell { kind: CellKind::Code { execution_count: count, outputs }, ..Cell::code(source) }
    }

    #[test]
    fn other_documents_are_refused() {
        let notebook =
            |sources: &[&str]| Notebook::from_cells(sources.iter().map(|source| Cell::code(*source)).collect());
        let compared =
            |saved: &[&str], new: &[&str]| OutputComparer::default().notebooks(&notebook(saved), &notebook(new));
        assert_eq!(compared(&["a"], &["a", "b"]).err(), Some(OtherDocument::CellCount { saved: 1, new: 2 }));
        assert_eq!(compared(&["a", "b\nc"], &["a", "b\nd"]).err(), Some(OtherDocument::Source { cell: 1, line: 2 }));
        assert_eq!(compared(&["a\nb"], &["a"]).err(), Some(OtherDocument::Source { cell: 0, line: 2 }));
        assert!(compared(&["!pip install x\r\na\n"], &["# !pip install x\na"]).is_ok());
    }

    #[test]
    fn what_a_cell_said_that_installs_is_not_compared() {
        let compared = |code: &str| {
            let saved = Notebook::from_cells(vec![cell(&format!("!pip install x\n{code}"), Some(1), "Collecting x")]);
            let new = Notebook::from_cells(vec![cell(&format!("# carried out before\n{code}"), Some(1), "")]);
            OutputComparer::default().notebooks(&saved, &new).expect("one document").cells[0].comparison.agreement
        };
        assert_eq!(compared("# x is small\n"), Err(Incomparable::Installed));
        assert_eq!(compared("print(1)"), Ok(Agreement::Different));
    }

    #[test]
    fn scores_are_shares_of_their_cells() {
        let saved =
            [cell("a", Some(1), "1"), cell("b", Some(2), ""), cell("c", Some(3), "0.5"), cell("d", Some(4), "x")];
        let new =
            [cell("a", Some(1), "1"), cell("b", Some(2), ""), cell("c", Some(3), "0.50000001"), cell("d", None, "")];
        let notebook = |cells: &[Cell]| Notebook::from_cells(cells.to_vec());
        let compared = OutputComparer::default().notebooks(&notebook(&saved), &notebook(&new)).expect("one document");
        let agreements: Vec<_> = compared.cells.iter().map(|cell| cell.comparison.agreement).collect();
        assert_eq!(
            agreements,
            [Ok(Agreement::Exact), Err(Incomparable::NothingSaved), Ok(Agreement::Value), Err(Incomparable::NotRun)]
        );
        assert_eq!(compared.score_of_paper(), crate::CellShare { cells: 2, of: 4 });
        assert_eq!(compared.score_at(Agreement::Exact), crate::CellShare { cells: 1, of: 2 });
        assert_eq!(compared.score_at(Agreement::Value).category(), Some(ScoreCategory::Perfect));
        assert_eq!(ComparedNotebook { cells: Vec::new() }.score_of_paper().value(), None);
    }
}
