//! `nbrevive explain` and `nbrevive crashes` as a person uses them, on notebooks and sheets of our own.

use std::path::{Path, PathBuf};

use crate::support::{nbrevive, scratch};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

/// A code cell with its count, and the error that it saved.
fn cell(count: u64, source: &str, error: Option<(&str, &str)>) -> Value {
    let outputs: Vec<Value> = error
        .map(|(ename, evalue)| {
            let line = format!(
                "\u{1b}[0;32m<ipython-input-{count}-a>\u{1b}[0m in <module>\n\u{1b}[0;32m----> 1\u{1b}[0m {source}\n"
            );
            let traceback =
                ["---", &format!("{ename}  Traceback (most recent call last)"), &line, &format!("{ename}: {evalue}")];
            json!({"output_type": "error", "ename": ename, "evalue": evalue, "traceback": traceback})
        })
        .into_iter()
        .collect();
    json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs, "execution_count": count})
}

fn notebook(folder: &Path, name: &str, cells: &[Value]) -> PathBuf {
    let path = folder.join(name);
    let notebook = json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells});
    std::fs::write(&path, notebook.to_string()).expect("a scratch folder can be written");
    path
}

fn two_notebooks(folder: &Path) -> PathBuf {
    let order = [
        cell(7, "import pandas as pd", None),
        cell(3, "df = pd.read_csv('a.csv')", Some(("NameError", "name 'pd' is not defined"))),
        cell(4, "df.head()", Some(("NameError", "name 'df' is not defined"))),
    ];
    let missing = [cell(1, "import torch, joypy", Some(("ModuleNotFoundError", "No module named 'joypy'")))];
    notebook(folder, "missing.ipynb", &missing);
    notebook(folder, "order.ipynb", &order)
}

#[test]
fn a_crash_is_explained_by_the_cells_around_it() {
    let scratch = scratch();
    let path = two_notebooks(scratch.path());
    let later = contains("cell 1 defines `pd` in line 1, and ran later, by its count");
    nbrevive()
        .arg("explain")
        .arg(&path)
        .assert()
        .code(0)
        .stdout(later.and(contains("cell 2 defines `df`").and(contains("raised an error itself"))));
    let shown = nbrevive().arg("explain").arg(&path).args(["--cell", "3", "--json"]).assert().code(0);
    let row: Value = serde_json::from_slice(&shown.get_output().stdout).expect("one line of JSON");
    assert_eq!((&row["cell"], &row["labels"]["root_cause"]["label"]), (&json!(3), &json!("NB")));
    assert_eq!(row["missing"]["defined"], json!([2, 1, "failed"]));
    nbrevive()
        .arg("explain")
        .arg(&path)
        .args(["--cell", "1"])
        .assert()
        .code(3)
        .stderr(contains("cell 1 saved no error"));
    let sheet = scratch.path().join("a.csv");
    std::fs::write(&sheet, "a,b\n").expect("a file");
    nbrevive().arg("explain").arg(&sheet).assert().code(3).stderr(contains("no notebook (.ipynb) in"));
    std::fs::remove_file(&sheet).expect("a file");
    // Over a folder: a table, the most frequent cause first.
    let table = nbrevive().arg("explain").arg(scratch.path()).assert().code(0);
    let said = String::from_utf8_lossy(&table.get_output().stdout).into_owned();
    assert!(said.starts_with("3 errors in 2 notebooks\n     2  66.7 %  NB"), "{said}");
    assert!(said.contains("1  33.3 %  ENV"), "{said}");
}

