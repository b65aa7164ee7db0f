//! Pairs of outputs changed by rule, each classed as its rule says; and what outsiders wrote, which breaks nothing.

mod fuzz;
mod pairs;
mod properties;
mod resolutions;
