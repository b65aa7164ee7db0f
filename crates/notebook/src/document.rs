//! The notebook as it lives in memory: one shape, whatever version the file had.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// A notebook in the shape of nbformat 4.5.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notebook {
    /// The cells in file order; the sheets of an nbformat 3 file stand one after the other.
    pub cells: Vec<Cell>,
    /// The notebook's metadata with every key of the file, known or not.
    pub metadata: Map<String, Value>,
    /// Version and minor version as read; [`crate::write()`] always writes 4.5.
    pub nbformat: (u32, u32),
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The cell's id, unique and well-formed when it came through [`crate::read()`]; `None` where the file had none.
    pub id: Option<String>,
    /// The cell's metadata; keys that the file held outside of it by mistake are found here too.
    pub metadata: Map<String, Value>,
    /// The whole text, lines joined; line ends are those of the file.
    pub source: String,
    /// What kind of cell it is, with what only that kind has.
    pub kind: CellKind,
}

/// The kind of a cell and the fields of that kind.
#[derive(Clone, Debug, PartialEq)]
pub enum CellKind {
    /// Code with what it printed.
    Code {
        /// The counter of its last execution, `None` when it never ran.
        execution_count: Option<u64>,
        /// The outputs of its last execution.
        outputs: Vec<Output>,
    },
    /// Text to render.
    Markdown {
        /// Pictures and the like by file name, as mime bundles.
        attachments: Option<Value>,
    },
    /// Text for converters.
    Raw {
        /// As for markdown.
        attachments: Option<Value>,
    },
}

/// One output of a code cell. Texts are joined; mime bundles hold strings or, for JSON types, any value.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Text on stdout or stderr.
    Stream {
        /// `stdout` or `stderr`.
        name: String,
        /// The text, joined.
        text: String,
    },
    /// Something shown.
    DisplayData {
        /// Mime bundle.
        data: Map<String, Value>,
        /// Metadata by mime type.
        metadata: Map<String, Value>,
    },
    /// The value of the cell's last expression.
    ExecuteResult {
        /// The counter shown beside it.
        execution_count: Option<u64>,
        /// Mime bundle.
        data: Map<String, Value>,
        /// Metadata by mime type.
        metadata: Map<String, Value>,
    },
    /// An exception that ended the cell.
    Error {
        /// The exception's class name.
        ename: String,
        /// The exception's message.
        evalue: String,
        /// The traceback's lines, with colour codes.
        traceback: Vec<String>,
    },
}

impl Cell {
    /// A code cell that never ran, without id and metadata.
    #[must_use]
    pub fn code(source: impl Into<String>) -> Self {
        let kind = CellKind::Code { execution_count: None, outputs: Vec::new() };
        Self { id: None, metadata: Map::new(), source: source.into(), kind }
    }

    /// A markdown cell without id, metadata and attachments.
    #[must_use]
    pub fn markdown(source: impl Into<String>) -> Self {
        let kind = CellKind::Markdown { attachments: None };
        Self { id: None, metadata: Map::new(), source: source.into(), kind }
    }

    /// A raw cell without id, metadata and attachments.
    #[must_use]
    pub fn raw(source: impl Into<String>) -> Self {
        let kind = CellKind::Raw { attachments: None };
        Self { id: None, metadata: Map::new(), source: source.into(), kind }
    }

    /// Whether this is a code cell.
    #[must_use]
    pub fn is_code(&self) -> bool {
        matches!(self.kind, CellKind::Code { .. })
    }

    /// The counter of its last execution; none for one that never ran, and for cells that are not code.
    #[must_use]
    pub const fn execution_count(&self) -> Option<u64> {
        match self.kind {
            CellKind::Code { execution_count, .. } => execution_count,
            CellKind::Markdown { .. } | CellKind::Raw { .. } => None,
        }
    }

    /// The outputs; empty for cells that are not code.
    #[must_use]
    pub fn outputs(&self) -> &[Output] {
        match &self.kind {
            CellKind::Code { outputs, .. } => outputs,
            CellKind::Markdown { .. } | CellKind::Raw { .. } => &[],
        }
    }

