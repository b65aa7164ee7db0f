use std::collections::BTreeMap;

use nbrevive_corpus::Exclusion;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::export::tests::execution;
use crate::left_out::LeftOutRow;
use crate::loops::LoopRows;
use crate::loops::tests::{outcome, rows};
use crate::outcomes::OutcomeRow;
use crate::shards::rows::{BY_KEY, NOT_TAKEN, OF_JOB, OF_REPETITION, OTHERS};
use crate::{executions, left_out, outcomes, repetitions};

/// One job of the made-up study: a version under a condition, with the number of its run.
fn job(number: usize) -> ShardJob {
    let condition = if number.is_multiple_of(3) { Condition::BASELINE } else { Condition::MODERNIZE };
    let (version, repetition) = (format!("v{}", number / 3), if number % 3 == 2 { 2 } else { 1 });
    ShardJob { version, condition, repetition, inputs_hash: "inputs".to_owned() }
}

/// Stores what a run of the job leaves: every fourth version is left out of repair.
fn run(store: &mut Store, job: &ShardJob, at: &str) {
    let is_repair = job.condition == Condition::MODERNIZE;
    if is_repair && job.repetition == 1 && job.version.ends_with('3') {
        let (version, condition, detail) = (job.version.clone(), job.condition, "long".to_owned());
        left_out::set(store, &LeftOutRow { version, condition, reason: Exclusion::TooLong, detail }).unwrap();
        return;
    }
    let mut row = execution(&job.version, job.condition, job.repetition);
    row.started_at = at.to_owned();
    row.repetition = job.repetition;
    if executions::find(store, &row.key).unwrap().is_none() {
        executions::insert(store, &row).unwrap();
    }
    let row = OutcomeRow { condition: job.condition, recorded_at: at.to_owned(), ..outcome(&job.version) };
    match job.repetition {
        1 if is_repair => outcomes::set(store, &row, &rows()).unwrap(),
        1 => outcomes::set(store, &row, &LoopRows::default()).unwrap(),
        repetition => repetitions::set(store, repetition, &row, &LoopRows::default()).unwrap(),
    }
}

fn new() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

/// A shard in which these jobs ran.
fn shard(jobs: &[ShardJob], at: &str) -> TempDir {
    let (folder, mut store) = new();
    jobs.iter().for_each(|job| run(&mut store, job, at));
    let sealed = tempfile::tempdir().unwrap();
    store.seal(&sealed.path().join("study.db")).unwrap();
    drop((store, folder));
    sealed
}

/// Every row of every table, without the numbers that a store gives by itself.
fn content(store: &Store) -> BTreeMap<String, Vec<String>> {
    let read = |table: &str| {
        let query = match table {
            "cells" | "grades" => {
                format!("SELECT * FROM {table} JOIN executions USING (execution)")
            }
            _ => format!("SELECT * FROM {table}"),
        };
        let mut statement = store.connection.prepare(&query).unwrap();
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let text = |row: &rusqlite::Row<'_>| {
            let values = names.iter().enumerate().filter(|(_, name)| *name != "execution");
            Ok(values.map(|(place, name)| format!("{name}={:?} ", row.get_ref(place).unwrap())).collect::<String>())
        };
        let mut rows = statement.query_map([], text).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        rows.sort();
        rows
    };
    tables(store).into_iter().map(|table| (table.clone(), read(&table))).collect()
}

fn tables(store: &Store) -> Vec<String> {
    let query = "SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY 1";
    let mut statement = store.connection.prepare(query).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

fn merged(store: &mut Store, shard: &TempDir, jobs: &[ShardJob]) -> MergedRows {
    merge(store, shard.path(), jobs, SecondOutcome::Dropped, &mut |_, _| Ok(())).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, ..ProptestConfig::default() })]

    /// Each job in one shard or in several, merged in any order, some of them twice.
    #[test]
    fn any_split_merged_in_any_order_gives_the_rows_of_one_run(
        count in 1_usize..24,
        places in proptest::collection::vec(proptest::collection::btree_set(0_usize..4, 1..3), 24),
        order in proptest::collection::vec(0_usize..4, 0..6),
    ) {
        let jobs: Vec<ShardJob> = (0..count).map(job).collect();
        let (_folder, mut whole) = new();
        jobs.iter().for_each(|job| run(&mut whole, job, "now"));

        let of_shard = |place: usize| -> Vec<ShardJob> {
            jobs.iter().zip(&places).filter(|(_, at)| at.contains(&place)).map(|(job, _)| job.clone()).collect()
        };
        let parts: Vec<_> = (0..4).map(|place| (of_shard(place), shard(&of_shard(place), "now"))).collect();
        let (_other, mut store) = new();
        for place in order.iter().copied().chain(0..4) {
            let (jobs, shard) = &parts[place];
            merged(&mut store, shard, jobs);
        }
        prop_assert_eq!(content(&store), content(&whole));
    }
}

#[test]
fn every_table_is_taken_or_is_of_the_study() {
    let (_folder, store) = new();
    let mut known = [OF_JOB, OF_REPETITION, BY_KEY, OTHERS, NOT_TAKEN].concat();
    known.sort_unstable();
    assert_eq!(tables(&store), known, "a table of which nobody said what a merge does with it");
}

