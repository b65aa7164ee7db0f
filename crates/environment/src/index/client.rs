//! One HTTP client for the index: conditional requests, parts of files, retries by reason, a cap on what is read.

use std::io::Read;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use nbrevive_requests::chain;
use reqwest::StatusCode;
use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::{ACCEPT, CONTENT_RANGE, ETAG, HeaderName, IF_NONE_MATCH, RANGE, RETRY_AFTER};

use super::address::redacted;
use super::retry::{Patience, chance, retry_after};

/// Longest answer that is read, in bytes: the longest histories have some 30 MB.
const LONGEST_ANSWER: u64 = 128 << 20;
/// Longest file that is downloaded whole, in bytes.
pub(crate) const LONGEST_FILE: u64 = 100 << 20;
/// Longest wait for a connection, and for a whole answer.
const CONNECT: Duration = Duration::from_secs(15);
const WHOLE_ANSWER: Duration = Duration::from_secs(120);
/// The slowest that a longer answer may come, in bytes a second: it may take the time that this gives it.
const SLOWEST: u64 = 1 << 20;

/// What the server said.
#[derive(Debug)]
pub(crate) enum Answer {
    Body(Body),
    NotModified,
    Absent,
}

/// An answer's content.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) etag: Option<String>,
    /// Where it came from after redirections, without credentials: relative addresses count from here.
    pub(crate) url: String,
}

/// What the server said to a request for a part of a file.
#[derive(Debug)]
pub(crate) enum Part {
    /// That part: its first byte's place, and the length of the whole file.
    Partial {
        start: u64,
        total: u64,
        bytes: Vec<u8>,
    },
    /// The whole file: the server gives no parts.
    Whole(Vec<u8>),
    Absent,
}

/// Which bytes of a file are asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    /// The last so many.
    Tail(u64),
    /// From the first to the last place, both included.
    Between(u64, u64),
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
    /// Whether the answer was longer than what is read at all.
    pub too_long: bool,
}

/// One failed try.
#[derive(Default)]
struct Failure {
    what: String,
    transient: bool,
    too_long: bool,
    asked: Option<Duration>,
}

impl Failure {
    fn transient(what: String) -> Self {
        Self { what, transient: true, ..Self::default() }
    }

    fn lasting(what: String) -> Self {
        Self { what, ..Self::default() }
    }
}

#[derive(Debug)]
pub(crate) struct Fetcher {
    client: Client,
    retry: Patience,
    longest: u64,
}

impl Fetcher {
    pub(crate) fn new(retry: Patience) -> Result<Self, RequestError> {
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
                too_long: false,
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
        self.retrying(url, || {
            let mut request = self.client.get(url).header(ACCEPT, accept);
            if let Some(etag) = etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            let response = answered(request)?;
            match response.status() {
                StatusCode::NOT_MODIFIED => Ok(Answer::NotModified),
                status if is_absence(status) => Ok(Answer::Absent),
                status if status.is_success() => {
                    let (etag, url) = (header(&response, &ETAG), redacted(response.url().as_str()));
                    Ok(Answer::Body(Body { bytes: read_whole(response, self.longest)?, etag, url }))
                }
                _ => Err(refused(&response)),
            }
        })
    }

    /// Gets a part of a file, or the whole where the server gives no parts and it is not longer than
    /// [`LONGEST_FILE`].
    pub(crate) fn part(&self, url: &str, wanted: Wanted) -> Result<Part, RequestError> {
        let range = match wanted {
            Wanted::Tail(count) => format!("bytes=-{count}"),
            Wanted::Between(first, last) => format!("bytes={first}-{last}"),
        };
        self.retrying(url, || {
            let response = answered(self.client.get(url).header(RANGE, &range))?;
            match response.status() {
                StatusCode::PARTIAL_CONTENT => partial(response, wanted),
                status if is_absence(status) => Ok(Part::Absent),
                status if status.is_success() => Ok(Part::Whole(read_whole(response, LONGEST_FILE)?)),
                _ => Err(refused(&response)),
            }
        })
    }

