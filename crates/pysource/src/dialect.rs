//! Python 2 or 3, and the lowest minor that the syntax needs.
//!
//! A strong marker is syntax that the other major rejects; a weak one is a name or module that only Python 2 has but
//! that Python 3 parses. The rule: strong markers decide by the number of cells that show them, the tie going to
//! Python 2; without strong markers weak ones mean Python 2; without any it is Python 3.
//!
//! Why cells are counted: a strong marker makes its cell fail under the other major, and nothing else. One `print x`
//! that failed when the author ran it must not turn a notebook full of f-strings into Python 2.

pub use crate::readers::dialect::{Dialect, DialectMarker, Major, Sign};
use crate::survey::survey;

/// What the code cells of a notebook say.
#[must_use]
pub fn dialect(cells: &[&str]) -> Dialect {
    survey(cells).dialect
}
