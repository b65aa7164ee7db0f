//! A whole run: the list, the tiers of the search, every repository. It can be stopped anywhere; run again, it goes the
//! same way, takes kept answers from the raw store, and asks for the rest. Offline, that is the replay.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::client::Hub;
use super::error::HubError;
use super::list::{ListedHub, RefusedHub};
use super::search::{HubSearch, TierFound};
use super::visit::{Doubt, HubTask, Known, VisitedHub};
use crate::content::LocalTrouble;
use crate::raw::{ContentHash, Progress};
use crate::records::{HostedState, MinedRecord};

/// Doubtful failures in a row after which the host, or what we know of it, counts as broken.
const DOUBTS: usize = 5;

/// What to mine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HubPlan {
    /// Repositories that somebody found elsewhere.
    pub listed: Vec<ListedHub>,
    /// What stands in the list and is none: each becomes a row.
    pub refused: Vec<RefusedHub>,
    /// What is searched for besides.
    pub search: Option<HubSearch>,
}

/// What a run tells as it goes.
#[derive(Debug)]
pub enum HubEvent {
    /// A record: a row of every repository, then the repository itself where it was taken.
    Record(MinedRecord),
    /// A tier of the search is drawn.
    Searched(TierFound),
    /// Files of a repository that were left out, those that git-lfs has among them.
    LeftOut {
        /// The repository.
        repository: String,
        /// The files.
        files: Vec<LocalTrouble>,
    },
    /// No usable answer came for a repository; another run may bring it.
    Trouble {
        /// The repository.
        repository: String,
        /// Why.
        error: HubError,
    },
    /// How far the repositories are, after each.
    Progress(Progress),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HubSummary {
    /// How many repositories came to which state.
    pub states: BTreeMap<HostedState, usize>,
    /// Repositories that another run may bring.
    pub unsure: usize,
    /// Notebooks in all repositories.
    pub notebooks: usize,
    /// Different ones among them: those that are the same to the last byte are stored once.
    pub distinct: usize,
    /// Whether the receiver stopped the run.
    pub stopped: bool,
}

/// The receiver of a run's events.
struct HubTeller<'a> {
    sink: &'a mut dyn FnMut(HubEvent) -> ControlFlow<()>,
    summary: HubSummary,
    contents: BTreeSet<ContentHash>,
    doubts: usize,
}

impl HubTeller<'_> {
    fn tell(&mut self, event: HubEvent) {
        self.summary.stopped |= (self.sink)(event).is_break();
    }

    fn record(&mut self, record: MinedRecord) {
        if let MinedRecord::Hosted(hosted) = &record {
            *self.summary.states.entry(hosted.state).or_default() += 1;
            self.summary.notebooks += hosted.notebooks.len();
            self.contents.extend(hosted.notebooks.iter().map(|notebook| notebook.content.clone()));
            self.summary.distinct = self.contents.len();
        }
        self.tell(HubEvent::Record(record));
    }

    /// Tells what became of a repository; an error where too many failed in a row.
    fn visited(&mut self, visited: VisitedHub, progress: &mut Progress) -> Result<(), HubError> {
        let VisitedHub { hosted, repository, left_out, doubt } = visited;
        let name = hosted.asked.clone();
        progress.left = progress.left.saturating_sub(1);
        match (&doubt, &repository) {
            (Some(_), _) => progress.left += 1,
            (None, Some(_)) => progress.done += 1,
            (None, None) => progress.without += 1,
        }
        self.doubts = if doubt.as_ref().is_some_and(|doubt| doubt.is_hosts) { self.doubts + 1 } else { 0 };
        self.record(MinedRecord::Hosted(Box::new(hosted)));
        if let Some(repository) = repository {
            self.record(MinedRecord::Repository(repository));
        }
        if !left_out.is_empty() {
            let files = left_out.into_iter().map(|left| LocalTrouble { path: left.path, why: left.why }).collect();
            self.tell(HubEvent::LeftOut { repository: name.clone(), files });
        }
        if let Some(Doubt { error, .. }) = doubt {
            self.summary.unsure += 1;
            if self.doubts >= DOUBTS {
                return Err(error);
            }
            self.tell(HubEvent::Trouble { repository: name, error });
        }
        Ok(())
    }
}

impl Hub {
    /// Mines. The receiver may stop the run after any event.
    ///
    /// # Errors
    /// [`HubError`] with which a run cannot go on, or the last of many doubtful failures in a row.
    pub fn mine(
        &self,
        plan: &HubPlan,
        sink: &mut dyn FnMut(HubEvent) -> ControlFlow<()>,
    ) -> Result<HubSummary, HubError> {
        let mut teller = HubTeller { sink, summary: HubSummary::default(), contents: BTreeSet::new(), doubts: 0 };
        for refused in &plan.refused {
            teller.record(MinedRecord::Hosted(Box::new(self.refused(refused)?)));
        }
        let tasks = self.tasks(plan, &mut teller)?;
        let (mut known, mut progress) = (Known::new(), Progress { left: tasks.len(), ..Progress::default() });
        for task in tasks {
            if teller.summary.stopped {
                break;
            }
            let visited = self.visit(&task, &mut known)?;
            teller.visited(visited, &mut progress)?;
            teller.tell(HubEvent::Progress(progress));
        }
        self.store.keep_down()?;
        Ok(teller.summary)
    }

    /// The list, then what the search draws and the list has not.
    fn tasks(&self, plan: &HubPlan, teller: &mut HubTeller<'_>) -> Result<Vec<HubTask>, HubError> {
        let mut tasks: Vec<HubTask> = plan.listed.iter().map(HubTask::listed).collect();
        let mut places: BTreeMap<String, usize> =
            tasks.iter().enumerate().map(|(place, task)| (task.key(), place)).collect();
        let mut seen = BTreeSet::new();
        let Some(search) = &plan.search else { return Ok(tasks) };
        for tier in &search.tiers {
            if teller.summary.stopped {
                return Ok(Vec::new());
            }
            let (found, drawn) = self.draw(search, tier, &mut seen)?;
            for drawn in drawn {
                let known = places.get(&drawn.name.key()).and_then(|place| tasks.get_mut(*place));
                if let Some(task) = known {
                    task.join(&drawn);
                } else {
                    places.insert(drawn.name.key(), tasks.len());
                    tasks.push(HubTask::drawn(drawn));
                }
            }
            teller.tell(HubEvent::Searched(found));
        }
        Ok(tasks)
    }
}
