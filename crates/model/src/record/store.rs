//! The file of records, and finding in it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use nbrevive_files::unpoisoned;

use super::line::{DialogueRecord, Ending};
use crate::PromptHash;

/// Longest line that is read, in bytes: an answer is limited to less.
const LONGEST_LINE: u64 = 64 << 20;

/// The record could not be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Reading or writing failed.
    #[error("{}: {what}: {source}; check the file, its folder's permissions, and space", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was being done.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// Where the records of files lie: all of each question in their order, and by call. The texts stay on the disk, since those of a study
/// are hundreds of megabytes.
#[derive(Debug, Default)]
pub(crate) struct Index {
    files: Vec<File>,
    by_question: HashMap<(String, PromptHash, u32), Vec<Place>>,
    by_prompt: HashMap<(PromptHash, u32), Place>,
    by_call: HashMap<String, Place>,
    /// Who gave the last answer.
    pub(crate) provider: Option<String>,
    /// Lines that are no records.
    pub(crate) passed_over: usize,
}

/// Where a line lies.
#[derive(Debug, Clone, Copy)]
struct Place {
    file: usize,
    at: u64,
    length: usize,
}

impl Index {
    /// Adds a file and reads it; says which it is, and up to where whole lines went.
    pub(crate) fn add_file(&mut self, file: File) -> io::Result<(usize, u64)> {
        self.files.push(file);
        let number = self.files.len() - 1;
        Ok((number, self.read(number, 0)?))
    }

    fn add(&mut self, record: DialogueRecord, place: Place) {
        if matches!(record.ending, Ending::Answer { .. }) {
            self.provider = Some(record.provider);
        }
        let (prompt, occurrence) = (record.prompt, record.occurrence);
        self.by_prompt.insert((prompt.clone(), occurrence), place);
        self.by_question.entry((record.asker, prompt, occurrence)).or_default().push(place);
        self.by_call.insert(record.call, place);
    }

    /// Reads lines from a place in a file; says up to where whole lines went.
    fn read(&mut self, file: usize, from: u64) -> io::Result<u64> {
        let mut reader = BufReader::new(self.files[file].try_clone()?);
        reader.seek(SeekFrom::Start(from))?;
        let (mut at, mut line) = (from, Vec::new());
        loop {
            line.clear();
            let length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                // Torn, or being written; or too long, which no line of ours is.
                if length as u64 == LONGEST_LINE {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is longer than any record"));
                }
                return Ok(at);
            }
            let place = Place { file, at, length };
            at += length as u64;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match DialogueRecord::parse(&line) {
                Ok(record) => self.add(record, place),
                Err(reason) => {
                    self.passed_over += 1;
                    tracing::warn!(%reason, ends_at = at, "a line of the record is passed over");
                }
            }
        }
    }

    fn load(&self, place: Option<&Place>) -> io::Result<Option<DialogueRecord>> {
        let Some(place) = place else { return Ok(None) };
        let mut line = vec![0; place.length];
        self.files[place.file].read_exact_at(&mut line, place.at)?;
        DialogueRecord::parse(&line).map(Some).map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))
    }

    fn places(&self, asker: &str, prompt: &PromptHash, occurrence: u32) -> &[Place] {
        self.by_question.get(&(asker.to_owned(), prompt.clone(), occurrence)).map_or(&[], Vec::as_slice)
    }

    /// How many calls were recorded for a question: more than one where one failed and was made again.
    pub(crate) fn count(&self, asker: &str, prompt: &PromptHash, occurrence: u32) -> usize {
        self.places(asker, prompt, occurrence).len()
    }

    /// One of the records of a question, counted from 0.
    pub(crate) fn nth(
        &self,
        asker: &str,
        prompt: &PromptHash,
        occurrence: u32,
        number: usize,
    ) -> io::Result<Option<DialogueRecord>> {
        self.load(self.places(asker, prompt, occurrence).get(number))
    }

    /// The last record of a question.
    fn find(&self, asker: &str, prompt: &PromptHash, occurrence: u32) -> io::Result<Option<DialogueRecord>> {
        self.load(self.places(asker, prompt, occurrence).last())
    }

    /// The last record of a prompt, whoever asked.
    pub(crate) fn find_of_any(&self, prompt: &PromptHash, occurrence: u32) -> io::Result<Option<DialogueRecord>> {
        self.load(self.by_prompt.get(&(prompt.clone(), occurrence)))
    }

    /// All records of an asker, in the order in which they were written.
    fn of_asker(&self, asker: &str) -> io::Result<Vec<DialogueRecord>> {
        let of = self.by_question.iter().filter(|((of, ..), _)| of == asker);
        let mut places: Vec<Place> = of.flat_map(|(_, places)| places.iter().copied()).collect();
        places.sort_by_key(|place| (place.file, place.at));
        places.iter().filter_map(|place| self.load(Some(place)).transpose()).collect()
    }

    /// The record of a call.
    fn call(&self, call: &str) -> io::Result<Option<DialogueRecord>> {
        self.load(self.by_call.get(call))
    }
}

