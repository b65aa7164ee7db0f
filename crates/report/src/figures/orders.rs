//! Figures of a study of orders (Osiris, Figures 3, 7, 8 and 9).

use std::collections::BTreeSet;

use nbrevive_corpus::{CellOrder, Condition};
use nbrevive_stats::{cliffs_delta, mann_whitney_u};
use serde_json::json;

use super::boxes::{BoxPlots, Sample};
use super::chart::{Caption, Chart};
use super::charted::{ChartFigure, source_line};
use super::grouped::{Bars, NOTHING};
use crate::inputs::Inputs;
use crate::outputs::{OrderedNotebook, OrderingCondition};
use crate::sizes::Size;

/// What Figure 3 measures of a notebook.
struct Measured {
    name: &'static str,
    said: &'static [&'static str],
    title: &'static str,
    /// As a row's name and as an axis.
    called: (&'static str, &'static str),
    /// As the end of a sentence about how many half of the notebooks have.
    ends: &'static str,
    of: fn(&Size) -> Option<u32>,
}

/// Figure 3 (a): how many code cells notebooks have.
pub(super) fn cells(of: &Inputs) -> ChartFigure {
    let measured = Measured {
        name: "3a",
        said: &["median number of cells", "mean number of cells"],
        title: "Figure 3a. Code cells of notebooks",
        called: ("code cells", "Code cells"),
        ends: "code cells",
        of: |size| size.cells,
    };
    measured.figure(of)
}

/// Figure 3 (b): the largest counts that notebooks were saved with.
pub(super) fn largest_counts(of: &Inputs) -> Option<ChartFigure> {
    let measured = Measured {
        name: "3b",
        said: &["median largest counter", "mean largest counter"],
        title: "Figure 3b. Largest saved execution counts of notebooks",
        called: ("largest count", "Largest execution count"),
        ends: "as their largest count",
        of: |size| size.largest_count,
    };
    // Data of before do not have them.
    of.sizes.values().any(|size| size.largest_count.is_some()).then(|| measured.figure(of))
}

impl Measured {
    /// The figure, of the notebooks that were run.
    fn figure(self, of: &Inputs) -> ChartFigure {
        let studied: BTreeSet<&str> = of.data.outcomes.iter().map(|row| row.version.as_str()).collect();
        let numbers = studied.iter().filter_map(|version| (self.of)(of.sizes.get(*version)?));
        let sample = Sample::new(self.called.0, numbers.map(f64::from).collect());
        let summary = sample.summary.clone();
        let source = source_line(summary.n as u64, "notebook", "that were run", &of.data);
        let words = summary.mean.zip(summary.quartiles).map(|(mean, [_, first, median, third, _])| {
            let ends = self.ends;
            format!("Half of the notebooks have {first} to {third} {ends}, the median is {median}, the mean {mean:.1}")
        });
        let description = format!("{}. {source}", words.unwrap_or_else(|| NOTHING.to_owned()));
        let caption = Caption { title: self.title, description, source, published: None };
        let high = up_to(summary.quartiles.map_or(1.0, |[.., largest]| largest));
        let boxes = BoxPlots {
            caption: caption.clone(),
            measured: self.called.1,
            high,
            number: counted,
            samples: vec![sample],
            nothing: NOTHING,
        };
        let content = json!({ "rows": [{ "row": self.called.0, "summary": summary }] });
        ChartFigure::new((self.name, self.said), Chart::Boxes(boxes), &caption, &of.data, content)
            .beside_lines(&of.lines)
    }
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
    let group = widest(of)?;
    let sets =
        Sets { name: "7", said: RUN, title: "Figure 7. Notebooks by the orders in which they run", is_of_all: true };
    Some(sets.figure(of, &group, |row| row.run > 0))
}

/// The strategies with the antidotes with which most notebooks were run by all three.
fn widest(of: &Inputs) -> Option<[&OrderingCondition; 3]> {
    let were_run = |group: &[&OrderingCondition; 3]| {
        of.outputs.orders.sets(group, true, |row| row.run > 0).values().sum::<usize>()
    };
    // The last of equals is taken, which is the first before they are turned round.
    strategies(of).into_iter().rev().max_by_key(were_run)
}

/// What the paper's text says of Figure 8.
const SAME: &[&str] = &[
    "notebooks reproduced by any strategy",
    "share reproduced by any strategy",
    "notebooks that no strategy reproduces",
];

/// Figure 8: those that run by the strategies by which they show the same twice.
pub(super) fn same(of: &Inputs) -> Option<ChartFigure> {
    let group = strategies(of).into_iter().next()?;
    let title = "Figure 8. Notebooks that run, by the orders in which two runs show the same";
    let sets = Sets { name: "8", said: SAME, title, is_of_all: false };
    Some(sets.figure(of, &group, |row| row.twice.is_some()))
}

