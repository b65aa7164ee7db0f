//! Where everything that this crate keeps lives: one folder, safe under several processes.
//!
//! | subfolder | holds |
//! |---|---|
//! | `index/` | release histories, one file a distribution, and the metadata of files |
//! | `environments/<id>/` | materialised environments, named by the hash of their content |
//! | `kernels/<minor>-<hash>/` | the kernel's own packages, one layer a Python minor |
//! | `content/` | large files that several environments hold, hardlinked from here |
//! | `census/` | the Python text of releases, packed, for the census of changes |
//! | `tools/` | programs that building needs (`bin/uv`, virtualenv for Python 2.7) |
//! | `packed/` | environments and kernel layers, one file each, for machines with a disk of their own ([`Home::with_local`]) |
//!
//! Files appear whole (written beside, then renamed); builders of the same thing wait for each other by `flock`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

/// The folder below which histories, environments, kernel layers and tools are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
    /// Where environments and kernel layers lie, if not there: on a disk of this machine.
    local: Option<PathBuf>,
}

/// No folder is named by the environment variables that could name one.
#[derive(Debug, thiserror::Error)]
#[error(
    "no cache folder: neither NBREVIVE_HOME nor XDG_CACHE_HOME nor HOME is set; set NBREVIVE_HOME to a writable folder"
)]
pub struct NoHome;

/// A file or folder of the home could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}", path.display())]
pub struct HomeError {
    /// What was tried: `create`, `write`, `lock`, `remove`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// Why it failed.
    #[source]
    pub source: io::Error,
}

impl HomeError {
    pub(crate) fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self { action, path: path.to_owned(), source }
    }
}

impl Home {
    /// The home named by `NBREVIVE_HOME`, else `$XDG_CACHE_HOME/nbrevive`, else `~/.cache/nbrevive`; with what is unpacked in
    /// `NBREVIVE_LOCAL`, where that is set.
    ///
    /// # Errors
    /// [`NoHome`] when none of the three variables is set.
    pub fn from_environment() -> Result<Self, NoHome> {
        Self::from_variables(|name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
            .ok_or(NoHome)
    }

    fn from_variables(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<Self> {
        let root = variable("NBREVIVE_HOME")
            .or_else(|| variable("XDG_CACHE_HOME").map(|cache| cache.join("nbrevive")))
            .or_else(|| variable("HOME").map(|home| home.join(".cache/nbrevive")))?;
        let home = Self::at(root);
        Some(match variable("NBREVIVE_LOCAL") {
            Some(local) => home.with_local(local),
            None => home,
        })
    }

    /// A home at the given folder, which need not exist yet; a relative one is taken from the current folder.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { root: std::path::absolute(&root).unwrap_or(root), local: None }
    }

    /// The same on a machine that shares it with others over a network: what consists of thousands of files is packed in it, one file an
    /// environment, and unpacked below `local`.
    #[must_use]
    pub fn with_local(self, local: impl Into<PathBuf>) -> Self {
        let local = local.into();
        Self { local: Some(std::path::absolute(&local).unwrap_or(local)), ..self }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where many small files lie: in the folder itself, unless a disk of this machine is nearer.
    #[must_use]
    pub fn near(&self) -> &Path {
        self.local.as_deref().unwrap_or(&self.root)
    }

    /// Folder of what is packed for other machines; none where environments lie in the home itself.
    #[must_use]
    pub fn packed(&self) -> Option<PathBuf> {
        self.local.as_ref().map(|_| self.all_packed())
    }

    /// The same, whether this machine takes anything from it or not.
    pub(crate) fn all_packed(&self) -> PathBuf {
        self.root.join("packed")
    }

    /// Folder of the cached release histories.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Folder of the materialised environments.
    #[must_use]
    pub fn environments(&self) -> PathBuf {
        self.near().join("environments")
    }

    /// Folder of the kernel layers.
    #[must_use]
    pub fn kernels(&self) -> PathBuf {
        self.near().join("kernels")
    }

    /// Folder of the files that environments share.
    #[must_use]
    pub fn content(&self) -> PathBuf {
        self.near().join("content")
    }

    /// Folder of the wheels that are being built from source archives.
    #[must_use]
    pub fn builds(&self) -> PathBuf {
        self.near().join("builds")
    }

    /// Folder of the sources that the census of changes has read.
    #[must_use]
    pub fn census(&self) -> PathBuf {
        self.root.join("census")
    }

    /// Folder of the programs that building needs.
    #[must_use]
    pub fn tools(&self) -> PathBuf {
        self.root.join("tools")
    }
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(path: &Path) -> Result<(), HomeError> {
    fs::create_dir_all(path).map_err(|error| HomeError::new("create", path, error))
}

/// Makes a link, in the place of one that points to where nothing is any more, in one step: others use it meanwhile.
pub(crate) fn point_at(link: &Path, target: &Path) -> Result<(), HomeError> {
    let new = link.with_extension(format!("new-{}", std::process::id()));
    let _ = fs::remove_file(&new);
    let made = std::os::unix::fs::symlink(target, &new).and_then(|()| fs::rename(&new, link));
    made.map_err(|error| HomeError::new("create", link, error))
}

/// Removes a folder with all it holds; an absent one is fine. Folders in it that were closed by whoever wrote there are opened.
pub(crate) fn remove_folder(path: &Path) -> Result<(), HomeError> {
    let removed = match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_folders(path);
            fs::remove_dir_all(path)
        }
        other => other,
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(HomeError::new("remove", path, error)),
        _ => Ok(()),
    }
}

/// Lets the owner into every folder, as far as that can be done.
fn open_folders(path: &Path) {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o700));
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            open_folders(&entry.path());
        }
    }
}

