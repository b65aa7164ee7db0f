//! What can go wrong with the dump.

use std::io;
use std::path::PathBuf;

use super::tables::DumpTable;
use crate::raw::RawError;
use crate::records::Slug;

/// The dump cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is missing that nothing goes without.
    #[error(
        "{} holds no {table}.csv (or .csv.zip, .csv.gz), which tells {tells}; download it from the data set kaggle/meta-kaggle",
        folder.display()
    )]
    NoTable {
        /// The dump's folder.
        folder: PathBuf,
        /// The table.
        table: DumpTable,
        /// What it is needed for.
        tells: &'static str,
    },
    /// A column is missing that nothing goes without.
    #[error("{} has no column {column}, which tells {tells}; is it from the data set kaggle/meta-kaggle?", path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
        /// What it is needed for.
        tells: &'static str,
    },
    /// The plan names a competition that the dump does not hold.
    #[error("the dump holds no competition `{slug}`; see the column Slug of Competitions.csv")]
    NoCompetition {
        /// Its name.
        slug: Slug,
    },
    /// The raw store cannot be used.
    #[error(transparent)]
    Raw(#[from] RawError),
}
