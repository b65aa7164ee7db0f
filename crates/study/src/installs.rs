//! What a notebook installs for itself (paper, section 3.2): found before execution, and taken out of the code that runs.

use nbrevive_notebook::{CellKind, Notebook};
use nbrevive_pysource::requirements::{install_lines, without_installs};

/// A notebook without its install lines, and what they asked for.
#[derive(Debug, Clone)]
pub struct Installs {
    /// The notebook as it is to be executed.
    pub notebook: Notebook,
    /// The requirements that its `pip` lines name, in order, without duplicates.
    pub requirements: Vec<String>,
}

/// Takes the install lines out of a notebook.
#[must_use]
pub fn take_installs(notebook: &Notebook) -> Installs {
    let mut notebook = notebook.clone();
    let lines = install_lines(&notebook.code_sources());
    let mut requirements: Vec<String> = Vec::new();
    for line in &lines {
        for requirement in &line.requirements {
            if !requirements.contains(requirement) {
                requirements.push(requirement.clone());
            }
        }
    }
    if !lines.is_empty() {
        for cell in notebook.cells.iter_mut().filter(|cell| matches!(cell.kind, CellKind::Code { .. })) {
            cell.source = without_installs(&cell.source);
        }
    }
    Installs { notebook, requirements }
}
