//! Numbers that depend on a seed, a purpose and an index alone, so that any row of the world can be drawn without the rows
//! before it.

/// What a stream of numbers is drawn for: streams of different purposes share nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Repository = 1,
    Files,
    Commit,
    Fault,
    Token,
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
