//! The reading of one cell.

use std::ops::Range;

use ruff_python_ast::ModModule;
use ruff_python_ast::visitor::Visitor;
use ruff_python_parser::{LexicalErrorType, ParseError, ParseErrorType, Parsed};
use ruff_text_size::{Ranged, TextRange};

use super::walk::Walk;
use super::{Acts, Body, CellNames, CellState, magic};
use crate::magics::module::{Lines, tolerant_tree, with_module};
use crate::magics::{SplitCell, split};
use crate::prompts::Unprompted;
use crate::readers::dialect::{self, Facts};

/// What one cell says.
pub(super) struct Reading {
    pub(super) names: CellNames,
    pub(super) facts: Facts,
    /// Whether annotations stay unread from here on.
    pub(super) defers_annotations: bool,
}

/// Where the bytes of a text stand in its cell.
pub(super) enum Places<'a> {
    /// The text is the cell without prompts.
    Cell { lines: Lines, plain: &'a Unprompted<'a> },
    /// The text is cut out of that at an offset.
    Cut { around: &'a Places<'a>, offset: usize },
    /// The text is made from what stands at one place.
    Fixed { line: u32, span: Range<usize> },
}

impl Places<'_> {
    /// The line and the bytes of the cell.
    pub(super) fn of(&self, range: TextRange) -> (u32, Range<usize>) {
        self.at(range.to_std_range())
    }

    fn at(&self, range: Range<usize>) -> (u32, Range<usize>) {
        match self {
            Self::Cell { lines, plain } => (lines.line(range.start), plain.original(&range)),
            Self::Cut { around, offset } => around.at(range.start + offset..range.end + offset),
            Self::Fixed { line, span } => (*line, span.clone()),
        }
    }

    /// A piece of the cell without prompts.
    pub(super) fn text(&self, range: Range<usize>) -> &str {
        match self {
            Self::Cell { plain, .. } => plain.text().get(range).unwrap_or_default(),
            Self::Cut { .. } | Self::Fixed { .. } => "",
        }
    }

    /// Where a node starts in the cell without prompts.
    pub(super) fn offset(&self, node: &impl Ranged) -> usize {
        let start = node.start().to_usize();
        match self {
            Self::Cut { offset, .. } => start + offset,
            Self::Cell { .. } | Self::Fixed { .. } => start,
        }
    }
}

/// Reads a cell; `defers_annotations` where a cell before had the future import, which IPython keeps.
pub(super) fn read(source: &str, defers_annotations: bool) -> Reading {
    let plain = Unprompted::of(source);
    let cell = split(plain.text());
    let places = Places::Cell { lines: Lines::of(plain.text()), plain: &plain };
    if let (true, Some(first)) = (magic::is_opaque(&cell), cell.magic()) {
        let mut walk = Walk::new(&places, &[], defers_annotations);
        walk.cell_magics(&cell.cell_magics, false);
        let state = CellState::Opaque { magic: first.name.clone() };
        return Reading { names: found(state, walk), facts: Facts::default(), defers_annotations };
    }
    let reading = with_module(&cell.python, |module| of_module(&cell, module, &places, defers_annotations));
    reading.unwrap_or_else(|| Reading {
        names: unread(CellState::Broken {
            line: 1,
            why: "nested too deeply to be read".to_owned(),
            is_indentation: false,
        }),
        facts: Facts::default(),
        defers_annotations,
    })
}

fn of_module(cell: &SplitCell, module: &Parsed<ModModule>, places: &Places<'_>, defers_annotations: bool) -> Reading {
    let mut facts = dialect::facts(&cell.python, module);
    if let Some(error) = module.errors().first() {
        let names = unread(refused(&cell.python, error, places, &mut facts));
        return Reading { names, facts, defers_annotations };
    }
    let mut walk = Walk::new(places, &cell.escapes, defers_annotations);
    walk.cell_magics(&cell.cell_magics, true);
    if magic::times(&cell.cell_magics) {
        walk.run_in_function(module.suite());
    } else {
        walk.visit_body(module.suite());
    }
    walk.after_cell(&cell.cell_magics);
    let defers_annotations = walk.defers_annotations;
    Reading { names: found(CellState::Python, walk), facts, defers_annotations }
}

/// Why Python 3 refuses a cell: it is Python 2, or nothing that Python reads.
fn refused(text: &str, error: &ParseError, places: &Places<'_>, facts: &mut Facts) -> CellState {
    let (line, _) = places.of(error.location);
    let tree = tolerant_tree(text);
    let before = facts.signs.len();
    dialect::add_old_signs(facts, text, tree.as_ref());
    let is_old = facts.signs.len() > before && tree.is_none_or(|tree| !tree.root_node().has_error());
    match facts.signs.get(before) {
        Some((sign, line)) if is_old => CellState::Python2 { line: *line, why: sign.to_string() },
        _ => CellState::Broken { line, why: error.error.to_string(), is_indentation: is_indentation(&error.error) },
    }
}

/// The errors that Python calls `IndentationError`.
fn is_indentation(error: &ParseErrorType) -> bool {
    match error {
        ParseErrorType::UnexpectedIndentation => true,
        ParseErrorType::Lexical(lexical) => matches!(lexical, LexicalErrorType::IndentationError),
        ParseErrorType::OtherError(text) => text.starts_with("Expected an indented block"),
        _ => false,
    }
}

fn unread(state: CellState) -> CellNames {
    CellNames { state, acts: Acts::default(), bodies: Vec::new() }
}

fn found(state: CellState, walk: Walk<'_>) -> CellNames {
    let bodies = walk.bodies.into_iter().map(|body| Body { acts: sorted(body.acts), ..body }).collect();
    CellNames { state, acts: sorted(walk.top), bodies }
}

/// With each once of what has no order.
fn sorted(mut acts: Acts) -> Acts {
    acts.methods.sort_unstable();
    acts.methods.dedup();
    acts.outside.sort_unstable();
    acts.outside.dedup();
    acts.handed.sort_unstable();
    acts.handed.dedup();
    acts
}
