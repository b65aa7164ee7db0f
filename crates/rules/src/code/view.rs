//! What rules look at: the parsed cells, what their names stand for, and where the errors are.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::TextRange;

use crate::CellFeedback;
use crate::faults::Faults;
use crate::index::Index;
use crate::infer::Kinds;
use crate::kind::{Kind, KindSet};
use crate::names::Names;
use crate::walk::Surroundings;

/// One code cell.
pub(crate) struct Source {
    /// Index in the notebook's cells.
    pub(crate) cell: usize,
    /// Text and tree.
    pub(crate) parsed: Parsed,
}

impl Source {
    /// Parses the text of a cell.
    pub(crate) fn new(cell: usize, text: &str) -> Self {
        Self { cell, parsed: parse(text) }
    }
}

/// The parsed code of a notebook, and what all rules ask of it.
pub(crate) struct Code<'a> {
    /// Code cells in order.
    pub(crate) cells: &'a [Source],
    /// Expressions and words.
    pub(crate) index: Index<'a>,
    /// Imports.
    pub(crate) names: Names,
    /// Kinds of variables.
    pub(crate) kinds: Kinds,
}

impl<'a> Code<'a> {
    /// Reads the cells.
    pub(crate) fn of(cells: &'a [Source]) -> Self {
        let names = Names::of(cells.iter().map(|source| &source.parsed));
        let kinds = Kinds::of(cells, &names);
        Self { cells, index: Index::of(cells), names, kinds }
    }
}

/// The code together with what the execution said, as one rule sees it.
pub(crate) struct View<'a> {
    /// The code.
    pub(crate) code: &'a Code<'a>,
    /// The errors by which the rule was called; empty when it acts without one.
    pub(crate) errors: Vec<&'a CellFeedback>,
    /// The lines that those errors blame.
    pub(crate) faults: Faults,
}

/// A place in the code: position among the code cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place(pub(crate) usize);

impl<'a> View<'a> {
    /// The parsed cell at a place.
    pub(crate) fn parsed(&self, place: Place) -> &'a Parsed {
        &self.code.cells[place.0].parsed
    }

    /// Visits every expression of every cell that is sound: a cell that does not parse cannot run anyway, and the
    /// ranges of what was recovered from it are not to be trusted.
    pub(crate) fn expressions(&self, visit: impl FnMut(Place, &'a Expr, &Surroundings<'a, '_>)) {
        self.code.index.expressions(visit);
    }

    /// Visits every call of every cell that is sound.
    pub(crate) fn calls(&self, visit: impl FnMut(Place, &'a ExprCall, &Surroundings<'a, '_>)) {
        self.code.index.calls(visit);
    }

    /// The dotted name that an expression stands for.
    pub(crate) fn qualified(&self, expression: &Expr) -> Option<String> {
        self.code.names.qualified(expression)
    }

    /// What an expression may be; empty when unknown.
    pub(crate) fn kinds(&self, expression: &Expr) -> KindSet {
        self.code.kinds.infer(expression, &self.code.names)
    }

    /// Whether the errors blame a line of this range.
    pub(crate) fn at_fault(&self, place: Place, range: TextRange) -> bool {
        self.faults.blame(&self.code.cells[place.0], range)
    }

    /// The class of an estimator or other instance, by its dotted name.
    pub(crate) fn class_of(&self, expression: &Expr) -> Option<String> {
        self.kinds(expression).into_iter().find_map(|kind| match kind {
            Kind::Instance(class) => Some(class),
            _ => None,
        })
    }
}
