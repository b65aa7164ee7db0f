//! What threads share.

use std::sync::{LockResult, PoisonError};

/// What a lock guards, also after a thread panicked that held it: one panic is told once, and not by every thread that comes after.
///
/// ```
/// let count = std::sync::Mutex::new(1);
/// *nbrevive_files::unpoisoned(count.lock()) += 1;
/// assert_eq!(nbrevive_files::unpoisoned(count.into_inner()), 2);
/// ```
pub fn unpoisoned<Guard>(locked: LockResult<Guard>) -> Guard {
    locked.unwrap_or_else(PoisonError::into_inner)
}
