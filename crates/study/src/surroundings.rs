//! What a notebook's own text says of the environment that it was written for.

use jiff::Timestamp;
use nbrevive_environment::Needs;
use nbrevive_environment::interpreter::python_at;
use nbrevive_notebook::{Notebook, python_major_hint};
use nbrevive_pysource::dialect::{Major, dialect};
use nbrevive_pysource::imports::{imports, written_modules};

use crate::Plan;
use crate::jobs::PlannedJob;
use crate::laboratory::Laboratory;

/// What the backport condition goes by: the notebook's needs and its date.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Imports, dialect and the notebook's own pins.
    pub needs: Needs,
    /// When it was submitted.
    pub submitted: Timestamp,
}

impl Surroundings {
    /// Reads a notebook. `pins` are the requirements of its own install lines.
    #[must_use]
    pub fn of(notebook: &Notebook, pins: &[String], submitted: Timestamp) -> Self {
        let cells = notebook.code_sources();
        let written = written_modules(&cells);
        let dialect = dialect(&cells);
        let mut modules: Vec<String> = imports(&cells)
            .into_iter()
            .map(|import| format!("{}{}", ".".repeat(import.level as usize), import.module))
            .filter(|module| !written.iter().any(|own| module.split('.').next() == Some(own)))
            .collect();
        modules.sort();
        modules.dedup();
        // Code that both can run says nothing; then what the file says of its kernel decides.
        let undecided = dialect.why.is_empty();
        let major = match python_major_hint(notebook).filter(|_| undecided) {
            Some(major) => major,
            None => match dialect.major {
                Major::Two => 2,
                Major::Three => 3,
            },
        };
        let needs = Needs { imports: modules, major, minimum_minor: dialect.minimum_minor, pins: pins.to_vec() };
        Surroundings { needs, submitted }
    }
}

/// One sentence for each Python that open backport jobs need and this machine lacks, so that it is known before the run starts.
#[must_use]
pub fn missing_interpreters(laboratory: &Laboratory, plan: &Plan) -> Vec<String> {
    let mut missing = std::collections::BTreeMap::<String, (usize, String)>::new();
    let backports = |planned: &&PlannedJob| {
        planned.state.is_open() && planned.job.condition == nbrevive_corpus::Condition::Backport
    };
    for planned in plan.jobs.iter().filter(backports) {
        let job = &planned.job;
        let surroundings = Surroundings::of(&job.selected.notebook, &[], job.version.submitted);
        let needs = &surroundings.needs;
        let Some(choice) = python_at(surroundings.submitted, needs.major, needs.minimum_minor) else { continue };
        if let Err(error) = laboratory.interpreters().find(choice.minor) {
            missing.entry(choice.minor.to_string()).or_insert((0, error.to_string())).0 += 1;
        }
    }
    let sentence = |(minor, (count, error)): (String, (usize, String))| {
        format!("no interpreter: {count} backport jobs need Python {minor} and will be `failed`: {error}")
    };
    missing.into_iter().map(sentence).collect()
}
