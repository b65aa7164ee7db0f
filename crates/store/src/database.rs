//! Whose a database is, asked before it is opened: a run writes into it, and may have been pointed at a folder of another program.

use std::io::Read as _;
use std::path::Path;

use nbrevive_model::unchanging;
use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;

/// What SQLite's header says of ours (`nbrv`); programs that were older left it at nought.
const APPLICATION_ID: i32 = 0x6e62_7276;

/// How every SQLite file begins (<https://www.sqlite.org/fileformat.html>).
const MAGIC: &[u8] = b"SQLite format 3\0";
/// Where in its header the program stands that a file is of, in four bytes.
const APPLICATION_AT: usize = 68;
const HEADER: usize = 100;

/// Tables that every store has, from its first migration on.
const OWN: [&str; 5] = ["migrations", "versions", "environments", "executions", "outcomes"];

/// What lies in the place of a store's database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing, or an empty file.
    Nothing,
    /// One of ours.
    Ours,
}

/// Looks whose a database is, without changing it or anything beside it. Asked before this process has the file open: to close it again
/// would give up SQLite's own locks.
///
/// # Errors
/// When it is somebody else's, no regular file, or cannot be read.
pub(crate) fn recognise(path: &Path) -> Result<Found, StoreError> {
    let foreign = |why: &str| StoreError::Foreign { path: path.to_owned(), why: why.to_owned() };
    let unreadable = |source| StoreError::Io { path: path.to_owned(), source };
    match path.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(unreadable(error)),
        Ok(found) if !found.is_file() => return Err(foreign("is no regular file")),
        Ok(found) if found.len() == 0 => return Ok(Found::Nothing),
        Ok(_) => {}
    }
    let file = nbrevive_files::open(path).map_err(|error| unreadable(error.into()))?;
    let mut header = Vec::new();
    file.take(HEADER as u64).read_to_end(&mut header).map_err(unreadable)?;
    if header.len() < HEADER || !header.starts_with(MAGIC) {
        return Err(foreign("is no database"));
    }
    let application = header[APPLICATION_AT..].first_chunk().copied().map(i32::from_be_bytes);
    match application {
        Some(APPLICATION_ID) => Ok(Found::Ours),
        Some(0) if is_known(path)? => Ok(Found::Ours),
        _ => Err(foreign("is a database of another program")),
    }
}

/// Notes in the header whose the database is.
pub(crate) fn sign(connection: &Connection) -> Result<(), rusqlite::Error> {
    let found: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if found == APPLICATION_ID { Ok(()) } else { connection.pragma_update(None, "application_id", APPLICATION_ID) }
}

/// Whether the tables are those of a store that has no mark, or that was killed before it had any.
fn is_known(path: &Path) -> Result<bool, StoreError> {
    let failed = |source| StoreError::Sqlite { path: path.to_owned(), source };
    // Nothing is made beside the file, and nothing waited for.
    let tables = match tables(&unchanging(path)) {
        Ok(tables) if !tables.is_empty() => tables,
        // What it has may still be in the log beside it.
        _ => tables_with_log(path).map_err(failed)?,
    };
    let begun = tables.iter().all(|table| table == OWN[0]);
    Ok(begun || OWN.iter().all(|own| tables.iter().any(|table| table == own)))
}

fn tables_with_log(path: &Path) -> Result<Vec<String>, rusqlite::Error> {
    let connection = nbrevive_model::ReadOnly::open(path, std::time::Duration::from_secs(5))?;
    names(&connection)
}

fn tables(name: &Path) -> Result<Vec<String>, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    names(&Connection::open_with_flags(name, flags)?)
}

