//! What changed in pandas.

mod append;
mod assignment;
mod containers;
mod copy_on_write;
mod dates;
mod dtype;
mod filling;
mod frequencies;
mod group_rows;
mod groups;
mod indexing;
mod ix;
mod keyword_table;
mod method_table;
mod nuisance;
mod numeric_only;
mod numpy_functions;
mod read_only;
mod reading;
mod reshape;
mod silent;
mod times;

use crate::rule::Rule;

/// Indexing first, since other rules look at `.loc`; assignments after copy-on-write has made them direct.
pub(crate) static TABLES: &[&[Rule]] = &[
    ix::RULES,
    indexing::RULES,
    append::RULES,
    method_table::RULES,
    keyword_table::RULES,
    reading::RULES,
    containers::RULES,
    reshape::RULES,
    groups::RULES,
    group_rows::RULES,
    frequencies::RULES,
    dates::RULES,
    times::RULES,
    numpy_functions::RULES,
    numeric_only::RULES,
    nuisance::RULES,
    dtype::RULES,
    copy_on_write::RULES,
    read_only::RULES,
    silent::RULES,
    filling::RULES,
    assignment::RULES,
];
