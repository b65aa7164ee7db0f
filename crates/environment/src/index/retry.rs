//! Which failed requests are tried again, and how patiently.

use std::time::Duration;

pub use nbrevive_requests::Patience;
pub(crate) use nbrevive_requests::{chance, retry_after};

/// What an index gets: a person waits for it, so less patience than a miner has. Four tries, half a second doubled each time,
/// at most ten seconds, whatever the server asks for.
#[must_use]
pub fn patience() -> Patience {
    let longest = Duration::from_secs(10);
    Patience { attempts: 4, growth: 2.0, ceiling: longest, obedience: longest, ..Patience::default() }
}