    /// Gets a whole file that is not longer than so many bytes; `None` where there is none.
    pub(crate) fn file(&self, url: &str, longest: u64) -> Result<Option<Vec<u8>>, RequestError> {
        self.retrying(url, || {
            // An archive must come as it is: its digest is that of the compressed bytes.
            let request = self.client.get(url).header(reqwest::header::ACCEPT_ENCODING, "identity");
            let response = answered(request)?;
            match response.status() {
                status if is_absence(status) => Ok(None),
                status if status.is_success() => read_whole(response, longest).map(Some),
                _ => Err(refused(&response)),
            }
        })
    }

    fn retrying<T>(&self, url: &str, once: impl Fn() -> Result<T, Failure>) -> Result<T, RequestError> {
        let mut failed = 0;
        loop {
            let failure = match once() {
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
                    too_long: failure.too_long,
                });
            };
            tracing::debug!(url = redacted(url), failed, ?pause, "request failed, trying again: {}", failure.what);
            std::thread::sleep(pause);
        }
    }
}

fn answered(request: RequestBuilder) -> Result<Response, Failure> {
    request.send().map_err(|error| {
        let lasting = error.is_builder() || error.is_redirect();
        // The address may hold credentials.
        let what = chain(&error.without_url());
        if lasting { Failure::lasting(what) } else { Failure::transient(what) }
    })
}

fn is_absence(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE)
}

fn refused(response: &Response) -> Failure {
    let status = response.status();
    // What a server has never learnt (501) it does not learn in a second.
    let passing = status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED;
    Failure {
        what: format!("answered {status}"),
        transient: status == StatusCode::TOO_MANY_REQUESTS || passing,
        asked: header(response, &RETRY_AFTER).and_then(|text| retry_after(&text, Timestamp::now())),
        too_long: false,
    }
}

/// Reads an answer up to a length and within the time of a whole answer: the client's own limit is for each read.
fn read_whole(mut response: Response, longest: u64) -> Result<Vec<u8>, Failure> {
    let started = Instant::now();
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        let count = match response.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(count) => count,
            Err(error) => return Err(Failure::transient(format!("answer cut short: {}", chain(&error)))),
        };
        bytes.extend_from_slice(&piece[..count]);
        if bytes.len() as u64 > longest {
            let what = format!("answer longer than {longest} bytes");
            return Err(Failure { too_long: true, ..Failure::lasting(what) });
        }
        let patience = WHOLE_ANSWER.max(Duration::from_secs(bytes.len() as u64 / SLOWEST));
        if started.elapsed() > patience {
            return Err(Failure::transient(format!("answer not finished after {} s", patience.as_secs())));
        }
    }
}

/// Reads an answer of status 206, which must be the part that was asked for.
fn partial(response: Response, wanted: Wanted) -> Result<Part, Failure> {
    let said = header(&response, &CONTENT_RANGE).unwrap_or_default();
    let wrong = || Failure::lasting(format!("answered a part of a file as {said:?}, which is not the one asked for"));
    let (first, last, total) = content_range(&said).ok_or_else(wrong)?;
    let asked_for = match wanted {
        Wanted::Tail(count) => last.checked_add(1) == Some(total) && total - first <= count,
        Wanted::Between(from, to) => first == from && last <= to,
    };
    if !asked_for || last >= total {
        return Err(wrong());
    }
    let length = last - first + 1;
    let bytes = read_whole(response, length)?;
    if bytes.len() as u64 != length {
        return Err(Failure::transient(format!("a part of {length} bytes came with {}", bytes.len())));
    }
    Ok(Part::Partial { start: first, total, bytes })
}

/// `bytes 10-19/200` as first, last and total.
fn content_range(text: &str) -> Option<(u64, u64, u64)> {
    let (range, total) = text.trim().strip_prefix("bytes")?.trim_start().split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last, total): (u64, u64, u64) = (first.parse().ok()?, last.parse().ok()?, total.parse().ok()?);
    (first <= last).then_some((first, last, total))
}

fn header(response: &Response, name: &HeaderName) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ranges_are_read() {
        assert_eq!(content_range("bytes 10-19/200"), Some((10, 19, 200)));
        for wrong in ["", "bytes */200", "bytes 19-10/200", "bytes 1-2/*", "lines 1-2/3"] {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
    }
}
