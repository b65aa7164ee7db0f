//! Shares of reproducible versions by condition, and by whatever else parts them.

use nbrevive_corpus::Condition;
use serde_json::{Value, json};

use super::cell::Cell;
use super::grid::Grid;
use super::list::Table;
use crate::beside::PublishedLines;
use crate::output::csv_text;
use crate::rows::{Data, Study};
use crate::source;

/// What a share stands at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Setting {
    /// A number.
    Number(u32),
    /// Words.
    Words(String),
}

/// A column of settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    /// Its head.
    pub(crate) head: &'static str,
    /// Its name in CSV and JSON.
    pub(crate) field: &'static str,
}

/// A share of the versions under a condition.
pub(crate) struct ShareLine {
    /// The condition.
    pub(crate) condition: Condition,
    /// One a column.
    pub(crate) settings: Vec<Setting>,
    /// The count, with its whole.
    pub(crate) cell: Cell,
}

/// A table of shares.
pub(crate) struct ShareTable {
    name: &'static str,
    title: &'static str,
    study: Study,
    columns: Vec<Column>,
    lines: Vec<ShareLine>,
    /// What is counted, as the head of its column.
    counted: &'static str,
    notes: Vec<String>,
}

/// A column of settings by its head, and its name in CSV and JSON.
pub(crate) const fn column(head: &'static str, field: &'static str) -> Column {
    Column { head, field }
}

/// A line whose settings are words.
pub(crate) fn line<const N: usize>(condition: Condition, words: [&str; N], count: usize, of: usize) -> ShareLine {
    let settings = words.map(|word| Setting::Words(word.to_owned())).into();
    ShareLine { condition, settings, cell: Cell::new(count as u64, of as u64) }
}

impl ShareTable {
    /// The table of this name; `note` stands below it.
    pub(crate) fn new(
        data: &Data,
        (name, title): (&'static str, &'static str),
        columns: Vec<Column>,
        lines: Vec<ShareLine>,
        note: String,
    ) -> Self {
        let notes = vec![format!("Ours: {}; intervals are Wilson's.", source::study_line(&data.study)), note];
        ShareTable { name, title, study: data.study.clone(), columns, lines, counted: "Versions", notes }
    }

    /// The same table with what is printed beside its lines.
    pub(crate) fn beside(mut self, published: &PublishedLines) -> Self {
        for line in &mut self.lines {
            let words: Vec<String> = line.settings.iter().map(Setting::text).collect();
            if let Some((count, share)) = published.of(self.name, line.condition.as_str(), &words) {
                line.cell = line.cell.clone().beside_share(count.clone(), Some(*share));
            }
        }
        self
    }

    fn has_published(&self) -> bool {
        self.lines.iter().any(|line| line.cell.is_published())
    }

    /// The same table with another word for what is counted.
    pub(crate) fn of(self, counted: &'static str) -> Self {
        ShareTable { counted, ..self }
    }
}

impl Table for ShareTable {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn grid(&self) -> Grid {
        let has_published = self.has_published();
        let heads = self.columns.iter().map(|column| column.head);
        let header: Vec<String> = ["Condition"]
            .into_iter()
            .chain(heads)
            .chain([self.counted, "Of", "Share", "95 % interval"])
            .chain(["Paper", "Paper's share"].into_iter().filter(|_| has_published))
            .map(str::to_owned)
            .collect();
        let row = |line: &ShareLine| {
            let cell = &line.cell;
            let words = line.settings.iter().map(Setting::text);
            let numbers = [cell.count_text(), cell.whole_text(), cell.share_text(), cell.interval_text()];
            let printed = [cell.published_text(), cell.published_share_text()].into_iter().filter(|_| has_published);
            [line.condition.to_string()].into_iter().chain(words).chain(numbers).chain(printed).collect()
        };
        let first = self.lines.first().map_or(&[][..], |line| &line.settings);
        let words = first.iter().take_while(|setting| matches!(setting, Setting::Words(_))).count();
        Grid {
            title: self.title.to_owned(),
            header,
            word_columns: 1 + words,
            rows: self.lines.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
        .or_nothing()
    }

    fn csv(&self) -> String {
        let has_published = self.has_published();
        let fields = self.columns.iter().map(|column| column.field);
        let header = ["condition"]
            .into_iter()
            .chain(fields)
            .chain(["count", "of", "share", "share_low", "share_high"])
            .chain(["published_count", "published_share"].into_iter().filter(|_| has_published))
            .map(str::to_owned)
            .collect();
        let rows = self.lines.iter().map(|line| {
            let [count, share, low, high, published, published_share] = line.cell.csv();
            let words = line.settings.iter().map(Setting::text);
            let numbers = [count, line.cell.of().to_string(), share, low, high];
            let printed = [published, published_share].into_iter().filter(|_| has_published);
            [line.condition.to_string()].into_iter().chain(words).chain(numbers).chain(printed).collect()
        });
        csv_text(std::iter::once(header).chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &ShareLine| {
            let mut object = line.cell.json();
            object["condition"] = json!(line.condition);
            object["of"] = json!(line.cell.of());
            for (column, setting) in self.columns.iter().zip(&line.settings) {
                object[column.field] = match setting {
                    Setting::Number(number) => json!(number),
                    Setting::Words(words) => json!(words),
                };
            }
            object
        };
        self.framed(&self.study, self.lines.iter().map(row).collect())
    }
}

impl Setting {
    fn text(&self) -> String {
        match self {
            Setting::Number(number) => number.to_string(),
            Setting::Words(words) => words.clone(),
        }
    }
}
