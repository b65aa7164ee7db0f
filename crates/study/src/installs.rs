//! What a notebook installs for itself (paper, section 3.2): found before execution, and taken out of the code that runs.

use nbrevive_notebook::{CellKind, Notebook};
use nbrevive_pysource::requirements::{InstallLine, Tool, install_lines, without_installs};

/// A notebook without its install lines, and what they asked for.
#[derive(Debug, Clone)]
pub struct Installs {
    /// The notebook as it is to be executed.
    pub notebook: Notebook,
    /// The requirements that its pip and conda lines name, in order, without duplicates.
    pub requirements: Vec<String>,
}

/// Takes the install lines out of a notebook.
#[must_use]
pub fn take_installs(notebook: &Notebook) -> Installs {
    let mut notebook = notebook.clone();
    let lines = install_lines(&notebook.code_sources());
    if !lines.is_empty() {
        for cell in notebook.cells.iter_mut().filter(|cell| matches!(cell.kind, CellKind::Code { .. })) {
            cell.source = without_installs(&cell.source);
        }
    }
    Installs { requirements: requirements(&lines), notebook }
}

/// What install lines ask an index for, in order, without duplicates.
pub(crate) fn requirements(lines: &[InstallLine]) -> Vec<String> {
    let mut requirements: Vec<String> = Vec::new();
    // Packages of the system are no distributions: `apt-get install graphviz` must not install graphviz's binding.
    for requirement in lines.iter().filter(|line| line.tool != Tool::Apt).flat_map(|line| &line.requirements) {
        if !requirements.contains(requirement) {
            requirements.push(requirement.clone());
        }
    }
    requirements
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;

    #[test]
    fn system_packages_are_no_requirements() {
        let source = "!apt-get install -y graphviz\n!pip install six==1.16.0 attrs\n!conda install -y numpy=1.19\n";
        let notebook = Notebook::from_cells(vec![Cell::code(source)]);
        assert_eq!(take_installs(&notebook).requirements, ["six==1.16.0", "attrs", "numpy==1.19.*"]);
    }
}
