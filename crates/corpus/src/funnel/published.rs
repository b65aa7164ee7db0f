//! What the paper says of its own funnel, from the table `[funnel]` of published numbers.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::StepName;
use crate::{PublishedError, PublishedFiles};

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

impl PublishedFunnel {
    /// Reads the table `[funnel]` of published numbers; `None` when they have none. The rest of them is not looked at.
    ///
    /// # Errors
    /// When a file is unreadable or no TOML, or the table has unknown keys or steps.
    pub fn load(path: &Path) -> Result<Option<Self>, PublishedError> {
        #[derive(Deserialize)]
        struct Numbers {
            funnel: Option<PublishedFunnel>,
        }
        Ok(PublishedFiles::read(path)?.parse::<Numbers>()?.funnel)
    }
}
