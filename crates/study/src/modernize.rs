//! The modernize condition: the loop of the paper's section 3.1 with its providers, and its account.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_corpus::{Direction, Failure, FlowState, Verdict};
use nbrevive_notebook::Notebook;
use nbrevive_repair::{Assessment, CellFeedback, Modernization, Provider, Rules, Settings, Subject, modernize};
use nbrevive_store::fixes::FixRow;

use crate::laboratory::Prepared;

/// What a notebook is to reach.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The target score; without one the goal is to run without errors.
    pub target: Option<f64>,
    /// Which way the metric points.
    pub direction: Direction,
    /// When it was submitted, where known.
    pub submitted: Option<Timestamp>,
    /// The largest number of fixes.
    pub max_fixes: u32,
}

/// What the loop came to.
pub struct Modernized {
    /// The last code that ran, with its fixes.
    pub inner: Modernization,
    /// Why the loop ended, in words.
    pub end: &'static str,
}

/// What one execution came to: its verdict and the errors of its cells.
pub type Judged = (Verdict, Vec<CellFeedback>);

/// Runs the loop from an execution that has been judged; `run` executes and judges what is proposed.
///
/// # Errors
/// Whatever `run` returns.
pub fn modernize_with<E>(
    notebook: &Notebook,
    start: Judged,
    environment: &Prepared,
    goal: &Goal,
    run: &mut dyn FnMut(&Notebook) -> Result<Judged, E>,
) -> Result<Modernized, E> {
    let subject = Subject {
        target: goal.target,
        higher_is_better: goal.direction == Direction::Maximize,
        python: environment.minor(),
        packages: environment.packages.clone(),
        submitted: goal.submitted.map(|instant| instant.to_zoned(TimeZone::UTC).date()),
    };
    let settings = Settings { max_fixes: goal.max_fixes as usize, ..Settings::default() };
    let mut providers: Vec<Box<dyn Provider>> = vec![Box::new(Rules)];
    let first = assessment(start);
    let mut run = |notebook: &Notebook| run(notebook).map(assessment);
    let inner = modernize(notebook, first, &subject, &settings, &mut providers, &mut run)?;
    let end = inner.end.describe();
    Ok(Modernized { inner, end })
}

fn assessment((verdict, errors): Judged) -> Assessment {
    Assessment {
        reproducible: verdict.outcome.is_reproducible(),
        timed_out: verdict.failure == Some(Failure::Timeout),
        failed: verdict.failure.is_some_and(|failure| failure != Failure::Timeout),
        errors,
        score: verdict.score,
        no_score: verdict.output_reason,
        ..Assessment::default()
    }
}

impl Modernized {
    /// The fixes as rows; `verdicts` are those of the executions after each fix, in order.
    #[must_use]
    pub fn rows(&self, verdicts: &[Verdict]) -> Vec<FixRow> {
        let pairs = self.inner.fixes.iter().zip(verdicts);
        pairs
            .map(|(fix, verdict)| FixRow {
                number: u32::try_from(fix.number).unwrap_or(u32::MAX),
                fix_type: fix.fix_type,
                provider: fix.provider.clone(),
                rules: rule_names(&fix.applied),
                plan: fix.plan.clone(),
                patch: fix.patch.clone(),
                similarity_to_previous: fix.similarity_to_previous,
                similarity_to_original: fix.similarity_to_original,
                led_to: FlowState::of(verdict.outcome, verdict.failure),
                led_to_failure_cause: verdict.failure_cause.clone(),
            })
            .collect()
    }
}

fn rule_names(applied: &[nbrevive_repair::AppliedRule]) -> String {
    let mut names: Vec<&str> = applied.iter().map(|rule| rule.rule.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(",")
}
