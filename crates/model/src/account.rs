//! Caps over many machines: what a task may spend, handed out in advance, and every call that it makes, in one file.
//!
//! Tasks have ledgers of their own, since no two machines write to one. So whoever follows them takes what the jobs of a batch may cost at
//! most out of his ledger ([`Accounts::hand_out`]), and writes that into a file, with what their notebooks have cost and were told before.
//! The task takes the file by renaming it, so that only one can. It writes a line before each call, with its worst case, and one after
//! it, with the answer. When the task is over, whoever follows renames the file once more and enters what stands in it
//! ([`Accounts::take_back`]): what is left of the allowance is free again.
//!
//! | a task … | what comes of it |
//! |---|---|
//! | dies | a call that was under way keeps its worst case, as that of any killed program does; what was answered is not paid again |
//! | lives on, though it was given up | it finds no file to write to, and asks nothing more |
//! | is begun a second time | it finds no file to take |

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use nbrevive_files::{FileError, Folder, unpoisoned};
use serde::{Deserialize, Serialize};

use crate::{
    CapRoom, Caps, DialogueRecord, Errand, LEDGER, Ledger, LedgerError, LedgerRow, Money, RECORD, RecordError,
    Recorder, Replay, Settlement,
};

/// What the name of an account ends in once it is closed.
const CLOSED: &str = ".closed";
/// The longest account that is read, in bytes: some ten thousand answers.
const LONGEST: u64 = 1 << 30;

/// What may be spent elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// So much money, beside what was spent before.
    pub money: Money,
    /// This part of the rate limits, from 0 to 1.
    pub share: f64,
}

/// A line of an account.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AccountLine {
    /// The first one.
    Allowed(Allowance),
    /// A call of before, or one that is about to be made.
    Call(Box<LedgerRow>),
    /// What came of a call.
    Said(Box<DialogueRecord>),
}

/// An account cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Nothing can be written to it.
    #[error(
        "{}: the call cannot be written down ({source}), so it is not made: the task was given up, or its folder is away",
        path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It cannot be taken or closed.
    #[error("cannot move the account {}: {source}", path.display())]
    Unmovable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It does not say what may be spent.
    #[error("{} is no account: its first line does not say what may be spent", path.display())]
    NoAllowance {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The record failed.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The account of a task, as the task has it. Usable from several threads.
#[derive(Debug, Clone)]
pub struct Account {
    path: PathBuf,
    writing: Arc<Mutex<()>>,
}

impl Account {
    /// Takes the account that was handed out as `path` for a task of this `name`; none where another one took it, or it was taken back.
    ///
    /// # Errors
    /// [`AccountError::Unmovable`].
    pub fn take(path: &Path, name: &str) -> Result<Option<Self>, AccountError> {
        let own = beside(path, &format!("-{name}"));
        match fs::rename(path, &own) {
            Ok(()) => Ok(Some(Self { path: own, writing: Arc::default() })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(AccountError::Unmovable { path: path.to_owned(), source }),
        }
    }

    /// Enters what was handed out with it into the ledger and the record of the task, which are new; what may be spent beside that.
    ///
    /// # Errors
    /// [`AccountError`]
    pub(crate) fn bring(&self, own: &Accounts) -> Result<Allowance, AccountError> {
        let mut allowance = None;
        for line in lines(&self.path)? {
            match line {
                AccountLine::Allowed(allowed) => allowance = Some(allowed),
                other => own.enter(other)?,
            }
        }
        allowance.ok_or_else(|| AccountError::NoAllowance { path: self.path.clone() })
    }

    /// Writes a call down as it stands: before it is made, or where the record has it already.
    ///
    /// # Errors
    /// [`AccountError::Unwritable`]: the call must not be made.
    pub fn call(&self, row: LedgerRow) -> Result<(), AccountError> {
        self.write(&AccountLine::Call(Box::new(row)))
    }

    /// Writes down what came of a call.
    pub(crate) fn said(&self, record: &DialogueRecord) -> Result<(), AccountError> {
        self.write(&AccountLine::Said(Box::new(record.clone())))
    }

    /// Adds a line, which is on the disk when this returns. Whoever closes an account moves it, and reads it then: the file is looked for
    /// before and after.
    fn write(&self, line: &AccountLine) -> Result<(), AccountError> {
        let unwritable = |source| AccountError::Unwritable { path: self.path.clone(), source };
        let text = text_of(line).map_err(unwritable)?;
        let _one = unpoisoned(self.writing.lock());
        let written = || -> io::Result<()> {
            let mut file = OpenOptions::new().append(true).open(&self.path)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()?;
            fs::symlink_metadata(&self.path).map(drop)
        };
        written().map_err(unwritable)
    }
}

/// The one ledger and record of a study whose jobs run elsewhere, and the accounts that are handed out of it.
#[derive(Debug)]
pub struct Accounts {
    ledger: Ledger,
    recorder: Option<Recorder>,
    caps: Caps,
}

/// A batch of jobs, as its account is named.
#[derive(Debug, Clone, Copy)]
pub struct AccountName<'a> {
    /// The folder of the run's accounts.
    pub folder: &'a Path,
    /// The run, which no other one is called.
    pub run: &'a str,
    /// The batch.
    pub batch: u32,
}

impl AccountName<'_> {
    /// As the ledger knows it.
    fn allowance(self) -> String {
        format!("{}/{}", self.run, self.batch)
    }
}

