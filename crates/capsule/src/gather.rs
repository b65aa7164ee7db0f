//! What is to be packed: texts, files and whole folders of this machine, under the paths that they get in the capsule.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, FileErrorKind, Folder};
use rayon::prelude::*;

use crate::CapsuleError;
use crate::hash::measure;
use crate::listing::{CapsuleListing, LISTING, PackedFile, PackedLink};

/// The list of hashes that `sha256sum --check` reads.
const SUMS: &str = "manifest-sha256.txt";
/// Folders in one another that are gone through.
const DEEPEST: usize = 64;

/// Where the content of a file comes from.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// Ours.
    Text(Vec<u8>),
    /// A file below a folder of this machine, by which no link is followed out of it.
    Below(PathBuf, PathBuf),
}

impl Source {
    /// Opens what is no text.
    pub(crate) fn open(folder: &Path, name: &Path) -> Result<File, FileError> {
        Folder::open(folder)?.open_file(name)
    }

    /// Length, digest, and whether it can be executed.
    fn measured(&self) -> Result<(u64, String, bool), FileError> {
        match self {
            Source::Text(text) => {
                let (bytes, sha256) = measure(text.as_slice()).unwrap_or_default();
                Ok((bytes, sha256, false))
            }
            Source::Below(folder, name) => {
                let failed = |source| FileError::Read { path: folder.join(name), source };
                let file = Self::open(folder, name)?;
                let mode = file.metadata().map_err(failed)?.permissions().mode();
                let (bytes, sha256) = measure(file).map_err(failed)?;
                Ok((bytes, sha256, mode & 0o100 != 0))
            }
        }
    }
}

/// What is to be packed.
#[derive(Debug, Default)]
pub struct Gathered {
    sources: BTreeMap<String, Source>,
    links: BTreeMap<String, String>,
}

impl Gathered {
    /// A text of ours; one that is there under this path is replaced.
    pub fn text(&mut self, path: &str, text: impl Into<Vec<u8>>) {
        self.sources.insert(path.to_owned(), Source::Text(text.into()));
    }

    /// A file of this machine.
    ///
    /// # Errors
    /// When its name is no text.
    pub fn file(&mut self, path: &str, file: &Path) -> Result<(), CapsuleError> {
        let (folder, name) = file
            .parent()
            .zip(file.file_name())
            .ok_or_else(|| CapsuleError::NoCapsule { path: file.to_owned(), why: "it names no file".to_owned() })?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        self.sources.insert(path.to_owned(), Source::Below(folder.to_owned(), PathBuf::from(name)));
        Ok(())
    }

    /// A link to something else that is packed, from the folder that it lies in.
    pub fn link(&mut self, path: &str, target: &str) {
        self.links.insert(path.to_owned(), target.to_owned());
    }

    /// Gives a file that is there another path.
    pub fn rename(&mut self, from: &str, to: &str) {
        if let Some(source) = self.sources.remove(from) {
            self.sources.insert(to.to_owned(), source);
        }
    }

