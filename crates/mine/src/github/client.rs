//! Answers by natural key: from the raw store where a usable one is kept, from the host otherwise.

use std::sync::Arc;

use serde_json::Value;

use super::ask::{HubAsk, Subject};
use super::endpoint::{HubEndpoint, HubToken};
use super::error::HubError;
use super::limits::{Headroom, Wait, block_reason};
use super::settings::HubSettings;
use super::transport::{Begun, HubArrival, HubTransport, etag, is_redirect};
use crate::answers::{self, Failure, Torn, persist};
use crate::api::{BodyFault, harmless};
use crate::budget::{Budget, Manners};
use crate::raw::{ContentHash, HttpExchange, KeptAnswers, RawStore};
use crate::records::{HostedState, MiningSource, Origin};

/// Tries for an answer that came whole and cannot be read: perhaps it is meant so.
const DOUBTFUL_ATTEMPTS: u32 = 3;

/// The host over a raw store. One request at a time, as its documentation asks for.
#[derive(Debug)]
pub struct Hub {
    pub(super) store: Arc<RawStore>,
    pub(super) settings: HubSettings,
    transport: Option<HubTransport>,
}

/// An answer's bytes, and what came with them.
pub(super) struct HubAnswer<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) origin: Origin,
    pub(super) next: Option<u32>,
}

/// What one try came to: `Err` ends all of them.
pub(super) type Tried<T> = answers::Tried<T, HubError>;

/// A failure that may be meant so.
pub(super) fn doubtful(error: HubError) -> Failure<HubError> {
    Failure::doubtful(error, DOUBTFUL_ATTEMPTS)
}

impl Hub {
    /// The host at an endpoint. `budget` is that of all requests but searches, which have their own rate beside it.
    ///
    /// # Errors
    /// [`HubError::SetUp`] when the HTTP client cannot be made.
    pub fn online(
        store: Arc<RawStore>,
        endpoint: HubEndpoint,
        token: &HubToken,
        budget: Budget,
        settings: HubSettings,
    ) -> Result<Self, HubError> {
        let searches = budget.with_manners(Manners { rate: settings.search_rate, ..*budget.manners() });
        let transport = HubTransport::new(endpoint, token, (budget, searches), &settings.timeouts)?;
        Ok(Self { store, settings, transport: Some(transport) })
    }

    /// The kept answers alone: for replay. Every kept answer is used, however old.
    #[must_use]
    pub fn offline(store: Arc<RawStore>, settings: HubSettings) -> Self {
        Self { store, settings: HubSettings { reuse_since: None, ..settings }, transport: None }
    }

    /// The raw store.
    #[must_use]
    pub fn store(&self) -> &RawStore {
        &self.store
    }

    pub(super) fn transport(&self, what: &str) -> Result<&HubTransport, HubError> {
        self.transport.as_ref().ok_or_else(|| HubError::NotKept { what: what.to_owned() })
    }

    pub(super) fn is_usable(&self, kept: &KeptAnswers) -> bool {
        self.settings.reuse_since.is_none_or(|since| kept.at >= since)
    }

