//! Names that a run missed: bound by a statement that is brought before, or by cells that change places.

use std::collections::BTreeSet;

use nbrevive_corpus::{Executability, Preparation};
use nbrevive_diagnosis::crash::missing_name;
use nbrevive_notebook::Notebook;
use nbrevive_repair::CellFeedback;
use nbrevive_rules::{Feedback, Rules};

use super::PutBack;
use super::moves::moved;
use crate::Prepared;

/// The rules that bring a name back and change nothing else.
const NAME_RULES: [&str; 2] = ["notebook-missing-import", "notebook-later-definition"];

/// Brings back the names that errors miss, and says which. What was tried before is left alone.
pub(super) fn mend(
    notebook: &mut Notebook,
    roots: &[CellFeedback],
    environment: &Prepared,
    tried: &BTreeSet<PutBack>,
) -> Vec<PutBack> {
    let missed: Vec<CellFeedback> = roots.iter().filter(|error| misses_name(error)).cloned().collect();
    let mut done = by_rules(notebook, &missed, environment, tried);
    // Cells change places once a turn: the places of the other errors are those of before.
    if done.is_empty() {
        done.extend(missed.iter().find_map(|error| by_move(notebook, error, tried)));
    }
    done
}

fn misses_name(error: &CellFeedback) -> bool {
    Executability::of_error(&error.ename, &error.evalue) == Executability::NameError
}

/// A definition or import, copied or added before the statement that misses it.
fn by_rules(
    notebook: &mut Notebook,
    missed: &[CellFeedback],
    environment: &Prepared,
    tried: &BTreeSet<PutBack>,
) -> Vec<PutBack> {
    let feedback = |error: &CellFeedback, notebook: &Notebook| {
        let of_errors = Feedback::of_errors(notebook, vec![error.clone()], &environment.packages);
        Rules.propose_of(&of_errors, &NAME_RULES)
    };
    let mut done: Vec<PutBack> = Vec::new();
    let (mut seen, mut changed) = (BTreeSet::new(), BTreeSet::new());
    for error in missed.iter().filter(|error| seen.insert(error.evalue.as_str())) {
        // Lines that were put into a cell have moved its other errors down: the next run tells where they are.
        let is_moved = changed.contains(&error.cell);
        let Some(proposal) = (!is_moved).then(|| feedback(error, notebook)).flatten() else { continue };
        let is_import = proposal.applied.iter().any(|applied| applied.rule == NAME_RULES[0]);
        let how = if is_import { "by the import that everybody knows" } else { "by a copy of its later definition" };
        let one = put_back(error, how);
        if !tried.contains(&one) {
            *notebook = proposal.notebook;
            changed.insert(error.cell);
            done.push(one);
        }
    }
    done
}

fn by_move(notebook: &mut Notebook, error: &CellFeedback, tried: &BTreeSet<PutBack>) -> Option<PutBack> {
    let name = missing_name(&error.ename, &error.evalue)?;
    let found = moved(notebook, error.cell, &name)?;
    let one = put_back(error, &found.told);
    if tried.contains(&one) {
        return None;
    }
    *notebook = found.notebook;
    Some(one)
}

fn put_back(error: &CellFeedback, how: &str) -> PutBack {
    let name = missing_name(&error.ename, &error.evalue).unwrap_or_default();
    PutBack {
        preparation: Preparation::Names,
        what: format!("{name} {how}"),
        because: format!("{name} is missed in cell {}", error.cell + 1),
    }
}
