//! What changed in scikit-learn.

mod boston;
mod bounds;
mod data;
mod fitted;
mod grids;
mod inspection;
mod metrics;
mod mixture;
mod modules;
mod normalize;
mod parameters;
mod positions;
mod splitters;
mod told;

use crate::rule::Rule;

/// Splitters and mixtures come before the modules that they moved out of.
pub(crate) static TABLES: &[&[Rule]] = &[
    splitters::RULES,
    bounds::RULES,
    told::RULES,
    parameters::RULES,
    normalize::RULES,
    metrics::RULES,
    boston::RULES,
    fitted::RULES,
    grids::RULES,
    positions::RULES,
    data::RULES,
    mixture::RULES,
    modules::RULES,
    inspection::RULES,
];
