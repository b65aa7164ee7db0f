use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, EnvironmentKind, FixType, FlowState, Outcome, RunEnd, content_hash};
use nbrevive_diagnosis::crash::{CrashText, classify};
use polars::prelude::{AnyValue, DataFrame, DataType};
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;

use super::*;
use crate::competitions::{self, tests as competition};
use crate::cut_outputs;
use crate::dataset::Schema;
use crate::executions::{
    self, CellErrorRow, CellRow, CellStatus, EnvironmentRow, ExecutionCost, ExecutionKey, ExecutionRow,
};
use crate::grades::GradeRow;
use crate::loops::LoopRows;
use crate::loops::tests::{outcome, rows};
use crate::outcomes;
use crate::versions::{self, VersionRow};

pub(crate) const SETTINGS: ExportSettings<'static> =
    ExportSettings { variant: Variant::Full, tool_revision: "test", only: None };

/// A word that stands in every text that a notebook, its outputs, a model or an author can fill.
const FREE: &str = "SECRET-WORDS";

pub(crate) fn version(slug: &str) -> VersionRow {
    VersionRow {
        version: slug.to_owned(),
        competition: Some("tiny".to_owned()),
        repository: None,
        title: format!("{FREE} title"),
        submitted: "2019-01-01T00:00:00Z".to_owned(),
        notebook_hash: Some(content_hash(slug.as_bytes())),
        code_cells: Some(2),
        code_lines: Some(3),
        markdown_cells: Some(1),
        largest_count: Some(2),
        target_score: Some(0.9),
        exclusion: None,
        exclusion_detail: None,
    }
}

/// A store in whose run these versions are studied.
pub(crate) fn studied(folder: &Path, slugs: &[&str]) -> Store {
    let mut store = Store::open(&folder.join("store")).unwrap();
    crate::studies::set(&mut store, &crate::studies::tests::study_row()).unwrap();
    versions::replace_all(&mut store, &slugs.iter().map(|slug| version(slug)).collect::<Vec<_>>()).unwrap();
    store
}

/// The folder of an export.
pub(crate) fn exported(store: &Store) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    export(store, folder.path(), &SETTINGS).unwrap();
    folder
}

pub(crate) fn read(data: &Path, table: &str) -> DataFrame {
    ParquetReader::new(std::fs::File::open(data.join(format!("{table}.parquet"))).unwrap()).finish().unwrap()
}

pub(crate) fn execution(version: &str, condition: Condition, fix_number: u32) -> ExecutionRow {
    let error = CellErrorRow {
        ename: format!("{FREE}Error"),
        evalue: format!("{FREE} message\nsecond line"),
        traceback: format!(
            "Cell In[1], line 2\n----> 2 {FREE}\nFile /x/lib/python3.12/site-packages/{FREE}/a.py:7, in f"
        ),
        line: Some(2),
    };
    let cell = |cell, status, error| CellRow { cell, status, seconds: Some(1.0), error };
    let key = ExecutionKey {
        version: version.to_owned(),
        code_hash: content_hash(format!("{condition} {fix_number}").as_bytes()),
        environment: "env".to_owned(),
        settings_hash: "s".to_owned(),
    };
    ExecutionRow {
        fix_number,
        started_at: "2026-01-01T00:00:00Z".to_owned(),
        tool_revision: "test".to_owned(),
        error_cells: 1,
        grade: Some(GradeRow { result: Err("wrong-columns".to_owned()), detail: Some(format!("{FREE} column")) }),
        spent: ExecutionCost { seconds: 2.0, startup_seconds: 0.5, ..ExecutionCost::default() },
        notebook_file: format!("executed/{version}.{condition}.{fix_number}.ipynb"),
        cells: vec![
            cell(0, CellStatus::Ok, None),
            cell(1, CellStatus::Error, Some(error)),
            cell(2, CellStatus::Skipped, None),
        ],
        ..ExecutionRow::new(key, condition, RunEnd::Completed)
    }
}

