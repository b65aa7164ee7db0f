//! The whole closure of some requirements on a date, solved with pubgrub over a lenient reading of old metadata.
//!
//! Nothing is tried twice and nothing is guessed: each distribution's releases are judged once (`distribution.rs`),
//! each requirement is asked of each release once, and a clash is told with the two that cause it (`conflict.rs`).
//! The same histories and metadata give the same solution, for every order in here is one of names or positions.
//!
//! Where a pin or an import leads beyond the date (a distribution with nothing that could be installed then), what it
//! requires may be younger than the date as well: then, and only if there is no solution otherwise, a second
//! attempt takes releases of after the date wherever there are none of before in a requirement's bounds.

mod conflict;
mod distribution;
pub(crate) mod files;
pub(crate) mod nearest;
mod prefetch;
mod undeclared;
mod universe;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use pep440_rs::Version;
use pubgrub::{PubGrubError, resolve};

pub(crate) use conflict::Clash;
pub(crate) use distribution::Grade;
pub(crate) use universe::Broken;

use crate::history::{File, History, Release};
use crate::index::Index;
use crate::interpreter::Interpreter;
use crate::planned::{AskedBy, StepBack};
use crate::requirement::Requirement;
use distribution::Positions;
use universe::{Package, Universe};

/// What has to be solved.
#[derive(Debug)]
pub(crate) struct Problem<'problem> {
    pub(crate) interpreter: &'problem Interpreter,
    pub(crate) date: Timestamp,
    pub(crate) roots: Vec<Root>,
    pub(crate) step_backs: &'problem [StepBack],
    /// Newest versions that are taken unless a requirement asks for more.
    pub(crate) at_most: BTreeMap<String, Version>,
    /// Versions that are taken wherever they may be.
    pub(crate) preferred: BTreeMap<String, Version>,
}

/// One thing asked for.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    pub(crate) requirement: Requirement,
    pub(crate) asker: Asker,
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asker {
    /// The notebook's own install line.
    InstallLine,
    /// A file of a repository.
    Declared {
        /// File and line.
        place: String,
    },
    /// An import; all of them as one text.
    Import {
        /// The imports, such as `import sklearn.linear_model`.
        text: String,
    },
    /// Every environment.
    Environment,
    /// Building a source archive.
    Build {
        /// The distribution and version built.
        of: String,
    },
}

impl Asker {
    /// Whether somebody wrote the requirement down for this environment.
    pub(crate) fn is_pin(&self) -> bool {
        matches!(self, Self::InstallLine | Self::Declared { .. })
    }
}

/// A set of releases that fit together.
#[derive(Debug)]
pub(crate) struct Solution {
    /// By normalised name.
    pub(crate) chosen: BTreeMap<String, Chosen>,
    /// Releases whose metadata could not be had, by name and version, with the reason.
    pub(crate) passed_over: BTreeMap<(String, String), String>,
    /// Distributions whose history is an aged one.
    pub(crate) stale: Vec<String>,
}

/// A chosen release.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) history: Arc<History>,
    /// Position of the release.
    pub(crate) position: usize,
    pub(crate) grade: Grade,
    /// Requested extras.
    pub(crate) extras: BTreeSet<String>,
    /// Who asked for it, in the order of the plan's questions.
    pub(crate) asked_by: Vec<AskedBy>,
    /// The version that the date alone would give.
    pub(crate) by_date: Option<Version>,
    /// Who does not admit that one.
    pub(crate) held_back_by: Vec<AskedBy>,
    /// Whether what it requires is known.
    pub(crate) requirements_known: bool,
}

impl Chosen {
    pub(crate) fn release(&self) -> &Release {
        &self.history.releases[self.position]
    }

    /// The file to install.
    pub(crate) fn file(&self) -> Option<&File> {
        self.grade.file().and_then(|at| self.release().files.get(at))
    }
}

/// Why there is no solution.
#[derive(Debug)]
pub(crate) enum Unsolved {
    /// The requirements clash.
    Clash(Clash),
    /// The index gave no answer, or the search was given up.
    Broken(Broken),
}

