//! A model as a study's settings name it, from the table in the file to a dialogue that is ready.
//!
//! ```
//! let settings: nbrevive_model::ModelSettings = toml::from_str(r#"
//!     provider = "openai"
//!     name = "gpt-5.2-2025-12-11"
//!     base_url = "https://api.openai.com/v1"
//!     max_output_tokens = 32000
//!     caps = { notebook = 1.0, study = 50.0, hour = 20.0 }
//! "#)?;
//! assert_eq!(settings.prompt("be brief", vec![]).model, "gpt-5.2-2025-12-11");
//! # Ok::<(), toml::de::Error>(())
//! ```

use std::path::{Path, PathBuf};
use std::time::Duration;

use nbrevive_files::{FileError, read_text};
use serde::Deserialize;

use crate::{
    Account, AccountError, Accounts, AskingSettings, Caps, Dialogue, DialogueError, Exchange, ExchangeError,
    ExchangeSettings, LEDGER, Ledger, LedgerError, LimitField, Message, ModelPrompt, ModelProvider, Money, OpenAi,
    OpenAiSettings, PriceError, Prices, Protocol, RECORD, RateLimits, RecordError, Recorder, Replay, SetUpError,
};

/// Most output tokens of an answer unless told: a whole notebook, and the reasoning before it. The paper's answers have
/// some 3,000 (Table 5).
pub const DEFAULT_MAX_OUTPUT: u32 = 32_000;

/// Dollars for a notebook unless told: three times the paper's mean (Table 5).
pub const DEFAULT_NOTEBOOK_CAP: f64 = 1.0;

/// Dollars for a study unless told: a mistake should not cost more than a lunch.
pub const DEFAULT_STUDY_CAP: f64 = 10.0;

/// The longest table of prices that is read: the built-in one has some kilobytes.
const LONGEST_PRICES: u64 = 4 << 20;

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderKind {
    /// Any compatible endpoint.
    Openai,
    /// Files in a folder.
    Exchange,
    /// A recorded dialogue.
    Replay,
}

/// The table of a model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSettings {
    /// Who answers.
    pub provider: ProviderKind,
    /// The model's name, as the provider knows it.
    pub name: String,
    /// Most output tokens of an answer. Default [`DEFAULT_MAX_OUTPUT`].
    #[serde(default = "default_max_output")]
    pub max_output_tokens: u32,
    /// Temperature; the provider's default unless given.
    pub temperature: Option<f64>,
    /// Seed, for providers that take one.
    pub seed: Option<i64>,
    /// Effort of reasoning, such as `medium`.
    pub effort: Option<String>,
    /// `openai`: the address before `/responses` or `/chat/completions`.
    pub base_url: Option<String>,
    /// `openai`: the protocol. Default `responses`.
    #[serde(default)]
    pub protocol: Protocol,
    /// `openai`: how Chat Completions is told the limit of output tokens. Default `max-completion-tokens`.
    #[serde(default)]
    pub limit_field: LimitField,
    /// `openai`: the name of the variable that holds the key; empty for endpoints without one. Default `OPENAI_API_KEY`.
    pub key_variable: Option<String>,
    /// Seconds for a whole answer. Default 600, for `exchange` a day.
    pub timeout: Option<u64>,
    /// `exchange`: the folder of prompts and answers. `replay`: the record, or a folder of records.
    pub place: Option<PathBuf>,
    /// `exchange`: whether answers are paid by the token. Default no.
    #[serde(default)]
    pub is_charged: bool,
    /// A table of prices to go before the built-in one.
    pub prices: Option<PathBuf>,
    /// How much may be spent.
    #[serde(default)]
    pub caps: CapSettings,
    /// `openai`: how fast it is asked.
    #[serde(default)]
    pub rates: RateSettings,
}

/// What a provider takes in a minute, as its account there says. Default no limits: it says itself when it is too much.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RateSettings {
    /// Requests.
    pub requests_per_minute: Option<f64>,
    /// Tokens: those of prompts, and all that answers may have.
    pub tokens_per_minute: Option<f64>,
}

