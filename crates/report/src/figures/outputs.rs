//! Figures of a study that compares outputs (containers, Figures 2 to 4), by condition.

use nbrevive_compare::ScoreCategory;
use nbrevive_corpus::{Condition, Role};
use serde_json::json;

use super::boxes::{BoxPlots, Sample};
use super::chart::{Caption, Chart};
use super::charted::{ChartFigure, source_line};
use super::grouped::{Bars, NOTHING, Rates};
use crate::inputs::Inputs;
use crate::outputs::NotebookRow;
use crate::tables::{Cell, error_counts, first_error};

/// How many classes of errors have a name (the paper's figure has some ten, most of them hardly seen).
const NAMED: usize = 5;
/// What stands in data of ids alone for a class that is not Python's own.
const MASKED: &str = "other";

/// Counts of a label for each condition.
fn counts<'a>(of: &'a Inputs, is_counted: impl Fn(&NotebookRow) -> bool + 'a) -> Vec<u64> {
    let count = |condition: &Condition| of.outputs.under(*condition).filter(|row| is_counted(row)).count() as u64;
    of.conditions().iter().map(count).collect()
}

fn names(of: &Inputs) -> Vec<String> {
    of.conditions().iter().map(ToString::to_string).collect()
}

/// Figure 2: what stops notebooks.
pub(super) fn first_errors(of: &Inputs) -> ChartFigure {
    let sums = error_counts(of.outputs.notebooks.iter());
    let named: Vec<&str> = sums.iter().map(|(class, _)| *class).filter(|class| *class != MASKED).take(NAMED).collect();
    let mut series: Vec<(String, Vec<u64>)> =
        named.iter().map(|class| ((*class).to_owned(), counts(of, |row| first_error(row) == Some(class)))).collect();
    let is_other = |row: &NotebookRow| first_error(row).is_some_and(|class| !named.contains(&class));
    series.push(("others".to_owned(), counts(of, is_other)));
    let bars = Bars {
        name: "2",
        said: &[
            "share of installation errors at baseline",
            "share of missing modules at baseline",
            "share of missing files at baseline",
            "share of missing modules in containers",
            "share of missing files in containers",
            "share of import errors in containers",
        ],
        title: "Figure 2. What stops notebooks, by their first errors",
        axes: ("Condition", "Notebooks"),
        counted: ("first error", "in all conditions together"),
        groups: names(of),
        series,
    };
    bars.figure(of)
}

/// Figure 3: how many notebooks run without an error, by whether the repository has `requirements.txt`.
pub(super) fn success(of: &Inputs) -> ChartFigure {
    let rates = |listed: bool| {
        let rate = |condition: Condition| {
            let rows = || of.outputs.under(condition).filter(|row| of.outputs.is_listed(row) == Some(listed));
            Cell::new(rows().filter(|row| row.is_error_free()).count() as u64, rows().count() as u64)
        };
        of.conditions().into_iter().map(rate).collect::<Vec<Cell>>()
    };
    let series = vec![("requirements.txt".to_owned(), rates(true)), ("no requirements.txt".to_owned(), rates(false))];
    let total = series.iter().flat_map(|(_, cells)| cells).map(Cell::of).sum();
    let rates = Rates {
        name: "3",
        said: &["success rate without requirements"],
        title: "Figure 3. Share of notebooks that run without an error, by requirements.txt",
        axes: ("Condition. Lines: Wilson's 95 % intervals; above them of how many notebooks.", "Without an error"),
        counted: (total, "notebook", "of repositories, in all conditions together"),
        groups: names(of),
        series,
    };
    rates.figure(of)
}

/// What the paper's text says of Figure 4a.
const SCORES: &[&str] = &[
    "notebooks with requirements",
    "mean score with requirements",
    "notebooks without requirements",
    "mean score without requirements",
];

/// Figure 4a: the paper's score, by whether the repository has `requirements.txt`, under the first condition beside the baseline: what the
/// paper calls its pipeline.
pub(super) fn scores(of: &Inputs) -> Option<ChartFigure> {
    let baseline = of.data.condition(Role::Baseline);
    let condition = of.conditions().into_iter().find(|condition| *condition != baseline)?;
    let values = |listed: bool| {
        let rows = of.outputs.under(condition).filter(move |row| of.outputs.is_listed(row) == Some(listed));
        rows.filter_map(NotebookRow::score_of_paper).collect::<Vec<f64>>()
    };
    let samples = vec![Sample::new("requirements.txt", values(true)), Sample::new("none", values(false))];
    let n = samples.iter().map(|sample| sample.summary.n as u64).sum();
    let source = source_line(n, "notebook", &format!("under {condition}"), &of.data);
    let words = samples.iter().map(|sample| {
        let mean = sample.summary.mean.map_or_else(|| "no mean".to_owned(), |mean| format!("mean {mean:.3}"));
        format!("{}: {} notebooks, {mean}", sample.label, sample.summary.n)
    });
    let description = format!("{}. {source}", words.collect::<Vec<_>>().join("; "));
    let title = "Figure 4a. Share of cells that nbdime calls unchanged, by requirements.txt";
    let caption = Caption { title, description, source, published: None };
    let summaries: Vec<_> =
        samples.iter().map(|sample| json!({ "row": sample.label, "summary": sample.summary })).collect();
    let content = json!({ "condition": condition, "rows": summaries });
    let boxes = BoxPlots {
        caption: caption.clone(),
        measured: "Score of a notebook",
        high: 1.0,
        number: |value| format!("{value:.2}"),
        samples,
        nothing: NOTHING,
    };
    Some(ChartFigure::new(("4a", SCORES), Chart::Boxes(boxes), &caption, &of.data, content).beside_lines(&of.lines))
}

/// Figure 4b: notebooks by the category of the paper's score.
pub(super) fn categories(of: &Inputs) -> ChartFigure {
    let is_of = |category: ScoreCategory| {
        move |row: &NotebookRow| row.score_of_paper().map(ScoreCategory::of) == Some(category)
    };
    let series = ScoreCategory::ALL.iter().map(|category| (category.to_string(), counts(of, is_of(*category))));
    let bars = Bars {
        name: "4b",
        said: &[
            "notebooks with a poor score",
            "share of notebooks with a poor score",
            "notebooks with a perfect score",
            "share of notebooks with a perfect score",
        ],
        title: "Figure 4b. Notebooks by the share of cells that nbdime calls unchanged",
        axes: ("Condition", "Notebooks"),
        counted: ("notebook", "with code, in all conditions together"),
        groups: names(of),
        series: series.collect(),
    };
    bars.figure(of)
}
