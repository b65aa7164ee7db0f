//! A small disk of its own for the store: full, filling up, read-only. `bwrap` makes one for whoever runs the tests.

use std::path::Path;
use std::process::{Command, Output};

use crate::chaos::study::{ONE, Study, outcomes_in, said};

/// Size of the small disk.
const MEBIBYTES: u64 = 48;

/// Runs a shell script where the folder `small` is a file system of its own; `$RUN` starts the study into the store there.
/// What is to be looked at afterwards, the script has to copy into the folder `kept`.
fn on_a_small_disk(study: &Study, script: &str) -> Output {
    let (small, kept) = (study.path("small"), study.path("kept"));
    for folder in [&small, &kept] {
        std::fs::create_dir_all(folder).expect("a folder can be made");
    }
    let words = study.arguments(&small.join("store"));
    let mut command = Command::new("bwrap");
    if is_root() {
        command.args(["--cap-add", "ALL"]);
    }
    command.args(["--dev-bind", "/", "/", "--size", &(MEBIBYTES << 20).to_string(), "--tmpfs"]).arg(&small);
    command.args(["--die-with-parent", "--", "bash", "-c", script]);
    command.env("RUN", format!("{} {}", env!("CARGO_BIN_EXE_nbrevive"), words.join(" ")));
    command.env("TMPDIR", study.path("tmp")).env("SMALL", &small).env("KEPT", &kept);
    command.output().expect("bwrap starts")
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    Path::new("/proc/self").metadata().is_ok_and(|own| own.uid() == 0)
}

#[test]
fn a_run_waits_for_room_says_so_once_and_goes_on_by_itself() {
    let study = Study::new(ONE, "[disk]\nreserve_mib = 16\n");
    let undisturbed = study.undisturbed();
    let script = r#"
        mkdir "$SMALL/store"
        head -c 40M /dev/zero > "$SMALL/filler"
        $RUN --jobs 2 2> "$KEPT/said" &
        for _ in $(seq 600); do grep -q paused: "$KEPT/said" && break; sleep 0.1; done
        sleep 1.5
        ls "$SMALL/store/executed" | wc -l > "$KEPT/before"
        rm "$SMALL/filler"
        wait $!
        code=$?
        cp -r "$SMALL/store" "$KEPT/store"
        exit $code"#;
    let output = on_a_small_disk(&study, script);
    let told = std::fs::read_to_string(study.path("kept/said")).unwrap();
    assert!(output.status.success(), "{}{told}", said(&output));
    assert_eq!(std::fs::read_to_string(study.path("kept/before")).unwrap().trim(), "0", "it ran without room");
    assert_eq!(told.matches("paused: ").count(), 1, "{told}");
    assert_eq!(told.matches("going on").count(), 1, "{told}");
    study.assert_whole(&study.path("kept/store"), &undisturbed);
}

#[test]
fn a_run_that_waited_long_enough_leaves_its_jobs_undone_and_says_which() {
    let study = Study::new(
        ONE,
        "[disk]\nreserve_mib = 16\nlongest_wait_seconds = 1.0\n[retry]\nattempts = 2\ndelay_seconds = 0.1\n",
    );
    let script = r#"
        mkdir "$SMALL/store"
        head -c 40M /dev/zero > "$SMALL/filler"
        $RUN
        code=$?
        cp -r "$SMALL/store" "$KEPT/store"
        exit $code"#;
    let output = on_a_small_disk(&study, script);
    let told = said(&output);
    assert_eq!(output.status.code(), Some(7), "{told}");
    assert!(
        told.contains("without an outcome: 1 (disk 1)") && told.contains("not decided: wrong-ids baseline (disk)"),
        "{told}"
    );
    assert_eq!(outcomes_in(&study.path("kept/store")), 0);
}

#[test]
fn a_full_disk_and_a_read_only_one_lose_nothing() {
    let study = Study::new(ONE, "[disk]\nreserve_mib = 0\n[retry]\nattempts = 1\n");
    let undisturbed = study.undisturbed();
    // Room for a beginning and no more; then no right to write; then both are mended.
    let script = r#"
        mkdir "$SMALL/store"
        head -c 100M /dev/zero > "$SMALL/filler" 2> /dev/null
        truncate -s -200K "$SMALL/filler"
        $RUN; echo "full $?"
        rm "$SMALL/filler"
        bwrap --dev-bind / / --ro-bind "$SMALL/store" "$SMALL/store" -- $RUN; echo "read-only $?"
        $RUN; echo "mended $?"
        cp -r "$SMALL/store" "$KEPT/store""#;
    let told = said(&on_a_small_disk(&study, script));
    for line in ["full 7", "read-only 7", "mended 0"] {
        assert!(told.lines().any(|told| told == line), "no `{line}` in: {told}");
    }
    assert!(told.contains("is full: free some space") && told.contains("choose a folder that you may write"), "{told}");
    study.assert_whole(&study.path("kept/store"), &undisturbed);
}
