//! The miner against a server that behaves like Kaggle, on good days and on bad ones.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use nbrevive_fakekaggle::{
    FakeKaggle, FakeKernel, FakeServerSettings, Fault, FaultRule, Outputs, RetryAfter, VersionLabels, Visibility, When,
    WorldSpec, busiest, source,
};
use nbrevive_mine::api::{ApiError, ApiPlan, Generation, Search, Versions};
use nbrevive_mine::budget::Manners;
use nbrevive_mine::raw::ContentHash;
use nbrevive_mine::records::{NotebookName, RunStatus, Slug};

use crate::support::{Haul, folder, killed_in_rounds, mine, open, open_at, open_with, plan, small, start};

const GENERATIONS: [Generation; 2] = [Generation::Legacy, Generation::Modern];

/// A run on a day without faults.
fn undisturbed(generation: Generation) -> Haul {
    let server = start(small());
    let folder = folder();
    mine(&open(&server, generation, folder.path()), &plan(&server)).expect("nothing goes wrong")
}

#[test]
fn both_generations_bring_every_notebook_with_its_code() {
    for generation in GENERATIONS {
        let server = start(small());
        let folder = folder();
        let api = open(&server, generation, folder.path());
        let haul = mine(&api, &plan(&server)).unwrap();
        let world = server.world();
        let mut count = 0;
        let listed = |kernel: &FakeKernel| !kernel.latest().sources.competitions.is_empty();
        for kernel in world.kernels().filter(|kernel| kernel.visibility == Visibility::Public && listed(kernel)) {
            let code = source(world, &kernel, kernel.committed(), Outputs::Stripped);
            let key = format!("version {}#{}", kernel.reference(world), kernel.committed().number);
            let record = haul.records.get(&key).unwrap_or_else(|| panic!("{generation:?}: {key} is missing"));
            assert!(record.contains(&format!("\"code\":\"{}\"", ContentHash::of(code.as_bytes()))), "{record}");
            count += 1;
        }
        assert_eq!(haul.records.keys().filter(|key| key.starts_with("version ")).count(), count);
        assert!(count > 40 && haul.listings.iter().all(|listing| listing.complete));
        let log = server.log();
        assert!(log.iter().all(|entry| entry.concurrent <= 1 && !entry.has_secret_in_target));
    }
}

/// Every fault that concerns the API, as another process would ask for it.
fn faults() -> Vec<Fault> {
    let kinds = [
        r#"{"kind":"unauthorized"}"#,
        r#"{"kind":"forbidden"}"#,
        r#"{"kind":"rules-not-accepted"}"#,
        r#"{"kind":"not-found"}"#,
        r#"{"kind":"too-many-requests","retry_after":"none"}"#,
        r#"{"kind":"too-many-requests","retry_after":{"seconds":1}}"#,
        r#"{"kind":"too-many-requests","retry_after":{"date":1}}"#,
        r#"{"kind":"server-error","status":500}"#,
        r#"{"kind":"status-in-body","status":403}"#,
        r#"{"kind":"html-instead-of-json"}"#,
        r#"{"kind":"login-wall"}"#,
        r#"{"kind":"reset-in-headers"}"#,
        r#"{"kind":"reset-in-body"}"#,
        r#"{"kind":"cut-short"}"#,
        r#"{"kind":"stall"}"#,
        r#"{"kind":"stall-in-body"}"#,
        r#"{"kind":"slow-drip","bytes_per_second":200}"#,
        r#"{"kind":"truncated-json"}"#,
        r#"{"kind":"wrong-types"}"#,
        r#"{"kind":"endless-pages"}"#,
        r#"{"kind":"duplicated-pages"}"#,
        r#"{"kind":"reordered-pages"}"#,
        r#"{"kind":"hostile-slug"}"#,
        r#"{"kind":"huge-notebook","bytes":200000000}"#,
    ];
    kinds.iter().map(|text| serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

/// Faults that cost seconds each time.
fn is_slow(fault: &Fault) -> bool {
    let seconds = matches!(fault, Fault::TooManyRequests { retry_after } if *retry_after != RetryAfter::None);
    seconds || matches!(fault, Fault::HugeNotebook { .. } | Fault::Stall | Fault::StallInBody | Fault::SlowDrip { .. })
}

/// Runs until a run ends well and without a trouble that another could mend. Wrong credentials end a run at once.
fn persist(server: &FakeKaggle, generation: Generation, folder: &Path, fault: &Fault) -> Haul {
    for _ in 0..12 {
        match mine(&open(server, generation, folder), &plan(server)) {
            Ok(haul) if haul.unsure == 0 => return haul,
            Ok(_) => {}
            Err(error) => assert!(!matches!(error, ApiError::Raw(_)), "{fault:?}: {error}"),
        }
    }
    panic!("{fault:?}: twelve runs did not bring everything");
}

/// Mines with one fault switched on for a while, and compares the end with that of an undisturbed run.
fn disturbed(generation: Generation, fault: &Fault, expected: &Haul) {
    let server = start(small());
    let folder = folder();
    let count = if is_slow(fault) { 1 } else { 6 };
    for path in ["/api/v1/kernels/pull", "/v1/kernels.KernelsApiService/GetKernel"] {
        server.add_rule(FaultRule::times(path, count, fault.clone()));
    }
    for path in ["/api/v1/kernels/list", "/v1/kernels.KernelsApiService/ListKernels"] {
        match fault {
            Fault::EndlessPages | Fault::DuplicatedPages | Fault::ReorderedPages | Fault::HostileSlug => {
                server.add_rule(FaultRule::always(path, fault.clone()));
            }
            _ => server.add_rule(FaultRule::times(path, count.min(2), fault.clone())),
        }
    }
    let haul = persist(&server, generation, folder.path(), fault);
    let (found, wanted): (BTreeSet<_>, BTreeSet<_>) =
        (haul.records.iter().collect(), expected.records.iter().collect());
    let differences: Vec<_> = found.symmetric_difference(&wanted).take(2).collect();
    assert!(differences.is_empty(), "{generation:?} {fault:?}: {differences:#?}");
    if *fault == Fault::HostileSlug {
        let mut refused = haul.listings.iter().flat_map(|listing| &listing.refused);
        assert!(refused.any(|refused| refused.why.to_string().contains("etc/passwd")));
    }
}

#[test]
fn with_each_fault_in_turn_the_end_is_the_same() {
    for generation in GENERATIONS {
        let expected = undisturbed(generation);
        let left = Mutex::new(faults());
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    while let Some(fault) = { left.lock().expect("no test panics with it").pop() } {
                        disturbed(generation, &fault, &expected);
                    }
                });
            }
        });
    }
}

