//! Wheels that were built from source archives, kept while the program runs.
//!
//! An environment that is planned again, since two distributions clashed or one could not be built, differs from the one before in little;
//! without this each of its archives would be built again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use nbrevive_files::unpoisoned;

use super::BuildError;
use crate::home::write_atomically;

/// Most bytes that are kept, all wheels together.
const MOST_KEPT: u64 = 256 << 20;

/// One wheel.
#[derive(Debug, Clone)]
struct BuiltWheel {
    /// The file's name.
    file: String,
    bytes: Vec<u8>,
    /// What it was built with, `name==version`.
    built_with: BTreeSet<String>,
}

/// Wheels by what they were built from: the archive, the interpreter, and what held its build requirements.
#[derive(Debug, Default)]
pub struct BuiltWheels(Mutex<BTreeMap<String, BuiltWheel>>);

impl BuiltWheels {
    /// Puts a wheel that is kept into a folder: its place there, and what it was built with.
    pub(super) fn put(&self, key: &str, folder: &Path) -> Result<Option<(PathBuf, BTreeSet<String>)>, BuildError> {
        let Some(wheel) = unpoisoned(self.0.lock()).get(key).cloned() else { return Ok(None) };
        let to = folder.join(&wheel.file);
        write_atomically(&to, &wheel.bytes)?;
        Ok(Some((to, wheel.built_with)))
    }

    /// Keeps a wheel. One that there is no room for, or that cannot be read, is built again.
    pub(super) fn keep(&self, key: &str, wheel: &Path, built_with: BTreeSet<String>) {
        let mut kept = unpoisoned(self.0.lock());
        let taken: usize = kept.values().map(|wheel| wheel.bytes.len()).sum();
        if let Ok(bytes) = nbrevive_files::read(wheel, MOST_KEPT.saturating_sub(taken as u64)) {
            let file = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
            kept.insert(key.to_owned(), BuiltWheel { file, bytes, built_with });
        }
    }
}
