//! One kept answer of the index: `<home>/index/<name>.json`.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Lookup;
use crate::history::History;
use crate::home::{HomeError, write_atomically};

/// Raised whenever the meaning of a kept file changes; others are ignored.
const FORMAT: u32 = 1;

/// A kept answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    format: u32,
    name: String,
    /// The index without credentials: an answer of another one is not revalidated by its ETag.
    pub(crate) address: String,
    pub(crate) fetched: Timestamp,
    /// What was asked for, since each interface has ETags of its own.
    #[serde(default)]
    pub(crate) accept: String,
    #[serde(default)]
    pub(crate) etag: Option<String>,
    /// `None`: no such distribution.
    history: Option<History>,
}

impl Record {
    /// A record that the name is not on the index.
    pub(crate) fn absent(name: &str, address: &str, fetched: Timestamp) -> Self {
        Self {
            format: FORMAT,
            name: name.into(),
            address: address.into(),
            fetched,
            accept: String::new(),
            etag: None,
            history: None,
        }
    }

    pub(crate) fn set(&mut self, accept: &str, etag: Option<String>, history: History) {
        self.accept = accept.to_owned();
        self.etag = etag;
        self.history = Some(history);
    }

    /// The same answer, confirmed now.
    pub(crate) fn renewed(&self) -> Self {
        Self { fetched: Timestamp::now(), ..self.clone() }
    }

    pub(crate) fn lookup(&self, aged: bool) -> Lookup {
        match &self.history {
            Some(history) => Lookup::Known { history: Arc::new(history.clone()), stale: aged.then_some(self.fetched) },
            None => Lookup::Absent,
        }
    }

    /// Reads a kept answer; an unreadable file or one of another format counts as none.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let text = std::fs::read(path).ok()?;
        serde_json::from_slice::<Self>(&text).ok().filter(|record| record.format == FORMAT)
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), HomeError> {
        let text = serde_json::to_vec(self).expect("a record has only string keys");
        write_atomically(path, &text)
    }
}
