//! A/A runs as parquet: every repetition, and how often each version came out otherwise.

use nbrevive_corpus::{Condition, Failure, Flakiness, Outcome};

use crate::columns::{Column, count, number, optional_number, optional_text, switch, text, words};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::write_table;
use crate::outcomes::OutcomeRow;
use crate::parquet::ParquetError;
use crate::repetitions::Series;

/// Writes `repetitions` and `flaky`; without A/A runs they have no rows.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn export(staging: &Staging, series: &Series) -> Result<(), ParquetError> {
    write_table(staging, "repetitions", series.whole().values().flatten(), repetition_columns)?;
    write_table(staging, "flaky", series.flakiness(), flaky_columns)
}

/// A version under a condition, and how often it came out otherwise.
type Flaky<'a> = (&'a (Condition, String), Flakiness);

fn repetition_columns(rows: &[&(u32, OutcomeRow)]) -> Result<Vec<Column>, ParquetError> {
    let verdicts = || rows.iter().map(|(_, row)| &row.verdict);
    Ok(vec![
        text("version", rows.iter().map(|(_, row)| &row.version)),
        text("condition", rows.iter().map(|(_, row)| row.condition.as_str())),
        count("repetition", rows.iter().map(|(repetition, _)| *repetition)),
        words!("outcome", Outcome, verdicts().map(|verdict| Some(verdict.outcome.as_str()))),
        optional_text("output_reason", verdicts().map(|verdict| verdict.output_reason.as_ref())),
        words!("failure", Failure, verdicts().map(|verdict| verdict.failure.map(Failure::as_str))),
        optional_text("failure_cause", verdicts().map(|verdict| verdict.failure_cause.as_ref())),
        optional_number("score", verdicts().map(|verdict| verdict.score)),
        optional_number("deviation", verdicts().map(|verdict| verdict.deviation)),
        count("fixes", rows.iter().map(|(_, row)| row.fixes)),
        number("seconds", rows.iter().map(|(_, row)| row.seconds)),
        text("reason", rows.iter().map(|(_, row)| &row.reason)),
        optional_text("environment", rows.iter().map(|(_, row)| row.environment.as_ref())),
        text("recorded_at", rows.iter().map(|(_, row)| &row.recorded_at)),
    ])
}

fn flaky_columns(found: &[Flaky<'_>]) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", found.iter().map(|((_, version), _)| version)),
        text("condition", found.iter().map(|((condition, _), _)| condition.as_str())),
        count("repetitions", found.iter().map(|(_, flakiness)| flakiness.repetitions)),
        switch("flaky", found.iter().map(|(_, flakiness)| flakiness.is_flaky())),
        number("rate", found.iter().map(|(_, flakiness)| flakiness.rate)),
        words!("usual_outcome", Outcome, found.iter().map(|(_, flakiness)| Some(flakiness.usual.0.as_str()))),
        words!("usual_failure", Failure, found.iter().map(|(_, flakiness)| flakiness.usual.1.map(Failure::as_str))),
    ])
}

#[cfg(test)]
mod tests {
    use crate::export::tests::{exported, read, studied};
    use crate::loops::LoopRows;
    use crate::loops::tests::outcome;
    use crate::outcomes::OutcomeRow;
    use crate::{outcomes, repetitions};
    use nbrevive_corpus::{Failure, Outcome};

    #[test]
    fn only_repetitions_of_the_same_inputs_count() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = studied(dir.path(), &["a", "never-repeated"]);
        let first = outcome("a");
        for row in [&first, &outcome("never-repeated")] {
            outcomes::set(&mut store, row, &LoopRows::default()).unwrap();
        }
        let mut other = first.clone();
        other.verdict.outcome = Outcome::Failed;
        other.verdict.failure = Some(Failure::Timeout);
        repetitions::set(&mut store, 2, &other, &LoopRows::default()).unwrap();
        repetitions::set(&mut store, 3, &first, &LoopRows::default()).unwrap();
        let out_of_date = OutcomeRow { inputs_hash: "other".to_owned(), ..other };
        repetitions::set(&mut store, 4, &out_of_date, &LoopRows::default()).unwrap();
        let data = exported(&store);
        assert_eq!(read(data.path(), "repetitions").height(), 3);
        let flaky = read(data.path(), "flaky");
        assert_eq!(flaky.height(), 1);
        assert_eq!(flaky.column("flaky").unwrap().bool().unwrap().get(0), Some(true));
        let rate = flaky.column("rate").unwrap().f64().unwrap().get(0).unwrap();
        assert!((rate - 1.0 / 3.0).abs() < 1e-12, "{rate}");
    }
}
