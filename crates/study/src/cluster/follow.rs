//! Follows the tasks of a run: sends batches out, merges what comes back, sends again what is missing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};

use nbrevive_corpus::{Condition, Outcome};
use nbrevive_model::Accounts;
use nbrevive_store::shards::ShardJob;
use nbrevive_store::{Store, StoreError, outcomes};

use crate::cluster::accounts::{RunAccounts, out, take_back};
use crate::cluster::batch_file::BatchFile;
use crate::cluster::cluster_event::ClusterEvent;
use crate::cluster::folder::ClusterFolder;
use crate::cluster::follow_error::{FollowError, MergeError};
use crate::cluster::follow_log::{FollowNote, FollowedSoFar, log_of};
use crate::cluster::line_file::LineFile;
use crate::cluster::sizes::{ExpectedJob, JobBatch, batches};
use crate::cluster::submitter::{Submitter, TaskState};
use crate::cluster::task_end::TaskEnd;
use crate::cluster::task_journal::TaskSoFar;
use crate::{JobTrouble, RunSummary, Undone};

/// Deaths of one job, alone in its task, that are taken for its own doing.
pub const DEATHS: u32 = 3;
/// Tries of a job that meets trouble which it says itself.
const TRIES: u32 = 3;
/// Tries of a job whose tasks the cluster ends.
const SENDINGS: u32 = 10;
/// Tasks in a row that end by the set-up, with nothing handed in before, after which no more are sent.
const SET_UP_ENDS: usize = 3;

/// How a run is followed.
#[derive(Debug)]
pub struct FollowSettings {
    /// How often the folder is looked at.
    pub poll: Duration,
    /// What its tasks may spend, where its study asks a model.
    pub accounts: Option<RunAccounts>,
}

/// Stores that a job failed, which died alone in its task so often.
pub type GiveUp<'a> = &'a dyn Fn(&mut Store, &ShardJob) -> Result<Option<Outcome>, StoreError>;

/// A batch that is under way.
pub(super) struct UnderWay {
    pub(super) batch: BatchFile,
    task: String,
    /// How it ended, as it was seen the first time: its shard may show later than that.
    ended: Option<TaskEnd>,
    /// How many lines its journal had, and when that changed.
    heard: (usize, Instant),
    /// Whether it may spend less than its jobs may cost, and there is no more.
    is_short: bool,
}

/// What is known of a job that is not decided.
#[derive(Default, Clone)]
pub(super) struct History {
    tries: u32,
    sendings: u32,
    deaths: u32,
    pub(super) is_suspect: bool,
    /// The condition of the same version whose outcome it starts from.
    pub(super) start: Option<Condition>,
    trouble: Option<(JobTrouble, String)>,
}

/// Follows a run until every job is decided or given up.
pub(super) struct Follower<'a> {
    pub(super) folder: &'a ClusterFolder,
    pub(super) store: &'a mut Store,
    pub(super) settings: &'a FollowSettings,
    pub(super) submitter: &'a mut dyn Submitter,
    give_up: GiveUp<'a>,
    watch: &'a dyn Fn(&ClusterEvent<'_>),
    log: LineFile,
    /// Jobs that are neither decided nor given up.
    pub(super) open: BTreeMap<ShardJob, (f64, History)>,
    jobs: usize,
    undone: Vec<Undone>,
    /// What waits to be sent: whole batches, and jobs that came back.
    pub(super) ready: VecDeque<JobBatch>,
    pub(super) back: BTreeSet<ShardJob>,
    pub(super) under_way: BTreeMap<u32, UnderWay>,
    /// Versions of which the store has rows that a task may need.
    pub(super) stored: BTreeSet<String>,
    pub(super) next: u32,
    set_up_ends: usize,
    has_merged: bool,
    /// Whether there was too little to spend when batches were sent last.
    pub(super) is_short: bool,
}