    /// The answer to a request, parsed.
    pub(super) fn answer<T>(
        &self,
        ask: &HubAsk,
        parse: impl Fn(&HubAnswer<'_>) -> Result<T, BodyFault>,
    ) -> Result<T, HubError> {
        let key = ask.key();
        let answers = self.store.answers(&key)?;
        if let Some(settled) = self.settled(ask, &answers, &parse)? {
            return settled;
        }
        // The newest answer that the host may know again.
        let known = answers.iter().find(|kept| kept.etag.is_some() && !kept.faulty && is_success(kept));
        let transport = self.transport(&key)?;
        self.persist(transport, ask, |failed| {
            let arrival = transport.begin(ask, known.and_then(|kept| kept.etag.as_deref()))?;
            self.judge(transport, ask, arrival, known, failed, &parse)
        })
    }

    /// Tries until it is done, or enough was tried.
    pub(super) fn persist<T>(
        &self,
        transport: &HubTransport,
        ask: &HubAsk,
        attempt: impl FnMut(u32) -> Tried<T>,
    ) -> Result<T, HubError> {
        persist(&self.settings.patience, attempt, |time, hold| {
            match hold {
                Some(hold) => transport.hold_back(ask.resource(), Wait { time, is_secondary: hold.is_secondary })?,
                None => transport.sleep(time),
            }
            Ok(())
        })
    }

    /// What the kept answers settle: the newest one that is whole and says something.
    fn settled<T>(
        &self,
        ask: &HubAsk,
        answers: &[KeptAnswers],
        parse: &impl Fn(&HubAnswer<'_>) -> Result<T, BodyFault>,
    ) -> Result<Option<Result<T, HubError>>, HubError> {
        let (what, limit) = (ask.key(), self.settings.largest_answer);
        for kept in answers.iter().filter(|kept| self.is_usable(kept)) {
            if kept.over.is_some_and(|over| over >= limit) {
                return Ok(Some(Err(HubError::TooLarge { what, limit, unpacked: false })));
            }
            let (false, Some(body)) = (kept.faulty, &kept.body) else { continue };
            let Ok(bytes) = self.store.read(body) else { continue };
            if is_success(kept) {
                let answer = HubAnswer { bytes: &bytes, origin: origin(&what, body), next: kept.next };
                match parse(&answer) {
                    Ok(value) => return Ok(Some(Ok(value))),
                    Err(fault) => tracing::debug!(what, %fault, "kept answer is not usable"),
                }
            } else if let Some(error) = settled_refusal(ask, kept.status.unwrap_or_default(), &bytes) {
                return Ok(Some(Err(error)));
            }
        }
        Ok(None)
    }

    /// Notes what arrived and says what it means.
    fn judge<T>(
        &self,
        transport: &HubTransport,
        ask: &HubAsk,
        arrival: HubArrival,
        known: Option<&KeptAnswers>,
        failed: u32,
        parse: &impl Fn(&HubAnswer<'_>) -> Result<T, BodyFault>,
    ) -> Tried<T> {
        let (what, mut exchange) = (ask.key(), self.exchange(transport, ask, &arrival));
        let HubArrival { start, headroom, begun, .. } = arrival;
        let mut response = match begun {
            Begun::Answer(response) => response,
            other => return self.unanswered(exchange, other, failed),
        };
        exchange.status = Some(response.status().as_u16());
        exchange.etag = etag(response.headers());
        exchange.next = transport.next_page(response.headers());
        let body = if exchange.status == Some(304) {
            // What is here already; a 304 tells neither page nor, perhaps, its own name.
            exchange.etag = known.and_then(|kept| kept.etag.clone());
            exchange.next = known.and_then(|kept| kept.next);
            known.and_then(|kept| kept.body.clone())
        } else {
            let limit = self.settings.largest_answer;
            match answers::keep(&mut response, &self.store, &transport.secrets, &transport.limits(limit, start))? {
                Ok(body) => Some(body.hash),
                Err(torn) => return self.torn(exchange, torn, limit, failed),
            }
        };
        exchange.seconds = start.elapsed().as_secs_f64();
        let Some(hash) = body else {
            let why = "the host says that nothing changed, and nothing is here".to_owned();
            self.store.note(HttpExchange { fault: Some(why.clone()), ..exchange })?;
            return Ok(Err(doubtful(HubError::Unreadable { what, why })));
        };
        exchange.body = Some(hash.clone());
        let (status, bytes) = (exchange.status.unwrap_or_default(), self.store.read(&hash)?);
        if !matches!(status, 200 | 304) {
            return self.refusal(transport, ask, exchange, &bytes, failed, &headroom);
        }
        let parsed = parse(&HubAnswer { bytes: &bytes, origin: origin(&what, &hash), next: exchange.next });
        exchange.fault = parsed.as_ref().err().map(ToString::to_string);
        self.store.note(exchange)?;
        match parsed {
            Ok(value) => Ok(Ok(value)),
            Err(BodyFault::Shape(source)) => Ok(Err(doubtful(HubError::Shape { what, source }))),
            Err(fault) => Ok(Err(doubtful(HubError::Unreadable { what, why: fault.to_string() }))),
        }
    }

    /// The journal's line for what arrived, without status, body and fault.
    pub(super) fn exchange(&self, transport: &HubTransport, ask: &HubAsk, arrival: &HubArrival) -> HttpExchange {
        let url = transport.address(ask).to_string();
        HttpExchange {
            seconds: arrival.start.elapsed().as_secs_f64(),
            ..HttpExchange::begun(MiningSource::GitHub, ask.key(), "GET", url, arrival.at)
        }
    }

    /// Notes that no answer began. Where a redirect leads is kept as its body.
    pub(super) fn unanswered<T>(&self, exchange: HttpExchange, begun: Begun, attempts: u32) -> Tried<T> {
        let what = exchange.key.clone();
        let why = match begun {
            Begun::LedAway(status, to) => {
                let body = self.store.keep(MiningSource::GitHub, &what, to.as_bytes())?;
                self.store.note(HttpExchange { status: Some(status), body: Some(body), ..exchange })?;
                return Err(HubError::LedAway { what, to });
            }
            Begun::Nothing(why) => why,
            Begun::Answer(_) => "no answer".to_owned(),
        };
        self.store.note(HttpExchange { fault: Some(why.clone()), ..exchange })?;
        Ok(Err(Failure::passing(HubError::Unreachable { what, why, attempts })))
    }

    /// Notes that a body did not come whole.
    pub(super) fn torn<T>(&self, exchange: HttpExchange, torn: Torn, limit: u64, attempts: u32) -> Tried<T> {
        let what = exchange.key.clone();
        match torn {
            Torn::TooLarge => {
                self.store.note(HttpExchange { over: Some(limit), ..exchange })?;
                Err(HubError::TooLarge { what, limit, unpacked: false })
            }
            Torn::Cut(why) => {
                self.store.note(HttpExchange { fault: Some(why.clone()), ..exchange })?;
                Ok(Err(Failure::passing(HubError::Unreachable { what, why, attempts })))
            }
        }
    }

    /// Notes an answer that is no success, and says what it means.
    pub(super) fn refusal<T>(
        &self,
        transport: &HubTransport,
        ask: &HubAsk,
        exchange: HttpExchange,
        bytes: &[u8],
        failed: u32,
        headroom: &Headroom,
    ) -> Tried<T> {
        let (what, status) = (exchange.key.clone(), exchange.status.unwrap_or_default());
        let message = told(bytes).1;
        if let Some(wait) = headroom.wait(status, &message, failed) {
            self.store.note(HttpExchange { fault: Some(format!("too many requests: {message}")), ..exchange })?;
            let error = HubError::RateLimited { what, attempts: failed };
            return Ok(Err(Failure::passing(error).held_back(wait.into())));
        }
        if let Some(error) = settled_refusal(ask, status, bytes) {
            self.store.note(exchange)?;
            return Err(error);
        }
        self.store.note(HttpExchange { fault: Some(message.clone()), ..exchange })?;
        match status {
            401 => Err(HubError::TokenWrong { place: transport.place.clone() }),
            408 | 500..=599 => Ok(Err(Failure::passing(HubError::Server { what, status, attempts: failed }))),
            _ => Err(HubError::Refused { what, status, message }),
        }
    }
}

fn is_success(kept: &KeptAnswers) -> bool {
    matches!(kept.status, Some(200 | 304))
}

pub(super) fn origin(request: &str, raw: &ContentHash) -> Origin {
    Origin { source: MiningSource::GitHub, request: request.to_owned(), raw: raw.clone() }
}

/// The body of a refusal as JSON, where it is, and its message.
fn told(bytes: &[u8]) -> (Value, String) {
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let message = value["message"].as_str().map(harmless).unwrap_or_default();
    (value, message)
}

/// The host's last word on what was asked for, if it is one.
pub(super) fn settled_refusal(ask: &HubAsk, status: u16, bytes: &[u8]) -> Option<HubError> {
    let (body, message) = told(bytes);
    let block = block_reason(&body);
    let state = match (status, ask.subject) {
        (status, _) if is_redirect(status) => {
            let to = String::from_utf8_lossy(bytes);
            return Some(HubError::LedAway { what: ask.key(), to: harmless(&to) });
        }
        (_, Subject::Search) => return None,
        (451, _) => HostedState::BlockedByLaw,
        (403, _) if block.is_some() => HostedState::Blocked,
        (403, _) => HostedState::Forbidden,
        (404 | 410, _) => HostedState::Missing,
        (409, Subject::Commit) => HostedState::Empty,
        (422, Subject::Commit) => HostedState::NoCommit,
        _ => return None,
    };
    let message = block.map_or(message.clone(), |reason| format!("{message}: {}", harmless(&reason)));
    Some(HubError::Settled { what: ask.key(), state, status, message })
}
