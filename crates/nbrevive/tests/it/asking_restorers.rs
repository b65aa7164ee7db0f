//! A language model that puts back what notebooks miss: as the paper does, and after all that is known; by files in a folder, and from the
//! record of that.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nbrevive_corpus::Preparation;
use nbrevive_store::{Store, executability, outcomes, restorations};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{nbrevive, put, scratch};

/// A module of its own name, one whose distribution is called otherwise, a name that nothing defines, and a file that is gone.
const LOST: [&str; 4] = [
    "import toolz",
    "import yaml\nyaml.safe_load('a: 1')",
    "print(twice_of(3) + 1)",
    "rows = open('data/gone.csv').read().split()\nassert rows[0] == 'a,b' and len(rows) == 3",
];

/// What is asked for is answered with what must not run.
const HOSTILE: [&str; 2] = ["x = 1", "print(evil_of(x))"];

/// No column tells what the sum has to be.
const SUMS: [&str; 2] = [
    "import csv\nrows = list(csv.DictReader(open('sums.csv')))\nages = [int(row['age']) for row in rows]",
    "assert sum(ages) == 10 * len(ages)",
];

fn notebook(cells: &[&str]) -> String {
    let cell = |source: &&str| json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
    let cells: Vec<_> = cells.iter().map(cell).collect();
    json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
}

const SETTINGS: &str = "name = \"asked\"\ntitle = \"Asked\"\njudge = \"executability\"\nnotebooks = \"notebooks\"\n\
                        environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\n\
                        [[condition]]\nname = \"as-it-is\"\nrole = \"baseline\"\n\
                        [[condition]]\nname = \"paper\"\nprepare = [\"modules\", \"files\", \"names\"]\nprepare-by = \"paper\"\n\
                        [[condition]]\nname = \"model-last\"\nprepare = [\"modules\", \"files\", \"names\"]\nprepare-by = \"model\"\n";

fn study() -> TempDir {
    let folder = scratch();
    let put = |name: &str, text: &str| put(folder.path(), name, text);
    put("study.toml", SETTINGS);
    put("environments/bare.lock", "# python: 3.12\n");
    let mut list = "belongs = \"nothing\"\n".to_owned();
    for (slug, cells) in [("lost", &LOST[..]), ("hostile", &HOSTILE), ("sums", &SUMS)] {
        list.push_str(&format!(
            "[[version]]\nslug = \"{slug}\"\ntitle = \"T\"\nsubmitted = \"2022-05-01T00:00:00Z\"\nfile = \"{slug}.ipynb\"\n"
        ));
        put(&format!("notebooks/alone/{slug}.ipynb"), &notebook(cells));
    }
    put("notebooks/alone/versions.toml", &list);
    folder
}

fn run(folder: &Path, store: &str, more: &[&str]) -> String {
    let mut command = nbrevive();
    command.args(["study", "run"]).arg(folder.join("study.toml")).arg("--store").arg(folder.join(store)).args(more);
    let assert = command.assert().success();
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// The answer of a model that knows these notebooks, by what a question asks for.
fn answer(question: &str) -> &'static str {
    if question.contains("# The recipe so far") && question.contains("gone.csv") {
        return "````json\n{\"files\": [{\"path\": \"data/gone.csv\", \"format\": \"csv\", \"tables\": [{\"rows\": 2, \"columns\": \
                [{\"name\": \"a\", \"kind\": \"integer\"}, {\"name\": \"b\", \"kind\": \"integer\"}]}]}]}\n````";
    }
    for (asked, answer) in [
        ("The module is `yaml`", "It is called otherwise.\n\n````\npyyaml\n````\n"),
        ("The name is `twice_of`", "````python\ndef twice_of(x):\n    return 2 * x\n````"),
        ("The name is `evil_of`", "````python\n!touch /kaggle/working/evil\ndef evil_of(x):\n    return x\n````"),
        ("The file is `data/gone.csv`", "````csv\na,b\n1,2\n3,4\n````"),
        ("The file is `sums.csv`", "````csv\nage\n10\n10\n````"),
        (
            "# The recipe so far",
            "````json\n{\"files\": [{\"path\": \"sums.csv\", \"format\": \"csv\", \"tables\": [{\"rows\": 3, \"columns\": \
             [{\"name\": \"age\", \"kind\": \"integer\", \"values\": [\"10\", \"10\", \"10\"]}]}]}]}\n````",
        ),
    ] {
        if question.contains(asked) {
            return answer;
        }
    }
    panic!("nobody knows an answer to:\n{question}");
}

