//! Runs the trial's script in the sandbox.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nbrevive_files::Scratch;
use nbrevive_sandbox::{Bind, Command, Ended, start};

use super::{ImportResult, TrialImport, report};
use crate::connection::random_text;
use crate::run::ExecuteError;
use crate::settings::{ExecutionSettings, Kernel};

const SCRIPT: &str = include_str!("../../data/try_imports.py");
/// Where the trial finds its script and may leave files, inside.
const INSIDE: &str = "/kaggle/working";
/// Longest time for all imports together.
const LIMIT: Duration = Duration::from_secs(120);
/// What the supervisor may take to tear the sandbox down.
const GONE: Duration = Duration::from_secs(30);

/// What imports are tried with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trial {
    /// The environment's interpreter.
    pub python: PathBuf,
    /// Folders that come last on the path, such as the kernel's own packages.
    pub behind: Vec<PathBuf>,
    /// Interpreter, environment, kernel layer: seen inside at the same path as outside.
    pub read_only: Vec<PathBuf>,
}

/// Tries imports in order, in one process without network, at most 120 s in all or the settings' wall clock where that
/// is less. An exception, an exit or a crash is a result, not an error; after a crash the rest is not tried.
///
/// # Errors
/// [`ExecuteError`] when the sandbox could not be set up.
pub fn try_imports(
    imports: &[TrialImport],
    trial: &Trial,
    settings: &ExecutionSettings,
) -> Result<Vec<ImportResult>, ExecuteError> {
    let folder = Folder::make(settings.run_folder.as_deref(), imports).map_err(ExecuteError::RunFolder)?;
    let inside = settings.backend.place(Path::new(INSIDE), &folder.working);
    let marker = random_text().map_err(ExecuteError::RunFolder)?;
    let mut argv: Vec<OsString> = vec![trial.python.clone().into(), "-s".into()];
    argv.extend([inside.join("try_imports.py").into(), OsString::from(&marker), inside.join("imports.json").into()]);
    argv.extend(trial.behind.iter().map(OsString::from));
    let command = Command {
        argv,
        env: settings.environment(&Kernel::default(), "/tmp"),
        read_only: trial.read_only.iter().map(Bind::same).collect(),
        writable: vec![Bind::new(&folder.working, inside)],
        working_directory: inside.to_path_buf(),
        log: folder.log.clone(),
    };
    let mut limits = settings.limits.clone();
    limits.wall_clock = limits.wall_clock.min(LIMIT);
    let running = start(&command, &limits, &settings.backend)?;
    let ended = match running.wait(limits.wall_clock + GONE) {
        Some(Ended::NotStarted { message }) => return Err(ExecuteError::NotStarted { message }),
        Some(ended) => format!("the process {ended}"),
        None => "the process could not be ended".to_owned(),
    };
    let output = folder.output(limits.log_bytes).map_err(ExecuteError::RunFolder)?;
    Ok(report::read(&output, &marker, imports, &ended))
}

/// The files of a trial; gone when dropped.
struct Folder {
    _root: Scratch,
    working: PathBuf,
    log: PathBuf,
}

impl Folder {
    fn make(below: Option<&Path>, imports: &[TrialImport]) -> io::Result<Self> {
        let below = below.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let root = Scratch::make(&below, "nbrevive-trial-")?;
        let working = root.path().join("working");
        fs::create_dir(&working)?;
        fs::write(working.join("try_imports.py"), SCRIPT)?;
        fs::write(working.join("imports.json"), serde_json::to_vec(imports)?)?;
        Ok(Self { working, log: root.path().join("log"), _root: root })
    }

    fn output(&self, limit: u64) -> io::Result<String> {
        let mut bytes = Vec::new();
        match fs::File::open(&self.log) {
            Ok(file) => file.take(limit).read_to_end(&mut bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
