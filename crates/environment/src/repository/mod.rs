//! One environment for all notebooks of a repository, planned by one of three strategies.
//!
//! | strategy | names | versions | Python |
//! |---|---|---|---|
//! | `declared` | declared | bounds as declared, else the newest | 3.10 |
//! | `paper` | declared and imported | the same | 3.10 |
//! | `dated` | declared and imported | bounds as declared, the whole closure from files of before the commit's date | of the date |
//!
//! The first is the baseline of the paper on containers (section 4.1), which installs the kernel alone where nothing is declared; the second
//! is its pipeline; the third is ours. The first two are plans of bounds, which an installer resolves: what it cannot install is a failed
//! installation, and nothing that was declared is left out to avoid one. Where versions that are declared have no wheels for the Python of
//! the date, `dated` takes the nearest one that they have wheels for (`wheels.rs`).

mod wheels;

use std::collections::BTreeMap;

use jiff::Timestamp;
use nbrevive_notebook::PythonVersion;
use nbrevive_spelling::string_enum;

use crate::declared::{DeclarationStanding, DeclaredRequirement, PythonWish, RepositoryDeclarations};
use crate::failure_class::FailureClass;
use crate::index::{Index, IndexError, Lookup};
use crate::inferred::{InferredName, InferredNames};
use crate::interpreter::{Interpreter, Interpreters};
use crate::plan::{
    EnvironmentPlan, ExpectedFailure, Needs, PlanError, PlanRequest, PythonReason, Strategy, Warning, WarningKind,
    draft, plan,
};
use crate::requirement::MarkerEnvironment;
use crate::versions::{normalise, specifiers, within};

/// The interpreter of the paper's containers (`python:3.10-slim`).
const PYTHON_OF_THE_PAPER: PythonVersion = PythonVersion::new(3, 10);
/// Most places that are named of one distribution.
const MOST_PLACES: usize = 4;

string_enum! {
    /// How the environment of a repository is planned.
    pub enum RepositoryStrategy ("strategy for a repository") {
        /// What is declared, and nothing else.
        Declared => "declared",
        /// What is declared or imported, the newest where no bound is declared.
        Paper => "paper",
        /// The same names, and versions of the commit's date.
        Dated => "dated",
    }
}

/// What a plan for a repository is made from.
#[derive(Debug, Clone, Copy)]
pub struct RepositoryRequest<'request> {
    /// What it declares.
    pub declared: &'request RepositoryDeclarations,
    /// What it imports.
    pub inferred: &'request InferredNames,
    /// How versions are chosen.
    pub strategy: RepositoryStrategy,
    /// The date of the environment: that of the commit for `dated`; for the others the day of the study, before which the newest is taken.
    pub date: Timestamp,
    /// The minor to plan for; `None` (the default): 3.10 for `declared` and `paper`, the one of the date for `dated`.
    pub python: Option<PythonVersion>,
}

/// The environment of a repository.
#[derive(Debug, Clone, PartialEq)]
pub struct RepositoryPlan {
    /// How versions were chosen.
    pub strategy: RepositoryStrategy,
    /// Interpreter and distributions with their reasons; [`EnvironmentPlan::expected_failure`] where it is known that it cannot be installed.
    pub plan: EnvironmentPlan,
    /// What it was made from, for those who learn from trying imports and plan again.
    pub needs: Needs,
    /// Where each declared distribution stands, by normalised name: `requirements.txt:3, setup.py:9`.
    pub places: BTreeMap<String, String>,
}

