//! The words of a record, each with one spelling.

#![deny(clippy::wildcard_enum_match_arm)]

pub use nbrevive_corpus::funnel::{CodeKind, CodeLanguage};

nbrevive_corpus::string_enum! {
    /// How a version's run on Kaggle ended, as far as it did.
    pub enum RunStatus ("run status") {
        /// It ran to its end.
        Complete => "complete",
        /// It failed.
        Error => "error",
        /// Somebody stopped it.
        Cancelled => "cancelled",
        /// It was still running when it was looked at.
        Running => "running",
        /// It had not begun when it was looked at.
        Queued => "queued",
    }
}

nbrevive_corpus::string_enum! {
    /// What kind of thing a version reads.
    pub enum DataKind ("data source") {
        /// The files of a competition.
        Competition => "competition",
        /// A data set.
        Dataset => "dataset",
        /// The output of another notebook.
        Notebook => "notebook",
        /// A model.
        Model => "model",
    }
}

impl RunStatus {
    /// The status by the word of an API or page, in any case; `None` for words without a meaning here.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "complete" => Some(Self::Complete),
            "error" => Some(Self::Error),
            "cancelrequested" | "cancelacknowledged" | "cancel_requested" | "cancel_acknowledged" | "cancelled" => {
                Some(Self::Cancelled)
            }
            "running" => Some(Self::Running),
            "queued" | "newscript" | "new_script" => Some(Self::Queued),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_generations_mean_the_same() {
        assert_eq!(RunStatus::from_name("CANCEL_ACKNOWLEDGED"), RunStatus::from_name("cancelAcknowledged"));
    }
}
