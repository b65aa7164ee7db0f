//! Tries other values of constants: what changes with one, and whether a notebook then shows what was saved.
//!
//! A constant that was changed bears on what differs, and on nothing that is as saved (mutation-based fault localization: Papadakis, Le Traon, "Metallaxis-FL",
//! 2015). Here the value is replaced, the cell and those after it run in a copy of the process, and the places that change are held against
//! those that differ from what was saved.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::{Duration, Instant};

use nbrevive_compare::{Agreement, OutputComparer};
use nbrevive_execute::BranchProcess;
use nbrevive_notebook::Output;

use super::others::others;
use super::shown::{ShownTexts, Spot, spots};
use super::suspects::Constant;
use crate::inspected::InspectedRun;
use crate::subject::TracedNotebook;

/// What a run showed up to the first cell that differs from what was saved.
pub(super) struct Failure<'f> {
    pub subject: &'f TracedNotebook<'f>,
    /// The cells that ran, up to that one.
    pub order: &'f [usize],
    /// What each showed.
    pub shown: &'f [Vec<Output>],
    pub texts: &'f ShownTexts,
}

/// What came of other values of a constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trial {
    /// How much what changes with it is what differs, from 0 to 1 (Jaccard).
    pub likeness: f64,
    /// The value with which all is as saved.
    pub restoring: Option<String>,
}

/// Processes that are kept at most, each before a cell with constants.
const MOST_STATES: usize = 32;
/// The part of the patience that one value may take in a cell: a loop may never end with it.
const PART: u32 = 4;
/// Values of a constant that change nothing like what differs are not followed further.
const UNLIKE: f64 = 0.2;

impl Failure<'_> {
    /// Tries other values of constants of cells, one after the other, until there is no more `patience`; none of those that were not come to.
    ///
    /// # Errors
    /// When processes no longer speak as ours do.
    pub(super) fn trials(
        &self,
        constants: &[(usize, &Constant)],
        run: &mut InspectedRun,
        patience: Duration,
    ) -> io::Result<Vec<Option<Trial>>> {
        let until = Instant::now() + patience;
        let Some(last) = self.order.len().checked_sub(1) else { return Ok(vec![None; constants.len()]) };
        let wrong = spots(last, &self.shown[last], self.saved(last));
        let mut states = self.states(constants, run, until)?;
        let mut found = Vec::with_capacity(constants.len());
        for (cell, constant) in constants {
            found.push(match states.get_mut(cell) {
                Some((at, state)) if Instant::now() < until => {
                    self.trial((*at, constant), &wrong, (run, state), (until, patience / PART))?
                }
                _ => None,
            });
        }
        Ok(found)
    }

    /// The states before the first runs of the cells that have the constants, with the positions of these runs.
    fn states(
        &self,
        constants: &[(usize, &Constant)],
        run: &mut InspectedRun,
        until: Instant,
    ) -> io::Result<BTreeMap<usize, (usize, BranchProcess)>> {
        let mut left = BTreeSet::new();
        for (cell, _) in constants {
            if left.len() < MOST_STATES {
                left.insert(*cell);
            }
        }
        let mut found = BTreeMap::new();
        run.again()?;
        for (at, cell) in self.order.iter().enumerate() {
            if left.remove(cell) {
                found.insert(*cell, (at, run.kept()?));
            }
            if left.is_empty() || Instant::now() >= until {
                break;
            }
            run.go(&self.subject.cells[*cell].source)?;
        }
        Ok(found)
    }

    /// None where no value says anything: each raises, ends the process or takes longer than `longest` in a cell.
    fn trial(
        &self,
        (at, constant): (usize, &Constant),
        wrong: &BTreeSet<Spot>,
        (run, state): (&mut InspectedRun, &mut BranchProcess),
        (until, longest): (Instant, Duration),
    ) -> io::Result<Option<Trial>> {
        let mut best: Option<Trial> = None;
        for other in others(constant, self.texts) {
            let left = until.saturating_duration_since(Instant::now()).min(longest);
            // Where one value ends it, or never ends, others do so, too.
            let Some(outputs) = run.tried(state, &self.codes(at, constant, &other), left)? else { break };
            let changed: BTreeSet<Spot> = outputs
                .iter()
                .enumerate()
                .flat_map(|(after, new)| spots(at + after, &self.shown[at + after], new))
                .collect();
            // What raises says nothing of the value.
            if changed.iter().any(|spot| matches!(spot, Spot::Error(_))) {
                continue;
            }
            let (both, either) = (changed.intersection(wrong).count(), changed.union(wrong).count());
            let likeness = both as f64 / either.max(1) as f64;
            if changed == *wrong && outputs.last().is_some_and(|new| self.is_saved(new)) {
                return Ok(Some(Trial { likeness, restoring: Some(other) }));
            }
            if best.as_ref().is_none_or(|best| best.likeness < likeness) {
                best = Some(Trial { likeness, restoring: None });
            }
            // A neighbour that changes nothing does not tell of values further off.
            if likeness < UNLIKE && !changed.is_empty() {
                break;
            }
        }
        Ok(best)
    }

    /// The cells from one on, with another value of a constant in it.
    fn codes(&self, at: usize, constant: &Constant, other: &str) -> Vec<String> {
        let source = |cell: usize| self.subject.cells[cell].source.as_str();
        let mut changed = source(self.order[at]).to_owned();
        changed.replace_range(constant.range.clone(), other);
        let code = |cell: &usize| if *cell == self.order[at] { changed.clone() } else { source(*cell).to_owned() };
        self.order[at..].iter().map(code).collect()
    }

    fn saved(&self, at: usize) -> &[Output] {
        self.subject.cells[self.order[at]].outputs()
    }

    fn is_saved(&self, new: &[Output]) -> bool {
        let saved = self.saved(self.order.len() - 1);
        OutputComparer::default().outputs(saved, new).agreement.is_ok_and(|level| level.holds_at(Agreement::Value))
    }
}
