//! Tables 1 to 5 of the paper, ours beside the published, and those of the fixes that the paper has not.
//!
//! A table is one file, with a type that implements [`list::Table`], and one row of the list there.
//!
//! Parts:
//! - [`list`]: every table;
//! - [`cell`]: a count with its share, interval and published counterpart;
//! - [`headline_table`]: one line a condition;
//! - [`outcome_table`]: Tables 1 to 3, one row a kind of outcome;
//! - [`fix_table`]: Table 4, one row a fix type;
//! - [`cost_table`]: Table 5, what language models cost;
//! - [`dialogue_table`]: what became of the questions to them;
//! - [`provider_table`]: fixes by provider and by rule;
//! - [`executability_table`]: how much of the notebooks runs, by what stops them;
//! - [`causes`]: root causes of first errors;
//! - [`restored_tables`], [`restored_strata`], [`root_tables`], [`mean_tables`], [`preparation_table`], [`without_data`], [`related_table`]: the paper
//!   on executability, and what goes beyond it;
//! - [`survival_table`]: official examples by their releases;
//! - [`mean_table`]: means with intervals;
//! - [`correlation_table`]: fixes against size and errors;
//! - [`uncertainty_table`], [`paired_table`]: intervals and tests that the paper lacks;
//! - [`curves`], [`sensitivity`], [`strata`]: its headline for other settings, counted in other ways and by kinds of versions, each a
//!   [`share_table`];
//! - [`summary_table`], [`summary_values`]: the numbers of the text by their names;
//! - [`grid`]: text laid out in columns, as Markdown or for a terminal.

mod causes;
mod cell;
mod correlation_table;
mod cost_table;
mod curves;
mod dialogue_table;
mod executability_table;
mod fix_table;
mod gain_table;
mod grid;
mod headline_table;
mod list;
mod mean_table;
mod mean_tables;
mod order_tables;
mod outcome_table;
mod output_classes;
mod output_tables;
mod paired_table;
mod preparation_table;
mod provider_table;
mod related_table;
mod restored_strata;
mod restored_tables;
mod root_tables;
mod sensitivity;
mod share_table;
mod strata;
mod summary_table;
mod summary_values;
mod survival_table;
mod uncertainty_table;
mod without_data;

#[cfg(test)]
mod dialogue_tests;
#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod summary_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod uncertainty_tests;

pub(crate) use cell::{CONFIDENCE, Cell};
pub(crate) use fix_table::type_label;
pub(crate) use grid::{Grid, one_line};
pub(crate) use list::{Table, Tables};
pub(crate) use output_tables::{error_counts, first_error};
pub(crate) use paired_table::significant;
pub(crate) use restored_strata::star_counts;
pub(crate) use restored_tables::{Notion, notion};
