//! The exchange with a writer in another thread.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;

use super::*;
use crate::testing::{permit, prompt};

fn exchange(folder: &Path) -> Exchange {
    let settings = ExchangeSettings {
        timeout: Duration::from_secs(30),
        look: Duration::from_millis(10),
        quiet: Duration::from_millis(300),
        largest_answer: 1_000,
        is_charged: false,
    };
    Exchange::open(folder, settings).unwrap()
}

fn impatient(folder: &Path) -> Exchange {
    let exchange = exchange(folder);
    let settings = ExchangeSettings { timeout: Duration::from_millis(400), ..exchange.settings };
    Exchange { settings, ..exchange }
}

/// Waits for a prompt as a person would, and hands on its id and its text.
fn next_prompt(folder: &Path) -> (String, String) {
    loop {
        let entries = fs::read_dir(folder).unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        for name in entries {
            if let Some(id) = name.strip_suffix(".prompt.md") {
                return (id.to_owned(), fs::read_to_string(folder.join(&name)).unwrap());
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_answer_comes_by_rename_and_its_parts_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let asking = exchange(folder.path());
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            let (id, page) = next_prompt(folder.path());
            assert!(page.contains("# System\n\nbe brief\n") && page.contains("# User\n\nmend this\n"), "{page}");
            let part = folder.path().join(format!("{id}.answer.part"));
            fs::write(&part, "half of").unwrap();
            std::thread::sleep(Duration::from_millis(400));
            fs::write(&part, "the whole answer\r\n").unwrap();
            let beside =
                r#"{"model": "a person", "usage": {"input": 9, "cached_input": 0, "output": 4, "reasoning": 0}}"#;
            fs::write(folder.path().join(format!("{id}.answer.json")), beside).unwrap();
            fs::rename(&part, folder.path().join(format!("{id}.answer.md"))).unwrap();
        });
        asking.ask(&prompt("mend this"), &permit(0)).unwrap()
    });
    assert_eq!((answer.text.as_str(), answer.model.as_deref()), ("the whole answer\r\n", Some("a person")));
    assert_eq!(answer.bill, AnswerBill::Reported(TokenUsage { input: 9, output: 4, ..TokenUsage::default() }));
    let json = fs::read_to_string(folder.path().join(format!("{}.prompt.json", prompt("mend this").hash()))).unwrap();
    assert_eq!(serde_json::from_str::<ModelPrompt>(&json).unwrap(), prompt("mend this"));
}

#[test]
fn an_answer_that_grows_in_place_is_read_when_it_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let asking = exchange(folder.path());
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            let (id, _) = next_prompt(folder.path());
            let mut file = fs::File::create(folder.path().join(format!("{id}.answer.md"))).unwrap();
            for piece in ["one ", "two ", "three ", "four"] {
                file.write_all(piece.as_bytes()).unwrap();
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        asking.ask(&prompt("count"), &permit(0)).unwrap()
    });
    assert_eq!(answer.text, "one two three four");
}

#[test]
fn answers_that_are_there_already_are_taken_each_for_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let asking = exchange(folder.path());
    for (occurrence, text) in ["first", "second"].into_iter().enumerate() {
        let id = Exchange::id(&prompt("x"), occurrence as u32);
        fs::write(folder.path().join(format!("{id}.answer.md")), text).unwrap();
    }
    assert_eq!(asking.ask(&prompt("x"), &permit(0)).unwrap().text, "first");
    let second = asking.ask(&prompt("x"), &permit(1)).unwrap();
    assert_eq!((second.text.as_str(), second.bill.usage().unwrap().0.output), ("second", 1));
    assert!(Exchange::id(&prompt("x"), 1).ends_with("-2"));
}

