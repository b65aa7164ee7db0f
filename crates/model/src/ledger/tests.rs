use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use rusqlite::Connection;

use super::*;
use crate::testing::{errand, prompt};
use crate::{Errand, TokenUsage, UsageSource};

fn cents(amount: f64) -> Money {
    Money::from_dollars(amount / 100.0).unwrap()
}

fn ledger() -> (tempfile::TempDir, Ledger) {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&folder.path().join("ledger.db")).unwrap();
    (folder, ledger)
}

fn noon() -> Timestamp {
    "2026-06-01T12:00:00Z".parse().unwrap()
}

struct Desk<'a> {
    ledger: &'a Ledger,
    caps: Caps,
}

impl Desk<'_> {
    fn reserve(&self, call: &str, errand: &Errand, worst: Money, minutes: i64) -> Result<(), LedgerError> {
        let at = noon() + SignedDuration::from_mins(minutes);
        let prompt = prompt(call);
        let order =
            CallOrder { call, errand, prompt: &prompt, occurrence: 0, provider: "test", worst, is_paid: true, at };
        self.ledger.reserve(&order, &self.caps)
    }

    fn settle(&self, call: &str, cost: Option<Money>) -> bool {
        self.ledger.settle(call, &settlement(cost)).unwrap()
    }
}

fn settlement(cost: Option<Money>) -> Settlement {
    let usage = TokenUsage { input: 100, cached_input: 40, cache_write: 0, output: 20, reasoning: 5 };
    Settlement {
        at: noon(),
        outcome: "answered".to_owned(),
        cost,
        is_disputed: false,
        usage: Some((usage, UsageSource::Reported)),
        model_reported: Some("gpt-5.2-2025-12-11".to_owned()),
        request_id: None,
        attempts: 1,
        seconds: 0.5,
    }
}

#[test]
fn a_call_is_allowed_while_its_worst_case_fits() {
    let (_folder, ledger) = ledger();
    let caps = Caps { notebook: Some(cents(10.0)), study: Some(cents(15.0)), ..Caps::default() };
    let desk = Desk { ledger: &ledger, caps };
    let other = Errand::new("study", "other");
    desk.reserve("a", &errand(), cents(6.0), 0).unwrap();
    let error = desk.reserve("b", &errand(), cents(4.5), 0).unwrap_err();
    insta::assert_snapshot!(error, @"the call could cost 0.0450 USD, and 0.0600 USD of 0.1000 USD are spent or reserved for this notebook; wait until 2026-06-01T12:15:00Z, or raise the cap");
    // What is under way may cost less; what was under way that long ago is lost.
    let error = desk.reserve("b", &errand(), cents(4.5), 15).unwrap_err();
    insta::assert_snapshot!(error, @"the call could cost 0.0450 USD, and 0.0600 USD of 0.1000 USD are spent or reserved for this notebook; raise the cap, or leave the rest");
    let error = desk.reserve("b", &errand(), cents(10.5), 0).unwrap_err();
    assert!(matches!(error, LedgerError::Cap { free_at: None, .. }), "{error}");
    desk.reserve("c", &other, cents(8.0), 0).unwrap();
    let error = desk.reserve("d", &errand(), cents(2.0), 0).unwrap_err();
    assert!(matches!(error, LedgerError::Cap { of: CapKind::Study, .. }), "{error}");
    // What was not spent is free again.
    assert!(desk.settle("a", Some(cents(1.0))));
    desk.reserve("e", &errand(), cents(6.0), 0).unwrap();
    desk.reserve("f", &Errand::new("another-study", "notebook"), cents(10.0), 0).unwrap();
    assert_eq!(ledger.spent("study").unwrap(), cents(15.0));
    let rows = ledger.rows(Some("study")).unwrap();
    assert_eq!(rows.iter().map(|row| row.outcome.as_str()).collect::<Vec<_>>(), ["answered", "reserved", "reserved"]);
    assert_eq!((rows[0].cost, rows[0].reserved, rows[1].cost), (cents(1.0), cents(6.0), cents(8.0)));
}

