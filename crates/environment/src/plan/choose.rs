//! The choice of one release from a history (paper, section 2.2.1).

use jiff::Timestamp;
use pep440_rs::VersionSpecifiers;

use super::{Reason, Wheels};
use crate::build::NEVER_FROM_SOURCE;
use crate::history::{History, Release};
use crate::interpreter::Interpreter;
use crate::versions::admits;

/// Releases that may be chosen, ascending: not yanked; pre-releases only if there is nothing else.
fn pool(history: &History) -> Vec<&Release> {
    let (finals, early): (Vec<&Release>, Vec<&Release>) =
        history.releases.iter().filter(|release| !release.yanked).partition(|release| release.version.is_stable());
    if finals.is_empty() { early } else { finals }
}

/// Whether a release can be installed for an interpreter: its declared `Requires-Python` admits it, and a wheel
/// fits or a source archive is likely to build.
fn compatible(name: &str, release: &Release, interpreter: &Interpreter) -> bool {
    let installable = match wheels(release, interpreter) {
        Wheels::Fit => true,
        Wheels::NoneFits => false,
        Wheels::SourceOnly => release.has_sdist() && !NEVER_FROM_SOURCE.contains(&name),
    };
    installable && admits(release.requires_python.as_deref(), &interpreter.version)
}

/// The newest compatible release before the submission, else the oldest compatible, else the oldest.
pub(crate) fn by_date<'history>(
    history: &'history History,
    submitted: Timestamp,
    interpreter: &Interpreter,
) -> Option<(&'history Release, Reason)> {
    let pool = pool(history);
    let fitting: Vec<&Release> =
        pool.iter().copied().filter(|release| compatible(&history.name, release, interpreter)).collect();
    let newest = fitting
        .iter()
        .rfind(|release| release.uploaded < submitted)
        .map(|release| (*release, Reason::NewestBeforeDate));
    newest
        .or_else(|| fitting.first().map(|release| (*release, Reason::OldestCompatible)))
        .or_else(|| pool.first().map(|release| (*release, Reason::OldestAvailable)))
}

/// What an installer will likely take for the notebook's own specifier: the newest compatible release that it
/// admits, one from before the submission if there is any; a yanked one only where nothing else is admitted.
pub(crate) fn satisfying<'history>(
    history: &'history History,
    specifiers: &VersionSpecifiers,
    submitted: Timestamp,
    interpreter: &Interpreter,
) -> Option<&'history Release> {
    let admitted: Vec<&Release> =
        history.releases.iter().filter(|release| specifiers.contains(&release.version)).collect();
    let named_early = specifiers.iter().any(pep440_rs::VersionSpecifier::any_prerelease);
    let rank = |release: &Release| {
        let wanted = named_early || release.version.is_stable();
        (!release.yanked, wanted, compatible(&history.name, release, interpreter), release.uploaded < submitted)
    };
    admitted.into_iter().max_by_key(|release| (rank(release), release.version.clone()))
}

/// Whether wheels of a release fit. Pure wheels for other Pythons alone say that its source is pure too.
pub(crate) fn wheels(release: &Release, interpreter: &Interpreter) -> Wheels {
    if release.wheels().any(|tags| interpreter.fits(tags)) {
        Wheels::Fit
    } else if release.wheels().any(|tags| !tags.ends_with("-any")) {
        Wheels::NoneFits
    } else {
        Wheels::SourceOnly
    }
}
