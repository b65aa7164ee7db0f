use std::fs::{self, OpenOptions};
use std::io::Write;

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::testing::{permit, prompt};
use crate::{
    AnswerBill, CallPermit, ModelAnswer, ModelError, ModelFailure, Money, PromptHash, TokenUsage, UsageSource,
};

fn record(text: &str, occurrence: u32) -> DialogueRecord {
    let (prompt, permit) = (prompt(text), CallPermit { call: format!("{text}-{occurrence}"), ..permit(occurrence) });
    let usage = TokenUsage { input: 10, cached_input: 4, cache_write: 0, output: 2, reasoning: 1 };
    let result: Result<ModelAnswer, ModelError> = Ok(ModelAnswer {
        text: format!("answer {occurrence} to {text}"),
        finish: "stop".into(),
        model: Some("gpt-5.2".into()),
        request_id: None,
        bill: AnswerBill::Reported(usage),
        attempts: 1,
    });
    let asked_at: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
    let call =
        Call { prompt: &prompt, hash: &prompt.hash(), permit: &permit, provider: "openai", asked_at, seconds: 0.5 };
    DialogueRecord::new(&call, &result, Counted::recorded(Money::from_dollars(0.01).unwrap(), false))
}

fn find(recorder: &Recorder, text: &str, occurrence: u32) -> Option<DialogueRecord> {
    let hash: PromptHash = prompt(text).hash();
    recorder.find("study/notebook", &hash, occurrence).unwrap()
}

#[test]
fn what_is_recorded_is_found_by_question_and_by_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue.jsonl");
    let recorder = Recorder::open(&path).unwrap();
    let records = [record("one", 0), record("one", 1), record("zwei \u{e4}\r\n\u{0}", 0)];
    for record in &records {
        recorder.append(record).unwrap();
    }
    for recorder in [recorder, Recorder::open(&path).unwrap()] {
        assert_eq!(find(&recorder, "one", 0).as_ref(), Some(&records[0]));
        assert_eq!(find(&recorder, "one", 1).as_ref(), Some(&records[1]));
        assert_eq!(recorder.call("zwei \u{e4}\r\n\u{0}-0").unwrap().as_ref(), Some(&records[2]));
        assert_eq!(find(&recorder, "one", 2), None);
        assert_eq!(recorder.find("study/another", &prompt("one").hash(), 0).unwrap(), None);
    }
}

#[test]
fn the_line_of_today_is_pinned() {
    let line = String::from_utf8(record("one", 0).line().unwrap()).unwrap();
    insta::assert_snapshot!(line.trim_end(), @r#"{"version":1,"call":"one-0","asker":"study/notebook","prompt":"77bebafc810f682ac6216bb50f10691c6c384319c944b2a3c9049c8fd75c48b8","occurrence":0,"asked_at":"2026-06-01T12:00:00Z","seconds":0.5,"attempts":1,"provider":"openai","model":"gpt-5.2","max_output_tokens":1000,"usage":{"input":10,"cached_input":4,"cache_write":0,"output":2,"reasoning":1},"usage_source":"reported","cost":10000000000,"is_worst_case":false,"is_disputed":false,"ending":{"answer":{"text":"answer 0 to one","finish":"stop","model":"gpt-5.2","request_id":null}}}"#);
}

#[test]
fn a_torn_last_line_and_rubbish_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue.jsonl");
    Recorder::open(&path).unwrap().append(&record("one", 0)).unwrap();
    let whole = record("two", 0).line().unwrap();
    let append = |bytes: &[u8]| OpenOptions::new().append(true).open(&path).unwrap().write_all(bytes).unwrap();
    append(b"\n{\"version\": 7}\nnot json\n\xff\xfe\n");
    append(&whole[..whole.len() / 2]);
    let recorder = Recorder::open(&path).unwrap();
    assert!(find(&recorder, "one", 0).is_some() && find(&recorder, "two", 0).is_none());
    recorder.append(&record("three", 0)).unwrap();
    for recorder in [recorder, Recorder::open(&path).unwrap()] {
        assert!(find(&recorder, "one", 0).is_some() && find(&recorder, "three", 0).is_some());
        assert_eq!(find(&recorder, "two", 0), None);
    }
}

#[test]
fn a_file_cut_anywhere_keeps_its_whole_lines_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue.jsonl");
    let lines = [record("one", 0).line().unwrap(), record("two", 0).line().unwrap()];
    let all = lines.concat();
    for cut in (0..=all.len()).step_by(7) {
        fs::write(&path, &all[..cut]).unwrap();
        let recorder = Recorder::open(&path).unwrap();
        recorder.append(&record("new", 0)).unwrap();
        let recorder = Recorder::open(&path).unwrap();
        assert_eq!(find(&recorder, "one", 0).is_some(), cut + 1 >= lines[0].len(), "cut at {cut}");
        assert!(find(&recorder, "new", 0).is_some(), "cut at {cut}");
    }
}

#[test]
fn two_recorders_of_one_file_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue.jsonl");
    let recorders = [Recorder::open(&path).unwrap(), Recorder::open(&path).unwrap()];
    std::thread::scope(|scope| {
        for (number, recorder) in recorders.iter().enumerate() {
            scope.spawn(move || {
                for occurrence in 0..50 {
                    recorder.append(&record(&format!("by {number}"), occurrence)).unwrap();
                }
            });
        }
    });
    for recorder in &recorders {
        assert!(
            (0..50).all(|place| find(recorder, "by 0", place).is_some() && find(recorder, "by 1", place).is_some())
        );
    }
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 100);
}

proptest! {
    #[test]
    fn any_failure_is_read_back_as_it_was_written(message in "\\PC{0,40}", limit: u32, status: u16, worst: bool) {
        let failures = [
            ModelFailure::Truncated { limit, partial: message.clone() },
            ModelFailure::Authentication { status, message: message.clone() },
            ModelFailure::RateLimited { attempts: limit, retry_after: Some(u64::from(limit)), message },
        ];
        for failure in failures {
            let record = DialogueRecord { ending: Ending::Failure(failure), is_worst_case: worst, ..record("x", 0) };
            prop_assert_eq!(DialogueRecord::parse(&record.line().unwrap()).unwrap(), record);
        }
    }

    #[test]
    fn no_line_makes_the_reader_panic(bytes: Vec<u8>, cut in 0_usize..600, flip in 0_usize..600) {
        let _ = DialogueRecord::parse(&bytes);
        let mut line = record("x", 0).line().unwrap();
        line.truncate(cut.max(1));
        let place = flip % line.len();
        line[place] ^= 0x11;
        if let Ok(record) = DialogueRecord::parse(&line) {
            prop_assert!(record.usage.is_none_or(|usage| usage.is_possible()));
        }
    }
}

#[test]
fn impossible_numbers_are_no_record() {
    let usage = TokenUsage { input: 1, cached_input: 2, ..TokenUsage::default() };
    let wrong = DialogueRecord { usage: Some(usage), usage_source: UsageSource::Reported, ..record("x", 0) };
    assert!(DialogueRecord::parse(&wrong.line().unwrap()).is_err());
}