/// Solves a problem.
pub(crate) fn solve(problem: &Problem<'_>, index: &Index) -> Result<Solution, Unsolved> {
    let universe = Universe::new(problem, index, false);
    let levels = prefetch::prefetch(&universe, index);
    let universe = universe.with_levels(levels.clone());
    let clash = match attempt(&universe) {
        Err(Unsolved::Clash(clash)) if clash.beyond_date => clash,
        answer => return answer,
    };
    tracing::debug!(words = clash.words, "releases of after the date are looked at");
    attempt(&Universe::new(problem, index, true).with_levels(levels)).map_err(|again| match again {
        Unsolved::Clash(_) => Unsolved::Clash(clash),
        Unsolved::Broken(_) => again,
    })
}

fn attempt(universe: &Universe<'_>) -> Result<Solution, Unsolved> {
    match resolve(universe, Package::Root, 0_u32) {
        Ok(selected) => {
            let mut selected: Vec<(Package, u32)> = selected.into_iter().collect();
            selected.sort_unstable();
            Ok(solution(universe, &selected))
        }
        Err(PubGrubError::NoSolution(tree)) => Err(Unsolved::Clash(conflict::explain(universe, &tree))),
        Err(
            PubGrubError::ErrorRetrievingDependencies { source, .. }
            | PubGrubError::ErrorChoosingVersion { source, .. }
            | PubGrubError::ErrorInShouldCancel(source),
        ) => Err(Unsolved::Broken(source)),
    }
}

fn solution(universe: &Universe<'_>, selected: &[(Package, u32)]) -> Solution {
    let mut chosen: BTreeMap<String, Chosen> = BTreeMap::new();
    for (package, position) in selected {
        let Package::Distribution(number) = *package else { continue };
        let distribution = universe.distribution(number);
        let Some(history) = distribution.history.clone() else { continue };
        let by_date = distribution.first_choice(&Positions::full(), &universe.circumstances);
        let entry = Chosen {
            history,
            position: *position as usize,
            grade: distribution.grade(*position, &universe.circumstances),
            extras: BTreeSet::new(),
            asked_by: Vec::new(),
            by_date: by_date.and_then(|at| distribution.release(at)).map(|release| release.version.clone()),
            held_back_by: Vec::new(),
            requirements_known: universe.requirements_known(number, *position),
        };
        chosen.insert(distribution.name.clone(), entry);
    }
    for (package, position) in selected {
        note_askers(universe, *package, *position, &mut chosen);
    }
    for entry in chosen.values_mut() {
        entry.asked_by.dedup();
    }
    Solution { chosen, passed_over: universe.passed_over.borrow().clone(), stale: universe.stale.borrow().clone() }
}

/// Adds one chosen release to the askers of what it requires.
fn note_askers(universe: &Universe<'_>, package: Package, position: u32, chosen: &mut BTreeMap<String, Chosen>) {
    let version = package
        .distribution()
        .and_then(|number| universe.distribution(number).release(position).map(|release| release.version.to_string()));
    let who = format!("{} {}", universe.name_of(package), version.unwrap_or_default());
    for edge in universe.edges_of(package, position).iter() {
        let Some(entry) = chosen.get_mut(&universe.distribution(edge.target).name) else { continue };
        let asked_by = universe.with_requirement(edge, |requirement| {
            entry.extras.extend(requirement.extras.iter().cloned());
            asked_by(universe.asker(edge), &who, requirement)
        });
        let admits = |version: &Version| universe.with_requirement(edge, |requirement| requirement.admits(version));
        if entry.by_date.as_ref().is_some_and(|version| !admits(version)) {
            entry.held_back_by.push(asked_by.clone());
        }
        entry.asked_by.push(asked_by);
    }
}

fn asked_by(asker: Option<Asker>, who: &str, requirement: &Requirement) -> AskedBy {
    let written = || requirement.to_string();
    match asker {
        None => AskedBy { who: who.to_owned(), requirement: written() },
        Some(Asker::InstallLine) => AskedBy { who: "install line".into(), requirement: written() },
        Some(Asker::Declared { place }) => AskedBy { who: place, requirement: written() },
        Some(Asker::Import { text }) => AskedBy { who: text, requirement: String::new() },
        Some(Asker::Environment) => AskedBy { who: "environment".into(), requirement: String::new() },
        Some(Asker::Build { of }) => AskedBy { who: format!("building {of}"), requirement: written() },
    }
}

#[cfg(test)]
mod tests;
