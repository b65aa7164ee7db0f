//! Where the endpoint is and how it is asked.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::openai::RateLimits;
use crate::{Patience, Secret};

/// The variable that holds the key unless told otherwise, as OpenAI's own clients have it.
const KEY_VARIABLE: &str = "OPENAI_API_KEY";

/// The protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// `/responses`
    #[default]
    Responses,
    /// `/chat/completions`
    ChatCompletions,
}

/// How Chat Completions is told the limit of output tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitField {
    /// `max_completion_tokens`, which counts reasoning too.
    #[default]
    MaxCompletionTokens,
    /// `max_tokens`, for older and other servers.
    MaxTokens,
}

/// Where and how.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenAiSettings {
    /// The address before `/responses` or `/chat/completions`, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// The protocol. Default Responses.
    pub protocol: Protocol,
    /// The name of the environment variable that holds the key, never the key; `None` for endpoints without one.
    /// Default `OPENAI_API_KEY`.
    pub key_variable: Option<String>,
    /// How Chat Completions is told the limit. Default `max_completion_tokens`.
    pub limit_field: LimitField,
    /// For a connection. Default 15 s.
    pub connect_timeout: Duration,
    /// For a whole answer, however slowly it comes. Default 10 min.
    pub timeout: Duration,
    /// Longest answer that is taken, in bytes. Default 16 MiB.
    pub largest_answer: u64,
    /// Repetition of requests that were turned down. Default 6 times, from 1 s, doubling up to a minute, with jitter.
    pub patience: Patience,
    /// Longest pause that the provider may ask for; beyond it the call fails. Default 5 min.
    pub longest_wait: Duration,
    /// What the provider takes in a minute; none unless given.
    pub rates: RateLimits,
}

impl OpenAiSettings {
    /// The default settings at an address.
    #[must_use]
    pub fn at(base_url: impl Into<String>) -> Self {
        let seconds = Duration::from_secs;
        Self {
            base_url: base_url.into(),
            protocol: Protocol::default(),
            key_variable: Some(KEY_VARIABLE.to_owned()),
            limit_field: LimitField::default(),
            connect_timeout: seconds(15),
            timeout: seconds(600),
            largest_answer: 16 << 20,
            patience: Patience {
                attempts: 6,
                delay: seconds(1),
                growth: 2.0,
                ceiling: seconds(60),
                ..Patience::default()
            },
            longest_wait: seconds(300),
            rates: RateLimits::default(),
        }
    }
}

/// The endpoint cannot be used as it is set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetUpError {
    /// The variable is not set, or empty.
    #[error(
        "the variable {variable} is not set; put the provider's key into it, or name another variable in the settings"
    )]
    NoKey {
        /// The variable's name.
        variable: String,
    },
    /// The key cannot be sent.
    #[error("the key holds characters that no header can carry; copy it again, without line ends")]
    UnusableKey,
    /// The address is no base address.
    #[error("the address of the endpoint is not usable: {reason}; one such as https://api.openai.com/v1 is")]
    Address {
        /// What is wrong; not the address, which could hold a password.
        reason: String,
    },
    /// The key would go over the network in clear.
    #[error("the key would be sent to {host} in clear; use https, or no key")]
    InClear {
        /// The host.
        host: String,
    },
    /// The client could not be made.
    #[error("the HTTP client could not be made: {reason}")]
    Client {
        /// What went wrong.
        reason: String,
    },
}

/// The key in a variable.
pub(super) fn key(variable: &str) -> Result<Secret, SetUpError> {
    let text = std::env::var(variable).unwrap_or_default();
    if text.trim().is_empty() {
        return Err(SetUpError::NoKey { variable: variable.to_owned() });
    }
    Ok(Secret::new(text.trim()))
}

/// The address of the protocol, and whether it is on this machine.
pub(super) fn address(settings: &OpenAiSettings, has_key: bool) -> Result<(Url, bool), SetUpError> {
    let wrong = |reason: &str| SetUpError::Address { reason: reason.to_owned() };
    let path = match settings.protocol {
        Protocol::Responses => "responses",
        Protocol::ChatCompletions => "chat/completions",
    };
    let text = format!("{}/{path}", settings.base_url.trim_end_matches('/'));
    let url = Url::parse(&text).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it is neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it holds a user, a password, a query or a fragment"));
    }
    let host = url.host_str().ok_or_else(|| wrong("it names no host"))?.to_owned();
    let is_here = is_loopback(&host);
    if has_key && url.scheme() == "http" && !is_here {
        return Err(SetUpError::InClear { host });
    }
    Ok((url, is_here))
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
