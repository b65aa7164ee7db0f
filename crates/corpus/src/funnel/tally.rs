//! What each step of a funnel kept and dropped, counted.

use std::collections::BTreeMap;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::step::Finding;
use super::{DropReason, DroppedVersion, Funnel, FunnelCandidate, StepName};

/// The counts of one funnel over some versions; tallies of parts merge into that of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    mined: u64,
    steps: Vec<StepTally>,
}

/// The counts of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StepTally {
    step: StepName,
    unknown_kept: u64,
    // An array by reason, not a map: it is counted up once for each of millions of versions.
    dropped: [u64; DropReason::ALL.len()],
}

impl StepTally {
    const fn new(step: StepName) -> Self {
        Self { step, unknown_kept: 0, dropped: [0; DropReason::ALL.len()] }
    }

    fn add(&mut self, other: &Self) {
        self.unknown_kept += other.unknown_kept;
        for (count, more) in self.dropped.iter_mut().zip(other.dropped) {
            *count += more;
        }
    }

    fn dropped(&self) -> u64 {
        self.dropped.iter().sum()
    }
}

/// One step as a row of the printed or stored funnel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepCounts {
    /// The step.
    pub step: StepName,
    /// Versions that are left after it.
    pub kept: u64,
    /// Versions that it dropped.
    pub dropped: u64,
    /// Of those that it kept: versions of which no source tells what it asks.
    pub unknown_kept: u64,
    /// Versions that it dropped, by reason; reasons without any are left out.
    pub reasons: BTreeMap<DropReason, u64>,
}

impl Tally {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(funnel: &Funnel) -> Self {
        Self { mined: 0, steps: funnel.steps().iter().map(|step| StepTally::new(step.name())).collect() }
    }

    /// Judges a version as [`Funnel::judge`] does, and counts it. `funnel` is the one that this tally was made for.
    ///
    /// # Errors
    /// The first step that drops the version, and why.
    pub fn judge(&mut self, funnel: &Funnel, candidate: &FunnelCandidate) -> Result<(), DroppedVersion> {
        self.mined += 1;
        let steps = &mut self.steps;
        funnel.walk(candidate, |position, finding| match (steps.get_mut(position), finding) {
            (Some(step), Finding::PassesUnknown) => step.unknown_kept += 1,
            (Some(step), Finding::Fails(reason)) => step.dropped[reason as usize] += 1,
            (_, Finding::Passes) | (None, _) => {}
        })
    }

    /// Adds the counts of another part of the same mining, judged by the same funnel.
    pub fn merge(&mut self, other: &Self) {
        self.mined += other.mined;
        for more in &other.steps {
            match self.steps.iter_mut().find(|step| step.step == more.step) {
                Some(step) => step.add(more),
                None => self.steps.push(more.clone()),
            }
        }
    }

    /// Versions that came in.
    #[must_use]
    pub const fn mined(&self) -> u64 {
        self.mined
    }

    /// Versions that are left after the last step.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.steps().last().map_or(self.mined, |step| step.kept)
    }

    /// The steps in their order.
    #[must_use]
    pub fn steps(&self) -> Vec<StepCounts> {
        let mut kept = self.mined;
        let counts = |step: &StepTally| {
            let dropped = step.dropped();
            kept = kept.saturating_sub(dropped);
            let reasons = DropReason::ALL.iter().copied().zip(step.dropped).filter(|(_, count)| *count > 0).collect();
            StepCounts { step: step.step, kept, dropped, unknown_kept: step.unknown_kept, reasons }
        };
        self.steps.iter().map(counts).collect()
    }
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Tally", 3)?;
        fields.serialize_field("mined", &self.mined)?;
        fields.serialize_field("kept", &self.kept())?;
        fields.serialize_field("steps", &self.steps())?;
        fields.end()
    }
}
