//! The index of a day: the files that locks need, in a folder that any installer can use as its index, with the network off.
//!
//! Below the folder lie `files/FILE` with `FILE.metadata` beside each wheel (PEP 658), `simple/` with pages in HTML (PEP 503) and JSON
//! (PEP 691), so that any server of files can serve it, and the list of all that with SHA-256, which is crate `capsule`'s. Files come into
//! `.fetched/` and are moved when the list is written.
//!
//! - [`Mirror`] opens or begins such a folder, takes files in from an index, and seals it;
//! - `pages` are what installers read;
//! - [`MirrorServer`] serves a folder on loopback.

mod error;
mod held;
mod pages;
mod request;
mod serve;
mod wheel;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use nbrevive_capsule::{CapsuleError, CapsuleListing, seal, verify};
use nbrevive_environment::history::{File, FileTag, History, Release};
use nbrevive_environment::index::{IndexError, Lookup};
use nbrevive_environment::{Index, Interpreter};
use nbrevive_files::{FileError, Folder, OutgoingFile, make_folder, move_file, remove, write};
use pep440_rs::Version;
use serde::{Deserialize, Serialize};

pub use error::MirrorError;
pub use held::HeldFile;
pub use serve::MirrorServer;

/// A folder that holds files of an index.
#[derive(Debug)]
pub struct Mirror {
    folder: PathBuf,
    /// By name.
    files: BTreeMap<String, HeldFile>,
}

/// The file in such a folder with the release histories that plans went by, in the format of `nbrevive plan --save-snapshot`.
pub const HISTORIES: &str = "histories";

/// Where files wait for the list that names them. What a killed run fetched is there for the next one.
const FETCHED: &str = ".fetched";

/// What the list of such a folder is about.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MirrorAbout {
    /// By which it is told from other capsules.
    index: u32,
    files: Vec<HeldFile>,
}

/// The version of what a list is about.
const VERSION: u32 = 1;

/// What came of a wish for a version.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TakenFiles {
    /// Files that are new.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Whether the release was yanked (PEP 592).
    pub is_yanked: bool,
    /// Whether it has to be built.
    pub is_source: bool,
}

impl Mirror {
    /// A new folder, which must be empty or not there, or what a run left that was killed.
    ///
    /// # Errors
    /// When something lies there.
    pub fn begin(folder: &Path) -> Result<Self, MirrorError> {
        make_folder(folder)?;
        if Folder::open(folder)?.entries()?.iter().any(|entry| entry.name != FETCHED) {
            return Err(MirrorError::NotEmpty(folder.to_owned()));
        }
        Ok(Self { folder: folder.to_owned(), files: BTreeMap::new() })
    }

    /// A folder that was sealed, held against its list byte by byte.
    ///
    /// # Errors
    /// Names the first file that differs, is missing, or is not in the list.
    pub fn open(folder: &Path) -> Result<Self, MirrorError> {
        let (about, _) = about(folder)?;
        let files = about.files.into_iter().map(|file| (file.name.clone(), file)).collect();
        Ok(Self { folder: folder.to_owned(), files })
    }

    fn fetched(&self) -> PathBuf {
        self.folder.join(FETCHED)
    }

    /// What it holds, by name.
    pub fn files(&self) -> impl Iterator<Item = &HeldFile> {
        self.files.values()
    }

    /// Takes the files of a version in that an interpreter can install: the wheels that fit it, else the source archive. Files that are there
    /// stay. With `denies_yanked`, a yanked release is refused.
    ///
    /// # Errors
    /// When the index has no such version, nothing of it fits, a file cannot be fetched, or the folder cannot be written.
    pub fn take(
        &mut self,
        index: &Index,
        (name, version): (&str, &Version),
        interpreter: &Interpreter,
        denies_yanked: bool,
    ) -> Result<TakenFiles, MirrorError> {
        let missing = || MirrorError::Missing { name: name.to_owned(), version: version.to_string() };
        let Lookup::Known { history, .. } = index.history(name)? else { return Err(missing()) };
        let release = history.releases.iter().find(|release| release.version == *version).ok_or_else(missing)?;
        if release.yanked && denies_yanked {
            return Err(MirrorError::Yanked { name: name.to_owned(), version: version.to_string() });
        }
        let mut taken = TakenFiles { is_yanked: release.yanked, ..TakenFiles::default() };
        for file in fitting(release, interpreter).ok_or_else(missing)? {
            taken.is_source = file.tag() == FileTag::Sdist;
            if self.files.contains_key(&*file.name) {
                continue;
            }
            let held = self.fetch(index, (&history, release), file)?;
            taken.files += 1;
            taken.bytes = taken.bytes.saturating_add(held.bytes);
            self.hold(held)?;
        }
        Ok(taken)
    }

