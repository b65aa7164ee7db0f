//! Answers for machines, whom a list leaves out, and tables of whom a filter keeps.

use std::path::Path;

use serde_json::Value;

use crate::capsule::study;
use crate::support::nbrevive;

/// What the program prints, and what it says.
fn ran(folder: &Path, words: &[&str], code: i32) -> [String; 2] {
    let assert = nbrevive().current_dir(folder).args(words).assert().code(code);
    let output = assert.get_output();
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn a_study_answers_in_each_form_and_leaves_out_whom_a_list_names() {
    let scratch = study();
    let folder = scratch.path();
    let run = |more: &[&str], code: i32| {
        ran(folder, &[&["study", "run", "study.toml", "--store", "store"], more].concat(), code)
    };
    let put = |text: &str| std::fs::write(folder.join("out.toml"), text).expect("the folder is ours");
    put("[[exclude]]\nversion = \"steedy\"\nreason = \"r\"\n");
    let [_, refused] = run(&["--exclude", "out.toml"], 3);
    assert!(refused.contains("no version `steedy`") && refused.contains("did you mean `steady`?"), "{refused}");
    put("[[exclude]]\nversion = \"steady\"\nreason = \"it raises\"\nuntil = \"9999-12-30\"\n");
    let events = lines(&run(&["--exclude", "out.toml", "--format", "ndjson"], 0)[0]);
    assert_eq!(events[0]["schema"], "nbrevive.study-run/1");
    let case = &events[1];
    assert_eq!(
        [&case["event"], &case["group"], &case["name"], &case["end"], &case["word"]],
        ["case", "plain", "moody", "passed", "error-free-reproducible"]
    );
    assert!(case["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{case}");
    assert_eq!(events[2]["counts"]["passed"], 1);
    assert_eq!(events.len(), 3, "{events:?}");
    let [tables, _] = ran(folder, &["tables", "--data", "store/data", "--out", "of-one"], 0);
    assert!(tables.contains("of 1 version (1 more left out by its list of exclusions)"), "{tables}");

    put("[[exclude]]\nversion = \"steady\"\nreason = \"it raised\"\nuntil = \"2020-01-01\"\n");
    let [junit, said] = run(&["--exclude", "out.toml", "--format", "junit"], 0);
    assert!(said.contains("`steady` was left out until 2020-01-01 and is studied again"), "{said}");
    assert!(
        junit.contains("<testsuite name=\"study run\" errors=\"0\" failures=\"1\" skipped=\"0\" tests=\"2\""),
        "{junit}"
    );
    assert!(junit.contains("classname=\"plain\" name=\"moody\""), "what was done before is there: {junit}");

    let filtered =
        ["tables", "--data", "store/data", "--out", "of-part", "--filter", "outcome = error-free-reproducible"];
    let [tables, _] = ran(folder, &filtered, 0);
    assert!(tables.contains("versions with outcome = error-free-reproducible) of 1 version,"), "{tables}");
    ran(folder, &["export", "--store", "store", "--out", "part", "--filter", "version = moody"], 0);
    let [tables, _] = ran(folder, &["tables", "--data", "part", "--out", "of-moody"], 0);
    assert!(tables.contains("of 1 version,"), "{tables}");
    for command in ["tables", "report"] {
        let [_, refused] = ran(folder, &[command, "--data", "store/data", "--filter", "outcom = failed"], 3);
        assert!(refused.contains("did you mean `outcome`?"), "{refused}");
    }
}

#[test]
fn a_notebook_answers_cell_by_cell_and_a_cell_has_its_own_clock() {
    let scratch = study();
    let folder = scratch.path();
    let cells = ["print(1)", "while True: pass", "1 / 0", "", "print(2)"].map(|source| {
        serde_json::json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null})
    });
    let notebook = serde_json::json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells});
    std::fs::write(folder.join("five.ipynb"), notebook.to_string()).expect("the folder is ours");
    let words = ["execute", "five.ipynb", "--environment", "environments/bare.lock", "--cell-time-limit", "0.5"];
    let [json, _] = ran(folder, &[&words[..], &["--format", "json"]].concat(), 10);
    let answer: Value = serde_json::from_str(&json).expect("it is JSON");
    let of = |field: &str| -> Vec<&Value> {
        answer["cases"].as_array().expect("it has cases").iter().map(|case| &case[field]).collect()
    };
    assert_eq!(of("end"), ["passed", "failed", "failed", "skipped", "passed"]);
    assert_eq!(
        of("told")[1..3],
        ["KeyboardInterrupt: the time of the cell was up (0.5 s)", "ZeroDivisionError: division by zero"]
    );
    assert_eq!((&answer["end"]["exit_code"], &answer["end"]["is_completed"]), (&Value::from(10), &Value::from(true)));
    assert_eq!(answer["schema"], "nbrevive.execute/1");
}

#[test]
fn a_run_goes_on_at_a_cell_with_the_state_of_a_run_before() {
    let scratch = study();
    let folder = scratch.path();
    let put = |cells: [&str; 3]| {
        let cell = |source: &str| serde_json::json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
        let notebook =
            serde_json::json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells.map(cell)});
        std::fs::write(folder.join("three.ipynb"), notebook.to_string()).expect("the folder is ours");
    };
    let execute = |more: &[&str], code: i32| {
        let words = ["execute", "three.ipynb", "--environment", "environments/bare.lock", "--format", "json"];
        ran(folder, &[&words[..], more].concat(), code)
    };
    put(["n = 20", "print(n)", "1 / 0"]);
    execute(&["--from-cell", "3"], 2);
    let [_, said] = execute(&["--from-cell", "3", "--state", "kept"], 3);
    assert!(said.contains("no state is kept in kept"), "{said}");
    execute(&["--state", "kept"], 10);
    put(["n = 20", "print(n)", "print(n + 2)"]);
    let [json, said] = execute(&["--from-cell", "3", "--state", "kept"], 0);
    let answer: Value = serde_json::from_str(&json).expect("it is JSON");
    let cases = answer["cases"].as_array().expect("it has cases");
    assert_eq!((cases.len(), &cases[0]["cell"], &answer["about"]["from_cell"]), (1, &Value::from(2), &Value::from(2)));
    assert!(said.contains("replayed 2 cells in ") && said.contains(" s, as in the state"), "{said}");
    put(["n = 21", "print(n)", "print(n + 2)"]);
    let [_, said] = execute(&["--from-cell", "3", "--state", "kept"], 3);
    assert!(said.contains("cell 1 is another one than in the state"), "{said}");
}

#[test]
fn an_audit_answers_with_what_holds() {
    let [json, _] = ran(Path::new("../.."), &["audit", "--format", "json"], 0);
    let answer: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(
        (&answer["cases"][0]["word"], &answer["end"]["counts"]["failed"]),
        (&Value::from("holds"), &Value::from(0))
    );
}
