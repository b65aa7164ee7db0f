//! One exchange with the host: leave from the budget, request, redirects by hand, and what the answer says of the limits.
//!
//! The token is shown to the API's own address alone: a redirect leads to the API again, or for archives to their host, or
//! is not followed.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::Url;
use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT, AUTHORIZATION, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, LINK, LOCATION};
use reqwest::redirect::Policy;

use super::ask::{HubAsk, Subject};
use super::endpoint::{HubEndpoint, HubToken};
use super::error::HubError;
use super::limits::{Headroom, Resource, Wait};
use crate::address;
use crate::answers::BodyLimits;
use crate::budget::{Budget, RequestPermit};
use crate::http::{self, Timeouts, chain};
use crate::secret::Secret;

/// The version of the API that is spoken.
const VERSION: &str = "2022-11-28";
/// Longest chain of redirects: a renamed repository and its archive have one each.
const REDIRECTS: usize = 5;
/// Longest name of an answer that is kept.
const LONGEST_ETAG: usize = 200;

/// What came back.
pub(super) struct HubArrival {
    pub(super) at: Timestamp,
    pub(super) start: Instant,
    pub(super) headroom: Headroom,
    pub(super) begun: Begun,
    /// Held while the body comes.
    _permit: RequestPermit,
}

/// How an answer began.
pub(super) enum Begun {
    Answer(Box<Response>),
    /// The status of a redirect that is not followed, and where it leads, in words.
    LedAway(u16, String),
    Nothing(String),
}

/// The connection to the host.
#[derive(Debug)]
pub(super) struct HubTransport {
    client: Client,
    endpoint: HubEndpoint,
    authorization: HeaderValue,
    pub(super) secrets: Vec<Secret>,
    /// Where the token was found, for messages.
    pub(super) place: String,
    budget: Budget,
    searches: Budget,
    whole: Duration,
}

impl HubTransport {
    pub(super) fn new(
        endpoint: HubEndpoint,
        token: &HubToken,
        (budget, searches): (Budget, Budget),
        timeouts: &Timeouts,
    ) -> Result<Self, HubError> {
        let client = http::client(timeouts, endpoint.is_loopback(), Policy::none()).map_err(HubError::SetUp)?;
        let header = HeaderValue::from_str(&format!("Bearer {}", token.secret.expose()));
        let mut authorization = header.map_err(|_| HubError::SetUp("the token cannot stand in a header".into()))?;
        authorization.set_sensitive(true);
        let (secrets, place) = (vec![token.secret.clone()], token.place.clone());
        Ok(Self { client, endpoint, authorization, secrets, place, budget, searches, whole: timeouts.whole })
    }

    pub(super) fn address(&self, ask: &HubAsk) -> Url {
        ask.address(&self.endpoint)
    }

    fn budget_of(&self, resource: Resource) -> &Budget {
        match resource {
            Resource::Search => &self.searches,
            Resource::Core | Resource::Archive => &self.budget,
        }
    }

    fn host_of(&self, resource: Resource) -> String {
        format!("{}{}", self.endpoint.host(), resource.suffix())
    }

    pub(super) fn sleep(&self, time: Duration) {
        self.budget.clock().sleep(time);
    }

    /// Everybody waits: after a secondary limit with everything, else with requests of this kind.
    pub(super) fn hold_back(&self, resource: Resource, wait: Wait) -> Result<(), HubError> {
        for held in Resource::ALL {
            if wait.is_secondary || held == resource {
                self.budget_of(held).hold_back(&self.host_of(held), wait.time)?;
            }
        }
        Ok(())
    }

    /// Asks once, when the budget allows it; the body is still to come. `etag` names the answer that is here already.
    pub(super) fn begin(&self, ask: &HubAsk, etag: Option<&str>) -> Result<HubArrival, HubError> {
        let mut address = self.address(ask);
        let mut followed = 0;
        loop {
            let is_own = self.endpoint.is_own(&address);
            let resource = if is_own { ask.resource() } else { Resource::Archive };
            let permit = self.budget_of(resource).acquire(&self.host_of(resource))?;
            let (at, start) = (self.budget.clock().now(), Instant::now());
            let arrived = |headroom, begun| HubArrival { at, start, headroom, begun, _permit: permit };
            let response = match self.request(&address, is_own, etag) {
                // The address in the error could be one that a redirect has signed.
                Err(error) => return Ok(arrived(Headroom::default(), Begun::Nothing(chain(&error.without_url())))),
                Ok(response) => response,
            };
            let headroom = Headroom::of(response.headers(), self.budget.clock().now());
            if let Some(time) = headroom.is_used_up().filter(|_| is_own) {
                self.hold_back(resource, Wait { time, is_secondary: false })?;
            }
            let status = response.status().as_u16();
            if !is_redirect(status) {
                return Ok(arrived(headroom, Begun::Answer(Box::new(response))));
            }
            match self.followed(ask, &address, response.headers()) {
                Ok(to) if followed < REDIRECTS => address = to,
                Ok(_) => return Ok(arrived(headroom, Begun::Nothing("it leads round and round".to_owned()))),
                Err(away) => return Ok(arrived(headroom, Begun::LedAway(status, away))),
            }
            followed += 1;
        }
    }

    fn request(&self, address: &Url, is_own: bool, etag: Option<&str>) -> Result<Response, reqwest::Error> {
        let mut request = self.client.get(address.clone());
        if is_own {
            request = request
                .header(ACCEPT, "application/vnd.github+json")
                .header("x-github-api-version", VERSION)
                .header(AUTHORIZATION, self.authorization.clone());
            if let Some(etag) = etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
        }
        request.send()
    }

    /// Where a redirect leads, or why it is not followed, in words.
    fn followed(&self, ask: &HubAsk, from: &Url, headers: &HeaderMap) -> Result<Url, String> {
        let location = headers.get(LOCATION).and_then(|value| value.to_str().ok()).ok_or("nowhere")?;
        let to = from.join(location).map_err(|_| "to what is no address")?;
        let is_archive = ask.subject == Subject::Archive && self.endpoint.may_have_archives(&to);
        if self.endpoint.is_own(&to) || is_archive {
            return Ok(to);
        }
        Err(format!("to another host, `{}`", super::name::harmless(&address::host(&to))))
    }

    /// How long a body may be that was asked for at an instant.
    pub(super) fn limits(&self, largest: u64, start: Instant) -> BodyLimits {
        BodyLimits { largest, start, whole: self.whole }
    }

    /// The number of the next page, where the header `Link` leads to the API itself.
    pub(super) fn next_page(&self, headers: &HeaderMap) -> Option<u32> {
        let links = headers.get(LINK)?.to_str().ok()?;
        let next = links.split(',').find(|link| link.split(';').skip(1).any(|part| part.trim() == "rel=\"next\""))?;
        let address = next.split(';').next()?.trim().strip_prefix('<')?.strip_suffix('>')?;
        let address = Url::parse(address).ok().filter(|address| self.endpoint.is_own(address))?;
        address.query_pairs().find(|(name, _)| name == "page")?.1.parse().ok()
    }
}

/// Whether a status says that the answer is elsewhere.
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// By what the host knows an answer again.
pub(super) fn etag(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(ETAG)?.to_str().ok()?;
    (text.len() <= LONGEST_ETAG).then(|| text.to_owned())
}
