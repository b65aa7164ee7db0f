//! What a repository declares, as far as it applies to an interpreter.

use std::collections::BTreeMap;

use super::loosened::Loosened;
use crate::declared::{DeclarationStanding, DeclaredRequirement, RepositoryDeclarations};
use crate::failure_class::FailureClass;
use crate::index::{Index, IndexError, Lookup};
use crate::plan::{EnvironmentPlan, ExpectedFailure};
use crate::requirement::{MarkerEnvironment, Requirement};
use crate::versions::normalise;

/// Most places that are named of one distribution.
const MOST_PLACES: usize = 4;

/// The declared requirements that apply to an interpreter, by normalised name, with the constraints on them.
pub(super) struct Applying<'rows> {
    pub(super) rows: BTreeMap<&'rows str, Vec<&'rows DeclaredRequirement>>,
}

impl<'rows> Applying<'rows> {
    pub(super) fn of(declared: &'rows RepositoryDeclarations, markers: &MarkerEnvironment) -> Self {
        let mut rows: BTreeMap<&str, Vec<&DeclaredRequirement>> = BTreeMap::new();
        let applies = |row: &&DeclaredRequirement| row.requirement.applies(markers, None);
        for row in declared.counting().filter(applies) {
            rows.entry(&row.requirement.name).or_default().push(row);
        }
        let constraints = declared.requirements.iter().filter(|row| row.standing == DeclarationStanding::Constraint);
        for row in constraints.filter(applies) {
            if let Some(known) = rows.get_mut(row.requirement.name.as_str()) {
                known.push(row);
            }
        }
        Self { rows }
    }

    /// One requirement for each distribution, with all bounds and extras that files of its rank declare, as far as they did not give way.
    pub(super) fn pins(&self, loosened: &Loosened) -> Vec<String> {
        let pin = |(name, rows): (&&str, &Vec<&DeclaredRequirement>)| {
            let mut extras: Vec<&str> =
                rows.iter().flat_map(|row| &row.requirement.extras).map(String::as_str).collect();
            extras.sort_unstable();
            extras.dedup();
            let extras = if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) };
            let bound = loosened.bound(name, || bounds(rows).join(","))?;
            Some(format!("{name}{extras}{bound}"))
        };
        self.rows.iter().filter_map(pin).collect()
    }

    /// Where each distribution is declared.
    pub(super) fn places(&self) -> BTreeMap<String, String> {
        let entry = |(name, rows): (&&str, &Vec<&DeclaredRequirement>)| ((*name).to_owned(), places(rows));
        self.rows.iter().map(entry).collect()
    }

    /// The same, and in place of what stands what gave way.
    pub(super) fn places_in(&self, loosened: &Loosened) -> BTreeMap<String, String> {
        let mut places = self.places();
        for (_, place) in places.iter_mut().filter(|(name, _)| loosened.has(name)) {
            *place = format!("in place of {place}");
        }
        places
    }

    /// The requirements on a distribution.
    pub(super) fn asked(&self, name: &str) -> Vec<&'rows Requirement> {
        self.rows.get(name).into_iter().flatten().map(|row| &row.requirement).collect()
    }

    /// Who asks for a distribution, and how: `requirements.txt:3 asks for numpy==1.13.0`.
    pub(super) fn question(&self, name: &str) -> String {
        let rows = self.rows.get(name).map_or(&[][..], Vec::as_slice);
        let questions: Vec<String> =
            rows.iter().take(MOST_PLACES).map(|row| format!("{} asks for {}", row.place(), row.requirement)).collect();
        questions.join("; ")
    }

    /// Why what is declared cannot be installed, where the index alone tells: a name that it does not have, a bound that no release is in,
    /// bounds that contradict each other.
    pub(super) fn failure(
        &self,
        plan: &EnvironmentPlan,
        index: &Index,
        loosened: &Loosened,
    ) -> Result<Option<ExpectedFailure>, IndexError> {
        for (name, rows) in self.rows.iter().filter(|(name, _)| !loosened.has(name)) {
            let known = match index.history(name)? {
                Lookup::Known { history, .. } => Some(history).filter(|history| !history.releases.is_empty()),
                Lookup::Absent => None,
            };
            let Some(history) = known else {
                let words = format!("{} asks for {}, which the index does not have", places(rows), written(rows));
                return Ok(Some(ExpectedFailure { class: FailureClass::NoDistribution, words }));
            };
            let admits = |row: &DeclaredRequirement| {
                history.releases.iter().any(|release| row.requirement.admits(&release.version))
            };
            if let Some(row) = rows.iter().find(|row| !admits(row)) {
                let words =
                    format!("{} asks for {}, but no release is within that bound", row.place(), row.requirement);
                return Ok(Some(ExpectedFailure { class: FailureClass::NoMatchingVersion, words }));
            }
            let all = |row: &&DeclaredRequirement, version| row.requirement.admits(version);
            if !history.releases.iter().any(|release| rows.iter().all(|row| all(row, &release.version))) {
                let words = format!("{}: no release of {name} is within all of them", self.question(name));
                return Ok(Some(ExpectedFailure { class: FailureClass::Conflict, words }));
            }
        }
        Ok(self.placed(plan.expected_failure.clone()))
    }

    /// The declared distributions that a text names.
    pub(super) fn named(&self, words: &str) -> Vec<&'rows str> {
        let is_part = |found: char| found.is_ascii_alphanumeric() || "-_.".contains(found);
        let words: Vec<String> = words.split(|found| !is_part(found)).map(normalise).collect();
        self.rows.keys().filter(|name| words.iter().any(|word| word == *name)).copied().collect()
    }

    /// A failure that names a declared distribution, with its place.
    fn placed(&self, failure: Option<ExpectedFailure>) -> Option<ExpectedFailure> {
        let failure = failure?;
        let named = self.named(&failure.words).first().and_then(|name| self.rows.get(name));
        let (class, words) = (failure.class, failure.words);
        let words = match named.map(|rows| places(rows)).filter(|place| !words.contains(place.as_str())) {
            Some(place) => format!("{words} ({place})"),
            None => words,
        };
        Some(ExpectedFailure { class, words })
    }
}

/// The bounds of some rows, each once.
fn bounds<'rows>(rows: &[&'rows DeclaredRequirement]) -> Vec<&'rows str> {
    let mut bounds: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| !row.requirement.bound.is_empty()) {
        if !bounds.contains(&row.requirement.bound.as_str()) {
            bounds.push(&row.requirement.bound);
        }
    }
    bounds
}

/// The places of some rows, as one text.
fn places(rows: &[&DeclaredRequirement]) -> String {
    let named: Vec<String> = rows.iter().take(MOST_PLACES).map(|row| row.place()).collect();
    let more = rows.len().saturating_sub(named.len());
    if more == 0 { named.join(", ") } else { format!("{} and {more} more", named.join(", ")) }
}

/// The first of some rows, as it was read.
pub(super) fn written(rows: &[&DeclaredRequirement]) -> String {
    rows.first().map(|row| row.requirement.to_string()).unwrap_or_default()
}
