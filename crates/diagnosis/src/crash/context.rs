//! What the notebook around a crash says of it: which cell should have defined the name or column that is missing, and whether it had run.

use nbrevive_notebook::{Cell, CellKind, Notebook, Output};
use nbrevive_pysource::names::{Binder, CellNames, NameAct, NameEvent, Part, names};
use serde::Serialize;

use super::columns::KeyLines;
use super::evidence::missing_name;
use super::saved::SavedError;
use super::traceback::{Traceback, plain};

/// Why a cell's definition was not there when another cell needed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absence {
    /// The cell that defines it raised an error itself, before it came there.
    Failed,
    /// It ran only later.
    RanLater,
    /// It has no count: it had not run when the notebook was saved.
    NeverRan,
    /// Its count is lower: it ran in an earlier session, or the definition was taken away since.
    RanBefore,
}

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "name")]
pub enum MissingThing {
    /// A name.
    Name(String),
    /// A column or key.
    Key(String),
}

/// Where the notebook defines what is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingDefinition {
    /// What is missing.
    pub what: MissingThing,
    /// The cell that defines it, as index into all cells, with the line from 1, and why that did not help; none where no cell does.
    pub defined: Option<(usize, u32, Absence)>,
    /// The cell that took it away, with the line from 1: one that had run before, or the crashed cell itself, where it ran twice.
    pub taken: Option<(usize, u32)>,
    /// Another name that the notebook defines, and that is nearly this one.
    pub nearly: Option<String>,
}

/// Looks up what an error misses: the name of a `NameError`, the text of a `KeyError`. None for other errors, and where a cell that cannot
/// be read, or an import of everything, may define it.
#[must_use]
pub fn missing_definition(notebook: &Notebook, error: &SavedError) -> Option<MissingDefinition> {
    let (ename, evalue) = (&error.ename, &error.evalue);
    let key = || missing_key(ename, evalue).map(|key| MissingThing::Key(key.to_owned()));
    let what = missing_name(ename, evalue).map(MissingThing::Name).or_else(key)?;
    let code: Vec<(usize, &Cell)> = notebook.code_cells().collect();
    let sources: Vec<&str> = code.iter().map(|(_, cell)| cell.source.as_str()).collect();
    let read = names(&sources);
    let mut definitions: Vec<(usize, u32, Absence)> = Vec::new();
    for ((index, cell), names) in code.iter().zip(&read.cells) {
        // The crashed cell defines nothing for itself.
        let Some(line) = (*index != error.cell).then(|| defines(cell, names, &what)).flatten() else { continue };
        definitions.push((*index, line, absence(cell, line, error.execution_count)));
    }
    let taken = taken(&code, &read.cells, error, &what);
    let is_unsure = read.cells.iter().any(|cell| !cell.acts.unknown.is_empty());
    if definitions.is_empty() && taken.is_none() && is_unsure {
        return None;
    }
    // The most telling: an error, a later count, none at all.
    definitions.sort_by_key(|(index, _, absence)| (*absence as usize, *index));
    let nearly = definitions.is_empty().then(|| nearly(&read.cells, &what)).flatten();
    Some(MissingDefinition { what, defined: definitions.first().copied(), taken, nearly })
}

/// Where the name or key was taken away: in a cell further down that had run before, else in one above, else in the crashed cell.
fn taken(
    code: &[(usize, &Cell)],
    names: &[CellNames],
    error: &SavedError,
    what: &MissingThing,
) -> Option<(usize, u32)> {
    let had_run = |cell: &Cell| match (&cell.kind, error.execution_count) {
        (CellKind::Code { execution_count: Some(count), .. }, Some(crashed)) => *count < crashed,
        _ => false,
    };
    let takes = |(index, cell): (usize, &Cell), names: &CellNames| {
        let is_crashed = index == error.cell;
        let line = match what {
            MissingThing::Key(key) => KeyLines::of(&cell.source, key).taken,
            // The crashed cell would have failed behind its own deletion.
            MissingThing::Name(_) if is_crashed => None,
            MissingThing::Name(name) => {
                let mut deletions = names.acts.events.iter().filter(|event| event.act == NameAct::Delete);
                deletions.find(|event| event.name == *name).map(|event| event.line)
            }
        };
        line.filter(|_| is_crashed || had_run(cell)).map(|line| (index, line))
    };
    let found: Vec<(usize, u32)> =
        code.iter().zip(names).filter_map(|(&(index, cell), names)| takes((index, cell), names)).collect();
    found.into_iter().min_by_key(|&(index, _)| match index.cmp(&error.cell) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => 2,
    })
}

/// The line where a cell's own statements, not the bodies of its functions, bind the name or set the item.
fn defines(cell: &Cell, names: &CellNames, what: &MissingThing) -> Option<u32> {
    let is_it = |event: &&NameEvent| match what {
        MissingThing::Name(name) => event.name == *name && matches!(event.act, NameAct::Bind(_)),
        MissingThing::Key(key) => event.act == NameAct::Change && event.part.as_ref() == Some(&Part::Item(key.clone())),
    };
    let given = || match what {
        MissingThing::Name(_) => None,
        MissingThing::Key(key) => KeyLines::of(&cell.source, key).given,
    };
    names.acts.events.iter().find(is_it).map(|event| event.line).or_else(given)
}

/// Why a definition in this line did not help. One above the line that failed had run: then counts tell.
fn absence(cell: &Cell, line: u32, crashed: Option<u64>) -> Absence {
    let CellKind::Code { execution_count, outputs } = &cell.kind else { return Absence::NeverRan };
    let stopped = outputs.iter().any(|output| match output {
        Output::Error { traceback, .. } => failing_line(&traceback.join("\n")).is_none_or(|failing| line >= failing),
        _ => false,
    });
    match (execution_count, crashed) {
        (Some(count), Some(crashed)) if *count > crashed => Absence::RanLater,
        _ if stopped => Absence::Failed,
        (None, _) => Absence::NeverRan,
        _ => Absence::RanBefore,
    }
}

/// The line of a cell that its error stopped at, from 1, where the traceback tells it.
fn failing_line(traceback: &str) -> Option<u32> {
    let text = plain(traceback);
    Traceback::read(&text).of_notebook().next().and_then(|frame| frame.line)
}

/// The key that a `KeyError` misses, or the first of its columns: `'price'`, `"['price'] not in index"`.
#[must_use]
pub fn missing_key<'text>(ename: &str, evalue: &'text str) -> Option<&'text str> {
    let key = (ename == "KeyError").then(|| evalue.split('\'').nth(1))??;
    (!key.is_empty()).then_some(key)
}

/// A name that some cell binds, one letter or another case away.
fn nearly(cells: &[CellNames], what: &MissingThing) -> Option<String> {
    let MissingThing::Name(missing) = what else { return None };
    let bound = cells.iter().flat_map(|cell| &cell.acts.events).filter(|event| matches!(event.act, NameAct::Bind(_)));
    let near = |event: &&NameEvent| {
        let long = missing.len() >= 5 && missing.len().abs_diff(event.name.len()) <= 1;
        event.name.eq_ignore_ascii_case(missing)
            || long
                && !matches!(event.act, NameAct::Bind(Binder::Import))
                && nbrevive_stats::edit_distance(&event.name, missing) == 1
    };
    bound.filter(|event| event.name != *missing).find(near).map(|event| event.name.clone())
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod tests;
