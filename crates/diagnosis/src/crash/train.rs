//! Fits a linear model to labelled crashes: logistic regression of several labels, with weights held small.

use std::collections::HashMap;

use super::evidence::Evidence;
use super::model::{LinearModel, softmax};

/// How a model is fitted.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// How much large weights cost: the penalty's factor, in crashes.
    pub penalty: f32,
    /// A fact that fewer crashes have is left out.
    pub least_crashes: usize,
    /// Steps of descent.
    pub steps: usize,
}

impl Default for Training {
    fn default() -> Self {
        Self { penalty: 4.0, least_crashes: 2, steps: 150 }
    }
}

/// A crash with the indices of its facts and its label.
struct Row {
    facts: Vec<usize>,
    label: usize,
}

impl Training {
    /// Fits a model to crashes and their labels. The same crashes always give the same model.
    #[must_use]
    pub fn fit(&self, crashes: &[(&Evidence, &str)]) -> LinearModel {
        let mut labels: Vec<String> = crashes.iter().map(|(_, label)| (*label).to_owned()).collect();
        labels.sort_unstable();
        labels.dedup();
        let facts = self.facts(crashes);
        let index: HashMap<&str, usize> = facts.iter().enumerate().map(|(index, fact)| (*fact, index)).collect();
        let rows: Vec<Row> = crashes
            .iter()
            .map(|(evidence, label)| Row {
                facts: evidence.facts().filter_map(|fact| index.get(fact).copied()).collect(),
                label: labels.binary_search_by(|known| known.as_str().cmp(label)).unwrap_or(0),
            })
            .collect();
        let weights = self.descend(&rows, facts.len(), labels.len());
        let (bias, weights) = weights.split_at(labels.len());
        let by_fact = facts.iter().zip(weights.chunks(labels.len().max(1)));
        LinearModel {
            bias: bias.to_vec(),
            weights: by_fact.map(|(fact, weights)| ((*fact).to_owned(), weights.to_vec())).collect(),
            labels,
        }
    }

    /// The facts that enough crashes have, sorted.
    fn facts<'crash>(&self, crashes: &[(&'crash Evidence, &str)]) -> Vec<&'crash str> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for fact in crashes.iter().flat_map(|(evidence, _)| evidence.facts()) {
            *counts.entry(fact).or_default() += 1;
        }
        let mut facts: Vec<&str> =
            counts.into_iter().filter(|(_, count)| *count >= self.least_crashes).map(|(fact, _)| fact).collect();
        facts.sort_unstable();
        facts
    }

    /// Nesterov's accelerated descent on the mean loss; the bias, in front, costs nothing.
    fn descend(&self, rows: &[Row], facts: usize, labels: usize) -> Vec<f32> {
        let size = (facts + 1) * labels;
        let (mut weights, mut ahead) = (vec![0.0_f32; size], vec![0.0_f32; size]);
        // The loss curves at most this much: a crash's facts, and one for the bias, over two.
        let steepest = rows.iter().map(|row| row.facts.len() + 1).max().unwrap_or(1) as f32 / 2.0;
        let many = rows.len().max(1) as f32;
        let rate = 1.0 / (steepest / 4.0 + self.penalty / many);
        for step in 0..self.steps {
            let mut slope = self.slope(rows, &ahead, labels);
            let momentum = step as f32 / (step as f32 + 3.0);
            for ((weight, ahead), slope) in weights.iter_mut().zip(&mut ahead).zip(&mut slope) {
                let next = *ahead - rate * *slope;
                *ahead = next + momentum * (next - *weight);
                *weight = next;
            }
        }
        weights
    }

    fn slope(&self, rows: &[Row], weights: &[f32], labels: usize) -> Vec<f32> {
        let many = rows.len().max(1) as f32;
        let mut slope: Vec<f32> = weights.iter().map(|weight| self.penalty / many * weight).collect();
        slope[..labels].fill(0.0);
        let mut scores = vec![0.0_f32; labels];
        for row in rows {
            let places = || std::iter::once(0).chain(row.facts.iter().map(|fact| (fact + 1) * labels));
            scores.fill(0.0);
            for place in places() {
                scores.iter_mut().zip(&weights[place..]).for_each(|(score, weight)| *score += weight);
            }
            softmax(&mut scores);
            scores[row.label] -= 1.0;
            for place in places() {
                slope[place..].iter_mut().zip(&scores).for_each(|(slope, score)| *slope += score / many);
            }
        }
        slope
    }
}