/// Carries out `jobs`, of which those of the versions `stored` may start from what the store has.
///
/// Following may be ended at any moment: what was sent goes on, and the next call for the same folder takes it up.
///
/// # Errors
/// See [`FollowError`]. Jobs that could not be had are in the summary.
pub fn follow(
    (folder, store): (&ClusterFolder, &mut Store),
    (jobs, stored): (&[ExpectedJob], BTreeSet<String>),
    submitter: &mut dyn Submitter,
    settings: &FollowSettings,
    (give_up, watch): (GiveUp<'_>, &dyn Fn(&ClusterEvent<'_>)),
) -> Result<RunSummary, FollowError> {
    let path = log_of(folder);
    let log = LineFile::open(&path).map_err(|source| FollowError::Io { path, source })?;
    let new = |one: &ExpectedJob| (one.seconds, History { start: one.start, ..History::default() });
    let open = jobs.iter().map(|one| (one.job.clone(), new(one))).collect();
    let mut follower = Follower {
        folder,
        store,
        settings,
        submitter,
        give_up,
        watch,
        log,
        open,
        jobs: jobs.len(),
        undone: Vec::new(),
        ready: VecDeque::new(),
        back: BTreeSet::new(),
        under_way: BTreeMap::new(),
        stored,
        next: 1,
        set_up_ends: 0,
        has_merged: false,
        is_short: false,
    };
    follower.take_up()?;
    let sent: BTreeSet<&ShardJob> = follower.under_way.values().flat_map(|task| &task.batch.jobs).collect();
    let busy: BTreeSet<&str> = sent.iter().map(|job| job.version.as_str()).collect();
    // What is left of a version that is under way waits for that.
    let (back, unsent): (Vec<_>, Vec<_>) = jobs
        .iter()
        .filter(|one| follower.open.contains_key(&one.job) && !sent.contains(&one.job))
        .cloned()
        .partition(|one| busy.contains(one.job.version.as_str()));
    follower.back.extend(back.into_iter().map(|one| one.job));
    follower.ready =
        batches(&unsent, folder.run.tasks.nodes, folder.run.manner.jobs, folder.run.tasks.shortest()).into();
    follower.send()?;
    while !follower.is_over() {
        std::thread::sleep(settings.poll);
        follower.look()?;
        follower.send()?;
    }
    if follower.undone.is_empty() {
        folder.mark_all_merged()?;
    }
    folder.sweep()?;
    follower.summary(jobs)
}

/// Ends every task of a run that is under way, and nothing else; how many there were. Whom nobody can end finds a mark in the shared folder.
///
/// # Errors
/// When the folder cannot be read or written, or tasks cannot be ended.
pub fn cancel(
    folder: &ClusterFolder,
    submitter: &mut dyn Submitter,
    accounts: Option<&Accounts>,
) -> Result<usize, FollowError> {
    let tasks = FollowedSoFar::read(folder)?.tasks;
    tasks.keys().try_for_each(|batch| folder.mark_cancelled(*batch))?;
    submitter.cancel(&tasks)?;
    if let Some(accounts) = accounts {
        out(accounts, folder)?.into_iter().try_for_each(|batch| take_back(accounts, folder, batch))?;
    }
    let path = log_of(folder);
    let mut log = LineFile::open(&path).map_err(|source| FollowError::Io { path: path.clone(), source })?;
    for batch in tasks.keys() {
        let note = FollowNote::Over(*batch, TaskEnd::Cancelled);
        log.add(&note).map_err(|source| FollowError::Io { path: path.clone(), source })?;
    }
    Ok(tasks.len())
}

