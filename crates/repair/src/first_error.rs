//! Rules and tools for one error at a time (paper, section 5.1).

use std::collections::BTreeSet;

use crate::{Feedback, FixType, PatchProvider, Proposal, Proposer, ProviderError, fix_type};

/// A provider that is shown the first failing cell's error alone, and changes nothing behind that cell.
///
/// It is what a model gets at cell level, so that the ablation compares like with like. Timeouts and drifted scores concern
/// the whole notebook, as there.
#[derive(Debug, Clone, Copy)]
pub struct FirstError<P>(pub P);

impl<P: PatchProvider> PatchProvider for FirstError<P> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn proposer(&self) -> Proposer {
        self.0.proposer()
    }

    fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
        self.propose_without(feedback, &BTreeSet::new())
    }

    fn propose_without(
        &mut self,
        feedback: &Feedback<'_>,
        rules: &BTreeSet<String>,
    ) -> Result<Option<Proposal>, ProviderError> {
        let first = feedback.errors.iter().map(|error| error.cell).min();
        let Some(cell) = first.filter(|_| fix_type(feedback) == FixType::ErrorRepair) else {
            return self.0.propose_without(feedback, rules);
        };
        let mut shown = feedback.clone();
        shown.errors.retain(|error| error.cell == cell);
        Ok(self.0.propose_without(&shown, rules)?.and_then(|proposal| up_to(cell, proposal, feedback)))
    }
}

/// The proposal without its changes behind `cell`; `None` when nothing is left of it.
fn up_to(cell: usize, mut proposal: Proposal, feedback: &Feedback<'_>) -> Option<Proposal> {
    // Cells that a rule moved or added have no place of their own any more: such a proposal is taken whole.
    if proposal.notebook.cells.len() == feedback.notebook.cells.len() {
        let later = cell + 1..proposal.notebook.cells.len();
        proposal.notebook.cells[later.clone()].clone_from_slice(&feedback.notebook.cells[later]);
        proposal.applied.retain(|applied| applied.cell <= cell);
    }
    (proposal.notebook != *feedback.notebook).then_some(proposal)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use nbrevive_notebook::{Cell, Notebook};

    use super::*;
    use crate::{CellFeedback, Rules};

    #[test]
    fn one_cell_is_mended_at_a_time() {
        let cells =
            ["import pandas as pd\ndf = pd.DataFrame({'a': [1]})", "df.as_matrix()", "df.ix[0]\ndf.as_matrix()"];
        let notebook = Notebook::from_cells(cells.into_iter().map(Cell::code).collect());
        let error = |cell, name: &str| CellFeedback {
            cell,
            ename: "AttributeError".to_owned(),
            evalue: format!("'DataFrame' object has no attribute '{name}'"),
            traceback: String::new(),
            line: Some(1),
        };
        let packages = BTreeMap::from([("pandas".to_owned(), "2.2.3".to_owned())]);
        let feedback = Feedback::of_errors(&notebook, vec![error(1, "as_matrix"), error(2, "ix")], &packages);
        let whole = Rules.propose(&feedback).unwrap();
        assert!(whole.notebook.cells[2].source != cells[2], "at file level both cells are mended");
        let one = FirstError(Rules).propose(&feedback).unwrap().unwrap();
        assert_ne!(one.notebook.cells[1].source, cells[1]);
        assert_eq!(one.notebook.cells[2].source, cells[2]);
        assert!(one.applied.iter().all(|applied| applied.cell == 1), "{:?}", one.applied);
    }
}
