//! Files that a run missed, made up from the code; and what later errors say is wrong with them.

use std::collections::BTreeSet;
use std::sync::Arc;

use nbrevive_corpus::{Executability, Preparation};
use nbrevive_inputs::{InputFile, InputRecipe, UsedAt};
use nbrevive_notebook::Notebook;
use nbrevive_repair::CellFeedback;

use super::{PutBack, Restorable};

/// Makes a recipe once a file is missed, and corrects it by the errors of the runs with it; says what was made or changed.
pub(super) fn make(
    next: &mut Restorable,
    notebook: &Notebook,
    errors: &[CellFeedback],
    tried: &BTreeSet<PutBack>,
) -> Vec<PutBack> {
    let (recipe, done) = match &next.inputs {
        None if errors.iter().any(misses_file) => first(notebook, errors),
        None => return Vec::new(),
        Some(recipe) => corrected(recipe, notebook, errors),
    };
    let done: Vec<PutBack> = done.into_iter().filter(|one| !tried.contains(one)).collect();
    if !done.is_empty() {
        next.inputs = Some(Arc::new(recipe));
    }
    done
}

fn misses_file(error: &CellFeedback) -> bool {
    Executability::of_error(&error.ename, &error.evalue) == Executability::FileNotFound
}

/// The recipe of the code, with what the errors name that the code does not show.
fn first(notebook: &Notebook, errors: &[CellFeedback]) -> (InputRecipe, Vec<PutBack>) {
    let recipe = InputRecipe::of(notebook, true);
    let mut done: Vec<PutBack> = recipe.files.iter().map(file).collect();
    let folder = |path: &String| put_back(&format!("folder {path}"), "the code writes there".to_owned());
    done.extend(recipe.folders.iter().map(folder));
    let (recipe, more) = corrected(&recipe, notebook, errors);
    done.extend(more);
    (recipe, done)
}

fn corrected(recipe: &InputRecipe, notebook: &Notebook, errors: &[CellFeedback]) -> (InputRecipe, Vec<PutBack>) {
    let Some((recipe, made)) = recipe.corrected(notebook, true, errors) else { return (recipe.clone(), Vec::new()) };
    let done = made.into_iter().map(|one| {
        put_back(&format!("{}: {}", one.path, one.change), format!("code cell {}: {}", one.cell + 1, one.error))
    });
    (recipe, done.collect())
}

fn file(file: &InputFile) -> PutBack {
    let sizes = file.tables.iter().map(|table| format!("{} rows of {} columns", table.rows, table.columns.len()));
    let shape = std::iter::once(file.format.to_string()).chain(sizes).collect::<Vec<_>>().join(", ");
    let because = file.used.first().map_or_else(String::new, used);
    put_back(&format!("{} ({shape})", file.path), because)
}

fn used(at: &UsedAt) -> String {
    format!("code cell {}, line {}: {}", at.cell + 1, at.line, at.how)
}

fn put_back(what: &str, because: String) -> PutBack {
    PutBack { preparation: Preparation::Files, what: format!("made up: {what}"), because }
}
