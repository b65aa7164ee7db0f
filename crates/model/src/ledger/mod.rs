//! The ledger: one row a call, in a SQLite file that threads and processes share.
//!
//! A call is reserved at its worst case before it is made and settled at its cost afterwards. Both happen in transactions
//! that take the write lock first (`BEGIN IMMEDIATE`), so that the sum that is checked against the caps is the sum that the
//! row is added to, whoever else is writing. A row that was never settled (the program was killed) keeps its worst case.
//!
//! | column | meaning |
//! |---|---|
//! | `call` | the call's name, also in the record |
//! | `study`, `notebook`, `fix_type`, `fix_number`, `re_ask` | on whose behalf |
//! | `provider`, `model`, `prompt`, `occurrence` | what was asked: hash of the prompt, and how often before in the run |
//! | `max_output`, `temperature`, `seed`, `effort` | settings of the prompt |
//! | `reserved_at`, `settled_at` | milliseconds since 1970 |
//! | `outcome` | `reserved` until settled, then `answered` or the name of the failure |
//! | `model_reported`, `request_id`, `attempts`, `seconds` | what the provider said of itself, and how it went |
//! | `input`, `cached_input`, `cache_write`, `output`, `reasoning`, `usage_source` | tokens |
//! | `reserved`, `cost` | 10⁻¹² USD: the worst case, and what counts (the worst case until settled) |
//! | `is_paid` | whether it counts against the caps: not for replays, whose calls were paid before |
//! | `is_disputed` | whether the provider reported more than it was allowed to use; `cost` is then the worst case |
//!
//! The table `spent` has the sum of each study; triggers keep it. The table `allowance` has what may be spent elsewhere: it counts in full
//! until it is known what was.

mod allowances;
mod caps;
mod rows;
mod settle;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use nbrevive_files::unpoisoned;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior};

pub use allowances::CapRoom;
pub use caps::{CallOrder, CapKind, Caps};
pub use rows::{Averages, Costs, LedgerRow};
pub use settle::Settlement;

use crate::Money;

/// Where the ledger lies in a study's store.
pub const LEDGER: &str = "ledger.db";

/// How long a writer waits for others: they hold the lock for milliseconds.
const BUSY: Duration = Duration::from_secs(60);

/// Named changes of the tables, in order; the file's `user_version` says how many it has.
const MIGRATIONS: &[(&str, &str)] = &[
    ("the table of calls", include_str!("schema.sql")),
    ("the table of what may be spent elsewhere", include_str!("allowances.sql")),
];

/// The ledger. Usable from several threads and processes.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    connection: Mutex<Connection>,
}

/// The ledger did not allow a call, or could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The call could pass a cap.
    #[error(
        "the call could cost {worst}, and {spent} of {limit} are spent or reserved for {of}; {}",
        .free_at.map_or_else(|| "raise the cap, or leave the rest".to_owned(), |at| format!("wait until {at:.0}, or raise the cap"))
    )]
    Cap {
        /// Which cap.
        of: CapKind,
        /// The cap.
        limit: Money,
        /// Spent and reserved so far.
        spent: Money,
        /// The worst case of this call.
        worst: Money,
        /// When there is room again: for the cap per hour when enough of it is over, for the others when the calls that are
        /// under way are settled, at the latest. `None` when that does not help.
        free_at: Option<jiff::Timestamp>,
    },
    /// A provider has reported more than it was allowed to use.
    #[error(
        "in call {call} the provider reported more tokens than it was allowed to use; no further call is made: compare its bill \
         with the ledger, then allow disputed calls in the settings or take another provider"
    )]
    Disputed {
        /// Such a call.
        call: String,
    },
    /// The database failed.
    #[error("{}: {what}: {source}; check the file, its folder's permissions, and space", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What was being done.
        what: String,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// What lies in the ledger's place is no ledger.
    #[error("{} {why}, so it is not opened, and stays as it is: move it away, or choose another folder", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The file was made by a later version of this program.
    #[error("{}: the ledger has version {found}, this program knows {known}; use a newer program", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// Ours.
        known: usize,
    },
}

impl Ledger {
    /// Opens a ledger, or starts one.
    ///
    /// # Errors
    /// [`LedgerError::Database`] and [`LedgerError::Newer`].
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let failed = |what: &str| {
            let (path, what) = (path.to_owned(), what.to_owned());
            move |source| LedgerError::Database { path, what, source }
        };
        let foreign = |why| LedgerError::Foreign { path: path.to_owned(), why };
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            return Err(foreign("is no regular file"));
        }
        let mut connection = Connection::open(path).map_err(failed("cannot open the ledger"))?;
        connection.busy_timeout(BUSY).map_err(failed("cannot set the wait"))?;
        let strangers = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' HAVING sum(name = 'call') = 0";
        let strangers = connection.query_row(strangers, [], |row| row.get::<_, u32>(0)).optional();
        if strangers.map_err(failed("cannot read the ledger"))?.unwrap_or(0) > 0 {
            return Err(foreign("is a database of another program"));
        }
        // Readers do not stop writers, and a row that was told to be there survives the loss of power.
        for (name, value) in [("journal_mode", "WAL"), ("synchronous", "FULL")] {
            let set = |row: &rusqlite::Row<'_>| row.get::<_, rusqlite::types::Value>(0);
            match connection.pragma_update_and_check(None, name, value, set) {
                Ok(_) | Err(rusqlite::Error::QueryReturnedNoRows) => {}
                Err(error) => return Err(failed("cannot set the mode of the ledger")(error)),
            }
        }
        migrate(&mut connection, path)?;
        Ok(Self { path: path.to_owned(), connection: Mutex::new(connection) })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        unpoisoned(self.connection.lock())
    }

    /// Runs a change under the write lock.
    fn change<T>(
        &self,
        what: &str,
        change: impl FnOnce(&Transaction<'_>) -> Result<Result<T, LedgerError>, rusqlite::Error>,
    ) -> Result<T, LedgerError> {
        let failed = |source| LedgerError::Database { path: self.path.clone(), what: what.to_owned(), source };
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let value = change(&transaction).map_err(failed)??;
        transaction.commit().map_err(failed)?;
        Ok(value)
    }

    fn read<T>(
        &self,
        what: &str,
        read: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, LedgerError> {
        let failed = |source| LedgerError::Database { path: self.path.clone(), what: what.to_owned(), source };
        read(&self.lock()).map_err(failed)
    }
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), LedgerError> {
    let failed = |what: &str| {
        let (path, what) = (path.to_owned(), what.to_owned());
        move |source| LedgerError::Database { path, what, source }
    };
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed("cannot lock the ledger"))?;
    for (name, change) in &MIGRATIONS[version(&transaction, path)?..] {
        transaction.execute_batch(change).map_err(failed(&format!("cannot make {name}")))?;
    }
    transaction
        .pragma_update(None, "user_version", MIGRATIONS.len() as i64)
        .map_err(failed("cannot note its version"))?;
    transaction.commit().map_err(failed("cannot write it"))
}

/// How many migrations a file has.
fn version(connection: &Connection, path: &Path) -> Result<usize, LedgerError> {
    let failed = |source| LedgerError::Database { path: path.to_owned(), what: "cannot read it".to_owned(), source };
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failed)?;
    let known = MIGRATIONS.len();
    match usize::try_from(found) {
        Ok(version) if version <= known => Ok(version),
        _ => Err(LedgerError::Newer { path: path.to_owned(), found, known }),
    }
}

#[cfg(test)]
mod tests;