#[test]
fn the_hours_cap_says_when_there_is_room_again() {
    let (_folder, ledger) = ledger();
    let desk = Desk { ledger: &ledger, caps: Caps { hour: Some(cents(10.0)), ..Caps::default() } };
    for (call, minutes) in [("a", 0), ("b", 10), ("c", 20)] {
        desk.reserve(call, &Errand::new(call, "n"), cents(3.0), minutes).unwrap();
    }
    let free_at = |worst| match desk.reserve("d", &errand(), worst, 30).unwrap_err() {
        LedgerError::Cap { of: CapKind::Hour, free_at, .. } => free_at.map(|at| at.to_string()),
        other => panic!("{other}"),
    };
    assert_eq!(free_at(cents(3.0)).as_deref(), Some("2026-06-01T13:00:00Z"));
    assert_eq!(free_at(cents(5.0)).as_deref(), Some("2026-06-01T13:10:00Z"));
    assert_eq!(free_at(cents(11.0)), None);
    desk.reserve("d", &errand(), cents(3.0), 60).unwrap();
}

#[test]
fn a_call_is_settled_once_and_unknown_costs_stay_at_the_worst_case() {
    let (_folder, ledger) = ledger();
    let desk = Desk { ledger: &ledger, caps: Caps::default() };
    desk.reserve("a", &errand(), cents(5.0), 0).unwrap();
    assert!(desk.reserve("a", &errand(), cents(5.0), 0).is_err(), "a name was used twice");
    assert!(desk.settle("a", None));
    assert!(!desk.settle("a", Some(cents(1.0))));
    assert!(!desk.settle("never-reserved", Some(cents(1.0))));
    assert_eq!(ledger.unsettled().unwrap(), Vec::<String>::new());
    assert_eq!(ledger.spent("study").unwrap(), cents(5.0));
}

#[test]
fn a_bill_above_the_worst_case_stops_the_calls() {
    let (_folder, ledger) = ledger();
    let mut desk = Desk { ledger: &ledger, caps: Caps::default() };
    desk.reserve("a", &errand(), cents(5.0), 0).unwrap();
    desk.settle("a", Some(cents(50.0)));
    let row = &ledger.rows(None).unwrap()[0];
    assert_eq!((row.cost, row.is_disputed), (cents(5.0), true));
    let error = desk.reserve("b", &errand(), cents(5.0), 0).unwrap_err();
    assert!(matches!(error, LedgerError::Disputed { ref call } if call == "a"), "{error}");
    desk.caps.allow_disputed = true;
    desk.reserve("b", &errand(), cents(5.0), 0).unwrap();
}

#[test]
fn a_study_has_one_cap_for_all_its_conditions() {
    let (_folder, ledger) = ledger();
    let caps = Caps { notebook: Some(cents(6.0)), study: Some(cents(10.0)), ..Caps::default() };
    let desk = Desk { ledger: &ledger, caps };
    desk.reserve("a", &Errand::new("s/modernize", "n"), cents(6.0), 0).unwrap();
    let cell = Errand::new("s/modernize-cell", "n");
    let refused = desk.reserve("b", &cell, cents(6.0), 1).unwrap_err();
    assert!(matches!(&refused, LedgerError::Cap { of: CapKind::Study, free_at: Some(_), .. }), "{refused}");
    desk.reserve("c", &cell, cents(4.0), 2).unwrap();
    desk.reserve("d", &Errand::new("s_/modernize", "n"), cents(6.0), 3).expect("another study has its own cap");
}

#[test]
fn replays_count_in_the_table_and_not_against_the_caps() {
    let (_folder, ledger) = ledger();
    let (errand, prompt, call) = (errand(), prompt("a"), "a");
    let (worst, is_paid) = (Money::ZERO, false);
    let order = CallOrder {
        call,
        errand: &errand,
        prompt: &prompt,
        occurrence: 0,
        provider: "replay",
        worst,
        is_paid,
        at: noon(),
    };
    ledger.reserve(&order, &Caps { study: Some(Money::ZERO), ..Caps::default() }).unwrap();
    ledger.settle("a", &settlement(Some(cents(3.0)))).unwrap();
    assert_eq!(ledger.spent("study").unwrap(), Money::ZERO);
    let costs = Costs::of(&ledger.rows(None).unwrap());
    assert!((costs.per_notebook.cost - 0.03).abs() < 1e-12);
}

