use nbrevive_compare::{Agreement, DifferenceKind};
use nbrevive_corpus::{
    Breach, Criterion, EnvironmentKind, Exclusion, Executability, FixType, FlowState, LeftCause, Preparation,
    RepairLevel, RunEnd, RunFacts, judge,
};
use nbrevive_diagnosis::roots::ErrorLink;
use nbrevive_mine::raw::{TakeDown, TakeDownEntry};

use super::*;
use crate::executions::{self, EnvironmentRow};
use crate::export::tests::execution;
use crate::left_out::{self, LeftOutRow};
use crate::outcomes::{self, OutcomeRow};
use crate::selections::{self, SelectionRow};
use crate::{executability, fixes, least_patches, questions, refusals, restorations, takedown};

pub(crate) fn outcome(version: &str) -> OutcomeRow {
    let criterion = Criterion::Score { target: 0.9, tau: 0.1 };
    let facts = RunFacts { end: RunEnd::Completed, error_cells: 0, grade: Some(Ok(0.9)), criterion };
    OutcomeRow {
        target_score: Some(0.9),
        environment: Some("env".to_owned()),
        fixes: 1,
        seconds: 1.0,
        ..OutcomeRow::new(version, Condition::MODERNIZE, "inputs", judge(&facts))
    }
}

pub(crate) fn question(reask: u32) -> QuestionRow {
    QuestionRow {
        number: 1,
        led_to_fix: true,
        fix_type: FixType::ErrorRepair,
        provider: "openai".to_owned(),
        level: RepairLevel::File,
        template: "t".to_owned(),
        reask,
        prompt_hash: format!("hash {reask}"),
        prompt_tokens: 1_200,
        answer_tokens: 300,
        problem: None,
        breaches: Vec::new(),
        detail: String::new(),
        patch: String::new(),
    }
}

pub(crate) fn least_patch() -> LeastPatchRow {
    LeastPatchRow {
        patch: "-a\n+b\n".to_owned(),
        whole_patch: "-a\n+b\n-c\n+d\n".to_owned(),
        hunks_before: 2,
        hunks_after: 1,
        similarity_to_original: 0.875,
        executions: 5,
        is_minimal: true,
    }
}

pub(crate) fn rows() -> LoopRows {
    let refused = QuestionRow {
        breaches: vec!["hidden-answers".to_owned(), "network".to_owned()],
        detail: "hidden-answers: cell 1, line 2: …".to_owned(),
        patch: "+open('answers.csv')\n".to_owned(),
        ..question(1)
    };
    let unreadable = QuestionRow { problem: Some("no-block".to_owned()), ..question(0) };
    let fix = FixRow {
        number: 1,
        fix_type: FixType::ErrorRepair,
        provider: "openai".to_owned(),
        rules: String::new(),
        plan: "mend".to_owned(),
        patch: "-a\n+b\n".to_owned(),
        similarity_to_previous: 0.9,
        similarity_to_original: 0.8,
        led_to: FlowState::ErrorFreeReproducible,
        led_to_failure_cause: None,
        level: Some(RepairLevel::File),
        template: Some("t".to_owned()),
        seconds: Some(2.5),
        score: Some(0.9),
        state_code: Some("code".to_owned()),
        state_failure: Some("failure".to_owned()),
        taken_back: Some("a-rule".to_owned()),
        is_switch: Some(false),
    };
    LoopRows {
        fixes: vec![fix],
        questions: vec![unreadable, refused, question(2)],
        refusals: vec![RefusalRow {
            number: 1,
            fix_type: FixType::ErrorRepair,
            provider: "rules".to_owned(),
            breach: Breach::DroppedTraining,
            findings: "dropped-training: cell 3, line 1: …".to_owned(),
            patch: "-model.fit(x)\n".to_owned(),
        }],
        least_patch: Some(least_patch()),
        end: Some(LoopEndRow {
            loop_end: LoopEnd::Reproducible,
            provider_errors: vec!["no answer: a\nb".to_owned(), "c".to_owned()],
            came_back: Some(nbrevive_compare::CameBack::Close),
        }),
        executability: Some(executability()),
        order_run: Some(order_run()),
        comparisons: vec![comparison()],
        put_back: vec![put_back(1, Preparation::Modules), put_back(2, Preparation::Names)],
        error_roots: vec![root(3, None), root(5, Some((3, ErrorLink::Name)))],
    }
}