#[test]
fn the_same_job_twice_is_one_row_and_the_second_is_kept_where_that_is_asked_for() {
    let jobs = [job(1)];
    let (first, second) = (shard(&jobs, "first"), shard(&jobs, "second"));
    let (_folder, mut store) = new();
    assert_eq!(merged(&mut store, &first, &jobs), MergedRows { jobs: 1, known: 0, executions: 1 });
    let before = content(&store);
    assert_eq!(merged(&mut store, &second, &jobs), MergedRows { jobs: 0, known: 1, executions: 0 });
    assert_eq!(content(&store), before);

    for shard in [&second, &second, &first] {
        merge(&mut store, shard.path(), &jobs, SecondOutcome::KeptAsRepetition, &mut |_, _| Ok(())).unwrap();
    }
    let kept = repetitions::all(&store).unwrap();
    assert_eq!(
        kept.iter().map(|row| (row.repetition, row.outcome.recorded_at.as_str())).collect::<Vec<_>>(),
        [(2, "second")]
    );
    assert_eq!(executions::all(&store).unwrap().len(), 1);
}

#[test]
fn what_is_out_of_date_is_replaced_with_all_that_stood_beside_it() {
    let jobs = [job(1)];
    let (_folder, mut store) = new();
    let old = OutcomeRow { inputs_hash: "of before".to_owned(), ..outcome("v0") };
    outcomes::set(&mut store, &old, &rows()).unwrap();
    let of_loop = |store: &Store| crate::fixes::all(store).unwrap().len();
    assert_eq!(of_loop(&store), 1);
    let (folder, mut other) = new();
    outcomes::set(&mut other, &outcome("v0"), &LoopRows::default()).unwrap();
    drop(other);
    merged(&mut store, &folder, &jobs);
    assert_eq!(outcomes::find(&store, "v0", Condition::MODERNIZE).unwrap(), Some(outcome("v0")));
    assert_eq!(of_loop(&store), 0);
}

#[test]
fn a_job_that_turned_out_to_be_none_takes_its_outcome_away() {
    let jobs = [job(1)];
    let (_folder, mut store) = new();
    let old = OutcomeRow { inputs_hash: "of before".to_owned(), ..outcome("v0") };
    outcomes::set(&mut store, &old, &rows()).unwrap();
    merged(&mut store, &shard(&[], ""), &jobs);
    assert_eq!(outcomes::find(&store, "v0", Condition::MODERNIZE).unwrap(), None);
}

#[test]
fn what_is_no_shard_of_these_jobs_is_refused_and_nothing_of_it_stored() {
    let (_folder, mut store) = new();
    let refused = |store: &mut Store, shard: &Path, job: ShardJob| {
        let before = content(store);
        let error = merge(store, shard, &[job], SecondOutcome::Dropped, &mut |_, _| Ok(())).unwrap_err();
        assert_eq!(content(store), before);
        assert!(error.to_string().contains(&*shard.to_string_lossy()), "{error}");
        error
    };
    let jobs = [job(0), job(1)];
    let other = ShardJob { inputs_hash: "others".to_owned(), ..job(1) };
    let error = refused(&mut store, shard(&jobs, "").path(), other);
    assert!(matches!(error, ShardError::OtherJobs { .. }), "{error}");

    let cut = shard(&jobs, "");
    let database = cut.path().join("study.db");
    let bytes = std::fs::read(&database).unwrap();
    std::fs::write(&database, &bytes[..bytes.len() / 2]).unwrap();
    assert!(matches!(refused(&mut store, cut.path(), job(1)), ShardError::Damaged { .. }));
    std::fs::write(&database, b"no database").unwrap();
    assert!(matches!(refused(&mut store, cut.path(), job(1)), ShardError::Damaged { .. }));
    assert!(matches!(refused(&mut store, tempfile::tempdir().unwrap().path(), job(1)), ShardError::Damaged { .. }));

    let word = shard(&jobs, "");
    let connection = rusqlite::Connection::open(word.path().join("study.db")).unwrap();
    connection.execute("UPDATE outcomes SET verdict_json = '{'", []).unwrap();
    assert!(matches!(refused(&mut store, word.path(), job(1)), ShardError::Damaged { .. }));
    connection.execute("CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN SELECT 1; END", []).unwrap();
    assert!(matches!(refused(&mut store, word.path(), job(1)), ShardError::OtherVersion { .. }));
}

#[test]
fn a_notebook_that_cannot_be_placed_takes_its_shard_back() {
    let (_folder, mut store) = new();
    let jobs = [job(0), job(1)];
    let shard = shard(&jobs, "");
    let before = content(&store);
    let mut full = |store: &Store, _: &str| Err(StoreError::DiskFull { path: store.folder().to_owned() });
    let error = merge(&mut store, shard.path(), &jobs, SecondOutcome::Dropped, &mut full).unwrap_err();
    assert!(matches!(error, ShardError::Store(StoreError::DiskFull { .. })));
    assert_eq!(content(&store), before);
    assert_eq!(merged(&mut store, &shard, &jobs).jobs, 2);
}

#[test]
fn a_seed_holds_all_of_its_versions_and_nothing_of_others() {
    let (_folder, mut store) = new();
    (0..9).for_each(|number| run(&mut store, &job(number), "now"));
    let (_seeded, mut seeded) = new();
    let versions = BTreeSet::from(["v0", "v2"]);
    seed(&mut seeded, &store, &versions, &mut |_, _| Ok(())).unwrap();
    let (_expected, mut expected) = new();
    (0..9).map(job).filter(|job| versions.contains(&*job.version)).for_each(|job| run(&mut expected, &job, "now"));
    assert_eq!(content(&seeded), content(&expected));
}
