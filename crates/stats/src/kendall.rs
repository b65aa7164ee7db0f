//! Kendall's rank correlation with ties, tau-b.

use crate::normal::upper_tail;
use crate::rank::{PValueMethod, key, pairs, runs};
use crate::sample::{FIRST, SECOND, SampleError, check_ordered};

/// The largest sample for which the exact distribution is counted; 33! still fits into 128 bits.
const LARGEST_EXACT: u64 = 33;
/// Parts that are sorted by insertion before merging starts.
const SHORT: usize = 16;

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
        let discordant = sort_counting_inversions(&mut second);
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

/// Sorts `values` by merging and counts the pairs that stood in the wrong order; equal values are not counted.
fn sort_counting_inversions(values: &mut Vec<u64>) -> u64 {
    let mut merged = vec![0; values.len()];
    let mut inversions: u64 = values.chunks_mut(SHORT).map(insert_counting_inversions).sum();
    let mut width = SHORT;
    while width < values.len() {
        for (part, merged) in values.chunks(2 * width).zip(merged.chunks_mut(2 * width)) {
            let (left, right) = part.split_at(width.min(part.len()));
            inversions += merge(left, right, merged);
        }
        std::mem::swap(values, &mut merged);
        width *= 2;
    }
    inversions
}

fn insert_counting_inversions(values: &mut [u64]) -> u64 {
    let mut inversions = 0;
    for end in 1..values.len() {
        let value = values[end];
        let mut place = end;
        while place > 0 && values[place - 1] > value {
            values[place] = values[place - 1];
            place -= 1;
        }
        values[place] = value;
        inversions += (end - place) as u64;
    }
    inversions
}

fn merge(left: &[u64], right: &[u64], merged: &mut [u64]) -> u64 {
    if left.len() == right.len() {
        merge_from_both_ends(left, right, merged)
    } else {
        merge_forward(left, right, merged)
    }
}

/// Merges parts of any lengths, as happens once a round.
fn merge_forward(left: &[u64], right: &[u64], merged: &mut [u64]) -> u64 {
    let (mut taken_left, mut taken_right, mut inversions) = (0, 0, 0);
    for slot in merged {
        let is_right = taken_left == left.len() || (taken_right < right.len() && right[taken_right] < left[taken_left]);
        if is_right {
            *slot = right[taken_right];
            taken_right += 1;
            inversions += (left.len() - taken_left) as u64;
        } else {
            *slot = left[taken_left];
            taken_left += 1;
        }
    }
    inversions
}

/// Merges two parts of one length: the smaller half of the values from the front, the larger from the back.
///
/// No branch depends on the values, which a processor would guess wrong every other time, and the two ends do not wait for
/// each other. Within as many steps as a part is long neither end can run out of it.
fn merge_from_both_ends(left: &[u64], right: &[u64], merged: &mut [u64]) -> u64 {
    let length = left.len();
    let (mut front_left, mut front_right) = (0, 0);
    let (mut back_left, mut back_right) = (length, length);
    let mut inversions = 0;
    let (smaller, larger) = merged.split_at_mut(length);
    for (front, back) in smaller.iter_mut().zip(larger.iter_mut().rev()) {
        let (from_left, from_right) = (left[front_left], right[front_right]);
        let is_right = u64::from(from_right < from_left);
        *front = from_left.min(from_right);
        // A value of the right part stands before all that is left of the left part.
        inversions += (length - front_left) as u64 * is_right;
        front_right += is_right as usize;
        front_left += 1 - is_right as usize;

        let (from_left, from_right) = (left[back_left - 1], right[back_right - 1]);
        let is_left = u64::from(from_right < from_left);
        *back = from_left.max(from_right);
        // A value of the left part stands behind all that is left of the right part …
        inversions += back_right as u64 * is_left;
        back_left -= is_left as usize;
        back_right -= 1 - is_left as usize;
    }
    // … of which those that the front took were counted there.
    inversions - (length - back_left) as u64 * front_right as u64
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
    fn inversions_of_equal_values_are_not_counted() {
        let mut values = vec![3, 1, 3, 2, 2];
        assert_eq!(sort_counting_inversions(&mut values), 5);
        assert_eq!(values, [1, 2, 2, 3, 3]);
        let mut long: Vec<u64> = (0..100).map(|value| value * 37 % 101 / 4).collect();
        let pairs = |values: &[u64]| {
            (0..100).flat_map(|j| (0..j).map(move |i| (i, j))).filter(|&(i, j)| values[i] > values[j]).count()
        };
        let by_definition = pairs(&long) as u64;
        assert_eq!(sort_counting_inversions(&mut long), by_definition);
        assert!(long.is_sorted());
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
