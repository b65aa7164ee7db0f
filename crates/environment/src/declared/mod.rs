//! What a repository declares that its notebooks need, each thing with file and line.
//!
//! [`RepositoryDeclarations::read`] reads all files of a repository that declare, and runs none of them. What cannot be read or is not
//! followed (another index, an address, a path, a channel) is a row with its reason, and the rest goes on. Which files declare, and which
//! of them goes first where two speak of one distribution, is told in `precedence.rs`.
//!
//! | file | purpose |
//! |---|---|
//! | `tree.rs` | the files of a repository |
//! | `row.rs` | what is known of each thing declared |
//! | `precedence.rs` | which files declare |
//! | `sheet.rs` | what one file says |
//! | `pip_file.rs`, `setup_py.rs`, `setup_cfg.rs`, `pyproject.rs`, `poetry.rs`, `pipfile.rs`, `conda.rs`, `python_version.rs`, `candidates.rs` | a reader for each kind |
//! | `yaml.rs`, `toml_lines.rs`, `ini.rs` | formats with their lines |
//! | `conda_names.rs` | what conda's names mean to the index |

mod candidates;
mod conda;
mod conda_names;
#[cfg(test)]
mod fuzz;
mod ini;
mod pip_file;
mod pipfile;
mod poetry;
mod precedence;
mod pyproject;
mod python_version;
mod row;
mod setup_cfg;
mod setup_py;
mod sheet;
mod toml_lines;
mod tree;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_files::FileError;
use nbrevive_pysource::script::decode;

use precedence::{Declaring, declaring};
pub(crate) use python_version::is_apt_name;
pub use row::{
    DeclarationKind, DeclarationStanding, DeclaredRequirement, PythonWish, SystemPackage, UnreadDeclaration,
    UnreadReason,
};
use sheet::{Follow, Sheet};
pub use tree::RepositoryTree;
pub(crate) use tree::{folder_of, joined, name_of};

/// Most files that are read; no real repository declares in more.
const MOST_FILES: usize = 400;
/// Longest file that is read, in bytes: READMEs and locks of hundreds of distributions are the longest.
const LONGEST: u64 = 4 << 20;

/// A file that declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclarationFile {
    /// Relative to the repository.
    pub path: String,
    /// What kind of file it is.
    pub kind: DeclarationKind,
    /// What becomes of what it says.
    pub standing: DeclarationStanding,
}

/// All that a repository declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryDeclarations {
    /// The files that were read, those that count first.
    pub files: Vec<DeclarationFile>,
    /// Requirements, in the order of the files.
    pub requirements: Vec<DeclaredRequirement>,
    /// Wishes for a version of Python.
    pub pythons: Vec<PythonWish>,
    /// Packages of the system, and of conda that are no Python.
    pub system: Vec<SystemPackage>,
    /// What is not followed or could not be read.
    pub unread: Vec<UnreadDeclaration>,
}

impl RepositoryDeclarations {
    /// Reads all files of a repository that declare. Never fails: what cannot be read is in [`Self::unread`].
    #[must_use]
    pub fn read(files: &RepositoryTree) -> Self {
        let mut reading = Reading { files, found: Self::default(), seen: BTreeSet::new() };
        for file in declaring(files) {
            reading.all_of(file);
        }
        let mut found = reading.found;
        found.outrank();
        found
    }

    /// The requirements that the environment is made of.
    pub fn counting(&self) -> impl Iterator<Item = &DeclaredRequirement> {
        self.requirements.iter().filter(|row| row.standing == DeclarationStanding::Counts)
    }

    /// What its README or Dockerfile tells people to install, and nothing that counts declares: each distribution where it is named first.
    #[must_use]
    pub fn candidates(&self) -> Vec<&DeclaredRequirement> {
        let mut known: BTreeSet<_> = self.counting().map(|row| &row.requirement.name).collect();
        let rows = self.requirements.iter().filter(|row| row.standing == DeclarationStanding::Candidate);
        rows.filter(|row| known.insert(&row.requirement.name)).collect()
    }

    /// Whether the repository declares any distribution: not only a Python, an extra, or a line of its README.
    #[must_use]
    pub fn declares(&self) -> bool {
        self.counting().next().is_some()
    }

    /// The wish for a Python that goes first: one version (`runtime.txt`, `.python-version`, `environment.yml`, `Pipfile`) before a range
    /// that a distribution of the repository's own asks for.
    #[must_use]
    pub fn python(&self) -> Option<&PythonWish> {
        let order = |kind: DeclarationKind| match kind {
            DeclarationKind::Runtime => 0,
            DeclarationKind::PythonVersion => 1,
            DeclarationKind::CondaEnvironment => 2,
            DeclarationKind::Pipfile => 3,
            DeclarationKind::PipfileLock => 4,
            _ => 5,
        };
        let counting = self.pythons.iter().filter(|wish| wish.standing == DeclarationStanding::Counts);
        counting.min_by_key(|wish| order(wish.kind))
    }

