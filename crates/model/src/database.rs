//! Reads a SQLite file of ours where nothing may be written: a mount that is read-only, a folder of somebody else.
//!
//! Our files are in WAL mode, and even to read one SQLite makes two files beside it. Where it cannot, the file is read as one that does
//! not change, which holds as long as nobody may write there. What a killed run left in the log beside it would be missed: then both are
//! copied to where they can be read together.

use std::ffi::OsString;
use std::io;
use std::ops::Deref;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;

/// A database that is only read.
#[derive(Debug)]
pub struct ReadOnly {
    connection: Connection,
    copy: Option<TempDir>,
}

impl ReadOnly {
    /// Opens a file; a run may be writing to it meanwhile. `busy` is how long a statement waits for that run.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn open(path: &Path, busy: Duration) -> Result<Self, rusqlite::Error> {
        let here = |connection| Self { connection, copy: None };
        let refused = match opened(path, OpenFlags::empty(), busy) {
            Ok(connection) => return Ok(here(connection)),
            Err(error) => error,
        };
        if !matches!(refused.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) {
            return Err(refused);
        }
        let log = beside(path, "-wal");
        if log.metadata().map_or(0, |log| log.len()) == 0 {
            return opened(&unchanging(path), OpenFlags::SQLITE_OPEN_URI, busy).map(here);
        }
        let copy = copied(path, &log).map_err(|_| refused)?;
        let connection = opened(&copy.path().join("copy"), OpenFlags::empty(), busy)?;
        Ok(Self { connection, copy: Some(copy) })
    }

    /// The connection, and the folder that has to stay as long as it does.
    #[must_use]
    pub fn into_parts(self) -> (Connection, Option<TempDir>) {
        (self.connection, self.copy)
    }
}

impl Deref for ReadOnly {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// A connection that has read something: not before does SQLite look for the files beside.
fn opened(path: &Path, more: OpenFlags, busy: Duration) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags | more)?;
    connection.busy_timeout(busy)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// The name under which SQLite takes a file as one that does not change (<https://www.sqlite.org/uri.html>).
#[must_use]
pub fn unchanging(path: &Path) -> PathBuf {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => name.push(char::from(*byte)),
            other => name.push_str(&format!("%{other:02x}")),
        }
    }
    PathBuf::from(name + "?immutable=1")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

fn copied(path: &Path, log: &Path) -> io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    for (from, to) in [(path, "copy"), (log, "copy-wal")] {
        let mut output = nbrevive_files::OutgoingFile::begin(&folder.path().join(to))?;
        io::copy(&mut nbrevive_files::open(from)?, &mut output)?;
        output.commit()?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_name_whatever_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50%3f? #é.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
        let opened = opened(&unchanging(&path), OpenFlags::SQLITE_OPEN_URI, Duration::ZERO).unwrap();
        assert!(opened.execute("DELETE FROM t", []).is_err(), "it is only read");
    }

    #[test]
    fn what_is_in_the_log_is_read_from_acopy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (7)").unwrap();
        let copy = copied(&path, &beside(&path, "-wal")).unwrap();
        let read = opened(&copy.path().join("copy"), OpenFlags::empty(), Duration::ZERO).unwrap();
        assert_eq!(read.query_row("SELECT x FROM t", [], |row| row.get::<_, i64>(0)).unwrap(), 7);
    }
}
