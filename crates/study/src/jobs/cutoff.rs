//! The token cut-off: notebooks whose source and errors are too long for a prompt are no subjects of modernization (paper,
//! section 4, "Subjects").
//!
//! Counted are the code cells as they were executed at baseline, joined by line ends, and the tracebacks of that execution.

use std::sync::{Arc, Mutex};

use nbrevive_corpus::{Condition, SelectedNotebook, content_hash};
use nbrevive_files::unpoisoned;
use nbrevive_model::Encoding;
use nbrevive_notebook::percent;
use nbrevive_store::{Store, StoreError, executions, outcomes};

use crate::environments::installs::take_installs;
use crate::settings::token_cutoff::Cutoff;
use crate::{Beside, Study};

/// One version whose length counts.
#[derive(Debug, Clone)]
pub struct Member {
    slug: String,
    selected: Arc<SelectedNotebook>,
}

impl Member {
    /// A version by its slug, with its notebook.
    #[must_use]
    pub fn new(slug: &str, selected: &Arc<SelectedNotebook>) -> Self {
        Self { slug: slug.to_owned(), selected: Arc::clone(selected) }
    }
}

/// Whether a version is too long.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Length {
    /// It is not.
    Fits,
    /// It is; the sentence says how much.
    TooLong(String),
    /// The percentile is not known before every version of the study has been executed at baseline.
    Undecided,
}

/// Decides who is too long, for one study.
#[derive(Debug)]
pub(crate) struct Gate<'a> {
    cutoff: Cutoff,
    encoding: Encoding,
    /// Whose executions say how long the errors are.
    baseline: Condition,
    pool: &'a [Member],
    /// The percentile in tokens, once every version of the pool is known.
    threshold: Mutex<Option<f64>>,
}

/// Hands the store out for a moment, so that nobody waits for it while tokens are counted.
pub(crate) type Reader<'a> = &'a dyn Fn(&mut dyn FnMut(&Store) -> Result<(), StoreError>) -> Result<(), StoreError>;

impl<'a> Gate<'a> {
    /// A gate for the versions of `pool`.
    pub(crate) fn of(study: &Study, pool: &'a [Member]) -> Self {
        let (cutoff, encoding, baseline) = (study.token_cutoff, study.token_encoding, study.baseline_condition());
        Self { cutoff, encoding, baseline, pool, threshold: Mutex::new(None) }
    }

    /// Whether `member` is too long.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn length(&self, member: &Member, reader: Reader<'_>) -> Result<Length, StoreError> {
        let limit = match self.cutoff {
            Cutoff::None => return Ok(Length::Fits),
            Cutoff::Tokens(tokens) => tokens as f64,
            Cutoff::Percentile(percentile) => match self.percentile(percentile, reader)? {
                Some(limit) => limit,
                None => return Ok(Length::Undecided),
            },
        };
        let Some(text) = prompt_text(member, self.baseline, reader)? else { return Ok(Length::Fits) };
        // A token has one byte at least: most texts need no counting.
        if text.len() as f64 <= limit {
            return Ok(Length::Fits);
        }
        let tokens = self.encoding.count(&text);
        let too_long = || {
            let cutoff = match self.cutoff {
                Cutoff::Percentile(_) => format!("{limit:.1} ({})", self.cutoff),
                _ => self.cutoff.to_string(),
            };
            Length::TooLong(format!(
                "{tokens} tokens ({}) of source and errors, the cut-off is {cutoff}",
                self.encoding
            ))
        };
        Ok(if tokens as f64 > limit { too_long() } else { Length::Fits })
    }

    /// The percentile of the pool's lengths; `None` while some version has no baseline execution.
    fn percentile(&self, percentile: f64, reader: Reader<'_>) -> Result<Option<f64>, StoreError> {
        let mut threshold = unpoisoned(self.threshold.lock());
        if threshold.is_some() {
            return Ok(*threshold);
        }
        let mut counts = Vec::with_capacity(self.pool.len());
        for member in self.pool {
            let Some(text) = prompt_text(member, self.baseline, reader)? else { return Ok(None) };
            counts.push(self.encoding.count(&text) as f64);
        }
        *threshold = nbrevive_stats::quantile(&counts, percentile / 100.0).ok();
        Ok(*threshold)
    }
}

/// What a prompt holds of a version: its code and the errors of its baseline execution; `None` when it has none.
fn prompt_text(member: &Member, baseline: Condition, reader: Reader<'_>) -> Result<Option<String>, StoreError> {
    let notebook = take_installs(&member.selected.notebook, &Beside::default()).notebook;
    let code_hash = content_hash(percent::render(&notebook).as_bytes());
    let mut errors = None;
    reader(&mut |store| {
        let outcome = outcomes::find(store, &member.slug, baseline)?;
        if let Some(environment) = outcome.and_then(|outcome| outcome.environment) {
            errors = executions::errors_of(store, &member.slug, &code_hash, &environment)?;
        }
        Ok(())
    })?;
    Ok(errors.map(|errors| {
        let mut parts = notebook.code_sources();
        parts.extend(errors.iter().map(String::as_str));
        parts.join("\n")
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PAPER_CUTOFF;

    #[test]
    fn no_bundled_notebook_comes_near_the_cutoff() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/notebooks");
        let versions = nbrevive_corpus::load_versions(&folder).unwrap();
        let tokens = |version: &nbrevive_corpus::Version| {
            let selected = nbrevive_corpus::select(&version.path).unwrap();
            Encoding::O200k.count(&selected.notebook.code_sources().join("\n")) as u64
        };
        let longest = versions.iter().map(tokens).max().unwrap();
        // What is left to the cut-off holds more tracebacks than a notebook of this length has cells.
        assert!((500..PAPER_CUTOFF / 3).contains(&longest), "{longest}");
    }
}
