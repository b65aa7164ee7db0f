//! How much of what the author left a mended notebook shows again: outputs that were saved, and numbers in the text.
//!
//! That a notebook runs does not say that it does what it did. Values say so: printed numbers, tables and texts, beside those that were
//! saved. Drawings, and objects that are shown by their names alone, look otherwise with every release and say nothing.

mod claims;
mod values;
mod written;

use nbrevive_notebook::{Cell, Notebook, Output};
use nbrevive_spelling::string_enum;
use serde::Serialize;

use crate::agreement::Agreement;
use crate::comparer::OutputComparer;
use crate::output::CellComparison;
use crate::text::Tolerance;
pub use claims::Claims;

/// How far numbers may be apart, relative to the larger one, and still be close: the paper's τ, for scores.
pub const CLOSE: f64 = 0.10;

string_enum! {
    /// How much of what the author left came back.
    pub enum CameBack ("level of what came back") {
        /// All values that can be compared are the same.
        Same => "same",
        /// All are the same, but for numbers that are at most [`CLOSE`] apart.
        Close => "close",
        /// At least one value is another one.
        Differs => "differs",
        /// Nothing was left that a run could be compared with.
        CannotTell => "cannot-tell",
        /// Training was cut to save time, so that its values are those of less work.
        CutDown => "cut-down",
    }
}

/// What a mended notebook shows beside what its author left.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BroughtBack {
    /// All of it in one word.
    pub level: CameBack,
    /// Cells with values to compare, each by its index among all cells of the original, from 0.
    pub cells: Vec<CellBack>,
    /// Numbers of the author's text.
    pub claims: Claims,
}

/// A cell whose saved values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CellBack {
    /// Its index among all cells of the original, from 0.
    pub cell: usize,
    /// `same`, `close` or `differs`.
    pub level: CameBack,
}

impl BroughtBack {
    /// Compares an executed notebook with the original that it was made from. Where code cells came or went, their outputs are not
    /// compared; `is_cut` says whether the mending cut training.
    #[must_use]
    pub fn of(original: &Notebook, executed: &Notebook, is_cut: bool) -> Self {
        let (old, new): (Vec<_>, Vec<_>) = (original.code_cells().collect(), executed.code_cells().collect());
        let pairs = old.iter().zip(&new).filter(|_| old.len() == new.len());
        let cells: Vec<CellBack> = pairs
            .filter_map(|((cell, old), (_, new))| Some(CellBack { cell: *cell, level: cell_level(old, new)? }))
            .collect();
        let claims = Claims::of(original, executed);
        let level = if is_cut { CameBack::CutDown } else { level(&cells, claims) };
        Self { level, cells, claims }
    }

    /// How many compared cells are at a level.
    #[must_use]
    pub fn count(&self, level: CameBack) -> usize {
        self.cells.iter().filter(|cell| cell.level == level).count()
    }
}

/// The worst of the cells; without any, what the author's text says. A number of his that is not shown says nothing: he may have
/// worked it out by hand.
fn level(cells: &[CellBack], claims: Claims) -> CameBack {
    match cells.iter().map(|cell| cell.level).max_by_key(|level| *level as u8) {
        Some(worst) => worst,
        None if claims.shown == 0 => CameBack::CannotTell,
        None if claims.shown == claims.made => CameBack::Same,
        None => CameBack::Close,
    }
}

/// Compares the values that a cell shows, and nothing of how they are drawn or written; `None` where it has none, raised, or was not run.
#[must_use]
pub fn compare_values(saved: &Cell, new: &Cell) -> Option<CellComparison> {
    let (old, now) = values_of_both(saved, new)?;
    Some(OutputComparer::default().outputs(&old, &now))
}

fn values_of_both(saved: &Cell, new: &Cell) -> Option<(Vec<Output>, Vec<Output>)> {
    let raised = |cell: &Cell| cell.outputs().iter().any(|output| matches!(output, Output::Error { .. }));
    if raised(saved) || raised(new) {
        return None;
    }
    let (old, now) = (values::of(saved.outputs(), &saved.source), values::of(new.outputs(), &saved.source));
    (!old.is_empty()).then_some((old, now))
}

