//! Charts of synthetic studies whose counts are known.

use nbrevive_corpus::{Condition, Outcome};
use polars::prelude::Column;
use serde_json::{Value, json};

use super::Figures;
use crate::inputs::Inputs;
use crate::outcome_line::Line;
use crate::testing::{Synthetic, write};
use crate::{Flaky, render};

/// Three versions that were brought back after 1, 2 and 2 fixes, and one that was not after 3.
fn study() -> Synthetic {
    let mut study = Synthetic::default();
    study.add(Condition::BASELINE, Line::ErrorNoCsv, 0, 4);
    study.add(Condition::MODERNIZE, Line::ErrorCsvWithin, 0, 1);
    study.add(Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 1, 2);
    study.add(Condition::MODERNIZE, Line::ErrorNoCsv, 3, 1);
    for (row, fixes) in study.outcomes.iter_mut().skip(4).zip([1, 2, 2, 3]) {
        row.fixes = fixes;
    }
    study
}

/// Executions of the versions 0 and 3: one error less with each fix.
fn write_executions(folder: &std::path::Path) {
    let steps = [("v000000", 0, 2_u32), ("v000000", 1, 1), ("v000003", 0, 3), ("v000003", 1, 2), ("v000003", 3, 1)];
    let rows: Vec<_> = steps.into_iter().map(|(version, fixes, errors)| (version, fixes, 1, errors)).collect();
    // What an A/A run raised is not counted again.
    let again = [("v000000", 0, 2, 2_u32)];
    write_steps(&folder.join("executions.parquet"), &[&rows[..], &again].concat(), |errors| {
        vec![Column::new("error_cells".into(), errors)]
    });
    let raised = |(version, fixes, repetition, errors): (&'static str, u32, u32, u32)| {
        (0..errors).map(move |error| (version, fixes, repetition, error))
    };
    let raised: Vec<_> = rows.into_iter().chain(again).flat_map(raised).collect();
    write_steps(&folder.join("errors.parquet"), &raised, |errors| {
        let classes = ["NameError", "KeyError", "NameError"];
        vec![Column::new("class".into(), errors.into_iter().map(|error| classes[error as usize]).collect::<Vec<_>>())]
    });
}

