//! Orders that are run, through the program: sandboxes, kernels, what was saved.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{nbrevive, scratch};

/// A notebook of cells with their counts and what they printed.
fn put(path: &Path, cells: &[(&str, Option<u64>, &str)]) {
    let cell = |(source, count, printed): &(&str, Option<u64>, &str)| {
        let outputs = match *printed {
            "" => json!([]),
            text => json!([{"output_type": "stream", "name": "stdout", "text": text}]),
        };
        json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs, "execution_count": count})
    };
    let cells: Vec<_> = cells.iter().map(cell).collect();
    let notebook = json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells});
    std::fs::write(path, notebook.to_string()).expect("it is written");
}

/// Code and JSON of a run.
fn run(path: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let mut command = nbrevive();
    command.arg("order").arg(path).args(["--run", "--json"]).args(more);
    if !more.contains(&"--environment") {
        command.args(["--environment", "declared"]);
    }
    let output = command.output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{told}")))
}

#[test]
fn the_papers_session_is_found_written_anew_and_runs_from_the_top() {
    let folder = scratch();
    let (path, written) = (folder.path().join("a.ipynb"), folder.path().join("out.ipynb"));
    std::fs::write(folder.path().join("cats.txt"), "meow").expect("it is written");
    let cells = [
        ("a = 10\nprint(a)", Some(1), "10\n"),
        ("b = 20\na = a + b\nprint(a)", Some(2), "30\n"),
        ("b += 10", Some(7), ""),
        ("a += b\nprint(a)", Some(8), "110\n"),
        ("print(open('cats.txt').read())", Some(5), "meow\n"),
    ];
    put(&path, &cells);
    let (drawn, words) = (folder.path().join("a.svg"), |path: &Path| path.to_str().expect("it is text").to_owned());
    let (code, told) = run(&path, &["--write", &words(&written), "--svg", &words(&drawn)]);
    assert_eq!(told["graph"], "sharp");
    assert!(std::fs::read_to_string(&drawn).expect("it is drawn").starts_with("<svg"));
    assert_eq!((code, &told["is_found"], &told["why_replayed"]), (Some(0), &true.into(), &Value::Null));
    let mut ties: Vec<String> = told["ties"].as_array().expect("a list").iter().map(Value::to_string).collect();
    ties.sort();
    assert_eq!(ties, ["[0,1,2,3,4,2,2,3]", "[0,1,3,3,4,2,2,3]"]);
    let saved = |place: usize| told["spent"][["executions", "asked"][place]].as_u64().expect("a number");
    assert!(saved(0) < saved(1), "beginnings are run once: {}", told["spent"]);
    let (code, told) = run(&written, &["--strategy", "document", "--replay"]);
    assert_eq!((code, &told["best"]["comparable"], &told["best"]["ran"]), (Some(0), &4.into(), &8.into()));
    assert_eq!(run(&path, &["--strategy", "counter"]).0, Some(10), "gaps passed over, 90 comes");
}

#[test]
fn what_cells_show_is_told_by_the_newest_kernel_too() {
    let folder = scratch();
    let (path, lock) = (folder.path().join("a.ipynb"), folder.path().join("bare.lock"));
    std::fs::write(&lock, "# python: 3.12\n").expect("it is written");
    let shown = "import sys\nfrom IPython.display import display\ndisplay(a)\nprint(a)\nprint(a, file=sys.stderr)\na";
    put(&path, &[("a = 1\nprint(a)", Some(1), "1\n"), ("a += 1", None, ""), (shown, Some(3), "")]);
    let mut notebook: Value = serde_json::from_slice(&std::fs::read(&path).expect("it is there")).expect("it is JSON");
    let plain = json!({"text/plain": "2"});
    notebook["cells"][2]["outputs"] = json!([
        {"output_type": "display_data", "data": plain, "metadata": {}},
        {"output_type": "stream", "name": "stdout", "text": "2\n"},
        {"output_type": "stream", "name": "stderr", "text": "2\n"},
        {"output_type": "execute_result", "data": plain, "metadata": {}, "execution_count": 3},
    ]);
    std::fs::write(&path, notebook.to_string()).expect("it is written");
    let more = ["--strategy", "document", "--environment", lock.to_str().expect("it is text")];
    let (code, told) = run(&path, &more);
    assert_eq!((code, &told["why_replayed"]), (Some(0), &Value::Null), "{told}");
    assert_eq!(told["orders"][0]["matched"][0], json!(["exact", 2]), "{told}");
}

