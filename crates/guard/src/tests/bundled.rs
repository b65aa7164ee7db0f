//! The notebooks of the bundled corpus, with and without what the rules make of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_rules::{CellFeedback, Feedback, Rules};

use super::*;

fn bundled() -> Vec<(PathBuf, Notebook)> {
    let mut found = Vec::new();
    for folder in ["study/notebooks", "study/golden/notebooks"] {
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder), &mut found);
    }
    assert!(found.len() > 50, "only {} notebooks", found.len());
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, Notebook)>) {
    for entry in std::fs::read_dir(folder).expect("the corpus is bundled").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "ipynb")
            && let Ok(reading) = nbrevive_notebook::read(&std::fs::read(&path).expect("a file of the corpus"))
        {
            found.push((path, reading.notebook));
        }
    }
}

#[test]
fn every_original_passes_its_own_guard() {
    for (path, notebook) in bundled() {
        let findings = Guard::new(&notebook, Contract::default()).check(&notebook);
        assert_eq!(findings, [], "{}", path.display());
    }
}

#[test]
fn predictions_are_followed_into_the_submissions_of_the_corpus() {
    let lost: Vec<String> = bundled()
        .iter()
        .filter(|(path, _)| !path.components().any(|part| part.as_os_str() == "golden"))
        .filter(|(_, notebook)| {
            let guard = Guard::new(notebook, Contract::default());
            let trains = guard.training.sites > 0 || guard.origin == Origin::TrainingData;
            !guard.submission.learned || guard.submission.gave_up || !trains
        })
        .map(|(path, _)| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    assert_eq!(lost, Vec::<String>::new());
}

/// What the rules do for a timeout, for a drifted score and for an error in every line.
#[test]
fn what_rules_do_passes() {
    let packages = BTreeMap::new();
    let mut patches = 0;
    for (path, notebook) in bundled() {
        let guard = Guard::new(&notebook, Contract::default());
        for case in 0..3 {
            let feedback = Feedback {
                timed_out: case == 0,
                target: Some(0.5),
                submitted: Some(jiff::civil::date(2017, 6, 1)),
                ..Feedback::of_errors(
                    &notebook,
                    if case == 2 { import_errors(&notebook) } else { Vec::new() },
                    &packages,
                )
            };
            let Some(proposal) = Rules.propose(&feedback) else { continue };
            patches += 1;
            let findings = guard.check(&proposal.notebook);
            assert_eq!(findings, [], "{}: {}", path.display(), proposal.plan);
        }
    }
    assert!(patches > 40, "only {patches} patches");
}

/// Errors that call many rules.
fn import_errors(notebook: &Notebook) -> Vec<CellFeedback> {
    let kinds = [
        ("SyntaxError", "Missing parentheses in call to 'print'. Did you mean print(...)?"),
        ("ModuleNotFoundError", "No module named 'sklearn.cross_validation'"),
        ("AttributeError", "'DataFrame' object has no attribute 'append'"),
        ("AttributeError", "'DataFrame' object has no attribute 'ix'"),
    ];
    let cells = notebook.code_cells().flat_map(|(cell, _)| kinds.map(|kind| (cell, kind)));
    cells
        .map(|(cell, (ename, evalue))| CellFeedback {
            cell,
            ename: ename.to_owned(),
            evalue: evalue.to_owned(),
            traceback: String::new(),
            line: Some(1),
        })
        .collect()
}
