//! Figures 3 to 7: stacked bars of crashes.

use nbrevive_diagnosis::crash::{BugKind, Label as _, Stage};
use nbrevive_stats::chi_squared;
use serde_json::json;

use super::{BUG, CAUSE, CrashRow, Field, GROUP, STAGE, TYPE, groups, words};
use crate::figures::{
    COLOURS, Caption, Chart, ChartFigure, DifferenceMatrix, RateBars, ResidualBars, Series, StackedBars, signed,
};
use crate::number_words::{NOTHING as NONE, plural, rounded};
use crate::tables::Cell;

/// Words along the axis, as the paper's Figure 3a.
const ALONG: usize = 10;
/// Characters of a word that have room below a bar.
const LABEL: usize = 9;
/// Characters of one that have room beside a row.
const ROW: usize = 20;
const NOTHING: &str = "No crash.";

/// A figure: its number, its title, what stands along the axis with its name, and what bars are parted into.
type Plan = (&'static str, &'static str, (&'static str, Field), Field);

const LIST: [Plan; 7] = [
    ("3a", "Figure 3a. Exception types of crashes", ("Exception type, without its ending", TYPE), GROUP),
    ("3b", "Figure 3b. Root causes of crashes", ("Root cause", CAUSE), GROUP),
    ("4a", "Figure 4a. Root causes of exception types", ("Exception type, without its ending", TYPE), CAUSE),
    ("5", "Figure 5. Root causes of bugs", ("Root cause", CAUSE), BUG),
    ("6", "Figure 6. Stages of the pipeline, and bugs in them", ("Stage", STAGE), BUG),
    ("6a", "Figure 6a. Stages of the pipeline in which code crashes", ("Stage", STAGE), GROUP),
    ("7", "Figure 7. Root causes of stages", ("Stage", STAGE), CAUSE),
];

/// All figures.
pub(super) fn of(rows: &[CrashRow]) -> Vec<ChartFigure> {
    let all: Vec<&CrashRow> = rows.iter().collect();
    let of_two = [differences(&all), residuals(&all), bug_rates(&all)];
    LIST.into_iter().map(|plan| figure(&all, plan)).chain(of_two).collect()
}

/// Figure 4b: by how many points the first two groups differ in the causes of each type of exception.
fn differences(rows: &[&CrashRow]) -> ChartFigure {
    let names = two_groups(rows);
    let of_two: Vec<&CrashRow> = rows.iter().copied().filter(|row| names.contains(&row.group)).collect();
    let types: Vec<&str> = most_frequent(&of_two, words(&of_two, TYPE), TYPE).into_iter().take(ALONG).collect();
    let causes = words(&of_two, CAUSE);
    let share = |kind: &str, cause: &str, group: &str| {
        let of_type = || of_two.iter().filter(|row| row.exception_type == kind && row.group == group);
        Cell::new(of_type().filter(|row| row.root_cause == cause).count() as u64, of_type().count() as u64).share()
    };
    let points = |kind: &str, cause: &str| {
        let [one, other] = names.each_ref().map(|group| share(kind, cause, group));
        Some(100.0 * (one? - other?))
    };
    let cells: Vec<Vec<Option<f64>>> =
        types.iter().map(|kind| causes.iter().map(|cause| points(kind, cause)).collect()).collect();
    let title = "Figure 4b. Root causes of exception types: how two groups differ, in points";
    let source = format!("Ours: {} of two groups.", plural(of_two.len() as u64, "crash"));
    let text = |points: &Option<f64>| points.map_or_else(|| NONE.to_owned(), signed);
    let told = types.iter().zip(&cells).map(|(kind, cells)| {
        let causes = causes.iter().zip(cells).map(|(cause, points)| format!("{cause} {}", text(points)));
        format!("{kind}: {}", causes.collect::<Vec<_>>().join(", "))
    });
    let description = format!("{}. {source}", told.collect::<Vec<_>>().join("; "));
    // Of few crashes points say little.
    let row = |kind: &&str| {
        let of_group =
            |group: &String| of_two.iter().filter(|row| row.exception_type == *kind && row.group == *group).count();
        let [one, other] = names.each_ref().map(of_group);
        format!("{} ({one}, {other})", cut(kind, ROW))
    };
    let labels = types.iter().map(row).collect();
    let rounded: Vec<Vec<Option<f64>>> =
        cells.iter().map(|cells| cells.iter().map(|points| rounded(*points)).collect()).collect();
    let json = json!({ "figure": "4b", "title": title, "source": source, "groups": names, "rows": types, "columns": causes,
                       "points": rounded });
    let matrix = DifferenceMatrix {
        caption: Caption { title, source, description, published: None },
        axes: ("Root cause", "Exception type, with its crashes in both groups"),
        columns: causes.into_iter().map(str::to_owned).collect(),
        rows: labels,
        groups: names,
        cells,
        nothing: NOTHING,
    };
    ChartFigure::of("4b", Chart::Matrix(matrix), json)
}

/// Figure 6c: the share of bugs of machine learning in each stage, of each group beside the others.
fn bug_rates(rows: &[&CrashRow]) -> ChartFigure {
    let stages = words(rows, STAGE);
    let rate = |group: &str, stage: &str| {
        let of = || rows.iter().filter(|row| row.group == group && row.stage == stage);
        Cell::new(of().filter(|row| BugKind::of(&row.ml_bug) == Some(BugKind::Ml)).count() as u64, of().count() as u64)
    };
    let series: Vec<(String, Vec<Cell>)> = groups(rows)
        .into_iter()
        .take(COLOURS.len())
        .map(|group| (group.to_owned(), stages.iter().map(|stage| rate(group, stage)).collect()))
        .collect();
    let title = "Figure 6c. Bugs of machine learning in each stage";
    let crashes = series.iter().flat_map(|(_, cells)| cells).map(Cell::of).sum();
    let source = format!("Ours: {}; above each rate its crashes, and its 95 % interval.", plural(crashes, "crash"));
    let told = series.iter().map(|(group, cells)| {
        let rates = stages.iter().zip(cells).map(|(stage, cell)| format!("{stage} {}", cell.share_text()));
        format!("{group}: {}", rates.collect::<Vec<_>>().join(", "))
    });
    let description = format!("{}. {source}", told.collect::<Vec<_>>().join("; "));
    let rates: Vec<_> = series
        .iter()
        .map(|(group, cells)| {
            let cells: Vec<_> = cells.iter().map(|cell| json!({ "count": cell.count(), "of": cell.of() })).collect();
            json!({ "group": group, "bugs": cells })
        })
        .collect();
    let json = json!({ "figure": "6c", "title": title, "source": source, "stages": stages, "rows": rates });
    let bars = RateBars {
        caption: Caption { title, source, description, published: None },
        axes: ("Stage", "Share of bugs of machine learning"),
        groups: stages.into_iter().map(str::to_owned).collect(),
        series,
        nothing: NOTHING,
    };
    ChartFigure::of("6c", Chart::Rates(bars), json)
}

/// The names of the first two groups; empty where there are fewer.
fn two_groups(rows: &[&CrashRow]) -> [String; 2] {
    let all = groups(rows);
    [0, 1].map(|place| all.get(place).map_or_else(String::new, |name| (*name).to_owned()))
}

/// Figure 6b: in which stages of the pipeline the first two groups differ, without crashes outside of it.
fn residuals(rows: &[&CrashRow]) -> ChartFigure {
    let rows: Vec<&CrashRow> = rows.iter().copied().filter(|row| row.stage != Stage::Outside.code()).collect();
    let names = two_groups(&rows);
    let of_two: Vec<&CrashRow> = rows.into_iter().filter(|row| names.contains(&row.group)).collect();
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
    cut(word, LABEL)
}

fn cut(word: &str, characters: usize) -> String {
    match word.char_indices().nth(characters) {
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
