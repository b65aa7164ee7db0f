use std::time::Duration;

use reqwest::blocking::Client;
use serde_json::json;

use super::*;

fn ask(server: &FakeModel, path: &str, idempotency: Option<&str>) -> (u16, Value) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().no_proxy().timeout(Duration::from_secs(20)).build().unwrap();
    let text = json!([{"role": "user", "content": "hello"}]);
    let body = json!({"model": "m", "messages": text, "input": text});
    let request = client.post(format!("{}{path}", server.url())).bearer_auth(server.key()).body(body.to_string());
    let request = idempotency.into_iter().fold(request, |request, key| request.header("Idempotency-Key", key));
    let response = request.send().unwrap();
    (response.status().as_u16(), serde_json::from_str(&response.text().unwrap()).unwrap())
}

#[test]
fn both_protocols_answer_and_are_billed() {
    let server = FakeModel::start().unwrap();
    server.then(Say::text("first"));
    server.then(Say::text("second"));
    let (status, chat) = ask(&server, "/chat/completions", None);
    assert_eq!((status, &chat["choices"][0]["message"]["content"]), (200, &json!("first")));
    assert_eq!(chat["usage"]["prompt_tokens_details"]["cached_tokens"], 40);
    let (_, response) = ask(&server, "/responses", None);
    assert_eq!(response["output"][1]["content"][0]["text"], "second");
    assert_eq!(response["usage"]["output_tokens_details"]["reasoning_tokens"], 5);
    assert_eq!(server.bills().len(), 2);
    assert_eq!(server.log()[1].status, Some(200));
    assert!(server.log().iter().all(|entry| entry.is_authorized && !entry.has_stray_secret));
}

#[test]
fn a_repeated_key_is_answered_as_before_and_billed_once() {
    let server = FakeModel::start().unwrap();
    server.then(Say::text("once"));
    let first = ask(&server, "/responses", Some("k"));
    assert_eq!(ask(&server, "/responses", Some("k")), first);
    assert_eq!(ask(&server, "/responses", Some("l")).1["output"][1]["content"][0]["text"], "ok");
    assert_eq!(server.bills().len(), 2);
}

#[test]
fn errors_come_as_scripted_and_are_not_billed() {
    let server = FakeModel::start().unwrap();
    server.then(Act::status(429, "rate_limit_exceeded"));
    let (status, body) = ask(&server, "/chat/completions", None);
    assert_eq!((status, &body["error"]["code"]), (429, &json!("rate_limit_exceeded")));
    assert_eq!(ask(&server, "/models", None).0, 404);
    assert!(server.bills().is_empty());
}
