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
        let python_2 = inputs.restored.in_python_2.len();
        if python_2 > 0 {
            let all = executable + failing + python_2;
            lines.push(line(condition, ["in Python 2, in no other share", "looked at"], python_2, all));
        }
    }
    let note = "The first error decides: a missing file, module or name can be put back, all else is pathological. Apart: input from the \
                keyboard, timeouts, the network (which is none here), and environments that cannot be built.";
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
            let over_half = rows.iter().filter(|row| degree(row, is_tolerant) > 0.5).count();
            lines.push(line(condition, [way, "over 50 %"], over_half, rows.len()));
        }
    }
    let note = "Shares of code cells. The paper stops at the first error, and once divides by cells of all kinds.";
    let name = ("degrees", "How far pathological notebooks run");
    let columns = vec![column("Cells that run", "way"), column("Share of cells", "degree")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_has_one_bin() {
        let shares = [0.0, 0.1, 0.101, 0.25, 0.5, 0.75, 0.99, 1.0];
        let bins: Vec<usize> =
            shares.iter().map(|share| BINS.iter().position(|word| *word == bin(*share)).unwrap()).collect();
        assert_eq!(bins, [0, 1, 2, 2, 3, 4, 5, 6]);
    }
}
