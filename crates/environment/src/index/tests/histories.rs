//! Histories: interfaces in order, bad answers, and the cache behind them.

use super::*;
use crate::index::client::Fetcher;

const LISTING: &str = r#"{"meta":{"api-version":"1.1"},"name":"X","files":[{"filename":"x-2.0-py3-none-any.whl","url":"../../f/x-2.0-py3-none-any.whl","upload-time":"2020-01-01T00:00:00Z","hashes":{}}]}"#;
const DATELESS: &str = r#"{"name":"x","files":[{"filename":"x-1.0.tar.gz","url":"/x-1.0.tar.gz"}]}"#;
const PROJECT: &str = r#"{"info":{"name":"x"},"releases":{"1.0":[{"filename":"x-1.0.tar.gz","upload_time_iso_8601":"2018-01-02T00:00:00Z"}]}}"#;
const PAGE: &str = "<html><a href=\"x-1.0.tar.gz\">x-1.0.tar.gz</a></html>";
const ERROR_PAGE: &str = "<html><h1>Bad Gateway</h1></html>";
const OK: &str = "200 OK";
const GONE: (&str, &str, &str) = ("404 Not Found", "", "{}");

fn versions(lookup: Result<Lookup, IndexError>) -> (Vec<String>, bool) {
    match lookup.unwrap() {
        Lookup::Known { history, stale } => {
            (history.releases.iter().map(|release| release.text.to_string()).collect(), stale.is_some())
        }
        Lookup::Absent => (vec!["absent".into()], false),
    }
}

fn fresh(version: &str) -> (Vec<String>, bool) {
    (vec![version.to_owned()], false)
}

#[test]
fn an_answer_is_kept_and_confirmed_by_its_etag() {
    let scene = Scene::scripted(vec![(OK, "etag: \"a1\"\r\n", LISTING), ("304 Not Modified", "", "")]);
    assert_eq!(versions(scene.ask("X")), fresh("2.0"));
    assert_eq!(versions(scene.ask("x")), fresh("2.0"));
    assert_eq!(scene.seen(), ["/simple/x/", "/simple/x/ if-none-match: \"a1\""]);
}

#[test]
fn each_interface_has_an_etag_of_its_own() {
    let listing = (OK, "etag: \"s\"\r\n", DATELESS);
    let project = (OK, "etag: \"p\"\r\n", PROJECT);
    let scene = Scene::scripted(vec![listing, project, ("304 Not Modified", "", ""), GONE, (OK, "", LISTING)]);
    assert_eq!(versions(scene.ask("x")), fresh("1.0"));
    assert_eq!(versions(scene.ask("x")), fresh("1.0"));
    // The interface is given up: the other one is asked without the tag.
    assert_eq!(versions(scene.ask("x")), fresh("2.0"));
    let tagged = "/pypi/x/json if-none-match: \"p\"";
    assert_eq!(scene.seen(), ["/simple/x/", "/pypi/x/json", tagged, tagged, "/simple/x/"]);
}

#[test]
fn a_fresh_answer_is_not_asked_for_again() {
    let mut scene = Scene::scripted(vec![(OK, "", LISTING)]);
    scene.settings.fresh_for = Duration::from_secs(60);
    assert_eq!(versions(scene.ask("x")), versions(scene.ask("x")));
    assert_eq!(scene.seen().len(), 1);
}

#[test]
fn answers_of_another_index_are_not_taken_unasked() {
    let mut scene = Scene::scripted(vec![(OK, "", LISTING)]);
    scene.settings.fresh_for = Duration::from_secs(60);
    assert_eq!(versions(scene.ask("x")), fresh("2.0"));
    let other = Scene::scripted(vec![(OK, "", PROJECT), (OK, "", PROJECT)]);
    scene.settings.address = other.settings.address;
    assert_eq!(versions(scene.ask("x")), fresh("1.0"));
}

#[test]
fn absence_is_an_answer_and_kept() {
    let mut scene = Scene::scripted(vec![GONE, GONE]);
    scene.settings.fresh_for = Duration::from_secs(60);
    assert!(matches!(scene.ask("nothing"), Ok(Lookup::Absent)));
    assert!(matches!(scene.ask("nothing"), Ok(Lookup::Absent)));
    assert_eq!(scene.seen(), ["/simple/nothing/", "/pypi/nothing/json"]);
}

#[test]
fn server_errors_are_tried_again_but_refusals_are_not() {
    let slow = ("429 Slow", "retry-after: 0\r\n", "");
    let later = ("503 Later", "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n", "");
    let scene = Scene::scripted(vec![slow, later, (OK, "", LISTING)]);
    assert_eq!(versions(scene.ask("x")), fresh("2.0"));
    assert_eq!(scene.seen().len(), 3);
    let scene = Scene::scripted(vec![("403 Forbidden", "", ""), (OK, "", LISTING)]);
    let error = scene.ask("x").unwrap_err();
    assert!(
        matches!(&error, IndexError::Unreachable { source, .. } if source.attempts == 1 && !source.transient),
        "{error:?}"
    );
}

