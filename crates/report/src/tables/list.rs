//! Every table, as one list: what a report writes, shows and prints comes from here.

#![deny(clippy::wildcard_enum_match_arm)]

use nbrevive_corpus::{Judge, Role};
use rayon::prelude::*;
use serde_json::json;

use super::correlation_table::CorrelationTable;
use super::cost_table::CostTable;
use super::dialogue_table::DialogueTable;
use super::executability_table::ExecutabilityTable;
use super::fix_table::FixTable;
use super::gain_table::GainTable;
use super::headline_table::HeadlineTable;
use super::order_tables::ORDER_TABLES;
use super::outcome_table::OutcomeTable;
use super::output_tables::OUTPUT_TABLES;
use super::paired_table::PairedTable;
use super::provider_table::ProviderTable;
use super::restored_tables::RESTORED_TABLES;
use super::summary_table::SummaryTable;
use super::summary_values::Values;
use super::uncertainty_table::UncertaintyTable;
use super::{Grid, causes, curves, sensitivity, strata};
use crate::at_once::both;
use crate::errors::Errors;
use crate::frame::FrameError;
use crate::inputs::Inputs;
use crate::output::Product;
use crate::rows::Study;

/// A table that was counted.
pub(crate) trait Table: Send {
    /// The name of its files, and of its place in the page.
    fn name(&self) -> String;

    /// The table as text in columns.
    fn grid(&self) -> Grid;

    /// The table as CSV.
    fn csv(&self) -> String;

    /// The table as JSON.
    fn json(&self) -> serde_json::Value;

    /// Its JSON, with the words around its rows that are those of the text.
    fn framed(&self, study: &Study, rows: Vec<serde_json::Value>) -> serde_json::Value {
        let Grid { title, notes, .. } = self.grid();
        json!({ "table": self.name(), "title": title, "study": study, "rows": rows, "notes": notes })
    }

    /// Whether the terminal shows it.
    fn is_on_terminal(&self) -> bool {
        false
    }

    /// Adds what the errors of cells tell, which are read while tables are counted.
    fn add_errors(&mut self, _errors: &Errors) {}

    /// Its files: Markdown, LaTeX, CSV and JSON.
    fn products(&self) -> [Product; 4] {
        let (table, grid) = (self.name(), self.grid());
        let file = |extension: &str, text: String| Product::text(format!("tables/{table}.{extension}"), text);
        [
            file("md", grid.markdown()),
            file("tex", grid.latex(&table)),
            file("csv", self.csv()),
            file("json", format!("{:#}\n", self.json())),
        ]
    }
}

/// How a table is counted; none where a study has nothing that it could be of.
type Count = fn(&Inputs) -> Option<Box<dyn Table>>;

/// The tables of any study, after those of scores.
const OF_ANY: &[Count] = &[
    |of| ExecutabilityTable::count(&of.data.study, &of.executability).and_then(counted),
    |of| GainTable::count(of).and_then(counted),
    |of| causes::table(of).and_then(counted),
];

/// The tables of a study that asks for scores, in the order of the page. Those of the terminal are printed in this order, too.
const OF_SCORES: &[Count] = &[
    |of| counted(HeadlineTable::count(&of.data, of.published())),
    |of| counted(OutcomeTable::count(of.data.condition(Role::Baseline), &of.data, of.published())),
    |of| counted(OutcomeTable::count(of.data.condition(Role::Backport), &of.data, of.published())),
    |of| counted(OutcomeTable::count(of.data.condition(Role::Modernize), &of.data, of.published())),
    |of| counted(FixTable::count(&of.data, of.published())),
    |of| counted(CostTable::count(&of.data, of.published())),
    |of| OutcomeTable::of_ablation(&of.data, of.published()).and_then(counted),
    |of| counted(DialogueTable::count(&of.data)),
    |of| counted(ProviderTable::by_provider(&of.data)),
    |of| counted(ProviderTable::by_rule(&of.data)),
    |of| counted(CorrelationTable::count(&of.data, &of.sizes)),
    |of| counted(UncertaintyTable::count(&of.data)),
    |of| counted(PairedTable::count(&of.data)),
    |of| counted(curves::by_tau(&of.data)),
    |of| counted(curves::by_fixes(&of.data)),
    |of| counted(curves::by_time(&of.data)),
    |of| counted(curves::by_flaky_rate(&of.data)),
    |of| counted(curves::flaky(&of.data)),
    |of| counted(sensitivity::table(&of.data, &of.kinds)),
    |of| counted(strata::table(&of.data, &of.kinds)),
    |of| counted(SummaryTable::new(&of.data, Values::count(&of.data), of.published())),
];

fn counted(table: impl Table + 'static) -> Option<Box<dyn Table>> {
    Some(Box::new(table))
}

/// Tables in the order of their list.
pub(crate) struct Tables(Vec<Box<dyn Table>>);

impl Tables {
    /// Counts all tables. The errors of cells are read meanwhile, and given back.
    ///
    /// # Errors
    /// A file of errors that cannot be used.
    pub(crate) fn count(of: &Inputs) -> Result<(Self, Option<Errors>), FrameError> {
        let of_scores = if of.data.study.judge.asks_scores() { OF_SCORES } else { &[] };
        let list: Vec<Count> = of_scores.iter().chain(OF_ANY).copied().collect();
        let (errors, mut tables) = both(|| of.errors(), || Tables::of(&list, of));
        if !of.outputs.notebooks.is_empty() {
            let counted = OUTPUT_TABLES
                .par_iter()
                .map(|count| Box::new(count(of, &of.outputs).beside(&of.lines)) as Box<dyn Table>);
            tables.0.par_extend(counted);
        }
        if of.outputs.orders.are_asked() {
            let counted = ORDER_TABLES
                .par_iter()
                .map(|count| Box::new(count(of, &of.outputs.orders).beside(&of.lines)) as Box<dyn Table>);
            tables.0.par_extend(counted);
        }
        if of.data.study.judge == Judge::Executability {
            let counted =
                RESTORED_TABLES.par_iter().map(|count| Box::new(count(of).beside(&of.lines)) as Box<dyn Table>);
            tables.0.par_extend(counted);
        }
        let errors = errors?;
        for table in &mut tables.0 {
            errors.iter().for_each(|errors| table.add_errors(errors));
        }
        Ok((tables, errors))
    }

    /// Counts those of a list.
    pub(super) fn of(list: &[Count], inputs: &Inputs) -> Self {
        // One at a time: some take much longer than others.
        Tables(list.par_iter().with_max_len(1).filter_map(|count| count(inputs)).collect())
    }

    /// The files of every table.
    pub(crate) fn products(&self) -> Vec<Product> {
        self.0.iter().flat_map(|table| table.products()).collect()
    }

    /// Every table with its name, for the page.
    pub(crate) fn grids(&self) -> Vec<(String, Grid)> {
        self.0.iter().map(|table| (table.name(), table.grid())).collect()
    }

    /// The tables of the paper as plain text, one after the other.
    pub(crate) fn terminal(&self) -> String {
        let shown = self.0.iter().filter(|table| table.is_on_terminal());
        shown.map(|table| table.grid().plain()).collect::<Vec<_>>().join("\n")
    }
}
