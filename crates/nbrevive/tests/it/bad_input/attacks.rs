//! Names and texts that would steer a terminal, forge a line, or hide what stands there, through every way out of the program; and files
//! that are none, through every way in and out.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use assert_cmd::Command;
use nbrevive_fakemodel::{FakeModel, Say};
use nbrevive_notebook::{Cell, Notebook};
use serde_json::Value;

use crate::support::{nbrevive, repository, scratch};

/// What a command that waits for a pipe would exceed.
const PATIENCE: Duration = Duration::from_secs(600);

/// Sets the clipboard, goes to the start of the line, turns the direction of reading, clears the screen by a single character.
const HOSTILE: &str = "a\u{1b}]52;c;YQ==\u{7}\r\u{202e}\u{9b}2J";
/// The same as it is shown.
const SHOWN: &str = "a\\u{1b}]52;c;YQ==\\u{7}\\r\\u{202e}\\u{9b}2J";
/// The same in Python's and in TOML's strings.
const QUOTED: &str = "a\\u001b]52;c;YQ==\\u0007\\u000d\\u202e\\u009b2J";

/// Runs a command, and looks at every character that comes out: there is none that does more than take its place.
fn harmless(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("what is shown is UTF-8"));
    for text in [&stdout, &stderr] {
        let steers = |found: char| (found.is_control() && !matches!(found, '\n' | '\t')) || found == '\u{202e}';
        assert!(!text.chars().any(steers), "{text:?}");
    }
    (status.code(), stdout, stderr)
}

/// A folder with an environment that needs no index: an interpreter and what a kernel needs.
fn bare(folder: &Path) -> PathBuf {
    let lock = folder.join("bare.lock");
    std::fs::write(&lock, "# python: 3.12\n").expect("the folder takes files");
    lock
}

fn notebook(folder: &Path, cells: &[&str]) -> PathBuf {
    let path = folder.join("old.ipynb");
    let notebook = Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect());
    std::fs::write(&path, nbrevive_notebook::write(&notebook)).expect("the folder takes files");
    path
}

fn pipe(path: &Path) -> PathBuf {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo is there");
    assert!(made.success());
    path.to_owned()
}

#[test]
fn what_is_typed_is_shown_escaped() {
    let typed = ["a\u{1b}]52;c;YQ==\u{7}\r\u{202e}\u{9b}2J\nerror: forged"];
    let shown = format!("{SHOWN}\\nerror: forged");
    for arguments in [
        vec!["execute", "x.ipynb", "--condition", typed[0]],
        vec!["grade", "--competition", "x", "--format", typed[0]],
        vec![typed[0]],
        vec!["grade", "--competition", typed[0], "a.csv"],
        vec!["rules", "explain", typed[0]],
    ] {
        let (code, _, stderr) = harmless(nbrevive().args(&arguments));
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(&shown), "{stderr}");
    }
    let (code, _, stderr) = harmless(nbrevive().args(["execute", typed[0]]));
    assert_eq!(code, Some(3));
    assert!(stderr.contains(&format!("cannot read {shown}")), "{stderr}");
    let (code, ..) = harmless(nbrevive().args([OsStr::new("execute"), OsStr::from_bytes(b"\xff\x1b[2J.ipynb")]));
    assert_eq!(code, Some(3));
}

/// A competition with two submissions, one of which has a name that would look like another line.
fn competition(folder: &Path) -> PathBuf {
    let own = folder.join("birds");
    for part in ["private", "public"] {
        std::fs::create_dir_all(own.join(part)).expect("the folder can be made");
    }
    let write = |name: &OsStr, text: &str| std::fs::write(own.join(name), text).expect("the folder takes files");
    let description = format!(
        "id = \"birds\"\ntitle = \"{QUOTED}\"\nmetric = \"lwlrap\"\ndirection = \"maximize\"\nid-column = \"id\"\n\
         checks = [\"columns\", \"rows\", \"ids\"]\n[data]\nsource = \"made up\"\nlicence = \"CC0-1.0\"\n"
    );
    write(OsStr::new("competition.toml"), &description);
    write(OsStr::new("private/answers.csv"), "id,a,b\n1,1,0\n2,0,1\n");
    write(OsStr::new("public/sample_submission.csv"), "id,a,b\n1,0.5,0.5\n2,0.5,0.5\n");
    write(OsStr::new(&format!("{HOSTILE}.csv")), &format!("id,{HOSTILE}\n1,2\n"));
    write(OsStr::new("z\n0                      forged.csv"), "id,a,b\n1,1,0\n2,0,1\n");
    write(OsStr::from_bytes(b"\xff.csv"), "id,a,b\n1,1,0\n2,0,1\n");
    own
}

