//! What rules look at: the parsed cells, what their names stand for, and where the errors are.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::TextRange;

use crate::CellFeedback;
use crate::rules::faults::Faults;
use crate::rules::infer::Kinds;
use crate::rules::kind::{Kind, KindSet};
use crate::rules::names::Names;
use crate::rules::walk::{self, Surroundings};

/// One code cell.
pub(crate) struct Source {
    /// Index in the notebook's cells.
    pub(crate) cell: usize,
    /// Text and tree.
    pub(crate) parsed: Parsed,
}

/// The parsed code of a notebook.
pub(crate) struct Code {
    /// Code cells in order.
    pub(crate) cells: Vec<Source>,
    /// Imports.
    pub(crate) names: Names,
    /// Kinds of variables.
    pub(crate) kinds: Kinds,
}

impl Code {
    /// Parses the sources of code cells, each with its index in the notebook.
    pub(crate) fn new(sources: impl Iterator<Item = (usize, String)>) -> Self {
        let cells = sources.map(|(cell, text)| Source { cell, parsed: parse(&text) }).collect();
        Self::from_cells(cells)
    }

    fn from_cells(cells: Vec<Source>) -> Self {
        let names = Names::of(cells.iter().map(|source| &source.parsed));
        let kinds = Kinds::of(&cells, &names);
        Self { cells, names, kinds }
    }

    /// The same code with the text of some cells replaced (by position among the code cells).
    pub(crate) fn with(self, changed: Vec<(usize, String)>) -> Self {
        let mut cells = self.cells;
        for (position, text) in changed {
            cells[position].parsed = parse(&text);
        }
        Self::from_cells(cells)
    }
}

/// The code together with what the execution said, as one rule sees it.
pub(crate) struct View<'a> {
    /// The code.
    pub(crate) code: &'a Code,
    /// The errors by which the rule was called; empty when it acts without one.
    pub(crate) errors: Vec<&'a CellFeedback>,
    /// The lines that those errors blame.
    pub(crate) faults: Faults,
}

/// A place in the code: position among the code cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place(pub(crate) usize);

impl<'a> View<'a> {
    /// The parsed cell at a place.
    pub(crate) fn parsed(&self, place: Place) -> &'a Parsed {
        &self.code.cells[place.0].parsed
    }

    /// Visits every expression of every cell that is sound: a cell that does not parse cannot run anyway, and the
    /// ranges of what was recovered from it are not to be trusted.
    pub(crate) fn expressions(&self, mut visit: impl FnMut(Place, &'a Expr, &Surroundings<'a, '_>)) {
        for (position, source) in self.code.cells.iter().enumerate() {
            if !source.parsed.errors().is_empty() {
                continue;
            }
            walk::expressions(source.parsed.body(), &mut |expression, around| {
                visit(Place(position), expression, around);
            });
        }
    }

    /// Visits every call of every cell.
    pub(crate) fn calls(&self, mut visit: impl FnMut(Place, &'a ExprCall, &Surroundings<'a, '_>)) {
        self.expressions(|place, expression, around| {
            if let Expr::Call(call) = expression {
                visit(place, call, around);
            }
        });
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
