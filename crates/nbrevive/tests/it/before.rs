//! A store of before results were known by fingerprints (`tests/before/`): it opens, what it has is done, and nothing runs again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use nbrevive_corpus::{Condition, Recipe};
use nbrevive_store::compare::differences;
use nbrevive_store::{Store, conditions, executions, fingerprints, outcomes};
use tempfile::TempDir;

use crate::support::{nbrevive, scratch};

/// A copy of the store and of the study that it is of.
struct Before(TempDir);

impl Before {
    fn copy() -> Self {
        let folder = scratch();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/before"), folder.path());
        Before(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// What a command of the program says, which has to succeed.
    fn says(&self, words: &[&str], more: &[&str]) -> String {
        let mut command = nbrevive();
        command.args(words).arg(self.path("study/study.toml")).arg("--store").arg(self.path("store")).args(more);
        let assert = command.assert().success();
        let output = assert.get_output();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    fn store(&self) -> Store {
        Store::open_read_only(&self.path("store")).expect("the store can be read")
    }

    /// Outcomes by version and condition, as words.
    fn outcomes(&self) -> BTreeMap<String, String> {
        let rows = outcomes::all(&self.store()).expect("it has outcomes");
        let named = |row: outcomes::OutcomeRow| {
            (format!("{} {}", row.version, row.condition), format!("{}, {} fixes", row.verdict.outcome, row.fixes))
        };
        rows.into_iter().map(named).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the fixture is there") {
        let entry = entry.expect("it can be listed");
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir(&place).expect("a folder can be made");
            copy(&entry.path(), &place);
        } else {
            std::fs::copy(entry.path(), &place).expect("a file can be copied");
        }
    }
}

/// What came out then.
const OUTCOMES: [(&str, &str); 10] = [
    ("beyond-the-rules backport", "error-non-reproducible, 0 fixes"),
    ("beyond-the-rules baseline", "error-non-reproducible, 0 fixes"),
    ("beyond-the-rules modernize", "error-non-reproducible, 0 fixes"),
    ("beyond-the-rules modernize-cell", "error-non-reproducible, 0 fixes"),
    ("comes-to-its-end backport", "error-free-reproducible, 0 fixes"),
    ("comes-to-its-end baseline", "error-free-reproducible, 0 fixes"),
    ("removed-method backport", "error-free-reproducible, 0 fixes"),
    ("removed-method baseline", "error-non-reproducible, 0 fixes"),
    ("removed-method modernize", "error-free-reproducible, 1 fixes"),
    ("removed-method modernize-cell", "error-free-reproducible, 1 fixes"),
];

fn then() -> BTreeMap<String, String> {
    OUTCOMES.iter().map(|(job, outcome)| ((*job).to_owned(), (*outcome).to_owned())).collect()
}

/// How many versions ran under the conditions of Tables 1 to 3, and how many of them reproduce.
const HEADLINE: [&str; 3] = ["baseline,3,1,", "backport,3,2,", "modernize,2,1,"];

/// Jobs that repair: what the rules and the loop did then, they do otherwise now.
const REPAIRS: usize = 4;

/// Says that each of the twelve jobs is done, or that its version is no subject, but for so many that are to run.
fn assert_done(list: &str, but: usize) {
    let count = |words: &str| list.matches(words).count();
    assert_eq!((count(" done: "), count(" no subject: "), count("to run:")), (10 - but, 2, but), "{list}");
}

#[test]
fn what_was_done_before_is_done_and_gets_its_new_name() {
    let before = Before::copy();
    let list = || before.says(&["study", "run"], &["--list"]);
    assert_done(&list(), REPAIRS);
    let hashes = || -> BTreeSet<String> {
        outcomes::all(&before.store()).unwrap().into_iter().map(|row| row.inputs_hash).collect()
    };
    let old = hashes();
    let (environments_of_then, ran) = (environments(&before), executions::all(&before.store()).unwrap().len());

    nbrevive().args(["study", "prepare"]).arg(before.path("study/study.toml")).assert().success();
    let said = before.says(&["study", "run"], &[]);
    assert!(said.contains(&format!(" {REPAIRS} to run")), "{said}");
    let (new, store) = (hashes(), before.store());
    assert!(new.is_disjoint(&old) && new.len() == OUTCOMES.len(), "not all are renamed: {new:?}");
    for hash in &new {
        assert!(fingerprints::find(&store, hash).unwrap().is_some(), "nobody knows what {hash} is made of");
    }
    if environments(&before) == environments_of_then {
        assert_eq!(executions::all(&store).unwrap().len(), ran, "what ran before ran again");
    }
    assert_done(&list(), 0);
    assert_eq!(before.outcomes(), then());
}

/// Under another threshold outcomes are decided anew, from the executions of then.
#[test]
fn executions_of_before_are_met_under_their_name_of_then() {
    let before = Before::copy();
    let file = before.path("study/study.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("baseline = ", "tau = 0.2\nbaseline = ", 1)).unwrap();
    let (old, ran) = (environments(&before), executions::all(&before.store()).unwrap().len());

    nbrevive().args(["study", "prepare"]).arg(&file).assert().success();
    for condition in ["baseline", "modernize"] {
        before.says(&["study", "run"], &["--condition", condition]);
    }
    assert_eq!(before.outcomes(), then());
    // An environment is known by its interpreter's full version: with another one than then all runs again, as it should.
    if environments(&before) == old {
        assert_eq!(executions::all(&before.store()).unwrap().len(), ran, "what ran before ran again");
    }
}

fn environments(before: &Before) -> BTreeSet<String> {
    executions::all(&before.store()).expect("it has executions").into_iter().map(|row| row.key.environment).collect()
}

#[test]
fn a_dataset_comes_out_of_it_with_the_recipes_of_the_paper() {
    let before = Before::copy();
    let presets: Vec<Recipe> = Condition::PRESETS.iter().filter_map(|name| Recipe::preset(*name)).collect();
    assert_eq!(conditions::all(&before.store()).unwrap(), presets);
    let (data, tables) = (before.path("data"), before.path("tables"));
    let export = || nbrevive().arg("export").arg("--store").arg(before.path("store")).arg("--out").arg(&data).assert();
    export().success();
    assert!(data.join("conditions.parquet").is_file());
    let manifest = std::fs::read(data.join("manifest.json")).unwrap();
    let again = nbrevive()
        .arg("export")
        .arg("--store")
        .arg(before.path("store"))
        .arg("--out")
        .arg(&data)
        .arg("--against")
        .arg(data.join("."))
        .assert()
        .code(3);
    again.stderr(predicates::str::contains("choose another folder with --out"));
    assert_eq!(std::fs::read(data.join("manifest.json")).unwrap(), manifest);
    nbrevive().arg("tables").arg("--data").arg(&data).arg("--out").arg(&tables).assert().success();
    let headline = std::fs::read_to_string(tables.join("tables/headline.csv")).unwrap();
    for line in HEADLINE {
        assert!(headline.contains(line), "{headline}");
    }

    // A run gives the store the tables of today, and its dataset is the same but for the new names and what nobody counted then.
    before.says(&["study", "run"], &["--condition", "baseline,backport"]);
    let (renamed, others): (Vec<String>, Vec<String>) = differences(&data, &before.path("store/data"))
        .unwrap()
        .into_iter()
        .partition(|line| line.contains(": `inputs_hash` is "));
    let (counted, others): (Vec<String>, Vec<String>) =
        others.into_iter().partition(|line| line.contains(": `markdown_cells` is null and "));
    assert_eq!((renamed.len(), others), (OUTCOMES.len() - REPAIRS, Vec::new()));
    assert!(!counted.is_empty());
}
