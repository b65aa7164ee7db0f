//! The tables of a study of executability (ReNote, Table I, Figures 6 and 7).

use std::collections::BTreeMap;

use nbrevive_corpus::Executability;

use super::share_table::{ShareTable, column, line};
use crate::executability::ExecutabilityRow;
use crate::inputs::Inputs;
use crate::restored::{degree, under};

/// Classes of errors that have a line (the paper prints ten).
const NAMED: usize = 10;

/// Whether a notebook could run if only what it misses were there (ReNote, section V-B).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notion {
    /// It runs.
    Executable,
    /// A file, a module or a name is missing.
    Restorable,
    /// Any other error.
    Pathological,
    /// It waits for somebody or for the network, takes too long, or has no environment.
    Apart,
}

/// What a notebook is.
pub(crate) const fn notion(row: &ExecutabilityRow) -> Notion {
    match row.executability {
        Executability::Executable => Notion::Executable,
        Executability::FileNotFound | Executability::ModuleNotFound | Executability::NameError => Notion::Restorable,
        Executability::OtherError | Executability::Died => Notion::Pathological,
        Executability::Network
        | Executability::Input
        | Executability::Timeout
        | Executability::NoEnvironment
        | Executability::NotRun => Notion::Apart,
    }
}

/// Table I: the commonest first errors.
pub(super) fn errors(inputs: &Inputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let rows: Vec<&ExecutabilityRow> = under(&inputs.executability, condition).collect();
        let failing = rows.iter().filter(|row| notion(row) != Notion::Executable).count();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for class in rows.iter().filter_map(|row| row.first_error.as_deref()) {
            *counts.entry(class).or_default() += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(class, count)| (std::cmp::Reverse(*count), *class));
        for (class, count) in counts.into_iter().take(NAMED) {
            lines.push(line(condition, [class, "that do not run"], count, failing));
            lines.push(line(condition, [class, "all"], count, rows.len()));
        }
    }
    let note = "As Table I of the paper on executability, by the first error of each notebook. Timeouts have none before they end.";
    let name = ("first-errors", "What notebooks die of first");
    let columns = vec![column("Error", "error"), column("Of notebooks", "whole")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// The paper's ranges of stars, by their lower ends.
const STARS: [(u32, &str); 6] =
    [(1000, "from 1,000"), (500, "500 to 999"), (100, "100 to 499"), (10, "10 to 99"), (4, "4 to 9"), (0, "under 4")];

fn range(stars: u32) -> &'static str {
    STARS.iter().find(|(from, _)| stars >= *from).map_or(STARS[STARS.len() - 1].1, |(_, word)| *word)
}

