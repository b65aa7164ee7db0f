//! What is known of a notebook apart from its executions, and what one of them came to.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use nbrevive_notebook::{CellFacts, Notebook, PythonVersion};

use crate::{CellFeedback, CellOutput, Feedback, FlowState, Ran};

/// What is known of a notebook apart from its executions.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// The score to reach, where there is one.
    pub target: Option<f64>,
    /// Direction of the metric.
    pub higher_is_better: bool,
    /// The interpreter's major and minor version.
    pub python: PythonVersion,
    /// Installed distributions and their versions.
    pub packages: BTreeMap<String, String>,
    /// The day of submission.
    pub submitted: Option<Date>,
    /// The last day on which all that it uses was there; see [`nbrevive_rules::census::written_span`].
    pub last_day: Option<Date>,
    /// Names of the files and folders that every execution finds, in lower case, where they are known.
    pub files: Option<BTreeSet<String>>,
}

impl Subject {
    /// Whether the goal is reached: `δs <= τ`, which the caller judged, or without a target an execution to the end in
    /// which no cell raised.
    #[must_use]
    pub fn is_reached(&self, last: &Assessment) -> bool {
        let ran_through = last.errors.is_empty() && !last.timed_out && !last.failed;
        last.reproducible || (self.target.is_none() && ran_through)
    }

    /// What an execution of `notebook` tells the one who is to mend it.
    #[must_use]
    pub fn feedback<'a>(&'a self, notebook: &'a Notebook, last: &'a Assessment) -> Feedback<'a> {
        Feedback {
            notebook,
            errors: last.errors.clone(),
            timed_out: last.timed_out,
            score: last.score,
            target: self.target,
            higher_is_better: self.higher_is_better,
            python: self.python,
            packages: &self.packages,
            submitted: self.submitted,
            last_day: self.last_day,
            barred: BTreeSet::new(),
            ran: Ran {
                seconds: last.seconds,
                failed: last.failed,
                no_score: last.no_score.as_deref(),
                outputs: &last.outputs,
                facts: &last.facts,
                files: self.files.as_ref(),
            },
        }
    }
}

/// What one execution came to, judged by the caller.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assessment {
    /// The goal is reached: `δs <= τ`, or no error where there is no target.
    pub reproducible: bool,
    /// The wall-clock limit ended the execution.
    pub timed_out: bool,
    /// The executed notebook could not be saved (kernel died, out of memory, …).
    pub failed: bool,
    /// Errors in the order of the cells.
    pub errors: Vec<CellFeedback>,
    /// The reproduced score, when there was a valid submission.
    pub score: Option<f64>,
    /// Why there is no score, as the grader says it.
    pub no_score: Option<String>,
    /// Seconds that the cells took, where known.
    pub seconds: Option<f64>,
    /// What the cells printed, where a model is to see it.
    pub outputs: Vec<CellOutput>,
    /// What the names in cells that raised held.
    pub facts: Vec<CellFacts>,
}

impl Assessment {
    /// The state in which this execution left the notebook.
    #[must_use]
    pub fn state(&self) -> FlowState {
        match (self.reproducible, self.errors.is_empty()) {
            (true, true) => FlowState::ErrorFreeReproducible,
            (true, false) => FlowState::ErrorReproducible,
            _ if self.timed_out => FlowState::Timeout,
            _ if self.failed => FlowState::Failed,
            (false, true) => FlowState::ErrorFreeNonReproducible,
            (false, false) => FlowState::ErrorNonReproducible,
        }
    }
}
