//! What in code can make two runs differ.

use nbrevive_spelling::string_enum;
use serde::Serialize;

string_enum! {
    /// A source of differences between runs, as code shows it.
    pub enum ChanceSign ("sign of chance") {
        /// `random.*` of the standard library.
        Random => "random",
        /// `uuid.*`.
        Uuid => "uuid",
        /// `numpy.random.*`.
        NumpyRandom => "numpy-random",
        /// `time.time` and its like.
        Time => "time",
        /// `datetime.now` and its like.
        DatetimeNow => "datetime-now",
        /// `os.environ`, `os.getenv`.
        Environ => "environ",
        /// A set whose order is used: iterated, listed or shown. Ours alone.
        SetOrder => "set-order",
        /// Threads and processes that run beside each other. Ours alone.
        Threads => "threads",
    }
}

/// A sign and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundSign {
    /// What it is.
    pub sign: ChanceSign,
    /// Index into the cells given.
    pub cell: usize,
    /// Line of the cell, from 1.
    pub line: u32,
    /// The name that gives it away, in full: `numpy.random.rand`.
    pub name: String,
    /// Whether a seed was set for it in this cell or one before, by the same module. Then runs are expected to agree.
    pub is_seeded: bool,
}
