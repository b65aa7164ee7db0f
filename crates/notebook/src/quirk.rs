//! What the reader forgave.

use std::fmt;

/// One departure from the format that [`crate::read()`] repaired. Cells are counted from 0 in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// The file began with a byte order mark.
    ByteOrderMark,
    /// `NaN`, `Infinity` or a number beyond the range of a double stood where JSON has no such number; now `null`.
    NonFiniteNumbers(usize),
    /// Halves of surrogate pairs in strings; now U+FFFD.
    LoneSurrogates(usize),
    /// Control characters that JSON wants escaped inside strings; kept.
    RawControlCharacters(usize),
    /// `nbformat` was missing or no number; the shape of the file told the version.
    VersionGuessed,
    /// A format 4 file with a minor above 5, the newest known.
    NewerMinor(u32),
    /// A format 3 file (or one of its shape) was brought to the shape of format 4.
    UpgradedFrom3,
    /// More than one worksheet; their cells stand one after the other.
    Worksheets(usize),
    /// The notebook's metadata was missing or no object.
    NotebookMetadataMissing,
    /// A cell that was not an object was left out.
    CellNotObject(usize),
    /// A cell type unknown to the format; the cell was read by what it holds.
    UnknownCellType {
        /// The cell.
        cell: usize,
        /// The type as written, empty when there was none.
        found: String,
    },
    /// The cell's metadata was missing or no object.
    CellMetadataMissing(usize),
    /// The cell's source was missing or null; now empty.
    SourceMissing(usize),
    /// The cell's source held something that is not text; left out, and kept whole among the metadata.
    SourceNotText(usize),
    /// A code cell without outputs.
    OutputsMissing(usize),
    /// An id that the format forbids or that an earlier cell has; dropped.
    UnusableId {
        /// The cell.
        cell: usize,
        /// The id as written.
        found: String,
    },
    /// A key that does not belong there was moved into the metadata.
    MisplacedKey {
        /// The cell, or `None` for the notebook itself.
        cell: Option<usize>,
        /// The key.
        key: String,
    },
    /// An output that could not be read was left out.
    UnreadableOutput {
        /// The cell.
        cell: usize,
        /// The output type as written, empty when there was none.
        found: String,
    },
    /// A key of an output that has no place in the format was left out.
    UnknownOutputKey {
        /// The cell.
        cell: usize,
        /// The key.
        key: String,
    },
}

impl fmt::Display for Quirk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByteOrderMark => write!(f, "byte order mark at the start"),
            Self::NonFiniteNumbers(count) => write!(f, "{count} numbers that JSON does not know became null"),
            Self::LoneSurrogates(count) => write!(f, "{count} lone surrogates became U+FFFD"),
            Self::RawControlCharacters(count) => write!(f, "{count} unescaped control characters in strings"),
            Self::VersionGuessed => write!(f, "no format version, taken from the file's shape"),
            Self::NewerMinor(minor) => write!(f, "format 4.{minor} is newer than 4.5, read as 4.5"),
            Self::UpgradedFrom3 => write!(f, "upgraded from format 3"),
            Self::Worksheets(count) => write!(f, "{count} worksheets joined"),
            Self::NotebookMetadataMissing => write!(f, "the notebook has no metadata"),
            Self::CellNotObject(cell) => write!(f, "cell {cell} is no object, left out"),
            Self::UnknownCellType { cell, found } => write!(f, "cell {cell} has the unknown type `{found}`"),
            Self::CellMetadataMissing(cell) => write!(f, "cell {cell} has no metadata"),
            Self::SourceMissing(cell) => write!(f, "cell {cell} has no source"),
            Self::SourceNotText(cell) => write!(f, "cell {cell} has a source that is not text"),
            Self::OutputsMissing(cell) => write!(f, "cell {cell} is code without outputs"),
            Self::UnusableId { cell, found } => write!(f, "cell {cell} has the unusable id `{found}`"),
            Self::MisplacedKey { cell: Some(cell), key } => write!(f, "cell {cell}: key `{key}` moved into metadata"),
            Self::MisplacedKey { cell: None, key } => write!(f, "key `{key}` moved into the notebook's metadata"),
            Self::UnreadableOutput { cell, found } => write!(f, "cell {cell}: output of type `{found}` left out"),
            Self::UnknownOutputKey { cell, key } => write!(f, "cell {cell}: key `{key}` of an output left out"),
        }
    }
}
