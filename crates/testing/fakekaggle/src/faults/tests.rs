//! Every switch does what it says, as a client sees it.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use crate::faults::transform::HOSTILE_SLUG;
use crate::server::FakeKaggle;
use crate::testing::{client, internal, json as parsed, legacy, modern, plain, server, signed};
use crate::world::Visibility;

const LIST: &str = "/api/v1/kernels/list?competition=iris-species&pageSize=20";

fn with(path: &str, fault: Fault) -> FakeKaggle {
    let server = server();
    server.add_rule(FaultRule::always(path, fault));
    server
}

/// The bytes that come over a raw socket, and how they end.
fn raw(server: &FakeKaggle, path: &str, wait: Duration) -> (String, Result<(), ErrorKind>) {
    let mut stream = TcpStream::connect(server.url().trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(wait)).unwrap();
    let token = &server.credentials().token;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n\r\n").unwrap();
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    let end = loop {
        match stream.read(&mut chunk) {
            Ok(0) => break Ok(()),
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) => break Err(error.kind()),
        }
    };
    (String::from_utf8_lossy(&bytes).into_owned(), end)
}

/// The announced length of the body and the bytes of it that came.
fn lengths(text: &str) -> (usize, usize) {
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let line = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
    (line.parse().unwrap(), body.len())
}

#[test]
fn refusals_have_the_form_of_each_generation() {
    let server = with("", Fault::Forbidden { message: None });
    let message = "Permission 'kernels.get' was denied";
    assert_eq!(legacy(&server, LIST), (403, json!({"code": 403, "message": message})));
    let (_, new) = modern(&server, "kernels.KernelsApiService/ListKernels", &json!({}));
    assert_eq!(new["error"]["message"], message);
    let (status, inner) = internal(&server, "kernels.KernelsService/GetKernel", &json!({}));
    assert_eq!((status, &inner["errors"][0]), (403, &json!(message)));
    let cases = [
        (Fault::Unauthorized, 401, "Unauthorized"),
        (Fault::NotFound, 404, "Not found"),
        (Fault::Forbidden { message: Some("Forbidden".into()) }, 403, "Forbidden"),
        (Fault::RulesNotAccepted, 403, crate::refusal::RULES),
    ];
    for (fault, status, message) in cases {
        let (found, body) = legacy(&with("", fault), LIST);
        assert_eq!((found, &body["message"]), (status, &json!(message)));
    }
}

#[test]
fn too_many_requests_come_with_and_without_a_time() {
    let retry = |retry_after| {
        let server = with("", Fault::TooManyRequests { retry_after });
        let response = signed(&server, LIST).send().unwrap();
        let header = response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        (parsed(response), header)
    };
    assert_eq!(retry(RetryAfter::None), ((429, json!({"code": 429, "message": "TooManyRequests"})), None));
    assert_eq!(retry(RetryAfter::Seconds(7)).1.as_deref(), Some("7"));
    let date = retry(RetryAfter::Date(60)).1.unwrap();
    assert!(date.ends_with(" GMT") && date.split(' ').count() == 6, "{date}");
    let server = with("", Fault::TooManyRequests { retry_after: RetryAfter::None });
    let (_, body) = modern(&server, "kernels.KernelsApiService/ListKernels", &json!({}));
    let expected = json!({"code": 429, "message": "Too many requests", "status": "RESOURCE_EXHAUSTED"});
    assert_eq!(body["error"], expected);
}

#[test]
fn rules_fire_by_count_by_burst_by_chance_and_by_method() {
    let pattern = |when, count: usize| {
        let server = server();
        server.add_rule(FaultRule {
            path: "/api/".into(),
            method: None,
            when,
            fault: Fault::ServerError { status: 503 },
        });
        let status = |_| signed(&server, LIST).send().unwrap().status().as_u16();
        (0..count).map(status).map(|status| if status == 503 { 'x' } else { '.' }).collect::<String>()
    };
    assert_eq!(pattern(When::Times { skip: 1, count: 2 }, 5), ".xx..");
    assert_eq!(pattern(When::Burst { every: 4, length: 2 }, 8), "xx..xx..");
    let chance = pattern(When::Chance { probability: 0.5 }, 24);
    assert_eq!(chance, pattern(When::Chance { probability: 0.5 }, 24));
    assert!((5..20).contains(&chance.matches('x').count()), "{chance}");
    let server = server();
    let fault = Fault::NotFound;
    server.add_rule(FaultRule { path: String::new(), method: Some("POST".into()), when: When::Always, fault });
    assert_eq!(legacy(&server, LIST).0, 200);
    assert_eq!(modern(&server, "kernels.KernelsApiService/ListKernels", &json!({})).0, 404);
    server.clear_rules();
    assert_eq!(modern(&server, "kernels.KernelsApiService/ListKernels", &json!({})).0, 200);
}

