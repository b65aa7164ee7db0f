//! Accounts between a ledger and tasks that ask a fake server, die, live on, or are begun twice.

use jiff::SignedDuration;
use nbrevive_fakemodel::FakeModel;
use proptest::prelude::*;

use super::*;
use crate::testing::{dialogue, errand, prompt, provider};
use crate::{Dialogue, Protocol};

fn dollars(amount: f64) -> Money {
    Money::from_dollars(amount).unwrap()
}

/// The folder of who follows, and that of the accounts.
struct Home {
    _place: tempfile::TempDir,
    store: PathBuf,
    folder: PathBuf,
}

impl Home {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let [store, folder] = ["store", "accounts"].map(|name| place.path().join(name));
        [&store, &folder].iter().for_each(|path| fs::create_dir(path).unwrap());
        Home { _place: place, store, folder }
    }

    fn accounts(&self) -> Accounts {
        Accounts::open(&self.store, true, Caps { study: Some(dollars(1.0)), ..Caps::default() }).unwrap()
    }

    fn name(&self, batch: u32) -> AccountName<'_> {
        AccountName { folder: &self.folder, run: "run", batch }
    }

    fn hand_out(&self, accounts: &Accounts, batch: u32) -> Allowance {
        let notebooks = [("study".to_owned(), "notebook".to_owned())];
        accounts.hand_out(self.name(batch), "study", (dollars(0.4), 1.0), &notebooks).unwrap()
    }

    fn take(&self, batch: u32, name: &str) -> Option<Account> {
        Account::take(&self.folder.join(batch.to_string()), name).unwrap()
    }
}

/// A task that asks the server, in a folder of its own.
fn task(scratch: &Path, account: Account, server: &FakeModel) -> Dialogue {
    let own = Accounts::open(scratch, true, Caps::default()).unwrap();
    let allowance = account.bring(&own).unwrap();
    drop(own);
    let caps = Caps { study: Some(allowance.money), ..Caps::default() };
    dialogue(scratch, Box::new(provider(server, Protocol::Responses)), caps).with_account(account)
}

#[test]
fn what_a_task_spent_is_entered_and_the_rest_is_free_again() {
    let (home, scratch, server) = (Home::new(), tempfile::tempdir().unwrap(), FakeModel::start().unwrap());
    let accounts = home.accounts();
    assert_eq!(home.hand_out(&accounts, 7).money, dollars(0.4));
    assert_eq!((home.hand_out(&accounts, 8).money, home.hand_out(&accounts, 9).money), (dollars(0.4), dollars(0.2)));
    assert_eq!((accounts.room("study").unwrap().study, accounts.out("run").unwrap()), (Money::ZERO, vec![7, 8, 9]));
    let task = task(scratch.path(), home.take(7, "a").unwrap(), &server);
    assert!(home.take(7, "b").is_none(), "a second start finds nothing to spend");
    let receipt = task.ask(&prompt("x"), &errand()).unwrap();
    for _ in 0..2 {
        accounts.take_back(home.name(7)).unwrap();
    }
    let rows = accounts.ledger().rows(None).unwrap();
    assert_eq!((rows.len(), rows[0].outcome.as_str(), rows[0].cost), (1, "answered", receipt.cost));
    assert_eq!(rows[0].fix_type, "error-repair", "all that the table of costs goes by");
    accounts.take_back(home.name(8)).unwrap();
    accounts.take_back(home.name(9)).unwrap();
    assert_eq!(accounts.ledger().spent("study").unwrap(), receipt.cost);
    assert_eq!((accounts.out("run").unwrap(), fs::read_dir(&home.folder).unwrap().count()), (Vec::new(), 0));
    // It lives on: the file is gone, and so nobody is asked.
    let refused = task.ask(&prompt("y"), &errand()).unwrap_err();
    assert_eq!((refused.name(), server.log().len()), ("account", 1), "{refused}");
    assert!(home.take(8, "late").is_none(), "a task that begins after it was given up");
}

#[test]
fn what_was_answered_elsewhere_is_found_by_the_next_task_and_at_home() {
    let (home, server) = (Home::new(), FakeModel::start().unwrap());
    let accounts = home.accounts();
    let receipts: Vec<_> = (1..=2)
        .map(|batch| {
            let scratch = tempfile::tempdir().unwrap();
            home.hand_out(&accounts, batch);
            let receipt = task(scratch.path(), home.take(batch, "a").unwrap(), &server).ask(&prompt("x"), &errand());
            accounts.take_back(home.name(batch)).unwrap();
            receipt.unwrap()
        })
        .collect();
    assert_eq!((receipts[0].is_from_record, receipts[1].is_from_record), (false, true));
    assert_eq!((server.bills().len(), accounts.ledger().rows(None).unwrap().len()), (1, 1));
    drop(accounts);
    let here = dialogue(&home.store, Box::new(provider(&server, Protocol::Responses)), Caps::default());
    assert!(here.ask(&prompt("x"), &errand()).unwrap().is_from_record);
}

