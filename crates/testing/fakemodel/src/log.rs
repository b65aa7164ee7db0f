//! What was asked and what was billed.

use std::time::Duration;

use nbrevive_loopback::Request;
use serde_json::Value;

use crate::act::Tokens;
use crate::wire::WireProtocol;

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    /// Since the server started.
    pub started: Duration,
    /// Which protocol the address belongs to, if any.
    pub protocol: Option<WireProtocol>,
    /// Path and query.
    pub target: String,
    /// Whether the right key came in the header for it.
    pub is_authorized: bool,
    /// Whether the key was anywhere else: in the address, another header, or the body.
    pub has_stray_secret: bool,
    /// The header `Idempotency-Key`.
    pub idempotency: Option<String>,
    /// The body, when it is JSON.
    pub body: Value,
    /// Status of the answer; `None` when no head was sent.
    pub status: Option<u16>,
    /// Requests in work when this one came, itself included.
    pub concurrent: usize,
}

/// One answer that the client owes for.
#[derive(Debug, Clone, PartialEq)]
pub struct BilledTokens {
    /// The header `Idempotency-Key` of the request.
    pub idempotency: Option<String>,
    /// The tokens.
    pub tokens: Tokens,
}

impl LogEntry {
    pub(crate) fn new(request: &Request, key: &str, started: Duration, concurrent: usize) -> Self {
        let others = request.headers.iter().filter(|(name, _)| name != "authorization");
        let has_stray_secret = request.target.contains(key)
            || others.into_iter().any(|(_, value)| value.contains(key))
            || String::from_utf8_lossy(&request.body).contains(key);
        Self {
            started,
            protocol: WireProtocol::of(&request.path),
            target: request.target.replace(key, "<redacted>"),
            is_authorized: is_authorized(request, key),
            has_stray_secret,
            idempotency: request.header("idempotency-key").map(str::to_owned),
            body: request.json().unwrap_or(Value::Null),
            status: None,
            concurrent,
        }
    }
}

pub(crate) fn is_authorized(request: &Request, key: &str) -> bool {
    request.header("authorization").is_some_and(|value| value.strip_prefix("Bearer ") == Some(key))
}