    /// A file that waits for the list, fetched unless it does so already.
    fn fetch(
        &self,
        index: &Index,
        (history, release): (&History, &Release),
        file: &File,
    ) -> Result<HeldFile, MirrorError> {
        let mut held = HeldFile::of(&history.name, release, file)?;
        make_folder(&self.fetched())?;
        let path = self.fetched().join(&held.name);
        let listed = file.sha256.map(String::from);
        let (bytes, sha256) = match held::measured(&path) {
            Ok(found) if listed.as_ref() == Some(&found.1) => found,
            _ => {
                let failed = |source| FileError::Write { path: path.clone(), source };
                let mut outgoing = OutgoingFile::begin(&path)?;
                for piece in index.pieces(history, file)? {
                    outgoing.write_all(&piece?).map_err(failed)?;
                }
                outgoing.commit()?;
                held::measured(&path)?
            }
        };
        (held.bytes, held.sha256) = (bytes, sha256);
        Ok(held)
    }

    /// Takes a file that waits for the list, with the metadata of a wheel.
    fn hold(&mut self, mut held: HeldFile) -> Result<(), MirrorError> {
        if FileTag::from_file_name(&held.name) != Some(FileTag::Sdist) {
            let metadata = wheel::metadata(&held.name, nbrevive_files::open(&self.fetched().join(&held.name))?)?;
            held.metadata_sha256 = Some(held::sha256(&metadata));
            write(&self.fetched().join(metadata_of(&held.name)), metadata)?;
        }
        self.files.insert(held.name.clone(), held);
        Ok(())
    }

    /// Takes the release histories in that plans went by, so that they can be repeated from the folder alone; what was there is replaced.
    ///
    /// # Errors
    /// When the file is not one of histories, or cannot be copied.
    pub fn take_histories(&mut self, from: &Path) -> Result<(), MirrorError> {
        Index::of_snapshot(from).map_err(IndexError::from)?;
        let to = self.folder.join(HISTORIES);
        let mut outgoing = OutgoingFile::begin(&to)?;
        let copied = io::copy(&mut nbrevive_files::open(from)?, &mut outgoing);
        copied.map_err(|source| FileError::Write { path: to, source })?;
        Ok(outgoing.commit()?)
    }

    /// Lets go of the files that are not meant; how many.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn prune(&mut self, is_meant: &dyn Fn(&HeldFile) -> bool) -> Result<usize, MirrorError> {
        let gone: Vec<String> =
            self.files.values().filter(|file| !is_meant(file)).map(|file| file.name.clone()).collect();
        for name in &gone {
            let path = self.folder.join("files").join(name);
            remove(&path)?;
            if self.files.remove(name).is_some_and(|file| file.metadata_sha256.is_some()) {
                remove(&self.folder.join("files").join(metadata_of(name)))?;
            }
        }
        Ok(gone.len())
    }

    /// Puts the files in their place, and writes the pages and the list.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn seal(self) -> Result<CapsuleListing, MirrorError> {
        self.settle()?;
        let simple = self.folder.join("simple");
        if simple.is_dir() {
            remove(&simple)?;
        }
        for (path, text) in pages::all(self.files.values()) {
            let path = self.folder.join(path);
            make_folder(path.parent().unwrap_or(&simple))?;
            write(&path, text)?;
        }
        let about = MirrorAbout { index: VERSION, files: self.files.into_values().collect() };
        Ok(seal(&self.folder, serde_json::to_value(about).unwrap_or_default())?)
    }

    fn settle(&self) -> Result<(), MirrorError> {
        let (fetched, files) = (self.fetched(), self.folder.join("files"));
        if !fetched.is_dir() {
            return Ok(());
        }
        make_folder(&files)?;
        for name in self.files.keys().flat_map(|name| [name.clone(), metadata_of(name)]) {
            let from = fetched.join(&name);
            if from.is_file() {
                move_file(&from, &files.join(&name))?;
            }
        }
        Ok(remove(&fetched)?)
    }
}

/// The name of the metadata beside a wheel.
fn metadata_of(name: &str) -> String {
    format!("{name}.metadata")
}

/// What the list of a folder says, after the folder was held against it.
fn about(folder: &Path) -> Result<(MirrorAbout, CapsuleListing), MirrorError> {
    let waiting = waiting(folder);
    let listing = verify(folder, &|_| waiting.clone()).map_err(|error| match error {
        CapsuleError::NoCapsule { path, why } => MirrorError::Other { path, why },
        other => MirrorError::Capsule(other),
    })?;
    let about: MirrorAbout = serde_json::from_value(listing.about.clone())
        .map_err(|error| MirrorError::Other { path: folder.to_owned(), why: error.to_string() })?;
    Ok((about, listing))
}

/// What a killed run has fetched into a folder, for the next one.
fn waiting(folder: &Path) -> BTreeSet<String> {
    let entries = Folder::open(&folder.join(FETCHED)).and_then(|fetched| fetched.entries()).unwrap_or_default();
    entries.into_iter().map(|entry| format!("{FETCHED}/{}", entry.name.to_string_lossy())).collect()
}

/// The files of a release that an interpreter can install.
fn fitting<'a>(release: &'a Release, interpreter: &Interpreter) -> Option<Vec<&'a File>> {
    let fits = |file: &&File| matches!(file.tag(), FileTag::Wheel(tags) if interpreter.fits(tags));
    let wheels: Vec<&File> = release.files.iter().filter(fits).collect();
    if !wheels.is_empty() {
        return Some(wheels);
    }
    release.files.iter().find(|file| file.tag() == FileTag::Sdist).map(|file| vec![file])
}

#[cfg(test)]
mod tests;
