//! Integration tests; see the modules.

mod fuzz;
mod own;
