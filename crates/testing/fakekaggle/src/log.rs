//! The log of requests, by which tests judge a client's manners.

use std::time::Duration;

use nbrevive_loopback::Request;
use serde::Serialize;

use crate::site::FakeCredentials;

/// One request that was answered, or was to be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ServedRequest {
    /// Since the server started.
    pub started: Duration,
    /// Since the server started, once the answer was out or had failed.
    pub ended: Option<Duration>,
    /// `GET` or `POST`.
    pub method: String,
    /// Path and query; secrets are replaced by `<redacted>`.
    pub target: String,
    /// Headers with names in lower case. Credentials, tokens and values of cookies are replaced by `<redacted>`.
    pub headers: Vec<(String, String)>,
    /// Status of the answer; `None` when no head was sent.
    pub status: Option<u16>,
    /// Requests in work when this one came, itself included.
    pub concurrent: usize,
    /// Whether the path or the query held the key, the token or the session: they must not.
    pub has_secret_in_target: bool,
}

impl ServedRequest {
    pub(super) fn new(request: &Request, credentials: &FakeCredentials, started: Duration, concurrent: usize) -> Self {
        let secrets = credentials.secrets();
        let hide = |text: &str| secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, HIDDEN));
        Self {
            started,
            ended: None,
            method: request.method.clone(),
            target: hide(&request.target),
            headers: request.headers.iter().map(|(name, value)| (name.clone(), hide(&redact(name, value)))).collect(),
            status: None,
            concurrent,
            has_secret_in_target: secrets.iter().any(|secret| request.target.contains(secret)),
        }
    }

    /// The value of a header; the name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

const HIDDEN: &str = "<redacted>";

fn redact(name: &str, value: &str) -> String {
    match name {
        "authorization" => format!("{} {HIDDEN}", value.split(' ').next().unwrap_or_default()),
        "cookie" => {
            let names = value.split(';').filter_map(|pair| pair.trim().split('=').next());
            names.map(|name| format!("{name}={HIDDEN}")).collect::<Vec<_>>().join("; ")
        }
        "x-xsrf-token" => HIDDEN.to_owned(),
        _ => value.to_owned(),
    }
}

/// The most requests that came within any span of this length.
pub fn busiest(log: &[ServedRequest], span: Duration) -> usize {
    let starts: Vec<Duration> = log.iter().map(|entry| entry.started).collect();
    (0..starts.len())
        .map(|first| starts[first..].iter().take_while(|start| start.saturating_sub(starts[first]) < span).count())
        .max()
        .unwrap_or(0)
}
