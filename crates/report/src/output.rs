//! Files that a report writes: each appears whole or not at all.

use std::path::{Path, PathBuf};

use crate::tables::Grid;

/// Why a file of the report cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {source}")]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

/// A file with its content, not yet written.
pub(crate) struct Product {
    name: String,
    content: Vec<u8>,
    /// The table that it lays out, for the page.
    grid: Option<Grid>,
}

impl Product {
    /// A file at `name` below the output folder.
    pub(crate) fn new(name: String, content: Vec<u8>) -> Self {
        Product { name, content, grid: None }
    }

    /// A text file.
    pub(crate) fn text(name: String, text: String) -> Self {
        Product::new(name, text.into_bytes())
    }

    /// A file of which the page shows the table, too.
    pub(crate) fn of_table(name: String, text: String, grid: Grid) -> Self {
        Product { grid: Some(grid), ..Product::text(name, text) }
    }

    /// The name of the table that it lays out (`table1`), and the table.
    pub(crate) fn table(&self) -> Option<(&str, &Grid)> {
        let name = Path::new(&self.name).file_stem()?.to_str()?;
        Some((name, self.grid.as_ref()?))
    }

    /// Writes the file below `folder`, first under another name, so that no reader meets half of it.
    pub(crate) fn write(&self, folder: &Path) -> Result<PathBuf, OutputError> {
        let path = folder.join(&self.name);
        let failed = |source| OutputError { path: path.clone(), source };
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(failed)?;
        let partial = path.with_added_extension(format!("{}.partial", std::process::id()));
        let written = std::fs::write(&partial, &self.content).and_then(|()| std::fs::rename(&partial, &path));
        if written.is_err() {
            // The first error is the one to report, whatever becomes of the remains.
            let _ = std::fs::remove_file(&partial);
        }
        written.map_err(failed)?;
        Ok(path)
    }
}

/// Rows as CSV text.
pub(crate) fn csv_text(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).expect("writing into memory does not fail");
    }
    let bytes = writer.into_inner().expect("writing into memory does not fail");
    String::from_utf8(bytes).expect("text in, text out")
}
