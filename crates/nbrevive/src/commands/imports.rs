//! `nbrevive imports`: what notebooks and scripts import, and with `--json` all that a plan goes by; nobody is asked.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_pysource::imports::imports;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::SourceText;
use rayon::prelude::*;
use serde::Serialize;

use crate::Outcome;
use crate::arguments::ImportsArguments;
use crate::commands::sources;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// One file's line of JSON.
#[derive(Serialize)]
struct Row<'row> {
    path: Cow<'row, str>,
    python: u32,
    minimum_minor: u32,
    imports: &'row [nbrevive_pysource::imports::Import],
    installs: Vec<Install<'row>>,
    written_modules: &'row [String],
    extra_paths: &'row [nbrevive_pysource::paths::ExtraPath],
    broken_cells: &'row [nbrevive_pysource::survey::BrokenCell],
}

/// One install line.
#[derive(Serialize)]
struct Install<'row> {
    cell: usize,
    line: u32,
    tool: nbrevive_pysource::requirements::Tool,
    requirements: &'row [String],
    requirement_files: &'row [String],
    unknown: &'row [String],
}

/// Reads everything on all cores and prints it in the order of the paths; unreadable files are told and cost exit code 3.
pub(crate) fn run(arguments: &ImportsArguments) -> Outcome {
    let paths = sources::find(&arguments.paths)?;
    let started = std::time::Instant::now();
    let read: Vec<_> = paths.par_iter().map(|path| text(path, arguments.json)).collect();
    let seconds = started.elapsed().as_secs_f64();
    let mut unreadable = 0;
    for result in read {
        match result {
            Ok(text) => printer::data(&text),
            Err(failure) => {
                unreadable += 1;
                printer::error(&failure.message);
            }
        }
    }
    if paths.len() > 1 {
        let speed = paths.len() as f64 / seconds.max(1e-9);
        printer::note(&shown!(
            "{} files in {:.2} s ({:.0} a second), {} unreadable",
            paths.len(),
            seconds,
            speed,
            unreadable
        ));
    }
    Ok(if unreadable == 0 { Exit::Success } else { Exit::BadInput })
}

fn text(path: &Path, json: bool) -> Result<Shown, Failure> {
    if json { sources::read(path).map(|source| as_json(&source)) } else { for_people(path) }
}

fn as_json(source: &SourceText) -> Shown {
    let survey = &source.survey;
    let installs = survey.install_lines.iter().map(|line| Install {
        cell: line.cell,
        line: line.line,
        tool: line.tool,
        requirements: &line.requirements,
        requirement_files: &line.requirement_files,
        unknown: &line.unknown,
    });
    let row = Row {
        path: printer::json_path(&source.path),
        python: survey.dialect.major.number(),
        minimum_minor: survey.dialect.minimum_minor,
        imports: &survey.imports,
        installs: installs.collect(),
        written_modules: &survey.written_modules,
        extra_paths: &survey.extra_paths,
        broken_cells: &survey.broken_cells,
    };
    shown!("{}\n", Shown::json(&serde_json::to_string(&row).expect("rows have only string keys")))
}

/// The path, then a line for each module. The rest of a survey takes three times as long and is left to `--json`.
fn for_people(path: &Path) -> Result<Shown, Failure> {
    let notebook = SourceText::read_notebook(path).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let modules: BTreeSet<String> = imports(&notebook.code_sources())
        .iter()
        .map(|import| format!("{}{}", ".".repeat(import.level as usize), import.module))
        .collect();
    let mut text = shown!("{}\n", Shown::path(path));
    for module in modules {
        text.push_line(&shown!("  {}", module));
    }
    Ok(text)
}
