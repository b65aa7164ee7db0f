//! Real kernels in real sandboxes.

mod antidotes;
mod execute;
mod facts;
#[path = "../../../sandbox/tests/it/image/mod.rs"]
mod image;
mod kernel;
mod old_figures;
mod trial;
