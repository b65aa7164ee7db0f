//! `nbrevive study work`: one task carries out one batch, into a store on a disk of its machine, and hands that in as a shard.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nbrevive_corpus::{Outcome as JobOutcome, content_hash};
use nbrevive_files::unpoisoned;
use nbrevive_model::Account;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::Store;
use nbrevive_store::shards::ShardJob;
use nbrevive_study::{
    BatchError, BatchFile, HEARTBEAT_SECONDS, JobPlan, JobTrouble, ParcelError, ParcelHead, RunEvent, TaskEnd,
    TaskJournal, TaskNote, cancelled_mark, is_merged, open_parcel, seal_parcel,
};
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::Outcome;
use crate::arguments::StudyWorkArguments;
use crate::commands::setting::{Loaded, REVISION, store_failure};
use crate::commands::study_cluster::{loaded_as, sandbox};
use crate::commands::study_run::{Carried, Planned, carry_out, open_laboratory, planned};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// How often a task looks whether it is asked to stop.
const LOOK: Duration = Duration::from_millis(200);
/// How far the clock of a machine may be off: times of calls and rows are wrong by so much.
const CLOCK: Duration = Duration::from_secs(300);

/// Carries the batch out.
pub(crate) fn run(arguments: &StudyWorkArguments) -> Outcome {
    let place = Place::of(&arguments.batch)?;
    let journal = TaskJournal::begin(&place.shared.join("tasks").join(&place.number), &place.node)
        .map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    let done = work(arguments, &place, &journal);
    if let Err((end, failure)) = &done {
        journal.note(&TaskNote::Over(*end, failure.message.as_str().to_owned()));
    }
    done.map(|()| Exit::Success).map_err(|(_, failure)| failure)
}

/// Where a task stands.
struct Place {
    shared: PathBuf,
    /// Number of the batch, as its file is named.
    number: String,
    node: String,
}

impl Place {
    fn of(batch: &Path) -> Result<Self, Failure> {
        let number = batch.file_stem().and_then(|name| name.to_str()).filter(|name| name.parse::<u32>().is_ok());
        let shared = batch.parent().filter(|folder| folder.ends_with("batches")).and_then(Path::parent);
        let (Some(number), Some(shared)) = (number, shared) else {
            let message = shown!("{} is no batch of a shared folder: these are …/batches/NUMBER.json", batch.display());
            return Err(Failure { exit: Exit::BadInput, message });
        };
        if !batch.exists() {
            let message = shown!(
                "this machine does not see {}: the shared folder has to be there under the same path as where the study was begun",
                batch.display()
            );
            return Err(Failure { exit: Exit::BadInput, message });
        }
        let of_scheduler = std::env::var("SLURMD_NODENAME").ok();
        let name = || nbrevive_files::read_text(Path::new("/proc/sys/kernel/hostname"), 1 << 10).ok();
        let node = of_scheduler.or_else(name).unwrap_or_default().trim().to_owned();
        Ok(Place { shared: shared.to_owned(), number: number.to_owned(), node })
    }

    /// Whether whoever follows wants the task to end: where no scheduler can be asked for that, it is left in the shared folder.
    fn is_cancelled(&self) -> bool {
        cancelled_mark(&self.shared, &self.number).exists()
    }

    /// A name for one start of the task, of which a scheduler may make several.
    fn attempt(&self, scratch: &Path) -> String {
        let told = format!("{} {} {scratch:?}", self.node, std::process::id());
        content_hash(told.as_bytes()).chars().take(8).collect()
    }
}

/// A failure with what it is to the one who follows.
type Ended = (TaskEnd, Failure);

fn failed(failure: Failure) -> Ended {
    let end = match failure.exit {
        Exit::Missing => TaskEnd::NoSandbox,
        Exit::CannotWrite => TaskEnd::DiskFull,
        Exit::BadInput => TaskEnd::OtherStudy,
        Exit::NoModel => TaskEnd::NoModel,
        _ => TaskEnd::Failed,
    };
    (end, failure)
}

fn work(arguments: &StudyWorkArguments, place: &Place, journal: &TaskJournal) -> Result<(), Ended> {
    let batch = BatchFile::read(&arguments.batch, REVISION).map_err(|error| {
        let end =
            if matches!(error, BatchError::OtherProgram { .. }) { TaskEnd::OtherVersion } else { TaskEnd::Failed };
        (end, Failure::new(Exit::BadInput, &error))
    })?;
    stand_back(place, journal)?;
    let scratch = scratch(arguments)?;
    let folder = scratch.path().join("store");
    if let Some(seed) = &batch.seed {
        let parcel = place.shared.join("seeds").join(seed);
        open_parcel(&parcel, (&batch.run, &batch.program), &folder).map_err(|error| parcel_failure(&error))?;
    }
    let mut store = Store::open(&folder).map_err(|error| failed(store_failure(&error)))?;
    let (loaded, planned) = prepared(&batch, &mut store).map_err(failed)?;
    let decided: BTreeSet<ShardJob> = planned
        .plan
        .jobs
        .iter()
        .filter(|planned| !planned.state.is_open())
        .map(|planned| planned.job.in_shard())
        .collect();
    let account = account(&loaded, place, scratch.path())?;
    let task = Task {
        batch: &batch,
        place,
        journal,
        folder: &folder,
        scratch: scratch.path(),
        decided: Mutex::new(decided),
        outcomes: Mutex::default(),
        undone: Mutex::default(),
    };
    task.carry_out(&loaded, store, &planned, account).map_err(failed)?;
    task.hand_in(true).map_err(|error| match &error {
        ParcelError::Io { path, .. } if error.is_full() && path.starts_with(&place.shared) => {
            (TaskEnd::SharedFull, Failure::new(Exit::CannotWrite, &error))
        }
        _ => parcel_failure(&error),
    })
}