/// How a cell's values compare; `None` where it has none, raised, or was not run.
fn cell_level(saved: &Cell, new: &Cell) -> Option<CameBack> {
    let (old, now) = values_of_both(saved, new)?;
    let close = OutputComparer {
        tolerance: Tolerance { relative: CLOSE, ..Tolerance::default() },
        ..OutputComparer::default()
    };
    let agree = |comparer: &OutputComparer| {
        comparer.outputs(&old, &now).agreement.is_ok_and(|level| level.holds_at(Agreement::Value))
    };
    Some(match () {
        () if agree(&OutputComparer::default()) => CameBack::Same,
        () if agree(&close) => CameBack::Close,
        () => CameBack::Differs,
    })
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::CellKind;

    use super::*;

    fn shown(source: &str, text: &str) -> Cell {
        let mut data = serde_json::Map::new();
        data.insert("text/plain".to_owned(), text.into());
        let output = Output::ExecuteResult { execution_count: Some(1), data, metadata: serde_json::Map::new() };
        Cell { kind: CellKind::Code { execution_count: Some(1), outputs: vec![output] }, ..Cell::code(source) }
    }

    fn back(saved: &str, new: &str) -> CameBack {
        let notebook = |text: &str| Notebook::from_cells(vec![shown("x", text)]);
        BroughtBack::of(&notebook(saved), &notebook(new), false).level
    }

    #[test]
    fn values_decide_and_how_they_are_written_does_not() {
        assert_eq!(back("0.5", "0.5"), CameBack::Same);
        assert_eq!(back("0.5", "np.float64(0.5)"), CameBack::Same);
        assert_eq!(back("(0.5, 2)", "(np.float64(0.5), np.int64(2))"), CameBack::Same);
        assert_eq!(back("a    1\nName: n, dtype: object", "a    1\nName: n, dtype: str"), CameBack::Same);
        assert_eq!(back("Index(['a'], dtype='object')", "Index(['a'], dtype='str')"), CameBack::Same);
        assert_eq!(back("array([0, ..., 8])", "array([0, ..., 8], shape=(1797,))"), CameBack::Same);
        assert_eq!(back("0.50", "0.52"), CameBack::Close);
        assert_eq!(back("0.50", "0.80"), CameBack::Differs);
        assert_eq!(back("'yes'", "'no'"), CameBack::Differs);
    }

    #[test]
    fn names_of_objects_and_drawings_say_nothing() {
        assert_eq!(back("<matplotlib.axes._subplots.AxesSubplot at 0x1f>", "<Axes: xlabel='x'>"), CameBack::CannotTell);
        assert_eq!(
            back("[<matplotlib.lines.Line2D at 0x1f>]", "[<matplotlib.lines.Line2D at 0x2f>]"),
            CameBack::CannotTell
        );
        assert_eq!(back("Text(42.0, 0.5, 'Truth')", "Text(58.3, 0.5, 'Truth')"), CameBack::CannotTell);
        assert_eq!(back("KMeans(copy_x=True, init='k-means++')", "KMeans()"), CameBack::CannotTell);
        assert_eq!(back("GridSearchCV(cv=5,\n       estimator=SVC(C=1))", "GridSearchCV()"), CameBack::CannotTell);
    }

    #[test]
    fn the_worst_cell_is_the_level_and_a_cut_is_its_own() {
        let of = |texts: [&str; 2]| Notebook::from_cells(texts.map(|text| shown("x", text)).to_vec());
        let (saved, new) = (of(["1.0", "2.0"]), of(["1.0", "9.0"]));
        let back = BroughtBack::of(&saved, &new, false);
        assert_eq!((back.level, back.count(CameBack::Same)), (CameBack::Differs, 1));
        assert_eq!(BroughtBack::of(&saved, &new, true).level, CameBack::CutDown);
    }

    #[test]
    fn the_text_speaks_where_nothing_was_saved() {
        let told = |text: &str| {
            let original = Notebook::from_cells(vec![Cell::code("x"), Cell::markdown(text)]);
            let executed = Notebook::from_cells(vec![shown("x", "score: 0.8571428"), Cell::markdown(text)]);
            BroughtBack::of(&original, &executed, false).level
        };
        assert_eq!(told("We get an accuracy of 0.857, nice."), CameBack::Same);
        assert_eq!(told("We get 85.7% here."), CameBack::Same);
        assert_eq!(told("We get 0.857, up from 0.123."), CameBack::Close);
        assert_eq!(told("We get 0.123 in pandas 1.25."), CameBack::CannotTell);
        assert_eq!(told("No number here, in 2016."), CameBack::CannotTell);
    }
}