#[test]
fn crashes_are_found_labelled_and_drawn() {
    let scratch = scratch();
    two_notebooks(scratch.path());
    let (found, labels, drawn) =
        (scratch.path().join("found.csv"), scratch.path().join("labels.csv"), scratch.path().join("drawn.csv"));
    let find = nbrevive().args(["crashes", "find"]).arg(scratch.path()).arg("--out").arg(&found).assert().code(0);
    find.stdout(contains("2 that import a library of machine learning, 3 crashes"));
    let classify = || nbrevive().args(["crashes", "classify", "--csv"]).arg(&found).arg("--out").arg(&labels).assert();
    classify().code(0).stderr(contains("3 crashes labelled"));
    let text = std::fs::read_to_string(&labels).expect("labels");
    let causes: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').nth(2)).collect();
    assert_eq!(causes, ["ENV", "NB", "NB"]);
    let draw = nbrevive()
        .args(["crashes", "sample", "--csv"])
        .arg(&found)
        .arg("--out")
        .arg(&drawn)
        .args(["--least", "2", "--size", "1"])
        .assert();
    draw.code(0).stderr(contains("2 of 3 crashes drawn, of 2 strata and 2 clusters"));
}

#[test]
fn what_is_found_in_a_folder_is_drawn_and_labelled_with_its_notebooks() {
    let scratch = scratch();
    let folder = scratch.path().join("folder");
    std::fs::create_dir(&folder).expect("a folder");
    two_notebooks(&folder);
    let nowhere =
        [cell(1, "import torch", None), cell(2, "print(xs)", Some(("NameError", "name 'xs' is not defined")))];
    notebook(&folder, "nowhere.ipynb", &nowhere);
    let crashes = |arguments: &str| {
        let mut command = nbrevive();
        command.current_dir(scratch.path()).arg("crashes").args(arguments.split(' ')).assert().code(0)
    };
    let causes = || {
        let text = std::fs::read_to_string(scratch.path().join("labels.csv")).expect("labels");
        text.lines().skip(1).filter_map(|line| line.split(',').nth(2).map(str::to_owned)).collect::<Vec<_>>()
    };
    crashes("find folder/ --out found.csv --platform github");
    crashes("classify --csv found.csv --out labels.csv");
    assert_eq!(causes(), ["ENV", "NB", "NB", "NB"]);
    crashes("sample --csv found.csv --out drawn.csv --least 100 --seed 1");
    crashes("label --csv drawn.csv --rater Ada --notebooks folder/ --out ada.html")
        .stderr(contains("4 crashes to label, 0 of them without their notebook"));
    // What the cells around a crash show counts where the notebooks are named: of no cell that defines `xs`, it is the code's.
    crashes("classify --csv drawn.csv --notebooks folder/ --out labels.csv");
    let mut found = causes();
    found.sort();
    assert_eq!(found, ["ENV", "IMPL", "NB", "NB"]);
    crashes("tables --csv drawn.csv --notebooks folder/ --out out").stdout(contains("IMPL"));
}

#[test]
fn labels_in_a_sheet_are_never_read() {
    let scratch = scratch();
    let row = |cause: &str| {
        format!(
            "id,platform,ename,evalue,traceback,root_cause\n1,kaggle,nameerror,name 'a' is not defined,\"['x']\",{cause}\n"
        )
    };
    let outcome = |cause: &str| {
        let (sheet, out) = (scratch.path().join("sheet.csv"), scratch.path().join("out.csv"));
        std::fs::write(&sheet, row(cause)).expect("a sheet");
        nbrevive().args(["crashes", "classify", "--csv"]).arg(&sheet).arg("--out").arg(&out).assert().code(0);
        std::fs::read_to_string(&out).expect("labels")
    };
    assert_eq!(outcome("DATA"), outcome("COSMIC RAYS"));
    let sheet = scratch.path().join("bad.csv");
    std::fs::write(&sheet, "id,ename\n1,a\n").expect("a sheet");
    let refused = nbrevive()
        .args(["crashes", "classify", "--csv"])
        .arg(&sheet)
        .arg("--out")
        .arg(scratch.path().join("o"))
        .assert();
    refused.code(3).stderr(contains("no column `platform`"));
}

