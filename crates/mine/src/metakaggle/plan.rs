//! What is wanted of the dump.

use super::scores::ScoreChoice;
use crate::records::Slug;

/// What is wanted of the dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpPlan {
    /// Which versions. Default: all.
    pub scope: DumpScope,
    /// Which of several submissions gives a version's score. Default: the first.
    pub score: ScoreChoice,
}

/// Which versions are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DumpScope {
    /// Every version, also those that read no competition.
    Everything,
    /// Versions that read one of these competitions.
    Competitions(Vec<Slug>),
}

impl Default for DumpPlan {
    fn default() -> Self {
        Self { scope: DumpScope::Everything, score: ScoreChoice::First }
    }
}