/// Ends a task that is not to begin: one that was cancelled, and one whose machine tells another time than the others.
fn stand_back(place: &Place, journal: &TaskJournal) -> Result<(), Ended> {
    if place.is_cancelled() {
        return Err((TaskEnd::Cancelled, stopped("it was cancelled, or another start of it has handed all in")));
    }
    let off = journal.clock_is_off().map_err(|error| (TaskEnd::Failed, Failure::new(Exit::CannotWrite, &error)))?;
    if off <= CLOCK {
        return Ok(());
    }
    let message = shown!("this machine's clock is {} s off from that of {}", off.as_secs(), place.shared.display());
    Err((TaskEnd::ClockWrong, Failure { exit: Exit::Missing, message }))
}

fn stopped(why: &'static str) -> Failure {
    Failure { exit: Exit::Stopped, message: Shown::literal(why) }
}

/// What the task may spend, where its study asks a model. Only one start of it may: what the first one spent is known to who follows alone.
fn account(loaded: &Loaded, place: &Place, scratch: &Path) -> Result<Option<Account>, Ended> {
    if loaded.study.repair.model.is_none() {
        return Ok(None);
    }
    let path = place.shared.join("accounts").join(&place.number);
    match Account::take(&path, &place.attempt(scratch)) {
        Ok(Some(account)) => Ok(Some(account)),
        Ok(None) => Err((TaskEnd::Requeued, stopped("it was begun before, with what it may spend, or given up"))),
        Err(error) => Err((TaskEnd::Failed, Failure::new(Exit::CannotWrite, &error))),
    }
}

fn parcel_failure(error: &ParcelError) -> Ended {
    let end = if error.is_full() { TaskEnd::DiskFull } else { TaskEnd::Failed };
    (end, Failure::new(Exit::CannotWrite, error))
}

fn scratch(arguments: &StudyWorkArguments) -> Result<tempfile::TempDir, Ended> {
    let of_scheduler = || std::env::var_os("SLURM_TMPDIR").map(PathBuf::from);
    let place = arguments.scratch.clone().or_else(of_scheduler).unwrap_or_else(std::env::temp_dir);
    let made = tempfile::Builder::new().prefix("nbrevive-task-").tempdir_in(place);
    made.map_err(|error| (TaskEnd::DiskFull, Failure::new(Exit::CannotWrite, &error)))
}

/// The study and the plan of the batch's jobs; a failure where they are not here what they were where they were planned.
fn prepared(batch: &BatchFile, store: &mut Store) -> Result<(Loaded, Planned), Failure> {
    let manner = &batch.manner;
    let mut loaded = loaded_as(manner)?;
    let versions: BTreeSet<&str> = batch.jobs.iter().map(|job| job.version.as_str()).collect();
    loaded.versions.retain(|version| versions.contains(version.slug.as_str()));
    let mut planned = planned(&loaded, store)?;
    let asked: BTreeSet<&ShardJob> = batch.jobs.iter().collect();
    planned.plan.jobs.retain(|planned| asked.contains(&planned.job.in_shard()));
    let found: BTreeSet<ShardJob> = planned.plan.jobs.iter().map(|planned| planned.job.in_shard()).collect();
    match batch.jobs.iter().find(|job| !found.contains(*job)) {
        None => Ok((loaded, planned)),
        Some(job) => {
            let (study, condition, version) = (manner.study.display(), job.condition, &job.version);
            let message =
                shown!("{} {} of {} is another job here than where it was planned", condition, version, study);
            Err(Failure { exit: Exit::BadInput, message })
        }
    }
}

/// A batch that is being carried out.
struct Task<'a> {
    batch: &'a BatchFile,
    place: &'a Place,
    journal: &'a TaskJournal,
    /// The store.
    folder: &'a Path,
    scratch: &'a Path,
    decided: Mutex<BTreeSet<ShardJob>>,
    outcomes: Mutex<BTreeMap<JobOutcome, usize>>,
    undone: Mutex<Vec<(ShardJob, JobTrouble, String)>>,
}

