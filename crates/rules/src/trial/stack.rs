//! An environment in which a script of ours is run in the sandbox: cases, in rounds, or tools.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nbrevive_notebook::PythonVersion;
use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, Running, SandboxStartError, start};
use serde::Serialize;

/// Where the script finds its task inside of the sandbox.
const INSIDE: &str = "/kaggle/working";
/// Where it finds what is asked of it once it runs, which nothing inside can change.
const ASKED: &str = "/kaggle/asked";
/// Bytes of a result that are read at most.
const MOST_BYTES: u64 = 256 << 20;
/// What the supervisor may take to tear the sandbox down.
const GONE: Duration = Duration::from_secs(30);

/// A script that finds `task.json` beside it and leaves a file there.
#[derive(Debug, Clone, Copy)]
pub struct SandboxScript {
    /// Its file's name.
    pub name: &'static str,
    /// What stands in it.
    pub text: &'static str,
    /// The file that it leaves.
    pub result: &'static str,
}

/// The interpreter of an environment and what it holds.
#[derive(Debug, Clone)]
pub struct Stack {
    /// The interpreter.
    pub python: PathBuf,
    /// Folders that the interpreter needs: seen inside at the same path as outside.
    pub read_only: Vec<PathBuf>,
    /// The interpreter's major and minor version.
    pub version: PythonVersion,
    /// Installed distributions by normalised name.
    pub packages: BTreeMap<String, String>,
    /// What stands between the cases and the machine.
    pub backend: Backend,
}

/// Why a script could not be run. None of these is the fault of what it works on.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// Our own files.
    #[error("cannot prepare or read the folder in which a script is run")]
    Folder(#[source] io::Error),
    /// The sandbox.
    #[error(transparent)]
    Start(#[from] SandboxStartError),
    /// The sandbox could not be set up, or the script broke off before it was done.
    #[error("the sandbox {how}: {log}")]
    Broke {
        /// How it ended.
        how: String,
        /// The end of what was printed.
        log: String,
    },
}

impl Stack {
    /// Runs a script of ours on a task, for at most so long, and returns the text of the file that it left; empty where it left none.
    ///
    /// # Errors
    /// When the sandbox cannot be started or the folder not be written.
    pub fn script(&self, script: &SandboxScript, task: &impl Serialize, wall: Duration) -> Result<String, StackError> {
        let limits = Limits { wall_clock: wall, ..Limits::default() };
        let (running, folder) = self.launch(script, task, &limits)?;
        match running.wait(wall + GONE) {
            Some(Ended::Exited(0)) => folder.result(script.result).map_err(StackError::Folder),
            ended => Err(folder.broke(ended.as_ref())),
        }
    }

    /// Starts a script of ours on a task, in a folder of its own.
    pub(super) fn launch(
        &self,
        script: &SandboxScript,
        task: &impl Serialize,
        limits: &Limits,
    ) -> Result<(Running, Folder), StackError> {
        let folder = Folder::make(script, task).map_err(StackError::Folder)?;
        let inside = self.backend.place(Path::new(INSIDE), &folder.working);
        let asked = self.backend.place(Path::new(ASKED), &folder.asked);
        let argv = vec![
            OsString::from(&self.python),
            "-s".into(),
            inside.join(script.name).into(),
            inside.join("task.json").into(),
            asked.into(),
        ];
        let command = Command {
            argv,
            env: variables(),
            read_only: self.read_only.iter().map(Bind::same).chain([Bind::new(&folder.asked, asked)]).collect(),
            writable: vec![Bind::new(&folder.working, inside)],
            working_directory: inside.to_path_buf(),
            log: folder.log.clone(),
        };
        Ok((start(&command, &limits.fitted_to_machine().0, &self.backend)?, folder))
    }
}

/// The variables of a script: one thread each, no display, a fixed hash seed, quiet libraries.
fn variables() -> Vec<(String, String)> {
    [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/tmp"),
        ("TMPDIR", "/tmp"),
        ("LANG", "C.UTF-8"),
        ("TZ", "UTC"),
        ("PYTHONHASHSEED", "0"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("OMP_NUM_THREADS", "1"),
        ("OPENBLAS_NUM_THREADS", "1"),
        ("MPLBACKEND", "agg"),
        ("MPLCONFIGDIR", "/tmp/.matplotlib"),
        ("NUMBA_CACHE_DIR", "/tmp/.numba"),
        ("TF_CPP_MIN_LOG_LEVEL", "3"),
        ("CUDA_VISIBLE_DEVICES", ""),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

/// The files of a run; gone when dropped.
pub(super) struct Folder {
    _root: tempfile::TempDir,
    pub(super) working: PathBuf,
    pub(super) asked: PathBuf,
    log: PathBuf,
}

impl Folder {
    fn make(script: &SandboxScript, task: &impl Serialize) -> io::Result<Self> {
        let root =
            tempfile::Builder::new().prefix("nbrevive-rules-").permissions(Permissions::from_mode(0o755)).tempdir()?;
        let (working, asked) = (root.path().join("working"), root.path().join("asked"));
        fs::create_dir(&working)?;
        fs::create_dir(&asked)?;
        fs::write(working.join(script.name), script.text)?;
        fs::write(working.join("task.json"), serde_json::to_vec(task)?)?;
        Ok(Self { working, asked, log: root.path().join("log"), _root: root })
    }

    /// The text of a file that a script left; empty where it left none.
    pub(super) fn result(&self, name: &str) -> io::Result<String> {
        // What ran could put a pipe there, or a link to a file of the host.
        let working = nbrevive_files::Folder::open(&self.working)?;
        match working.read(Path::new(name), MOST_BYTES) {
            Err(error) if error.is_not_found() => Ok(String::new()),
            read => String::from_utf8(read?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
        }
    }

    /// That the sandbox ended otherwise than it should have, or not at all.
    pub(super) fn broke(&self, ended: Option<&Ended>) -> StackError {
        let how = ended.map_or_else(|| "could not be ended".to_owned(), ToString::to_string);
        StackError::Broke { how, log: self.printed() }
    }

    fn printed(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&text[text.len().saturating_sub(500)..]).into_owned()
    }
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_result_is_a_file_of_the_folder_in_which_it_was_made() {
        let script = SandboxScript { name: "x.py", text: "", result: "result.json" };
        let folder = Folder::make(&script, &()).unwrap();
        assert_eq!(folder.result(script.result).unwrap(), "", "it made none");
        let (result, secret) = (folder.working.join("result.json"), folder.log.with_file_name("secret"));
        fs::write(&secret, "key").unwrap();
        for target in [secret.as_path(), Path::new("../secret"), Path::new("/dev/zero")] {
            symlink(target, &result).unwrap();
            assert!(folder.result(script.result).is_err(), "{}", target.display());
            fs::remove_file(&result).unwrap();
        }
        assert!(std::process::Command::new("mkfifo").arg(&result).status().unwrap().success());
        assert!(folder.result(script.result).is_err(), "a pipe is not waited for");
    }
}
