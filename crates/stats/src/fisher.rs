//! Fisher's exact test of a table of two by two.

use crate::counts::{CountsError, check_total};
use crate::hypergeometric::Hypergeometric;

/// The most observations: the tables with the same margins, whose number is at most half of it, are all looked at.
const MOST: u64 = 1 << 27;
/// Tables this close to the observed one in probability count as equally probable (the rule of R's `fisher.test`).
const NEAR: f64 = 1.0 + 1e-7;

/// The result of Fisher's exact test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FisherExact {
    /// The sample's odds ratio `a d / (b c)`, infinite when only `b c` is 0; none when both products are 0.
    pub odds_ratio: Option<f64>,
    /// The two-sided p-value of the hypothesis that rows and columns are independent.
    pub p_value: f64,
}

/// Fisher's exact test of independence in `[[a, b], [c, d]]`, two-sided.
///
/// Fisher, Journal of the Royal Statistical Society 98, 1935: the probability, given all margins, of tables that are at most
/// as probable as the observed one. Assumes independent observations and fixed margins; where only one margin is fixed,
/// [`barnard_exact`](crate::barnard_exact) finds more. A margin of 0 leaves one table, and a p-value of 1.
///
/// # Errors
/// When there are more than 2^27 observations.
pub fn fisher_exact(table: [[u64; 2]; 2]) -> Result<FisherExact, CountsError> {
    check_total(table, MOST)?;
    let [[a, b], [c, d]] = table;
    let tables = Hypergeometric::new(a + b, c + d, a + c);
    let observed = tables.probability(a) * NEAR;
    let p_value: f64 = tables.probabilities.iter().filter(|&&probability| probability <= observed).sum();
    Ok(FisherExact { odds_ratio: odds_ratio(table), p_value: p_value.min(1.0) })
}

fn odds_ratio([[a, b], [c, d]]: [[u64; 2]; 2]) -> Option<f64> {
    let (with, against) = (a as f64 * d as f64, b as f64 * c as f64);
    (with > 0.0 || against > 0.0).then_some(with / against)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lady_tasting_tea() {
        // Three of four cups right: 2 (1 + 16) / 70 on both sides together (Fisher, The Design of Experiments, 1935).
        let found = fisher_exact([[3, 1], [1, 3]]).unwrap();
        assert!((found.p_value - 34.0 / 70.0).abs() < 1e-15);
        assert_eq!(found.odds_ratio, Some(9.0));
    }

    #[test]
    fn margins_of_zero_say_nothing() {
        for table in [[[0, 0], [0, 0]], [[0, 0], [3, 4]], [[5, 0], [7, 0]]] {
            assert_eq!(fisher_exact(table), Ok(FisherExact { odds_ratio: None, p_value: 1.0 }));
        }
        assert_eq!(fisher_exact([[2, 0], [0, 2]]).unwrap().odds_ratio, Some(f64::INFINITY));
        assert_eq!(fisher_exact([[0, 2], [2, 0]]).unwrap().odds_ratio, Some(0.0));
    }

    #[test]
    fn too_many_observations_are_refused() {
        assert_eq!(fisher_exact([[MOST, 0], [0, 1]]), Err(CountsError::TooMany { total: MOST + 1, most: MOST }));
        assert!(fisher_exact([[u64::MAX; 2]; 2]).is_err());
    }
}
