//! The debugger of a study of orders: where two runs of an order part, and which of its cells cannot be repeated (Osiris, sections 4.4 and 5.4).

use std::collections::BTreeSet;
use std::time::Duration;

use nbrevive_compare::Agreement;
use nbrevive_corpus::Executability;
use nbrevive_order::GraphKind;
use nbrevive_retrace::{InspectedOrder, TracedNotebook};
use nbrevive_shown::shown;
use nbrevive_store::comparisons::ComparisonRow;
use nbrevive_store::order_runs::OrderRunRow;

use crate::conditions::Runner;
use crate::conditions::ready::Ready;
use crate::jobs::cell_orders::placed;
use crate::laboratory::LaboratoryError;
use crate::laboratory::kept_processes::PartedRuns;
use crate::{Job, Manner};

/// How many times as long as a run of the notebook it may take: every cell runs in two kernels, and some of them again line by line.
const TIMES_A_RUN: u32 = 4;

impl Runner<'_> {
    /// A row with what the debugger says of a condition's first order, where that ran to its end; as it is where the recipe does not ask, or
    /// runs cannot be held against each other, which is said.
    ///
    /// # Errors
    /// When there is no room on the disks.
    pub(crate) fn debugged(
        &self,
        job: &Job,
        ready: &Ready,
        compared: Option<&[ComparisonRow]>,
        row: OrderRunRow,
    ) -> Result<OrderRunRow, LaboratoryError> {
        if !job.recipe.debug || job.repetition != 1 || row.executability != Executability::Executable {
            return Ok(row);
        }
        let laboratory = self.setup.laboratory;
        let limit = laboratory.settings.limits.wall_clock;
        let antidotes = job.recipe.antidotes.as_ref().map(|antidotes| (antidotes, 1));
        let manner = Manner {
            seed: job.recipe.seed,
            antidotes,
            submitted: Some(job.version.submitted),
            wall_clock: Some(limit.saturating_mul(TIMES_A_RUN)),
            ..Manner::default()
        };
        if let Some(why) = laboratory.why_no_processes(&ready.environment, manner) {
            tracing::warn!("{}: it is not debugged: {why}", job.name());
            return Ok(row);
        }
        // Its cells stand as they ran.
        let subject = TracedNotebook::new(&ready.notebook, GraphKind::Sharp);
        let order: Vec<usize> = (0..subject.len()).collect();
        let cells = RunCells::of(job, ready);
        let place = job.around.place(laboratory, &job.version);
        let _permit = self.space.permit()?;
        let fits = cells.fits(compared.unwrap_or_default());
        // Tables ask where the difference shows, not for another value.
        let walk = InspectedOrder { order: &order, fits: &fits, patience: Duration::ZERO };
        let parted = laboratory.run_side_by_side((&ready.environment, &place), manner, &subject, walk);
        Ok(match parted {
            Ok(parted) => cells.debugged(&parted, row),
            Err(error) => {
                let said = shown!("{}: runs cannot be held against each other: {}", job.name(), error);
                tracing::warn!("{}", said.as_str());
                row
            }
        })
    }
}

/// The code cells as they ran: where each stands in the notebook, and whether it ran there for the last time.
struct RunCells(Vec<(u32, bool)>);

impl RunCells {
    fn of(job: &Job, ready: &Ready) -> Self {
        let places = placed(&job.selected.notebook, &job.order);
        let of =
            |at: usize| places.get(at).map(|(place, is_last)| (u32::try_from(*place).unwrap_or(u32::MAX), *is_last));
        RunCells(ready.notebook.code_places().into_iter().filter_map(of).collect())
    }

    /// Which of them show what was saved, as far as that is known.
    fn fits(&self, compared: &[ComparisonRow]) -> Vec<bool> {
        let differs = |place: u32| {
            let row = compared.iter().find(|row| row.cell == place).and_then(|row| row.agreement);
            row.is_some_and(|agreement| !agreement.holds_at(Agreement::Value))
        };
        self.0.iter().map(|(place, is_last)| !(*is_last && differs(*place))).collect()
    }

    fn debugged(&self, parted: &PartedRuns, row: OrderRunRow) -> OrderRunRow {
        let place = |cell: &usize| self.0.get(*cell).map(|(place, _)| *place);
        let unrepeatable: BTreeSet<u32> = parted.unrepeatable.iter().filter_map(place).collect();
        let line = parted.line.as_ref();
        let suspicious = line.and_then(|line| place(&line.shown_at.0));
        OrderRunRow {
            unrepeatable: Some(u32::try_from(unrepeatable.len()).unwrap_or(u32::MAX)),
            suspicious_cell: suspicious,
            suspicious_line: line.map(|line| line.shown_at.1),
            is_beside_saved: line.map(|line| line.is_beside_saved),
            is_suspicious_repeatable: suspicious.map(|cell| !unrepeatable.contains(&cell)),
            ..row
        }
    }
}