#[test]
fn crashes_of_executions_become_rows_and_tables() {
    let scratch = scratch();
    let released = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let (sheet, out) = (scratch.path().join("run.csv"), scratch.path().join("out"));
    let find = |condition: &str| {
        let mut command = nbrevive();
        command.args(["crashes", "find", "--first", "--condition", condition, "--data"]).arg(&released);
        command.arg("--out").arg(&sheet).assert()
    };
    find("baseline").code(0).stdout(contains("of them crashes"));
    let text = std::fs::read_to_string(&sheet).expect("a sheet");
    assert!(text.starts_with("id,notebook,cell,platform,") && text.contains(",baseline,"), "{text}");
    find("no-such").code(3).stderr(contains("nothing was raised that was asked for"));
    let tables = nbrevive().args(["crashes", "tables", "--csv"]).arg(&sheet).arg("--out").arg(&out).assert();
    tables.code(0).stdout(contains("Root cause of crashes, by group")).stderr(contains("wrote 102 files"));
    assert!(out.join("tables/causes-by-type.tex").is_file() && out.join("figures/figure5.png").is_file());
}

#[test]
fn labels_outside_of_the_scheme_are_named_and_kept() {
    let scratch = scratch();
    let (sheet, out) = (scratch.path().join("sheet.csv"), scratch.path().join("out"));
    let rows = "id,platform,ename,evalue,traceback,exception_type,root_cause,ml_bug,pipeline_stage\n\
                1,kaggle,NameError,a,,NameError,NB,True,DATAP\n\
                2,github,NameError,a,,NameError,=cosmic rays,False,NONE\n";
    std::fs::write(&sheet, rows).expect("a sheet");
    let mut command = nbrevive();
    command.args(["crashes", "tables", "--labelled", "--csv"]).arg(&sheet).arg("--out").arg(&out);
    command.assert().code(0).stderr(contains("root_cause: `=cosmic rays` is no label of the scheme"));
    let causes = std::fs::read_to_string(out.join("tables/root-causes.csv")).expect("a table");
    // A spreadsheet does not compute with it.
    assert!(causes.contains("NB,kaggle,1,1,1") && causes.contains("'=cosmic rays,github,1,1,1"), "{causes}");
}

#[test]
fn what_a_rater_says_is_no_crash_stays_in_the_sheet_and_out_of_tables() {
    let scratch = scratch();
    let path = |name: &str| scratch.path().join(name);
    two_notebooks(scratch.path());
    nbrevive().args(["crashes", "find"]).arg(scratch.path()).arg("--out").arg(path("found.csv")).assert().code(0);
    let crash = |id: &str, excluded: &str| {
        let note = "previous cell error";
        json!({"id": id, "root_cause": "NB", "excluded": excluded, "note": note})
    };
    let labels = json!({"rater": "Ada", "labels": [crash("1", "raised to print"), crash("2", ""), crash("3", "")]});
    std::fs::write(path("ada.json"), labels.to_string()).expect("labels");
    let mut command = nbrevive();
    command.args(["crashes", "agree"]).arg(path("ada.json")).arg("--csv").arg(path("found.csv"));
    command.arg("--out").arg(path("labelled.csv"));
    command.assert().code(0).stdout(contains("1 of them are no crash, and are left out"));
    for labelled in [&["--labelled"][..], &[]] {
        let mut command = nbrevive();
        command.args(["crashes", "tables"]).args(labelled).arg("--csv").arg(path("labelled.csv"));
        command.arg("--out").arg(path("out")).assert().code(0);
        let table = |name: &str| std::fs::read_to_string(path("out/tables").join(name)).expect("a table");
        assert!(table("left-out.csv").contains("raised to print,all,1,3,"), "{}", table("left-out.csv"));
        assert!(table("root-causes.csv").contains("NB,all,2,2,1"), "{}", table("root-causes.csv"));
    }
}

