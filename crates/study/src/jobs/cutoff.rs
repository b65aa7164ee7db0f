//! The token cut-off: notebooks whose source and errors are too long for a prompt are no subjects of modernization (paper,
//! section 4, "Subjects").
//!
//! Counted are the code cells as they were executed at baseline, joined by line ends, and the tracebacks of that execution.

use std::fmt;
use std::sync::{Arc, Mutex};

use nbrevive_corpus::{Condition, SelectedNotebook, content_hash};
use nbrevive_files::unpoisoned;
use nbrevive_notebook::percent;
use nbrevive_store::{Store, StoreError, executions, outcomes};
use nbrevive_tokens::Encoding;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use crate::environments::installs::take_installs;
use crate::{Beside, Study};

/// The cut-off that the paper came to, in tokens (section 4).
pub const PAPER_CUTOFF: u64 = 13_485;

/// From which length on a notebook is left out: `token_cutoff` of `study.toml`, a number of tokens, `"percentile-95"` or `"none"`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cutoff {
    /// No notebook is too long.
    None,
    /// Notebooks with more tokens than this are left out; the paper's 13,485 by default.
    Tokens(u64),
    /// Notebooks above this percentile of all the study's notebooks are left out.
    ///
    /// The population is every version with a baseline execution, reproducible or not: the paper takes "all notebooks", and its
    /// cut-off removes 472 of the 7,874 that do not reproduce, which is 6.0 % and not the 5 % that their own percentile would remove.
    Percentile(f64),
}

impl Default for Cutoff {
    fn default() -> Self {
        Self::Tokens(PAPER_CUTOFF)
    }
}

impl fmt::Display for Cutoff {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("none"),
            Self::Tokens(tokens) => write!(formatter, "{tokens}"),
            Self::Percentile(percentile) => write!(formatter, "percentile-{percentile}"),
        }
    }
}

impl<'de> Deserialize<'de> for Cutoff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CutoffVisitor)
    }
}

struct CutoffVisitor;

impl Visitor<'_> for CutoffVisitor {
    type Value = Cutoff;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number of tokens above 0, \"percentile-95\" or \"none\"")
    }

    fn visit_u64<E: Error>(self, tokens: u64) -> Result<Cutoff, E> {
        if tokens == 0 {
            return Err(E::invalid_value(serde::de::Unexpected::Unsigned(tokens), &self));
        }
        Ok(Cutoff::Tokens(tokens))
    }

    fn visit_i64<E: Error>(self, tokens: i64) -> Result<Cutoff, E> {
        match u64::try_from(tokens) {
            Ok(tokens) => self.visit_u64(tokens),
            Err(_) => Err(E::invalid_value(serde::de::Unexpected::Signed(tokens), &self)),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cutoff, E> {
        let percentile = || text.strip_prefix("percentile-")?.parse::<f64>().ok();
        match percentile() {
            _ if text == "none" => Ok(Cutoff::None),
            Some(percentile) if percentile > 0.0 && percentile < 100.0 => Ok(Cutoff::Percentile(percentile)),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }
}

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

    fn parse(value: &str) -> Result<Cutoff, String> {
        #[derive(Deserialize)]
        struct File {
            token_cutoff: Cutoff,
        }
        let file = toml::from_str::<File>(&format!("token_cutoff = {value}\n"));
        file.map(|file| file.token_cutoff).map_err(|error| error.to_string())
    }

    #[test]
    fn a_cutoff_is_a_number_a_percentile_or_none() {
        assert_eq!(parse("13485"), Ok(Cutoff::default()));
        assert_eq!(parse("\"percentile-95\""), Ok(Cutoff::Percentile(95.0)));
        assert_eq!(parse("\"none\""), Ok(Cutoff::None));
        for wrong in
            ["0", "-5", "\"percentile-0\"", "\"percentile-100\"", "\"percentile-nan\"", "\"95\"", "1.5", "true"]
        {
            let error = parse(wrong).unwrap_err();
            assert!(error.contains("a number of tokens above 0, \"percentile-95\" or \"none\""), "{wrong}: {error}");
        }
    }

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

    #[test]
    fn what_is_written_reads_back() {
        for cutoff in [Cutoff::Percentile(97.5), Cutoff::None] {
            assert_eq!(parse(&format!("\"{cutoff}\"")), Ok(cutoff));
        }
        assert_eq!(parse(&Cutoff::Tokens(5).to_string()), Ok(Cutoff::Tokens(5)));
    }
}
