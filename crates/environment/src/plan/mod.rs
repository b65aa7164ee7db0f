//! Plans the environment of a notebook from its imports and a date.
//!
//! Both strategies put the notebook's own pins before the date, and take the interpreter by the paper's rule
//! (section 2.2.1): the newest minor before the date, at least the one that the syntax needs or that saved the file.
//!
//! * [`Strategy::Paper`] is section 2.2.1 to the letter (`paper.rs`): one upper bound for each direct import.
//! * [`Strategy::Dated`] is an environment that could have existed (`dated.rs`): the whole closure and what source
//!   archives are built with, from files uploaded before the date, solved by `solver`.
//!
//! "Before" compares UTC instants, strictly; a date alone is the start of its day; a release appears with its first
//! file. Yanked releases count only where a pin names one exactly, pre-releases only where no final one fits.
//!
//! | file | purpose |
//! |---|---|
//! | `collect.rs` | from imports and install lines to distributions |
//! | `paper.rs`, `dated.rs` | the strategies |
//! | `further.rs` | how far a distribution steps back |
//! | `unasked.rs` | what libraries import in a notebook's stead |

mod collect;
mod dated;
mod further;
mod paper;
mod unasked;

pub use unasked::unrequired;

pub use crate::planned::{
    AskedBy, EnvironmentPlan, ExpectedFailure, Line, LineFile, PlanReason, PythonReason, Skipped, StepBack, Strategy,
    Unresolved, Warning, WarningKind, Wheels,
};

use std::collections::BTreeMap;

use jiff::Timestamp;
use nbrevive_notebook::PythonVersion;

use crate::index::{Index, IndexError};
use crate::interpreter::{Interpreter, Interpreters, NoInterpreter, PythonChoice, first_supported, python_at};

/// What a notebook needs, as its source says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// Imported modules, dotted, as written; relative ones with their leading dots.
    pub imports: Vec<String>,
    /// Those of `imports` that the notebook can do without: one of several alternatives in `try`/`except`, or only
    /// inside a function. Where such a distribution cannot be had beside the others, `dated` leaves it out.
    pub optional: Vec<String>,
    /// 2 or 3, from the syntax.
    pub major: u32,
    /// Lowest minor that has the syntax used; 0 where any has.
    pub minimum_minor: u32,
    /// Requirements (PEP 508) of the notebook's own install lines.
    pub pins: Vec<String>,
    /// The Python that saved the notebook (`language_info.version`) or that it installs, where it says so. Its minor is a
    /// floor if its major agrees.
    pub interpreter_hint: Option<PythonVersion>,
    /// Top-level modules that files beside the notebook provide.
    pub local: Vec<String>,
    /// Modules that libraries import in the notebook's stead when it calls them, as `read_excel` does; by is the function. `dated` has them
    /// where they can be had beside the others; `paper` goes by imports alone.
    pub unasked: Vec<UnrequiredModule>,
}

/// A module that an installed distribution imports without requiring it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnrequiredModule {
    /// The module, dotted.
    pub module: String,
    /// Who imports it, such as `scikit-learn 0.18.1`, or which of its functions does.
    pub by: String,
}

/// What to plan.
#[derive(Debug, Clone, Copy)]
pub struct PlanRequest<'request> {
    /// The notebook's needs.
    pub needs: &'request Needs,
    /// The date that the environment is of.
    pub date: Timestamp,
    /// How versions are chosen.
    pub strategy: Strategy,
    /// The minor to plan for; `None` (the default) lets the date and the notebook decide.
    pub python: Option<PythonVersion>,
    /// What imports that were tried taught (`dated` only; default none).
    pub step_backs: &'request [StepBack],
    /// What they taught of requirements that nobody declared (`dated` only; default none).
    pub missing: &'request [UnrequiredModule],
    /// Where pins stand, by normalised name: `requirements.txt:3`. Default none: they are a notebook's install lines.
    pub pin_places: Option<&'request BTreeMap<String, String>>,
}

impl<'request> PlanRequest<'request> {
    /// A request with the defaults.
    #[must_use]
    pub fn new(needs: &'request Needs, date: Timestamp, strategy: Strategy) -> Self {
        Self { needs, date, strategy, python: None, step_backs: &[], missing: &[], pin_places: None }
    }
}

