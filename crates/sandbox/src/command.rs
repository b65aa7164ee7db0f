//! What is run: the command, the folders it sees, and what can be wrong with them before anything starts.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::error::SandboxStartError;

/// One folder or file of the host and where the command finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bind {
    /// Absolute path on the host; symbolic links are followed once, when the sandbox is set up.
    pub host: PathBuf,
    /// Absolute path inside the sandbox, without `..`.
    pub inside: PathBuf,
}

impl Bind {
    /// A bind of `host` at `inside`.
    #[must_use]
    pub fn new(host: impl Into<PathBuf>, inside: impl Into<PathBuf>) -> Self {
        Self { host: host.into(), inside: inside.into() }
    }

    /// A bind that is found at the same path as outside, as interpreters and environments need it.
    #[must_use]
    pub fn same(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { host: path.clone(), inside: path }
    }
}

/// One untrusted command and its whole world.
#[derive(Debug, Clone)]
pub struct Command {
    /// Program (absolute path inside) and arguments.
    pub argv: Vec<OsString>,
    /// The complete environment: nothing is inherited.
    pub env: Vec<(String, String)>,
    /// Folders and files that the command can read.
    pub read_only: Vec<Bind>,
    /// Folders that the command can write. When started as root they are handed over to the uid of the run.
    pub writable: Vec<Bind>,
    /// Where the command starts: a path inside the sandbox.
    pub working_directory: PathBuf,
    /// File of the host that gets standard output and standard error, cut at [`crate::Limits::log_bytes`].
    pub log: PathBuf,
}

impl Command {
    /// The host path of a path inside, through the longest bind that covers it; for [`crate::Backend::None`].
    pub(crate) fn on_host(&self, inside: &Path) -> PathBuf {
        let covering = self.read_only.iter().chain(&self.writable).filter(|bind| inside.starts_with(&bind.inside));
        match covering.max_by_key(|bind| bind.inside.components().count()) {
            Some(bind) => match inside.strip_prefix(&bind.inside) {
                Ok(rest) if rest.as_os_str().is_empty() => bind.host.clone(),
                Ok(rest) => bind.host.join(rest),
                Err(_) => inside.to_path_buf(),
            },
            None => inside.to_path_buf(),
        }
    }

    /// Finds what would make the sandbox fail to start, so that the error can name it; `isolates`: whether folders are mounted inside.
    pub(crate) fn verify(&self, isolates: bool) -> Result<(), SandboxStartError> {
        if self.argv.is_empty() {
            return Err(SandboxStartError::NothingToRun);
        }
        for bind in self.read_only.iter().chain(&self.writable) {
            verify_place(bind)?;
        }
        // As root the command runs under a foreign uid: what only root may read would fail late and without a word.
        if isolates && rustix::process::geteuid().is_root() {
            for bind in &self.read_only {
                verify_mode(bind)?;
            }
        }
        Ok(())
    }
}

fn verify_place(bind: &Bind) -> Result<(), SandboxStartError> {
    let found = inspect(&bind.host)?.file_type();
    if !found.is_dir() && !found.is_file() {
        return Err(SandboxStartError::Irregular { path: bind.host.clone() });
    }
    let plain = bind.inside.is_absolute()
        && bind.inside.components().all(|part| !matches!(part, std::path::Component::ParentDir));
    if plain { Ok(()) } else { Err(SandboxStartError::BadInsidePath { path: bind.inside.clone() }) }
}

fn inspect(path: &Path) -> Result<std::fs::Metadata, SandboxStartError> {
    std::fs::metadata(path).map_err(|source| SandboxStartError::Unreadable { path: path.to_path_buf(), source })
}

fn verify_mode(bind: &Bind) -> Result<(), SandboxStartError> {
    let metadata = inspect(&bind.host)?;
    let for_others = if metadata.is_dir() { 0o005 } else { 0o004 };
    if metadata.mode() & for_others == for_others {
        return Ok(());
    }
    Err(SandboxStartError::NotForOthers { path: bind.host.clone(), mode: metadata.mode() & 0o7777 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> Command {
        Command {
            argv: vec!["/bin/true".into()],
            env: Vec::new(),
            read_only: vec![Bind::new("/usr", "/usr")],
            writable: vec![Bind::new("/tmp", "/kaggle/working"), Bind::new("/usr/lib", "/kaggle/working/deep")],
            working_directory: "/kaggle/working".into(),
            log: "/dev/null".into(),
        }
    }

    #[test]
    fn longest_bind_wins_on_the_way_back_to_the_host() {
        let command = command();
        assert_eq!(command.on_host(Path::new("/kaggle/working")), Path::new("/tmp"));
        assert_eq!(command.on_host(Path::new("/kaggle/working/deep/x")), Path::new("/usr/lib/x"));
        assert_eq!(command.on_host(Path::new("/elsewhere")), Path::new("/elsewhere"));
    }

    #[test]
    fn a_missing_host_path_is_named() {
        let mut command = command();
        command.read_only.push(Bind::same("/no/such/folder"));
        let error = command.verify(true).unwrap_err();
        assert_eq!(error.to_string(), "cannot bind /no/such/folder into the sandbox");
    }

    #[test]
    fn doors_to_somebody_outside_are_not_bound() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, pipe) = (folder.path().join("socket"), folder.path().join("pipe"));
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o666.into(), 0).unwrap();
        for path in [socket, pipe, "/dev/null".into()] {
            let mut command = command();
            command.read_only.push(Bind::new(&path, "/kaggle/input/x"));
            assert!(matches!(command.verify(true), Err(SandboxStartError::Irregular { .. })), "{path:?}");
        }
    }

    #[test]
    fn climbing_paths_are_refused() {
        let mut command = command();
        command.read_only.push(Bind::new("/usr", "/kaggle/../etc"));
        assert!(matches!(command.verify(true), Err(SandboxStartError::BadInsidePath { .. })));
    }

    #[test]
    fn what_only_root_could_read_is_refused_when_root_starts_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let mut command = command();
        command.read_only.push(Bind::new(folder.path(), "/kaggle/input/task"));
        let refused = matches!(command.verify(true), Err(SandboxStartError::NotForOthers { mode: 0o700, .. }));
        assert_eq!(refused, rustix::process::geteuid().is_root());
        assert!(command.verify(false).is_ok());
    }
}
