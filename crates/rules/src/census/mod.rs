//! What the census of the libraries' changes says of a notebook: which of its names are gone, when it can have been written, and what
//! stands in the place of a name that an error speaks of.

mod arguments;
mod mend;
mod span;
mod uses;

pub(crate) use mend::{mend, reason};
pub use span::{WrittenSpan, written_span};
pub use uses::{ApiUse, GoneUse, api_uses, gone_uses};

use crate::version::version_parts;

/// Whether an installed release is one without what a row says is gone. A row names the last patch of the minor version that lacks it.
#[must_use]
pub fn is_without(row: &nbrevive_census::ApiRow, installed: &str) -> bool {
    let minor = |version: &str| version_parts(version).into_iter().take(2).collect::<Vec<_>>();
    minor(installed) >= minor(&row.first_without)
}
