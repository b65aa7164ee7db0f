//! Files that a report writes: each appears whole or not at all.

use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, Folder, make_folder, write_beside_inputs};

/// Why a file of the report cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {source}")]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

/// What [`crate::render`] wrote.
#[derive(Debug)]
pub struct Rendered {
    /// The files, in the order in which they were written.
    pub files: Vec<PathBuf>,
    /// The tables of the paper as plain text for a terminal.
    pub text: String,
}

/// A file with its content, not yet written.
pub(crate) struct Product {
    name: String,
    content: Vec<u8>,
}

impl Product {
    /// A file at `name` below the output folder.
    pub(crate) fn new(name: String, content: Vec<u8>) -> Self {
        Product { name, content }
    }

    /// A text file.
    pub(crate) fn text(name: String, text: String) -> Self {
        Product::new(name, text.into_bytes())
    }

    /// Writes the file below `folder`, whole or not at all, and in the place of none of the `inputs`.
    pub(crate) fn write(&self, folder: &Path, inputs: &[PathBuf]) -> Result<PathBuf, OutputError> {
        let path = folder.join(&self.name);
        let failed = |error: FileError| OutputError { path: path.clone(), source: error.into() };
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let parent = path.parent().unwrap_or(folder);
        let written = make_folder(parent).and_then(|()| write_beside_inputs(&path, &self.content, &inputs));
        written.map_err(failed)?;
        Ok(path)
    }
}

/// What a report is made from, which no file of it may replace.
pub(crate) fn input_files(data: &Path, published: Option<&Path>) -> Vec<PathBuf> {
    let folder = |path: &Path| {
        let entries = Folder::open(path).and_then(|folder| folder.entries()).unwrap_or_default();
        entries.into_iter().map(|entry| path.join(entry.name)).collect::<Vec<_>>()
    };
    // Published numbers may be a file, too.
    let published = published.into_iter().flat_map(|path| [vec![path.to_owned()], folder(path)].concat());
    folder(data).into_iter().chain(published).collect()
}

/// Bytes of CSV that are kept before they are put with the rest.
const WRITTEN_AT_ONCE: usize = 1 << 20;

/// Rows as CSV text. Cells that a spreadsheet would take for a formula begin with an apostrophe: names come from outside.
#[must_use]
pub fn csv_text(rows: impl Iterator<Item = Vec<String>>) -> String {
    // Whenever it is full, the writer looks for a quote in all that is left of a field.
    let mut writer = csv::WriterBuilder::new().buffer_capacity(WRITTEN_AT_ONCE).from_writer(Vec::new());
    for mut row in rows {
        row.iter_mut().filter(|cell| is_formula(cell)).for_each(|cell| cell.insert(0, '\''));
        writer.write_record(&row).expect("writing into memory does not fail");
    }
    let bytes = writer.into_inner().expect("writing into memory does not fail");
    String::from_utf8(bytes).expect("text in, text out")
}

/// Whether a spreadsheet would compute with a cell (OWASP, "CSV Injection"); numbers with a sign, and a sign alone, are what they are.
fn is_formula(cell: &str) -> bool {
    match cell.bytes().next() {
        Some(b'=' | b'@' | b'\t' | b'\r') => true,
        Some(b'+' | b'-') => cell.len() > 1 && cell.parse::<f64>().is_err(),
        _ => false,
    }
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_cell_is_no_formula() {
        let cells = ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "-0.5", "+1e3", "-", "a=b", ""];
        let text = csv_text([cells.map(str::to_owned).into()].into_iter());
        assert_eq!(text, "'=1+1,'@SUM(A1),'+cmd|' /C calc'!A0,'-2+3,'\t=1,-0.5,+1e3,-,a=b,\n");
    }

    #[test]
    fn nothing_but_a_file_of_its_own_name_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("mine"), "mine").unwrap();
        std::fs::create_dir(path("tables")).unwrap();
        symlink("../mine", path("tables/link.md")).unwrap();
        make_pipe(&path("tables/pipe.md"));
        let write = |name: &str| Product::text(format!("tables/{name}"), "ours".to_owned()).write(folder.path(), &[]);
        for name in ["link.md", "pipe.md"] {
            assert!(write(name).unwrap_err().to_string().contains("only a regular file is replaced"), "{name}");
        }
        write("new.md").unwrap();
        assert_eq!(std::fs::read_to_string(path("mine")).unwrap(), "mine");
        assert_eq!(std::fs::read_dir(path("tables")).unwrap().count(), 3, "nothing half written stays");
    }

    #[test]
    fn an_input_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        std::fs::write(data.join("outcomes.parquet"), "rows").unwrap();
        std::fs::hard_link(data.join("outcomes.parquet"), folder.path().join("report.html")).unwrap();
        let error =
            Product::text("report.html".to_owned(), "page".to_owned()).write(folder.path(), &input_files(&data, None));
        assert!(error.unwrap_err().to_string().contains("it is the file that is read"));
        assert_eq!(std::fs::read_to_string(data.join("outcomes.parquet")).unwrap(), "rows");
    }

    fn make_pipe(path: &Path) {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }
}