#[test]
fn a_list_that_is_cut_is_read_from_all_sides() {
    let world = WorldSpec { seed: 3, kernels: 400, competitions: 1, users: 40 };
    let server =
        FakeKaggle::start(FakeServerSettings { world, listing_cap: 60, ..FakeServerSettings::default() }).unwrap();
    let folder = folder();
    let api = open(&server, Generation::Legacy, folder.path());
    let slug = Slug::new(&server.world().competitions()[0].slug).unwrap();
    let listed = server.world().kernels().filter(|kernel| kernel.visibility != Visibility::Private).count();
    let listing = api.notebooks(&slug, &Search { reach: 60, ..Search::default() }).unwrap();
    assert!(!listing.complete);
    assert!(listing.notebooks.len() > listed * 6 / 10, "{} of {listed}", listing.notebooks.len());
    assert!(listing.lists > 10, "{}", listing.lists);
}

#[test]
fn old_versions_come_where_the_server_gives_them_and_are_never_mistaken() {
    let expected = |labels| {
        let server = FakeKaggle::start(FakeServerSettings { version_labels: labels, ..small() }).unwrap();
        let folder = folder();
        let every = ApiPlan { versions: Versions::Every, statuses: true, ..plan(&server) };
        let haul = mine(&open(&server, Generation::Modern, folder.path()), &every).unwrap();
        let world = server.world();
        let mut right = 0;
        for kernel in world.kernels() {
            for version in &kernel.versions {
                let key = format!("version {}#{}", kernel.reference(world), version.number);
                let Some(record) = haul.records.get(&key) else { continue };
                let code = ContentHash::of(source(world, &kernel, version, Outputs::Stripped).as_bytes());
                assert!(record.contains(&format!("\"code\":\"{code}\"")), "{labels:?} {key}");
                right += 1;
            }
        }
        (right, haul)
    };
    let (served, haul) = expected(VersionLabels::Served);
    let (ignored, _) = expected(VersionLabels::Ignored);
    let (denied, _) = expected(VersionLabels::Denied);
    assert!(served > 2 * ignored && denied >= ignored, "{served} {ignored} {denied}");
    let own = format!("\"status\":\"{}\"", RunStatus::Complete);
    assert!(haul.records.values().any(|record| record.contains(&own)));
}