#[test]
fn cells_without_counts_find_their_places_and_files_are_not_shared() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    let cells = [
        ("print(open('n').read(), x)", None, "1 2\n"),
        ("x += 1\nprint(x)", None, "2\n"),
        ("print(open('n', 'w').write(str(x)))", None, "1\n"),
        ("x = 1", None, ""),
        ("print(x)", None, "1\n"),
    ];
    put(&path, &cells);
    let (code, told) = run(&path, &[]);
    assert_eq!((code, &told["why_replayed"]), (Some(0), &Value::Null), "{told}");
    assert_eq!(told["best"]["matched"][0], json!(["exact", 4]), "{told}");
}

#[test]
fn each_state_has_its_own_files_folders_and_draws() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    std::fs::write(folder.path().join("there.txt"), "old").expect("it is written");
    let listed =
        "import os\nprint(sorted(os.listdir('made')), open('there.txt').read(), os.path.exists('gone.txt'), s3)";
    let added = "import os\nprint(open('there.txt', 'a').write('new'), os.listdir('made'))\nopen('made/two', 'w').close()\n\
                 os.remove('gone.txt')\ns3 = s2 + 1";
    let made = "import os\nos.makedirs('made')\nopen('made/one', 'w').close()\nopen('gone.txt', 'w').close()\n\
                print(os.listdir('made'))\ns2 = s1 + 1";
    // As they stand the second appends before it raises, and the third makes a folder.
    let cells = [
        (listed, None, "['one', 'two'] oldnew False 3\n"),
        (added, None, "3 ['one']\n"),
        (made, None, "['one']\n"),
        ("import random\nrandom.seed(4)\ns1 = 1\nprint(random.random())", None, "0.23604808973743452\n"),
        ("print(random.random(), s1)", None, "0.1031660342307158 1\n"),
    ];
    put(&path, &cells);
    let (code, told) = run(&path, &["--beside", folder.path().to_str().expect("it is text")]);
    assert_eq!((code, &told["why_replayed"]), (Some(0), &Value::Null), "{told}");
    assert_eq!(told["best"]["matched"][0], json!(["exact", 5]), "{told}");
}

#[test]
fn what_is_too_large_to_be_kept_is_replayed() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    let large = "print(open('n', 'w').write('x' * (70 << 20)))";
    put(&path, &[("print(x)", None, "1\n"), (large, None, "73400320\n"), ("x = 1", None, "")]);
    let (code, told) = run(&path, &[]);
    let why = "cell 2 writes files that are too large to be kept";
    assert_eq!((code, &told["why_replayed"]), (Some(0), &why.into()), "{told}");
}

#[test]
fn an_error_is_told_as_it_is_where_states_are_kept() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    put(&path, &[("x = 1", Some(1), ""), ("x.y", Some(2), "")]);
    let (code, told) = run(&path, &["--strategy", "document"]);
    let raised = &told["orders"][0]["cells"][1]["raised"];
    assert_eq!((code, &told["why_replayed"], &raised["ename"]), (Some(10), &Value::Null, &"AttributeError".into()));
}

#[test]
fn runs_agree_with_antidotes_and_those_that_helped_are_told() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    let cells = [
        ("import random, time\nfrom datetime import datetime\nprint(random.random())", Some(1), ""),
        (
            "t = time.time()\ntime.sleep(0.1)\nwhile time.time() < t + 0.2: pass\nprint(time.time() - t, datetime.now().year)",
            Some(2),
            "",
        ),
        ("print(hash('x'))", Some(3), ""),
    ];
    put(&path, &cells);
    let more = ["--strategy", "document", "--replay", "--match", "best-effort", "--antidotes", "seeds,clock"];
    let (code, told) = run(&path, &more);
    let repeated = &told["repeated"];
    assert_eq!((code, &repeated["plain"]["differing"]), (Some(10), &json!([0, 1, 2])), "{told}");
    assert_eq!((&repeated["together"]["differing"], &repeated["helped"]), (&json!([2]), &json!(["seeds", "clock"])));
}

