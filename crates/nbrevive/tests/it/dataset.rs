//! The released dataset: it is what its manifest says, machines can read its metadata, and the notebooks over it say what the tables
//! say. The notebooks run as any other does: in a lock, in the sandbox, without network.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{nbrevive, repository, scratch};
use nbrevive_notebook::Notebook;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

/// What the cells of a notebook print.
fn printed(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let notebook: Notebook = nbrevive_notebook::read(&bytes).expect("it is a notebook").notebook;
    nbrevive_study::text_outputs(&notebook).into_iter().map(|output| output.text).collect()
}

/// Runs a notebook of `notebooks/` over `data/` and gives what it prints, which has to be what its committed outputs say.
fn run(name: &str) -> String {
    let (root, out) = (repository(), scratch());
    let (notebook, executed) = (root.join("notebooks").join(name), out.path().join(name));
    nbrevive()
        .arg("execute")
        .arg(&notebook)
        .arg("--environment")
        .arg(root.join("notebooks/dataset.lock"))
        .arg("--data")
        .arg(root.join("data"))
        .arg("--out")
        .arg(&executed)
        .assert()
        .success();
    let text = printed(&executed);
    assert_eq!(printed(&notebook), text, "{name} has outputs of other data: run `make notebooks` and commit");
    text
}

fn table(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(repository().join("tables").join(name)).expect("the table is there");
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn figure(name: &str) -> Value {
    let text = std::fs::read_to_string(repository().join("figures").join(name)).expect("the figure is there");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn the_notebook_of_polars_says_what_the_table_of_intervals_says() {
    let text = run("polars.ipynb");
    let rows: Vec<_> = table("uncertainty.csv").into_iter().filter(|row| row[1] == "reproducible").collect();
    assert!(rows.len() >= 3);
    for row in rows {
        let (of, share): (f64, f64) = (row[2].parse().unwrap(), row[3].parse().unwrap());
        let line = format!("{}: {} of {of} reproduce, {:.1}%", row[0], (of * share).round(), share * 100.0);
        assert!(text.contains(&line), "{line} is not in:\n{text}");
    }
}

#[test]
fn the_notebook_of_pandas_says_what_figure_9_says() {
    let text = run("pandas.ipynb");
    let mut totals: Vec<String> = figure("figure9a.json")["by_fix"]
        .as_array()
        .expect("it counts by fix")
        .iter()
        .map(|step| step["total"].to_string())
        .collect();
    // The figure also counts last fixes that leave no error, of which there are no rows.
    while totals.last().is_some_and(|total| total == "0") {
        totals.pop();
    }
    let line = format!("errors after 0, 1, ... fixes: {}\n", totals.join(", "));
    assert!(text.contains(&line), "{line} is not in:\n{text}");
}

#[test]
fn the_notebook_of_duckdb_says_what_figure_6_and_table_4_say() {
    let text = run("duckdb.ipynb");
    let plain =
        |value: &Value| value.as_str().unwrap_or_default().split(':').next_back().unwrap_or_default().to_owned();
    for link in figure("figure6.json")["links"].as_array().expect("it has flows") {
        let count = link["count"].as_u64().unwrap();
        let line = format!("{count:3} from {} to {}\n", plain(&link["from"]), plain(&link["to"]));
        assert!(text.contains(&line), "{line} is not in:\n{text}");
    }
    let rows = table("table4.csv");
    for total in rows.iter().filter(|row| row[0] != "total" && row[1] == "total" && row[2] != "0") {
        let arrived = rows.iter().find(|row| row[0] == total[0] && row[1] == "error-free-reproducible").unwrap();
        let line = format!("{}: {} fixes, {} led to error-free-reproducible", total[0], total[2], arrived[2]);
        assert!(text.contains(&line), "{line} is not in:\n{text}");
    }
}

#[test]
fn the_released_dataset_is_what_its_manifest_says_and_a_damaged_one_is_refused() {
    let data = repository().join("data");
    nbrevive().args(["data", "verify"]).arg(&data).assert().success().stdout(contains("outcomes.parquet"));
    let copy = scratch();
    for entry in std::fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let (cells, out) = (copy.path().join("cells.parquet"), scratch());
    let mut bytes = std::fs::read(&cells).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&cells, bytes).unwrap();
    let tables = |data: &Path| {
        let mut command = nbrevive();
        command.arg("tables").arg("--data").arg(data).arg("--out").arg(out.path());
        command.assert()
    };
    nbrevive().args(["data", "verify"]).arg(copy.path()).assert().code(3).stderr(contains("cells.parquet has SHA-256"));
    tables(copy.path()).code(3).stderr(contains("cells.parquet has SHA-256"));
    let manifest = copy.path().join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["schema"] = "0.1.0".into();
    std::fs::write(&manifest, value.to_string()).unwrap();
    tables(copy.path()).code(3).stderr(contains("schema version 0.1.0").and(contains("export the store again")));
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "tables of a damaged dataset were written");
}

/// What `scripts/setup --for-tests` installs of MLCommons.
fn validator() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = folder("NBREVIVE_HOME")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("nbrevive")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/nbrevive")))
        .expect("there is a home folder");
    let python = home.join("tools/croissant-venv/bin/python");
    assert!(python.exists(), "{} is missing: run scripts/setup --for-tests", python.display());
    python
}

/// Validates, then reads every record set by the metadata alone, and prints its name and rows.
///
/// It leaves without the end of an interpreter, in which the threads of Arrow abort once in a while.
const READ_ALL: &str = "
import os, sys, mlcroissant
dataset = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = dataset.metadata.issues
assert not issues.errors and not issues.warnings, issues.report()
for record_set in dataset.metadata.record_sets:
    rows = sum(1 for _ in dataset.records(record_set=record_set.uuid))
    print(record_set.uuid, rows)
sys.stdout.flush()
os._exit(0)
";

#[test]
fn the_validator_of_mlcommons_accepts_the_metadata_and_reads_every_row_by_it() {
    let data = repository().join("data");
    let output = Command::new(validator()).args(["-c", READ_ALL]).arg(data.join("croissant.json")).output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(data.join("manifest.json")).unwrap()).expect("it is JSON");
    for file in manifest["files"].as_array().unwrap() {
        let line = format!("{} {}\n", file["table"].as_str().unwrap(), file["rows"]);
        assert!(text.contains(&line), "{line} is not in:\n{text}");
    }
}

#[test]
fn what_is_handed_on_names_no_folder_of_the_machine_that_made_it() {
    let root = repository();
    for folder in ["notebooks", "data"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            let bytes = std::fs::read(&path).expect("it can be read");
            let cache = b"/.cache/nbrevive/";
            assert!(!bytes.windows(cache.len()).any(|part| part == cache), "{}", path.display());
        }
    }
}