/// Writes rows of steps: version, number of fixes, repetition, and what `others` makes more columns of.
fn write_steps(
    path: &std::path::Path,
    rows: &[(&'static str, u32, u32, u32)],
    others: impl Fn(Vec<u32>) -> Vec<Column>,
) {
    let condition = |fixes: u32| if fixes == 0 { "baseline" } else { "modernize" };
    let mut columns = vec![
        Column::new("version".into(), rows.iter().map(|row| row.0).collect::<Vec<_>>()),
        Column::new("condition".into(), rows.iter().map(|row| condition(row.1)).collect::<Vec<_>>()),
        Column::new("fix_number".into(), rows.iter().map(|row| row.1).collect::<Vec<_>>()),
        Column::new("repetition".into(), rows.iter().map(|row| row.2).collect::<Vec<_>>()),
    ];
    columns.extend(others(rows.iter().map(|row| row.3).collect()));
    write(path, columns);
}

fn figures(study: &Synthetic, with_executions: bool) -> Vec<Value> {
    figures_beside(study, with_executions, None)
}

fn figures_beside(study: &Synthetic, with_executions: bool, published: Option<&std::path::Path>) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    study.write(folder.path());
    if with_executions {
        write_executions(folder.path());
    }
    let inputs = Inputs::read(folder.path(), published, Flaky::Show).unwrap();
    let mut figures = Figures::count(&inputs).unwrap();
    inputs.errors().unwrap().iter().for_each(|errors| figures.add_errors(errors, &inputs));
    figures.iter().map(|figure| figure.json()).collect()
}

fn figure(name: &str, figures: &[Value]) -> Value {
    figures
        .iter()
        .find(|figure| figure["figure"] == name)
        .unwrap_or_else(|| panic!("there is no figure {name}"))
        .clone()
}

#[test]
fn what_the_paper_says_of_a_figure_stands_beside_it() {
    let figures = figures_beside(&study(), true, Some(&crate::testing::published_path()));
    assert_eq!(
        figure("7b", &figures)["published"][0],
        json!({ "name": "fixes per reproducible notebook, mean", "sayings": [{ "value": "2.70", "sections": ["4.2"] }] })
    );
    for figure in &figures {
        assert!(!figure["published"].is_null(), "figure {}", figure["figure"]);
    }
    assert!(figure("7b", &self::figures(&study(), true))["published"].is_null());
}

#[test]
fn versions_are_counted_by_the_fixes_that_they_took() {
    let figures = figures(&study(), false);
    let by_count = figure("7a", &figures);
    assert_eq!(by_count["fixes"][0], 1);
    assert_eq!(by_count["fixes"].as_array().unwrap().len(), 16);
    assert_eq!(by_count["series"][0]["outcome"], "error-reproducible");
    assert_eq!(by_count["series"][0]["counts"].as_array().unwrap()[..3], [json!(1), json!(0), json!(0)]);
    assert_eq!(by_count["series"][1]["counts"].as_array().unwrap()[..3], [json!(0), json!(2), json!(0)]);
    let boxes = figure("7b", &figures);
    assert_eq!(boxes["samples"][0]["summary"]["n"], 3);
    assert_eq!(boxes["samples"][0]["summary"]["quartiles"], json!([1.0, 1.5, 2.0, 2.0, 2.0]));
    assert_eq!(boxes["all_versions"]["mean"], 2.0);
}

#[test]
fn errors_are_counted_after_each_fix_and_at_the_end() {
    let figures = figures(&study(), true);
    let by_fix = figure("9a", &figures);
    let totals: Vec<&Value> = by_fix["by_fix"].as_array().unwrap().iter().map(|types| &types["total"]).collect();
    assert_eq!(totals, [5, 3, 0, 1]);
    assert_eq!(by_fix["notebooks"], json!([2, 2, 0, 1]));
    assert_eq!(by_fix["types"], json!(["NameError", "KeyError"]));
    // The versions 1 and 2 have no execution at all, version 3 none after its second fix.
    assert_eq!(by_fix["not_found"], 7);
    let at_end = figure("9b", &figures);
    assert_eq!(at_end["outcomes"], json!([Outcome::ErrorReproducible, Outcome::ErrorNonReproducible]));
    assert_eq!(at_end["at_end"][0]["types"], json!([{ "type": "NameError", "count": 1, "share": 1.0 }]));
}

#[test]
fn approaches_are_compared_where_there_are_two() {
    let mut study = study();
    assert!(!figures(&study, false).iter().any(|figure| figure["figure"] == "10b"));
    study.add(Condition::MODERNIZE_CELL, Line::ErrorFreeCsvWithin, 0, 2);
    study.add(Condition::MODERNIZE_CELL, Line::ErrorNoCsv, 2, 2);
    let found = figure("10b", &figures(&study, false));
    let counts = ["file_level_only", "both", "cell_level_only", "neither"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(counts, [1, 2, 0, 1]);
    assert_eq!(found["mcnemar_exact_p"], 1.0);
    study.add(Condition::MODERNIZE_CELL, Line::ErrorNoCsv, 4, 1);
    study.add(Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 4, 1);
    assert_eq!(figure("10b", &figures(&study, false))["mcnemar_exact_p"], 0.5);
}

#[test]
fn a_study_without_fixes_has_pictures_that_say_so() {
    let folder = tempfile::tempdir().unwrap();
    Synthetic::default().write(folder.path());
    let paths = render(folder.path(), None, Flaky::Show, folder.path()).unwrap().files;
    let svg = paths.iter().find(|path| path.ends_with("figures/figure7a.svg")).unwrap();
    let text = std::fs::read_to_string(svg).unwrap();
    assert!(text.contains("No version was brought back.") && !text.contains("NaN"), "{text}");
}

#[test]
fn similarities_out_of_range_are_refused() {
    let mut study = study();
    study.fixes.push((nbrevive_corpus::FixType::ErrorRepair, nbrevive_corpus::FlowState::Timeout));
    study.similarity = 1.5;
    let folder = tempfile::tempdir().unwrap();
    study.write(folder.path());
    let error = Inputs::read(folder.path(), None, Flaky::Show).err().unwrap().to_string();
    assert!(
        error.contains("fixes.parquet") && error.contains("similarity_to_previous") && error.contains("1.5"),
        "{error}"
    );
}
