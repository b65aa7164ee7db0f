//! What the paper lacks: an interval beside each rate and median of the summary.

use nbrevive_corpus::{Condition, Outcome};
use nbrevive_stats::{Interval, bootstrap_median, median, wilson_interval};
use serde_json::{Value, json};

use super::cell::CONFIDENCE;
use super::grid::Grid;
use super::list::Table;
use crate::number_words::{NOTHING, rounded, thousands};
use crate::output::csv_text;
use crate::rows::{Data, OutcomeRow, Study};
use crate::source;

/// Resamples of a bootstrap: the ends of a 95 % interval then stand on 25 of them each.
const RESAMPLES: u32 = 1000;
/// Where its random numbers start; any number would do, and the same one gives the same table.
const SEED: u64 = 20_250_101;

/// Rates and medians with their intervals.
pub(crate) struct UncertaintyTable {
    study: Study,
    lines: Vec<Estimate>,
    notes: Vec<String>,
}

/// One estimate.
struct Estimate {
    what: &'static str,
    condition: Condition,
    /// What it was estimated from.
    of: u64,
    value: f64,
    interval: Option<Interval>,
    is_rate: bool,
}

impl UncertaintyTable {
    /// Estimates what the rows tell of each condition that was run.
    pub(crate) fn count(data: &Data) -> Self {
        let lines = data.conditions().flat_map(|condition| estimates(data, condition)).collect();
        let notes = vec![
            format!("Ours: {}.", source::study_line(&data.study)),
            format!(
                "Rates with Wilson's interval, medians with percentiles of {RESAMPLES} bootstrap resamples, at 95 %. Versions of one \
                 competition may be alike; the intervals take them as independent."
            ),
        ];
        UncertaintyTable { study: data.study.clone(), lines, notes }
    }
}

impl Table for UncertaintyTable {
    fn name(&self) -> String {
        "uncertainty".to_owned()
    }

    fn grid(&self) -> Grid {
        let header = ["Condition", "What", "Of", "Estimate", "95 % interval"].map(str::to_owned);
        let row = |line: &Estimate| {
            let interval = line.interval.map_or_else(|| NOTHING.to_owned(), |interval| line.interval_text(interval));
            let of = thousands(line.of);
            vec![line.condition.to_string(), line.what.to_owned(), of, line.text(line.value), interval]
        };
        let title = "Rates and medians with their intervals".to_owned();
        Grid {
            title,
            header: header.into(),
            word_columns: 2,
            rows: self.lines.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
        .or_nothing()
    }

    /// The table as CSV: rates as fractions.
    fn csv(&self) -> String {
        let header = ["condition", "what", "of", "estimate", "low", "high"].map(str::to_owned).to_vec();
        let text = |value: Option<f64>| rounded(value).map_or_else(String::new, |value| value.to_string());
        let rows = self.lines.iter().map(|line| {
            let ends = [line.interval.map(|interval| interval.lower), line.interval.map(|interval| interval.upper)];
            let words = [line.condition.to_string(), line.what.to_owned(), line.of.to_string()];
            words.into_iter().chain([text(Some(line.value))]).chain(ends.map(text)).collect()
        });
        csv_text(std::iter::once(header).chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &Estimate| {
            let mut object = json!({
                "condition": line.condition,
                "what": line.what,
                "of": line.of,
                "estimate": rounded(Some(line.value)),
            });
            if let Some(interval) = line.interval {
                object["interval"] = json!([rounded(Some(interval.lower)), rounded(Some(interval.upper))]);
            }
            object
        };
        json!({
            "table": self.name(),
            "study": self.study,
            "rows": self.lines.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

impl Estimate {
    fn text(&self, value: f64) -> String {
        if self.is_rate { format!("{:.1} %", value * 100.0) } else { format!("{value:.2}") }
    }

    fn interval_text(&self, interval: Interval) -> String {
        match self.is_rate {
            true => format!("{:.1}–{:.1} %", interval.lower * 100.0, interval.upper * 100.0),
            false => format!("{:.2}–{:.2}", interval.lower, interval.upper),
        }
    }
}

fn estimates(data: &Data, condition: Condition) -> Vec<Estimate> {
    let rows: Vec<&OutcomeRow> = data.under(condition).collect();
    let rate = |what, is: fn(&OutcomeRow) -> bool| {
        let count = rows.iter().filter(|row| is(row)).count() as u64;
        let of = rows.len() as u64;
        let interval = wilson_interval(count, of, CONFIDENCE).ok()?;
        Some(Estimate { what, condition, of, value: count as f64 / of as f64, interval: Some(interval), is_rate: true })
    };
    let rates = [
        rate("reproducible", |row| row.outcome.is_reproducible()),
        rate("free of errors", |row| row.outcome.is_error_free()),
        rate("failed", |row| row.outcome == Outcome::Failed),
    ];
    let seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
    let brought_back = rows.iter().filter(|row| data.study.roles.repairs(condition) && row.outcome.is_reproducible());
    let fixes: Vec<f64> = brought_back.map(|row| f64::from(row.fixes)).collect();
    let medians = [
        median_of("seconds of the cells, median", condition, &seconds),
        median_of("fixes of a version brought back, median", condition, &fixes),
    ];
    rates.into_iter().chain(medians).flatten().collect()
}

/// The median of what is known; none of nothing.
fn median_of(what: &'static str, condition: Condition, values: &[f64]) -> Option<Estimate> {
    let value = median(values).ok()?;
    let interval = bootstrap_median(values, RESAMPLES, CONFIDENCE, SEED).ok();
    Some(Estimate { what, condition, of: values.len() as u64, value, interval, is_rate: false })
}
