//! Barnard's exact test of a table of two by two.

use crate::counts::{CountsError, check_total};
use crate::hypergeometric::Hypergeometric;

/// The most observations: the work grows with the square of the larger group.
const MOST: u64 = 20_000;
/// Places on the grid for each square root of an observation: a twentieth of the width of one outcome's probability.
const FINENESS: f64 = 16.0;
/// Places whose p-value is this close to the grid's best are looked at between the grid's places.
const CLOSE: f64 = 0.95;
/// Steps of golden-section search: each shortens the interval to 0.618 of it.
const STEPS: usize = 48;

/// The result of Barnard's exact test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarnardExact {
    /// Wald's statistic with the pooled variance: the difference of the shares in standard deviations.
    pub statistic: f64,
    /// The two-sided p-value of the hypothesis that both groups have the same probability of success.
    pub p_value: f64,
    /// The common probability of success, at most one half, for which the p-value is largest.
    pub nuisance: f64,
}

/// Barnard's exact test that two independent groups, the rows of `[[successes, failures], …]`, have the same probability.
///
/// Barnard, Biometrika 34, 1947, with the pooled Wald statistic as Suissa and Shuster (JRSS A 148, 1985): the largest
/// probability, over every common probability of success, of a statistic at least as far from 0. Statistics are compared
/// as whole numbers, so that ties count whatever the rounding. Assumes independent observations in groups of fixed sizes.
/// When every observation is a success, or none, the p-value is 1.
///
/// # Errors
/// When a group is empty, or there are more than 20,000 observations.
pub fn barnard_exact(table: [[u64; 2]; 2]) -> Result<BarnardExact, CountsError> {
    check_total(table, MOST)?;
    let groups = Groups { first: table[0].iter().sum(), second: table[1].iter().sum() };
    if let Some(row) = [groups.first, groups.second].iter().position(|&size| size == 0) {
        return Err(CountsError::EmptyRow { row });
    }
    let (nuisance, p_value) = groups.largest(&groups.extreme_shares(table[0][0], table[1][0]));
    Ok(BarnardExact { statistic: groups.statistic(table[0][0], table[1][0]), p_value: p_value.min(1.0), nuisance })
}

/// The sizes of both groups.
#[derive(Clone, Copy)]
struct Groups {
    first: u64,
    second: u64,
}

impl Groups {
    const fn all(self) -> u64 {
        self.first + self.second
    }

    fn statistic(self, x: u64, y: u64) -> f64 {
        let (first, second) = (self.first as f64, self.second as f64);
        let pooled = (x + y) as f64 / (first + second);
        let variance = pooled * (1.0 - pooled) * (1.0 / first + 1.0 / second);
        if variance == 0.0 { 0.0 } else { (x as f64 / first - y as f64 / second) / variance.sqrt() }
    }

    /// Numerator and denominator of the statistic's square, but for a factor that all tables share.
    fn square(self, x: u64, y: u64) -> (u128, u128) {
        let difference = u128::from((x * self.second).abs_diff(y * self.first));
        (difference * difference, u128::from((x + y) * (self.all() - x - y)))
    }

    /// For each number of successes in both groups together: the probability, given that number, of a statistic at least as
    /// far from 0 as that of `x` and `y` successes.
    fn extreme_shares(self, x: u64, y: u64) -> Vec<f64> {
        let (over, under) = self.square(x, y);
        // A statistic of 0 / 0 counts as 0, which every table is as far from 0 as.
        let is_extreme =
            |(numerator, denominator): (u128, u128)| over == 0 || numerator * under >= over * denominator.max(1);
        let share = |successes: u64| {
            let tables = Hypergeometric::new(self.first, self.second, successes);
            let numbers = (tables.lowest..).zip(&tables.probabilities);
            numbers
                .filter(|&(k, _)| is_extreme(self.square(k, successes - k)))
                .map(|(_, probability)| probability)
                .sum()
        };
        (0..=self.all()).map(share).collect()
    }

