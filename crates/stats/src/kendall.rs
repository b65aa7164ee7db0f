//! Kendall's rank correlation with ties, tau-b.

use crate::inversions::sort_counting_inversions;
use crate::normal::upper_tail;
use crate::rank::{PValueMethod, key, pairs, runs};
use crate::sample::{FIRST, SECOND, SampleError, check_ordered};

/// The largest sample for which the exact distribution is counted; 33! still fits into 128 bits.
const LARGEST_EXACT: u64 = 33;

/// A rank correlation with its test against "no association".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// Kendall's tau-b, between -1 and 1.
    pub tau: f64,
    /// The two-sided p-value of the hypothesis that the samples are not associated.
    pub p_value: f64,
    /// How the p-value was found.
    pub method: PValueMethod,
    /// The number of pairs of items that both samples order the same way.
    pub concordant: u64,
    /// The number of pairs of items that the samples order in opposite ways.
    pub discordant: u64,
}

/// Kendall's tau-b of two paired samples, in `O(n log n)` time.
///
/// Tau-b is `(C - D) / sqrt((P - Tx) (P - Ty))` with `P` all pairs of items, `C` and `D` the concordant and discordant ones,
/// and `Tx`, `Ty` the pairs tied in a sample (Kendall, Rank Correlation Methods, 1970; counted as by Knight, JASA 61, 1966).
/// Without ties and with at most 33 items, or with at most one pair out of order, the p-value is exact, else it is
/// that of the normal distribution with the variance corrected for ties: scipy's `method='auto'`.
///
/// Assumes that the items are independent of each other. Infinite values have their place in the order.
///
/// # Errors
/// When the lengths differ, there are fewer than 2 items, a value is NaN, or a sample is constant.
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Result<Correlation, SampleError> {
    if x.len() != y.len() {
        return Err(SampleError::LengthMismatch { first: x.len(), second: y.len() });
    }
    check_ordered(FIRST, x, 2)?;
    check_ordered(SECOND, y, 2)?;
    let counts = PairCounts::of(x, y);
    if counts.tied_x.pairs == counts.all {
        return Err(SampleError::Constant { sample: FIRST });
    }
    if counts.tied_y.pairs == counts.all {
        return Err(SampleError::Constant { sample: SECOND });
    }
    let (p_value, method) = counts.p_value();
    Ok(Correlation {
        tau: counts.tau(),
        p_value,
        method,
        concordant: counts.concordant(),
        discordant: counts.discordant,
    })
}

/// Sums over the runs of equal values in one sample, with `t` the length of a run.
struct Ties {
    /// The sum of `t (t - 1) / 2`.
    pairs: u64,
    /// The sum of `t (t - 1) (t - 2)`.
    triples: f64,
    /// The sum of `t (t - 1) (2 t + 5)`.
    spread: f64,
}

impl Ties {
    fn of(run_lengths: impl Iterator<Item = u64>) -> Self {
        let mut ties = Ties { pairs: 0, triples: 0.0, spread: 0.0 };
        for length in run_lengths.filter(|&length| length > 1) {
            let t = length as f64;
            ties.pairs += pairs(length);
            ties.triples += t * (t - 1.0) * (t - 2.0);
            ties.spread += t * (t - 1.0) * (2.0 * t + 5.0);
        }
        ties
    }
}

/// How the pairs of items fall.
struct PairCounts {
    items: u64,
    all: u64,
    discordant: u64,
    tied_x: Ties,
    tied_y: Ties,
    tied_both: u64,
}

impl PairCounts {
    fn of(x: &[f64], y: &[f64]) -> Self {
        let mut items: Vec<(u64, u64)> = x.iter().zip(y).map(|(&x, &y)| (key(x), key(y))).collect();
        items.sort_unstable();
        let tied_x = Ties::of(runs(&items, |a, b| a.0 == b.0));
        let tied_both = runs(&items, |a, b| a == b).map(pairs).sum();
        let mut second: Vec<u64> = items.iter().map(|item| item.1).collect();
        let discordant = sort_counting_inversions(&mut second, &mut vec![0; x.len()]);
        let tied_y = Ties::of(runs(&second, |a, b| a == b));
        let count = x.len() as u64;
        PairCounts { items: count, all: pairs(count), discordant, tied_x, tied_y, tied_both }
    }

    fn concordant(&self) -> u64 {
        self.all + self.tied_both - self.tied_x.pairs - self.tied_y.pairs - self.discordant
    }

    /// Concordant minus discordant pairs, `S` in the literature.
    fn balance(&self) -> f64 {
        let (concordant, discordant) = (self.concordant(), self.discordant);
        if concordant >= discordant { (concordant - discordant) as f64 } else { -((discordant - concordant) as f64) }
    }

