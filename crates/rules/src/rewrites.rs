//! What a rule is and does: rows of the catalogue, changes, and the sorts of rewrites that tables describe.

pub(crate) mod change;
pub(crate) mod keywords;
pub(crate) mod methods;
pub(crate) mod moves;
pub(crate) mod positional;
pub(crate) mod rule;
pub(crate) mod stand_ins;
