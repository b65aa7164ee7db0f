//! Tables `selections`, `funnel_steps` and `corpora`: what the last selection decided, and where it was written.

use rusqlite::params;

use crate::record::Field as _;
use crate::{Store, StoreError};

/// What became of one mined version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectionRow {
    /// The version's natural key.
    pub version: String,
    /// Its competition.
    pub competition: Option<String>,
    /// Its slug in the corpus, where it was written into one.
    pub slug: Option<String>,
    /// The step that dropped it, why, and the detail where there is one; `None` where it passed.
    pub dropped: Option<DroppedRow>,
    /// Hash of the funnel that judged it.
    pub funnel: String,
    /// The stratum that it was drawn from, where a sample was drawn and has it.
    pub stratum: Option<String>,
}

/// Why a version was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedRow {
    /// The step.
    pub step: String,
    /// The reason, in the vocabulary's word.
    pub reason: String,
    /// The detail, in words.
    pub detail: Option<String>,
}

/// The counts of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRow {
    /// Its place, from 0.
    pub position: u32,
    /// Its name.
    pub step: String,
    /// Versions left after it.
    pub kept: u64,
    /// Versions that it dropped.
    pub dropped: u64,
    /// Of those kept: versions of which nobody tells what it asks.
    pub unknown_kept: u64,
    /// Dropped versions by reason, as a JSON object.
    pub reasons: String,
}

/// Stores a whole selection in place of the one before; all of it or nothing.
///
/// # Errors
/// When the database refuses.
pub fn replace(store: &mut Store, rows: &[SelectionRow], steps: &[StepRow]) -> Result<(), StoreError> {
    store.write(|transaction| {
        transaction.execute_batch("DELETE FROM selections; DELETE FROM funnel_steps;")?;
        let mut insert = transaction.prepare(
            "INSERT INTO selections (version, competition, slug, kept, step, reason, detail, funnel, stratum) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        for row in rows {
            let dropped = row.dropped.as_ref();
            insert.execute(params![
                row.version,
                row.competition,
                row.slug,
                dropped.is_none(),
                dropped.map(|dropped| &dropped.step),
                dropped.map(|dropped| &dropped.reason),
                dropped.and_then(|dropped| dropped.detail.as_ref()),
                row.funnel,
                row.stratum,
            ])?;
        }
        let mut insert = transaction.prepare(
            "INSERT INTO funnel_steps (position, step, kept, dropped, unknown_kept, reasons) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for row in steps {
            let counts = [row.kept, row.dropped, row.unknown_kept].map(whole);
            insert.execute(params![row.position, row.step, counts[0], counts[1], counts[2], row.reasons])?;
        }
        Ok(())
    })
}

/// A count as SQLite keeps it.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The last selection, by version.
///
/// # Errors
/// When the database refuses.
pub fn all(store: &Store) -> Result<Vec<SelectionRow>, StoreError> {
    store.read(|connection| {
        let mut statement = connection.prepare(
            "SELECT version, competition, slug, step, reason, detail, funnel, stratum FROM selections ORDER BY version",
        )?;
        let rows = statement.query_map([], |row| {
            let (step, reason): (Option<String>, Option<String>) = (row.get(3)?, row.get(4)?);
            let detail = row.get(5)?;
            let dropped = step.zip(reason).map(|(step, reason)| DroppedRow { step, reason, detail });
            Ok(SelectionRow {
                version: row.get(0)?,
                competition: row.get(1)?,
                slug: row.get(2)?,
                dropped,
                funnel: row.get(6)?,
                stratum: row.get(7)?,
            })
        })?;
        rows.collect()
    })
}

/// The counts of the last selection, in the order of its steps.
///
/// # Errors
/// When the database refuses.
pub fn steps(store: &Store) -> Result<Vec<StepRow>, StoreError> {
    store.read(|connection| {
        let mut statement = connection.prepare(
            "SELECT position, step, kept, dropped, unknown_kept, reasons FROM funnel_steps ORDER BY position",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(StepRow {
                position: row.get(0)?,
                step: row.get(1)?,
                kept: u64::read(row, 2)?,
                dropped: u64::read(row, 3)?,
                unknown_kept: u64::read(row, 4)?,
                reasons: row.get(5)?,
            })
        })?;
        rows.collect()
    })
}

/// Remembers a folder into which a selection is written, so that a take-down finds it.
///
/// # Errors
/// When the database refuses.
pub fn note_corpus(store: &mut Store, folder: &str) -> Result<(), StoreError> {
    store.write(|transaction| {
        transaction.execute("INSERT OR IGNORE INTO corpora (folder) VALUES (?1)", [folder])?;
        Ok(())
    })
}

/// The folders into which selections were written, sorted.
///
/// # Errors
/// When the database refuses.
pub fn corpora(store: &Store) -> Result<Vec<String>, StoreError> {
    store.read(|connection| {
        let mut statement = connection.prepare("SELECT folder FROM corpora ORDER BY folder")?;
        statement.query_map([], |row| row.get(0))?.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_takes_the_place_of_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let row = |version: &str, dropped| SelectionRow {
            version: version.to_owned(),
            competition: Some("iris-species".to_owned()),
            slug: None,
            dropped,
            funnel: "f".to_owned(),
            stratum: None,
        };
        let why = DroppedRow { step: "python".into(), reason: "r".into(), detail: None };
        let step = StepRow {
            position: 0,
            step: "python".into(),
            kept: 1,
            dropped: 1,
            unknown_kept: 0,
            reasons: "{\"r\":1}".into(),
        };
        replace(&mut store, &[row("a/x#1", None), row("a/x#2", Some(why.clone()))], std::slice::from_ref(&step))
            .unwrap();
        replace(&mut store, &[row("a/x#2", Some(why.clone()))], std::slice::from_ref(&step)).unwrap();
        assert_eq!(all(&store).unwrap(), [row("a/x#2", Some(why))]);
        assert_eq!(steps(&store).unwrap(), [step]);
        store.connection.execute("UPDATE funnel_steps SET dropped = -1", []).unwrap();
        let error = steps(&store).unwrap_err().to_string();
        assert!(error.contains("column `dropped` of row 0: "), "{error}");
        note_corpus(&mut store, "b").unwrap();
        note_corpus(&mut store, "b").unwrap();
        assert_eq!(corpora(&store).unwrap(), ["b"]);
    }
}
