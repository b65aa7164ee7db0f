//! Takes notebooks out of what a study keeps of its dialogues, when their authors ask for it.
//!
//! Answers hold the notebooks' code, so their lines leave the record. The account stays true: calls keep their cost and lose the name
//! of their notebook.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::record::DialogueRecord;
use crate::{LEDGER, Ledger, LedgerError, RECORD};

/// A notebook cannot be taken out.
#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    /// The record cannot be read or written.
    #[error("{}: cannot take notebooks out of the record: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The ledger cannot be changed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Takes notebooks out of record and ledger in a store's folder, as far as there are any; says how many recorded calls went. No run
/// may use the folder meanwhile. Doing it again changes nothing.
///
/// # Errors
/// [`ForgetError`]; the record is then as it was.
pub fn forget(folder: &Path, notebooks: &BTreeSet<String>) -> Result<usize, ForgetError> {
    if notebooks.is_empty() {
        return Ok(0);
    }
    let record = folder.join(RECORD);
    let mut removed = 0;
    if record.is_file() {
        removed = forget_record(&record, notebooks).map_err(|source| ForgetError::Record { path: record, source })?;
    }
    let ledger = folder.join(LEDGER);
    if ledger.is_file() {
        Ledger::open(&ledger)?.forget(notebooks)?;
    }
    Ok(removed)
}

/// Writes the record again without the lines of these notebooks, whole or not at all.
fn forget_record(path: &Path, notebooks: &BTreeSet<String>) -> io::Result<usize> {
    let mut lines = BufReader::new(fs::File::open(path)?);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut kept = BufWriter::new(NamedTempFile::new_in(folder)?);
    let (mut line, mut removed) = (Vec::new(), 0);
    while lines.read_until(b'\n', &mut line)? > 0 {
        if is_of(&line, notebooks) {
            removed += 1;
        } else {
            kept.write_all(&line)?;
        }
        line.clear();
    }
    let kept = kept.into_inner().map_err(io::IntoInnerError::into_error)?;
    if removed > 0 {
        kept.as_file().sync_all()?;
        fs::set_permissions(kept.path(), fs::metadata(path)?.permissions())?;
        kept.persist(path).map_err(|error| error.error)?;
    }
    Ok(removed)
}

/// Whether a line is of one of these notebooks. One that cannot be read, such as one that a kill tore, is when it names it.
fn is_of(line: &[u8], notebooks: &BTreeSet<String>) -> bool {
    match DialogueRecord::parse(line) {
        Ok(record) => notebooks.iter().any(|notebook| names(&record.asker, notebook)),
        Err(_) => {
            let text = String::from_utf8_lossy(line);
            notebooks.iter().any(|notebook| text.contains(notebook.as_str()))
        }
    }
}

/// Whether an asker, `study/condition/notebook`, is this notebook.
fn names(asker: &str, notebook: &str) -> bool {
    asker.strip_suffix(notebook).is_some_and(|rest| rest.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Errand, Message, ModelSettings};

    fn asked(folder: &Path, notebooks: &[&str]) {
        let exchange = folder.join("exchange");
        let settings: ModelSettings =
            toml::from_str(&format!("provider = \"exchange\"\nname = \"gpt-5.2\"\nplace = {exchange:?}\ntimeout = 20"))
                .unwrap();
        let dialogue = settings.open(folder).unwrap();
        for notebook in notebooks {
            let prompt = settings.prompt("", vec![Message::user(format!("the code of {notebook}"))]);
            let answer = exchange.join(format!("{}.answer.md", prompt.hash()));
            fs::write(answer, format!("better code of {notebook}")).unwrap();
            dialogue.ask(&prompt, &Errand::new("s/modernize", *notebook).fix("error-repair", 1)).unwrap();
        }
    }

    #[test]
    fn answers_go_and_the_account_stays() {
        let folder = tempfile::tempdir().unwrap();
        asked(folder.path(), &["ada-x-v1", "bob-y-v1", "my-ada-x-v1"]);
        let record = folder.path().join(RECORD);
        // Torn by a kill.
        let mut text = fs::read_to_string(&record).unwrap();
        text.push_str("{\"asker\":\"s/modernize/ada-x-v1\",\"ending\":{\"answer\":{\"te");
        fs::write(&record, text).unwrap();
        let before = Ledger::rows_of(&folder.path().join(LEDGER)).unwrap();
        let gone = BTreeSet::from(["ada-x-v1".to_owned(), "never-seen".to_owned()]);
        assert_eq!(forget(folder.path(), &gone).unwrap(), 2);
        let text = fs::read_to_string(&record).unwrap();
        assert_eq!(text.lines().count(), 2);
        assert!(text.contains("better code of bob-y-v1") && text.contains("better code of my-ada-x-v1"));
        let rows = Ledger::rows_of(&folder.path().join(LEDGER)).unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row.notebook.as_str()).collect();
        assert_eq!(names, ["removed-1", "bob-y-v1", "my-ada-x-v1"]);
        assert!(rows.iter().zip(&before).all(|(now, then)| now.cost == then.cost && now.call == then.call));
        assert_eq!(forget(folder.path(), &gone).unwrap(), 0);
    }

    #[test]
    fn where_nothing_was_asked_there_is_nothing_to_take_out() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(forget(folder.path(), &BTreeSet::from(["a".to_owned()])).unwrap(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
