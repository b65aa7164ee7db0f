//! A whole run: competitions, their lists, every notebook. It can be stopped anywhere; run again, it goes the same
//! way, takes kept answers from the raw store, and asks for the rest. Offline, that is the replay.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use super::client::Api;
use super::error::{ApiError, Harm};
use super::listing::{Listing, Search};
use super::notebooks::{Pulled, pull};
use crate::raw::{MiningStanding, Progress};
use crate::records::{MinedRecord, NotebookKey, NotebookName, NotebookRecord, Slug};

/// Doubtful failures in a row after which the server, or what we know of it, counts as broken.
const DOUBTS: usize = 5;
/// Refusals in a row after which we count as locked out: deleted notebooks do not stand together like this.
const REFUSALS: usize = 50;

/// Which versions of a notebook are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Versions {
    /// The current one.
    #[default]
    Current,
    /// Every one, by its number; only the newer generation of the API takes numbers.
    Every,
}

/// A notebook to be fetched, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The notebook.
    pub name: NotebookName,
    /// The version; `None` is the current one.
    pub version: Option<u32>,
}

/// What to mine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApiPlan {
    /// Competitions, with all their notebooks.
    pub competitions: Vec<Slug>,
    /// Notebooks by name, for example of a list that somebody handed on.
    pub notebooks: Vec<Wanted>,
    /// How notebooks are looked for.
    pub search: Search,
    /// Which versions.
    pub versions: Versions,
    /// Whether leaderboards are fetched. Default no.
    pub leaderboards: bool,
    /// Whether the status of each current version is asked for: one more request a notebook, usually refused for
    /// other people's. Default no.
    pub statuses: bool,
    /// Most notebooks a competition, the first by name. Default all.
    pub at_most: Option<usize>,
}

/// Something that could not be had.
#[derive(Debug)]
pub struct ApiTrouble {
    /// The competition or notebook, in words.
    pub item: String,
    /// Why.
    pub error: ApiError,
}

/// What a run tells as it goes.
#[derive(Debug)]
pub enum ApiEvent {
    /// A record.
    Record(MinedRecord),
    /// The notebooks of a competition are known.
    Listed(Listing),
    /// An item could not be had; the run goes on.
    Trouble(ApiTrouble),
    /// How far the notebooks are, after each.
    Progress(Progress),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ApiSummary {
    /// Records that were told.
    pub records: usize,
    /// Items that could not be had.
    pub troubles: usize,
    /// Whether the receiver stopped the run.
    pub stopped: bool,
    /// Whether the notebooks of every competition were listed, and each list was complete as far as can be known.
    pub complete: bool,
}

/// What a run is for: the receiver of its events.
struct Teller<'a> {
    sink: &'a mut dyn FnMut(ApiEvent) -> ControlFlow<()>,
    summary: ApiSummary,
}

impl Teller<'_> {
    fn tell(&mut self, event: ApiEvent) -> bool {
        match &event {
            ApiEvent::Record(_) => self.summary.records += 1,
            ApiEvent::Trouble(_) => self.summary.troubles += 1,
            ApiEvent::Listed(listing) => self.summary.complete &= listing.complete,
            ApiEvent::Progress(_) => {}
        }
        self.summary.stopped |= (self.sink)(event).is_break();
        self.summary.stopped
    }

    /// Tells a trouble, or gives it back when the run cannot go on.
    fn trouble(&mut self, item: String, error: ApiError) -> Result<(), ApiError> {
        if error.harm() == Harm::Run {
            return Err(error);
        }
        self.tell(ApiEvent::Trouble(ApiTrouble { item, error }));
        Ok(())
    }
}

/// A notebook on the way through a run.
#[derive(Debug, Clone)]
struct Task {
    wanted: Wanted,
    /// What a list said of it, told when no more can be had.
    listed: Option<NotebookRecord>,
}

/// What became of a task.
enum Outcome {
    Pulled(Vec<Pulled>, Vec<ApiError>),
    Failed(ApiError),
}

