//! Speaks to language models and accounts for every token. It knows nothing of notebooks: a prompt goes in, an answer or a
//! typed failure comes out, and every call leaves a row with its tokens and its cost.
//!
//! ```no_run
//! use std::path::Path;
//! use nbrevive_model::{
//!     Caps, Dialogue, AskingSettings, Errand, Ledger, Message, Money, OpenAi, OpenAiSettings, Prices, ModelPrompt, Recorder,
//! };
//!
//! let folder = Path::new(".nbrevive/study");
//! let settings = OpenAiSettings::at("https://api.openai.com/v1");
//! let provider = OpenAi::from_environment(settings)?;
//! let ledger = Ledger::open(&folder.join("ledger.db"))?;
//! let caps = Caps { notebook: Money::from_dollars(1.0), ..Caps::default() };
//! let recorder = Recorder::open(&folder.join("dialogue.jsonl"))?;
//! let settings = AskingSettings { caps, ..AskingSettings::default() };
//! let dialogue = Dialogue::new(Box::new(provider), ledger, Prices::builtin()?, settings).with_recorder(recorder)?;
//!
//! let prompt = ModelPrompt::new("gpt-5.2", "You mend notebooks.", vec![Message::user("…")], 16_000);
//! let errand = Errand::new("my-study/modernize", "titanic/17").fix("error-repair", 1);
//! let receipt = dialogue.ask(&prompt, &errand)?;
//! assert!(receipt.cost <= Money::from_dollars(1.0).unwrap());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | part | purpose |
//! |---|---|
//! | [`ModelPrompt`], [`ModelAnswer`], [`ModelFailure`] | what is asked, what comes back, and every way in which nothing does |
//! | [`ModelProvider`] | who answers: [`OpenAi`] (any compatible endpoint), [`Exchange`] (files), [`Replay`] (a recorded dialogue) |
//! | [`Recorder`] | the record of every call, from which a study is rerun without a key |
//! | [`Prices`], [`Money`], [`estimate`], [`estimate_study`] | what tokens cost, by date; what prompts, or a study, would cost |
//! | [`Encoding`] | how many tokens a text has |
//! | [`Ledger`], [`Caps`] | one row a call; no call is made that could pass a cap |
//! | [`Accounts`], [`Account`] | the same caps over calls of many machines |
//! | [`Dialogue`] | brings them together: look in the record, reserve, ask, record, settle |
//! | [`forget`] | takes notebooks out of record and ledger again |
//! | [`ModelSettings`] | all of it from a table of settings |

mod account;
mod amount;
mod answer;
mod database;
mod dialogue;
mod exchange;
mod failure;
mod forget;
mod ledger;
mod money;
mod openai;
mod prompt;
mod provider;
mod record;
mod replay;
mod settings;
mod tokens;

pub use account::{Account, AccountError, AccountName, Accounts, Allowance};
pub use amount::Money;
pub use answer::{AnswerBill, MOST_TOKENS, ModelAnswer, TokenUsage, UsageSource};
pub use database::{ReadOnly, unchanging};
pub use dialogue::{AskingSettings, Dialogue, DialogueError, Receipt};
pub use exchange::{Exchange, ExchangeError, ExchangeSettings};
pub use failure::{ModelError, ModelFailure};
pub use forget::{ForgetError, forget};
pub use ledger::{
    Averages, CallOrder, CapKind, CapRoom, Caps, Costs, LEDGER, Ledger, LedgerError, LedgerRow, Settlement,
};
pub use money::{
    CACHED_SHARE, Estimate, Expectation, FIXES_PER_NOTEBOOK, LongContext, OUTPUT_PER_FIX, Price, PriceError, Prices,
    Rates, StudyEstimate, StudyExpectation, estimate, estimate_study,
};
pub use nbrevive_requests::{Patience, Secret};
pub use openai::{LimitField, OpenAi, OpenAiSettings, Protocol, RateLimits, SetUpError};
pub use prompt::{InputTokens, Message, ModelPrompt, PromptHash, Speaker};
pub use provider::{CallPermit, Charge, Errand, ModelProvider, Repeat};
pub use record::{DialogueRecord, Ending, RECORD, RecordError, Recorder};
pub use replay::Replay;
pub use settings::{
    CapSettings, DEFAULT_MAX_OUTPUT, DEFAULT_NOTEBOOK_CAP, DEFAULT_STUDY_CAP, ModelSettings, OpenError, ProviderKind,
    RateSettings,
};
pub use tokens::Encoding;

#[cfg(test)]
mod testing;
