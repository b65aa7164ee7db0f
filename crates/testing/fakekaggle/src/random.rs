//! Numbers that depend on a seed, a purpose and an index alone, so that any row of the world can be drawn without the rows
//! before it.

/// What a stream of numbers is drawn for: streams of different purposes share nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Competition = 1,
    User,
    Team,
    Outline,
    Parent,
    Kernel,
    Version,
    Source,
    Dataset,
    Fault,
    Secret,
    Shuffle,
}

/// A stream of numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Debug, Clone)]
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) fn of(seed: u64, purpose: Purpose, index: u64) -> Self {
        let mut stream = Self(seed ^ (purpose as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let folded = stream.next() ^ index.wrapping_mul(0xA24B_AED4_963E_E407);
        let mut stream = Self(folded);
        stream.next();
        stream
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but without `bound`; 0 for the bound 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(bound);
        (wide >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// A number from 0 up to but without 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with the probability given (0 to 1).
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of the items, which must not be none.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// One of the items, each with a chance in proportion to its weight.
    pub(crate) fn weighted<T: Copy>(&mut self, items: &[(T, u32)]) -> T {
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
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// Hexadecimal digits, as keys and digests have them.
    pub(crate) fn hex(&mut self, digits: usize) -> String {
        let mut text = String::with_capacity(digits + 16);
        while text.len() < digits {
            text.push_str(&format!("{:016x}", self.next()));
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
        let draw = |seed, purpose, index| Stream::of(seed, purpose, index).next();
        assert_eq!(draw(1, Purpose::Kernel, 7), draw(1, Purpose::Kernel, 7));
        assert_ne!(draw(1, Purpose::Kernel, 7), draw(2, Purpose::Kernel, 7));
        assert_ne!(draw(1, Purpose::Kernel, 7), draw(1, Purpose::Version, 7));
        assert_ne!(draw(1, Purpose::Kernel, 7), draw(1, Purpose::Kernel, 8));
    }

    #[test]
    fn chances_and_weights_come_out_in_proportion() {
        let mut stream = Stream::of(3, Purpose::Source, 0);
        let hits = (0..10_000).filter(|_| stream.chance(0.3)).count();
        assert!((2_800..3_200).contains(&hits), "{hits}");
        let heavy = (0..10_000).filter(|_| stream.weighted(&[(true, 9), (false, 1)])).count();
        assert!((8_800..9_200).contains(&heavy), "{heavy}");
        assert!((0..1000).all(|_| (5..=7).contains(&stream.between(5, 7))));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Stream::of(1, Purpose::Shuffle, 0).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
