//! Questions from beginning to end against a fake server: what is owed, what is found again, what a replay gives.

use std::sync::atomic::{AtomicBool, Ordering};

use nbrevive_fakemodel::{Act, Delivery, FakeModel, Say};

use super::*;
use crate::testing::{dialogue, errand, hasty, prompt, provider, settings};
use crate::{CapKind, LedgerError, LedgerRow, OpenAi, OpenAiSettings, Protocol, Secret, TokenUsage};

fn caps(study: f64, notebook: f64) -> Caps {
    Caps { study: Money::from_dollars(study), notebook: Money::from_dollars(notebook), ..Caps::default() }
}

#[test]
fn an_answer_is_paid_once_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    server.then(Say::text("first").tokens(100, 40, 20, 5));
    server.then(Say::text("second"));
    let open = || dialogue(folder.path(), Box::new(provider(&server, Protocol::Responses)), Caps::default());
    let ask = |dialogue: &Dialogue| dialogue.ask(&prompt("x"), &errand()).unwrap();
    let first_run = open();
    let receipts = [ask(&first_run), ask(&first_run)];
    assert_eq!(receipts.each_ref().map(|receipt| receipt.answer.text.as_str()), ["first", "second"]);
    // 60 fresh, 40 cached and 20 output tokens of gpt-5.2.
    assert_eq!(receipts[0].cost, Money::from_dollars((60.0 * 1.75 + 40.0 * 0.175 + 20.0 * 14.0) / 1e6).unwrap());
    assert!(!receipts[0].is_from_record);
    drop(first_run);
    let second_run = open();
    let again = [ask(&second_run), ask(&second_run)];
    assert_eq!(again.each_ref().map(|receipt| receipt.answer.text.as_str()), ["first", "second"]);
    assert!(again.iter().all(|receipt| receipt.is_from_record) && again[0].cost == receipts[0].cost);
    assert_eq!((server.bills().len(), second_run.ledger().rows(None).unwrap().len()), (2, 2));
}

#[test]
fn another_asker_of_the_same_prompt_is_another_question() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    let dialogue = dialogue(folder.path(), Box::new(provider(&server, Protocol::Responses)), Caps::default());
    dialogue.ask(&prompt("x"), &errand()).unwrap();
    dialogue.ask(&prompt("x"), &Errand::new("study", "other")).unwrap();
    assert_eq!(server.bills().len(), 2);
}

#[test]
fn a_time_out_counts_as_the_worst_case_and_is_asked_again_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    server.then(Say::text("never arrives").sent(Delivery::CutShort));
    let dialogue = dialogue(folder.path(), Box::new(provider(&server, Protocol::Responses)), Caps::default());
    let receipt = dialogue.ask(&prompt("x"), &errand()).unwrap();
    // The server honours the key: the second request got the first answer.
    assert_eq!((receipt.answer.text.as_str(), server.bills().len()), ("never arrives", 1));
    let rows = dialogue.ledger().rows(None).unwrap();
    let outcomes: Vec<_> = rows.iter().map(|row| (row.outcome.as_str(), row.cost == row.reserved)).collect();
    assert_eq!(outcomes, [("connection", true), ("answered", false)]);
    assert_eq!(dialogue.ledger().spent("study").unwrap(), rows[0].reserved + receipt.cost);
}

#[test]
fn what_was_turned_down_costs_nothing_and_is_asked_again_by_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    let open = || dialogue(folder.path(), Box::new(provider(&server, Protocol::Responses)), Caps::default());
    server.then(Act::status(401, "invalid_api_key"));
    let error = open().ask(&prompt("x"), &errand()).unwrap_err();
    assert_eq!(error.name(), "authentication");
    assert_eq!(open().ledger().spent("study").unwrap(), Money::ZERO);
    assert_eq!(open().ask(&prompt("x"), &errand()).unwrap().answer.text, "ok");
    // The model's own word on a prompt is kept.
    server.then(Say::text("cut").finish("length").tokens(10, 0, 1_000, 0));
    for _ in 0..2 {
        let error = open().ask(&prompt("y"), &errand()).unwrap_err();
        assert_eq!(error.name(), "truncated", "{error}");
    }
    assert_eq!(server.bills().len(), 2);
}

