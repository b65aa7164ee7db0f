//! A part of a study: what a condition holds for runs once more, and a first look is a sample.

use nbrevive_store::{Store, executions};

use crate::capsule::study;
use crate::support::nbrevive;

#[test]
fn what_a_condition_holds_for_runs_again_and_nothing_else() {
    let folder = study();
    let run = |words: &[&str], code: i32| {
        let mut command = nbrevive();
        command.args(["study", "run"]).arg(folder.path().join("study.toml"));
        command.arg("--store").arg(folder.path().join("store")).args(words);
        let assert = command.assert().code(code);
        let output = assert.get_output();
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
    };
    let started = || {
        let store = Store::open_read_only(&folder.path().join("store")).expect("the store can be read");
        let all = executions::all(&store).expect("it has rows");
        all.into_iter().map(|row| (row.key.version, row.started_at)).collect::<Vec<_>>()
    };
    assert!(run(&["--smoke", "--list"], 0).contains("plain      steady"));
    run(&[], 0);
    let before = started();
    assert!(run(&["--again", "version = moody and seconds >= 0"], 0).contains("1 jobs: 1 to run"));
    let after = started();
    assert_eq!((before.len(), after.len()), (2, 2), "{before:?} {after:?}");
    assert_ne!(before[0], after[0], "moody ran again");
    assert_eq!(before[1], after[1], "steady did not");
    assert!(run(&["--again", "seconds < 0"], 0).contains("0 jobs: 0 to run"));
    let refused = run(&["--again", "versio = moody"], 3);
    assert!(refused.contains("unknown column `versio`") && refused.contains("did you mean `version`?"), "{refused}");
    assert!(run(&["--again", "outcome = faild"], 3).contains("did you mean `failed`?"));
}