#[test]
fn a_body_cut_short_is_tried_again() {
    let cut = (OK, "content-length: 4000\r\n", r#"{"files":[{"filename":"x"#);
    let scene = Scene::scripted(vec![cut, (OK, "", LISTING)]);
    assert_eq!(versions(scene.ask("x")), fresh("2.0"));
}

#[test]
fn redirections_are_followed_but_not_for_ever() {
    let moved = ("301 Moved", "location: /simple/x/\r\n", "");
    let scene = Scene::scripted(vec![moved, (OK, "", LISTING)]);
    assert_eq!(versions(scene.ask("x")), fresh("2.0"));
    let scene = Scene::scripted(vec![moved; 20]);
    let error = scene.ask("x").unwrap_err();
    assert!(matches!(&error, IndexError::Unreachable { source, .. } if !source.transient), "{error:?}");
}

#[test]
fn the_json_api_helps_where_the_listing_has_no_dates_or_is_rubbish() {
    for listing in [DATELESS, PAGE, ERROR_PAGE, "{\"files\":", "", "{\"message\":\"oops\"}"] {
        let scene = Scene::scripted(vec![(OK, "", listing), (OK, "", PROJECT)]);
        assert_eq!(versions(scene.ask("x")), fresh("1.0"), "{listing}");
    }
}

#[test]
fn listings_without_dates_alone_make_no_history() {
    for listing in [DATELESS, PAGE] {
        for project in [GONE, ("405 Method Not Allowed", "", ""), (OK, "", ERROR_PAGE), (OK, "", "{\"info\":{}}")] {
            let scene = Scene::scripted(vec![(OK, "", listing), project]);
            let error = scene.ask("x").unwrap_err();
            assert!(matches!(error, IndexError::HistoryUnavailable { .. }), "{listing} {error:?}");
            assert!(error.to_string().contains("gives no upload dates for x"), "{error}");
        }
    }
}

#[test]
fn rubbish_is_malformed_and_names_what_is_wrong() {
    for (listing, what) in [
        (r#"{"info":{"name":"#, "EOF"),
        (ERROR_PAGE, "perhaps an error page"),
        (r#"{"name":"other","files":[]}"#, "it is the answer for \"other\""),
    ] {
        let scene = Scene::scripted(vec![(OK, "", listing), GONE]);
        let error = scene.ask("x").unwrap_err();
        assert!(matches!(error, IndexError::Malformed { .. }) && error.to_string().contains(what), "{error}");
    }
    let scene = Scene::scripted(vec![("304 Not Modified", "", ""), GONE]);
    assert!(matches!(scene.ask("x"), Err(IndexError::Malformed { .. })));
}

#[test]
fn rubbish_and_silence_leave_the_kept_answer() {
    let scene = Scene::scripted(vec![(OK, "", LISTING), (OK, "", ERROR_PAGE), GONE]);
    assert_eq!(versions(scene.ask("x")), fresh("2.0"));
    assert_eq!(versions(scene.ask("x")), (vec!["2.0".into()], true));
    // The server is gone now.
    assert_eq!(versions(scene.ask("x")), (vec!["2.0".into()], true));
    assert!(matches!(scene.ask("y"), Err(IndexError::Unreachable { .. })));
}

#[test]
fn poisoned_cache_files_are_healed() {
    let mut scene = Scene::scripted(vec![(OK, "", LISTING); 4]);
    scene.settings.fresh_for = Duration::from_secs(60);
    scene.ask("x").unwrap();
    let path = scene.folder.path().join("x.json.zst");
    let sound = std::fs::read(&path).unwrap();
    for poison in [&sound[..20], b"", b"{\"format\":3}"] {
        std::fs::write(&path, poison).unwrap();
        assert_eq!(versions(scene.ask("x")), fresh("2.0"));
        assert_eq!(versions(scene.ask("x")), fresh("2.0"));
    }
    assert_eq!(scene.seen().len(), 4);
    // Another distribution's answer under this name is never taken.
    std::fs::copy(&path, scene.folder.path().join("y.json.zst")).unwrap();
    scene.settings.offline = true;
    assert!(matches!(scene.ask("y"), Err(IndexError::Offline { .. })));
}

#[test]
fn offline_asks_nobody() {
    let mut scene = Scene::scripted(vec![(OK, "", LISTING)]);
    scene.settings.offline = true;
    assert!(matches!(scene.ask("x"), Err(IndexError::Offline { .. })));
    scene.settings.offline = false;
    scene.ask("x").unwrap();
    scene.settings.offline = true;
    assert_eq!(versions(scene.ask("x")), (vec!["2.0".into()], true));
}

#[test]
fn long_answers_are_refused() {
    let (address, _requests) = serve(|_| Some((OK.into(), String::new(), LISTING.into())));
    let fetcher = Fetcher::new(patience()).unwrap().with_longest_answer(20);
    let error = fetcher.get(&address.simple("x"), "*/*", None).unwrap_err();
    assert_eq!((error.what.as_str(), error.transient), ("answer longer than 20 bytes", false));
}

#[test]
fn texts_that_are_no_name_ask_nobody() {
    let scene = Scene::scripted(vec![]);
    for text in ["../etc", "-r", "", "a b", "x\n"] {
        assert!(matches!(scene.ask(text), Err(IndexError::Name(_))), "{text:?}");
    }
}