#[test]
fn every_bad_day_leaves_a_settled_row_under_the_cap() {
    let elsewhere = FakeModel::start().unwrap();
    let day = |act: &Act| {
        let folder = tempfile::tempdir().unwrap();
        let server = FakeModel::start().unwrap();
        server.otherwise(act.clone());
        let settings = OpenAiSettings {
            timeout: Duration::from_millis(300),
            ..settings(&server.url(), Protocol::ChatCompletions)
        };
        let provider = OpenAi::new(settings, Some(&Secret::new(server.key()))).unwrap();
        let dialogue = dialogue(folder.path(), Box::new(provider), caps(0.05, 0.04));
        for text in ["a", "b", "c", "d", "e"] {
            let _ = dialogue.ask(&prompt(text), &errand());
        }
        let rows = dialogue.ledger().rows(None).unwrap();
        assert!(rows.iter().all(|row| row.settled_at.is_some() && row.cost <= row.reserved), "{act:?}: {rows:?}");
        assert!(dialogue.ledger().spent("study").unwrap() <= Money::from_dollars(0.04).unwrap(), "{act:?}");
        let text = std::fs::read_to_string(folder.path().join("dialogue.jsonl")).unwrap();
        assert!(!text.contains(server.key()) && server.log().iter().all(|entry| !entry.has_stray_secret), "{act:?}");
    };
    let acts = Act::every(&elsewhere.url());
    std::thread::scope(|scope| {
        for some in acts.chunks(6) {
            scope.spawn(move || some.iter().for_each(day));
        }
    });
}

#[test]
fn a_provider_that_uses_more_than_allowed_is_not_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    server.then(Say::text("endless").tokens(100, 0, 50_000, 0));
    let dialogue = dialogue(folder.path(), Box::new(provider(&server, Protocol::Responses)), caps(1.0, 1.0));
    let receipt = dialogue.ask(&prompt("x"), &errand()).unwrap();
    assert_eq!(receipt.cost, dialogue.ledger().rows(None).unwrap()[0].reserved);
    assert_eq!(dialogue.ask(&prompt("y"), &errand()).unwrap_err().name(), "disputed");
    assert_eq!(server.log().len(), 1);
}

#[test]
fn a_call_waits_for_room_that_another_may_leave() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    // Room for one call at its worst, and for many at their cost.
    let caps = Caps { hour: Money::from_dollars(0.02), ..caps(0.02, 1.0) };
    let dialogue = dialogue(folder.path(), Box::new(provider(&server, Protocol::Responses)), caps);
    let gate = server.hold();
    std::thread::scope(|scope| {
        for notebook in ["one", "two", "three"] {
            let dialogue = &dialogue;
            scope.spawn(move || dialogue.ask(&prompt(notebook), &Errand::new("study", notebook)).unwrap());
        }
        while server.log().is_empty() {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(LOOK);
        assert_eq!((server.log().len(), dialogue.ledger().rows(None).unwrap().len()), (1, 1));
        drop(gate);
    });
    assert_eq!(server.bills().len(), 3);
}

#[test]
fn a_model_without_a_price_is_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    let dialogue = dialogue(folder.path(), Box::new(provider(&server, Protocol::Responses)), Caps::default());
    let prompt = ModelPrompt { model: "a-model-of-tomorrow".into(), ..prompt("x") };
    assert_eq!(dialogue.ask(&prompt, &errand()).unwrap_err().name(), "price");
    assert!(server.log().is_empty());
}

