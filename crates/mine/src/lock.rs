//! The lock of a file, which the system takes back from who dies.

use std::fs::File;
use std::io::{self, ErrorKind};

/// Waits for the exclusive lock of a file, also where a signal comes in between.
pub(crate) fn wait_for_lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
