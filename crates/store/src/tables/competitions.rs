//! Table `competitions`: what a reader of scores has to know of each competition of the last run.

use nbrevive_corpus::{Direction, Prediction};

use crate::record::{every, record, replace_table};
use crate::{Store, StoreError};

record! {
    /// A competition as the study saw it.
    #[derive(Debug, Clone, PartialEq)]
    pub struct CompetitionRow {
        /// The slug.
        pub competition: String,
        /// Its name as people read it.
        pub title: String,
        /// The metric's name.
        pub metric: String,
        /// Which way the metric points.
        pub direction: Direction,
        /// The worst score that the metric can give, infinite where it has no bound; none for a metric that is not known.
        pub worst_score: Option<f64>,
        /// The best one.
        pub best_score: Option<f64>,
        /// The unit of scores: `1`, `target`, or a name.
        pub unit: String,
        /// The column that names a row of a submission.
        pub id_column: String,
        /// The columns that are scored, joined by commas.
        pub target_columns: String,
        /// What they hold, where that says how submissions are checked.
        pub prediction: Option<Prediction>,
        /// Name and publication of its data.
        pub data_source: String,
        /// Licence of its data.
        pub data_licence: String,
        /// Files that a notebook sees.
        pub data_files: u32,
        /// Their size in bytes; none where they are not at hand.
        pub data_bytes: Option<u64>,
        /// Its level in MLE-bench, for those of its competitions.
        pub level: Option<String>,
        /// What a reader of scores has to know, as words joined by commas, for those of MLE-bench.
        pub flags: Option<String>,
    }
}

/// Stores the competitions of a run, in place of the ones before.
///
/// # Errors
/// When the database refuses.
pub fn replace_all(store: &mut Store, rows: &[CompetitionRow]) -> Result<(), StoreError> {
    store.write(|transaction| replace_table(transaction, "competitions", rows))
}

/// Every competition, by slug. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a word that is not known.
pub fn all(store: &Store) -> Result<Vec<CompetitionRow>, StoreError> {
    store.read(|connection| every(connection, "competitions", "competition"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn row(competition: &str) -> CompetitionRow {
        CompetitionRow {
            competition: competition.to_owned(),
            title: "Tiny".to_owned(),
            metric: "rmse".to_owned(),
            direction: Direction::Minimize,
            worst_score: Some(f64::INFINITY),
            best_score: Some(0.0),
            unit: "target".to_owned(),
            id_column: "Id".to_owned(),
            target_columns: "y".to_owned(),
            prediction: Some(Prediction::Value),
            data_source: "made up".to_owned(),
            data_licence: "CC0-1.0".to_owned(),
            data_files: 3,
            data_bytes: Some(1 << 40),
            level: None,
            flags: None,
        }
    }

    #[test]
    fn what_is_stored_comes_back_in_place_of_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        replace_all(&mut store, &[row("b"), row("a")]).unwrap();
        assert_eq!(all(&store).unwrap(), [row("a"), row("b")]);
        let other = CompetitionRow { prediction: None, data_bytes: None, ..row("c") };
        replace_all(&mut store, std::slice::from_ref(&other)).unwrap();
        assert_eq!(all(&store).unwrap(), [other]);
    }
}
