//! A study that compares what notebooks of repositories show with what they showed.

use std::path::Path;

use nbrevive_compare::{Agreement, DifferenceKind, Incomparable};
use nbrevive_corpus::Executability;
use nbrevive_store::comparisons::{self, ComparisonRow};
use nbrevive_store::{Store, executability, repository_environments};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{nbrevive, put, repository, scratch};

const SETTINGS: &str = "name = \"shown\"\ntitle = \"Shown\"\njudge = \"outputs\"\nnotebooks = \"notebooks\"\nrepeat = 2\n\
                        environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\n\
                        [[condition]]\nname = \"declared\"\nrole = \"baseline\"\nenvironment = \"declared\"\n\
                        [[condition]]\nname = \"inferred\"\nenvironment = \"inferred\"\n";

/// A notebook of cells with what they printed once.
fn notebook(cells: &[(&str, &str)]) -> String {
    let cell = |(source, printed): &(&str, &str)| {
        let outputs = match *printed {
            "" => json!([]),
            text => json!([{"output_type": "stream", "name": "stdout", "text": text}]),
        };
        json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs, "execution_count": 1})
    };
    let cells: Vec<_> = cells.iter().map(cell).collect();
    json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
}

/// Two repositories, one of which asks for what there never was; and a notebook that belongs to none.
fn study() -> TempDir {
    let folder = scratch();
    let put = |name: &str, text: &str| put(folder.path(), name, text);
    let version = |slug: &str| {
        format!(
            "[[version]]\nslug = \"{slug}\"\ntitle = \"T\"\nsubmitted = \"2022-05-01T00:00:00Z\"\nfile = \"{slug}.ipynb\"\n"
        )
    };
    put("study.toml", SETTINGS);
    put("environments/bare.lock", "# python: 3.12\n");
    let list =
        format!("[repository]\nname = \"me/it\"\n{}{}{}", version("steady"), version("moody"), version("selfmade"));
    put("notebooks/it/versions.toml", &list);
    put(
        "notebooks/it/files/steady.ipynb",
        &notebook(&[("x = 1", ""), ("print(x / 3)", "0.3333333333\n"), ("print(x)", "2\n")]),
    );
    put(
        "notebooks/it/files/moody.ipynb",
        &notebook(&[
            ("import random\nprint(random.random())", "0.5\n"),
            ("print('the same')", "the same\n"),
            ("undefined", "1\n"),
        ]),
    );
    let installs = "!pip install -q toolz==0.12.1\nimport toolz\nprint(toolz.__version__)";
    put("notebooks/it/files/selfmade.ipynb", &notebook(&[(installs, "0.12.1\n")]));
    put("notebooks/bad/versions.toml", &format!("[repository]\nname = \"me/bad\"\n{}", version("unbuilt")));
    put("notebooks/bad/files/unbuilt.ipynb", &notebook(&[("print(1)", "1\n")]));
    put("notebooks/bad/files/requirements.txt", "six\nno-such-thing-of-nbrevive==1\n");
    put("notebooks/alone/versions.toml", &format!("belongs = \"nothing\"\n{}", version("alone")));
    put("notebooks/alone/alone.ipynb", &notebook(&[("print(1)", "1\n")]));
    folder
}

