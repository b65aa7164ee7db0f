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
//! the date, `dated` takes the nearest one that they have wheels for (`wheels.rs`); and what of the declared cannot be had all the same gives
//! way there (`search.rs`).

mod applying;
mod attempts;
mod last_run;
mod loosened;
mod search;
mod wheels;

pub use last_run::LastRun;

use std::collections::BTreeMap;

use jiff::Timestamp;
use nbrevive_notebook::PythonVersion;
use nbrevive_spelling::string_enum;

use self::applying::Applying;
use self::attempts::Attempts;
use self::loosened::{Loosened, Step};
use crate::declared::{PythonWish, RepositoryDeclarations};
use crate::index::Index;
use crate::inferred::{InferredName, InferredNames};
use crate::interpreter::{Interpreter, Interpreters};
use crate::plan::{
    EnvironmentPlan, Needs, PlanError, PlanRequest, PythonReason, StepBack, Strategy, UnrequiredModule, Warning,
    WarningKind, draft, unrequired,
};
use crate::requirement::MarkerEnvironment;
use crate::versions::{specifiers, within};

/// The interpreter of the paper's containers (`python:3.10-slim`).
const PYTHON_OF_THE_PAPER: PythonVersion = PythonVersion::new(3, 10);

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
    /// Declared distributions that turned out not to be built, by normalised name, each with the reason (default none): a `dated` plan goes
    /// without them.
    pub unbuilt: &'request [(String, String)],
    /// What imports that were tried taught (`dated` only; default none).
    pub step_backs: &'request [StepBack],
    /// What they taught of requirements that nobody declared (`dated` only; default none).
    pub missing: &'request [UnrequiredModule],
}

impl<'request> RepositoryRequest<'request> {
    /// A request with the defaults.
    #[must_use]
    pub fn new(
        declared: &'request RepositoryDeclarations,
        inferred: &'request InferredNames,
        strategy: RepositoryStrategy,
        date: Timestamp,
    ) -> Self {
        Self { declared, inferred, strategy, date, python: None, unbuilt: &[], step_backs: &[], missing: &[] }
    }
}

/// The environment of a repository.
#[derive(Debug, Clone, PartialEq)]
pub struct RepositoryPlan {
    /// How versions were chosen.
    pub strategy: RepositoryStrategy,
    /// Interpreter and distributions with their reasons; [`EnvironmentPlan::expected_failure`] where it is known that it cannot be installed.
    pub plan: EnvironmentPlan,
    /// What it was made from, with what of the declared gave way.
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
        let wished = match request.python.is_none() && is_dated {
            true => wished(request, &needs, interpreters)?,
            false => None,
        };
        let other = match request.python.is_none() && is_dated && wished.is_none() {
            true => wheels::other(request, &needs, index, interpreters)?,
            false => wished,
        };
        let paper = Some(PYTHON_OF_THE_PAPER).filter(|_| !is_dated);
        let python = request.python.or(paper).or(other.as_ref().map(|other| other.minor));
        let asked = PlanRequest { python, ..PlanRequest::new(&needs, request.date, versions) };
        let markers = MarkerEnvironment::of(&draft(&asked, interpreters)?.interpreter);
        let applying = Applying::of(request.declared, &markers);
        let asked = PlanRequest { step_backs: request.step_backs, missing: request.missing, ..asked };
        let attempts = Attempts { request, applying: &applying, asked, index, interpreters };
        let (mut plan, loosened) = if is_dated {
            loosened(&attempts)?
        } else {
            (attempts.plan(&needs, &Loosened::default())?, Loosened::default())
        };
        if let Some(OtherPython { reason, words, .. }) = other {
            plan.python_reason = reason;
            let warning = |words| Warning { kind: WarningKind::OtherInterpreter, distribution: String::new(), words };
            plan.warnings.extend(words.map(warning));
        }
        let places = applying.places();
        needs.pins = applying.pins(&loosened);
        Ok(Self { strategy, plan, needs, places })
    }
}

/// A dated plan, and what of the declared had to give way for it. Where no giving way helps, nothing gives way and the plan says why it fails.
fn loosened(attempts: &Attempts<'_>) -> Result<(EnvironmentPlan, Loosened), PlanError> {
    let mut loosened = Loosened::default();
    let is_declared = |(name, _): &&(String, String)| attempts.applying.rows.contains_key(name.as_str());
    for (name, why) in attempts.request.unbuilt.iter().filter(is_declared) {
        loosened = loosened.with(name, Step::None, format!("{}, {why}", attempts.applying.question(name)));
    }
    let mut plan = attempts.sparing(&loosened)?;
    if plan.expected_failure.is_some()
        && let Some(more) = search::loosen(attempts, &loosened)?
    {
        let other = attempts.sparing(&more)?;
        if other.expected_failure.is_none() {
            (plan, loosened) = (other, more);
        }
    }
    loosened.warn(&mut plan);
    Ok((plan, loosened))
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
        unasked: unrequired(&inferred.unasked, inferred.names.iter().map(|name| name.module.as_str()), request.date),
    }
}

/// Another interpreter than that of the date.
struct OtherPython {
    minor: PythonVersion,
    reason: PythonReason,
    /// What a reader should know of it.
    words: Option<String>,
}

/// The minor that a declared wish leads to, where the one of the date is not within it: the newest before that, else the oldest, of those
/// that are here, or the nearest to the one version that is wished. `None` where the date's is within it.
fn wished(
    request: &RepositoryRequest<'_>,
    needs: &Needs,
    interpreters: &Interpreters,
) -> Result<Option<OtherPython>, PlanError> {
    let Some(wish) = request.declared.python() else { return Ok(None) };
    let of_date = draft(&PlanRequest::new(needs, request.date, Strategy::Dated), interpreters)?.interpreter;
    let exact = exact(wish);
    let is_wished = |interpreter: &Interpreter| is_wished(wish, interpreter);
    if is_wished(&of_date) {
        return Ok(None);
    }
    let fitting = || interpreters.all().iter().filter(|found| is_wished(found)).map(Interpreter::minor);
    let before = fitting().filter(|minor| *minor < of_date.minor()).max();
    if let Some(minor) = before.or_else(|| fitting().min()) {
        return Ok(Some(OtherPython { minor, reason: PythonReason::Wished, words: None }));
    }
    let minor = exact.and_then(|minor| nearest(minor, interpreters)).unwrap_or_else(|| of_date.minor());
    let words =
        format!("{}:{} asks for `{}`, which is not here: Python {minor} instead", wish.file, wish.line, wish.written);
    Ok(Some(OtherPython { minor, reason: PythonReason::Nearest, words: Some(words) }))
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

#[cfg(test)]
mod tests;
