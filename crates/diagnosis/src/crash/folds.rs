//! How well labels are predicted for notebooks that were not learnt from: folds by notebook, and what is counted over them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nbrevive_stats::{Interval, Random, cohens_kappa};

/// A crash's true and predicted label, and the notebook that it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedLabel {
    /// The notebook.
    pub notebook: String,
    /// The label that people gave.
    pub truth: String,
    /// The label that was predicted.
    pub predicted: String,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelScore {
    /// The share of right labels.
    pub accuracy: f64,
    /// The mean of F1 over the labels that people gave, in the order of [`Confusion::labels`]; those that nobody gave have none.
    pub macro_f1: f64,
    /// Cohen's kappa; 0 where it has no value.
    pub kappa: f64,
}

/// Counts by true label (rows) and predicted one (columns).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// The labels of both, sorted.
    pub labels: Vec<String>,
    /// The counts.
    pub counts: Vec<Vec<u64>>,
}

/// The fold of each notebook, from 0: all crashes of a notebook are in one, and folds have nearly as many notebooks.
#[must_use]
pub fn folds<'name>(
    notebooks: impl IntoIterator<Item = &'name str>,
    folds: usize,
    seed: u64,
) -> HashMap<&'name str, usize> {
    let distinct: BTreeSet<&str> = notebooks.into_iter().collect();
    let mut order: Vec<&str> = distinct.into_iter().collect();
    let mut random = Random::stream(seed, 0);
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place as u64 + 1) as usize);
    }
    order.into_iter().enumerate().map(|(place, notebook)| (notebook, place % folds.max(1))).collect()
}

impl Confusion {
    /// Counts the pairs.
    #[must_use]
    pub fn of(judged: &[JudgedLabel]) -> Self {
        let labels: BTreeSet<&str> =
            judged.iter().flat_map(|one| [one.truth.as_str(), one.predicted.as_str()]).collect();
        let index: BTreeMap<&str, usize> = labels.iter().zip(0..).map(|(label, index)| (*label, index)).collect();
        let mut counts = vec![vec![0; labels.len()]; labels.len()];
        for one in judged {
            counts[index[one.truth.as_str()]][index[one.predicted.as_str()]] += 1;
        }
        Self { labels: labels.into_iter().map(str::to_owned).collect(), counts }
    }

    /// Accuracy, macro F1 and kappa.
    #[must_use]
    pub fn score(&self) -> LabelScore {
        let size = self.labels.len();
        let row = |label: usize| self.counts[label].iter().sum::<u64>() as f64;
        let column = |label: usize| self.counts.iter().map(|row| row[label]).sum::<u64>() as f64;
        let hit = |label: usize| self.counts[label][label] as f64;
        let total: f64 = (0..size).map(row).sum();
        let given: Vec<usize> = (0..size).filter(|&label| row(label) > 0.0).collect();
        let f1 = |&label: &usize| 2.0 * hit(label) / (row(label) + column(label));
        LabelScore {
            accuracy: (0..size).map(hit).sum::<f64>() / total.max(1.0),
            macro_f1: given.iter().map(f1).sum::<f64>() / given.len().max(1) as f64,
            kappa: cohens_kappa(&self.counts).unwrap_or(0.0),
        }
    }
}

/// 95 % intervals of accuracy, macro F1 and kappa, by drawing notebooks with replacement (percentiles of `draws` samples).
#[must_use]
pub fn intervals(judged: &[JudgedLabel], draws: usize, seed: u64) -> [Interval; 3] {
    let mut by_notebook: BTreeMap<&str, Vec<&JudgedLabel>> = BTreeMap::new();
    judged.iter().for_each(|one| by_notebook.entry(&one.notebook).or_default().push(one));
    let notebooks: Vec<Vec<&JudgedLabel>> = by_notebook.into_values().collect();
    let mut samples: [Vec<f64>; 3] = [const { Vec::new() }; 3];
    for draw in 0..draws {
        let mut random = Random::stream(seed, draw as u64);
        let chosen = (0..notebooks.len()).flat_map(|_| &notebooks[random.below(notebooks.len() as u64) as usize]);
        let sample: Vec<JudgedLabel> = chosen.map(|one| (*one).clone()).collect();
        let score = Confusion::of(&sample).score();
        for (values, value) in samples.iter_mut().zip([score.accuracy, score.macro_f1, score.kappa]) {
            values.push(value);
        }
    }
    samples.map(|mut values| {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((values.len() as f64 * share) as usize).copied().unwrap_or(0.0);
        Interval { lower: at(0.025), upper: at(0.975) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(pairs: &[(&str, &str)]) -> Vec<JudgedLabel> {
        let one = |(number, (truth, predicted)): (usize, &(&str, &str))| JudgedLabel {
            notebook: (number / 2).to_string(),
            truth: (*truth).to_owned(),
            predicted: (*predicted).to_owned(),
        };
        pairs.iter().enumerate().map(one).collect()
    }

    #[test]
    fn scores_are_those_of_the_definitions() {
        let score = Confusion::of(&judged(&[("a", "a"), ("a", "b"), ("b", "b"), ("b", "c")])).score();
        assert!((score.accuracy - 0.5).abs() < 1e-12);
        // a: 2/3, b: 2·1/(2+2).
        assert!((score.macro_f1 - (2.0 / 3.0 + 0.5) / 2.0).abs() < 1e-12);
        // By chance: a 1/2·1/4, b 1/2·1/2.
        assert!((score.kappa - (0.5 - 0.375) / 0.625).abs() < 1e-12);
    }

    #[test]
    fn a_notebook_is_in_one_fold_and_folds_are_alike_in_size() {
        let names: Vec<String> = (0..23).map(|number| number.to_string()).collect();
        let of = folds(names.iter().map(String::as_str), 5, 1);
        let size = |fold: usize| of.values().filter(|found| **found == fold).count();
        assert!((0..5).all(|fold| (4..=5).contains(&size(fold))) && of.len() == 23);
        assert_ne!(of, folds(names.iter().map(String::as_str), 5, 2));
    }

    #[test]
    fn intervals_hold_the_score() {
        let many: Vec<(&str, &str)> =
            (0..200).map(|number| if number % 3 == 0 { ("a", "b") } else { ("b", "b") }).collect();
        let [accuracy, ..] = intervals(&judged(&many), 200, 1);
        assert!(
            accuracy.lower < 0.665 && 0.665 < accuracy.upper && accuracy.upper - accuracy.lower < 0.2,
            "{accuracy:?}"
        );
    }
}