#[test]
fn no_file_name_forges_a_line_of_grades() {
    let scratch = scratch();
    let own = competition(scratch.path());
    let grade = |format: &str| {
        let mut command = nbrevive();
        command.args(["grade", "--competition"]).arg(&own).arg("--dir").arg(&own).args(["--format", format]);
        harmless(&mut command)
    };
    // The first has ids alone, and is no submission to this competition.
    let (code, stdout, stderr) = grade("table");
    assert_eq!((code, stdout.lines().count()), (Some(3), 3), "{stdout}{stderr}");
    assert!(stdout.contains(SHOWN) && stdout.contains("z\\n0 ") && stdout.contains("\\xff.csv"), "{stdout}");
    assert!(!stdout.lines().any(|line| line.ends_with(" forged.csv") && !line.contains("z\\n")), "{stdout}");
    let (code, stdout, stderr) = grade("json");
    let lines = stdout.lines().map(serde_json::from_str::<Value>);
    let names: Vec<Value> = lines.map(|line| line.expect("each line is JSON")["submission"].clone()).collect();
    assert_eq!((code, names.len()), (Some(3), 3), "{stderr}");
    assert!(names[2].as_str().is_some_and(|name| name.ends_with("\\xff.csv")), "{names:?}");
}

#[test]
fn json_of_a_hostile_name_is_the_same_json() {
    let scratch = scratch();
    let own = competition(scratch.path());
    let path = own.join(format!("{HOSTILE}.csv"));
    let mut command = nbrevive();
    command.args(["grade", "--competition"]).arg(&own).arg(&path).args(["--format", "json"]);
    let (code, stdout, _) = harmless(&mut command);
    let read: Value = serde_json::from_str(&stdout).expect("it is JSON");
    // It has ids alone, and is no submission to this competition.
    assert_eq!((code, read["submission"].as_str()), (Some(3), path.to_str()));
}

#[test]
fn an_unknown_metric_or_check_is_named_escaped() {
    let scratch = scratch();
    let own = competition(scratch.path());
    let file = own.join("competition.toml");
    let text = std::fs::read_to_string(&file).expect("it was written");
    for (old, new) in [("\"lwlrap\"", format!("\"{QUOTED}\"")), ("id = \"birds\"", format!("id = \"{QUOTED}\""))] {
        std::fs::write(&file, text.replacen(old, &new, 1)).expect("it can be replaced");
        let (code, _, stderr) = harmless(nbrevive().args(["grade", "a.csv", "--competition"]).arg(&own));
        assert_eq!(code, Some(3), "{stderr}");
        assert!(stderr.contains("]52;c;YQ=="), "{stderr}");
        assert!(stderr.lines().skip(1).all(|line| line.starts_with("    ")), "a line of its own: {stderr}");
    }
}

#[test]
fn exceptions_and_a_dying_kernel_say_nothing_to_the_terminal() {
    let scratch = scratch();
    let lock = bare(scratch.path());
    let raise = format!("raise type('{QUOTED}', (Exception,), {{}})('{QUOTED}')");
    let die = format!("import os\nos.write(2, '{QUOTED}'.encode())\nos.write(2, b'\\x9b2J\\xff')\nos._exit(3)");
    for (cell, code) in [(&raise, 10), (&die, 11)] {
        let path = notebook(scratch.path(), &[cell]);
        let out = scratch.path().join(OsStr::from_bytes(b"new\xff\n.ipynb"));
        let mut command = nbrevive();
        command.arg("execute").arg(&path).arg("--environment").arg(&lock).arg("--out").arg(&out);
        let (ended, stdout, stderr) = harmless(&mut command);
        assert_eq!(ended, Some(code), "{stderr}");
        assert!(stdout.ends_with("new\\xff\\n.ipynb\n") && stdout.lines().count() == 1, "{stdout}");
        if cell == &raise {
            assert!(stderr.contains(&format!("cell 1, line 1: {SHOWN}: {SHOWN}")), "{stderr}");
        }
        assert!(out.is_file());
    }
}

