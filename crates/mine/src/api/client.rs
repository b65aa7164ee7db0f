//! Answers by natural key: from the raw store where a usable one is kept, from the server otherwise.

use std::sync::Arc;

use jiff::Timestamp;

use super::ask::Ask;
use super::endpoint::{Endpoint, Generation};
use super::error::ApiError;
use super::shape::{BodyFault, harmless, said_error};
use super::transport::{Arrival, Content, Transport};
use crate::answers::{self, Failure, Kept, Settled, Torn, persist};
use crate::budget::{Budget, Patience};
use crate::http::Timeouts;
use crate::raw::{Belief, ContentHash, HttpExchange, JournalEntry, MiningStanding, RawError, RawStore};
use crate::records::{MiningSource, Origin};
use crate::secret::Credentials;

/// Tries for an answer that came whole and cannot be read: perhaps it is meant so.
const DOUBTFUL_ATTEMPTS: u32 = 3;

/// How the API is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ApiSettings {
    /// Retries of requests.
    pub patience: Patience,
    /// When a refusal is final.
    pub belief: Belief,
    /// How long an exchange may take.
    pub timeouts: Timeouts,
    /// Longest answer that is taken, in bytes. Default 64 MiB: the longest notebooks without outputs have a few.
    pub largest_answer: u64,
    /// Kept answers from before this are asked for again. Default `None`: every kept answer is used.
    pub reuse_since: Option<Timestamp>,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            patience: Patience::default(),
            belief: Belief::default(),
            timeouts: Timeouts::default(),
            largest_answer: 64 << 20,
            reuse_since: None,
        }
    }
}

/// The API of Kaggle over a raw store. Usable from several threads.
#[derive(Debug)]
pub struct Api {
    store: Arc<RawStore>,
    generation: Generation,
    settings: ApiSettings,
    transport: Option<Transport>,
}

/// What one try came to: `Err` ends all of them.
type Tried<T> = answers::Tried<T, ApiError>;

impl Generation {
    /// The generation in which a store's requests to the API were made, by the last of them.
    ///
    /// # Errors
    /// [`RawError`] when the journal cannot be read.
    pub fn of_store(store: &RawStore) -> Result<Option<Self>, RawError> {
        let of = |entry: &JournalEntry| match entry {
            JournalEntry::Exchange(exchange) if exchange.source == MiningSource::KaggleApi => {
                Some(match exchange.method.as_str() {
                    "POST" => Self::Modern,
                    _ => Self::Legacy,
                })
            }
            _ => None,
        };
        Ok(store.journal()?.iter().rev().find_map(of))
    }
}

impl Api {
    /// The API at an endpoint.
    ///
    /// # Errors
    /// [`ApiError::SetUp`] when the HTTP client cannot be made.
    pub fn online(
        store: Arc<RawStore>,
        endpoint: Endpoint,
        credentials: &Credentials,
        budget: Budget,
        settings: ApiSettings,
    ) -> Result<Self, ApiError> {
        let generation = endpoint.generation;
        let transport = Transport::new(endpoint, credentials, budget, &settings.timeouts)?;
        Ok(Self { store, generation, settings, transport: Some(transport) })
    }

    /// The kept answers alone: for replay. Every kept answer is used, however old.
    #[must_use]
    pub fn offline(store: Arc<RawStore>, generation: Generation, settings: ApiSettings) -> Self {
        Self { store, generation, settings: ApiSettings { reuse_since: None, ..settings }, transport: None }
    }

    /// The raw store.
    #[must_use]
    pub fn store(&self) -> &RawStore {
        &self.store
    }

    /// The generation that is spoken.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// Requests that may run at once.
    pub(crate) fn concurrency(&self) -> usize {
        self.transport.as_ref().map_or(1, |transport| transport.budget.manners().concurrency.max(1) as usize)
    }

    /// The natural key of a request.
    pub(crate) fn key(&self, ask: &Ask) -> String {
        ask.key(self.generation)
    }

    /// How a request stands in the raw store.
    pub(crate) fn standing(&self, ask: &Ask) -> Result<MiningStanding, RawError> {
        self.kept().standing(&self.key(ask))
    }

