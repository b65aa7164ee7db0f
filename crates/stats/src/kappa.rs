//! Agreement of raters beyond chance.

use crate::counts::CountsError;

/// Cohen's kappa of two raters: their agreement beyond that of chance, as a share of what was left to agree on.
///
/// `table[i][j]` counts the items to which the first rater gave category `i` and the second category `j`; 1 is full agreement, 0 that of
/// raters who keep their shares and guess (Cohen, Educational and Psychological Measurement 20, 1960). A category that nobody gave changes
/// nothing.
///
/// # Errors
///
/// When the table is not square or empty, or both raters gave one and the same category always: chance agrees as well.
pub fn cohens_kappa(table: &[Vec<u64>]) -> Result<f64, CountsError> {
    let size = table.len();
    if size == 0 {
        return Err(CountsError::TooSmall { rows: 0, columns: 0 });
    }
    if let Some(row) = table.iter().position(|row| row.len() != size) {
        return Err(CountsError::Ragged { row, expected: size, found: table[row].len() });
    }
    let share = |count: u64, total: u64| count as f64 / total as f64;
    let rows: Vec<u64> = table.iter().map(|row| row.iter().sum()).collect();
    let columns: Vec<u64> = (0..size).map(|column| table.iter().map(|row| row[column]).sum()).collect();
    let total: u64 = rows.iter().sum();
    if total == 0 {
        return Err(CountsError::EmptyRow { row: 0 });
    }
    let observed: f64 = (0..size).map(|category| share(table[category][category], total)).sum();
    let by_chance: f64 =
        rows.iter().zip(&columns).map(|(row, column)| share(*row, total) * share(*column, total)).sum();
    beyond_chance(observed, by_chance)
}

/// Fleiss' kappa of several raters, who need not be the same for each item.
///
/// `ratings[i][j]` counts the raters who gave item `i` category `j`; each item has equally many, at least two (Fleiss, Psychological
/// Bulletin 76, 1971).
///
/// # Errors
///
/// When there is no item, an item has another number of ratings or categories than the first or fewer than two ratings, or every rating is
/// of one category.
pub fn fleiss_kappa(ratings: &[Vec<u64>]) -> Result<f64, CountsError> {
    let first = ratings.first().ok_or(CountsError::TooSmall { rows: 0, columns: 0 })?;
    let raters: u64 = first.iter().sum();
    if raters < 2 {
        return Err(CountsError::TooSmall { rows: ratings.len(), columns: raters as usize });
    }
    for (row, item) in ratings.iter().enumerate() {
        if item.len() != first.len() {
            return Err(CountsError::Ragged { row, expected: first.len(), found: item.len() });
        }
        let found: u64 = item.iter().sum();
        if found != raters {
            return Err(CountsError::UnequalSums { row, expected: raters, found });
        }
    }
    let (items, raters) = (ratings.len() as f64, raters as f64);
    let pairs = |item: &Vec<u64>| item.iter().map(|&count| count as f64 * (count as f64 - 1.0)).sum::<f64>();
    let observed = ratings.iter().map(pairs).sum::<f64>() / (items * raters * (raters - 1.0));
    let given = |category: usize| ratings.iter().map(|item| item[category]).sum::<u64>() as f64 / (items * raters);
    beyond_chance(observed, (0..first.len()).map(|category| given(category).powi(2)).sum())
}

fn beyond_chance(observed: f64, by_chance: f64) -> Result<f64, CountsError> {
    if by_chance >= 1.0 { Err(CountsError::AllAlike) } else { Ok((observed - by_chance) / (1.0 - by_chance)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: Result<f64, CountsError>, expected: f64, within: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < within, "{found} is not {expected}");
    }

    #[test]
    fn cohen_agrees_with_published_examples() {
        // Three diagnoses of 200 patients (Cohen, Psychological Bulletin 70, 1968): .492.
        let psychologists = [vec![88, 14, 18], vec![10, 40, 10], vec![2, 6, 12]];
        assert_near(cohens_kappa(&psychologists), 0.492, 5e-4);
        assert_near(cohens_kappa(&[vec![20, 5], vec![10, 15]]), 0.4, 1e-12);
        // Two tables of one observed agreement, by shares of the raters.
        assert_near(cohens_kappa(&[vec![45, 15], vec![25, 15]]), 0.1304, 5e-5);
        assert_near(cohens_kappa(&[vec![25, 35], vec![5, 35]]), 0.2593, 5e-5);
    }

    #[test]
    fn fleiss_agrees_with_a_published_example() {
        // Fourteen raters, ten items, five categories: 0.210.
        let ratings = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        assert_near(fleiss_kappa(&ratings.map(Vec::from)), 0.210, 5e-4);
        let agreed = [vec![2, 0], vec![0, 2]];
        assert_near(fleiss_kappa(&agreed), 1.0, 1e-12);
    }

    #[test]
    fn questions_without_an_answer_are_errors() {
        assert_eq!(cohens_kappa(&[vec![5, 0], vec![0, 0]]), Err(CountsError::AllAlike));
        assert_eq!(cohens_kappa(&[]), Err(CountsError::TooSmall { rows: 0, columns: 0 }));
        assert_eq!(cohens_kappa(&[vec![0]]), Err(CountsError::EmptyRow { row: 0 }));
        let uneven = [vec![2, 0], vec![1, 0]];
        assert_eq!(fleiss_kappa(&uneven), Err(CountsError::UnequalSums { row: 1, expected: 2, found: 1 }));
        assert_eq!(fleiss_kappa(&[vec![2, 0]]), Err(CountsError::AllAlike));
    }
}
