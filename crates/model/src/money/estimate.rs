//! What a set of prompts would cost, before any is asked.

use serde::Serialize;

use super::price::Price;
use crate::{ModelPrompt, Money, TokenUsage};

/// Share of the input tokens that comes from the cache: paper, Table 5, per notebook (18,532.52 of 47,337.18).
pub const CACHED_SHARE: f64 = 0.3915;

/// Output tokens of a call: paper, Table 5, 18,243.75 per notebook in 5.70 fixes.
pub const OUTPUT_PER_FIX: u64 = 3_201;

/// What calls are expected to be like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    /// Share of the input tokens that comes from the cache, 0 to 1. Default [`CACHED_SHARE`].
    pub cached_share: f64,
    /// Output tokens of a call; never more than the prompt allows. Default [`OUTPUT_PER_FIX`].
    pub output: u64,
}

impl Default for Expectation {
    fn default() -> Self {
        Self { cached_share: CACHED_SHARE, output: OUTPUT_PER_FIX }
    }
}

/// What a set of calls would cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Estimate {
    /// Calls.
    pub calls: u64,
    /// Input tokens, as counted.
    pub input: u64,
    /// Output tokens that are expected.
    pub output: u64,
    /// What they are expected to cost together.
    pub expected: Money,
    /// What they cost at most: what the caps would be checked against, all together.
    pub worst: Money,
}

impl Estimate {
    /// The sum of both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            input: self.input + other.input,
            output: self.output + other.output,
            expected: self.expected + other.expected,
            worst: self.worst + other.worst,
        }
    }
}

/// Estimates the cost of prompts at a price.
pub fn estimate<'a>(
    prompts: impl IntoIterator<Item = &'a ModelPrompt>,
    price: &Price,
    expectation: Expectation,
) -> Estimate {
    prompts.into_iter().fold(Estimate::default(), |sum, prompt| {
        let input = prompt.input_tokens();
        let output = expectation.output.min(u64::from(prompt.max_output_tokens));
        let cached_input = (input.expected as f64 * expectation.cached_share.clamp(0.0, 1.0)) as u64;
        let usage = TokenUsage { input: input.expected, cached_input, output, ..TokenUsage::default() };
        sum.and(&Estimate {
            calls: 1,
            input: input.expected,
            output,
            expected: price.cost(&usage),
            worst: price.worst(input, prompt.max_output_tokens),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, Prices};

    #[test]
    fn a_dry_run_tells_what_is_likely_and_what_is_possible() {
        let price = Prices::builtin().unwrap().price("gpt-5.2", "2026-06-01".parse().unwrap()).unwrap();
        let prompt = ModelPrompt::new("gpt-5.2", "", vec![Message::user("a line of code\n".repeat(1_000))], 16_000);
        let estimate = estimate([&prompt, &prompt], &price, Expectation::default());
        assert_eq!((estimate.calls, estimate.output), (2, 2 * OUTPUT_PER_FIX));
        assert_eq!(estimate.input, 2 * prompt.input_tokens().expected);
        assert!(estimate.worst > estimate.expected && estimate.expected > Money::ZERO);
        assert!(estimate.worst >= price.worst(prompt.input_tokens(), 16_000));
        let short = ModelPrompt { max_output_tokens: 10, ..prompt };
        assert_eq!(super::estimate([&short], &price, Expectation::default()).output, 10);
    }
}
