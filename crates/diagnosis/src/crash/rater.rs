//! Labels of raters: what each wrote, how far they agree, and what a review changed (section 3.5, Table 6).

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_stats::{CountsError, cohens_kappa, fleiss_kappa};
use serde::{Deserialize, Serialize};

use super::label::{BugKind, ExceptionType, Label, RootCause, Stage};

/// What a rater saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RaterLabels {
    /// Who.
    pub rater: String,
    /// One a crash.
    pub labels: Vec<RatedCrash>,
}

/// A crash as a rater labelled it: words of the scheme or others, empty where nothing was said yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RatedCrash {
    /// The id in the sheet.
    pub id: String,
    /// The refined exception type.
    pub exception_type: String,
    /// Why it crashed.
    pub root_cause: String,
    /// Whether it is a bug of machine learning.
    pub ml_bug: String,
    /// The stage of the pipeline.
    pub pipeline_stage: String,
    /// Why it is no crash at all, and is left out (section 3.5 leaves out four); empty for a crash.
    pub excluded: String,
    /// Anything else.
    pub note: String,
    /// How long the rater looked at it, in seconds.
    pub seconds: f64,
}

/// The dimensions of Table 5 in its order, as columns of sheets.
pub const DIMENSIONS: [&str; 4] =
    [ExceptionType::DIMENSION, RootCause::DIMENSION, BugKind::DIMENSION, Stage::DIMENSION];

/// The column of a sheet, and the field of a saved file, that says why a row is no crash.
pub const EXCLUDED: &str = "excluded";

impl RatedCrash {
    /// Whether the rater says that it is no crash.
    #[must_use]
    pub fn is_excluded(&self) -> bool {
        !self.excluded.trim().is_empty()
    }

    /// The words in the order of [`DIMENSIONS`].
    #[must_use]
    pub fn words(&self) -> [&str; 4] {
        let Self { exception_type, root_cause, ml_bug, pipeline_stage, .. } = self;
        [exception_type, root_cause, ml_bug, pipeline_stage].map(|word| word.trim())
    }
}

/// How far raters agree on a dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct RaterAgreement {
    /// The dimension.
    pub dimension: &'static str,
    /// Crashes that all of them labelled.
    pub crashes: usize,
    /// Those that all of them labelled alike; of a labelling and its review the others are what was changed.
    pub alike: usize,
    /// Cohen's kappa of each pair, by the places of both.
    pub pairs: Vec<([usize; 2], Result<f64, CountsError>)>,
    /// Fleiss' kappa of all.
    pub all: Result<f64, CountsError>,
}

/// The agreement on each dimension; new categories count as any other.
#[must_use]
pub fn agreement(raters: &[RaterLabels]) -> Vec<RaterAgreement> {
    (0..DIMENSIONS.len()).map(|dimension| of_dimension(raters, dimension)).collect()
}

fn of_dimension(raters: &[RaterLabels], dimension: usize) -> RaterAgreement {
    let words: Vec<BTreeMap<&str, &str>> = raters.iter().map(|rater| words_of(rater, dimension)).collect();
    let first = words.first().into_iter().flat_map(BTreeMap::keys);
    let items: Vec<Vec<&str>> =
        first.filter_map(|id| words.iter().map(|words| words.get(id).copied()).collect()).collect();
    let categories: BTreeSet<&str> = items.iter().flatten().copied().collect();
    let place = |word: &str| categories.iter().position(|category| *category == word).expect("it was collected");
    let pairs = (0..raters.len()).flat_map(|one| (one + 1..raters.len()).map(move |other| [one, other]));
    let cohen = |[one, other]: [usize; 2]| {
        let mut counts = vec![vec![0; categories.len()]; categories.len()];
        items.iter().for_each(|item| counts[place(item[one])][place(item[other])] += 1);
        cohens_kappa(&counts)
    };
    let ratings = items.iter().map(|item| {
        let mut counts = vec![0; categories.len()];
        item.iter().for_each(|word| counts[place(word)] += 1);
        counts
    });
    RaterAgreement {
        dimension: DIMENSIONS[dimension],
        crashes: items.len(),
        alike: items.iter().filter(|item| item.iter().all(|word| *word == item[0])).count(),
        pairs: pairs.map(|pair| (pair, cohen(pair))).collect(),
        all: fleiss_kappa(&ratings.collect::<Vec<_>>()),
    }
}

/// The words of a rater by crash; those that are empty are left out, and so is what the rater says is no crash.
fn words_of(rater: &RaterLabels, dimension: usize) -> BTreeMap<&str, &str> {
    let crashes = rater.labels.iter().filter(|crash| !crash.is_excluded());
    let labels = crashes.map(|crash| (crash.id.as_str(), crash.words()[dimension]));
    labels.filter(|(_, word)| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rater(causes: &[&str]) -> RaterLabels {
        let crash = |(number, cause): (usize, &&str)| RatedCrash {
            id: number.to_string(),
            root_cause: (*cause).to_owned(),
            ..RatedCrash::default()
        };
        RaterLabels { rater: "a".to_owned(), labels: causes.iter().enumerate().map(crash).collect() }
    }

    #[test]
    fn kappas_are_those_of_a_published_example() {
        // Cohen 1960's form with 20, 5, 10 and 15 of 50: 0.4.
        let (mut one, mut other) = (vec!["NB"; 25], vec!["NB"; 20]);
        one.extend(["DATA"; 25]);
        other.extend(["DATA"; 5]);
        other.extend(["NB"; 10]);
        other.extend(["DATA"; 15]);
        let raters = [rater(&one), rater(&other)];
        let found = &agreement(&raters)[1];
        assert_eq!((found.dimension, found.crashes, found.alike), ("root_cause", 50, 35));
        assert!((found.pairs[0].1.unwrap() - 0.4).abs() < 1e-12);
        // Scott's pi of the same, which Fleiss' kappa of two is: chance is (0.55^2 + 0.45^2).
        assert!((found.all.unwrap() - (0.7 - 0.505) / 0.495).abs() < 1e-12);
    }

    #[test]
    fn what_one_did_not_label_is_left_out_and_new_categories_count() {
        let raters = [rater(&["NB", "cosmic", "", "API"]), rater(&["NB", "cosmic", "NB"])];
        let found = &agreement(&raters)[1];
        assert_eq!((found.crashes, found.alike), (2, 2));
        assert_eq!(found.all, Ok(1.0));
        let mut without = raters.clone();
        without[1].labels[0].excluded = "raised to print".to_owned();
        assert_eq!(agreement(&without)[1].crashes, 1, "what is no crash has no label to agree on");
        assert_eq!(agreement(&raters)[0].all, Err(CountsError::TooSmall { rows: 0, columns: 0 }));
        assert_eq!(agreement(&[]).len(), 4);
    }
}
