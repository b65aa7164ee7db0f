//! What is wrong with the notebook itself, not with a library: names that are used before they are bound, imports that
//! are missing or that nothing needs, paths that lead elsewhere.

mod addresses;
mod definitions;
mod failing;
mod folders;
mod imports;
mod paths;
mod unused;

use crate::rule::Rule;

pub(crate) use paths::is_nowhere;

pub(crate) static TABLES: &[&[Rule]] = &[
    definitions::RULES,
    imports::RULES,
    folders::RULES,
    addresses::RULES,
    paths::RULES,
    unused::RULES,
    failing::RULES,
];

/// The name that a `NameError` misses.
fn missing_name(message: &str) -> Option<&str> {
    crate::signature::captures("name '*' is not defined", message)?.first().copied()
}
