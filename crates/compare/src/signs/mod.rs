//! Static signs that two runs of a notebook may differ.

mod names;
mod resolved;
mod sign;
mod written;

pub use resolved::{chance_signs, chance_signs_in_any_order};
pub use sign::{ChanceSign, FoundSign};
pub use written::signs_of_paper;
