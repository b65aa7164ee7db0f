//! Runs of a study as others take them away: packed with all that they need, and run again from there.
//!
//! What a capsule holds, and where, is in `about`; `packing` gathers it from a store, `metadata` tells archives of it, `image` makes an image for containers of it, and `again` runs it
//! and compares. The archive itself is crate `capsule`'s.

pub(crate) mod about;
pub(crate) mod again;
pub(crate) mod image;
pub(crate) mod metadata;
pub(crate) mod packing;