/// Table II: undefined names, and what runs, by the stars of repositories.
pub(super) fn by_stars(inputs: &Inputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        for (_, word) in STARS {
            let of_range = |row: &&ExecutabilityRow| inputs.restored.stars(&row.version).map(range) == Some(word);
            let rows: Vec<&ExecutabilityRow> = under(&inputs.executability, condition).filter(of_range).collect();
            let count = |wanted: Executability| rows.iter().filter(|row| row.executability == wanted).count();
            if !rows.is_empty() {
                lines.push(line(condition, [word, "undefined name"], count(Executability::NameError), rows.len()));
                lines.push(line(condition, [word, "runs"], count(Executability::Executable), rows.len()));
            }
        }
    }
    let note =
        "As Table II of the paper on executability, by the stars that the host told when the repository was looked at.";
    let name = ("by-stars", "What stops notebooks, by the stars of their repositories");
    let columns = vec![column("Stars", "stars"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// Figure 6: executable, restorable, pathological.
pub(super) fn notions(inputs: &Inputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let count =
            |wanted: Notion| under(&inputs.executability, condition).filter(|row| notion(row) == wanted).count();
        let [executable, restorable, pathological, apart] =
            [Notion::Executable, Notion::Restorable, Notion::Pathological, Notion::Apart].map(count);
        let failing = restorable + pathological + apart;
        let judged = restorable + pathological;
        lines.push(line(condition, ["executable", "all"], executable, executable + failing));
        lines.push(line(condition, ["executable", "all but those apart"], executable, executable + judged));
        lines.push(line(condition, ["restorable", "that do not run"], restorable, failing));
        lines.push(line(condition, ["restorable", "that do not run but those apart"], restorable, judged));
        lines.push(line(condition, ["pathological", "that do not run"], pathological, failing));
        lines.push(line(condition, ["pathological", "that do not run but those apart"], pathological, judged));
        lines.push(line(condition, ["pathological", "all"], pathological, executable + failing));
        lines.push(line(condition, ["apart", "that do not run"], apart, failing));
    }
    let note = "The first error decides: a missing file, module or name can be put back, all else is pathological. Apart: input from the                 keyboard, timeouts, the network (which is none here), and environments that cannot be built.";
    let name = ("notions", "How many run, could run, and could not");
    let columns = vec![column("Notebooks", "notion"), column("Of notebooks", "whole")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Count")
}

/// Bounds of the bins of Figure 7, in percent: none, tenths, whole.
const BINS: [&str; 7] = ["0 %", "up to 10 %", "up to 25 %", "up to 50 %", "up to 75 %", "under 100 %", "100 %"];

/// The bin of a share.
pub(crate) fn bin(share: f64) -> &'static str {
    match share {
        0.0 => BINS[0],
        share if share <= 0.10 => BINS[1],
        share if share <= 0.25 => BINS[2],
        share if share <= 0.50 => BINS[3],
        share if share <= 0.75 => BINS[4],
        share if share < 1.0 => BINS[5],
        _ => BINS[6],
    }
}

/// Figure 7: how far pathological notebooks run.
pub(super) fn degrees(inputs: &Inputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let rows: Vec<&ExecutabilityRow> =
            under(&inputs.executability, condition).filter(|row| notion(row) == Notion::Pathological).collect();
        for (way, is_tolerant) in [("before the first error", false), ("past errors", true)] {
            for word in BINS {
                let count = rows.iter().filter(|row| bin(degree(row, is_tolerant)) == word).count();
                lines.push(line(condition, [way, word], count, rows.len()));
            }
        }
    }
    let note = "Shares of code cells. The paper stops at the first error, and once divides by cells of all kinds.";
    let name = ("degrees", "How far pathological notebooks run");
    let columns = vec![column("Cells that run", "way"), column("Share of cells", "degree")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// Beyond the paper: all errors of a run past errors, and how many of them follow from others.
pub(super) fn roots(inputs: &Inputs) -> ShareTable {
    let mut lines = Vec::new();
    let all = &inputs.restored.roots;
    for rows in all.chunk_by(|one, next| one.condition == next.condition) {
        let condition = rows[0].condition;
        for word in Executability::ALL {
            let of: Vec<_> = rows.iter().filter(|row| row.executability == *word).collect();
            if of.is_empty() {
                continue;
            }
            let roots = of.iter().filter(|row| row.is_root).count();
            let certain = of.iter().filter(|row| !row.is_root && row.is_certain).count();
            lines.push(line(condition, [word.as_str(), "roots"], roots, of.len()));
            lines.push(line(condition, [word.as_str(), "follow for certain"], certain, of.len()));
        }
        let mut by_version: BTreeMap<&str, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *by_version.entry(&row.version).or_default() += usize::from(row.is_root));
        let several = by_version.values().filter(|roots| **roots > 1).count();
        lines.push(line(condition, ["notebooks", "with several roots"], several, by_version.len()));
    }
    let note = "Every error of a run that goes on past errors is followed to the one that it came from (docs/diagnose.md); the rest may follow                 by a value that was not renewed, which is likely and not certain.";
    let name = ("error-roots", "Errors, and those that only follow from others");
    let columns = vec![column("Error", "error"), column("Which", "which")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Count")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_stars_are_those_of_the_paper() {
        let ranges = [12_000, 1000, 999, 500, 499, 100, 10, 9, 4, 3, 0].map(range);
        let expected = [0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5].map(|place: usize| STARS[place].1);
        assert_eq!(ranges, expected);
    }

    #[test]
    fn every_share_has_one_bin() {
        let shares = [0.0, 0.1, 0.101, 0.25, 0.5, 0.75, 0.99, 1.0];
        let bins: Vec<usize> =
            shares.iter().map(|share| BINS.iter().position(|word| *word == bin(*share)).unwrap()).collect();
        assert_eq!(bins, [0, 1, 2, 2, 3, 4, 5, 6]);
    }
}
