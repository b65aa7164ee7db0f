//! Texts by what they say: what Python prints, prose, reprs and arrays.

mod compare;
mod lexer;
pub(crate) mod renamed;
mod tolerance;
mod tree;

pub(crate) use compare::same_text;
pub use tolerance::Tolerance;
pub(crate) use tree::{Node, Placed, key_and_value, tree};
