//! Figures 3 to 7: stacked bars of crashes.

use nbrevive_diagnosis::crash::{Label as _, Stage};
use nbrevive_stats::chi_squared;
use serde_json::json;

use super::{BUG, CAUSE, CrashRow, Field, GROUP, STAGE, TYPE, groups, words};
use crate::figures::{COLOURS, Caption, Chart, ChartFigure, ResidualBars, Series, StackedBars};
use crate::number_words::plural;

/// Words along the axis, as the paper's Figure 3a.
const ALONG: usize = 10;
/// Characters of a word that have room below a bar.
const LABEL: usize = 9;
const NOTHING: &str = "No crash.";

/// A figure: its number, its title, what stands along the axis with its name, and what bars are parted into.
type Plan = (&'static str, &'static str, (&'static str, Field), Field);

const LIST: [Plan; 6] = [
    ("3a", "Figure 3a. Exception types of crashes", ("Exception type, without its ending", TYPE), GROUP),
    ("3b", "Figure 3b. Root causes of crashes", ("Root cause", CAUSE), GROUP),
    ("4a", "Figure 4a. Root causes of exception types", ("Exception type, without its ending", TYPE), CAUSE),
    ("5", "Figure 5. Root causes of bugs", ("Root cause", CAUSE), BUG),
    ("6", "Figure 6. Stages of the pipeline, and bugs in them", ("Stage", STAGE), BUG),
    ("7", "Figure 7. Root causes of stages", ("Stage", STAGE), CAUSE),
];

/// All figures.
pub(super) fn of(rows: &[CrashRow]) -> Vec<ChartFigure> {
    let all: Vec<&CrashRow> = rows.iter().collect();
    LIST.into_iter().map(|plan| figure(&all, plan)).chain([residuals(&all)]).collect()
}

/// Figure 6b: in which stages of the pipeline the first two groups differ, without crashes outside of it.
fn residuals(rows: &[&CrashRow]) -> ChartFigure {
    let rows: Vec<&CrashRow> = rows.iter().copied().filter(|row| row.stage != Stage::Outside.code()).collect();
    let all_groups = groups(&rows);
    let of_two: Vec<&CrashRow> =
        rows.into_iter().filter(|row| all_groups.iter().take(2).any(|one| *one == row.group)).collect();
    let names = [0, 1].map(|place| all_groups.get(place).map_or_else(String::new, |name| (*name).to_owned()));
    let stages = words(&of_two, STAGE);
    let count =
        |stage: &str, group: &str| of_two.iter().filter(|row| row.stage == stage && row.group == group).count() as u64;
    let counts: Vec<Vec<u64>> =
        stages.iter().map(|stage| names.iter().map(|name| count(stage, name)).collect()).collect();
    let test = chi_squared(&counts).ok();
    let residuals: Vec<f64> =
        test.iter().flat_map(|test| &test.adjusted_residuals).filter_map(|row| row.first().copied()).collect();
    let title = "Figure 6b. Stages in which two groups differ: adjusted residuals";
    let source = format!("Ours: {} in the pipeline.", plural(of_two.len() as u64, "crash"));
    let told =
        stages.iter().zip(&residuals).map(|(stage, residual)| format!("{stage} {residual:+.1} for {}", names[0]));
    let description = format!("{}. {source}", told.collect::<Vec<_>>().join("; "));
    let json = json!({ "figure": "6b", "title": title, "source": source, "stages": stages, "groups": names, "counts": counts,
                       "residuals": residuals });
    let bars = ResidualBars {
        caption: Caption { title, source, description, published: None },
        axis: "Stage",
        categories: stages.into_iter().map(str::to_owned).collect(),
        groups: names,
        residuals,
        nothing: NOTHING,
    };
    ChartFigure::of("6b", Chart::Residuals(bars), json)
}

fn figure(rows: &[&CrashRow], (name, title, (axis, along), parted): Plan) -> ChartFigure {
    let groups: Vec<&str> = words(rows, along).into_iter().take(ALONG).collect();
    let shown: Vec<&&CrashRow> = rows.iter().filter(|row| groups.contains(&along(row))).collect();
    let counts = |is_of: &dyn Fn(&CrashRow) -> bool| {
        let of_group = |group: &&str| shown.iter().filter(|row| along(row) == *group && is_of(row)).count() as u64;
        groups.iter().map(of_group).collect::<Vec<u64>>()
    };
    // As many as there are colours, the last of which is for what is left.
    let all_parts = words(rows, parted);
    let named = if all_parts.len() <= COLOURS.len() { all_parts.len() } else { COLOURS.len() - 1 };
    let mut parts = most_frequent(rows, all_parts, parted);
    let rest = parts.split_off(named);
    let mut series: Vec<(String, Vec<u64>)> =
        parts.iter().map(|part| ((*part).to_owned(), counts(&|row| parted(row) == *part))).collect();
    if !rest.is_empty() {
        series.push(("others".to_owned(), counts(&|row| rest.contains(&parted(row)))));
    }
    drawn(name, title, axis, groups.iter().map(|group| short(group)).collect(), series, rows.len())
}

fn most_frequent<'rows>(rows: &[&CrashRow], mut words: Vec<&'rows str>, field: Field) -> Vec<&'rows str> {
    words.sort_by_cached_key(|word| std::cmp::Reverse(rows.iter().filter(|row| field(row) == *word).count()));
    words
}

/// A word that has room below its bar.
fn short(word: &str) -> String {
    let word = word.strip_suffix("Error").filter(|short| !short.is_empty()).unwrap_or(word);
    match word.char_indices().nth(LABEL) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

fn drawn(
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    groups: Vec<String>,
    series: Vec<(String, Vec<u64>)>,
    crashes: usize,
) -> ChartFigure {
    let source = format!("Ours: {}.", plural(crashes as u64, "crash"));
    let of_group = |group: usize| {
        let parts = series.iter().map(|(label, counts)| format!("{label} {}", counts[group]));
        format!("{}: {}", groups[group], parts.collect::<Vec<_>>().join(", "))
    };
    let told: Vec<String> = (0..groups.len()).map(of_group).collect();
    let caption = Caption { title, description: format!("{}. {source}", told.join("; ")), source, published: None };
    let rows: Vec<_> = series.iter().map(|(label, counts)| json!({ "row": label, "counts": counts })).collect();
    let json = json!({ "figure": name, "title": title, "source": caption.source, "groups": groups, "rows": rows });
    let coloured = series.into_iter().zip(COLOURS);
    let bars = StackedBars {
        caption,
        axes: (axis, "Crashes"),
        groups,
        series: coloured.map(|((label, counts), colour)| Series { label, colour, counts }).collect(),
        nothing: NOTHING,
    };
    ChartFigure::of(name, Chart::Bars(bars), json)
}
