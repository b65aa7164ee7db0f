//! A folder with the dump's files, checked before anything long begins.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::DumpError;
use super::file::TableFile;
use super::tables::DumpTable;

/// Something that this dump does not tell, so that the fields that come from it are unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The table.
    pub table: DumpTable,
    /// The column, or `None` when the whole table is missing.
    pub column: Option<&'static str>,
    /// What stays unknown.
    pub tells: &'static str,
}

/// Meta Kaggle in a folder.
#[derive(Debug, Clone)]
pub struct Dump {
    folder: PathBuf,
    files: BTreeMap<DumpTable, TableFile>,
}

impl Dump {
    /// Finds the dump's files and checks their headers; nothing more is read. Files may be packed (`.csv.zip`, `.csv.gz`),
    /// which costs time in every run.
    ///
    /// # Errors
    /// [`DumpError`] when a file or column is missing that nothing goes without, or a file cannot be read.
    pub fn open(folder: &Path) -> Result<Self, DumpError> {
        let mut files = BTreeMap::new();
        for table in DumpTable::ALL.iter().copied() {
            match TableFile::find(folder, table)? {
                Some(file) => {
                    files.insert(table, file);
                }
                None if table.is_required() => {
                    return Err(DumpError::NoTable { folder: folder.to_owned(), table, tells: table.tells() });
                }
                None => {}
            }
        }
        Ok(Self { folder: folder.to_owned(), files })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What this dump does not tell: optional tables and columns that it has not.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gap> {
        let mut gaps = Vec::new();
        for table in DumpTable::ALL.iter().copied() {
            match self.files.get(&table) {
                Some(file) => gaps.extend(file.lacking().map(|column| Gap {
                    table,
                    column: Some(column.name),
                    tells: column.tells,
                })),
                None => gaps.push(Gap { table, column: None, tells: table.tells() }),
            }
        }
        gaps
    }

    /// The file of a table, if the dump has it.
    pub(super) fn file(&self, table: DumpTable) -> Option<&TableFile> {
        self.files.get(&table)
    }

    /// The file of a table that opening made sure of.
    pub(super) fn required(&self, table: DumpTable) -> Result<&TableFile, DumpError> {
        let missing = || DumpError::NoTable { folder: self.folder.clone(), table, tells: table.tells() };
        self.file(table).ok_or_else(missing)
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "{}.csv has no column {column}: it would tell {}", self.table, self.tells),
            None => write!(f, "there is no {}.csv: it would tell {}", self.table, self.tells),
        }
    }
}
