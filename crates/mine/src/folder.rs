//! Notebooks that are already in a folder. Where it lies in a git repository, the submission time of an unchanged file
//! is that of the last commit that touched it; else it is not known.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, FileErrorKind, Folder};

use crate::content::{LocalSettings, LocalTrouble, classify};
use crate::git::{Change, GitError, GitRepository, newest};
use crate::raw::RawStore;
use crate::records::{LocalPath, MinedRecord, MiningSource, NotebookKey, Origin, VersionRecord};

/// Deepest folder that is entered.
const DEEPEST: usize = 64;

/// A folder cannot be mined.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be read.
    #[error("cannot read the folder {}: {source}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The repository around it, or the raw store, cannot be used.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl From<crate::raw::RawError> for FolderError {
    fn from(error: crate::raw::RawError) -> Self {
        Self::Git(error.into())
    }
}

/// Every notebook below a folder. Hidden folders and files are left out, and links are not followed. The bytes are
/// kept in the raw store. Running again gives the same records. The receiver may stop after any record.
///
/// # Errors
/// [`FolderError`]; files that cannot be taken are troubles instead, which are returned.
pub fn mine(
    folder: &Path,
    store: &RawStore,
    settings: &LocalSettings,
    sink: &mut dyn FnMut(MinedRecord) -> ControlFlow<()>,
) -> Result<Vec<LocalTrouble>, FolderError> {
    let mut found = Found::default();
    let unreadable = |error: FileError| FolderError::Unreadable { path: folder.to_owned(), source: error.into() };
    let held = Folder::open(folder).map_err(unreadable)?;
    found.enter(&held, "", settings, 0).map_err(unreadable)?;
    found.paths.sort();
    let commits = commits(folder, &found.paths)?;
    for path in found.paths {
        let key = NotebookKey::File(path.clone());
        if store.is_removed(&key.to_string())? {
            continue;
        }
        let bytes = match held.read(Path::new(path.as_str()), settings.largest_file) {
            Ok(bytes) => bytes,
            Err(error) => {
                found.troubles.push(LocalTrouble::new(path.as_str(), &why(error)));
                continue;
            }
        };
        let version = version(store, key, &path, &bytes, commits.get(path.as_str()))?;
        let notebook = newest(&version);
        let stop = sink(MinedRecord::Version(Box::new(version))).is_break();
        if stop || sink(MinedRecord::Notebook(notebook)).is_break() {
            break;
        }
    }
    Ok(found.troubles)
}

#[derive(Default)]
struct Found {
    paths: Vec<LocalPath>,
    troubles: Vec<LocalTrouble>,
}

impl Found {
    fn enter(&mut self, folder: &Folder, below: &str, settings: &LocalSettings, depth: usize) -> Result<(), FileError> {
        for entry in folder.entries()? {
            let name = entry.name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            let path = if below.is_empty() { name.to_string() } else { format!("{below}/{name}") };
            if entry.kind == FileErrorKind::Folder && depth < DEEPEST {
                let entered = folder.folder(Path::new(&entry.name));
                if let Err(error) = entered.and_then(|inner| self.enter(&inner, &path, settings, depth + 1)) {
                    self.troubles.push(LocalTrouble::new(&path, &std::io::Error::from(error)));
                }
            } else if entry.kind == FileErrorKind::File && settings.takes(&path) {
                match LocalPath::new(&path) {
                    Ok(path) => self.paths.push(path),
                    Err(error) => self.troubles.push(LocalTrouble::new(&path, &error)),
                }
            }
        }
        Ok(())
    }
}

/// Why a file is not taken, without its place, which is told before.
fn why(error: FileError) -> String {
    match error {
        FileError::TooLong { most, .. } => format!("longer than {most} bytes"),
        other => std::io::Error::from(other).to_string(),
    }
}

/// The last commit of every file that is as it was committed.
fn commits(folder: &Path, paths: &[LocalPath]) -> Result<HashMap<String, Change>, GitError> {
    let mut commits = HashMap::new();
    let Some(repository) = GitRepository::around(folder) else { return Ok(commits) };
    let Some(below) = repository.path_of(folder) else { return Ok(commits) };
    let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
    let paths_here: HashSet<&str> = paths.iter().map(LocalPath::as_str).collect();
    let wanted = |path: &str| path.strip_prefix(&prefix).is_some_and(|path| paths_here.contains(path));
    for mut change in repository.changes(Some(&below), wanted)? {
        if let Some(path) = change.path.strip_prefix(&prefix).map(str::to_owned) {
            change.path.clone_from(&path);
            // The newest commit comes first.
            commits.entry(path).or_insert(change);
        }
    }
    let known: Vec<&str> = paths.iter().map(LocalPath::as_str).filter(|path| commits.contains_key(*path)).collect();
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let names = repository.names_of(&folder, &known)?;
    let changed: Vec<&str> = known
        .iter()
        .enumerate()
        .filter(|(place, path)| {
            names.get(*place).map(String::as_str) != commits.get(**path).map(|change| &*change.blob)
        })
        .map(|(_, path)| *path)
        .collect();
    for path in changed {
        commits.remove(path);
    }
    Ok(commits)
}

impl GitRepository {
    /// A folder's path in the working tree; empty for the tree itself.
    fn path_of(&self, folder: &Path) -> Option<String> {
        let folder = folder.canonicalize().ok()?;
        let below = folder.strip_prefix(self.tree()?).ok()?;
        below.to_str().map(str::to_owned)
    }
}

fn version(
    store: &RawStore,
    key: NotebookKey,
    path: &LocalPath,
    bytes: &[u8],
    commit: Option<&Change>,
) -> Result<VersionRecord, GitError> {
    let code = store.keep(MiningSource::Folder, &key.to_string(), bytes)?;
    let (kind, language) = classify(path.as_str(), bytes);
    let request = format!("file {}", path.as_str());
    let origin = Origin { source: MiningSource::Folder, request, raw: code.clone() };
    Ok(VersionRecord {
        revision: commit.map(|commit| commit.commit.clone()),
        created: commit.and_then(|commit| commit.time),
        kind,
        language,
        code: Some(code),
        ..VersionRecord::unknown(key, origin)
    })
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
