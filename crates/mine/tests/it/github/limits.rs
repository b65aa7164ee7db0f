//! Searches beyond their reach, and manners within the host's limits.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use nbrevive_fakegithub::{FakeGitHub, Fate, HubFault, HubLimits, HubRepository, HubRule, HubWorld};
use nbrevive_mine::budget::{Budget, Clock, Manners};
use nbrevive_mine::github::{Hub, HubEndpoint, HubError, HubPlan, HubSettings, HubToken};
use nbrevive_mine::raw::RawStore;
use nbrevive_mine::secret::Secret;

use super::support::{assert_same, mine, open, open_with, plan, quick, searched, start};
use crate::support::folder;

#[test]
fn what_did_not_change_is_asked_for_at_no_cost() {
    let clock = Arc::new(Mutex::new(Timestamp::from_second(1_700_000_000).unwrap()));
    let server = FakeGitHub::start_by(HubWorld::drawn(7, 30), HubLimits::default(), Some(Arc::clone(&clock))).unwrap();
    let folder = folder();
    let open =
        |settings| open_with(&server.url(), server.token(), folder.path(), Clock::Manual(Arc::clone(&clock)), settings);
    let first = mine(&open(quick()), &plan(&server)).unwrap();
    let asked = server.log().len();
    let later = Timestamp::from_second(1_700_086_400).unwrap();
    *clock.lock().unwrap() = later;
    let again = mine(&open(HubSettings { reuse_since: Some(later), ..quick() }), &plan(&server)).unwrap();
    assert_same(&again, &first.told(), &"again");
    let log = server.log();
    let second = &log[asked..];
    assert!(second.iter().filter(|entry| entry.status == Some(304)).count() > 30);
    // What was there is asked for by its name; redirects and refusals have none, and archives never change.
    assert!(second.iter().all(|entry| entry.is_conditional || !matches!(entry.status, Some(200))), "{second:#?}");
}

#[test]
fn a_search_reaches_beyond_a_thousand_results_within_the_limits() {
    let clock = Arc::new(Mutex::new(Timestamp::from_second(1_700_000_000).unwrap()));
    let world = HubWorld::drawn(3, 2600);
    let server = FakeGitHub::start_by(world, HubLimits::default(), Some(Arc::clone(&clock))).unwrap();
    let folder = folder();
    let hub = open_with(&server.url(), server.token(), folder.path(), Clock::Manual(Arc::clone(&clock)), quick());
    let haul = mine(&hub, &searched("1000..=10|0..999=40", 1)).unwrap();
    let is_in = |one: &&HubRepository, least: u64, most: u64| {
        let is_found = !matches!(one.fate, Fate::Empty | Fate::Blocked | Fate::BlockedByLaw);
        one.fork_of.is_none() && is_found && (least..=most).contains(&one.stars)
    };
    let count = |least, most| server.world().repositories().iter().filter(|one| is_in(one, least, most)).count() as u64;
    let totals: Vec<u64> = haul.tiers.iter().map(|tier| tier.total).collect();
    assert_eq!(totals, [count(1000, u64::MAX), count(0, 999)]);
    let wide = &haul.tiers[1];
    assert!(wide.total > 1500 && wide.slices > 1 && wide.beyond == 0 && wide.drawn == 40, "{wide:?}");
    let log = server.log();
    assert!(log.iter().all(|entry| entry.status != Some(429) && !is_limit(entry)), "a limit was run into");
    let drawn: BTreeSet<String> = haul.hosted.keys().cloned().collect();
    let other = |seed| {
        let hub = open_with(&server.url(), server.token(), folder.path(), Clock::Manual(Arc::clone(&clock)), quick());
        mine(&hub, &searched("1000..=10|0..999=40", seed)).unwrap().hosted.into_keys().collect::<BTreeSet<_>>()
    };
    assert_eq!(other(1), drawn);
    assert_ne!(other(2), drawn);
}

fn is_limit(entry: &nbrevive_fakegithub::HubLog) -> bool {
    // The only 403 on a search is that of a limit.
    entry.status == Some(403) && entry.target.starts_with("/search/")
}

#[test]
fn a_slice_of_which_the_host_runs_out_of_time_is_halved_or_named() {
    let (server, folder) = (start(60), folder());
    server.add_rule(HubRule::times("stars%3A%3E%3D0", 3, HubFault::OutOfTime));
    let haul = mine(&open(&server, folder.path()), &searched("0..=400", 1)).unwrap();
    assert!(haul.tiers[0].incomplete == 0 && haul.tiers[0].slices == 2, "{:?}", haul.tiers);
    assert_eq!(haul.tiers[0].drawn as u64, haul.tiers[0].total);
    // Of a host that never has the time, no slice is asked for without end.
    let (server, folder) = (start(60), crate::support::folder());
    server.add_rule(HubRule::always("/search/", HubFault::OutOfTime));
    let haul = mine(&open(&server, folder.path()), &searched("0..=5", 1)).unwrap();
    assert_eq!((haul.tiers[0].incomplete, haul.tiers[0].slices, haul.tiers[0].drawn), (16, 16, 5));
}

