//! Amounts of money, exact.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

/// Billionths of a thousandth of a US dollar in a dollar: one token at a dollar a million costs a million of them, so
/// that every price that is published is a whole number.
const PER_DOLLAR: i64 = 1_000_000_000_000;

/// An amount in US dollars, never below nothing, exact to 10⁻¹² and up to nine million dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Money(i64);

/// An amount below nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is below nothing, and no amount of money is")]
pub struct NegativeAmount(i64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// More than anybody has.
    pub const MOST: Self = Self(i64::MAX);

    /// An amount in dollars; `None` for what is no amount.
    #[must_use]
    pub fn from_dollars(dollars: f64) -> Option<Self> {
        let amount = (dollars * PER_DOLLAR as f64).round();
        (amount.is_finite() && amount >= 0.0 && amount < i64::MAX as f64).then_some(Self(amount as i64))
    }

    /// The amount in dollars.
    #[must_use]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / PER_DOLLAR as f64
    }

    /// The amount in 10⁻¹² dollars, as ledger and record have it.
    #[must_use]
    pub fn units(self) -> i64 {
        self.0
    }

    /// An amount in 10⁻¹² dollars; below nothing counts as nothing.
    pub(crate) fn from_units(units: i64) -> Self {
        Self(units.max(0))
    }

    /// So many tokens at this price for a million.
    pub(crate) fn for_tokens(self, tokens: u64) -> Self {
        let total = i128::from(self.0) * i128::from(tokens) / 1_000_000;
        Self(i64::try_from(total).unwrap_or(i64::MAX))
    }
}

impl TryFrom<i64> for Money {
    type Error = NegativeAmount;

    fn try_from(units: i64) -> Result<Self, NegativeAmount> {
        if units < 0 { Err(NegativeAmount(units)) } else { Ok(Self(units)) }
    }
}

impl From<Money> for i64 {
    fn from(money: Money) -> Self {
        money.0
    }
}

impl Add for Money {
    type Output = Self;

    /// The sum; never more than [`Money::MOST`].
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.4} USD", self.dollars())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn amounts_are_exact_and_never_negative() {
        let price = Money::from_dollars(0.175).unwrap();
        assert_eq!(price.for_tokens(1).units(), 175_000);
        assert_eq!(price.for_tokens(1_000_000), price);
        assert_eq!(price.for_tokens(u64::MAX), Money::MOST);
        assert_eq!(Money::MOST + price, Money::MOST);
        assert_eq!(price.to_string(), "0.1750 USD");
        assert_eq!([-0.01, f64::NAN, f64::INFINITY, 1e9].map(Money::from_dollars), [None; 4]);
        assert!(serde_json::from_str::<Money>("-1").is_err());
    }

    proptest! {
        #[test]
        fn tokens_cost_no_less_than_their_parts(price in 0_i64..1_000_000_000_000_000, a in 0_u64..1_000_000, b in 0_u64..1_000_000) {
            let price = Money::from_units(price);
            let (whole, parts) = (price.for_tokens(a + b), price.for_tokens(a) + price.for_tokens(b));
            prop_assert!(whole >= parts && whole.units() - parts.units() <= 1);
        }
    }
}