    fn tau(&self) -> f64 {
        let untied_x = (self.all - self.tied_x.pairs) as f64;
        let untied_y = (self.all - self.tied_y.pairs) as f64;
        (self.balance() / (untied_x * untied_y).sqrt()).clamp(-1.0, 1.0)
    }

    fn p_value(&self) -> (f64, PValueMethod) {
        let untied = self.tied_x.pairs == 0 && self.tied_y.pairs == 0;
        let out_of_order = self.discordant.min(self.all - self.discordant);
        if untied && (self.items <= LARGEST_EXACT || out_of_order <= 1) {
            (exact_p_value(self.items, out_of_order), PValueMethod::Exact)
        } else {
            (self.normal_p_value(), PValueMethod::Normal)
        }
    }

    fn normal_p_value(&self) -> f64 {
        let n = self.items as f64;
        let m = n * (n - 1.0);
        let variance = (m * (2.0 * n + 5.0) - self.tied_x.spread - self.tied_y.spread) / 18.0
            + 2.0 * self.tied_x.pairs as f64 * self.tied_y.pairs as f64 / m
            + self.tied_x.triples * self.tied_y.triples / (9.0 * m * (n - 2.0));
        (2.0 * upper_tail(self.balance().abs() / variance.sqrt())).min(1.0)
    }
}

/// The share of orders of `items` with at most `inversions` pairs out of order, doubled for the other tail.
///
/// `inversions` is the smaller of a count and its mirror image. It is at most 1 when there are more than 33 items.
fn exact_p_value(items: u64, inversions: u64) -> f64 {
    if 2 * inversions == pairs(items) {
        return 1.0;
    }
    let share = match inversions {
        0 => inverse_factorial(items),
        // One order without an inversion and `items - 1` with one: `items / items!`.
        1 => inverse_factorial(items - 1),
        _ => orders_with_at_most(items, inversions) as f64 * inverse_factorial(items),
    };
    (2.0 * share).min(1.0)
}

fn inverse_factorial(number: u64) -> f64 {
    (2..=number).fold(1.0, |share, factor| share / factor as f64)
}

/// The number of orders of `items` things with at most `limit` inversions (Kendall 1970, section 5).
fn orders_with_at_most(items: u64, limit: u64) -> u128 {
    let limit = usize::try_from(limit).expect("33 items have at most 528 inversions");
    let mut ways = vec![0_u128; limit + 1];
    ways[0] = 1;
    for placed in 2..=usize::try_from(items).expect("at most 33 items are counted") {
        // The newest thing can jump over 0 to placed - 1 others: a sliding sum over that many earlier counts.
        let before = ways.clone();
        let mut window = 0;
        for (count, slot) in ways.iter_mut().enumerate() {
            window += before[count];
            if count >= placed {
                window -= before[count - placed];
            }
            *slot = window;
        }
    }
    ways.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_agrees_with_itself_and_opposes_its_mirror() {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0];
        let reversed: Vec<f64> = x.iter().rev().copied().collect();
        assert_eq!(kendall_tau_b(&x, &x).unwrap().tau, 1.0);
        let opposite = kendall_tau_b(&x, &reversed).unwrap();
        assert_eq!((opposite.tau, opposite.discordant, opposite.concordant), (-1.0, 10, 0));
        assert!((opposite.p_value - 2.0 / 120.0).abs() < 1e-15);
    }

    #[test]
    fn all_orders_are_counted_once() {
        assert_eq!(orders_with_at_most(5, 10), 120);
        assert_eq!(orders_with_at_most(4, 2), 1 + 3 + 5);
        assert_eq!(orders_with_at_most(33, 528), (1..=33).product::<u128>());
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(kendall_tau_b(&[1.0], &[1.0]), Err(SampleError::TooFew { sample: FIRST, needed: 2, found: 1 }));
        assert_eq!(kendall_tau_b(&[1.0, 2.0], &[1.0]), Err(SampleError::LengthMismatch { first: 2, second: 1 }));
        assert_eq!(kendall_tau_b(&[1.0, 2.0], &[5.0, 5.0]), Err(SampleError::Constant { sample: SECOND }));
        assert!(matches!(
            kendall_tau_b(&[1.0, f64::NAN], &[1.0, 2.0]),
            Err(SampleError::NotUsable { sample: FIRST, index: 1, .. })
        ));
    }

    #[test]
    fn infinities_and_both_zeros_have_a_place() {
        let result = kendall_tau_b(&[f64::NEG_INFINITY, -0.0, 0.0, f64::INFINITY], &[1.0, 2.0, 2.0, 3.0]).unwrap();
        assert_eq!(result.tau, 1.0);
        assert_eq!(result.method, PValueMethod::Normal);
    }
}