/// No plan could be made.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The syntax names neither Python 2 nor 3.
    #[error("Python {0} has no releases; the major must be 2 or 3")]
    Major(u32),
    /// The date is before the first Python that environments are built for.
    #[error("{date} is before the first release of Python 2.7 ({first}); name a date from then on")]
    TooEarly {
        /// The date asked for.
        date: Timestamp,
        /// The first possible one.
        first: Timestamp,
    },
    /// The date is in the future.
    #[error("{0} is in the future, when nothing was uploaded yet; name a date up to now")]
    Future(Timestamp),
    /// The interpreter is missing.
    #[error(transparent)]
    NoInterpreter(#[from] NoInterpreter),
    /// A release history or metadata could not be had.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// Plans an environment. An environment that cannot be had is still a plan: [`EnvironmentPlan::expected_failure`] says why.
///
/// # Errors
/// [`PlanError`]: a date without Python, a missing interpreter, or an index that gives no answer. What has no
/// distribution is no error but listed as unresolved.
pub fn plan(
    request: &PlanRequest<'_>,
    index: &Index,
    interpreters: &Interpreters,
) -> Result<EnvironmentPlan, PlanError> {
    let draft = draft(request, interpreters)?;
    let mut plan = match request.strategy {
        Strategy::Paper => paper::plan(draft, request, index)?,
        Strategy::Dated => dated::plan(draft, request, index)?,
    };
    plan.warnings.sort();
    plan.warnings.dedup();
    plan.stale.sort();
    plan.stale.dedup();
    Ok(plan)
}

/// A plan with its interpreter and nothing else.
pub(crate) fn draft(request: &PlanRequest<'_>, interpreters: &Interpreters) -> Result<EnvironmentPlan, PlanError> {
    check_date(request.date)?;
    let (python, mut python_reason) = choose_python(request)?;
    let mut warnings = Vec::new();
    let interpreter = match interpreters.find(python.minor) {
        Ok(interpreter) => interpreter,
        Err(missing) => {
            let nearest = nearest(request, python.minor, interpreters).ok_or_else(|| missing.clone())?;
            let words = format!("{missing}; planned for Python {}, the nearest one that is here", nearest.version);
            warnings.push(Warning { kind: WarningKind::OtherInterpreter, distribution: String::new(), words });
            python_reason = PythonReason::Nearest;
            nearest
        }
    };
    Ok(EnvironmentPlan {
        strategy: request.strategy,
        date: request.date,
        interpreter,
        python_reason,
        python_before: python.newest_before,
        python_latest_patch: python.latest_patch,
        lines: Vec::new(),
        build: Vec::new(),
        unresolved: Vec::new(),
        skipped: Vec::new(),
        stale: Vec::new(),
        warnings,
        expected_failure: None,
    })
}

fn check_date(date: Timestamp) -> Result<(), PlanError> {
    let first = first_supported();
    if date < first {
        return Err(PlanError::TooEarly { date, first });
    }
    if date > Timestamp::now() {
        return Err(PlanError::Future(date));
    }
    Ok(())
}

/// Where `dated` finds no interpreter of the minor that the rule names: the next newer one that is here, else the next
/// older one that has the syntax. `paper` knows no such way out, and a minor that the caller names is meant.
fn nearest(request: &PlanRequest<'_>, wanted: PythonVersion, interpreters: &Interpreters) -> Option<Interpreter> {
    if request.strategy == Strategy::Paper || request.python.is_some() {
        return None;
    }
    let floor = PythonVersion::new(wanted.major, request.needs.minimum_minor);
    let fitting = || interpreters.all().iter().filter(|found| found.minor().major == wanted.major);
    let newer = fitting().map(Interpreter::minor).filter(|minor| *minor > wanted).min();
    let older = || fitting().map(Interpreter::minor).filter(|minor| *minor < wanted && *minor >= floor).max();
    let minor = newer.or_else(older)?;
    fitting().rfind(|found| found.minor() == minor).cloned()
}

/// The minor by the paper's rule, and which of the floors decided.
fn choose_python(request: &PlanRequest<'_>) -> Result<(PythonChoice, PythonReason), PlanError> {
    let needs = request.needs;
    let at = |major: u32, floor: u32| python_at(request.date, major, floor).ok_or(PlanError::Major(major));
    if let Some(asked) = request.python {
        let mut choice = at(asked.major, asked.minor)?;
        if choice.minor != asked {
            // The date would have a newer one: the floor alone does not lower it.
            choice = python_at(first_supported(), asked.major, asked.minor).ok_or(PlanError::Major(asked.major))?;
            choice.newest_before = at(asked.major, 0)?.newest_before;
        }
        return Ok((choice, PythonReason::Asked));
    }
    let saved_by = needs.interpreter_hint.filter(|hint| hint.major == needs.major).map_or(0, |hint| hint.minor);
    let by_date = at(needs.major, 0)?;
    let choice = at(needs.major, needs.minimum_minor.max(saved_by))?;
    let reason = if choice.minor == by_date.minor {
        PythonReason::Date
    } else if saved_by > needs.minimum_minor {
        PythonReason::SavedBy
    } else {
        PythonReason::Syntax
    };
    Ok((choice, reason))
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
