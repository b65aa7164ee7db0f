//! One line of the record.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    AnswerBill, ModelAnswer, ModelError, ModelFailure, ModelPrompt, Money, PromptHash, TokenUsage, UsageSource,
};

/// The version of the lines that are written.
const VERSION: u32 = 1;

/// One call and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DialogueRecord {
    /// Version of this form.
    pub(super) version: u32,
    /// The call's name in the ledger.
    pub call: String,
    /// Who asked.
    pub asker: String,
    /// Hash of the prompt.
    pub prompt: PromptHash,
    /// How often the asker asked it before in its run.
    pub occurrence: u32,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// Seconds to its end.
    pub seconds: f64,
    /// Requests that were sent.
    pub attempts: u32,
    /// Who answered.
    pub provider: String,
    /// The model that was asked.
    pub model: String,
    /// The prompt's settings.
    pub max_output_tokens: u32,
    /// The prompt's settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The prompt's settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// The prompt's settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// The tokens, as far as they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// Where they come from.
    pub usage_source: UsageSource,
    /// What counts for it, in 10⁻¹² USD.
    pub cost: Money,
    /// Whether that is the worst case, because the cost is not known.
    pub is_worst_case: bool,
    /// Whether that is the worst case, because the provider reported more than it was allowed to use.
    pub is_disputed: bool,
    /// How it ended.
    pub ending: Ending,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// With an answer.
    Answer {
        /// The text.
        text: String,
        /// Why the model stopped.
        finish: String,
        /// The model, as it names itself.
        model: Option<String>,
        /// The provider's name for the request.
        request_id: Option<String>,
    },
    /// With a failure.
    Failure(ModelFailure),
}

/// What counts for a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) cost: Money,
    pub(crate) is_worst_case: bool,
    pub(crate) is_disputed: bool,
}

impl Counted {
    /// A cost, if it is known, against what was reserved.
    pub(crate) fn new(cost: Option<Money>, worst: Money) -> Self {
        Self {
            cost: cost.unwrap_or(worst).min(worst),
            is_worst_case: cost.is_none(),
            is_disputed: cost.is_some_and(|cost| cost > worst),
        }
    }

    /// The cost in a record that is replayed, for which nothing is reserved.
    pub(crate) fn recorded(cost: Money, is_disputed: bool) -> Self {
        Self { cost, is_worst_case: false, is_disputed }
    }
}

/// The call that a record is about.
pub(crate) struct Call<'a> {
    pub(crate) prompt: &'a ModelPrompt,
    pub(crate) hash: &'a PromptHash,
    pub(crate) permit: &'a crate::CallPermit,
    pub(crate) provider: &'a str,
    pub(crate) asked_at: Timestamp,
    pub(crate) seconds: f64,
}

impl DialogueRecord {
    /// The record of a call.
    pub(crate) fn new(call: &Call<'_>, result: &Result<ModelAnswer, ModelError>, counted: Counted) -> Self {
        let Counted { cost, is_worst_case, is_disputed } = counted;
        let (bill, attempts, ending) = match result {
            Ok(answer) => {
                let ModelAnswer { text, finish, model, request_id, bill, attempts } = answer.clone();
                (bill, attempts, Ending::Answer { text, finish, model, request_id })
            }
            Err(error) => (error.bill, error.attempts, Ending::Failure(error.failure.as_ref().clone())),
        };
        let usage = bill.usage();
        Self {
            version: VERSION,
            call: call.permit.call().to_owned(),
            asker: call.permit.asker().to_owned(),
            prompt: call.hash.clone(),
            occurrence: call.permit.occurrence(),
            asked_at: call.asked_at,
            seconds: call.seconds,
            attempts,
            provider: call.provider.to_owned(),
            model: call.prompt.model.clone(),
            max_output_tokens: call.prompt.max_output_tokens,
            temperature: call.prompt.temperature,
            seed: call.prompt.seed,
            effort: call.prompt.effort.clone(),
            usage: usage.map(|(usage, _)| usage),
            usage_source: usage.map_or(UsageSource::Reported, |(_, source)| source),
            cost,
            is_worst_case,
            is_disputed,
            ending,
        }
    }

    /// A line, if it is one of ours.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, String> {
        let record: Self = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if record.version != VERSION {
            return Err(format!("it has version {}, and {VERSION} is known", record.version));
        }
        if record.usage.is_some_and(|usage| !usage.is_possible()) || !record.seconds.is_finite() {
            return Err("its numbers cannot be".to_owned());
        }
        Ok(record)
    }

    /// The line, with its end.
    pub(crate) fn line(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }

    /// Whether a run that resumes takes this for the answer, instead of asking again.
    pub(crate) fn is_final(&self) -> bool {
        match &self.ending {
            Ending::Answer { .. } => true,
            Ending::Failure(failure) => failure.is_final(),
        }
    }

    /// The spelling in the ledger.
    pub(crate) fn outcome(&self) -> &'static str {
        match &self.ending {
            Ending::Answer { .. } => "answered",
            Ending::Failure(failure) => failure.name(),
        }
    }

    /// What the provider said, once more.
    pub(crate) fn result(&self) -> Result<ModelAnswer, ModelError> {
        let bill = AnswerBill::Recorded {
            usage: self.usage,
            source: self.usage_source,
            cost: self.cost,
            is_disputed: self.is_disputed,
        };
        let attempts = self.attempts;
        match self.ending.clone() {
            Ending::Answer { text, finish, model, request_id } => {
                Ok(ModelAnswer { text, finish, model, request_id, bill, attempts })
            }
            Ending::Failure(failure) => Err(ModelError { failure: Box::new(failure), bill, attempts }),
        }
    }
}
