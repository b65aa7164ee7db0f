//! The server itself: its log, its control address, its end.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use crate::faults::{Fault, FaultRule};
use crate::log::busiest;
use crate::testing::{client, json as parsed, legacy, plain, server, signed};

const LIST: &str = "/api/v1/kernels/list?pageSize=1";

fn control(server: &FakeKaggle, command: &Value) -> (u16, Value) {
    parsed(client().post(format!("{}/_control", server.url())).body(command.to_string()).send().unwrap())
}

#[test]
fn the_log_tells_who_asked_for_what_without_secrets() {
    let server = server();
    let held = server.credentials().clone();
    legacy(&server, LIST);
    let cookie = format!("ka_sessionid={}; XSRF-TOKEN=abc", held.session);
    client().get(format!("{}/x?key={}", server.url(), held.key)).header("Cookie", cookie).send().unwrap();
    let log = server.log();
    assert_eq!((log.len(), log[0].method.as_str(), log[0].target.as_str()), (2, "GET", LIST));
    assert_eq!((log[0].status, log[1].status), (Some(200), Some(404)));
    assert_eq!((log[0].has_secret_in_target, log[1].has_secret_in_target), (false, true));
    assert_eq!(log[0].header("authorization"), Some("Basic <redacted>"));
    assert_eq!(log[1].header("cookie"), Some("ka_sessionid=<redacted>; XSRF-TOKEN=<redacted>"));
    assert_eq!(log[1].target, "/x?key=<redacted>");
    let text = format!("{log:?}");
    assert!(held.secrets().iter().all(|secret| !text.contains(secret)));
    assert!(log[0].ended.unwrap() >= log[0].started && log[1].started >= log[0].started);
    server.clear_log();
    assert!(server.log().is_empty());
}

#[test]
fn the_log_counts_requests_in_work_and_in_a_span() {
    let server = server();
    server.add_rule(FaultRule::always("/slow", Fault::Stall));
    let url = format!("{}/slow", server.url());
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let request = client().get(&url);
            std::thread::spawn(move || request.send().is_err())
        })
        .collect();
    while server.log().len() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let log = server.log();
    drop(server);
    assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    assert_eq!(log.iter().map(|entry| entry.concurrent).max(), Some(3));
    assert!(log.iter().all(|entry| entry.status.is_none()));
    let shift = log[0].started;
    let at =
        |milliseconds| crate::ServedRequest { started: shift + Duration::from_millis(milliseconds), ..log[0].clone() };
    assert_eq!(busiest(&[at(0), at(900), at(1_100), at(1_950)], Duration::from_secs(1)), 2);
    assert_eq!(busiest(&[at(0), at(900), at(1_100), at(1_850)], Duration::from_secs(1)), 3);
    assert_eq!(busiest(&[], Duration::from_secs(1)), 0);
}

#[test]
fn other_processes_have_the_same_switches() {
    let server = server();
    let rule = json!({"path": "/api/v1/", "when": {"kind": "times", "count": 1},
                      "fault": {"kind": "too-many-requests", "retry_after": {"seconds": 3}}});
    assert_eq!(control(&server, &json!({"do": "add-rule", "rule": rule})).0, 200);
    let (_, rules) = control(&server, &json!({"do": "rules"}));
    assert_eq!(rules[0]["fault"], rule["fault"]);
    assert_eq!(signed(&server, LIST).send().unwrap().headers()["retry-after"], "3");
    assert_eq!(legacy(&server, LIST).0, 200);
    let (_, log) = control(&server, &json!({"do": "log"}));
    assert_eq!((log.as_array().unwrap().len(), &log[0]["status"]), (2, &json!(429)));
    server.clear_rules();
    let every: Vec<FaultRule> = Fault::every().into_iter().map(|fault| FaultRule::always("/never", fault)).collect();
    for rule in &every {
        assert_eq!(control(&server, &json!({"do": "add-rule", "rule": rule})).0, 200, "{rule:?}");
    }
    assert_eq!(control(&server, &json!({"do": "rules"})).1, json!(every));
    assert_eq!(control(&server, &json!({"do": "clear-rules"})).0, 200);
    assert_eq!(control(&server, &json!({"do": "rules"})).1, json!([]));
    control(&server, &json!({"do": "clear-log"}));
    assert!(server.log().is_empty());
    let (_, held) = control(&server, &json!({"do": "credentials"}));
    assert_eq!(held["key"], json!(server.credentials().key));
    let (status, refused) = control(&server, &json!({"do": "add-rule", "rule": {"fault": {"kind": "gremlins"}}}));
    assert!(status == 400 && refused["error"].as_str().unwrap().contains("gremlins"));
    assert_eq!(plain(&server, "/_control").0, 400);
}

