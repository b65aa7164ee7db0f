use std::path::Path;

use jiff::Timestamp;
use nbrevive_model::{CallOrder, Caps, Errand, Message, ModelPrompt, Money, Settlement, UsageSource};
use polars::prelude::DataFrame;

use super::*;
use crate::export::export;
use crate::export::tests::{SETTINGS, exported, read, studied};
use crate::loops::tests::{outcome, rows};
use crate::outcomes;

fn texts(frame: &DataFrame, column: &str) -> Vec<Option<String>> {
    let column = frame.column(column).unwrap().cast(&polars::prelude::DataType::String).unwrap();
    column.str().unwrap().iter().map(|text| text.map(str::to_owned)).collect()
}

/// A store with two finished loops, of which one version is no longer studied.
fn filled(folder: &Path) -> Store {
    let mut store = studied(folder, &["a"]);
    for version in ["a", "forgotten"] {
        outcomes::set(&mut store, &outcome(version), &rows()).unwrap();
    }
    store
}

fn call(ledger: &Ledger, name: &str, errand: &Errand, cost: Option<f64>) {
    let prompt = ModelPrompt { seed: Some(-7), ..ModelPrompt::new("gpt-5.2", "", vec![Message::user("…")], 16_000) };
    let at: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
    let worst = Money::from_dollars(0.5).unwrap();
    let order =
        CallOrder { call: name, errand, prompt: &prompt, occurrence: 0, provider: "openai", worst, is_paid: true, at };
    ledger.reserve(&order, &Caps::default()).unwrap();
    let Some(cost) = cost else { return };
    let usage = TokenUsage { input: 1_000, cached_input: 400, cache_write: 0, output: 200, reasoning: 50 };
    let settlement = Settlement {
        at,
        outcome: "answered".to_owned(),
        cost: Money::from_dollars(cost),
        is_disputed: false,
        usage: Some((usage, UsageSource::Reported)),
        model_reported: Some("gpt-5.2-2025-12-11".to_owned()),
        request_id: None,
        attempts: 2,
        seconds: 3.5,
    };
    ledger.settle(name, &settlement).unwrap();
}

#[test]
fn dialogues_and_calls_are_typed_and_sorted() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path());
    let ledger = Ledger::open(&store.folder().join(LEDGER)).unwrap();
    let errand = |notebook: &str, number| Errand::new("s/modernize", notebook).fix("error-repair", number);
    call(&ledger, "third", &errand("b", 1), None);
    call(&ledger, "second", &errand("a", 1).re_ask(1), Some(0.031));
    call(&ledger, "first", &errand("a", 1), Some(0.25));
    let data = exported(&store);
    let data = data.path();

    let questions = read(data, "questions");
    assert_eq!(questions.height(), 3);
    assert_eq!(texts(&questions, "version"), vec![Some("a".to_owned()); 3]);
    assert_eq!(texts(&questions, "problem"), [Some("no-block".to_owned()), None, None]);
    assert_eq!(texts(&questions, "breaches")[1].as_deref(), Some("hidden-answers,network"));
    let reasks: Vec<_> = questions.column("reask").unwrap().u32().unwrap().iter().collect();
    assert_eq!(reasks, [Some(0), Some(1), Some(2)]);
    assert_eq!(texts(&read(data, "refusals"), "breach"), [Some("dropped-training".to_owned())]);
    let least = read(data, "least-patches");
    assert_eq!(least.column("hunks_after").unwrap().u32().unwrap().get(0), Some(1));
    let outcomes = read(data, "outcomes");
    assert_eq!(texts(&outcomes, "loop_end"), [Some("reproducible".to_owned())]);
    assert_eq!(texts(&outcomes, "provider_errors"), [Some("no answer: a\nb\nc".to_owned())]);
    assert_eq!(texts(&read(data, "fixes"), "state_code"), [Some("code".to_owned())]);

    let calls = read(data, "llm-calls");
    assert_eq!(texts(&calls, "call"), ["first", "second", "third"].map(|name| Some(name.to_owned())));
    let costs: Vec<_> = calls.column("cost").unwrap().f64().unwrap().iter().collect();
    // What is not settled counts as its worst case.
    assert_eq!(costs, [Some(0.25), Some(0.031), Some(0.5)]);
    let cached: Vec<_> = calls.column("cached_input").unwrap().u32().unwrap().iter().collect();
    assert_eq!(cached, [Some(400), Some(400), None]);
    assert_eq!(calls.column("seed").unwrap().i64().unwrap().get(0), Some(-7));
    assert_eq!(texts(&calls, "reserved_at")[0].as_deref(), Some("2026-06-01T12:00:00Z"));
}

#[test]
fn the_same_store_gives_the_same_bytes_and_no_call_gives_an_empty_table() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path());
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    export(&store, &first, &SETTINGS).unwrap();
    export(&store, &second, &SETTINGS).unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(&first).unwrap() {
        let path = entry.unwrap().path();
        let other = second.join(path.file_name().unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(other).unwrap(), "{}", path.display());
        files += 1;
    }
    assert_eq!(files, 29 + 3);
    let calls = read(&first, "llm-calls");
    assert_eq!((calls.height(), calls.width()), (0, 31));
    assert_eq!(*calls.column("cost").unwrap().dtype(), polars::prelude::DataType::Float64);
    assert!(!store.folder().join(LEDGER).exists());
}

#[test]
fn a_ledger_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path());
    std::fs::write(store.folder().join(LEDGER), "no database, but long enough to be taken for one ".repeat(40))
        .unwrap();
    let error = export(&store, &folder.path().join("data"), &SETTINGS).unwrap_err().to_string();
    assert!(error.contains("ledger.db"), "{error}");
}
