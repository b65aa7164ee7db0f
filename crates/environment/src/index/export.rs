//! Writes what an index knows into a snapshot file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::metadata::Kept;
use super::online::{Online, SUFFIX};
use super::snapshot::SnapshotWriter;
use super::{Index, IndexEntry, IndexError, Lookup, Source};
use crate::history::History;
use crate::metadata::Metadata;
use crate::versions::{is_name, normalise};

/// What goes into a snapshot.
#[derive(Debug, Clone, Copy)]
pub enum ExportScope<'names> {
    /// The answers that were asked for so far, and the metadata of the files that were asked for: what the plans made
    /// with this index need to be repeated.
    Asked,
    /// These distributions, fetched where they are not kept, and all their metadata that is kept.
    Names(&'names [String]),
    /// Everything that is kept, however old, without asking the index.
    Kept,
}

impl Index {
    /// Writes a snapshot, which replaces a file of that path as a whole. The same answers give the same bytes.
    ///
    /// # Errors
    /// [`IndexError::Snapshot`] when the file cannot be written; any other where a name of the scope has no answer.
    pub fn export_snapshot(&self, path: &Path, scope: ExportScope<'_>) -> Result<(), IndexError> {
        let mut writer = SnapshotWriter::create(path)?;
        let mut taken = Timestamp::UNIX_EPOCH;
        for name in self.names(scope)? {
            let (history, fetched) = self.exported(&name, scope)?;
            taken = taken.max(fetched);
            let entry = match history {
                Some(history) => Some(self.entry(&history, scope)?),
                None => None,
            };
            writer.add(&name, entry.as_ref())?;
        }
        Ok(writer.finish(taken)?)
    }

    fn names(&self, scope: ExportScope<'_>) -> Result<BTreeSet<String>, IndexError> {
        match (scope, &self.source) {
            (ExportScope::Asked, _) => Ok(self.noted().keys().cloned().collect()),
            (ExportScope::Names(names), _) => {
                let checked = |name: &String| {
                    if is_name(name) { Ok(normalise(name)) } else { Err(IndexError::Name(name.clone())) }
                };
                names.iter().map(checked).collect()
            }
            (ExportScope::Kept, Source::Online(online)) => Ok(online.names()),
            (ExportScope::Kept, Source::Snapshot(snapshot)) => Ok(snapshot.names().map(str::to_owned).collect()),
            (ExportScope::Kept, Source::Fixed(fixed)) => Ok(fixed.keys().cloned().collect()),
        }
    }

    /// The history of a name, `None` for an absent one, and when the answer was fetched.
    fn exported(&self, name: &str, scope: ExportScope<'_>) -> Result<(Option<Arc<History>>, Timestamp), IndexError> {
        if let (ExportScope::Kept, Source::Online(online)) = (scope, &self.source) {
            let kept = online.kept(name).ok_or_else(|| IndexError::Offline { name: name.to_owned() })?;
            return Ok((kept.history.map(Arc::new), kept.fetched));
        }
        let history = match self.history(name)? {
            Lookup::Known { history, .. } => Some(history),
            Lookup::Absent => None,
        };
        let fetched = self.noted().get(name).and_then(|asked| asked.fetched);
        Ok((history, fetched.unwrap_or(Timestamp::UNIX_EPOCH)))
    }

    fn entry(&self, history: &History, scope: ExportScope<'_>) -> Result<IndexEntry, IndexError> {
        let name = history.name.as_str();
        let mut metadata = BTreeMap::new();
        let asked = self.noted().get(name).map(|asked| asked.files.clone()).unwrap_or_default();
        let files = history.releases.iter().flat_map(|release| &release.files);
        match (scope, &self.source) {
            (ExportScope::Asked, _) => {
                for file in files.filter(|file| asked.contains(&*file.name)) {
                    metadata.insert(file.name.to_string(), Metadata::clone(&*self.metadata(history, file)?));
                }
            }
            (_, Source::Online(online)) => {
                let kept = Kept::files(&online.folder, name);
                for file in files.filter(|file| kept.contains(&*file.name)) {
                    let read = Kept::read(&online.folder, name, file);
                    metadata.extend(read.map(|kept| (file.name.to_string(), kept.metadata)));
                }
            }
            (_, Source::Snapshot(snapshot)) => {
                metadata = snapshot.entry(name)?.flatten().map(|entry| entry.metadata).unwrap_or_default();
            }
            (_, Source::Fixed(fixed)) => {
                let known = fixed.get(name).into_iter().flat_map(|fixed| &fixed.metadata);
                metadata.extend(known.map(|(file, known)| (file.clone(), Metadata::clone(known))));
            }
        }
        Ok(IndexEntry { history: history.clone(), metadata })
    }
}

impl Online {
    /// The names of which a readable answer is kept.
    fn names(&self) -> BTreeSet<String> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        let name = |file: std::fs::DirEntry| {
            let name = file.file_name().to_str()?.strip_suffix(SUFFIX)?.to_owned();
            (is_name(&name) && self.kept(&name).is_some()).then_some(name)
        };
        files.filter_map(name).collect()
    }
}
