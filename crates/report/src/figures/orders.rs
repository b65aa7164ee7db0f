//! Figures of a study of orders (Osiris, Figures 3, 7 and 8).

use std::collections::BTreeSet;

use nbrevive_corpus::{CellOrder, Condition};
use serde_json::json;

use super::boxes::{BoxPlots, Sample};
use super::chart::{Caption, Chart};
use super::charted::{ChartFigure, source_line};
use super::grouped::{Bars, NOTHING};
use crate::inputs::Inputs;
use crate::outputs::{OrderedNotebook, OrderingCondition};

/// Figure 3: how many code cells notebooks have.
pub(super) fn sizes(of: &Inputs) -> ChartFigure {
    let studied: BTreeSet<&str> = of.data.outcomes.iter().map(|row| row.version.as_str()).collect();
    let cells = studied.iter().filter_map(|version| of.sizes.get(*version)?.cells);
    let sample = Sample::new("code cells", cells.map(f64::from).collect());
    let summary = sample.summary.clone();
    let source = source_line(summary.n as u64, "notebook", "that were run", &of.data);
    let words = summary.mean.zip(summary.quartiles).map(|(mean, [_, first, median, third, _])| {
        format!("Half of the notebooks have {first} to {third} code cells, the median is {median}, the mean {mean:.1}")
    });
    let title = "Figure 3. Code cells of notebooks";
    let description = format!("{}. {source}", words.unwrap_or_else(|| NOTHING.to_owned()));
    let caption = Caption { title, description, source, published: None };
    let high = summary.quartiles.map_or(1.0, |[.., largest]| largest.max(1.0));
    let boxes = BoxPlots {
        caption: caption.clone(),
        measured: "Code cells",
        high,
        number: |value| format!("{value:.0}"),
        samples: vec![sample],
        nothing: NOTHING,
    };
    let said = ["median number of cells", "mean number of cells"].as_slice();
    let content = json!({ "rows": [{ "row": "code cells", "summary": summary }] });
    ChartFigure::new(("3", said), Chart::Boxes(boxes), &caption, &of.data, content).beside_lines(&of.lines)
}

/// What the paper's text says of Figure 7.
const RUN: &[&str] = &[
    "share that runs by counter",
    "share that runs as it stands",
    "share that runs by the graph",
    "notebooks that run by any strategy",
];

/// Figure 7: notebooks by the strategies that run them.
pub(super) fn run(of: &Inputs) -> Option<ChartFigure> {
    let group = strategies(of)?;
    let sets =
        Sets { name: "7", said: RUN, title: "Figure 7. Notebooks by the orders in which they run", is_of_all: true };
    Some(sets.figure(of, &group, |row| row.run > 0))
}

/// What the paper's text says of Figure 8.
const SAME: &[&str] = &[
    "notebooks reproduced by any strategy",
    "share reproduced by any strategy",
    "notebooks that no strategy reproduces",
];

/// Figure 8: those that run by the strategies by which they show the same twice.
pub(super) fn same(of: &Inputs) -> Option<ChartFigure> {
    let group = strategies(of)?;
    let title = "Figure 8. Notebooks that run, by the orders in which two runs show the same";
    let sets = Sets { name: "8", said: SAME, title, is_of_all: false };
    Some(sets.figure(of, &group, |row| row.twice.is_some()))
}

/// The three strategies of the paper with the same antidotes, of each the first condition; those with antidotes before those without.
fn strategies(of: &Inputs) -> Option<[&OrderingCondition; 3]> {
    let all = &of.outputs.orders.conditions;
    let with = |antidotes: &Option<String>| {
        let one = |is: fn(CellOrder) -> bool| all.iter().find(|one| one.antidotes == *antidotes && is(one.cells));
        Some([
            one(|cells| cells == CellOrder::Counter)?,
            one(|cells| cells == CellOrder::Document)?,
            one(CellOrder::is_drawn)?,
        ])
    };
    all.iter().filter(|one| one.antidotes.is_some()).chain(all).find_map(|one| with(&one.antidotes))
}

/// A figure of the sets of strategies under which something holds.
struct Sets {
    name: &'static str,
    said: &'static [&'static str],
    title: &'static str,
    is_of_all: bool,
}

impl Sets {
    fn figure(self, of: &Inputs, group: &[&OrderingCondition; 3], holds: fn(&OrderedNotebook) -> bool) -> ChartFigure {
        let counts = of.outputs.orders.sets(group, self.is_of_all, holds);
        let letter = |condition: &Condition| {
            ["C", "D", "G"]
                .into_iter()
                .zip(group)
                .find(|(_, one)| one.condition == *condition)
                .map_or("", |(letter, _)| letter)
        };
        let label = |under: &Vec<Condition>| match under.as_slice() {
            [] => "none".to_owned(),
            under => under.iter().map(letter).collect::<Vec<_>>().join(" "),
        };
        let bars = Bars {
            name: self.name,
            said: self.said,
            title: self.title,
            axes: ("C: by the saved counts, D: from the top, G: an order that the graph allows", "Notebooks"),
            counted: ("notebook", "by these three"),
            groups: counts.keys().map(label).collect(),
            series: vec![("notebooks".to_owned(), counts.values().map(|count| *count as u64).collect())],
        };
        bars.figure(of)
    }
}