/// Answers every question that comes into a folder, until it is told to stop.
fn answering(folder: PathBuf, stop: Arc<AtomicBool>) -> std::thread::JoinHandle<usize> {
    std::thread::spawn(move || {
        let mut answered = 0;
        while !stop.load(Ordering::Relaxed) {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
            for prompt in entries.filter(|path| path.to_string_lossy().ends_with(".prompt.md")) {
                let place = PathBuf::from(prompt.to_string_lossy().replace(".prompt.md", ".answer.md"));
                if !place.exists() {
                    let text = std::fs::read_to_string(&prompt).expect("a prompt can be read");
                    std::fs::write(place, answer(&text)).expect("an answer can be written");
                    answered += 1;
                }
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        answered
    })
}

/// How many code cells ran, by condition and version.
fn ran(store: &Path) -> Vec<(String, String, u32)> {
    let store = Store::open_read_only(store).expect("the store can be read");
    let rows = executability::all(&store).expect("rows").into_iter();
    rows.map(|of| (of.condition.to_string(), of.version, of.row.ran)).collect()
}

#[test]
fn a_model_puts_back_what_is_missed_as_the_paper_does_and_after_all_that_is_known() {
    let folder = study();
    // Without one the conditions that need it are left out, and said.
    let said = run(folder.path(), "store", &[]);
    assert!(said.contains("left out: the condition paper asks a language model, and none is named"), "{said}");
    assert!(said.contains("left out: the condition model-last"), "{said}");
    assert_eq!(ran(&folder.path().join("store")).len(), 3, "the others run");
    let (exchange, stop) = (folder.path().join("exchange"), Arc::new(AtomicBool::new(false)));
    let model = answering(exchange.clone(), Arc::clone(&stop));
    let said = run(folder.path(), "store", &["--exchange", &exchange.to_string_lossy()]);
    stop.store(true, Ordering::Relaxed);
    let asked = model.join().expect("every question has an answer");
    let of = |condition: &str, version: &str| {
        let rows = ran(&folder.path().join("store"));
        rows.into_iter()
            .find(|row| row.0 == condition && row.1 == version)
            .unwrap_or_else(|| panic!("{condition} {version}: {said}"))
            .2
    };
    assert_eq!((of("as-it-is", "lost"), of("paper", "lost"), of("model-last", "lost")), (0, 4, 4));
    assert_eq!((of("as-it-is", "sums"), of("paper", "sums"), of("model-last", "sums")), (0, 2, 2));
    assert_eq!((of("paper", "hostile"), of("model-last", "hostile")), (1, 1), "what is no plain Python is not run");
    let store = Store::open_read_only(&folder.path().join("store")).unwrap();
    let put_back = |condition: &str, version: &str| -> Vec<(Preparation, String)> {
        let all = restorations::put_back(&store).unwrap().into_iter();
        let meant = all.filter(|of| of.condition.as_str() == condition && of.version == version && of.row.is_kept);
        meant.map(|of| (of.row.preparation, of.row.what)).collect()
    };
    let expected = [
        (Preparation::Modules, "toolz"),
        (Preparation::Modules, "pyyaml"),
        (Preparation::Names, "twice_of by a definition that a model wrote"),
        (Preparation::Files, "made up: data/gone.csv (12 bytes that a model wrote)"),
    ];
    assert_eq!(put_back("paper", "lost"), expected.map(|(kind, what)| (kind, what.to_owned())));
    let last = put_back("model-last", "sums").pop().unwrap();
    assert_eq!(last, (Preparation::Files, "made up: 1 files by a recipe that a model wrote".to_owned()));
    assert!(put_back("paper", "hostile").is_empty());
    let reasons: Vec<String> = outcomes::all(&store).unwrap().into_iter().map(|row| row.reason).collect();
    assert!(
        reasons.iter().any(|reason| reason.contains("name evil_of: the model's answer: it is not plain Python 3")),
        "{reasons:?}"
    );
    let calls = nbrevive_model::Ledger::open(&folder.path().join("store/ledger.db")).unwrap().rows(None).unwrap();
    // Both conditions ask some of the same, which is answered once and counted for each.
    let prompts: BTreeSet<&str> = calls.iter().map(|call| call.prompt.as_str()).collect();
    assert_eq!((prompts.len(), calls.len()), (asked, 9));
    // Its record gives the same rows, and nobody is asked.
    let record = folder.path().join("store/dialogue.jsonl");
    run(folder.path(), "again", &["--replay", &record.to_string_lossy()]);
    assert_eq!(ran(&folder.path().join("again")), ran(&folder.path().join("store")));
}

#[test]
fn a_notebook_in_hand_is_helped_by_a_model_where_nothing_known_helps() {
    let folder = study();
    let (exchange, stop) = (folder.path().join("exchange"), Arc::new(AtomicBool::new(false)));
    let model = answering(exchange.clone(), Arc::clone(&stop));
    let mut command = nbrevive();
    command.current_dir(folder.path()).args([
        "restore",
        "notebooks/alone/sums.ipynb",
        "--environment",
        "environments/bare.lock",
    ]);
    command.args(["--out", "sums.restored.ipynb", "--dialogue", "dialogue", "--exchange"]).arg(&exchange);
    let assert = command.assert();
    stop.store(true, Ordering::Relaxed);
    model.join().expect("every question has an answer");
    let assert = assert.code(0);
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(said.contains("made up: 1 files by a recipe that a model wrote"), "{said}");
}
