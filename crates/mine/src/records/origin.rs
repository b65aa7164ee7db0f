//! Where records were read from.

use serde::{Deserialize, Serialize};

use crate::content_hash::ContentHash;
use crate::source::MiningSource;

/// Where a record was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The source.
    pub source: MiningSource,
    /// The natural key of the request: the same in every run and on every server, without address and secrets.
    pub request: String,
    /// The bytes that were parsed, as the raw store names them.
    pub raw: ContentHash,
}