impl RepositoryPlan {
    /// Plans an environment. One that cannot be had is still a plan, which says why.
    ///
    /// # Errors
    /// [`PlanError`]: a date without Python, a missing interpreter, or an index that gives no answer.
    pub fn make(
        request: &RepositoryRequest<'_>,
        index: &Index,
        interpreters: &Interpreters,
    ) -> Result<Self, PlanError> {
        let strategy = request.strategy;
        let is_dated = strategy == RepositoryStrategy::Dated;
        let mut needs = needs(request);
        let versions = if is_dated { Strategy::Dated } else { Strategy::Paper };
        let python = match (request.python, is_dated) {
            (Some(asked), _) => Some(asked),
            (None, false) => Some(PYTHON_OF_THE_PAPER),
            (None, true) => wished(request, &needs, interpreters)?,
        };
        let other = match is_dated && python.is_none() {
            true => wheels::other(request, &needs, index, interpreters)?,
            false => None,
        };
        let python = python.or(other.as_ref().map(|other| other.minor));
        let asked = PlanRequest { python, ..PlanRequest::new(&needs, request.date, versions) };
        let markers = MarkerEnvironment::of(&draft(&asked, interpreters)?.interpreter);
        let applying = Applying::of(request.declared, &markers);
        needs.pins = applying.pins();
        let places = applying.places();
        let asked =
            PlanRequest { python, pin_places: Some(&places), ..PlanRequest::new(&needs, request.date, versions) };
        let mut plan = plan(&asked, index, interpreters)?;
        if is_dated {
            plan = sparing(plan, request, &asked, index, interpreters)?;
        }
        if let Some(other) = other {
            plan.python_reason = PythonReason::Declared;
            let (kind, distribution) = (WarningKind::OtherInterpreter, String::new());
            plan.warnings.push(Warning { kind, distribution, words: other.words });
        }
        let failure = applying.failure(&plan, index)?;
        if let Some(failure) = failure {
            // Said with file and line, which is more than what the plan knows of it.
            plan.expected_failure = Some(failure);
            if is_dated {
                plan.lines.clear();
                plan.build.clear();
            }
        }
        Ok(Self { strategy, plan, needs, places })
    }
}

/// Where what is imported cannot be had together, what the fewest files import gives way first: one notebook's odd import is no reason
/// for all the others to go without an environment. What is declared stays.
fn sparing(
    mut plan: EnvironmentPlan,
    request: &RepositoryRequest<'_>,
    asked: &PlanRequest<'_>,
    index: &Index,
    interpreters: &Interpreters,
) -> Result<EnvironmentPlan, PlanError> {
    let most = request.inferred.names.iter().map(|name| name.files).max().unwrap_or(0);
    let mut rare = 1;
    while plan.expected_failure.is_some() && rare <= 2 * most {
        let given = request.inferred.names.iter().filter(|name| name.files <= rare);
        let optional = given.map(|name| name.module.clone()).chain(asked.needs.optional.iter().cloned());
        let needs = Needs { optional: optional.collect(), ..asked.needs.clone() };
        plan = crate::plan::plan(&PlanRequest { needs: &needs, ..*asked }, index, interpreters)?;
        rare *= 2;
    }
    Ok(plan)
}

fn needs(request: &RepositoryRequest<'_>) -> Needs {
    let inferred = request.inferred;
    let imports: Vec<&InferredName> = match request.strategy {
        RepositoryStrategy::Declared => Vec::new(),
        RepositoryStrategy::Paper | RepositoryStrategy::Dated => inferred.names.iter().collect(),
    };
    let is_optional = |name: &&&InferredName| name.is_optional || !name.in_notebook;
    Needs {
        imports: imports.iter().map(|name| name.module.clone()).collect(),
        optional: imports.iter().filter(is_optional).map(|name| name.module.clone()).collect(),
        major: inferred.major.max(2),
        minimum_minor: inferred.minimum_minor,
        pins: Vec::new(),
        interpreter_hint: inferred.saved_by,
        local: inferred.held.iter().map(|held| held.name.clone()).collect(),
    }
}

/// The minor that a declared wish leads to, where the one of the date is not within it: the newest before that, else the oldest, of those
/// that are here, or the nearest to the one version that is wished. `None` where the date's is within it, or none is.
fn wished(
    request: &RepositoryRequest<'_>,
    needs: &Needs,
    interpreters: &Interpreters,
) -> Result<Option<PythonVersion>, PlanError> {
    let Some(wish) = request.declared.python() else { return Ok(None) };
    let of_date = draft(&PlanRequest::new(needs, request.date, Strategy::Dated), interpreters)?.interpreter;
    let exact = exact(wish);
    let is_wished = |interpreter: &Interpreter| is_wished(wish, interpreter);
    if is_wished(&of_date) {
        return Ok(None);
    }
    let fitting = || interpreters.all().iter().filter(|found| is_wished(found)).map(Interpreter::minor);
    let before = fitting().filter(|minor| *minor < of_date.minor()).max();
    Ok(before.or_else(|| fitting().min()).or_else(|| exact.and_then(|minor| nearest(minor, interpreters))))
}

