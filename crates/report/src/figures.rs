//! The figures of the paper: 3, 6 and 10a show how versions flow from their outcome at baseline to that under another condition, 2 how
//! long versions ran, 7 to 9 and 10b what fixes did.
//!
//! A figure is a type that implements [`list::Figure`], in its file, and one row of the list there.
//!
//! Parts:
//! - [`list`]: every figure;
//! - [`flow_figure`], [`flow`]: Figures 3, 6 and 10a, and their counts;
//! - [`layout`]: where bars and ribbons stand, in the units of the picture;
//! - [`draw`]: the picture of a flow;
//! - [`run_time`], [`histogram`]: the counts of Figure 2, and its picture;
//! - [`fix_counts`], [`edits`], [`error_types`], [`approaches`]: the counts of Figures 7, 8, 9 and 10b;
//! - [`outputs`]: Figures 2 to 4 of the paper on containers;
//! - [`survival`]: of a study of official examples;
//! - [`charted`]: what these four have in common;
//! - [`chart`], [`bars`], [`boxes`], [`lines`], [`matrix`], [`overlap`], [`rates`], [`residuals`]: their pictures;
//! - [`efficiency`]: of a study on many machines, which is no study's own;
//! - [`canvas`], [`outlines`]: the sheet, and the same picture as SVG and as PNG.

mod approaches;
mod bars;
mod boxes;
mod canvas;
mod chart;
mod charted;
mod draw;
mod edits;
mod efficiency;
mod error_types;
mod fix_counts;
mod flow;
mod flow_figure;
mod grouped;
mod histogram;
mod layout;
mod lines;
mod list;
mod matrix;
mod orders;
mod outlines;
mod outputs;
mod overlap;
mod rates;
mod residuals;
mod restored;
mod run_time;
mod survival;

#[cfg(test)]
mod any_study_tests;
#[cfg(test)]
mod chart_tests;
#[cfg(test)]
mod run_time_tests;
#[cfg(test)]
mod tests;

use crate::number_words::{percent, thousands};
pub(crate) use bars::{Series, StackedBars};
pub(crate) use chart::{COLOURS, Caption, Chart};
pub(crate) use charted::ChartFigure;
pub use efficiency::{MachineTime, draw_efficiency};
#[cfg(test)]
pub(crate) use list::Figure;
pub(crate) use list::{Figures, figure_products};
pub(crate) use matrix::{DifferenceMatrix, signed};
pub(crate) use rates::RateBars;
pub(crate) use residuals::ResidualBars;
pub use run_time::MINED_VERSIONS;

/// A count with its share of the whole.
fn count_label(count: u64, total: u64) -> String {
    format!("{} ({})", thousands(count), percent((total > 0).then(|| count as f64 / total as f64)))
}
