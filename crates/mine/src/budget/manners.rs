//! How politely a host is asked.

use std::time::Duration;

/// How politely a host is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manners {
    /// Requests a second. Default 1, as KGTorrent asked Kaggle, which publishes no limit.
    pub rate: f64,
    /// Requests that may follow each other at once after a rest. Default 1.
    pub burst: u32,
    /// Requests at the same time, over all processes. Default 1.
    pub concurrency: u32,
    /// Longest wait for one request, also when the server asks for more: beyond it the run stops and says until when.
    /// Default 15 min.
    pub longest_wait: Duration,
}

impl Default for Manners {
    fn default() -> Self {
        Self { rate: 1.0, burst: 1, concurrency: 1, longest_wait: Duration::from_secs(15 * 60) }
    }
}