    /// Forgets outputs and execution count.
    pub fn clear_outputs(&mut self) {
        if let CellKind::Code { execution_count, outputs } = &mut self.kind {
            *execution_count = None;
            outputs.clear();
        }
    }

    /// Whether the cell's metadata carries `tag`, for example `raises-exception` or `skip-execution`. One text of several tags, which
    /// is saved as a list of them, counts as that list.
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        match self.metadata.get("tags") {
            Some(Value::Array(tags)) => tags.iter().any(|one| one.as_str() == Some(tag)),
            Some(Value::String(tags)) => tags.split(',').any(|one| one.trim() == tag),
            _ => false,
        }
    }
}

impl Notebook {
    /// A notebook in format 4.5 with these cells and no metadata.
    #[must_use]
    pub fn from_cells(cells: Vec<Cell>) -> Self {
        Self { cells, metadata: Map::new(), nbformat: (4, 5) }
    }

    /// The code cells in order, each with its index in [`Notebook::cells`].
    pub fn code_cells(&self) -> impl Iterator<Item = (usize, &Cell)> {
        self.cells.iter().enumerate().filter(|(_, cell)| cell.is_code())
    }

    /// The indices of the code cells in [`Notebook::cells`], in order: an analysis of the code counts by places in this list.
    #[must_use]
    pub fn code_places(&self) -> Vec<usize> {
        self.code_cells().map(|(index, _)| index).collect()
    }

    /// The sources of the code cells in order: what the analyses of `pysource` take.
    #[must_use]
    pub fn code_sources(&self) -> Vec<&str> {
        self.code_cells().map(|(_, cell)| cell.source.as_str()).collect()
    }

    /// Gives every cell whose id is missing, malformed or used before the id `cell-N`, N being its position from 1
    /// (`cell-N-2` and so on should that be taken): the same notebook always gets the same ids.
    pub fn assign_ids(&mut self) {
        let mut taken = HashSet::new();
        for cell in &mut self.cells {
            cell.id = cell.id.take().filter(|id| is_valid_id(id) && taken.insert(id.clone()));
        }
        for (index, cell) in self.cells.iter_mut().enumerate() {
            if cell.id.is_none() {
                cell.id = Some(free_id(index + 1, &mut taken));
            }
        }
    }
}

fn free_id(position: usize, taken: &mut HashSet<String>) -> String {
    let mut id = format!("cell-{position}");
    let mut attempt = 2;
    while !taken.insert(id.clone()) {
        id = format!("cell-{position}-{attempt}");
        attempt += 1;
    }
    id
}

/// nbformat 4.5: 1 to 64 letters, digits, hyphens and underscores.
pub(crate) fn is_valid_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_given_once_and_always_the_same() {
        let mut notebook =
            Notebook::from_cells(vec![Cell::code("a"), Cell::code("b"), Cell::code("c"), Cell::code("d")]);
        notebook.cells[1].id = Some("cell-1".to_owned());
        notebook.cells[2].id = Some("cell-1".to_owned());
        notebook.cells[3].id = Some("not valid".to_owned());
        let mut again = notebook.clone();
        notebook.assign_ids();
        again.assign_ids();
        let ids: Vec<_> = notebook.cells.iter().filter_map(|cell| cell.id.as_deref()).collect();
        assert_eq!(ids, ["cell-1-2", "cell-1", "cell-3", "cell-4"]);
        assert_eq!(notebook, again);
    }

    #[test]
    fn tags_are_found() {
        let mut cell = Cell::code("1/0");
        assert!(!cell.has_tag("raises-exception"));
        cell.metadata.insert("tags".to_owned(), serde_json::json!(["x", "raises-exception"]));
        assert!(cell.has_tag("raises-exception"));
        cell.metadata.insert("tags".to_owned(), "x, raises-exception".into());
        assert!(cell.has_tag("raises-exception") && !cell.has_tag("raises"));
    }
}