impl Task<'_> {
    fn carry_out(
        &self,
        loaded: &Loaded,
        store: Store,
        planned: &Planned,
        account: Option<Account>,
    ) -> Result<(), Failure> {
        let manner = &self.batch.manner;
        let laboratory = open_laboratory(&sandbox(manner)?, manner.offline, loaded)?;
        let over = AtomicBool::new(false);
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            let registered = signal_hook::flag::register(signal, Arc::clone(&asked));
            registered.map_err(|error| Failure::new(Exit::Other, &error))?;
        }
        std::thread::scope(|scope| {
            scope.spawn(|| self.live(&over, &asked));
            let watch = |event: &RunEvent<'_>| self.event(event);
            let carried = Carried { folder: self.folder, account, jobs: manner.jobs, watch: &watch };
            let done = carry_out(&carried, loaded, &laboratory, store, &planned.plan, &planned.rows);
            over.store(true, Ordering::SeqCst);
            done.map(|(_, summary)| self.take(&planned.plan, summary.undone))
        })
    }

    /// What a run leaves without saying it job by job: who waits for others.
    fn take(&self, plan: &JobPlan, undone: Vec<nbrevive_study::Undone>) {
        let mut known = unpoisoned(self.undone.lock());
        for one in undone {
            let is_it = |job: &nbrevive_study::Job| job.name() == one.version && job.condition == one.condition;
            let found = plan.jobs.iter().map(|planned| &planned.job).find(|job| is_it(job));
            known.extend(found.map(|job| (job.in_shard(), one.trouble, one.reason.clone())));
        }
    }

    fn event(&self, event: &RunEvent<'_>) {
        let place = |job: &nbrevive_study::Job| {
            let job = job.in_shard();
            let place = self.batch.jobs.iter().position(|known| *known == job);
            (job, place)
        };
        match event {
            RunEvent::Started(job) => {
                if let (_, Some(place)) = place(job) {
                    self.journal.note(&TaskNote::Started(place));
                }
            }
            RunEvent::Ended(job, _) | RunEvent::Undone(job, _) => {
                let (job, place) = place(job);
                if let RunEvent::Ended(_, outcome) = event {
                    let is_first = job.repetition == 1;
                    unpoisoned(self.decided.lock()).insert(job);
                    *unpoisoned(self.outcomes.lock()).entry(*outcome).or_default() += usize::from(is_first);
                }
                if let Some(place) = place {
                    self.journal.note(&TaskNote::Ended(place));
                }
            }
            RunEvent::Skipped(_) | RunEvent::Paused(_) | RunEvent::Troubled(..) => {}
        }
    }

    /// Says that the task lives, until it is over; hands in what there is and ends the program when it is asked to stop.
    // Executions take minutes, and who asks waits for seconds; they end with their supervisor.
    fn live(&self, over: &AtomicBool, asked: &AtomicBool) {
        let mut said = Instant::now();
        while !over.load(Ordering::SeqCst) {
            std::thread::sleep(LOOK);
            let is_time = said.elapsed() >= Duration::from_secs(HEARTBEAT_SECONDS);
            if asked.load(Ordering::SeqCst) || (is_time && self.place.is_cancelled()) {
                let handed_in = self.hand_in(false);
                if let Err(error) = &handed_in {
                    printer::note(&shown!("{}", error));
                }
                self.journal.note(&TaskNote::Over(TaskEnd::Stopped, String::new()));
                std::process::exit(Exit::Stopped as i32);
            }
            if is_time {
                said = Instant::now();
                self.journal.note(&TaskNote::Alive);
            }
        }
    }

    /// Moves what the store has into the shared folder in one step.
    fn hand_in(&self, is_whole: bool) -> Result<(), ParcelError> {
        // By another start of it: nobody may be there any more who would merge this one.
        if is_merged(&self.place.shared, &self.place.number) {
            return Ok(());
        }
        let (batch, node) = (self.batch, &self.place.node);
        let undone = unpoisoned(self.undone.lock()).clone();
        let open: BTreeSet<&ShardJob> = undone.iter().map(|(job, ..)| job).collect();
        let decided = match is_whole {
            true => batch.jobs.iter().filter(|job| !open.contains(job)).cloned().collect(),
            false => unpoisoned(self.decided.lock()).iter().cloned().collect(),
        };
        let mut head = ParcelHead::new(&batch.run, &batch.program, batch.number, node);
        (head.is_whole, head.decided, head.undone) = (is_whole, decided, undone);
        head.outcomes = unpoisoned(self.outcomes.lock()).clone();
        // Two tasks of one batch, where a scheduler began it again, hand in under two names.
        let stem = format!("{}-{}", batch.number, self.place.attempt(self.scratch));
        seal_parcel(self.folder, &head, self.scratch, (&self.place.shared.join("shards"), &stem))?;
        self.journal.note(&TaskNote::Over(TaskEnd::Done, String::new()));
        Ok(())
    }
}
