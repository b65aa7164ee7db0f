use std::cell::RefCell;
use std::path::PathBuf;

use nbrevive_corpus::{Condition, Criterion, RunEnd, RunFacts, judge};
use nbrevive_model::{Account, Money};
use nbrevive_stats::Random;
use nbrevive_store::loops::LoopRows;
use nbrevive_store::outcomes::OutcomeRow;
use nbrevive_store::repetitions;
use nbrevive_store::shards::SecondOutcome;

use super::*;
use crate::cluster::folder::{cancelled_mark, is_merged};
use crate::cluster::line_file::lines;
use crate::cluster::submitter::{Submission, SubmitError};
use crate::cluster::task_journal::{TaskJournal, TaskNote};
use crate::{BatchManner, ParcelHead, SubmitSettings, TaskSizes, seal_parcel};

mod money;

/// The job that ends every task in which it runs, where there is one.
const KILLER: &str = "killer";
/// The first task of a batch.
const FIRST: &str = "a";

fn row(job: &ShardJob, outcome: RunEnd) -> OutcomeRow {
    let facts = RunFacts { end: outcome, error_cells: 0, grade: None, criterion: Criterion::ErrorFree };
    // By a first task; a second one says so.
    let recorded_at = FIRST.to_owned();
    OutcomeRow {
        seconds: 1.0,
        recorded_at,
        ..OutcomeRow::new(&job.version, job.condition, &job.inputs_hash, judge(&facts))
    }
}

fn store_done(store: &mut Store, job: &ShardJob, attempt: &str) {
    let row = OutcomeRow { recorded_at: attempt.to_owned(), ..row(job, RunEnd::Completed) };
    outcomes::set(store, &row, &LoopRows::default()).unwrap();
}

fn jobs(count: usize) -> Vec<ExpectedJob> {
    let one = |number: usize| {
        let (version, inputs_hash) = (format!("v{}", number / 2), "i".to_owned());
        let condition = if number.is_multiple_of(2) { Condition::BASELINE } else { Condition::MODERNIZE };
        ExpectedJob { job: ShardJob { version, condition, repetition: 1, inputs_hash }, seconds: 200.0, start: None }
    };
    (0..count).map(one).collect()
}

/// What becomes of a task, by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Whole,
    /// Two tasks of one batch, since the scheduler began it again.
    Twice,
    Part,
    Cut,
    Foreign,
    Dies,
    Vanishes,
    Ends(TaskEnd),
}

/// Machines that carry out a batch the moment that somebody looks, as chance has it.
struct Machines<'a> {
    folder: &'a ClusterFolder,
    random: Random,
    /// How many of ten tasks are disturbed.
    disturbed: usize,
    /// What becomes of each task, where that is not left to chance.
    always: Option<Fate>,
    sent: RefCell<Vec<(u32, Vec<ShardJob>)>>,
    /// After so many batches nobody can be reached: whoever follows is killed there.
    most: usize,
    over: BTreeMap<u32, TaskState>,
    /// What each repair costs, where the study asks a model, and how many were paid.
    price: Money,
    paid: usize,
}

impl<'a> Machines<'a> {
    fn new(folder: &'a ClusterFolder, seed: u64, disturbed: usize) -> Self {
        let (random, over) = (Random::stream(seed, 1), BTreeMap::new());
        let (always, price, paid) = (None, Money::ZERO, 0);
        Machines { folder, random, disturbed, always, sent: RefCell::default(), most: usize::MAX, over, price, paid }
    }

    fn fate(&mut self) -> Fate {
        if let Some(always) = self.always {
            return always;
        }
        if self.random.below(10) >= self.disturbed as u64 {
            return Fate::Whole;
        }
        match self.random.below(9) {
            0 => Fate::Twice,
            1 => Fate::Part,
            2 => Fate::Cut,
            3 => Fate::Foreign,
            4 => Fate::Vanishes,
            5 => Fate::Dies,
            6 => Fate::Ends(TaskEnd::Preempted),
            7 => Fate::Ends(TaskEnd::NodeGone),
            _ => Fate::Ends(TaskEnd::DiskFull),
        }
    }

