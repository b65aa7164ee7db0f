//! Opening a store: the folder, the lock, the connection.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nbrevive_model::ReadOnly;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use tempfile::TempDir;

use crate::database::{self, Found};
use crate::error::{StoreError, failed};
use crate::migrations;
use crate::schema::of_row;

/// The file of the database.
pub(crate) const DATABASE: &str = "study.db";

/// How long a statement waits for another process that is writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// An open store. Dropping it releases the lock.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) folder: PathBuf,
    _lock: Option<File>,
    /// Where the database had to be copied to be read.
    _copy: Option<TempDir>,
}

impl Store {
    /// Opens the store in `folder` for writing, creating and migrating it as needed.
    ///
    /// # Errors
    /// When the folder cannot be written, another run holds the store, or its database is damaged or newer.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let io = |source| StoreError::Io { path: folder.to_owned(), source };
        // Before anything of ours is put beside what may be somebody else's.
        database::recognise(&folder.join(DATABASE))?;
        std::fs::create_dir_all(folder.join("executed")).map_err(io)?;
        let lock = lock(folder)?;
        remove_partial_files(folder);
        let connection = Connection::open(folder.join(DATABASE));
        let mut store = Store::with(folder, connection, Some(lock))?;
        store.configure().map_err(|source| store.error(source))?;
        migrations::run(folder, &mut store.connection)?;
        Ok(store)
    }

    /// Opens an existing store for reading only; a run may be writing to it meanwhile.
    ///
    /// # Errors
    /// When there is no store in `folder` or it cannot be read.
    pub fn open_read_only(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(DATABASE);
        if database::recognise(&path)? == Found::Nothing {
            let source =
                std::io::Error::new(std::io::ErrorKind::NotFound, "no store here, run `nbrevive study run` first");
            return Err(StoreError::Io { path, source });
        }
        Store::reader(folder)
    }

    /// A connection more to a store that is known as one.
    fn reader(folder: &Path) -> Result<Self, StoreError> {
        let opened = ReadOnly::open(&folder.join(DATABASE), BUSY_TIMEOUT).map_err(|source| failed(folder, source))?;
        let (connection, copy) = opened.into_parts();
        let store = Store::with(folder, Ok(connection), None)?;
        Ok(Store { _copy: copy, ..store })
    }

    fn with(
        folder: &Path,
        connection: Result<Connection, rusqlite::Error>,
        lock: Option<File>,
    ) -> Result<Self, StoreError> {
        let path = folder.to_owned();
        let connection = connection.map_err(|source| failed(folder, source))?;
        let prepared = connection.busy_timeout(BUSY_TIMEOUT).and_then(|()| {
            // A statement is planned once, and not again for each value that is bound to it.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        });
        prepared.map_err(|source| failed(folder, source))?;
        Ok(Store { connection, folder: path, _lock: lock, _copy: None })
    }

    fn configure(&self) -> Result<(), rusqlite::Error> {
        database::sign(&self.connection)?;
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        self.connection.pragma_update(None, "foreign_keys", true)
    }

    /// The store's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts `text` into `executed/` under `name`, whole or not at all, and returns its path below the store's folder.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_executed(&self, name: &str, text: &str) -> Result<String, StoreError> {
        let relative = format!("executed/{name}.ipynb");
        let path = self.executed(&relative).ok_or_else(|| StoreError::Io {
            path: self.folder.join(&relative),
            source: std::io::Error::new(std::io::ErrorKind::InvalidInput, "this is no name of a file in `executed`"),
        })?;
        nbrevive_files::write(&path, text).map_err(|error| match std::io::Error::from(error) {
            source if source.kind() == std::io::ErrorKind::StorageFull => {
                StoreError::DiskFull { path: self.folder.clone() }
            }
            source => StoreError::Io { path, source },
        })?;
        Ok(relative)
    }

    /// Where an executed notebook lies, by its path below the store's folder; none for a path that leads elsewhere. Names are made of those
    /// of notebooks, and rows may be another's.
    #[must_use]
    pub fn executed(&self, relative: &str) -> Option<PathBuf> {
        let name = relative.strip_prefix("executed/").filter(|name| !name.is_empty() && !name.contains('/'))?;
        (!name.contains('\0') && name != "..").then(|| self.folder.join(relative))
    }

    /// Writes the database as one file of its own, as it is at this moment, whatever is stored meanwhile.
    ///
    /// # Errors
    /// When the file is there already, or cannot be written.
    pub fn seal(&self, file: &Path) -> Result<(), StoreError> {
        let name = file.to_string_lossy();
        self.read(|connection| connection.execute("VACUUM INTO ?1", [&*name]).map(drop))
    }

    /// Runs `work` in one immediate transaction: all of it happens, or none.
    pub(crate) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let attempt = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        attempt(&mut self.connection).map_err(|source| self.error(source))
    }

    /// Runs a query.
    pub(crate) fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        query(&self.connection).map_err(|source| self.error(source))
    }

    /// Two views of one moment, whatever a run stores meanwhile: what is read here while the first one lives, and a second connection,
    /// which another thread can read.
    pub(crate) fn snapshot_for_two(&self) -> Result<(Transaction<'_>, Store), StoreError> {
        loop {
            let twin = Store::reader(&self.folder)?;
            let before = self.read(data_version)?;
            twin.read(|connection| connection.execute_batch("BEGIN").and_then(|()| data_version(connection)))?;
            let snapshot = self.connection.unchecked_transaction().map_err(|source| self.error(source))?;
            // Nothing was stored between the two.
            if self.read(data_version)? == before {
                return Ok((snapshot, twin));
            }
        }
    }

    /// Hands the rows of a query to `take`, one at a time: memory holds one row, however many there are.
    pub(crate) fn each<T, E: From<StoreError>>(
        &self,
        query: &str,
        slots: impl rusqlite::Params,
        read: impl Fn(&rusqlite::Row<'_>) -> Result<T, rusqlite::Error>,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let refused = |source| E::from(self.error(source));
        let mut statement = self.connection.prepare(query).map_err(refused)?;
        let mut rows = statement.query(slots).map_err(refused)?;
        while let Some(row) = rows.next().map_err(refused)? {
            take(read(row).map_err(|error| refused(of_row(row, error)))?)?;
        }
        Ok(())
    }

    /// Hands the rows of a query to `take` that follow each other and are of the same kind, as [`Store::each`].
    pub(crate) fn each_group<T, E: From<StoreError>>(
        &self,
        query: &str,
        read: impl Fn(&rusqlite::Row<'_>) -> Result<T, rusqlite::Error>,
        is_same: impl Fn(&T, &T) -> bool,
        mut take: impl FnMut(Vec<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut group: Vec<T> = Vec::new();
        self.each(query, [], read, |row| {
            if group.first().is_some_and(|first| !is_same(first, &row)) {
                take(std::mem::take(&mut group))?;
            }
            group.push(row);
            Ok::<_, E>(())
        })?;
        if group.is_empty() { Ok(()) } else { take(group) }
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> StoreError {
        failed(&self.folder, source)
    }
}

/// Has the system read the database in this folder ahead, when all of it is about to be read, but in parts and from several places at
/// once: a disk is many times as fast for one long read. What is in memory already costs nothing.
pub(crate) fn read_ahead(folder: &Path) {
    if let Ok(database) = File::open(folder.join(DATABASE)) {
        // A hint: where it is not taken, everything is as before.
        let _ = rustix::fs::fadvise(&database, 0, None, rustix::fs::Advice::WillNeed);
        // Not closed before the process ends: with any descriptor of a file its process loses all locks on it, those of SQLite, too
        // (POSIX.1, fcntl, F_SETLK).
        std::mem::forget(database);
    }
}

/// A number that changes when another connection stores something. Asked in a transaction, it also fixes what that sees.
fn data_version(connection: &Connection) -> Result<i64, rusqlite::Error> {
    connection.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(())).optional()?;
    connection.query_row("PRAGMA data_version", [], |row| row.get(0))
}

/// Removes files that a killed run was writing. The lock is held: nobody else is writing now.
fn remove_partial_files(folder: &Path) {
    for part in ["executed", "data"] {
        let entries = std::fs::read_dir(folder.join(part)).into_iter().flatten().flatten();
        for partial in
            entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "partial"))
        {
            // What cannot be removed is in nobody's way: it is written again under the same name, or never read.
            let _ = std::fs::remove_file(&partial);
        }
    }
}

fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("lock");
    let io = |source| StoreError::Io { path: path.clone(), source };
    let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path).map_err(io)?;
    let begun = Instant::now();
    while let Err(error) = file.try_lock() {
        if let std::fs::TryLockError::Error(source) = error {
            return Err(io(source));
        }
        let mut holder = String::new();
        file.rewind().and_then(|()| file.read_to_string(&mut holder)).map_err(io)?;
        let holder = holder.trim().to_owned();
        // What a killed run was about to start has its lock, until that is another program.
        if is_alive(&holder) || begun.elapsed() > LEFT_BEHIND {
            return Err(StoreError::InUse { path: folder.to_owned(), holder });
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    file.set_len(0).and_then(|()| file.rewind()).map_err(io)?;
    writeln!(file, "{}", std::process::id()).map_err(io)?;
    Ok(file)
}

/// Whether a process with this number runs; a text that is no number names none.
fn is_alive(holder: &str) -> bool {
    let process = holder.parse().ok().and_then(rustix::process::Pid::from_raw);
    process.is_some_and(|process| rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH))
}

/// So long a lock may outlive the run that took it.
const LEFT_BEHIND: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_is_told_who_holds_the_store() {
        let dir = tempfile::tempdir().unwrap();
        let first = Store::open(dir.path()).unwrap();
        let error = Store::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains(&format!("in use by process {}", std::process::id())), "{error}");
        drop(first);
        Store::open(dir.path()).unwrap();
    }

    #[test]
    fn a_lock_that_outlives_its_run_for_a_moment_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let mut over = std::process::Command::new("true").spawn().unwrap();
        over.wait().unwrap();
        let path = dir.path().join("lock");
        std::fs::write(&path, format!("{}\n", over.id())).unwrap();
        let left = File::open(&path).unwrap();
        left.lock().unwrap();
        let release = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            drop(left);
        });
        Store::open(dir.path()).unwrap();
        release.join().unwrap();
    }

    #[test]
    fn two_connections_see_one_moment_while_a_run_stores() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let writer = Connection::open(dir.path().join("study.db")).unwrap();
        let over = std::sync::atomic::AtomicBool::new(false);
        let facts = |store: &Store| {
            store
                .read(|connection| connection.query_row("SELECT count(*) FROM facts", [], |row| row.get::<_, i64>(0)))
                .unwrap()
        };
        std::thread::scope(|threads| {
            let over = &over;
            let storing = threads.spawn(move || {
                let mut stored = 0;
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    writer.busy_timeout(BUSY_TIMEOUT).unwrap();
                    writer.execute("INSERT INTO facts VALUES (?1, '')", [stored.to_string()]).unwrap();
                    stored += 1;
                    std::thread::sleep(Duration::from_millis(1));
                }
                stored
            });
            let mut seen = Vec::new();
            for _ in 0..20 {
                let (snapshot, twin) = store.snapshot_for_two().unwrap();
                let first = facts(&twin);
                std::thread::sleep(Duration::from_millis(5));
                assert_eq!((facts(&store), facts(&twin)), (first, first));
                seen.push(first);
                drop(snapshot);
            }
            over.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(storing.join().unwrap() > 0 && seen[0] < seen[19], "{seen:?}");
        });
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store");
        std::fs::write(&path, "").unwrap();
        assert!(Store::open(&path).unwrap_err().to_string().contains("--store"));
    }

    #[test]
    fn what_a_killed_run_was_writing_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::open(dir.path()).unwrap());
        std::fs::create_dir(dir.path().join("data")).unwrap();
        let files = ["executed/a.ipynb", "executed/b.partial", "data/a.parquet", "data/a.parquet.12.partial"];
        for file in files {
            std::fs::write(dir.path().join(file), "x").unwrap();
        }
        Store::open(dir.path()).unwrap();
        assert_eq!(files.map(|file| dir.path().join(file).exists()), [true, false, true, false]);
    }

    #[test]
    fn a_damaged_database_is_an_error_and_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (path, text) =
            (dir.path().join("study.db"), "this is not a database, but long enough to be one".repeat(50));
        std::fs::write(&path, &text).unwrap();
        assert!(matches!(Store::open(dir.path()), Err(StoreError::Foreign { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}