#[test]
fn leaderboards_come_whole_or_name_the_rules() {
    for generation in GENERATIONS {
        let server = start(small());
        let folder = folder();
        let api = open(&server, generation, folder.path());
        let mut accepted = 0;
        for competition in server.world().competitions() {
            match api.leaderboard(&Slug::new(&competition.slug).unwrap()) {
                Ok(rows) => {
                    accepted += 1;
                    assert!(competition.rules_accepted);
                    assert!(rows.iter().all(|row| row.score.is_some() && row.rank.is_some() && !row.team.is_empty()));
                }
                Err(error) => {
                    assert!(!competition.rules_accepted, "{error}");
                    assert!(matches!(error, ApiError::RulesNotAccepted { .. }), "{error}");
                }
            }
        }
        assert!(accepted > 0);
    }
}

#[test]
fn competitions_are_listed_whole() {
    for generation in GENERATIONS {
        let world = WorldSpec { competitions: 47, ..small().world };
        let server = FakeKaggle::start(FakeServerSettings { world, ..small() }).unwrap();
        let folder = folder();
        let all = open(&server, generation, folder.path()).competitions().unwrap();
        assert_eq!((all.competitions.len(), all.refused.len()), (47, 0), "{generation:?}");
        let one = open(&server, generation, folder.path()).competition(&all.competitions[0].slug).unwrap();
        assert_eq!((one.id, one.title), (all.competitions[0].id, all.competitions[0].title.clone()));
    }
}

#[test]
fn a_wrong_key_ends_everything_at_once() {
    let server = start(small());
    server.add_rule(FaultRule::always("", Fault::Unauthorized));
    let folder = folder();
    let api = open(&server, Generation::Modern, folder.path());
    assert!(matches!(mine(&api, &plan(&server)), Err(ApiError::CredentialsWrong { .. })));
    assert_eq!(server.log().len(), 1);
    assert!(api.notebook(&NotebookName::new("a/b").unwrap(), None).is_err());
}

#[test]
fn two_miners_share_one_polite_rate() {
    let server = start(FakeServerSettings { requests_per_second: Some(25), ..small() });
    let folder = folder();
    std::fs::create_dir(folder.path().join("budget")).unwrap();
    let manners = Manners { rate: 20.0, ..Manners::default() };
    std::thread::scope(|scope| {
        for half in 0..2 {
            let (server, folder) = (&server, folder.path());
            scope.spawn(move || {
                let own = folder.join(format!("{half}"));
                std::fs::create_dir_all(&own).unwrap();
                std::os::unix::fs::symlink(folder.join("budget"), own.join("budget")).unwrap();
                let api = open_with(&server.url(), server.credentials(), Generation::Legacy, &own, manners);
                mine(&api, &ApiPlan { at_most: Some(8), ..plan(server) }).unwrap();
            });
        }
    });
    let log = server.log();
    assert!(log.len() > 40, "{}", log.len());
    assert!(log.iter().all(|entry| entry.concurrent <= 1 && entry.status != Some(429)));
    assert!(busiest(&log, Duration::from_secs(1)) <= 22);
}

/// Where the child of the next test finds its folder and server.
const FOLDER: &str = "NBREVIVE_TEST_MINE_FOLDER";
const URL: &str = "NBREVIVE_TEST_MINE_URL";

/// What the child of the next test does; without its variables it does nothing. It may be killed at any moment, and may
/// fail.
#[test]
fn other_process() {
    let (Some(folder), Ok(url)) = (std::env::var_os(FOLDER), std::env::var(URL)) else { return };
    let twin = start(small());
    let api = open_at(&url, twin.credentials(), Generation::Modern, Path::new(&folder));
    drop(mine(&api, &plan(&twin)));
}

#[test]
fn killed_at_twenty_moments_on_a_bad_day_the_end_is_the_same() {
    let expected = undisturbed(Generation::Modern);
    let (server, folder) = (start(small()), folder());
    for (fault, probability) in [
        (Fault::ServerError { status: 503 }, 0.1),
        (Fault::ResetInBody, 0.1),
        (Fault::TruncatedJson, 0.05),
        (Fault::TooManyRequests { retry_after: RetryAfter::None }, 0.05),
    ] {
        server.add_rule(FaultRule { when: When::Chance { probability }, ..FaultRule::always("/v1/", fault) });
    }
    let url = server.url();
    let variables = [(FOLDER, folder.path().as_os_str()), (URL, url.as_ref())];
    let killed = killed_in_rounds(20, "kaggle::other_process", &variables);
    assert!(killed >= 5, "only {killed} of 20 were still running when they were to be killed");
    let found = persist(&server, Generation::Modern, folder.path(), &Fault::ResetInBody);
    assert!(found.records == expected.records);
    assert!(server.log().iter().all(|entry| !entry.has_secret_in_target));
}
