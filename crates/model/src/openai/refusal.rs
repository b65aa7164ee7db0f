//! What a refusal means: one ordered table over status and code.

use std::time::Duration;

use serde_json::Value;

use crate::{AnswerBill, ModelError, ModelFailure};

/// Longest text of a provider that is kept, in characters.
const LONGEST: usize = 500;

/// A request that came to nothing.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) failure: Box<ModelFailure>,
    pub(super) bill: AnswerBill,
    pub(super) retry_after: Option<Duration>,
}

impl Trouble {
    /// Nothing is owed.
    pub(super) fn free(failure: ModelFailure) -> Self {
        Self { failure: Box::new(failure), bill: AnswerBill::Nothing, retry_after: None }
    }

    /// Perhaps something is owed.
    pub(super) fn owed(failure: ModelFailure) -> Self {
        Self { failure: Box::new(failure), bill: AnswerBill::Unknown(None), retry_after: None }
    }

    /// The end of a call, after so many requests.
    pub(super) fn end(self, attempts: u32) -> ModelError {
        let mut failure = self.failure;
        if let ModelFailure::RateLimited { attempts: sent, retry_after, .. } = failure.as_mut() {
            *sent = attempts;
            *retry_after = self.retry_after.map(|pause| pause.as_secs());
        }
        ModelError { failure, bill: self.bill, attempts }
    }
}

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    ContentFilter,
    ContextOverflow,
    Quota,
    UnknownModel,
    RateLimited,
    Authentication,
    Server,
}

/// By what a refusal is known; the first line that fits counts. Codes before statuses, because 429 is also the status of an
/// empty account, and 400 that of almost everything.
const TABLE: &[(Sign, Meaning)] = &[
    (Sign::Code("content_filter"), Meaning::ContentFilter),
    (Sign::Code("content_policy_violation"), Meaning::ContentFilter),
    (Sign::Code("ResponsibleAIPolicyViolation"), Meaning::ContentFilter),
    (Sign::Code("invalid_prompt"), Meaning::ContentFilter),
    (Sign::Code("context_length_exceeded"), Meaning::ContextOverflow),
    (Sign::Code("string_above_max_length"), Meaning::ContextOverflow),
    (Sign::Words("maximum context length"), Meaning::ContextOverflow),
    (Sign::Words("context window"), Meaning::ContextOverflow),
    (Sign::Words("context size"), Meaning::ContextOverflow),
    (Sign::Status(413), Meaning::ContextOverflow),
    (Sign::Code("insufficient_quota"), Meaning::Quota),
    (Sign::Code("billing_hard_limit_reached"), Meaning::Quota),
    (Sign::Status(402), Meaning::Quota),
    (Sign::Code("model_not_found"), Meaning::UnknownModel),
    (Sign::Code("rate_limit_exceeded"), Meaning::RateLimited),
    (Sign::Status(429), Meaning::RateLimited),
    (Sign::Code("invalid_api_key"), Meaning::Authentication),
    (Sign::Status(401), Meaning::Authentication),
    (Sign::Status(403), Meaning::Authentication),
    (Sign::Code("server_error"), Meaning::Server),
    (Sign::Status(408), Meaning::Server),
    (Sign::Status(409), Meaning::Server),
    (Sign::Status(425), Meaning::Server),
];

#[derive(Debug, Clone, Copy)]
enum Sign {
    /// `error.code` or `error.type`.
    Code(&'static str),
    /// A part of `error.message`, in lower case.
    Words(&'static str),
    /// The status.
    Status(u16),
}

/// What a provider says of an error.
#[derive(Debug, Default)]
struct Said {
    code: String,
    kind: String,
    message: String,
}

impl Said {
    fn read(error: &Value) -> Self {
        let text = |value: &Value| match value {
            Value::String(text) => shortened(text),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        let message = error.as_str().map_or_else(|| text(&error["message"]), shortened);
        Self { code: text(&error["code"]), kind: text(&error["type"]), message }
    }
}

/// The trouble that a status other than 2xx stands for.
pub(super) fn classify(status: u16, retry_after: Option<Duration>, body: &[u8]) -> Trouble {
    let value = serde_json::from_slice::<Value>(body).ok();
    let error = value.as_ref().map(|value| if value["error"].is_null() { value } else { &value["error"] });
    let said = error.map(Said::read).unwrap_or_default();
    let failure = failure(status, &said);
    // A gateway that gave up, in its own words, does not know what went on behind it.
    let is_unknown = matches!(status, 502 | 504) && error.is_none();
    let bill = if is_unknown { AnswerBill::Unknown(None) } else { AnswerBill::Nothing };
    Trouble { failure: Box::new(failure), bill, retry_after }
}

/// The trouble in the body of an answer whose status promised none.
pub(super) fn in_body(value: &Value) -> Option<Trouble> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let said = Said::read(error);
    // Such an answer was begun; what it used is not said.
    Some(Trouble::owed(failure(200, &said)))
}

fn failure(status: u16, said: &Said) -> ModelFailure {
    let words = said.message.to_lowercase();
    let fits = |sign: &Sign| match sign {
        Sign::Code(code) => said.code == *code || said.kind == *code,
        Sign::Words(part) => words.contains(part),
        Sign::Status(number) => status == *number,
    };
    let message = if said.message.is_empty() { "no reason given".to_owned() } else { said.message.clone() };
    match TABLE.iter().find(|(sign, _)| fits(sign)).map(|(_, meaning)| *meaning) {
        Some(Meaning::ContentFilter) => ModelFailure::ContentFilter { message },
        Some(Meaning::ContextOverflow) => ModelFailure::ContextOverflow { message },
        Some(Meaning::Quota) => ModelFailure::Quota { message },
        Some(Meaning::UnknownModel) => ModelFailure::UnknownModel { message },
        Some(Meaning::RateLimited) => ModelFailure::RateLimited { attempts: 0, retry_after: None, message },
        Some(Meaning::Authentication) => ModelFailure::Authentication { status, message },
        Some(Meaning::Server) => ModelFailure::Server { status, message },
        None if status >= 500 => ModelFailure::Server { status, message },
        None => ModelFailure::BadRequest { status, message },
    }
}

/// A text in one line and at most some hundred characters.
pub(super) fn shortened(text: &str) -> String {
    let line: String =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(LONGEST + 1).collect();
    match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}
