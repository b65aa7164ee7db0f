//! What keeps notebooks from running, said from their code alone.

use std::path::Path;

use nbrevive_notebook::{Cell, Notebook};

use crate::support::{nbrevive, scratch};

fn put(folder: &Path, path: &str, cells: &[&str]) {
    let notebook = Notebook::from_cells(cells.iter().map(|code| Cell::code(*code)).collect());
    let to = folder.join(path);
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("it is made");
    std::fs::write(to, nbrevive_notebook::write(&notebook)).expect("it is written");
}

/// Code and lines of a diagnosis in a folder.
fn diagnose(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = nbrevive().current_dir(folder).arg("diagnose").args(arguments).output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("it is text"))
}

#[test]
fn each_notebook_has_its_category_and_a_folder_its_table() {
    let folder = scratch();
    let folder = folder.path();
    put(folder, "clear.ipynb", &["x = 1", "x"]);
    put(folder, "later.ipynb", &["x", "x = 1"]);
    put(folder, "sub/evil\u{1b}[2J.ipynb", &["\u{1b}[2J", "y"]);
    put(folder, "sub/old.ipynb", &["print 'a'"]);
    std::fs::write(folder.join("script.py"), "z").expect("it is written");
    let (code, lines) = diagnose(folder, &["."]);
    assert_eq!(code, Some(0), "{lines}");
    insta::assert_snapshot!(lines, @r"
    clear          ./clear.ipynb
    defined-later  ./later.ipynb
        code cell 1, line 1: `x` is looked up before code cell 2, line 1, defines it
    syntax         ./sub/evil\u{1b}[2J.ipynb
        code cell 1, line 1: Got unexpected token \u{1b}
        code cell 2, line 1: `y` is defined nowhere before (unless code cell 1, line 1, which cannot be read, was meant to)
    python-2       ./sub/old.ipynb
        code cell 1, line 1: Python 2: print statement

    category       notebooks   share
    unreadable             0
    other-language         0
    no-code                0
    empty                  0
    python-2               1
    indentation            0   0.0 %
    syntax                 1  33.3 %
    defined-later          1  33.3 %
    undefined              0   0.0 %
    clear                  1  33.3 %
    counted                3
    ");

    let (code, lines) = diagnose(folder, &["--json", "later.ipynb"]);
    assert_eq!(code, Some(0), "{lines}");
    let expected = r#"{"path":"later.ipynb","category":"defined-later","code_cells":2,"findings":[{"cell":0,"line":1,"certainty":"sure","kind":"defined-later","name":"x","defined_cell":1,"defined_line":1}]}"#;
    assert_eq!(lines.trim_end(), expected);
}

#[test]
fn what_is_no_notebook_is_told_and_costs_the_code_of_bad_input() {
    let folder = scratch();
    let folder = folder.path();
    assert_eq!(diagnose(folder, &["."]).0, Some(3));
    assert_eq!(diagnose(folder, &["missing.ipynb"]).0, Some(3));
    assert_eq!(diagnose(folder, &[]).0, Some(2));
    std::fs::write(folder.join("broken.ipynb"), "{").expect("it is written");
    put(folder, "clear.ipynb", &["1"]);
    let (code, lines) = diagnose(folder, &["."]);
    assert_eq!(code, Some(3), "{lines}");
    assert!(lines.contains("unreadable     ./broken.ipynb: not JSON"), "{lines}");
    assert!(lines.contains("clear          ./clear.ipynb"), "{lines}");
}