#[test]
fn the_primary_limit_is_waited_for_and_never_run_into() {
    let clock = Arc::new(Mutex::new(Timestamp::from_second(1_700_000_000).unwrap()));
    let limits = HubLimits { core: 20, search: 3, ..HubLimits::default() };
    let server = FakeGitHub::start_by(HubWorld::drawn(7, 40), limits, Some(Arc::clone(&clock))).unwrap();
    let folder = folder();
    let hub = open_with(&server.url(), server.token(), folder.path(), Clock::Manual(Arc::clone(&clock)), quick());
    let plan = HubPlan { listed: plan(&server).listed, ..searched("0..9=5|10..=5", 1) };
    let haul = mine(&hub, &plan).unwrap();
    assert_eq!(haul.summary.unsure, 0);
    let refused = server.log().into_iter().filter(|entry| entry.status == Some(403)).count();
    let blocked = server.world().repositories().iter().filter(|one| one.fate == Fate::Blocked).count();
    assert_eq!(refused, blocked);
    let hours = clock.lock().unwrap().duration_since(Timestamp::from_second(1_700_000_000).unwrap()).as_hours();
    assert!((3..8).contains(&hours), "{hours}");
}

#[test]
fn a_secondary_limit_is_obeyed_with_and_without_a_word() {
    for says_when in [true, false] {
        let clock = Arc::new(Mutex::new(Timestamp::from_second(1_700_000_000).unwrap()));
        let limits = HubLimits { points: 25, says_when, ..HubLimits::default() };
        let server = FakeGitHub::start_by(HubWorld::drawn(7, 30), limits, Some(Arc::clone(&clock))).unwrap();
        let folder = folder();
        let hub = open_with(&server.url(), server.token(), folder.path(), Clock::Manual(Arc::clone(&clock)), quick());
        let haul = mine(&hub, &plan(&server)).unwrap();
        assert_eq!(haul.summary.unsure, 0, "{says_when}");
        let log = server.log();
        let blocked = server.world().repositories().iter().filter(|one| one.fate == Fate::Blocked).count();
        let limited: Vec<usize> = (0..log.len()).filter(|place| log[*place].status == Some(403)).collect();
        assert!(limited.len() > blocked, "{says_when}: the limit was never met");
        // After a refusal by a limit nobody asks for a minute.
        for place in limited {
            let Some(next) = log.get(place + 1).filter(|next| next.target == log[place].target) else { continue };
            assert!(next.at.duration_since(log[place].at).as_secs() >= 60, "{says_when}");
        }
    }
}

#[test]
fn a_limit_beyond_patience_ends_the_run_and_another_goes_on() {
    let clock = Arc::new(Mutex::new(Timestamp::from_second(1_700_000_000).unwrap()));
    let limits = HubLimits { core: 20, ..HubLimits::default() };
    let server = FakeGitHub::start_by(HubWorld::drawn(7, 20), limits, Some(Arc::clone(&clock))).unwrap();
    let folder = folder();
    let impatient = |folder: &Path| {
        let endpoint = HubEndpoint::given(&server.url(), "the test").unwrap();
        let manners = Manners { rate: f64::INFINITY, longest_wait: Duration::from_secs(900), ..Manners::default() };
        let budget = Budget::open(&folder.join("budget"), manners, Clock::Manual(Arc::clone(&clock))).unwrap();
        let store = Arc::new(RawStore::open(&folder.join("raw")).unwrap());
        Hub::online(store, endpoint, &HubToken::given(Secret::new(server.token())), budget, quick()).unwrap()
    };
    let mut runs = 0;
    let haul = loop {
        runs += 1;
        match mine(&impatient(folder.path()), &plan(&server)) {
            Ok(haul) => break haul,
            Err(HubError::Budget(error)) => assert!(error.to_string().contains("run again later"), "{error}"),
            Err(other) => panic!("{other}"),
        }
        let later = clock.lock().unwrap().saturating_add(jiff::SignedDuration::from_secs(3700)).unwrap();
        *clock.lock().unwrap() = later;
    };
    assert!((2..6).contains(&runs), "{runs}");
    let expected = mine(&open(&start(20), crate::support::folder().path()), &plan(&server)).unwrap();
    assert_eq!(haul.summary.states, expected.summary.states);
}
