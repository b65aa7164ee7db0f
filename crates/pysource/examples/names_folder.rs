//! Reads the names of all notebooks below a folder and prints how fast that went.
//!
//! `cargo run --release -p nbrevive-pysource --example names_folder -- FOLDER [--list]`
//!
//! With `--list` each notebook is printed as a line of JSON: its path, the sources of its code cells and what each does with
//! names. `scripts/trace_names.py` compares that with what happens when they run.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nbrevive_notebook::read_code;
use nbrevive_pysource::names::{Acts, CellNames, missing_names, names};
use rayon::prelude::*;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name a folder of notebooks")?);
    let is_listing = arguments.next().is_some_and(|argument| argument == "--list");
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let sources: Vec<(&PathBuf, Vec<String>)> = files.par_iter().filter_map(|path| Some((path, read(path)?))).collect();
    let start = Instant::now();
    let counts = sources.par_iter().map(|(_, sources)| {
        let texts: Vec<&str> = sources.iter().map(String::as_str).collect();
        let found = names(&texts);
        let order: Vec<usize> = (0..texts.len()).collect();
        (found.cells.iter().map(|cell| cell.all_events().count()).sum::<usize>(), missing_names(&found, &order).len())
    });
    let (events, missing) = counts.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    let seconds = start.elapsed().as_secs_f64();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (path, sources) in sources.iter().filter(|_| is_listing) {
        let texts: Vec<&str> = sources.iter().map(String::as_str).collect();
        let cells: Vec<Value> = names(&texts).cells.iter().map(cell).collect();
        writeln!(out, "{}", json!({"path": path.display().to_string(), "sources": sources, "cells": cells}))?;
    }
    let speed = sources.len() as f64 / seconds;
    let all = sources.len();
    if !is_listing {
        writeln!(
            out,
            "{all} notebooks in {seconds:.3} s: {speed:.0} a second; {events} acts, {missing} missing names"
        )?;
    }
    Ok(())
}

fn read(path: &Path) -> Option<Vec<String>> {
    let notebook = read_code(&std::fs::read(path).ok()?).ok()?;
    Some(notebook.code_sources().into_iter().map(str::to_owned).collect())
}

fn cell(cell: &CellNames) -> Value {
    let bodies: Vec<Value> = cell.bodies.iter().map(|body| acts(&body.acts)).collect();
    json!({"state": cell.state, "top": acts(&cell.acts), "bodies": bodies})
}

fn acts(acts: &Acts) -> Value {
    let events =
        acts.events.iter().map(|event| json!([format!("{:?}", event.act), event.name, event.line, event.is_maybe]));
    let unknown = acts.unknown.iter().map(|found| json!([found.cause.to_string(), found.line]));
    json!({"events": events.collect::<Vec<_>>(), "unknown": unknown.collect::<Vec<_>>()})
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "ipynb") {
            found.push(path);
        }
    }
    Ok(())
}
