//! The dataset: a store as parquet files that others can read without this program.
//!
//! A dataset is a folder that is new or old as a whole: one parquet file a table, `manifest.json` (rows and hashes), `croissant.json`
//! (metadata that machines read) and `README.md` (a card that people read).
//!
//! - [`schema`]: every table and column, from which the schema page, the metadata and the ids-only variant are made;
//! - [`page`]: the schema as a page for people;
//! - `table_file`, `row_groups`: rows in, a parquet file out, a group of rows at a time;
//! - `conform`: columns checked against the schema;
//! - `folder`: a folder that appears whole;
//! - `vouch`: what may be replaced by it;
//! - [`manifest`]: what a dataset holds, and whether it still does;
//! - [`croissant`] and [`card`]: what is told of it.

pub mod card;
pub(crate) mod conform;
pub mod croissant;
pub(crate) mod folder;
pub mod manifest;
pub mod page;
mod row_groups;
pub mod schema;
pub(crate) mod table_file;
mod vouch;

use serde::{Deserialize, Serialize};

pub use manifest::{Manifest, ManifestError};
pub use schema::{Schema, TableSchema};

/// The file in which a dataset says what it holds.
pub const MANIFEST: &str = "manifest.json";
/// The file with its metadata for machines.
pub const CROISSANT: &str = "croissant.json";
/// The file with its card for people.
pub const CARD: &str = "README.md";

/// How much of a study a dataset hands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Every column.
    #[default]
    Full,
    /// Ids, words of fixed lists, numbers and hashes: no code, no patch, no message, no title.
    IdsOnly,
}
