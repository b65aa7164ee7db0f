//! Any endpoint that is compatible with OpenAI's: Responses (`/responses`) and Chat Completions (`/chat/completions`).
//!
//! | file | purpose |
//! |---|---|
//! | `settings.rs` | where and how, and what is checked before the first request |
//! | `body.rs` | the request in both protocols |
//! | `transport.rs` | one exchange over HTTP, with limits |
//! | `rates.rs` | whose turn it is, where requests and tokens of a minute are limited |
//! | `refusal.rs` | what a status and an error's code mean, in one table |
//! | `read.rs`, `usage.rs` | the answer in both protocols |
//!
//! A request is repeated here only while nothing can be owed for it: turned down (429, 5xx with an error in JSON), or never
//! sent. Answers are not streamed. Redirects are not followed, so that the key goes to one host alone.

mod body;
mod rates;
mod read;
mod refusal;
mod settings;
mod transport;
mod usage;

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use nbrevive_files::unpoisoned;
use nbrevive_requests::chance;

pub use rates::RateLimits;
pub use settings::{LimitField, OpenAiSettings, Protocol, SetUpError};

use crate::{
    AnswerBill, CallPermit, Charge, ModelAnswer, ModelError, ModelFailure, ModelPrompt, ModelProvider, Secret,
};
use refusal::Trouble;
use transport::{Arrival, Transport};

/// An endpoint.
#[derive(Debug)]
pub struct OpenAi {
    settings: OpenAiSettings,
    transport: Transport,
    /// Nobody asks before: all threads wait when the provider asks one of them to.
    not_before: Mutex<Option<Instant>>,
    /// The first turn that is free, under the limits of rate.
    next_turn: Mutex<Option<Instant>>,
}

impl OpenAi {
    /// The provider's name.
    pub(crate) const NAME: &'static str = "openai";

    /// An endpoint with a key, or without one for a model that runs at home.
    ///
    /// # Errors
    /// [`SetUpError`] when the address or the key cannot be used.
    pub fn new(settings: OpenAiSettings, key: Option<&Secret>) -> Result<Self, SetUpError> {
        let transport = Transport::new(&settings, key)?;
        Ok(Self { settings, transport, not_before: Mutex::new(None), next_turn: Mutex::new(None) })
    }

    /// An endpoint with the key from the variable that the settings name.
    ///
    /// # Errors
    /// [`SetUpError`], also when the variable is not set.
    pub fn from_environment(settings: OpenAiSettings) -> Result<Self, SetUpError> {
        let key = settings.key_variable.as_deref().map(settings::key).transpose()?;
        Self::new(settings, key.as_ref())
    }

    fn not_before(&self) -> MutexGuard<'_, Option<Instant>> {
        unpoisoned(self.not_before.lock())
    }

    /// Waits while the provider wants to be left alone, but no longer than allowed.
    fn wait_for_leave(&self) {
        let until = *self.not_before();
        let left = until.map(|until| until.saturating_duration_since(Instant::now())).unwrap_or_default();
        std::thread::sleep(left.min(self.settings.longest_wait));
    }

    /// Waits until it is this request's turn.
    fn wait_for_turn(&self, prompt: &ModelPrompt) {
        let mut next = unpoisoned(self.next_turn.lock());
        let wait = self.settings.rates.turn(prompt, &mut next, Instant::now());
        drop(next);
        std::thread::sleep(wait);
    }

    /// Waits before another try; with everybody, if it was the provider who asked for it.
    fn pause(&self, trouble: &Trouble, pause: Duration, permit: &CallPermit) {
        tracing::debug!(error = %trouble.failure, ?pause, call = permit.call(), "a request was turned down, trying again");
        if trouble.retry_after.is_some() {
            let until = Instant::now().checked_add(pause);
            let mut not_before = self.not_before();
            *not_before = (*not_before).max(until);
        }
        std::thread::sleep(pause);
    }

    /// One request and what it means.
    fn exchange(&self, prompt: &ModelPrompt, body: &str, permit: &CallPermit) -> Result<ModelAnswer, Trouble> {
        let arrival = self.transport.exchange(body, permit.idempotency())?;
        let Arrival { status, content_type, request_id, retry_after, body } = arrival;
        if !(200..300).contains(&status) {
            return Err(refusal::classify(status, retry_after, &body));
        }
        if !is_json(&content_type) {
            let content_type = refusal::shortened(&content_type);
            return Err(Trouble::owed(ModelFailure::WrongContentType { content_type }));
        }
        let malformed = |reason: String| Trouble::owed(ModelFailure::Malformed { reason });
        let value = serde_json::from_slice(&body).map_err(|error| malformed(format!("it is not JSON ({error})")))?;
        if let Some(trouble) = refusal::in_body(&value) {
            return Err(trouble);
        }
        read::answer(self.settings.protocol, &value, prompt, request_id)
    }
}

impl ModelProvider for OpenAi {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn charge(&self) -> Charge {
        Charge::ByToken
    }

    fn ask(&self, prompt: &ModelPrompt, permit: &CallPermit) -> Result<ModelAnswer, ModelError> {
        let body = body::body(&self.settings, prompt);
        let (mut attempts, mut listened) = (0, Duration::ZERO);
        loop {
            attempts += 1;
            self.wait_for_turn(prompt);
            self.wait_for_leave();
            let begun = Instant::now();
            let trouble = match self.exchange(prompt, &body, permit) {
                Ok(answer) => return Ok(ModelAnswer { attempts, ..answer }),
                Err(trouble) => trouble,
            };
            // A refusal may take its time too, and is not listened to again and again.
            listened += begun.elapsed();
            let is_in_time = listened < self.settings.timeout;
            let is_harmless = is_in_time && trouble.bill == AnswerBill::Nothing && trouble.failure.is_passing();
            let pause = self.settings.patience.pause(attempts, trouble.retry_after, chance());
            let is_short = trouble.retry_after.is_none_or(|asked| asked <= self.settings.longest_wait);
            match pause.filter(|_| is_harmless && is_short) {
                Some(pause) => self.pause(&trouble, pause, permit),
                None => return Err(trouble.end(attempts)),
            }
        }
    }
}

fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

#[cfg(test)]
mod tests;
