//! The outputs of one cell beside those of another run.

mod bundle;
mod json;
mod mime;
mod shown;
mod text;

use nbrevive_notebook::{Cell, CellKind, Output};
use serde::Serialize;

use crate::agreement::{Agreement, Incomparable};
use crate::comparer::OutputComparer;
use crate::difference::{DifferenceKind, FirstDifference, differ};
pub use shown::{ShownOutput, shown_outputs};
use text::{Judged, TextKind, judge};

/// What comes of comparing a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellComparison {
    /// The strictest level at which all outputs agree, or why the cell cannot be compared.
    pub agreement: Result<Agreement, Incomparable>,
    /// The level of each pair of outputs, after streams were merged and stderr taken out; shorter where one side has no counterpart.
    pub outputs: Vec<Agreement>,
    /// What kept the cell from the next stricter level; `None` when it agrees exactly or is not compared.
    pub difference: Option<FirstDifference>,
    /// How far what was written to stderr agrees, warnings among it; `None` when neither run wrote any. It does not count for the cell.
    pub stderr: Option<Agreement>,
}

impl OutputComparer {
    /// Compares a saved code cell with the same cell of a new run. Cells that are not code are cells without outputs.
    #[must_use]
    pub fn cells(&self, saved: &Cell, new: &Cell) -> CellComparison {
        let mut compared = self.outputs(saved.outputs(), new.outputs());
        let is_run = !matches!(&new.kind, CellKind::Code { execution_count: None, outputs } if outputs.is_empty());
        if compared.agreement.is_ok() && !is_run {
            compared = CellComparison {
                agreement: Err(Incomparable::NotRun),
                outputs: Vec::new(),
                difference: None,
                ..compared
            };
        }
        compared
    }

    /// Compares the outputs of a cell. `saved` decides whether there is anything to compare: see [`Incomparable`].
    #[must_use]
    pub fn outputs(&self, saved: &[Output], new: &[Output]) -> CellComparison {
        let ((saved, old_errors), (new, new_errors)) = (shown_outputs(saved), shown_outputs(new));
        let stderr = (!(old_errors.is_empty() && new_errors.is_empty()))
            .then(|| judge(&old_errors, &new_errors, TextKind::Plain, &self.tolerance).0);
        let incomparable = |why| CellComparison { agreement: Err(why), outputs: Vec::new(), difference: None, stderr };
        if saved.iter().any(|shown| matches!(shown, ShownOutput::Raised { .. })) {
            return incomparable(Incomparable::ErrorSaved);
        }
        if saved.is_empty() {
            return incomparable(Incomparable::NothingSaved);
        }
        let (outputs, difference) = self.all(&saved, &new);
        let level = if difference.is_none() { Agreement::Exact } else { worst(&outputs, &saved, &new) };
        CellComparison { agreement: Ok(level), outputs, difference, stderr }
    }

    /// Whether both end in the same exception: its class, and its message as far as the level `value` asks. `None` where one of them
    /// ends in none.
    #[must_use]
    pub fn same_error(&self, saved: &[Output], new: &[Output]) -> Option<bool> {
        let raised = |outputs: &[Output]| {
            outputs.iter().find_map(|output| match output {
                Output::Error { ename, evalue, .. } => Some((ename.clone(), evalue.clone())),
                _ => None,
            })
        };
        let ((old, before), (now, after)) = (raised(saved)?, raised(new)?);
        let alike = || judge(&before, &after, TextKind::Plain, &self.tolerance).0.holds_at(Agreement::Value);
        Some(old == now && alike())
    }

    /// Each pair of outputs, and the first difference of the one that agrees least.
    fn all(&self, saved: &[ShownOutput<'_>], new: &[ShownOutput<'_>]) -> (Vec<Agreement>, Option<FirstDifference>) {
        let mut found: Option<(Agreement, FirstDifference)> = None;
        let mut levels = Vec::with_capacity(saved.len());
        if let Some(raised) = raised(new) {
            return (levels, Some(raised));
        }
        for (index, (old, now)) in saved.iter().zip(new).enumerate() {
            let ((level, place), mime) = self.pair(old, now);
            levels.push(level);
            if let Some(place) = place
                && found.as_ref().is_none_or(|(before, _)| level > *before)
            {
                found = Some((level, place.at(index, mime.as_deref())));
            }
        }
        let is_different = found.as_ref().is_some_and(|(level, _)| *level == Agreement::Different);
        match unpaired(saved, new).filter(|_| !is_different) {
            Some(difference) => (levels, Some(difference)),
            None => (levels, found.map(|(_, difference)| difference)),
        }
    }

    fn pair(&self, saved: &ShownOutput<'_>, new: &ShownOutput<'_>) -> (Judged, Option<String>) {
        match (saved, new) {
            (ShownOutput::Printed(old), ShownOutput::Printed(now)) => {
                (judge(old, now, TextKind::Plain, &self.tolerance), None)
            }
            (ShownOutput::Bundle { data: old, is_result: before }, ShownOutput::Bundle { data: now, is_result }) => {
                let ((level, place), mime) = bundle::judge_bundles(old, now, self);
                if level == Agreement::Exact && before != is_result {
                    // Shown by the last expression or by a call: the reader sees the same.
                    return (
                        (Agreement::Normalized, differ(DifferenceKind::OutputType, kind(saved), kind(new)).err()),
                        None,
                    );
                }
                ((level, place), mime)
            }
            _ => ((Agreement::Different, differ(DifferenceKind::OutputType, kind(saved), kind(new)).err()), None),
        }
    }
}

fn kind(shown: &ShownOutput<'_>) -> &'static str {
    match shown {
        ShownOutput::Printed(_) => "stream",
        ShownOutput::Bundle { is_result: true, .. } => "execute_result",
        ShownOutput::Bundle { is_result: false, .. } => "display_data",
        ShownOutput::Raised { .. } => "error",
    }
}

fn worst(outputs: &[Agreement], saved: &[ShownOutput<'_>], new: &[ShownOutput<'_>]) -> Agreement {
    if saved.len() != new.len() || outputs.len() != saved.len() {
        return Agreement::Different;
    }
    outputs.iter().copied().max().unwrap_or(Agreement::Exact)
}

/// The exception that ends the new cell.
fn raised(new: &[ShownOutput<'_>]) -> Option<FirstDifference> {
    let found = new.iter().enumerate().find_map(|(index, shown)| match shown {
        ShownOutput::Raised { name, message } => Some((index, format!("{name}: {message}"))),
        _ => None,
    });
    let (index, text) = found?;
    Some(differ(DifferenceKind::Raised, "", &text).err()?.at(index, None))
}

/// The first output that has no counterpart.
fn unpaired(saved: &[ShownOutput<'_>], new: &[ShownOutput<'_>]) -> Option<FirstDifference> {
    let index = saved.len().min(new.len());
    let text = |shown: &ShownOutput<'_>| match shown {
        ShownOutput::Printed(text) => text.clone(),
        other => kind(other).to_owned(),
    };
    let differing = match (saved.get(index), new.get(index)) {
        (Some(old), _) => differ(DifferenceKind::MissingOutput, &text(old), ""),
        (None, Some(now)) => differ(DifferenceKind::ExtraOutput, "", &text(now)),
        (None, None) => return None,
    };
    Some(differing.err()?.at(index, None))
}