    /// Where the p-value is largest, and how large. It is the same for `p` and `1 - p`, so that one half suffices.
    fn largest(self, shares: &[f64]) -> (f64, f64) {
        // On this scale every outcome's probability is about equally wide, whatever the probability of success.
        let end = std::f64::consts::FRAC_PI_4;
        let at = |angle: f64| weighted(shares, angle.sin().powi(2));
        let places = (FINENESS * (self.all() as f64).sqrt()).ceil().max(64.0);
        let step = end / places;
        let grid: Vec<f64> = (0..=places as usize).map(|place| at(place as f64 * step)).collect();
        let best = grid.iter().copied().fold(0.0, f64::max);
        let peaks = (0..grid.len()).filter(|&place| {
            let neighbours = [place.checked_sub(1), Some(place + 1)].into_iter().flatten().filter_map(|p| grid.get(p));
            grid[place] >= best * CLOSE && neighbours.into_iter().all(|&value| value <= grid[place])
        });
        let refined = peaks.map(|place| {
            let middle = place as f64 * step;
            golden(at, (middle - step).max(0.0), (middle + step).min(end))
        });
        let (angle, value) = refined.fold((0.0, 0.0), |best, found| if found.1 > best.1 { found } else { best });
        (angle.sin().powi(2), value)
    }
}

/// The mean of `shares` by number of successes under a binomial distribution with probability `p`.
fn weighted(shares: &[f64], p: f64) -> f64 {
    let n = (shares.len() - 1) as f64;
    let mode = ((n + 1.0) * p) as usize;
    let odds = p / (1.0 - p);
    let (mut sum, mut all) = (shares[mode], 1.0);
    let mut weight = 1.0;
    for (k, share) in shares.iter().enumerate().skip(mode + 1) {
        weight *= odds * (n - k as f64 + 1.0) / k as f64;
        sum += weight * share;
        all += weight;
    }
    weight = 1.0;
    for (k, share) in shares.iter().enumerate().take(mode).rev() {
        weight *= (k as f64 + 1.0) / (odds * (n - k as f64));
        sum += weight * share;
        all += weight;
    }
    sum / all
}

/// The place and value of the largest value between `low` and `high` (Kiefer, Proceedings of the AMS 4, 1953).
fn golden(value: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> (f64, f64) {
    let short = (3.0 - 5.0_f64.sqrt()) / 2.0;
    let mut left = low + short * (high - low);
    let mut right = high - short * (high - low);
    let (mut at_left, mut at_right) = (value(left), value(right));
    for _ in 0..STEPS {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = low + short * (high - low);
            at_left = value(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = high - short * (high - low);
            at_right = value(right);
        }
    }
    // The largest value may stand at an end.
    [low, left, right, high]
        .map(|place| (place, value(place)))
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .expect("four places")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_one_by_hand() {
        // Both orders of one success and one failure are extreme: 2 p (1 - p), largest at one half.
        let found = barnard_exact([[1, 0], [0, 1]]).unwrap();
        assert!((found.p_value - 0.5).abs() < 1e-15 && (found.nuisance - 0.5).abs() < 1e-7);
        assert!((found.statistic - 2.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn shares_that_agree_are_no_evidence() {
        for table in [[[3, 0], [5, 0]], [[0, 3], [0, 5]], [[2, 4], [3, 6]]] {
            let found = barnard_exact(table).unwrap();
            assert_eq!((found.statistic, found.p_value), (0.0, 1.0));
        }
    }

    #[test]
    fn successes_and_groups_may_change_places() {
        let found = barnard_exact([[7, 12], [8, 3]]).unwrap();
        for table in [[[12, 7], [3, 8]], [[8, 3], [7, 12]]] {
            let other = barnard_exact(table).unwrap();
            assert!((other.p_value - found.p_value).abs() < 1e-12);
        }
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(barnard_exact([[0, 0], [1, 2]]), Err(CountsError::EmptyRow { row: 0 }));
        assert_eq!(barnard_exact([[1, 2], [0, 0]]), Err(CountsError::EmptyRow { row: 1 }));
        assert!(matches!(barnard_exact([[MOST, 0], [0, 1]]), Err(CountsError::TooMany { .. })));
    }
}
