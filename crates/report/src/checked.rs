//! What came of checking a repository, for who was not there: one HTML page, and the JUnit file that continuous integration reads.
//!
//! What notebooks show is hostile. The page holds no script, and a policy in its head forbids any, and every request. Text is escaped;
//! HTML is taken apart and written anew from its words and tables ([`nbrevive_compare::html_parts`]); a picture is shown when it could be
//! decoded, a drawing as a picture, in which browsers run nothing and fetch nothing. Time and length are bounded, and what is left out is
//! said.
//!
//! Parts:
//! - `page`, `cell`, `output`, `table`, `passage`, `picture`: the page, from the outside in;
//! - `junit`: the JUnit file.

mod cell;
mod junit;
mod output;
mod page;
mod passage;
mod picture;
mod table;

use nbrevive_compare::{Agreement, ComparedNotebook};
use nbrevive_corpus::string_enum;
use nbrevive_notebook::Notebook;

pub use junit::{JunitCase, JunitEnd, JunitSuite};
pub use page::{CheckPage, PageHead};

string_enum! {
    /// What came of one notebook, in a word.
    pub enum CheckVerdict ("verdict") {
        /// All that can be compared is as it was saved.
        Holds => "ok",
        /// The same, and cells raise what was saved as their error.
        RaisesAgain => "reraises",
        /// Cells show something else.
        Differs => "differs",
        /// Cells raise what was not saved.
        Raises => "raises",
        /// It ran out of time.
        TimedOut => "timeout",
        /// Its kernel died, or could not start.
        Died => "dies",
        /// There was nothing to run.
        Skipped => "skipped",
    }
}

impl CheckVerdict {
    /// Whether a job that checks may go on.
    #[must_use]
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Holds | Self::RaisesAgain | Self::Skipped)
    }
}

/// A notebook that was checked.
#[derive(Debug, Clone, Copy)]
pub struct CheckedNotebook<'run> {
    /// Its path in the repository.
    pub path: &'run str,
    /// What came of it.
    pub verdict: CheckVerdict,
    /// The same in words, on one line.
    pub told: &'run str,
    /// How long its cells ran, in seconds.
    pub seconds: f64,
    /// Saved and new; `None` where nothing ran.
    pub run: Option<ComparedRun<'run>>,
}

/// A saved notebook beside a new run of it.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRun<'run> {
    /// As it was saved.
    pub saved: &'run Notebook,
    /// As it came out.
    pub new: &'run Notebook,
    /// Cell by cell.
    pub compared: &'run ComparedNotebook,
    /// The cells, from 0, that raise what was not saved.
    pub raising: &'run [usize],
    /// How alike outputs have to be.
    pub level: Agreement,
}

impl<'run> ComparedRun<'run> {
    /// The cells that are not as saved, each with why.
    fn differing(&self) -> impl Iterator<Item = (&'run nbrevive_compare::ComparedCell, String)> {
        let Self { compared, raising, level, .. } = *self;
        compared.cells.iter().filter_map(move |cell| {
            let differs = cell.differs_at(level);
            if !differs && !raising.contains(&cell.index) {
                return None;
            }
            let why = cell.comparison.difference.as_ref().map(ToString::to_string);
            Some((cell, why.unwrap_or_else(|| "it raises what was not saved".to_owned())))
        })
    }
}

#[cfg(test)]
mod tests;
