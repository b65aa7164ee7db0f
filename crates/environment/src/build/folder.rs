//! The folder of an environment: what its files say of it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{COMPILED, Environment, MANIFEST};
use crate::home::{self, Home, HomeError};

/// Whether what is installed was compiled.
pub(super) fn is_compiled(path: &Path) -> bool {
    path.join(COMPILED).exists()
}

/// The environment in a folder, if it is complete, at its place, and its interpreter still there.
pub(super) fn ready(path: &Path) -> Option<Environment> {
    let environment: Environment = read_json(&path.join(MANIFEST))?;
    (environment.path == path && environment.python.exists()).then_some(environment)
}

/// The environment of this name, where it is complete.
pub(crate) fn kept(home: &Home, id: &str) -> Option<Environment> {
    ready(&home.environments().join(id))
}

/// Where builders of an id wait for each other.
pub(super) fn lock_path(home: &Home, id: &str) -> PathBuf {
    home.environments().join(format!("{id}.lock"))
}

/// Notes that an environment was asked for. In a home that may not be written nobody prunes by it either.
pub(super) fn touch(path: &Path) {
    let noted = File::open(path.join(MANIFEST)).and_then(|file| file.set_modified(SystemTime::now()));
    if let Err(error) = noted {
        tracing::debug!(%error, path = %path.display(), "use not noted");
    }
}

/// The record in a file; none where there is no such one.
pub(super) fn read_json<Content: DeserializeOwned>(path: &Path) -> Option<Content> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Writes a record, whole or not at all.
pub(super) fn write_json(path: &Path, content: &impl Serialize) -> Result<(), HomeError> {
    let text = serde_json::to_vec_pretty(content).expect("these records have only string keys");
    home::write_atomically(path, &text)
}