    fn run(&mut self, number: u32) {
        let batch = BatchFile::read(&self.folder.batch(number), "me").unwrap();
        self.sent.borrow_mut().push((number, batch.jobs.clone()));
        let journal = TaskJournal::begin(&self.folder.part("tasks").join(number.to_string()), "n1").unwrap();
        let kills = batch.jobs.iter().position(|job| job.version == KILLER);
        let fate = if kills.is_some() { Fate::Dies } else { self.fate() };
        let running = kills.unwrap_or(batch.jobs.len() / 2);
        let unpaid = self.spend(&batch);
        let state = match fate {
            _ if !unpaid.is_empty() => self.hand_in_but(&batch, &unpaid),
            Fate::Whole => self.hand_in(&batch, batch.jobs.len(), FIRST),
            Fate::Twice => {
                self.hand_in(&batch, batch.jobs.len(), FIRST);
                self.hand_in(&batch, batch.jobs.len(), "b")
            }
            Fate::Part => self.hand_in(&batch, batch.jobs.len() / 2, FIRST),
            Fate::Cut => {
                self.hand_in(&batch, batch.jobs.len(), FIRST);
                for name in self.folder.names("shards").unwrap() {
                    let path = self.folder.part("shards").join(name);
                    let bytes = std::fs::read(&path).unwrap();
                    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
                }
                TaskState::Over(TaskEnd::Done)
            }
            Fate::Foreign => {
                self.hand_in(&batch, batch.jobs.len(), FIRST);
                for name in self.folder.names("shards").unwrap() {
                    let shards = self.folder.part("shards");
                    std::fs::rename(shards.join(&name), shards.join(name.replacen('-', "0-", 1))).unwrap();
                }
                TaskState::Over(TaskEnd::Done)
            }
            Fate::Dies => {
                for place in 0..running {
                    journal.note(&TaskNote::Started(place));
                    journal.note(&TaskNote::Ended(place));
                }
                journal.note(&TaskNote::Started(running));
                TaskState::Over(TaskEnd::Died)
            }
            Fate::Vanishes => TaskState::Unknown,
            Fate::Ends(end) => TaskState::Over(end),
        };
        self.over.insert(number, state);
    }

    /// Asks the model for each repair of a batch, as far as its allowance goes; those for which it did not.
    fn spend(&mut self, batch: &BatchFile) -> Vec<ShardJob> {
        let account = self.folder.part("accounts").join(batch.number.to_string());
        let Ok(text) = std::fs::read_to_string(&account) else { return Vec::new() };
        let first: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        let mut left = first["allowed"]["money"].as_i64().unwrap();
        let account = Account::take(&account, "a").unwrap().expect("nobody else takes it");
        let mut unpaid = Vec::new();
        for job in batch.jobs.iter().filter(|job| job.condition == Condition::MODERNIZE) {
            if left < self.price.units() {
                unpaid.push(job.clone());
                continue;
            }
            left -= self.price.units();
            account
                .call(money::call(&format!("call {} {}", batch.number, job.version), &job.version, self.price))
                .unwrap();
            self.paid += 1;
        }
        unpaid
    }

    /// Hands in a whole batch but for jobs whose model could not be asked.
    fn hand_in_but(&self, batch: &BatchFile, unpaid: &[ShardJob]) -> TaskState {
        let mut asked = batch.clone();
        asked.jobs.retain(|job| !unpaid.contains(job));
        self.hand_in_with(&asked, asked.jobs.len(), FIRST, |head| {
            let told = |job: &ShardJob| (job.clone(), JobTrouble::Model, "the cap".to_owned());
            (head.is_whole, head.undone) = (true, unpaid.iter().map(told).collect());
        })
    }

    fn hand_in(&self, batch: &BatchFile, count: usize, attempt: &str) -> TaskState {
        self.hand_in_with(batch, count, attempt, |_| {})
    }