impl Api {
    /// Mines. Events come in on the calling thread; the receiver may stop the run after any of them.
    ///
    /// # Errors
    /// [`ApiError`] of [`Harm::Run`], or the last of many doubtful failures in a row.
    pub fn mine(
        &self,
        plan: &ApiPlan,
        sink: &mut dyn FnMut(ApiEvent) -> ControlFlow<()>,
    ) -> Result<ApiSummary, ApiError> {
        let mut teller = Teller { sink, summary: ApiSummary { complete: true, ..ApiSummary::default() } };
        let mut tasks: Vec<Task> =
            plan.notebooks.iter().map(|wanted| Task { wanted: wanted.clone(), listed: None }).collect();
        let mut competitions = plan.competitions.clone();
        // A refusal may be spurious: whoever was refused is asked for once more.
        for last in [false, true] {
            let mut unsure = Vec::new();
            for competition in competitions {
                if teller.summary.stopped {
                    return Ok(teller.summary);
                }
                match self.open(&competition, plan, &mut teller) {
                    Ok(found) => tasks.extend(found),
                    Err(error) if error.is_unsure() && !last => unsure.push(competition),
                    Err(error) => {
                        teller.summary.complete = false;
                        teller.trouble(format!("competition {competition}"), error)?;
                    }
                }
            }
            competitions = unsure;
            tasks = self.pull_all(&tasks, plan, &mut teller, last)?;
        }
        self.store().keep_down()?;
        Ok(teller.summary)
    }

    /// A competition, its leaderboard and its list.
    fn open(&self, slug: &Slug, plan: &ApiPlan, teller: &mut Teller<'_>) -> Result<Vec<Task>, ApiError> {
        let competition = self.competition(slug)?;
        let listing = self.notebooks(slug, &plan.search)?;
        teller.tell(ApiEvent::Record(MinedRecord::Competition(competition)));
        if plan.leaderboards {
            match self.leaderboard(slug) {
                Ok(rows) => rows.into_iter().for_each(|row| {
                    teller.tell(ApiEvent::Record(MinedRecord::Leaderboard(row)));
                }),
                Err(error) => teller.trouble(format!("leaderboard of {slug}"), error)?,
            }
        }
        let mut tasks: Vec<Task> = listing.notebooks.iter().filter_map(Task::listed).collect();
        tasks.truncate(plan.at_most.unwrap_or(usize::MAX));
        teller.tell(ApiEvent::Listed(listing));
        Ok(tasks)
    }

    /// Pulls notebooks, as many at once as the manners allow; gives those whose refusal is not final. In the last
    /// round every failure is told.
    fn pull_all(
        &self,
        tasks: &[Task],
        plan: &ApiPlan,
        teller: &mut Teller<'_>,
        last: bool,
    ) -> Result<Vec<Task>, ApiError> {
        let mut progress = Progress { left: tasks.len(), ..Progress::default() };
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut round = Round { unsure: Vec::new(), doubts: 0, refusals: 0, last };
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(0);
            for _ in 0..self.concurrency().min(tasks.len()) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    while let Some(task) = tasks.get(next.fetch_add(1, Ordering::SeqCst)) {
                        let finished =
                            stop.load(Ordering::SeqCst) || sender.send((task, self.work(task, plan))).is_err();
                        if finished {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let result: Result<(), Option<ApiError>> = receiver.iter().try_for_each(|(task, outcome)| {
                self.count(task, &outcome, &mut progress)?;
                round.settle(task, outcome, teller)?;
                teller.tell(ApiEvent::Progress(progress));
                if teller.summary.stopped { Err(None) } else { Ok(()) }
            });
            stop.store(true, Ordering::SeqCst);
            drop(receiver);
            match result {
                Ok(()) | Err(None) => Ok(()),
                Err(Some(error)) => Err(error),
            }
        })?;
        Ok(if teller.summary.stopped { Vec::new() } else { round.unsure })
    }

    fn count(&self, task: &Task, outcome: &Outcome, progress: &mut Progress) -> Result<(), Option<ApiError>> {
        progress.left = progress.left.saturating_sub(1);
        let ask = pull(&task.wanted.name, task.wanted.version);
        match outcome {
            Outcome::Pulled(..) => progress.done += 1,
            Outcome::Failed(_) => match self.standing(&ask).map_err(|error| Some(error.into()))? {
                MiningStanding::Left => progress.left += 1,
                MiningStanding::Done | MiningStanding::Unavailable | MiningStanding::TooLarge => progress.without += 1,
            },
        }
        Ok(())
    }

