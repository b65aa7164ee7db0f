//! A small version of `make chaos`: whatever happens to a run, the next one ends with the rows of a run that nobody disturbed.

#[path = "../support/mod.rs"]
mod support;

mod disk;
mod kills;
mod study;