/// Caps in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CapSettings {
    /// For a notebook. Default [`DEFAULT_NOTEBOOK_CAP`].
    pub notebook: f64,
    /// For a study. Default [`DEFAULT_STUDY_CAP`].
    pub study: f64,
    /// For any hour. Default none.
    pub hour: Option<f64>,
    /// Whether calls are made although a provider has reported more tokens than it was allowed to use. Default no.
    pub allow_disputed: bool,
}

impl Default for CapSettings {
    fn default() -> Self {
        Self { notebook: DEFAULT_NOTEBOOK_CAP, study: DEFAULT_STUDY_CAP, hour: None, allow_disputed: false }
    }
}

fn default_max_output() -> u32 {
    DEFAULT_MAX_OUTPUT
}

/// A dialogue cannot be opened as it is set.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A setting is missing.
    #[error("the model's settings need `{field}` for the provider `{provider}`")]
    Missing {
        /// The setting.
        field: &'static str,
        /// The provider.
        provider: &'static str,
    },
    /// A cap is no amount of money.
    #[error("the cap `{name}` is {amount}; an amount in US dollars from 0 on is")]
    Cap {
        /// The cap.
        name: &'static str,
        /// What it is set to.
        amount: f64,
    },
    /// A limit of rate is none.
    #[error("`{name}` is {limit}; a number above 0 is a limit")]
    Rate {
        /// The limit.
        name: &'static str,
        /// What it is set to.
        limit: f64,
    },
    /// The account of a task cannot be used.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The table of prices cannot be read.
    #[error("cannot read the prices in {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The endpoint cannot be used.
    #[error(transparent)]
    Endpoint(#[from] SetUpError),
    /// The folder cannot be used.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// The record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The prices cannot be used.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// The ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// What an earlier run left could not be settled.
    #[error(transparent)]
    Settle(#[from] DialogueError),
}

impl ModelSettings {
    /// A prompt with these settings.
    #[must_use]
    pub fn prompt(&self, system: impl Into<String>, messages: Vec<Message>) -> ModelPrompt {
        let prompt = ModelPrompt::new(self.name.clone(), system, messages, self.max_output_tokens);
        ModelPrompt { temperature: self.temperature, seed: self.seed, effort: self.effort.clone(), ..prompt }
    }

    /// The provider's name in settings and ledger.
    #[must_use]
    pub fn provider_name(&self) -> &'static str {
        match self.provider {
            ProviderKind::Openai => OpenAi::NAME,
            ProviderKind::Exchange => Exchange::NAME,
            ProviderKind::Replay => Replay::NAME,
        }
    }

    /// The prices: the built-in ones, after those of the settings.
    ///
    /// # Errors
    /// [`OpenError::Unreadable`] and [`OpenError::Price`].
    pub fn prices(&self) -> Result<Prices, OpenError> {
        let prices = Prices::builtin()?;
        let Some(path) = &self.prices else { return Ok(prices) };
        let unreadable = |error: FileError| OpenError::Unreadable { path: path.clone(), source: error.into() };
        let table = read_text(path, LONGEST_PRICES).map_err(unreadable)?;
        Ok(prices.with(&table, &path.display().to_string())?)
    }

    /// A dialogue with ledger and record in a folder that is there. A replay is not recorded again.
    ///
    /// # Errors
    /// [`OpenError`]
    pub fn open(&self, store: &Path) -> Result<Dialogue, OpenError> {
        self.opened(store, &self.caps.caps()?, 1.0)
    }

    /// The same for a task, whose folder is new: it spends what its account allows, whatever the caps of study and hour leave.
    ///
    /// # Errors
    /// [`OpenError`]
    pub fn open_with(&self, store: &Path, account: Account) -> Result<Dialogue, OpenError> {
        let own = self.accounts(store)?;
        let allowance = account.bring(&own)?;
        let before: Money = own.ledger().rows(None)?.iter().filter(|row| row.is_paid).map(|row| row.cost).sum();
        let caps = Caps { study: Some(before + allowance.money), hour: None, ..*own.caps() };
        // Both files are opened again by who keeps them.
        drop(own);
        Ok(self.opened(store, &caps, allowance.share)?.with_account(account))
    }

    /// The ledger and the record of a study whose jobs run elsewhere.
    ///
    /// # Errors
    /// [`OpenError`]
    pub fn accounts(&self, store: &Path) -> Result<Accounts, OpenError> {
        Ok(Accounts::open(store, self.is_recorded(), self.caps.caps()?)?)
    }

    /// A replay is not recorded again.
    fn is_recorded(&self) -> bool {
        match self.provider {
            ProviderKind::Openai | ProviderKind::Exchange => true,
            ProviderKind::Replay => false,
        }
    }

    /// What the provider takes in a minute.
    ///
    /// # Errors
    /// [`OpenError::Rate`]
    pub fn rate_limits(&self) -> Result<RateLimits, OpenError> {
        let limit = |name, limit: Option<f64>| match limit {
            Some(limit) if limit.is_finite() && limit > 0.0 => Ok(Some(limit)),
            Some(limit) => Err(OpenError::Rate { name, limit }),
            None => Ok(None),
        };
        let requests = limit("rates.requests_per_minute", self.rates.requests_per_minute)?;
        Ok(RateLimits { requests, tokens: limit("rates.tokens_per_minute", self.rates.tokens_per_minute)? })
    }

    /// A dialogue under these caps, at this share of the rate limits.
    fn opened(&self, store: &Path, caps: &Caps, share: f64) -> Result<Dialogue, OpenError> {
        let (provider, prices) = (self.provider(share)?, self.prices()?);
        let settings = AskingSettings { caps: *caps, ..AskingSettings::default() };
        let dialogue = Dialogue::new(provider, Ledger::open(&store.join(LEDGER))?, prices, settings);
        match self.is_recorded() {
            true => Ok(dialogue.with_recorder(Recorder::open(&store.join(RECORD))?)?),
            false => Ok(dialogue),
        }
    }

    fn provider(&self, share: f64) -> Result<Box<dyn ModelProvider>, OpenError> {
        let missing = |field| OpenError::Missing { field, provider: self.provider_name() };
        let place = || self.place.as_deref().ok_or_else(|| missing("place"));
        let timeout = self.timeout.map(Duration::from_secs);
        Ok(match self.provider {
            ProviderKind::Openai => {
                let usual = OpenAiSettings::at(self.base_url.clone().ok_or_else(|| missing("base_url"))?);
                let key_variable = self.key_variable.clone().or_else(|| usual.key_variable.clone());
                Box::new(OpenAi::from_environment(OpenAiSettings {
                    protocol: self.protocol,
                    limit_field: self.limit_field,
                    key_variable: key_variable.filter(|name| !name.is_empty()),
                    timeout: timeout.unwrap_or(usual.timeout),
                    rates: self.rate_limits()?.share(share),
                    ..usual
                })?)
            }
            ProviderKind::Exchange => {
                let usual = ExchangeSettings::default();
                let timeout = timeout.unwrap_or(usual.timeout);
                Box::new(Exchange::open(place()?, ExchangeSettings { timeout, is_charged: self.is_charged, ..usual })?)
            }
            ProviderKind::Replay => Box::new(Replay::open(place()?)?),
        })
    }
}