#[test]
fn server_errors_and_browser_checks_are_pages() {
    let response = signed(&with("", Fault::ServerError { status: 502 }), LIST).send().unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-type"]),
        (502, &"text/html; charset=utf-8".parse().unwrap())
    );
    let response = signed(&with("", Fault::HtmlInsteadOfJson), LIST).send().unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.text().unwrap().contains("Checking your browser"));
    let server = with("", Fault::StatusInBody { status: 403 });
    assert_eq!(legacy(&server, LIST), (200, json!({"code": 403, "message": "Forbidden"})));
}

#[test]
fn a_connection_is_reset_in_the_head_and_in_the_body() {
    let wait = Duration::from_secs(5);
    let (text, end) = raw(&with("", Fault::ResetInHeaders), LIST, wait);
    assert_eq!(end, Err(ErrorKind::ConnectionReset));
    assert!(text.starts_with("HTTP/1.1 200") && !text.contains("\r\n\r\n"), "{text}");
    let (text, end) = raw(&with("", Fault::ResetInBody), LIST, wait);
    assert_eq!(end, Err(ErrorKind::ConnectionReset));
    let (announced, came) = lengths(&text);
    assert!(came > 0 && came < announced, "{came} of {announced}");
    let (text, end) = raw(&with("", Fault::CutShort), LIST, wait);
    let (announced, came) = lengths(&text);
    assert!(end.is_ok() && came == announced / 2, "{came} of {announced}, {end:?}");
    let server = with("", Fault::CutShort);
    assert!(signed(&server, LIST).send().and_then(reqwest::blocking::Response::bytes).is_err());
}

#[test]
fn a_stall_sends_nothing_and_a_stalled_body_half() {
    let wait = Duration::from_millis(1_500);
    let (text, end) = raw(&with("", Fault::Stall), LIST, wait);
    assert_eq!((text.as_str(), end), ("", Err(ErrorKind::WouldBlock)));
    let (text, end) = raw(&with("", Fault::StallInBody), LIST, wait);
    let (announced, came) = lengths(&text);
    assert!(end == Err(ErrorKind::WouldBlock) && came == announced / 2, "{came} of {announced}");
}

#[test]
fn a_slow_body_comes_whole_in_its_time() {
    let path = "/api/v1/competitions/get/iris-species";
    let server = with("", Fault::SlowDrip { bytes_per_second: 2_000 });
    let started = Instant::now();
    let body = signed(&server, path).send().unwrap().text().unwrap();
    let least = Duration::from_secs_f64(body.len() as f64 / 2_000.0 * 0.9);
    assert!(started.elapsed() > least, "{} bytes after {:?}", body.len(), started.elapsed());
    server.clear_rules();
    assert_eq!(body, signed(&server, path).send().unwrap().text().unwrap());
}

#[test]
fn json_is_cut_or_of_the_wrong_types() {
    let server = with("", Fault::TruncatedJson);
    let response = signed(&server, LIST).send().unwrap();
    let length = response.content_length();
    let text = response.text().unwrap();
    assert_eq!((length, serde_json::from_str::<Value>(&text).is_err()), (Some(text.len() as u64), true));
    let (status, list) = legacy(&with("", Fault::WrongTypes), LIST);
    assert_eq!(status, 200);
    assert!(list[0]["ref"].is_number() && list[0]["id"].is_string() && list[0]["isPrivate"].is_string());
}

#[test]
fn a_login_wall_lets_sessions_through() {
    let server = with("/code/", Fault::LoginWall);
    server.add_rule(FaultRule::always("/api/i/", Fault::LoginWall));
    let kernel = server.world().kernels().find(|kernel| kernel.visibility == Visibility::Public).unwrap();
    let path = format!("/code/{}", kernel.reference(server.world()));
    let (status, location, _) = plain(&server, &path);
    assert!(status == 302 && location.starts_with("/account/login?"), "{status} {location}");
    assert!(plain(&server, &location).2.contains("Sign in"));
    assert_eq!(internal(&server, "kernels.KernelsService/GetKernel", &json!({"kernelId": kernel.id})).0, 401);
    let session = format!("ka_sessionid={}", server.credentials().session);
    let request = client().get(format!("{}{path}", server.url())).header("Cookie", session);
    assert_eq!(request.send().unwrap().status(), 200);
}