#[test]
fn table_5_is_the_means_over_notebooks_and_fixes() {
    let (_folder, ledger) = ledger();
    let desk = Desk { ledger: &ledger, caps: Caps::default() };
    let calls = [
        ("a", Errand::new("s", "one").fix("error-repair", 1), 4.0),
        ("b", Errand::new("s", "one").fix("error-repair", 1).re_ask(1), 2.0),
        ("c", Errand::new("s", "one").fix("score-calibration", 2), 1.0),
        ("d", Errand::new("s", "two").fix("error-repair", 1), 2.0),
    ];
    for (call, errand, cost) in &calls {
        desk.reserve(call, errand, cents(9.0), 0).unwrap();
        desk.settle(call, Some(cents(*cost)));
    }
    let costs = Costs::of(&ledger.rows(Some("s")).unwrap());
    let near = |left: f64, right: f64| (left - right).abs() < 1e-9;
    let notebook = costs.per_notebook;
    assert!(notebook.count == 2 && near(notebook.cost, 0.045), "{notebook:?}");
    assert!(near(notebook.input, 120.0) && near(notebook.cached_input, 80.0) && near(notebook.output, 40.0));
    let repair = costs.per_fix["error-repair"];
    assert!(repair.count == 2 && near(repair.cost, 0.04) && near(repair.output, 30.0), "{repair:?}");
    assert_eq!(costs.per_fix["score-calibration"].count, 1);
    assert_eq!(Costs::of(&[]), Costs::default());
}

#[test]
fn the_rows_can_be_read_while_a_run_writes_and_where_there_is_no_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    assert_eq!(Ledger::rows_of(&path).unwrap(), []);
    assert!(!path.exists());
    // Killed before its tables were there.
    drop(Connection::open(&path).unwrap());
    std::fs::write(&path, "").unwrap();
    assert_eq!(Ledger::rows_of(&path).unwrap(), []);
    let ledger = Ledger::open(&path).unwrap();
    let desk = Desk { ledger: &ledger, caps: Caps::default() };
    desk.reserve("a", &errand(), cents(5.0), 0).unwrap();
    assert_eq!(Ledger::rows_of(&path).unwrap(), ledger.rows(None).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 9).unwrap();
    assert!(matches!(Ledger::rows_of(&path), Err(LedgerError::Newer { found: 9, .. })));
}

#[test]
fn a_ledger_of_a_later_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    drop(Ledger::open(&path).unwrap());
    drop(Ledger::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 9).unwrap();
    assert!(matches!(Ledger::open(&path), Err(LedgerError::Newer { found: 9, .. })));
    std::fs::write(&path, "no database at all, but long enough to be taken for one: ".repeat(20)).unwrap();
    let error = Ledger::open(&path).unwrap_err();
    assert!(error.to_string().contains("ledger.db"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn no_order_of_calls_passes_a_cap(
        calls in prop::collection::vec((0_usize..3, 1_i64..40, prop::option::of(0.0..2.0_f64), 0_i64..50), 1..40)
    ) {
        let (_folder, ledger) = ledger();
        let caps = Caps { notebook: Some(cents(60.0)), study: Some(cents(100.0)), hour: Some(cents(80.0)), allow_disputed: true };
        let desk = Desk { ledger: &ledger, caps };
        let mut now = 0;
        for (number, (notebook, worst, share, later)) in calls.into_iter().enumerate() {
            now += later;
            let errand = Errand::new("study", format!("{notebook}"));
            let (call, worst) = (format!("{number}"), cents(worst as f64));
            if desk.reserve(&call, &errand, worst, now).is_ok() {
                desk.settle(&call, share.map(|share| Money::from_dollars(worst.dollars() * share).unwrap()));
            }
            let rows = ledger.rows(None).unwrap();
            let sum = |keep: &dyn Fn(&LedgerRow) -> bool| rows.iter().filter(|row| keep(row)).map(|row| row.cost).sum::<Money>();
            let hour = noon() + SignedDuration::from_mins(now) - SignedDuration::from_hours(1);
            prop_assert_eq!(ledger.spent("study").unwrap(), sum(&|_| true));
            prop_assert!(sum(&|_| true) <= cents(100.0));
            prop_assert!(sum(&|row| row.notebook == errand.notebook) <= cents(60.0));
            prop_assert!(sum(&|row| row.reserved_at > hour) <= cents(80.0));
        }
    }
}