    fn hand_in_with(
        &self,
        batch: &BatchFile,
        count: usize,
        attempt: &str,
        change: impl FnOnce(&mut ParcelHead),
    ) -> TaskState {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("store");
        let mut store = Store::open(&path).unwrap();
        if let Some(seed) = &batch.seed {
            drop(store);
            std::fs::remove_dir_all(&path).unwrap();
            crate::open_parcel(&self.folder.part("seeds").join(seed), (&batch.run, "me"), &path).unwrap();
            store = Store::open(&path).unwrap();
        }
        batch.jobs[..count].iter().for_each(|job| store_done(&mut store, job, attempt));
        drop(store);
        let mut head = ParcelHead::new(&batch.run, "me", batch.number, "n1");
        (head.is_whole, head.decided) = (count == batch.jobs.len(), batch.jobs[..count].to_vec());
        change(&mut head);
        let stem = format!("{}-{attempt}", batch.number);
        seal_parcel(&path, &head, scratch.path(), (&self.folder.part("shards"), &stem)).unwrap();
        TaskState::Over(if head.is_whole { TaskEnd::Done } else { TaskEnd::Stopped })
    }
}

impl Submitter for Machines<'_> {
    fn room(&self, under_way: usize) -> usize {
        3_usize.saturating_sub(under_way)
    }

    fn submit(&mut self, batches: &[Submission]) -> Result<Vec<String>, SubmitError> {
        if self.sent.borrow().len() >= self.most {
            return Err(SubmitError::Refused { command: "sbatch".to_owned(), said: "no".to_owned() });
        }
        Ok(batches.iter().map(|batch| format!("task {}", batch.batch)).collect())
    }

    fn look(&mut self, tasks: &BTreeMap<u32, String>) -> Result<BTreeMap<u32, TaskState>, SubmitError> {
        for (batch, task) in tasks {
            assert_eq!(*task, format!("task {batch}"));
            if !self.over.contains_key(batch) {
                self.run(*batch);
            }
        }
        Ok(tasks.keys().map(|batch| (*batch, self.over[batch])).collect())
    }

    fn cancel(&mut self, _: &BTreeMap<u32, String>) -> Result<(), SubmitError> {
        Ok(())
    }

    fn silence_seconds(&self) -> u64 {
        0
    }

    fn unbegun(&self) -> (u64, TaskEnd) {
        (0, TaskEnd::Lost)
    }
}

/// A folder of a run, and an empty store.
struct Field {
    _place: tempfile::TempDir,
    folder: ClusterFolder,
    store: Store,
}

const TASKS: TaskSizes = TaskSizes { nodes: 2, minutes: 10 };
const DEALT: (TaskSizes, SecondOutcome) = (TASKS, SecondOutcome::Dropped);

fn field() -> Field {
    let place = tempfile::tempdir().unwrap();
    let manner = BatchManner { jobs: 1, study: PathBuf::from("/study.toml"), ..BatchManner::default() };
    let submit = SubmitSettings::Command { submit: "{batch}".to_owned(), max_jobs: 3, silence_seconds: 0 };
    let folder = ClusterFolder::make(&place.path().join("shared"), "me", &manner, &submit, DEALT).unwrap();
    let store = Store::open(&place.path().join("store")).unwrap();
    Field { _place: place, folder, store }
}

fn followed(field: &mut Field, jobs: &[ExpectedJob], machines: &mut Machines<'_>) -> Result<RunSummary, FollowError> {
    followed_with(field, jobs, machines, None)
}

fn followed_with(
    field: &mut Field,
    jobs: &[ExpectedJob],
    machines: &mut Machines<'_>,
    accounts: Option<RunAccounts>,
) -> Result<RunSummary, FollowError> {
    let settings = FollowSettings { poll: Duration::ZERO, accounts };
    let give_up = |store: &mut Store, job: &ShardJob| {
        let row = row(job, RunEnd::NotSaved("kernel-died".to_owned()));
        outcomes::set(store, &row, &LoopRows::default())?;
        Ok(Some(row.verdict.outcome))
    };
    let store = &mut field.store;
    let watch = |_: &ClusterEvent<'_>| settings.accounts.iter().for_each(money::is_within_its_cap);
    follow((machines.folder, store), (jobs, BTreeSet::new()), machines, &settings, (&give_up, &watch))
}

