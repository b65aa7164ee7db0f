//! What is written beside an environment: that it is complete, that it was compiled, who builds it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;

use super::Environment;
use crate::home::{self, Home, HomeError};

/// The file whose presence means that an environment is complete.
pub(super) const MANIFEST: &str = "nbrevive-environment.json";
/// The file whose presence means that what is installed was compiled.
pub(super) const COMPILED: &str = "nbrevive-compiled";

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
#[must_use]
pub fn kept(home: &Home, id: &str) -> Option<Environment> {
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

/// What a record of ours says; nothing where it cannot be read.
pub(super) fn read_json<Content: serde::de::DeserializeOwned>(path: &Path) -> Option<Content> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Writes a record, whole or not at all.
pub(super) fn write_json(path: &Path, content: &impl Serialize) -> Result<(), HomeError> {
    let text = serde_json::to_vec_pretty(content).expect("these records have only string keys");
    home::write_atomically(path, &text)
}
