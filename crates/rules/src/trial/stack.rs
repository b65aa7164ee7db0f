//! An environment in which a script of ours is run in the sandbox: cases, many of them at once, each in a forked process of
//! its own, or tools.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, SandboxStartError, start};
use serde::{Deserialize, Serialize};

const CASES: SandboxScript =
    SandboxScript { name: "run_cases.py", text: include_str!("../../data/run_cases.py"), result: "reports.jsonl" };
/// Where the script finds its task inside of the sandbox.
const INSIDE: &str = "/kaggle/working";
/// Bytes of a result that are read at most.
const MOST_BYTES: u64 = 256 << 20;
/// What the supervisor may take to tear the sandbox down.
const GONE: Duration = Duration::from_secs(30);
/// Time for the imports of a group.
const IMPORTS: f64 = 120.0;

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
    pub version: (u32, u32),
    /// Installed distributions by normalised name.
    pub packages: BTreeMap<String, String>,
    /// What stands between the cases and the machine.
    pub backend: Backend,
}

/// Cases that share what is imported before they are forked.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Group {
    /// Modules, in order; one that cannot be imported is passed over.
    pub preload: Vec<String>,
    /// The cases.
    pub cases: Vec<Case>,
}

/// A small notebook.
#[derive(Debug, Clone, Serialize)]
pub struct Case {
    /// By what its report is found.
    pub number: usize,
    /// Its cells.
    pub cells: Vec<String>,
    /// The variable that is read at the end.
    pub value: String,
}

/// How a case went.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct CaseReport {
    /// The case's number.
    pub number: usize,
    /// What its cells raised.
    #[serde(default)]
    pub errors: Vec<CaseError>,
    /// The value, under the key `is`; absent when the variable is not bound.
    #[serde(default)]
    pub value: Option<BTreeMap<String, serde_json::Value>>,
    /// Why there is nothing else: a crash, or no time left.
    #[serde(default)]
    pub died: Option<String>,
}

impl CaseReport {
    /// The value that the variable had at the end.
    #[must_use]
    pub fn value(&self) -> Option<&serde_json::Value> {
        self.value.as_ref()?.get("is")
    }
}

/// One error of a case.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseError {
    /// Index of the cell.
    pub cell: usize,
    /// The exception's class.
    pub ename: String,
    /// Its message.
    pub evalue: String,
    /// The lines of cells in its traceback, each with an arrow.
    pub traceback: String,
    /// The line of the outermost frame in a cell.
    pub line: Option<u32>,
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

#[derive(Serialize)]
struct Task<'a> {
    seconds: f64,
    jobs: usize,
    groups: &'a [Group],
}

impl Stack {
    /// Runs all cases and returns their reports in any order; `seconds` is the limit of one case, `jobs` how many
    /// run at the same time.
    ///
    /// # Errors
    /// When the sandbox cannot be started or ends before the cases do.
    pub fn run(&self, groups: &[Group], seconds: f64, jobs: usize) -> Result<Vec<CaseReport>, StackError> {
        let count: usize = groups.iter().map(|group| group.cases.len()).sum();
        let wall = seconds * (count as f64 / jobs.max(1) as f64 + 1.0) + IMPORTS * groups.len() as f64;
        let reports = self.script(&CASES, &Task { seconds, jobs, groups }, Duration::from_secs_f64(wall))?;
        if count > 0 && reports.is_empty() {
            let how = "left no reports".to_owned();
            return Err(StackError::Broke { how, log: String::new() });
        }
        // Whatever is no report was written by a case.
        Ok(reports.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// Runs a script of ours on a task, for at most so long, and returns the text of the file that it left; empty where it left none.
    ///
    /// # Errors
    /// When the sandbox cannot be started or the folder not be written.
    pub fn script(&self, script: &SandboxScript, task: &impl Serialize, wall: Duration) -> Result<String, StackError> {
        let folder = Folder::make(script, task).map_err(StackError::Folder)?;
        let inside = self.backend.place(Path::new(INSIDE), &folder.working);
        let argv = vec![
            OsString::from(&self.python),
            "-s".into(),
            inside.join(script.name).into(),
            inside.join("task.json").into(),
        ];
        let command = Command {
            argv,
            env: variables(),
            read_only: self.read_only.iter().map(Bind::same).collect(),
            writable: vec![Bind::new(&folder.working, inside)],
            working_directory: inside.to_path_buf(),
            log: folder.log.clone(),
        };
        let limits = Limits { wall_clock: wall, ..Limits::default() }.fitted_to_machine().0;
        let ended = start(&command, &limits, &self.backend)?.wait(limits.wall_clock + GONE);
        match ended {
            Some(Ended::Exited(0)) => folder.result(script).map_err(StackError::Folder),
            Some(ended) => Err(StackError::Broke { how: ended.to_string(), log: folder.printed() }),
            None => Err(StackError::Broke { how: "could not be ended".to_owned(), log: folder.printed() }),
        }
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
struct Folder {
    _root: tempfile::TempDir,
    working: PathBuf,
    log: PathBuf,
}

impl Folder {
    fn make(script: &SandboxScript, task: &impl Serialize) -> io::Result<Self> {
        let root =
            tempfile::Builder::new().prefix("nbrevive-rules-").permissions(Permissions::from_mode(0o755)).tempdir()?;
        let working = root.path().join("working");
        fs::create_dir(&working)?;
        fs::write(working.join(script.name), script.text)?;
        fs::write(working.join("task.json"), serde_json::to_vec(task)?)?;
        Ok(Self { working, log: root.path().join("log"), _root: root })
    }

    fn result(&self, script: &SandboxScript) -> io::Result<String> {
        // What ran could put a pipe there, or a link to a file of the host.
        let working = nbrevive_files::Folder::open(&self.working)?;
        match working.read(Path::new(script.result), MOST_BYTES) {
            Err(error) if error.is_not_found() => Ok(String::new()),
            read => String::from_utf8(read?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
        }
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
        assert_eq!(folder.result(&script).unwrap(), "", "it made none");
        let (result, secret) = (folder.working.join("result.json"), folder.log.with_file_name("secret"));
        fs::write(&secret, "key").unwrap();
        for target in [secret.as_path(), Path::new("../secret"), Path::new("/dev/zero")] {
            symlink(target, &result).unwrap();
            assert!(folder.result(&script).is_err(), "{}", target.display());
            fs::remove_file(&result).unwrap();
        }
        assert!(std::process::Command::new("mkfifo").arg(&result).status().unwrap().success());
        assert!(folder.result(&script).is_err(), "a pipe is not waited for");
    }
}