fn expected_rows(jobs: &[ExpectedJob]) -> Vec<OutcomeRow> {
    let mut rows: Vec<OutcomeRow> = jobs.iter().map(|one| row(&one.job, RunEnd::Completed)).collect();
    rows.sort_by(|one, other| (one.condition, &one.version).cmp(&(other.condition, &other.version)));
    rows
}

#[test]
fn whatever_happens_to_tasks_every_job_is_there_once() {
    for seed in 0..2 {
        let (mut field, jobs) = (field(), jobs(20));
        let folder = field.folder.clone();
        let half = folder.part("shards").join(".33-a.tarLrPmmn.partial");
        std::fs::write(&half, "of a task that was killed").unwrap();
        let mut machines = Machines::new(&folder, seed, 5);
        let summary = followed(&mut field, &jobs, &mut machines).unwrap();
        assert_eq!(summary.undone, [], "seed {seed}");
        assert_eq!(outcomes::all(&field.store).unwrap(), expected_rows(&jobs), "seed {seed}");
        assert_eq!(summary.outcomes.values().sum::<usize>(), jobs.len());
        assert_eq!((folder.names("shards").unwrap(), half.exists()), (Vec::<String>::new(), false));
        // A scheduler may begin again what it put back, and its jobs were sent again meanwhile.
        let stands_back = |batch: u32| is_merged(folder.path(), &batch.to_string());
        for note in lines(&log_of(&folder)).unwrap() {
            if let FollowNote::Over(batch, end) = note {
                assert!(stands_back(batch), "seed {seed}, batch {batch}: {end}");
            }
        }
    }
}

#[test]
fn what_a_second_task_hands_in_is_a_repetition_where_that_is_asked_for() {
    for (second, kept) in [(SecondOutcome::Dropped, 0), (SecondOutcome::KeptAsRepetition, 6)] {
        let (mut field, jobs) = (field(), jobs(6));
        field.folder.run.second = second;
        let folder = field.folder.clone();
        let mut machines = Machines { always: Some(Fate::Twice), ..Machines::new(&folder, 1, 0) };
        assert_eq!(followed(&mut field, &jobs, &mut machines).unwrap().undone, []);
        assert_eq!(outcomes::all(&field.store).unwrap(), expected_rows(&jobs), "what was merged first stays");
        let numbers: Vec<u32> = repetitions::all(&field.store).unwrap().iter().map(|row| row.repetition).collect();
        assert_eq!(numbers, vec![2; kept]);
    }
}

#[test]
fn whoever_follows_may_be_killed_anywhere_and_another_one_goes_on() {
    for killed in [0, 2] {
        let (mut field, jobs) = (field(), jobs(16));
        let folder = field.folder.clone();
        let mut machines = Machines { most: killed, ..Machines::new(&folder, killed as u64, 2) };
        let stopped = followed(&mut field, &jobs, &mut machines);
        assert!(matches!(stopped, Err(FollowError::Submit(_))), "after {killed} batches");
        machines.most = usize::MAX;
        let open: Vec<ExpectedJob> = {
            let done = outcomes::all(&field.store).unwrap();
            let is_done =
                |job: &ShardJob| done.iter().any(|row| row.version == job.version && row.condition == job.condition);
            jobs.iter().filter(|one| !is_done(&one.job)).cloned().collect()
        };
        assert_eq!(followed(&mut field, &open, &mut machines).unwrap().undone, []);
        assert_eq!(outcomes::all(&field.store).unwrap(), expected_rows(&jobs));
        let numbers: Vec<u32> = machines.sent.borrow().iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len(), "a batch was sent twice");
    }
}