#[test]
fn a_call_that_was_under_way_when_its_task_died_keeps_its_worst_case() {
    let home = Home::new();
    let accounts = home.accounts();
    home.hand_out(&accounts, 1);
    let account = home.take(1, "a").unwrap();
    account.call(row("lost", Timestamp::now(), dollars(0.1))).unwrap();
    let mut torn = OpenOptions::new().append(true).open(&account.path).unwrap();
    torn.write_all(b"\n{\"call\":{\"call\":\"tor").unwrap();
    account.call(row("second", Timestamp::now(), dollars(0.2))).unwrap();
    accounts.take_back(home.name(1)).unwrap();
    assert_eq!(accounts.ledger().spent("study").unwrap(), dollars(0.1) + dollars(0.2));
    assert_eq!(accounts.ledger().unsettled().unwrap(), ["lost", "second"]);
    // The notebook's next task knows of it.
    home.hand_out(&accounts, 2);
    let scratch = tempfile::tempdir().unwrap();
    let own = Accounts::open(scratch.path(), true, Caps::default()).unwrap();
    assert_eq!(home.take(2, "a").unwrap().bring(&own).unwrap().money, dollars(0.4));
    assert_eq!(own.ledger().rows(None).unwrap(), accounts.ledger().rows(None).unwrap());
    fs::write(home.folder.join("3"), "{}").unwrap();
    let other = tempfile::tempdir().unwrap();
    let own = Accounts::open(other.path(), true, Caps::default()).unwrap();
    assert!(matches!(home.take(3, "a").unwrap().bring(&own), Err(AccountError::NoAllowance { .. })));
}

/// A call that is about to be made.
fn row(call: &str, at: Timestamp, worst: Money) -> LedgerRow {
    LedgerRow {
        call: call.to_owned(),
        study: "study".to_owned(),
        notebook: "notebook".to_owned(),
        fix_type: String::new(),
        fix_number: 0,
        re_ask: 0,
        provider: "openai".to_owned(),
        model: "gpt-5.2".to_owned(),
        prompt: String::new(),
        occurrence: 0,
        max_output: 1_000,
        temperature: None,
        seed: None,
        effort: None,
        reserved_at: Timestamp::from_millisecond(at.as_millisecond()).unwrap(),
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

fn spent<'a>(calls: impl Iterator<Item = &'a LedgerRow>) -> Money {
    calls.map(|call| call.cost).sum()
}

/// A batch with what it may still spend, and its calls.
type Out = (String, Money, Vec<LedgerRow>);

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]
    #[test]
    fn no_order_of_allowances_and_calls_passes_a_cap(
        steps in prop::collection::vec((0_u32..3, 1_i64..60, 0_usize..4, 0_i64..30), 1..40)
    ) {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db")).unwrap();
        let cents = |amount: i64| dollars(amount as f64 / 100.0);
        let caps = Caps { study: Some(cents(200)), hour: Some(cents(80)), ..Caps::default() };
        let (mut out, mut all): (Vec<Out>, Vec<LedgerRow>) = Default::default();
        let mut now: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
        for (number, (kind, amount, place, minutes)) in steps.into_iter().enumerate() {
            now += SignedDuration::from_mins(minutes);
            match kind {
                0 => {
                    let name = format!("run/{number}");
                    let money = ledger.allow(&name, "study", cents(amount), &caps, now).unwrap();
                    prop_assert!(money <= cents(amount));
                    out.push((name, money, Vec::new()));
                }
                1 if place < out.len() && cents(amount) <= out[place].1 => {
                    let call = row(&number.to_string(), now, cents(amount));
                    out[place].1 = Money::from_units(out[place].1.units() - call.cost.units());
                    out[place].2.push(call.clone());
                    all.push(call);
                }
                2 if place < out.len() => {
                    let (name, _, calls) = out.remove(place);
                    calls.iter().for_each(|call| ledger.enter(call).unwrap());
                    ledger.end_allowance(&name).unwrap();
                }
                _ => {}
            }
            let hour = now - SignedDuration::from_hours(1);
            prop_assert!(spent(all.iter()) <= cents(200));
            prop_assert!(spent(all.iter().filter(|call| call.reserved_at > hour)) <= cents(80));
            prop_assert!(spent(all.iter()) <= ledger.spent("study").unwrap(), "nothing that was spent is out of account");
        }
        for (name, _, calls) in out {
            calls.iter().for_each(|call| ledger.enter(call).unwrap());
            ledger.end_allowance(&name).unwrap();
        }
        prop_assert_eq!(ledger.spent("study").unwrap(), spent(all.iter()));
        prop_assert_eq!(ledger.allowances().unwrap(), Vec::<String>::new());
    }
}
