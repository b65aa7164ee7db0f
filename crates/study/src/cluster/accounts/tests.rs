use jiff::Timestamp;
use nbrevive_model::Caps;

use super::*;
use crate::cluster::batch_file::tests::job;

pub(crate) fn dollars(amount: f64) -> Money {
    Money::from_dollars(amount).unwrap()
}

/// Accounts of the study `study` in a folder, whose jobs under modernize cost a dollar at most, and all together so much.
pub(crate) fn accounts(store: &Path, study: f64) -> RunAccounts {
    let caps = Caps { study: Some(dollars(study)), ..Caps::default() };
    RunAccounts {
        accounts: Accounts::open(store, true, caps).unwrap(),
        study: "study".to_owned(),
        asking: BTreeSet::from([Condition::MODERNIZE]),
        each: dollars(1.0),
        has_rates: false,
    }
}

/// Versions with a baseline, and a repair that asks.
fn jobs(versions: usize) -> Vec<ShardJob> {
    let of = |number: usize| {
        let baseline = job(&format!("v{number}"));
        [baseline.clone(), ShardJob { condition: Condition::MODERNIZE, ..baseline }]
    };
    (0..versions).flat_map(of).collect()
}

#[test]
fn a_batch_goes_as_far_as_the_caps_pay_and_versions_stay_whole() {
    let store = tempfile::tempdir().unwrap();
    let accounts = accounts(store.path(), 2.5);
    let mut funds = accounts.funds(true).unwrap();
    let mut rest = jobs(4);
    let paid = funds.pay(&mut rest);
    assert_eq!((paid.jobs, paid.money, paid.is_short), (jobs(2), dollars(2.0), false));
    assert_eq!(rest, jobs(4)[4..]);
    assert_eq!(funds.pay(&mut rest).jobs, [], "half a dollar is no notebook");
    let mut free = vec![job("a"), job("b")];
    assert_eq!((funds.pay(&mut free).jobs.len(), free.len()), (2, 0), "who asks nobody costs nothing");
    // Two runs of one condition are one notebook to its cap.
    let mut twice = jobs(1);
    twice.push(ShardJob { repetition: 2, ..twice[1].clone() });
    assert_eq!(accounts.paid(&twice, dollars(1.0)), (3, dollars(1.0)));
}

#[test]
fn a_rest_that_pays_for_no_notebook_goes_with_all_that_is_left_once_nothing_is_out() {
    let store = tempfile::tempdir().unwrap();
    let accounts = accounts(store.path(), 2.5);
    let ledger = accounts.all().ledger();
    ledger.allow("run/1", "study", dollars(2.0), accounts.all().caps(), Timestamp::now()).unwrap();
    let mut rest = jobs(2);
    assert_eq!(accounts.funds(false).unwrap().pay(&mut rest).jobs, [], "more may come back");
    let mut funds = accounts.funds(true).unwrap();
    let paid = [funds.pay(&mut rest), funds.pay(&mut jobs(2)), funds.pay(&mut vec![job("a")])];
    assert_eq!(paid.each_ref().map(|paid| paid.jobs.len()), [4, 4, 1]);
    assert_eq!(paid.each_ref().map(|paid| paid.money), [dollars(0.5), Money::ZERO, Money::ZERO]);
    assert_eq!(paid.map(|paid| paid.is_short), [true, true, false]);
}

#[test]
fn tasks_that_share_a_rate_are_no_more_than_run_at_a_time() {
    let store = tempfile::tempdir().unwrap();
    let unlimited = accounts(store.path(), 1.0);
    assert_eq!(unlimited.places(8), usize::MAX);
    assert_eq!(RunAccounts { has_rates: true, ..unlimited }.places(8), 8);
}