#[test]
fn requests_beyond_the_rate_are_turned_away() {
    let settings = FakeServerSettings { requests_per_second: Some(3), ..FakeServerSettings::default() };
    let server = FakeKaggle::start(settings).unwrap();
    let statuses: Vec<u16> = (0..6).map(|_| signed(&server, LIST).send().unwrap().status().as_u16()).collect();
    if server.log()[5].started - server.log()[0].started < Duration::from_secs(1) {
        assert_eq!(statuses, [200, 200, 200, 429, 429, 429]);
    }
    assert!(plain(&server, "/").0 == 200);
}

#[test]
fn a_taken_port_is_an_error_and_a_dropped_server_is_gone() {
    let server = server();
    let port = server.server.address().port();
    let error = FakeKaggle::start(FakeServerSettings { port, ..FakeServerSettings::default() }).unwrap_err();
    assert!(error.to_string().contains(&port.to_string()));
    server.add_rule(FaultRule::always("/slow", Fault::Stall));
    let request = client().get(format!("{}/slow", server.url()));
    let waiting = std::thread::spawn(move || request.send().is_err());
    while server.log().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let started = Instant::now();
    drop(server);
    // Far sooner than the client would have given up.
    assert!(waiting.join().unwrap() && started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_connection_serves_many_requests_and_rubbish_ends_it() {
    use std::io::{Read, Write};
    let server = server();
    let connect = || {
        let stream = TcpStream::connect(server.server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream
    };
    let mut stream = connect();
    write!(stream, "HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200") && text.contains("HTTP/1.1 404"), "{text}");
    let mut stream = connect();
    stream.write_all(b"\x00\x01\x02 rubbish\r\n\r\n").unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.is_empty());
    assert_eq!(plain(&server, "/").0, 200);
}

#[test]
fn answers_are_compressed_for_those_who_accept_it() {
    let server = FakeKaggle::start(FakeServerSettings { has_gzip: true, ..FakeServerSettings::default() }).unwrap();
    // The client adds the header and unpacks the answer by itself.
    let (status, list) = legacy(&server, LIST);
    assert_eq!((status, list.as_array().unwrap().len()), (200, 1));
    let accept = server.log()[0].header("accept-encoding").map(str::to_owned);
    assert!(accept.unwrap().contains("gzip"));
    let mut plain = signed(&server, LIST).header("Accept-Encoding", "identity").send().unwrap();
    let mut bytes = Vec::new();
    plain.copy_to(&mut bytes).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), list);
    use std::io::{Read, Write};
    let mut stream = TcpStream::connect(server.server.address()).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n").unwrap();
    let mut packed = Vec::new();
    stream.read_to_end(&mut packed).unwrap();
    let text = String::from_utf8_lossy(&packed);
    assert!(text.contains("Content-Encoding: gzip\r\n") && !text.contains("<html"), "{text}");
}

#[test]
fn a_slow_network_can_be_had() {
    let latency = Duration::from_millis(150);
    let server = FakeKaggle::start(FakeServerSettings { latency, ..FakeServerSettings::default() }).unwrap();
    let started = Instant::now();
    plain(&server, "/");
    assert!(started.elapsed() >= latency);
}
