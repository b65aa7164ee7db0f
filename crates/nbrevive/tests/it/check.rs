//! A person's own repository, checked: what still gives the outputs that it shows.

use std::path::Path;

use nbrevive_notebook::{Cell, Notebook};

use crate::support::{nbrevive, scratch};

/// A notebook of one cell with what it printed once.
fn put(folder: &Path, path: &str, code: &str, printed: &str) {
    let notebook = Notebook::from_cells(vec![Cell::code(code)]);
    let mut json: serde_json::Value = serde_json::from_str(&nbrevive_notebook::write(&notebook)).expect("it is JSON");
    json["cells"][0]["execution_count"] = 1.into();
    json["cells"][0]["outputs"] = serde_json::json!([{"output_type": "stream", "name": "stdout", "text": printed}]);
    let to = folder.join(path);
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("it is made");
    std::fs::write(to, json.to_string()).expect("it is written");
}

/// Code and lines of a check of a folder without requirements.
fn check(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let output =
        nbrevive().arg("check").arg(folder).args(["--strategy", "declared"]).args(more).output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("it is text"))
}

#[test]
fn each_notebook_of_a_repository_has_a_line_and_the_code_says_whether_all_hold() {
    let folder = scratch();
    let folder = folder.path();
    put(folder, "same.ipynb", "print(1 + 1)", "2\n");
    put(folder, "near.ipynb", "print(0.1 + 0.2)", "0.3\n");
    put(folder, "sub/beside.ipynb", "print(open('told.txt').read())", "told\n");
    std::fs::write(folder.join("sub/told.txt"), "told").expect("it is written");
    let (code, lines) = check(folder, &[]);
    assert_eq!(code, Some(0), "{lines}");
    insta::assert_snapshot!(lines, @"
    ok       near.ipynb: 1 of 1 cells as saved
    ok       same.ipynb: 1 of 1 cells as saved
    ok       sub/beside.ipynb: 1 of 1 cells as saved
    ");
    assert_eq!(check(folder, &["--level", "exact", "--only", "near"]).0, Some(10));

    put(folder, "differs.ipynb", "print(3)", "2\n");
    put(folder, "raises.ipynb", "undefined", "2\n");
    std::fs::write(folder.join("broken.ipynb"), "{").expect("it is written");
    let (code, lines) = check(folder, &[]);
    assert_eq!(code, Some(10), "{lines}");
    insta::assert_snapshot!(lines, @r#"
    skipped  broken.ipynb: not JSON at line 1, column 1 (EOF while parsing an object): is the file a complete .ipynb?
    differs  differs.ipynb: 0 of 1 cells as saved; cell 1: output 1: number: "2" is now "3"
    ok       near.ipynb: 1 of 1 cells as saved
    raises   raises.ipynb: 0 of 1 cells as saved; cell 1: NameError: name 'undefined' is not defined
    ok       same.ipynb: 1 of 1 cells as saved
    ok       sub/beside.ipynb: 1 of 1 cells as saved
    "#);

    assert_eq!(check(folder, &["--only", "differs", "--update"]).0, Some(10));
    assert_eq!(check(folder, &["--only", "differs"]).0, Some(0), "what it showed then is what it shows now");
    let updated = std::fs::read_to_string(folder.join("differs.ipynb")).expect("it is there");
    assert!(!updated.contains("nbrevive"), "a repository is not told who ran it: {updated}");
}

#[test]
fn what_cannot_be_checked_is_named() {
    let folder = scratch();
    let failed = |arguments: &[&str], code: i32| {
        let output = nbrevive().arg("check").arg(folder.path()).args(arguments).output().expect("it runs");
        assert_eq!(output.status.code(), Some(code));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(failed(&[], 3).contains("there is no notebook in "));
    put(folder.path(), "a.ipynb", "1", "1\n");
    assert!(failed(&[], 2).contains("add --date YYYY-MM-DD"));
    assert!(failed(&["--only", "z"], 3).contains("whose path contains `z`"));
    assert!(failed(&["--level", "alike"], 2).contains("expected one of exact, normalized, value, picture"));
}
