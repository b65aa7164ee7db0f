//! Tables 1 to 4 of the paper, ours beside the published.
//!
//! Parts:
//! - [`cell`]: a count with its share, interval and published counterpart;
//! - [`outcome_table`]: Tables 1 to 3, one row a kind of outcome;
//! - [`fix_table`]: Table 4, one row a fix type;
//! - [`grid`]: text laid out in columns, as Markdown or for a terminal.

mod cell;
mod fix_table;
mod grid;
mod line;
mod outcome_table;

#[cfg(test)]
mod tests;

use nbrevive_corpus::Condition;

use crate::output::Product;
use crate::published::Published;
use crate::rows::Data;
use fix_table::FixTable;
use outcome_table::OutcomeTable;

pub(crate) use cell::{percent, thousands};
pub(crate) use grid::one_line;
pub(crate) use line::Line;

/// The four tables.
pub(crate) struct Tables {
    outcomes: Vec<OutcomeTable>,
    /// Error repair cell by cell, where the study has it.
    ablation: Option<OutcomeTable>,
    fixes: FixTable,
}

impl Tables {
    /// Counts all tables.
    pub(crate) fn count(data: &Data, published: Option<&Published>) -> Self {
        let table = |condition: &Condition| OutcomeTable::count(*condition, data, published);
        let has_ablation = data.under(Condition::ModernizeCell).next().is_some();
        Tables {
            outcomes: Condition::MAIN.iter().map(table).collect(),
            ablation: has_ablation.then(|| table(&Condition::ModernizeCell)),
            fixes: FixTable::count(data, published),
        }
    }

    /// Every table as plain text, one after the other.
    pub(crate) fn terminal(&self) -> String {
        let mut parts: Vec<String> = self.outcomes.iter().map(|table| table.grid().plain()).collect();
        parts.push(self.fixes.grid().plain());
        parts.extend(self.ablation.iter().map(|table| table.grid().plain()));
        parts.join("\n")
    }

    /// Every table as Markdown, CSV and JSON.
    pub(crate) fn products(&self) -> Vec<Product> {
        let mut products = Vec::new();
        for (number, table) in (1_u8..).zip(&self.outcomes) {
            products.extend(files(&format!("table{number}"), table.grid().markdown(), table.csv(), &table.json()));
        }
        products.extend(files("table4", self.fixes.grid().markdown(), self.fixes.csv(), &self.fixes.json()));
        if let Some(table) = &self.ablation {
            products.extend(files("cell-level", table.grid().markdown(), table.csv(), &table.json()));
        }
        products
    }
}

fn files(name: &str, markdown: String, csv: String, json: &serde_json::Value) -> [Product; 3] {
    let path = |extension: &str| format!("tables/{name}.{extension}");
    [
        Product::text(path("md"), markdown),
        Product::text(path("csv"), csv),
        Product::text(path("json"), format!("{json:#}\n")),
    ]
}
