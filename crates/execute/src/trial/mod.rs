//! Tries the imports of a notebook in its environment, in the sandbox, before any cell is run.
//!
//! An environment of the newest releases before a date is not always importable: statsmodels 0.9.0 does not import
//! beside scipy 1.3.0, though both fit June 2019. [`try_imports`] finds out, and [`clash`] reads from a traceback which
//! two distributions do not go together and which of them is younger: that one steps back.
//!
//! | file | purpose |
//! |---|---|
//! | `run.rs` | runs `data/try_imports.py` in the sandbox |
//! | `report.rs` | reads its reports, which are untrusted |
//! | `owners.rs` | which distribution a file or module belongs to |
//! | `clash.rs` | which two distributions clash |

mod clash;
mod owners;
mod report;
mod run;

pub use clash::{Clash, MissingModule, clash, missing};
pub use owners::Owners;
pub use run::{Trial, try_imports};

use nbrevive_notebook::first_line;
use serde::Serialize;

/// One import to try: `import module`, or `from module import names`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrialImport {
    /// The module, dotted.
    pub module: String,
    /// The names imported from it; empty for a plain import.
    pub names: Vec<String>,
}

/// How one import went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportResult {
    /// What was tried.
    pub import: TrialImport,
    /// How it went.
    pub outcome: ImportOutcome,
}

/// How an import went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It worked.
    Imported,
    /// It raised: the exception, and then those that led to it.
    Raised(Vec<Raised>),
    /// The process ended or ran out of time meanwhile; how, in words.
    Died(String),
    /// The process had ended before.
    NotTried,
}

/// One exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// Its type's name, such as `ImportError`.
    pub exception: String,
    /// Its message, at most 2000 characters.
    pub message: String,
    /// Its traceback, outermost call first, at most 60.
    pub frames: Vec<TraceFrame>,
}

/// One line of a traceback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceFrame {
    /// The file, as the code object names it.
    pub file: String,
    /// The line's text without blanks at its ends; empty where it is not known.
    pub line: String,
}

impl ImportResult {
    /// Whether it worked.
    #[must_use]
    pub fn is_imported(&self) -> bool {
        self.outcome == ImportOutcome::Imported
    }
}

impl std::fmt::Display for ImportOutcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Imported => formatter.write_str("imported"),
            Self::Raised(chain) => match chain.first() {
                Some(raised) => {
                    write!(formatter, "{}: {}", raised.exception, first_line(&raised.message))
                }
                None => formatter.write_str("raised"),
            },
            Self::Died(how) => formatter.write_str(how),
            Self::NotTried => formatter.write_str("not tried, for the process had ended"),
        }
    }
}
