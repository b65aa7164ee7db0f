//! What the tasks of a run may spend on a model: each batch gets its part of what the caps leave before it is sent.

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_corpus::Condition;
use nbrevive_model::{AccountError, AccountName, Accounts, CapRoom, LedgerError, Money, OpenError, ProviderKind};
use nbrevive_store::shards::ShardJob;

use crate::Study;
use crate::cluster::folder::ClusterFolder;

/// The accounts of a run whose study asks a model.
#[derive(Debug)]
pub struct RunAccounts {
    accounts: Accounts,
    /// The study's name, under which it spends.
    study: String,
    /// The conditions whose jobs ask.
    asking: BTreeSet<Condition>,
    /// What a notebook may cost at most under one condition.
    each: Money,
    /// Whether there are rates, which tasks share.
    has_rates: bool,
}

impl RunAccounts {
    /// Those of a study, with ledger and record in the folder of its store; none where it asks no model.
    ///
    /// # Errors
    /// When its settings, the ledger or the record cannot be used.
    pub fn open(study: &Study, store: &Path) -> Result<Option<Self>, OpenError> {
        let Some(model) = &study.repair.model else { return Ok(None) };
        let accounts = model.accounts(store)?;
        let asking = study.conditions.iter().filter(|recipe| recipe.asks_model()).map(|recipe| recipe.name);
        let caps = accounts.caps();
        let each = [caps.notebook, caps.study, caps.hour].into_iter().flatten().min().unwrap_or(Money::MOST);
        Ok(Some(RunAccounts {
            study: study.name.clone(),
            asking: asking.collect(),
            // What is replayed was paid before.
            each: if model.provider == ProviderKind::Replay { Money::ZERO } else { each },
            has_rates: model.rate_limits()?.is_limited(),
            accounts,
        }))
    }

    /// How many tasks may be out at a time, of `nodes` that run at a time.
    pub(super) fn places(&self, nodes: usize) -> usize {
        if self.has_rates { nodes.max(1) } else { usize::MAX }
    }

    /// The notebooks that jobs may ask for, each once: study with condition, and version.
    fn notebooks(&self, jobs: &[ShardJob]) -> Vec<(String, String)> {
        let asking = jobs.iter().filter(|job| self.asking.contains(&job.condition));
        let named = asking.map(|job| (format!("{}/{}", self.study, job.condition), job.version.clone()));
        named.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// How many of these jobs, from the first on, `room` pays for at their worst, and what that is. Jobs of a version stay together.
    fn paid(&self, jobs: &[ShardJob], room: Money) -> (usize, Money) {
        let (mut count, mut cost) = (0, Money::ZERO);
        for version in jobs.chunk_by(|one, other| one.version == other.version) {
            let with = self.notebooks(version).iter().fold(cost, |cost, _| cost + self.each);
            if with > room {
                break;
            }
            (count, cost) = (count + version.len(), with);
        }
        (count, cost)
    }

    /// What there is to hand out now. Whether nothing else is out, from which more could come, decides what becomes of a rest that pays for
    /// no notebook.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub(super) fn funds(&self, is_nothing_out: bool) -> Result<Funds<'_>, AccountError> {
        let (left, disputed) = match self.accounts.room(&self.study) {
            Ok(left) => (left, None),
            Err(error @ LedgerError::Disputed { .. }) => {
                (CapRoom { study: Money::ZERO, hour: Money::ZERO }, Some(error.to_string()))
            }
            Err(error) => return Err(error.into()),
        };
        let is_last = is_nothing_out && left.study < self.each;
        let why = disputed.unwrap_or_else(|| match is_last {
            true => "the study's cap has no room for one more notebook: the rest goes with what is left".to_owned(),
            false => "the caps have no room for one more notebook now: it is waited for".to_owned(),
        });
        Ok(Funds { accounts: self, left, is_last, why })
    }

    /// Hands out what the task of a batch may spend.
    ///
    /// # Errors
    /// When it cannot be taken out of the ledger or written down.
    pub(super) fn hand_out(
        &self,
        folder: &ClusterFolder,
        batch: u32,
        jobs: &[ShardJob],
        money: Money,
    ) -> Result<(), AccountError> {
        let share = if self.has_rates { 1.0 / folder.run.tasks.nodes.max(1) as f64 } else { 1.0 };
        let (place, notebooks) = (folder.part("accounts"), self.notebooks(jobs));
        self.accounts.hand_out(named(folder, &place, batch), &self.study, (money, share), &notebooks).map(drop)
    }

    /// The one ledger and record.
    pub(super) fn all(&self) -> &Accounts {
        &self.accounts
    }
}

/// Enters what the task of a batch has spent; what is left of its allowance is free again.
///
/// # Errors
/// When its account cannot be read, or ledger and record cannot be written.
pub(super) fn take_back(accounts: &Accounts, folder: &ClusterFolder, batch: u32) -> Result<(), AccountError> {
    accounts.take_back(named(folder, &folder.part("accounts"), batch))
}

/// The batches of a run whose accounts are out.
///
/// # Errors
/// When the ledger cannot be read.
pub(super) fn out(accounts: &Accounts, folder: &ClusterFolder) -> Result<Vec<u32>, AccountError> {
    Ok(accounts.out(&folder.run.run)?)
}

fn named<'a>(folder: &'a ClusterFolder, place: &'a Path, batch: u32) -> AccountName<'a> {
    AccountName { folder: place, run: &folder.run.run, batch }
}

/// What there is to hand out while batches are chosen.
pub(super) struct Funds<'a> {
    accounts: &'a RunAccounts,
    left: CapRoom,
    /// Whether it pays for no notebook, and nothing will be added: then all that is left of the run goes with it.
    is_last: bool,
    /// What is to be said where it pays for nothing.
    pub(super) why: String,
}

/// The part of a batch that can be paid.
#[derive(Debug, PartialEq)]
pub(super) struct PaidJobs {
    /// Its jobs.
    pub(super) jobs: Vec<ShardJob>,
    /// What they may spend.
    pub(super) money: Money,
    /// Whether that is less than they may cost, and all that there is.
    pub(super) is_short: bool,
}

impl Funds<'_> {
    /// Pays for jobs, as many as it can; those for which there is nothing now are left in `jobs`.
    pub(super) fn pay(&mut self, jobs: &mut Vec<ShardJob>) -> PaidJobs {
        let (count, money) = match self.is_last {
            true => (jobs.len(), self.left.both().min(self.accounts.paid(jobs, Money::MOST).1)),
            false => self.accounts.paid(jobs, self.left.both()),
        };
        self.left = self.left.without(money);
        let later = jobs.split_off(count);
        let is_short = self.is_last && !self.accounts.notebooks(jobs).is_empty();
        PaidJobs { jobs: std::mem::replace(jobs, later), money, is_short }
    }
}

#[cfg(test)]
pub(super) mod tests;
