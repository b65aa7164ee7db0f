//! The answer in both protocols.

use serde_json::Value;

use super::refusal::{Trouble, shortened};
use super::settings::Protocol;
use super::usage::bill;
use crate::{ModelAnswer, ModelFailure, ModelPrompt};

/// What an answer says, whatever the protocol.
#[derive(Debug, Default)]
struct Said {
    text: String,
    refusal: Option<String>,
    /// The provider's word for the end.
    finish: String,
    end: End,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum End {
    /// By itself.
    #[default]
    Whole,
    /// At the limit of tokens.
    Cut,
    /// By a filter.
    Filtered,
    /// In a way that we did not ask for, such as a call of a tool.
    Other,
}

/// The answer in a body that is JSON and no error.
pub(super) fn answer(
    protocol: Protocol,
    value: &Value,
    prompt: &ModelPrompt,
    request_id: Option<String>,
) -> Result<ModelAnswer, Trouble> {
    let malformed = |reason: String| Trouble::owed(ModelFailure::Malformed { reason });
    let said = match protocol {
        Protocol::Responses => responses(value),
        Protocol::ChatCompletions => chat(value),
    };
    let said = said.map_err(|reason| malformed(reason.to_owned()))?;
    let bill = bill(protocol, value, prompt, &said.text);
    // Some models say that they ended by themselves when they ran out of tokens: an answer that used all of them was cut.
    let limit = prompt.max_output_tokens;
    let used_all = bill.usage().is_some_and(|(usage, _)| usage.output == u64::from(limit));
    let failure = match (said.refusal, said.end) {
        (Some(words), _) => Some(ModelFailure::Refusal { message: shortened(&words) }),
        (None, End::Filtered) => Some(ModelFailure::ContentFilter { message: "the answer was stopped".to_owned() }),
        (None, End::Cut) => Some(ModelFailure::Truncated { limit, partial: said.text.clone() }),
        (None, End::Whole) if used_all => Some(ModelFailure::Truncated { limit, partial: said.text.clone() }),
        (None, End::Whole) if said.text.is_empty() => {
            Some(ModelFailure::Malformed { reason: "it has no text".to_owned() })
        }
        (None, End::Other) => Some(ModelFailure::Malformed { reason: format!("it ended with `{}`", said.finish) }),
        (None, End::Whole) => None,
    };
    if let Some(failure) = failure {
        return Err(Trouble { failure: Box::new(failure), bill, retry_after: None });
    }
    let name = |value: &Value| value.as_str().map(shortened);
    let request_id = request_id.or_else(|| name(&value["id"]));
    Ok(ModelAnswer {
        text: said.text,
        finish: said.finish,
        model: name(&value["model"]),
        request_id,
        bill,
        attempts: 1,
    })
}

fn chat(value: &Value) -> Result<Said, &'static str> {
    let choices = value["choices"].as_array().ok_or("it has no list `choices`")?;
    let [choice] = choices.as_slice() else { return Err("it has not exactly one choice") };
    let message = choice["message"].as_object().ok_or("its choice has no message")?;
    let text = match message.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        // Some servers send parts, as Responses does.
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        Some(_) => return Err("its content is neither text nor parts"),
    };
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|words| !words.is_empty()).map(str::to_owned);
    let finish = choice["finish_reason"].as_str().unwrap_or("stop").to_owned();
    let end = match finish.as_str() {
        "stop" | "end_turn" | "eos" => End::Whole,
        "length" => End::Cut,
        "content_filter" => End::Filtered,
        _ => End::Other,
    };
    Ok(Said { text, refusal, finish: shortened(&finish), end })
}

fn responses(value: &Value) -> Result<Said, &'static str> {
    let output = value["output"].as_array().ok_or("it has no list `output`")?;
    let mut said = Said::default();
    for item in output.iter().filter(|item| item["type"] == "message") {
        let parts = item["content"].as_array().ok_or("a message has no list `content`")?;
        for part in parts {
            match part["type"].as_str() {
                Some("output_text") => said.text.push_str(part["text"].as_str().ok_or("a text has no text")?),
                Some("refusal") => said.refusal = Some(part["refusal"].as_str().unwrap_or("no words").to_owned()),
                _ => {}
            }
        }
    }
    let status = value["status"].as_str().unwrap_or("completed");
    let reason = value["incomplete_details"]["reason"].as_str();
    said.finish = shortened(reason.unwrap_or(status));
    said.end = match (status, reason) {
        (_, Some("content_filter")) => End::Filtered,
        (_, Some("max_output_tokens")) => End::Cut,
        ("completed", None) => End::Whole,
        _ => End::Other,
    };
    Ok(said)
}