impl Accounts {
    /// Those in a store's folder, of a study under these caps, whose calls are recorded or not.
    ///
    /// # Errors
    /// [`AccountError`]
    pub fn open(store: &Path, is_recorded: bool, caps: Caps) -> Result<Self, AccountError> {
        let recorder = is_recorded.then(|| Recorder::open(&store.join(RECORD))).transpose()?;
        Ok(Self { ledger: Ledger::open(&store.join(LEDGER))?, recorder, caps })
    }

    /// The ledger.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The caps.
    #[must_use]
    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    /// What the caps leave of a study now.
    ///
    /// # Errors
    /// [`LedgerError`]
    pub fn room(&self, study: &str) -> Result<CapRoom, LedgerError> {
        self.ledger.room(study, &self.caps, Timestamp::now())
    }

    /// Hands out an account for calls of `study`: for `most`, or what the caps leave, at this share of the rate limits. `notebooks` are those
    /// that it may be spent on: study with condition, and version.
    ///
    /// # Errors
    /// [`AccountError`]; what was taken out of the ledger stays out until it is taken back.
    pub fn hand_out(
        &self,
        name: AccountName<'_>,
        study: &str,
        (most, share): (Money, f64),
        notebooks: &[(String, String)],
    ) -> Result<Allowance, AccountError> {
        let money = self.ledger.allow(&name.allowance(), study, most, &self.caps, Timestamp::now())?;
        let allowance = Allowance { money, share };
        let mut lines = vec![AccountLine::Allowed(allowance)];
        for (study, notebook) in notebooks {
            let rows = self.ledger.rows_of_notebook(study, notebook)?;
            lines.extend(rows.into_iter().map(|row| AccountLine::Call(Box::new(row))));
            if let Some(recorder) = &self.recorder {
                let records = recorder.of_asker(&Errand::new(study.as_str(), notebook.as_str()).asker())?;
                lines.extend(records.into_iter().map(|record| AccountLine::Said(Box::new(record))));
            }
        }
        let path = name.folder.join(name.batch.to_string());
        let unwritable = |source| AccountError::Unwritable { path: path.clone(), source };
        let text = lines.iter().map(text_of).collect::<io::Result<String>>().map_err(unwritable)?;
        nbrevive_files::write(&path, text)?;
        Ok(allowance)
    }

    /// Closes an account and enters what stands in it. One that was taken back is as good, so that it can be done again after a kill.
    ///
    /// # Errors
    /// [`AccountError`]; then it is out still.
    pub fn take_back(&self, name: AccountName<'_>) -> Result<(), AccountError> {
        let mut closed = Vec::new();
        for entry in Folder::open(name.folder)?.entries()? {
            let Some(file) = entry.name.to_str().filter(|file| batch_of(file) == Some(name.batch)) else { continue };
            let path = name.folder.join(file);
            if file.ends_with(CLOSED) {
                closed.push(path);
                continue;
            }
            let end = beside(&path, CLOSED);
            match fs::rename(&path, &end) {
                // A task took it this moment.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return self.take_back(name),
                moved => moved.map_err(|source| AccountError::Unmovable { path, source })?,
            }
            closed.push(end);
        }
        for path in &closed {
            lines(path)?.into_iter().try_for_each(|line| self.enter(line))?;
        }
        closed.iter().try_for_each(|path| nbrevive_files::remove(path))?;
        Ok(self.ledger.end_allowance(&name.allowance())?)
    }

    /// Enters a line into ledger and record, unless they have it.
    fn enter(&self, line: AccountLine) -> Result<(), AccountError> {
        match line {
            AccountLine::Allowed(_) => {}
            AccountLine::Call(row) => self.ledger.enter(&row)?,
            AccountLine::Said(record) => {
                // A replay is not recorded again.
                if let Some(recorder) = self.recorder.as_ref().filter(|_| record.provider != Replay::NAME)
                    && recorder.call(&record.call)?.is_none()
                {
                    recorder.append(&record)?;
                }
                self.ledger.settle(&record.call, &Settlement::of(&record))?;
            }
        }
        Ok(())
    }

    /// The batches of a run whose accounts are out.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn out(&self, run: &str) -> Result<Vec<u32>, LedgerError> {
        let names = self.ledger.allowances()?;
        let batch = |name: &String| name.strip_prefix(run)?.strip_prefix('/')?.parse().ok();
        Ok(names.iter().filter_map(batch).collect())
    }
}

/// The path with more at the end of its name.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(end);
    path.with_file_name(name)
}

/// The number that the name of an account begins with.
fn batch_of(name: &str) -> Option<u32> {
    name.split(['-', '.']).next()?.parse().ok()
}

/// A line begins with a line's end: what was torn before it takes nothing along.
fn text_of(line: &AccountLine) -> io::Result<String> {
    Ok(format!("\n{}\n", serde_json::to_string(line)?))
}

/// The lines of an account; one that a kill tore is passed over: its call was not made, or keeps its worst case.
fn lines(path: &Path) -> Result<Vec<AccountLine>, FileError> {
    let text = nbrevive_files::read(path, LONGEST)?;
    let mut found = Vec::new();
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(line) => found.push(line),
            Err(error) => tracing::warn!(%error, path = %path.display(), "a line of an account is passed over"),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