/// What of the rows has to come out the same in a replay.
fn told(rows: &[LedgerRow]) -> Vec<String> {
    let told = |row: &LedgerRow| {
        let errand = (&row.notebook, &row.fix_type, row.fix_number, row.re_ask);
        let question = (&row.model, &row.prompt, row.occurrence);
        let end = (&row.outcome, &row.model_reported, row.usage, &row.usage_source, row.cost, row.is_disputed);
        format!("{errand:?} {question:?} {end:?}")
    };
    rows.iter().map(told).collect()
}

/// Asks the same questions, whoever answers; every answer and failure in words.
fn questions(dialogue: &Dialogue) -> Vec<String> {
    let errands = [
        ("a", errand()),
        ("a", errand().re_ask(1)),
        ("b", errand().fix("score-calibration", 2)),
        ("a", Errand::new("study", "other").fix("error-repair", 1)),
        ("c", Errand::new("study", "other").fix("error-repair", 2)),
        ("d", Errand::new("study", "other").fix("error-repair", 3)),
        ("e", Errand::new("study", "other").fix("error-repair", 4)),
    ];
    let word = |result: Result<Receipt, DialogueError>| match result {
        Ok(receipt) => format!("{:?} {} {:?}", receipt.answer.text, receipt.cost, receipt.answer.model),
        Err(error) => format!("{}: {error}", error.name()),
    };
    errands.iter().map(|(text, errand)| word(dialogue.ask(&prompt(text), errand))).collect()
}

#[test]
fn a_replay_gives_the_same_answers_and_rows_without_a_server() {
    let (first, second, third) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = FakeModel::start().unwrap();
    for act in [
        Act::from(Say::text("caf\u{e9} \u{1f600}\r\n\u{0}\t\"# %%\"")),
        Say::text("another answer to the same").into(),
        // Made again, because something may be owed for the first.
        Act::raw("application/json", "{\"choices\": [{"),
        Say::text("no").finish("refusal").into(),
        Say::text("without account").usage(serde_json::Value::Null).into(),
        Say::text("half").finish("length").tokens(5, 0, 1_000, 0).into(),
        Act::status(400, "context_length_exceeded"),
        Say::text("more than allowed").tokens(5, 0, 90_000, 0).into(),
    ] {
        server.then(act);
    }
    let original = dialogue(first.path(), Box::new(provider(&server, Protocol::ChatCompletions)), Caps::default());
    let expected = questions(&original);
    let rows = told(&original.ledger().rows(None).unwrap());
    drop((original, server));
    let record = first.path().join("dialogue.jsonl");
    for (folder, place) in [(&second, record.as_path()), (&third, first.path())] {
        let replay = Replay::open(place).unwrap();
        assert_eq!(replay.passed_over(), 0);
        // Without a table of prices, and under a cap of nothing: a replay pays nothing.
        let ledger = Ledger::open(&folder.path().join("ledger.db")).unwrap();
        let settings = AskingSettings { caps: caps(0.0, 0.0), patience: hasty(1), ..AskingSettings::default() };
        let again = Dialogue::new(Box::new(replay), ledger, Prices::default(), settings);
        assert_eq!(questions(&again), expected);
        assert_eq!(told(&again.ledger().rows(None).unwrap()), rows);
        let error = again.ask(&prompt("never asked"), &errand()).unwrap_err();
        let hash = prompt("never asked").hash();
        assert!(error.to_string().contains(hash.as_str()) && error.name() == "not-recorded", "{error}");
    }
}

/// Where another process asks, and whom: see [`other_process`].
const FOLDER: &str = "NBREVIVE_TEST_MODEL_FOLDER";
const SERVER: &str = "NBREVIVE_TEST_MODEL_SERVER";
const KEY: &str = "NBREVIVE_TEST_MODEL_KEY";

const STUDY_CAP: f64 = 0.10;
const NOTEBOOK_CAP: f64 = 0.04;

