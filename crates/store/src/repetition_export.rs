//! A/A runs as parquet: every repetition, and how often each version came out otherwise.

use std::collections::BTreeMap;
use std::path::Path;

use nbrevive_corpus::{Condition, Failure, Outcome};
use polars::prelude::{Column, NamedFrom, Series};

use crate::export::{ExportError, count, number, optional_number, optional_text, text, words};
use crate::outcomes::OutcomeRow;
use crate::parquet::{ParquetError, write};
use crate::repetitions::{Repeated, flakiness_of};
use crate::{Store, repetitions};

/// Writes `repetitions.parquet` and `flaky.parquet`; without A/A runs they have no rows.
pub(crate) fn export(store: &Store, folder: &Path, outcomes: &[OutcomeRow]) -> Result<(), ExportError> {
    let series = repetitions::beside(store, outcomes)?;
    let rows: Vec<&(u32, OutcomeRow)> = series.values().flatten().collect();
    write(&folder.join("repetitions.parquet"), repetition_columns(&rows)?)?;
    write(&folder.join("flaky.parquet"), flaky_columns(&series)?)?;
    Ok(())
}

fn repetition_columns(rows: &[&(u32, OutcomeRow)]) -> Result<Vec<Column>, ParquetError> {
    let verdicts = || rows.iter().map(|(_, row)| &row.verdict);
    Ok(vec![
        text("version", rows.iter().map(|(_, row)| &row.version)),
        words!("condition", Condition, rows.iter().map(|(_, row)| Some(row.condition.as_str()))),
        count("repetition", rows.iter().map(|(repetition, _)| *repetition)),
        words!("outcome", Outcome, verdicts().map(|verdict| Some(verdict.outcome.as_str()))),
        optional_text("output_reason", verdicts().map(|verdict| verdict.output_reason.clone())),
        words!("failure", Failure, verdicts().map(|verdict| verdict.failure.map(Failure::as_str))),
        optional_text("failure_cause", verdicts().map(|verdict| verdict.failure_cause.clone())),
        optional_number("score", verdicts().map(|verdict| verdict.score)),
        optional_number("deviation", verdicts().map(|verdict| verdict.deviation)),
        count("fixes", rows.iter().map(|(_, row)| row.fixes)),
        number("seconds", rows.iter().map(|(_, row)| row.seconds)),
        text("reason", rows.iter().map(|(_, row)| &row.reason)),
        optional_text("environment", rows.iter().map(|(_, row)| row.environment.clone())),
        text("recorded_at", rows.iter().map(|(_, row)| &row.recorded_at)),
    ])
}

fn flaky_columns(series: &BTreeMap<(Condition, String), Repeated>) -> Result<Vec<Column>, ParquetError> {
    let found: Vec<_> = series.iter().filter_map(|(key, one)| Some((key, flakiness_of(one)?))).collect();
    let flaky: Vec<bool> = found.iter().map(|(_, flakiness)| flakiness.is_flaky()).collect();
    Ok(vec![
        text("version", found.iter().map(|((_, version), _)| version)),
        words!("condition", Condition, found.iter().map(|((condition, _), _)| Some(condition.as_str()))),
        count("repetitions", found.iter().map(|(_, flakiness)| flakiness.repetitions)),
        Column::from(Series::new("flaky".into(), flaky)),
        number("rate", found.iter().map(|(_, flakiness)| flakiness.rate)),
        words!("usual_outcome", Outcome, found.iter().map(|(_, flakiness)| Some(flakiness.usual.0.as_str()))),
        words!("usual_failure", Failure, found.iter().map(|(_, flakiness)| flakiness.usual.1.map(Failure::as_str))),
    ])
}

#[cfg(test)]
mod tests {
    use polars_io::SerReader;
    use polars_io::parquet::read::ParquetReader;

    use super::*;
    use crate::export::tests::assert_documented;
    use crate::loops::tests::outcome;

    #[test]
    fn only_repetitions_of_the_same_inputs_count() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(&dir.path().join("store")).unwrap();
        let first = outcome("a");
        let mut other = first.clone();
        other.verdict.outcome = Outcome::Failed;
        other.verdict.failure = Some(Failure::Timeout);
        repetitions::set(&mut store, 2, &other).unwrap();
        repetitions::set(&mut store, 3, &first).unwrap();
        let out_of_date = OutcomeRow { inputs_hash: "other".to_owned(), ..other };
        repetitions::set(&mut store, 4, &out_of_date).unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir(&data).unwrap();
        export(&store, &data, &[first, outcome("never-repeated")]).unwrap();
        assert_documented(&data);
        let read = |name: &str| ParquetReader::new(std::fs::File::open(data.join(name)).unwrap()).finish().unwrap();
        assert_eq!(read("repetitions.parquet").height(), 3);
        let flaky = read("flaky.parquet");
        assert_eq!(flaky.height(), 1);
        assert_eq!(flaky.column("flaky").unwrap().bool().unwrap().get(0), Some(true));
        let rate = flaky.column("rate").unwrap().f64().unwrap().get(0).unwrap();
        assert!((rate - 1.0 / 3.0).abs() < 1e-12, "{rate}");
    }
}
