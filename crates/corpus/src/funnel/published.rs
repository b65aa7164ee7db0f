//! What the paper says of its own funnel, from the table `[funnel]` of `published.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::StepName;

/// The counts that the paper prints, digits as printed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedFunnel {
    /// The section that prints them.
    pub section: String,
    /// What was counted.
    pub population: String,
    /// Versions left after a step; the paper does not print all of them.
    pub after: BTreeMap<StepName, String>,
}

/// Why the paper's counts cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PublishedFunnelError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not valid.
    #[error("{path} is not a valid list of published numbers: {message}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where they are known.
        message: String,
    },
}

impl PublishedFunnel {
    /// Reads the table `[funnel]` of a `published.toml`; `None` when the file has none. The rest of the file is not looked at.
    ///
    /// # Errors
    /// When the file is unreadable or no TOML, or the table has unknown keys or steps.
    pub fn load(path: &Path) -> Result<Option<Self>, PublishedFunnelError> {
        #[derive(Deserialize)]
        struct File {
            funnel: Option<PublishedFunnel>,
        }
        let text = nbrevive_files::read_text(path, crate::LONGEST_LIST)
            .map_err(|error| PublishedFunnelError::Unreadable { path: path.to_owned(), source: error.into() })?;
        let file: File = toml::from_str(&text)
            .map_err(|error| PublishedFunnelError::Invalid { path: path.to_owned(), message: error.to_string() })?;
        Ok(file.funnel)
    }
}
