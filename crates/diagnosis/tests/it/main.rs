//! Integration tests; see the modules.

mod fuzz;
