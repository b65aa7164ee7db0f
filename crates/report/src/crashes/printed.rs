//! Shares that a paper prints, beside ours.

use std::path::Path;

use nbrevive_corpus::{PublishedError, PublishedFiles};

use crate::number_words::NOTHING;

/// Published files, from which shares are taken as they are printed.
#[derive(Debug, Default)]
pub(super) struct PrintedShares(toml::Table);

impl PrintedShares {
    pub(super) fn read(path: &Path) -> Result<Self, PublishedError> {
        Ok(PrintedShares(PublishedFiles::read(path)?.parse()?))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is printed of a word for all crashes together; ranges stand there for what is not printed.
    pub(super) fn of(&self, table: &str, word: &str) -> String {
        let share = self.0.get(table).and_then(|table| table.get(word)).and_then(|row| row.get("all"));
        share.and_then(toml::Value::as_str).filter(|share| share.ends_with('%')).unwrap_or(NOTHING).to_owned()
    }
}
