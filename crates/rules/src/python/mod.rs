//! What changed in Python itself: from 2 to 3, and in the standard library since.

mod builtins;
mod calls;
mod division;
mod lazy;
mod library;
mod magics;
mod recursion;
mod syntax;
mod tree;

use crate::rule::Rule;

pub(crate) use division::whole_numbers;

/// Syntax first: other rules see only what parses.
pub(crate) static TABLES: &[&[Rule]] = &[
    syntax::RULES,
    magics::RULES,
    library::RULES,
    builtins::RULES,
    lazy::RULES,
    calls::RULES,
    division::RULES,
    recursion::RULES,
];