fn names(connection: &Connection) -> Result<Vec<String>, rusqlite::Error> {
    let mut statement = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;
    use crate::Store;
    use crate::export::export;
    use crate::export::tests::{SETTINGS, studied};

    /// Everything in a folder, with its content.
    fn content(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut all: Vec<_> =
            entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap_or_default())).collect();
        all.sort();
        all
    }

    fn refused(folder: &Path) {
        let before = content(folder);
        for opened in [Store::open(folder), Store::open_read_only(folder)] {
            let error = opened.unwrap_err();
            assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
            assert!(error.to_string().contains("study.db") && error.to_string().contains("--store"), "{error}");
        }
        assert_eq!(content(folder), before);
    }

    #[test]
    fn a_database_of_another_program_stays_byte_for_byte() {
        let schemas = [
            "CREATE TABLE notes (text TEXT)",
            "PRAGMA application_id = 7; CREATE TABLE versions (x)",
            "PRAGMA journal_mode = WAL; CREATE TABLE migrations (id, name); CREATE TABLE users (name)",
        ];
        for schema in schemas {
            let folder = tempfile::tempdir().unwrap();
            Connection::open(folder.path().join("study.db")).unwrap().execute_batch(schema).unwrap();
            refused(folder.path());
        }
    }

    #[test]
    fn what_is_no_regular_file_is_no_store() {
        let folder = tempfile::tempdir().unwrap();
        let (path, elsewhere) = (folder.path().join("study.db"), tempfile::tempdir().unwrap());
        drop(Store::open(elsewhere.path()).unwrap());
        symlink(elsewhere.path().join("study.db"), &path).unwrap();
        refused(folder.path());
        std::fs::remove_file(&path).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        let error = Store::open(folder.path()).unwrap_err();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        refused(folder.path());
    }

    #[test]
    fn an_executed_notebook_lies_among_the_executed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        std::fs::write(folder.path().join("kept.ipynb"), "kept").unwrap();
        for name in ["../kept", "a/b", "/tmp/x", "a\0b"] {
            assert!(store.write_executed(name, "theirs").is_err(), "{name}");
        }
        for path in ["executed/../study.db", "../x", "study.db", "executed/"] {
            assert_eq!(store.executed(path), None, "{path}");
        }
        assert_eq!(std::fs::read_to_string(folder.path().join("kept.ipynb")).unwrap(), "kept");
    }

    #[test]
    fn a_store_of_an_older_program_is_known_by_its_tables() {
        let folder = tempfile::tempdir().unwrap();
        drop(studied(folder.path(), &["a-v1"]));
        let path = folder.path().join("store/study.db");
        Connection::open(&path).unwrap().pragma_update(None, "application_id", 0).unwrap();
        assert_eq!(recognise(&path).unwrap(), Found::Ours);
        drop(Store::open(&folder.path().join("store")).unwrap());
        let signed: i32 =
            Connection::open(&path).unwrap().pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
        assert_eq!(signed, APPLICATION_ID);
    }

    /// As root, permissions forbid nothing: the test runs itself again where the folder is mounted read-only.
    #[test]
    fn a_store_that_may_only_be_read_is_exported() {
        const PLACE: &str = "NBREVIVE_TEST_READ_ONLY";
        let out = tempfile::tempdir().unwrap();
        if let Some(place) = std::env::var_os(PLACE) {
            let place = Path::new(&place);
            assert!(std::fs::write(place.join("new"), "").is_err(), "the folder can be written");
            let store = Store::open_read_only(place).unwrap();
            assert!(export(&store, &out.path().join("data"), &SETTINGS).unwrap().ran);
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("store");
        drop(studied(folder.path(), &["a-v1"]));
        let test = "database::attacks::a_store_that_may_only_be_read_is_exported";
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("unshare");
            let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";
            command.args(["-m", "sh", "-c", script]).arg(&place).arg(std::env::current_exe().unwrap());
            command
        } else {
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o555)).unwrap();
            Command::new(std::env::current_exe().unwrap())
        };
        let output = command.args([test, "--exact", "--nocapture"]).env(PLACE, &place).output().unwrap();
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!place.join("study.db-shm").exists());
    }
}
