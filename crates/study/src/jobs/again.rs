//! Jobs that run again although they have an outcome: those for whose outcome a condition holds.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_corpus::{ErrorStatus, Failure, OutputStatus, Version};
use nbrevive_filter::{Filter, FilterValue};
use nbrevive_store::outcomes::OutcomeRow;
use nbrevive_store::{Store, StoreError, outcomes, versions};

use crate::jobs::stored;
use crate::{Job, JobPlan, JobState};

/// The versions with an outcome for which the condition holds.
///
/// # Errors
/// When the store cannot be read.
pub fn versions_with(filter: &Filter, store: &Store) -> Result<BTreeSet<String>, StoreError> {
    let versions = versions::all(store)?.into_iter();
    let belong: BTreeMap<String, [Option<String>; 2]> =
        versions.map(|row| (row.version, [row.competition, row.repository])).collect();
    let mut kept = BTreeSet::new();
    for row in outcomes::all(store)? {
        let [competition, repository] =
            belong.get(&row.version).map_or([None; 2], |belongs| belongs.each_ref().map(Option::as_deref));
        if filter.holds(&|column| value(column, &row, [competition, repository])) {
            kept.insert(row.version);
        }
    }
    Ok(kept)
}

/// What a version belongs to.
fn belongs(version: &Version) -> [Option<&str>; 2] {
    let repository = version.belongs.repository().map(|repository| repository.name.as_str());
    [version.belongs.competition(), repository]
}

/// The value of a column of [`nbrevive_corpus::outcome_columns`], of a version that belongs to a competition or repository.
fn value<'row>(
    column: &str,
    row: &'row OutcomeRow,
    [competition, repository]: [Option<&'row str>; 2],
) -> FilterValue<'row> {
    let text = |text: Option<&'row str>| text.map_or(FilterValue::Missing, FilterValue::Text);
    let number = |number: Option<f64>| number.map_or(FilterValue::Missing, FilterValue::Number);
    let verdict = &row.verdict;
    match column {
        "version" => FilterValue::Text(&row.version),
        "condition" => FilterValue::Text(row.condition.as_str()),
        "competition" => text(competition),
        "repository" => text(repository),
        "outcome" => FilterValue::Text(verdict.outcome.as_str()),
        "error_status" => text(verdict.error_status.map(ErrorStatus::as_str)),
        "output_status" => text(verdict.output_status.map(OutputStatus::as_str)),
        "output_reason" => text(verdict.output_reason.as_deref()),
        "failure" => text(verdict.failure.map(Failure::as_str)),
        "failure_cause" => text(verdict.failure_cause.as_deref()),
        "reason" => FilterValue::Text(&row.reason),
        "environment" => text(row.environment.as_deref()),
        "tool_revision" => FilterValue::Text(&row.tool_revision),
        "score" => number(verdict.score),
        "target_score" => number(row.target_score),
        "deviation" => number(verdict.deviation),
        "fixes" => number(Some(f64::from(row.fixes))),
        "seconds" => number(Some(row.seconds)),
        "seed" => number(Some(f64::from(row.seed))),
        _ => FilterValue::Missing,
    }
}

impl JobPlan {
    /// The jobs whose stored outcome the condition holds for, to run once more, and no others. Executions of before are not used, and
    /// stay until those of now take their places.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn again(&self, filter: &Filter, store: &Store) -> Result<JobPlan, StoreError> {
        let mut plan = JobPlan { jobs: Vec::new(), left_out: Vec::new(), pool: self.pool.clone() };
        for planned in &self.jobs {
            let Some(row) = stored(store, &planned.job)? else { continue };
            if filter.holds(&|column| value(column, &row, belongs(&planned.job.version))) {
                let mut planned = planned.clone();
                planned.state = JobState::Again(row.verdict.outcome);
                planned.job = Job { anew: true, ..planned.job };
                plan.jobs.push(planned);
            }
        }
        Ok(plan)
    }

    /// The jobs of at most `most` versions: one of each competition or repository after the other, by slug, so that each is there.
    #[must_use]
    pub fn sample_of(&self, most: usize) -> JobPlan {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for version in self.jobs.iter().map(|planned| &planned.job.version) {
            let [competition, repository] = belongs(version);
            let group = competition.or(repository).unwrap_or_default();
            match groups.iter_mut().find(|(name, _)| name == group) {
                Some((_, slugs)) if !slugs.contains(&version.slug.as_str()) => slugs.push(&version.slug),
                Some(_) => {}
                None => groups.push((group.to_owned(), vec![&version.slug])),
            }
        }
        let longest = groups.iter().map(|(_, slugs)| slugs.len()).max().unwrap_or(0);
        let in_turn = (0..longest).flat_map(|turn| groups.iter().filter_map(move |(_, slugs)| slugs.get(turn)));
        let chosen: BTreeSet<&str> = in_turn.copied().take(most).collect();
        let jobs = self.jobs.iter().filter(|planned| chosen.contains(planned.job.version.slug.as_str()));
        JobPlan { jobs: jobs.cloned().collect(), left_out: self.left_out.clone(), pool: self.pool.clone() }
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::{Outcome, outcome_columns};
    use nbrevive_filter::FilterKind;

    use super::*;

    #[test]
    fn every_column_has_a_value_of_its_kind() {
        let verdict = nbrevive_corpus::Verdict {
            outcome: Outcome::Failed,
            error_status: Some(ErrorStatus::ErrorFree),
            output_status: Some(OutputStatus::Csv),
            output_reason: Some("missing".to_owned()),
            failure: Some(Failure::Timeout),
            failure_cause: Some("cause".to_owned()),
            score: Some(0.5),
            deviation: Some(0.1),
        };
        let row = OutcomeRow {
            version: "a".to_owned(),
            condition: nbrevive_corpus::Condition::BASELINE,
            inputs_hash: String::new(),
            verdict,
            target_score: Some(0.5),
            environment: Some("e".to_owned()),
            fixes: 1,
            seconds: 1.0,
            reason: "words".to_owned(),
            tool_revision: "0".to_owned(),
            seed: 0,
            recorded_at: String::new(),
        };
        let version = |belongs| Version {
            slug: "a".to_owned(),
            title: String::new(),
            belongs,
            submitted: jiff::Timestamp::UNIX_EPOCH,
            era: None,
            path: std::path::PathBuf::new(),
        };
        let of_competition = version(nbrevive_corpus::Belongs::Competition("iris".to_owned()));
        for column in outcome_columns(&["baseline"]) {
            let found = value(column.name, &row, belongs(&of_competition));
            match column.kind {
                FilterKind::Number => assert!(matches!(found, FilterValue::Number(_)), "{}", column.name),
                FilterKind::Word(words) => {
                    assert!(words.iter().any(|word| found == FilterValue::Text(word)), "{}", column.name);
                }
                FilterKind::Text if column.name == "repository" => assert_eq!(found, FilterValue::Missing),
                FilterKind::Text => assert!(matches!(found, FilterValue::Text(_)), "{}", column.name),
            }
        }
    }
}
