//! Counts in groups as stacked bars, and rates as bars beside each other: what several studies draw.

use serde_json::{Value, json};

use super::bars::{Series, StackedBars};
use super::chart::{COLOURS, Caption, Chart};
use super::charted::{ChartFigure, source_line};
use super::rates::RateBars;
use crate::inputs::Inputs;
use crate::tables::Cell;

/// What a figure says that has nothing to draw.
pub(super) const NOTHING: &str = "No notebook.";

/// A figure of stacked bars.
pub(super) struct Bars {
    /// Its number.
    pub(super) name: &'static str,
    /// What a paper's text says of it, by the names of the published numbers.
    pub(super) said: &'static [&'static str],
    /// Its title.
    pub(super) title: &'static str,
    /// What the axes are of.
    pub(super) axes: (&'static str, &'static str),
    /// What is counted, and in which it is.
    pub(super) counted: (&'static str, &'static str),
    /// A label for each bar.
    pub(super) groups: Vec<String>,
    /// A label, and a count for each group.
    pub(super) series: Vec<(String, Vec<u64>)>,
}

impl Bars {
    /// The figure, with its counts as data.
    pub(super) fn figure(self, of: &Inputs) -> ChartFigure {
        let total = self.series.iter().flat_map(|(_, counts)| counts).sum();
        let source = source_line(total, self.counted.0, self.counted.1, &of.data);
        let of_group = |group: usize| {
            let parts = self.series.iter().map(|(label, counts)| format!("{label} {}", counts[group]));
            format!("{}: {}", self.groups[group], parts.collect::<Vec<_>>().join(", "))
        };
        let words: Vec<String> = (0..self.groups.len()).map(of_group).collect();
        let description = format!("{}. {source}", words.join("; "));
        let caption = Caption { title: self.title, description, source, published: None };
        let rows: Vec<_> =
            self.series.iter().map(|(label, counts)| json!({ "row": label, "counts": counts })).collect();
        let content = json!({ "groups": self.groups, "rows": rows });
        let series = self.series.into_iter().zip(COLOURS);
        let bars = StackedBars {
            caption: caption.clone(),
            axes: self.axes,
            groups: self.groups,
            series: series.map(|((label, counts), colour)| Series { label, colour, counts }).collect(),
            nothing: NOTHING,
        };
        ChartFigure::new((self.name, self.said), Chart::Bars(bars), &caption, &of.data, content).beside_lines(&of.lines)
    }
}

/// A figure of rates.
pub(super) struct Rates {
    /// Its number.
    pub(super) name: &'static str,
    /// What a paper's text says of it, by the names of the published numbers.
    pub(super) said: &'static [&'static str],
    /// Its title.
    pub(super) title: &'static str,
    /// What the axes are of.
    pub(super) axes: (&'static str, &'static str),
    /// How many of what it is of, and which these are.
    pub(super) counted: (u64, &'static str, &'static str),
    /// A label for each group of bars.
    pub(super) groups: Vec<String>,
    /// A label, and a rate for each group.
    pub(super) series: Vec<(String, Vec<Cell>)>,
}

impl Rates {
    /// The figure, with its rates as data.
    pub(super) fn figure(self, of: &Inputs) -> ChartFigure {
        let source = source_line(self.counted.0, self.counted.1, self.counted.2, &of.data);
        let words = self.series.iter().flat_map(|(label, cells)| {
            let word = move |(group, cell): (&String, &Cell)| {
                format!("{group}, {label}: {} of {} ({})", cell.count_text(), cell.whole_text(), cell.share_text())
            };
            self.groups.iter().zip(cells).map(word)
        });
        let description = format!("{}. {source}", words.collect::<Vec<_>>().join("; "));
        let caption = Caption { title: self.title, description, source, published: None };
        let rates = |cells: &[Cell]| -> Vec<Value> {
            cells.iter().map(|cell| json!({ "of": cell.of(), "rate": cell.json() })).collect()
        };
        let rows: Vec<Value> =
            self.series.iter().map(|(label, cells)| json!({ "row": label, "rates": rates(cells) })).collect();
        let content = json!({ "groups": self.groups, "rows": rows });
        let bars = RateBars {
            caption: caption.clone(),
            axes: self.axes,
            groups: self.groups,
            series: self.series,
            nothing: NOTHING,
        };
        ChartFigure::new((self.name, self.said), Chart::Rates(bars), &caption, &of.data, content)
            .beside_lines(&of.lines)
    }
}