#[test]
fn nobody_answers_or_badly() {
    let folder = tempfile::tempdir().unwrap();
    let path = |text: &str, ending: &str| folder.path().join(format!("{}.{ending}", prompt(text).hash()));
    let failure = |text: &str| *exchange(folder.path()).ask(&prompt(text), &permit(0)).unwrap_err().failure;
    let timed_out = |text: &str| {
        let error = impatient(folder.path()).ask(&prompt(text), &permit(0)).unwrap_err();
        matches!(*error.failure, ModelFailure::TimedOut { .. }) && error.bill == AnswerBill::Nothing
    };
    assert!(timed_out("nobody"));
    fs::write(path("empty", "answer.md"), "").unwrap();
    assert!(timed_out("empty"));
    let outside = folder.path().join("outside");
    fs::write(&outside, "not for us").unwrap();
    symlink(&outside, path("link", "answer.md")).unwrap();
    assert!(timed_out("link"));
    fs::write(path("long", "answer.md"), "x".repeat(1_001)).unwrap();
    assert_eq!(failure("long"), ModelFailure::TooLarge { limit: 1_000 });
    fs::write(path("bytes", "answer.md"), b"\xff\xfe\xfd").unwrap();
    assert!(matches!(failure("bytes"), ModelFailure::Malformed { .. }));
    fs::write(path("beside", "answer.md"), "fine").unwrap();
    let usage = r#"{"usage": {"input": 1, "cached_input": 5, "output": 1, "reasoning": 0}}"#;
    fs::write(path("beside", "answer.json"), usage).unwrap();
    assert!(matches!(failure("beside"), ModelFailure::Malformed { .. }));
}

#[test]
fn a_queue_that_is_paid_is_accounted_for() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let exchange = impatient(&folder.path().join("exchange"));
        Exchange { settings: ExchangeSettings { is_charged: true, ..exchange.settings }, ..exchange }
    };
    let ask = || {
        let dialogue = crate::testing::dialogue(folder.path(), Box::new(open()), crate::Caps::default());
        let result = dialogue.ask(&prompt("x"), &crate::testing::errand());
        (result, dialogue.ledger().rows(None).unwrap())
    };
    let (unanswered, rows) = ask();
    assert_eq!(unanswered.unwrap_err().name(), "timed-out");
    assert!(rows.len() == 1 && rows[0].cost == rows[0].reserved && rows[0].cost > crate::Money::ZERO, "{rows:?}");
    let place = folder.path().join("exchange").join(prompt("x").hash().to_string());
    let usage = r#"{"usage": {"input": 1000, "cached_input": 0, "output": 100, "reasoning": 0}}"#;
    fs::write(place.with_extension("answer.json"), usage).unwrap();
    fs::write(place.with_extension("answer.md"), "late, but here").unwrap();
    std::thread::sleep(Duration::from_millis(310));
    let (answered, rows) = ask();
    assert_eq!(answered.unwrap().cost, crate::Money::from_dollars((1_000.0 * 1.75 + 100.0 * 14.0) / 1e6).unwrap());
    assert_eq!(rows.len(), 2);
}

mod attacks {
    use super::*;

    /// What the other side puts into an answer's place between the look and the reading.
    #[test]
    fn an_answer_is_a_file_of_the_folder_and_no_pipe() {
        let (place, settings) =
            (tempfile::tempdir().unwrap(), ExchangeSettings { largest_answer: 100, ..Default::default() });
        let folder = place.path().join("exchange");
        let exchange = Exchange::open(&folder, settings).unwrap();
        fs::write(place.path().join("key"), "secret").unwrap();
        let answer = folder.join("x.answer.md");
        for target in ["../key", "/dev/zero", "/etc/hostname"] {
            symlink(target, &answer).unwrap();
            assert!(matches!(exchange.read(&answer), Err(ModelFailure::Storage { .. })), "{target}");
            fs::remove_file(&answer).unwrap();
        }
        assert!(std::process::Command::new("mkfifo").arg(&answer).status().unwrap().success());
        let Err(ModelFailure::Storage { reason, .. }) = exchange.read(&answer) else { panic!("a pipe was read") };
        assert!(reason.contains("named pipe"), "{reason}");
        fs::remove_file(&answer).unwrap();
        fs::File::create(&answer).unwrap().set_len(1 << 40).unwrap();
        assert!(matches!(exchange.read(&answer), Err(ModelFailure::TooLarge { limit: 100 })));
    }

    #[test]
    fn a_prompt_is_written_over_nothing_that_leads_elsewhere() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("exchange");
        let exchange = Exchange::open(&folder, ExchangeSettings::default()).unwrap();
        symlink("../new", folder.join("x.prompt.md")).unwrap();
        assert!(exchange.write_prompt("x", &prompt("mend this")).is_err());
        assert!(!place.path().join("new").exists());
    }
}
