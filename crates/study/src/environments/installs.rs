//! What a notebook installs for itself (paper, section 3.2): found before execution, and taken out of the code that runs.
//!
//! What is carried out are names with version ranges, and they come from the user's own index, and files on hosts that a study allows.
//! Everything else that an install line can say (addresses, paths, repositories, another index, files elsewhere) is refused and told,
//! piece by piece.

use nbrevive_environment::link::{FetchError, Fetched, HostName, Link};
use nbrevive_environment::requirement::{NamedRequirement, NotARequirement, Requirement};
use nbrevive_notebook::{CellKind, Notebook};
use nbrevive_pysource::requirements::{
    InstallLine, InstallRefusal, RequirementsEntry, Tool, install_lines, is_harmless_option, without_installs,
};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::install_refusals::InstallRefusalRow;

use crate::environments::files_beside::Beside;
use crate::laboratory::{Laboratory, LaboratoryError, Prepared};

/// Most requirements that are carried out: they stand on a command line together.
const MOST_REQUIREMENTS: usize = 300;
/// Most files that are fetched.
const MOST_FILES: usize = 20;
/// Most refused pieces that are kept, and most characters of each.
const MOST_REFUSED: usize = 100;
const LONGEST_PIECE: usize = 300;

/// A notebook without its install lines, and what they asked for.
#[derive(Debug, Clone)]
pub struct Installs {
    /// The notebook as it is to be executed.
    pub notebook: Notebook,
    /// What its pip and conda lines name, in order, without duplicates.
    pub requirements: Vec<NamedRequirement>,
    /// What of them is not carried out, in order, without duplicates.
    pub refused: Vec<RefusedInstall>,
    /// Files on hosts that are allowed, to be fetched, with the pieces that name them.
    asked: Vec<(RefusedInstall, Link)>,
    /// Those that were.
    pub(crate) fetched: Vec<Fetched>,
}

/// A piece of an install line that is not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedInstall {
    /// Number of the cell, from 0.
    pub cell: usize,
    /// The piece as written, cut where it is long.
    pub piece: String,
    /// Why.
    pub why: InstallRefusal,
}

impl RefusedInstall {
    fn of(cell: usize, piece: &str, why: InstallRefusal) -> Self {
        Self { cell, piece: piece.chars().take(LONGEST_PIECE).collect(), why }
    }

    /// One line for people.
    #[must_use]
    pub fn told(&self) -> Shown {
        shown!("install line refused in cell {}: {}: {}", self.cell + 1, self.piece, self.why)
    }
}

impl Installs {
    /// Fetches the files that were asked for; those that cannot be had are refused.
    pub(crate) fn fetch(&mut self, fetch: impl Fn(&Link) -> Result<Fetched, FetchError>) {
        for (piece, link) in std::mem::take(&mut self.asked) {
            match fetch(&link) {
                Ok(fetched) => self.fetched.push(fetched),
                Err(error) => {
                    tracing::warn!("{}", shown!("{}", error).as_str());
                    self.refused.push(piece);
                }
            }
        }
    }

    /// Without what an environment has: an installer would say of it that it is satisfied.
    pub(crate) fn lacking_in(mut self, environment: &Prepared) -> Self {
        self.requirements.retain(|requirement| !is_there(requirement, environment));
        self
    }

    /// Whether nothing is installed on top of a lock.
    pub(crate) fn is_empty(&self) -> bool {
        self.requirements.is_empty() && self.fetched.is_empty()
    }

    /// What is installed, in words.
    pub(crate) fn asked_for(&self) -> String {
        let names = self.requirements.iter().map(ToString::to_string);
        names.chain(self.fetched.iter().map(Fetched::requested)).collect::<Vec<_>>().join(" ")
    }

    /// The refused pieces as rows of the store.
    pub(crate) fn refusal_rows(&self) -> Vec<InstallRefusalRow> {
        let row = |refused: &RefusedInstall| InstallRefusalRow {
            cell: u32::try_from(refused.cell).unwrap_or(u32::MAX),
            piece: refused.piece.clone(),
            why: refused.why.as_str().to_owned(),
        };
        self.refused.iter().map(row).collect()
    }
}

impl Laboratory {
    /// The environment of a lock's text with what a notebook installs.
    pub(crate) fn with_installs(&self, lock: &str, installs: &Installs) -> Result<Prepared, LaboratoryError> {
        self.extended(lock, &installs.requirements, &installs.fetched)
    }
}

fn is_there(requirement: &NamedRequirement, environment: &Prepared) -> bool {
    let installed = environment.packages.get(requirement.name()).and_then(|version| version.parse().ok());
    match (installed, Requirement::read(requirement.as_str())) {
        (Some(version), Some(read)) => read.extras.is_empty() && read.admits(&version),
        _ => false,
    }
}

/// Takes the install lines out of a notebook, with the requirements files that they name beside it.
#[must_use]
pub fn take_installs(notebook: &Notebook, beside: &Beside) -> Installs {
    take_allowed(notebook, beside, &[])
}

