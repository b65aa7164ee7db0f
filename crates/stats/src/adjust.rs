//! P-values of several tests that are read together.

use crate::sample::SampleError;

/// Bonferroni's correction: each p-value times their number, at most 1.
///
/// Dunn, JASA 56, 1961. Keeps the chance of any false rejection below the level, however the tests depend on each other.
/// No p-value gives no result, and a single one stays as it is.
///
/// # Errors
/// When a value is NaN or not between 0 and 1.
pub fn bonferroni(p_values: &[f64]) -> Result<Vec<f64>, SampleError> {
    check(p_values)?;
    let tests = p_values.len() as f64;
    Ok(p_values.iter().map(|p| (p * tests).min(1.0)).collect())
}

/// Holm's step-down correction, in the order in which the p-values were given.
///
/// Holm, Scandinavian Journal of Statistics 6, 1979: the smallest is multiplied by the number of tests, the next by one less,
/// and so on, and none ends below one that was smaller. Keeps the same promise as [`bonferroni`] and is never larger. Equal
/// p-values stay equal. No p-value gives no result, and a single one stays as it is.
///
/// # Errors
/// When a value is NaN or not between 0 and 1.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, SampleError> {
    check(p_values)?;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[index]).min(1.0);
        adjusted[index] = largest;
    }
    Ok(adjusted)
}

fn check(p_values: &[f64]) -> Result<(), SampleError> {
    match p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(index) => Err(SampleError::NoPValue { index, value: p_values[index] }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_by_hand() {
        let p_values = [0.25, 0.0625, 0.5];
        assert_eq!(bonferroni(&p_values).unwrap(), [0.75, 0.1875, 1.0]);
        assert_eq!(holm(&p_values).unwrap(), [0.5, 0.1875, 0.5]);
        assert!(holm(&[]).unwrap().is_empty());
        assert_eq!(holm(&[0.3]).unwrap(), [0.3]);
    }

    #[test]
    fn what_is_no_p_value_is_an_error() {
        assert_eq!(holm(&[0.5, 1.5]), Err(SampleError::NoPValue { index: 1, value: 1.5 }));
        assert!(bonferroni(&[f64::NAN]).is_err());
    }
}
