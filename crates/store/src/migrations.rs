//! Named, append-only migrations, recorded by name; all that are missing in one transaction.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::{StoreError, failed};

/// One step of the schema.
struct Migration {
    name: &'static str,
    sql: &'static str,
}

/// Every migration in order. Never edit one that has landed: append another.
const MIGRATIONS: &[Migration] = &[
    Migration { name: "first-schema", sql: include_str!("migrations/first_schema.sql") },
    Migration { name: "left-out", sql: include_str!("migrations/left_out.sql") },
    Migration { name: "mined", sql: include_str!("migrations/mined.sql") },
    Migration { name: "dialogues", sql: include_str!("migrations/dialogues.sql") },
    Migration { name: "repetitions", sql: include_str!("migrations/repetitions.sql") },
    Migration { name: "cut-outputs", sql: include_str!("migrations/cut_outputs.sql") },
    Migration { name: "competitions", sql: include_str!("migrations/competitions.sql") },
    Migration { name: "install-refusals", sql: include_str!("migrations/install_refusals.sql") },
    Migration { name: "fingerprints", sql: include_str!("migrations/fingerprints.sql") },
    Migration { name: "conditions", sql: include_str!("migrations/conditions.sql") },
    Migration { name: "repositories", sql: include_str!("migrations/repositories.sql") },
    Migration { name: "grades", sql: include_str!("migrations/grades.sql") },
    Migration { name: "outputs", sql: include_str!("migrations/outputs.sql") },
    Migration { name: "restorations", sql: include_str!("migrations/restorations.sql") },
    Migration { name: "orders", sql: include_str!("migrations/orders.sql") },
    Migration { name: "taken-back", sql: include_str!("migrations/taken_back.sql") },
    Migration { name: "came-back", sql: include_str!("migrations/came_back.sql") },
    Migration { name: "switches", sql: include_str!("migrations/switches.sql") },
    Migration { name: "left-causes", sql: include_str!("migrations/left_causes.sql") },
    Migration { name: "gpus", sql: include_str!("migrations/gpus.sql") },
    Migration { name: "hosts", sql: include_str!("migrations/hosts.sql") },
    Migration { name: "loosened", sql: include_str!("migrations/loosened.sql") },
    Migration { name: "condition-order", sql: include_str!("migrations/condition_order.sql") },
    Migration { name: "restorers", sql: include_str!("migrations/restorers.sql") },
    Migration { name: "largest-counts", sql: include_str!("migrations/largest_counts.sql") },
    Migration { name: "debugged", sql: include_str!("migrations/debugged.sql") },
];

/// Brings the schema of the store in `folder` up to date.
///
/// # Errors
/// When a migration fails, or the store has one that this version does not know.
pub(crate) fn run(folder: &Path, connection: &mut Connection) -> Result<(), StoreError> {
    let create = "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT";
    connection.execute(create, []).map_err(|source| failed(folder, source))?;
    let applied = applied(connection).map_err(|source| failed(folder, source))?;
    if let Some(unknown) = applied.iter().find(|name| MIGRATIONS.iter().all(|known| known.name != **name)) {
        return Err(StoreError::Newer { path: folder.to_owned(), migration: unknown.clone() });
    }
    let missing: Vec<&Migration> =
        MIGRATIONS.iter().filter(|migration| !applied.iter().any(|name| name == migration.name)).collect();
    let Some(last) = missing.last() else { return Ok(()) };
    let failed = |migration: &Migration, source| match failed(folder, source) {
        StoreError::Sqlite { path, source } => StoreError::Migration { path, migration: migration.name, source },
        error => error,
    };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let transaction = transaction.map_err(|source| failed(last, source))?;
    missing
        .iter()
        .try_for_each(|migration| apply(&transaction, migration).map_err(|source| failed(migration, source)))?;
    transaction.commit().map_err(|source| failed(last, source))
}

fn applied(connection: &Connection) -> Result<Vec<String>, rusqlite::Error> {
    let mut statement = connection.prepare("SELECT name FROM migrations")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn apply(transaction: &Transaction<'_>, migration: &Migration) -> Result<(), rusqlite::Error> {
    transaction.execute_batch(migration.sql)?;
    transaction.execute("INSERT INTO migrations (name) VALUES (?1)", [migration.name])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::grades::GradeRow;

    #[test]
    fn migrations_run_once() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::open(dir.path()).unwrap());
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(applied(&store.connection).unwrap().len(), MIGRATIONS.len());
    }

    #[test]
    fn what_ran_before_there_were_repetitions_and_a_table_of_grades_is_read_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let older = MIGRATIONS.iter().position(|migration| migration.name == "repetitions").unwrap();
        let mut connection = rusqlite::Connection::open(dir.path().join("study.db")).unwrap();
        connection.execute("CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT", []).unwrap();
        let transaction = connection.transaction().unwrap();
        MIGRATIONS[..older].iter().for_each(|migration| apply(&transaction, migration).unwrap());
        let row = "INSERT INTO executions VALUES (1, 'a', 'c', 'e', 's', 'baseline', 0, 't', 'r', 0, '\"Completed\"', 0, 0.5, \
                   NULL, NULL, 1.0, 0.5, NULL, NULL, 'executed/a.ipynb')";
        transaction.execute(row, []).unwrap();
        let refused = "INSERT INTO executions VALUES (2, 'b', 'c', 'e', 's', 'baseline', 0, 't', 'r', 0, '\"Completed\"', 0, NULL, \
                       'missing', 'no submission.csv', 1.0, 0.5, NULL, NULL, 'executed/b.ipynb')";
        transaction.execute(refused, []).unwrap();
        let ungraded = "INSERT INTO executions VALUES (3, 'c', 'c', 'e', 's', 'baseline', 0, 't', 'r', 0, '\"Timeout\"', 0, NULL, \
                        NULL, NULL, 1.0, 0.5, NULL, NULL, 'executed/c.ipynb')";
        transaction.execute(ungraded, []).unwrap();
        transaction.commit().unwrap();
        drop(connection);
        let rows = |store: &Store| crate::executions::all(store).unwrap();
        let before = rows(&Store::open_read_only(dir.path()).unwrap());
        assert_eq!(before.iter().map(|row| row.repetition).collect::<Vec<_>>(), [1, 1, 1]);
        let refused = GradeRow { result: Err("missing".to_owned()), detail: Some("no submission.csv".to_owned()) };
        let grades: Vec<_> = before.iter().map(|row| row.grade.clone()).collect();
        assert_eq!(grades, [Some(GradeRow { result: Ok(0.5), detail: None }), Some(refused), None]);
        assert_eq!(rows(&Store::open(dir.path()).unwrap()), before);
    }

    #[test]
    fn a_store_of_the_future_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        store.connection.execute("INSERT INTO migrations (name) VALUES ('from-2031')", []).unwrap();
        drop(store);
        let error = Store::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("from-2031"), "{error}");
    }
}
