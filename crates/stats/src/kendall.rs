//! Kendall's rank correlation with ties, tau-b.

use crate::inversions::{merge, sort_counting_inversions};
use crate::normal::upper_tail;
use crate::rank::{PValueMethod, key, pairs, runs};
use crate::sample::{FIRST, SECOND, SampleError, check_ordered};

/// Samples that are worth two threads.
const LONG: usize = 1 << 16;

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

    /// The sums over the runs of both.
    fn and(&self, others: &Ties) -> Self {
        Ties {
            pairs: self.pairs + others.pairs,
            triples: self.triples + others.triples,
            spread: self.spread + others.spread,
        }
    }
}

/// The keys of an item in the first sample and in the second.
type Item = [u64; 2];

/// What is counted among the items of one range of the first sample: none of its ties reaches out of it.
struct Part {
    tied_x: Ties,
    tied_both: u64,
    discordant: u64,
}

impl Part {
    /// Puts those of `items` that belong to the part into `slots`, of which there are as many, and counts. In the end the first half
    /// of `slots` holds the keys in the second sample, sorted.
    fn of(items: impl Iterator<Item = Item>, slots: &mut [Item], belongs: impl Fn(u64) -> bool) -> Self {
        let mut place = 0;
        for item in items {
            let Some(slot) = slots.get_mut(place) else { break };
            // What does not belong is overwritten: whether it does is not to be guessed.
            *slot = item;
            place += usize::from(belongs(item[0]));
        }
        // One number of 128 bits is compared without a branch.
        slots.sort_unstable_by_key(|item| u128::from(item[0]) << 64 | u128::from(item[1]));
        let tied_x = Ties::of(runs(slots, |a, b| a[0] == b[0]));
        let tied_both = runs(slots, |a, b| a == b).map(pairs).sum();
        let count = slots.len();
        let keys = slots.as_flattened_mut();
        (0..count).for_each(|place| keys[place] = keys[2 * place + 1]);
        let (second, buffer) = keys.split_at_mut(count);
        Part { tied_x, tied_both, discordant: sort_counting_inversions(second, buffer) }
    }
}

/// A key with about as many keys of the sample below it as not.
fn middle_key(sample: &[f64]) -> u64 {
    let mut some: Vec<u64> = sample.iter().step_by(sample.len() / 1000 + 1).copied().map(key).collect();
    let middle = some.len() / 2;
    *some.select_nth_unstable(middle).1
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
        PairCounts::in_parts(x, y, if x.len() < LONG { 0 } else { middle_key(x) })
    }

    /// Counts those whose first key is below `middle` and the others, each part on a processor of its own: no tie of the first sample
    /// reaches from one into the other. All of it happens in one piece of memory, 16 bytes an item: to touch a new page costs more
    /// than to sort what is on it.
    fn in_parts(x: &[f64], y: &[f64], middle: u64) -> Self {
        let count = x.len();
        let below = x.iter().filter(|value| key(**value) < middle).count();
        let mut items: Vec<Item> = vec![[0; 2]; count];
        let (low, high) = items.split_at_mut(below);
        let pairs_of_keys = || x.iter().zip(y).map(|(&x, &y)| [key(x), key(y)]);
        let mut count_low = || Part::of(pairs_of_keys(), low, |key| key < middle);
        let mut count_high = || Part::of(pairs_of_keys(), high, |key| key >= middle);
        let (low, high) = if below == 0 { (count_low(), count_high()) } else { both(count_low, count_high) };
        // The second keys of the high part move up to those of the low one, which leaves room to merge them.
        let keys = items.as_flattened_mut();
        keys.copy_within(2 * below..below + count, below);
        let (second, merged) = keys.split_at_mut(count);
        let between = merge(&second[..below], &second[below..], merged);
        PairCounts {
            items: count as u64,
            all: pairs(count as u64),
            discordant: low.discordant + high.discordant + between,
            tied_x: low.tied_x.and(&high.tied_x),
            tied_y: Ties::of(runs(merged, |a, b| a == b)),
            tied_both: low.tied_both + high.tied_both,
        }
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

/// Does two things at once.
fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|threads| {
        let first = threads.spawn(first);
        let second = second();
        (first.join().expect("counting numbers does not fail"), second)
    })
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

    /// Discordant pairs, and those that are tied in the first sample, in the second, and in both: by looking at every pair.
    fn by_definition(x: &[f64], y: &[f64]) -> [u64; 4] {
        let mut counts = [0; 4];
        for (end, (x_end, y_end)) in x.iter().zip(y).enumerate() {
            for (x_begin, y_begin) in x[..end].iter().zip(y) {
                let (by_x, by_y) = (x_begin.total_cmp(x_end), y_begin.total_cmp(y_end));
                let is =
                    [by_x.is_ne() && by_x == by_y.reverse(), by_x.is_eq(), by_y.is_eq(), by_x.is_eq() && by_y.is_eq()];
                counts.iter_mut().zip(is).for_each(|(count, is)| *count += u64::from(is));
            }
        }
        counts
    }

    proptest::proptest! {
        #[test]
        fn parts_agree_with_the_definition_wherever_they_part(
            pairs in proptest::collection::vec((-9_i8..9, -9_i8..9), 2..80),
            middle in -10_i8..10,
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).unzip();
            let counts = PairCounts::in_parts(&x, &y, key(f64::from(middle)));
            let found = [counts.discordant, counts.tied_x.pairs, counts.tied_y.pairs, counts.tied_both];
            proptest::prop_assert_eq!(found, by_definition(&x, &y));
        }
    }

    #[test]
    fn a_long_sample_is_counted_in_two_parts_and_as_one() {
        let x: Vec<f64> = (0..LONG as u32).map(|item| f64::from(item * 7919 % 10_007)).collect();
        let y: Vec<f64> = (0..LONG as u32).map(|item| f64::from(item * 31 % 5003)).collect();
        let middle = middle_key(&x);
        let below = x.iter().filter(|x| key(**x) < middle).count();
        assert!((LONG * 2 / 5..LONG * 3 / 5).contains(&below), "{below}");
        let (parts, one) = (PairCounts::of(&x, &y), PairCounts::in_parts(&x, &y, 0));
        assert_eq!((parts.discordant, parts.concordant()), (one.discordant, one.concordant()));
        assert_eq!(parts.p_value().0.to_bits(), one.p_value().0.to_bits());
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
