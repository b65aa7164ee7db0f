//! All errors of runs past errors, beyond the paper, which saw the first of each: which follow from others, and what is at their roots.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_corpus::{Condition, Executability, LeftCause};

use super::share_table::{ShareLine, ShareTable, column, line};
use crate::inputs::Inputs;
use crate::restored::RootRow;

/// Classes of errors that have a line, as in Table I.
const NAMED: usize = 10;

/// How many errors, and how many that follow from no other, a notebook has.
const COUNTS: [(usize, usize, &str); 4] =
    [(1, 1, "one"), (2, 2, "two"), (3, 5, "three to five"), (6, usize::MAX, "more")];

fn of_conditions(inputs: &Inputs) -> impl Iterator<Item = (Condition, &[RootRow])> {
    let all = inputs.restored.roots.chunk_by(|one, next| one.condition == next.condition);
    all.map(|rows| (rows[0].condition, rows))
}

/// How many of the errors follow from others, and how many a notebook has.
pub(super) fn roots(inputs: &Inputs) -> ShareTable {
    let mut lines = Vec::new();
    for (condition, rows) in of_conditions(inputs) {
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
        lines.extend(counts(condition, rows));
    }
    let note = "Every error of a run that goes on past errors is followed to the one that it came from (docs/diagnose.md); the rest may follow \
                by a value that was not renewed, which is likely and not certain.";
    let name = ("error-roots", "Errors, and those that only follow from others");
    let columns = vec![column("Error", "error"), column("Which", "which")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Count")
}

/// Notebooks with an error by how many they have.
fn counts(condition: Condition, rows: &[RootRow]) -> Vec<ShareLine> {
    let mut by_version: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for row in rows {
        let counts = by_version.entry(&row.version).or_default();
        *counts = (counts.0 + 1, counts.1 + usize::from(row.is_root));
    }
    let all = by_version.len();
    let several = by_version.values().filter(|(_, roots)| *roots > 1).count();
    let mut lines = vec![line(condition, ["notebooks", "with several roots"], several, all)];
    for (least, most, word) in COUNTS {
        let count = |of: fn(&(usize, usize)) -> usize| {
            by_version.values().filter(|counts| (least..=most).contains(&of(counts))).count()
        };
        lines.push(line(condition, ["notebooks", format!("errors: {word}").as_str()], count(|counts| counts.0), all));
        lines.push(line(condition, ["notebooks", format!("roots: {word}").as_str()], count(|counts| counts.1), all));
    }
    lines
}

/// Table I by roots: the commonest classes of errors that follow from no other, of the notebooks that have an error.
pub(super) fn classes(inputs: &Inputs) -> ShareTable {
    let mut lines = Vec::new();
    for (condition, rows) in of_conditions(inputs) {
        let roots: Vec<&RootRow> = rows.iter().filter(|row| row.is_root).collect();
        let notebooks: BTreeSet<&str> = rows.iter().map(|row| row.version.as_str()).collect();
        let mut by_class: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for row in &roots {
            let of = by_class.entry(&row.error).or_default();
            of.0 += 1;
            of.1.insert(&row.version);
        }
        let mut classes: Vec<_> = by_class.into_iter().collect();
        classes.sort_by_key(|(class, (_, versions))| (std::cmp::Reverse(versions.len()), *class));
        for (class, (count, versions)) in classes.into_iter().take(NAMED) {
            lines.push(line(condition, [class, "notebooks with one"], versions.len(), notebooks.len()));
            lines.push(line(condition, [class, "roots"], count, roots.len()));
        }
    }
    let note = "As Table I, but by all errors that follow from no other in place of the first error of each notebook: a notebook may have several.";
    let name = ("root-errors", "What notebooks die of, by errors that follow from no other");
    let columns = vec![column("Error", "error"), column("Of", "whole")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Count")
}

/// Why the roots are left.
pub(super) fn left(inputs: &Inputs) -> Option<ShareTable> {
    let mut lines = Vec::new();
    for (condition, rows) in of_conditions(inputs) {
        let roots: Vec<LeftCause> = rows.iter().filter(|row| row.is_root).filter_map(|row| row.cause).collect();
        for cause in LeftCause::ALL {
            let count = roots.iter().filter(|found| *found == cause).count();
            if count > 0 {
                lines.push(line(condition, [cause.as_str()], count, roots.len()));
            }
        }
    }
    let note =
        "Of errors that follow from no other, by whose they are and whether anybody could do more (docs/failures.md).";
    let name = ("left-causes", "Why errors are left");
    let columns = vec![column("Cause", "cause")];
    let is_told = !lines.is_empty();
    is_told.then(|| ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Roots"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notebooks_are_counted_by_their_errors_and_by_their_roots() {
        let row = |version: &str, is_root| RootRow {
            condition: Condition::BASELINE,
            version: version.to_owned(),
            error: "NameError".to_owned(),
            executability: Executability::NameError,
            cause: None,
            is_root,
            is_certain: true,
        };
        let rows = [row("a", true), row("b", true), row("b", false), row("b", false), row("c", true), row("c", true)];
        let counts: Vec<(u64, u64)> =
            counts(Condition::BASELINE, &rows).iter().map(|line| (line.cell.count(), line.cell.of())).collect();
        // Several roots; then errors and roots by one, two, three to five, more.
        assert_eq!(counts, [(1, 3), (1, 3), (2, 3), (1, 3), (1, 3), (1, 3), (0, 3), (0, 3), (0, 3)]);
    }
}