    /// One notebook with the versions that the plan wants.
    fn work(&self, task: &Task, plan: &ApiPlan) -> Outcome {
        let name = &task.wanted.name;
        let mut current = match self.notebook(name, None) {
            Ok(pulled) => pulled,
            Err(error) => return Outcome::Failed(error),
        };
        if let Some(number) = task.wanted.version {
            return match self.numbered(&current, name, number) {
                Ok(pulled) => Outcome::Pulled(vec![pulled], Vec::new()),
                Err(error) => Outcome::Failed(error),
            };
        }
        let mut errors = Vec::new();
        if plan.statuses {
            match self.status(name) {
                Ok(status) => current.version.status = status,
                Err(error) => errors.push(error),
            }
        }
        let mut all = vec![current];
        if plan.versions == Versions::Every {
            for number in 1..all[0].version.number.unwrap_or_default() {
                match self.numbered(&all[0], name, number) {
                    Ok(pulled) => all.push(pulled),
                    Err(error) if error.harm() == Harm::Run => return Outcome::Failed(error),
                    Err(error) => {
                        let none = matches!(error, ApiError::OldVersions { .. });
                        errors.push(error);
                        if none {
                            break;
                        }
                    }
                }
            }
        }
        Outcome::Pulled(all, errors)
    }

    /// One version by its number: the current one where it has that number, else what the server gives for it, unless
    /// that is the current one after all.
    fn numbered(&self, current: &Pulled, name: &NotebookName, number: u32) -> Result<Pulled, ApiError> {
        if current.version.number == Some(number) {
            return Ok(current.clone());
        }
        let pulled = self.notebook(name, Some(number))?;
        if pulled.version.origin.raw == current.version.origin.raw {
            return Err(ApiError::SameVersion { what: format!("{name}#{number}") });
        }
        Ok(pulled)
    }
}

/// What one round over the notebooks has come to.
struct Round {
    unsure: Vec<Task>,
    doubts: usize,
    refusals: usize,
    last: bool,
}

impl Round {
    /// Tells what became of a task; `Err` ends the run.
    fn settle(&mut self, task: &Task, outcome: Outcome, teller: &mut Teller<'_>) -> Result<(), Option<ApiError>> {
        let name = task.wanted.name.to_string();
        match outcome {
            Outcome::Pulled(pulled, errors) => {
                (self.doubts, self.refusals) = (0, 0);
                let mut notebook = None;
                for pulled in pulled {
                    notebook.get_or_insert(pulled.notebook);
                    teller.tell(ApiEvent::Record(MinedRecord::Version(Box::new(pulled.version))));
                }
                notebook.map(|notebook| teller.tell(ApiEvent::Record(MinedRecord::Notebook(notebook))));
                for error in errors {
                    teller.trouble(name.clone(), error).map_err(Some)?;
                }
                Ok(())
            }
            Outcome::Failed(error) => self.fail(task, name, error, teller),
        }
    }

    fn fail(
        &mut self,
        task: &Task,
        name: String,
        error: ApiError,
        teller: &mut Teller<'_>,
    ) -> Result<(), Option<ApiError>> {
        match &error {
            // In the last round stand only those that were refused before, one after the other.
            ApiError::NotAvailable { final_word: false, .. } if !self.last => {
                (self.doubts, self.refusals) = (0, self.refusals + 1);
            }
            ApiError::NotAvailable { .. } => self.doubts = 0,
            _ if error.harm() == Harm::Doubt => self.doubts += 1,
            _ => {}
        }
        if self.doubts >= DOUBTS || self.refusals >= REFUSALS {
            return Err(Some(error));
        }
        if error.is_unsure() && !self.last {
            self.unsure.push(task.clone());
            return Ok(());
        }
        if let Some(listed) = task.listed.clone().filter(|_| !matches!(error, ApiError::TakenDown { .. })) {
            teller.tell(ApiEvent::Record(MinedRecord::Notebook(listed)));
        }
        teller.trouble(name, error).map_err(Some)
    }
}

impl Task {
    fn listed(record: &NotebookRecord) -> Option<Self> {
        match &record.key {
            NotebookKey::Kaggle(name) => {
                let wanted = Wanted { name: name.clone(), version: None };
                Some(Self { wanted, listed: Some(record.clone()) })
            }
            NotebookKey::File(_) => None,
        }
    }
}
