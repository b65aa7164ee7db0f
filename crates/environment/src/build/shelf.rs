//! The environments that are there: listed, and pruned by size and age.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use pep440_rs::Version;

use super::{Builder, Environment, MANIFEST, content, lock_path, packed, read_json};
use crate::home::{self, Home, HomeError, lock_within};

/// One environment of a home.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvironmentInfo {
    /// Its id.
    pub id: String,
    /// Disk space of its files in bytes, those that it shares with others included.
    pub bytes: u64,
    /// Disk space in bytes of the files that it shares with nobody: what removing it frees at once.
    pub own_bytes: u64,
    /// When it was built or last asked for.
    pub last_used: Timestamp,
    /// Full version of its interpreter.
    pub python: Version,
    /// Number of distributions installed.
    pub distributions: usize,
}

/// What is pruned. By default nothing: both limits are off. What is packed for other machines ([`Home::packed`]) is held to the same
/// limits, by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PruneSettings {
    /// Disk space in bytes that all environments together may keep, shared files counted once; the least recently
    /// used go first. `None` (default): no limit.
    pub max_bytes: Option<u64>,
    /// Environments and kept failures that nobody asked for within this time go. `None` (default): none do.
    pub max_age: Option<Duration>,
    /// Ids that stay in any case. Default none.
    pub keep: BTreeSet<String>,
}

/// What was pruned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Ids of removed environments.
    pub removed: Vec<String>,
    /// Ids that would have gone, but are in use.
    pub in_use: Vec<String>,
    /// Folders that killed builders left behind, removed.
    pub incomplete: usize,
    /// Kept failures, removed.
    pub failures: usize,
    /// Files of what is packed for other machines ([`Home::packed`]), removed.
    pub packed: usize,
    /// Disk space in bytes that the remaining environments take, shared files counted once.
    pub kept_bytes: u64,
    /// Disk space in bytes that is free again, shared files counted when their last environment went.
    pub freed_bytes: u64,
}

/// One file's place on the disk.
type Inode = (u64, u64);

/// An environment with its files.
struct Shelved {
    info: EnvironmentInfo,
    path: PathBuf,
    files: HashMap<Inode, u64>,
}

/// All complete environments of a home, the most recently used first.
///
/// # Errors
/// [`HomeError`] when the folder is there but cannot be read.
pub fn environments(home: &Home) -> Result<Vec<EnvironmentInfo>, HomeError> {
    Ok(shelved(home)?.into_iter().map(|shelved| shelved.info).collect())
}

/// Names in the folder of environments; an absent folder has none.
fn names(home: &Home) -> Result<Vec<String>, HomeError> {
    let folder = home.environments();
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(HomeError::new("read", &folder, error)),
    };
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

fn shelved(home: &Home) -> Result<Vec<Shelved>, HomeError> {
    let mut found: Vec<Shelved> =
        names(home)?.iter().filter_map(|name| shelve(&home.environments().join(name))).collect();
    found.sort_by(|one, other| other.info.last_used.cmp(&one.info.last_used).then_with(|| one.path.cmp(&other.path)));
    Ok(found)
}

fn shelve(path: &Path) -> Option<Shelved> {
    let manifest = path.join(MANIFEST);
    let environment: Environment = read_json(&manifest)?;
    let last_used = Timestamp::try_from(fs::metadata(&manifest).ok()?.modified().ok()?).ok()?;
    let (mut files, mut own_bytes) = (HashMap::new(), 0);
    measure(path, &mut |metadata| {
        files.insert((metadata.dev(), metadata.ino()), metadata.blocks() * 512);
        own_bytes += if metadata.nlink() == 1 { metadata.blocks() * 512 } else { 0 };
    });
    let info = EnvironmentInfo {
        id: environment.id,
        bytes: files.values().sum(),
        own_bytes,
        last_used,
        python: environment.interpreter.version,
        distributions: environment.lock.len(),
    };
    Some(Shelved { info, path: path.to_owned(), files })
}

