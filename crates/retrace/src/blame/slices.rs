//! Which statements of an order reach what its cells show, by what the code says of names.

use std::collections::{BTreeSet, HashMap};
use std::ops::{Range, RangeInclusive};

use nbrevive_notebook::{Cell, Notebook, Output};
use nbrevive_order::GraphKind;
use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::parse::parse;
use nbrevive_pysource::text_size::Ranged as _;

use crate::inspected::InspectedOrder;
use crate::subject::TracedNotebook;

/// A statement of an order; a cell that cannot be taken apart is one.
#[derive(Debug, Clone)]
pub(super) struct OrderStatement {
    position: usize,
    /// The cell it stands in.
    pub cell: usize,
    /// Its bytes there.
    pub range: Range<usize>,
    /// Its lines there, from 1.
    lines: RangeInclusive<u32>,
    /// Whether it is an expression, whose value is shown where it is the last of its cell.
    is_expression: bool,
}

/// The statements up to what is shown, and how much each reaches.
pub(super) struct Slices {
    statements: Vec<OrderStatement>,
    /// Those that reach what is shown.
    within: BTreeSet<usize>,
    /// How many cells that differ each reaches.
    failed: HashMap<usize, usize>,
}

impl Slices {
    /// Of what some `lines` of the cell at `position` show.
    pub(super) fn new(
        subject: &TracedNotebook<'_>,
        walk: InspectedOrder<'_>,
        position: usize,
        lines: &RangeInclusive<u32>,
    ) -> Self {
        let statements = statements(subject, walk.order);
        let by = reached_by(subject, &statements);
        let is_shown = |one: &OrderStatement| one.position == position && lines.contains(one.lines.start());
        let shown = (0..statements.len()).filter(|at| is_shown(&statements[*at])).collect();
        let within = slice(&by, shown);
        let mut failed = HashMap::new();
        for later in (position + 1..walk.order.len()).filter(|at| walk.fits.get(*at) == Some(&false)) {
            let reached = slice(&by, showing(subject, &statements, later));
            reached.into_iter().for_each(|at| *failed.entry(at).or_default() += 1);
        }
        Slices { statements, within, failed }
    }

    /// The statements that reach what is shown, by their places.
    pub(super) fn within(&self) -> impl Iterator<Item = (usize, &OrderStatement)> {
        self.within.iter().map(|at| (*at, &self.statements[*at]))
    }

    /// How many cells further down that differ, too, a statement reaches.
    pub(super) fn failed(&self, at: usize) -> usize {
        self.failed.get(&at).copied().unwrap_or_default()
    }
}

fn statements(subject: &TracedNotebook<'_>, order: &[usize]) -> Vec<OrderStatement> {
    let mut found = Vec::new();
    for (position, &cell) in order.iter().enumerate() {
        let source = &subject.cells[cell].source;
        let parsed = parse(source);
        if parsed.is_opaque() || !parsed.errors().is_empty() {
            let (range, lines) = (0..source.len(), 1..=u32::MAX);
            found.push(OrderStatement { position, cell, range, lines, is_expression: true });
            continue;
        }
        found.extend(parsed.body().iter().map(|statement| OrderStatement {
            position,
            cell,
            range: statement.start().to_usize()..statement.end().to_usize(),
            lines: parsed.line(statement.start())..=parsed.line(statement.end()),
            is_expression: matches!(statement, Stmt::Expr(_)),
        }));
    }
    found
}

/// Of each statement those that gave what it looks at.
fn reached_by(subject: &TracedNotebook<'_>, statements: &[OrderStatement]) -> Vec<BTreeSet<usize>> {
    let code = |one: &OrderStatement| Cell::code(&subject.cells[one.cell].source[one.range.clone()]);
    let notebook = Notebook::from_cells(statements.iter().map(code).collect());
    let traced = TracedNotebook::new(&notebook, GraphKind::Sharp);
    let mut last: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::with_capacity(statements.len());
    for (at, effects) in traced.effects.iter().enumerate() {
        found.push(effects.depends.iter().filter_map(|name| last.get(name.as_str()).copied()).collect());
        last.extend(effects.writes.iter().map(|name| (name.as_str(), at)));
    }
    found
}

/// All statements that reach some.
fn slice(by: &[BTreeSet<usize>], from: Vec<usize>) -> BTreeSet<usize> {
    let (mut found, mut left) = (BTreeSet::new(), from);
    while let Some(at) = left.pop() {
        if found.insert(at) {
            left.extend(&by[at]);
        }
    }
    found
}

/// The statements by which a cell shows something: its last value, and what prints and draws; all of them where none is known to.
fn showing(subject: &TracedNotebook<'_>, statements: &[OrderStatement], position: usize) -> Vec<usize> {
    let of: Vec<usize> = (0..statements.len()).filter(|at| statements[*at].position == position).collect();
    let Some(&last) = of.last() else { return of };
    let cell = &subject.cells[statements[last].cell];
    let is_drawn = cell.outputs().iter().any(|output| matches!(output, Output::DisplayData { .. }));
    let shows = |at: &usize| {
        let one = &statements[*at];
        let text = &cell.source[one.range.clone()];
        one.is_expression && (*at == last || is_drawn) || text.contains("print") || text.contains("display(")
    };
    let found: Vec<usize> = of.iter().copied().filter(shows).collect();
    if found.is_empty() { of } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_reaches_more_cells_that_differ_is_told_by_their_number() {
        let cells = ["a = 1\nb = 2", "print(b)\nprint(a)", "print(a)", "c = a + b", "c"].map(Cell::code);
        let notebook = Notebook::from_cells(cells.to_vec());
        let subject = TracedNotebook::new(&notebook, GraphKind::Sharp);
        let (order, fits) = ([0, 1, 2, 3, 4], [true, false, false, true, false]);
        let walk = InspectedOrder { order: &order, fits: &fits, patience: Duration::ZERO };
        let slices = Slices::new(&subject, walk, 1, &(2..=2));
        let found: Vec<(usize, &str, usize)> = slices
            .within()
            .map(|(at, one)| (one.cell, &subject.cells[one.cell].source[one.range.clone()], slices.failed(at)))
            .collect();
        assert_eq!(found, [(0, "a = 1", 2), (1, "print(a)", 0)]);
    }

    #[test]
    fn a_cell_that_cannot_be_taken_apart_is_one_statement() {
        let notebook = Notebook::from_cells(vec![Cell::code("%%time\na = 1"), Cell::code("a = (")]);
        let subject = TracedNotebook::new(&notebook, GraphKind::Sharp);
        let found = statements(&subject, &[1]);
        assert_eq!((found.len(), &found[0].range), (1, &(0..5)));
    }
}
