//! The figure of a study of official examples: what share of those that ran in their time still runs, by the year of their release.

use std::collections::BTreeSet;

use super::charted::ChartFigure;
use super::grouped::Rates;
use crate::inputs::Inputs;
use crate::survival::{Example, ExampleSource};
use crate::tables::Cell;

/// A name, the sort of examples, and whether one runs, where that is known.
type Series = (&'static str, &'static str, fn(&Example) -> Option<bool>);

const SERIES: [Series; 4] = [
    ("gallery, today", "gallery", |one| Some(one.today.runs)),
    ("gallery, with repairs", "gallery", Example::runs_at_last),
    ("documentation, today", "documentation", |one| Some(one.today.runs)),
    ("documentation, with repairs", "documentation", Example::runs_at_last),
];

/// The figure; none where a study is of anything else.
pub(super) fn figure(of: &Inputs) -> Option<ChartFigure> {
    let examples = of.examples()?;
    let ran: Vec<(&ExampleSource, &Example)> = examples
        .iter()
        .flat_map(|(source, all)| all.iter().map(move |one| (source, one)))
        .filter(|(_, one)| one.ran())
        .collect();
    let years: BTreeSet<u16> = ran.iter().filter_map(|(_, one)| one.year).collect();
    let rates = |(_, sort, runs): &Series| -> Vec<Cell> {
        let of_year = |year: &u16| {
            let of_both = ran.iter().filter(|(source, one)| source.sort == *sort && one.year == Some(*year));
            let known: Vec<bool> = of_both.filter_map(|(_, one)| runs(one)).collect();
            Cell::new(known.iter().filter(|runs| **runs).count() as u64, known.len() as u64)
        };
        years.iter().map(of_year).collect()
    };
    let has_any = |cells: &[Cell]| cells.iter().any(|cell| cell.of() > 0);
    let series = SERIES.iter().map(|one| (one.0.to_owned(), rates(one))).filter(|(_, cells)| has_any(cells)).collect();
    let figure = Rates {
        name: "-survival",
        said: &[],
        title: "Official examples that still run, of those that ran in their time",
        axes: (
            "Year of the release. Lines: Wilson's 95 % intervals; above them of how many examples.",
            "Runs without an error",
        ),
        counted: (ran.len() as u64, "example", "that ran in their time"),
        groups: years.iter().map(u16::to_string).collect(),
        series,
    };
    Some(figure.figure(of))
}
