//! `nbrevive study simulate`: made-up jobs over virtual machines, through the real batches, shards and follower. Executions alone are replaced.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nbrevive_corpus::{Condition, Criterion, RunEnd, RunFacts, judge};
use nbrevive_report::{MachineTime, draw_efficiency};
use nbrevive_shown::shown;
use nbrevive_stats::Random;
use nbrevive_store::executions::{CellRow, CellStatus, ExecutionCost, ExecutionKey, ExecutionRow};
use nbrevive_store::loops::LoopRows;
use nbrevive_store::outcomes::OutcomeRow;
use nbrevive_store::shards::{SecondOutcome, ShardJob};
use nbrevive_store::{Store, StoreError, executions, outcomes};
use nbrevive_study::{
    BatchFile, BatchManner, ClusterFolder, ExpectedJob, FollowSettings, ParcelError, ParcelHead, Submission,
    SubmitError, SubmitSettings, Submitter, TaskEnd, TaskSizes, TaskState, follow, seal_parcel,
};

use super::{folder_failure, follow_failure};
use crate::Outcome;
use crate::arguments::StudySimulateArguments;
use crate::commands::setting::{REVISION, file_failure, store_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Jobs are made up of a log-normal distribution with this median in seconds and spread, up to the paper's limit of 600 seconds.
const MEDIAN: f64 = 60.0;
const SPREAD: f64 = 1.2;
const LIMIT: f64 = 600.0;
/// What a job is expected to take of which nothing is known: every other one.
const UNKNOWN: f64 = 155.0;
/// Cells of a job.
const CELLS: u32 = 20;
/// Conditions of a version.
const CONDITIONS: [Condition; 3] = [Condition::BASELINE, Condition::BACKPORT, Condition::MODERNIZE];

/// Runs the simulation for each number of machines, and says what came of it.
pub(crate) fn run(arguments: &StudySimulateArguments) -> Outcome {
    if let Some(path) = &arguments.figure {
        nbrevive_files::check_place(path, &[]).map_err(|error| file_failure(&error))?;
    }
    let times = arguments.nodes.iter().map(|nodes| simulate(arguments, nodes.get())).collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &arguments.figure {
        let source = format!("{} made-up jobs, seed {}", arguments.jobs, arguments.seed);
        let picture = draw_efficiency(&times, &source).map_err(|error| Failure::new(Exit::Other, &error))?;
        nbrevive_files::write(path, picture).map_err(|error| file_failure(&error))?;
    }
    Ok(Exit::Success)
}

fn simulate(arguments: &StudySimulateArguments, nodes: usize) -> Result<MachineTime, Failure> {
    let place = tempfile::tempdir().map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    let manner = BatchManner { jobs: 1, study: PathBuf::from("/simulated"), ..BatchManner::default() };
    let submit = SubmitSettings::Command { submit: String::new(), max_jobs: 1, silence_seconds: 0 };
    let tasks = TaskSizes { nodes, minutes: arguments.task_minutes };
    let folder =
        ClusterFolder::make(&place.path().join("shared"), REVISION, &manner, &submit, (tasks, SecondOutcome::Dropped))
            .map_err(|error| folder_failure(&error))?;
    let mut store = Store::open(&place.path().join("store")).map_err(|error| store_failure(&error))?;
    let (jobs, seconds) = made_up(arguments);
    let mut machines = Machines::new(&folder, place.path(), &seconds, (nodes, arguments.start_seconds))
        .map_err(|error| store_failure(&error))?;
    let settings = FollowSettings { poll: Duration::ZERO, accounts: None };
    let none = |_: &mut Store, _: &ShardJob| Ok(None);
    let begun = Instant::now();
    let done = follow((&folder, &mut store), (&jobs, BTreeSet::new()), &mut machines, &settings, (&none, &|_| {}));
    let summary = done.map_err(|error| follow_failure(&error))?;
    let own = begun.elapsed().saturating_sub(machines.spent).as_secs_f64();
    let stored = outcomes::all(&store).map_err(|error| store_failure(&error))?.len();
    let all = machines.now * nodes as f64;
    let share = |seconds: f64| if all > 0.0 { seconds / all } else { 0.0 };
    let (work, starts) = (seconds.values().sum(), machines.tasks as f64 * arguments.start_seconds);
    let time = MachineTime { nodes, work: share(work), starts: share(starts) };
    printer::data(&shown!(
        "{} jobs, {} nodes: {} stored, {} undone, {} tasks, {:.2} hours; efficiency {:.2} %, starts of tasks {:.2} %, idle {:.2} %; \
         follower {:.1} s, {:.0} executions a second, at most {} MiB",
        jobs.len(),
        nodes,
        stored,
        summary.undone.len(),
        machines.tasks,
        machines.now / 3600.0,
        100.0 * time.work,
        100.0 * time.starts,
        100.0 * time.idle(),
        own,
        jobs.len() as f64 / own,
        peak_mib()
    ));
    Ok(time)
}

/// Jobs with what they are expected to take, and what they take.
fn made_up(arguments: &StudySimulateArguments) -> (Vec<ExpectedJob>, BTreeMap<ShardJob, f64>) {
    let mut random = Random::stream(arguments.seed, 1);
    // The sum of twelve uniform numbers is close to a normal one.
    let mut normal = move || (0..12).map(|_| random.fraction()).sum::<f64>() - 6.0;
    let (mut jobs, mut all) = (Vec::new(), BTreeMap::new());
    for number in 0..arguments.jobs {
        let condition = CONDITIONS[number % CONDITIONS.len()];
        let version = format!("simulated-{}", number / CONDITIONS.len());
        let job = ShardJob { version, condition, repetition: 1, inputs_hash: format!("{number:032}") };
        let seconds = (MEDIAN * (SPREAD * normal()).exp()).min(LIMIT);
        let known = seconds * (0.3 * normal()).exp();
        let expected = if number.is_multiple_of(2) { known } else { UNKNOWN };
        jobs.push(ExpectedJob { job: job.clone(), seconds: expected, start: None });
        all.insert(job, seconds);
    }
    (jobs, all)
}

/// Machines whose clock goes on by itself.
struct Machines<'a> {
    folder: &'a ClusterFolder,
    scratch: &'a Path,
    /// A store without rows, of which tasks begin with a copy.
    empty: Store,
    seconds: &'a BTreeMap<ShardJob, f64>,
    nodes: usize,
    start_seconds: f64,
    /// When each machine is free, in milliseconds.
    free: BinaryHeap<Reverse<u64>>,
    /// When each task under way is over.
    under_way: BinaryHeap<Reverse<(u64, u32)>>,
    /// The time there, in seconds.
    now: f64,
    tasks: usize,
    /// The time here that executions would have taken, and making their shards took.
    spent: Duration,
}