/// The one minor that is wished, if it is one. Of a patch that was named the minor counts: the newest patch of it is installed.
fn exact(wish: &PythonWish) -> Option<PythonVersion> {
    wish.specifiers.strip_prefix("==").and_then(|version| version.trim_end_matches(".*").parse().ok())
}

fn is_wished(wish: &PythonWish, interpreter: &Interpreter) -> bool {
    match exact(wish) {
        Some(minor) => interpreter.minor() == minor,
        None => within(&specifiers(&wish.specifiers), &interpreter.version),
    }
}

/// Where a minor is not here: the next newer one of its major that is, else the next older one.
fn nearest(wish: PythonVersion, interpreters: &Interpreters) -> Option<PythonVersion> {
    let minors = || interpreters.all().iter().map(Interpreter::minor).filter(|minor| minor.major == wish.major);
    minors().filter(|minor| *minor > wish).min().or_else(|| minors().filter(|minor| *minor < wish).max())
}

/// The declared requirements that apply to an interpreter, by normalised name, with the constraints on them.
struct Applying<'rows> {
    rows: BTreeMap<&'rows str, Vec<&'rows DeclaredRequirement>>,
}

impl<'rows> Applying<'rows> {
    fn of(declared: &'rows RepositoryDeclarations, markers: &MarkerEnvironment) -> Self {
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

    /// One requirement for each distribution, with all bounds and extras that files of its rank declare.
    fn pins(&self) -> Vec<String> {
        let pin = |(name, rows): (&&str, &Vec<&DeclaredRequirement>)| {
            let mut extras: Vec<&str> =
                rows.iter().flat_map(|row| &row.requirement.extras).map(String::as_str).collect();
            extras.sort_unstable();
            extras.dedup();
            let extras = if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) };
            format!("{name}{extras}{}", bounds(rows).join(","))
        };
        self.rows.iter().map(pin).collect()
    }

    fn places(&self) -> BTreeMap<String, String> {
        let entry = |(name, rows): (&&str, &Vec<&DeclaredRequirement>)| ((*name).to_owned(), places(rows));
        self.rows.iter().map(entry).collect()
    }

    /// Why what is declared cannot be installed, where the index alone tells: a name that it does not have, a bound that no release is in,
    /// bounds that contradict each other.
    fn failure(&self, plan: &EnvironmentPlan, index: &Index) -> Result<Option<ExpectedFailure>, IndexError> {
        for (name, rows) in &self.rows {
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
                let words = rows.iter().map(|row| format!("{} asks for {}", row.place(), row.requirement));
                let words =
                    format!("{}: no release of {name} is within all of them", words.collect::<Vec<_>>().join("; "));
                return Ok(Some(ExpectedFailure { class: FailureClass::Conflict, words }));
            }
        }
        Ok(self.placed(plan.expected_failure.clone()))
    }

    /// A failure that names a declared distribution, with its place.
    fn placed(&self, failure: Option<ExpectedFailure>) -> Option<ExpectedFailure> {
        let failure = failure?;
        let words: Vec<String> = failure
            .words
            .split(|found: char| !(found.is_ascii_alphanumeric() || "-_.".contains(found)))
            .map(normalise)
            .collect();
        let named = self.rows.iter().find(|(name, _)| words.iter().any(|word| word == *name));
        let (class, words) = (failure.class, failure.words);
        let words = match named.map(|(_, rows)| places(rows)).filter(|place| !words.contains(place.as_str())) {
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

fn written(rows: &[&DeclaredRequirement]) -> String {
    rows.first().map(|row| row.requirement.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
