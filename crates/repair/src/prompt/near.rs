//! What a prompt by edits shows of a notebook: the cells that failed and those that define what they use, by their numbers, each with what
//! it raised and what its names held.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use nbrevive_notebook::{Cell, CellFacts, NamedValue};
use nbrevive_pysource::names::{CellNames, NameAct, names};

use super::sections::{self, NOTE, Shares};
use super::shorten;
use crate::Feedback;
use crate::prompt::PromptSettings;
use crate::prompt::frame::inline;

/// Columns, parameters and classes of one value that are told.
const MOST_TOLD: usize = 30;

/// The cells with their numbers; of those that are left out how many lines they have.
pub(super) fn cells(feedback: &Feedback<'_>, shares: Shares, settings: &PromptSettings) -> String {
    let all = &feedback.notebook.cells;
    let shown = shown(feedback);
    let mut text = String::new();
    for (index, cell) in all.iter().enumerate().filter(|(_, cell)| cell.is_code()) {
        let number = index + 1;
        if !shown.contains(&index) {
            let _ = writeln!(text, "=== cell {number} (not shown: {} lines)\n", cell.source.lines().count());
            continue;
        }
        let _ = writeln!(text, "=== cell {number}\n{}", cell.source.trim_end());
        for note in sections::raised(index, feedback, shares, settings)
            .into_iter()
            .chain(held(index, feedback, shares, settings))
        {
            let _ = writeln!(text, "{note}");
        }
        text.push('\n');
    }
    text
}

/// The cells that failed, and for each name that they use the last cell before that gives it; all where no cell failed.
fn shown(feedback: &Feedback<'_>) -> BTreeSet<usize> {
    let code: Vec<(usize, &Cell)> = feedback.notebook.code_cells().collect();
    let failed: BTreeSet<usize> = feedback.errors.iter().map(|error| error.cell).collect();
    if failed.is_empty() {
        return code.iter().map(|(index, _)| *index).collect();
    }
    let sources: Vec<&str> = code.iter().map(|(_, cell)| cell.source.as_str()).collect();
    let read = names(&sources).cells;
    let mut shown = failed.clone();
    for place in (0..code.len()).filter(|place| failed.contains(&code[*place].0)) {
        for name in used(&read[place]) {
            let giver = read[..place].iter().rposition(|cell| binds(cell, name));
            shown.extend(giver.map(|giver| code[giver].0));
        }
    }
    shown
}

fn used(cell: &CellNames) -> BTreeSet<&str> {
    let bodies = cell.bodies.iter().flat_map(|body| &body.acts.events);
    let events = cell.acts.events.iter().chain(bodies);
    events.filter(|event| !matches!(event.act, NameAct::Bind(_))).map(|event| event.name.as_str()).collect()
}

fn binds(cell: &CellNames, name: &str) -> bool {
    cell.acts.events.iter().any(|event| event.name == name && matches!(event.act, NameAct::Bind(_)))
}

/// What the names of a cell that failed held.
fn held(index: usize, feedback: &Feedback<'_>, shares: Shares, settings: &PromptSettings) -> Vec<String> {
    let facts = feedback.ran.facts.iter().filter(|facts| facts.cell == index);
    let lines: Vec<String> = facts.flat_map(told).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let text = shorten::start(&shorten::plain(&lines.join("\n")), shares.traceback, settings.encoding);
    let lines = text.lines().map(|line| format!("{NOTE} {line}"));
    std::iter::once(format!("{NOTE} its names held:")).chain(lines).collect()
}

fn told(facts: &CellFacts) -> impl Iterator<Item = String> {
    facts.values.iter().filter(|value| !value.name.is_empty()).map(of_value)
}

/// What one name held, in one line.
fn of_value(value: &NamedValue) -> String {
    let list = |items: &[String]| items.iter().take(MOST_TOLD).map(|item| inline(item)).collect::<Vec<_>>().join(", ");
    let mut text = format!("{}: ", inline(&value.name));
    match (value.stands_for.first(), value.classes.first()) {
        (Some(name), _) => {
            let _ = write!(text, "is {}({})", inline(name), list(&value.parameters));
            return text;
        }
        (None, class) => text.push_str(&inline(class.map_or("", |class| class.trim_start_matches("builtins.")))),
    }
    if !value.shape.is_empty() {
        let _ = write!(text, " of {}", value.shape.iter().map(u64::to_string).collect::<Vec<_>>().join(" x "));
    }
    // A score is another number in every run, and would make another question of the same failure.
    let is_measured = value.classes.first().is_some_and(|class| class == "builtins.float");
    for part in [&value.dtype, &value.text].into_iter().filter(|part| !part.is_empty() && !is_measured) {
        let _ = write!(text, ", {}", inline(part));
    }
    let columns: Vec<String> = value.columns.iter().map(|(name, kind)| format!("{name} {kind}")).collect();
    for (what, items) in [("columns", &columns), ("keys", &value.parameters)] {
        if !items.is_empty() {
            let _ = write!(text, "; {what}: {}", list(items));
        }
    }
    text
}
