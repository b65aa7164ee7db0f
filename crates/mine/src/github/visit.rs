//! One repository: what the host tells of it, its commit, its files.

use std::collections::BTreeMap;

use super::archive::{Inventory, LeftOut, WantedArchive};
use super::ask::HubAsk;
use super::client::Hub;
use super::error::{Bearing, HubError};
use super::facts::{commit, repository};
use super::list::{ListedHub, RefusedHub};
use super::name::{HubAddress, HubName, is_hash};
use super::search::Drawn;
use crate::raw::RawError;
use crate::records::{HostedCommit, HostedFacts, HostedRecord, HostedState, MiningSource, Origin, RepositoryRecord};

/// The branch that is asked for where the host names none.
const HEAD: &str = "HEAD";

/// A repository on its way through a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HubTask {
    address: HubAddress,
    articles: Vec<String>,
    lines: Vec<u64>,
    tier: Option<String>,
    /// Where its name was read, if the host told it.
    origin: Option<Origin>,
}

/// What became of a task.
pub(super) struct VisitedHub {
    pub(super) hosted: HostedRecord,
    pub(super) repository: Option<RepositoryRecord>,
    pub(super) left_out: Vec<LeftOut>,
    /// Why it could not be had now, where another run may bring it.
    pub(super) doubt: Option<Doubt>,
}

/// A failure that may be mended.
pub(super) struct Doubt {
    pub(super) error: HubError,
    /// Whether it may be the host's fault.
    pub(super) is_hosts: bool,
}

/// The numbers of the repositories of a run, each with the name by which it came first.
pub(super) type Known = BTreeMap<u64, String>;

impl HubTask {
    pub(super) fn listed(listed: &ListedHub) -> Self {
        let ListedHub { address, articles, lines } = listed.clone();
        Self { address, articles, lines, tier: None, origin: None }
    }

    pub(super) fn drawn(drawn: Drawn) -> Self {
        let address = HubAddress { name: drawn.name, reference: None };
        let (tier, origin) = (Some(drawn.tier), Some(drawn.origin));
        Self { address, articles: Vec::new(), lines: Vec::new(), tier, origin }
    }

    pub(super) fn key(&self) -> String {
        self.address.name.key()
    }

    /// The same repository was drawn too.
    pub(super) fn join(&mut self, drawn: &Drawn) {
        self.tier.get_or_insert_with(|| drawn.tier.clone());
    }

    fn record(&self, origin: Origin) -> HostedRecord {
        HostedRecord {
            asked: self.address.name.to_string(),
            state: HostedState::Unanswered,
            why: None,
            tier: self.tier.clone(),
            articles: self.articles.clone(),
            lines: self.lines.clone(),
            facts: None,
            commit: None,
            notebooks: Vec::new(),
            origin,
        }
    }
}

impl Hub {
    /// What was listed and is no repository, as a row.
    pub(super) fn refused(&self, refused: &RefusedHub) -> Result<HostedRecord, RawError> {
        let raw = self.store.keep(MiningSource::GitHub, "list", refused.shown.as_bytes())?;
        Ok(HostedRecord {
            asked: refused.shown.clone(),
            state: HostedState::NoRepository,
            why: Some(refused.why.to_string()),
            tier: None,
            articles: refused.articles.clone(),
            lines: vec![refused.line],
            facts: None,
            commit: None,
            notebooks: Vec::new(),
            origin: Origin { source: MiningSource::GitHub, request: format!("line {}", refused.line), raw },
        })
    }

    /// Finds out what becomes of a task.
    pub(super) fn visit(&self, task: &HubTask, known: &mut Known) -> Result<VisitedHub, HubError> {
        let nowhere = || -> Result<Origin, RawError> {
            let raw = self.store.keep(MiningSource::GitHub, &task.key(), b"")?;
            Ok(Origin { source: MiningSource::GitHub, request: task.key(), raw })
        };
        let origin = task.origin.clone().map_or_else(nowhere, Ok)?;
        let mut visited =
            VisitedHub { hosted: task.record(origin), repository: None, left_out: Vec::new(), doubt: None };
        let Err(error) = self.steps(task, known, &mut visited) else { return Ok(visited) };
        let (state, is_hosts) = match error.bearing() {
            Bearing::Run => return Err(error),
            Bearing::Doubt(state) => (state, true),
            Bearing::State(state) => (state, false),
        };
        visited.hosted.state = state;
        visited.hosted.why = Some(why(&error));
        if let Some(origin) = self.newest(&error)? {
            visited.hosted.origin = origin;
        }
        if is_hosts || state == HostedState::Unanswered {
            visited.doubt = Some(Doubt { error, is_hosts });
        }
        Ok(visited)
    }