/// As [`take_installs`], with files on hosts that are allowed.
pub(crate) fn take_allowed(notebook: &Notebook, beside: &Beside, hosts: &[HostName]) -> Installs {
    let mut notebook = notebook.clone();
    let lines = install_lines(&notebook.code_sources());
    if !lines.is_empty() {
        for cell in notebook.cells.iter_mut().filter(|cell| matches!(cell.kind, CellKind::Code { .. })) {
            cell.source = without_installs(&cell.source);
        }
    }
    let mut gate = Gate { hosts, requirements: Vec::new(), asked: Vec::new(), refused: Vec::new() };
    // Packages of the system are no distributions: `apt-get install graphviz` must not install graphviz's binding.
    for line in lines.iter().filter(|line| line.tool != Tool::Apt) {
        gate.line(line, beside);
    }
    Installs {
        notebook,
        requirements: gate.requirements,
        refused: gate.refused,
        asked: gate.asked,
        fetched: Vec::new(),
    }
}

/// What install lines ask for, as written, in order, without duplicates: for who reads it as requirements himself.
pub(crate) fn requirements(lines: &[InstallLine]) -> Vec<String> {
    let mut requirements: Vec<String> = Vec::new();
    for requirement in lines.iter().filter(|line| line.tool != Tool::Apt).flat_map(|line| &line.requirements) {
        if !requirements.contains(requirement) {
            requirements.push(requirement.clone());
        }
    }
    requirements
}

/// Lets names with version ranges and files on allowed hosts through, and notes the rest.
struct Gate<'hosts> {
    hosts: &'hosts [HostName],
    requirements: Vec<NamedRequirement>,
    asked: Vec<(RefusedInstall, Link)>,
    refused: Vec<RefusedInstall>,
}

impl Gate<'_> {
    fn line(&mut self, line: &InstallLine, beside: &Beside) {
        for refused in &line.refused {
            self.refuse(line.cell, &refused.piece, refused.why);
        }
        for text in &line.requirements {
            self.ask(line.cell, text);
        }
        for text in &line.unknown {
            self.refuse(line.cell, text, InstallRefusal::Variable);
        }
        if !line.requirement_files.is_empty() {
            self.files(line, beside);
        }
    }

    fn files(&mut self, line: &InstallLine, beside: &Beside) {
        let followed = beside.followed(line);
        for (_, said) in &followed.lines {
            match &said.entry {
                RequirementsEntry::Requirement { text, is_editable: false, .. } => self.ask(line.cell, text),
                RequirementsEntry::Requirement { text, is_editable: true, .. } => {
                    self.refuse(line.cell, &format!("-e {text}"), InstallRefusal::Editable);
                }
                RequirementsEntry::Unknown(text) => self.refuse(line.cell, text, InstallRefusal::Variable),
                RequirementsEntry::Option { name, .. } if is_harmless_option(name) => {}
                RequirementsEntry::Option { name, value } => {
                    self.refuse(line.cell, format!("{name} {value}").trim_end(), InstallRefusal::Option);
                }
                // Those were followed.
                RequirementsEntry::File(_) | RequirementsEntry::Constraints(_) => {}
            }
        }
        for (path, _) in &followed.constraints {
            self.refuse(line.cell, &format!("-c {path}"), InstallRefusal::Option);
        }
        for path in &followed.missing {
            self.refuse(line.cell, &format!("-r {path}"), InstallRefusal::File);
        }
    }

    fn ask(&mut self, cell: usize, text: &str) {
        match NamedRequirement::parse(text) {
            Ok(named) if self.requirements.contains(&named) => {}
            Ok(named) if self.requirements.len() < MOST_REQUIREMENTS => self.requirements.push(named),
            Ok(_) => self.refuse(cell, text, InstallRefusal::TooMany),
            Err(NotARequirement::Location(_)) => self.locate(cell, text),
            Err(NotARequirement::Unreadable(_)) => self.refuse(cell, text, InstallRefusal::Unreadable),
        }
    }

    fn locate(&mut self, cell: usize, text: &str) {
        match Link::parse(text, self.hosts) {
            Some(link) if self.asked.iter().any(|(_, asked)| *asked == link) => {}
            Some(link) if self.asked.len() < MOST_FILES => {
                self.asked.push((RefusedInstall::of(cell, text, InstallRefusal::Unfetched), link));
            }
            Some(_) => self.refuse(cell, text, InstallRefusal::TooMany),
            None => self.refuse(cell, text, InstallRefusal::Location),
        }
    }

    fn refuse(&mut self, cell: usize, piece: &str, why: InstallRefusal) {
        let refused = RefusedInstall::of(cell, piece, why);
        if self.refused.len() < MOST_REFUSED && !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
    }
}

#[cfg(test)]
mod attacks;

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;

    #[test]
    fn system_packages_are_no_requirements() {
        let source = "!apt-get install -y graphviz\n!pip install six==1.16.0 attrs\n!conda install -y numpy=1.19\n";
        let notebook = Notebook::from_cells(vec![Cell::code(source)]);
        let installs = take_installs(&notebook, &Beside::default());
        let named: Vec<&str> = installs.requirements.iter().map(NamedRequirement::as_str).collect();
        assert_eq!(named, ["six==1.16.0", "attrs", "numpy==1.19.*"]);
        assert_eq!(installs.refused, []);
    }
}
