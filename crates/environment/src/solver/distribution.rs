//! One distribution while a plan is solved: which of its releases can be had, and which is wanted first.
//!
//! Versions are positions in the history, so that a set of versions is a set of numbers, whatever PEP 440 thinks of
//! epochs and local versions: each requirement is asked of each release once.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Bound;
use std::sync::Arc;

use jiff::Timestamp;
use pep440_rs::Version;
use pubgrub::Ranges;

use super::files::{best_wheel, first_sdist, has_linux_wheels};
use crate::eras::NEVER_FROM_SOURCE;
use crate::history::{History, Release};
use crate::interpreter::Interpreter;
use crate::requirement::Requirement;
use crate::versions::admits;

/// Positions in a history.
pub(super) type Positions = Ranges<u32>;

/// What a release is worth on the date. The number is the position of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grade {
    /// It could be installed before the date.
    Before(usize),
    /// Released before the date, but the file that fits came later.
    Straddles(usize),
    /// Released on the date or later.
    After(usize),
    /// It cannot be installed, for a reason.
    Unusable(Obstacle),
}

impl Grade {
    /// The position of the file to install.
    pub(crate) fn file(self) -> Option<usize> {
        match self {
            Self::Before(file) | Self::Straddles(file) | Self::After(file) => Some(file),
            Self::Unusable(_) => None,
        }
    }
}

/// Why a release cannot be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Obstacle {
    /// Its `Requires-Python` does not admit the interpreter.
    Python,
    /// Yanked, and no pin names it exactly.
    Yanked,
    /// A step back rules it out.
    SteppedBack,
    /// No wheel fits, and it has no source archive or is not built from it.
    NoFile,
}

/// What is fixed for all distributions of a plan.
#[derive(Debug)]
pub(super) struct Circumstances<'plan> {
    pub(super) interpreter: &'plan Interpreter,
    pub(super) date: Timestamp,
}

/// What is known of one distribution alone before the solver starts.
#[derive(Debug, Clone, Default)]
pub(super) struct Wishes {
    /// The notebook's pin.
    pub(super) pin: Option<Requirement>,
    /// Only versions below this one, by a step back.
    pub(super) below: Option<Version>,
    /// Newest version that is taken unless a requirement asks for more.
    pub(super) at_most: Option<Version>,
    /// The version that is taken wherever it may be.
    pub(super) preferred: Option<Version>,
    /// Whether releases of after the date may be taken although there are some of before.
    pub(super) relaxed: bool,
}

/// One distribution. It is shared while pubgrub asks, so that what was judged once is kept in cells.
#[derive(Debug)]
pub(super) struct Distribution {
    pub(super) name: String,
    /// `None` for a name that the index does not have.
    pub(super) history: Option<Arc<History>>,
    pub(super) wishes: Wishes,
    grades: Vec<OnceCell<Grade>>,
    admitted: RefCell<HashMap<Box<str>, bool>>,
    positions: RefCell<HashMap<String, Positions>>,
    beyond: OnceCell<bool>,
}

impl Distribution {
    pub(super) fn new(name: &str, history: Option<Arc<History>>, wishes: Wishes) -> Self {
        let grades = vec![OnceCell::new(); history.as_ref().map_or(0, |history| history.releases.len())];
        Self {
            name: name.to_owned(),
            history,
            wishes,
            grades,
            admitted: RefCell::default(),
            positions: RefCell::default(),
            beyond: OnceCell::new(),
        }
    }

    pub(super) fn releases(&self) -> &[Release] {
        self.history.as_ref().map_or(&[], |history| &history.releases)
    }

    pub(super) fn release(&self, position: u32) -> Option<&Release> {
        self.releases().get(position as usize)
    }

    fn count(&self) -> u32 {
        u32::try_from(self.grades.len()).unwrap_or(u32::MAX)
    }

