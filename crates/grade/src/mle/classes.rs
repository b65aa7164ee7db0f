//! Labels of rows, as scikit-learn 1.5 takes them.

use std::collections::HashSet;
use std::hash::Hash;

use crate::mle::column::Column;

/// The labels of some rows: numbers and truth values by value, text as it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Labels<'c> {
    Numbers(Vec<i128>),
    Texts(Vec<&'c str>),
}

/// Does the same with the labels of both sides where both are numbers or both text; else something else.
macro_rules! with_both {
    ($own:expr, $other:expr, $metric:expr, $else:expr) => {
        match ($own, $other) {
            (Labels::Numbers(own), Labels::Numbers(other)) => $metric(own, other),
            (Labels::Texts(own), Labels::Texts(other)) => $metric(own, other),
            _ => $else,
        }
    };
}
pub(crate) use with_both;

impl<'c> Labels<'c> {
    /// The labels of these rows of a column.
    ///
    /// # Errors
    /// The row that scikit-learn does not take for a label: a number that is missing, has a fraction or is beyond 64 bits, or
    /// a missing text.
    pub(crate) fn of(column: &'c Column, rows: impl Iterator<Item = usize>) -> Result<Self, usize> {
        Ok(match column {
            Column::Whole(values) => Labels::Numbers(rows.map(|row| values[row].into()).collect()),
            Column::Large(values) => Labels::Numbers(rows.map(|row| values[row].into()).collect()),
            Column::Truth(values) => Labels::Numbers(rows.map(|row| values[row].into()).collect()),
            Column::Numbers(values) => {
                Labels::Numbers(rows.map(|row| integral(values[row]).ok_or(row)).collect::<Result<_, _>>()?)
            }
            // Objects that are no text.
            Column::Flags(_) => return Err({ rows }.next().unwrap_or(0)),
            Column::Text(texts) => Labels::Texts(rows.map(|row| texts.get(row).ok_or(row)).collect::<Result<_, _>>()?),
        })
    }

    /// Whether there are more than two classes.
    pub(crate) fn are_many(&self) -> bool {
        fn many<T: Eq + Hash>(labels: &[T]) -> bool {
            let mut seen = HashSet::new();
            labels.iter().any(|label| seen.insert(label) && seen.len() > 2)
        }
        match self {
            Labels::Numbers(labels) => many(labels),
            Labels::Texts(labels) => many(labels),
        }
    }

    /// Whether a row is of the second of two classes; none where there are not two.
    pub(crate) fn positives(&self) -> Option<Vec<bool>> {
        fn positives<T: Ord>(labels: &[T]) -> Option<Vec<bool>> {
            let (first, second) = (labels.iter().min()?, labels.iter().max()?);
            let both = first != second && labels.iter().all(|label| label == first || label == second);
            both.then(|| labels.iter().map(|label| label == second).collect())
        }
        match self {
            Labels::Numbers(labels) => positives(labels),
            Labels::Texts(labels) => positives(labels),
        }
    }
}

/// A number that is whole and fits 64 bits.
fn integral(value: f64) -> Option<i128> {
    is_integral(value).then_some(value as i128)
}

/// Whether numpy leaves a number as it is when it makes a whole one of 64 bits of it.
pub(crate) fn is_integral(value: f64) -> bool {
    /// The first number beyond `i64`.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    value.fract() == 0.0 && (-BEYOND..BEYOND).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(column: &Column, rows: usize) -> Result<Labels<'_>, usize> {
        Labels::of(column, 0..rows)
    }

    #[test]
    fn numbers_are_labels_where_they_are_whole() {
        let floats = Column::Numbers(vec![1.0, -0.0, 7.0]);
        let whole = Column::Whole(vec![1, 0, 3]);
        assert_eq!(labels(&floats, 2), labels(&whole, 2));
        assert!(labels(&floats, 3).unwrap().are_many() && !labels(&floats, 2).unwrap().are_many());
        for bad in [0.5, f64::NAN, f64::INFINITY, 1e19] {
            assert_eq!(labels(&Column::Numbers(vec![2.0, bad]), 2).unwrap_err(), 1, "{bad}");
        }
        assert_eq!(labels(&Column::Flags(vec![Some(true), None]), 2).unwrap_err(), 0);
    }

    #[test]
    fn the_second_of_two_classes_is_positive() {
        let column = Column::Whole(vec![-1, 0, 0]);
        assert_eq!(labels(&column, 3).unwrap().positives(), Some(vec![false, true, true]));
        assert_eq!(labels(&column, 1).unwrap().positives(), None);
        assert_eq!(labels(&Column::Whole(vec![1, 2, 3]), 3).unwrap().positives(), None);
    }
}
