//! What a paper prints, beside ours: shares by table, word and group, largest clusters, findings, and what its tables list in words.

use std::path::Path;

use nbrevive_corpus::{PublishedError, PublishedFiles};
use serde::Deserialize;

use super::findings::{Finding, Takeaway};
use crate::audit::{Bounds, Values, known};
use crate::number_words::NOTHING;

/// Published files, from which numbers are taken as they are printed.
#[derive(Debug, Default)]
pub(super) struct PrintedShares {
    tables: toml::Table,
    values: Values,
    lists: Lists,
}

/// What published files list that is no number.
#[derive(Debug, Default, Deserialize)]
struct Lists {
    #[serde(default, rename = "finding")]
    findings: Vec<Finding>,
    #[serde(default, rename = "takeaway")]
    takeaways: Vec<Takeaway>,
    #[serde(default, rename = "work")]
    works: Vec<Work>,
    #[serde(default, rename = "alike")]
    alike: Vec<Alike>,
}

/// A study that the paper compares itself with (its Table 1).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Work {
    pub(super) study: String,
    pub(super) dimensions: String,
    pub(super) targets: String,
    pub(super) libraries: String,
    pub(super) sources: String,
}

/// A value of an error with the words that the paper leaves of it (its Table 3).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Alike {
    pub(super) value: String,
    pub(super) words: String,
}

/// By what the paper prints shares, and what such a column is called.
const COLUMNS: [(&str, &str); 5] = [
    ("all", "Paper, all"),
    ("github", "Paper, GitHub"),
    ("kaggle", "Paper, Kaggle"),
    ("ml", "Paper, ML bugs"),
    ("python", "Paper, Python bugs"),
];

impl PrintedShares {
    pub(super) fn read(path: &Path) -> Result<Self, PublishedError> {
        let files = PublishedFiles::read(path)?;
        let (tables, lists): (toml::Table, Lists) = (files.parse()?, files.parse()?);
        let mut values = Values::default();
        values.add_published(&tables).map_err(|why| files.invalid("number", why))?;
        let is_there = |name: &&String| values.places(name).is_some_and(|places| !places.is_empty());
        if let Some(name) = lists.findings.iter().flat_map(Finding::names).find(|name| !is_there(name)) {
            return Err(files.invalid("finding", format!("a finding is of `{name}`, and no number is named so")));
        }
        Ok(PrintedShares { tables, values, lists })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The columns of shares that are printed of a table, each with its key; ranges stand there for what is not printed.
    pub(super) fn columns(&self, table: &str) -> Vec<(&'static str, &'static str)> {
        let rows = || self.tables.get(table).and_then(toml::Value::as_table).into_iter().flatten().map(|(_, row)| row);
        let is_printed = |(key, _): &(&str, &str)| rows().any(|row| percent(row, key).is_some());
        COLUMNS.into_iter().filter(is_printed).collect()
    }

    /// What is printed of a word in a column.
    pub(super) fn of(&self, table: &str, word: &str, column: &str) -> String {
        let row = self.tables.get(table).and_then(|table| table.get(word));
        row.and_then(|row| percent(row, column)).unwrap_or(NOTHING).to_owned()
    }

    /// The cluster of Table 4 whose most frequent name is this: its crashes and its number of names.
    pub(super) fn cluster(&self, name: &str) -> Option<[&str; 2]> {
        let rows = self.tables.get("table4")?.get("rows")?.as_table()?;
        let count = |text: &toml::Value| text.as_str()?.parse::<u64>().ok();
        let names = |row: &toml::Table| {
            let names = row.iter().filter(|(key, _)| !["crashes", "types"].contains(&key.as_str()));
            names.max_by_key(|(_, text)| count(text)).map(|(name, _)| name.clone())
        };
        let row = rows.values().filter_map(toml::Value::as_table).find(|row| names(row).as_deref() == Some(name))?;
        Some([row.get("crashes")?.as_str()?, row.get("types")?.as_str()?])
    }

    /// A number as it is printed first.
    pub(super) fn text(&self, name: &str) -> &str {
        self.said(name).unwrap_or(NOTHING)
    }

    /// The same; none of no number, and none of a range, which is ours.
    pub(super) fn said(&self, name: &str) -> Option<&str> {
        let text = &self.values.places(name)?.first()?.text;
        (!text.contains('–')).then_some(text)
    }

    /// What a number may stand for; of none anything.
    pub(super) fn bounds(&self, name: &str) -> Bounds {
        self.values.places(name).map_or(Bounds { low: 0.0, high: f64::INFINITY }, known)
    }

    /// The product of numbers, rounded; none of no number.
    pub(super) fn whole(&self, names: &[String]) -> Option<u64> {
        let middle = |name: &String| {
            let bounds = self.bounds(name);
            f64::midpoint(bounds.low, bounds.high)
        };
        (!names.is_empty()).then(|| names.iter().map(middle).product::<f64>().round() as u64)
    }

    pub(super) fn findings(&self) -> &[Finding] {
        &self.lists.findings
    }

    pub(super) fn takeaways(&self) -> &[Takeaway] {
        &self.lists.takeaways
    }

    pub(super) fn works(&self) -> &[Work] {
        &self.lists.works
    }

    pub(super) fn alike(&self) -> &[Alike] {
        &self.lists.alike
    }
}

fn percent<'row>(row: &'row toml::Value, column: &str) -> Option<&'row str> {
    row.get(column)?.as_str().filter(|share| share.ends_with('%'))
}
