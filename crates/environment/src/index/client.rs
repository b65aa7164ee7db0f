//! One HTTP client for the index: conditional requests, retries by reason, a cap on what is read.

use std::io::Read;
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER};

use super::address::redacted;
use super::retry::{RetryPolicy, chance};

/// Longest answer that is read, in bytes: the longest histories have some 30 MB.
const LONGEST_ANSWER: u64 = 128 << 20;
/// Longest wait for a connection, and for a whole answer.
const CONNECT: Duration = Duration::from_secs(15);
const WHOLE_ANSWER: Duration = Duration::from_secs(120);

/// What the server said.
#[derive(Debug)]
pub(crate) enum Answer {
    Body { bytes: Vec<u8>, content_type: String, etag: Option<String> },
    NotModified,
    Absent,
}

/// A request that brought no answer.
#[derive(Debug, thiserror::Error)]
#[error("{url}: {what} (tried {attempts} times)")]
pub struct RequestError {
    /// The address, without credentials.
    pub url: String,
    /// What went wrong, in words.
    pub what: String,
    /// Tries made.
    pub attempts: u32,
    /// Whether another day may bring an answer (network, 429, 5xx).
    pub transient: bool,
}

/// One failed try.
struct Failure {
    what: String,
    transient: bool,
    asked: Option<Duration>,
}

impl Failure {
    fn transient(what: String) -> Self {
        Self { what, transient: true, asked: None }
    }

    fn lasting(what: String) -> Self {
        Self { what, transient: false, asked: None }
    }
}

#[derive(Debug)]
pub(crate) struct Fetcher {
    client: Client,
    retry: RetryPolicy,
    longest: u64,
}

impl Fetcher {
    pub(crate) fn new(retry: RetryPolicy) -> Result<Self, RequestError> {
        // A second installation fails, which is fine: then a provider is there.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("nbrevive/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .timeout(WHOLE_ANSWER)
            .build()
            .map_err(|error| RequestError {
                url: "HTTP client".into(),
                what: chain(&error),
                attempts: 0,
                transient: false,
            })?;
        Ok(Self { client, retry, longest: LONGEST_ANSWER })
    }

    #[cfg(test)]
    pub(crate) fn with_longest_answer(mut self, longest: u64) -> Self {
        self.longest = longest;
        self
    }

    /// Gets an address, again where the policy says so.
    pub(crate) fn get(&self, url: &str, accept: &str, etag: Option<&str>) -> Result<Answer, RequestError> {
        let mut failed = 0;
        loop {
            let failure = match self.get_once(url, accept, etag) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            failed += 1;
            let pause = if failure.transient { self.retry.pause(failed, failure.asked, chance()) } else { None };
            let Some(pause) = pause else {
                return Err(RequestError {
                    url: redacted(url),
                    what: failure.what,
                    attempts: failed,
                    transient: failure.transient,
                });
            };
            tracing::debug!(url = redacted(url), failed, ?pause, "request failed, trying again: {}", failure.what);
            std::thread::sleep(pause);
        }
    }

    fn get_once(&self, url: &str, accept: &str, etag: Option<&str>) -> Result<Answer, Failure> {
        let mut request = self.client.get(url).header(ACCEPT, accept);
        if let Some(etag) = etag {
            request = request.header(IF_NONE_MATCH, etag);
        }
        let response = request.send().map_err(classified)?;
        match response.status() {
            StatusCode::NOT_MODIFIED => Ok(Answer::NotModified),
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(Answer::Absent),
            status if status.is_success() => self.body(response),
            status => Err(Failure {
                what: format!("answered {status}"),
                transient: status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error(),
                asked: header(&response, RETRY_AFTER).and_then(|text| text.parse().ok()).map(Duration::from_secs),
            }),
        }
    }

    fn body(&self, response: Response) -> Result<Answer, Failure> {
        let etag = header(&response, ETAG);
        let content_type = header(&response, CONTENT_TYPE).unwrap_or_default();
        let mut bytes = Vec::new();
        let read = response.take(self.longest + 1).read_to_end(&mut bytes);
        read.map_err(|error| Failure::transient(format!("answer cut short: {}", chain(&error))))?;
        if bytes.len() as u64 > self.longest {
            return Err(Failure::lasting(format!("answer longer than {} bytes", self.longest)));
        }
        Ok(Answer::Body { bytes, content_type, etag })
    }
}

fn header(response: &Response, name: reqwest::header::HeaderName) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

fn classified(error: reqwest::Error) -> Failure {
    let lasting = error.is_builder() || error.is_redirect();
    // The address may hold credentials.
    let what = chain(&error.without_url());
    if lasting { Failure::lasting(what) } else { Failure::transient(what) }
}

/// An error and its causes in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
