//! A small version of `make chaos`: whatever happens to a run, the next one ends with the rows of a run that nobody disturbed.

mod disk;
mod kills;
mod study;
