//! The condition that runs nothing: what a notebook's code says of itself (ReNote, Fig. 2a).

#![deny(clippy::wildcard_enum_match_arm)]

use nbrevive_corpus::{Executability, RunEnd, judge};
use nbrevive_diagnosis::code::{CodeCategory, CodeDiagnosis};
use nbrevive_notebook::Notebook;
use nbrevive_store::executability::ExecutabilityRow;
use nbrevive_store::loops::LoopRows;
use nbrevive_store::outcomes::OutcomeRow;

use crate::Job;
use crate::conditions::{Done, Runner};
use crate::jobs::cell_orders::ordered;

impl Runner<'_> {
    /// The outcome of a job that only looks at the code.
    pub(crate) fn code_alone(&self, job: &Job) -> Done {
        let notebook = ordered(job.selected.notebook.clone(), &job.order);
        let found = CodeDiagnosis::of_notebook(&notebook);
        let end = RunEnd::NotRun(found.category.as_str().to_owned());
        let verdict = judge(&self.facts(job, end, 0, None));
        let reason = found.surest().map_or_else(
            || found.why.clone().unwrap_or_else(|| "its code shows nothing that would stop it".to_owned()),
            ToString::to_string,
        );
        let outcome = OutcomeRow { reason, ..self.outcome_without_run(job, verdict) };
        let executability = Some(expected(&notebook, &found, job.code_cells()));
        Done { outcome, rows: LoopRows { executability, ..LoopRows::default() } }
    }
}

/// How a run is expected to stop. Nothing ran, so that no cell counts as one that did.
fn expected(notebook: &Notebook, found: &CodeDiagnosis, code_cells: u32) -> ExecutabilityRow {
    let (executability, first_error) = match found.category {
        CodeCategory::DefinedLater | CodeCategory::Undefined => (Executability::NameError, Some("NameError")),
        CodeCategory::Indentation => (Executability::OtherError, Some("IndentationError")),
        CodeCategory::Syntax | CodeCategory::Python2 => (Executability::OtherError, Some("SyntaxError")),
        CodeCategory::Unreadable
        | CodeCategory::OtherLanguage
        | CodeCategory::NoCode
        | CodeCategory::Empty
        | CodeCategory::Clear => (Executability::NotRun, None),
    };
    let places: Vec<usize> = notebook.code_cells().map(|(place, _)| place).collect();
    let cell = found.surest().and_then(|finding| places.get(finding.cell));
    ExecutabilityRow {
        executability,
        first_error_cell: cell.and_then(|place| u32::try_from(*place).ok()),
        first_error: first_error.map(str::to_owned),
        ..ExecutabilityRow::without_run(executability, code_cells)
    }
}
