//! Tables 1 to 5 of the paper, ours beside the published, and those of the fixes that the paper has not.
//!
//! Parts:
//! - [`cell`]: a count with its share, interval and published counterpart;
//! - [`headline_table`]: one line a condition;
//! - [`outcome_table`]: Tables 1 to 3, one row a kind of outcome;
//! - [`fix_table`]: Table 4, one row a fix type;
//! - [`cost_table`]: Table 5, what language models cost;
//! - [`dialogue_table`]: what became of the questions to them;
//! - [`provider_table`]: fixes by provider and by rule;
//! - [`correlation_table`]: fixes against size and errors;
//! - [`uncertainty_table`], [`paired_table`]: intervals and tests that the paper lacks;
//! - [`curves`], [`sensitivity`], [`strata`]: its headline for other settings, counted in other ways and by kinds of versions, each a
//!   [`share_table`];
//! - [`summary_table`], [`summary_values`]: the numbers of the text by their names;
//! - [`grid`]: text laid out in columns, as Markdown or for a terminal.

mod cell;
mod correlation_table;
mod cost_table;
mod curves;
mod dialogue_table;
mod fix_table;
mod grid;
mod headline_table;
mod line;
mod outcome_table;
mod paired_table;
mod provider_table;
mod sensitivity;
mod share_table;
mod strata;
mod summary_table;
mod summary_values;
mod uncertainty_table;

#[cfg(test)]
mod dialogue_tests;
#[cfg(test)]
mod summary_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod uncertainty_tests;

use nbrevive_corpus::Role;

use crate::errors::Errors;
use crate::kinds::Kinds;
use crate::output::Product;
use crate::published::Published;
use crate::rows::Data;
use crate::sizes::Sizes;
use correlation_table::CorrelationTable;
use cost_table::CostTable;
use dialogue_table::DialogueTable;
use fix_table::FixTable;
use headline_table::HeadlineTable;
use outcome_table::OutcomeTable;
use paired_table::PairedTable;
use provider_table::ProviderTable;
use share_table::ShareTable;
use summary_table::SummaryTable;
use summary_values::Values;
use uncertainty_table::UncertaintyTable;

pub(crate) use cell::{percent, thousands};
pub(crate) use fix_table::type_label;
pub(crate) use grid::{Grid, one_line};
pub(crate) use line::Line;
pub(crate) use paired_table::significant;

/// All tables.
pub(crate) struct Tables {
    headline: HeadlineTable,
    outcomes: Vec<OutcomeTable>,
    /// Error repair cell by cell, where the study has it.
    ablation: Option<OutcomeTable>,
    fixes: FixTable,
    costs: CostTable,
    dialogues: DialogueTable,
    providers: [ProviderTable; 2],
    correlations: CorrelationTable,
    uncertainty: UncertaintyTable,
    paired: PairedTable,
    shares: [ShareTable; 5],
    summary: SummaryTable,
}

impl Tables {
    /// Counts all tables. The errors of cells are read meanwhile, and given back.
    ///
    /// # Errors
    /// What `errors` gives.
    pub(crate) fn count<E: Send>(
        data: &Data,
        sizes: &Sizes,
        kinds: &Kinds,
        errors: impl FnOnce() -> Result<Option<Errors>, E> + Send,
        published: Option<&Published>,
    ) -> Result<(Self, Option<Errors>), E> {
        let (errors, (mut tables, values)) = both(errors, || Tables::without_errors(data, sizes, kinds, published));
        let errors = errors?;
        if let Some(errors) = &errors {
            tables.summary = SummaryTable::new(data, &values.with_errors(errors), published);
        }
        Ok((tables, errors))
    }