#[test]
fn a_job_that_ends_its_tasks_is_found_and_fails_alone_after_three_deaths() {
    let (mut field, mut jobs) = (field(), jobs(12));
    jobs[5].job.version = KILLER.to_owned();
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    let summary = followed(&mut field, &jobs, &mut machines).unwrap();
    assert_eq!(summary.outcomes.get(&(Condition::MODERNIZE, Outcome::Failed)), Some(&1));
    assert_eq!(outcomes::all(&field.store).unwrap().len(), jobs.len());
    let sent = machines.sent.borrow();
    let with_killer: Vec<usize> = sent
        .iter()
        .map(|(_, jobs)| jobs)
        .filter(|jobs| jobs.iter().any(|job| job.version == KILLER))
        .map(Vec::len)
        .collect();
    assert_eq!(&with_killer[1..], [1, 1, 1], "{with_killer:?}");
    assert!(with_killer[0] > 1);
}

#[test]
fn what_a_suspect_starts_from_goes_first_where_its_task_took_that_along() {
    let (mut field, mut jobs) = (field(), jobs(2));
    jobs[1].start = Some(Condition::BASELINE);
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    machines.over = BTreeMap::from([(1, TaskState::Over(TaskEnd::Died))]);
    let journal = TaskJournal::begin(&folder.part("tasks").join("1"), "n1").unwrap();
    [TaskNote::Started(0), TaskNote::Ended(0), TaskNote::Started(1)].iter().for_each(|note| journal.note(note));
    assert_eq!(followed(&mut field, &jobs, &mut machines).unwrap().undone, []);
    let sent: Vec<Vec<Condition>> =
        machines.sent.borrow().iter().map(|(_, jobs)| jobs.iter().map(|job| job.condition).collect()).collect();
    assert_eq!(sent, [[Condition::BASELINE], [Condition::MODERNIZE]]);
    assert!(BatchFile::read(&folder.batch(3), "me").unwrap().seed.is_some(), "it has what it starts from");
}

#[test]
fn whoever_goes_on_lets_a_version_wait_that_is_under_way() {
    let (mut field, mut jobs) = (field(), jobs(2));
    jobs[1].start = Some(Condition::BASELINE);
    let folder = field.folder.clone();
    let first = BatchFile::new(&folder.run.run, 1, "me", &folder.run.manner, vec![jobs[0].job.clone()]);
    std::fs::write(folder.batch(1), first.text().unwrap()).unwrap();
    LineFile::open(&log_of(&folder)).unwrap().add(&FollowNote::Sent(1, "task 1".to_owned())).unwrap();
    let mut machines = Machines::new(&folder, 1, 0);
    assert_eq!(followed(&mut field, &jobs, &mut machines).unwrap().undone, []);
    let sent: Vec<usize> = machines.sent.borrow().iter().map(|(_, jobs)| jobs.len()).collect();
    assert_eq!(sent, [1, 1]);
    assert!(BatchFile::read(&folder.batch(2), "me").unwrap().seed.is_some(), "it has what it starts from");
}

#[test]
fn trouble_of_the_cluster_is_no_outcome_and_ends_after_a_while() {
    let (mut field, jobs) = (field(), jobs(2));
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    machines.over = (1..100).map(|batch| (batch, TaskState::Over(TaskEnd::NodeGone))).collect();
    let summary = followed(&mut field, &jobs, &mut machines).unwrap();
    assert_eq!(outcomes::all(&field.store).unwrap(), []);
    let told: Vec<_> = summary.undone.iter().map(|one| (one.trouble, one.reason.as_str())).collect();
    assert_eq!(told, [(JobTrouble::Cluster, "its task lost its node"); 2]);
}

#[test]
fn a_task_that_wrote_into_the_shared_folder_saw_it_whatever_became_of_its_second_start() {
    let (mut field, jobs) = (field(), jobs(2));
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    machines.over = (1..100).map(|batch| (batch, TaskState::Over(TaskEnd::NotShared))).collect();
    for batch in 1..100 {
        TaskJournal::begin(&folder.part("tasks").join(batch.to_string()), "n1").unwrap();
    }
    let summary = followed(&mut field, &jobs, &mut machines).unwrap();
    assert_eq!(summary.undone.iter().map(|one| one.reason.as_str()).collect::<Vec<_>>(), ["its task lost its node"; 2]);
}

