//! What the notebook around a crash says of it: which cell should have defined the name or column that is missing, and whether it had run.

use std::collections::BTreeSet;

use nbrevive_notebook::{Cell, CellKind, Notebook, Output};
use nbrevive_pysource::names::{Binder, CellNames, NameAct, NameEvent, Part, names};
use serde::Serialize;

use super::asked;
use super::columns::{KeyLines, texts};
use super::evidence::{is_nearly, missing_name};
use super::saved::SavedError;
use super::traceback::{Place, Traceback, plain};

/// Why a cell's definition was not there when another cell needed it, the most telling first.
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
    /// Its count is lower, but what defines it need not have run: it stands in a branch, a loop or a `try`.
    Branch,
    /// The crashed cell itself defines it, below the line that failed.
    Below,
}

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "name")]
pub enum MissingThing {
    /// A name.
    Name(String),
    /// A column or key.
    Key(String),
    /// The fit of a model by this name.
    Fit(String),
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
    /// Another name or key that the notebook defines, and that is nearly this one.
    pub nearly: Option<String>,
}

/// Looks up what an error misses: the name of a `NameError`, the text of a `KeyError`, the attribute that a frame lacks, the model that is not
/// fitted. None for other errors, and where a cell that cannot be read, or an import of everything, may define it.
#[must_use]
pub fn missing_definition(notebook: &Notebook, error: &SavedError) -> Option<MissingDefinition> {
    let traceback = Traceback::read(&error.traceback);
    // In a function a value has another name than cells give it.
    let line = error.line.as_deref().filter(|_| traceback.of_notebook().count() == 1).unwrap_or("");
    let told = missing_thing(error, &traceback);
    if told.is_none() && error.ename != "NotFittedError" {
        return None;
    }
    let code: Vec<(usize, &Cell)> = notebook.code_cells().collect();
    let sources: Vec<&str> = code.iter().map(|(_, cell)| cell.source.as_str()).collect();
    let read = names(&sources);
    let what = told.or_else(|| asked::object(line, &read.cells).map(MissingThing::Fit))?;
    let frames = match &what {
        MissingThing::Key(key) => asked::frames(line, key, &read.cells),
        _ => None,
    };
    let mut definitions: Vec<(usize, u32, Absence)> = Vec::new();
    for ((index, cell), names) in code.iter().zip(&read.cells) {
        let found = if *index == error.cell {
            below(names, &what, &traceback)
        } else {
            defines(cell, names, &what, frames.as_ref()).map(|(line, is_maybe)| {
                let absence = absence(cell, line, error.execution_count);
                (line, if is_maybe && absence == Absence::RanBefore { Absence::Branch } else { absence })
            })
        };
        definitions.extend(found.map(|(line, absence)| (*index, line, absence)));
    }
    let taken = taken(&code, &read.cells, error, &what, frames.as_ref());
    let is_unsure = read.cells.iter().any(|cell| !cell.acts.unknown.is_empty());
    if definitions.is_empty() && taken.is_none() && is_unsure {
        return None;
    }
    definitions.sort_by_key(|(index, _, absence)| (*absence as usize, *index));
    let nearly = || match &what {
        MissingThing::Name(name) => nearly_name(name, &error.evalue, &read.cells),
        MissingThing::Key(key) => nearly_key(key, &code, &read.cells, frames.as_ref()),
        MissingThing::Fit(_) => None,
    };
    let nearly = definitions.is_empty().then(nearly).flatten();
    Some(MissingDefinition { what, defined: definitions.first().copied(), taken, nearly })
}

/// The name or key that the error tells.
fn missing_thing(error: &SavedError, traceback: &Traceback<'_>) -> Option<MissingThing> {
    let (ename, evalue) = (error.ename.as_str(), error.evalue.as_str());
    // A name of a package's code, or a variable of a function, is none that a cell defines.
    let is_of_cell = traceback.deepest().is_none_or(|frame| matches!(frame.place, Place::Cell(_)));
    if let Some(name) = missing_name(ename, evalue).filter(|_| is_of_cell && evalue.contains("name '")) {
        return Some(MissingThing::Name(name));
    }
    let column = || {
        let rest =
            evalue.strip_prefix("'DataFrame' object has no attribute '").filter(|_| ename == "AttributeError")?;
        rest.split('\'').next().filter(|column| !column.is_empty())
    };
    missing_key(ename, evalue).or_else(column).map(|key| MissingThing::Key(key.to_owned()))
}