/// A store with every kind of row, the free texts of which all hold [`FREE`].
fn full(folder: &Path) -> Store {
    let mut store = studied(folder, &["b", "a"]);
    let mut seen = vec![version("a"), version("b"), version("c")];
    (seen[2].exclusion, seen[2].exclusion_detail) =
        (Some(nbrevive_corpus::Exclusion::NoTarget), Some(format!("{FREE} in {FREE}.ipynb")));
    versions::replace_all(&mut store, &seen).unwrap();
    competitions::replace_all(&mut store, &[competition::row("tiny")]).unwrap();
    let lock = Some(format!("numpy==1.19.5\npandas==1.2.1\n# {FREE}\n"));
    let failure = Some(("no-wheel".to_owned(), format!("{FREE} said pip")));
    for (environment, lock, failure) in [("env", lock, None), ("broken", None, failure)] {
        let row = EnvironmentRow {
            environment: environment.to_owned(),
            kind: EnvironmentKind::Plan,
            python: "3.8.1".to_owned(),
            requirements: format!("{FREE}<=1"),
            lock,
            failure,
        };
        executions::set_environment(&mut store, &row).unwrap();
    }
    for slug in ["a", "b"] {
        let mut baseline = outcome(slug);
        baseline.condition = Condition::BASELINE;
        baseline.verdict.outcome = Outcome::ErrorNonReproducible;
        baseline.reason = format!("{FREE} reason");
        baseline.recorded_at = format!("2026-01-0{}T00:00:00Z", if slug == "a" { 2 } else { 1 });
        outcomes::set(&mut store, &baseline, &LoopRows::default()).unwrap();
        let modernized = outcomes::OutcomeRow { condition: Condition::MODERNIZE, ..baseline };
        let modernized = outcomes::OutcomeRow { verdict: outcome(slug).verdict, ..modernized };
        outcomes::set(&mut store, &modernized, &marked(rows())).unwrap();
        for row in [execution(slug, Condition::BASELINE, 0), execution(slug, Condition::MODERNIZE, 1)] {
            executions::insert(&mut store, &row).unwrap();
            cut_outputs::set(&mut store, slug, &row.notebook_file, Some(&format!("{FREE} of a notebook"))).unwrap();
        }
    }
    store
}

/// The rows of a loop with [`FREE`] in their texts.
fn marked(mut rows: LoopRows) -> LoopRows {
    for fix in &mut rows.fixes {
        fix.patch = format!("- {FREE}");
        fix.plan = FREE.to_owned();
    }
    for question in &mut rows.questions {
        (question.detail, question.patch) = (FREE.to_owned(), FREE.to_owned());
    }
    for refusal in &mut rows.refusals {
        (refusal.findings, refusal.patch) = (FREE.to_owned(), FREE.to_owned());
    }
    if let Some(least) = &mut rows.least_patch {
        (least.patch, least.whole_patch) = (FREE.to_owned(), FREE.to_owned());
    }
    for comparison in &mut rows.comparisons {
        (comparison.place, comparison.saved, comparison.new) =
            (Some(FREE.to_owned()), Some(FREE.to_owned()), Some(FREE.to_owned()));
    }
    for row in &mut rows.put_back {
        (row.what, row.because) = (FREE.to_owned(), FREE.to_owned());
    }
    if let Some(end) = &mut rows.end {
        end.provider_errors = vec![FREE.to_owned()];
    }
    rows
}

/// Every text of a table.
fn texts(frame: &DataFrame) -> Vec<String> {
    let columns = frame.columns().iter().filter_map(|column| column.cast(&DataType::String).ok());
    let values = columns.flat_map(|column| {
        let texts = column.str().unwrap();
        texts.iter().flatten().map(str::to_owned).collect::<Vec<_>>()
    });
    values.collect()
}

#[test]
fn every_table_is_written_with_the_columns_of_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(folder.path());
    let data = exported(&store);
    let manifest = Manifest::verify(data.path()).unwrap();
    for table in Schema::get().tables.iter().filter(|table| table.when.is_none()) {
        let frame = read(data.path(), &table.name);
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(frame.get_column_names(), columns, "{}", table.name);
        assert_eq!(manifest.rows(&table.name), frame.height() as u64);
    }
    assert_eq!(manifest.recorded.as_deref(), Some("2026-01-02T00:00:00Z"));
    let filled = ["study", "competitions", "locks", "grades", "errors", "transitions", "funnel", "cells", "questions"];
    assert!(filled.iter().all(|table| manifest.rows(table) > 0), "{manifest:?}");
}