    fn steps(&self, task: &HubTask, known: &mut Known, visited: &mut VisitedHub) -> Result<(), HubError> {
        let asked = &task.address.name;
        let hosted = &mut visited.hosted;
        let (facts, origin) = self.answer(&HubAsk::repository(asked), |answer| {
            Ok((repository(answer.bytes, asked)?, answer.origin.clone()))
        })?;
        hosted.origin = origin;
        let first = known.entry(facts.id).or_insert_with(|| asked.to_string());
        let (is_first, first) = (*first == asked.to_string(), first.clone());
        // The answer's own name is one: it was read as such.
        let name = HubName::parse(facts.name.as_str()).unwrap_or_else(|_| asked.clone());
        hosted.facts = Some(facts.clone());
        if !is_first {
            (hosted.state, hosted.why) = (HostedState::Double, Some(format!("it is {first}")));
            return Ok(());
        }
        let commit = self.commit(&name, task.address.reference.as_deref(), &facts)?;
        hosted.commit = Some(commit.clone());
        let wanted = WantedArchive { name: &name, url: facts.url.as_deref(), commit: &commit };
        let Inventory { repository, notebooks, left_out, .. } = self.inventory(&wanted)?;
        hosted.state = match (&repository, notebooks.is_empty()) {
            (Some(_), _) => HostedState::Taken,
            (None, false) => HostedState::NoKernel,
            (None, true) => HostedState::NoNotebooks,
        };
        hosted.notebooks = notebooks;
        (visited.repository, visited.left_out) = (repository, left_out);
        Ok(())
    }

    /// The commit that is meant, or the head of the default branch: also where a branch or tag is not there any more.
    fn commit(&self, name: &HubName, reference: Option<&str>, facts: &HostedFacts) -> Result<HostedCommit, HubError> {
        let ask = |reference: &str, instead_of: Option<String>| {
            let (hash, time) = self.answer(&HubAsk::commit(name, reference), |answer| commit(answer.bytes))?;
            Ok(HostedCommit { hash, time, instead_of })
        };
        let head = facts.branch.as_deref().unwrap_or(HEAD);
        let Some(reference) = reference else { return ask(head, None) };
        match ask(reference, None) {
            Err(HubError::Settled { state: HostedState::NoCommit, .. }) if !is_hash(reference) => {
                ask(head, Some(reference.to_owned()))
            }
            found => found,
        }
    }

    /// Where the host's last word on a request is kept.
    fn newest(&self, error: &HubError) -> Result<Option<Origin>, RawError> {
        let Some(what) = error.what() else { return Ok(None) };
        let raw = self.store.answers(what)?.into_iter().find_map(|kept| kept.body.filter(|_| !kept.faulty));
        Ok(raw.map(|raw| Origin { source: MiningSource::GitHub, request: what.to_owned(), raw }))
    }
}

/// What a row says of an error: without the request, and without what chance decides.
fn why(error: &HubError) -> String {
    match error {
        HubError::Settled { status, message, .. } => format!("{status} {message}").trim().to_owned(),
        HubError::LedAway { to, .. } => format!("it leads {to}"),
        HubError::TooLarge { limit, unpacked: true, .. } => format!("it has more than {limit} bytes unpacked"),
        HubError::TooLarge { limit, .. } => format!("it has more than {limit} bytes"),
        HubError::Unreadable { why, .. } | HubError::Unreachable { why, .. } => why.clone(),
        HubError::Shape { source, .. } => source.to_string(),
        HubError::Server { status, .. } => format!("the host answered {status}"),
        HubError::Refused { status, message, .. } => format!("refused with {status} {message}"),
        other => other.to_string(),
    }
}
