//! Where everything that this crate keeps lives: one folder, safe under several processes.
//!
//! | subfolder | holds |
//! |---|---|
//! | `index/` | release histories, one JSON file a distribution |
//! | `environments/<id>/` | materialised environments, named by the hash of their content |
//! | `kernels/<minor>-<hash>/` | the kernel's own packages, one layer a Python minor |
//! | `tools/` | programs that building needs (`bin/uv`, virtualenv for Python 2.7) |
//!
//! Files appear whole (written beside, then renamed); builders of the same thing wait for each other by `flock`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// The folder below which histories, environments, kernel layers and tools are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
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
    /// The home named by `NBREVIVE_HOME`, else `$XDG_CACHE_HOME/nbrevive`, else `~/.cache/nbrevive`.
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
        Some(Self::at(root))
    }

    /// A home at the given folder, which need not exist yet; a relative one is taken from the current folder.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { root: std::path::absolute(&root).unwrap_or(root) }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of the cached release histories.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Folder of the materialised environments.
    #[must_use]
    pub fn environments(&self) -> PathBuf {
        self.root.join("environments")
    }

    /// Folder of the kernel layers.
    #[must_use]
    pub fn kernels(&self) -> PathBuf {
        self.root.join("kernels")
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

/// Removes a folder with all it holds; an absent one is fine.
pub(crate) fn remove_folder(path: &Path) -> Result<(), HomeError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(HomeError::new("remove", path, error)),
        _ => Ok(()),
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

/// An exclusive lock, held until dropped.
#[derive(Debug)]
pub(crate) struct FileLock {
    _file: File,
}

/// Waits for the exclusive lock on `path`, creating the file where absent. Also excludes other threads.
pub(crate) fn lock(path: &Path) -> Result<FileLock, HomeError> {
    create_folder(path.parent().unwrap_or(Path::new(".")))?;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| HomeError::new("lock", path, error))?;
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Ok(()) => return Ok(FileLock { _file: file }),
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(HomeError::new("lock", path, errno.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    #[test]
    fn variables_name_the_home_in_order() {
        let from = |pairs: &[(&str, &str)]| {
            Home::from_variables(|name| pairs.iter().find(|pair| pair.0 == name).map(|pair| PathBuf::from(pair.1)))
        };
        assert_eq!(from(&[("NBREVIVE_HOME", "/a"), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")]), Some(Home::at("/a")));
        assert_eq!(from(&[("XDG_CACHE_HOME", "/b"), ("HOME", "/c")]), Some(Home::at("/b/nbrevive")));
        assert_eq!(from(&[("HOME", "/c")]), Some(Home::at("/c/.cache/nbrevive")));
        assert_eq!(from(&[]), None);
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
}