impl<'a> Machines<'a> {
    fn new(
        folder: &'a ClusterFolder,
        scratch: &'a Path,
        seconds: &'a BTreeMap<ShardJob, f64>,
        (nodes, start_seconds): (usize, f64),
    ) -> Result<Self, StoreError> {
        Ok(Machines {
            folder,
            scratch,
            empty: Store::open(&scratch.join("empty"))?,
            seconds,
            nodes,
            start_seconds,
            free: (0..nodes).map(|_| Reverse(0)).collect(),
            under_way: BinaryHeap::new(),
            now: 0.0,
            tasks: 0,
            spent: Duration::ZERO,
        })
    }

    fn batch(&self, number: u32) -> Result<BatchFile, SubmitError> {
        BatchFile::read(&self.folder.batch(number), REVISION).map_err(|error| failed(&error))
    }

    fn hand_in(&self, batch: &BatchFile) -> Result<(), ParcelError> {
        let made = tempfile::tempdir_in(self.scratch);
        let made = made.map_err(|source| ParcelError::Io { path: self.scratch.to_owned(), source })?;
        let path = made.path().join("store");
        nbrevive_files::make_folder(&path)?;
        // Much faster than to make all tables anew.
        self.empty.seal(&path.join("study.db"))?;
        let mut store = Store::open(&path)?;
        for job in &batch.jobs {
            store_job(&mut store, job, self.seconds.get(job).copied().unwrap_or_default())?;
        }
        drop(store);
        let mut head = ParcelHead::new(&batch.run, &batch.program, batch.number, "simulated");
        (head.is_whole, head.decided) = (true, batch.jobs.clone());
        let place = (self.folder.part("shards"), batch.number.to_string());
        seal_parcel(&path, &head, made.path(), (&place.0, &place.1)).map(drop)
    }
}