/// Where the name or key was taken away: in a cell further down that had run before, else in one above, else in the crashed cell.
fn taken(
    code: &[(usize, &Cell)],
    names: &[CellNames],
    error: &SavedError,
    what: &MissingThing,
    frames: Option<&BTreeSet<String>>,
) -> Option<(usize, u32)> {
    let had_run = |cell: &Cell| match (&cell.kind, error.execution_count) {
        (CellKind::Code { execution_count: Some(count), .. }, Some(crashed)) => *count < crashed,
        _ => false,
    };
    let takes = |(index, cell): (usize, &Cell), names: &CellNames| {
        let is_crashed = index == error.cell;
        let line = match what {
            MissingThing::Key(key) => KeyLines::of(&cell.source, key, frames).taken,
            // The crashed cell would have failed behind its own deletion.
            MissingThing::Name(_) if is_crashed => None,
            MissingThing::Fit(_) => None,
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

/// The line where a cell's own statements, not the bodies of its functions, bind the name, set the item or fit the model, and whether that need
/// not happen when the cell runs.
fn defines(
    cell: &Cell,
    names: &CellNames,
    what: &MissingThing,
    frames: Option<&BTreeSet<String>>,
) -> Option<(u32, bool)> {
    let is_of_frames = |event: &NameEvent| frames.is_none_or(|frames| frames.contains(&event.name));
    let is_it = |event: &&NameEvent| match (what, &event.part) {
        (MissingThing::Name(name), _) => event.name == *name && matches!(event.act, NameAct::Bind(_)),
        (MissingThing::Key(key), Some(Part::Item(item))) => {
            event.act == NameAct::Change && item == key && is_of_frames(event)
        }
        (MissingThing::Fit(name), Some(Part::Method(method))) => event.name == *name && method.starts_with("fit"),
        _ => false,
    };
    let given = || match what {
        MissingThing::Key(key) => KeyLines::of(&cell.source, key, frames).given,
        _ => None,
    };
    // One that happens in any case counts before those that may not.
    let found = names.acts.events.iter().filter(is_it).min_by_key(|event| event.is_maybe);
    found.map(|event| (event.line, event.is_maybe)).or_else(|| given().map(|line| (line, false)))
}

/// Where the crashed cell defines the name itself, below the line that failed.
fn below(names: &CellNames, what: &MissingThing, traceback: &Traceback<'_>) -> Option<(u32, Absence)> {
    let MissingThing::Name(name) = what else { return None };
    let failed = traceback.of_notebook().next()?.line?;
    let mut bound = names.acts.events.iter().filter(|event| matches!(event.act, NameAct::Bind(_)));
    bound.find(|event| event.name == *name && event.line > failed).map(|event| (event.line, Absence::Below))
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

/// A name that some cell binds, and that Python itself proposes, or that is a typing error away.
fn nearly_name(missing: &str, evalue: &str, cells: &[CellNames]) -> Option<String> {
    let proposed = evalue.split_once("Did you mean: '").and_then(|(_, rest)| rest.split('\'').next());
    let bound = cells.iter().flat_map(|cell| &cell.acts.events).filter(|event| matches!(event.act, NameAct::Bind(_)));
    let near = |event: &&NameEvent| {
        let is_import = matches!(event.act, NameAct::Bind(Binder::Import));
        Some(event.name.as_str()) == proposed || is_near(missing, &event.name, is_import)
    };
    bound.filter(|event| event.name != missing).find(near).map(|event| event.name.clone())
}

/// A key that some cell gives to such a frame, and that is a typing error away.
fn nearly_key(
    missing: &str,
    code: &[(usize, &Cell)],
    names: &[CellNames],
    frames: Option<&BTreeSet<String>>,
) -> Option<String> {
    let mut near = code.iter().flat_map(|(_, cell)| texts(&cell.source)).filter(|text| is_near(missing, text, false));
    near.find(|text| {
        let key = MissingThing::Key(text.clone());
        code.iter().zip(names).any(|((_, cell), names)| defines(cell, names, &key, frames).is_some())
    })
}

/// Whether another name is the same in another case or with spaces around it, or, unless an import binds it, a typing error away.
fn is_near(missing: &str, other: &str, is_import: bool) -> bool {
    other != missing && (other.trim().eq_ignore_ascii_case(missing.trim()) || !is_import && is_nearly(missing, other))
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod tests;
