//! What is read of executions for their export: every one with its cells, the texts of each in one piece.

use nbrevive_corpus::Condition;
use rusqlite::types::ValueRef;
use rusqlite::{Row, Statement};

use crate::executions::{self, CellStatus, ExecutionCost};
use crate::export::texts::Texts;
use crate::grades::Joined;
use crate::record::{Record, record};
use crate::schema::word;
use crate::{Store, StoreError};

record! {
    /// The numbers of an execution.
    pub(super) struct Numbers {
        pub(super) condition: Condition,
        pub(super) fix_number: u32,
        pub(super) repetition: u32,
        pub(super) seed: u32,
        pub(super) error_cells: u32,
    }
}

/// An execution.
pub(super) struct Run {
    execution: i64,
    pub(super) score: Option<f64>,
    pub(super) numbers: Numbers,
    pub(super) spent: ExecutionCost,
    texts: Texts<10>,
    /// Why its outputs were not kept.
    pub(super) note: Option<String>,
    /// Its cells, in their order.
    pub(super) cells: Vec<Cell>,
}

impl Run {
    /// Of [`by_version`].
    fn read(row: &Row<'_>) -> Result<Self, rusqlite::Error> {
        let spent = 2 + Numbers::COLUMNS.len();
        Ok(Run {
            execution: row.get(0)?,
            score: row.get(1)?,
            numbers: Numbers::read(row, 2)?,
            spent: ExecutionCost::read(row, spent)?,
            texts: Texts::read(row, spent + ExecutionCost::COLUMNS.len())?,
            note: None,
            cells: Vec::new(),
        })
    }

    pub(super) fn version(&self) -> &str {
        self.texts.text(0)
    }

    pub(super) fn code_hash(&self) -> &str {
        self.texts.text(1)
    }

    pub(super) fn environment(&self) -> &str {
        self.texts.text(2)
    }

    pub(super) fn settings_hash(&self) -> &str {
        self.texts.text(3)
    }

    pub(super) fn started_at(&self) -> &str {
        self.texts.text(4)
    }

    pub(super) fn tool_revision(&self) -> &str {
        self.texts.text(5)
    }

    /// How it ended, as JSON.
    pub(super) fn end(&self) -> &str {
        self.texts.text(6)
    }

    /// Why there is no score; none where there is one, or nothing graded.
    pub(super) fn output_reason(&self) -> Option<&str> {
        self.texts.get(7).filter(|_| self.score.is_none())
    }

    pub(super) fn output_detail(&self) -> Option<&str> {
        self.texts.get(8)
    }

    pub(super) fn notebook_file(&self) -> &str {
        self.texts.text(9)
    }

    /// Bytes of its texts and of what its cells raised.
    pub(super) fn bytes(&self) -> usize {
        let raised = self.cells.iter().filter_map(|cell| cell.error.as_ref());
        self.texts.bytes() + raised.map(|error| error.texts.bytes()).sum::<usize>()
    }

    /// What executions of one version are sorted by.
    fn order(&self) -> impl Ord + '_ {
        (
            self.numbers.condition.as_str(),
            self.numbers.fix_number,
            self.environment(),
            self.code_hash(),
            self.settings_hash(),
        )
    }
}

/// Asks for every execution, by version alone: that is the order of the table's own index. Sorting all of them would take room on the
/// disk, so those of one version are sorted when they are read.
fn by_version(store: &Store) -> Result<String, StoreError> {
    let (numbers, spent) = (executions::selected::<Numbers>(store)?, executions::selected::<ExecutionCost>(store)?);
    let Joined { tables, columns: [score, reason, detail] } = Joined::of(store)?;
    Ok(format!(
        "SELECT execution, {score}, {numbers}, {spent}, version, code_hash, environment, settings_hash, started_at, tool_revision, \
         end_json, {reason}, {detail}, notebook_file FROM {tables} ORDER BY version"
    ))
}