fn run(folder: &Path, words: &[&str]) -> String {
    let mut command = nbrevive();
    command.args(["study", "run"]).args(words).arg(folder.join("study.toml")).arg("--store").arg(folder.join("store"));
    let assert = command.assert().success();
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn what_notebooks_show_is_compared_with_what_they_showed_and_with_themselves() {
    let folder = study();
    run(folder.path(), &[]);
    let store = Store::open_read_only(&folder.path().join("store")).expect("the store can be read");
    let rows = comparisons::all(&store).expect("it has rows");
    let of = |version: &str, repetition: u32| -> Vec<&ComparisonRow> {
        let is_of = |row: &&ComparisonRow| row.repetition == repetition;
        let mine = rows.iter().filter(|row| row.version == version && row.condition.as_str() == "inferred");
        mine.map(|row| &row.row).filter(is_of).collect()
    };
    let levels = |rows: &[&ComparisonRow]| rows.iter().map(|row| row.agreement).collect::<Vec<_>>();
    let steady = of("steady", 1);
    assert_eq!(levels(&steady), [None, Some(Agreement::Value), Some(Agreement::Different)]);
    assert_eq!(
        (steady[0].incomparable, steady[2].difference),
        (Some(Incomparable::NothingSaved), Some(DifferenceKind::Number))
    );
    assert_eq!((steady[2].saved.as_deref(), steady[2].new.as_deref()), (Some("2"), Some("1")));
    assert!(steady[0].unchanged_for_nbdime && !steady[2].unchanged_for_nbdime);
    let moody = of("moody", 1);
    assert_eq!(levels(&moody), [Some(Agreement::Different), Some(Agreement::Exact), Some(Agreement::Different)]);
    assert_eq!(
        (&moody[0].chance_signs, &moody[0].paper_signs),
        (&vec!["random".to_owned()], &vec!["random".to_owned()])
    );
    assert_eq!(moody[2].difference, Some(DifferenceKind::Raised));
    // What differs between two runs of ours differs by itself.
    assert_eq!(levels(&of("moody", 2))[..2], [Some(Agreement::Different), Some(Agreement::Exact)]);
    assert_eq!(levels(&of("steady", 2))[1..], [Some(Agreement::Exact); 2]);
    assert_eq!(levels(&of("selfmade", 1)), [Some(Agreement::Exact)], "what it installs is there");
    assert!(of("unbuilt", 1).is_empty() && of("alone", 1).is_empty());

    let judged = executability::all(&store).expect("it has rows");
    let words = |version: &str| {
        judged.iter().filter(|row| row.version == version).map(|row| row.row.executability).collect::<Vec<_>>()
    };
    assert_eq!(words("unbuilt"), [Executability::NoEnvironment; 2]);
    let environments = repository_environments::all(&store).expect("it has rows");
    let told: Vec<_> = environments
        .iter()
        .map(|row| (row.repository.as_str(), row.condition.as_str(), row.failure_class.as_deref(), row.declared))
        .collect();
    assert_eq!(
        told,
        [
            ("me/bad", "declared", Some("no-distribution"), 2),
            ("me/it", "declared", None, 0),
            ("me/bad", "inferred", Some("no-distribution"), 2),
            ("me/it", "inferred", None, 0),
        ]
    );
    assert!(run(folder.path(), &[]).contains(" 0 to run"), "all is done");

    let mut tables = nbrevive();
    tables
        .arg("tables")
        .arg("--published")
        .arg(repository().join("study/containers/published"))
        .arg("--data")
        .arg(folder.path().join("store/data"))
        .arg("--out")
        .arg(folder.path().join("out"));
    tables.assert().success();
    let names = [
        "composition",
        "cells-as-saved",
        "score-categories",
        "classes",
        "class-overlaps",
        "first-errors",
        "failure-taxonomy",
        "by-requirements",
        "text-ratio",
        "signs-of-chance",
    ];
    let table = |name: &&str| {
        let text = std::fs::read_to_string(folder.path().join(format!("out/tables/{name}.csv"))).expect("it is there");
        format!("{name}\n{text}")
    };
    insta::assert_snapshot!("tables_of_outputs", names.iter().map(table).collect::<Vec<_>>().join("\n"));
    // Who is handed ids alone can count the same.
    let ids = folder.path().join("ids");
    let mut export = nbrevive();
    export.args(["export", "--ids-only", "--store"]).arg(folder.path().join("store")).arg("--out").arg(&ids);
    export.assert().success();
    let mut tables = nbrevive();
    tables.arg("tables").arg("--data").arg(&ids).arg("--out").arg(folder.path().join("out-of-ids"));
    tables.assert().success();
    let mut page = nbrevive();
    page.arg("report")
        .arg("--data")
        .arg(folder.path().join("store/data"))
        .arg("--out")
        .arg(folder.path().join("r.html"));
    page.assert().success();
}
