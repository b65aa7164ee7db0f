//! What the census of the libraries' changes says of a notebook: which of its names are gone, when it can have been written, and what
//! stands in the place of a name that an error speaks of.

mod arguments;
mod mend;
mod span;
mod uses;

pub(crate) use mend::{mend, reason};
pub use span::{WrittenSpan, written_span};
pub use uses::{ApiUse, GoneUse, api_uses, gone_uses};