#[test]
fn collected_notebooks_stand_beside_the_papers() {
    let scratch = scratch();
    two_notebooks(scratch.path());
    let (out, published) =
        (scratch.path().join("out"), Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/crashes/published"));
    let mut command = nbrevive();
    command.args(["crashes", "find"]).arg(scratch.path()).arg("--tables").arg(&out);
    command.arg("--published").arg(published).assert().code(0).stderr(contains("wrote 8 files"));
    let table = |name: &str| std::fs::read_to_string(out.join("tables").join(name)).expect("a table");
    assert!(
        table("filters.md").contains("| with a saved error | 2 | 3 | 100.0 % | 108,925 (172,638) | 4,349 (6,745) |")
    );
    assert!(table("imports.csv").contains("pandas,Data manipulation & data analysis,2,1,2,50.0 %,82.2%"));
}

#[test]
fn pages_are_written_and_raters_compared() {
    let scratch = scratch();
    let path = |name: &str| scratch.path().join(name);
    two_notebooks(scratch.path());
    nbrevive().args(["crashes", "find"]).arg(scratch.path()).arg("--out").arg(path("found.csv")).assert().code(0);
    let mut command = nbrevive();
    command.args(["crashes", "label", "--rater", "Ada", "--notebooks", "/", "--csv"]).arg(path("found.csv"));
    command
        .arg("--out")
        .arg(path("page.html"))
        .assert()
        .code(0)
        .stderr(contains("3 crashes to label, 0 of them without"));
    let page = std::fs::read_to_string(path("page.html")).expect("a page");
    assert!(
        page.contains("cell 2, [3], crashed here")
            && page.contains("default-src &#39;none&#39;") | page.contains("default-src 'none'")
    );
    let labels = |name: &str, causes: [&str; 3]| {
        let labels: Vec<Value> =
            (1..=3).zip(causes).map(|(id, cause)| json!({"id": id.to_string(), "root_cause": cause})).collect();
        std::fs::write(path(name), json!({"rater": name, "labels": labels}).to_string()).expect("labels");
        path(name)
    };
    let (one, other) = (labels("one", ["ENV", "NB", "NB"]), labels("other", ["ENV", "NB", "IMPL"]));
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/crashes/published");
    let mut command = nbrevive();
    command.args(["crashes", "agree"]).arg(&one).arg(&other).arg("--csv").arg(path("found.csv"));
    // By hand: 2 of 3 alike, by chance (1 + 2) / 9 = 1/3.
    let said = contains("root_cause: 3 crashes, 1 (33.33 %) changed").and(contains("of one and other: 0.500"));
    command.arg("--tables").arg(path("review")).arg("--published").arg(published);
    command.arg("--out").arg(path("labelled.csv")).assert().code(0).stdout(said);
    let changes = std::fs::read_to_string(path("review/tables/changes.md")).expect("a table");
    assert!(changes.contains("| root_cause | 1 | 3 | 33.3 % |") && changes.contains("| 81 | 31.76% |"), "{changes}");
    let mut command = nbrevive();
    command.args(["crashes", "tables", "--labelled", "--csv"]).arg(path("labelled.csv")).arg("--out").arg(path("out"));
    let unsaid = contains("pipeline_stage: there is no label, which counts as `not labelled` (3 rows)");
    command.assert().code(0).stdout(contains("IMPL").and(contains("not labelled"))).stderr(unsaid);
    std::fs::write(path("two.csv"), "id,platform,ename,evalue,traceback\n7,,A,b,\n7,,C,d,\n").expect("a sheet");
    let mut command = nbrevive();
    command
        .args(["crashes", "label", "--rater", "Ada", "--csv"])
        .arg(path("two.csv"))
        .arg("--out")
        .arg(path("two.html"));
    command.assert().code(3).stderr(contains("two crashes have the id 7"));
    let twice = json!({"rater": "x", "labels": [{"id": "1"}, {"id": "1"}]}).to_string();
    std::fs::write(&other, twice).expect("labels");
    nbrevive().args(["crashes", "agree"]).arg(&other).assert().code(3).stderr(contains("crash 1 is labelled twice"));
}
