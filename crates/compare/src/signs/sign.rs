//! What in code can make two runs differ.

use serde::Serialize;

/// A source of differences between runs, as code shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChanceSign {
    /// `random.*` of the standard library.
    Random,
    /// `uuid.*`.
    Uuid,
    /// `numpy.random.*`.
    NumpyRandom,
    /// `time.time` and its like.
    Time,
    /// `datetime.now` and its like.
    DatetimeNow,
    /// `os.environ`, `os.getenv`.
    Environ,
    /// A set whose order is used: iterated, listed or shown. Ours alone.
    SetOrder,
    /// Threads and processes that run beside each other. Ours alone.
    Threads,
}

impl ChanceSign {
    /// The paper's six (section 4.2), in its order, then ours.
    pub const ALL: [Self; 8] = [
        Self::Random,
        Self::Uuid,
        Self::NumpyRandom,
        Self::Time,
        Self::DatetimeNow,
        Self::Environ,
        Self::SetOrder,
        Self::Threads,
    ];

    /// Whether it is one of the paper's six.
    #[must_use]
    pub fn is_of_paper(self) -> bool {
        !matches!(self, Self::SetOrder | Self::Threads)
    }

    /// The word for it in rows and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Uuid => "uuid",
            Self::NumpyRandom => "numpy-random",
            Self::Time => "time",
            Self::DatetimeNow => "datetime-now",
            Self::Environ => "environ",
            Self::SetOrder => "set-order",
            Self::Threads => "threads",
        }
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
