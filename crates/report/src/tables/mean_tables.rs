//! How far notebooks run, and how much further, as means (ReNote, sections V-C and V-D): by each of the paper's definitions.

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Executability, Role};

use super::mean_table::{MeanLine, MeanTable};
use super::restored_tables::{Notion, notion};
use super::share_table::{ShareLine, ShareTable, column, line};
use crate::executability::ExecutabilityRow;
use crate::inputs::Inputs;
use crate::restored::{degree, under};

/// The share of cells of every kind before that of the first error, as the paper words it once; none where it is not known how many there
/// are, or nothing was raised and not all ran.
fn of_all_cells(inputs: &Inputs, row: &ExecutabilityRow) -> Option<f64> {
    if row.executability == Executability::Executable {
        return Some(1.0);
    }
    let size = inputs.sizes.get(&row.version)?;
    let cells = size.cells? + size.text_cells?;
    let before = row.first_error_cell.filter(|before| *before < cells)?;
    Some(f64::from(before) / f64::from(cells))
}

/// Which notebooks a line is about.
type IsMeant = fn(Notion) -> bool;

/// RQ3: how far notebooks run.
pub(super) fn degrees(inputs: &Inputs) -> MeanTable {
    let kinds: [(&str, IsMeant); 4] = [
        ("pathological", |notion| notion == Notion::Pathological),
        ("restorable", |notion| notion == Notion::Restorable),
        ("that do not run", |notion| notion != Notion::Executable),
        ("all", |_| true),
    ];
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        for (kind, is_meant) in kinds {
            let rows: Vec<&ExecutabilityRow> =
                under(&inputs.executability, condition).filter(|row| is_meant(notion(row))).collect();
            let of = |is_tolerant| rows.iter().map(|row| degree(row, is_tolerant)).collect::<Vec<f64>>();
            let all_cells: Vec<f64> = rows.iter().filter_map(|row| of_all_cells(inputs, row)).collect();
            for (way, values) in [
                ("code cells before the first error", of(false)),
                ("code cells past errors", of(true)),
                ("cells of every kind before the first error", all_cells),
            ] {
                lines.push(MeanLine::of(condition, [kind, way], &values));
            }
        }
    }
    let note = "Means over notebooks. The paper has one number and two definitions: cells until the first error, over the cells of the notebook, \
                which are once those of code. Of cells of every kind those count that stand above the cell of the first error.";
    let name = ("mean-degrees", "How far notebooks run on average, by each definition");
    let columns = vec![column("Notebooks", "notion"), column("Share of", "way")];
    MeanTable::new(inputs, name, columns, lines, note)
}

/// A notebook as it is, and under a condition that puts something back.
type Pair<'a> = (&'a ExecutabilityRow, &'a ExecutabilityRow);

/// What a notebook misses first: what the paper attempts to put back, and all of it.
const MISSED: [(&str, Option<Executability>); 4] = [
    ("module-not-found", Some(Executability::ModuleNotFound)),
    ("file-not-found", Some(Executability::FileNotFound)),
    ("name-error", Some(Executability::NameError)),
    ("any of these", None),
];

/// Pairs under each condition that puts something back, by what is missed first.
fn attempted(inputs: &Inputs) -> Vec<(Condition, &'static str, Vec<Pair<'_>>)> {
    let baseline = inputs.data.condition(Role::Baseline);
    let before: BTreeMap<&str, &ExecutabilityRow> =
        under(&inputs.executability, baseline).map(|row| (row.version.as_str(), row)).collect();
    let mut found = Vec::new();
    for condition in inputs.data.study.roles.in_order(inputs.restored.conditions()) {
        let pairs = under(&inputs.executability, condition)
            .filter_map(|row| Some((*before.get(row.version.as_str())?, row)))
            .filter(|(before, _)| notion(before) == Notion::Restorable);
        let pairs: Vec<Pair<'_>> = pairs.collect();
        for (word, wanted) in MISSED {
            let is_meant = |(before, _): &&Pair<'_>| wanted.is_none_or(|wanted| before.executability == wanted);
            found.push((condition, word, pairs.iter().filter(is_meant).copied().collect()));
        }
    }
    found
}

fn gain((before, after): &Pair<'_>, is_tolerant: bool) -> f64 {
    degree(after, is_tolerant) - degree(before, is_tolerant)
}

/// RQ4: how many are restored, whole or partly, of those that were attempted and of those to which something was applied.
pub(super) fn restored(inputs: &Inputs) -> ShareTable {
    let mut lines: Vec<ShareLine> = Vec::new();
    for (condition, word, pairs) in attempted(inputs) {
        let applied: Vec<Pair<'_>> =
            pairs.iter().filter(|(_, after)| inputs.restored.is_applied(condition, &after.version)).copied().collect();
        lines.push(line(condition, [word, "applied, of attempted"], applied.len(), pairs.len()));
        for (of, pairs) in [("of attempted", &pairs), ("of applied", &applied)] {
            let whole = |pair: &&Pair<'_>| notion(pair.1) == Notion::Executable;
            let partly = |pair: &&Pair<'_>| !whole(pair) && gain(pair, false) > 0.0;
            let (whole, partly) = (pairs.iter().filter(whole).count(), pairs.iter().filter(partly).count());
            for (what, count) in [("restored whole", whole), ("restored partly", partly), ("restored", whole + partly)]
            {
                lines.push(line(condition, [word, format!("{what}, {of}").as_str()], count, pairs.len()));
            }
        }
    }
    let note = "Attempted: notebooks whose first error as they are is of this kind. Applied: something was put back and stayed. Partly: more code \
                cells run before the first error than as they are. The paper attempts each kind by its own step alone.";
    let name = ("restored", "How many notebooks are restored, by what they miss first");
    let columns = vec![column("Missed first", "missed"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// RQ4: how much is gained on average.
pub(super) fn gains(inputs: &Inputs) -> MeanTable {
    let mut lines = Vec::new();
    for (condition, word, pairs) in attempted(inputs) {
        let applied: Vec<Pair<'_>> =
            pairs.iter().filter(|(_, after)| inputs.restored.is_applied(condition, &after.version)).copied().collect();
        for (of, pairs) in [("attempted", &pairs), ("applied", &applied)] {
            for (way, is_tolerant) in [("before the first error", false), ("past errors", true)] {
                let values: Vec<f64> = pairs.iter().map(|pair| gain(pair, is_tolerant)).collect();
                lines.push(MeanLine::of(condition, [word, of, way], &values));
            }
        }
    }
    let note = "Gains are points of code cells over the notebook as it is. Attempted and applied as in the table of the restored; the paper's \
                means are over those to which its step was applied.";
    let name = ("mean-gains", "What is gained on average, by what notebooks miss first");
    let columns = vec![column("Missed first", "missed"), column("Over", "over"), column("Cells that run", "way")];
    MeanTable::new(inputs, name, columns, lines, note)
}
