//! The endpoint against a fake server over loopback: good days, every bad day, and what is sent.

use std::time::Duration;

use nbrevive_fakemodel::{Act, Delivery, FakeModel, Say};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::testing::{permit, prompt, provider, settings};
use crate::{Message, TokenUsage};

const BOTH: [Protocol; 2] = [Protocol::Responses, Protocol::ChatCompletions];

#[test]
fn an_answer_comes_with_its_account_in_both_protocols() {
    for protocol in BOTH {
        let server = FakeModel::start().unwrap();
        server.then(Say::text("# %%\nx = 'ä\u{1f600}'\r\n").tokens(5_191, 2_930, 777, 500));
        let answer = provider(&server, protocol).ask(&prompt("mend this"), &permit(0)).unwrap();
        assert_eq!(answer.text, "# %%\nx = 'ä\u{1f600}'\r\n");
        let usage = TokenUsage { input: 5_191, cached_input: 2_930, cache_write: 0, output: 777, reasoning: 500 };
        assert_eq!((answer.bill, answer.attempts), (AnswerBill::Reported(usage), 1));
        assert_eq!((answer.model.as_deref(), answer.request_id.as_deref()), (Some("gpt-5.2"), Some("req_fake")));
    }
}

#[test]
fn what_is_asked_is_what_is_sent() {
    let server = FakeModel::start().unwrap();
    let messages = vec![Message::user("one"), Message::assistant("two"), Message::user("three")];
    let prompt =
        ModelPrompt { messages, temperature: Some(0.25), seed: Some(7), effort: Some("low".into()), ..prompt("") };
    for protocol in BOTH {
        provider(&server, protocol).ask(&prompt, &permit(0)).unwrap();
    }
    let log = server.log();
    let dialogue = json!([
        {"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}, {"role": "user", "content": "three"},
    ]);
    assert_eq!(
        log[0].body,
        json!({"model": "gpt-5.2", "instructions": "be brief", "input": dialogue, "store": false,
               "max_output_tokens": 1000, "temperature": 0.25, "reasoning": {"effort": "low"}})
    );
    let mut messages = vec![json!({"role": "system", "content": "be brief"})];
    messages.extend(dialogue.as_array().unwrap().iter().cloned());
    assert_eq!(
        log[1].body,
        json!({"model": "gpt-5.2", "messages": messages, "stream": false, "max_completion_tokens": 1000,
               "temperature": 0.25, "seed": 7, "reasoning_effort": "low"})
    );
    assert!(log.iter().all(|entry| entry.is_authorized && !entry.has_stray_secret));
    assert_eq!(log[0].idempotency.as_deref(), Some("key-0"));
    let old =
        OpenAiSettings { limit_field: LimitField::MaxTokens, ..settings(&server.url(), Protocol::ChatCompletions) };
    OpenAi::new(old, Some(&Secret::new(server.key()))).unwrap().ask(&prompt, &permit(1)).unwrap();
    assert_eq!(server.log()[2].body["max_tokens"], 1000);
}

/// One line on how a call ended.
fn outcome(result: &Result<ModelAnswer, ModelError>) -> String {
    let word = |bill: &AnswerBill| match bill {
        AnswerBill::Nothing => "nothing owed",
        AnswerBill::Reported(_) => "as reported",
        AnswerBill::Unknown(_) => "worst case",
        AnswerBill::Recorded { .. } => "recorded",
    };
    match result {
        Ok(answer) => format!("answered, {}, {} requests", word(&answer.bill), answer.attempts),
        Err(error) => format!("{}, {}, {} requests", error.failure.name(), word(&error.bill), error.attempts),
    }
}

/// How a call ends whose every request meets the same act.
fn end_of(act: &Act, protocol: Protocol) -> String {
    let server = FakeModel::start().unwrap();
    server.otherwise(act.clone());
    let settings = OpenAiSettings { timeout: Duration::from_secs(5), ..settings(&server.url(), protocol) };
    let provider = OpenAi::new(settings, Some(&Secret::new(server.key()))).unwrap();
    outcome(&provider.ask(&prompt("mend this"), &permit(0)))
}

#[test]
fn every_bad_day_ends_in_a_typed_outcome() {
    let elsewhere = FakeModel::start().unwrap();
    let acts = Act::every(&format!("{}/responses", elsewhere.url()));
    for protocol in BOTH {
        let ends: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = acts.iter().map(|act| scope.spawn(move || end_of(act, protocol))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        // In the order of `Act::every`; the same in both protocols.
        insta::allow_duplicates! { insta::assert_snapshot!(ends.join("\n"), @r"
        timed-out, worst case, 1 requests
        timed-out, worst case, 1 requests
        connection, worst case, 1 requests
        connection, worst case, 1 requests
        connection, worst case, 1 requests
        timed-out, worst case, 1 requests
        too-large, worst case, 1 requests
        too-large, worst case, 1 requests
        too-large, worst case, 1 requests
        content-filter, nothing owed, 1 requests
        content-filter, as reported, 1 requests
        refusal, as reported, 1 requests
        truncated, as reported, 1 requests
        truncated, as reported, 1 requests
        context-overflow, nothing owed, 1 requests
        authentication, nothing owed, 1 requests
        authentication, nothing owed, 1 requests
        unknown-model, nothing owed, 1 requests
        rate-limited, nothing owed, 3 requests
        rate-limited, nothing owed, 1 requests
        quota, nothing owed, 1 requests
        server, nothing owed, 3 requests
        server, worst case, 1 requests
        malformed, worst case, 1 requests
        malformed, worst case, 1 requests
        malformed, worst case, 1 requests
        server, worst case, 1 requests
        wrong-content-type, worst case, 1 requests
        wrong-content-type, worst case, 1 requests
        answered, worst case, 1 requests
        answered, worst case, 1 requests
        answered, as reported, 1 requests
        redirected, nothing owed, 1 requests
        ") }
    }
    assert!(elsewhere.log().is_empty(), "a redirect was followed");
}

/// Nothing of a model is waited for without end.
mod attacks {
    use std::time::Instant;

    use nbrevive_fakemodel::What;

    use super::*;

    /// How a call ends that may take a second, and how long it took.
    fn end_of(act: Act) -> (String, Duration) {
        let server = FakeModel::start().unwrap();
        server.otherwise(act);
        let settings =
            OpenAiSettings { timeout: Duration::from_secs(1), ..settings(&server.url(), Protocol::Responses) };
        let provider = OpenAi::new(settings, Some(&Secret::new(server.key()))).unwrap();
        let begun = Instant::now();
        (outcome(&provider.ask(&prompt("mend this"), &permit(0))), begun.elapsed())
    }

    #[test]
    fn an_answer_that_trickles_for_ever_ends_with_its_time() {
        let endless = Act::from(What::Huge { bytes: u64::MAX, is_chunked: true }).sent(Delivery::Drip(20));
        let (end, took) = end_of(endless);
        assert_eq!(end, "timed-out, worst case, 1 requests");
        assert!(took < Duration::from_secs(60), "{took:?}");
    }

    #[test]
    fn a_stream_of_events_is_not_listened_to() {
        let (end, _) = end_of(Act::from(What::Events).sent(Delivery::Drip(20)));
        assert_eq!(end, "wrong-content-type, worst case, 1 requests");
    }

    #[test]
    fn a_refusal_that_trickles_is_heard_once() {
        let refusal = Act::status(429, "rate_limit_exceeded").message(&"x".repeat(4096));
        let (end, _) = end_of(refusal.sent(Delivery::Drip(20)));
        assert_eq!(end, "rate-limited, nothing owed, 1 requests");
    }
}

#[test]
fn a_burst_of_refusals_is_waited_out_as_the_server_asks() {
    let server = FakeModel::start().unwrap();
    server.then(Act::status(429, "rate_limit_exceeded").retry_after("1"));
    server.then(Act::status(503, "overloaded"));
    server.then(Say::text("at last"));
    let answer = provider(&server, Protocol::Responses).ask(&prompt("x"), &permit(0)).unwrap();
    assert_eq!((answer.text.as_str(), answer.attempts), ("at last", 3));
    let log = server.log();
    assert!(log[1].started - log[0].started >= Duration::from_secs(1));
    assert!(log.iter().all(|entry| entry.idempotency == log[0].idempotency));
    assert_eq!(server.bills().len(), 1);
}

#[test]
fn all_threads_wait_when_one_is_asked_to() {
    let server = FakeModel::start().unwrap();
    server.then(Act::status(429, "rate_limit_exceeded").retry_after("1"));
    let provider = provider(&server, Protocol::Responses);
    std::thread::scope(|scope| {
        scope.spawn(|| provider.ask(&prompt("first"), &permit(0)).unwrap());
        while provider.not_before().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        for number in 1..4 {
            let provider = &provider;
            scope.spawn(move || provider.ask(&prompt("later"), &permit(number)).unwrap());
        }
    });
    let log = server.log();
    assert_eq!(log.len(), 5);
    assert!(log[1..].iter().all(|entry| entry.started - log[0].started >= Duration::from_secs(1)));
}

#[test]
fn a_key_that_the_server_sends_back_is_not_kept() {
    let server = FakeModel::start().unwrap();
    let key = "sk-wrong-0123456789abcdef";
    let settings = settings(&server.url(), Protocol::Responses);
    let provider = OpenAi::new(settings, Some(&Secret::new(key))).unwrap();
    let error = provider.ask(&prompt("x"), &permit(0)).unwrap_err();
    assert!(error.to_string().contains("Incorrect API key provided: Bearer ****"), "{error}");
    assert!(!format!("{error:?} {provider:?}").contains(key));
    server.then(Say::text(format!("the key is {}", server.key())));
    let told = crate::testing::provider(&server, Protocol::ChatCompletions).ask(&prompt("x"), &permit(0)).unwrap();
    assert!(!told.text.contains(server.key()) && told.text.starts_with("the key is ****"));
}

#[test]
fn an_endpoint_that_is_not_there_owes_nothing() {
    let server = FakeModel::start().unwrap();
    let settings = settings(&server.url(), Protocol::Responses);
    drop(server);
    let error = OpenAi::new(settings, None).unwrap().ask(&prompt("x"), &permit(0)).unwrap_err();
    assert!(matches!(*error.failure, ModelFailure::Connection { may_have_arrived: false, .. }), "{error:?}");
    assert_eq!((error.bill, error.attempts), (AnswerBill::Nothing, 3));
}

#[test]
fn a_model_at_home_needs_no_key_and_may_say_nothing_of_tokens() {
    let server = FakeModel::start().unwrap();
    let open = OpenAi::new(settings(&server.url(), Protocol::ChatCompletions), None).unwrap();
    let error = open.ask(&prompt("x"), &permit(0)).unwrap_err();
    assert!(matches!(*error.failure, ModelFailure::Authentication { status: 401, .. }));
    server.then(Say::text("one two three").usage(Value::Null));
    let answer = provider(&server, Protocol::ChatCompletions).ask(&prompt("x"), &permit(0)).unwrap();
    let counted = TokenUsage { input: prompt("x").input_tokens().expected, output: 3, ..TokenUsage::default() };
    assert_eq!(answer.bill, AnswerBill::Unknown(Some(counted)));
}

#[test]
fn a_refusal_cut_in_its_body_is_still_a_refusal() {
    let server = FakeModel::start().unwrap();
    server.otherwise(Act::status(401, "invalid_api_key").sent(Delivery::CutShort));
    let error = provider(&server, Protocol::Responses).ask(&prompt("x"), &permit(0)).unwrap_err();
    assert!(matches!(*error.failure, ModelFailure::Authentication { .. }), "{error:?}");
    assert_eq!(error.bill, AnswerBill::Nothing);
}

#[test]
fn unsafe_settings_are_refused_before_the_first_request() {
    let key = Secret::new("sk-0123456789");
    let refused = |url: &str| {
        let error = OpenAi::new(OpenAiSettings::at(url), Some(&key)).unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
        error
    };
    insta::assert_snapshot!(refused("http://models.example/v1"), @"the key would be sent to models.example in clear; use https, or no key");
    insta::assert_snapshot!(refused("https://me:secret@models.example/v1"), @"the address of the endpoint is not usable: it holds a user, a password, a query or a fragment; one such as https://api.openai.com/v1 is");
    insta::assert_snapshot!(refused("ftp://models.example"), @"the address of the endpoint is not usable: it is neither http nor https; one such as https://api.openai.com/v1 is");
    insta::assert_snapshot!(refused("models"), @"the address of the endpoint is not usable: relative URL without a base; one such as https://api.openai.com/v1 is");
    assert!(OpenAi::new(OpenAiSettings::at("http://models.example/v1"), None).is_ok());
    assert!(OpenAi::new(OpenAiSettings::at("http://[::1]:8080/v1/"), Some(&key)).is_ok());
    let unusable = OpenAi::new(OpenAiSettings::at("https://models.example"), Some(&Secret::new("a\nb")));
    assert_eq!(unusable.unwrap_err(), SetUpError::UnusableKey);
    let unset =
        OpenAiSettings { key_variable: Some("NBREVIVE_TEST_NO_SUCH_KEY".into()), ..OpenAiSettings::at("https://x") };
    let error = OpenAi::from_environment(unset).unwrap_err();
    assert!(error.to_string().contains("NBREVIVE_TEST_NO_SUCH_KEY"), "{error}");
}

/// JSON of the shapes that the readers look into, and of all others.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z_\\PC]{0,20}".prop_map(Value::from),
        prop::sample::select(vec![
            "message",
            "output_text",
            "refusal",
            "completed",
            "length",
            "content_filter",
            "stop"
        ])
        .prop_map(Value::from),
    ];
    let names = vec![
        "choices",
        "message",
        "content",
        "finish_reason",
        "refusal",
        "usage",
        "prompt_tokens",
        "completion_tokens",
        "output",
        "type",
        "text",
        "status",
        "incomplete_details",
        "reason",
        "input_tokens",
        "output_tokens",
        "error",
        "code",
        "model",
        "prompt_tokens_details",
        "output_tokens_details",
        "cached_tokens",
        "reasoning_tokens",
        "id",
        "other",
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        let field = (prop::sample::select(names.clone()), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(field, 0..8).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn no_answer_makes_the_readers_panic_or_believe_in_impossible_tokens(value in any_json(), responses: bool, status: u16) {
        let protocol = BOTH[usize::from(responses)];
        let result = read::answer(protocol, &value, &prompt("x"), None);
        let bill = match &result {
            Ok(answer) => answer.bill,
            Err(trouble) => trouble.bill,
        };
        prop_assert!(bill.usage().is_none_or(|(usage, _)| usage.is_possible()));
        let _ = refusal::in_body(&value);
        let trouble = refusal::classify(status, None, value.to_string().as_bytes());
        prop_assert!(trouble.failure.to_string().chars().count() < 1_000);
    }

    #[test]
    fn no_bytes_make_the_classifier_panic(bytes: Vec<u8>, status: u16) {
        let _ = refusal::classify(status, None, &bytes);
    }

    #[test]
    fn texts_come_back_byte_for_byte(text in "\\PC{1,60}|[\\x00-\\x7f]{1,60}") {
        let chat = json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]});
        let answer = read::answer(Protocol::ChatCompletions, &chat, &prompt("x"), None).unwrap();
        prop_assert_eq!(&answer.text, &text);
        let parts = json!({"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}]});
        prop_assert_eq!(read::answer(Protocol::Responses, &parts, &prompt("x"), None).unwrap().text, text);
    }
}

#[test]
fn codes_and_statuses_mean_what_the_table_says() {
    let meaning = |status: u16, body: Value| {
        let trouble = refusal::classify(status, None, body.to_string().as_bytes());
        format!("{} {}", trouble.failure.name(), if trouble.bill == AnswerBill::Nothing { "free" } else { "owed" })
    };
    let error = |code: &str, message: &str| json!({"error": {"code": code, "message": message}});
    let cases = [
        (429, error("insufficient_quota", ""), "quota free"),
        (429, error("", "slow down"), "rate-limited free"),
        (400, error("", "This model's maximum context length is 8192 tokens"), "context-overflow free"),
        (
            400,
            json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "exceeds the available context size"}}),
            "context-overflow free",
        ),
        (400, json!({"error": "a plain text"}), "bad-request free"),
        (400, json!({"code": "content_filter"}), "content-filter free"),
        (402, json!({}), "quota free"),
        (404, error("model_not_found", "no"), "unknown-model free"),
        (418, json!(null), "bad-request free"),
        (500, error("server_error", ""), "server free"),
        (504, json!({"error": {"message": "upstream"}}), "server free"),
        (529, json!({}), "server free"),
    ];
    for (status, body, expected) in cases {
        assert_eq!(meaning(status, body.clone()), expected, "{status} {body}");
    }
    let gateway = refusal::classify(504, None, b"<html>");
    assert_eq!((gateway.failure.name(), gateway.bill), ("server", AnswerBill::Unknown(None)));
}
