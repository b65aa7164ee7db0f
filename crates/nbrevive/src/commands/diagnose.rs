//! `nbrevive diagnose`: whether notebooks can run from the top, by their code alone or, where that is asked for, by running them.

mod ran;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_diagnosis::code::{CodeCategory, CodeDiagnosis, CodeFinding};
use nbrevive_shown::{Shown, shown};
use rayon::prelude::*;
use serde::Serialize;

use crate::Outcome;
use crate::arguments::DiagnoseArguments;
use crate::commands::setting::file_failure;
use crate::commands::sources;
use crate::exit_code::{Exit, Failure};
use crate::printer;
use ran::{Bench, Ran};

/// One notebook's line of JSON.
#[derive(Serialize)]
struct Row<'row> {
    path: Cow<'row, str>,
    #[serde(flatten)]
    diagnosis: &'row CodeDiagnosis,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'row Ran>,
}

/// Reads everything on all cores and prints it in the order of the paths; files that cannot be read cost exit code 3.
pub(crate) fn run(arguments: &DiagnoseArguments) -> Outcome {
    let paths = notebooks(&arguments.path)?;
    let started = std::time::Instant::now();
    let bench = arguments.run.then(|| Bench::open(&arguments.how)).transpose()?;
    let one = |path: &PathBuf| diagnosed(path, arguments.json, bench.as_ref());
    // One at a time where they run: each may take the machine's memory.
    let texts: Vec<_> = match bench {
        None => paths.par_iter().map(one).collect(),
        Some(_) => paths.iter().map(one).collect(),
    };
    let seconds = started.elapsed().as_secs_f64();
    let mut tally = Tally::default();
    for result in texts {
        match result {
            Ok((category, text)) => {
                tally.count(category);
                printer::data(&text);
            }
            Err(failure) => {
                tally.count(CodeCategory::Unreadable);
                printer::error(&failure.message);
            }
        }
    }
    if paths.len() > 1 {
        if !arguments.json {
            printer::data(&tally.table());
        }
        let speed = paths.len() as f64 / seconds.max(1e-9);
        printer::note(&shown!("{} notebooks in {:.2} s ({:.0} a second)", paths.len(), seconds, speed));
    }
    Ok(if tally.of(CodeCategory::Unreadable) == 0 { Exit::Success } else { Exit::BadInput })
}

/// The file that is named, or the notebooks below the folder.
fn notebooks(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = sources::find(&[path.to_owned()])?;
    found.retain(|file| file == path || file.extension().is_some_and(|ending| ending == "ipynb"));
    if found.is_empty() {
        let message = shown!("no notebook (.ipynb) in {}", Shown::path(path));
        return Err(Failure { exit: Exit::BadInput, message });
    }
    Ok(found)
}

fn diagnosed(path: &Path, json: bool, bench: Option<&Bench>) -> Result<(CodeCategory, Shown), Failure> {
    let content = nbrevive_files::read(path, nbrevive_notebook::LONGEST_FILE).map_err(|error| file_failure(&error))?;
    let diagnosis = CodeDiagnosis::of_bytes(&content);
    // What the paper leaves out of every share is not run either.
    let bench = bench.filter(|_| !diagnosis.category.is_left_out());
    let ran = bench.map(|bench| bench.run(&content)).transpose()?;
    let text = match json {
        true => as_json(path, &diagnosis, ran.as_ref()),
        false => for_people(path, &diagnosis, ran.as_ref()),
    };
    Ok((diagnosis.category, text))
}

fn as_json(path: &Path, diagnosis: &CodeDiagnosis, run: Option<&Ran>) -> Shown {
    let row = Row { path: printer::json_path(path), diagnosis, run };
    shown!("{}\n", Shown::json(&serde_json::to_string(&row).expect("rows have only string keys")))
}

/// The category and the path, then a line for each finding.
fn for_people(path: &Path, diagnosis: &CodeDiagnosis, ran: Option<&Ran>) -> Shown {
    let why = diagnosis.why.as_ref().map_or_else(Shown::default, |why| shown!(": {}", why));
    let mut text = shown!("{:<14} {}{}\n", diagnosis.category.as_str(), Shown::path(path), why);
    for finding in &diagnosis.findings {
        let CodeFinding { cell, line, .. } = finding;
        text.push_line(&shown!("    code cell {}, line {}: {}", cell + 1, line, finding));
    }
    if let Some(ran) = ran {
        text.push(&ran.told());
    }
    text
}

/// How many notebooks are of each category.
#[derive(Debug, Default)]
struct Tally(BTreeMap<CodeCategory, usize>);

impl Tally {
    fn count(&mut self, category: CodeCategory) {
        *self.0.entry(category).or_default() += 1;
    }

    fn of(&self, category: CodeCategory) -> usize {
        self.0.get(&category).copied().unwrap_or(0)
    }

    /// A line a category; shares are of the notebooks that the paper would count.
    fn table(&self) -> Shown {
        let of: usize = CodeCategory::ALL
            .iter()
            .filter(|category| !category.is_left_out())
            .map(|category| self.of(*category))
            .sum();
        let mut text = shown!("\n{:<14} {:>9} {:>7}\n", "category", "notebooks", "share");
        for &category in CodeCategory::ALL {
            let count = self.of(category);
            let share = if category.is_left_out() || of == 0 {
                shown!("")
            } else {
                shown!(" {:>5.1} %", 100.0 * count as f64 / of as f64)
            };
            text.push_line(&shown!("{:<14} {:>9}{}", category.as_str(), count, share));
        }
        text.push_line(&shown!("{:<14} {:>9}", "counted", of));
        text
    }
}
