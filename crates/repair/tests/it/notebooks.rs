//! The rules on every bundled notebook: what they do not name stays as it is, byte for byte, and nothing stops parsing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use nbrevive_notebook::{Notebook, read};
use nbrevive_pysource::parse::parse;
use nbrevive_repair::{CellFeedback, Feedback, Proposal, Rules};
use nbrevive_rules::catalogue;

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the study is in the repository").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ipynb") {
            found.push(path);
        }
    }
}

/// Every notebook of the study and of the golden corpus that can be read.
fn notebooks() -> Vec<(PathBuf, Notebook)> {
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study");
    let mut paths = Vec::new();
    collect(&study.join("notebooks"), &mut paths);
    collect(&study.join("golden"), &mut paths);
    paths.sort();
    let read_one = |path: PathBuf| {
        let bytes = std::fs::read(&path).ok()?;
        Some((path, read(&bytes).ok()?.notebook))
    };
    paths.into_iter().filter_map(read_one).collect()
}

fn propose(notebook: &Notebook, errors: Vec<CellFeedback>) -> Option<Proposal> {
    let packages = BTreeMap::new();
    let feedback = Feedback::of_errors(notebook, errors, &packages);
    Rules.propose(&feedback)
}

fn error((ename, evalue): (&str, &str), cell: usize) -> CellFeedback {
    CellFeedback { cell, ename: ename.to_owned(), evalue: evalue.to_owned(), traceback: String::new(), line: Some(1) }
}

/// What holds for every proposal: cells that no rule names are the same bytes, and no cell parses worse.
fn check(path: &Path, before: &Notebook, proposal: &Proposal) {
    let named: BTreeSet<usize> = proposal.applied.iter().map(|applied| applied.cell).collect();
    for (index, (old, new)) in before.cells.iter().zip(&proposal.notebook.cells).enumerate() {
        if !named.contains(&index) {
            assert_eq!(old, new, "cell {index} of {} changed without a rule", path.display());
        }
        let errors = |source: &str| parse(source).errors().len();
        assert!(
            errors(&new.source) <= errors(&old.source),
            "cell {index} of {} does not parse any more:\n{}",
            path.display(),
            new.source
        );
    }
}

#[test]
fn notebooks_are_untouched_but_for_what_rules_name_and_parse_again() {
    let notebooks = notebooks();
    assert!(notebooks.len() > 40, "only {} notebooks were read", notebooks.len());
    for (path, notebook) in &notebooks {
        let last = notebook.cells.len().saturating_sub(1);
        let mut current = notebook.clone();
        for _ in 0..4 {
            let Some(proposal) = propose(&current, vec![error(("ZeroDivisionError", "division by zero"), last)]) else {
                break;
            };
            check(path, &current, &proposal);
            current = proposal.notebook;
        }
    }
}

#[test]
fn every_error_of_the_catalogue_leaves_notebooks_sound() {
    let errors: BTreeSet<(&str, &str)> =
        catalogue().map(|rule| rule.example.error).filter(|(ename, _)| !ename.is_empty()).collect();
    let all: Vec<CellFeedback> = errors.iter().map(|one| error(*one, 0)).collect();
    for (path, notebook) in &notebooks() {
        if let Some(proposal) = propose(notebook, all.clone()) {
            check(path, notebook, &proposal);
        }
    }
}

#[test]
fn a_notebook_without_errors_and_triggers_gets_no_proposal() {
    let cells =
        ["import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})\n", "rows = []\nrows.append(df.a.sum())\nrows\n"];
    let cells = cells.iter().map(|source| nbrevive_notebook::Cell::code(*source)).collect();
    assert!(propose(&Notebook::from_cells(cells), Vec::new()).is_none());
}