/// Writes the record of every call, and finds what was recorded. Usable from several threads and processes.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    index: Index,
    /// Up to where the file was read.
    read: u64,
}

impl Recorder {
    /// Opens a record, or starts one.
    ///
    /// # Errors
    /// [`RecordError::File`] when it cannot be read and written.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let failed = |what, source| RecordError::File { path: path.to_owned(), what, source };
        let file = OpenOptions::new().create(true).read(true).append(true).open(path);
        let file = file.map_err(|source| failed("cannot open the record", source))?;
        let mut index = Index::default();
        let read = file.try_clone().and_then(|file| index.add_file(file));
        let (_, read) = read.map_err(|source| failed("cannot read the record", source))?;
        Ok(Self { path: path.to_owned(), state: Mutex::new(State { file, index, read }) })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn with<T>(&self, what: &'static str, act: impl FnOnce(&mut State) -> io::Result<T>) -> Result<T, RecordError> {
        let mut state = unpoisoned(self.state.lock());
        act(&mut state).map_err(|source| RecordError::File { path: self.path.clone(), what, source })
    }

    /// Writes a record; it is on the disk when this returns.
    ///
    /// # Errors
    /// [`RecordError::File`].
    pub fn append(&self, record: &DialogueRecord) -> Result<(), RecordError> {
        self.with("cannot write a record", |state| {
            let line = record.line()?;
            lock(&state.file)?;
            let written = state.append(&line);
            state.file.unlock()?;
            written?;
            state.refresh()
        })
    }

    /// The last record of a question; also one that another process wrote meanwhile.
    ///
    /// # Errors
    /// [`RecordError::File`].
    pub fn find(
        &self,
        asker: &str,
        prompt: &PromptHash,
        occurrence: u32,
    ) -> Result<Option<DialogueRecord>, RecordError> {
        self.with("cannot read the record", |state| {
            state.refresh()?;
            state.index.find(asker, prompt, occurrence)
        })
    }

    /// All records of an asker, in the order in which they were written.
    ///
    /// # Errors
    /// [`RecordError::File`].
    pub fn of_asker(&self, asker: &str) -> Result<Vec<DialogueRecord>, RecordError> {
        self.with("cannot read the record", |state| {
            state.refresh()?;
            state.index.of_asker(asker)
        })
    }

    /// The record of a call.
    ///
    /// # Errors
    /// [`RecordError::File`].
    pub fn call(&self, call: &str) -> Result<Option<DialogueRecord>, RecordError> {
        self.with("cannot read the record", |state| {
            state.refresh()?;
            state.index.call(call)
        })
    }
}

impl State {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let end = self.file.seek(SeekFrom::End(0))?;
        if end > 0 {
            let mut last = [0];
            self.file.seek(SeekFrom::Start(end - 1))?;
            self.file.read_exact(&mut last)?;
            if last != *b"\n" {
                // A torn line: ended here, it is passed over by all readers.
                self.file.write_all(b"\n")?;
            }
        }
        self.file.write_all(line)?;
        self.file.sync_data()
    }

    fn refresh(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() > self.read {
            self.read = self.index.read(0, self.read)?;
        }
        Ok(())
    }
}

/// Waits for the lock; a signal does not end the wait.
fn lock(file: &File) -> io::Result<()> {
    while let Err(error) = file.lock() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(())
}
