//! What numbers of chance are drawn for.

/// What a stream of numbers is drawn for: streams of different purposes share nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Competition = 1,
    User,
    Team,
    Outline,
    Parent,
    Kernel,
    Version,
    Source,
    Dataset,
    Fault,
    Secret,
    Shuffle,
}

impl From<Purpose> for u64 {
    fn from(purpose: Purpose) -> Self {
        purpose as u64
    }
}
