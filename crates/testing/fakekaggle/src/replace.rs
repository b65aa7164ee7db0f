//! Answers that take the place of the real one.

use nbrevive_loopback::{Reply, Request};
use serde_json::json;

use crate::faults::{Fault, RetryAfter};
use crate::moment::Moment;
use crate::pages;
use crate::refusal::{DENIED, Generation, RULES, Refusal, too_many};

/// The answer of a fault that stands for the real one; `None` for faults of other kinds.
pub(crate) fn replace(fault: &Fault, request: &Request) -> Option<Reply> {
    let generation = Generation::of(request);
    let refuse = |status, message: &str| Some(Refusal::new(status, message).reply(generation));
    match fault {
        Fault::Unauthorized => refuse(401, "Unauthorized"),
        Fault::Forbidden { message } => refuse(403, message.as_deref().unwrap_or(DENIED)),
        Fault::RulesNotAccepted => refuse(403, RULES),
        Fault::NotFound => refuse(404, "Not found"),
        Fault::TooManyRequests { retry_after } => {
            Some(with_retry(too_many(generation).reply(generation), *retry_after))
        }
        Fault::ServerError { status } => Some(Reply::html(*status, PROXY_ERROR)),
        Fault::StatusInBody { status } => Some(Reply::json(200, &json!({"code": status, "message": "Forbidden"}))),
        Fault::HtmlInsteadOfJson => Some(Reply::html(200, CHECKING)),
        Fault::LoginWall => Some(pages::login_wall(request)),
        _ => None,
    }
}

fn with_retry(reply: Reply, retry_after: RetryAfter) -> Reply {
    match retry_after {
        RetryAfter::None => reply,
        RetryAfter::Seconds(seconds) => reply.with("Retry-After", &seconds.to_string()),
        RetryAfter::Date(seconds) => reply.with("Retry-After", &Moment::now().plus_seconds(seconds as f64).http_date()),
    }
}

const PROXY_ERROR: &str = "<html><head><title>Error: Server Error</title></head><body text=#000000 bgcolor=#ffffff>\
<h1>Error: Server Error</h1><h2>The server encountered an error and could not complete your request.\
<p>Please try again in 30 seconds.</h2></body></html>";

const CHECKING: &str = "<!DOCTYPE html><html><head><title>Checking your browser - reCAPTCHA</title></head><body>\
<noscript>Please enable JavaScript</noscript><div id=\"rc\">Checking your browser before you go on.</div></body></html>";