fn put_back(turn: u32, preparation: Preparation) -> RestorationRow {
    let (what, because) = ("seaborn".to_owned(), "import seaborn".to_owned());
    RestorationRow { position: turn, turn, preparation, what, because, is_kept: turn == 1, ran: 3, ran_before_error: 1 }
}

fn root(cell: u32, follows: Option<(u32, ErrorLink)>) -> ErrorRootRow {
    ErrorRootRow {
        cell,
        error: "NameError".to_owned(),
        executability: nbrevive_corpus::Executability::NameError,
        root: 3,
        follows: follows.map(|(above, _)| above),
        link: follows.map(|(_, link)| link),
        is_certain: true,
        cause: Some(LeftCause::DataMissing),
    }
}

fn order_runs(store: &Store) -> Vec<OfLoop<OrderRunRow>> {
    collect(|take| order_runs::each(store, take)).unwrap()
}

fn order_run() -> OrderRunRow {
    let run = ExecutabilityRow {
        executability: Executability::Executable,
        code_cells: 2,
        ran_before_error: 2,
        ran: 2,
        error_cells: 0,
        first_error_cell: None,
        first_error: None,
    };
    let row = OrderRunRow::of((1, 1), &[1, 0], &run, Some(&[comparison()]));
    assert_eq!((row.comparable.unwrap(), row.exact, row.normalized, row.value, row.picture), (1, 0, 0, 1, 1));
    row
}

fn comparison() -> ComparisonRow {
    ComparisonRow {
        repetition: 1,
        cell: 3,
        agreement: Some(Agreement::Value),
        incomparable: None,
        unchanged_for_nbdime: false,
        stderr_agreement: Some(Agreement::Different),
        difference: Some(DifferenceKind::Number),
        place: Some("output 1, line 2".to_owned()),
        saved: Some("0.5".to_owned()),
        new: Some("0.50000001".to_owned()),
        chance_signs: vec!["random".to_owned(), "time".to_owned()],
        paper_signs: Vec::new(),
    }
}

