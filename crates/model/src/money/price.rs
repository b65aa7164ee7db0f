//! The price of a model, and what a call costs at it.

use serde::Serialize;

use crate::{InputTokens, Money, TokenUsage};

/// Prices of a million tokens of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rates {
    /// Input that was not in the cache.
    pub input: Money,
    /// Input from the cache.
    pub cached_input: Money,
    /// Input that is written to the cache; the price of input unless the provider has one of its own.
    pub cache_write: Money,
    /// Output, reasoning included.
    pub output: Money,
}

/// Other rates for long prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LongContext {
    /// They hold for calls with more input tokens than this.
    pub above: u64,
    /// The rates, of the whole call.
    pub rates: Rates,
}

/// The price of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Price {
    /// The usual rates.
    pub rates: Rates,
    /// Those for long prompts, where they differ.
    pub long: Option<LongContext>,
}

impl Price {
    /// A price of nothing: for models that run at home.
    pub const FREE: Self = Self {
        rates: Rates { input: Money::ZERO, cached_input: Money::ZERO, cache_write: Money::ZERO, output: Money::ZERO },
        long: None,
    };

    fn rates(&self, input: u64) -> &Rates {
        self.long.as_ref().filter(|long| input > long.above).map_or(&self.rates, |long| &long.rates)
    }

    /// What a call costs. Parts larger than their wholes count as the whole.
    #[must_use]
    pub fn cost(&self, usage: &TokenUsage) -> Money {
        let rates = self.rates(usage.input);
        let cached = usage.cached_input.min(usage.input);
        let written = usage.cache_write.min(usage.input - cached);
        [
            rates.input.for_tokens(usage.input - cached - written),
            rates.cached_input.for_tokens(cached),
            rates.cache_write.for_tokens(written),
            rates.output.for_tokens(usage.output),
        ]
        .into_iter()
        .sum()
    }

    /// The most that a call can cost: every input token at the highest price of input, and all the output allowed.
    #[must_use]
    pub fn worst(&self, input: InputTokens, max_output: u32) -> Money {
        let all = |rates: &Rates| {
            let dearest = rates.input.max(rates.cached_input).max(rates.cache_write);
            // One unit more for input and for output, since amounts are rounded down.
            dearest.for_tokens(input.most) + rates.output.for_tokens(u64::from(max_output)) + Money::from_units(2)
        };
        let worst = all(&self.rates).max(all(self.rates(input.most)));
        if *self == Self::FREE { Money::ZERO } else { worst }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dollars(amount: f64) -> Money {
        Money::from_dollars(amount).unwrap()
    }

    fn price() -> Price {
        let rates = |factor: f64| Rates {
            input: dollars(2.0 * factor),
            cached_input: dollars(0.2 * factor),
            cache_write: dollars(2.5 * factor),
            output: dollars(12.0 * factor),
        };
        Price { rates: rates(1.0), long: Some(LongContext { above: 200_000, rates: rates(2.0) }) }
    }

    #[test]
    fn each_kind_of_token_has_its_price() {
        let usage =
            TokenUsage { input: 100_000, cached_input: 50_000, cache_write: 20_000, output: 10_000, reasoning: 9_000 };
        assert_eq!(price().cost(&usage), dollars(0.06 + 0.01 + 0.05 + 0.12));
        let long = TokenUsage { input: 300_000, ..TokenUsage::default() };
        assert_eq!(price().cost(&long), dollars(1.2));
    }

    proptest! {
        #[test]
        fn no_honest_bill_is_above_the_worst_case(
            most in 0_u64..400_000, share in 0.0..=1.0_f64, cached in 0.0..=1.0_f64, written in 0.0..=1.0_f64,
            max_output in 0_u32..100_000, output in 0.0..=1.0_f64,
        ) {
            let input = (most as f64 * share) as u64;
            let cached_input = (input as f64 * cached) as u64;
            let cache_write = ((input - cached_input) as f64 * written) as u64;
            let output = (f64::from(max_output) * output) as u64;
            let usage = TokenUsage { input, cached_input, cache_write, output, reasoning: 0 };
            let worst = price().worst(InputTokens { expected: 0, most }, max_output);
            prop_assert!(price().cost(&usage) <= worst, "{usage:?}");
        }
    }
}
