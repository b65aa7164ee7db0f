//! Another interpreter than that of the date, where what is declared has wheels for the other one alone.
//!
//! A repository that pins `numpy==1.14.3` was run with a Python of before that release, whatever newer one its last commit could have had:
//! the pin tells more of the interpreter than the date.

use nbrevive_notebook::PythonVersion;

use super::applying::{Applying, written};
use super::{OtherPython, PlanError, RepositoryRequest, Strategy, draft, is_wished};
use crate::index::{Index, IndexError, Lookup};
use crate::interpreter::{Interpreter, Interpreters};
use crate::plan::{Needs, PlanRequest, PythonReason, Wheels};
use crate::requirement::MarkerEnvironment;
use crate::solver::files::wheels;

/// How far an interpreter is from what is asked: distributions without a wheel, whether its major is another one, how far its minor is.
type Order = (usize, bool, u32, bool);

/// The interpreter for which the fewest declared distributions lack a wheel, the nearest to that of the date among equals, and an older
/// one before a newer one; of Python 3 instead of 2 the newest. `None` where none is better than that of the date.
pub(super) fn other(
    request: &RepositoryRequest<'_>,
    needs: &Needs,
    index: &Index,
    interpreters: &Interpreters,
) -> Result<Option<OtherPython>, PlanError> {
    let of_date = draft(&PlanRequest::new(needs, request.date, Strategy::Dated), interpreters)?.interpreter;
    let (before, named) = (of_date.minor(), lacking(request, index, &of_date)?);
    if named.is_empty() {
        return Ok(None);
    }
    // Notebooks of Python 2 among others do not tell what the repository was last run with, where what it declares is for Python 3 alone.
    let may_be = |minor: PythonVersion| match minor.major == before.major {
        true => minor.minor >= needs.minimum_minor,
        false => minor.major > before.major,
    };
    let wish = request.declared.python();
    let may_be = |found: &&Interpreter| may_be(found.minor()) && wish.is_none_or(|wish| is_wished(wish, found));
    let mut best: Option<(Order, Interpreter)> = None;
    for interpreter in interpreters.all().iter().filter(may_be) {
        let minor = interpreter.minor();
        let left = lacking(request, index, interpreter)?.len();
        let order = match minor.major == before.major {
            true => (left, false, minor.minor.abs_diff(before.minor), minor > before),
            false => (left, true, u32::MAX - minor.minor, true),
        };
        if left < named.len() && best.as_ref().is_none_or(|(known, _)| order < *known) {
            best = Some((order, interpreter.clone()));
        }
    }
    let told = |interpreter: &Interpreter| {
        let minor = interpreter.minor();
        format!("Python {minor} instead of {before}, for which there are no wheels of {}", named.join(", "))
    };
    Ok(best.map(|(_, interpreter)| OtherPython {
        minor: interpreter.minor(),
        reason: PythonReason::Declared,
        words: Some(told(&interpreter)),
    }))
}

/// What is declared for an interpreter and compiled, with a wheel for it of none of the releases that are admitted: each with its place.
fn lacking(
    request: &RepositoryRequest<'_>,
    index: &Index,
    interpreter: &Interpreter,
) -> Result<Vec<String>, IndexError> {
    let applying = Applying::of(request.declared, &MarkerEnvironment::of(interpreter));
    let mut lacking = Vec::new();
    for (name, rows) in &applying.rows {
        let Lookup::Known { history, .. } = index.history(name)? else { continue };
        let admitted = history.releases.iter().filter(|release| {
            release.uploaded < request.date && rows.iter().all(|row| row.requirement.admits(&release.version))
        });
        let mut wheels = admitted.map(|release| wheels(release, interpreter)).peekable();
        if wheels.peek().is_some() && wheels.all(|found| found == Wheels::NoneFits) {
            let place = rows.first().map(|row| row.place()).unwrap_or_default();
            lacking.push(format!("{} ({place})", written(rows)));
        }
    }
    Ok(lacking)
}
