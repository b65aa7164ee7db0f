//! One exchange with the server: leave from the budget, request, body into the raw store, line into the journal.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::Url;
use reqwest::blocking::{Client, RequestBuilder};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;

use super::ask::Ask;
use super::endpoint::{Endpoint, Generation};
use super::error::ApiError;
use crate::answers::{self, BodyLimits, Torn};
use crate::budget::{Budget, retry_after};
use crate::http::{self, Timeouts, chain};
use crate::raw::{RawBody, RawStore};
use crate::secret::{Access, Credentials, CredentialsPlace, Secret};

/// Longest chain of redirects: downloads have one, to where the file lies.
const REDIRECTS: usize = 5;

/// What came back.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) at: Timestamp,
    pub(super) seconds: f64,
    pub(super) status: Option<u16>,
    pub(super) asked_pause: Option<Duration>,
    pub(super) content: Content,
}

/// The body, or why there is none.
#[derive(Debug)]
pub(super) enum Content {
    Whole(RawBody),
    Torn(Torn),
    Nothing(String),
}

/// The connection to the API.
#[derive(Debug)]
pub(super) struct Transport {
    client: Client,
    endpoint: Endpoint,
    authorization: HeaderValue,
    secrets: Vec<Secret>,
    /// Where the credentials were found, for messages.
    pub(super) place: String,
    pub(super) budget: Budget,
    whole: Duration,
}

impl Transport {
    pub(super) fn new(
        endpoint: Endpoint,
        credentials: &Credentials,
        budget: Budget,
        timeouts: &Timeouts,
    ) -> Result<Self, ApiError> {
        let client = http::client(timeouts, endpoint.is_loopback(), careful()).map_err(ApiError::SetUp)?;
        let mut authorization = authorization(&client, &endpoint, &credentials.access)?;
        let secrets = credentials.secrets(authorization.to_str().unwrap_or_default());
        authorization.set_sensitive(true);
        let place = match &credentials.place {
            CredentialsPlace::Variable(name) => (*name).to_owned(),
            CredentialsPlace::File(path) => path.display().to_string(),
            CredentialsPlace::Given => "the settings".to_owned(),
        };
        Ok(Self { client, endpoint, authorization, secrets, place, budget, whole: timeouts.whole })
    }

    pub(super) fn host(&self) -> String {
        self.endpoint.host()
    }

    pub(super) fn address(&self, ask: &Ask) -> Url {
        ask.address(&self.endpoint)
    }

    pub(super) fn http_method(&self) -> &'static str {
        match self.endpoint.generation {
            Generation::Legacy => "GET",
            Generation::Modern => "POST",
        }
    }

    fn request(&self, ask: &Ask) -> RequestBuilder {
        let address = self.address(ask);
        let request = match self.endpoint.generation {
            Generation::Legacy => self.client.get(address),
            Generation::Modern => self.client.post(address).header(CONTENT_TYPE, "application/json").body(ask.body()),
        };
        request.header(ACCEPT, "application/json, */*;q=0.1").header(AUTHORIZATION, self.authorization.clone())
    }

    /// Asks once, when the budget allows it. The body goes to the store piece by piece, at most `limit` bytes of it.
    pub(super) fn exchange(&self, ask: &Ask, store: &RawStore, limit: u64) -> Result<Arrival, ApiError> {
        let permit = self.budget.acquire(&self.host())?;
        let (at, start) = (self.budget.clock().now(), Instant::now());
        let mut arrival =
            Arrival { at, seconds: 0.0, status: None, asked_pause: None, content: Content::Nothing(String::new()) };
        match self.request(ask).send() {
            // The address in the error could be one that a redirect has signed.
            Err(error) => arrival.content = Content::Nothing(chain(&error.without_url())),
            Ok(mut response) => {
                arrival.status = Some(response.status().as_u16());
                let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
                arrival.asked_pause = header.and_then(|text| retry_after(text, self.budget.clock().now()));
                let limits = BodyLimits { largest: limit, start, whole: self.whole };
                arrival.content = match answers::keep(&mut response, store, &self.secrets, &limits)? {
                    Ok(body) => Content::Whole(body),
                    Err(torn) => Content::Torn(torn),
                };
            }
        }
        arrival.seconds = start.elapsed().as_secs_f64();
        drop(permit);
        Ok(arrival)
    }
}

/// The header that shows the credentials, as the client itself would write it.
fn authorization(client: &Client, endpoint: &Endpoint, access: &Access) -> Result<HeaderValue, ApiError> {
    let request = client.get(endpoint.address(&[]));
    let request = match access {
        Access::Token(token) => request.bearer_auth(token.expose()),
        Access::Key { username, key } => request.basic_auth(username, Some(key.expose())),
    };
    let built = request.build().map_err(|error| ApiError::SetUp(chain(&error.without_url())))?;
    built.headers().get(AUTHORIZATION).cloned().ok_or_else(|| ApiError::SetUp("no authorization header".into()))
}

/// Follows redirects, but never from https to http.
fn careful() -> Policy {
    Policy::custom(|attempt| {
        let secure = attempt.previous().last().is_some_and(|last| last.scheme() == "https");
        if attempt.previous().len() > REDIRECTS {
            attempt.error("too many redirects")
        } else if secure && attempt.url().scheme() != "https" {
            attempt.error("redirected from https to http")
        } else {
            attempt.follow()
        }
    })
}
