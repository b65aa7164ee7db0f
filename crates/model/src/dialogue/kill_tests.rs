//! Killed programs: no call is paid twice, and the rows add up.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nbrevive_fakemodel::{FakeModel, Say};
use rusqlite::Connection;

use super::*;
use crate::testing::{dialogue, errand, prompt, settings};
use crate::{OpenAi, Protocol, Secret};

const FOLDER: &str = "NBREVIVE_TEST_KILL_FOLDER";
const SERVER: &str = "NBREVIVE_TEST_KILL_SERVER";
const KEY: &str = "NBREVIVE_TEST_KILL_KEY";
const COUNT: &str = "NBREVIVE_TEST_KILL_COUNT";

fn open(folder: &Path, url: &str, key: &str) -> Dialogue {
    let provider = OpenAi::new(settings(url, Protocol::Responses), Some(&Secret::new(key))).unwrap();
    dialogue(folder, Box::new(provider), Caps::default())
}

/// Questions with numbers, one after the other.
fn ask(dialogue: &Dialogue, count: usize) -> Vec<Receipt> {
    (0..count).map(|number| dialogue.ask(&prompt(&format!("question {number}")), &errand()).unwrap()).collect()
}

/// What the killed process does; without its variables it does nothing.
#[test]
fn other_process() {
    let variable = |name| std::env::var(name).ok();
    let (Some(folder), Some(url), Some(key)) = (variable(FOLDER), variable(SERVER), variable(KEY)) else { return };
    let count = variable(COUNT).unwrap().parse().unwrap();
    ask(&open(folder.as_ref(), &url, &key), count);
}

fn spawn(folder: &Path, server: &FakeModel, count: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "dialogue::kill_tests::other_process"])
        .envs([(SERVER, server.url()), (KEY, server.key().to_owned()), (COUNT, count.to_string())])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Sends SIGKILL and waits for the end.
fn kill(mut child: Child) {
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..6_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("waited a minute for: {what}");
}

#[test]
fn a_program_killed_between_record_and_ledger_does_not_pay_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    let record = folder.path().join("dialogue.jsonl");
    let gate = server.hold();
    let child = spawn(folder.path(), &server, 1);
    wait_until("the request", || server.log().len() == 1);
    // The ledger is locked: the answer can be recorded, and not settled.
    let locked = Connection::open(folder.path().join("ledger.db")).unwrap();
    locked.execute_batch("BEGIN IMMEDIATE").unwrap();
    drop(gate);
    wait_until("the record", || std::fs::read_to_string(&record).is_ok_and(|text| text.ends_with('\n')));
    kill(child);
    drop(locked);
    let row = |ledger: &Ledger| ledger.rows(None).unwrap().remove(0);
    let left = row(&Ledger::open(&folder.path().join("ledger.db")).unwrap());
    assert_eq!((left.outcome.as_str(), left.cost), ("reserved", left.reserved));
    let resumed = open(folder.path(), &server.url(), server.key());
    let settled = row(resumed.ledger());
    assert!(settled.outcome == "answered" && settled.cost < settled.reserved, "{settled:?}");
    let receipt = ask(&resumed, 1).remove(0);
    assert_eq!((receipt.is_from_record, receipt.cost), (true, settled.cost));
    assert_eq!((server.log().len(), server.bills().len(), resumed.ledger().rows(None).unwrap().len()), (1, 1, 1));
}

#[test]
fn a_program_killed_while_it_waits_leaves_the_worst_case_and_asks_under_the_same_key() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    let gate = server.hold();
    let child = spawn(folder.path(), &server, 1);
    wait_until("the request", || server.log().len() == 1);
    kill(child);
    drop(gate);
    let resumed = open(folder.path(), &server.url(), server.key());
    let receipt = ask(&resumed, 1).remove(0);
    assert!(!receipt.is_from_record);
    let rows = resumed.ledger().rows(None).unwrap();
    assert_eq!(rows.iter().map(|row| row.outcome.as_str()).collect::<Vec<_>>(), ["reserved", "answered"]);
    assert_eq!(resumed.ledger().spent("study").unwrap(), rows[0].reserved + receipt.cost);
    // One question, one key, one bill; the account has more, never less.
    wait_until("both requests to end", || server.log().len() == 2);
    assert_eq!(server.log()[0].idempotency, server.log()[1].idempotency);
    assert_eq!(server.bills().len(), 1);
}

#[test]
fn a_program_killed_again_and_again_pays_each_question_once() {
    const QUESTIONS: usize = 60;
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    server.otherwise(Say::text("ok").after(Duration::from_millis(5)));
    for round in 1..=6_usize {
        let before = server.log().len();
        let child = spawn(folder.path(), &server, QUESTIONS);
        wait_until("some requests", || server.log().len() >= before + 2);
        // Somewhere else in the course of a call each time.
        std::thread::sleep(Duration::from_millis(3 * round as u64));
        kill(child);
    }
    let resumed = open(folder.path(), &server.url(), server.key());
    let receipts = ask(&resumed, QUESTIONS);
    let keys: HashSet<_> = server.bills().into_iter().map(|bill| bill.idempotency).collect();
    assert_eq!((server.bills().len(), keys.len()), (QUESTIONS, QUESTIONS));
    let rows = resumed.ledger().rows(None).unwrap();
    let answered: Money = rows.iter().filter(|row| row.outcome == "answered").map(|row| row.cost).sum();
    assert_eq!(answered, receipts.iter().map(|receipt| receipt.cost).sum());
    assert_eq!(rows.iter().filter(|row| row.outcome == "answered").count(), QUESTIONS);
    let lost: Vec<_> = rows.iter().filter(|row| row.outcome != "answered").collect();
    assert!(
        lost.len() <= 6 && lost.iter().all(|row| row.outcome == "reserved" && row.cost == row.reserved),
        "{lost:?}"
    );
    assert_eq!(resumed.ledger().spent("study").unwrap(), rows.iter().map(|row| row.cost).sum());
}
