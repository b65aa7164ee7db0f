//! What code says: dialect (2 or 3), magics, imports, definitions and uses, patterns, span-true rewriting.
//!
//! Everything here works on the text of cells alone: nothing is executed, and a broken cell costs one cell.

pub mod dialect;
pub mod edits;
pub mod imports;
pub mod local;
pub mod magics;
pub mod names;
pub mod parse;
pub mod paths;
mod prompts;
mod readers;
pub mod requirements;
pub mod script;
pub mod survey;
pub mod unasked;

pub use ruff_python_ast as ast;
pub use ruff_text_size as text_size;