impl CapSettings {
    /// The caps as amounts of money.
    ///
    /// # Errors
    /// [`OpenError::Cap`]
    pub fn caps(&self) -> Result<Caps, OpenError> {
        let money = |name, amount| Money::from_dollars(amount).ok_or(OpenError::Cap { name, amount });
        Ok(Caps {
            notebook: Some(money("notebook", self.notebook)?),
            study: Some(money("study", self.study)?),
            hour: self.hour.map(|amount| money("hour", amount)).transpose()?,
            allow_disputed: self.allow_disputed,
        })
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_fakemodel::{FakeModel, Say};

    use super::*;
    use crate::AccountName;
    use crate::testing::errand;

    fn settings(text: &str) -> ModelSettings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_study_is_asked_recorded_and_replayed_by_settings_alone() {
        let folder = tempfile::tempdir().unwrap();
        let server = FakeModel::start().unwrap();
        server.then(Say::text("an answer"));
        // The server wants a key and there is none: first a refusal, then by exchange, then from the record.
        let text = format!(
            "provider = \"openai\"\nname = \"gpt-5.2\"\nbase_url = \"{}\"\nprotocol = \"chat-completions\"\nkey_variable = \"\"",
            server.url()
        );
        let openai = settings(&text);
        let prompt = openai.prompt("be brief", vec![Message::user("hello")]);
        assert_eq!((prompt.max_output_tokens, prompt.temperature), (DEFAULT_MAX_OUTPUT, None));
        let refused = openai.open(folder.path()).unwrap().ask(&prompt, &errand()).unwrap_err();
        assert_eq!(refused.name(), "authentication");
        let exchange = folder.path().join("exchange");
        let text = format!("provider = \"exchange\"\nname = \"gpt-5.2\"\nplace = {exchange:?}\ntimeout = 20");
        let dialogue = settings(&text).open(folder.path()).unwrap();
        let answer = exchange.join(format!("{}.answer.md", prompt.hash()));
        std::fs::write(&answer, "from a person").unwrap();
        assert_eq!(dialogue.ask(&prompt, &errand()).unwrap().answer.text, "from a person");
        let record = folder.path().join(RECORD);
        let text = format!("provider = \"replay\"\nname = \"gpt-5.2\"\nplace = {record:?}");
        let other = tempfile::tempdir().unwrap();
        let replayed = settings(&text).open(other.path()).unwrap().ask(&prompt, &errand()).unwrap();
        assert_eq!((replayed.answer.text.as_str(), replayed.cost), ("from a person", Money::ZERO));
        let again = settings(&text).open(other.path()).unwrap();
        assert_eq!((again.provider(), again.source()), ("replay", "exchange"), "rows name who answered");
    }

    #[test]
    fn a_task_spends_what_its_account_allows_whatever_the_caps_leave() {
        let (home, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let server = FakeModel::start().unwrap();
        let text =
            format!("provider = \"openai\"\nname = \"gpt-5.2\"\nbase_url = \"{}\"\nkey_variable = \"\"", server.url());
        let openai = settings(&text);
        let accounts = openai.accounts(home.path()).unwrap();
        let name = AccountName { folder: home.path(), run: "run", batch: 1 };
        let little = Money::from_dollars(0.001).unwrap();
        accounts.hand_out(name, "study", (little, 0.5), &[]).unwrap();
        let account = Account::take(&home.path().join("1"), "a").unwrap().unwrap();
        let task = openai.open_with(scratch.path(), account).unwrap();
        let refused = task.ask(&openai.prompt("be brief", vec![Message::user("hello")]), &errand()).unwrap_err();
        assert!(refused.name() == "cap" && refused.to_string().contains("0.0010 USD"), "{refused}");
        assert_eq!(server.log(), []);
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let told = |text: &str| settings(text).open(folder.path()).unwrap_err().to_string();
        insta::assert_snapshot!(told("provider = \"openai\"\nname = \"m\""), @"the model's settings need `base_url` for the provider `openai`");
        insta::assert_snapshot!(told("provider = \"replay\"\nname = \"m\""), @"the model's settings need `place` for the provider `replay`");
        let exchange = format!("provider = \"exchange\"\nname = \"m\"\nplace = {:?}\n", folder.path());
        insta::assert_snapshot!(told(&format!("{exchange}caps = {{ notebook = -1.0 }}")), @"the cap `notebook` is -1; an amount in US dollars from 0 on is");
        let rates = "provider = \"openai\"\nname = \"m\"\nbase_url = \"http://127.0.0.1:9/v1\"\nkey_variable = \"\"\nrates = { requests_per_minute = 0.0 }";
        insta::assert_snapshot!(told(rates), @"`rates.requests_per_minute` is 0; a number above 0 is a limit");
        assert!(told(&format!("{exchange}prices = \"no-such-file.toml\"")).contains("no-such-file.toml"));
        let told_of = |prices: &str| told(&format!("{exchange}prices = {prices:?}"));
        assert!(told_of("/dev/zero").contains("only regular files are read"));
        let unset =
            "provider = \"openai\"\nname = \"m\"\nbase_url = \"https://x\"\nkey_variable = \"NBREVIVE_TEST_UNSET\"";
        assert!(told(unset).contains("NBREVIVE_TEST_UNSET"));
        for wrong in ["key = \"sk-secret\"", "caps = { notebooks = 1.0 }", "protocol = \"soap\""] {
            assert!(toml::from_str::<ModelSettings>(&format!("{exchange}{wrong}")).is_err(), "{wrong}");
        }
    }
}
