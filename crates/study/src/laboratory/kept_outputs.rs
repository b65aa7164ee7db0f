//! How much of the executed notebooks is kept: a study has a limit for all of them together, beyond which outputs are left out.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use nbrevive_notebook::{CellKind, Notebook};
use serde_json::Value;

/// The size of a store's executed notebooks, and what they may take.
#[derive(Debug)]
pub(crate) struct Kept {
    most: u64,
    bytes: AtomicU64,
}

impl Kept {
    /// Measures what lies in `executed`, all of which may take `most` bytes.
    pub(crate) fn measure(executed: &Path, most: u64) -> Self {
        let entries = std::fs::read_dir(executed).into_iter().flatten().flatten();
        let bytes = entries.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum();
        Kept { most, bytes: AtomicU64::new(bytes) }
    }

    /// A notebook as it is to be stored, and a note where its outputs were left out.
    pub(crate) fn text(&self, notebook: &Notebook) -> (String, Option<String>) {
        let whole = nbrevive_notebook::write(notebook);
        let before = self.bytes.fetch_add(whole.len() as u64, Ordering::Relaxed);
        let outputs = notebook.cells.iter().any(|cell| !cell.outputs().is_empty());
        if !outputs || before.saturating_add(whole.len() as u64) <= self.most {
            return (whole, None);
        }
        let note =
            format!("outputs left out: the executed notebooks of this store have reached {} MiB", self.most >> 20);
        let short = nbrevive_notebook::write(&without_outputs(notebook, &note));
        self.bytes.fetch_sub((whole.len() - short.len().min(whole.len())) as u64, Ordering::Relaxed);
        (short, Some(note))
    }
}

/// The notebook without what its cells put out; its metadata say why.
fn without_outputs(notebook: &Notebook, note: &str) -> Notebook {
    let mut notebook = notebook.clone();
    for cell in &mut notebook.cells {
        if let CellKind::Code { outputs, .. } = &mut cell.kind {
            outputs.clear();
        }
    }
    let provenance = notebook.metadata.entry("nbrevive").or_insert_with(|| Value::Object(serde_json::Map::new()));
    if let Value::Object(provenance) = provenance {
        provenance.insert("note".to_owned(), note.into());
    }
    notebook
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{Cell, Output};

    use super::*;

    fn notebook(printed: usize) -> Notebook {
        let mut cell = Cell::code("print('…')");
        if let CellKind::Code { outputs, .. } = &mut cell.kind {
            outputs.push(Output::Stream { name: "stdout".to_owned(), text: "x".repeat(printed) });
        }
        Notebook::from_cells(vec![cell])
    }

    #[test]
    fn outputs_are_left_out_once_the_study_has_its_share_and_the_file_says_so() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.ipynb"), "x".repeat(1 << 20)).unwrap();
        let kept = Kept::measure(folder.path(), 3 << 20);
        let (text, note) = kept.text(&notebook(1 << 20));
        assert!(note.is_none() && text.len() > 1 << 20);
        let (text, note) = kept.text(&notebook(2 << 20));
        assert!(text.len() < 4096 && note.is_some_and(|note| note.contains("3 MiB")));
        assert!(text.contains("outputs left out"));
        let (_, note) = kept.text(&notebook(1000));
        assert!(note.is_none(), "a small one fits");
        let full = Kept::measure(folder.path(), 0);
        assert!(full.text(&notebook(10)).1.is_some());
        assert!(
            full.text(&Notebook::from_cells(vec![Cell::code("x = 1")])).1.is_none(),
            "there is nothing to leave out"
        );
    }
}
