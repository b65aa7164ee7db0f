//! Bad days, and being killed on one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use nbrevive_fakegithub::{FakeGitHub, HubFault, HubHost, HubRule};
use nbrevive_mine::Timeouts;
use nbrevive_mine::budget::Clock;
use nbrevive_mine::github::{HubError, HubPlan, HubSettings};
use nbrevive_mine::raw::RawStore;
use nbrevive_mine::records::HostedState;

use super::support::{Haul, assert_same, mine, open, open_with, plan, quick, searched, start};
use crate::support::{folder, killed_in_rounds};

/// Every fault, each with the part of an address that it disturbs.
fn faults() -> Vec<(&'static str, HubFault)> {
    let everywhere = [
        HubFault::Secondary { retry_after: Some(0) },
        HubFault::ServerError { status: 502 },
        HubFault::HtmlInsteadOfJson,
        HubFault::ResetInHeaders,
        HubFault::ResetInBody,
        HubFault::CutShort,
        HubFault::Truncated,
        HubFault::NotModified,
    ];
    let mut faults: Vec<_> = everywhere.into_iter().map(|fault| ("/", fault)).collect();
    faults.extend([
        ("/commits/", HubFault::WrongTypes),
        ("/repos/", HubFault::RedirectLoop),
        ("/legacy.tar.gz/", HubFault::OtherCommit),
        ("/legacy.tar.gz/", HubFault::SlowDrip(200)),
        ("/commits/", HubFault::Stall),
        ("/legacy.tar.gz/", HubFault::StallInBody),
    ]);
    faults
}

/// Settings that soon give up on a server that says nothing.
fn hurried() -> HubSettings {
    let milliseconds = Duration::from_millis;
    let timeouts = Timeouts { connect: milliseconds(2000), silence: milliseconds(400), whole: milliseconds(3000) };
    HubSettings { timeouts, ..quick() }
}

/// Runs until a run ends well and without a trouble that another could mend.
fn persist(url: &str, token: &str, folder: &Path, plan: &HubPlan) -> Haul {
    for _ in 0..12 {
        match mine(&open_with(url, token, folder, Clock::System, hurried()), plan) {
            Ok(haul) if haul.summary.unsure == 0 => return haul,
            Ok(_) => {}
            Err(error) => assert!(!matches!(error, HubError::Raw(_)), "{error}"),
        }
    }
    panic!("twelve runs did not bring everything");
}

#[test]
fn with_each_fault_in_turn_the_end_is_the_same() {
    let twin = start(25);
    let expected = mine(&open(&twin, folder().path()), &plan(&twin)).unwrap().told();
    let left = Mutex::new(faults());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((part, fault)) = { left.lock().expect("no test panics with it").pop() } {
                    let (server, folder) = (start(25), folder());
                    let is_slow = matches!(fault, HubFault::Stall | HubFault::StallInBody | HubFault::SlowDrip(_));
                    server.add_rule(HubRule {
                        skip: 2,
                        ..HubRule::times(part, if is_slow { 1 } else { 6 }, fault.clone())
                    });
                    let haul = persist(&server.url(), server.token(), folder.path(), &plan(&server));
                    assert_same(&haul, &expected, &fault);
                    assert!(server.log().iter().all(|entry| entry.has_token == (entry.host == HubHost::Api)));
                }
            });
        }
    });
}

#[test]
fn a_redirect_to_another_host_is_not_followed_and_believed() {
    let (server, folder) = (start(5), folder());
    server.add_rule(HubRule::times("/repos/", 1, HubFault::RedirectAway));
    let plan = HubPlan { listed: plan(&server).listed.into_iter().take(1).collect(), ..HubPlan::default() };
    for _ in 0..2 {
        let haul = mine(&open(&server, folder.path()), &plan).unwrap();
        let row = haul.hosted.values().next().unwrap();
        let why = row.why.as_deref().unwrap();
        assert_eq!((row.state, why), (HostedState::LedAway, "it leads to another host, `somebody.example`"));
        assert_eq!((haul.summary.unsure, server.log().len()), (0, 1));
    }
}

#[test]
fn a_token_that_has_ended_ends_the_run_at_once() {
    let (server, folder) = (start(20), folder());
    server.add_rule(HubRule::always("", HubFault::BadToken));
    let error = mine(&open(&server, folder.path()), &plan(&server)).unwrap_err();
    assert!(matches!(error, HubError::TokenWrong { .. }), "{error}");
    assert_eq!(server.log().len(), 1);
}

#[test]
fn a_host_that_is_broken_ends_the_run_soon() {
    let (server, folder) = (start(40), folder());
    server.add_rule(HubRule::always("", HubFault::HtmlInsteadOfJson));
    let error = mine(&open(&server, folder.path()), &plan(&server)).unwrap_err();
    assert!(matches!(error, HubError::Unreadable { .. }), "{error}");
    assert_eq!(server.log().len(), 5 * 3);
}

/// Where the child of the next test finds its folder and server.
const FOLDER: &str = "NBREVIVE_TEST_HUB_FOLDER";
const URL: &str = "NBREVIVE_TEST_HUB_URL";

/// What the child of the next test does; without its variables it does nothing. It may be killed at any moment, and may
/// fail.
#[test]
fn other_process() {
    let (Some(folder), Ok(url)) = (std::env::var_os(FOLDER), std::env::var(URL)) else { return };
    let twin = start(80);
    let hub = open_with(&url, twin.token(), Path::new(&folder), Clock::System, quick());
    drop(mine(&hub, &killed(&twin)));
}

/// A list and a search.
fn killed(server: &FakeGitHub) -> HubPlan {
    HubPlan { listed: plan(server).listed.into_iter().take(40).collect(), ..searched("0..9=20|10..=10", 5) }
}

#[test]
fn killed_at_sixteen_moments_on_a_bad_day_the_end_is_the_same() {
    let twin = start(80);
    let expected = mine(&open(&twin, folder().path()), &killed(&twin)).unwrap();
    let (server, folder) = (start(80), folder());
    for (chance, fault) in [
        (0.1, HubFault::ServerError { status: 503 }),
        (0.1, HubFault::ResetInBody),
        (0.05, HubFault::Truncated),
        (0.05, HubFault::Secondary { retry_after: Some(0) }),
    ] {
        server.add_rule(HubRule::by_chance("/", chance, fault));
    }
    let url = server.url();
    let variables = [(FOLDER, folder.path().as_os_str()), (URL, url.as_ref())];
    let killed_ones = killed_in_rounds(16, "github::faults::other_process", &variables);
    assert!(killed_ones >= 5, "only {killed_ones} of 16 were still running when they were to be killed");
    let found = persist(&server.url(), server.token(), folder.path(), &killed(&server));
    assert_same(&found, &expected.told(), &"killed");
    assert_eq!(found.tiers, expected.tiers);
    // Every answer that came whole and good was asked for once.
    let mut good: BTreeMap<String, usize> = BTreeMap::new();
    let store = RawStore::open(&folder.path().join("raw")).unwrap();
    for entry in store.journal().unwrap() {
        if let nbrevive_mine::raw::JournalEntry::Exchange(exchange) = entry
            && exchange.status == Some(200)
            && exchange.fault.is_none()
        {
            *good.entry(exchange.key).or_default() += 1;
        }
    }
    assert!(good.values().all(|count| *count == 1) && good.len() > 60, "{good:#?}");
}
