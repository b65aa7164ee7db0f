//! Random numbers that are the same on every machine.

/// A stream of numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream with this number among those of a seed.
    #[must_use]
    pub fn stream(seed: u64, number: u64) -> Self {
        // Neighbouring numbers must not give shifted copies of one stream: the start is itself drawn.
        let mut starts = Random { state: seed };
        starts.state = starts.next() ^ number;
        Random { state: starts.next() }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is above 0, each equally likely but for one part in `2^64 / end`.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A number above 0 and below 1.
    pub fn fraction(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_first_number_is_the_published_one() {
        // Of the reference implementation, started with 1234567.
        assert_eq!(Random { state: 1_234_567 }.next(), 6_457_827_717_110_365_317);
    }

    #[test]
    fn every_number_below_the_end_comes_up() {
        let mut seen = [0_u32; 6];
        let mut random = Random::stream(1, 2);
        (0..6000).for_each(|_| seen[random.below(6) as usize] += 1);
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }
}
