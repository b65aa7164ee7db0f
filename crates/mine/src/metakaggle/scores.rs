//! The score of a version: one of its submissions is chosen, for several are possible.

use rayon::prelude::*;

use super::dump::Dump;
use super::error::DumpError;
use super::ids::{IdSet, Sorted};
use super::scan::Scan;
use super::summary::Tally;
use super::tables::DumpTable;

nbrevive_corpus::string_enum! {
    /// Which of several submissions of one version gives its score. Those after the deadline count only where there is no
    /// other: they are not on the leaderboard that authors worked for.
    pub enum ScoreChoice ("score") {
        /// The first, by date, then by id. The default: it is what the author saw when the version was submitted.
        First => "first",
        /// The best public score in the metric's direction; the first where that is not known, as when a version reads
        /// competitions of both directions.
        Best => "best",
    }
}

/// A score on both parts of the test data.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Score {
    pub(super) public: Option<f64>,
    pub(super) private: Option<f64>,
}

/// A submission of a version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Submission {
    version: u64,
    is_late: bool,
    /// Seconds since 1970.
    at: i64,
    id: u64,
    score: Score,
}

const COLUMNS: [&str; 6] = [
    "SourceKernelVersionId",
    "Id",
    "SubmissionDate",
    "IsAfterDeadline",
    "PublicScoreFullPrecision",
    "PrivateScoreFullPrecision",
];

impl Dump {
    /// The chosen score of every version that has one, or of those in a set. `is_max` tells a version's direction.
    pub(super) fn scores(
        &self,
        wanted: Option<&IdSet>,
        choice: ScoreChoice,
        is_max: impl Fn(u64) -> Option<bool> + Sync,
        tally: &mut Tally,
    ) -> Result<Sorted<Score>, DumpError> {
        let (mut all, scanned) = Scan::new(self.required(DumpTable::Submissions)?, COLUMNS).collect(|row| {
            let version = row.whole(0)?.filter(|version| wanted.is_none_or(|wanted| wanted.contains(*version)));
            let Some(version) = version else { return Ok(None) };
            Ok(Some(Submission {
                version,
                id: row.id(1)?,
                at: row.seconds(2)?.unwrap_or(i64::MAX),
                is_late: row.flag(3)?.unwrap_or(false),
                score: Score { public: row.real(4)?, private: row.real(5)? },
            }))
        })?;
        tally.scanned(DumpTable::Submissions, scanned);
        all.par_sort_unstable_by_key(|one| (one.version, one.is_late, one.at, one.id));
        let groups = all.chunk_by(|one, next| one.version == next.version);
        Ok(Sorted::new(groups.map(|group| (group[0].version, chosen(group, choice, &is_max))).collect()))
    }
}

/// The score of a version's submissions, which are in time before late, and by date.
fn chosen(group: &[Submission], choice: ScoreChoice, is_max: &impl Fn(u64) -> Option<bool>) -> Score {
    let first = group[0];
    let is_max = match choice {
        ScoreChoice::First => None,
        ScoreChoice::Best => is_max(first.version),
    };
    let Some(is_max) = is_max else { return first.score };
    let counting = group.iter().filter(|one| one.is_late == first.is_late && one.score.public.is_some());
    let better = |one: f64, than: f64| if is_max { one > than } else { one < than };
    let best = counting.reduce(|best, one| match (one.score.public, best.score.public) {
        (Some(public), Some(least)) if better(public, least) => one,
        _ => best,
    });
    best.map_or(first.score, |one| one.score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(id: u64, is_late: bool, public: Option<f64>) -> Submission {
        Submission { version: 1, is_late, at: 0, id, score: Score { public, private: None } }
    }

    #[test]
    fn the_best_in_time_is_chosen_in_the_metric_s_direction() {
        let group = [
            submission(1, false, None),
            submission(2, false, Some(0.2)),
            submission(3, false, Some(0.7)),
            submission(4, true, Some(0.9)),
        ];
        let best = |is_max: Option<bool>| chosen(&group, ScoreChoice::Best, &|_| is_max).public;
        assert_eq!((best(Some(true)), best(Some(false)), best(None)), (Some(0.7), Some(0.2), None));
        assert_eq!(chosen(&group[3..], ScoreChoice::Best, &|_| Some(true)).public, Some(0.9));
        assert_eq!(chosen(&group[1..], ScoreChoice::First, &|_| Some(true)).public, Some(0.2));
    }
}