    /// All tables, the summary without the errors of cells, and the numbers that it is made from.
    fn without_errors(data: &Data, sizes: &Sizes, kinds: &Kinds, published: Option<&Published>) -> (Self, Values) {
        let table = |role: &Role| OutcomeTable::count(data.condition(*role), data, published);
        let has_ablation = data.of(Role::Ablation).next().is_some();
        let uncertain = || (UncertaintyTable::count(data), PairedTable::count(data), strata::table(data, kinds));
        let of_fixes = || (CorrelationTable::count(data, sizes), Values::count(data));
        let otherwise =
            || (curves::by_tau(data), curves::by_fixes(data), curves::by_time(data), sensitivity::table(data, kinds));
        let providers = || [ProviderTable::by_provider(data), ProviderTable::by_rule(data)];
        let (((uncertainty, paired, strata), (correlations, values)), ((tau, fixes, time, sensitivity), providers)) =
            rayon::join(|| rayon::join(uncertain, of_fixes), || rayon::join(otherwise, providers));
        let tables = Tables {
            headline: HeadlineTable::count(data, published),
            outcomes: Role::MAIN.iter().map(table).collect(),
            ablation: has_ablation.then(|| table(&Role::Ablation)),
            fixes: FixTable::count(data, published),
            costs: CostTable::count(data, published),
            dialogues: DialogueTable::count(data),
            providers,
            correlations,
            uncertainty,
            paired,
            shares: [tau, fixes, time, sensitivity, strata],
            summary: SummaryTable::new(data, &values, published),
        };
        (tables, values)
    }

    /// The tables of the paper as plain text, one after the other.
    pub(crate) fn terminal(&self) -> String {
        let mut parts: Vec<String> = self.outcomes.iter().map(|table| table.grid().plain()).collect();
        parts.push(self.fixes.grid().plain());
        parts.push(self.costs.grid().plain());
        parts.extend(self.ablation.iter().map(|table| table.grid().plain()));
        parts.join("\n")
    }

    /// Every table as Markdown, LaTeX, CSV and JSON.
    pub(crate) fn products(&self) -> Vec<Product> {
        let headline = &self.headline;
        let mut products: Vec<Product> = files("headline", &headline.grid(), headline.csv(), &headline.json()).into();
        for (number, table) in (1_u8..).zip(&self.outcomes) {
            products.extend(files(&format!("table{number}"), &table.grid(), table.csv(), &table.json()));
        }
        products.extend(files("table4", &self.fixes.grid(), self.fixes.csv(), &self.fixes.json()));
        products.extend(files("table5", &self.costs.grid(), self.costs.csv(), &self.costs.json()));
        if let Some(table) = &self.ablation {
            products.extend(files("cell-level", &table.grid(), table.csv(), &table.json()));
        }
        let [by_provider, by_rule] = &self.providers;
        let dialogues = &self.dialogues;
        products.extend(files("dialogues", &dialogues.grid(), dialogues.csv(), &dialogues.json()));
        products.extend(files("fixes-by-provider", &by_provider.grid(), by_provider.csv(), &by_provider.json()));
        products.extend(files("fixes-by-rule", &by_rule.grid(), by_rule.csv(), &by_rule.json()));
        let correlations = &self.correlations;
        products.extend(files("fix-correlations", &correlations.grid(), correlations.csv(), &correlations.json()));
        let (uncertainty, paired) = (&self.uncertainty, &self.paired);
        products.extend(files("uncertainty", &uncertainty.grid(), uncertainty.csv(), &uncertainty.json()));
        products.extend(files("paired-tests", &paired.grid(), paired.csv(), &paired.json()));
        for table in &self.shares {
            products.extend(files(table.name(), &table.grid(), table.csv(), &table.json()));
        }
        products.extend(files("summary", &self.summary.grid(), self.summary.csv(), &self.summary.json()));
        products
    }
}

/// Does two things at once, the first on a thread of its own: one of rayon's would begin the second while it waits for polars, and go
/// on with the first when that is done.
pub(crate) fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|threads| {
        let first = threads.spawn(first);
        let second = second();
        (first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), second)
    })
}

fn files(table: &str, grid: &Grid, csv: String, json: &serde_json::Value) -> [Product; 4] {
    let name = |extension: &str| format!("tables/{table}.{extension}");
    [
        Product::of_table(name("md"), grid.markdown(), grid.clone()),
        Product::text(name("tex"), grid.latex(table)),
        Product::text(name("csv"), csv),
        Product::text(name("json"), format!("{json:#}\n")),
    ]
}
