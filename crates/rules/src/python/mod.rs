//! What changed in Python itself: from 2 to 3, and in the standard library since.

mod builtins;
mod calls;
mod division;
mod files;
mod lazy;
mod library;
mod magics;
mod old_meaning;
mod old_numbers;
mod patterns;
mod recursion;
mod syntax;
mod tree;
mod whole;

use crate::rule::Rule;

pub(crate) use division::whole_numbers;

/// Those by which Python 3 can read what was written for Python 2.
pub(crate) static SPELLINGS: &[&[Rule]] = &[syntax::RULES, library::RULES, builtins::RULES, files::RULES];

/// Syntax first: other rules see only what parses.
pub(crate) static TABLES: &[&[Rule]] = &[
    syntax::RULES,
    magics::RULES,
    library::RULES,
    builtins::RULES,
    files::RULES,
    lazy::RULES,
    calls::RULES,
    division::RULES,
    old_meaning::RULES,
    old_numbers::RULES,
    patterns::RULES,
    recursion::RULES,
];
