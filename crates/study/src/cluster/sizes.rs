//! Which jobs go together into one task.
//!
//! All jobs of a version do: those that start from another one, that may come to the same code, or that are held against the first run. How much
//! a task is given falls with what is left, as in guided self-scheduling (Polychronopoulos & Kuck, "Guided Self-Scheduling", IEEE Transactions on
//! Computers C-36(12), 1987): large tasks first, and small ones at the end, where a large one would keep all machines but one waiting.

use std::collections::BTreeMap;

use nbrevive_corpus::Condition;
use nbrevive_store::shards::ShardJob;

/// How much longer than the shortest one a task is to be at most, where its jobs allow it.
const LONGEST: f64 = 3.0;
/// Tasks that each place would get of what is left, were all to stay as large as the next one.
const ROUNDS: f64 = 3.0;

/// A job with the seconds that it is expected to take.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedJob {
    /// The job.
    pub job: ShardJob,
    /// Seconds, at least 0.
    pub seconds: f64,
    /// The condition of the same version whose outcome it starts from.
    pub start: Option<Condition>,
}

/// The jobs of one task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JobBatch {
    /// In their order.
    pub jobs: Vec<ShardJob>,
    /// Seconds of all of them, one after the other.
    pub seconds: f64,
}

impl JobBatch {
    fn take(&mut self, group: &[&ExpectedJob]) {
        self.jobs.extend(group.iter().map(|one| one.job.clone()));
        self.seconds += seconds(group);
    }
}

fn seconds(group: &[&ExpectedJob]) -> f64 {
    group.iter().map(|one| one.seconds.max(0.0)).sum()
}

/// Puts jobs together for `places` tasks at a time, each of which runs `at_a_time` jobs at once and is to take `shortest` seconds at least. The longest come first; jobs of a version stay
/// in their order.
#[must_use]
pub fn batches(jobs: &[ExpectedJob], places: usize, at_a_time: usize, shortest: f64) -> Vec<JobBatch> {
    let mut of_version: BTreeMap<&str, Vec<&ExpectedJob>> = BTreeMap::new();
    for one in jobs {
        of_version.entry(&one.job.version).or_default().push(one);
    }
    let mut groups: Vec<Vec<&ExpectedJob>> = of_version.into_values().collect();
    groups.sort_by(|one, other| seconds(other).total_cmp(&seconds(one)));
    let mut left: f64 = groups.iter().map(|group| seconds(group)).sum();
    let (places, at_a_time) = (places.max(1) as f64, at_a_time.max(1) as f64);
    let (mut batches, mut next) = (Vec::new(), JobBatch::default());
    for group in groups {
        let room = (left / (places * at_a_time * ROUNDS)).max(shortest).min(LONGEST * shortest) * at_a_time;
        if !next.jobs.is_empty() && next.seconds + seconds(&group) > room {
            left -= next.seconds;
            batches.push(std::mem::take(&mut next));
        }
        next.take(&group);
    }
    if !next.jobs.is_empty() {
        batches.push(next);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::batch_file::tests::job;

    fn jobs(seconds: &[f64]) -> Vec<ExpectedJob> {
        let one = |(number, seconds): (usize, &f64)| ExpectedJob {
            job: job(&format!("v{number}")),
            seconds: *seconds,
            start: None,
        };
        seconds.iter().enumerate().map(one).collect()
    }

    #[test]
    fn every_job_is_in_one_batch_and_batches_shrink_to_the_end() {
        let all = jobs(&(1..=2000).map(|number| f64::from(number % 300)).collect::<Vec<_>>());
        let made = batches(&all, 8, 1, 600.0);
        let mut sent: Vec<&ShardJob> = made.iter().flat_map(|batch| &batch.jobs).collect();
        sent.sort();
        let mut asked: Vec<&ShardJob> = all.iter().map(|one| &one.job).collect();
        asked.sort();
        assert_eq!(sent, asked);
        assert!(made.iter().all(|batch| batch.seconds <= 1800.0));
        assert!(made[0].seconds > 1800.0 - 300.0 && made.last().unwrap().seconds <= 600.0);
    }

    #[test]
    fn what_takes_longer_than_a_task_is_alone_and_a_version_stays_together() {
        let mut all = jobs(&[5000.0, 10.0, 10.0]);
        all.push(ExpectedJob { job: ShardJob { repetition: 2, ..job("v0") }, seconds: 5000.0, start: None });
        let made = batches(&all, 4, 1, 600.0);
        assert_eq!(made.iter().map(|batch| batch.jobs.len()).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(made[0].jobs.iter().map(|job| job.repetition).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(batches(&[], 4, 1, 600.0), []);
    }

    #[test]
    fn jobs_at_a_time_make_a_task_larger_and_not_longer() {
        let all = jobs(&[100.0; 400]);
        let made = |at_a_time| batches(&all, 1, at_a_time, 600.0)[0].seconds;
        assert!(made(1) <= 1800.0 && made(4) > 2.0 * 1800.0 && made(4) <= 4.0 * 1800.0);
    }
}
