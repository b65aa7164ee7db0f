//! The statements of the site's documentation, each against the servers.

use std::time::Duration;

use reqwest::blocking::{Client, Response};
use reqwest::redirect::Policy;
use serde_json::Value;

use super::*;
use crate::world::Fate;

fn server(limits: HubLimits) -> (FakeGitHub, Arc<Mutex<Timestamp>>) {
    let clock = Arc::new(Mutex::new(Timestamp::from_second(1_700_000_000).unwrap()));
    let server = FakeGitHub::start_by(HubWorld::drawn(7, 2500), limits, Some(Arc::clone(&clock))).unwrap();
    (server, clock)
}

fn client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder().redirect(Policy::none()).timeout(Duration::from_secs(30)).no_proxy();
    builder.user_agent("test").build().unwrap()
}

fn get(server: &FakeGitHub, target: &str) -> Response {
    let address = format!("{}{target}", server.url());
    client().get(address).bearer_auth(server.token()).header("x-github-api-version", "2022-11-28").send().unwrap()
}

fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

fn one(server: &FakeGitHub, fate: Fate) -> String {
    server.world().repositories().iter().find(|one| one.fate == fate && one.former.is_none()).unwrap().full_name()
}

#[test]
fn a_search_gives_a_thousand_results_and_says_how_many_there_are() {
    let (server, _) = server(HubLimits::default());
    let query = "/search/repositories?q=stars:0..10000000&per_page=100";
    let first = get(&server, query);
    let link = header(&first, "link");
    assert!(link.contains("page=2>; rel=\"next\"") && link.contains("page=10>; rel=\"last\""), "{link}");
    let body: Value = serde_json::from_str(&first.text().unwrap()).unwrap();
    assert!(body["total_count"].as_u64().unwrap() > 2000 && body["items"].as_array().unwrap().len() == 100);
    let last = get(&server, &format!("{query}&page=10"));
    assert!(last.status() == 200 && !header(&last, "link").contains("next"));
    let beyond = get(&server, &format!("{query}&page=11"));
    assert_eq!(beyond.status(), 422);
    assert!(beyond.text().unwrap().contains("Only the first 1000"));
    assert_eq!(get(&server, "/search/repositories?q=nonsense:1").status(), 422);
}

#[test]
fn limits_have_windows_and_what_did_not_change_does_not_count() {
    let (server, clock) = server(HubLimits { core: 3, ..HubLimits::default() });
    let target = format!("/repos/{}", one(&server, Fate::Public));
    let first = get(&server, &target);
    assert_eq!(
        (header(&first, "x-ratelimit-remaining"), header(&first, "x-ratelimit-resource")),
        ("2".into(), "core".into())
    );
    let known = header(&first, "etag");
    for _ in 0..5 {
        let address = format!("{}{target}", server.url());
        let again = client().get(address).bearer_auth(server.token()).header("if-none-match", &known).send().unwrap();
        assert_eq!(again.status(), 304);
    }
    assert_eq!(
        (get(&server, &target).status(), get(&server, &target).status()),
        (200.try_into().unwrap(), 200.try_into().unwrap())
    );
    let over = get(&server, &target);
    assert_eq!((over.status().as_u16(), header(&over, "x-ratelimit-remaining")), (403, "0".into()));
    let reset: i64 = header(&over, "x-ratelimit-reset").parse().unwrap();
    assert_eq!(reset, 1_700_000_000 + 3600);
    assert!(over.text().unwrap().contains("API rate limit exceeded"));
    assert_eq!(get(&server, "/search/repositories?q=stars:5").status(), 200);
    *clock.lock().unwrap() = Timestamp::from_second(reset).unwrap();
    assert_eq!(get(&server, &target).status(), 200);
}

#[test]
fn states_answer_as_the_site_does() {
    let (server, _) = server(HubLimits::none());
    let status = |target: &str| get(&server, target).status().as_u16();
    assert_eq!(status("/repos/nobody/nothing"), 404);
    assert_eq!(status(&format!("/repos/{}", one(&server, Fate::Missing))), 404);
    assert_eq!(status(&format!("/repos/{}", one(&server, Fate::BlockedByLaw))), 451);
    assert_eq!(status(&format!("/repos/{}", one(&server, Fate::Blocked))), 403);
    let empty = one(&server, Fate::Empty);
    assert_eq!((status(&format!("/repos/{empty}")), status(&format!("/repos/{empty}/commits/main"))), (200, 409));
    let public = one(&server, Fate::Public);
    assert_eq!(status(&format!("/repos/{}/commits/HEAD", public.to_uppercase())), 200);
    assert_eq!(status(&format!("/repos/{public}/commits/{}", "0".repeat(40))), 422);
    let wrong = client().get(server.url()).bearer_auth("wrong").send().unwrap();
    assert_eq!(wrong.status(), 401);
}

#[test]
fn a_renamed_repository_leads_to_its_number_and_an_archive_to_another_host() {
    let (server, _) = server(HubLimits::none());
    let world = server.world();
    let renamed = world.repositories().iter().find(|one| one.former.is_some() && one.fate == Fate::Public).unwrap();
    let moved = get(&server, &format!("/repos/{}/commits/HEAD", renamed.former.as_ref().unwrap()));
    let location = header(&moved, "location");
    assert_eq!(moved.status(), 301);
    assert_eq!(location, format!("{}/repositories/{}/commits/HEAD", server.url(), renamed.id));
    let archive = get(&server, &format!("/repositories/{}/tarball/{}", renamed.id, renamed.head));
    assert_eq!(archive.status(), 302);
    let location = header(&archive, "location");
    assert!(location.starts_with(&server.archives_url()), "{location}");
    let packed = client().get(location).send().unwrap().bytes().unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_ref()));
    let paths: Vec<String> =
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect();
    let top = format!("{}-{}-{}", renamed.owner, renamed.name, &renamed.head[..7]);
    assert!(paths[0] == "pax_global_header" && paths.contains(&format!("{top}/README.md")), "{paths:?}");
}

#[test]
fn a_secondary_limit_refuses_who_asks_too_fast() {
    let (server, clock) = server(HubLimits { points: 5, ..HubLimits::default() });
    let target = format!("/repos/{}", one(&server, Fate::Public));
    let statuses: Vec<u16> = (0..6).map(|_| get(&server, &target).status().as_u16()).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 403]);
    assert_eq!(header(&get(&server, &target), "retry-after"), "60");
    *clock.lock().unwrap() = Timestamp::from_second(1_700_000_061).unwrap();
    assert_eq!(get(&server, &target).status(), 200);
}
