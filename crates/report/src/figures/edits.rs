//! Figure 8: how much of a notebook the fixes change, all together and each by itself (paper, section 4.3).
//!
//! Edit similarity is 1 for the same code and 0 for code that has nothing in common.

use foldhash::HashMap;
use nbrevive_corpus::{ErrorStatus, Failure, FixType, Role};
use serde_json::json;

use super::boxes::{BoxPlots, Sample};
use super::chart::{COLOURS, Caption, Chart};
use super::charted::{ChartFigure, source_line};
use super::fix_counts::{in_words, summaries};
use super::lines::{Line, Lines};
use crate::rows::{Data, FixRow, OutcomeRow};

const NOTHING: &str = "No fix was made under modernize.";

/// Figure 8a, and what the paper's text says of it.
const CUMULATIVE: (&str, &[&str]) = (
    "8a",
    &[
        "edit similarity to the baseline after the first fixes",
        "edit similarity to the baseline after 16 fixes",
        "edit similarity to the baseline after 16 fixes, after timeouts",
        "edit similarity to the baseline after 16 fixes, with and without errors",
    ],
);
/// Figure 8b, and what the paper's text says of it.
const BY_FIX: (&str, &[&str]) = ("8b", &["edit similarity to the version before, median"]);

/// What was wrong with a version at baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Problem {
    Timeout,
    Error,
    ErrorFree,
}

const PROBLEMS: [(Problem, &str); 3] =
    [(Problem::Timeout, "Timeout"), (Problem::Error, "Error"), (Problem::ErrorFree, "Error-free")];

fn fixes(data: &Data) -> impl Iterator<Item = &FixRow> {
    data.fixes_of(Role::Modernize)
}

/// By version; those that failed otherwise at baseline have none.
fn problems(data: &Data) -> HashMap<&str, Problem> {
    let problem = |row: &OutcomeRow| match row.outcome.errors() {
        None => (row.failure == Some(Failure::Timeout)).then_some(Problem::Timeout),
        Some(ErrorStatus::Error) => Some(Problem::Error),
        Some(ErrorStatus::ErrorFree) => Some(Problem::ErrorFree),
    };
    data.of(Role::Baseline).filter_map(|row| Some((row.version.as_str(), problem(row)?))).collect()
}

/// The mean of each number that a version got to, and of how many versions that is.
type Means = Vec<(u32, f64, u64)>;

/// Similarities to the original by the number of the fix: their sum, and how many versions got so far.
#[derive(Clone)]
struct Sums(Vec<(f64, u64)>);

impl Sums {
    fn add(&mut self, row: &FixRow) {
        let (sum, count) = &mut self.0[row.number as usize];
        *sum += row.similarity_to_original;
        *count += 1;
    }

    fn means(&self) -> Means {
        let numbered = (0..).zip(&self.0).filter(|(_, (_, count))| *count > 0);
        numbered.map(|(number, (sum, count))| (number, sum / *count as f64, *count)).collect()
    }
}

/// The means of all versions and of those with each problem, in one pass: there may be millions of fixes.
fn series(data: &Data) -> Vec<(&'static str, Means)> {
    let problems = problems(data);
    let mut sums = vec![Sums(vec![(0.0, 0); data.study.max_fixes as usize + 1]); 1 + PROBLEMS.len()];
    for row in fixes(data) {
        sums[0].add(row);
        let problem = problems.get(row.version.as_str());
        let place = PROBLEMS.iter().position(|(own, _)| Some(own) == problem);
        place.into_iter().for_each(|place| sums[1 + place].add(row));
    }
    let labels = std::iter::once("Overall").chain(PROBLEMS.map(|(_, label)| label));
    labels.zip(&sums).map(|(label, sums)| (label, sums.means())).collect()
}

/// Figure 8, left: similarity to the original after each fix, by what was wrong at baseline.
pub(super) fn cumulative(data: &Data) -> ChartFigure {
    let series = series(data);
    let source = source_line(fixes(data).count() as u64, "fix", "under modernize", data);
    let words: Vec<String> = series
        .iter()
        .filter_map(|(label, points)| {
            let ((first, start, _), (last, end, _)) = (points.first()?, points.last()?);
            Some(format!("{label}: {start:.3} after fix {first}, {end:.3} after fix {last}"))
        })
        .collect();
    let said = if words.is_empty() {
        NOTHING.to_owned()
    } else {
        format!("Mean edit similarity to the original. {}.", words.join("; "))
    };
    let caption = Caption {
        title: "Figure 8a. Edit similarity to the original as fixes add up",
        description: format!("{said} {source}"),
        source,
        published: None,
    };
    let content = json!({
        "series": series.iter().map(|(label, points)| json!({
            "label": label,
            "points": points.iter().map(|(fix, mean, n)| json!({ "fix": fix, "mean": mean, "n": n })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    });
    let colours = [COLOURS[5], COLOURS[1], COLOURS[2], COLOURS[0]];
    let lines = series.iter().zip(colours).map(|((label, points), colour)| Line {
        label,
        colour,
        points: points.iter().map(|(fix, mean, _)| (*fix, *mean)).collect(),
    });
    let lines = Lines {
        caption: caption.clone(),
        axes: (
            "Number of fixes; each point is the mean of the versions that got so far",
            "Edit similarity to the original",
        ),
        last: data.study.max_fixes.max(1),
        lines: lines.collect(),
        nothing: NOTHING,
    };
    ChartFigure::new(CUMULATIVE, Chart::Lines(lines), &caption, data, content)
}

/// Figure 8, right: similarity of a notebook before and after each fix, by what the fix aimed at.
pub(super) fn by_fix(data: &Data) -> ChartFigure {
    let sample = |label: &'static str, wanted: Option<FixType>| {
        let rows = fixes(data).filter(|row| wanted.is_none_or(|fix_type| row.fix_type == fix_type));
        Sample::new(label, rows.map(|row| row.similarity_to_previous).collect())
    };
    let samples = vec![
        sample("Overall", None),
        sample("Timeout", Some(FixType::RuntimeReduction)),
        sample("Error", Some(FixType::ErrorRepair)),
        sample("Error-free", Some(FixType::ScoreCalibration)),
    ];
    let source = source_line(fixes(data).count() as u64, "fix", "under modernize", data);
    let caption = Caption {
        title: "Figure 8b. Edit similarity before and after each fix",
        description: format!("{} {source}", in_words(&samples, NOTHING)),
        source,
        published: None,
    };
    let content = json!({ "samples": summaries(&samples) });
    let boxes = BoxPlots {
        caption: caption.clone(),
        measured: "Edit similarity to the version before the fix",
        high: 1.0,
        number: |value| format!("{value:.2}"),
        samples,
        nothing: NOTHING,
    };
    ChartFigure::new(BY_FIX, Chart::Boxes(boxes), &caption, data, content)
}
