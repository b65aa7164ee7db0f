//! Rewrites cells by the rules alone, without execution; `scripts/compare-rules` asks it.
//!
//! Reads one JSON object a line from standard input, `{"cells": […], "ename": "…", "evalue": "…"}`, and blames every line
//! of every cell for that error until the rules propose nothing more. Writes `{"cells": […]}` for each.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};

use nbrevive_notebook::{Cell, Notebook};
use nbrevive_rules::{CellFeedback, Feedback, Rules};
use serde::{Deserialize, Serialize};

/// Proposals at most, as in the workflow.
const MOST_FIXES: usize = 16;

#[derive(Deserialize)]
struct Task {
    cells: Vec<String>,
    ename: String,
    evalue: String,
}

#[derive(Serialize)]
struct Rewritten {
    cells: Vec<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let task: Task = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &Rewritten { cells: rewritten(&task) })?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn rewritten(task: &Task) -> Vec<String> {
    let mut notebook = Notebook::from_cells(task.cells.iter().map(|source| Cell::code(source.as_str())).collect());
    let packages = BTreeMap::new();
    for _ in 0..MOST_FIXES {
        let feedback = Feedback::of_errors(&notebook, blamed(&notebook, task), &packages);
        let Some(proposal) = Rules.propose(&feedback) else { break };
        notebook = proposal.notebook;
    }
    notebook.cells.into_iter().map(|cell| cell.source).collect()
}

fn blamed(notebook: &Notebook, task: &Task) -> Vec<CellFeedback> {
    let lines = notebook.cells.iter().enumerate().flat_map(|(cell, one)| {
        let count = u32::try_from(one.source.lines().count()).unwrap_or(u32::MAX);
        (1..=count).map(move |line| (cell, line))
    });
    let error = |(cell, line)| CellFeedback {
        cell,
        ename: task.ename.clone(),
        evalue: task.evalue.clone(),
        traceback: String::new(),
        line: Some(line),
    };
    lines.map(error).collect()
}
