//! Two groups of crashes beside each other, word by word: differences, and Barnard's exact test with Bonferroni's correction.

use nbrevive_stats::{barnard_exact, bonferroni};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{CrashRow, Field, groups, words};
use crate::number_words::{NOTHING, rounded};
use crate::output::csv_text;
use crate::tables::{Cell, Grid, Table};

/// The tests; none where there are not two groups.
pub(super) struct PairTable {
    name: &'static str,
    heads: [&'static str; 2],
    groups: Vec<String>,
    lines: Vec<Line>,
}

struct Line {
    /// Whose crashes are compared, and which of them are counted.
    words: [String; 2],
    cells: [Cell; 2],
    p: Option<f64>,
    corrected: Option<f64>,
}

impl PairTable {
    /// Compares the first two groups. The correction is over the words of a row, as the paper's: nine causes of each exception type. Two
    /// words are one question.
    pub(super) fn count(
        name: &'static str,
        crashes: &[CrashRow],
        (row_head, down): (&'static str, Field),
        (column_head, across): (&'static str, Field),
    ) -> Self {
        let all: Vec<&CrashRow> = crashes.iter().collect();
        let groups = groups(&all);
        let mut table = PairTable {
            name,
            heads: [row_head, column_head],
            groups: groups.iter().take(2).map(|group| (*group).to_owned()).collect(),
            lines: Vec::new(),
        };
        let [one, other, ..] = groups[..] else { return table };
        let mut columns = words(&all, across);
        if columns.len() == 2 {
            columns.truncate(1);
        }
        let words = words(&all, down);
        let lines = words.par_iter().flat_map_iter(|word| {
            let of = |group| all.iter().filter(move |crash| crash.group == group && down(crash) == *word);
            let cell = |group, column| {
                Cell::new(of(group).filter(|crash| across(crash) == column).count() as u64, of(group).count() as u64)
            };
            let lines = columns.iter().map(|column| ([*word, column], [cell(one, *column), cell(other, *column)]));
            corrected(lines.collect())
        });
        table.lines = lines.collect();
        table
    }
}

fn corrected(lines: Vec<([&str; 2], [Cell; 2])>) -> Vec<Line> {
    let p_value = |cells: &[Cell; 2]| {
        let table = [&cells[0], &cells[1]].map(|cell| [cell.count(), cell.of() - cell.count()]);
        barnard_exact(table).ok().map(|test| test.p_value)
    };
    let p_values: Vec<Option<f64>> = lines.iter().map(|(_, cells)| p_value(cells)).collect();
    // All are there, or none: whether a test is possible depends on the groups alone.
    let known: Vec<f64> = p_values.iter().copied().flatten().collect();
    let mut adjusted = bonferroni(&known).unwrap_or_default().into_iter();
    let line = |((words, cells), p): (([&str; 2], [Cell; 2]), Option<f64>)| Line {
        words: words.map(str::to_owned),
        cells,
        p,
        corrected: p.and_then(|_| adjusted.next()),
    };
    lines.into_iter().zip(p_values).map(line).collect()
}

impl Line {
    /// How many percentage points the first group has more.
    fn points(&self) -> Option<f64> {
        Some(100.0 * (self.cells[0].share()? - self.cells[1].share()?))
    }
}

/// A p-value for people.
pub(super) fn p_text(p: f64) -> String {
    if p < 0.0005 { "below 0.0005".to_owned() } else { format!("{p:.3}") }
}

impl Table for PairTable {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn grid(&self) -> Grid {
        let groups = self.groups.iter().map(String::as_str);
        let header = self.heads.into_iter().chain(groups).chain(["Points", "p", "p, corrected"]);
        let number = |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(|| NOTHING.to_owned(), text);
        let row = |line: &Line| {
            let cells = line.cells.each_ref().map(|cell| format!("{} of {}", cell.count_text(), cell.whole_text()));
            let points = number(line.points(), |points| format!("{points:+.0}"));
            let p_values = [number(line.p, p_text), number(line.corrected, p_text)];
            line.words.clone().into_iter().chain(cells).chain([points]).chain(p_values).collect()
        };
        let significant = self.lines.iter().filter(|line| line.corrected.is_some_and(|p| p < 0.05)).count();
        let tests = self.lines.iter().filter(|line| line.p.is_some()).count();
        let note = match self.lines.is_empty() {
            true => "There are no two groups to compare.".to_owned(),
            false => format!(
                "Points are the difference of shares. Barnard's exact test, two-sided, with Bonferroni's correction over the lines of a \
                 row's first word: {significant} of {tests} differences are significant at 0.05."
            ),
        };
        Grid {
            title: format!("{} by {}: two groups beside each other", self.heads[1], self.heads[0].to_lowercase()),
            header: header.map(str::to_owned).collect(),
            word_columns: 2,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![note],
        }
    }

    fn csv(&self) -> String {
        let header = ["row", "column", "count", "of", "other_count", "other_of", "p", "p_corrected"];
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let lines = self.lines.iter().map(|line| {
            let counts = line.cells.iter().flat_map(|cell| [cell.count().to_string(), cell.of().to_string()]);
            line.words.clone().into_iter().chain(counts).chain([number(line.p), number(line.corrected)]).collect()
        });
        csv_text([header.map(str::to_owned).into()].into_iter().chain(lines))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            let cells = line.cells.each_ref().map(|cell| json!({ "count": cell.count(), "of": cell.of() }));
            json!({ "words": line.words, "cells": cells, "points": rounded(line.points()), "p": line.p, "p_corrected": line.corrected })
        };
        let rows: Vec<Value> = self.lines.iter().map(row).collect();
        json!({ "table": self.name, "title": self.grid().title, "groups": self.groups, "rows": rows })
    }
}
