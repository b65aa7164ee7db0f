//! Makes the competitions' data: each `prepare.py` runs in the sandbox, and what it wrote is checked against stored hashes.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nbrevive_corpus::{Competition, CompetitionError};
use nbrevive_files::{FileError, Folder, Scratch, remove};
use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, SandboxStartError, start};

use crate::laboratory::{Laboratory, Prepared};

/// Longest `prepare.py` that is read, in bytes.
const LONGEST_SCRIPT: u64 = 4 << 20;
/// How long one `prepare.py` may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Why data could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The sandbox does not start.
    #[error("cannot prepare competition `{competition}`")]
    Start {
        /// The slug.
        competition: String,
        /// Why.
        source: SandboxStartError,
    },
    /// The script failed.
    #[error("{script} of competition `{competition}` {ended}:\n{log}")]
    Script {
        /// The slug.
        competition: String,
        /// The script.
        script: PathBuf,
        /// How it ended.
        ended: String,
        /// The last lines that it printed.
        log: String,
    },
    /// A file is no regular one, leads out of its folder, or cannot be copied.
    #[error("cannot prepare competition `{competition}`: {source}")]
    File {
        /// The slug.
        competition: String,
        /// The file, and what is wrong.
        source: FileError,
    },
    /// A folder or file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What was made is not what the description promises.
    #[error(transparent)]
    Wrong(#[from] CompetitionError),
}

/// What [`prepare`] found or made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataPreparation {
    /// The data was there, and its hashes are right.
    Present,
    /// The data was made now, and its hashes are right.
    Made,
}

/// Makes the data of one competition, unless it is there already; checks its hashes in either case.
///
/// # Errors
/// When the script fails, or wrote other files than the description promises; nothing is left in place then.
pub fn prepare(
    laboratory: &Laboratory,
    environment: &Prepared,
    competition: &Competition,
) -> Result<DataPreparation, PrepareError> {
    let folder = laboratory.prepared_folder(competition);
    if competition.verify(&folder).is_ok() {
        return Ok(DataPreparation::Present);
    }
    if folder == competition.folder {
        // Data beside the description was brought by somebody: it is never made anew.
        return competition.verify(&folder).map(|()| DataPreparation::Present).map_err(PrepareError::Wrong);
    }
    let write = |path: &Path| {
        let path = path.to_owned();
        move |source| PrepareError::Write { path, source }
    };
    let parent = folder.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(write(parent))?;
    let scratch = Scratch::make(parent, ".preparing-").map_err(|error| write(parent)(error.into()))?;
    let made = scratch.path().join("out");
    std::fs::create_dir(&made).map_err(write(&made))?;
    run_script(laboratory, environment, competition, &made, scratch.path())?;
    Folder::reclaim(&made).map_err(broken(competition))?;
    competition.verify(&made)?;
    let clean = scratch.path().join("clean");
    copy_promised(competition, &made, &clean).map_err(broken(competition))?;
    match std::fs::rename(&clean, &folder) {
        Ok(()) => {}
        // Another process was quicker, or an older attempt left a wrong folder: replace what is wrong.
        Err(_) if competition.verify(&folder).is_ok() => {}
        Err(_) => {
            remove(&folder).map_err(broken(competition))?;
            std::fs::rename(&clean, &folder).map_err(write(&folder))?;
        }
    }
    Ok(DataPreparation::Made)
}

fn broken(competition: &Competition) -> impl Fn(FileError) -> PrepareError {
    move |source| PrepareError::File { competition: competition.id.clone(), source }
}

/// Takes over exactly the files that the description promises, as plain files of our own.
fn copy_promised(competition: &Competition, made: &Path, clean: &Path) -> Result<(), FileError> {
    let made = Folder::open_real(made)?;
    for name in competition.files.keys() {
        let target = clean.join(name);
        let failed = |source| FileError::Write { path: target.clone(), source };
        std::fs::create_dir_all(target.parent().unwrap_or(clean)).map_err(failed)?;
        let mut source = made.open_file(Path::new(name))?;
        let copied = std::fs::File::create(&target).and_then(|mut copy| io::copy(&mut source, &mut copy));
        copied.map_err(failed)?;
    }
    Ok(())
}

fn run_script(
    laboratory: &Laboratory,
    environment: &Prepared,
    competition: &Competition,
    out: &Path,
    scratch: &Path,
) -> Result<(), PrepareError> {
    let script = competition.folder.join("prepare.py");
    let inside = Path::new("/kaggle/prepare/prepare.py");
    // A copy, since the repository may lie where the sandbox's user cannot read.
    let copy = scratch.join("prepare.py");
    let read = Folder::open(&competition.folder)
        .and_then(|folder| folder.read(Path::new("prepare.py"), LONGEST_SCRIPT))
        .map_err(broken(competition))?;
    std::fs::write(&copy, read).map_err(|source| PrepareError::Write { path: copy.clone(), source })?;
    let log = scratch.join("log");
    let command = Command {
        argv: [environment.interpreter(), OsString::from(inside), OsString::from("/kaggle/working")].into(),
        env: laboratory.plain_environment(),
        read_only: environment.kernel.read_only.iter().map(Bind::same).chain([Bind::new(&copy, inside)]).collect(),
        writable: vec![Bind::new(out, "/kaggle/working")],
        working_directory: PathBuf::from("/kaggle/working"),
        log: log.clone(),
    };
    let (limits, _) = Limits { wall_clock: PATIENCE, ..Limits::default() }.fitted_to_machine();
    // The script is ours, but it needs no more than a notebook does.
    let running = start(&command, &limits, &Backend::Bubblewrap)
        .map_err(|source| PrepareError::Start { competition: competition.id.clone(), source })?;
    match running.wait(PATIENCE + Duration::from_secs(10)) {
        Some(Ended::Exited(0)) => Ok(()),
        ended => Err(PrepareError::Script {
            competition: competition.id.clone(),
            script,
            ended: ended.map_or("did not end".to_owned(), |ended| format!("{ended:?}")),
            log: tail(&std::fs::read(&log).unwrap_or_default()),
        }),
    }
}

fn tail(log: &[u8]) -> String {
    let text = String::from_utf8_lossy(log);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(15)..].join("\n")
}
