//! A question from beginning to end: look in the record, reserve, ask, record, settle.
//!
//! | killed … | what the next run finds |
//! |---|---|
//! | before the answer was recorded | a reservation, which keeps its worst case; the question is asked again, with the same `Idempotency-Key` |
//! | between record and ledger | the record, from which the reservation is settled; nothing is asked |
//! | later | both; nothing is asked |

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_files::unpoisoned;
use nbrevive_requests::{Patience, chance};

use crate::account::{Account, AccountError};
use crate::record::{Call, Counted, DialogueRecord, RecordError, Recorder};
use crate::{
    AnswerBill, CallOrder, CallPermit, Caps, Charge, Errand, Ledger, LedgerError, ModelAnswer, ModelError, ModelPrompt,
    ModelProvider, Money, Price, PriceError, Prices, PromptHash, Repeat, Replay, Settlement,
};

/// How questions are asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AskingSettings {
    /// How much may be spent; no caps unless given.
    pub caps: Caps,
    /// Repetition of calls for which something may be owed (a time-out, a broken answer): each is reserved anew.
    /// Default twice in all, after 2 s.
    pub patience: Patience,
    /// Longest wait for room under a cap: until calls that are under way are settled, or an hour is over. Default 2 h;
    /// zero refuses at once.
    pub longest_wait: Duration,
}

/// How often room under a cap is looked for.
const LOOK: Duration = Duration::from_millis(500);

impl Default for AskingSettings {
    fn default() -> Self {
        let delay = Duration::from_secs(2);
        Self {
            caps: Caps::default(),
            patience: Patience { attempts: 2, delay, ..Patience::default() },
            longest_wait: Duration::from_secs(2 * 3600),
        }
    }
}

/// A provider with its account. Usable from several threads.
pub struct Dialogue {
    provider: Box<dyn ModelProvider>,
    ledger: Ledger,
    prices: Prices,
    settings: AskingSettings,
    recorder: Option<Recorder>,
    account: Option<Account>,
    /// How often each question was asked in this run.
    asked: Mutex<HashMap<(String, PromptHash), u32>>,
}

/// An answer and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// The answer.
    pub answer: ModelAnswer,
    /// What it cost; the worst case where that is not known.
    pub cost: Money,
    /// Whether it was in the record of an earlier run, and cost nothing now.
    pub is_from_record: bool,
}

/// There is no answer.
#[derive(Debug, thiserror::Error)]
pub enum DialogueError {
    /// The model was asked.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The account did not allow the call, or failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The record failed.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The price is not known.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// The call cannot be written down for others.
    #[error(transparent)]
    Account(#[from] AccountError),
}

impl DialogueError {
    /// The spelling in tables.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Model(error) => error.failure.name(),
            Self::Ledger(LedgerError::Cap { .. }) => "cap",
            Self::Ledger(LedgerError::Disputed { .. }) => "disputed",
            Self::Ledger(LedgerError::Database { .. } | LedgerError::Foreign { .. } | LedgerError::Newer { .. }) => {
                "ledger"
            }
            Self::Record(_) => "record",
            Self::Price(_) => "price",
            Self::Account(_) => "account",
        }
    }
}

impl std::fmt::Debug for Dialogue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("Dialogue");
        shown.field("provider", &self.provider.name()).field("ledger", &self.ledger.path()).finish_non_exhaustive()
    }
}

/// A question on its way.
struct Question<'a> {
    prompt: &'a ModelPrompt,
    hash: PromptHash,
    errand: &'a Errand,
    asker: String,
    occurrence: u32,
}

impl Dialogue {
    /// A dialogue without a record: what is asked twice is paid twice.
    #[must_use]
    pub fn new(provider: Box<dyn ModelProvider>, ledger: Ledger, prices: Prices, settings: AskingSettings) -> Self {
        Self { provider, ledger, prices, settings, recorder: None, account: None, asked: Mutex::default() }
    }

