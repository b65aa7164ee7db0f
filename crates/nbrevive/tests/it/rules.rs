//! The rules' own examples, in a real environment: the old form fails (or has another value), the new form has the value
//! that the old one had in its time.

use crate::support::{nbrevive, repository, scratch};
use nbrevive_notebook::{Cell, Notebook, Output};
use serde_json::Value;

#[test]
fn every_recorded_example_is_brought_back() {
    let folder = tempfile::tempdir().expect("a folder for the result");
    let json = folder.path().join("account.json");
    let arguments = ["rules", "test", "--forms", "own", "--json"];
    nbrevive().args(arguments).arg(&json).assert().success();
    let text = std::fs::read_to_string(&json).expect("the account is written");
    let account: Value = serde_json::from_str(&text).expect("the account is JSON");
    let triggers = account["triggers"].as_array().expect("a list of triggers");
    assert!(triggers.len() >= 230, "{}", triggers.len());
    for trigger in triggers {
        let own = &trigger["forms"]["own"];
        assert_eq!(own["verdict"], "repaired", "{trigger:#}");
        assert_ne!(own["fixes"], 0, "the old form of {} works today", trigger["id"]);
        assert_eq!(trigger["replacement_failed"], false, "{}", trigger["id"]);
        assert_eq!(trigger["replacement_differs"], false, "{}", trigger["id"]);
        let acted = own["rules"].as_array().expect("a list of rules");
        assert!(acted.contains(&trigger["id"]), "{trigger:#}");
    }
}

#[test]
fn a_rule_is_listed_and_explained() {
    let listed = nbrevive().args(["rules", "list", "--library", "networkx"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&listed.stdout).contains("networkx-views"));
    let explained = nbrevive().args(["rules", "explain", "networkx-views"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&explained.stdout).contains("list(G.nodes())[0]"));
    nbrevive().args(["rules", "explain", "no-such-rule"]).assert().failure().code(2);
}

/// Cells after the rules mended them, and what each printed in a kernel; `code` is the exit code.
fn mended(cells: &[&str], code: i32) -> Vec<(String, String)> {
    let scratch = scratch();
    let path = |name: &str| scratch.path().join(name);
    let notebook = Notebook::from_cells(cells.iter().map(|cell| Cell::code(*cell)).collect());
    std::fs::write(path("old.ipynb"), nbrevive_notebook::write(&notebook)).expect("a notebook is written");
    let mut modernize = nbrevive();
    modernize.arg("modernize").arg(path("old.ipynb")).args(["--lock-only", "--out"]).arg(path("new.ipynb"));
    modernize.current_dir(repository()).assert().code(code);
    let bytes = std::fs::read(path("new.ipynb")).expect("the notebook is there");
    let after = nbrevive_notebook::read(&bytes).expect("it is a notebook").notebook;
    after.cells.iter().map(|cell| (cell.source.clone(), printed(cell))).collect()
}

fn printed(cell: &Cell) -> String {
    let text = |output: &Output| match output {
        Output::Stream { text, .. } => Some(text.clone()),
        _ => None,
    };
    cell.outputs().iter().filter_map(text).collect()
}

#[test]
fn a_magic_over_several_lines_runs_in_a_kernel_with_the_same_value() {
    let cell = "x = [1, 2]\n%time y = sum((i + 1 for i in x),\n            start=0)\nprint('the sum is', y)\n";
    let after = mended(&[cell], 0);
    assert!(after[0].0.contains("%time y = sum((i + 1 for i in x), start=0)\n"), "{}", after[0].0);
    assert!(after[0].1.contains("the sum is 5"), "{}", after[0].1);
}

#[test]
fn what_needs_no_failing_import_runs_in_a_kernel() {
    let cells = [
        "import nowhere\nimport numpy as np\nx = np.arange(3)\ny = nowhere.table()\n",
        "print('the sum is', x.sum())\n",
    ];
    let after = mended(&cells, 10);
    assert!(after[0].0.contains("import nowhere  # fails"), "{}", after[0].0);
    assert_eq!(after[1].1, "the sum is 3\n");
}
