//! One budget of requests for each host, shared by all threads and all processes of this user.
//!
//! A host has a bucket of tokens that fills at a steady rate, a time before which nobody asks (set when the server
//! says that it has enough), and as many slots as requests may run at once. Bucket and time lie in a file that is
//! changed under `flock`; a slot is a `flock` held while a request runs, so that a killed process gives it back.
//!
//! | file in the folder | content |
//! |---|---|
//! | `<host>.budget` | tokens, when they were counted, and the time before which nobody asks |
//! | `<host>.slot-<n>` | empty: its lock is the slot |
//!
//! | file | purpose |
//! |---|---|
//! | `clock.rs` | the clock, movable by hand for tests |
//! | `manners.rs` | how politely it is asked |
//! | `shared.rs` | the file of a host |

mod clock;
mod manners;
mod shared;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use clock::Clock;
pub use manners::Manners;
pub use nbrevive_requests::Patience;

pub(crate) use clock::{after, until};
pub(crate) use nbrevive_requests::{chance, retry_after};

use shared::Shared;

/// How often a free slot is looked for.
const LOOK: Duration = Duration::from_millis(10);

/// The budget of every host.
#[derive(Debug, Clone)]
pub struct Budget {
    folder: PathBuf,
    manners: Manners,
    clock: Clock,
}

/// No request may be made now.
#[derive(Debug, thiserror::Error)]
pub enum BudgetError {
    /// The wait would be longer than allowed.
    #[error("{host} has to be left alone for another {} s, more than the {} s that a request may wait; run again later", wait.as_secs(), allowed.as_secs())]
    TooLong {
        /// The host.
        host: String,
        /// The wait that would be needed.
        wait: Duration,
        /// The wait that is allowed.
        allowed: Duration,
    },
    /// The file of the host cannot be used.
    #[error("cannot use the request budget in {}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Leave to make one request; the slot is given back when this is dropped.
#[derive(Debug)]
pub struct RequestPermit {
    _slot: File,
    /// How long it took to get it.
    pub waited: Duration,
}

impl Budget {
    /// The budgets that lie in a folder. Processes that name the same folder share them.
    ///
    /// # Errors
    /// [`BudgetError::File`] when the folder cannot be made.
    pub fn open(folder: &Path, manners: Manners, clock: Clock) -> Result<Self, BudgetError> {
        fs::create_dir_all(folder).map_err(|source| BudgetError::File { path: folder.to_owned(), source })?;
        Ok(Self { folder: folder.to_owned(), manners, clock })
    }

    /// The same budgets with other manners.
    #[must_use]
    pub fn with_manners(&self, manners: Manners) -> Self {
        Self { manners, ..self.clone() }
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The manners.
    #[must_use]
    pub fn manners(&self) -> &Manners {
        &self.manners
    }

    /// Waits until a request to the host may be made.
    ///
    /// # Errors
    /// [`BudgetError::TooLong`] when that would take too long, [`BudgetError::File`] when the files cannot be used.
    pub fn acquire(&self, host: &str) -> Result<RequestPermit, BudgetError> {
        let start = self.clock.now();
        let slot = self.slot(host)?;
        let mut paid = false;
        loop {
            let now = self.clock.now();
            let wait = self.change(host, |shared| {
                let wait = shared.wait(now, &self.manners, !paid);
                if !paid && wait <= self.manners.longest_wait {
                    shared.pay(now, &self.manners);
                    paid = true;
                }
                wait
            })?;
            let waited = until(start, now);
            if wait.saturating_add(waited) > self.manners.longest_wait && !wait.is_zero() {
                return Err(BudgetError::TooLong { host: host.into(), wait, allowed: self.manners.longest_wait });
            }
            if wait.is_zero() {
                return Ok(RequestPermit { _slot: slot, waited });
            }
            self.clock.sleep(wait);
        }
    }

    /// Leaves the host alone for a while: everybody, in every process.
    ///
    /// # Errors
    /// [`BudgetError::File`] when the file cannot be used.
    pub fn hold_back(&self, host: &str, pause: Duration) -> Result<(), BudgetError> {
        let until = after(self.clock.now(), pause);
        self.change(host, |shared| shared.hold_back(until))
    }

    fn path(&self, host: &str, ending: &str) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') { c } else { '_' };
        self.folder.join(format!("h-{}.{ending}", host.chars().map(plain).take(120).collect::<String>()))
    }

    fn change<T>(&self, host: &str, change: impl FnOnce(&mut Shared) -> T) -> Result<T, BudgetError> {
        let path = self.path(host, "budget");
        shared::change(&path, change).map_err(|source| BudgetError::File { path, source })
    }

    fn slot(&self, host: &str) -> Result<File, BudgetError> {
        let start = Instant::now();
        loop {
            for number in 0..self.manners.concurrency.max(1) {
                let path = self.path(host, &format!("slot-{number}"));
                let slot = take(&path).map_err(|source| BudgetError::File { path, source })?;
                if let Some(slot) = slot {
                    return Ok(slot);
                }
            }
            let waited = start.elapsed();
            if waited > self.manners.longest_wait {
                let allowed = self.manners.longest_wait;
                return Err(BudgetError::TooLong { host: host.into(), wait: LOOK, allowed });
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// The slot, unless somebody holds it.
fn take(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests;
