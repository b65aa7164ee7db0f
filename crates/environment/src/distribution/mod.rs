//! From an imported module to the distribution that provides it.
//!
//! In order:
//! 1. relative imports and files beside the notebook need none, nor does the standard library of the chosen minor,
//!    nor what the kernel brings;
//! 2. modules known to have no distribution are told with their reason;
//! 3. a table of names with dates (`data/import_names.csv`, longest dotted prefix valid at the date);
//! 4. the distribution of the module's own name, but only if the name is none that people give their own files, and
//!    a file of the date says that it contains the module;
//! 5. else the import stays unresolved, with its reason and candidates. Nothing is ever guessed.
//!
//! | file | purpose |
//! |---|---|
//! | `names.rs` | the table of import names |
//! | `standard.rs` | the standard library by minor |
//! | `generic.rs` | names that people give their own files |
//! | `contents.rs` | what files of the date say they contain |
//! | `unresolved.rs`, `candidates.rs` | why there is none, and what was perhaps meant |
//! | `module_versions.rs` | modules that came or went inside a distribution: hints |

mod candidates;
mod contents;
mod generic;
mod module_versions;
mod names;
mod standard;
mod unresolved;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::Date;
use nbrevive_notebook::PythonVersion;
use serde::Serialize;

use crate::index::{Index, IndexError};
use crate::table::rows;
use crate::versions::normalise;

pub use module_versions::{VersionHint, version_hint};
pub use standard::is_standard;
pub use unresolved::{CandidateReason, DistributionCandidate, UnresolvedImport, UnresolvedReason};

/// Where and when a module is imported.
#[derive(Debug, Clone, Copy)]
pub struct ImportContext<'names> {
    /// The chosen minor, whose standard library needs no distribution.
    pub minor: PythonVersion,
    /// The submission: only what was there before counts.
    pub date: Timestamp,
    /// Top-level names of the files and folders beside the notebook, which Python finds before all others.
    pub local: &'names [String],
}

/// What an imported module needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportProvider {
    /// Nothing, for a reason.
    Nothing(Skip),
    /// A distribution, by its normalised name.
    Distribution {
        /// Normalised name.
        name: String,
        /// How the name was found.
        how: NameSource,
    },
    /// No distribution is known.
    Unresolved(UnresolvedImport),
}

/// Why an import needs no distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// Part of the standard library of the chosen minor.
    StandardLibrary,
    /// Relative, or of a file beside the notebook.
    Local,
    /// The kernel brings it (`IPython`, `ipykernel`).
    Kernel,
}

/// How a distribution's name was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameSource {
    /// The table of import names.
    #[serde(rename_all = "kebab-case")]
    Table {
        /// The UTC day from which on the name stands for this distribution; `None` if it always did.
        valid_from: Option<Date>,
        /// The UTC day from which on it stands for another one; `None` if it still does.
        valid_until: Option<Date>,
        /// Where the pair can be checked.
        source: &'static str,
    },
    /// A file of the distribution of the module's own name says that it contains the module.
    Contents {
        /// The file's name on the index.
        file: String,
    },
}

impl fmt::Display for NameSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { valid_from, valid_until, source } => {
                formatter.write_str("table of import names")?;
                if let Some(day) = valid_from {
                    write!(formatter, ", from {day}")?;
                }
                if let Some(day) = valid_until {
                    write!(formatter, ", until {day}")?;
                }
                write!(formatter, " ({source})")
            }
            Self::Contents { file } => write!(formatter, "contents of {file}"),
        }
    }
}

static UNAVAILABLE: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| rows(include_str!("../../data/unavailable.csv"), 2).map(|row| (row[0], row[1])).collect());

/// Modules that come with the kernel layer and never need the environment.
const KERNEL_MODULES: [&str; 2] = ["IPython", "ipykernel"];

fn top_level(module: &str) -> &str {
    module.split('.').next().unwrap_or(module)
}

/// The dotted prefixes of a module, itself first.
fn prefixes(module: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(module), |longer| longer.rsplit_once('.').map(|(shorter, _)| shorter))
}

/// What the tables alone say of a module; `None` where the index has to be asked.
#[must_use]
pub fn from_tables(module: &str, context: &ImportContext<'_>) -> Option<ImportProvider> {
    let top = top_level(module);
    if top.is_empty() || context.local.iter().any(|local| local == top) {
        return Some(ImportProvider::Nothing(Skip::Local));
    }
    if is_standard(module, context.minor) {
        return Some(ImportProvider::Nothing(Skip::StandardLibrary));
    }
    if KERNEL_MODULES.contains(&top) {
        return Some(ImportProvider::Nothing(Skip::Kernel));
    }
    let unresolved = |reason| Some(ImportProvider::Unresolved(UnresolvedImport::new(reason, module)));
    if let Some(why) = prefixes(module).find_map(|prefix| UNAVAILABLE.get(prefix)) {
        return unresolved(UnresolvedReason::Unavailable(why));
    }
    if let Some(row) = names::at(module, context.date) {
        return Some(ImportProvider::Distribution { name: normalise(row.distribution), how: row.how() });
    }
    // `cPickle` on Python 3 fails in the notebook as it should: a distribution of that name is another thing.
    if standard::in_some_minor(top) {
        return unresolved(UnresolvedReason::OtherMinor);
    }
    generic::reason(top).and_then(|why| unresolved(UnresolvedReason::GenericName(why)))
}

/// Whether the table of import names has a module by its top level, at whatever date.
pub(crate) fn is_in_table(top: &str) -> bool {
    !names::ever(top).is_empty()
}

/// Whether any minor has a top-level module in its standard library.
pub(crate) fn is_ever_standard(top: &str) -> bool {
    standard::in_some_minor(top)
}

/// What a module needs, the index asked where the tables do not know.
///
/// # Errors
/// [`IndexError`] when the index had to be asked and gave no answer. A file that is gone, or not kept while offline,
/// leaves the import unresolved instead.
pub fn provider(module: &str, context: &ImportContext<'_>, index: &Index) -> Result<ImportProvider, IndexError> {
    match from_tables(module, context) {
        Some(known) => Ok(known),
        None => contents::provider(module, context.date, index),
    }
}

#[cfg(test)]
mod tests;
