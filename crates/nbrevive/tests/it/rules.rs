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
    modernized(cells, code, 16).0
}

/// The same with the account of the repair, which has so many fixes at most.
fn modernized(cells: &[&str], code: i32, fixes: u32) -> (Vec<(String, String)>, Value) {
    let scratch = scratch();
    let path = |name: &str| scratch.path().join(name);
    let notebook = Notebook::from_cells(cells.iter().map(|cell| Cell::code(*cell)).collect());
    std::fs::write(path("old.ipynb"), nbrevive_notebook::write(&notebook)).expect("a notebook is written");
    let mut modernize = nbrevive();
    modernize.arg("modernize").arg(path("old.ipynb")).args(["--lock-only", "--out"]).arg(path("new.ipynb"));
    modernize
        .args(["--max-fixes", &fixes.to_string(), "--json"])
        .arg(path("account.json"))
        .current_dir(repository())
        .assert()
        .code(code);
    let bytes = std::fs::read(path("new.ipynb")).expect("the notebook is there");
    let after = nbrevive_notebook::read(&bytes).expect("it is a notebook").notebook;
    let account = std::fs::read_to_string(path("account.json")).expect("the account is written");
    let cells = after.cells.iter().map(|cell| (cell.source.clone(), printed(cell))).collect();
    (cells, serde_json::from_str(&account).expect("the account is JSON"))
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

const FRAME: &str = "import numpy as np\nimport pandas as pd\nframe = pd.DataFrame({'a': [1.0, 2.0, 4.0], 'b': [1.0, 2.0, 3.0], 'c': ['x', 'y', 'z']})\n";

#[test]
fn what_is_not_of_the_library_is_left_alone_beside_what_is() {
    let cells = [
        FRAME,
        "class Table:\n    def as_matrix(self):\n        return 'own'\nprint(Table().as_matrix(), frame.as_matrix().shape)\n",
        "total = lambda t: round(t['a'].corr(t['b']) + t.mean()['a'], 3)\nprint(total(frame))\n",
    ];
    let after = mended(&cells, 0);
    assert_eq!(after[1].1, "own (3, 3)\n", "{}", after[1].0);
    assert_eq!(after[2].1, "3.315\n", "{}", after[2].0);
}

#[test]
fn a_hunk_for_whose_sake_a_cell_raises_is_taken_back_and_the_rest_is_kept() {
    let cells = [
        FRAME,
        "middle = lambda t: t.mean()\nprint(middle(np.array([1.0, 3.0])))\n",
        "print(middle(frame))\n",
        "print(frame.as_matrix().shape)\n",
    ];
    let (after, account) = modernized(&cells, 10, 1);
    assert_eq!(after[1], (cells[1].to_owned(), "2.0\n".to_owned()));
    assert_eq!(after[3].1, "(3, 3)\n");
    let fixes = account["fixes"].as_array().expect("a list of fixes");
    let taken = |fix: &Value| fix["taken_back"].as_array().expect("a list").clone();
    let taken: Vec<Value> = fixes.iter().chain([&account]).flat_map(taken).collect();
    assert_eq!(taken.len(), 1, "{taken:#?}");
    assert_eq!((&taken[0]["rule"], &taken[0]["cell"]), (&"pandas-numeric-only".into(), &1.into()));
    let raised = |cell: &Value| cell["error"].is_object();
    let raised =
        |when: &str| account[when]["cells"].as_array().expect("cells").iter().filter(|one| raised(one)).count();
    assert_eq!((raised("before"), raised("after")), (2, 1));
}

/// What `made` stands for is known by the run alone.
#[test]
fn what_a_run_found_a_name_to_hold_leads_to_the_row_of_its_library() {
    let cells = [
        "from sklearn.preprocessing import OneHotEncoder\nkinds = {'one': OneHotEncoder}\nmade = kinds['one']\n",
        "print(made(sparse=False).fit_transform([['a'], ['b']]).shape)\n",
    ];
    let after = mended(&cells, 0);
    assert_eq!(after[1], (cells[1].replace("sparse=", "sparse_output="), "(2, 2)\n".to_owned()));
}

#[test]
fn a_switch_restores_what_no_syntax_shows_and_is_a_kind_of_its_own() {
    let cells = [
        "import pandas as pd\ntable = pd.DataFrame({'a': ['x'], 'n': [1]})\n",
        "kinds = {'object': 'text', 'int64': 'number'}\nprint([kinds[str(kind)] for kind in table.dtypes])\n",
        "with open('oldpackage.py', 'w') as file:\n    file.write('from scipy import interp\\nfrom itertools import izip')\n",
        "import oldpackage\nprint(float(oldpackage.interp(1.5, [1, 2], [10, 20])))\n",
    ];
    let (after, account) = modernized(&cells, 0, 16);
    assert_eq!(after[1], (cells[1].to_owned(), "['text', 'number']\n".to_owned()));
    assert_eq!(after[3].1, "15.0\n", "{}", after[3].0);
    let fixes = account["fixes"].as_array().expect("a list of fixes");
    assert!(fixes.iter().all(|fix| fix["is_switch"] == true), "{fixes:#?}");
    assert_eq!((&account["outcome"], &account["came_back"]["level"]), (&"runs".into(), &"cannot-tell".into()));
}

/// A text column that cannot be a number is none that a switch mends.
#[test]
fn a_switch_that_changes_nothing_is_taken_back() {
    let cells = ["import pandas as pd\nprint(float('x'))\n"];
    let (after, account) = modernized(&cells, 10, 16);
    assert_eq!(after[0].0, cells[0]);
    assert_eq!(account["taken_back"][0]["rule"], "pandas-text-is-object");
    assert_eq!(account["fixes"].as_array().expect("a list").len(), 0, "nothing is left of it");
    assert_eq!(account["outcome"], "raises");
}

#[test]
fn each_error_that_is_left_and_follows_from_no_other_has_its_cause() {
    let cells = ["rows = open('nowhere.csv').readlines()\n", "print(len(rows))\n", "print(nobody_defines_this)\n"];
    let (_, account) = modernized(&cells, 10, 16);
    let left: Vec<(u64, &str, u64)> = account["left"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|left| {
            let cause = left["cause"].as_str().expect("a word");
            (left["cell"].as_u64().expect("a cell"), cause, left["followers"].as_u64().expect("a number"))
        })
        .collect();
    assert_eq!(left, [(0, "data-missing", 1), (2, "author-error", 0)], "{account:#?}");
}