fn executability() -> ExecutabilityRow {
    ExecutabilityRow {
        executability: nbrevive_corpus::Executability::NameError,
        code_cells: 4,
        ran_before_error: 1,
        ran: 2,
        error_cells: 1,
        first_error_cell: Some(3),
        first_error: Some("NameError".to_owned()),
    }
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

fn stored(store: &Store, version: &str) -> LoopRows {
    fn rows<T>(rows: Vec<OfLoop<T>>, version: &str) -> Vec<T> {
        rows.into_iter().filter(|row| row.version == version).map(|row| row.row).collect()
    }
    LoopRows {
        fixes: rows(fixes::all(store).unwrap(), version),
        questions: rows(questions::all(store).unwrap(), version),
        refusals: rows(refusals::all(store).unwrap(), version),
        least_patch: rows(least_patches::all(store).unwrap(), version).pop(),
        end: rows(all(store).unwrap(), version).pop(),
        executability: rows(executability::all(store).unwrap(), version).pop(),
        comparisons: rows(comparisons::all(store).unwrap(), version),
        order_run: order_runs(store).into_iter().find(|of| of.version == version).map(|of| of.row),
        put_back: rows(restorations::put_back(store).unwrap(), version),
        error_roots: rows(restorations::roots(store).unwrap(), version),
    }
}

#[test]
fn what_a_loop_leaves_comes_back_as_it_was() {
    let (_folder, mut store) = store();
    outcomes::set(&mut store, &outcome("a"), &rows()).unwrap();
    outcomes::set(&mut store, &outcome("b"), &LoopRows::default()).unwrap();
    assert_eq!(stored(&store, "a"), rows());
    assert_eq!(stored(&store, "b"), LoopRows::default());
    assert_eq!(least_patches::find(&store, "a", Condition::MODERNIZE).unwrap(), Some(least_patch()));
    assert_eq!(least_patches::find(&store, "a", Condition::BASELINE).unwrap(), None);
}

#[test]
fn another_result_takes_the_place_of_all_of_it() {
    let (_folder, mut store) = store();
    outcomes::set(&mut store, &outcome("a"), &rows()).unwrap();
    outcomes::set(&mut store, &outcome("b"), &rows()).unwrap();
    let again = LoopRows { questions: vec![question(0)], ..LoopRows::default() };
    outcomes::set(&mut store, &outcome("a"), &again).unwrap();
    assert_eq!((stored(&store, "a"), stored(&store, "b")), (again, rows()));
    outcomes::remove(&mut store, "b", Condition::MODERNIZE).unwrap();
    assert_eq!(stored(&store, "b"), LoopRows::default());
    let left_out = LeftOutRow {
        version: "a".to_owned(),
        condition: Condition::MODERNIZE,
        reason: Exclusion::TooLong,
        detail: String::new(),
    };
    left_out::set(&mut store, &left_out).unwrap();
    assert_eq!(stored(&store, "a"), LoopRows::default());
}

#[test]
fn rows_that_cannot_be_stored_leave_the_result_before() {
    let (_folder, mut store) = store();
    outcomes::set(&mut store, &outcome("a"), &rows()).unwrap();
    let twice = FixRow { number: 1, ..rows().fixes[0].clone() };
    let broken = LoopRows { fixes: vec![twice.clone(), twice], ..LoopRows::default() };
    assert!(outcomes::set(&mut store, &outcome("a"), &broken).is_err());
    assert_eq!(stored(&store, "a"), rows());
}

#[test]
fn a_least_patch_that_is_found_later_needs_its_outcome() {
    let (_folder, mut store) = store();
    let set = |store: &mut Store, inputs: &str| {
        least_patches::set(store, "a", Condition::MODERNIZE, inputs, &least_patch()).unwrap()
    };
    assert!(!set(&mut store, "inputs"));
    let without = LoopRows { least_patch: None, ..rows() };
    outcomes::set(&mut store, &outcome("a"), &without).unwrap();
    assert!(!set(&mut store, "other inputs"));
    assert_eq!(stored(&store, "a"), without);
    assert!(set(&mut store, "inputs") && set(&mut store, "inputs"));
    assert_eq!(stored(&store, "a"), rows());
}

#[test]
fn a_take_down_takes_the_dialogues() {
    let (folder, mut store) = store();
    outcomes::set(&mut store, &outcome("ada-x-v1"), &rows()).unwrap();
    outcomes::set(&mut store, &outcome("bob-y-v1"), &rows()).unwrap();
    let selected = SelectionRow {
        version: "ada/x#1".to_owned(),
        competition: None,
        slug: Some("ada-x-v1".to_owned()),
        dropped: None,
        funnel: String::new(),
        stratum: None,
    };
    selections::replace(&mut store, &[selected], &[]).unwrap();
    let entry = TakeDownEntry { notebook: "ada/x".parse().ok(), body: None, reason: None, asked: None };
    let record = folder.path().join(nbrevive_model::RECORD);
    // Torn by a kill, and still naming the notebook.
    std::fs::write(&record, "{\"asker\":\"s/modernize/ada-x-v1\",\"ending\":{\"ans").unwrap();
    let removed = takedown::take_down(&mut store, &TakeDown::new(vec![entry])).unwrap();
    assert_eq!((removed.calls, std::fs::read(&record).unwrap().len()), (1, 0));
    assert_eq!((stored(&store, "ada-x-v1"), stored(&store, "bob-y-v1")), (LoopRows::default(), rows()));
}

#[test]
fn a_store_of_before_is_read_without_them_and_migrated_when_it_is_written() {
    let (folder, mut store) = store();
    outcomes::set(&mut store, &outcome("a"), &rows()).unwrap();
    let undone = "DROP TABLE loops; DROP TABLE questions; DROP TABLE refusals; DROP TABLE least_patches; \
                  ALTER TABLE fixes DROP COLUMN level; ALTER TABLE fixes DROP COLUMN template; \
                  ALTER TABLE fixes DROP COLUMN seconds; ALTER TABLE fixes DROP COLUMN score; \
                  ALTER TABLE fixes DROP COLUMN state_code; ALTER TABLE fixes DROP COLUMN state_failure; \
                  ALTER TABLE fixes DROP COLUMN taken_back; ALTER TABLE fixes DROP COLUMN is_switch; \
                  DELETE FROM migrations WHERE name IN ('dialogues', 'taken-back', 'came-back', 'switches')";
    store.connection.execute_batch(undone).unwrap();
    drop(store);
    let old = Store::open_read_only(folder.path()).unwrap();
    assert_eq!((all(&old).unwrap(), questions::all(&old).unwrap()), (vec![], vec![]));
    assert_eq!((refusals::all(&old).unwrap(), least_patches::all(&old).unwrap()), (vec![], vec![]));
    assert_eq!(least_patches::find(&old, "a", Condition::MODERNIZE).unwrap(), None);
    let fix = &fixes::all(&old).unwrap()[0].row;
    assert_eq!((fix.number, fix.seconds, fix.state_code.as_deref()), (1, None, None));
    drop(old);
    let mut store = Store::open(folder.path()).unwrap();
    assert_eq!(fixes::all(&store).unwrap()[0].row.seconds, None);
    outcomes::set(&mut store, &outcome("a"), &rows()).unwrap();
    assert_eq!(stored(&store, "a"), rows());
}

#[test]
fn a_value_that_cannot_be_read_is_an_error_that_names_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    outcomes::set(&mut store, &outcome("v1"), &rows()).unwrap();
    executions::insert(&mut store, &execution("v1", Condition::MODERNIZE, 0)).unwrap();
    let environment = EnvironmentRow {
        environment: "v1".to_owned(),
        kind: EnvironmentKind::Lock,
        python: "3.12".to_owned(),
        requirements: String::new(),
        lock: None,
        failure: None,
    };
    executions::set_environment(&mut store, &environment).unwrap();
    store.connection.execute_batch("PRAGMA ignore_check_constraints = ON").unwrap();
    type Reading = fn(&Store) -> Result<(), StoreError>;
    let readings: [(&str, &str, &str, Reading); 9] = [
        ("loops", "loop_end", "'nonsense'", |store| all(store).map(drop)),
        ("refusals", "breach", "'nonsense'", |store| refusals::all(store).map(drop)),
        ("fixes", "level", "'nonsense'", |store| fixes::all(store).map(drop)),
        ("environments", "kind", "'nonsense'", |store| executions::environments(store).map(drop)),
        ("outcomes", "verdict_json", "'nonsense'", |store| outcomes::all(store).map(drop)),
        ("outcomes", "fixes", "-1", |store| outcomes::all(store).map(drop)),
        ("executions", "end_json", "'nonsense'", |store| executions::all(store).map(drop)),
        ("executions", "error_cells", "-1", |store| executions::all(store).map(drop)),
        ("executions", "peak_memory_bytes", "-1", |store| executions::all(store).map(drop)),
    ];
    for (table, column, value, read) in readings {
        read(&store).unwrap();
        let change = format!("SAVEPOINT before; UPDATE {table} SET {column} = {value}");
        store.connection.execute_batch(&change).unwrap();
        let error = read(&store).unwrap_err().to_string();
        let row = if table == "executions" { "row 1" } else { "`v1`" };
        assert!(error.contains(&format!("column `{column}` of {row}: ")), "{table}.{column}: {error}");
        store.connection.execute_batch("ROLLBACK TO before; RELEASE before").unwrap();
    }
}
