//! What the server does with a request.

use std::time::Duration;

use nbrevive_loopback::Delivery;
use serde_json::{Value, json};

/// One answer or fault, and how it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    /// The content.
    pub what: What,
    /// What happens to it on its way.
    pub delivery: Delivery,
    /// Wait before it.
    pub delay: Duration,
}

/// The content of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// The model speaks.
    Say(Say),
    /// An error with a body in the form of the protocol.
    Status {
        /// Status of HTTP.
        status: u16,
        /// `error.code`.
        code: String,
        /// `error.message`.
        message: String,
        /// The header `Retry-After`.
        retry_after: Option<String>,
    },
    /// Any body.
    Raw {
        /// Status of HTTP.
        status: u16,
        /// The header `Content-Type`.
        content_type: String,
        /// The body.
        body: Vec<u8>,
    },
    /// JSON of about so many bytes, announced or in chunks.
    Huge {
        /// Bytes; the largest number never ends.
        bytes: u64,
        /// Whether the length stays unsaid.
        is_chunked: bool,
    },
    /// A stream of events that never ends.
    Events,
    /// A redirect (307, which keeps method and body).
    Redirect(String),
}

/// What the model says.
#[derive(Debug, Clone, PartialEq)]
pub struct Say {
    /// The text.
    pub text: String,
    /// `stop`, `length`, `content_filter`, or `refusal` for a text that refuses.
    pub finish: &'static str,
    /// What is billed.
    pub tokens: Tokens,
    /// What is shown in place of the usage: `None` for the truth, `Some(Null)` for no usage at all.
    pub usage: Option<Value>,
    /// Whether the answer says that it is whole although it is not, as some servers do.
    pub is_silent: bool,
}

/// Tokens of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Input, cached input included.
    pub input: u64,
    /// Of these, from the cache.
    pub cached_input: u64,
    /// Output, reasoning included.
    pub output: u64,
    /// Of these, reasoning.
    pub reasoning: u64,
}

impl Say {
    /// A text that ends by itself, with a usage of 100 input (40 cached) and 20 output tokens (5 of reasoning).
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let tokens = Tokens { input: 100, cached_input: 40, output: 20, reasoning: 5 };
        Self { text: text.into(), finish: "stop", tokens, usage: None, is_silent: false }
    }

    /// The same with another end.
    #[must_use]
    pub fn finish(self, finish: &'static str) -> Self {
        Self { finish, ..self }
    }

    /// The same with other tokens.
    #[must_use]
    pub fn tokens(self, input: u64, cached_input: u64, output: u64, reasoning: u64) -> Self {
        Self { tokens: Tokens { input, cached_input, output, reasoning }, ..self }
    }

    /// The same with something else where the usage should be.
    #[must_use]
    pub fn usage(self, usage: Value) -> Self {
        Self { usage: Some(usage), ..self }
    }

    /// The same, sent in another way.
    #[must_use]
    pub fn sent(self, delivery: Delivery) -> Act {
        Act { delivery, ..self.into() }
    }

    /// The same, after a wait.
    #[must_use]
    pub fn after(self, delay: Duration) -> Act {
        Act { delay, ..self.into() }
    }
}

impl From<Say> for Act {
    fn from(say: Say) -> Self {
        What::Say(say).into()
    }
}

impl From<What> for Act {
    fn from(what: What) -> Self {
        Self { what, delivery: Delivery::Whole, delay: Duration::ZERO }
    }
}

impl Act {
    /// An error with a code, as the protocol words it.
    #[must_use]
    pub fn status(status: u16, code: &str) -> Self {
        let message = format!("scripted failure: {code}");
        What::Status { status, code: code.to_owned(), message, retry_after: None }.into()
    }

    /// The same error with another message.
    #[must_use]
    pub fn message(mut self, text: &str) -> Self {
        if let What::Status { message, .. } = &mut self.what {
            text.clone_into(message);
        }
        self
    }

    /// The same error with the header `Retry-After`.
    #[must_use]
    pub fn retry_after(mut self, text: &str) -> Self {
        if let What::Status { retry_after, .. } = &mut self.what {
            *retry_after = Some(text.to_owned());
        }
        self
    }

    /// Any body with status 200.
    #[must_use]
    pub fn raw(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        What::Raw { status: 200, content_type: content_type.to_owned(), body: body.into() }.into()
    }

    /// The same, sent in another way.
    #[must_use]
    pub fn sent(self, delivery: Delivery) -> Self {
        Self { delivery, ..self }
    }

    /// One of each kind of bad day, of a size that a test can wait for, for prompts with a limit of 1,000 output tokens.
    /// Redirects go to `elsewhere`.
    #[must_use]
    pub fn every(elsewhere: &str) -> Vec<Self> {
        let say = || Say::text("an answer");
        let huge = |bytes, is_chunked| Self::from(What::Huge { bytes, is_chunked });
        vec![
            say().sent(Delivery::Stall),
            say().sent(Delivery::StallInBody),
            say().sent(Delivery::ResetInHeaders),
            say().sent(Delivery::ResetInBody),
            say().sent(Delivery::CutShort),
            say().sent(Delivery::Drip(20)),
            huge(1 << 30, false),
            huge(1 << 30, true),
            huge(u64::MAX, true),
            Self::status(400, "content_filter"),
            say().finish("content_filter").into(),
            say().finish("refusal").into(),
            say().finish("length").into(),
            Say { is_silent: true, ..say().finish("length").tokens(10, 0, 1_000, 0) }.into(),
            Self::status(400, "context_length_exceeded"),
            Self::status(401, "invalid_api_key"),
            Self::status(403, "unsupported_country_region_territory"),
            Self::status(404, "model_not_found"),
            Self::status(429, "rate_limit_exceeded"),
            Self::status(429, "rate_limit_exceeded").retry_after("86400"),
            Self::status(429, "insufficient_quota"),
            Self::status(500, "server_error"),
            What::Raw { status: 502, content_type: "text/html".into(), body: b"<html>bad gateway</html>".to_vec() }
                .into(),
            Self::raw("application/json", "{\"choices\": [{\"mess"),
            Self::raw("application/json", "[]"),
            Self::raw("application/json", "{\"choices\": \"none\", \"output\": 7}"),
            Self::raw("application/json", "{\"error\": {\"code\": \"server_error\", \"message\": \"in the body\"}}"),
            Self::raw("text/html", "<html>sign in first</html>"),
            Self::raw("text/event-stream", "data: {}\n\n"),
            say().usage(Value::Null).into(),
            say()
                .usage(json!({"prompt_tokens": -5, "input_tokens": -5, "completion_tokens": 2, "output_tokens": 2}))
                .into(),
            say().tokens(10, 0, 900_000_000, 0).into(),
            What::Redirect(elsewhere.to_owned()).into(),
        ]
    }
}
