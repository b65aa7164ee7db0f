//! Bad days of a server: what is tried again, what is final, what is kept, and what never shows.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::api::{ApiError, Harm};
use crate::budget::{BudgetError, Clock, Manners};
use crate::http::Timeouts;
use crate::records::{NotebookName, Slug};
use crate::testing::{KEY, Manner, Reply, Scene};

fn name() -> NotebookName {
    NotebookName::new("ada/x").unwrap()
}

fn good() -> Reply {
    Reply::json(json!({"metadata": {"ref": "ada/x"}, "blob": {"source": "print(1)"}}))
}

fn titanic() -> Slug {
    Slug::new("titanic").unwrap()
}

/// The first answers are bad; then comes the good one.
fn recovers(bad: Vec<Reply>) -> Scene {
    let count = bad.len();
    let scene = Scene::new(move |_, before| bad.get(before).cloned().unwrap_or_else(good));
    let pulled = scene.api().notebook(&name(), None).unwrap();
    assert_eq!(scene.store().read(&pulled.version.code.unwrap()).unwrap(), b"print(1)");
    assert_eq!(scene.server.requests().len(), count + 1);
    assert_eq!(scene.journal().len(), count + 1);
    scene
}

#[test]
fn what_time_can_cure_is_tried_again() {
    recovers(vec![Reply::status(500, "oops"), Reply::status(503, "<html>"), Reply::status(502, "")]);
    recovers(vec![Reply::status(429, json!({"code": 429, "message": "TooManyRequests"}))]);
    recovers(vec![good().manner(Manner::Reset), good().manner(Manner::Cut(10))]);
    recovers(vec![good().manner(Manner::Cut(0))]);
    let cut = Reply::json(r#"{"metadata":{"ref":"ada/x"},"blob":{"sou"#).manner(Manner::Unmeasured);
    recovers(vec![cut, Reply::json("<html>Please sign in</html>")]);
    let scene = recovers(vec![Reply::json(json!({"metadata": {"ref": 5}, "blob": {}}))]);
    let faults: Vec<String> = scene.journal().into_iter().filter_map(|(_, fault)| fault).collect();
    assert_eq!(faults, ["field `metadata.ref` should be a text and is a number"]);
    recovers(vec![Reply::json(json!({"error": {"code": 429, "message": "Too many requests"}}))]);
}

#[test]
fn every_answer_is_kept_whole_or_not_at_all() {
    let scene = recovers(vec![Reply::status(500, "oops"), good().manner(Manner::Cut(10))]);
    let bodies: Vec<bool> = scene
        .store()
        .answers("GET kernels/pull?userName=ada&kernelSlug=x")
        .unwrap()
        .into_iter()
        .map(|kept| kept.body.is_some_and(|body| scene.store().has(&body)))
        .collect();
    assert_eq!(bodies, [true, false, true]);
}

#[test]
fn retry_after_is_obeyed() {
    let start = Instant::now();
    recovers(vec![Reply::status(429, "").header("retry-after: 1")]);
    assert!(start.elapsed() >= Duration::from_secs(1));
    let soon = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(2);
    let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&soon).unwrap();
    recovers(vec![Reply::status(503, "").header(&format!("retry-after: {date}"))]);
    assert!(jiff::Timestamp::now() >= soon - jiff::SignedDuration::from_secs(1));
}

#[test]
fn a_pause_beyond_the_cap_stops_the_run_and_holds_for_the_next() {
    let mut scene = Scene::new(|_, _| Reply::status(429, "").header("retry-after: 7200"));
    scene.clock = Clock::manual("2026-01-01T00:00:00Z".parse().unwrap());
    scene.manners = Manners { longest_wait: Duration::from_secs(900), ..scene.manners };
    for _ in 0..2 {
        let error = scene.api().notebook(&name(), None).unwrap_err();
        assert!(matches!(&error, ApiError::Budget(BudgetError::TooLong { .. })), "{error}");
        assert_eq!(error.harm(), Harm::Run);
    }
    assert_eq!(scene.server.requests().len(), 1);
}

#[test]
fn trouble_that_lasts_is_told_by_its_kind() {
    let error = |reply: Reply| {
        let scene = Scene::new(move |_, _| reply.clone());
        (scene.api().notebook(&name(), None).unwrap_err(), scene.server.requests().len())
    };
    assert!(matches!(error(Reply::status(500, "")), (ApiError::Server { status: 500, attempts: 4, .. }, 4)));
    assert!(matches!(error(Reply::status(429, "")), (ApiError::RateLimited { attempts: 4, .. }, 4)));
    assert!(matches!(error(good().manner(Manner::Cut(9))), (ApiError::Truncated { attempts: 4, .. }, 4)));
    assert!(matches!(error(good().manner(Manner::Reset)), (ApiError::Unreachable { attempts: 4, .. }, 4)));
    assert!(matches!(error(Reply::json("<html>")), (ApiError::NotJson { .. }, 3)));
    assert!(matches!(error(Reply::json("[]")), (ApiError::Shape { .. }, 3)));
    assert!(matches!(error(Reply::json(json!({"metadata": {"ref": "x"}}))), (ApiError::Shape { .. }, 3)));
    assert!(matches!(error(Reply::status(418, "{}")), (ApiError::Refused { status: 418, .. }, 1)));
}

