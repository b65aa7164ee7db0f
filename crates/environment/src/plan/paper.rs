//! The paper's strategy (section 2.2.1), to the letter.
//!
//! For each imported distribution the newest release before the date that the interpreter can use, else the oldest
//! that it can use, else the oldest; written as `name<=version`. A release can be used when its declared
//! `Requires-Python` admits the full version of the interpreter, and a wheel of it fits or it has a source archive.
//! Yanked releases never count; pre-releases only where a distribution has nothing else. What the distributions
//! require in turn is left to the installer, as in the paper.

use jiff::Timestamp;

use super::collect::{Wanted, likely_names};
use super::{EnvironmentPlan, ExpectedFailure, Line, LineFile, PlanReason, PlanRequest, WarningKind, Wheels};
use crate::distribution::UnresolvedReason;
use crate::eras::NEVER_FROM_SOURCE;
use crate::failure_class::FailureClass;
use crate::history::{History, Release};
use crate::index::{Index, IndexError, Lookup};
use crate::interpreter::Interpreter;
use crate::requirement::Requirement;
use crate::solver::files::{best_file, wheels};
use crate::versions::admits;

/// Fills the draft.
pub(super) fn plan(
    mut draft: EnvironmentPlan,
    request: &PlanRequest<'_>,
    index: &Index,
) -> Result<EnvironmentPlan, IndexError> {
    index.prefetch(&likely_names(request.needs, &draft));
    for (name, wanted) in draft.collect(request, index)? {
        draft.add_bound(&name, wanted, index)?;
    }
    Ok(draft)
}

/// Whether the interpreter can use a release.
fn compatible(release: &Release, interpreter: &Interpreter) -> bool {
    admits(release.requires_python.as_deref(), &interpreter.version)
        && (release.wheels().any(|tags| interpreter.fits(tags)) || release.has_sdist())
}

/// The newest usable release before the date, else the oldest usable, else the oldest.
pub(crate) fn by_date<'history>(
    history: &'history History,
    date: Timestamp,
    interpreter: &Interpreter,
) -> Option<(&'history Release, PlanReason)> {
    let only_early = !history.releases.iter().any(|release| !release.yanked && release.version.is_stable());
    let pool =
        || history.releases.iter().filter(move |found| !found.yanked && (only_early || found.version.is_stable()));
    let newest = pool().rev().find(|release| release.uploaded < date && compatible(release, interpreter));
    newest
        .map(|release| (release, PlanReason::NewestBeforeDate))
        .or_else(|| {
            pool().find(|found| compatible(found, interpreter)).map(|found| (found, PlanReason::OldestCompatible))
        })
        .or_else(|| pool().next().map(|release| (release, PlanReason::OldestAvailable)))
}

/// What an installer will likely take for the notebook's own specifier: the newest usable release that it admits,
/// one from before the date if there is any; a yanked one only where nothing else is admitted.
fn satisfying<'history>(
    history: &'history History,
    pin: &Requirement,
    date: Timestamp,
    interpreter: &Interpreter,
) -> Option<&'history Release> {
    let named_early = pin.specifiers.iter().any(pep440_rs::VersionSpecifier::any_prerelease);
    let rank = |release: &Release| {
        let wanted = named_early || release.version.is_stable();
        (!release.yanked, wanted, compatible(release, interpreter), release.uploaded < date)
    };
    history
        .releases
        .iter()
        .filter(|release| pin.admits(&release.version) && (!release.yanked || pin.is_exact()))
        // Of equals the last, and releases ascend.
        .max_by_key(|release| rank(release))
}

/// Why, for people.
fn sentence(reason: PlanReason, interpreter: &Interpreter, pinned_by: &str) -> String {
    let python = &interpreter.version;
    match reason {
        PlanReason::NewestBeforeDate => "the newest before the date".into(),
        PlanReason::OldestCompatible => format!("the oldest that Python {python} can use: none of before the date"),
        PlanReason::OldestAvailable => format!("the oldest there is: Python {python} can use none"),
        _ => pinned_by.into(),
    }
}

impl EnvironmentPlan {
    /// Adds the line of one distribution.
    fn add_bound(&mut self, name: &str, wanted: Wanted, index: &Index) -> Result<(), IndexError> {
        let what = wanted.imports.first().map_or(name, String::as_str).to_owned();
        let Lookup::Known { history, stale } = index.history(name)? else {
            self.leave(&what, &UnresolvedReason::UnknownName);
            return Ok(());
        };
        if stale.is_some() {
            self.stale.push(name.to_owned());
        }
        let (release, reason, bound) = if let Some(pin) = wanted.bounded() {
            let release = satisfying(&history, pin, self.date, &self.interpreter);
            (release, PlanReason::NotebookPin, pin.bound.clone())
        } else if let Some((release, reason)) = by_date(&history, self.date, &self.interpreter) {
            (Some(release), reason, format!("<={}", release.version))
        } else {
            self.leave(&what, &UnresolvedReason::NoRelease);
            return Ok(());
        };
        let line = Line {
            distribution: name.to_owned(),
            extras: wanted.pin.as_ref().map(Requirement::extras_text).unwrap_or_default(),
            version: release.map(|release| release.version.clone()),
            bound,
            reason,
            why: sentence(reason, &self.interpreter, wanted.pinned_by()),
            wheels: release.map_or(Wheels::SourceOnly, |release| wheels(release, &self.interpreter)),
            asked_by: wanted.asked_by(),
            imports: wanted.imports,
            same_name: wanted.same_name,
            released: release.map(|release| release.uploaded),
            file: release.and_then(|release| best_file(release, &self.interpreter)).map(LineFile::from),
        };
        self.foresee(&line, release);
        self.lines.push(line);
        Ok(())
    }

    /// Says beforehand what an installer will stumble over.
    fn foresee(&mut self, line: &Line, release: Option<&Release>) {
        let name = &line.distribution;
        let python = self.interpreter.version.clone();
        let Some(release) = release else {
            let words = format!("no release of {name} satisfies {}", line.requirement());
            return self.expect_failure(FailureClass::NoMatchingVersion, words);
        };
        if release.yanked {
            let words = format!("{name} {} was yanked; the notebook names it exactly", release.version);
            self.warn(WarningKind::Yanked, name, words);
        }
        if !compatible(release, &self.interpreter) {
            let words = format!("Python {python} can use no release of {name} that the bound admits");
            return self.expect_failure(FailureClass::NoMatchingVersion, words);
        }
        if line.wheels == Wheels::Fit {
            return;
        }
        let words = format!("{name} {} has no wheel for Python {python}", release.version);
        if NEVER_FROM_SOURCE.contains(&name.as_str()) {
            self.expect_failure(FailureClass::NoWheelAndBuildFailed, format!("{words}, and is not built from source"));
        } else if line.wheels == Wheels::NoneFits {
            let words = format!("{words}: its source archive needs a compiler");
            self.warn(WarningKind::NeedsCompiler, name, words);
        }
    }

    /// The first expected failure is the one that is told.
    pub(super) fn expect_failure(&mut self, class: FailureClass, words: String) {
        self.expected_failure.get_or_insert(ExpectedFailure { class, words });
    }
}