/// Removes a file; an absent one is fine.
pub(crate) fn remove_file(path: &Path) -> Result<(), HomeError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(HomeError::new("remove", path, error)),
        _ => Ok(()),
    }
}

/// Writes a file that readers see whole or not at all. Readable by everybody (mode 0644): the kernel may run
/// as another user.
pub(crate) fn write_atomically(path: &Path, content: &[u8]) -> Result<(), HomeError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let write = || -> io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(".writing-")
            .permissions(fs::Permissions::from_mode(0o644))
            .tempfile_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_data()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| HomeError::new("write", path, error))
}

/// A lock, held until dropped, and by every process that was given [`FileLock::shared`] as its input.
#[derive(Debug)]
pub(crate) struct FileLock {
    file: File,
}

impl FileLock {
    /// The same lock once more: held until both are closed. A helper program that has it as its standard input keeps
    /// the lock when this process is killed and the program goes on.
    pub(crate) fn shared(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

/// Longest pause between two looks at a lock.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Waits for the exclusive lock on `path`, creating the file where absent. Also excludes other threads.
pub(crate) fn lock(path: &Path) -> Result<FileLock, HomeError> {
    loop {
        if let Some(lock) = lock_within(path, Duration::from_secs(3600))? {
            return Ok(lock);
        }
    }
}

/// The same, but gives up after `limit` with `None`.
pub(crate) fn lock_within(path: &Path, limit: Duration) -> Result<Option<FileLock>, HomeError> {
    take(path, FlockOperation::NonBlockingLockExclusive, limit)
}

/// A lock that others may share, but nobody may hold exclusively meanwhile; `None` when somebody does for `limit`.
pub(crate) fn lock_shared_within(path: &Path, limit: Duration) -> Result<Option<FileLock>, HomeError> {
    take(path, FlockOperation::NonBlockingLockShared, limit)
}

fn take(path: &Path, operation: FlockOperation, limit: Duration) -> Result<Option<FileLock>, HomeError> {
    let failed = |error: io::Error| HomeError::new("lock", path, error);
    create_folder(path.parent().unwrap_or(Path::new(".")))?;
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let file = OpenOptions::new().create(true).truncate(false).write(true).read(true).open(path).map_err(failed)?;
        match flock(&file, operation) {
            // Whoever held it before may have removed the file: then this lock keeps nobody out.
            Ok(()) if is_at(&file, path) => return Ok(Some(FileLock { file })),
            Ok(()) | Err(rustix::io::Errno::INTR) => continue,
            Err(rustix::io::Errno::WOULDBLOCK) => {}
            Err(errno) => return Err(failed(errno.into())),
        }
        if started.elapsed() >= limit {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LOOK_EVERY);
    }
}

/// Whether the path still leads to the open file.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), fs::metadata(path)) else { return false };
    (open.dev(), open.ino()) == (there.dev(), there.ino())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_link_that_points_nowhere_any_more_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (link, program) = (folder.path().join("link"), folder.path().join("uv"));
        std::fs::write(&program, "").unwrap();
        for before in [None, Some("/nowhere/uv"), Some("uv")] {
            let _ = std::fs::remove_file(&link);
            before.iter().for_each(|before| std::os::unix::fs::symlink(before, &link).unwrap());
            point_at(&link, &program).unwrap();
            assert_eq!(std::fs::read_link(&link).unwrap(), program);
        }
        assert!(point_at(folder.path(), &program).is_err());
    }

    #[test]
    fn variables_name_the_home_in_order() {
        let from = |pairs: &[(&str, &str)]| {
            Home::from_variables(|name| pairs.iter().find(|pair| pair.0 == name).map(|pair| PathBuf::from(pair.1)))
        };
        assert_eq!(from(&[("NBREVIVE_HOME", "/a"), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")]), Some(Home::at("/a")));
        assert_eq!(from(&[("XDG_CACHE_HOME", "/b"), ("HOME", "/c")]), Some(Home::at("/b/nbrevive")));
        assert_eq!(from(&[("HOME", "/c")]), Some(Home::at("/c/.cache/nbrevive")));
        assert_eq!(from(&[]), None);
        let apart = from(&[("HOME", "/c"), ("NBREVIVE_LOCAL", "/scratch")]).unwrap();
        assert_eq!(apart.environments(), Path::new("/scratch/environments"));
        assert_eq!(apart.index(), Path::new("/c/.cache/nbrevive/index"));
        assert_eq!((apart.packed(), Home::at("/a").packed()), (Some(apart.root().join("packed")), None));
    }

    #[test]
    fn written_files_are_whole_readable_and_leave_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/file.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o444, 0o444);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_lock_keeps_others_out_until_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lock");
        let entered = AtomicBool::new(false);
        let first = lock(&path).unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let _second = lock(&path).unwrap();
                entered.store(true, Ordering::SeqCst);
            });
            std::thread::sleep(Duration::from_millis(50));
            assert!(!entered.load(Ordering::SeqCst));
            drop(first);
            second.join().unwrap();
        });
        assert!(entered.load(Ordering::SeqCst));
    }

    #[test]
    fn a_removed_lock_file_keeps_nobody_out_and_nobody_is_fooled() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lock");
        let first = lock(&path).unwrap();
        assert!(lock_within(&path, Duration::ZERO).unwrap().is_none());
        assert!(lock_shared_within(&path, Duration::ZERO).unwrap().is_none());
        fs::remove_file(&path).unwrap();
        let second = lock_within(&path, Duration::ZERO).unwrap().expect("a new file, a new lock");
        drop(first);
        assert!(lock_within(&path, Duration::ZERO).unwrap().is_none(), "held by the second");
        drop(second);
        let shared = lock_shared_within(&path, Duration::ZERO).unwrap();
        assert!(lock_shared_within(&path, Duration::ZERO).unwrap().is_some() && shared.is_some());
    }

    #[test]
    fn a_program_with_the_lock_as_its_input_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lock");
        let held = lock(&path).unwrap();
        let mut child = std::process::Command::new("sleep").arg("30").stdin(held.shared().unwrap()).spawn().unwrap();
        drop(held);
        assert!(lock_within(&path, Duration::ZERO).unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(lock_within(&path, Duration::ZERO).unwrap().is_some());
    }
}
