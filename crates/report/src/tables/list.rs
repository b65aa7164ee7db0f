//! Every table, as one list: what a report writes, shows and prints comes from here.

#![deny(clippy::wildcard_enum_match_arm)]

use nbrevive_corpus::Role;
use rayon::prelude::*;
use serde_json::json;

use super::correlation_table::CorrelationTable;
use super::cost_table::CostTable;
use super::dialogue_table::DialogueTable;
use super::executability_table::ExecutabilityTable;
use super::fix_table::FixTable;
use super::gain_table::GainTable;
use super::headline_table::HeadlineTable;
use super::outcome_table::OutcomeTable;
use super::paired_table::PairedTable;
use super::provider_table::ProviderTable;
use super::share_table::ShareTable;
use super::summary_table::SummaryTable;
use super::summary_values::Values;
use super::uncertainty_table::UncertaintyTable;
use super::{
    Grid, causes, curves, mean_tables, order_tables, output_tables, preparation_table, related_table, restored_strata,
    restored_tables, root_tables, sensitivity, strata, survival_table, without_data,
};
use crate::at_once::both;
use crate::errors::Errors;
use crate::frame::FrameError;
use crate::inputs::Inputs;
use crate::inputs::Subject::{self, Any, Examples, Executability, Orders, Outputs, Scores};
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
pub(super) type Count = fn(&Inputs) -> Option<Box<dyn Table>>;

/// A table of studies that have this subject.
pub(super) type Row = (Subject, Count);

/// All tables, in the order of the page. Those of the terminal are printed in this order, too.
const LIST: &[Row] = &[
    (Scores, |of| counted(HeadlineTable::count(&of.data, of.published()))),
    (Scores, |of| counted(OutcomeTable::count(of.data.condition(Role::Baseline), &of.data, of.published()))),
    (Scores, |of| counted(OutcomeTable::count(of.data.condition(Role::Backport), &of.data, of.published()))),
    (Scores, |of| counted(OutcomeTable::count(of.data.condition(Role::Modernize), &of.data, of.published()))),
    (Scores, |of| counted(FixTable::count(&of.data, of.published()))),
    (Scores, |of| counted(CostTable::count(&of.data, of.published()))),
    (Scores, |of| OutcomeTable::of_ablation(&of.data, of.published()).and_then(counted)),
    (Scores, |of| counted(DialogueTable::count(&of.data))),
    (Scores, |of| counted(ProviderTable::by_provider(&of.data))),
    (Scores, |of| counted(ProviderTable::by_rule(&of.data))),
    (Scores, |of| counted(CorrelationTable::count(&of.data, &of.sizes))),
    (Scores, |of| counted(UncertaintyTable::count(&of.data))),
    (Scores, |of| counted(PairedTable::count(&of.data))),
    (Scores, |of| counted(curves::by_tau(&of.data))),
    (Scores, |of| counted(curves::by_fixes(&of.data))),
    (Scores, |of| counted(curves::by_time(&of.data))),
    (Scores, |of| counted(curves::by_flaky_rate(&of.data))),
    (Scores, |of| counted(curves::flaky(&of.data))),
    (Scores, |of| counted(sensitivity::table(&of.data, &of.kinds))),
    (Scores, |of| counted(strata::table(&of.data, &of.kinds))),
    (Scores, |of| counted(SummaryTable::new(&of.data, Values::count(&of.data), of.published()))),
    (Any, |of| ExecutabilityTable::count(&of.data.study, &of.executability).and_then(counted)),
    (Any, |of| GainTable::count(of).and_then(counted)),
    (Any, |of| causes::table(of).and_then(counted)),
    (Any, |of| causes::by_type(of).and_then(counted)),
    (Examples, |of| survival_table::table(of).and_then(counted)),
    (Outputs, |of| beside(of, output_tables::composition(of, &of.outputs))),
    (Outputs, |of| beside(of, output_tables::cells(of, &of.outputs))),
    (Outputs, |of| beside(of, output_tables::categories(of, &of.outputs))),
    (Outputs, |of| beside(of, output_tables::classes(of, &of.outputs))),
    (Outputs, |of| beside(of, output_tables::overlaps(of, &of.outputs))),
    (Outputs, |of| beside(of, output_tables::error_types(of, &of.outputs))),
    (Outputs, |of| beside(of, output_tables::taxonomy(of, &of.outputs))),
    (Outputs, |of| beside(of, output_tables::requirements(of, &of.outputs))),
    (Outputs, |of| output_tables::text_ratio(of, &of.outputs).and_then(|table| beside(of, table))),
    (Outputs, |of| beside(of, output_tables::chance(of, &of.outputs))),
    (Orders, |of| beside(of, order_tables::matches(of, &of.outputs.orders))),
    (Orders, |of| beside(of, order_tables::by_python(of, &of.outputs.orders))),
    (Orders, |of| beside(of, order_tables::causes(of, &of.outputs.orders))),
    (Orders, |of| beside(of, order_tables::soundness(of, &of.outputs.orders))),
    (Orders, |of| order_tables::by_drawn(of, &of.outputs.orders).and_then(|table| beside(of, table))),
    (Orders, |of| beside(of, order_tables::sets(of, &of.outputs.orders))),
    (Orders, |of| order_tables::debugged(of, &of.outputs.orders).and_then(|table| beside(of, table))),
    (Executability, |of| without_data::table(of).and_then(counted)),
    (Executability, |of| beside(of, restored_tables::errors(of))),
    (Executability, |of| beside(of, restored_strata::by_stars(of))),
    (Executability, |of| counted(restored_strata::by_year(of))),
    (Executability, |of| counted(restored_strata::by_length(of))),
    (Executability, |of| beside(of, restored_tables::notions(of))),
    (Executability, |of| beside(of, restored_tables::degrees(of))),
    (Executability, |of| counted(mean_tables::degrees(of))),
    (Executability, |of| beside(of, mean_tables::restored(of))),
    (Executability, |of| counted(mean_tables::gains(of))),
    (Executability, |of| preparation_table::table(of).and_then(counted)),
    (Executability, |of| counted(root_tables::roots(of))),
    (Executability, |of| counted(root_tables::classes(of))),
    (Executability, |of| root_tables::left(of).and_then(counted)),
    (Executability, |of| related_table::RelatedTable::count(of).and_then(counted)),
];

fn counted(table: impl Table + 'static) -> Option<Box<dyn Table>> {
    Some(Box::new(table))
}

/// With what a paper prints in its lines.
fn beside(of: &Inputs, table: ShareTable) -> Option<Box<dyn Table>> {
    counted(table.beside(&of.lines))
}

/// Tables in the order of their list.
pub(crate) struct Tables(Vec<Box<dyn Table>>);

impl Tables {
    /// Counts all tables. The errors of cells are read meanwhile, and given back.
    ///
    /// # Errors
    /// A file of errors that cannot be used.
    pub(crate) fn count(of: &Inputs) -> Result<(Self, Option<Errors>), FrameError> {
        let (errors, mut tables) = both(|| of.errors(), || Tables::of(LIST, of));
        let errors = errors?;
        for table in &mut tables.0 {
            errors.iter().for_each(|errors| table.add_errors(errors));
        }
        Ok((tables, errors))
    }

    /// Counts those of a list.
    pub(super) fn of(list: &[Row], inputs: &Inputs) -> Self {
        // One at a time: some take much longer than others.
        let rows = list.par_iter().with_max_len(1).filter(|(subject, _)| subject.is_of(inputs));
        Tables(rows.filter_map(|(_, count)| count(inputs)).collect())
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
