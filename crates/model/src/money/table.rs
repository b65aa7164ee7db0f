//! The table of prices: which price holds for a model on a day.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Deserialize;

use super::price::{LongContext, Price, Rates};
use crate::Money;

const BUILTIN: &str = include_str!("prices.toml");

/// Prices of models from their days on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prices {
    /// By model, in the order of days.
    models: BTreeMap<String, Vec<(Date, Price)>>,
}

/// No price can be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// The table cannot be read.
    #[error("the prices in {origin} are not usable: {reason}; the built-in prices.toml shows the form")]
    Invalid {
        /// The file.
        origin: String,
        /// What is wrong.
        reason: String,
    },
    /// Nobody told the price of this model.
    #[error(
        "the price of model `{model}` is not known; add a row for it to your table of prices (0 for a model that costs nothing)"
    )]
    UnknownModel {
        /// The model.
        model: String,
    },
    /// The price of this day is not known.
    #[error(
        "the price of model `{model}` is known from {first} on, but not for {day}; add a row with that day to your table of prices"
    )]
    TooEarly {
        /// The model.
        model: String,
        /// The day.
        day: Date,
        /// The first day with a price.
        first: Date,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    price: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    model: String,
    from: Date,
    input: f64,
    cached_input: f64,
    cache_write: Option<f64>,
    output: f64,
    long_above: Option<u64>,
    long_input: Option<f64>,
    long_cached_input: Option<f64>,
    long_cache_write: Option<f64>,
    long_output: Option<f64>,
    /// For readers of the file.
    #[serde(rename = "source")]
    _source: String,
}

impl Line {
    fn price(&self) -> Result<Price, String> {
        let rates = self.rates(self.input, self.cached_input, self.cache_write, self.output)?;
        let long = match (self.long_above, self.long_input, self.long_cached_input, self.long_output) {
            (None, None, None, None) => None,
            (Some(above), Some(input), Some(cached), Some(output)) => {
                Some(LongContext { above, rates: self.rates(input, cached, self.long_cache_write, output)? })
            }
            _ => return Err(format!("`{}` has some of the fields for long prompts and not all", self.model)),
        };
        Ok(Price { rates, long })
    }

    fn rates(&self, input: f64, cached_input: f64, cache_write: Option<f64>, output: f64) -> Result<Rates, String> {
        let amount = |dollars: f64| {
            Money::from_dollars(dollars).ok_or_else(|| format!("`{}` has the price {dollars}", self.model))
        };
        Ok(Rates {
            input: amount(input)?,
            cached_input: amount(cached_input)?,
            cache_write: amount(cache_write.unwrap_or(input))?,
            output: amount(output)?,
        })
    }
}

impl Prices {
    /// The prices that this program knows.
    ///
    /// # Errors
    /// [`PriceError::Invalid`] when the file that it was built with is broken, which a test excludes.
    pub fn builtin() -> Result<Self, PriceError> {
        Self::default().with(BUILTIN, "the built-in table")
    }

    /// The same with a user's table; its rows of a model replace all rows of that model.
    ///
    /// # Errors
    /// [`PriceError::Invalid`] naming `origin`.
    pub fn with(mut self, table: &str, origin: &str) -> Result<Self, PriceError> {
        let invalid = |reason: String| PriceError::Invalid { origin: origin.to_owned(), reason };
        let file: File = toml::from_str(table).map_err(|error| invalid(error.to_string()))?;
        let mut read: BTreeMap<String, Vec<(Date, Price)>> = BTreeMap::new();
        for line in file.price {
            let rows = read.entry(line.model.clone()).or_default();
            if rows.iter().any(|(from, _)| *from == line.from) {
                return Err(invalid(format!("`{}` has two prices from {} on", line.model, line.from)));
            }
            rows.push((line.from, line.price().map_err(invalid)?));
        }
        for (model, mut rows) in read {
            rows.sort_by_key(|(from, _)| *from);
            self.models.insert(model, rows);
        }
        Ok(self)
    }

