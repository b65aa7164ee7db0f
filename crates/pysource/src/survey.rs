//! All that the planning of an environment takes from a notebook's code, in one pass: each cell is taken apart and
//! parsed once.

mod cell;

pub(crate) use cell::imports_of;

use serde::Serialize;

use crate::paths::{self, ExtraPath};
use crate::readers::dialect::{self, Dialect, Facts};
use crate::readers::imports::Import;
use crate::readers::requirements::{self, InstallLine};

/// What a notebook's code cells say of the environment that they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The imports, in order of cell and line.
    pub imports: Vec<Import>,
    /// Modules and packages that cells write, copy or download themselves, in order of cells; a name may come twice.
    pub written_modules: Vec<String>,
    /// Python files and notebooks that cells run (`%run tools.py`), as written: what they import is needed too.
    pub run_files: Vec<String>,
    /// Python 2 or 3, and the lowest minor.
    pub dialect: Dialect,
    /// The install commands, in order of cell and line.
    pub install_lines: Vec<InstallLine>,
    /// Folders that cells add to the module search path by literals.
    pub extra_paths: Vec<ExtraPath>,
    /// Cells that are neither Python 3 nor Python 2. What could be read of them is in the other fields all the same.
    pub broken_cells: Vec<BrokenCell>,
}

/// A cell that cannot be read whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenCell {
    /// Index into the cells given.
    pub cell: usize,
    /// Line of the first problem, from 1.
    pub line: u32,
    /// What is wrong, one line.
    pub why: String,
}

/// Reads the code cells of a notebook, each by its own: a broken one changes nothing of what is found in the others.
///
/// Only names bind cells together: signs of Python 2 that a cell defines itself, the notebook's own install functions, and
/// constants in the paths of [`Survey::extra_paths`]. Never fails.
///
/// ```
/// let survey = nbrevive_pysource::survey::survey(&["import numpy as np", "!pip install xgboost==0.90", "def f(:"]);
/// assert_eq!(survey.imports[0].module, "numpy");
/// assert_eq!(survey.install_lines[0].requirements, ["xgboost==0.90"]);
/// assert_eq!(survey.broken_cells[0].cell, 2);
/// ```
#[must_use]
pub fn survey(cells: &[&str]) -> Survey {
    let (mut imports, mut written_modules) = (Vec::new(), Vec::new());
    let (mut run_files, mut extra_paths) = (Vec::new(), Vec::new());
    let (mut broken_cells, mut facts, mut installs) = (Vec::new(), Vec::<Facts>::new(), Vec::new());
    for (index, source) in cells.iter().enumerate() {
        let reading = cell::read(index, source);
        imports.extend(reading.imports);
        written_modules.extend(reading.written_modules);
        run_files.extend(reading.run_files);
        extra_paths.extend(paths::resolve(cells, index, &reading.paths));
        broken_cells.extend(reading.broken);
        facts.push(reading.facts);
        installs.push((reading.plain, reading.installs));
    }
    Survey {
        imports,
        written_modules,
        run_files,
        dialect: dialect::of_facts(&facts),
        install_lines: requirements::of_cells(installs),
        extra_paths,
        broken_cells,
    }
}

#[cfg(test)]
mod tests;
