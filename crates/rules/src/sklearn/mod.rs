//! What changed in scikit-learn.

mod boston;
mod bounds;
mod columns;
mod data;
mod digits;
mod fitted;
mod grids;
mod inspection;
mod metrics;
mod mixture;
mod modules;
mod parameters;
mod paths;
mod positions;
mod splitters;
mod subclasses;
mod told;

use crate::rule::Rule;

/// Splitters and mixtures come before the modules that they moved out of.
pub(crate) static TABLES: &[&[Rule]] = &[
    splitters::RULES,
    bounds::RULES,
    columns::RULES,
    told::RULES,
    subclasses::RULES,
    parameters::RULES,
    paths::RULES,
    metrics::RULES,
    boston::RULES,
    digits::RULES,
    fitted::RULES,
    grids::RULES,
    positions::RULES,
    data::RULES,
    mixture::RULES,
    modules::RULES,
    inspection::RULES,
];