#[test]
fn wrong_credentials_and_rules_say_what_to_do() {
    let scene = Scene::new(|_, _| Reply::status(401, json!({"code": 401, "message": "Unauthorized"})));
    let error = scene.api().notebook(&name(), None).unwrap_err();
    assert_eq!(error.harm(), Harm::Run);
    assert!(error.to_string().contains("credentials in the settings are not accepted"), "{error}");
    let rules = "You must accept this competition's rules before you'll be able to download files.";
    let scene = Scene::new(move |_, _| Reply::status(403, json!({"code": 403, "message": rules})));
    let error = scene.api().leaderboard(&titanic()).unwrap_err();
    assert_eq!(error.harm(), Harm::Competition);
    assert!(error.to_string().contains("/competitions/titanic/rules"), "{error}");
}

#[test]
fn a_refusal_is_believed_when_it_is_repeated() {
    let refusals = [
        Reply::status(404, json!({"code": 404, "message": "Not found\u{1b}[31m"})),
        Reply::json(json!({"code": 403, "message": "Permission 'kernels.get' was denied"})),
    ];
    let scene = Scene::new(move |_, before| refusals.get(before).cloned().unwrap_or_else(good));
    let ask = || scene.api().notebook(&name(), None).unwrap_err();
    let first = ask();
    assert!(matches!(first, ApiError::NotAvailable { status: 404, final_word: false, .. }), "{first}");
    assert!(!first.to_string().contains('\u{1b}'));
    assert!(matches!(ask(), ApiError::NotAvailable { status: 403, final_word: true, .. }));
    assert!(matches!(ask(), ApiError::NotAvailable { final_word: true, .. }));
    assert_eq!(scene.server.requests().len(), 2);
}

#[test]
fn a_spurious_refusal_does_not_stick() {
    let scene = Scene::new(|_, before| if before == 0 { Reply::status(404, "{}") } else { good() });
    assert!(scene.api().notebook(&name(), None).is_err());
    assert!(scene.api().notebook(&name(), None).is_ok());
}

#[test]
fn an_answer_that_is_too_large_is_left_and_remembered() {
    let large = || Reply::json(json!({"metadata": {"ref": "ada/x"}, "blob": {"source": "x".repeat(300_000)}}));
    for manner in [Manner::Whole, Manner::Unmeasured] {
        let mut scene = Scene::new(move |_, _| large().manner(manner.clone()));
        scene.settings.largest_answer = 200_000;
        for expected in [false, true, true] {
            match scene.api().notebook(&name(), None).unwrap_err() {
                ApiError::TooLarge { limit: 200_000, final_word, .. } => assert_eq!(final_word, expected),
                error => panic!("{error}"),
            }
        }
        assert_eq!(scene.server.requests().len(), 2);
        let files = |folder: &Path| fs::read_dir(folder).unwrap().count();
        assert_eq!(files(&scene.store().folder().join("bodies")), 0);
        scene.settings.largest_answer = 400_000;
        assert!(scene.api().notebook(&name(), None).is_ok());
    }
}

#[test]
fn stalls_and_drips_end() {
    let settings =
        Timeouts { connect: Duration::from_secs(5), silence: Duration::from_secs(1), whole: Duration::from_secs(2) };
    for manner in [Manner::Stall(Duration::from_secs(90)), Manner::Drip(Duration::from_millis(50))] {
        let mut scene = Scene::new(move |_, before| if before == 0 { good().manner(manner.clone()) } else { good() });
        scene.settings.timeouts = settings;
        let start = Instant::now();
        assert!(scene.api().notebook(&name(), None).is_ok());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        assert_eq!(scene.server.requests().len(), 2);
    }
}

#[test]
fn a_server_that_is_not_there_is_unreachable() {
    let mut scene = Scene::new(|_, _| good());
    scene.server.host = "127.0.0.1:1".into();
    assert!(matches!(scene.api().notebook(&name(), None), Err(ApiError::Unreachable { attempts: 4, .. })));
}

#[test]
fn secrets_show_nowhere_even_when_the_server_sends_them_back() {
    for modern in [false, true] {
        let scene = Scene::new(|request, before| {
            let echo = format!("{} {KEY}", request.authorization);
            match before {
                0 => Reply::status(500, &echo),
                1 => Reply::status(400, json!({"code": 400, "message": echo})),
                _ => Reply::json(json!({"metadata": {"ref": "ada/x"}, "blob": {"source": echo}})),
            }
        });
        let scene = if modern { scene.modern() } else { scene };
        let api = scene.api();
        let error = api.notebook(&name(), None).unwrap_err();
        let pulled = api.notebook(&name(), None).unwrap();
        let shown = scene.server.requests()[0].authorization.split_once(' ').unwrap().1.to_owned();
        let mut everything = format!("{error} {error:?} {api:?} {pulled:?}");
        for entry in scene.store().journal().unwrap() {
            everything.push_str(&format!("{entry:?}"));
        }
        everything.push_str(&texts(scene.folder.path()));
        assert!(everything.contains("ada/x") && everything.contains("***"));
        assert!(!everything.contains(KEY) && !everything.contains(&shown), "{everything}");
    }
}

/// Every file below a folder as text, unpacked where it is packed.
fn texts(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&texts(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            text.push_str(&String::from_utf8_lossy(&zstd::decode_all(&*bytes).unwrap_or(bytes)));
        }
    }
    text
}

#[test]
fn one_request_at_a_time_at_the_agreed_rate() {
    let mut scene = Scene::new(|_, _| good());
    scene.manners = Manners { rate: 20.0, ..Manners::default() };
    let api = scene.api();
    let start = Instant::now();
    for number in 0..5 {
        api.notebook(&NotebookName::new(&format!("ada/n{number}")).unwrap(), None).unwrap();
    }
    assert!(start.elapsed() >= Duration::from_millis(190), "{:?}", start.elapsed());
}
