//! The document: reads nbformat 3 and 4 leniently with typed quirks, writes 4.5, renders to and parses from percent cells.
//!
//! Parts: [`read()`] takes bytes and tells what it had to forgive, [`read_code()`] takes the code alone and fast,
//! [`write()`] gives the file that the reference writer would give, [`renewed()`] a file with new outputs alone, [`percent`] is the plain-text form that patches are
//! made of, [`language()`] says what the code is. Nothing here touches the disk.

mod document;
mod facts;
mod feedback;
mod json;
mod language;
mod nesting;
pub mod percent;
mod python_version;
mod quirk;
mod read;
mod renewed;
mod valid;
mod write;

pub use document::{Cell, CellKind, Notebook, Output};
pub use facts::{CellFacts, MissingAttribute, NamedValue};
pub use feedback::{CellFeedback, first_line};
pub use json::parse_lenient;
pub use language::{Language, language, python_major_hint, python_release_hint, python_version_hint};
pub use nesting::{DEEPEST_HTML, is_nested_deeply};
pub use python_version::{NotAPythonVersion, PythonVersion};
pub use quirk::Quirk;
pub use read::{ReadError, Reading, read, read_code};
pub use renewed::{NotRenewed, renewed};
pub use write::write;

/// The longest notebook that is read from a file, in bytes: those with pictures have some ten megabytes.
pub const LONGEST_FILE: u64 = 512 << 20;