#[test]
fn rows_are_sorted_by_their_key_and_no_key_stands_twice() {
    let folder = tempfile::tempdir().unwrap();
    let data = exported(&full(folder.path()));
    for table in Schema::get().tables.iter().filter(|table| table.when.is_none() && !table.key.is_empty()) {
        let frame = read(data.path(), &table.name);
        let part = |name: &String, row: usize| match frame.column(name).unwrap().get(row).unwrap() {
            // Words sort in the order of their list.
            AnyValue::Enum(place, _) => format!("{place:09}"),
            AnyValue::UInt32(number) => format!("{number:09}"),
            value => value.to_string(),
        };
        let key = |row: usize| table.key.iter().map(|name| part(name, row)).collect::<Vec<_>>();
        let mut keys: Vec<_> = (0..frame.height()).map(key).collect();
        assert!(table.order.is_some() || keys.is_sorted(), "{}: {keys:?}", table.name);
        keys.sort();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{}: {keys:?}", table.name);
    }
}

#[test]
fn ids_alone_hold_no_word_of_a_notebook() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(folder.path());
    let whole = exported(&store);
    let data = folder.path().join("ids");
    export(&store, &data, &ExportSettings { variant: Variant::IdsOnly, ..SETTINGS }).unwrap();
    Manifest::verify(&data).unwrap();
    let mut hidden = 0;
    for table in Schema::get().tables.iter().filter(|table| table.when.is_none()) {
        let (all, ids) = (read(whole.path(), &table.name), read(&data, &table.name));
        assert_eq!(all.height(), ids.height(), "{}", table.name);
        hidden += texts(&all).iter().filter(|text| text.contains(FREE)).count();
        assert!(texts(&ids).iter().all(|text| !text.contains(FREE)), "{} holds words of a notebook", table.name);
        for column in table.columns.iter().filter(|column| column.free) {
            // What is declared free was filled above, so that a column that is wrongly taken for words of ours is found.
            let filled = texts(&all.select([column.name.as_str()]).unwrap()).iter().any(|text| text.contains(FREE));
            assert!(filled || all.height() == 0, "{} {} is not tried", table.name, column.name);
        }
    }
    assert!(hidden > 20, "{hidden}");
    for entry in std::fs::read_dir(&data).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(FREE.len()).any(|part| part == FREE.as_bytes()));
    }
    let classes = read(&data, "errors");
    assert_eq!(texts(&classes.select(["class"]).unwrap()), vec!["other"; 4]);
}

#[test]
fn errors_locks_grades_and_steps_say_what_happened() {
    let folder = tempfile::tempdir().unwrap();
    let data = exported(&full(folder.path()));
    let first = |table: &str| {
        let frame = read(data.path(), table);
        let values =
            frame.columns().iter().map(|column| (column.name().to_string(), column.get(0).unwrap().to_string()));
        values.collect::<BTreeMap<_, _>>()
    };
    let error = first("errors");
    assert_eq!(error["message"], format!("\"{FREE} message\""));
    assert_eq!((error["module"].as_str(), error["module_line"].as_str()), (&*format!("\"{FREE}/a.py\""), "7"));
    assert!(!error["traceback"].contains("/x/lib"), "{error:?}");
    // It is told by the whole message, of which the table has the first line alone.
    let row = execution("a", Condition::BASELINE, 0);
    let raised = row.cells[1].error.as_ref().unwrap();
    let crash = CrashText { platform: "", ename: &raised.ename, evalue: &raised.evalue, traceback: &raised.traceback };
    assert_eq!(error["root_cause"], format!("\"{}\"", classify(crash).root_cause.label));
    let grade = first("grades");
    assert_eq!((grade["metric"].as_str(), grade["reason"].as_str()), ("\"rmse\"", "\"wrong-columns\""));
    assert_eq!((grade["score"].as_str(), grade["competition"].as_str()), ("null", "\"tiny\""));
    let locks = read(data.path(), "locks");
    assert_eq!(texts(&locks.select(["distribution", "release"]).unwrap()), ["numpy", "pandas", "1.19.5", "1.2.1"]);
    let competition = first("competitions");
    assert_eq!((competition["versions"].as_str(), competition["studied"].as_str()), ("3", "2"));
    let funnel = first("funnel");
    assert_eq!((funnel["kept"].as_str(), funnel["dropped"].as_str()), ("2", "1"));
    assert_eq!(funnel["reasons"], "\"{\"no-target\":1}\"");
}

