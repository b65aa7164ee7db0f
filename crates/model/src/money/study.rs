//! What a whole study would cost, told from the first question of each of its notebooks: the answer to a dry run.
//!
//! Which fixes a notebook will take cannot be known before. Expected is that they are as many as the paper's, each like the first;
//! at worst every fix that is allowed is tried with every re-ask, each at its worst case, as far as the caps let it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::estimate::{Estimate, Expectation, estimate};
use super::price::Price;
use crate::{Caps, InputTokens, ModelPrompt, Money};

/// Fixes of a notebook: paper, section 4.2, mean over the notebooks that were given to its modernizer.
pub const FIXES_PER_NOTEBOOK: f64 = 5.70;

/// Tokens of the message in which a model is asked again, besides its own answer: the fault in words, well rounded up.
const REASK_MESSAGE: u64 = 4_000;

/// What a study is expected to be like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudyExpectation {
    /// What a call is expected to be like.
    pub call: Expectation,
    /// Fixes of a notebook. Default [`FIXES_PER_NOTEBOOK`].
    pub fixes: f64,
    /// The most fixes of a notebook. Default 16, the paper's N (section 3.1).
    pub max_fixes: u32,
    /// The most re-asks of a fix. Default 2.
    pub max_reasks: u32,
    /// The most tokens of a later prompt, where it has a limit; without one none is taken to be longer than the first.
    pub max_prompt_tokens: Option<u64>,
    /// The caps that the study runs under; none unless given. That of the hour delays calls and saves nothing.
    pub caps: Caps,
}

impl Default for StudyExpectation {
    fn default() -> Self {
        Self {
            call: Expectation::default(),
            fixes: FIXES_PER_NOTEBOOK,
            max_fixes: 16,
            max_reasks: 2,
            max_prompt_tokens: None,
            caps: Caps::default(),
        }
    }
}

/// What a study would cost.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct StudyEstimate {
    /// Notebooks that a model would be asked about.
    pub notebooks: u64,
    /// The first questions alone, by the type of fix that they are for.
    pub first: BTreeMap<String, Estimate>,
    /// What notebooks that start with this type of fix are expected to cost together, with their later fixes.
    pub expected_by_type: BTreeMap<String, Money>,
    /// What the study is expected to cost.
    pub expected: Money,
    /// What it can cost at most.
    pub worst: Money,
    /// Whether a cap is below what the study could cost without one.
    pub is_capped: bool,
}

/// Estimates the cost of a study at a price, from the first question of each notebook and the type of fix that it is for.
pub fn estimate_study<'a>(
    first: impl IntoIterator<Item = (&'a str, &'a ModelPrompt)>,
    price: &Price,
    expectation: &StudyExpectation,
) -> StudyEstimate {
    let mut sum = StudyEstimate::default();
    for (fix_type, prompt) in first {
        let once = estimate([prompt], price, expectation.call);
        let line = sum.first.entry(fix_type.to_owned()).or_default();
        *line = line.and(&once);
        let uncapped = worst_of_notebook(prompt, price, expectation);
        let cap = expectation.caps.notebook.unwrap_or(Money::MOST);
        let expected = times(once.expected, expectation.fixes.min(f64::from(expectation.max_fixes))).min(cap);
        let typed = sum.expected_by_type.entry(fix_type.to_owned()).or_default();
        *typed = *typed + expected;
        sum.notebooks += 1;
        sum.expected = sum.expected + expected;
        sum.worst = sum.worst + uncapped.min(cap);
        sum.is_capped |= uncapped > cap;
    }
    let cap = expectation.caps.study.unwrap_or(Money::MOST);
    sum.is_capped |= sum.worst > cap;
    sum.expected = sum.expected.min(cap);
    sum.worst = sum.worst.min(cap);
    sum
}

/// Every fix that is allowed, with every re-ask: the dialogue grows by an answer and a message each time.
fn worst_of_notebook(prompt: &ModelPrompt, price: &Price, expectation: &StudyExpectation) -> Money {
    let InputTokens { expected, most } = prompt.input_tokens();
    let most = most.max(expectation.max_prompt_tokens.unwrap_or(0));
    let grown = |reask: u32| u64::from(reask) * (u64::from(prompt.max_output_tokens) + REASK_MESSAGE);
    let asked = |reask| price.worst(InputTokens { expected, most: most + grown(reask) }, prompt.max_output_tokens);
    let fix: Money = (0..=expectation.max_reasks).map(asked).sum();
    times(fix, f64::from(expectation.max_fixes))
}

/// A multiple of an amount; what is no amount any more counts as the most.
fn times(amount: Money, factor: f64) -> Money {
    Money::from_dollars(amount.dollars() * factor).unwrap_or(Money::MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, Prices};

    fn price() -> Price {
        Prices::builtin().unwrap().price("gpt-5.2", "2026-06-01".parse().unwrap()).unwrap()
    }

    fn prompt(lines: usize) -> ModelPrompt {
        ModelPrompt::new("gpt-5.2", "", vec![Message::user("a line of code\n".repeat(lines))], 16_000)
    }

    fn dollars(amount: f64) -> Money {
        Money::from_dollars(amount).unwrap()
    }

    #[test]
    fn a_study_costs_the_fixes_of_its_notebooks() {
        let (short, long) = (prompt(100), prompt(2_000));
        let questions = [("error-repair", &short), ("error-repair", &long), ("score-calibration", &short)];
        let found = estimate_study(questions, &price(), &StudyExpectation::default());
        assert_eq!((found.notebooks, found.is_capped), (3, false));
        assert_eq!((found.first["error-repair"].calls, found.first["score-calibration"].calls), (2, 1));
        let once = estimate([&short, &long, &short], &price(), Expectation::default());
        let ratio = found.expected.dollars() / once.expected.dollars();
        assert!((ratio - FIXES_PER_NOTEBOOK).abs() < 1e-6, "{ratio}");
        assert_eq!(found.expected_by_type.values().copied().sum::<Money>(), found.expected);
        // 16 fixes with two re-asks each, in dialogues that grow.
        assert!(found.worst.dollars() > once.worst.dollars() * 48.0);
    }

    #[test]
    fn no_estimate_is_above_the_caps() {
        let long = prompt(2_000);
        let caps = Caps { notebook: Some(dollars(0.5)), study: Some(dollars(1.2)), ..Caps::default() };
        let expectation = StudyExpectation { caps, ..StudyExpectation::default() };
        let found = |count| estimate_study(vec![("error-repair", &long); count], &price(), &expectation);
        assert_eq!((found(2).worst, found(2).is_capped), (dollars(1.0), true));
        assert_eq!(found(9).worst, dollars(1.2));
        assert!(found(99).expected <= dollars(1.2));
        assert_eq!(estimate_study([], &price(), &expectation), StudyEstimate::default());
    }

    #[test]
    fn later_prompts_may_be_longer_than_the_first_and_few_fixes_cost_little() {
        let short = prompt(10);
        let worst = |max_prompt_tokens, max_fixes| {
            let expectation = StudyExpectation { max_prompt_tokens, max_fixes, ..StudyExpectation::default() };
            estimate_study([("error-repair", &short)], &price(), &expectation)
        };
        assert!(worst(Some(100_000), 16).worst > worst(None, 16).worst);
        assert!(worst(None, 1).expected < worst(None, 16).expected);
        assert_eq!(worst(None, 0).worst, Money::ZERO);
    }
}
