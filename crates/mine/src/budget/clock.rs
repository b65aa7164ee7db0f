//! The clock that the budget reads and sleeps by.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// The system's clock, or one that tests move by hand.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The system's.
    #[default]
    System,
    /// One that stands still until somebody sleeps by it. Clones share it.
    Manual(Arc<Mutex<Timestamp>>),
}

impl Clock {
    /// A clock by hand that shows this time.
    #[must_use]
    pub fn manual(start: Timestamp) -> Self {
        Self::Manual(Arc::new(Mutex::new(start)))
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Manual(time) => *time.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Waits; a clock by hand goes forward at once.
    pub fn sleep(&self, time: Duration) {
        match self {
            Self::System => std::thread::sleep(time),
            Self::Manual(now) => {
                let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
                *now = after(*now, time);
            }
        }
    }
}

/// That long after a time, or the end of all time.
pub(crate) fn after(time: Timestamp, wait: Duration) -> Timestamp {
    let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
    time.saturating_add(wait).unwrap_or(Timestamp::MAX)
}

/// How long it is from one time to a later one; nothing when it is past.
pub(crate) fn until(now: Timestamp, then: Timestamp) -> Duration {
    Duration::try_from(then.duration_since(now)).unwrap_or_default()
}
