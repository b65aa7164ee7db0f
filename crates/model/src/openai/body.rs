//! The request in both protocols.

use serde_json::{Map, Value, json};

use super::settings::{LimitField, OpenAiSettings, Protocol};
use crate::{Message, ModelPrompt};

/// The body of a request. Whatever the prompt leaves open is left out, since models refuse parameters that they do not have.
pub(super) fn body(settings: &OpenAiSettings, prompt: &ModelPrompt) -> String {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(prompt.model));
    let limit = match settings.protocol {
        Protocol::Responses => {
            if !prompt.system.is_empty() {
                body.insert("instructions".to_owned(), json!(prompt.system));
            }
            body.insert("input".to_owned(), Value::Array(messages(prompt)));
            // The provider has no need to keep the notebooks.
            body.insert("store".to_owned(), json!(false));
            "max_output_tokens"
        }
        Protocol::ChatCompletions => {
            let system = (!prompt.system.is_empty()).then(|| json!({"role": "system", "content": prompt.system}));
            body.insert("messages".to_owned(), system.into_iter().chain(messages(prompt)).collect());
            body.insert("stream".to_owned(), json!(false));
            match settings.limit_field {
                LimitField::MaxCompletionTokens => "max_completion_tokens",
                LimitField::MaxTokens => "max_tokens",
            }
        }
    };
    body.insert(limit.to_owned(), json!(prompt.max_output_tokens));
    if let Some(temperature) = prompt.temperature {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    // Responses has no seed: it is recorded, and not sent.
    if let (Some(seed), Protocol::ChatCompletions) = (prompt.seed, settings.protocol) {
        body.insert("seed".to_owned(), json!(seed));
    }
    if let Some(effort) = &prompt.effort {
        match settings.protocol {
            Protocol::Responses => body.insert("reasoning".to_owned(), json!({"effort": effort})),
            Protocol::ChatCompletions => body.insert("reasoning_effort".to_owned(), json!(effort)),
        };
    }
    Value::Object(body).to_string()
}

fn messages(prompt: &ModelPrompt) -> Vec<Value> {
    let plain = |message: &Message| json!({"role": message.role.as_str(), "content": message.text});
    prompt.messages.iter().map(plain).collect()
}
