//! Whether two runs of ours agree, and which antidotes help (Osiris, section 4.3.1: weak and best-effort match).

use std::collections::BTreeSet;

use nbrevive_corpus::Antidote;
use nbrevive_execute::Antidotes;
use nbrevive_retrace::{MismatchCause, TracedNotebook, arranged, differing_cells};
use nbrevive_study::LaboratoryError;
use serde::Serialize;

use super::stage::Stage;

/// What two runs of one order came to. Cells are places among the code cells, from 0.
#[derive(Debug, Clone, Serialize)]
pub(super) struct TwoRuns {
    /// What was given to both.
    pub(super) antidotes: Antidotes,
    /// Whether both came to their end.
    pub(super) is_whole: bool,
    /// Cells that show something, in one of the runs at least.
    pub(super) comparable: usize,
    /// Cells that do not show the same.
    pub(super) differing: BTreeSet<usize>,
}

impl TwoRuns {
    /// Whether they agree.
    pub(super) fn holds(&self) -> bool {
        self.is_whole && self.differing.is_empty()
    }
}

/// Pairs of runs.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RepeatedRuns {
    /// Without any antidote: each run has hashes of its own.
    pub(super) plain: TwoRuns,
    /// With all that were asked for.
    pub(super) together: Option<TwoRuns>,
    /// With each of them alone, where all together mend something.
    pub(super) alone: Vec<TwoRuns>,
    /// Those that mend a cell alone.
    pub(super) helped: BTreeSet<Antidote>,
}

impl RepeatedRuns {
    /// Whether runs agree, with antidotes where they were asked for.
    pub(super) fn holds(&self) -> bool {
        self.plain.holds() || self.together.as_ref().is_some_and(TwoRuns::holds)
    }

    /// The antidotes each of which alone makes a cell show the same twice, where it did not without.
    pub(super) fn mending(&self, cell: usize) -> impl Iterator<Item = Antidote> {
        let differed = self.plain.differing.contains(&cell);
        let mends = move |runs: &&TwoRuns| differed && !runs.differing.contains(&cell);
        self.alone.iter().filter(mends).flat_map(|runs| runs.antidotes.0.iter().copied())
    }
}

/// What an antidote takes out of a run, as a cause of the paper's.
pub(super) const fn cause_of(antidote: Antidote) -> MismatchCause {
    match antidote {
        Antidote::Seeds => MismatchCause::Randomness,
        Antidote::Clock => MismatchCause::Time,
        Antidote::Inline => MismatchCause::Plots,
        Antidote::HashSeed => MismatchCause::Containers,
        Antidote::Threads | Antidote::Listings | Antidote::Addresses => MismatchCause::Environment,
    }
}

/// Runs an order twice, and where the runs differ, twice more with antidotes.
pub(super) fn run_twice(
    stage: &Stage,
    subject: &TracedNotebook<'_>,
    order: &[usize],
    antidotes: Option<&Antidotes>,
) -> Result<RepeatedRuns, LaboratoryError> {
    let plain = two_runs(stage, subject, order, &Antidotes::default())?;
    let mut runs = RepeatedRuns { plain, together: None, alone: Vec::new(), helped: BTreeSet::new() };
    let Some(antidotes) = antidotes.filter(|_| !runs.plain.holds()) else { return Ok(runs) };
    let together = two_runs(stage, subject, order, antidotes)?;
    let mended: BTreeSet<usize> = runs.plain.differing.difference(&together.differing).copied().collect();
    if !mended.is_empty() {
        for antidote in &antidotes.0 {
            let alone = two_runs(stage, subject, order, &Antidotes(BTreeSet::from([*antidote])))?;
            if runs.plain.differing.difference(&alone.differing).next().is_some() {
                runs.helped.insert(*antidote);
            }
            runs.alone.push(alone);
        }
    }
    runs.together = Some(together);
    Ok(runs)
}

fn two_runs(
    stage: &Stage,
    subject: &TracedNotebook<'_>,
    order: &[usize],
    antidotes: &Antidotes,
) -> Result<TwoRuns, LaboratoryError> {
    let document = arranged(subject, order);
    let (one, other) = (stage.execute(&document, antidotes, 1)?, stage.execute(&document, antidotes, 2)?);
    Ok(TwoRuns {
        antidotes: antidotes.clone(),
        is_whole: one.ended.is_completed() && other.ended.is_completed(),
        comparable: one.notebook.cells.iter().filter(|cell| !cell.outputs().is_empty()).count(),
        differing: differing_cells(&one, &other, order),
    })
}
