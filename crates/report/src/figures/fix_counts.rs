//! Figure 7: how many fixes the versions took that were brought back (paper, section 4.2).

use nbrevive_corpus::{Outcome, Role};
use serde_json::json;

use super::bars::{Series, StackedBars};
use super::boxes::{BoxPlots, Sample};
use super::chart::{COLOURS, Caption, Chart};
use super::charted::{ChartFigure, source_line};
use crate::number_words::thousands;
use crate::rows::Data;

/// The outcomes that count as brought back, as they are stacked.
const REPRODUCIBLE: [Outcome; 2] = [Outcome::ErrorReproducible, Outcome::ErrorFreeReproducible];
const NOTHING: &str = "No version was brought back.";

/// Figure 7a, and what the paper's text says of it.
const BY_COUNT: (&str, &[&str]) = (
    "7a",
    &[
        "notebooks made reproducible",
        "fixes with which most reproducible notebooks become so",
        "fixes from which error-free-reproducible is more frequent",
    ],
);
/// Figure 7b, and what the paper's text says of it.
const BY_OUTCOME: (&str, &[&str]) = (
    "7b",
    &[
        "fixes per reproducible notebook, mean",
        "fixes per reproducible notebook, median",
        "fixes per error-reproducible notebook, mean",
        "fixes per error-free-reproducible notebook, mean",
        "fixes per notebook, mean",
    ],
);

/// The number of fixes of every version with one of the outcomes.
fn fixes_of<'a>(data: &'a Data, outcomes: &'a [Outcome]) -> impl Iterator<Item = u32> + 'a {
    data.of(Role::Modernize).filter(|row| outcomes.contains(&row.outcome)).map(|row| row.fixes)
}

fn source(data: &Data) -> String {
    let count = fixes_of(data, &REPRODUCIBLE).count() as u64;
    source_line(count, "version", &format!("brought back under {}", data.condition(Role::Modernize)), data)
}

/// Figure 7a: versions by the number of fixes after which they were reproducible.
pub(super) fn by_count(data: &Data) -> ChartFigure {
    // A version may come back without a fix when it is flaky; only then does the axis start at 0.
    let first = fixes_of(data, &REPRODUCIBLE).min().unwrap_or(1).min(1);
    let counts: Vec<u32> = (first..=data.study.max_fixes.max(1)).collect();
    let tally = |outcome: Outcome| -> Vec<u64> {
        counts.iter().map(|count| fixes_of(data, &[outcome]).filter(|fixes| fixes == count).count() as u64).collect()
    };
    let series: Vec<Series> = REPRODUCIBLE
        .into_iter()
        .zip([COLOURS[1], COLOURS[0]])
        .map(|(outcome, colour)| Series { label: outcome.label().to_owned(), colour, counts: tally(outcome) })
        .collect();
    let words = counts.iter().enumerate().map(|(place, count)| {
        let parts = series.iter().filter(|series| series.counts[place] > 0);
        let parts: Vec<String> = parts
            .map(|series| format!("{} {}", thousands(series.counts[place]), series.label.to_lowercase()))
            .collect();
        (count, parts)
    });
    let words: Vec<String> = words
        .filter(|(_, parts)| !parts.is_empty())
        .map(|(count, parts)| format!("after {count}: {}", parts.join(" and ")))
        .collect();
    let source = source(data);
    let said = if words.is_empty() {
        NOTHING.to_owned()
    } else {
        format!("Versions brought back, by number of fixes; {}.", words.join("; "))
    };
    let caption = Caption {
        title: "Figure 7a. Versions that become reproducible, by number of fixes",
        description: format!("{said} {source}"),
        source,
        published: None,
    };
    let content = json!({
        "fixes": counts,
        "series": series.iter().zip(REPRODUCIBLE).map(|(series, outcome)| json!({ "outcome": outcome, "counts": series.counts })).collect::<Vec<_>>(),
    });
    let bars = StackedBars {
        caption: caption.clone(),
        axes: ("Number of fixes", "Versions"),
        groups: counts.iter().map(u32::to_string).collect(),
        series,
        nothing: NOTHING,
    };
    ChartFigure::new(BY_COUNT, Chart::Bars(bars), &caption, data, content)
}

/// Figure 7b: the number of fixes by outcome.
pub(super) fn by_outcome(data: &Data) -> ChartFigure {
    let sample = |label: &'static str, outcomes: &[Outcome]| {
        Sample::new(label, fixes_of(data, outcomes).map(f64::from).collect())
    };
    let samples = vec![
        sample("To all", &REPRODUCIBLE),
        sample("To E-R", &[Outcome::ErrorReproducible]),
        sample("To EF-R", &[Outcome::ErrorFreeReproducible]),
    ];
    let source = source(data);
    let caption = Caption {
        title: "Figure 7b. Number of fixes: all reproducible, with errors (E-R), error-free (EF-R)",
        description: format!("{} {source}", in_words(&samples, NOTHING)),
        source,
        published: None,
    };
    let every = Sample::new("All versions", data.of(Role::Modernize).map(|row| f64::from(row.fixes)).collect());
    let content = json!({ "samples": summaries(&samples), "all_versions": every.summary });
    let boxes = BoxPlots {
        caption: caption.clone(),
        measured: "Fixes",
        high: f64::from(data.study.max_fixes.max(1).next_multiple_of(4)),
        number: |value| format!("{value}"),
        samples,
        nothing: NOTHING,
    };
    ChartFigure::new(BY_OUTCOME, Chart::Boxes(boxes), &caption, data, content)
}

/// The boxes in words.
pub(super) fn in_words(samples: &[Sample], nothing: &str) -> String {
    let word = |sample: &Sample| {
        let ([_, first, median, third, _], mean) = (sample.summary.quartiles?, sample.summary.mean?);
        let n = thousands(sample.summary.n as u64);
        Some(format!(
            "{} (n = {n}): median {median:.3}, quartiles {first:.3} and {third:.3}, mean {mean:.3}",
            sample.label
        ))
    };
    let words: Vec<String> = samples.iter().filter_map(word).collect();
    if words.is_empty() { nothing.to_owned() } else { format!("{}.", words.join("; ")) }
}

/// The boxes in numbers.
pub(super) fn summaries(samples: &[Sample]) -> Vec<serde_json::Value> {
    samples.iter().map(|sample| json!({ "label": sample.label, "summary": sample.summary })).collect()
}
