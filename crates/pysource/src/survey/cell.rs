//! The reading of one cell.

use ruff_python_ast::ModModule;
use ruff_python_parser::Parsed;

use super::BrokenCell;
use crate::magics::module::{Lines, tolerant_tree, with_module};
use crate::magics::split;
use crate::paths;
use crate::prompts::Unprompted;
use crate::readers::dialect::{self, Facts};
use crate::readers::imports::{self, Import, written};
use crate::readers::requirements::{self, CellInstalls, Site};

/// What one cell says.
pub(super) struct Reading<'a> {
    pub(super) imports: Vec<Import>,
    pub(super) written_modules: Vec<String>,
    pub(super) run_files: Vec<String>,
    pub(super) facts: Facts,
    pub(super) paths: Vec<paths::Found>,
    pub(super) broken: Option<BrokenCell>,
    pub(super) plain: Unprompted<'a>,
    pub(super) installs: CellInstalls,
}

/// The imports of the cell at `index`, found with as little work as they need.
pub(crate) fn imports_of(index: usize, source: &str) -> Vec<Import> {
    let plain = Unprompted::of(source);
    let cell = split(plain.text());
    let is_suspect = imports::may_import(&cell.python) || Unprompted::forced(source).is_some();
    if is_suspect && !cell.is_opaque() {
        return read(index, source).imports;
    }
    imports::of_cell(index, plain.text(), &cell, Vec::new())
}

/// Reads the cell at `index`.
pub(super) fn read(index: usize, source: &str) -> Reading<'_> {
    let reading = read_plain(index, Unprompted::of(source));
    if reading.broken.is_none() {
        return reading;
    }
    let again = Unprompted::forced(source).map(|plain| read_plain(index, plain));
    again.filter(|again| again.broken.is_none() || again.imports.len() > reading.imports.len()).unwrap_or(reading)
}

fn read_plain(index: usize, plain: Unprompted<'_>) -> Reading<'_> {
    let cell = split(plain.text());
    let mut python = if cell.is_opaque() { Python::default() } else { of_text(&cell.python) };
    let found = std::mem::take(&mut python.imports);
    Reading {
        imports: imports::of_cell(index, plain.text(), &cell, found),
        written_modules: [written::modules(&cell), python.written].concat(),
        run_files: written::run_files(&cell),
        broken: python.problem.map(|(line, why)| BrokenCell { cell: index, line, why }),
        installs: requirements::of_cell(index, &plain, cell, python.installs),
        facts: python.facts,
        paths: python.paths,
        plain,
    }
}

/// What the Python of a cell says.
#[derive(Default)]
struct Python {
    imports: Vec<Import>,
    facts: Facts,
    installs: Vec<Site>,
    paths: Vec<paths::Found>,
    written: Vec<String>,
    /// The first error, with its line, when the cell is not Python.
    problem: Option<(u32, String)>,
}

/// Reads a text without magics: by the Python 3 parser and, where that finds errors, by the tolerant grammar too.
fn of_text(text: &str) -> Python {
    let too_deep = || Python { problem: Some((1, "nested too deeply to be read".to_owned())), ..Python::default() };
    let walked = with_module(text, |module| of_module(text, module));
    let is_walked = walked.is_some();
    let mut python = walked.unwrap_or_else(too_deep);
    if python.problem.is_none() && !python.facts.may_be_old {
        return python;
    }
    let tree = tolerant_tree(text);
    if python.problem.is_some() {
        imports::add_tolerant(&mut python.imports, text, tree.as_ref());
    }
    if is_walked {
        let before = python.facts.signs.len();
        dialect::add_old_signs(&mut python.facts, text, tree.as_ref());
        let is_old = python.facts.signs.len() > before;
        if is_old && tree.is_none_or(|tree| !tree.root_node().has_error()) {
            python.problem = None;
        }
    }
    python
}

fn of_module(text: &str, module: &Parsed<ModModule>) -> Python {
    let body = module.suite();
    let problem = module.errors().first().map(|error| {
        let line = Lines::of(text).line(error.location.start().to_usize());
        (line, error.error.to_string())
    });
    Python {
        imports: imports::of_module(text, body),
        facts: dialect::facts(text, module),
        installs: requirements::installs_in_calls(text, body),
        paths: paths::of_module(text, body),
        written: written::of_module(text, body),
        problem,
    }
}
