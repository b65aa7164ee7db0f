//! The Stuart-Maxwell test: whether a change of condition shifts items among several states.

use crate::counts::{CountsError, sums};
use crate::normal::chi_squared_tail;

/// The result of a Stuart-Maxwell test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StuartMaxwell {
    /// The quadratic form of the states' gains, which tends to a chi-squared distribution.
    pub statistic: f64,
    /// The degrees of freedom: states that items move between, less one for each group of states that exchange items.
    pub degrees: u64,
    /// The p-value of the hypothesis that every state is as frequent before as after.
    pub p_value: f64,
}

/// The Stuart-Maxwell test of `flows`: `flows[i][j]` items were in state `i` before and are in state `j` after.
///
/// Stuart, Biometrika 42, 1955; Maxwell, British Journal of Psychiatry 116, 1970. For two states it is McNemar's test without
/// continuity correction. States that no item enters or leaves say nothing and are left out; states that exchange items only
/// among themselves form a group with a restriction of its own. When no item moves, the statistic has no degree of freedom
/// and the p-value is 1. Assumes independent items, and enough of them that move: about 10 between the states of a group.
///
/// # Errors
/// When there are fewer than 2 states or the table is not square.
pub fn stuart_maxwell(flows: &[Vec<u64>]) -> Result<StuartMaxwell, CountsError> {
    let (before, after) = sums(flows)?;
    if before.len() != after.len() {
        return Err(CountsError::Ragged { row: 0, expected: before.len(), found: after.len() });
    }
    let (mut statistic, mut degrees) = (0.0, 0);
    for group in groups(flows) {
        // The gains of a group sum to 0, so that the last follows from the others.
        let free = &group[..group.len() - 1];
        let gains: Vec<f64> = free.iter().map(|&state| before[state] as f64 - after[state] as f64).collect();
        let moved = |i: usize, j: usize| (flows[i][j] + flows[j][i]) as f64;
        let covariance = |i: usize, j: usize| {
            if i == j { (before[i] + after[i] - 2 * flows[i][i]) as f64 } else { -moved(i, j) }
        };
        let matrix = free.iter().map(|&i| free.iter().map(|&j| covariance(i, j)).collect()).collect();
        statistic += quadratic_form(matrix, gains);
        degrees += free.len() as u64;
    }
    let p_value = if degrees == 0 { 1.0 } else { chi_squared_tail(statistic, degrees) };
    Ok(StuartMaxwell { statistic, degrees, p_value })
}

/// The groups of at least two states between which items move, directly or through others.
fn groups(flows: &[Vec<u64>]) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..flows.len()).collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop() {
        let mut group = vec![first];
        let mut reached = 0;
        while let Some(&state) = group.get(reached) {
            let (joined, others) = left.iter().partition(|&&other| flows[state][other] + flows[other][state] > 0);
            group.extend::<Vec<usize>>(joined);
            left = others;
            reached += 1;
        }
        if group.len() > 1 {
            groups.push(group);
        }
    }
    groups
}

/// `v' M^-1 v` for a positive definite matrix, by Gaussian elimination, which then needs no exchange of rows.
fn quadratic_form(mut matrix: Vec<Vec<f64>>, mut vector: Vec<f64>) -> f64 {
    let mut form = 0.0;
    for pivot in 0..vector.len() {
        let (value, diagonal) = (vector[pivot], matrix[pivot][pivot]);
        form += value * value / diagonal;
        let row = matrix[pivot].clone();
        for below in pivot + 1..vector.len() {
            let factor = matrix[below][pivot] / diagonal;
            vector[below] -= factor * value;
            matrix[below].iter_mut().zip(&row).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_states_are_mcnemars_statistic() {
        let found = stuart_maxwell(&[vec![50, 6], vec![18, 20]]).unwrap();
        assert!((found.statistic - 12.0 * 12.0 / 24.0).abs() < 1e-12);
        assert_eq!(found.degrees, 1);
    }

    #[test]
    fn what_does_not_move_changes_nothing() {
        let moving = stuart_maxwell(&[vec![3, 8, 2], vec![1, 4, 9], vec![5, 2, 7]]).unwrap();
        let with_still = vec![vec![3, 8, 2, 0], vec![1, 4, 9, 0], vec![5, 2, 7, 0], vec![0, 0, 0, 40]];
        let found = stuart_maxwell(&with_still).unwrap();
        assert!((found.statistic - moving.statistic).abs() < 1e-12);
        assert_eq!(found.degrees, moving.degrees);
        let nothing = stuart_maxwell(&[vec![3, 0], vec![0, 4]]).unwrap();
        assert_eq!(nothing, StuartMaxwell { statistic: 0.0, degrees: 0, p_value: 1.0 });
    }

    #[test]
    fn groups_that_exchange_nothing_add_up() {
        let one = stuart_maxwell(&[vec![0, 6], vec![18, 0]]).unwrap();
        let both = stuart_maxwell(&[vec![0, 0, 6, 0], vec![0, 0, 0, 6], vec![18, 0, 0, 0], vec![0, 18, 0, 0]]).unwrap();
        assert_eq!((both.statistic, both.degrees), (2.0 * one.statistic, 2));
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(stuart_maxwell(&[vec![1]]), Err(CountsError::TooSmall { rows: 1, columns: 1 }));
        assert_eq!(
            stuart_maxwell(&[vec![1, 2, 3], vec![1, 2, 3]]),
            Err(CountsError::Ragged { row: 0, expected: 2, found: 3 })
        );
    }
}
