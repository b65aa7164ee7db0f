//! The file of one host.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::clock::until;
use super::manners::Manners;
use crate::lock::wait_for_lock;

/// Longest silence that a file can ask for: a clock that once went wrong must not stop us for years.
const LONGEST_SILENCE: Duration = Duration::from_secs(24 * 3600);

/// What the processes share about one host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Shared {
    /// Tokens when last counted; below nothing when requests are already promised.
    tokens: f64,
    /// When they were counted.
    counted: Timestamp,
    /// Nobody asks before.
    not_before: Timestamp,
}

impl Shared {
    /// A host that nobody has asked yet.
    fn fresh() -> Self {
        Self { tokens: 1e12, counted: Timestamp::UNIX_EPOCH, not_before: Timestamp::UNIX_EPOCH }
    }

    fn fill(&mut self, now: Timestamp, manners: &Manners) {
        let burst = f64::from(manners.burst.max(1));
        let gained = until(self.counted, now).as_secs_f64() * rate(manners);
        self.tokens = (self.tokens + gained).min(burst);
        self.counted = now;
    }

    /// How long to wait now. A token, where one is needed, is not taken yet.
    pub(super) fn wait(&mut self, now: Timestamp, manners: &Manners, needs_token: bool) -> Duration {
        let silence = until(now, self.not_before).min(LONGEST_SILENCE);
        if !needs_token {
            return silence;
        }
        self.fill(now, manners);
        let missing = (1.0 - self.tokens).max(0.0) / rate(manners);
        silence.max(Duration::try_from_secs_f64(missing).unwrap_or(Duration::MAX))
    }

    /// Takes a token, also one that is still to come: who asks next waits longer.
    pub(super) fn pay(&mut self, now: Timestamp, manners: &Manners) {
        self.fill(now, manners);
        self.tokens -= 1.0;
    }

    pub(super) fn hold_back(&mut self, until: Timestamp) {
        self.not_before = self.not_before.max(until);
    }
}

/// The rate, kept away from nothing.
fn rate(manners: &Manners) -> f64 {
    if manners.rate.is_finite() { manners.rate.max(1e-4) } else { 1e9 }
}

/// Reads, changes and writes the file under its lock.
pub(super) fn change<T>(path: &Path, change: impl FnOnce(&mut Shared) -> T) -> io::Result<T> {
    let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
    wait_for_lock(&file)?;
    let mut text = String::new();
    // A file that a killed process left half-written says nothing.
    let _ = file.read_to_string(&mut text);
    let mut shared = serde_json::from_str(&text).unwrap_or_else(|_| Shared::fresh());
    let result = change(&mut shared);
    let text = serde_json::to_vec(&shared)?;
    file.set_len(text.len() as u64)?;
    file.write_all_at(&text, 0)?;
    Ok(result)
}
