//! The least patch: of a patch that brought a notebook back, the hunks without which it does not come back.
//!
//! Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE Transactions on Software
//! Engineering 28, 2002): the algorithm *ddmin* over the hunks of a line diff of the percent cells. What is tested is whether
//! the notebook with a subset of the hunks still does what the whole patch does, as an oracle says. The result is 1-minimal:
//! without any single one of its hunks the notebook does not. It need not be the smallest of all.

pub(crate) mod ddmin;
pub(crate) mod hunks;

use nbrevive_notebook::percent::{self, PercentError};
use nbrevive_notebook::{Notebook, percent::render};
use nbrevive_stats::edit_similarity;
use serde::{Deserialize, Serialize};

use crate::patch::unified_diff;
use ddmin::{Search, ddmin};
use hunks::Hunks;

/// The most executions that a minimization may cost, unless told.
pub const DEFAULT_MAX_EXECUTIONS: usize = 48;

/// Limits of a minimization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinimizeSettings {
    /// The most questions to the oracle, [`DEFAULT_MAX_EXECUTIONS`] unless told.
    pub max_executions: usize,
}

impl Default for MinimizeSettings {
    fn default() -> Self {
        Self { max_executions: DEFAULT_MAX_EXECUTIONS }
    }
}

/// The least patch that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastPatch {
    /// The original with the hunks that are left.
    pub notebook: Notebook,
    /// Unified diff of the percent text against the original.
    pub patch: String,
    /// The whole patch in the same form, to be compared.
    pub whole_patch: String,
    /// Hunks of the whole patch.
    pub hunks_before: usize,
    /// Hunks that are left.
    pub hunks_after: usize,
    /// Edit similarity to the original, 0 to 1.
    pub similarity_to_original: f64,
    /// How often the oracle was asked.
    pub executions: usize,
    /// Whether no single hunk can be left out; false when the executions were used up before that was known.
    pub is_minimal: bool,
}

/// Why there is no least patch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MinimizeError {
    /// The original does not survive its own percent form, so that hunks would not be changes of it.
    #[error("the notebook does not survive its percent form: {0}")]
    NotInPercentForm(PercentError),
    /// The oracle says no to the whole patch.
    #[error("the whole patch does not bring the notebook back: run it again before it is minimized")]
    WholePatchFails,
    /// The limit allows not even to test the whole patch.
    #[error("a minimization needs at least one execution: raise the limit")]
    NoExecutions,
}

/// The least part of the change from `original` to `modernized` for which `is_reproducible` holds.
///
/// The oracle is asked first about the whole patch, then about subsets of its hunks, each at most once. A subset whose text
/// is no notebook counts as not reproducible without being executed.
///
/// # Errors
///
/// [`MinimizeError`] when the whole patch fails, or cannot be tested.
pub fn minimize(
    original: &Notebook,
    modernized: &Notebook,
    settings: &MinimizeSettings,
    is_reproducible: &mut dyn FnMut(&Notebook) -> bool,
) -> Result<LeastPatch, MinimizeError> {
    let before = render(original);
    percent::parse(&before).map_err(MinimizeError::NotInPercentForm)?;
    let after = render(modernized);
    let hunks = Hunks::between(&before, &after);
    if settings.max_executions == 0 {
        return Err(MinimizeError::NoExecutions);
    }
    if !is_reproducible(modernized) {
        return Err(MinimizeError::WholePatchFails);
    }
    let mut search = Search::new(settings.max_executions - 1, |kept: &[usize]| {
        let notebook = percent::parse(&hunks.apply(kept)).ok().map(|cells| percent::apply(original, cells));
        notebook.map(|notebook| is_reproducible(&notebook))
    });
    let all: Vec<usize> = (0..hunks.len()).collect();
    let found = ddmin(all, &mut search);
    let executions = search.asked() + 1;
    let text = hunks.apply(&found.kept);
    let cells = percent::parse(&text).map_err(MinimizeError::NotInPercentForm)?;
    // With all hunks it is the modernized notebook itself, metadata included.
    let notebook = if found.kept.len() == hunks.len() { modernized.clone() } else { percent::apply(original, cells) };
    Ok(LeastPatch {
        patch: unified_diff(&before, &text),
        whole_patch: unified_diff(&before, &after),
        hunks_before: hunks.len(),
        hunks_after: found.kept.len(),
        similarity_to_original: edit_similarity(&before, &text),
        notebook,
        executions,
        is_minimal: found.is_minimal,
    })
}

#[cfg(test)]
mod tests;
