//! Pieces of install commands that are not carried out.

use std::fmt;

use serde::Serialize;

/// A piece of an install command that is not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPiece {
    /// The piece as written, an option with its value.
    pub piece: String,
    /// Why.
    pub why: InstallRefusal,
}

/// Why a piece of an install command is not carried out: all that is installed are names with version ranges, from the
/// user's own index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InstallRefusal {
    /// An address, a path, an archive, a repository.
    Location,
    /// No name with a version range.
    Unreadable,
    /// It depends on a variable, and so names nothing that is known before the run.
    Variable,
    /// A variable that is set for the installer.
    Setting,
    /// An option that says where from, where to or how, or that is not known.
    Option,
    /// A folder or repository that is to be installed as it lies there.
    Editable,
    /// A channel of conda.
    Channel,
    /// A file that is not beside the notebook, or cannot be read.
    File,
    /// More than a notebook may ask for.
    TooMany,
    /// A file on a host that is allowed, which could not be had from there.
    Unfetched,
}

impl InstallRefusal {
    /// The reason in one word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Location => "location",
            Self::Unreadable => "unreadable",
            Self::Variable => "variable",
            Self::Setting => "setting",
            Self::Option => "option",
            Self::Editable => "editable",
            Self::Channel => "channel",
            Self::File => "file",
            Self::TooMany => "too-many",
            Self::Unfetched => "unfetched",
        }
    }
}

/// The reason in words that go on from the piece.
impl fmt::Display for InstallRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Location => "it names a place, and only names with version ranges are installed, from your index",
            Self::Unreadable => "it is no name with a version range",
            Self::Variable => "it depends on a variable, so that what it names is not known before the run",
            Self::Setting => "a notebook sets nothing for the installer",
            Self::Option => "a notebook does not say from where, to where or how the installer works",
            Self::Editable => "nothing is installed from a folder or a repository",
            Self::Channel => "what is installed comes from your index, not from a channel",
            Self::File => "there is no such file beside the notebook",
            Self::TooMany => "a notebook may not ask for so much",
            Self::Unfetched => "its host did not give it, or not as what it says it is",
        })
    }
}