    /// The price of a model on a day. A snapshot (`gpt-5.2-2025-12-11`) has the price of its model unless it has one of
    /// its own.
    ///
    /// # Errors
    /// [`PriceError::UnknownModel`] and [`PriceError::TooEarly`].
    pub fn price(&self, model: &str, day: Date) -> Result<Price, PriceError> {
        let rows = self.models.get(model).or_else(|| self.models.get(without_date(model)?));
        let unknown = || PriceError::UnknownModel { model: model.to_owned() };
        let rows = rows.ok_or_else(unknown)?;
        let first = rows.first().ok_or_else(unknown)?.0;
        let valid = rows.iter().rev().find(|(from, _)| *from <= day);
        valid.map(|(_, price)| *price).ok_or_else(|| PriceError::TooEarly { model: model.to_owned(), day, first })
    }
}

/// The name before `-YYYY-MM-DD`.
fn without_date(model: &str) -> Option<&str> {
    let cut = model.len().checked_sub("-2025-12-11".len())?;
    let (name, date) = (model.get(..cut)?, model.get(cut..)?);
    date.strip_prefix('-')?.parse::<Date>().ok()?;
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TokenUsage;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn the_builtin_prices_give_the_papers_table_5() {
        let price = Prices::builtin().unwrap().price("gpt-5.2-2025-12-11", day("2026-01-15")).unwrap();
        // Table 5: input (not cached), input cached, output; costs in dollars. Tokens in hundredths, since they are means.
        let rows = [
            (2_880_466, 1_853_252, 1_824_375, "0.3091"),
            (519_170, 293_077, 287_734, "0.0499"),
            (443_495, 332_998, 295_375, "0.0497"),
            (419_127, 213_431, 370_566, "0.0596"),
        ];
        for (fresh, cached_input, output, cost) in rows {
            let usage = TokenUsage { input: fresh + cached_input, cached_input, cache_write: 0, output, reasoning: 0 };
            assert_eq!(format!("{:.4}", price.cost(&usage).dollars() / 100.0), cost);
        }
    }

    #[test]
    fn the_price_of_the_day_counts() {
        let table = r#"
            [[price]]
            model = "m"
            from = "2026-02-01"
            input = 1
            cached_input = 0.5
            output = 2
            source = "test"
            [[price]]
            model = "m"
            from = "2026-01-01"
            input = 2
            cached_input = 1
            output = 4
            source = "test"
        "#;
        let prices = Prices::builtin().unwrap().with(table, "a test").unwrap();
        let input = |model: &str, on: &str| prices.price(model, day(on)).map(|price| price.rates.input.dollars());
        assert_eq!(input("m", "2026-01-31"), Ok(2.0));
        assert_eq!(input("m", "2026-02-01"), Ok(1.0));
        assert_eq!(input("m-2026-01-05", "2027-02-01"), Ok(1.0));
        insta::assert_snapshot!(input("m", "2025-12-31").unwrap_err(), @"the price of model `m` is known from 2026-01-01 on, but not for 2025-12-31; add a row with that day to your table of prices");
        insta::assert_snapshot!(input("mm", "2026-12-31").unwrap_err(), @"the price of model `mm` is not known; add a row for it to your table of prices (0 for a model that costs nothing)");
        assert_eq!(input("gpt-5.2", "2026-12-31"), Ok(1.75));
    }

    #[test]
    fn broken_tables_are_refused() {
        let row = "[[price]]\nmodel = \"m\"\nfrom = \"2026-01-01\"\ncached_input = 1\noutput = 1\nsource = \"\"\n";
        for wrong in ["input = -1", "input = nan", "input = 1\nlong_above = 5", "inputs = 1", ""] {
            let error = Prices::default().with(&format!("{row}{wrong}\n"), "x.toml").unwrap_err();
            assert!(error.to_string().contains("x.toml"), "{error}");
        }
        let twice = format!("{row}input = 1\n{row}input = 2\n");
        assert!(Prices::default().with(&twice, "x").unwrap_err().to_string().contains("two prices"));
    }
}
