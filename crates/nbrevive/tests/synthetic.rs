//! The tables of a made-up study of the paper's size come out as the paper prints them, from the store to the files.

mod support;

use std::path::Path;

use serde_json::Value as Json;
use support::{nbrevive, repository, scratch};
use toml::Table;

/// A count as it is printed.
fn count(printed: &toml::Value) -> u64 {
    printed.as_str().expect("counts are texts").replace(',', "").parse().expect("they are counts")
}

fn json(path: &Path) -> Json {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it was written")).expect("it is JSON")
}

/// Makes a study up and exports it; gives the folder with its parquet files in `data`.
fn made_up(arguments: &[&str]) -> tempfile::TempDir {
    let folder = scratch();
    let store = folder.path().join("store");
    let published = repository().join("study/mle-modernizer/published.toml");
    nbrevive()
        .arg("synthetic")
        .arg("--store")
        .arg(&store)
        .arg("--published")
        .arg(published)
        .args(arguments)
        .assert()
        .success();
    let data = folder.path().join("data");
    nbrevive().arg("export").arg("--store").arg(&store).arg("--out").arg(data).assert().success();
    folder
}

/// Makes its tables and figures, and audits them.
fn with_tables(arguments: &[&str]) -> tempfile::TempDir {
    let folder = made_up(arguments);
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    nbrevive().arg("tables").arg("--data").arg(data).arg("--out").arg(&out).assert().success();
    nbrevive().arg("audit").arg("--tables").arg(&out).assert().success();
    folder
}

#[test]
fn every_cell_of_tables_1_to_4_is_the_printed_one() {
    let folder = with_tables(&["--cells", "2"]);
    let tables = folder.path().join("out/tables");
    let published = std::fs::read_to_string(repository().join("study/mle-modernizer/published.toml")).unwrap();
    let published: Table = toml::from_str(&published).unwrap();
    let mut cells = 0;
    for (name, rows) in [("table1", 8), ("table2", 9), ("table3", 9)] {
        let table = json(&tables.join(format!("{name}.json")));
        let printed = published[name]["rows"].as_table().unwrap();
        assert_eq!((table["rows"].as_array().unwrap().len(), printed.len()), (rows, rows));
        for row in table["rows"].as_array().unwrap() {
            let key = row["row"].as_str().unwrap();
            assert_eq!(row["count"], count(&printed[key]), "{name}: {key}");
            cells += 1;
        }
        assert_eq!(table["total"]["count"], count(&published[name]["total"]), "{name}: total");
    }
    let table = json(&tables.join("table4.json"));
    for (fix_type, printed) in published["table4"]["rows"].as_table().unwrap() {
        let rows = table["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["fix_type"] == fix_type.as_str()).unwrap();
        for (state, cell) in row["states"].as_object().unwrap() {
            assert_eq!(cell["count"], count(&printed[state]), "{fix_type}: {state}");
            cells += 1;
        }
        // The states of runtime-reduction add up to 5,449; its total is printed as 4,449, and the states are followed.
        let total = if fix_type == "runtime-reduction" { 5449 } else { count(&printed["total"]) };
        assert_eq!(row["total"]["count"], total, "{fix_type}: total");
    }
    assert_eq!(cells, 8 + 9 + 9 + 15);
}

#[test]
fn the_sides_of_figures_3_and_6_are_the_printed_ones() {
    let folder = with_tables(&["--cells", "0"]);
    let published = std::fs::read_to_string(repository().join("study/mle-modernizer/published.toml")).unwrap();
    let published: Table = toml::from_str(&published).unwrap();
    for (name, nodes) in [("figure3", 10), ("figure6", 7)] {
        let figure = json(&folder.path().join(format!("out/figures/{name}.json")));
        let mut seen = 0;
        for node in figure["nodes"].as_array().unwrap() {
            let side = if node["side"] == "left" { "from" } else { "to" };
            let printed = published[name][side].get(node["outcome"].as_str().unwrap());
            assert_eq!(node["count"], printed.map_or(0, count), "{name}: {node}");
            seen += usize::from(printed.is_some());
        }
        assert_eq!(seen, nodes, "{name}");
    }
}
