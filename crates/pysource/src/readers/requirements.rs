//! The install commands of one cell, and files of requirements: see [`crate::requirements`].

mod calls;
mod command;
mod conda_environment;
mod file;
mod follow;
mod options;
mod refused;
mod rewrite;
mod shell;
mod sites;

use std::ops::Range;

use serde::Serialize;

pub use file::{FileLine, RequirementsEntry, requirements_file};
pub use follow::{FollowedFiles, follow_files};
pub use options::is_harmless_option;
pub use refused::{InstallRefusal, RefusedPiece};
pub use rewrite::without_installs;

pub(crate) use calls::find as installs_in_calls;
use command::Install;
pub(crate) use sites::Site;

use crate::magics::SplitCell;
use crate::prompts::Unprompted;

/// The program that installs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// pip, also through `python -m`, `uv pip` or easy_install.
    Pip,
    /// conda, mamba, micromamba.
    Conda,
    /// apt, apt-get, aptitude: packages of the system.
    Apt,
}

/// One install command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallLine {
    /// Index into the cells given.
    pub cell: usize,
    /// First line in the cell, from 1.
    pub line: u32,
    /// Last line in the cell, from 1.
    pub last_line: u32,
    /// The program that installs.
    pub tool: Tool,
    /// What it names, options dropped: requirements of PEP 508, or paths and addresses as pip takes them. Addresses
    /// with an egg name become `name @ address`; conda's `name=1.0` becomes `name==1.0.*`. For [`Tool::Apt`] names of
    /// system packages.
    pub requirements: Vec<String>,
    /// Files that list requirements (`-r`), as written.
    pub requirement_files: Vec<String>,
    /// Words that depend on variables and so name nothing that is known before the run.
    pub unknown: Vec<String>,
    /// Options and settings that are not carried out.
    pub refused: Vec<RefusedPiece>,
    /// The command as written, on one line.
    pub text: String,
    /// The bytes of the escape, the statement or, in shell cells, the command.
    pub range: Range<usize>,
    /// Whether the range does nothing else; otherwise [`without_installs`] keeps the rest of it.
    pub is_alone: bool,
}

/// What one cell installs, and what is needed to follow the notebook's own install functions.
pub(crate) struct CellInstalls {
    /// The text without magics and prompts.
    python: String,
    lines: Vec<InstallLine>,
    installers: Vec<String>,
}

/// The installs of the cell at `index`; `calls` are the sites in its Python.
pub(crate) fn of_cell(index: usize, plain: &Unprompted<'_>, cell: SplitCell, calls: Vec<Site>) -> CellInstalls {
    let sites = sites::in_cell(plain.text(), &cell, calls);
    let lines = sites.iter().flat_map(|site| site.installs.iter().map(|install| line(index, plain, site, install)));
    let lines = lines.collect();
    let installers = sites.into_iter().filter_map(|site| site.installer).collect();
    CellInstalls { python: cell.python, lines, installers }
}

/// The install commands of all cells, in order of cell and line, with the calls of the notebook's own install functions.
pub(crate) fn of_cells(cells: Vec<(Unprompted<'_>, CellInstalls)>) -> Vec<InstallLine> {
    let installers: Vec<String> = cells.iter().flat_map(|(_, cell)| &cell.installers).cloned().collect();
    let mut lines = Vec::new();
    for (index, (plain, cell)) in cells.into_iter().enumerate() {
        lines.extend(cell.lines);
        if !installers.is_empty() {
            let calls = calls::of_installers(&cell.python, &installers);
            lines.extend(calls.into_iter().map(|(site, install)| line(index, &plain, &site, &install)));
        }
    }
    lines.sort_by_key(|line| (line.cell, line.line));
    lines
}

fn line(cell: usize, plain: &Unprompted<'_>, site: &Site, install: &Install) -> InstallLine {
    InstallLine {
        cell,
        line: site.line,
        last_line: site.last_line,
        tool: install.tool,
        requirements: install.requirements.clone(),
        requirement_files: install.requirement_files.clone(),
        unknown: install.unknown.clone(),
        refused: install.refused.clone(),
        text: one_line(&plain.text()[site.range.clone()]),
        range: plain.original(&site.range),
        is_alone: site.is_alone(),
    }
}

/// The text with every run of white space, and continuations, as one blank.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "\\").collect();
    words.join(" ")
}

#[cfg(test)]
mod tests;
