//! Who answers, on whose behalf, and with whose leave.

use crate::{AnswerBill, ModelAnswer, ModelError, ModelPrompt};

/// On whose behalf a call is made: the columns by which the ledger is summed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errand {
    /// The study and condition, such as `mle-modernizer/modernize`.
    pub study: String,
    /// The key of the notebook's version.
    pub notebook: String,
    /// The fix type, such as `error-repair`.
    pub fix_type: String,
    /// The number of the fix, from 1.
    pub fix_number: u32,
    /// 0 for the question itself, then the number of the re-ask.
    pub re_ask: u32,
}

impl Errand {
    /// An errand for a notebook of a study, for no fix yet.
    #[must_use]
    pub fn new(study: impl Into<String>, notebook: impl Into<String>) -> Self {
        Self { study: study.into(), notebook: notebook.into(), fix_type: String::new(), fix_number: 0, re_ask: 0 }
    }

    /// The same for a fix.
    #[must_use]
    pub fn fix(self, fix_type: impl Into<String>, fix_number: u32) -> Self {
        Self { fix_type: fix_type.into(), fix_number, ..self }
    }

    /// The same for a re-ask.
    #[must_use]
    pub fn re_ask(self, re_ask: u32) -> Self {
        Self { re_ask, ..self }
    }

    /// The study without its condition: what the cap of a study is for.
    #[must_use]
    pub fn family(&self) -> &str {
        self.study.split_once('/').map_or(self.study.as_str(), |(family, _)| family)
    }

    /// Who asks: the study and the notebook in one text. The same prompt of two askers is two questions.
    #[must_use]
    pub fn asker(&self) -> String {
        format!("{}/{}", self.study, self.notebook)
    }
}

/// Leave for one call. Only a reservation in the ledger gives it, so that no call is made that is not accounted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPermit {
    pub(crate) call: String,
    pub(crate) asker: String,
    pub(crate) occurrence: u32,
    pub(crate) idempotency: String,
}

impl CallPermit {
    /// The call's name in ledger and record.
    #[must_use]
    pub fn call(&self) -> &str {
        &self.call
    }

    /// Who asks.
    #[must_use]
    pub fn asker(&self) -> &str {
        &self.asker
    }

    /// How often the asker asked this very prompt before in this run.
    #[must_use]
    pub fn occurrence(&self) -> u32 {
        self.occurrence
    }

    /// The same for every try of the same question, also after a kill: providers that honour it bill once.
    #[must_use]
    pub fn idempotency(&self) -> &str {
        &self.idempotency
    }
}

/// How a provider's calls are paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charge {
    /// By the token, from the table of prices.
    ByToken,
    /// Not at all.
    Free,
    /// They were paid when they were recorded.
    Recorded,
}

/// Whether a call is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// It is not.
    No,
    /// After a pause, and only so often.
    AfterPause,
    /// At once: the record has another call.
    AtOnce,
}

/// A source of answers.
pub trait ModelProvider: Send + Sync {
    /// The name under which calls are recorded, such as `openai`.
    fn name(&self) -> &'static str;

    /// How calls are paid.
    fn charge(&self) -> Charge;

    /// Who the answers are from: the provider itself, or the one that a record is of.
    fn source(&self) -> &'static str {
        self.name()
    }

    /// Whether a call that failed is worth another one, with a permit of its own. Unless told otherwise: where something may
    /// be owed, so that the provider could not repeat it on its own, and time may cure it.
    fn repeat(&self, error: &ModelError, _: &ModelPrompt, _: &CallPermit) -> Repeat {
        let is_worth_it = matches!(error.bill, AnswerBill::Unknown(_)) && error.failure.is_passing();
        if is_worth_it { Repeat::AfterPause } else { Repeat::No }
    }

    /// Asks once. A provider repeats a request on its own only while nothing can be owed for it.
    ///
    /// # Errors
    /// [`ModelError`]: why there is no answer, and what is owed nevertheless.
    fn ask(&self, prompt: &ModelPrompt, permit: &CallPermit) -> Result<ModelAnswer, ModelError>;
}
