//! What the server is to do, as people and shell tests write it: TOML, one table `[[act]]` a request.
//!
//! ```toml
//! [[act]]                        # the first request: the model speaks
//! say = "I have read it.\n\n```python\n# %%\nprint(1)\n```"
//! finish = "stop"                # or length, content_filter, refusal
//! input = 900                    # tokens that are billed; 100, 40, 20 and 5 unless told
//! cached_input = 400
//! output = 120
//! reasoning = 0
//!
//! [[act]]                        # the second: an error in the words of the protocol
//! status = 429
//! code = "rate_limit_exceeded"
//! message = "slow down"
//! retry_after = "1"
//!
//! [[act]]                        # the third: an answer that never comes
//! say = "too late"
//! delivery = "stall"             # or whole, stall-in-body, reset-in-headers, reset-in-body, cut-short, drip
//! bytes_per_second = 20          # for drip
//! delay = 0.5                    # seconds before it
//!
//! [otherwise]                    # all after these; `ok` unless told
//! status = 500
//! code = "server_error"
//! ```
//!
//! A recorded dialogue (`dialogue.jsonl`) is a script too: [`Script::from_record`].

use std::time::Duration;

use nbrevive_loopback::Delivery;
use serde::Deserialize;
use serde_json::Value;

use crate::act::{Act, Say, Tokens, What};

/// The longest wait that a script may ask for, in seconds: an hour.
const LONGEST_DELAY: f64 = 3_600.0;

/// The acts of a script.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// One a request, in order.
    pub acts: Vec<Act>,
    /// What happens to requests after them; `None` leaves it as it is.
    pub otherwise: Option<Act>,
}

/// A script cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is no TOML of this form.
    #[error("not a script: {0}")]
    Form(#[from] Box<toml::de::Error>),
    /// An act makes no sense.
    #[error("act {number} of the script: {problem}")]
    Act {
        /// Its place, from 1; 0 for `otherwise`.
        number: usize,
        /// What is wrong.
        problem: String,
    },
    /// A line of a record cannot be read.
    #[error("line {line} of the record: {problem}")]
    Record {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    act: Vec<ActTable>,
    otherwise: Option<ActTable>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ActTable {
    say: Option<String>,
    finish: Option<String>,
    input: Option<u64>,
    cached_input: Option<u64>,
    output: Option<u64>,
    reasoning: Option<u64>,
    status: Option<u16>,
    code: Option<String>,
    message: Option<String>,
    retry_after: Option<String>,
    delivery: Option<String>,
    bytes_per_second: Option<u64>,
    delay: Option<f64>,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// [`ScriptError::Form`] and [`ScriptError::Act`].
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let table: Table = toml::from_str(text).map_err(Box::new)?;
        let read = |number, act: ActTable| act.act().map_err(|problem| ScriptError::Act { number, problem });
        let acts = table.act.into_iter().zip(1..).map(|(act, number)| read(number, act)).collect::<Result<_, _>>()?;
        Ok(Self { acts, otherwise: table.otherwise.map(|act| read(0, act)).transpose()? })
    }

    /// The answers of a recorded dialogue, in the order in which they were recorded, with the tokens that they had. Calls that
    /// failed are passed over. The server does not look at what is asked: for that there is the provider `replay`.
    ///
    /// # Errors
    /// [`ScriptError::Record`]
    pub fn from_record(text: &str) -> Result<Self, ScriptError> {
        let mut acts = Vec::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let unreadable = |problem: String| ScriptError::Record { line: number, problem };
            let record: Value = serde_json::from_str(line).map_err(|error| unreadable(error.to_string()))?;
            let ending = &record["ending"];
            if ending["failure"].is_object() || ending["failure"].is_string() {
                continue;
            }
            let Some(text) = ending["answer"]["text"].as_str() else {
                return Err(unreadable("it has neither an answer nor a failure".to_owned()));
            };
            let tokens = |name: &str| record["usage"][name].as_u64();
            let say = Say::text(text);
            let usual = say.tokens;
            acts.push(Act::from(Say {
                tokens: Tokens {
                    input: tokens("input").unwrap_or(usual.input),
                    cached_input: tokens("cached_input").unwrap_or(usual.cached_input),
                    output: tokens("output").unwrap_or(usual.output),
                    reasoning: tokens("reasoning").unwrap_or(usual.reasoning),
                },
                ..say
            }));
        }
        Ok(Self { acts, otherwise: None })
    }
}

impl ActTable {
    fn act(self) -> Result<Act, String> {
        let (delivery, delay) = (self.delivery()?, self.delay()?);
        let what = match (&self.say, self.status) {
            (Some(_), None) => self.said()?,
            (None, Some(status)) if (100..=599).contains(&status) => self.failed(status),
            (None, Some(status)) => return Err(format!("{status} is no status of HTTP")),
            _ => return Err("it needs either `say` or `status`".to_owned()),
        };
        Ok(Act { delivery, delay, ..what })
    }

    fn said(self) -> Result<Act, String> {
        if self.code.is_some() || self.message.is_some() || self.retry_after.is_some() {
            return Err("`code`, `message` and `retry_after` go with `status`".to_owned());
        }
        let say = Say::text(self.say.unwrap_or_default());
        let finish = match self.finish.as_deref() {
            None => say.finish,
            Some(word) => {
                let known = ["stop", "length", "content_filter", "refusal"].into_iter().find(|known| *known == word);
                known.ok_or_else(|| format!("`{word}` is no end: stop, length, content_filter and refusal are"))?
            }
        };
        let usual = say.tokens;
        let tokens = Tokens {
            input: self.input.unwrap_or(usual.input),
            cached_input: self.cached_input.unwrap_or(usual.cached_input),
            output: self.output.unwrap_or(usual.output),
            reasoning: self.reasoning.unwrap_or(usual.reasoning),
        };
        Ok(Say { finish, tokens, ..say }.into())
    }

    fn failed(self, status: u16) -> Act {
        let code = self.code.unwrap_or_else(|| "scripted".to_owned());
        let message = self.message.unwrap_or_else(|| format!("scripted failure: {code}"));
        What::Status { status, code, message, retry_after: self.retry_after }.into()
    }

    fn delivery(&self) -> Result<Delivery, String> {
        Ok(match self.delivery.as_deref() {
            None | Some("whole") => Delivery::Whole,
            Some("stall") => Delivery::Stall,
            Some("stall-in-body") => Delivery::StallInBody,
            Some("reset-in-headers") => Delivery::ResetInHeaders,
            Some("reset-in-body") => Delivery::ResetInBody,
            Some("cut-short") => Delivery::CutShort,
            Some("drip") => match self.bytes_per_second.unwrap_or(20) {
                0 => return Err("`bytes_per_second` is more than 0".to_owned()),
                bytes => Delivery::Drip(bytes),
            },
            Some(word) => {
                return Err(format!(
                    "`{word}` is no delivery: whole, stall, stall-in-body, reset-in-headers, reset-in-body, cut-short and \
                     drip are"
                ));
            }
        })
    }

    fn delay(&self) -> Result<Duration, String> {
        let seconds = self.delay.unwrap_or(0.0);
        if !(0.0..=LONGEST_DELAY).contains(&seconds) {
            return Err(format!("a delay of {seconds} s is not between 0 and {LONGEST_DELAY} s"));
        }
        Ok(Duration::from_secs_f64(seconds))
    }
}

#[cfg(test)]
mod tests;