#[test]
fn lists_repeat_for_ever_duplicate_and_change_order() {
    let ids = |server: &FakeKaggle, page: usize| {
        let (_, list) = legacy(server, &format!("{LIST}&page={page}"));
        list.as_array().unwrap().iter().map(|item| item["id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let calm = server();
    let (first, second) = (ids(&calm, 1), ids(&calm, 2));
    let pages = (1..).take_while(|page| !ids(&calm, *page).is_empty()).count();
    assert!(pages >= 2);
    let endless = with("", Fault::EndlessPages);
    assert_eq!(ids(&endless, pages * 7 + 1), first);
    let duplicated = ids(&with("", Fault::DuplicatedPages), 2);
    assert_eq!((&duplicated[..2], &duplicated[2..]), (&first[18..], &second[..]));
    let mut reordered = ids(&with("", Fault::ReorderedPages), 2);
    assert_ne!(reordered, second);
    reordered.sort_unstable();
    let mut expected = first;
    expected.sort_unstable();
    assert_eq!(reordered, expected);
}

#[test]
fn a_hostile_slug_is_added_to_lists() {
    let server = with("", Fault::HostileSlug);
    let (_, list) = legacy(&server, LIST);
    let list = list.as_array().unwrap();
    assert_eq!((list.len(), &list[20]["ref"]), (21, &json!(HOSTILE_SLUG)));
    assert!(list[..20].iter().all(|item| item["ref"] != json!(HOSTILE_SLUG)));
    let body = json!({"kernelFilterCriteria": {"listRequest": {"competitionId": 3000}}});
    let (_, inner) = internal(&server, "kernels.KernelsService/ListKernels", &body);
    assert_eq!(inner["kernels"][20]["currentUrlSlug"], HOSTILE_SLUG);
}

#[test]
fn a_huge_notebook_is_made_while_it_is_sent() {
    let server = with("/kernels/scriptcontent/", Fault::HugeNotebook { bytes: 200_000_000, is_chunked: false });
    let kernel = server.world().kernels().find(|kernel| kernel.visibility == Visibility::Public).unwrap();
    let path = format!("/kernels/scriptcontent/{}/download", kernel.versions[0].run_id);
    let mut response = client().get(format!("{}{path}", server.url())).timeout(Duration::from_secs(60)).send().unwrap();
    assert!(response.content_length().unwrap() > 199_000_000);
    let mut start = [0; 40];
    response.read_exact(&mut start).unwrap();
    assert!(start.starts_with(b"{\"nbformat\":4"));
    drop(response);
    server.add_rule(FaultRule::always("/api/", Fault::HugeNotebook { bytes: 3_000_000, is_chunked: true }));
    let (_, pulled) = legacy(&server, &format!("/api/v1/kernels/pull/{}", kernel.reference(server.world())));
    let response =
        signed(&server, &format!("/api/v1/kernels/pull/{}", kernel.reference(server.world()))).send().unwrap();
    assert_eq!(
        (response.content_length(), &response.headers()["transfer-encoding"]),
        (None, &"chunked".parse().unwrap())
    );
    let source = pulled["blob"]["source"].as_str().unwrap();
    assert!(source.len() > 2_900_000 && pulled["metadata"]["id"] == json!(kernel.id));
    let document: Value = serde_json::from_str(source).unwrap();
    assert_eq!(document["cells"][0]["outputs"][0]["name"], "stdout");
}

#[test]
fn faults_of_different_kinds_work_together() {
    let server = with("", Fault::HostileSlug);
    server.add_rule(FaultRule::times("", 1, Fault::TooManyRequests { retry_after: RetryAfter::Seconds(0) }));
    server.add_rule(FaultRule::always("", Fault::DuplicatedPages));
    assert_eq!(legacy(&server, LIST).0, 429);
    assert_eq!(
        legacy(&server, &format!("{LIST}&page=2")).1.as_array().unwrap()[0],
        legacy(&server, LIST).1.as_array().unwrap()[18]
    );
}
