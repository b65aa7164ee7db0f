//! Tasks that ask a model, while they are disturbed: each call counts once, and the cap holds.

use nbrevive_model::{Ledger, LedgerRow};

use super::*;
use crate::cluster::accounts::tests::{accounts, dollars};

/// A call that is about to be made for a version.
pub(super) fn call(name: &str, version: &str, worst: Money) -> LedgerRow {
    LedgerRow {
        call: name.to_owned(),
        study: "study/modernize".to_owned(),
        notebook: version.to_owned(),
        fix_type: String::new(),
        fix_number: 1,
        re_ask: 0,
        provider: "openai".to_owned(),
        model: "m".to_owned(),
        prompt: String::new(),
        occurrence: 0,
        max_output: 1,
        temperature: None,
        seed: None,
        effort: None,
        reserved_at: jiff::Timestamp::now(),
        settled_at: None,
        outcome: "reserved".to_owned(),
        model_reported: None,
        request_id: None,
        attempts: None,
        seconds: None,
        usage: None,
        usage_source: None,
        reserved: worst,
        cost: worst,
        is_paid: true,
        is_disputed: false,
    }
}

/// What is spent and handed out together is no more than the cap, at any moment.
pub(super) fn is_within_its_cap(accounts: &RunAccounts) {
    let (ledger, cap) = (accounts.all().ledger(), accounts.all().caps().study);
    let spent = ["study", "study/modernize"].map(|study| ledger.spent(study).unwrap()).into_iter().sum::<Money>();
    assert!(cap.is_some_and(|cap| spent <= cap), "{spent} of {cap:?}");
}

/// All calls of a field's ledger, once nothing is handed out any more.
fn calls(field: &Field) -> Vec<LedgerRow> {
    let ledger = Ledger::open(&field.store.folder().join(nbrevive_model::LEDGER)).unwrap();
    assert_eq!(ledger.allowances().unwrap(), Vec::<String>::new());
    assert_eq!(field.folder.names("accounts").unwrap(), Vec::<String>::new());
    let rows = ledger.rows(None).unwrap();
    assert_eq!(ledger.spent("study").unwrap(), Money::ZERO);
    assert_eq!(ledger.spent("study/modernize").unwrap(), rows.iter().map(|row| row.cost).sum());
    rows
}

#[test]
fn whatever_happens_to_tasks_each_call_of_theirs_is_in_the_ledger_once() {
    for seed in 0..2 {
        let (mut field, jobs) = (field(), jobs(20));
        let folder = field.folder.clone();
        let mut machines = Machines { price: dollars(0.01), ..Machines::new(&folder, seed, 5) };
        let all = accounts(field.store.folder(), 4.5);
        let summary = followed_with(&mut field, &jobs, &mut machines, Some(all)).unwrap();
        assert_eq!(
            (summary.undone, outcomes::all(&field.store).unwrap()),
            (vec![], expected_rows(&jobs)),
            "seed {seed}"
        );
        assert_eq!(calls(&field).len(), machines.paid, "seed {seed}");
    }
}

#[test]
fn a_cap_that_is_reached_ends_what_asks_and_nothing_else() {
    let (mut field, jobs) = (field(), jobs(12));
    let folder = field.folder.clone();
    let mut machines = Machines { price: dollars(1.0), ..Machines::new(&folder, 1, 0) };
    let all = accounts(field.store.folder(), 4.5);
    let summary = followed_with(&mut field, &jobs, &mut machines, Some(all)).unwrap();
    assert_eq!((calls(&field).len(), machines.paid), (4, 4));
    assert_eq!(summary.undone.iter().map(|one| one.trouble).collect::<Vec<_>>(), [JobTrouble::Model; 2]);
    let done: Vec<Condition> = outcomes::all(&field.store).unwrap().iter().map(|row| row.condition).collect();
    let count = |condition| done.iter().filter(|done| **done == condition).count();
    assert_eq!((count(Condition::BASELINE), count(Condition::MODERNIZE)), (6, 4));
    assert_eq!(machines.sent.borrow().len(), 6, "what cannot be paid is not sent again");
}

#[test]
fn whoever_follows_may_be_killed_and_what_was_handed_out_is_taken_back() {
    let (mut field, jobs) = (field(), jobs(16));
    let folder = field.folder.clone();
    let mut machines = Machines { most: 2, price: dollars(0.01), ..Machines::new(&folder, 1, 2) };
    for most in [2, usize::MAX] {
        machines.most = most;
        let all = accounts(field.store.folder(), 20.0);
        let done = outcomes::all(&field.store).unwrap();
        let is_done =
            |job: &ShardJob| done.iter().any(|row| (&row.version, row.condition) == (&job.version, job.condition));
        let open: Vec<ExpectedJob> = jobs.iter().filter(|one| !is_done(&one.job)).cloned().collect();
        let followed = followed_with(&mut field, &open, &mut machines, Some(all));
        assert_eq!(followed.is_ok(), most == usize::MAX, "{followed:?}");
    }
    assert_eq!(calls(&field).len(), machines.paid);
}

#[test]
fn what_is_cancelled_is_marked_and_what_is_over_is_not() {
    let field = field();
    let folder = &field.folder;
    let mut log = LineFile::open(&log_of(folder)).unwrap();
    for note in
        [FollowNote::Sent(1, "a".to_owned()), FollowNote::Sent(2, "b".to_owned()), FollowNote::Over(1, TaskEnd::Done)]
    {
        log.add(&note).unwrap();
    }
    let all = accounts(field.store.folder(), 2.0);
    for batch in [2, 3] {
        all.hand_out(folder, batch, &[], dollars(1.0)).unwrap();
    }
    let mut machines = Machines::new(folder, 1, 0);
    assert_eq!(cancel(folder, &mut machines, Some(all.all())).unwrap(), 1);
    assert_eq!(folder.names("cancelled").unwrap(), ["2"]);
    assert_eq!(calls(&field), []);
    assert_eq!(cancel(folder, &mut machines, None).unwrap(), 0);
}
