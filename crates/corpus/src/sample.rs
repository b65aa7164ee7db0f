//! Samples of a corpus that is too large to run whole: stratified ones that stand for it, and smoke subsets that are quick.
//!
//! ```
//! use nbrevive_corpus::sample::{By, Item, SampleRequest, stratified};
//!
//! let items: Vec<Item> = (0..100)
//!     .map(|number| Item {
//!         key: format!("owner/notebook-{number}#1"),
//!         competition: Some(if number < 80 { "titanic" } else { "digits" }.to_owned()),
//!         ..Item::default()
//!     })
//!     .collect();
//! let request = SampleRequest { by: vec![By::Competition], seed: 7, ..SampleRequest::of(10) };
//! let sample = stratified(&items, &request)?;
//! assert_eq!(sample.to_string(), "stratum  population  sample\ndigits           20       2\ntitanic          80       8");
//! # Ok::<(), nbrevive_corpus::sample::DrawError>(())
//! ```
//!
//! Parts: `allocation` says how many of each stratum, `order` which ones. The order inside a stratum is a hash of seed and natural
//! key, and a sample takes its beginning: so it depends neither on the order of the input nor on anything else in the corpus but the
//! sizes of the strata, and a corpus that grows by a little changes its sample by a little.

mod allocation;
mod order;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Outcome;
use nbrevive_spelling::string_enum;
use order::position;

string_enum! {
    /// By what a sample is stratified.
    pub enum By ("stratification") {
        /// The competition.
        Competition => "competition",
        /// The year of submission, in UTC.
        Year => "year",
        /// The outcome of an earlier run.
        Outcome => "outcome",
    }
}

/// One version that may be drawn. What is `None` forms a stratum of its own, `unknown`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    /// Its natural key, unique in the corpus.
    pub key: String,
    /// Its competition.
    pub competition: Option<String>,
    /// The year of its submission.
    pub year: Option<i16>,
    /// Its outcome in an earlier run.
    pub outcome: Option<Outcome>,
    /// Seconds that its run took, for [`smoke`].
    pub run_seconds: Option<f64>,
}

/// What sample is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleRequest {
    /// How many versions; all of them where the corpus has fewer.
    pub size: usize,
    /// By what it is stratified, each combination being a stratum; a simple random sample when empty.
    #[serde(default)]
    pub by: Vec<By>,
    /// Another seed gives another sample.
    #[serde(default)]
    pub seed: u64,
    /// Whether every stratum gets one version at least, where the size allows; true by default, so that no competition is missing
    /// from a small sample.
    #[serde(default = "yes")]
    pub at_least_one: bool,
}

const fn yes() -> bool {
    true
}

impl SampleRequest {
    /// A simple random sample of this size, with seed 0.
    #[must_use]
    pub const fn of(size: usize) -> Self {
        Self { size, by: Vec::new(), seed: 0, at_least_one: true }
    }
}

/// What was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The keys that were drawn, sorted.
    pub keys: Vec<String>,
    /// Every stratum, by name.
    pub strata: Vec<Stratum>,
}

/// One stratum and what it gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stratum {
    /// Its name: the values by which the sample is stratified, in their order, joined by ` / `.
    pub name: String,
    /// How many versions of the corpus are in it.
    pub population: usize,
    /// How many of them were drawn.
    pub sample: usize,
}

/// Why no sample can be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// Two versions share a key, so that which one is drawn would be chance.
    #[error("version `{key}` stands twice in the corpus: a sample needs each once")]
    Duplicate {
        /// The key.
        key: String,
    },
}

/// Draws a stratified sample: proportional to the strata's sizes by largest remainder, and inside each by seed.
///
/// # Errors
/// When a key stands twice.
pub fn stratified(items: &[Item], request: &SampleRequest) -> Result<Sample, DrawError> {
    check_unique(items)?;
    let mut strata: BTreeMap<String, Vec<&Item>> = BTreeMap::new();
    for item in items {
        strata.entry(stratum_name(item, &request.by)).or_default().push(item);
    }
    let populations: Vec<usize> = strata.values().map(Vec::len).collect();
    let shares = allocation::shares(&populations, request.size, request.at_least_one);
    let mut sample = Sample { keys: Vec::new(), strata: Vec::new() };
    for ((name, mut members), share) in strata.into_iter().zip(shares) {
        members.sort_by_cached_key(|item| position(request.seed, &item.key));
        sample.keys.extend(members.iter().take(share).map(|item| item.key.clone()));
        sample.strata.push(Stratum { name, population: members.len(), sample: share });
    }
    sample.keys.sort();
    Ok(sample)
}

/// The keys of a subset of `size` that runs quickly, sorted: the quickest version of each competition first, then the second of each,
/// and so on; within a round the quicker ones. Versions of unknown run time come last.
///
/// # Errors
/// When a key stands twice.
pub fn smoke(items: &[Item], size: usize) -> Result<Vec<String>, DrawError> {
    check_unique(items)?;
    let seconds = |item: &Item| item.run_seconds.filter(|seconds| *seconds >= 0.0).unwrap_or(f64::INFINITY);
    let quicker = |a: &&Item, b: &&Item| seconds(a).total_cmp(&seconds(b)).then_with(|| a.key.cmp(&b.key));
    let mut sorted: Vec<&Item> = items.iter().collect();
    sorted.sort_by(quicker);
    let mut rounds: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, &Item)> = sorted
        .into_iter()
        .map(|item| {
            let round = rounds.entry(item.competition.as_deref()).or_default();
            *round += 1;
            (*round, item)
        })
        .collect();
    // Stable: inside a round the quicker ones stay in front.
    ranked.sort_by_key(|(round, _)| *round);
    let mut keys: Vec<String> = ranked.into_iter().take(size).map(|(_, item)| item.key.clone()).collect();
    keys.sort();
    Ok(keys)
}

fn check_unique(items: &[Item]) -> Result<(), DrawError> {
    let mut seen = BTreeSet::new();
    match items.iter().find(|item| !seen.insert(item.key.as_str())) {
        Some(item) => Err(DrawError::Duplicate { key: item.key.clone() }),
        None => Ok(()),
    }
}

/// The name of the stratum that a version falls into: see [`Stratum::name`].
#[must_use]
pub fn stratum_name(item: &Item, by: &[By]) -> String {
    let unknown = || "unknown".to_owned();
    let value = |by: &By| match by {
        By::Competition => item.competition.clone().unwrap_or_else(unknown),
        By::Year => item.year.map_or_else(unknown, |year| year.to_string()),
        By::Outcome => item.outcome.map_or_else(unknown, |outcome| outcome.to_string()),
    };
    if by.is_empty() { "all".to_owned() } else { by.iter().map(value).collect::<Vec<_>>().join(" / ") }
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.strata.iter().map(|stratum| stratum.name.chars().count()).max().unwrap_or(0).max(7);
        write!(formatter, "{:<width$}{:>12}{:>8}", "stratum", "population", "sample")?;
        for stratum in &self.strata {
            write!(formatter, "\n{:<width$}{:>12}{:>8}", stratum.name, stratum.population, stratum.sample)?;
        }
        Ok(())
    }
}
