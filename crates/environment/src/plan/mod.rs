//! Plans the environment of a notebook from its imports and the date of its submission.
//!
//! The strategy is the paper's (section 2.2.1), with its open details fixed as follows.
//! * "Before" compares UTC instants, strictly; a release appears with its first file.
//! * A release counts as compatible when its declared `Requires-Python` admits the full version of the interpreter
//!   that is used, and a wheel of it fits or its source is likely to build: compiled distributions are never built
//!   from source, so that where none of their wheels of the time fits, the oldest release with one is taken.
//! * Yanked releases never count; pre-releases only where a distribution has nothing else.
//! * Transitive distributions are not bounded: the installer chooses them, as in the paper.
//! * A requirement with a version that the notebook itself installs wins over the date.

mod choose;
mod pins;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use jiff::Timestamp;
use pep440_rs::Version;
use serde::Serialize;

use crate::distribution::{NameSource, Provider, Skip, UnresolvedReason, from_tables, provider};
use crate::index::{Index, IndexError, Lookup};
use crate::interpreter::{Interpreter, Interpreters, Minor, NoInterpreter, python_at};
use pins::Pin;

/// What a notebook needs, as its source says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// Imported modules, dotted, as written; relative ones with their leading dots.
    pub imports: Vec<String>,
    /// 2 or 3, from the syntax.
    pub major: u32,
    /// Lowest minor that has the syntax used; 0 where any has.
    pub minimum_minor: u32,
    /// Requirements (PEP 508) of the notebook's own `pip install` lines.
    pub pins: Vec<String>,
}

/// An interpreter and a bound per distribution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// The interpreter to build for.
    pub interpreter: Interpreter,
    /// The newest release of the major before the submission, if there was one.
    pub python_before: Option<Version>,
    /// The patch that the paper would install.
    pub python_latest_patch: Version,
    /// One line a distribution, sorted by name.
    pub lines: Vec<Line>,
    /// Imports and requirements without a distribution.
    pub unresolved: Vec<Unresolved>,
    /// Imports that need none.
    pub skipped: Vec<Skipped>,
    /// Distributions whose kept history was used because the index could not be asked.
    pub stale: Vec<String>,
}

/// A bound on one distribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Normalised name.
    pub distribution: String,
    /// Requested extras, with brackets, or an empty text.
    pub extras: String,
    /// The chosen version; `None` for a pin that no release satisfies.
    pub version: Option<Version>,
    /// The bound as written: `<=1.2.3`, or the notebook's own specifier.
    pub bound: String,
    /// Why this version.
    pub reason: Reason,
    /// Whether wheels of the chosen release fit.
    pub wheels: Wheels,
    /// The imports that asked for it; empty for one that only an install line names.
    pub imports: Vec<String>,
    /// Whether the name is only the module's own, found on the index but in no table.
    pub same_name: bool,
}

/// Why a version was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The newest compatible release before the submission.
    NewestBeforeDate,
    /// None was compatible before: the oldest compatible one.
    OldestCompatible,
    /// None is compatible at all: the oldest one.
    OldestAvailable,
    /// The notebook's own install line names it.
    NotebookPin,
}

/// Wheels of the chosen release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wheels {
    /// One fits the interpreter.
    Fit,
    /// It is compiled, and no wheel fits: building it from source is not tried.
    NoneFits,
    /// It has no wheel, or pure ones for other Pythons: its source archive is built.
    SourceOnly,
}

/// Something without a distribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unresolved {
    /// The import or requirement, as written.
    pub what: String,
    /// Why, in words.
    pub reason: String,
}

/// An import that needs no distribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The import, as written.
    pub import: String,
    /// Why.
    pub reason: &'static str,
}

/// No plan could be made.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The syntax names neither Python 2 nor 3.
    #[error("Python {0} has no releases; the major must be 2 or 3")]
    Major(u32),
    /// The interpreter is missing.
    #[error(transparent)]
    NoInterpreter(#[from] NoInterpreter),
    /// A release history could not be had.
    #[error(transparent)]
    Index(#[from] IndexError),
}

impl Line {
    /// The line of a requirements file.
    #[must_use]
    pub fn requirement(&self) -> String {
        format!("{}{}{}", self.distribution, self.extras, self.bound)
    }
}

impl Plan {
    /// The requirements file: sorted lines `name<=version`, each with a line end.
    #[must_use]
    pub fn requirements_text(&self) -> String {
        let mut lines: Vec<String> = self.lines.iter().map(Line::requirement).collect();
        lines.sort();
        lines.iter().fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "{line}");
            text
        })
    }
}

/// What a distribution was asked for by, while planning.
#[derive(Default)]
struct Wanted {
    imports: Vec<String>,
    pin: Option<Pin>,
    same_name: bool,
}

