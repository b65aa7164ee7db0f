//! Answers in the shapes of the two protocols.

use nbrevive_loopback::{Reply, ReplyBody};
use serde_json::{Value, json};

use crate::act::{Say, Tokens, What};

/// The protocols of OpenAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireProtocol {
    /// `/v1/chat/completions`
    ChatCompletions,
    /// `/v1/responses`
    Responses,
}

impl WireProtocol {
    pub(crate) fn of(path: &str) -> Option<Self> {
        match path {
            "/v1/chat/completions" => Some(Self::ChatCompletions),
            "/v1/responses" => Some(Self::Responses),
            _ => None,
        }
    }
}

/// The answer to a request, without its faults of delivery.
pub(crate) fn reply(what: &What, protocol: WireProtocol, model: &str) -> Reply {
    match what {
        What::Say(say) => {
            let body = match protocol {
                WireProtocol::ChatCompletions => chat(say, model),
                WireProtocol::Responses => responses(say, model),
            };
            Reply::json(200, &body).with("x-request-id", "req_fake")
        }
        What::Status { status, code, message, retry_after } => {
            let body = json!({"error": {"message": message, "type": "scripted", "param": null, "code": code}});
            let reply = Reply::json(*status, &body).with("x-request-id", "req_fake");
            retry_after.iter().fold(reply, |reply, text| reply.with("Retry-After", text))
        }
        What::Raw { status, content_type, body } => Reply::new(*status, content_type, body.clone()),
        What::Huge { bytes, is_chunked } => huge(*bytes, *is_chunked),
        What::Events => repeated("text/event-stream", "", b": still here\n\n".to_vec(), u64::MAX, true),
        What::Redirect(to) => Reply { status: 307, ..Reply::redirect(to) },
    }
}

fn chat(say: &Say, model: &str) -> Value {
    let mut message = json!({"role": "assistant", "content": say.text, "refusal": null});
    let mut finish = say.finish;
    if finish == "refusal" {
        message = json!({"role": "assistant", "content": null, "refusal": say.text});
        finish = "stop";
    }
    if say.is_silent {
        finish = "stop";
    }
    let mut body = json!({
        "id": "chatcmpl-fake", "object": "chat.completion", "created": 1, "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
    });
    let Tokens { input, cached_input, output, reasoning } = say.tokens;
    let truth = json!({
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input.saturating_add(output),
        "prompt_tokens_details": {"cached_tokens": cached_input},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    });
    set_usage(&mut body, say, truth);
    body
}

fn responses(say: &Say, model: &str) -> Value {
    let kind = if say.finish == "refusal" { "refusal" } else { "text" };
    let content = match kind {
        "refusal" => json!({"type": "refusal", "refusal": say.text}),
        _ => json!({"type": "output_text", "text": say.text, "annotations": []}),
    };
    let (status, reason) = match say.finish {
        "length" if !say.is_silent => ("incomplete", json!({"reason": "max_output_tokens"})),
        "content_filter" => ("incomplete", json!({"reason": "content_filter"})),
        _ => ("completed", Value::Null),
    };
    let mut body = json!({
        "id": "resp_fake", "object": "response", "created_at": 1, "model": model, "status": status, "error": null,
        "incomplete_details": reason,
        "output": [
            {"id": "rs_fake", "type": "reasoning", "summary": []},
            {"id": "msg_fake", "type": "message", "role": "assistant", "status": "completed", "content": [content]},
        ],
    });
    let Tokens { input, cached_input, output, reasoning } = say.tokens;
    let truth = json!({
        "input_tokens": input, "output_tokens": output, "total_tokens": input.saturating_add(output),
        "input_tokens_details": {"cached_tokens": cached_input},
        "output_tokens_details": {"reasoning_tokens": reasoning},
    });
    set_usage(&mut body, say, truth);
    body
}

fn set_usage(body: &mut Value, say: &Say, truth: Value) {
    let shown = say.usage.clone().unwrap_or(truth);
    if !shown.is_null() {
        body["usage"] = shown;
    }
}

/// A text in JSON that goes on and on.
fn huge(bytes: u64, is_chunked: bool) -> Reply {
    let piece = vec![b'x'; 4096];
    let count = bytes / piece.len() as u64;
    repeated("application/json", "{\"text\": \"", piece, count, is_chunked)
}

fn repeated(content_type: &str, before: &str, piece: Vec<u8>, count: u64, is_chunked: bool) -> Reply {
    let mut reply = Reply::new(200, content_type, "");
    let after = if before.is_empty() { Vec::new() } else { b"\"}".to_vec() };
    reply.body = ReplyBody::Repeated { before: before.as_bytes().to_vec(), count, piece, after };
    reply.is_chunked = is_chunked;
    reply
}
