//! What is known of each thing that a repository declares: the rows.

use std::fmt;

use nbrevive_spelling::string_enum;
use serde::{Deserialize, Serialize};

use crate::requirement::Requirement;

string_enum! {
    /// A kind of file that declares.
    pub enum DeclarationKind ("kind of a declaration") {
        /// A requirements file of pip, or one that such a file names by `-r` or `-c`.
        RequirementsFile => "requirements-file",
        /// `Pipfile.lock` of pipenv.
        PipfileLock => "pipfile-lock",
        /// `Pipfile` of pipenv.
        Pipfile => "pipfile",
        /// `environment.yml` of conda.
        CondaEnvironment => "conda-environment",
        /// `pyproject.toml`: standard (PEP 621, 735), poetry, pdm, uv.
        Pyproject => "pyproject",
        /// `setup.cfg` of setuptools.
        SetupCfg => "setup-cfg",
        /// `setup.py`: read, never run.
        SetupScript => "setup-script",
        /// `runtime.txt` of Binder and Heroku.
        Runtime => "runtime",
        /// `.python-version` of pyenv.
        PythonVersion => "python-version",
        /// `apt.txt` of Binder.
        AptFile => "apt-file",
        /// `postBuild` of Binder: named, never run.
        PostBuild => "post-build",
        /// `Dockerfile` or `Containerfile`.
        Dockerfile => "dockerfile",
        /// A README.
        Readme => "readme",
    }
}

string_enum! {
    /// What becomes of a declared requirement.
    pub enum DeclarationStanding ("standing of a declaration") {
        /// It is part of the environment.
        Counts => "counts",
        /// A bound (`-c`) on what others ask for.
        Constraint => "constraint",
        /// A file that goes first bounds the same distribution.
        Outranked => "outranked",
        /// Where there is a folder of Binder, what stands elsewhere does not count.
        Superseded => "superseded",
        /// Asked for by an extra, a group of developers, or a further requirements file (`requirements-dev.txt`).
        Extra => "extra",
        /// What the repository's own distribution is built with (`[build-system]`, `setup_requires`).
        Build => "build",
        /// Stands in a README or a Dockerfile: what people are told to install, not what a tool reads.
        Candidate => "candidate",
    }
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredRequirement {
    /// What the index is asked for: the name, bare where an address was given.
    pub requirement: Requirement,
    /// As written, without what could be a password, cut where it is long.
    pub written: String,
    /// The file, relative to the repository.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
    /// What kind of file that is.
    pub kind: DeclarationKind,
    /// What becomes of it.
    pub standing: DeclarationStanding,
    /// The values of `--hash`, as `sha256:…`: kept, and not checked, for the index says which file there is.
    pub hashes: Vec<String>,
    /// What a reader should know: the extra or group, the name that conda has for it.
    pub note: String,
    /// Rank of its file: lower ones go first.
    pub(crate) rank: u32,
}

impl DeclaredRequirement {
    /// File and line, for people.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// A wish for a version of Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonWish {
    /// As written: `3.8`, `>=3.6,<4`, `python-3.7.9`.
    pub written: String,
    /// The same as specifiers of PEP 440: `==3.8.*`.
    pub specifiers: String,
    /// The file, relative to the repository.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
    /// What kind of file that is.
    pub kind: DeclarationKind,
    /// Whether it counts, as for a requirement.
    pub standing: DeclarationStanding,
}

/// A package of the system or of conda that no index of Python has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemPackage {
    /// Its name.
    pub name: String,
    /// The file, relative to the repository.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
    /// Whether it is one of apt; else of conda.
    pub is_apt: bool,
    /// Whether it counts, as for a requirement.
    pub standing: DeclarationStanding,
    /// What it is, for one of conda.
    pub note: String,
}

/// Something that is not followed or cannot be read. The rest goes on without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadDeclaration {
    /// The file, relative to the repository.
    pub file: String,
    /// Line in it, from 1; 0 for the whole file.
    pub line: u32,
    /// The piece as written, without what could be a password, cut where it is long.
    pub piece: String,
    /// Why.
    pub reason: UnreadReason,
    /// More of why, such as what a parser said; may be empty.
    pub detail: String,
}

/// Why something declared is not followed or cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnreadReason {
    /// An address, a path, an archive or a repository of code: the name in it counts, where it has one, and an archive's version.
    Location,
    /// A folder or repository that is to be installed as it lies there.
    Editable,
    /// Another index, or where else installers should look.
    Index,
    /// A channel of conda.
    Channel,
    /// An option of the installer.
    Option,
    /// It depends on a variable, or on what running a script would tell.
    Variable,
    /// No requirement, no version, or not the format that the file's name promises.
    Unreadable,
    /// The file named is not in the repository.
    MissingFile,
    /// The file or name leads out of the repository.
    Outside,
    /// The file is longer than what is read of its kind, or the entries are more.
    TooLong,
    /// A package of conda that the index does not have, for Python all the same.
    CondaOnly,
    /// A script: named, never run.
    Script,
}

impl UnreadReason {
    /// The reason as tables spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Location => "location",
            Self::Editable => "editable",
            Self::Index => "index",
            Self::Channel => "channel",
            Self::Option => "option",
            Self::Variable => "variable",
            Self::Unreadable => "unreadable",
            Self::MissingFile => "missing-file",
            Self::Outside => "outside",
            Self::TooLong => "too-long",
            Self::CondaOnly => "conda-only",
            Self::Script => "script",
        }
    }
}

/// The reason in words that go on from the piece.
impl fmt::Display for UnreadReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Location => "it names a place, and only names come from your index; a name that stands in it counts",
            Self::Editable => "nothing is installed from a folder or a repository",
            Self::Index => "what is installed comes from your index alone",
            Self::Channel => "what is installed comes from your index, not from a channel",
            Self::Option => "a repository does not say how the installer works",
            Self::Variable => "what it names is only known when something runs",
            Self::Unreadable => "it cannot be read",
            Self::MissingFile => "there is no such file in the repository",
            Self::Outside => "it leads out of the repository",
            Self::TooLong => "it is more than what is read",
            Self::CondaOnly => "the index has no such distribution",
            Self::Script => "it is a script, which is not run",
        })
    }
}
