//! A folder that appears whole: written beside its place, then exchanged with what is there.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use nbrevive_corpus::file_sha256;
use nbrevive_files::{Folder, FolderEntry, remove_remains, replace_folder, unpoisoned};

use super::manifest::{ManifestFile, TextEntry};
use super::{Variant, vouch};

/// Why a folder cannot be replaced.
#[derive(Debug, thiserror::Error)]
pub enum DatasetFolderError {
    /// It holds something that no export wrote, which would be gone.
    #[error("{folder} is not replaced, since `{name}` {why}: choose another folder, or move that away")]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What it holds.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// The system refuses.
    #[error(
        "cannot write folder {folder}: {source}; choose a folder on a disk with room, in a place that you may write"
    )]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A dataset that is being written. Dropped before it is published, it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Staging {
    place: PathBuf,
    partial: PathBuf,
    variant: Variant,
    /// What is there already, all of it written by an export.
    replaced: Vec<FolderEntry>,
    /// Tables are written by several threads.
    files: Mutex<Vec<ManifestFile>>,
}

impl Staging {
    /// Begins a folder that is to stand at `place`.
    ///
    /// # Errors
    /// When what is there is no dataset, or nothing can be written beside it.
    pub(crate) fn open(place: &Path, variant: Variant) -> Result<Self, DatasetFolderError> {
        let unwritable = |source| DatasetFolderError::Unwritable { folder: place.to_owned(), source };
        // Behind a link the folder itself is exchanged, and the link stays.
        let place = place.canonicalize().or_else(|_| std::path::absolute(place)).map_err(unwritable)?;
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else {
            return Err(unwritable(std::io::ErrorKind::InvalidInput.into()));
        };
        let replaced = vouch::entries(&place)?;
        std::fs::create_dir_all(parent).map_err(unwritable)?;
        let stem = format!(".{}.", name.to_string_lossy());
        remove_remains(parent, |name| is_left(name, &stem));
        let partial = parent.join(format!("{stem}{}.partial", std::process::id()));
        std::fs::create_dir(&partial).map_err(unwritable)?;
        Ok(Staging { place: place.clone(), partial, variant, replaced, files: Mutex::default() })
    }

    /// The variant that is written.
    pub(crate) const fn variant(&self) -> Variant {
        self.variant
    }

    /// Where a file is to be written.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.partial.join(name)
    }

    /// Whether the folder that is there has a file.
    pub(crate) fn had(&self, name: &str) -> bool {
        self.place.join(name).is_file()
    }

    /// Takes note of a file that is written.
    pub(crate) fn note(&self, file: ManifestFile) {
        unpoisoned(self.files.lock()).push(file);
    }

    /// The files that are written.
    pub(crate) fn files(&self) -> Vec<ManifestFile> {
        unpoisoned(self.files.lock()).clone()
    }

    /// Writes a text beside the tables; gives what the manifest says of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<TextEntry, DatasetFolderError> {
        let path = self.path(name);
        let sha256 = std::fs::write(&path, text).and_then(|()| file_sha256(&path));
        let sha256 = sha256.map_err(|source| DatasetFolderError::Unwritable { folder: self.place.clone(), source })?;
        Ok(TextEntry { name: name.to_owned(), sha256 })
    }

    /// Puts the folder in its place, and removes what was there.
    ///
    /// # Errors
    /// When the system refuses; what was there stays.
    pub(crate) fn publish(self) -> Result<(), DatasetFolderError> {
        let unwritable = |source: std::io::Error| DatasetFolderError::Unwritable { folder: self.place.clone(), source };
        sync_files(&self.partial).and_then(|()| sync(&self.partial)).map_err(unwritable)?;
        self.refuse_newcomers()?;
        replace_folder(&self.partial, &self.place).map_err(unwritable)?;
        // `drop` removes what now stands under the other name: the old dataset.
        self.place.parent().map_or(Ok(()), sync).map_err(unwritable)
    }

    /// An export takes its time: what was put into the folder meanwhile must not be lost with it.
    fn refuse_newcomers(&self) -> Result<(), DatasetFolderError> {
        let folder = &self.place;
        let now = match Folder::open(folder).and_then(|folder| folder.entries()) {
            Err(error) if error.is_not_found() => return Ok(()),
            now => {
                now.map_err(|error| DatasetFolderError::Unwritable { folder: folder.clone(), source: error.into() })?
            }
        };
        let newcomer = now.iter().find(|entry| !self.replaced.contains(entry));
        newcomer.map_or(Ok(()), |entry| {
            let (name, why) = (entry.name.to_string_lossy().into_owned(), "came while the export ran".to_owned());
            Err(DatasetFolderError::Foreign { folder: folder.clone(), name, why })
        })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be removed is removed by the next export.
        let _ = std::fs::remove_dir_all(&self.partial);
    }
}

fn sync(path: &Path) -> std::io::Result<()> {
    std::fs::File::open(path)?.sync_all()
}

/// Brings every file of a folder to the disk: all at once, which takes about as long as one.
fn sync_files(folder: &Path) -> std::io::Result<()> {
    let paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let paths: Vec<PathBuf> = paths.collect::<std::io::Result<_>>()?;
    std::thread::scope(|threads| {
        let begun: Vec<_> = paths.iter().map(|path| threads.spawn(move || sync(path))).collect();
        begun.into_iter().try_for_each(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Whether a folder is what a killed export left beside its place, whose other names begin like that.
fn is_left(name: &str, stem: &str) -> bool {
    let pid = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(".partial"));
    pid.and_then(|pid| pid.parse::<u32>().ok())
        .is_some_and(|pid| pid == std::process::id() || !Path::new(&format!("/proc/{pid}")).exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::MANIFEST;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_old_until_it_is_new_as_a_whole() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("data");
        std::fs::create_dir(&place).unwrap();
        let staging = Staging::open(&place, Variant::Full).unwrap();
        staging.write(MANIFEST, "new").unwrap();
        assert_eq!(names(&place), [""; 0]);
        drop(staging);
        assert_eq!(names(parent.path()), ["data"], "an export that gave up leaves something behind");
        let staging = Staging::open(&place, Variant::Full).unwrap();
        staging.write(MANIFEST, "new").unwrap();
        staging.publish().unwrap();
        assert_eq!((names(&place), names(parent.path())), (vec![MANIFEST.to_owned()], vec!["data".to_owned()]));
    }

    #[test]
    fn what_a_killed_export_left_is_removed_and_what_a_living_one_writes_is_not() {
        let parent = tempfile::tempdir().unwrap();
        let (dead, living) = (parent.path().join(".data.4194999.partial"), parent.path().join(".data.1.partial"));
        std::fs::create_dir(&dead).unwrap();
        std::fs::create_dir(&living).unwrap();
        drop(Staging::open(&parent.path().join("data"), Variant::Full).unwrap());
        assert_eq!(names(parent.path()), [".data.1.partial"]);
    }

    #[test]
    fn a_link_to_a_folder_stays_a_link() {
        let parent = tempfile::tempdir().unwrap();
        let (real, link) = (parent.path().join("real"), parent.path().join("data"));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let staging = Staging::open(&link, Variant::Full).unwrap();
        staging.write(MANIFEST, "new").unwrap();
        staging.publish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(names(&real), [MANIFEST]);
    }
}