#[test]
fn steps_lead_from_the_baseline_to_the_outcome_and_from_fix_to_fix() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = full(folder.path());
    let mut loop_rows = rows();
    let mut second = loop_rows.fixes[0].clone();
    loop_rows.fixes[0].led_to = FlowState::Timeout;
    (second.number, second.fix_type, second.led_to) = (2, FixType::ScoreCalibration, FlowState::ErrorReproducible);
    loop_rows.fixes.push(second);
    outcomes::set(&mut store, &outcome("a"), &loop_rows).unwrap();
    let steps = read(exported(&store).path(), "transitions");
    let column = |name: &str| texts(&steps.select([name]).unwrap())[..3].to_vec();
    let steps_of_a: Vec<u32> = steps.column("step").unwrap().u32().unwrap().iter().flatten().take(3).collect();
    assert_eq!(steps_of_a, [0, 1, 2]);
    assert_eq!(column("before"), ["error-non-reproducible", "error-non-reproducible", "timeout"]);
    assert_eq!(column("after"), ["error-free-reproducible", "timeout", "error-reproducible"]);
}

#[test]
fn a_run_without_its_facts_is_told_and_the_old_dataset_stays() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(folder.path());
    let data = exported(&store);
    let before = std::fs::read(data.path().join(MANIFEST)).unwrap();
    store.connection.execute("DELETE FROM facts WHERE name = 'tau'", []).unwrap();
    let error = export(&store, data.path(), &SETTINGS).unwrap_err().to_string();
    assert!(error.contains("nbrevive study run"), "{error}");
    assert_eq!(std::fs::read(data.path().join(MANIFEST)).unwrap(), before);
    Manifest::verify(data.path()).unwrap();
}

#[test]
fn a_store_of_an_older_program_is_exported_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(folder.path());
    store.connection.execute("DROP TABLE competitions", []).unwrap();
    let data = exported(&store);
    let competitions = read(data.path(), "competitions");
    assert_eq!(competitions.height(), 1);
    assert_eq!(competitions.column("metric").unwrap().null_count(), 1);
    Manifest::verify(data.path()).unwrap();
}

#[test]
fn many_cells_are_split_into_groups_and_stay_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = studied(folder.path(), &["a"]);
    let mut row = execution("a", Condition::BASELINE, 0);
    let cells = u32::try_from(crate::parquet::ROW_GROUP).unwrap() * 2 + 1;
    row.cells = (0..cells).map(|cell| CellRow { cell, status: CellStatus::Ok, seconds: None, error: None }).collect();
    executions::insert(&mut store, &row).unwrap();
    let data = exported(&store);
    let file = std::fs::File::open(data.path().join("cells.parquet")).unwrap();
    assert_eq!(ParquetReader::new(file).get_metadata().unwrap().row_groups.len(), 3);
    let found = read(data.path(), "cells");
    assert!(found.column("cell").unwrap().u32().unwrap().iter().flatten().eq(0..cells));
}

#[test]
fn errors_of_many_mebibytes_are_handed_on_whole() {
    let folder = tempfile::tempdir().unwrap();
    let slugs = ["a", "b", "c"];
    let mut store = studied(folder.path(), &slugs);
    let traceback = "x".repeat(3 << 20);
    for (slug, fix) in slugs.into_iter().flat_map(|slug| [(slug, 0), (slug, 1)]) {
        let mut row = execution(slug, Condition::MODERNIZE, fix);
        row.cells[1].error.as_mut().unwrap().traceback = format!("{slug} {fix} {traceback}");
        executions::insert(&mut store, &row).unwrap();
    }
    let errors = read(exported(&store).path(), "errors");
    let found = texts(&errors.select(["traceback"]).unwrap());
    let expected = slugs.iter().flat_map(|slug| [0, 1].map(|fix| format!("{slug} {fix} {traceback}")));
    assert!(found.into_iter().eq(expected), "a traceback is missing, cut or in another's place");
}
