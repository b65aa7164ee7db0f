//! The tables of a study of orders (Osiris, Tables 1 and 3, Figures 7 and 8, section 5.1).

use std::collections::BTreeMap;

use nbrevive_compare::Agreement;
use nbrevive_corpus::{Condition, Role};

use super::share_table::{ShareLine, ShareTable, column, line};
use crate::inputs::Inputs;
use crate::outputs::{OrderedNotebook, OrderingCondition, Orders};

const LEVELS: [Agreement; 4] = [Agreement::Exact, Agreement::Normalized, Agreement::Value, Agreement::Picture];

/// Tables 1 and 3: notebooks that run in an order, and of these those that show what was saved, or twice the same.
pub(super) fn matches(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in &orders.conditions {
        let all: Vec<&OrderedNotebook> = orders.under(*condition).map(|(_, row)| row).collect();
        let run: Vec<&OrderedNotebook> = all.iter().copied().filter(|row| row.run > 0).collect();
        lines.push(line(*condition, ["run", "whole"], run.len(), all.len()));
        for (what, of) in [("as saved", as_saved as LevelOf), ("twice the same", twice)] {
            if what == "as saved" || all.iter().any(|row| row.twice.is_some()) {
                let at = |level| run.iter().filter(|row| of(row).is_some_and(|found| found.holds_at(level))).count();
                lines.extend(LEVELS.map(|level| line(*condition, [what, level.as_str()], at(level), run.len())));
            }
        }
    }
    let note = "Of several orders of a notebook the best counts. The whole of `run` are all notebooks, of the others those that run. `as saved`: \
                every cell that can be compared shows what was saved (strong match); `twice the same`: two runs of one order show the same \
                (weak match; with the antidotes of a condition best-effort match).";
    let name = ("matches", "Notebooks by whether their cells run in an order, and what they show then");
    let columns = vec![column("What", "what"), column("Level", "level")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

type LevelOf = fn(&OrderedNotebook) -> Option<Agreement>;

const fn as_saved(row: &OrderedNotebook) -> Option<Agreement> {
    row.as_saved
}

const fn twice(row: &OrderedNotebook) -> Option<Agreement> {
    row.twice
}

/// RQ1: of notebooks that run under the baseline, those of which all, some or none of the drawn orders run.
pub(super) fn soundness(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let baseline = inputs.data.condition(Role::Baseline);
    let runs = |version: &str| orders.notebooks.get(&(baseline, version.to_owned())).is_some_and(|row| row.run > 0);
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in orders.conditions.iter().filter(|one| one.cells.is_drawn()) {
        let rows: Vec<&OrderedNotebook> =
            orders.under(*condition).filter(|(version, _)| runs(version)).map(|(_, row)| row).collect();
        let mut add = |word, of: fn(&OrderedNotebook) -> bool| {
            lines.push(line(*condition, [word], rows.iter().filter(|row| of(row)).count(), rows.len()));
        };
        add("all drawn orders run", |row| row.run == row.orders);
        add("some do not", |row| row.run < row.orders && row.run > 0);
        add("none runs", |row| row.run == 0);
    }
    let note = "Notebooks that run under the baseline. A notebook has as many orders as were drawn, or all that its graph allows.";
    let name = ("soundness", "Notebooks by how many of their drawn orders run");
    ShareTable::new(&inputs.data, name, vec![column("Orders", "orders")], lines, note.to_owned()).of("Notebooks")
}

/// Figures 7 and 8: notebooks by the strategies that run them, and by those that show the same.
pub(super) fn sets(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let mut groups: BTreeMap<&Option<String>, Vec<&OrderingCondition>> = BTreeMap::new();
    for one in &orders.conditions {
        groups.entry(&one.antidotes).or_default().push(one);
    }
    let mut lines = Vec::new();
    for group in groups.values().filter(|group| group.len() > 1) {
        lines.extend(sets_of(orders, group, "run", |row| row.run > 0));
        lines.extend(sets_of(orders, group, "as saved", |row| row.as_saved.is_some()));
        if group.iter().any(|one| orders.under(one.condition).any(|(_, row)| row.twice.is_some())) {
            lines.extend(sets_of(orders, group, "twice the same", |row| row.twice.is_some()));
        }
    }
    let note = "Notebooks by the conditions under which it holds, among those with the same antidotes, of which the first stands in the \
                column of conditions. The whole are notebooks that run under one at least, and for `run` all.";
    let name = ("order-sets", "Notebooks by the conditions under which they run, and show the same");
    let columns = vec![column("What", "what"), column("Holds under", "holds_under")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// The sets of conditions under which something holds of a notebook.
fn sets_of(
    orders: &Orders,
    group: &[&OrderingCondition],
    what: &str,
    holds: fn(&OrderedNotebook) -> bool,
) -> Vec<ShareLine> {
    let mut of_version: BTreeMap<&str, (bool, Vec<Condition>)> = BTreeMap::new();
    for one in group {
        for (version, row) in orders.under(one.condition) {
            let (runs, under) = of_version.entry(version).or_default();
            *runs |= row.run > 0;
            under.extend(holds(row).then_some(one.condition));
        }
    }
    let whole = of_version.values().filter(|(runs, _)| what == "run" || *runs).count();
    let mut counts: BTreeMap<&[Condition], usize> = BTreeMap::new();
    for (_, under) in of_version.values().filter(|(runs, _)| what == "run" || *runs) {
        *counts.entry(under).or_default() += 1;
    }
    let words = |under: &[Condition]| match under {
        [] => "none".to_owned(),
        under => under.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(" + "),
    };
    counts.iter().map(|(under, count)| line(group[0].condition, [what, &words(under)], *count, whole)).collect()
}
