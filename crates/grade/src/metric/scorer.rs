//! How target columns are scored whose contents a competition states.

use std::ops::RangeInclusive;

use nbrevive_corpus::Prediction;

use crate::cell::Label;

/// The function of a metric, by what it needs the target columns to hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scorer {
    /// One column of labels.
    Labels(fn(&[Label], &[Label]) -> f64),
    /// One column of whole numbers as labels; `None` where the labels are too few.
    WholeLabels(fn(&[i128], &[i128]) -> Option<f64>),
    /// The mean over columns of yes and no, predicted by numbers.
    Positives(fn(&[bool], &[f64]) -> f64),
    /// A column of probabilities for each class.
    Classes(fn(&[usize], &[Vec<f64>]) -> f64),
    /// The mean over columns of numbers.
    Numbers(fn(&[f64], &[f64]) -> f64),
    /// The mean over columns of numbers of 0 or more.
    NotNegative(fn(&[f64], &[f64]) -> f64),
}

impl Scorer {
    /// Whether it can score target columns that hold `prediction`.
    pub(crate) const fn accepts(self, prediction: Prediction) -> bool {
        match prediction {
            Prediction::Label => match self {
                Self::Labels(_) | Self::WholeLabels(_) => true,
                Self::Classes(_) | Self::Positives(_) | Self::Numbers(_) | Self::NotNegative(_) => false,
            },
            Prediction::Probability => match self {
                Self::Classes(_) | Self::Positives(_) | Self::Numbers(_) => true,
                Self::Labels(_) | Self::WholeLabels(_) | Self::NotNegative(_) => false,
            },
            Prediction::Value => match self {
                Self::Positives(_) | Self::Numbers(_) | Self::NotNegative(_) => true,
                Self::Labels(_) | Self::WholeLabels(_) | Self::Classes(_) => false,
            },
        }
    }

    /// How many target columns it can score.
    pub(crate) const fn targets(self) -> RangeInclusive<usize> {
        match self {
            Self::Labels(_) | Self::WholeLabels(_) => 1..=1,
            Self::Classes(_) => 2..=usize::MAX,
            Self::Positives(_) | Self::Numbers(_) | Self::NotNegative(_) => 1..=usize::MAX,
        }
    }

    /// Whether the numbers of a row are shares of its classes, which sum to 1.
    pub(crate) const fn takes_shares(self) -> bool {
        match self {
            Self::Classes(_) => true,
            Self::Labels(_) | Self::WholeLabels(_) | Self::Positives(_) | Self::Numbers(_) | Self::NotNegative(_) => {
                false
            }
        }
    }

    /// Whether it has a value where numbers are below 0.
    pub(crate) const fn takes_negatives(self) -> bool {
        match self {
            Self::NotNegative(_) => false,
            Self::Labels(_) | Self::WholeLabels(_) | Self::Positives(_) | Self::Classes(_) | Self::Numbers(_) => true,
        }
    }
}
