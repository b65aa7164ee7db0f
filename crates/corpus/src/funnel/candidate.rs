//! What is known of one version when it comes to the funnel.

use super::{CodeKind, CodeLanguage};

/// The facts of one version that the steps ask for; each is `None` where no source tells it.
///
/// A few words in size and `Copy`: a dump has millions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FunnelCandidate {
    /// Whether it belongs to a competition of the study.
    pub in_competition: Option<bool>,
    /// Whether it is a copy of another notebook that was not changed ("Copied from notebook").
    pub copied: Option<bool>,
    /// Whether it has no code.
    pub empty: Option<bool>,
    /// Whether its run on Kaggle ended well.
    pub ran: Option<bool>,
    /// Its score on Kaggle, chosen by [`TargetScore`](super::TargetScore). No source says "it has none": a version without a score
    /// is one of which no score is known.
    pub score: Option<f64>,
    /// Seconds that its run on Kaggle took.
    pub run_seconds: Option<f64>,
    /// Its language by what the source says of it.
    pub language: Option<CodeLanguage>,
    /// Its language by its code; see [`Content`](super::Content).
    pub content_language: Option<CodeLanguage>,
    /// Cells or one text.
    pub kind: Option<CodeKind>,
    /// Whether it reads anything beyond its competition's data: a data set, the output of a notebook, a model, another competition.
    pub external_data: Option<bool>,
}