/// A cell of an execution.
pub(super) struct Cell {
    pub(super) cell: u32,
    pub(super) status: CellStatus,
    pub(super) seconds: Option<f64>,
    pub(super) error: Option<Raised>,
}

/// What a cell raised.
pub(super) struct Raised {
    pub(super) line: Option<u32>,
    texts: Texts<3>,
}

impl Raised {
    pub(super) fn class(&self) -> &str {
        self.texts.text(0)
    }

    pub(super) fn message(&self) -> &str {
        self.texts.text(1)
    }

    pub(super) fn traceback(&self) -> &str {
        self.texts.text(2)
    }
}

const CELLS: &str =
    "SELECT cell, status, seconds, line, ename, evalue, traceback FROM cells WHERE execution = ?1 ORDER BY cell";

fn cells_of(statement: &mut Statement<'_>, execution: i64) -> Result<Vec<Cell>, rusqlite::Error> {
    let rows = statement.query_map([execution], |row| {
        // Most cells have raised nothing, and there are millions of them.
        let error = match row.get_ref(4)? {
            ValueRef::Null => None,
            _ => Some(Raised { line: row.get(3)?, texts: Texts::read(row, 4)? }),
        };
        Ok(Cell { cell: row.get(0)?, status: word(row, 1)?, seconds: row.get(2)?, error })
    })?;
    rows.collect()
}

/// Hands every execution of the versions that are `wanted` to `take`, with its cells and what is known of its version: by version,
/// condition, fix, environment, code and settings. Only the cells of one execution are read at a time: they may have raised much.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read; also what `take` gives.
pub(super) fn each<S: Copy, E: From<StoreError>>(
    store: &Store,
    wanted: impl Fn(&str) -> Option<S>,
    mut take: impl FnMut(Run, S) -> Result<(), E>,
) -> Result<(), E> {
    let refused = |source| E::from(store.error(source));
    let mut cells = store.connection.prepare(CELLS).map_err(refused)?;
    let of_one_version = |one: &Run, next: &Run| one.version() == next.version();
    store.each_group(&by_version(store)?, Run::read, of_one_version, |mut runs| {
        let Some(seen) = wanted(runs[0].version()) else { return Ok(()) };
        runs.sort_by(|a, b| a.order().cmp(&b.order()));
        runs.into_iter().try_for_each(|mut run| {
            run.cells = cells_of(&mut cells, run.execution).map_err(refused)?;
            take(run, seen)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::execution;
    use crate::loops::collect;

    #[test]
    fn executions_are_read_in_order_without_sorting_all_of_them() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let steps = [
            ("c", Condition::BASELINE, 0),
            ("b", Condition::BASELINE, 0),
            ("a", Condition::MODERNIZE, 2),
            ("a", Condition::MODERNIZE, 1),
            ("a", Condition::BACKPORT, 0),
        ];
        for (version, condition, fix_number) in steps {
            executions::insert(&mut store, &execution(version, condition, fix_number)).unwrap();
        }
        let mut read = Vec::new();
        let wanted = |version: &str| (version != "c").then_some(());
        each::<_, StoreError>(&store, wanted, |run, ()| {
            assert_eq!(run.cells.iter().map(|cell| cell.cell).collect::<Vec<_>>(), [0, 1, 2]);
            read.push((run.version().to_owned(), run.numbers.condition, run.numbers.fix_number));
            Ok(())
        })
        .unwrap();
        let expected = steps.into_iter().rev().filter(|(version, ..)| *version != "c");
        assert!(read.iter().map(|(version, condition, number)| (version.as_str(), *condition, *number)).eq(expected));
        let plan = format!("EXPLAIN QUERY PLAN {}", by_version(&store).unwrap());
        let steps = collect(|take| store.each(&plan, [], |row| row.get::<_, String>(3), take)).unwrap();
        assert!(steps.iter().all(|step| !step.contains("TEMP B-TREE")), "{steps:?}");
    }
}
