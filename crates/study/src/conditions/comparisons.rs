//! The judge `outputs`: what an execution shows beside what was saved, or beside what the first repetition showed.

use std::collections::BTreeMap;

use nbrevive_compare::{ComparedCell, FoundSign, OutputComparer, chance_signs, signs_of_paper};
use nbrevive_notebook::Notebook;
use nbrevive_store::comparisons::ComparisonRow;
use nbrevive_store::executability::ExecutabilityRow;
use nbrevive_store::executions::{ExecutionKey, ExecutionRow};
use nbrevive_store::order_runs::OrderRunRow;
use nbrevive_store::{StoreError, executions};

use crate::Job;
use crate::conditions::Runner;
use crate::jobs::cell_orders::{ordered, placed};

impl Runner<'_> {
    /// A row a code cell of an execution; none where the study does not ask, or nothing is there to compare with.
    pub(crate) fn comparisons(&self, job: &Job, row: &ExecutionRow) -> Result<Option<Vec<ComparisonRow>>, StoreError> {
        if !self.setup.study.judge.asks_outputs() {
            return Ok(None);
        }
        let Some(new) = self.kept(row) else {
            tracing::warn!("{}: its outputs were not kept, so that they are not compared", job.name());
            return Ok(None);
        };
        let number = job.recipe.first_of(job.repetition);
        let is_first = number == job.repetition;
        let before = if is_first {
            Some(ordered(job.selected.notebook.clone(), &job.order))
        } else {
            self.first(job, row, number)?
        };
        let Some(before) = before else { return Ok(None) };
        // A repair changes code: what its cells show is not what they were saved with.
        let Ok(compared) = OutputComparer::default().notebooks(&before, &new) else { return Ok(None) };
        let signs = Signs::of(&job.selected.notebook);
        let places = placed(&job.selected.notebook, &job.order);
        // What a cell shows is what it showed last: of its other runs nothing was saved.
        let row = |cell: &ComparedCell| {
            let (place, is_last) = places.get(cell.index).copied().unwrap_or((cell.index, true));
            is_last.then(|| signs.row(job.repetition, place, cell))
        };
        Ok(Some(compared.cells.iter().filter_map(row).collect()))
    }

    /// What came of a job's order of cells; none where the study does not ask for outputs.
    pub(crate) fn order_run(
        &self,
        job: &Job,
        run: &ExecutabilityRow,
        compared: Option<&[ComparisonRow]>,
    ) -> Option<OrderRunRow> {
        let (_, time) = job.recipe.order_and_time(job.repetition);
        let order = job.order.as_deref().unwrap_or_default();
        let asks = self.setup.study.judge.asks_outputs();
        asks.then(|| OrderRunRow::of((job.repetition, time), order, run, compared))
    }

    /// What the first repetition of the same order showed in the same environment.
    fn first(&self, job: &Job, row: &ExecutionRow, number: u32) -> Result<Option<Notebook>, StoreError> {
        let key = ExecutionKey { settings_hash: self.settings(job, number).hash(), ..row.key.clone() };
        let first = executions::find(&self.store(), &key)?;
        Ok(first.and_then(|first| self.kept(&first)))
    }

    /// The executed notebook of a row with its outputs, if it was kept with them.
    pub(crate) fn kept(&self, row: &ExecutionRow) -> Option<Notebook> {
        let path = self.store().executed(&row.notebook_file)?;
        let bytes = nbrevive_files::read(&path, nbrevive_notebook::LONGEST_FILE).ok()?;
        let notebook = nbrevive_notebook::read(&bytes).ok()?.notebook;
        let was_cut = notebook.metadata.get("nbrevive").is_some_and(|provenance| provenance.get("note").is_some());
        (!was_cut).then_some(notebook)
    }
}

/// Signs of chance by the place of their cell in the notebook.
struct Signs {
    ours: BTreeMap<usize, Vec<String>>,
    paper: BTreeMap<usize, Vec<String>>,
}

impl Signs {
    fn of(notebook: &Notebook) -> Self {
        let (places, sources): (Vec<usize>, Vec<&str>) =
            notebook.code_cells().map(|(place, cell)| (place, cell.source.as_str())).unzip();
        let by_place = |found: Vec<FoundSign>| {
            let mut signs: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            for sign in found.into_iter().filter(|sign| !sign.is_seeded) {
                let of_cell = signs.entry(places[sign.cell]).or_default();
                let word = sign.sign.to_string();
                if !of_cell.contains(&word) {
                    of_cell.push(word);
                }
            }
            signs
        };
        Signs { ours: by_place(chance_signs(&sources)), paper: by_place(signs_of_paper(&sources)) }
    }

    /// The row of a cell that stands at `place` in the notebook as it was saved.
    fn row(&self, repetition: u32, place: usize, cell: &ComparedCell) -> ComparisonRow {
        let comparison = &cell.comparison;
        let difference = comparison.difference.as_ref();
        let of = |signs: &BTreeMap<usize, Vec<String>>| signs.get(&place).cloned().unwrap_or_default();
        ComparisonRow {
            repetition,
            cell: u32::try_from(place).unwrap_or(u32::MAX),
            agreement: comparison.agreement.ok(),
            incomparable: comparison.agreement.err(),
            unchanged_for_nbdime: cell.is_unchanged_for_nbdime,
            stderr_agreement: comparison.stderr,
            difference: difference.map(|difference| difference.kind),
            place: difference.map(nbrevive_compare::FirstDifference::place),
            saved: difference.map(|difference| difference.saved.clone()),
            new: difference.map(|difference| difference.new.clone()),
            chance_signs: of(&self.ours),
            paper_signs: of(&self.paper),
        }
    }
}
