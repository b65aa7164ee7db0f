//! Counts by two dimensions of crashes, with the chi-squared test of whether they depend on each other.

use nbrevive_stats::{ChiSquared, chi_squared};
use serde_json::{Value, json};

use super::printed::PrintedShares;
use super::{CrashRow, Field, words};
use crate::number_words::rounded;
use crate::output::csv_text;
use crate::tables::{Cell, Grid, Table};

/// Of what shares are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shares {
    OfColumn,
    OfRow,
}

/// Counts by two dimensions.
pub(super) struct Crosstab {
    name: &'static str,
    heads: [&'static str; 2],
    rows: Vec<String>,
    columns: Vec<String>,
    counts: Vec<Vec<u64>>,
    shares: Shares,
    /// What a paper prints, where a table of it was named: a head, and a share for each row.
    printed: Vec<(&'static str, Vec<String>)>,
    test: Option<ChiSquared>,
}

impl Crosstab {
    pub(super) fn count(
        name: &'static str,
        crashes: &[&CrashRow],
        (row_head, down): (&'static str, Field),
        (column_head, across): (&'static str, Field),
        shares: Shares,
    ) -> Self {
        let of_group = column_head == "Crashes of";
        let columns = if of_group { super::groups(crashes) } else { words(crashes, across) };
        let rows = words(crashes, down);
        let mut counts = vec![vec![0; columns.len()]; rows.len()];
        for crash in crashes {
            let row = rows.iter().position(|word| *word == down(crash)).expect("all words were collected");
            let column = columns.iter().position(|word| *word == across(crash)).expect("all words were collected");
            counts[row][column] += 1;
        }
        let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
        Crosstab {
            name,
            heads: [row_head, column_head],
            test: chi_squared(&counts).ok(),
            rows: owned(rows),
            columns: owned(columns),
            counts,
            shares,
            printed: Vec::new(),
        }
    }

    /// The same with what a paper prints of each row, by what it prints it.
    pub(super) fn beside(mut self, printed: &PrintedShares, table: &str) -> Self {
        let shares = |key| self.rows.iter().map(|row| printed.of(table, row, key)).collect();
        self.printed = printed.columns(table).into_iter().map(|(key, head)| (head, shares(key))).collect();
        self
    }

    /// Each count of a row with its whole, and last their sum.
    fn cells(&self, row: usize) -> Vec<Cell> {
        let of_row: u64 = self.counts[row].iter().sum();
        let of_column = |column: usize| self.counts.iter().map(|row| row[column]).sum::<u64>();
        let all: u64 = self.counts.iter().flatten().sum();
        let cell = |(column, count): (usize, &u64)| {
            Cell::new(*count, if self.shares == Shares::OfRow { of_row } else { of_column(column) })
        };
        self.counts[row].iter().enumerate().map(cell).chain([Cell::new(of_row, all)]).collect()
    }

    fn note(&self) -> String {
        let shares = if self.shares == Shares::OfRow { "rows" } else { "columns" };
        let Some(test) = &self.test else {
            return format!("Shares are of {shares}, that of all of the whole. There is nothing to test.");
        };
        let few = test.expected.iter().flatten().filter(|expected| **expected < 5.0).count();
        let cells = test.expected.iter().map(Vec::len).sum::<usize>();
        format!(
            "Shares are of {shares}, that of all of the whole; behind them adjusted residuals (Haberman), in standard deviations. \
             χ² = {:.2} with {} degrees of freedom, p = {}, V = {:.3}; {few} of {cells} expected counts are below 5.",
            test.statistic,
            test.degrees,
            super::pairs::p_text(test.p_value),
            test.cramers_v
        )
    }
}

impl Table for Crosstab {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn grid(&self) -> Grid {
        let [row_head, _] = self.heads;
        let columns = self.columns.iter().map(String::as_str).chain(["All"]);
        let header = [row_head].into_iter().chain(columns).chain(self.printed.iter().map(|(head, _)| *head));
        let residual = |row: usize, column: usize| {
            let value = self.test.as_ref().and_then(|test| test.adjusted_residuals[row].get(column));
            value.map_or_else(String::new, |value| format!(" {value:+.1}"))
        };
        let row = |row: usize| {
            let cells = self.cells(row).into_iter().enumerate();
            let cells = cells.map(|(column, cell)| {
                let residual = residual(row, column);
                format!("{} ({}){residual}", cell.count_text(), cell.share_text())
            });
            let printed = self.printed.iter().map(|(_, shares)| shares[row].clone());
            [self.rows[row].clone()].into_iter().chain(cells).chain(printed).collect()
        };
        Grid {
            title: format!(
                "{} of crashes, by {}",
                row_head,
                self.heads[1].to_lowercase().replace("crashes of", "group")
            ),
            header: header.map(str::to_owned).collect(),
            word_columns: 1,
            rows: (0..self.rows.len()).map(row).collect(),
            notes: vec![self.note()],
        }
    }

    fn csv(&self) -> String {
        let header = ["row", "column", "count", "of", "share"].map(str::to_owned).into();
        let columns = || self.columns.iter().map(String::as_str).chain(["all"]);
        let lines = (0..self.rows.len()).flat_map(|row| {
            self.cells(row).into_iter().zip(columns()).map(move |(cell, column)| {
                let share = rounded(cell.share()).map_or_else(String::new, |share| share.to_string());
                let numbers = [cell.count().to_string(), cell.of().to_string(), share];
                [self.rows[row].clone(), column.to_owned()].into_iter().chain(numbers).collect()
            })
        });
        csv_text(std::iter::once(header).chain(lines))
    }

    fn json(&self) -> Value {
        let test = self.test.as_ref().map(|test| {
            let round = |value: f64| rounded(Some(value));
            let residuals: Vec<Vec<_>> =
                test.adjusted_residuals.iter().map(|row| row.iter().copied().map(round).collect()).collect();
            json!({ "statistic": round(test.statistic), "degrees": test.degrees, "p": test.p_value, "v": round(test.cramers_v),
                    "residuals": residuals })
        });
        let printed: serde_json::Map<String, Value> =
            self.printed.iter().map(|(head, shares)| ((*head).to_owned(), json!(shares))).collect();
        json!({ "table": self.name, "title": self.grid().title, "rows": self.rows, "columns": self.columns, "counts": self.counts,
                "printed": printed, "test": test })
    }
}
