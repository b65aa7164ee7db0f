//! What an execution tells the one who is to mend the notebook (paper, section 3.2).

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use nbrevive_notebook::{CellFacts, CellFeedback, Notebook, PythonVersion};
use serde::{Deserialize, Serialize};

use nbrevive_corpus::FixType;

/// What one cell printed or showed as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellOutput {
    /// Index in [`Notebook::cells`], counted from 0 over cells of every kind.
    pub cell: usize,
    /// Its text outputs in order, pictures and tables in other forms left out.
    pub text: String,
}

/// What else an execution told (paper, section 3.2: outputs, runtime, and why there is no score).
#[derive(Debug, Clone, Copy, Default)]
pub struct Ran<'a> {
    /// Seconds that the cells took, where known.
    pub seconds: Option<f64>,
    /// True when the kernel did not live to the end.
    pub failed: bool,
    /// Why there is no score, as the grader says it.
    pub no_score: Option<&'a str>,
    /// Text outputs in the order of the cells.
    pub outputs: &'a [CellOutput],
    /// What the names in cells that raised held.
    pub facts: &'a [CellFacts],
    /// Names of the files and folders that the notebook found when it was started, in lower case; `None` where they
    /// are not known.
    pub files: Option<&'a BTreeSet<String>>,
}

/// Everything a provider may use for its next proposal.
#[derive(Debug, Clone)]
pub struct Feedback<'a> {
    /// The notebook that was executed.
    pub notebook: &'a Notebook,
    /// Its errors in the order of the cells.
    pub errors: Vec<CellFeedback>,
    /// True when the wall-clock limit ended the execution.
    pub timed_out: bool,
    /// The reproduced score, when a submission could be graded.
    pub score: Option<f64>,
    /// The score that the notebook got when it was submitted.
    pub target: Option<f64>,
    /// Direction of the metric.
    pub higher_is_better: bool,
    /// The interpreter's major and minor version.
    pub python: PythonVersion,
    /// Installed distributions (normalised names) and their versions. An absent one counts as new.
    pub packages: &'a BTreeMap<String, String>,
    /// The day of submission; rules that restore an old default need it.
    pub submitted: Option<Date>,
    /// The last day on which all that the notebook uses was there, where some of it is gone.
    pub last_day: Option<Date>,
    /// Rules that are not asked again in a cell, by its index: what they did there made a cell raise that ran before.
    pub barred: BTreeSet<(String, usize)>,
    /// What else the execution told; [`Ran::default`] where nothing is known.
    pub ran: Ran<'a>,
}

impl<'a> Feedback<'a> {
    /// The feedback of an execution of which only the errors are known: on Python 3.12, without score, target or date.
    #[must_use]
    pub fn of_errors(
        notebook: &'a Notebook,
        errors: Vec<CellFeedback>,
        packages: &'a BTreeMap<String, String>,
    ) -> Self {
        Self {
            notebook,
            errors,
            timed_out: false,
            score: None,
            target: None,
            higher_is_better: true,
            python: PythonVersion::new(3, 12),
            packages,
            submitted: None,
            last_day: None,
            barred: BTreeSet::new(),
            ran: Ran::default(),
        }
    }
}

/// The issue that the workflow detects (section 3.1): a timeout first, then errors, then a silent deviation.
///
/// A kernel that died raised no exception, and yet it is an error and no drift of a score: it is `error-repair`, which
/// the paper leaves open.
#[must_use]
pub fn fix_type(feedback: &Feedback<'_>) -> FixType {
    if feedback.timed_out {
        FixType::RuntimeReduction
    } else if feedback.errors.is_empty() && !feedback.ran.failed {
        FixType::ScoreCalibration
    } else {
        FixType::ErrorRepair
    }
}