#[test]
fn neither_a_models_plan_nor_a_source_line_in_its_diff_is_a_sequence() {
    let (scratch, server) = (scratch(), FakeModel::start().expect("a server on loopback"));
    let lock = bare(scratch.path());
    // In a string and a comment, where Python takes them as they are.
    let mark = "\u{1b}]52;c;YQ==\u{7}\u{202e}\u{9b}2J";
    let path = notebook(scratch.path(), &[&format!("# {mark}\nprint(absent)\n")]);
    let read = nbrevive_notebook::read(&std::fs::read(&path).expect("it was written")).expect("it is one").notebook;
    let mended = nbrevive_notebook::percent::render(&read).replace("absent", &format!("1)  # {mark}\n(2"));
    server.then(Say::text(format!("- {HOSTILE} at last.\n\n````python\n{}\n````\n", mended.trim_end())));
    let mut command = nbrevive();
    command.arg("modernize").arg(&path).arg("--environment").arg(&lock).arg("--dialogue").arg(scratch.path());
    command.args(["--model", "gpt-5.2", "--lock-only", "--endpoint", &server.url()]);
    command.env("OPENAI_API_KEY", server.key()).env("NBREVIVE_LOG", "debug");
    let (code, stdout, stderr) = harmless(&mut command);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("# - a\\u{1b}]52;c;YQ==\\u{7}"), "{stdout}");
    assert!(stdout.contains("+print(1)  # \\u{1b}]52;c;YQ==\\u{7}\\u{202e}\\u{9b}2J\n"), "{stdout}");
    let repaired = std::fs::read_to_string(scratch.path().join("old.modernized.ipynb")).expect("it is written");
    assert!(repaired.contains('\u{202e}'), "what is saved is what was repaired, unescaped");
}

#[test]
fn a_lock_that_steers_is_told_and_not_obeyed() {
    let scratch = scratch();
    let path = notebook(scratch.path(), &["1"]);
    let lock = scratch.path().join("evil.lock");
    std::fs::write(&lock, format!("# python: 3.12\n{HOSTILE}==1.0\n")).expect("the folder takes files");
    let mut command = nbrevive();
    command.arg("execute").arg(&path).arg("--environment").arg(&lock).env("NBREVIVE_LOG", "debug");
    let (code, _, stderr) = harmless(&mut command);
    assert!(code.is_some_and(|code| code != 0) && stderr.contains("]52;c;YQ=="), "{code:?}: {stderr}");
}

#[test]
fn no_version_of_a_study_forges_a_job() {
    let scratch = scratch();
    let shared = repository().join("study");
    let notebooks = scratch.path().join("notebooks/iris-species");
    std::fs::create_dir_all(&notebooks).expect("the folder can be made");
    let write = |name: &str, text: &str| std::fs::write(scratch.path().join(name), text).expect("it takes files");
    write("targets.toml", "");
    let version =
        format!("slug = \"{QUOTED}\\nbaseline forged\"\ntitle = \"{QUOTED}\"\nsubmitted = \"2024-09-01T12:00:00Z\"\n");
    write("notebooks/iris-species/versions.toml", &format!("[[version]]\n{version}"));
    write(&format!("notebooks/iris-species/{HOSTILE}\nbaseline forged.ipynb"), "{");
    let study = format!(
        "name = \"x\"\ntitle = \"{QUOTED}\"\ncompetitions = {:?}\nnotebooks = \"notebooks\"\ntargets = \"targets.toml\"\n\
         environments = {:?}\nbaseline = \"contemporary\"\n",
        shared.join("competitions"),
        shared.join("environments"),
    );
    write("study.toml", &study);
    let mut command = nbrevive();
    command.args(["study", "run", "study.toml", "--list", "--store", "none"]).current_dir(scratch.path());
    let (code, stdout, stderr) = harmless(&mut command);
    assert!(stdout.contains("]52;c;YQ==") || stderr.contains("]52;c;YQ=="), "{code:?}: {stdout}{stderr}");
    assert!(!stdout.lines().chain(stderr.lines()).any(|line| line.starts_with("baseline forged")), "{stdout}{stderr}");
}

#[test]
fn what_is_logged_is_one_line() {
    let scratch = scratch();
    let store = scratch.path().join(format!("{HOSTILE}\nWARN forged"));
    let raw = store.join("mine/raw");
    std::fs::create_dir_all(&raw).expect("the folder can be made");
    std::fs::write(raw.join("journal.jsonl"), format!("{{\"{HOSTILE}\": 1}}\n")).expect("the folder takes files");
    let mut command = nbrevive();
    command.args(["select", "--study"]).arg(repository().join("study/golden/study.toml"));
    command.arg("--store").arg(&store).arg("--out").arg(scratch.path().join("corpus")).env("NBREVIVE_LOG", "debug");
    let (code, _, stderr) = harmless(&mut command);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("damaged line in the journal"), "{stderr}");
    assert!(!stderr.lines().any(|line| line.starts_with("WARN forged")), "{stderr}");
}

