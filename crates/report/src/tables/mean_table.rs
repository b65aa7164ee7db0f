//! Means of shares of cells by condition, and by whatever else parts them, each with its interval.

use nbrevive_corpus::Condition;
use nbrevive_stats::{Bootstrap, BootstrapMethod, Interval, bootstrap};
use serde_json::{Value, json};

use super::cell::CONFIDENCE;
use super::grid::Grid;
use super::list::Table;
use super::share_table::Column;
use crate::beside::PublishedLines;
use crate::inputs::Inputs;
use crate::number_words::{NOTHING, percent, rounded, thousands};
use crate::output::csv_text;
use crate::rows::Study;
use crate::source;

/// Resamples of a bootstrap: the ends of a 95 % interval then stand on 25 of them each.
const RESAMPLES: u32 = 1000;
/// Where its random numbers start.
const SEED: u64 = 0;

/// A mean over notebooks.
pub(crate) struct MeanLine {
    condition: Condition,
    /// One a column.
    words: Vec<String>,
    notebooks: usize,
    mean: Option<f64>,
    interval: Option<Interval>,
    published: Option<f64>,
}

/// A table of means.
pub(crate) struct MeanTable {
    name: &'static str,
    title: &'static str,
    study: Study,
    columns: Vec<Column>,
    lines: Vec<MeanLine>,
    notes: Vec<String>,
}

impl MeanLine {
    /// The mean of these values, one a notebook, as fractions.
    pub(crate) fn of<const N: usize>(condition: Condition, words: [&str; N], values: &[f64]) -> Self {
        let settings =
            Bootstrap { resamples: RESAMPLES, confidence: CONFIDENCE, seed: SEED, method: BootstrapMethod::Percentile };
        MeanLine {
            condition,
            words: words.map(str::to_owned).into(),
            notebooks: values.len(),
            mean: mean(values),
            interval: bootstrap(values, |values| mean(values).unwrap_or_default(), settings).ok(),
            published: None,
        }
    }
}

/// The mean; none of nothing.
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl MeanTable {
    /// The table of this name, with what is printed beside its lines; `note` stands below it.
    pub(crate) fn new(
        of: &Inputs,
        (name, title): (&'static str, &'static str),
        columns: Vec<Column>,
        mut lines: Vec<MeanLine>,
        note: &str,
    ) -> Self {
        let published: &PublishedLines = &of.lines;
        for line in &mut lines {
            line.published = published.of(name, line.condition.as_str(), &line.words).map(|(_, share)| *share);
        }
        let intervals = format!("intervals are percentiles of {RESAMPLES} bootstrap resamples, at 95 %");
        let notes = vec![format!("Ours: {}; {intervals}.", source::study_line(&of.data.study)), note.to_owned()];
        MeanTable { name, title, study: of.data.study.clone(), columns, lines, notes }
    }
}

impl Table for MeanTable {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn grid(&self) -> Grid {
        let heads = self.columns.iter().map(|column| column.head);
        let header = ["Condition"].into_iter().chain(heads).chain(["Notebooks", "Mean", "95 % interval", "Paper"]);
        let row = |line: &MeanLine| {
            let ends = |found: Interval| format!("{:.1}–{:.1} %", found.lower * 100.0, found.upper * 100.0);
            let interval = line.interval.map_or_else(|| NOTHING.to_owned(), ends);
            let numbers = [thousands(line.notebooks as u64), percent(line.mean), interval, percent(line.published)];
            [line.condition.to_string()].into_iter().chain(line.words.iter().cloned()).chain(numbers).collect()
        };
        Grid {
            title: self.title.to_owned(),
            header: header.map(str::to_owned).collect(),
            word_columns: 1 + self.columns.len(),
            rows: self.lines.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
        .or_nothing()
    }

    fn csv(&self) -> String {
        let fields = self.columns.iter().map(|column| column.field);
        let header = ["condition"].into_iter().chain(fields).chain(["notebooks", "mean", "low", "high", "published"]);
        let number = |value: Option<f64>| rounded(value).map(|value| value.to_string()).unwrap_or_default();
        let rows = self.lines.iter().map(|line| {
            let (low, high) = (line.interval.map(|ends| ends.lower), line.interval.map(|ends| ends.upper));
            let numbers = [line.mean, low, high, line.published].map(number);
            let words = [line.condition.to_string()].into_iter().chain(line.words.iter().cloned());
            words.chain([line.notebooks.to_string()]).chain(numbers).collect()
        });
        csv_text(std::iter::once(header.map(str::to_owned).collect()).chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &MeanLine| {
            let interval = line.interval.map(|ends| [rounded(Some(ends.lower)), rounded(Some(ends.upper))]);
            let mut object = json!({
                "condition": line.condition,
                "notebooks": line.notebooks,
                "mean": rounded(line.mean),
                "mean_interval": interval,
                "published": line.published,
            });
            for (column, word) in self.columns.iter().zip(&line.words) {
                object[column.field] = json!(word);
            }
            object
        };
        self.framed(&self.study, self.lines.iter().map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_an_interval_around_it_and_nothing_has_neither() {
        let line = MeanLine::of(Condition::BASELINE, ["all"], &[0.0, 0.5, 1.0, 1.0]);
        let ends = line.interval.unwrap();
        assert_eq!((line.notebooks, line.mean), (4, Some(0.625)));
        assert!(ends.lower < 0.625 && ends.upper > 0.625 && ends.lower >= 0.0 && ends.upper <= 1.0);
        let nothing = MeanLine::of(Condition::BASELINE, ["all"], &[]);
        assert_eq!((nothing.mean, nothing.interval.is_none()), (None, true));
    }
}
