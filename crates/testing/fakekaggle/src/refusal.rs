//! Refusals in the form of each generation.

use nbrevive_loopback::{Reply, Request};
use serde_json::json;

/// Which part of the site an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generation {
    /// `/api/v1/...`
    Legacy,
    /// `/v1/<service>/<Method>`
    Modern,
    /// `/api/i/<service>/<Method>`
    Internal,
    /// Everything for people.
    Page,
}

impl Generation {
    pub(crate) fn of(request: &Request) -> Self {
        if request.path.starts_with("/api/v1/") {
            Self::Legacy
        } else if request.path.starts_with("/v1/") {
            Self::Modern
        } else if request.path.starts_with("/api/i/") {
            Self::Internal
        } else {
            Self::Page
        }
    }
}

/// Why a request is not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) message: String,
}

pub(crate) const RULES: &str = "You must accept this competition's rules before you'll be able to download files.";
pub(crate) const DENIED: &str = "Permission 'kernels.get' was denied";

impl Refusal {
    pub(crate) fn new(status: u16, message: &str) -> Self {
        Self { status, message: message.to_owned() }
    }

    pub(crate) fn not_found() -> Self {
        Self::new(404, "Not found")
    }

    /// The refusal as the generation words it.
    pub(crate) fn reply(&self, generation: Generation) -> Reply {
        let (code, message) = (self.status, &self.message);
        match generation {
            Generation::Legacy => Reply::json(code, &json!({"code": code, "message": message})),
            Generation::Modern => {
                let error = json!({"code": code, "message": message, "status": status_name(code)});
                Reply::json(code, &json!({"error": error}))
            }
            Generation::Internal => {
                let error = json!({"code": grpc(code), "details": []});
                Reply::json(code, &json!({"errors": [message], "error": error, "wasSuccessful": false}))
            }
            Generation::Page => {
                let page = format!(
                    "<!DOCTYPE html><html><head><title>{code} - Kaggle</title></head><body><h1>{code}</h1><p>We can't find that page.</p></body></html>"
                );
                Reply::html(code, page)
            }
        }
    }
}

/// The text of a 429, which differs between the generations.
pub(crate) fn too_many(generation: Generation) -> Refusal {
    Refusal::new(429, if generation == Generation::Legacy { "TooManyRequests" } else { "Too many requests" })
}

fn status_name(code: u16) -> &'static str {
    match code {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        _ => "INTERNAL",
    }
}

fn grpc(code: u16) -> u16 {
    match code {
        400 => 3,
        401 => 16,
        403 => 7,
        404 => 5,
        429 => 8,
        _ => 13,
    }
}
