//! Answers from a recorded dialogue: a study rerun from its record needs no key and gives the same rows.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use nbrevive_files::{Folder, open, unpoisoned};

use crate::record::{Index, RecordError};
use crate::{
    CallPermit, Charge, Exchange, ModelAnswer, ModelError, ModelFailure, ModelPrompt, ModelProvider, OpenAi,
    PromptHash, Repeat,
};

/// A recorded dialogue. A question whose call failed and was made again is replayed with all its calls, so that the ledger
/// has the same rows. What was lost when a program was killed is in the ledger of that program alone.
#[derive(Debug)]
pub struct Replay {
    place: PathBuf,
    index: Index,
    /// How many calls of each question were replayed.
    replayed: Mutex<HashMap<Question, usize>>,
}

/// Who asks what, and how often before.
type Question = (String, PromptHash, u32);

impl Replay {
    /// The provider's name.
    pub(crate) const NAME: &'static str = "replay";

    /// Reads a record: a file, or all files `*.jsonl` of a folder in the order of their names.
    ///
    /// # Errors
    /// [`RecordError::File`].
    pub fn open(place: &Path) -> Result<Self, RecordError> {
        let failed =
            |path: &Path, source| RecordError::File { path: path.to_owned(), what: "cannot read the record", source };
        let mut files = vec![place.to_owned()];
        if place.is_dir() {
            let entries = Folder::open(place).and_then(|folder| folder.entries());
            let entries = entries.map_err(|error| failed(place, error.into()))?;
            files = entries.into_iter().map(|entry| place.join(entry.name)).collect();
            files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        }
        let mut index = Index::default();
        for path in files {
            let read = open(&path).map_err(io::Error::from).and_then(|file| index.add_file(file));
            read.map_err(|source| failed(&path, source))?;
        }
        Ok(Self { place: place.to_owned(), index, replayed: Mutex::default() })
    }

    /// Lines that were no records.
    #[must_use]
    pub fn passed_over(&self) -> usize {
        self.index.passed_over
    }

    fn replayed(&self) -> MutexGuard<'_, HashMap<Question, usize>> {
        unpoisoned(self.replayed.lock())
    }

    /// The number of the next call of a question, counted from 0.
    fn next(&self, question: Question) -> usize {
        let mut replayed = self.replayed();
        let count = replayed.entry(question).or_default();
        *count += 1;
        *count - 1
    }
}

impl ModelProvider for Replay {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn charge(&self) -> Charge {
        Charge::Recorded
    }

    fn source(&self) -> &'static str {
        match self.index.provider.as_deref() {
            Some(OpenAi::NAME) => OpenAi::NAME,
            Some(Exchange::NAME) => Exchange::NAME,
            _ => Self::NAME,
        }
    }

    fn repeat(&self, _: &ModelError, prompt: &ModelPrompt, permit: &CallPermit) -> Repeat {
        let question = (permit.asker().to_owned(), prompt.hash(), permit.occurrence());
        let replayed = self.replayed().get(&question).copied().unwrap_or_default();
        let is_more = replayed < self.index.count(&question.0, &question.1, question.2);
        if is_more { Repeat::AtOnce } else { Repeat::No }
    }

    fn ask(&self, prompt: &ModelPrompt, permit: &CallPermit) -> Result<ModelAnswer, ModelError> {
        let hash = prompt.hash();
        let (asker, occurrence) = (permit.asker(), permit.occurrence());
        let number = self.next((asker.to_owned(), hash.clone(), occurrence));
        let found = self.index.nth(asker, &hash, occurrence, number);
        let found = match found {
            Ok(None) => self.index.find_of_any(&hash, occurrence),
            found => found,
        };
        let place = self.place.display().to_string();
        match found {
            Ok(Some(record)) => record.result(),
            Ok(None) => {
                let asker = asker.to_owned();
                Err(ModelError::free(ModelFailure::NotRecorded { place, hash, asker, occurrence }))
            }
            Err(error) => Err(ModelError::free(ModelFailure::Storage { place, reason: error.to_string() })),
        }
    }
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_record_is_a_regular_file() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("a.jsonl");
        assert!(std::process::Command::new("mkfifo").arg(&record).status().unwrap().success());
        for place in [record.as_path(), folder.path()] {
            let RecordError::File { source, .. } = Replay::open(place).unwrap_err();
            assert!(source.to_string().contains("named pipe"), "{source}");
        }
        std::fs::remove_file(&record).unwrap();
        symlink("/dev/zero", &record).unwrap();
        let RecordError::File { source, .. } = Replay::open(folder.path()).unwrap_err();
        assert!(source.to_string().contains("a device"), "{source}");
    }
}
