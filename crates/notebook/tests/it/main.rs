//! Notebooks that nobody wrote by hand: what is read of them, and what is written.

mod fuzz;
mod properties;