fn failed(error: &dyn std::error::Error) -> SubmitError {
    SubmitError::Refused { command: "simulate".to_owned(), said: error.to_string() }
}

impl Submitter for Machines<'_> {
    fn room(&self, under_way: usize) -> usize {
        (2 * self.nodes).saturating_sub(under_way)
    }

    fn submit(&mut self, batches: &[Submission]) -> Result<Vec<String>, SubmitError> {
        let begun = Instant::now();
        for submission in batches {
            let batch = self.batch(submission.batch)?;
            let work: f64 = batch.jobs.iter().filter_map(|job| self.seconds.get(job)).sum();
            let free = self.free.pop().map_or(0, |Reverse(free)| free).max((self.now * 1000.0) as u64);
            let over = free + ((work + self.start_seconds) * 1000.0) as u64;
            self.free.push(Reverse(over));
            self.under_way.push(Reverse((over, batch.number)));
            self.tasks += 1;
        }
        self.spent += begun.elapsed();
        Ok(batches.iter().map(|batch| batch.batch.to_string()).collect())
    }

    fn look(&mut self, tasks: &BTreeMap<u32, String>) -> Result<BTreeMap<u32, TaskState>, SubmitError> {
        let begun = Instant::now();
        let mut states: BTreeMap<u32, TaskState> = tasks.keys().map(|batch| (*batch, TaskState::Running)).collect();
        if let Some(Reverse((over, number))) = self.under_way.pop() {
            self.now = over as f64 / 1000.0;
            self.hand_in(&self.batch(number)?).map_err(|error| failed(&error))?;
            states.insert(number, TaskState::Over(TaskEnd::Done));
        }
        self.spent += begun.elapsed();
        Ok(states)
    }

    fn cancel(&mut self, _: &BTreeMap<u32, String>) -> Result<(), SubmitError> {
        Ok(())
    }

    fn silence_seconds(&self) -> u64 {
        u64::MAX
    }
}

fn store_job(store: &mut Store, job: &ShardJob, seconds: f64) -> Result<(), StoreError> {
    let (end, criterion) = (RunEnd::Completed, Criterion::ErrorFree);
    let key = ExecutionKey {
        version: job.version.clone(),
        code_hash: job.inputs_hash.clone(),
        environment: "simulated".to_owned(),
        settings_hash: job.condition.to_string(),
    };
    let cell = |cell| CellRow { cell, status: CellStatus::Ok, seconds: Some(seconds / f64::from(CELLS)), error: None };
    let row = ExecutionRow {
        tool_revision: REVISION.to_owned(),
        spent: ExecutionCost { seconds, ..ExecutionCost::default() },
        notebook_file: "executed/simulated.ipynb".to_owned(),
        cells: (0..CELLS).map(cell).collect(),
        ..ExecutionRow::new(key, job.condition, end.clone())
    };
    executions::insert(store, &row)?;
    let verdict = judge(&RunFacts { end, error_cells: 0, grade: None, criterion });
    let outcome = OutcomeRow {
        environment: Some("simulated".to_owned()),
        seconds,
        tool_revision: REVISION.to_owned(),
        ..OutcomeRow::new(&job.version, job.condition, &job.inputs_hash, verdict)
    };
    outcomes::set(store, &outcome, &LoopRows::default())
}

/// The most memory that this process had, in MiB.
fn peak_mib() -> u64 {
    let status = nbrevive_files::read_text(Path::new("/proc/self/status"), 1 << 16).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() >> 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_job_takes_is_not_what_is_expected_of_it() {
        let (nodes, figure) = (Vec::new(), None);
        let arguments =
            StudySimulateArguments { jobs: 4000, nodes, figure, start_seconds: 10.0, task_minutes: 20, seed: 1 };
        let (jobs, takes) = made_up(&arguments);
        assert!(jobs.iter().all(|one| (takes[&one.job] - one.seconds).abs() > 0.0));
        let mean = takes.values().sum::<f64>() / 4000.0;
        assert!((mean - 112.0).abs() < 5.0, "docs/cluster.md counts with 112 s, and it is {mean}");
    }
}
