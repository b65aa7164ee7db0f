//! A folder that appears whole: written beside its place, then exchanged with what is there.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::manifest::FileEntry;
use super::schema::Schema;
use super::{CARD, CROISSANT, MANIFEST, Variant};

/// Why a folder cannot be replaced.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It holds something that is not of a dataset, which would be gone.
    #[error(
        "{folder} holds `{name}`, which is no file of a dataset: choose a folder that is new, or that an export wrote"
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What it holds.
        name: String,
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
    /// Tables are written by several threads.
    files: Mutex<Vec<FileEntry>>,
}

impl Staging {
    /// Begins a folder that is to stand at `place`.
    ///
    /// # Errors
    /// When what is there is no dataset, or nothing can be written beside it.
    pub(crate) fn open(place: &Path, variant: Variant) -> Result<Self, FolderError> {
        let unwritable = |source| FolderError::Unwritable { folder: place.to_owned(), source };
        // Behind a link the folder itself is exchanged, and the link stays.
        let place = place.canonicalize().or_else(|_| std::path::absolute(place)).map_err(unwritable)?;
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else {
            return Err(unwritable(std::io::ErrorKind::InvalidInput.into()));
        };
        refuse_foreign(&place)?;
        std::fs::create_dir_all(parent).map_err(unwritable)?;
        let stem = format!(".{}.", name.to_string_lossy());
        remove_remains(parent, &stem);
        let partial = parent.join(format!("{stem}{}.partial", std::process::id()));
        std::fs::create_dir(&partial).map_err(unwritable)?;
        Ok(Staging { place: place.clone(), partial, variant, files: Mutex::default() })
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
    pub(crate) fn note(&self, file: FileEntry) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).push(file);
    }

    /// The files that are written.
    pub(crate) fn files(&self) -> Vec<FileEntry> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes a text beside the tables.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let written =
            std::fs::write(self.path(name), text).and_then(|()| std::fs::File::open(self.path(name))?.sync_all());
        written.map_err(|source| FolderError::Unwritable { folder: self.place.clone(), source })
    }

    /// Puts the folder in its place, and removes what was there.
    ///
    /// # Errors
    /// When the system refuses; what was there stays.
    pub(crate) fn publish(self) -> Result<(), FolderError> {
        let unwritable = |source: std::io::Error| FolderError::Unwritable { folder: self.place.clone(), source };
        sync(&self.partial).map_err(unwritable)?;
        if self.place.exists() {
            exchange(&self.partial, &self.place).map_err(unwritable)?;
        } else {
            std::fs::rename(&self.partial, &self.place).map_err(unwritable)?;
        }
        // `drop` removes what now stands under the other name: the old dataset.
        self.place.parent().map_or(Ok(()), sync).map_err(unwritable)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be removed is removed by the next export.
        let _ = std::fs::remove_dir_all(&self.partial);
    }
}

/// Exchanges two folders in one step; where the file system cannot, in two, between which a kill leaves the new one under its
/// partial name.
fn exchange(new: &Path, old: &Path) -> std::io::Result<()> {
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            let aside = new.with_extension("old");
            std::fs::rename(old, &aside)?;
            std::fs::rename(new, old)?;
            std::fs::rename(&aside, new)
        }
        done => done.map_err(std::io::Error::from),
    }
}

fn sync(folder: &Path) -> std::io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

/// An export replaces the whole folder: what no export wrote must not be lost with it.
fn refuse_foreign(place: &Path) -> Result<(), FolderError> {
    let unwritable = |source| FolderError::Unwritable { folder: place.to_owned(), source };
    if !place.exists() {
        return Ok(());
    }
    let ours = |name: &str| {
        let table = name.strip_suffix(".parquet").is_some_and(|name| Schema::get().table(name).is_some());
        table || [MANIFEST, CROISSANT, CARD].contains(&name) || name.ends_with(".partial")
    };
    for entry in std::fs::read_dir(place).map_err(unwritable)? {
        let name = entry.map_err(unwritable)?.file_name().to_string_lossy().into_owned();
        if !ours(&name) {
            return Err(FolderError::Foreign { folder: place.to_owned(), name });
        }
    }
    Ok(())
}

/// Removes what killed exports left beside the place.
fn remove_remains(parent: &Path, stem: &str) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let rest = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(".partial"));
        let dead = rest
            .and_then(|pid| pid.parse::<u32>().ok())
            .is_some_and(|pid| pid == std::process::id() || !Path::new(&format!("/proc/{pid}")).exists());
        if dead {
            // In nobody's way: the next export tries again.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        std::fs::write(place.join("cells.parquet"), "old").unwrap();
        let staging = Staging::open(&place, Variant::Full).unwrap();
        staging.write(MANIFEST, "new").unwrap();
        assert_eq!(names(&place), ["cells.parquet"]);
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
    fn a_file_of_somebody_else_is_not_lost() {
        let parent = tempfile::tempdir().unwrap();
        std::fs::write(parent.path().join("thesis.tex"), "years of work").unwrap();
        let error = Staging::open(parent.path(), Variant::Full).unwrap_err().to_string();
        assert!(error.contains("thesis.tex") && error.contains("choose a folder"), "{error}");
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
