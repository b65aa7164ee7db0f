//! The hypergeometric distribution: how `drawn` successes fall to two groups.

/// Every probability of the number of successes in the first group.
pub(crate) struct Hypergeometric {
    /// The smallest number possible.
    pub(crate) lowest: u64,
    /// The probabilities of `lowest`, `lowest + 1`, and so on.
    pub(crate) probabilities: Vec<f64>,
}

impl Hypergeometric {
    /// The distribution of `drawn` out of `first + second` things.
    ///
    /// Starts at the most probable number and multiplies by the ratio of neighbours, so that no factorial loses digits.
    pub(crate) fn new(first: u64, second: u64, drawn: u64) -> Self {
        let lowest = drawn.saturating_sub(second);
        let highest = drawn.min(first);
        let mode = ((first as f64 + 1.0) * (drawn as f64 + 1.0) / ((first + second) as f64 + 2.0)) as u64;
        let mode = mode.clamp(lowest, highest);
        // The probability of `k + 1` over that of `k`.
        let ratio = |k: u64| {
            let (over, under) = ((first - k) as f64 * (drawn - k) as f64, (k + 1) as f64);
            over / (under * (second + k + 1 - drawn) as f64)
        };
        let mut probabilities = vec![1.0; (highest - lowest + 1) as usize];
        let place = |k: u64| (k - lowest) as usize;
        for k in mode..highest {
            probabilities[place(k + 1)] = probabilities[place(k)] * ratio(k);
        }
        for k in (lowest..mode).rev() {
            probabilities[place(k)] = probabilities[place(k + 1)] / ratio(k);
        }
        let sum: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|probability| *probability /= sum);
        Hypergeometric { lowest, probabilities }
    }

    /// The probability of `count`, which is a possible number.
    pub(crate) fn probability(&self, count: u64) -> f64 {
        self.probabilities[(count - self.lowest) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Hypergeometric;

    #[test]
    fn small_numbers_by_hand() {
        let found = Hypergeometric::new(4, 4, 4);
        let expected = [1.0, 16.0, 36.0, 16.0, 1.0].map(|ways| ways / 70.0);
        assert!(found.probabilities.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15));
        let squeezed = Hypergeometric::new(2, 3, 4);
        assert_eq!((squeezed.lowest, squeezed.probabilities.len()), (1, 2));
        assert_eq!(Hypergeometric::new(0, 0, 0).probabilities, [1.0]);
    }
}