impl Follower<'_> {
    /// Goes on where another process has left off.
    fn take_up(&mut self) -> Result<(), FollowError> {
        let FollowedSoFar { tasks, deaths, last, has_merged } = FollowedSoFar::read(self.folder)?;
        self.has_merged = has_merged;
        // Batches that were written and not sent keep their numbers, too.
        let numbers = self.folder.names("batches")?.into_iter().filter_map(|name| number_of(&name));
        self.next = numbers.max().unwrap_or(0).max(last) + 1;
        for (batch, task) in tasks {
            match BatchFile::read(&self.folder.batch(batch), &self.folder.run.program) {
                Ok(file) => self.begin(file, task, false),
                Err(error) => self.tell(&ClusterEvent::Refused(&error)),
            }
        }
        for (job, count) in deaths {
            if let Some((_, history)) = self.open.get_mut(&job) {
                (history.deaths, history.is_suspect) = (count, true);
            }
        }
        // What was handed in while nobody followed.
        self.merge_all()?;
        // What was handed out to batches that nobody carries out: they were never sent, or are over.
        if let Some(accounts) = &self.settings.accounts {
            for batch in out(accounts.all(), self.folder)? {
                if !self.under_way.contains_key(&batch) {
                    self.take_back(batch)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn tell(&self, event: &ClusterEvent<'_>) {
        (self.watch)(event);
    }

    pub(super) fn note(&mut self, note: &FollowNote) -> Result<(), FollowError> {
        self.log.add(note).map_err(|source| FollowError::Io { path: log_of(self.folder), source })
    }

    pub(super) fn begin(&mut self, batch: BatchFile, task: String, is_short: bool) {
        let heard = (0, Instant::now());
        self.under_way.insert(batch.number, UnderWay { batch, task, ended: None, heard, is_short });
    }

    fn is_over(&self) -> bool {
        self.under_way.is_empty() && self.ready.is_empty() && self.back.is_empty()
    }

    /// Looks once at all that is under way.
    fn look(&mut self) -> Result<(), FollowError> {
        let tasks = self.under_way.iter().map(|(batch, task)| (*batch, task.task.clone())).collect();
        let states = self.submitter.look(&tasks).unwrap_or_else(|error| {
            (self.watch)(&ClusterEvent::Unasked(&error));
            BTreeMap::new()
        });
        // After that was asked: whoever is over by now has handed in before.
        self.merge_all()?;
        for (batch, state) in states {
            if let Some((end, so_far)) = self.ended(batch, state)? {
                self.finish(batch, end, &so_far)?;
            }
        }
        Ok(())
    }

    /// How a task ended, once that is sure; with what its journal says.
    fn ended(&mut self, batch: u32, state: TaskState) -> Result<Option<(TaskEnd, TaskSoFar)>, FollowError> {
        let journal = self.folder.part("tasks").join(batch.to_string());
        let Some(task) = self.under_way.get_mut(&batch) else { return Ok(None) };
        if state == TaskState::Waiting || (state == TaskState::Running && task.ended.is_none()) {
            return Ok(None);
        }
        let so_far = TaskSoFar::read(&journal)?;
        if let TaskState::Over(end) = state {
            let seen_before = task.ended.replace(end).is_some();
            return Ok(seen_before.then_some((end, so_far)));
        }
        if let Some(end) = task.ended.or(so_far.over.as_ref().map(|(end, _)| *end)) {
            return Ok(Some((end, so_far)));
        }
        if task.heard.0 != so_far.lines {
            task.heard = (so_far.lines, Instant::now());
        }
        let (patience, end) = match so_far.node {
            Some(_) => (self.submitter.silence_seconds(), TaskEnd::Silent),
            None => self.submitter.unbegun(),
        };
        let is_given_up = task.heard.1.elapsed() > Duration::from_secs(patience);
        Ok(is_given_up.then_some((end, so_far)))
    }

    /// Takes back the jobs of a task that is over.
    fn finish(&mut self, number: u32, end: TaskEnd, so_far: &TaskSoFar) -> Result<(), FollowError> {
        let Some(task) = self.under_way.remove(&number) else { return Ok(()) };
        self.end(number, &task.task)?;
        let (end, why) = match (&so_far.over, end) {
            (Some((own, why)), _) => (*own, why.as_str()),
            // Its script came to its end all the same, where the template does something else.
            (None, TaskEnd::Died | TaskEnd::Done) if so_far.node.is_none() => (TaskEnd::NeverBegan, ""),
            // It wrote its journal into that folder before: it was put back, and its node could not start it again.
            (None, TaskEnd::NotShared) if so_far.node.is_some() => (TaskEnd::NodeGone, ""),
            (None, end) => (end, ""),
        };
        self.take_back(number)?;
        self.note(&FollowNote::Over(number, end))?;
        let jobs = &task.batch.jobs;
        let running: Vec<&ShardJob> = so_far.running.iter().filter_map(|place| jobs.get(*place)).collect();
        let missing: Vec<ShardJob> = jobs.iter().filter(|job| self.open.contains_key(*job)).cloned().collect();
        for job in &missing {
            let Some((seconds, history)) = self.open.get_mut(job) else { continue };
            history.sendings += 1;
            // It was expected to be shorter than it is.
            if end == TaskEnd::TimedOut {
                *seconds *= 2.0;
            }
            history.trouble = Some((JobTrouble::Cluster, format!("its task {}", end.told())));
            if end.may_be_the_jobs() && running.contains(&job) {
                history.is_suspect = true;
                if jobs.len() == 1 {
                    history.deaths += 1;
                    self.note(&FollowNote::Death(job.clone()))?;
                }
            }
            self.again(job)?;
        }
        let again = missing.iter().filter(|job| self.back.contains(*job)).count();
        self.tell(&ClusterEvent::Ended { batch: number, node: so_far.node.as_deref(), end, why, again });
        self.set_up_ends = if end.is_of_the_set_up() { self.set_up_ends + 1 } else { 0 };
        // Whatever was merged before: other tasks would work in vain, too.
        let is_full = end == TaskEnd::SharedFull;
        if is_full || self.set_up_ends >= SET_UP_ENDS && !self.has_merged {
            let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
            return Err(FollowError::SetUp { end, why });
        }
        Ok(())
    }

    /// Has a task end whose jobs are sent again: it may live on, or begin yet, or its scheduler may put it back.
    fn end(&mut self, number: u32, task: &str) -> Result<(), FollowError> {
        self.folder.mark_cancelled(number)?;
        if let Err(error) = self.submitter.cancel(&BTreeMap::from([(number, task.to_owned())])) {
            self.tell(&ClusterEvent::Unasked(&error));
        }
        Ok(())
    }

    /// Has a job sent again, unless it was tried often enough.
    fn again(&mut self, job: &ShardJob) -> Result<(), FollowError> {
        let Some((_, history)) = self.open.get(job) else { return Ok(()) };
        if history.deaths >= DEATHS && (self.give_up)(self.store, job)?.is_some() {
            self.open.remove(job);
            self.stored.insert(job.version.clone());
            self.tell(&ClusterEvent::Failed(job));
        } else if history.tries >= TRIES || history.sendings >= SENDINGS {
            let (trouble, reason) = history.trouble.clone().unwrap_or((JobTrouble::Cluster, String::new()));
            let version = match job.repetition {
                1 => job.version.clone(),
                repetition => format!("{} (repetition {repetition})", job.version),
            };
            self.undone.push(Undone { version, condition: job.condition, trouble, reason });
            self.open.remove(job);
        } else {
            self.back.insert(job.clone());
        }
        Ok(())
    }

    /// Merges all shards that lie in the folder.
    fn merge_all(&mut self) -> Result<(), FollowError> {
        for name in self.folder.names("shards")? {
            match self.merge_one(&name) {
                Ok((head, rows)) => {
                    self.has_merged = true;
                    for job in &head.decided {
                        self.open.remove(job);
                        self.back.remove(job);
                        self.stored.insert(job.version.clone());
                    }
                    nbrevive_files::remove(&self.folder.part("shards").join(&name))?;
                    let (decided, jobs) = (self.jobs.saturating_sub(self.open.len() + self.undone.len()), self.jobs);
                    let (batch, node, none) = (head.batch, &head.node, BTreeMap::new());
                    let outcomes = if rows.jobs > 0 { &head.outcomes } else { &none };
                    self.tell(&ClusterEvent::Merged { batch, node, rows, outcomes, decided, jobs });
                    let is_short = self.under_way.get(&head.batch).is_some_and(|task| task.is_short);
                    for (job, trouble, reason) in head.undone {
                        if let Some((_, history)) = self.open.get_mut(&job) {
                            // There is nothing more to spend.
                            let is_last = is_short && trouble == JobTrouble::Model;
                            history.tries = if is_last { TRIES } else { history.tries + 1 };
                            history.trouble = Some((trouble, reason));
                        }
                    }
                    let end = if head.is_whole { TaskEnd::Done } else { TaskEnd::Stopped };
                    self.hand_in(head.batch, end)?;
                }
                Err(MergeError::Refused(error)) => {
                    self.tell(&ClusterEvent::Refused(error.as_ref()));
                    self.folder
                        .set_aside(&name)
                        .map_err(|source| FollowError::Io { path: self.folder.part("refused"), source })?;
                }
                Err(MergeError::Stopped(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// A task has handed in what it had: whatever it has not decided is sent again.
    fn hand_in(&mut self, number: u32, end: TaskEnd) -> Result<(), FollowError> {
        let Some(task) = self.under_way.remove(&number) else { return Ok(()) };
        match end {
            TaskEnd::Stopped => self.end(number, &task.task)?,
            _ => self.folder.mark_merged(number)?,
        }
        self.take_back(number)?;
        self.note(&FollowNote::Over(number, end))?;
        for job in task.batch.jobs {
            if let Some((_, history)) = self.open.get_mut(&job) {
                history.sendings += 1;
                self.again(&job)?;
            }
        }
        Ok(())
    }

    /// What came of `jobs`.
    fn summary(self, jobs: &[ExpectedJob]) -> Result<RunSummary, FollowError> {
        let mut summary = RunSummary { undone: self.undone, ..RunSummary::default() };
        for ExpectedJob { job, .. } in jobs.iter().filter(|one| one.job.repetition == 1) {
            let found = outcomes::find(self.store, &job.version, job.condition)?;
            if let Some(row) = found.filter(|row| row.inputs_hash == job.inputs_hash) {
                *summary.outcomes.entry((job.condition, row.verdict.outcome)).or_default() += 1;
            }
        }
        Ok(summary)
    }
}

/// The number that a name begins with.
pub(super) fn number_of(name: &str) -> Option<u32> {
    name.split(['-', '.']).next()?.parse().ok()
}

/// A folder for a moment, beside the store.
pub(super) fn scratch_beside(store: &Path) -> Result<tempfile::TempDir, FollowError> {
    tempfile::Builder::new()
        .prefix(".shard-")
        .tempdir_in(store)
        .map_err(|source| FollowError::Io { path: store.to_owned(), source })
}

#[cfg(test)]
mod tests;
