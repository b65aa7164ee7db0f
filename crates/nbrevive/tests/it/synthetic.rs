//! The tables of a made-up study of the paper's size come out as the paper prints them, from the store to the files.

use std::ffi::OsStr;
use std::path::Path;

use crate::support::{nbrevive, repository, scratch};
use nbrevive_corpus::PublishedFiles;
use serde_json::Value as Json;
use toml::Table;

/// A count as it is printed.
fn count(printed: &toml::Value) -> u64 {
    printed.as_str().expect("counts are texts").replace(',', "").parse().expect("they are counts")
}

fn json(path: &Path) -> Json {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it was written")).expect("it is JSON")
}

/// Makes a study of the paper's size up, exports it, makes its tables and figures, and audits them.
fn made_up() -> tempfile::TempDir {
    let folder = scratch();
    let [store, data, out] = ["store", "data", "out"].map(|name| folder.path().join(name));
    let published = repository().join("study/mle-modernizer/published");
    let run = |arguments: &[&OsStr]| drop(nbrevive().args(arguments).assert().success());
    let [synthetic, export, tables, audit] = ["synthetic", "export", "tables", "audit"].map(OsStr::new);
    let cells = ["--cells", "1"].map(OsStr::new);
    run(&[
        synthetic,
        "--store".as_ref(),
        store.as_ref(),
        "--published".as_ref(),
        published.as_ref(),
        cells[0],
        cells[1],
    ]);
    run(&[export, "--store".as_ref(), store.as_ref(), "--out".as_ref(), data.as_ref()]);
    run(&[tables, "--data".as_ref(), data.as_ref(), "--out".as_ref(), out.as_ref()]);
    run(&[audit, "--tables".as_ref(), out.as_ref()]);
    folder
}

#[test]
fn what_the_paper_prints_comes_out_of_a_study_with_its_counts() {
    let folder = made_up();
    let published = PublishedFiles::read(&repository().join("study/mle-modernizer/published")).unwrap();
    let published = published.parse().unwrap();
    tables_are_as_printed(&folder.path().join("out/tables"), &published);
    flows_are_as_printed(&folder.path().join("out/figures"), &published);
}

/// Every cell of Tables 1 to 4.
fn tables_are_as_printed(tables: &Path, published: &Table) {
    let mut cells = 0;
    for (name, rows) in [("table1", 8), ("table2", 9), ("table3", 9)] {
        let table = json(&tables.join(format!("{name}.json")));
        let printed = published[name]["rows"].as_table().expect("a table");
        assert_eq!((table["rows"].as_array().expect("a list").len(), printed.len()), (rows, rows));
        for row in table["rows"].as_array().expect("a list") {
            let key = row["row"].as_str().expect("a text");
            assert_eq!(row["count"], count(&printed[key]), "{name}: {key}");
            cells += 1;
        }
        assert_eq!(table["total"]["count"], count(&published[name]["total"]), "{name}: total");
    }
    let table = json(&tables.join("table4.json"));
    for (fix_type, printed) in published["table4"]["rows"].as_table().expect("a table") {
        let rows = table["rows"].as_array().expect("a list");
        let row = rows.iter().find(|row| row["fix_type"] == fix_type.as_str()).expect("a row each");
        for (state, cell) in row["states"].as_object().expect("an object") {
            assert_eq!(cell["count"], count(&printed[state]), "{fix_type}: {state}");
            cells += 1;
        }
        // The states of runtime-reduction add up to 5,449; its total is printed as 4,449, and the states are followed.
        let total = if fix_type == "runtime-reduction" { 5449 } else { count(&printed["total"]) };
        assert_eq!(row["total"]["count"], total, "{fix_type}: total");
    }
    assert_eq!(cells, 8 + 9 + 9 + 15);
}

/// Both sides of Figures 3 and 6; the paper prints no flows between them.
fn flows_are_as_printed(figures: &Path, published: &Table) {
    for (name, nodes) in [("figure3", 10), ("figure6", 7)] {
        let figure = json(&figures.join(format!("{name}.json")));
        let mut seen = 0;
        for node in figure["nodes"].as_array().expect("a list") {
            let side = if node["side"] == "left" { "from" } else { "to" };
            let printed = published[name][side].get(node["outcome"].as_str().expect("a text"));
            assert_eq!(node["count"], printed.map_or(0, count), "{name}: {node}");
            seen += usize::from(printed.is_some());
        }
        assert_eq!(seen, nodes, "{name}");
    }
}