    /// The positions of a set, ascending.
    pub(super) fn inside<'set>(&self, set: &'set Positions) -> impl DoubleEndedIterator<Item = u32> + use<'set> {
        (0..self.count()).filter(|position| set.contains(position))
    }

    /// How many releases a set holds.
    pub(super) fn size_of(&self, set: &Positions) -> u32 {
        let within = |(start, end): (&Bound<u32>, &Bound<u32>)| {
            let start = match start {
                Bound::Included(at) => *at,
                Bound::Excluded(at) => at + 1,
                Bound::Unbounded => 0,
            };
            let end = match end {
                Bound::Included(at) => at + 1,
                Bound::Excluded(at) => *at,
                Bound::Unbounded => self.count(),
            };
            end.min(self.count()).saturating_sub(start)
        };
        set.iter().map(within).sum()
    }

    /// The releases that a requirement admits.
    pub(super) fn admitted_by(&self, requirement: &Requirement) -> Positions {
        if requirement.specifiers.is_empty() {
            return Positions::full();
        }
        if let Some(known) = self.positions.borrow().get(&requirement.bound) {
            return known.clone();
        }
        let inside: Vec<bool> = self.releases().iter().map(|release| requirement.admits(&release.version)).collect();
        let set = positions(&inside);
        self.positions.borrow_mut().insert(requirement.bound.clone(), set.clone());
        set
    }

    /// What a release is worth. Judged once.
    pub(super) fn grade(&self, position: u32, circumstances: &Circumstances<'_>) -> Grade {
        match (self.grades.get(position as usize), self.release(position)) {
            (Some(cell), Some(release)) => *cell.get_or_init(|| self.judge(release, circumstances)),
            _ => Grade::Unusable(Obstacle::NoFile),
        }
    }

    fn judge(&self, release: &Release, circumstances: &Circumstances<'_>) -> Grade {
        let pin = self.wishes.pin.as_ref().filter(|pin| pin.is_exact());
        if release.yanked && !pin.is_some_and(|pin| pin.admits(&release.version)) {
            return Grade::Unusable(Obstacle::Yanked);
        }
        if !self.admits_interpreter(release, circumstances.interpreter) {
            return Grade::Unusable(Obstacle::Python);
        }
        if self.wishes.below.as_ref().is_some_and(|below| release.version >= *below) {
            return Grade::Unusable(Obstacle::SteppedBack);
        }
        let date = circumstances.date;
        let compiled = NEVER_FROM_SOURCE.contains(&self.name.as_str()) || has_linux_wheels(release);
        let files =
            |before: bool| release.files.iter().enumerate().filter(move |(_, file)| !before || file.uploaded < date);
        let file = |before: bool| {
            let source = || if compiled { None } else { first_sdist(files(before)) };
            best_wheel(files(before), circumstances.interpreter).or_else(source)
        };
        if let Some(found) = file(true) {
            return Grade::Before(found);
        }
        match file(false) {
            Some(found) if release.uploaded < date => Grade::Straddles(found),
            Some(found) => Grade::After(found),
            None => Grade::Unusable(Obstacle::NoFile),
        }
    }

    fn admits_interpreter(&self, release: &Release, interpreter: &Interpreter) -> bool {
        let Some(declared) = release.requires_python.as_deref() else { return true };
        if let Some(known) = self.admitted.borrow().get(declared) {
            return *known;
        }
        let admitted = admits(Some(declared), &interpreter.version);
        self.admitted.borrow_mut().insert(declared.into(), admitted);
        admitted
    }

    /// Whether releases of after the date have to be looked at: there is nothing of before, within the pin if any.
    pub(super) fn is_beyond(&self, circumstances: &Circumstances<'_>) -> bool {
        *self.beyond.get_or_init(|| {
            !self.inside(&self.scope()).rev().any(|at| matches!(self.grade(at, circumstances), Grade::Before(_)))
        })
    }

    /// The release of a set that is wanted first: the newest final of before the date, else the newest pre-release
    /// of before it; where the whole distribution has neither, the newest that straddles the date, else the oldest
    /// of after it.
    pub(super) fn first_choice(&self, set: &Positions, circumstances: &Circumstances<'_>) -> Option<u32> {
        let is_final = |at: &u32| self.release(*at).is_some_and(|release| release.version.is_stable());
        let before = |at: &u32| matches!(self.grade(*at, circumstances), Grade::Before(_));
        let wanted = |version: &Option<Version>, at: &u32, order: fn(&Version, &Version) -> bool| {
            version.as_ref().is_some_and(|wanted| self.release(*at).is_some_and(|found| order(&found.version, wanted)))
        };
        let inside = || self.inside(set).rev();
        let preferred = || inside().find(|at| wanted(&self.wishes.preferred, at, |one, two| one == two) && before(at));
        let limited = || {
            inside().find(|at| wanted(&self.wishes.at_most, at, |one, two| one <= two) && is_final(at) && before(at))
        };
        let newest = || inside().find(|at| is_final(at) && before(at)).or_else(|| inside().find(|at| before(at)));
        let found = preferred().or_else(limited).or_else(newest);
        if found.is_some() || !(self.wishes.relaxed || self.is_beyond(circumstances)) {
            return found;
        }
        let straddles = |at: &u32| matches!(self.grade(*at, circumstances), Grade::Straddles(_));
        let after = |at: &u32| matches!(self.grade(*at, circumstances), Grade::After(_));
        // Without what it needs of after the date, another release of after it is no better: only the oldest counts,
        // and the metadata of all the others need not be fetched.
        let oldest = |of: &Positions| {
            self.inside(of).find(|at| is_final(at) && after(at)).or_else(|| self.inside(of).find(after))
        };
        let only = || oldest(&self.scope()).filter(|at| set.contains(at));
        inside()
            .find(|at| is_final(at) && straddles(at))
            .or_else(|| inside().find(straddles))
            .or_else(|| if self.wishes.relaxed { oldest(set) } else { only() })
    }

    /// The releases that the notebook's pin admits; all without a pin.
    pub(super) fn scope(&self) -> Positions {
        self.wishes.pin.as_ref().map_or_else(Positions::full, |pin| self.admitted_by(pin))
    }

    /// Why a set holds nothing that can be had: the commonest obstacle; `None` for an empty set.
    pub(super) fn obstacle(&self, set: &Positions, circumstances: &Circumstances<'_>) -> Option<Obstacle> {
        let mut counts: std::collections::BTreeMap<Obstacle, usize> = std::collections::BTreeMap::new();
        for at in self.inside(set) {
            if let Grade::Unusable(obstacle) = self.grade(at, circumstances) {
                *counts.entry(obstacle).or_default() += 1;
            }
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(obstacle, _)| obstacle)
    }
}

