//! A linear model over facts: one weight for each label that a fact speaks for or against.
//!
//! `data/crash-model.tsv` has it, written by `cargo run --release -p nbrevive-diagnosis --example crash_labels -- train SHEET`.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::evidence::Evidence;

/// The weights of one dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearModel {
    /// The labels, in the order of the weights.
    pub(super) labels: Vec<String>,
    /// What each label has before any fact is known.
    pub(super) bias: Vec<f32>,
    /// By fact.
    pub(super) weights: HashMap<String, Vec<f32>, RandomState>,
}

/// What a model says of one crash.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelPrediction {
    /// Each label with its probability, the likeliest first; equals in the order of the labels.
    pub ranked: Vec<(String, f32)>,
    /// The facts that spoke most for the first over the second, the strongest first.
    pub because: Vec<String>,
}

/// Facts that are told as reasons.
const MOST_REASONS: usize = 3;

impl LinearModel {
    /// Whether the model has learnt of a fact.
    #[must_use]
    pub fn knows(&self, fact: &str) -> bool {
        self.weights.contains_key(fact)
    }

    /// The probabilities of the labels.
    #[must_use]
    pub fn predict(&self, evidence: &Evidence) -> LabelPrediction {
        let known: Vec<(&str, &[f32])> =
            evidence.facts().filter_map(|fact| Some((fact, self.weights.get(fact)?.as_slice()))).collect();
        let mut scores = self.bias.clone();
        for (_, weights) in &known {
            scores.iter_mut().zip(*weights).for_each(|(score, weight)| *score += weight);
        }
        softmax(&mut scores);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let because = match order[..] {
            [first, second, ..] => reasons(&known, first, second),
            _ => Vec::new(),
        };
        let ranked = order.into_iter().map(|label| (self.labels[label].clone(), scores[label])).collect();
        LabelPrediction { ranked, because }
    }
}

fn reasons(known: &[(&str, &[f32])], first: usize, second: usize) -> Vec<String> {
    let mut speaking: Vec<(f32, &str)> = known
        .iter()
        .map(|(fact, weights)| (weights[first] - weights[second], *fact))
        .filter(|(gain, _)| *gain > 0.0)
        .collect();
    speaking.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    speaking.into_iter().take(MOST_REASONS).map(|(_, fact)| fact.to_owned()).collect()
}

pub(super) fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// The models by dimension, as they are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Models(HashMap<String, LinearModel>);

/// Those that come with the program.
pub(super) static MODELS: LazyLock<Models> = LazyLock::new(|| Models::read(include_str!("../../data/crash-model.tsv")));

/// Weights are stored in hundredths.
const SCALE: f32 = 100.0;

impl Models {
    /// The model of a dimension.
    #[must_use]
    pub fn of(&self, dimension: &str) -> Option<&LinearModel> {
        self.0.get(dimension)
    }

    /// Adds or replaces the model of a dimension.
    pub fn insert(&mut self, dimension: &str, model: LinearModel) {
        self.0.insert(dimension.to_owned(), model);
    }

    /// Reads what [`Models::written`] wrote: our own data, so that a wrong number is zero.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut models = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(dimension), Some(fact)) = (fields.next(), fields.next()) else { continue };
            let model = models.0.entry(dimension.to_owned()).or_default();
            let numbers = |fields: std::str::Split<'_, char>| -> Vec<f32> {
                fields.map(|number| number.parse().unwrap_or(0.0) / SCALE).collect()
            };
            match fact {
                "(labels)" => model.labels = fields.map(str::to_owned).collect(),
                "(bias)" => model.bias = numbers(fields),
                _ => drop(model.weights.insert(fact.to_owned(), numbers(fields))),
            }
        }
        models
    }

    /// The models as lines of dimension, fact and weights, sorted.
    #[must_use]
    pub fn written(&self) -> String {
        let mut lines = Vec::new();
        for (dimension, model) in &self.0 {
            let row = |weights: &[f32]| {
                let fields: Vec<String> = weights.iter().map(|weight| format!("{:.0}", weight * SCALE)).collect();
                fields.join("\t")
            };
            lines.push(format!("{dimension}\t(labels)\t{}\n", model.labels.join("\t")));
            lines.push(format!("{dimension}\t(bias)\t{}\n", row(&model.bias)));
            // A fact that moves nothing by a twentieth is left out.
            let telling = model.weights.iter().filter(|(_, weights)| weights.iter().any(|weight| weight.abs() >= 0.05));
            lines.extend(telling.map(|(fact, weights)| format!("{dimension}\t{fact}\t{}\n", row(weights))));
        }
        lines.sort_unstable();
        lines.concat()
    }
}
