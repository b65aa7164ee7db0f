//! Small notebooks that are run in rounds, many at once, each in a process of its own: forked from one that has imported, once, what all of
//! them need, which takes longer than most of them do.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use nbrevive_sandbox::{Ended, Limits, Running};
use serde::{Deserialize, Serialize};

use crate::trial::stack::{Folder, SandboxScript, Stack, StackError};

const SCRIPT: SandboxScript =
    SandboxScript { name: "run_cases.py", text: include_str!("../../data/run_cases.py"), result: "" };
/// Time for the imports, in seconds.
const IMPORTS: f64 = 120.0;
/// What all rounds may take together; each has its own limit, by its cases.
const ALL_ROUNDS: Duration = Duration::from_secs(24 * 3600);
/// How often the end of a round is looked for.
const LOOK: Duration = Duration::from_millis(10);

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

#[derive(Serialize)]
struct Task<'a> {
    seconds: f64,
    jobs: usize,
    preload: &'a [String],
}

/// A process in which modules are imported, and from which cases are forked. Gone when dropped.
pub struct CaseRounds {
    running: Running,
    folder: Folder,
    seconds: f64,
    jobs: usize,
    rounds: usize,
}

impl Stack {
    /// Imports what cases share, in order; what cannot be imported is passed over. `seconds` is the limit of one case, `jobs` how many run
    /// at the same time.
    ///
    /// # Errors
    /// When the sandbox cannot be started.
    pub fn rounds(&self, preload: &[String], seconds: f64, jobs: usize) -> Result<CaseRounds, StackError> {
        let jobs = jobs.max(1);
        let limits = Limits { wall_clock: ALL_ROUNDS, ..Limits::default() };
        let (running, folder) = self.launch(&SCRIPT, &Task { seconds, jobs, preload }, &limits)?;
        Ok(CaseRounds { running, folder, seconds, jobs, rounds: 0 })
    }
}

impl CaseRounds {
    /// Runs all cases and returns their reports in any order; none of them where the imports ended the process.
    ///
    /// # Errors
    /// When the sandbox ends before the cases do.
    pub fn run(&mut self, cases: &[Case]) -> Result<Vec<CaseReport>, StackError> {
        let (asked, told) = (format!("cases-{}.json", self.rounds), format!("reports-{}.jsonl", self.rounds));
        self.rounds += 1;
        let wall = self.seconds * (cases.len() as f64 / self.jobs as f64 + 1.0) + IMPORTS;
        self.running.end_by(Instant::now() + Duration::from_secs_f64(wall));
        self.ask(&asked, cases).map_err(StackError::Folder)?;
        while fs::symlink_metadata(self.folder.working.join(&told)).is_err() {
            match self.running.wait(LOOK) {
                None => {}
                Some(Ended::Exited(0)) => return Ok(Vec::new()),
                ended => return Err(self.folder.broke(ended.as_ref())),
            }
        }
        let reports = self.folder.result(&told).map_err(StackError::Folder)?;
        // Whatever is no report was written by a case.
        Ok(reports.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// Under another name until it is whole.
    fn ask(&self, name: &str, cases: &[Case]) -> std::io::Result<()> {
        let part = self.folder.asked.join("part");
        fs::write(&part, serde_json::to_vec(cases)?)?;
        fs::rename(&part, self.folder.asked.join(name))
    }
}