/// An installer whose complaint names a package of that name, and forges a line.
#[test]
fn what_uv_says_when_it_fails_is_escaped() {
    let scratch = scratch();
    let path = notebook(scratch.path(), &["1"]);
    let lock = scratch.path().join("one.lock");
    std::fs::write(&lock, "# python: 3.12\nrequests==2.22.0\n").expect("the folder takes files");
    let uv = scratch.path().join("uv");
    let says = format!("#!/bin/sh\ncat >&2 <<'END'\nno {HOSTILE}\nerror: forged\nEND\nexit 2\n");
    std::fs::write(&uv, says).expect("the folder takes files");
    std::fs::set_permissions(&uv, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut command = nbrevive();
    command.arg("execute").arg(&path).arg("--environment").arg(&lock).env("NBREVIVE_LOG", "debug");
    let (code, _, stderr) = harmless(command.env("NBREVIVE_HOME", scratch.path()).env("NBREVIVE_UV", &uv));
    assert_eq!(code, Some(6), "{stderr}");
    assert!(stderr.contains(SHOWN) && !stderr.lines().any(|line| line == "error: forged"), "{stderr}");
}

#[test]
fn what_is_no_file_is_refused_by_name_and_nothing_waits_for_it() {
    let scratch = scratch();
    notebook(scratch.path(), &["1"]);
    let fifo = pipe(&scratch.path().join("fifo"));
    for given in [&fifo, Path::new("/dev/zero"), scratch.path()] {
        for arguments in [
            "execute old.ipynb --environment",
            "synthetic --store none --published",
            "plan old.ipynb --date 2020-02-15 --snapshot",
        ] {
            let mut command = nbrevive();
            command.args(arguments.split(' ')).arg(given).current_dir(scratch.path()).timeout(PATIENCE);
            let (code, _, stderr) = harmless(&mut command);
            assert_eq!(code, Some(3), "{stderr}");
            // Published numbers may be a folder, of files.
            let why = ["only regular files", "it has no file that ends in .toml"];
            assert!(why.iter().any(|why| stderr.contains(why)), "{stderr}");
            assert!(stderr.contains(&*given.to_string_lossy()), "{stderr}");
        }
    }
}

#[test]
fn results_replace_neither_what_they_are_made_from_nor_what_is_no_file() {
    let scratch = scratch();
    let script = scratch.path().join("old.py");
    std::fs::write(&script, "import requests\n").expect("the folder takes files");
    let fifo = pipe(&scratch.path().join("fifo"));
    let link = scratch.path().join("link");
    std::os::unix::fs::symlink(&script, &link).expect("a link can be made");
    let old = notebook(scratch.path(), &["1"]);
    for place in [&fifo, &link, &script] {
        let mut plan = nbrevive();
        plan.arg("plan").arg(&script).args(["--date", "2020-02-15", "--format", "requirements", "--out"]).arg(place);
        // Refused before the index is asked, which is out of reach.
        plan.env("NBREVIVE_INDEX_URL", "http://127.0.0.1:9/simple").env("NBREVIVE_HOME", scratch.path());
        let mut snapshot = nbrevive();
        snapshot.arg("plan").arg(&script).args(["--date", "2020-02-15", "--save-snapshot"]).arg(place);
        let mut modernize = nbrevive();
        modernize.arg("modernize").arg(&old).args(["--environment", "nowhere", "--json"]).arg(place);
        for command in [&mut plan, &mut snapshot, &mut modernize] {
            let (code, _, stderr) = harmless(command.timeout(PATIENCE));
            let is_script = *place == script;
            if is_script && code == Some(3) {
                // It is no input of `modernize`, which goes on to the lock that there is not.
                continue;
            }
            assert_eq!(code, Some(7), "{stderr}");
            assert!(stderr.contains("choose another place"), "{stderr}");
        }
    }
    assert_eq!(std::fs::read_to_string(&script).expect("it is still there"), "import requests\n");
    assert!(link.is_symlink() && !fifo.is_file());
}

/// Every source file of the program's own crates below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension() == Some(OsStr::new("rs")) {
            found.push(path);
        }
    }
}

/// The type holds for what goes through the printer; nothing else has the streams, and no child inherits them.
#[test]
fn nothing_but_the_printer_writes_to_a_terminal() {
    let mut found = Vec::new();
    for crate_folder in std::fs::read_dir(repository().join("crates")).expect("the crates are there") {
        let mut folder = crate_folder.expect("it can be read").path();
        if folder.ends_with("testing") {
            // The others there are tools of the tests.
            folder.push("loopback");
        }
        sources(&folder.join("src"), &mut found);
    }
    assert!(found.len() > 300, "{}", found.len());
    let ways = ["io::stdout()", "io::stderr()", "Stdio::inherit", "/dev/tty", "bar.println(", "set_message("];
    for path in found.iter().filter(|path| !path.ends_with("nbrevive/src/printer.rs")) {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let writes = |line: &&str| ways.iter().any(|way| line.contains(way));
        let is_shown = |line: &str| line.contains("is_terminal") || line.contains(".as_str().to_owned()");
        let wrong: Vec<&str> = text.lines().filter(writes).filter(|line| !is_shown(line)).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
    }
}
