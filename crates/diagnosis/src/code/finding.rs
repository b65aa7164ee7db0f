//! One finding in a notebook's code.

use std::fmt;

use nbrevive_pysource::names::{MissingName, Obstacle, ObstacleKind};
use serde::Serialize;

/// Something in the code that keeps it from running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeFinding {
    /// The code cell, from 0; that which defines the function, where it is in one.
    pub cell: usize,
    /// Line in the cell, from 1.
    pub line: u32,
    /// How certain it is that the notebook fails there when it is run from the top.
    #[serde(flatten)]
    pub certainty: Certainty,
    /// The code cell whose calls lead there, where it is in a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_by: Option<usize>,
    /// What it is.
    #[serde(flatten)]
    pub kind: FoundKind,
}

/// How certain a finding is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "certainty")]
pub enum Certainty {
    /// The cell raises the error whenever it comes that far.
    Sure,
    /// In a branch, a loop or a `try`, or in a function that may not be called.
    Possible,
    /// Something before may have defined the name without being seen to.
    Unknown {
        /// What it is.
        unless: Obstacle,
    },
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum FoundKind {
    /// The cell is Python 2.
    #[serde(rename = "python-2")]
    Python2 {
        /// The sign of it.
        why: String,
    },
    /// The cell is not indented as Python wants it.
    Indentation {
        /// What the parser says.
        why: String,
    },
    /// The cell is no Python.
    Syntax {
        /// What the parser says.
        why: String,
    },
    /// A name is looked up that is defined later: in a later cell, or further down in this one.
    DefinedLater {
        /// The name.
        name: String,
        /// The first code cell that defines it, from 0.
        defined_cell: usize,
        /// Line in that cell, from 1.
        defined_line: u32,
    },
    /// A name is looked up that is not there, and no later cell defines it.
    Undefined {
        /// The name.
        name: String,
        /// The code cell and the line that deleted it before.
        #[serde(skip_serializing_if = "Option::is_none")]
        deleted: Option<(usize, u32)>,
    },
}

impl CodeFinding {
    pub(super) fn of_missing(missing: MissingName) -> Self {
        let MissingName { name, cell, line, called_by, is_sure, defined, deleted, unless, .. } = missing;
        let certainty = match (unless, is_sure) {
            (Some(unless), _) => Certainty::Unknown { unless },
            (None, true) => Certainty::Sure,
            (None, false) => Certainty::Possible,
        };
        // A function's body looks its names up when the cell that calls it runs.
        let looked_up = (called_by.unwrap_or(cell), if called_by.is_some_and(|by| by != cell) { 0 } else { line });
        let kind = match defined.filter(|defined| *defined > looked_up) {
            Some((defined_cell, defined_line)) => FoundKind::DefinedLater { name, defined_cell, defined_line },
            None => FoundKind::Undefined { name, deleted },
        };
        Self { cell, line, certainty, called_by: called_by.filter(|by| *by != cell), kind }
    }
}

impl fmt::Display for CodeFinding {
    /// What it is, without its place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FoundKind::Python2 { why } => write!(f, "Python 2: {why}")?,
            FoundKind::Indentation { why } | FoundKind::Syntax { why } => f.write_str(why)?,
            FoundKind::DefinedLater { name, defined_cell, defined_line } => {
                write!(
                    f,
                    "`{name}` is looked up before code cell {}, line {defined_line}, defines it",
                    defined_cell + 1
                )?;
            }
            FoundKind::Undefined { name, deleted: None } => write!(f, "`{name}` is defined nowhere before")?,
            FoundKind::Undefined { name, deleted: Some((cell, line)) } => {
                write!(f, "`{name}` was deleted in code cell {}, line {line}", cell + 1)?;
            }
        }
        if let Some(by) = self.called_by {
            write!(f, ", in a function that code cell {} runs", by + 1)?;
        }
        match &self.certainty {
            Certainty::Sure => Ok(()),
            Certainty::Possible => f.write_str(" (if it comes there)"),
            Certainty::Unknown { unless } => {
                let Obstacle { cell, line, what } = unless;
                let place = format!("code cell {}, line {line}", cell + 1);
                match what {
                    ObstacleKind::Unknown(cause) => write!(f, " (unless `{cause}` in {place} does)"),
                    ObstacleKind::Unreadable => write!(f, " (unless {place}, which cannot be read, was meant to)"),
                    ObstacleKind::TooManyCalls => write!(f, " (calls were followed no further than {place})"),
                }
            }
        }
    }
}