    /// The same with a record, in which earlier answers are found. Calls that were answered and not settled, because the
    /// program was killed in between, are settled now.
    ///
    /// # Errors
    /// [`DialogueError::Record`] and [`DialogueError::Ledger`].
    pub fn with_recorder(mut self, recorder: Recorder) -> Result<Self, DialogueError> {
        for call in self.ledger.unsettled()? {
            if let Some(record) = recorder.call(&call)? {
                self.ledger.settle(&call, &Settlement::of(&record))?;
            }
        }
        self.recorder = Some(recorder);
        Ok(self)
    }

    /// The same as a task has it: each call is written into its account before it is made, and its answer afterwards.
    #[must_use]
    pub fn with_account(self, account: Account) -> Self {
        Self { account: Some(account), ..self }
    }

    /// The account.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Who the answers are from: rows that name it are the same when a record is replayed.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.provider.source()
    }

    /// The provider's name.
    #[must_use]
    pub fn provider(&self) -> &'static str {
        self.provider.name()
    }

    /// Asks, unless the record has the answer.
    ///
    /// # Errors
    /// [`DialogueError`]: the model's failure, a cap, or trouble with price, ledger or record.
    pub fn ask(&self, prompt: &ModelPrompt, errand: &Errand) -> Result<Receipt, DialogueError> {
        let (hash, asker) = (prompt.hash(), errand.asker());
        let occurrence = self.next_occurrence(&asker, &hash);
        let question = Question { prompt, hash, errand, asker, occurrence };
        if let Some(record) = self.recorded(&question)? {
            let (answer, cost) = (record.result()?, record.cost);
            return Ok(Receipt { answer, cost, is_from_record: true });
        }
        let mut failed = 0;
        loop {
            failed += 1;
            let permit = question.permit(new_call());
            let (result, cost) = self.call(&question, &permit)?;
            let error = match result {
                Ok(answer) => return Ok(Receipt { answer, cost, is_from_record: false }),
                Err(error) => error,
            };
            let pause = match self.provider.repeat(&error, prompt, &permit) {
                Repeat::No => None,
                Repeat::AtOnce => Some(Duration::ZERO),
                Repeat::AfterPause => self.settings.patience.pause(failed, None, chance()),
            };
            let Some(pause) = pause else { return Err(error.into()) };
            tracing::debug!(%error, ?pause, "a call failed and is made again");
            std::thread::sleep(pause);
        }
    }

    fn next_occurrence(&self, asker: &str, hash: &PromptHash) -> u32 {
        let mut asked = unpoisoned(self.asked.lock());
        let times = asked.entry((asker.to_owned(), hash.clone())).or_default();
        let occurrence = *times;
        *times = times.saturating_add(1);
        occurrence
    }

    /// The answer in the record; its call is entered in the ledger if it is not there, and settled.
    fn recorded(&self, question: &Question<'_>) -> Result<Option<DialogueRecord>, DialogueError> {
        let Some(recorder) = &self.recorder else { return Ok(None) };
        let found = recorder.find(&question.asker, &question.hash, question.occurrence)?;
        let Some(record) = found.filter(DialogueRecord::is_final) else { return Ok(None) };
        let order = CallOrder {
            call: &record.call,
            errand: question.errand,
            prompt: question.prompt,
            occurrence: question.occurrence,
            provider: &record.provider,
            worst: record.cost,
            is_paid: record.provider != Replay::NAME,
            at: record.asked_at,
        };
        self.ledger.adopt(&order)?;
        self.ledger.settle(&record.call, &Settlement::of(&record))?;
        self.write_down(&record.call)?;
        Ok(Some(record))
    }

    /// Reserves a call, once there is room for it. Says when that was.
    fn reserve(&self, order: CallOrder<'_>) -> Result<Timestamp, LedgerError> {
        let (start, mut is_told) = (Instant::now(), false);
        loop {
            let order = CallOrder { at: Timestamp::now(), ..order };
            match self.ledger.reserve(&order, &self.settings.caps) {
                Ok(()) => return Ok(order.at),
                Err(refusal @ LedgerError::Cap { free_at: Some(_), .. }) => {
                    if start.elapsed() >= self.settings.longest_wait {
                        return Err(refusal);
                    }
                    if !std::mem::replace(&mut is_told, true) {
                        tracing::info!(%refusal, "waiting for room under a cap");
                    }
                    std::thread::sleep(LOOK.min(self.settings.longest_wait));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes a call down for others, as it stands.
    fn write_down(&self, call: &str) -> Result<(), DialogueError> {
        let Some(account) = &self.account else { return Ok(()) };
        self.ledger.row(call)?.map_or(Ok(()), |row| Ok(account.call(row)?))
    }

    /// One call: reserve, ask, record, settle. With what it cost, or could have.
    fn call(
        &self,
        question: &Question<'_>,
        permit: &CallPermit,
    ) -> Result<(Result<ModelAnswer, ModelError>, Money), DialogueError> {
        let asked_at = Timestamp::now();
        let charge = self.provider.charge();
        let price = match charge {
            Charge::ByToken => self.prices.price(&question.prompt.model, asked_at.to_zoned(TimeZone::UTC).date())?,
            Charge::Free | Charge::Recorded => Price::FREE,
        };
        let worst = price.worst(question.prompt.input_tokens(), question.prompt.max_output_tokens);
        let order = CallOrder {
            call: permit.call(),
            errand: question.errand,
            prompt: question.prompt,
            occurrence: question.occurrence,
            provider: self.provider.name(),
            worst,
            is_paid: charge != Charge::Recorded,
            at: asked_at,
        };
        let asked_at = self.reserve(order)?;
        self.write_down(permit.call())?;
        let started = Instant::now();
        let result = self.provider.ask(question.prompt, permit);
        let bill = result.as_ref().map_or_else(|error| error.bill, |answer| answer.bill);
        let counted = counted(&bill, &price, worst);
        let (prompt, hash, provider) = (question.prompt, &question.hash, self.provider.name());
        let seconds = started.elapsed().as_secs_f64();
        let call = Call { prompt, hash, permit, provider, asked_at, seconds };
        let record = DialogueRecord::new(&call, &result, counted);
        if let Some(recorder) = &self.recorder {
            recorder.append(&record)?;
        }
        if let Some(account) = &self.account {
            account.said(&record)?;
        }
        self.ledger.settle(permit.call(), &Settlement::of(&record))?;
        Ok((result, record.cost))
    }
}

impl Question<'_> {
    fn permit(&self, call: String) -> CallPermit {
        let mut hasher = blake3::Hasher::new();
        for part in [self.asker.as_str(), self.hash.as_str(), &self.occurrence.to_string()] {
            hasher.update(part.as_bytes()).update(b"\0");
        }
        let idempotency = hasher.finalize().to_hex()[..32].to_owned();
        CallPermit { call, asker: self.asker.clone(), occurrence: self.occurrence, idempotency }
    }
}

/// What counts for a call.
fn counted(bill: &AnswerBill, price: &Price, worst: Money) -> Counted {
    match bill {
        AnswerBill::Nothing => Counted::new(Some(Money::ZERO), worst),
        AnswerBill::Reported(usage) => Counted::new(Some(price.cost(usage)), worst),
        AnswerBill::Unknown(_) => Counted::new(None, worst),
        AnswerBill::Recorded { cost, is_disputed, .. } => Counted::recorded(*cost, *is_disputed),
    }
}

/// A name that no other call has, of this or any other process.
fn new_call() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&Timestamp::now().as_nanosecond().to_le_bytes());
    hasher.update(&std::process::id().to_le_bytes());
    hasher.update(&COUNT.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    hasher.update(&chance().to_le_bytes());
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod kill_tests;
#[cfg(test)]
mod tests;
