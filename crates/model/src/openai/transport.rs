//! One exchange over HTTP: a total time, a largest size, one host.

use std::io::{self, Read, Write};
use std::time::Duration;

use jiff::Timestamp;
use nbrevive_requests::{Scrubber, chain, retry_after};
use reqwest::Url;
use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;

use super::refusal::{Trouble, shortened};
use super::settings::{OpenAiSettings, SetUpError, address};
use crate::{ModelFailure, Secret};

/// The way to an endpoint.
#[derive(Debug)]
pub(super) struct Transport {
    client: Client,
    address: Url,
    authorization: Option<HeaderValue>,
    secrets: Vec<Secret>,
    timeout: Duration,
    largest: u64,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) request_id: Option<String>,
    pub(super) retry_after: Option<Duration>,
    /// Without the key, should the server send it back.
    pub(super) body: Vec<u8>,
}

impl Transport {
    pub(super) fn new(settings: &OpenAiSettings, key: Option<&Secret>) -> Result<Self, SetUpError> {
        // A second installation fails, which is fine: then a provider is there.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (address, is_here) = address(settings, key.is_some())?;
        let mut builder = Client::builder();
        if is_here {
            // A proxy would see the key, and could not reach this machine either.
            builder = builder.no_proxy();
        }
        let client = builder
            .user_agent(concat!("nbrevive/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(settings.connect_timeout)
            .redirect(Policy::none())
            .build()
            .map_err(|error| SetUpError::Client { reason: chain(&error) })?;
        let authorization = key.map(authorization).transpose()?;
        let secrets = key.cloned().into_iter().collect();
        let (timeout, largest) = (settings.timeout, settings.largest_answer);
        Ok(Self { client, address, authorization, secrets, timeout, largest })
    }

    pub(super) fn exchange(&self, body: &str, idempotency: &str) -> Result<Arrival, Trouble> {
        let mut request = self
            .client
            .post(self.address.clone())
            // From the first byte of the connection to the last of the answer.
            .timeout(self.timeout)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .header("idempotency-key", idempotency);
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let response = request.body(body.to_owned()).send().map_err(|error| self.not_sent(error))?;
        let status = response.status().as_u16();
        if response.status().is_redirection() {
            return Err(Trouble::free(ModelFailure::Redirected { to: self.target(response.headers()) }));
        }
        let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let content_type = text(CONTENT_TYPE.as_str()).unwrap_or_default();
        let request_id = text("x-request-id").map(|id| shortened(&id));
        let retry_after = text(RETRY_AFTER.as_str()).and_then(|text| retry_after(&text, Timestamp::now()));
        // What is no JSON says nothing, and may be a stream of events that never ends.
        let is_read = status >= 400 || super::is_json(&content_type);
        let body = if is_read { self.body(response) } else { Ok(Vec::new()) };
        match body {
            Ok(body) => Ok(Arrival { status, content_type, request_id, retry_after, body }),
            // A refusal is one without its words.
            Err(_) if status >= 400 => Ok(Arrival { status, content_type, request_id, retry_after, body: Vec::new() }),
            Err(failure) => Err(Trouble::owed(failure)),
        }
    }

    /// The body, at most so much of it.
    fn body(&self, response: Response) -> Result<Vec<u8>, ModelFailure> {
        let too_large = ModelFailure::TooLarge { limit: self.largest };
        if response.content_length().is_some_and(|length| length > self.largest) {
            return Err(too_large);
        }
        let mut scrubber = Scrubber::new(Vec::new(), &self.secrets);
        let (mut response, mut buffer, mut length) = (response, vec![0; 64 << 10], 0);
        loop {
            let count = match response.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.broken(&error)),
            };
            length += count as u64;
            if length > self.largest {
                return Err(too_large);
            }
            scrubber.write_all(&buffer[..count]).map_err(|error| self.broken(&error))?;
        }
        scrubber.finish().map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &io::Error) -> ModelFailure {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>());
        if error.kind() == io::ErrorKind::TimedOut || inner.is_some_and(reqwest::Error::is_timeout) {
            return ModelFailure::TimedOut { seconds: self.timeout.as_secs() };
        }
        ModelFailure::Connection { reason: shortened(&chain(error)), may_have_arrived: true }
    }

    /// A request that got no head of an answer. Only one that found no connection cannot have arrived.
    fn not_sent(&self, error: reqwest::Error) -> Trouble {
        let error = error.without_url();
        if error.is_connect() || error.is_builder() {
            return Trouble::free(ModelFailure::Connection {
                reason: shortened(&chain(&error)),
                may_have_arrived: false,
            });
        }
        if error.is_timeout() {
            return Trouble::owed(ModelFailure::TimedOut { seconds: self.timeout.as_secs() });
        }
        Trouble::owed(ModelFailure::Connection { reason: shortened(&chain(&error)), may_have_arrived: true })
    }

    /// Scheme and host that a redirect names: the rest could hold anything.
    fn target(&self, headers: &HeaderMap) -> String {
        let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
        let target = location.and_then(|text| self.address.join(text).ok());
        target.map_or_else(|| "nowhere".to_owned(), |url| shortened(&url.origin().ascii_serialization()))
    }
}

fn authorization(key: &Secret) -> Result<HeaderValue, SetUpError> {
    let value = HeaderValue::from_str(&format!("Bearer {}", key.expose()));
    let mut value = value.map_err(|_| SetUpError::UnusableKey)?;
    value.set_sensitive(true);
    Ok(value)
}
