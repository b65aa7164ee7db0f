//! Figure 9: which errors are left after each fix, and at the end (paper, section 4.5).

use std::collections::BTreeMap;

use nbrevive_corpus::Outcome;
use serde_json::{Value, json};

use super::bars::{Series, StackedBars};
use super::chart::{COLOURS, Caption, Chart};
use super::charted::{ChartFigure, source_line};
use crate::errors::{Errors, Types};
use crate::number_words::{percent, thousands};
use crate::rows::Data;

/// How many types have a name; the others are one series (the paper's figure has five).
const NAMED: usize = 5;
const OTHERS: &str = "Others";
const NOTHING: &str = "No cell raised an error.";

/// Figure 9a, and what the paper's text says of it.
const BY_FIX: (&str, &[&str]) = (
    "9a",
    &[
        "NameErrors at baseline",
        "AttributeErrors at baseline",
        "ValueErrors at baseline",
        "KeyErrors at baseline",
        "TypeErrors at baseline",
        "other errors at baseline",
        "errors after 1 fix",
        "errors after 2 fixes",
        "errors after 16 fixes",
    ],
);
/// Figure 9b, and what the paper's text says of it.
const AT_END: (&str, &[&str]) = (
    "9b",
    &[
        "errors left in error-reproducible",
        "AttributeErrors left in error-reproducible",
        "ValueErrors left in error-reproducible",
        "TypeErrors left in error-reproducible",
        "errors left in error-non-reproducible",
        "AttributeErrors left in error-non-reproducible",
        "NameErrors left in error-non-reproducible",
        "ValueErrors left in error-non-reproducible",
    ],
);

/// The outcomes with errors at the end.
const ENDS: [Outcome; 2] = [Outcome::ErrorReproducible, Outcome::ErrorNonReproducible];

/// Figure 9, left: errors by type after each fix.
pub(super) fn by_fix(errors: &Errors, data: &Data) -> ChartFigure {
    let named = most_frequent(errors.by_fix.iter());
    let series = series(&named, &errors.by_fix);
    let total: u64 = errors.by_fix.first().map_or(0, |types| types.values().sum());
    let source = source_line(total, "error", "at baseline, in the versions that were modernized", data);
    let words: Vec<String> =
        errors.by_fix.iter().zip(0..).map(|(types, fix)| format!("after {fix} fixes {}", in_words(types))).collect();
    let caption = Caption {
        title: "Figure 9a. Error types by number of fixes",
        description: format!("Cells that raised, by type of the error: {}. {source}", words.join("; ")),
        source,
        published: None,
    };
    let content = json!({ "types": labels(&series), "by_fix": content(errors.by_fix.iter()), "notebooks": errors.notebooks, "not_found": errors.not_found });
    let bars = StackedBars {
        caption: caption.clone(),
        axes: ("Number of fixes; versions whose loop has stopped count no more", "Cells that raised an error"),
        groups: (0..errors.by_fix.len()).map(|fix| fix.to_string()).collect(),
        series,
        nothing: NOTHING,
    };
    ChartFigure::new(BY_FIX, Chart::Bars(bars), &caption, data, content)
}

/// Figure 9, right: errors by type in versions that kept some.
pub(super) fn at_end(errors: &Errors, data: &Data) -> ChartFigure {
    let ends: Vec<Types> = ENDS.iter().map(|outcome| errors.at_end.get(outcome).cloned().unwrap_or_default()).collect();
    let named = most_frequent(ends.iter());
    let series = series(&named, &ends);
    let total = ends.iter().flat_map(BTreeMap::values).sum();
    let source = source_line(total, "error", "after the last fix, in versions that kept some", data);
    let words: Vec<String> =
        ENDS.iter().zip(&ends).map(|(outcome, types)| format!("{}: {}", outcome.label(), in_words(types))).collect();
    let caption = Caption {
        title: "Figure 9b. Error types at the end of the fixes",
        description: format!("Cells that raised, by type of the error. {}. {source}", words.join("; ")),
        source,
        published: None,
    };
    let content = json!({ "types": labels(&series), "outcomes": ENDS, "at_end": content(ends.iter()) });
    let bars = StackedBars {
        caption: caption.clone(),
        axes: ("Outcome under modernize", "Cells that raised an error"),
        groups: ENDS.iter().map(|outcome| outcome.label().to_owned()).collect(),
        series,
        nothing: NOTHING,
    };
    ChartFigure::new(AT_END, Chart::Bars(bars), &caption, data, content)
}

/// The types with the most errors in all, by name where they are equal.
fn most_frequent<'a>(all: impl Iterator<Item = &'a Types>) -> Vec<String> {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, count) in all.flatten() {
        *sums.entry(name).or_default() += count;
    }
    let mut sums: Vec<(&str, u64)> = sums.into_iter().collect();
    sums.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    sums.into_iter().take(NAMED).map(|(name, _)| name.to_owned()).collect()
}

/// One series a named type, and one for all others where there are any.
fn series(named: &[String], groups: &[Types]) -> Vec<Series> {
    let of = |name: &String| groups.iter().map(|types| types.get(name).copied().unwrap_or(0)).collect();
    let mut series: Vec<Series> = named
        .iter()
        .zip(COLOURS)
        .map(|(name, colour)| Series { label: name.clone(), colour, counts: of(name) })
        .collect();
    let others = |types: &Types| types.iter().filter(|(name, _)| !named.contains(name)).map(|(_, count)| count).sum();
    let others =
        Series { label: OTHERS.to_owned(), colour: COLOURS[NAMED], counts: groups.iter().map(others).collect() };
    series.extend(others.counts.iter().any(|count| *count > 0).then_some(others));
    series
}

fn labels(series: &[Series]) -> Vec<&str> {
    series.iter().map(|series| series.label.as_str()).collect()
}

/// Every type with its count and share, also those that the picture does not name.
fn content<'a>(groups: impl Iterator<Item = &'a Types>) -> Vec<Value> {
    let of = |types: &Types| {
        let total: u64 = types.values().sum();
        let row = |(name, count): (&String, &u64)| json!({ "type": name, "count": count, "share": *count as f64 / total as f64 });
        json!({ "total": total, "types": types.iter().map(row).collect::<Vec<_>>() })
    };
    groups.map(of).collect()
}

fn in_words(types: &Types) -> String {
    let total: u64 = types.values().sum();
    let mut sorted: Vec<(&String, u64)> = types.iter().map(|(name, count)| (name, *count)).collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let word = |(name, count): (&String, u64)| {
        format!("{} {name} ({})", thousands(count), percent(Some(count as f64 / total as f64)))
    };
    match sorted.len() {
        0 => "none".to_owned(),
        _ => sorted.into_iter().take(NAMED).map(word).collect::<Vec<_>>().join(", "),
    }
}