    /// The names of apt's packages that count, sorted.
    #[must_use]
    pub fn apt(&self) -> Vec<String> {
        let counts = |package: &&SystemPackage| package.is_apt && package.standing == DeclarationStanding::Counts;
        let names: BTreeSet<&str> = self.system.iter().filter(counts).map(|package| package.name.as_str()).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    /// Of each distribution the files of one rank count: of the first that bounds it, else of the first.
    fn outrank(&mut self) {
        let mut first: BTreeMap<String, (bool, u32)> = BTreeMap::new();
        for row in self.counting() {
            let place = (row.requirement.bound.is_empty(), row.rank);
            let known = first.entry(row.requirement.name.clone()).or_insert(place);
            *known = (*known).min(place);
        }
        for row in &mut self.requirements {
            let is_first = first.get(&row.requirement.name).is_some_and(|(_, rank)| *rank == row.rank);
            if row.standing == DeclarationStanding::Counts && !is_first {
                row.standing = DeclarationStanding::Outranked;
            }
        }
    }
}

struct Reading<'files> {
    files: &'files RepositoryTree,
    found: RepositoryDeclarations,
    seen: BTreeSet<(String, bool)>,
}

impl Reading<'_> {
    /// A file and those that it names.
    fn all_of(&mut self, file: Declaring) {
        let mut open = vec![(file, None)];
        while let Some((file, named)) = open.pop() {
            let is_constraint = file.standing == DeclarationStanding::Constraint;
            if !self.seen.insert((file.path.clone(), is_constraint)) {
                continue;
            }
            if self.seen.len() > MOST_FILES {
                self.leave(&file.path, 0, "", (UnreadReason::TooLong, format!("more than {MOST_FILES} files")));
                return;
            }
            let mut sheet = Sheet::of(&file);
            if !self.read(&mut sheet, named.as_ref()) {
                continue;
            }
            for follow in std::mem::take(&mut sheet.follow).into_iter().rev() {
                if let Some(next) = self.named(&file, &follow) {
                    open.push((next, Some((file.path.clone(), follow))));
                }
            }
            self.found.files.push(DeclarationFile { path: file.path, kind: file.kind, standing: file.standing });
            self.take(sheet);
        }
    }

    /// The file that another one names.
    fn named(&mut self, file: &Declaring, follow: &Follow) -> Option<Declaring> {
        let path = joined(folder_of(&file.path), &follow.name);
        if path.is_none() {
            let reason = if follow.name.contains("://") { UnreadReason::Location } else { UnreadReason::Outside };
            self.leave(&file.path, follow.line, &follow.name, (reason, String::new()));
        }
        let (kind, rank) = (DeclarationKind::RequirementsFile, file.rank);
        Some(Declaring { path: path?, kind, standing: follow.standing, rank })
    }

    /// Reads a file into its sheet; where it cannot be had that is a row of who names it.
    fn read(&mut self, sheet: &mut Sheet, named: Option<&(String, Follow)>) -> bool {
        let bytes = match self.files.read(&sheet.file, LONGEST) {
            Ok(bytes) => bytes,
            Err(error) => {
                let (file, line, piece) = match named {
                    Some((file, follow)) => (file.clone(), follow.line, follow.name.clone()),
                    None => (sheet.file.clone(), 0, String::new()),
                };
                self.leave(&file, line, &piece, reason(&error));
                return false;
            }
        };
        let text = decode(&bytes);
        if text.contains('\0') {
            sheet.leave(0, "", UnreadReason::Unreadable, "it is no text");
        } else {
            text_of(&text, sheet);
        }
        true
    }

    fn leave(&mut self, file: &str, line: u32, piece: &str, (reason, detail): (UnreadReason, String)) {
        let (file, piece) = (file.to_owned(), piece.chars().take(200).collect());
        self.found.unread.push(UnreadDeclaration { file, line, piece, reason, detail });
    }

    fn take(&mut self, sheet: Sheet) {
        self.found.requirements.extend(sheet.requirements);
        self.found.pythons.extend(sheet.pythons);
        self.found.system.extend(sheet.system);
        self.found.unread.extend(sheet.unread);
    }
}

/// Reads a text by its kind.
fn text_of(text: &str, sheet: &mut Sheet) {
    match sheet.kind {
        DeclarationKind::RequirementsFile => pip_file::read(text, sheet),
        DeclarationKind::PipfileLock => pipfile::read_lock(text, sheet),
        DeclarationKind::Pipfile => pipfile::read(text, sheet),
        DeclarationKind::CondaEnvironment => conda::read(text, sheet),
        DeclarationKind::Pyproject => pyproject::read(text, sheet),
        DeclarationKind::SetupCfg => setup_cfg::read(text, sheet),
        DeclarationKind::SetupScript => setup_py::read(text, sheet),
        DeclarationKind::Runtime => python_version::runtime(text, sheet),
        DeclarationKind::PythonVersion => python_version::python_version(text, sheet),
        DeclarationKind::AptFile => python_version::apt(text, sheet),
        DeclarationKind::PostBuild => sheet.leave(0, "postBuild", UnreadReason::Script, ""),
        DeclarationKind::Dockerfile => candidates::dockerfile(text, sheet),
        DeclarationKind::Readme => candidates::readme(text, sheet),
    }
}

/// Why a file cannot be had, without the place of the repository on this machine.
fn reason(error: &FileError) -> (UnreadReason, String) {
    match error {
        error if error.is_not_found() => (UnreadReason::MissingFile, String::new()),
        FileError::Outside { .. } => (UnreadReason::Outside, String::new()),
        FileError::TooLong { most, .. } => (UnreadReason::TooLong, format!("more than {most} bytes")),
        FileError::NotRegular { kind, .. } => (UnreadReason::Unreadable, format!("it is {kind}")),
        FileError::Read { source, .. } => (UnreadReason::Unreadable, source.to_string()),
        _ => (UnreadReason::Unreadable, String::new()),
    }
}