    /// Whether something has this path, or lies below it.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let lies_there = |found: Option<&String>| found.is_some_and(|found| found.starts_with(&below));
        self.sources.contains_key(path) || lies_there(self.sources.range(below.clone()..).next().map(|(path, _)| path))
    }

    /// Every file and link of a folder for which `takes` holds, told the path in the folder: where it does not hold for a folder, nothing
    /// in it is asked about. Links are packed as they are, pipes and the like are left out.
    ///
    /// # Errors
    /// When a folder cannot be listed, a name is no text, or folders are in one another without end.
    pub fn tree(&mut self, path: &str, folder: &Path, takes: &dyn Fn(&Path) -> bool) -> Result<(), CapsuleError> {
        let root = Folder::open(folder)?;
        let mut left = vec![PathBuf::new()];
        while let Some(below) = left.pop() {
            let refuse = |name: &Path, why| CapsuleError::Name { name: name.display().to_string(), why };
            if below.components().count() > DEEPEST {
                return Err(refuse(&below, "lies too deep"));
            }
            let here = if below.as_os_str().is_empty() { Path::new(".") } else { &below };
            for entry in root.folder(here)?.entries()? {
                let name = below.join(&entry.name);
                if !takes(&name) {
                    continue;
                }
                let text = name.to_str().ok_or_else(|| refuse(&name, "is no text"))?;
                let packed = format!("{path}/{text}");
                match entry.kind {
                    FileErrorKind::Folder => left.push(name),
                    FileErrorKind::File => {
                        self.sources.insert(packed, Source::Below(folder.to_owned(), name));
                    }
                    FileErrorKind::Link => {
                        let target = root.link(&name)?;
                        let target = target.to_str().ok_or_else(|| refuse(&name, "leads to what is no text"))?;
                        self.links.insert(packed, target.to_owned());
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Reads everything once, on all cores, and knows its size from then on.
    ///
    /// # Errors
    /// When a file cannot be read, or a name cannot stand in a capsule.
    pub fn measured(mut self, about: serde_json::Value) -> Result<MeasuredCapsule, CapsuleError> {
        let mut files = self.listed()?;
        let sums: String = files.iter().map(|file| format!("{}  {}\n", file.sha256, file.path)).collect();
        self.text(SUMS, sums);
        if let Some(source) = self.sources.get(SUMS) {
            files.retain(|file| file.path != SUMS);
            files.push(listed((&SUMS.to_owned(), source))?);
            files.sort_by(|one, other| one.path.cmp(&other.path));
        }
        self.with(about, files)
    }

    /// The same for what gets no list of its own: a layer of an image.
    ///
    /// # Errors
    /// When a file cannot be read, or a name cannot stand in a capsule.
    pub fn measured_as_layer(self) -> Result<MeasuredCapsule, CapsuleError> {
        let files = self.listed()?;
        self.with(serde_json::Value::Null, files)
    }

    fn listed(&self) -> Result<Vec<PackedFile>, FileError> {
        self.sources.par_iter().map(listed).collect()
    }

    fn with(self, about: serde_json::Value, files: Vec<PackedFile>) -> Result<MeasuredCapsule, CapsuleError> {
        let links = self.links.into_iter().map(|(path, target)| PackedLink { path, target }).collect();
        let listing = CapsuleListing::new(about, files, links);
        listing.check()?;
        Ok(MeasuredCapsule { listing, sources: self.sources })
    }
}

fn listed((path, source): (&String, &Source)) -> Result<PackedFile, FileError> {
    let (bytes, sha256, executable) = source.measured()?;
    Ok(PackedFile { path: path.clone(), bytes, sha256, executable })
}

/// Writes the list of what lies in a folder, in the folder: what [`crate::verify`] holds it against.
///
/// # Errors
/// When something cannot be read, a name cannot stand in a capsule, or the list cannot be written.
pub fn seal(folder: &Path, about: serde_json::Value) -> Result<CapsuleListing, CapsuleError> {
    let mut gathered = Gathered::default();
    for entry in Folder::open(folder)?.entries()? {
        let name = entry.name.to_string_lossy().into_owned();
        match entry.kind {
            _ if name == LISTING || name == SUMS => {}
            FileErrorKind::Folder => gathered.tree(&name, &folder.join(&name), &|_| true)?,
            _ => gathered.file(&name, &folder.join(&name))?,
        }
    }
    let MeasuredCapsule { listing, sources } = gathered.measured(about)?;
    if let Some(Source::Text(sums)) = sources.get(SUMS) {
        nbrevive_files::write(&folder.join(SUMS), sums)?;
    }
    nbrevive_files::write(&folder.join(LISTING), listing.text())?;
    Ok(listing)
}

/// What is to be packed, read once.
#[derive(Debug)]
pub struct MeasuredCapsule {
    pub(crate) listing: CapsuleListing,
    pub(crate) sources: BTreeMap<String, Source>,
}

impl MeasuredCapsule {
    /// What it holds.
    #[must_use]
    pub const fn listing(&self) -> &CapsuleListing {
        &self.listing
    }

    /// Each file for which a source is open.
    pub(crate) fn open(&self) -> impl ParallelIterator<Item = File> + '_ {
        self.sources.par_iter().filter_map(|(_, source)| match source {
            Source::Below(folder, name) => Source::open(folder, name).ok(),
            Source::Text(_) => None,
        })
    }

    /// The same with all paths below a folder, its list among its files: as an image holds it.
    ///
    /// # Errors
    /// When its list cannot be measured.
    pub fn below(&self, folder: &str) -> Result<Self, CapsuleError> {
        let within = |path: &str| format!("{folder}/{path}");
        let text = Source::Text(self.listing.text());
        let mut files = self.listing.files.clone();
        files.push(listed((&LISTING.to_owned(), &text))?);
        files.iter_mut().for_each(|file| file.path = within(&file.path));
        let mut links = self.listing.links.clone();
        links.iter_mut().for_each(|link| link.path = within(&link.path));
        let mut sources: BTreeMap<String, Source> =
            self.sources.iter().map(|(path, source)| (within(path), source.clone())).collect();
        sources.insert(within(LISTING), text);
        Ok(Self { listing: CapsuleListing::new(serde_json::Value::Null, files, links), sources })
    }
}
