//! Measures how many notebooks a second the rules look at, without execution, on two threads.
//!
//! Arguments: how many notebooks are looked at in all, by repetition of those that there are, and folders that are searched for them.
//! Every notebook gets an error of each kind that the catalogue knows, so that all rules act: the worst case. Prints one line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nbrevive_notebook::{Notebook, read};
use nbrevive_rules::catalogue;
use nbrevive_rules::{CellFeedback, Feedback, Rules};

/// Threads: the machine of the issue has two cores.
const THREADS: usize = 2;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let wanted: usize = arguments.next().and_then(|text| text.parse().ok()).expect("a number of notebooks");
    let mut paths = Vec::new();
    for folder in arguments {
        collect(Path::new(&folder), &mut paths);
    }
    let notebooks: Vec<Notebook> = paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .filter_map(|bytes| Some(read(&bytes).ok()?.notebook))
        .collect();
    let lines: usize = notebooks.iter().flat_map(|one| &one.cells).map(|cell| cell.source.lines().count()).sum();
    let rounds = wanted.div_ceil(notebooks.len().max(1));
    for (name, errors) in
        [("one error that nothing knows", one_error()), ("every error of the catalogue", all_errors())]
    {
        let started = Instant::now();
        std::thread::scope(|scope| {
            for part in notebooks.chunks(notebooks.len().div_ceil(THREADS).max(1)) {
                let errors = &errors;
                scope.spawn(move || {
                    for _ in 0..rounds {
                        part.iter().for_each(|notebook| look(notebook, errors));
                    }
                });
            }
        });
        let seconds = started.elapsed().as_secs_f64();
        let count = notebooks.len() * rounds;
        #[expect(clippy::print_stdout, reason = "the figure is the program's output")]
        {
            println!(
                "rules, {name}: {count} notebooks ({} lines each on average) in {seconds:.2} s, {:.0} a second on {THREADS} threads",
                lines / notebooks.len().max(1),
                count as f64 / seconds
            );
        }
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ipynb") {
            found.push(path);
        }
    }
}

fn one_error() -> Vec<CellFeedback> {
    vec![error(("ZeroDivisionError", "division by zero"))]
}

fn all_errors() -> Vec<CellFeedback> {
    catalogue().map(|rule| rule.example.error).filter(|(ename, _)| !ename.is_empty()).map(error).collect()
}

fn error((ename, evalue): (&str, &str)) -> CellFeedback {
    CellFeedback {
        cell: 0,
        ename: ename.to_owned(),
        evalue: evalue.to_owned(),
        traceback: String::new(),
        line: Some(1),
    }
}

fn look(notebook: &Notebook, errors: &[CellFeedback]) {
    let packages = BTreeMap::new();
    let feedback = Feedback::of_errors(notebook, errors.to_vec(), &packages);
    drop(Rules.propose(&feedback));
}
