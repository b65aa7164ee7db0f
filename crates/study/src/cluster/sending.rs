//! How a follower sends: batches of what waits, as many as there is room and money for.

use std::collections::BTreeSet;

use nbrevive_corpus::Condition;
use nbrevive_model::Money;
use nbrevive_store::shards::ShardJob;

use crate::cluster::accounts::take_back;
use crate::cluster::batch_file::BatchFile;
use crate::cluster::cluster_event::ClusterEvent;
use crate::cluster::follow::{Follower, History};
use crate::cluster::follow_error::FollowError;
use crate::cluster::follow_log::FollowNote;
use crate::cluster::sizes::{ExpectedJob, JobBatch, batches};
use crate::cluster::submitter::{Submission, SubmitError};

/// A batch that can be sent.
struct NextBatch {
    batch: JobBatch,
    /// What it may spend on a model.
    money: Money,
    is_short: bool,
}

impl Follower<'_> {
    /// Sends as many batches as there is room and money for.
    pub(super) fn send(&mut self) -> Result<(), FollowError> {
        self.pack_again();
        let now = self.next_batches()?;
        if now.is_empty() {
            return Ok(());
        }
        let (mut files, mut submissions, mut jobs) = (Vec::new(), Vec::new(), 0);
        for NextBatch { batch: JobBatch { jobs: of_batch, seconds }, money, is_short } in now {
            jobs += of_batch.len();
            let run = &self.folder.run;
            let mut batch = BatchFile::new(&run.run, self.next, &run.program, &run.manner, of_batch);
            self.next += 1;
            batch.expected_seconds = seconds;
            batch.seed = self.seed_of(&batch)?;
            let file = self.folder.batch(batch.number);
            let text = batch.text().map_err(|error| FollowError::Io { path: file.clone(), source: error.into() })?;
            nbrevive_files::write(&file, text)?;
            if let Some(accounts) = &self.settings.accounts {
                accounts.hand_out(self.folder, batch.number, &batch.jobs, money)?;
            }
            submissions.push(Submission { batch: batch.number, file, expected_seconds: seconds });
            files.push((batch, is_short));
        }
        let tasks = match self.submitter.submit(&submissions) {
            Ok(tasks) => tasks,
            Err(error) => {
                files.iter().try_for_each(|(batch, _)| self.take_back(batch.number))?;
                if !matches!(error, SubmitError::Away { .. }) {
                    return Err(error.into());
                }
                self.tell(&ClusterEvent::Unasked(&error));
                let back =
                    files.into_iter().map(|(batch, _)| JobBatch { seconds: batch.expected_seconds, jobs: batch.jobs });
                back.rev().for_each(|batch| self.ready.push_front(batch));
                return Ok(());
            }
        };
        self.tell(&ClusterEvent::Sent(files.len(), jobs));
        for ((batch, is_short), task) in files.into_iter().zip(tasks) {
            self.note(&FollowNote::Sent(batch.number, task.clone()))?;
            self.begin(batch, task, is_short);
        }
        Ok(())
    }

    /// Enters what the task of a batch has spent, where it could spend something.
    pub(super) fn take_back(&self, batch: u32) -> Result<(), FollowError> {
        match &self.settings.accounts {
            Some(accounts) => Ok(take_back(accounts.all(), self.folder, batch)?),
            None => Ok(()),
        }
    }

    /// The batches that can be sent now. Of one that cannot be paid in full, some versions go and the rest waits.
    fn next_batches(&mut self) -> Result<Vec<NextBatch>, FollowError> {
        let (settings, out) = (self.settings, self.under_way.len());
        let mut funds = settings.accounts.as_ref().map(|accounts| accounts.funds(out == 0)).transpose()?;
        let places = settings.accounts.as_ref().map_or(usize::MAX, |all| all.places(self.folder.run.tasks.nodes));
        let room = self.submitter.room(out).min(places.saturating_sub(out));
        let (mut now, mut later) = (Vec::new(), Vec::new());
        while now.len() < room
            && let Some(JobBatch { mut jobs, .. }) = self.ready.pop_front()
        {
            jobs.retain(|job| self.open.contains_key(job));
            let (paid, money, is_short) = match &mut funds {
                Some(funds) => {
                    let paid = funds.pay(&mut jobs);
                    (paid.jobs, paid.money, paid.is_short)
                }
                None => (std::mem::take(&mut jobs), Money::ZERO, false),
            };
            if !paid.is_empty() {
                now.push(NextBatch { batch: self.batch_of(paid), money, is_short });
            }
            if !jobs.is_empty() {
                later.push(self.batch_of(jobs));
            }
        }
        let is_waited_for = out == 0 && now.is_empty() && !later.is_empty();
        let is_short = is_waited_for || now.iter().any(|next| next.is_short);
        let is_told = std::mem::replace(&mut self.is_short, is_short);
        if let Some(funds) = funds.filter(|_| is_short && !is_told) {
            self.tell(&ClusterEvent::Short(&funds.why));
        }
        later.into_iter().rev().for_each(|batch| self.ready.push_front(batch));
        Ok(now)
    }

    /// Jobs with the seconds that all of them are expected to take.
    fn batch_of(&self, jobs: Vec<ShardJob>) -> JobBatch {
        let seconds = jobs.iter().filter_map(|job| Some(self.open.get(job)?.0)).sum();
        JobBatch { jobs, seconds }
    }

    /// Makes batches of the jobs that came back: one job each of those that may have ended their task, whose versions wait for them, once there is
    /// what they start from; the others together.
    fn pack_again(&mut self) {
        if self.back.is_empty() {
            return;
        }
        let sent = self.under_way.values().flat_map(|task| &task.batch.jobs);
        let mut busy: BTreeSet<String> =
            sent.chain(self.ready.iter().flat_map(|batch| &batch.jobs)).map(|job| job.version.clone()).collect();
        let of = |job: &ShardJob| self.open.get(job).cloned();
        let (suspects, others): (Vec<ShardJob>, Vec<ShardJob>) =
            self.back.iter().cloned().partition(|job| of(job).is_some_and(|(_, history)| history.is_suspect));
        let mut taken = BTreeSet::new();
        for job in suspects {
            let Some((seconds, history)) = of(&job) else { continue };
            if self.is_awaited(&job, history.start) {
                continue;
            }
            if busy.insert(job.version.clone()) {
                taken.insert(job.clone());
                self.ready.push_back(JobBatch { jobs: vec![job], seconds });
            }
        }
        let free = others.into_iter().filter(|job| !busy.contains(&job.version));
        let rest: Vec<ExpectedJob> = free
            .filter_map(|job| {
                let (seconds, History { start, .. }) = of(&job)?;
                Some(ExpectedJob { job, seconds, start })
            })
            .collect();
        taken.extend(rest.iter().map(|one| one.job.clone()));
        self.ready.extend(batches(
            &rest,
            self.folder.run.tasks.nodes,
            self.folder.run.manner.jobs,
            self.folder.run.tasks.shortest(),
        ));
        let open = &self.open;
        self.back.retain(|job| open.contains_key(job) && !taken.contains(job));
    }

    /// Whether an outcome that a job starts from is still to come.
    fn is_awaited(&self, job: &ShardJob, start: Option<Condition>) -> bool {
        let is_start = |open: &ShardJob| open.version == job.version && Some(open.condition) == start;
        start.is_some() && self.open.keys().any(is_start)
    }
}
