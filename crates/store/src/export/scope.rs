//! What has to be known of every version while rows pass: small, since there may be millions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use rusqlite::Row;

use crate::{Store, StoreError, competitions};

/// What is known of a version.
pub(crate) struct Seen {
    /// None where the version belongs to none.
    pub(crate) competition: Option<Arc<Competition>>,
    studied: bool,
    /// The target score.
    pub(crate) target: Option<f64>,
}

/// The competition of a version.
pub(crate) struct Competition {
    pub(crate) name: String,
    /// What submissions to it are scored by.
    pub(crate) metric: Option<String>,
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
    /// By name; under none those of versions that belong to none.
    competitions: BTreeMap<Option<String>, (Option<Arc<Competition>>, VersionCounts)>,
    /// Versions that no condition studies, by reason.
    pub(crate) excluded: BTreeMap<String, u32>,
}

impl Scope {
    /// Reads the versions of a store, or those that are named.
    pub(crate) fn read(store: &Store, only: Option<&BTreeSet<String>>) -> Result<Self, StoreError> {
        let mut metrics: BTreeMap<String, String> =
            competitions::all(store)?.into_iter().map(|row| (row.competition, row.metric)).collect();
        let mut scope = Scope { versions: HashMap::new(), competitions: BTreeMap::new(), excluded: BTreeMap::new() };
        // In no order, and without what is not asked: everything else waits for this.
        let query = "SELECT version, competition, exclusion, target_score FROM versions";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        store.each(query, [], read, |(version, competition, exclusion, target): (String, _, Option<String>, _)| {
            if only.is_some_and(|only| !only.contains(&version)) {
                return Ok(());
            }
            let (competition, counts) =
                scope.competitions.entry(competition).or_insert_with_key(|name: &Option<String>| {
                    let of = |name: &String| Competition { name: name.clone(), metric: metrics.remove(name) };
                    (name.as_ref().map(of).map(Arc::new), VersionCounts::default())
                });
            let studied = exclusion.is_none();
            counts.looked_at += 1;
            counts.studied += u32::from(studied);
            if let Some(reason) = exclusion {
                *scope.excluded.entry(reason).or_default() += 1;
            }
            scope.versions.insert(version, Seen { competition: competition.clone(), studied, target });
            Ok::<_, StoreError>(())
        })?;
        Ok(scope)
    }

    /// Whether rows of a version are handed on.
    pub(crate) fn has(&self, version: &str) -> bool {
        self.versions.contains_key(version)
    }

    /// A version, if it is studied.
    pub(crate) fn studied(&self, version: &str) -> Option<&Seen> {
        self.versions.get(version).filter(|seen| seen.studied)
    }

    /// Every competition of a version, by slug.
    pub(crate) fn competitions(&self) -> impl Iterator<Item = (&str, VersionCounts)> {
        self.competitions.iter().filter_map(|(name, (_, counts))| Some((name.as_deref()?, *counts)))
    }

    /// Versions that were looked at, and of them those that are studied.
    pub(crate) fn totals(&self) -> VersionCounts {
        let sum = |of: fn(VersionCounts) -> u32| self.competitions.values().map(|(_, counts)| of(*counts)).sum();
        VersionCounts { looked_at: sum(|counts| counts.looked_at), studied: sum(|counts| counts.studied) }
    }
}