#[test]
fn a_set_up_that_lets_no_task_work_is_told_after_a_few() {
    let (mut field, jobs) = (field(), jobs(40));
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    machines.over = (1..100).map(|batch| (batch, TaskState::Over(TaskEnd::NotShared))).collect();
    let error = followed(&mut field, &jobs, &mut machines).unwrap_err().to_string();
    assert!(error.contains("does not see the shared folder") && error.contains("--shared"), "{error}");
}

#[test]
fn a_shared_folder_without_room_ends_the_run_before_another_task_works_in_vain() {
    let (mut field, jobs) = (field(), jobs(40));
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    machines.always = Some(Fate::Ends(TaskEnd::SharedFull));
    let error = followed(&mut field, &jobs, &mut machines).unwrap_err().to_string();
    assert!(error.contains("no room left in the shared folder"), "{error}");
    assert_eq!(machines.sent.borrow().len(), 3, "those that were under way, and no more");
}

#[test]
fn a_template_that_starts_something_else_is_told_after_a_few() {
    let (mut field, jobs) = (field(), jobs(1));
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    machines.over = (1..100).map(|batch| (batch, TaskState::Over(TaskEnd::Done))).collect();
    let error = followed(&mut field, &jobs, &mut machines).unwrap_err().to_string();
    assert!(error.contains("does the template start the program"), "{error}");
}

#[test]
fn what_a_scheduler_lost_is_sent_again_and_ends_no_run() {
    let (mut field, jobs) = (field(), jobs(40));
    let folder = field.folder.clone();
    let mut machines = Machines::new(&folder, 1, 0);
    machines.over = (1..=5).map(|batch| (batch, TaskState::Unknown)).collect();
    assert_eq!(followed(&mut field, &jobs, &mut machines).unwrap().undone, []);
    assert_eq!(outcomes::all(&field.store).unwrap(), expected_rows(&jobs));
    assert!((1..=5).all(|batch| cancelled_mark(folder.path(), &batch.to_string()).exists()), "they may begin yet");
}

#[test]
fn whoever_goes_on_knows_that_tasks_could_do_their_work() {
    let (mut field, jobs) = (field(), jobs(40));
    let folder = field.folder.clone();
    let mut machines = Machines { most: 3, ..Machines::new(&folder, 1, 0) };
    followed(&mut field, &jobs, &mut machines).unwrap_err();
    let done: BTreeSet<String> = outcomes::all(&field.store).unwrap().into_iter().map(|row| row.version).collect();
    assert_ne!(done.len(), 0);
    let open: Vec<ExpectedJob> = jobs.iter().filter(|one| !done.contains(&one.job.version)).cloned().collect();
    machines.most = usize::MAX;
    let next = folder.names("batches").unwrap().iter().filter_map(|name| number_of(name)).max().unwrap() + 1;
    machines.over.extend((next..next + 4).map(|batch| (batch, TaskState::Over(TaskEnd::NotShared))));
    assert_eq!(followed(&mut field, &open, &mut machines).unwrap().undone, []);
    assert_eq!(outcomes::all(&field.store).unwrap(), expected_rows(&jobs));
}

#[test]
fn a_folder_is_of_one_study_and_one_program() {
    let field = field();
    let (path, manner) = (field.folder.path(), field.folder.run.manner.clone());
    let again = ClusterFolder::make(path, "me", &manner, &field.folder.run.submit, DEALT).unwrap();
    assert_eq!(ClusterFolder::open(path, "me").unwrap().run.tasks, TASKS);
    assert_eq!(again.run, field.folder.run);
    let other = BatchManner { study: PathBuf::from("/other.toml"), ..manner };
    let error = ClusterFolder::make(path, "me", &other, &again.run.submit, DEALT).unwrap_err().to_string();
    assert!(error.contains("/other.toml") && error.contains("--shared"), "{error}");
    assert!(ClusterFolder::open(path, "you").unwrap_err().to_string().contains("begun by nbrevive me"));
    assert!(ClusterFolder::open(Path::new("nowhere"), "me").unwrap_err().to_string().contains("there is no run"));
}