/// Waits until both processes are here: else one would spend everything while the other still starts.
fn meet(folder: &std::path::Path, who: &str) {
    let arrived = |who: &str| folder.join(format!("{who} has arrived"));
    std::fs::write(arrived(who), "").unwrap();
    let begun = std::time::Instant::now();
    while !["parent", "child"].iter().all(|who| arrived(who).exists()) {
        assert!(begun.elapsed() < Duration::from_secs(600), "{who} waits for the other process");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// One call, which is allowed, then sixteen threads that ask until they are done, allowed or not. Says how many calls were refused;
/// on a busy machine that may be all: whoever is on the processor first spends what there is.
fn sixteen_threads(folder: &std::path::Path, url: &str, key: &str, who: &str) -> usize {
    let provider = OpenAi::new(settings(url, Protocol::Responses), Some(&Secret::new(key))).unwrap();
    let dialogue = dialogue(folder, Box::new(provider), caps(STUDY_CAP, NOTEBOOK_CAP));
    let errand = |number: usize| Errand::new("study", format!("notebook {}", number % 4)).fix("error-repair", 1);
    dialogue.ask(&prompt(&format!("{who} first")), &errand(0)).expect("there is enough for a call of each process");
    meet(folder, who);
    let refused = |thread: usize| {
        let ask = |number: &usize| match dialogue.ask(&prompt(&format!("{who} {thread} {number}")), &errand(*number)) {
            Ok(_) => false,
            Err(DialogueError::Ledger(LedgerError::Cap { of: CapKind::Notebook | CapKind::Study, .. })) => true,
            Err(error) => panic!("{error}"),
        };
        (0..12).filter(ask).count()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|thread| scope.spawn(move || refused(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// What the second process of the next test does; without its variables it does nothing.
#[test]
fn other_process() {
    let variable = |name| std::env::var(name).ok();
    let (Some(folder), Some(url), Some(key)) = (variable(FOLDER), variable(SERVER), variable(KEY)) else { return };
    assert!(sixteen_threads(folder.as_ref(), &url, &key, "child") > 0);
}

#[test]
fn no_cap_is_passed_by_sixteen_threads_in_each_of_two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start().unwrap();
    let say = Say::text("ok").tokens(90, 0, 60, 0);
    server.otherwise(say.after(Duration::from_millis(3)));
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "dialogue::tests::other_process"])
        .envs([(SERVER, server.url()), (KEY, server.key().to_owned())])
        .env(FOLDER, folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let ledger = Ledger::open(&folder.path().join("ledger.db")).unwrap();
    let cap = Money::from_dollars(STUDY_CAP).unwrap();
    let is_over = AtomicBool::new(false);
    let refused = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                let spent = ledger.spent("study").unwrap();
                assert!(spent <= cap, "{spent} at a time");
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let refused = sixteen_threads(folder.path(), &server.url(), server.key(), "parent");
        assert!(child.wait().unwrap().success());
        is_over.store(true, Ordering::SeqCst);
        refused
    });
    assert!(refused > 0);
    let rows = ledger.rows(None).unwrap();
    let price = Prices::builtin().unwrap().price("gpt-5.2", "2026-11-21".parse().unwrap()).unwrap();
    let billed: Money = server
        .bills()
        .iter()
        .map(|bill| {
            price.cost(&TokenUsage { input: bill.tokens.input, output: bill.tokens.output, ..TokenUsage::default() })
        })
        .sum();
    assert_eq!((rows.len(), ledger.spent("study").unwrap()), (server.bills().len(), billed));
    assert!(billed <= cap && billed > Money::from_dollars(STUDY_CAP / 2.0).unwrap(), "{billed} of {cap}");
    for notebook in ["notebook 0", "notebook 1", "notebook 2", "notebook 3"] {
        let spent: Money = rows.iter().filter(|row| row.notebook == notebook).map(|row| row.cost).sum();
        assert!(spent <= Money::from_dollars(NOTEBOOK_CAP).unwrap(), "{notebook}: {spent}");
    }
}
