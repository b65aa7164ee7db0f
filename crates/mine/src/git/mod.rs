//! Notebooks in the history of a git repository that is here: each commit that touched a file is a version of it, and
//! its submission time is the commit's.
//!
//! | file | purpose |
//! |---|---|
//! | `command.rs` | calls git so that a hostile repository runs nothing |
//! | `history.rs` | changes and contents |
//! | `tree.rs` | the files of one commit |
//! | `address.rs`, `clone.rs` | a repository that is elsewhere, brought here |
//! | `check_out.rs` | the files of one commit, put into a folder |

mod address;
mod check_out;
mod clone;
mod command;
mod history;
mod tree;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

pub use address::{GitAddress, NotAGitAddress};
pub use check_out::CheckOutLimits;
pub use clone::CloneLimits;
pub use command::{GitError, GitRepository};
pub(crate) use history::Change;

use crate::content::{LocalSettings, LocalTrouble, classify};
use crate::raw::RawStore;
use crate::records::{LocalPath, MinedRecord, MiningSource, NotebookKey, NotebookRecord, Origin, VersionRecord};
use history::{Blob, Blobs};

impl GitRepository {
    /// Every version of every notebook in the history of HEAD. The bytes are kept in the raw store. Running again
    /// gives the same records. The receiver may stop after any record.
    ///
    /// # Errors
    /// [`GitError`]; files that cannot be taken are troubles instead, which are returned.
    pub fn mine(
        &self,
        store: &RawStore,
        settings: &LocalSettings,
        sink: &mut dyn FnMut(MinedRecord) -> ControlFlow<()>,
    ) -> Result<Vec<LocalTrouble>, GitError> {
        let mut files: BTreeMap<String, Vec<Change>> = BTreeMap::new();
        for change in self.changes(None, |path| settings.takes(path))? {
            files.entry(change.path.clone()).or_default().push(change);
        }
        let mut troubles = Vec::new();
        let mut blobs = self.blobs()?;
        for (path, changes) in files {
            let key = match LocalPath::new(&path) {
                Ok(path) => NotebookKey::File(path),
                Err(error) => {
                    troubles.push(LocalTrouble::new(&path, &error));
                    continue;
                }
            };
            if store.is_removed(&key.to_string())? {
                continue;
            }
            let mut file = File { store, settings, key, blobs: &mut blobs, troubles: &mut troubles };
            if file.tell(&changes, sink)?.is_break() {
                break;
            }
        }
        Ok(troubles)
    }
}

/// One file with what telling its versions needs.
struct File<'a, 'b> {
    store: &'a RawStore,
    settings: &'a LocalSettings,
    key: NotebookKey,
    blobs: &'a mut Blobs<'b>,
    troubles: &'a mut Vec<LocalTrouble>,
}

impl File<'_, '_> {
    /// Tells every version, the newest first, and then the notebook.
    fn tell(
        &mut self,
        changes: &[Change],
        sink: &mut dyn FnMut(MinedRecord) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, GitError> {
        let mut notebook = None;
        for change in changes {
            let limit = self.settings.largest_file;
            let why = match self.blobs.read(&change.blob, limit)? {
                Blob::Here(bytes) => {
                    let version = version(self.store, &self.key, change, &bytes)?;
                    notebook.get_or_insert_with(|| newest(&version));
                    if sink(MinedRecord::Version(Box::new(version))).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    continue;
                }
                Blob::TooLarge => format!("longer than {limit} bytes at {}", change.commit),
                Blob::Missing => format!("its content at {} is not here", change.commit),
            };
            self.troubles.push(LocalTrouble::new(&change.path, &why));
        }
        Ok(notebook.map_or(ControlFlow::Continue(()), |notebook| sink(MinedRecord::Notebook(notebook))))
    }
}

fn version(store: &RawStore, key: &NotebookKey, change: &Change, bytes: &[u8]) -> Result<VersionRecord, GitError> {
    let code = store.keep(MiningSource::Git, &key.to_string(), bytes)?;
    let (kind, language) = classify(&change.path, bytes);
    let request = format!("git {}:{}", change.commit, change.path);
    let origin = Origin { source: MiningSource::Git, request, raw: code.clone() };
    Ok(VersionRecord {
        revision: Some(change.commit.clone()),
        created: change.time,
        kind,
        language,
        code: Some(code),
        ..VersionRecord::unknown(key.clone(), origin)
    })
}

/// The notebook by its newest version.
pub(crate) fn newest(version: &VersionRecord) -> NotebookRecord {
    NotebookRecord {
        key: version.notebook.clone(),
        id: None,
        title: None,
        author: None,
        language: version.language,
        kind: version.kind,
        last_run: None,
        votes: None,
        current_version: None,
        copied_from: None,
        origin: version.origin.clone(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
