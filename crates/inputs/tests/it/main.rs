//! Everything that needs more than one module: recipes of whole notebooks, their files in the sandbox, hostile code.

mod golden;
mod hostile;
mod kinds;
mod written;