#[test]
fn each_antidote_helps_in_the_newest_kernel_and_tells_a_cause() {
    let folder = scratch();
    let (path, lock) = (folder.path().join("a.ipynb"), folder.path().join("bare.lock"));
    std::fs::write(&lock, "# python: 3.12\n").expect("it is written");
    let cells = [
        ("from random import *\nprint(random())", Some(1), "0.5\n"),
        ("import importlib\nprint(importlib.import_module('time').time())", Some(2), "1.5\n"),
        ("print(hash('x'))", Some(3), "3\n"),
        ("print(object())\nobject()", Some(4), "none\n"),
    ];
    put(&path, &cells);
    let lock = lock.to_str().expect("it is text");
    let more = ["--strategy", "document", "--replay", "--match", "best-effort", "--environment", lock];
    let (code, told) = run(&path, &more);
    let repeated = &told["repeated"];
    assert_eq!((code, &repeated["plain"]["differing"]), (Some(0), &json!([0, 1, 2, 3])), "{told}");
    assert_eq!(repeated["helped"], json!(["seeds", "clock", "hash-seed", "addresses"]), "{told}");
    let causes = json!([[0, ["R1-randomness"]], [1, ["R2-time"]], [2, ["R6-containers"]], [3, ["R7-environment"]]]);
    assert_eq!(told["causes"], causes, "{told}");
}

#[test]
fn the_line_at_which_runs_part_is_told_and_what_cannot_be_repeated() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    let cells = [
        ("class A: pass\no = A()\no.words, o.place, o.parents = None, id(None), {id(None): None}", Some(1), ""),
        ("import random\n\na = random.randint(5, 5000000)\nprint(a > 1)", Some(2), "True\n"),
        ("b = 20\na = a + b", Some(3), ""),
        ("b += 10", Some(4), ""),
        ("print('a')", Some(5), "a\n"),
    ];
    put(&path, &cells);
    let (code, told) = run(&path, &["--strategy", "document", "--replay", "--debug"]);
    let (line, unrepeatable) = (&told["parted"]["line"], &told["parted"]["unrepeatable"]);
    assert_eq!((code, &line["cell"], &line["line"], &line["name"]), (Some(0), &1.into(), &3.into(), &"a".into()));
    assert_eq!((&line["text"], unrepeatable), (&"a = random.randint(5, 5000000)".into(), &json!([1, 2, 3])));
}

#[test]
fn the_line_that_gives_what_was_not_saved_is_told_with_what_was_in_its_place() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    // What only a state keeps otherwise is not what differs.
    let cells = [
        ("import time\nkept = time.time()\na = 3\nb = 4", Some(1), ""),
        ("def twice(value):\n    return value * 2", Some(2), ""),
        ("c = twice(a)\nprint(b)\nprint('both', c)", Some(3), "4\nboth 4\n"),
        ("print(a, b)", Some(4), "2 4\n"),
    ];
    put(&path, &cells);
    let (code, told) = run(&path, &["--strategy", "document", "--replay", "--debug"]);
    let line = &told["parted"]["line"];
    assert_eq!((code, &line["cell"], &line["line"], &line["text"]), (Some(10), &0.into(), &3.into(), &"a = 3".into()));
    assert_eq!((&line["shown_at"], &line["is_beside_saved"]), (&json!([2, 3]), &true.into()), "{told}");
    assert_eq!(line["instead"], json!({ "was": "3", "with": "2" }), "{told}");
}

#[test]
fn a_number_is_not_ruled_out_by_neighbours_that_change_nothing() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    let cells = [("a = list('abcdefghi')", Some(1), ""), ("print(a[20:])", Some(2), "['g', 'h', 'i']\n")];
    put(&path, &cells);
    let (code, told) = run(&path, &["--strategy", "document", "--replay", "--debug"]);
    let line = &told["parted"]["line"];
    assert_eq!((code, &line["cell"], &line["text"]), (Some(10), &1.into(), &"print(a[20:])".into()), "{told}");
}
