//! Pearson's chi-squared test of a table of counts.

use crate::counts::{CountsError, sums};
use crate::normal::chi_squared_tail;

/// The result of a chi-squared test.
#[derive(Debug, Clone, PartialEq)]
pub struct ChiSquared {
    /// The sum of `(observed - expected)^2 / expected`.
    pub statistic: f64,
    /// The degrees of freedom.
    pub degrees: u64,
    /// The p-value of the hypothesis that rows and columns are independent.
    pub p_value: f64,
    /// The counts that independence would lead to expect, by row.
    pub expected: Vec<Vec<f64>>,
    /// Each cell's deviation from independence in standard deviations, by row: beyond 2 or 3 it stands out.
    pub adjusted_residuals: Vec<Vec<f64>>,
    /// How strongly rows and columns depend on each other: Cramér's V, from 0 to 1.
    pub cramers_v: f64,
}

/// Pearson's chi-squared test of independence, without Yates' correction.
///
/// Pearson, Philosophical Magazine 50, 1900; adjusted residuals by Haberman, Biometrics 29, 1973; V by Cramér,
/// Mathematical Methods of Statistics, 1946, section 21.9, without correction for bias. Assumes independent observations
/// and is good where few expected counts are below 5, which the caller sees in `expected`.
///
/// # Errors
/// When the table has fewer than 2 rows or columns, is ragged, or a row or column counts nothing.
pub fn chi_squared(table: &[Vec<u64>]) -> Result<ChiSquared, CountsError> {
    let (rows, columns) = sums(table)?;
    if let Some(row) = rows.iter().position(|&sum| sum == 0) {
        return Err(CountsError::EmptyRow { row });
    }
    if let Some(column) = columns.iter().position(|&sum| sum == 0) {
        return Err(CountsError::EmptyColumn { column });
    }
    let total = rows.iter().map(|&sum| sum as f64).sum::<f64>();
    let expected = each_cell(&rows, &columns, |_, _, row, column| row * column / total);
    let adjusted_residuals = each_cell(&rows, &columns, |i, j, row, column| {
        let deviation = table[i][j] as f64 - expected[i][j];
        deviation / (expected[i][j] * (1.0 - row / total) * (1.0 - column / total)).sqrt()
    });
    let statistic = table.iter().zip(&expected).map(|(observed, expected)| distance(observed, expected)).sum();
    let degrees = ((rows.len() - 1) * (columns.len() - 1)) as u64;
    let shorter = rows.len().min(columns.len()) - 1;
    Ok(ChiSquared {
        statistic,
        degrees,
        p_value: chi_squared_tail(statistic, degrees),
        expected,
        adjusted_residuals,
        cramers_v: (statistic / total / shorter as f64).sqrt(),
    })
}

fn each_cell(rows: &[u64], columns: &[u64], value: impl Fn(usize, usize, f64, f64) -> f64) -> Vec<Vec<f64>> {
    let row = |(i, &row): (usize, &u64)| {
        columns.iter().enumerate().map(|(j, &column)| value(i, j, row as f64, column as f64)).collect()
    };
    rows.iter().enumerate().map(row).collect()
}

fn distance(observed: &[u64], expected: &[f64]) -> f64 {
    observed.iter().zip(expected).map(|(&observed, expected)| (observed as f64 - expected).powi(2) / expected).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_rows_have_no_residuals() {
        let found = chi_squared(&[vec![10, 20], vec![30, 60]]).unwrap();
        assert_eq!((found.statistic, found.degrees, found.p_value, found.cramers_v), (0.0, 1, 1.0, 0.0));
        assert_eq!(found.adjusted_residuals, [[0.0, 0.0], [0.0, 0.0]]);
    }

    #[test]
    fn a_diagonal_depends_fully() {
        let found = chi_squared(&[vec![10, 0], vec![0, 10]]).unwrap();
        assert_eq!((found.statistic, found.cramers_v), (20.0, 1.0));
        // In a table of two by two the residual's square is the statistic.
        assert!((found.adjusted_residuals[0][0].powi(2) - 20.0).abs() < 1e-12);
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(chi_squared(&[]), Err(CountsError::TooSmall { rows: 0, columns: 0 }));
        assert_eq!(chi_squared(&[vec![1, 2]]), Err(CountsError::TooSmall { rows: 1, columns: 2 }));
        assert_eq!(chi_squared(&[vec![1, 2], vec![3]]), Err(CountsError::Ragged { row: 1, expected: 2, found: 1 }));
        assert_eq!(chi_squared(&[vec![1, 2], vec![0, 0]]), Err(CountsError::EmptyRow { row: 1 }));
        assert_eq!(chi_squared(&[vec![0, 2], vec![0, 3]]), Err(CountsError::EmptyColumn { column: 0 }));
    }
}