/// Plans with the paper's strategy.
///
/// # Errors
/// [`PlanError`]: a missing interpreter, or a history that could not be had. What has no distribution is no error
/// but listed as unresolved.
pub fn plan(
    needs: &Needs,
    submitted: Timestamp,
    index: &Index,
    interpreters: &Interpreters,
) -> Result<Plan, PlanError> {
    let python = python_at(submitted, needs.major, needs.minimum_minor).ok_or(PlanError::Major(needs.major))?;
    let interpreter = interpreters.find(python.minor)?;
    let mut draft = Plan {
        interpreter,
        python_before: python.newest_before,
        python_latest_patch: python.latest_patch,
        lines: Vec::new(),
        unresolved: Vec::new(),
        skipped: Vec::new(),
        stale: Vec::new(),
    };
    index.prefetch(&likely_names(needs, python.minor));
    let wanted = draft.collect(needs, python.minor, index)?;
    for (name, wanted) in wanted {
        draft.add(&name, wanted, submitted, index)?;
    }
    Ok(draft)
}

/// Names worth fetching at once: those that the tables and the pins give.
fn likely_names(needs: &Needs, minor: Minor) -> Vec<String> {
    let named = needs.imports.iter().filter_map(|module| match from_tables(module, minor) {
        Some(Provider::Distribution { name, .. }) => Some(name),
        _ => None,
    });
    let pinned = needs.pins.iter().filter_map(|text| Some(Pin::read(text)?.name));
    named.chain(pinned).collect::<BTreeSet<_>>().into_iter().collect()
}

impl Plan {
    fn leave(&mut self, what: &str, reason: &UnresolvedReason) {
        self.unresolved.push(Unresolved { what: what.to_owned(), reason: reason.to_string() });
    }

    /// Gathers distributions from imports and pins; notes what has none.
    fn collect(&mut self, needs: &Needs, minor: Minor, index: &Index) -> Result<BTreeMap<String, Wanted>, IndexError> {
        let mut wanted: BTreeMap<String, Wanted> = BTreeMap::new();
        for import in needs.imports.iter().collect::<BTreeSet<_>>() {
            match provider(import, minor, index)? {
                Provider::Nothing(skip) => self.skipped.push(Skipped { import: import.clone(), reason: skip.reason() }),
                Provider::Unresolved(reason) => self.leave(import, &reason),
                Provider::Distribution { name, how } => {
                    let entry = wanted.entry(name).or_default();
                    entry.imports.push(import.clone());
                    entry.same_name = how == NameSource::SameName;
                }
            }
        }
        for text in &needs.pins {
            match Pin::read(text) {
                Some(pin) => {
                    let name = pin.name.clone();
                    wanted.entry(name).or_default().pin = Some(pin);
                }
                None => self.leave(text, &UnresolvedReason::NotFromIndex),
            }
        }
        Ok(wanted)
    }

    /// Adds the line of one distribution.
    fn add(&mut self, name: &str, wanted: Wanted, submitted: Timestamp, index: &Index) -> Result<(), IndexError> {
        let what = wanted.imports.first().map_or(name, String::as_str).to_owned();
        let history = match index.history(name)? {
            Lookup::Absent => {
                self.leave(&what, &UnresolvedReason::UnknownName);
                return Ok(());
            }
            Lookup::Known { history, stale } => {
                if stale.is_some() {
                    self.stale.push(name.to_owned());
                }
                history
            }
        };
        let extras = wanted.pin.as_ref().map(|pin| pin.extras.clone()).unwrap_or_default();
        let pinned = wanted.pin.filter(|pin| !pin.bound.is_empty());
        let (release, reason, bound) = if let Some(pin) = pinned {
            (
                choose::satisfying(&history, &pin.specifiers, submitted, &self.interpreter),
                Reason::NotebookPin,
                pin.bound,
            )
        } else if let Some((release, reason)) = choose::by_date(&history, submitted, &self.interpreter) {
            (Some(release), reason, format!("<={}", release.version))
        } else {
            self.leave(&what, &UnresolvedReason::NoRelease);
            return Ok(());
        };
        self.lines.push(Line {
            distribution: name.to_owned(),
            extras,
            version: release.map(|release| release.version.clone()),
            bound,
            reason,
            wheels: release.map_or(Wheels::SourceOnly, |release| choose::wheels(release, &self.interpreter)),
            imports: wanted.imports,
            same_name: wanted.same_name,
        });
        Ok(())
    }
}

impl Skip {
    /// Why, in one word or two.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::StandardLibrary => "standard library",
            Self::Local => "local",
            Self::Kernel => "kernel",
        }
    }
}

#[cfg(test)]
mod tests;
