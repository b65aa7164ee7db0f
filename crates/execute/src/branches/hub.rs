//! Where processes meet us.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nbrevive_files::Scratch;
use nbrevive_notebook::{Cell, Notebook};
use serde_json::{Value, json};

use super::process::{BranchProcess, BranchStep, NameState};
use crate::settings::ExecutionSettings;

const SCRIPT: &str = include_str!("../../data/branches.py");
/// Where the folder of the socket is seen inside.
const INSIDE: &str = "/run/branches";
/// The part of our folder that is shown.
const SHOWN: &str = "in";
/// Where notebooks work, inside.
const WORKING: &str = "/kaggle/working";
/// How long a copy of a process may take to say that it is there.
const SPLIT: Duration = Duration::from_secs(20);
/// How often we look whether one is there.
const LOOK: Duration = Duration::from_millis(1);

/// The place where processes connect, gone when dropped.
#[derive(Debug)]
pub struct BranchHub {
    folder: Scratch,
    listener: UnixListener,
    settings: ExecutionSettings,
    next: u64,
}

impl BranchHub {
    /// Opens a place below the system's folder for temporary files. `settings` say what is kept of outputs.
    ///
    /// # Errors
    /// When the folder or the socket cannot be made.
    pub fn open(settings: &ExecutionSettings) -> io::Result<Self> {
        let base = settings.run_folder.clone().unwrap_or_else(std::env::temp_dir);
        let folder = Scratch::make(&base, "nbrevive-branches-")?;
        let shown = folder.path().join(SHOWN);
        std::fs::create_dir(&shown)?;
        let listener = UnixListener::bind(shown.join("s"))?;
        listener.set_nonblocking(true)?;
        // The sandbox may run as another user; nobody else comes through the folder around it.
        std::fs::set_permissions(&shown, Permissions::from_mode(0o755))?;
        std::fs::set_permissions(shown.join("s"), Permissions::from_mode(0o666))?;
        Ok(BranchHub { folder, listener, settings: settings.clone(), next: 0 })
    }

    /// What the document has to see: a folder of the host, and where. Connecting needs no right to write there.
    #[must_use]
    pub fn bind(&self) -> (PathBuf, PathBuf) {
        (self.folder.path().join(SHOWN), PathBuf::from(INSIDE))
    }

    /// The document that serves as long as its first process is kept.
    #[must_use]
    pub fn document(&self) -> Notebook {
        let text = |text: &str| Value::from(text).to_string();
        let place = Path::new(INSIDE).join("s");
        let names = format!(
            "{{'get_ipython': get_ipython, 'place': {}, 'working': {}}}",
            text(&place.to_string_lossy()),
            text(WORKING)
        );
        Notebook::from_cells(vec![Cell::code(format!("exec({}, {names})", text(SCRIPT)))])
    }

    /// Waits for the first process, which runs no code of the notebook.
    ///
    /// # Errors
    /// When it is not there in time.
    pub fn first(&mut self, patience: Duration) -> io::Result<BranchProcess> {
        self.accept(0, Instant::now() + patience)
    }

    /// A copy of a process that has run `code`, and what came of it; without a copy where it ended. What is not done by `deadline` is ended,
    /// with the help of `first`.
    ///
    /// # Errors
    /// When processes no longer speak as ours do: none of them can be used any more.
    pub fn fork(
        &mut self,
        parent: &mut BranchProcess,
        code: &str,
        limit: Duration,
    ) -> io::Result<(BranchProcess, BranchStep)> {
        self.next += 1;
        parent.ask(&json!({ "do": "fork", "id": self.next, "code": code }))?;
        let mut copy = self.accept(self.next, Instant::now() + SPLIT)?;
        let step = copy.follow(&self.settings, Instant::now() + limit)?;
        Ok((copy, step))
    }

    /// Lets a process run `code` itself.
    ///
    /// # Errors
    /// As [`BranchHub::fork`].
    pub fn run(&mut self, process: &mut BranchProcess, code: &str, limit: Duration) -> io::Result<BranchStep> {
        process.ask(&json!({ "do": "run", "code": code }))?;
        process.follow(&self.settings, Instant::now() + limit)
    }

    /// What the names of a process stand for.
    ///
    /// # Errors
    /// As [`BranchHub::fork`], and when it does not tell within `limit`.
    pub fn look(&self, process: &mut BranchProcess, limit: Duration) -> io::Result<BTreeMap<String, NameState>> {
        process.ask(&json!({ "do": "look" }))?;
        process.names(Instant::now() + limit)
    }

    /// Ends a process that does not listen.
    ///
    /// # Errors
    /// When the first process is gone.
    pub fn kill(&self, first: &mut BranchProcess, process: &BranchProcess) -> io::Result<()> {
        first.ask(&json!({ "do": "kill", "pid": process.pid }))
    }

    fn accept(&self, id: u64, until: Instant) -> io::Result<BranchProcess> {
        while Instant::now() < until {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if let Some(process) = BranchProcess::greet(stream, id, left) {
                        return Ok(process);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(LOOK),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::TimedOut, "a copy of the process did not answer"))
    }
}