/// The three strategies of the paper with the same antidotes, of each the first condition; those with antidotes before those without.
fn strategies(of: &Inputs) -> Vec<[&OrderingCondition; 3]> {
    let all = &of.outputs.orders.conditions;
    let with = |antidotes: &Option<String>| {
        let one = |is: fn(CellOrder) -> bool| all.iter().find(|one| one.antidotes == *antidotes && is(one.cells));
        Some([
            one(|cells| cells == CellOrder::Counter)?,
            one(|cells| cells == CellOrder::Document)?,
            one(CellOrder::is_of_graph)?,
        ])
    };
    all.iter().filter(|one| one.antidotes.is_some()).chain(all).filter_map(|one| with(&one.antidotes)).collect()
}

/// The upper end of a scale of counts, whose four lines then stand at whole numbers.
fn up_to(largest: f64) -> f64 {
    (largest / 4.0).ceil().max(1.0) * 4.0
}

/// A count, or a quantile between two of them.
fn counted(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Figure 9: how many cells cannot be repeated, in notebooks that show the same and in others; none where the debugger was not asked.
pub(super) fn unrepeatable(of: &Inputs) -> Option<ChartFigure> {
    let orders = &of.outputs.orders;
    let (condition, rows) = orders
        .conditions
        .iter()
        .map(|one| (one.condition, orders.debugged(one.condition)))
        .find(|(_, rows)| !rows.is_empty())?;
    let counts = |wanted: bool| -> Vec<f64> {
        rows.iter().filter(|(_, same)| *same == wanted).filter_map(|(row, _)| row.unrepeatable).map(f64::from).collect()
    };
    let (same, other) = (counts(true), counts(false));
    let tested = mann_whitney_u(&other, &same).ok().zip(cliffs_delta(&other, &same).ok());
    let title = "Figure 9. Cells that cannot be repeated";
    let source = source_line(
        rows.len() as u64,
        "notebook",
        &format!("that the debugger went through under {condition}"),
        &of.data,
    );
    let words = tested.map(|(test, effect)| {
        format!(
            "Notebooks that do not show the same have more such cells where δ is above 0: Cliff's δ {:.3} ({}), Mann-Whitney p {:.3}. ",
            effect.delta, effect.magnitude, test.p_value
        )
    });
    let description = format!("{}{source}", words.unwrap_or_default());
    let caption = Caption { title, description, source, published: None };
    let samples = vec![Sample::new("the same", same), Sample::new("not the same", other)];
    let largest = samples.iter().filter_map(|sample| sample.summary.quartiles).map(|[.., largest]| largest);
    let high = up_to(largest.fold(1.0, f64::max));
    let content = json!({
        "rows": samples.iter().map(|sample| json!({ "row": sample.label, "summary": sample.summary })).collect::<Vec<_>>(),
        "cliffs_delta": tested.map(|(_, effect)| effect.delta),
        "mann_whitney_p": tested.map(|(test, _)| test.p_value),
    });
    let boxes = BoxPlots {
        caption: caption.clone(),
        measured: "Cells that cannot be repeated",
        high,
        number: counted,
        samples,
        nothing: NOTHING,
    };
    let said = ["largest p-value of the Mann-Whitney test"].as_slice();
    Some(ChartFigure::new(("9", said), Chart::Boxes(boxes), &caption, &of.data, content).beside_lines(&of.lines))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flaky;
    use crate::testing::Synthetic;

    #[test]
    fn the_strategies_that_most_notebooks_ran_by_are_drawn() {
        let folder = tempfile::tempdir().expect("a folder");
        Synthetic::default().write(folder.path());
        let mut inputs = Inputs::read(folder.path(), None, Flaky::Show).expect("it was just written");
        let orders = &mut inputs.outputs.orders;
        let mut put = |name: &str, cells: CellOrder, antidotes: Option<&str>, notebooks: usize| {
            let condition: Condition = name.parse().expect("a name that a condition may have");
            orders.conditions.push(OrderingCondition { condition, cells, antidotes: antidotes.map(str::to_owned) });
            for notebook in 0..notebooks {
                orders.notebooks.insert((condition, notebook.to_string()), OrderedNotebook::default());
            }
        };
        for (name, cells) in [("c", CellOrder::Counter), ("d", CellOrder::Document), ("g", CellOrder::PaperGraph)] {
            put(name, cells, None, 3);
            put(&format!("{name}-still"), cells, Some("seeds"), 2);
        }
        let names = |group: [&OrderingCondition; 3]| group.map(|one| one.condition.as_str());
        assert_eq!(widest(&inputs).map(names), Some(["c", "d", "g"]));
        assert_eq!(strategies(&inputs).into_iter().next().map(names), Some(["c-still", "d-still", "g-still"]));
    }
}
