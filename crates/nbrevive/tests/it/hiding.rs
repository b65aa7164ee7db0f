//! Conditions that hide the files that notebooks read although they lie beside them, and make others up.

use std::path::Path;

use nbrevive_store::{Store, executability};
use serde_json::json;

use crate::support::{nbrevive, scratch};

const READS: [&str; 3] = [
    "import csv\nwith open('data/people.csv') as file:\n    rows = list(csv.DictReader(file))",
    "ages = [int(row['age']) for row in rows]\nprint(len(ages), min(ages) >= 0)",
    "print(sorted({row['town'] for row in rows if row['town'] == 'Bern'}))",
];

const SETTINGS: &str = "name = \"hiding\"\ntitle = \"Hiding\"\njudge = \"executability\"\nnotebooks = \"notebooks\"\n\
                        environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\n\
                        [[condition]]\nname = \"as-it-is\"\nrole = \"baseline\"\n";

const FURTHER: &str = "[[condition]]\nname = \"hidden\"\nhide-data = true\n\
                       [[condition]]\nname = \"made-up\"\nhide-data = true\nprepare = [\"files\"]\n\
                       [[condition]]\nname = \"files\"\nprepare = [\"files\"]\n";

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

#[test]
fn a_notebook_is_run_with_its_files_without_them_and_with_files_that_are_made_up() {
    let folder = scratch();
    let cell = |source: &&str| json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
    let cells: Vec<_> = READS.iter().map(cell).collect();
    let notebook = json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string();
    put(folder.path(), "study.toml", SETTINGS);
    put(folder.path(), "environments/bare.lock", "# python: 3.12\n");
    let list = "[repository]\nname = \"me/it\"\n[[version]]\nslug = \"reads\"\ntitle = \"T\"\nsubmitted = \"2022-05-01T00:00:00Z\"\nfile = \"reads.ipynb\"\n";
    put(folder.path(), "notebooks/it/versions.toml", list);
    put(folder.path(), "notebooks/it/files/reads.ipynb", &notebook);
    put(folder.path(), "notebooks/it/files/data/people.csv", "age,town\n5,Basel\n6,Bern\n");
    let run = || {
        let mut command = nbrevive();
        command.args(["study", "run"]).arg(folder.path().join("study.toml"));
        command.arg("--store").arg(folder.path().join("store")).assert().success();
    };
    run();
    // What was added later is looked at in notebooks that ran as they are, too.
    put(folder.path(), "study.toml", &format!("{SETTINGS}{FURTHER}"));
    run();
    let store = Store::open_read_only(&folder.path().join("store")).expect("the store can be read");
    let mut ran: Vec<(String, u32)> =
        executability::all(&store).unwrap().into_iter().map(|of| (of.condition.to_string(), of.row.ran)).collect();
    ran.sort_unstable();
    let ran: Vec<(&str, u32)> = ran.iter().map(|(condition, ran)| (condition.as_str(), *ran)).collect();
    assert_eq!(ran, [("as-it-is", 3), ("files", 3), ("hidden", 0), ("made-up", 3)]);
    assert!(folder.path().join("notebooks/it/files/data/people.csv").is_file(), "only a copy is hidden");
    let mut tables = nbrevive();
    tables
        .arg("tables")
        .arg("--data")
        .arg(folder.path().join("store/data"))
        .arg("--out")
        .arg(folder.path().join("out"));
    tables.assert().success();
    let table = std::fs::read_to_string(folder.path().join("out/tables/without-data.csv")).expect("the table is there");
    let line = |what: &str| {
        table.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {table}")).to_owned()
    };
    assert!(line("past errors,\"need their files, of all\"").contains(",1,1,"), "{table}");
    assert!(line("past errors,\"run as far with made-up ones, of these\"").contains(",1,1,"), "{table}");
}
