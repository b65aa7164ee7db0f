//! What has to be known of every version while rows pass: small, since there may be millions.

use std::collections::{BTreeMap, HashMap};

use nbrevive_corpus::{Condition, Failure, Outcome};

use crate::outcomes::OutcomeRow;
use crate::{Store, StoreError, competitions, versions};

/// One version.
struct Seen {
    /// Place of its competition.
    competition: usize,
    studied: bool,
    target: Option<f64>,
    /// The conditions under which it has an outcome, one bit each.
    conditions: u8,
    baseline: Option<(Outcome, Option<Failure>)>,
}

/// How many versions of a competition there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct VersionCounts {
    pub(crate) looked_at: u32,
    pub(crate) studied: u32,
}

/// What is known of every version and competition.
pub(crate) struct Scope {
    versions: HashMap<String, Seen>,
    competitions: Vec<String>,
    counts: Vec<VersionCounts>,
    metrics: BTreeMap<String, String>,
    /// Versions that no condition studies, by reason.
    pub(crate) excluded: BTreeMap<String, u32>,
}

impl Scope {
    /// Reads the versions of a store.
    pub(crate) fn read(store: &Store) -> Result<Self, StoreError> {
        let metrics = competitions::all(store)?.into_iter().map(|row| (row.competition, row.metric)).collect();
        let mut scope = Scope {
            versions: HashMap::new(),
            competitions: Vec::new(),
            counts: Vec::new(),
            metrics,
            excluded: BTreeMap::new(),
        };
        let mut places = HashMap::new();
        versions::each::<StoreError>(store, |row| {
            let competition = *places.entry(row.competition).or_insert_with_key(|name: &String| {
                scope.competitions.push(name.clone());
                scope.counts.push(VersionCounts::default());
                scope.competitions.len() - 1
            });
            let studied = row.exclusion.is_none();
            scope.counts[competition].looked_at += 1;
            scope.counts[competition].studied += u32::from(studied);
            if let Some((reason, _)) = row.exclusion {
                *scope.excluded.entry(reason).or_default() += 1;
            }
            let seen = Seen { competition, studied, target: row.target_score, conditions: 0, baseline: None };
            scope.versions.insert(row.version, seen);
            Ok(())
        })?;
        Ok(scope)
    }

    /// Whether a version is studied.
    pub(crate) fn is_studied(&self, version: &str) -> bool {
        self.versions.get(version).is_some_and(|seen| seen.studied)
    }

    /// Takes note of an outcome. They come in the order of conditions, so that of the baseline comes before those that follow it.
    pub(crate) fn note(&mut self, row: &OutcomeRow) {
        let Some(seen) = self.versions.get_mut(&row.version) else { return };
        seen.conditions |= bit(row.condition);
        if row.condition == Condition::Baseline {
            seen.baseline = Some((row.verdict.outcome, row.verdict.failure));
        }
    }

    /// Whether a version has an outcome under a condition.
    pub(crate) fn has_outcome(&self, version: &str, condition: Condition) -> bool {
        self.versions.get(version).is_some_and(|seen| seen.conditions & bit(condition) != 0)
    }

    /// What came out of a version at baseline.
    pub(crate) fn baseline(&self, version: &str) -> Option<(Outcome, Option<Failure>)> {
        self.versions.get(version)?.baseline
    }

    /// A version's target score.
    pub(crate) fn target(&self, version: &str) -> Option<f64> {
        self.versions.get(version)?.target
    }

    /// A version's competition; empty for one that is not known.
    pub(crate) fn competition(&self, version: &str) -> &str {
        self.versions.get(version).map_or("", |seen| &self.competitions[seen.competition])
    }

    /// What submissions to a competition are scored by.
    pub(crate) fn metric(&self, competition: &str) -> Option<&str> {
        self.metrics.get(competition).map(String::as_str)
    }

    /// Every competition of a version, by slug.
    pub(crate) fn competitions(&self) -> BTreeMap<&str, VersionCounts> {
        self.competitions.iter().map(String::as_str).zip(self.counts.iter().copied()).collect()
    }

    /// Versions that were looked at, and of them those that are studied.
    pub(crate) fn totals(&self) -> VersionCounts {
        let sum = |of: fn(&VersionCounts) -> u32| self.counts.iter().map(of).sum();
        VersionCounts { looked_at: sum(|counts| counts.looked_at), studied: sum(|counts| counts.studied) }
    }
}

const fn bit(condition: Condition) -> u8 {
    1 << condition as u8
}