    /// What is kept, and when it counts.
    fn kept(&self) -> Kept<'_> {
        let ApiSettings { belief, largest_answer: limit, reuse_since: since, .. } = self.settings;
        Kept { store: &self.store, source: MiningSource::KaggleApi, belief, limit, since }
    }

    /// The answer to a request, parsed. The parser is told where the answer lies.
    pub(crate) fn answer<T>(
        &self,
        ask: &Ask,
        parse: impl Fn(&[u8], &Origin) -> Result<T, BodyFault>,
    ) -> Result<T, ApiError> {
        if let Some(item) = &ask.item {
            let notebook = item.split_once('#').map_or(item.as_str(), |(notebook, _)| notebook);
            if self.store.is_removed(notebook)? {
                return Err(ApiError::TakenDown { item: item.clone() });
            }
        }
        if let Some(found) = self.settled(ask, &parse)? {
            return Ok(found);
        }
        let Some(transport) = &self.transport else { return Err(ApiError::NotKept { what: self.key(ask) }) };
        let attempt = |failed| -> Tried<T> {
            let arrival = transport.exchange(ask, &self.store, self.settings.largest_answer)?;
            let asked = arrival.asked_pause;
            let tried = self.judge(transport, ask, arrival, failed, &parse)?;
            Ok(tried.map_err(|failure| failure.asked_for(asked)))
        };
        persist(&self.settings.patience, attempt, |pause, hold| {
            match hold {
                // Everybody waits: the next leave is given after the pause.
                Some(_) => transport.budget.hold_back(&transport.host(), pause)?,
                None => transport.budget.clock().sleep(pause),
            }
            Ok(())
        })
    }

    /// The newest kept answer that today's parser reads, or the error that the kept ones settle.
    fn settled<T>(
        &self,
        ask: &Ask,
        parse: &impl Fn(&[u8], &Origin) -> Result<T, BodyFault>,
    ) -> Result<Option<T>, ApiError> {
        let what = self.key(ask);
        match self.kept().settle(&what, parse)? {
            Settled::Answer(value) => Ok(Some(value)),
            Settled::TooLarge => {
                Err(ApiError::TooLarge { what, limit: self.settings.largest_answer, final_word: true })
            }
            Settled::Unavailable(status) => {
                Err(ApiError::NotAvailable { what, status, message: "as before".into(), final_word: true })
            }
            Settled::Open => Ok(None),
        }
    }

    /// Notes what arrived and says what it means: an answer, a failure to be repeated, or an error.
    fn judge<T>(
        &self,
        transport: &Transport,
        ask: &Ask,
        arrival: Arrival,
        failed: u32,
        parse: &impl Fn(&[u8], &Origin) -> Result<T, BodyFault>,
    ) -> Tried<T> {
        let mut exchange = self.exchange(transport, ask, &arrival);
        let what = exchange.key.clone();
        match arrival.content {
            Content::Whole(body) => {
                exchange.body = Some(body.hash.clone());
                self.judge_body(transport, ask, exchange, &body.hash, failed, parse)
            }
            Content::Nothing(why) => {
                self.store.note(HttpExchange { fault: Some(why.clone()), ..exchange })?;
                Ok(Err(Failure::passing(ApiError::Unreachable { what, why, attempts: failed })))
            }
            Content::Torn(Torn::Cut(why)) => {
                self.store.note(HttpExchange { fault: Some(why.clone()), ..exchange })?;
                Ok(Err(Failure::passing(ApiError::Truncated { what, why, attempts: failed })))
            }
            Content::Torn(Torn::TooLarge) => {
                let limit = self.settings.largest_answer;
                self.store.note(HttpExchange { over: Some(limit), ..exchange })?;
                let final_word = self.standing(ask)? == MiningStanding::TooLarge;
                Err(ApiError::TooLarge { what, limit, final_word })
            }
        }
    }

    /// The journal's line for what arrived, without body and fault.
    fn exchange(&self, transport: &Transport, ask: &Ask, arrival: &Arrival) -> HttpExchange {
        let (key, url) = (self.key(ask), transport.address(ask).to_string());
        HttpExchange {
            item: ask.item.clone(),
            seconds: arrival.seconds,
            status: arrival.status,
            ..HttpExchange::begun(MiningSource::KaggleApi, key, transport.http_method(), url, arrival.at)
        }
    }

    /// The same for a whole body, which may still say anything.
    fn judge_body<T>(
        &self,
        transport: &Transport,
        ask: &Ask,
        mut exchange: HttpExchange,
        body: &ContentHash,
        failed: u32,
        parse: &impl Fn(&[u8], &Origin) -> Result<T, BodyFault>,
    ) -> Tried<T> {
        let what = exchange.key.clone();
        let bytes = self.store.read(body)?;
        let status = exchange.status.unwrap_or_default();
        let good = (200..300).contains(&status);
        let parsed = if good { parse(&bytes, &self.kept().origin(&what, body)) } else { Err(told(status, &bytes)) };
        exchange.status = match &parsed {
            Ok(_) => Some(200),
            Err(BodyFault::Says { status, .. }) => Some(*status),
            Err(_) => exchange.status,
        };
        exchange.fault = parsed.as_ref().err().map(ToString::to_string);
        self.store.note(exchange)?;
        match parsed {
            Ok(value) => Ok(Ok(value)),
            Err(BodyFault::Shape(source)) => Ok(Err(doubtful(ApiError::Shape { what, source }))),
            Err(BodyFault::Says { status, message }) => self.refusal(transport, ask, status, message, failed),
            Err(fault) => Ok(Err(doubtful(ApiError::NotJson { what, why: fault.to_string() }))),
        }
    }

    /// What a status that is no success means.
    fn refusal<T>(&self, transport: &Transport, ask: &Ask, status: u16, message: String, attempts: u32) -> Tried<T> {
        let what = self.key(ask);
        let again = |error| Ok(Err(Failure::passing(error)));
        match status {
            401 => Err(ApiError::CredentialsWrong { place: transport.place.clone() }),
            403 if message.to_lowercase().contains("rules") && ask.competition.is_some() => {
                let competition = ask.competition.clone().expect("checked by the guard");
                Err(ApiError::RulesNotAccepted { competition })
            }
            403 | 404 | 410 => {
                let final_word = self.standing(ask)? == MiningStanding::Unavailable;
                Err(ApiError::NotAvailable { what, status, message, final_word })
            }
            429 => Ok(Err(Failure::limit(ApiError::RateLimited { what, attempts }))),
            408 | 500..=599 => again(ApiError::Server { what, status, attempts }),
            _ => Err(ApiError::Refused { what, status, message }),
        }
    }
}

/// A failure that may be meant so.
fn doubtful(error: ApiError) -> Failure<ApiError> {
    Failure::doubtful(error, DOUBTFUL_ATTEMPTS)
}

/// What the body of a refusal says.
fn told(status: u16, bytes: &[u8]) -> BodyFault {
    let said = serde_json::from_slice(bytes).ok().as_ref().and_then(said_error);
    let bare = || serde_json::from_slice::<serde_json::Value>(bytes).ok()?["message"].as_str().map(harmless);
    let message = said.map(|(_, message)| message).or_else(bare).unwrap_or_default();
    BodyFault::Says { status, message }
}
