//! The lists: what it takes to add a table, and that every name is one of a kind and told.

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_corpus::Condition;
use serde_json::{Value, json};

use super::Grid;
use super::list::{Count, Table, Tables};
use crate::figures::Figures;
use crate::inputs::{Inputs, Subject};
use crate::testing::Synthetic;
use crate::{Flaky, render};

/// A table that no report has.
struct SixthTable {
    rows: usize,
}

impl Table for SixthTable {
    fn name(&self) -> String {
        "table6".to_owned()
    }

    fn grid(&self) -> Grid {
        let [title, header, rows] = ["Table 6", "Rows", &self.rows.to_string()].map(str::to_owned);
        Grid { title, header: vec![header], word_columns: 0, rows: vec![vec![rows]], notes: Vec::new() }
    }

    fn csv(&self) -> String {
        format!("rows\n{}\n", self.rows)
    }

    fn json(&self) -> Value {
        json!({ "table": 6, "rows": self.rows })
    }

    fn is_on_terminal(&self) -> bool {
        true
    }
}

/// A study with something for every table and figure that needs no executions.
fn study() -> tempfile::TempDir {
    let (folder, mut study) = (tempfile::tempdir().unwrap(), Synthetic::default());
    Condition::PRESETS.iter().for_each(|condition| study.add_table(*condition, &[1, 1]));
    study.write(folder.path());
    folder
}

#[test]
fn a_table_more_is_a_type_and_a_row() {
    let folder = study();
    let inputs = Inputs::read(folder.path(), None, Flaky::Show).unwrap();
    let row = (Subject::Any, (|of| Some(Box::new(SixthTable { rows: of.data.outcomes.len() }))) as Count);
    let tables = Tables::of(&[row], &inputs);
    let written = tables.products().into_iter().map(|product| product.write(folder.path(), &[]).unwrap());
    let texts: Vec<String> = written.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert_eq!(texts[0], "**Table 6**\n\n| Rows |\n|--:|\n| 8 |\n");
    assert!(texts[1].contains("\\label{tab:table6}"), "{}", texts[1]);
    assert_eq!([&texts[2], &texts[3]], ["rows\n8\n", "{\n  \"rows\": 8,\n  \"table\": 6\n}\n"]);
    assert!(tables.terminal().starts_with("Table 6\n"));
    assert_eq!(tables.grids()[0].0, "table6");
}

#[test]
fn every_name_is_one_of_a_kind_and_told() {
    let folder = study();
    let files = render(folder.path(), None, Flaky::Show, &folder.path().join("out")).unwrap().files;
    let distinct: BTreeSet<&Path> = files.iter().map(AsRef::as_ref).collect();
    assert_eq!(distinct.len(), files.len());
    let inputs = Inputs::read(folder.path(), None, Flaky::Show).unwrap();
    let (tables, _) = Tables::count(&inputs).unwrap();
    let mut figures = Figures::count(&inputs).unwrap();
    figures.add_errors(&crate::errors::Errors::default(), &inputs);
    let names = tables.grids().into_iter().map(|(name, _)| name);
    let names: Vec<String> = names.chain(figures.iter().map(|figure| format!("figure{}", figure.name()))).collect();
    let told = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.md")).unwrap();
    let untold: Vec<&String> = names.iter().filter(|name| !told.contains(&format!("`{name}`"))).collect();
    assert_eq!(untold, [""; 0], "docs/report.md does not tell of them");
}