/// Shows every file below a folder; links are not followed.
fn measure(folder: &Path, note: &mut impl FnMut(&fs::Metadata)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            measure(&entry.path(), note);
        } else {
            note(&metadata);
        }
    }
}

/// The disk space of many environments, each file counted once.
#[derive(Default)]
struct Space {
    files: HashMap<Inode, (u64, u32)>,
    bytes: u64,
}

impl Space {
    fn of(all: &[Shelved]) -> Self {
        let mut space = Self::default();
        for (inode, bytes) in all.iter().flat_map(|shelved| &shelved.files) {
            let file = space.files.entry(*inode).or_insert((*bytes, 0));
            file.1 += 1;
            space.bytes += if file.1 == 1 { *bytes } else { 0 };
        }
        space
    }

    fn without(&mut self, shelved: &Shelved) -> u64 {
        let before = self.bytes;
        for inode in shelved.files.keys() {
            if let Some((bytes, users)) = self.files.get_mut(inode) {
                *users -= 1;
                self.bytes -= if *users == 0 { *bytes } else { 0 };
            }
        }
        before - self.bytes
    }
}

impl Builder<'_> {
    /// Removes environments that are too many or too old, what killed builders left, and old failures. An environment
    /// with a [`super::Lease`] stays, and so does one that is being built.
    ///
    /// # Errors
    /// [`HomeError`] when something cannot be read or removed.
    pub fn prune(home: &Home, settings: &PruneSettings) -> Result<PruneReport, HomeError> {
        let mut report = PruneReport::default();
        let mut all = shelved(home)?;
        let mut space = Space::of(&all);
        let is_old = |last_used: SystemTime| {
            settings.max_age.is_some_and(|limit| last_used.elapsed().is_ok_and(|age| age > limit))
        };
        // The least recently used comes last.
        while let Some(oldest) = all.pop() {
            let too_much = settings.max_bytes.is_some_and(|limit| space.bytes > limit);
            if settings.keep.contains(&oldest.info.id) || !(too_much || is_old(oldest.info.last_used.into())) {
                continue;
            }
            if remove(home, &oldest)? {
                report.freed_bytes += space.without(&oldest);
                report.removed.push(oldest.info.id);
            } else {
                report.in_use.push(oldest.info.id);
            }
        }
        report.kept_bytes = space.bytes;
        tidy(home, &is_old, &mut report)?;
        let (packed, freed) = packed::prune(home, &is_old, settings.max_bytes, &settings.keep)?;
        (report.packed, report.freed_bytes) = (packed, report.freed_bytes + freed);
        content::sweep(&home.content());
        Ok(report)
    }
}

/// Removes an environment unless it is in use; its manifest first, so that nobody trusts half of it.
fn remove(home: &Home, shelved: &Shelved) -> Result<bool, HomeError> {
    let path = lock_path(home, &shelved.info.id);
    let Some(_lock) = lock_within(&path, Duration::ZERO)? else { return Ok(false) };
    home::remove_file(&shelved.path.join(MANIFEST))?;
    home::remove_folder(&shelved.path)?;
    home::remove_file(&path)?;
    Ok(true)
}

/// Removes what killed builders left, and kept failures of old.
fn tidy(home: &Home, is_old: &impl Fn(SystemTime) -> bool, report: &mut PruneReport) -> Result<(), HomeError> {
    for name in names(home)? {
        let path = home.environments().join(&name);
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() {
            let lock_at = lock_path(home, &name);
            let Some(_lock) = lock_within(&lock_at, Duration::ZERO)? else { continue };
            if !path.join(MANIFEST).exists() {
                home::remove_folder(&path)?;
                home::remove_file(&lock_at)?;
                report.incomplete += 1;
            }
        } else if name.ends_with(".failed.json") && metadata.modified().is_ok_and(is_old) {
            home::remove_file(&path)?;
            report.failures += 1;
        } else if let Some(id) = name.strip_suffix(".lock")
            && !home.environments().join(id).exists()
            && let Some(_lock) = lock_within(&path, Duration::ZERO)?
        {
            home::remove_file(&path)?;
        }
    }
    Ok(())
}
