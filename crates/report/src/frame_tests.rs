//! What is said about parquet files that do not fit.

use nbrevive_corpus::{Condition, Failure};
use polars::prelude::Column;

use crate::outcome_line::Line;
use crate::terminal;
use crate::testing::{Synthetic, write};

fn one_version() -> (tempfile::TempDir, Synthetic) {
    let folder = tempfile::tempdir().unwrap();
    let mut study = Synthetic::default();
    study.add(Condition::BASELINE, Line::ErrorNoCsv, 0, 1);
    study.write(folder.path());
    (folder, study)
}

/// The error, without the folder's name.
fn error(folder: &tempfile::TempDir) -> String {
    let text = terminal(folder.path(), None, crate::Flaky::Show).unwrap_err().to_string();
    text.replace(&folder.path().display().to_string(), "data")
}

/// Replaces one column of `outcomes.parquet`.
fn with_column(column: Column) -> String {
    let (folder, study) = one_version();
    let mut columns = study.outcome_columns();
    let place = columns.iter().position(|other| other.name() == column.name()).unwrap();
    columns[place] = column;
    write(&folder.path().join("outcomes.parquet"), columns);
    error(&folder)
}

#[test]
fn a_missing_file_is_named() {
    let (folder, _) = one_version();
    std::fs::remove_file(folder.path().join("fixes.parquet")).unwrap();
    insta::assert_snapshot!(error(&folder), @"cannot read data/fixes.parquet: No such file or directory (os error 2); the export of a study writes it");
}

#[test]
fn a_file_that_is_no_parquet_is_named() {
    let (folder, _) = one_version();
    std::fs::write(folder.path().join("study.parquet"), "study,title\n").unwrap();
    assert!(error(&folder).starts_with("data/study.parquet is not a readable parquet file: "));
}

#[test]
fn a_truncated_file_is_named() {
    let (folder, _) = one_version();
    let path = folder.path().join("outcomes.parquet");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(error(&folder).starts_with("data/outcomes.parquet is not a readable parquet file: "));
}

#[test]
fn a_missing_column_is_named() {
    let (folder, study) = one_version();
    let mut columns = study.outcome_columns();
    columns.retain(|column| column.name() != "deviation");
    write(&folder.path().join("outcomes.parquet"), columns);
    insta::assert_snapshot!(error(&folder), @"data/outcomes.parquet has no column `deviation`, which nbrevive 0.1.0 writes: export the study again with it (`nbrevive export`)");
}

#[test]
fn a_wrong_type_is_named() {
    insta::assert_snapshot!(with_column(Column::new("seconds".into(), ["1.5"])), @"column `seconds` of data/outcomes.parquet holds String, expected 64-bit floats: export the study again with nbrevive 0.1.0 (`nbrevive export`)");
    insta::assert_snapshot!(with_column(Column::new("fixes".into(), [1_i64])), @"column `fixes` of data/outcomes.parquet holds Int64, expected unsigned 32-bit integers: export the study again with nbrevive 0.1.0 (`nbrevive export`)");
    insta::assert_snapshot!(with_column(Column::new("outcome".into(), [1.0])), @"column `outcome` of data/outcomes.parquet holds Float64, expected text: export the study again with nbrevive 0.1.0 (`nbrevive export`)");
}

#[test]
fn an_unknown_word_is_named_with_its_row() {
    insta::assert_snapshot!(with_column(Column::new("outcome".into(), ["faild"])), @"column `outcome` of data/outcomes.parquet, row 1: unknown outcome `faild`: expected one of error-free-reproducible, error-reproducible, error-free-non-reproducible, error-non-reproducible, failed; did you mean `failed`?");
}

#[test]
fn a_missing_value_is_named() {
    insta::assert_snapshot!(with_column(Column::new("outcome".into(), [None::<&str>])), @"column `outcome` of data/outcomes.parquet has 1 missing values, expected none");
}

#[test]
fn rows_that_contradict_themselves_are_refused() {
    insta::assert_snapshot!(with_column(Column::new("output_status".into(), [None::<&str>])), @"data/outcomes.parquet: version `v000000` under `baseline`: outcome `error-non-reproducible` without an output status");
    insta::assert_snapshot!(with_column(Column::new("outcome".into(), ["error-reproducible"])), @"data/outcomes.parquet: version `v000000` under `baseline`: outcome `error-reproducible` with output status `no-csv`");
    insta::assert_snapshot!(with_column(Column::new("outcome".into(), ["failed"])), @"data/outcomes.parquet: version `v000000` under `baseline`: outcome `failed` without a failure");
    insta::assert_snapshot!(with_column(Column::new("failure".into(), ["timeout"])), @"data/outcomes.parquet: version `v000000` under `baseline`: outcome `error-non-reproducible` with failure `timeout`");
}

