//! Tokens as the two protocols report them.

use serde_json::Value;

use super::settings::Protocol;
use crate::{AnswerBill, ModelPrompt, TokenUsage};

/// The bill of an answer whose text is known: as reported where that can be true, else unknown, with tokens counted here.
pub(super) fn bill(protocol: Protocol, value: &Value, prompt: &ModelPrompt, text: &str) -> AnswerBill {
    match reported(protocol, &value["usage"]) {
        Some(usage) => AnswerBill::Reported(usage),
        None => {
            if !value["usage"].is_null() {
                tracing::warn!(model = prompt.model, "the usage that the provider reports cannot be true");
            }
            let output = crate::prompt::count(&prompt.model, text);
            AnswerBill::Unknown(Some(TokenUsage {
                input: prompt.input_tokens().expected,
                output,
                ..TokenUsage::default()
            }))
        }
    }
}

fn reported(protocol: Protocol, usage: &Value) -> Option<TokenUsage> {
    let (input, output) = match protocol {
        Protocol::Responses => ("input_tokens", "output_tokens"),
        Protocol::ChatCompletions => ("prompt_tokens", "completion_tokens"),
    };
    let detail = |whole: &str, part: &str| match &usage[format!("{whole}_details").as_str()][part] {
        Value::Null => Some(0),
        value => value.as_u64(),
    };
    let usage = TokenUsage {
        input: usage[input].as_u64()?,
        // Some compatible servers have the tokens of the cache beside the others.
        cached_input: detail(input, "cached_tokens")?.max(usage["prompt_cache_hit_tokens"].as_u64().unwrap_or(0)),
        cache_write: detail(input, "cache_write_tokens")?,
        output: usage[output].as_u64()?,
        reasoning: detail(output, "reasoning_tokens")?,
    };
    usage.is_possible().then_some(usage)
}
