//! Table `repetitions`: what came out when a version was run again under a condition, everything being equal.
//!
//! The first repetition is the outcome itself; rows here count from 2.

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Flakiness, run_result};
use rusqlite::{OptionalExtension, params};

use crate::loops::LoopRows;
use crate::outcomes::{OutcomeRow, columns, read};
use crate::record::insert;
use crate::schema::has_table;
use crate::{Store, StoreError, comparisons, conditions, order_runs, outcomes};

/// One repetition.
#[derive(Debug, Clone, PartialEq)]
pub struct RepetitionRow {
    /// Its number, from 2.
    pub repetition: u32,
    /// What came out.
    pub outcome: OutcomeRow,
}

/// Stores a repetition, with what came of its order and how far its outputs agree, in place of what was known of it. Of `rows` nothing else
/// is kept.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, repetition: u32, row: &OutcomeRow, rows: &LoopRows) -> Result<(), StoreError> {
    store.write(|transaction| {
        insert(transaction, ("INSERT OR REPLACE", "repetitions"), &[("repetition", &repetition)], None, [row])?;
        let of = (row.version.as_str(), row.condition);
        order_runs::replace(transaction, of, repetition, rows.order_run.as_ref())?;
        comparisons::replace(transaction, of, repetition, rows.order_run.as_ref(), &rows.comparisons)
    })
}

/// One repetition of a version under a condition, whatever its inputs were.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn find(
    store: &Store,
    version: &str,
    condition: Condition,
    repetition: u32,
) -> Result<Option<OutcomeRow>, StoreError> {
    store.read(|connection| {
        if !has_table(connection, "repetitions")? {
            return Ok(None);
        }
        let columns = columns();
        let query =
            format!("SELECT {columns} FROM repetitions WHERE version = ?1 AND condition = ?2 AND repetition = ?3");
        connection.query_row(&query, params![version, condition.as_str(), repetition], read).optional()
    })
}

/// Every repetition, by condition, version and number.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<RepetitionRow>, StoreError> {
    let mut rows = store.read(|connection| {
        if !has_table(connection, "repetitions")? {
            return Ok(Vec::new());
        }
        let mut statement = connection.prepare(&format!("SELECT {}, repetition FROM repetitions", columns()))?;
        let rows = statement
            .query_map([], |row| Ok(RepetitionRow { repetition: row.get("repetition")?, outcome: read(row)? }))?;
        rows.collect::<Result<Vec<_>, _>>()
    })?;
    let key = |row: &RepetitionRow| (row.outcome.condition, row.outcome.version.clone(), row.repetition);
    rows.sort_by_key(key);
    Ok(rows)
}

/// The repetitions of one version under one condition in their order, with their numbers; the first one is the outcome.
pub(crate) type Repeated = Vec<(u32, OutcomeRow)>;

/// What ran more than once: repetitions, which wait for the outcomes that they repeat.
pub(crate) struct Series {
    /// How many orders of cells a condition runs in, where it is more than one.
    orders: BTreeMap<Condition, u32>,
    further: BTreeMap<(Condition, String), Repeated>,
    whole: BTreeMap<(Condition, String), Repeated>,
}

impl Series {
    /// The repetitions of a store, still without their outcomes.
    pub(crate) fn of(store: &Store) -> Result<Self, StoreError> {
        let mut further: BTreeMap<_, Repeated> = BTreeMap::new();
        for row in all(store)? {
            let key = (row.outcome.condition, row.outcome.version.clone());
            further.entry(key).or_default().push((row.repetition, row.outcome));
        }
        let recipes = conditions::all(store)?.into_iter();
        let orders =
            recipes.filter(|recipe| recipe.orders() > 1).map(|recipe| (recipe.name, recipe.orders())).collect();
        Ok(Series { orders, further, whole: BTreeMap::new() })
    }

    /// Adds an outcome, if it was repeated. A repetition counts beside an outcome of the same inputs only: one that is out of date
    /// is left out.
    pub(crate) fn first(&mut self, outcome: &OutcomeRow) {
        if self.further.is_empty() {
            return;
        }
        let key = (outcome.condition, outcome.version.clone());
        let Some(mut further) = self.further.remove(&key) else { return };
        further.retain(|(_, row)| row.inputs_hash == outcome.inputs_hash);
        if !further.is_empty() {
            further.insert(0, (1, outcome.clone()));
            self.whole.insert(key, further);
        }
    }

    /// What ran more than once, as far as its outcome was added.
    pub(crate) const fn whole(&self) -> &BTreeMap<(Condition, String), Repeated> {
        &self.whole
    }

    /// How often each of these came out otherwise when everything was equal, the order of cells too: of several orders by the first.
    pub(crate) fn flakiness(&self) -> impl Iterator<Item = (&(Condition, String), Flakiness)> {
        self.whole.iter().filter_map(|(key, series)| {
            let orders = self.orders.get(&key.0).copied().unwrap_or(1);
            let of_first = series.iter().filter(|(number, _)| (number - 1) % orders == 0);
            let results: Vec<_> = of_first.map(|(_, row)| run_result(&row.verdict)).collect();
            Some((key, Flakiness::of(&results)?))
        })
    }
}

/// How often the repetitions of each version under each condition differ, where there is more than one of the same inputs.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn flakiness(store: &Store) -> Result<BTreeMap<(Condition, String), Flakiness>, StoreError> {
    let mut series = Series::of(store)?;
    outcomes::each::<StoreError>(store, |row| {
        series.first(&row);
        Ok(())
    })?;
    Ok(series.flakiness().map(|(key, flakiness)| (key.clone(), flakiness)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::tests::outcome;

    #[test]
    fn repetitions_are_kept_by_number_and_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let row = outcome("a");
        assert_eq!(find(&store, "a", row.condition, 2).unwrap(), None);
        for repetition in [3, 2, 2] {
            set(&mut store, repetition, &row, &LoopRows::default()).unwrap();
        }
        assert_eq!(find(&store, "a", row.condition, 2).unwrap(), Some(row));
        assert_eq!(all(&store).unwrap().iter().map(|row| row.repetition).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn the_first_repetition_is_no_row_here() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        assert!(set(&mut store, 1, &outcome("a"), &LoopRows::default()).is_err());
    }
}