/// The set of the marked positions. A run that reaches an end of the history is open there, so that all of them are
/// the full set.
fn positions(inside: &[bool]) -> Positions {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < inside.len() {
        let length = inside[at..].iter().take_while(|found| **found == inside[at]).count();
        if inside[at] {
            let number = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
            let start = if at == 0 { Bound::Unbounded } else { Bound::Included(number(at)) };
            let end = if at + length == inside.len() { Bound::Unbounded } else { Bound::Excluded(number(at + length)) };
            runs.push((start, end));
        }
        at += length;
    }
    runs.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_become_sets() {
        assert_eq!(positions(&[]), Positions::empty());
        assert_eq!(positions(&[true, true]), Positions::full());
        let set = positions(&[true, false, true, true, false]);
        assert_eq!((0..5).map(|at| set.contains(&at)).collect::<Vec<_>>(), [true, false, true, true, false]);
        let history = History { name: "x".into(), releases: Vec::new() };
        let mut distribution = Distribution::new("x", Some(Arc::new(history)), Wishes::default());
        distribution.grades = vec![OnceCell::new(); 5];
        assert_eq!(distribution.size_of(&set), 3);
        assert_eq!(distribution.size_of(&Positions::full()), 5);
        assert_eq!(distribution.size_of(&set.complement()), 2);
    }
}
