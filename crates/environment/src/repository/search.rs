//! What is declared gives way in a dated plan, where it cannot be had as it is declared.
//!
//! Declarations age, too: one pin among old ones was raised for safety's sake, a Python of the date has no wheel of what is pinned, two lines
//! contradict each other. By its own words such a repository has no environment at all; the nearest one to them brings its notebooks
//! back. Of what a failure names, the bound that is youngest gives way first, since what was pinned at one time fitted together, and each
//! goes no further than it has to: to the nearest release that can be installed, to any release, to none. What turns out to have given way in
//! vain gets its bound back. All of it is told, with file, line and reason.

use std::sync::Arc;

use super::attempts::Attempts;
use super::loosened::{Given, Loosened, Step};
use crate::index::{IndexError, Lookup};
use crate::interpreter::Interpreter;
use crate::plan::{PlanError, draft};
use crate::solver::nearest::Releases;

/// Most plans that are tried on the way.
const MOST_TRIED: usize = 150;

/// What has to give way, beside what did before, so that what is declared can be had; `None` where nothing helps.
///
/// # Errors
/// As [`crate::plan::plan`].
pub(super) fn loosen(attempts: &Attempts<'_>, before: &Loosened) -> Result<Option<Loosened>, PlanError> {
    let interpreter = draft(&attempts.asked, attempts.interpreters)?.interpreter;
    let search = Search { attempts, interpreter: &interpreter };
    let mut loosened = search.nearest_of_all(before.clone())?;
    let mut failure = search.failure(&loosened)?;
    let mut tried = 0;
    while let Some(words) = failure {
        let mut next = None;
        for candidate in search.candidates(&words, &loosened)? {
            tried += 1;
            let left = search.failure(&candidate)?;
            if left.as_ref() != Some(&words) {
                next = Some((candidate, left));
                break;
            }
        }
        match next.filter(|_| tried < MOST_TRIED) {
            Some((candidate, left)) => (loosened, failure) = (candidate, left),
            None => return Ok(None),
        }
    }
    search.tightened(loosened, before).map(Some)
}

/// What all questions on the way have in common.
struct Search<'all> {
    attempts: &'all Attempts<'all>,
    interpreter: &'all Interpreter,
}

impl Search<'_> {
    /// Why what is declared cannot be had.
    fn failure(&self, loosened: &Loosened) -> Result<Option<String>, PlanError> {
        Ok(self.attempts.of_declared(loosened)?.expected_failure.map(|failure| failure.words))
    }

    /// The releases of a distribution, if the index has any.
    fn releases(&self, name: &str) -> Result<Option<Releases<'_>>, IndexError> {
        let Attempts { request, applying, index, .. } = self.attempts;
        let Lookup::Known { history, .. } = index.history(name)? else { return Ok(None) };
        Ok(Some(Releases::new(Arc::clone(&history), &applying.asked(name), self.interpreter, request.date)))
    }

    /// Each declared distribution of which nothing can be installed, at its nearest release.
    fn nearest_of_all(&self, mut loosened: Loosened) -> Result<Loosened, IndexError> {
        let applying = self.attempts.applying;
        for name in applying.rows.keys() {
            let asked = applying.asked(name);
            let Some(releases) = self.releases(name)?.filter(|releases| !releases.have(&asked)) else { continue };
            if let Some(version) = releases.nearest_to(&asked).filter(|_| !loosened.has(name)) {
                let why = match releases.are_admitted(&asked) {
                    true => format!("which cannot be installed on Python {}", self.interpreter.version),
                    false => "and there is no such release".to_owned(),
                };
                let because = format!("{}, {why}", applying.question(name));
                loosened = loosened.with(name, Step::Nearest(version.clone()), because);
            }
        }
        Ok(loosened)
    }

    /// What may give way next after a failure: bounds before whole distributions, the youngest first.
    fn candidates(&self, words: &str, loosened: &Loosened) -> Result<Vec<Loosened>, IndexError> {
        let applying = self.attempts.applying;
        let mut named = Vec::new();
        for name in applying.named(words) {
            let asked = applying.asked(name);
            let age = self.releases(name)?.and_then(|releases| releases.newest_within(&asked));
            let is_bounded = asked.iter().any(|one| !one.bound.is_empty());
            let step = match loosened.0.get(name).map(|given| &given.step) {
                None if is_bounded => Step::Any,
                Some(Step::Nearest(_)) => Step::Any,
                None | Some(Step::Any) => Step::None,
                Some(Step::None) => continue,
            };
            // A bound that no release is in is younger than all.
            named.push((step == Step::None, age.is_some(), std::cmp::Reverse(age), name, step));
        }
        named.sort_by(|one, other| (one.0, one.1, one.2, one.3).cmp(&(other.0, other.1, other.2, other.3)));
        let because = |name: &str| match loosened.0.get(name) {
            Some(given) => given.because.clone(),
            None => words.to_owned(),
        };
        Ok(named.into_iter().map(|(.., name, step)| loosened.with(name, step, because(name))).collect())
    }

    /// The same without what gave way in vain, beyond what had given way `before`, each with its reason beside the others.
    fn tightened(&self, mut loosened: Loosened, before: &Loosened) -> Result<Loosened, PlanError> {
        let vague = |(name, given): (&String, &Given)| {
            (!before.has(name) && !matches!(given.step, Step::Nearest(_))).then(|| name.clone())
        };
        let vague: Vec<String> = loosened.0.iter().filter_map(vague).collect();
        for name in &vague {
            let less = loosened.but(name);
            if self.failure(&less)?.is_none() {
                loosened = less;
            }
        }
        // What is said beside all that stays may be another thing than what was met on the way.
        for name in &vague {
            if let Some(because) = self.failure(&loosened.but(name))? {
                loosened = loosened.because(name, because);
            }
        }
        Ok(loosened)
    }
}
