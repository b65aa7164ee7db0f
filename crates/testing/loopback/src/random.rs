//! Numbers that depend on a seed, a purpose and an index alone, so that any row of the world can be drawn without the rows
//! before it.

/// A stream of numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Debug, Clone)]
pub struct RandomStream(u64);

impl RandomStream {
    /// The stream of a seed for a purpose: streams of different purposes or indexes share nothing.
    #[must_use]
    pub fn of(seed: u64, purpose: impl Into<u64>, index: u64) -> Self {
        let mut stream = Self(seed ^ purpose.into().wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let folded = stream.draw() ^ index.wrapping_mul(0xA24B_AED4_963E_E407);
        let mut stream = Self(folded);
        stream.draw();
        stream
    }

    /// The next number of the stream, from all that a `u64` holds.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but without `bound`; 0 for the bound 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let wide = u128::from(self.draw()) * u128::from(bound);
        (wide >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// A number from 0 up to but without 1.
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with the probability given (0 to 1).
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of the items, which must not be none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// One of the items, each with a chance in proportion to its weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(T, u32)]) -> T {
        let total: u32 = items.iter().map(|(_, weight)| weight).sum();
        let mut point = self.below(u64::from(total)) as u32;
        for (item, weight) in items {
            if point < *weight {
                return *item;
            }
            point -= weight;
        }
        items[items.len() - 1].0
    }

    /// Brings the items into an order of chance (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// Hexadecimal digits, as keys and digests have them.
    pub fn hex(&mut self, digits: usize) -> String {
        let mut text = String::with_capacity(digits + 16);
        while text.len() < digits {
            text.push_str(&format!("{:016x}", self.draw()));
        }
        text.truncate(digits);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_fixed_by_seed_purpose_and_index() {
        let draw = |seed, purpose, index| RandomStream::of(seed, purpose, index).draw();
        assert_eq!(draw(1, 1_u64, 7), draw(1, 1_u64, 7));
        assert_ne!(draw(1, 1_u64, 7), draw(2, 1_u64, 7));
        assert_ne!(draw(1, 1_u64, 7), draw(1, 2_u64, 7));
        assert_ne!(draw(1, 1_u64, 7), draw(1, 1_u64, 8));
    }

    #[test]
    fn chances_and_weights_come_out_in_proportion() {
        let mut stream = RandomStream::of(3, 3_u64, 0);
        let hits = (0..10_000).filter(|_| stream.chance(0.3)).count();
        assert!((2_800..3_200).contains(&hits), "{hits}");
        let heavy = (0..10_000).filter(|_| stream.weighted(&[(true, 9), (false, 1)])).count();
        assert!((8_800..9_200).contains(&heavy), "{heavy}");
        assert!((0..1000).all(|_| (5..=7).contains(&stream.between(5, 7))));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        RandomStream::of(1, 4_u64, 0).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
