//! A client for the tests of this crate: plain requests with or without credentials.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::redirect::Policy;
use serde_json::Value;

use crate::server::FakeKaggle;
use crate::settings::FakeServerSettings;

/// A server of the default world.
pub(crate) fn server() -> FakeKaggle {
    FakeKaggle::start(FakeServerSettings::default()).unwrap()
}

/// A client that follows no redirects and waits for thirty seconds at most.
pub(crate) fn client() -> Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    let make = || {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Client::builder().redirect(Policy::none()).timeout(Duration::from_secs(30)).no_proxy().build().unwrap()
    };
    CLIENT.get_or_init(make).clone()
}

/// A GET with the legacy key.
pub(crate) fn signed(server: &FakeKaggle, path: &str) -> RequestBuilder {
    let held = server.credentials();
    client().get(format!("{}{path}", server.url())).basic_auth(&held.username, Some(&held.key))
}

/// The status and JSON of a GET with the legacy key.
pub(crate) fn legacy(server: &FakeKaggle, path: &str) -> (u16, Value) {
    json(signed(server, path).send().unwrap())
}

/// The status and JSON of a method of the new generation.
pub(crate) fn modern(server: &FakeKaggle, method: &str, body: &Value) -> (u16, Value) {
    let request = client().post(format!("{}/v1/{method}", server.url())).bearer_auth(&server.credentials().token);
    json(request.body(body.to_string()).send().unwrap())
}

/// The status and JSON of a method of the internal service, with the anti-forgery token.
pub(crate) fn internal(server: &FakeKaggle, method: &str, body: &Value) -> (u16, Value) {
    let request = client()
        .post(format!("{}/api/i/{method}", server.url()))
        .header("Cookie", "XSRF-TOKEN=t1")
        .header("X-XSRF-TOKEN", "t1");
    json(request.body(body.to_string()).send().unwrap())
}

pub(crate) fn json(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().unwrap();
    (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
}

/// The status, the header `Location` and the text of a GET without credentials.
pub(crate) fn plain(server: &FakeKaggle, path: &str) -> (u16, String, String) {
    let response = client().get(format!("{}{path}", server.url())).send().unwrap();
    let location = response.headers().get("location").map(|value| value.to_str().unwrap().to_owned());
    (response.status().as_u16(), location.unwrap_or_default(), response.text().unwrap())
}