#[test]
fn a_failure_that_the_table_has_no_row_for_is_refused() {
    let (folder, mut study) = one_version();
    study.add(Condition::BASELINE, Line::Failed(Failure::LlmFailed), 1, 1);
    study.write(folder.path());
    insta::assert_snapshot!(error(&folder), @"data/outcomes.parquet: version `v000001` under `baseline`: failure `llm-failed` cannot happen under this condition");
}

#[test]
fn a_version_stands_once_under_a_condition() {
    let (folder, mut study) = one_version();
    study.add(Condition::BASELINE, Line::ErrorNoCsv, 0, 1);
    study.write(folder.path());
    insta::assert_snapshot!(error(&folder), @"data/outcomes.parquet: version `v000000` stands twice under `baseline`");
}

#[test]
fn two_studies_are_refused() {
    let (folder, _) = one_version();
    let texts =
        ["study", "title", "baseline_environment", "baseline_python", "baseline_packages", "tool_revision", "machine"];
    let mut columns: Vec<Column> = texts.map(|name| Column::new(name.into(), ["a", "b"])).into();
    columns.extend(["time_limit_seconds", "tau"].map(|name| Column::new(name.into(), [0.1, 0.2])));
    columns.extend(["max_fixes", "versions"].map(|name| Column::new(name.into(), [1_u32, 2])));
    write(&folder.path().join("study.parquet"), columns);
    insta::assert_snapshot!(error(&folder), @"data/study.parquet: it has 2 rows, expected one study");
}

#[test]
fn a_threshold_that_is_no_number_is_refused() {
    let (folder, mut study) = one_version();
    study.tau = f64::NAN;
    study.write(folder.path());
    insta::assert_snapshot!(error(&folder), @"data/study.parquet: `tau` in row 1 is NaN, expected a number that is not negative");
}

/// The error when all rows have been changed.
fn with_rows(change: impl Fn(&mut crate::rows::OutcomeRow)) -> String {
    let (folder, mut study) = one_version();
    study.add(Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 0, 1);
    study.outcomes.iter_mut().for_each(change);
    study.write(folder.path());
    error(&folder)
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    insta::assert_snapshot!(with_rows(|row| row.seconds = f64::NAN), @"data/outcomes.parquet: `seconds` in row 1 is NaN, expected a number that is not negative");
    insta::assert_snapshot!(with_rows(|row| row.deviation = Some(-0.5)), @"data/outcomes.parquet: version `v000000` under `baseline`: its deviation is -0.5, expected a number that is not negative");
    insta::assert_snapshot!(with_rows(|row| row.fixes = 17), @"data/outcomes.parquet: version `v000000` under `baseline`: 17 fixes, where the study allows 16");
}

#[test]
fn outcomes_that_were_judged_by_another_threshold_are_refused() {
    insta::assert_snapshot!(with_rows(|row| row.deviation = row.outcome.is_reproducible().then_some(0.2)), @"data/outcomes.parquet: version `v000000` under `modernize`: outcome `error-free-reproducible` with a deviation of 0.2, where τ is 0.1");
    insta::assert_snapshot!(with_rows(|row| row.deviation = Some(0.1)), @"data/outcomes.parquet: version `v000000` under `baseline`: outcome `error-non-reproducible` with a deviation of 0.1, where τ is 0.1");
}

#[test]
fn a_file_that_ends_anywhere_is_an_error_and_no_panic() {
    let (folder, _) = one_version();
    let path = folder.path().join("outcomes.parquet");
    let whole = std::fs::read(&path).unwrap();
    for end in (0..whole.len()).step_by(97) {
        std::fs::write(&path, &whole[..end]).unwrap();
        assert!(error(&folder).starts_with("data/outcomes.parquet is not a readable parquet file: "), "{end}");
    }
}

#[test]
fn a_footer_with_a_changed_byte_is_an_error_or_read_and_nothing_worse() {
    let (folder, _) = one_version();
    let path = folder.path().join("outcomes.parquet");
    let whole = std::fs::read(&path).unwrap();
    // The footer's length stands before the last four bytes.
    let (rest, _) = whole.split_last_chunk::<4>().unwrap();
    let (_, length) = rest.split_last_chunk::<4>().unwrap();
    let footer = whole.len() - 8 - u32::from_le_bytes(*length) as usize;
    let mut refused = 0;
    // The lowest and the highest bit of every third byte: what one field bears, the same field of the next column bears too.
    for place in (footer..whole.len()).step_by(3) {
        for bits in [0x01, 0x80] {
            let mut damaged = whole.clone();
            damaged[place] ^= bits;
            std::fs::write(&path, damaged).unwrap();
            refused += u32::from(crate::rows::Data::read(folder.path()).is_err());
        }
    }
    assert!(refused > 150, "{refused} of {}", (whole.len() - footer) * 2 / 3);
}

mod attacks {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_table_is_a_regular_file() {
        let (folder, _) = one_version();
        let path = folder.path().join("outcomes.parquet");
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(error(&folder).contains("named pipe"));
        std::fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        assert!(error(&folder).contains("a device"));
    }
}
