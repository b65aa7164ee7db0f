//! A language model in the loop, through the real program: a server on loopback answers, cheats, and loses its client.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{nbrevive, repository, scratch};
use nbrevive_fakemodel::{FakeModel, Say};
use nbrevive_store::fixes::FixRow;
use nbrevive_store::loops::OfLoop;
use nbrevive_store::{Store, fixes, outcomes, questions};

/// A notebook of the golden corpus that the rules cannot mend: it asks for the column `Kind`, which is called `Species`.
pub(crate) const SLUG: &str = "error-that-no-rule-knows";
/// What a model has to do.
const MENDED: &str = "train['Species']";

fn notebook() -> PathBuf {
    repository().join("study/golden/notebooks/iris-species").join(SLUG).with_extension("ipynb")
}

/// The answer of a model that replaces code in the notebook.
fn answer(changes: &[(&str, &str)]) -> String {
    let bytes = std::fs::read(notebook()).expect("the golden notebook is there");
    let notebook = nbrevive_notebook::read(&bytes).expect("it can be read").notebook;
    let text = nbrevive_notebook::percent::render(&notebook);
    let text = changes.iter().fold(text, |text, (old, new)| text.replace(old, new));
    format!("- Train on the column that there is.\n\n````python\n{}\n````\n", text.trim_end())
}

pub(crate) fn mended() -> Say {
    Say::text(answer(&[("train['Kind']", MENDED)]))
}

#[test]
fn one_notebook_comes_back_after_a_cheat_was_refused() {
    let (scratch, server) = (scratch(), FakeModel::start().unwrap());
    let cheat = [("train['Kind']", MENDED), ("model.predict(test[features])", "['Iris-setosa'] * len(test)")];
    server.then(Say::text(answer(&cheat)));
    server.then(mended());
    let out = scratch.path().join("back.ipynb");
    let run = nbrevive()
        .arg("modernize")
        .arg(notebook())
        .arg("--competition")
        .arg(repository().join("study/competitions/iris-species"))
        .args(["--target", "0.95", "--model", "gpt-5.2", "--endpoint", &server.url(), "--out"])
        .arg(&out)
        .arg("--dialogue")
        .arg(scratch.path().join("dialogue"))
        .env("OPENAI_API_KEY", server.key())
        .assert()
        .success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(said.contains("# a refused patch: constant-predictions"), "{said}");
    assert!(said.contains("# fix 1 (error-repair, openai)\n# - Train on the column that there is."), "{said}");
    assert!(said.contains("+model.fit(train[features], train['Species'])"), "{said}");
    assert!(std::fs::read_to_string(out).unwrap().contains(MENDED));
    assert_eq!(server.bills().len(), 2);
    let key_is_kept = |path: PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap()).contains(server.key());
    assert!(!key_is_kept(scratch.path().join("dialogue/ledger.db")), "the key is in the ledger");
    assert!(!key_is_kept(scratch.path().join("dialogue/dialogue.jsonl")), "the key is in the record");
}

/// A run of the golden study on that one notebook, with more arguments.
fn study_run(store: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nbrevive"));
    command
        .args(["study", "run"])
        .arg(repository().join("study/golden/study.toml"))
        .args(["--condition", "baseline,modernize", "--only", SLUG, "--model", "gpt-5.2", "--store"])
        .arg(store)
        .args(more);
    command
}

#[test]
fn a_killed_study_pays_once_and_its_record_gives_the_same_rows() {
    let (scratch, server) = (scratch(), FakeModel::start().unwrap());
    let (first, second) = (scratch.path().join("first"), scratch.path().join("second"));
    nbrevive().args(["study", "prepare"]).arg(repository().join("study/golden/study.toml")).assert().success();
    server.then(mended().after(Duration::from_secs(3)));
    let url = server.url();
    let asking = |store: &Path| {
        let mut command = study_run(store, &["--endpoint", &url]);
        command.env("OPENAI_API_KEY", server.key()).stderr(Stdio::null());
        command
    };
    let mut child = asking(&first).spawn().expect("the program starts");
    let patience = Instant::now();
    while server.log().is_empty() {
        assert!(patience.elapsed() < Duration::from_secs(600), "the model was never asked");
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().expect("the run can be killed");
    child.wait().expect("a killed run is reaped");

    assert!(asking(&first).status().unwrap().success());
    assert_eq!(server.bills().len(), 1, "a call was paid twice");

    let record = first.join("dialogue.jsonl").to_string_lossy().into_owned();
    let replayed = study_run(&second, &["--replay", &record]).env_remove("OPENAI_API_KEY").status().unwrap();
    assert!(replayed.success());
    assert_eq!(server.log().len(), 2, "a replay asks nobody");
    let (one, two) = (Store::open_read_only(&first).unwrap(), Store::open_read_only(&second).unwrap());
    let mended = |store: &Store| {
        let timeless = |fix: OfLoop<FixRow>| FixRow { seconds: None, ..fix.row };
        fixes::all(store).unwrap().into_iter().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(mended(&one), mended(&two));
    assert_eq!(mended(&one)[0].provider, "openai");
    assert_eq!(questions::all(&one).unwrap(), questions::all(&two).unwrap());
    assert_eq!(questions::all(&one).unwrap().len(), 1);
    let told = |store: &Store| {
        let rows = outcomes::all(store).unwrap();
        rows.into_iter()
            .map(|row| (row.version, row.condition, row.inputs_hash, row.verdict, row.reason))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&one), told(&two));
    assert!(told(&one)[1].3.outcome.is_reproducible());
}

#[test]
fn a_model_out_of_reach_leaves_the_job_undone() {
    let scratch = scratch();
    nbrevive().args(["study", "prepare"]).arg(repository().join("study/golden/study.toml")).assert().success();
    let empty = scratch.path().join("empty.jsonl");
    std::fs::write(&empty, "").unwrap();
    let store = scratch.path().join("store");
    let run = study_run(&store, &["--replay", &empty.to_string_lossy()]).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(8), "{said}");
    assert!(said.contains("has no answer to prompt"), "{said}");
    let store = Store::open_read_only(&store).unwrap();
    assert_eq!(outcomes::all(&store).unwrap().len(), 1, "what a model would have said is not known: no outcome");
    let estimate = study_run(&scratch.path().join("store"), &["--replay", &empty.to_string_lossy(), "--dry-run"]);
    let estimate = { estimate }.output().unwrap();
    let table = String::from_utf8_lossy(&estimate.stdout);
    assert!(table.contains("error-repair               1"), "{table}");
}

#[test]
fn cell_by_cell_it_comes_back_too_and_its_least_patch_is_stored() {
    let scratch = scratch();
    let study = repository().join("study/golden/study.toml");
    nbrevive().args(["study", "prepare"]).arg(&study).assert().success();
    let settings = scratch.path().join("repair.toml");
    std::fs::write(&settings, "[repair]\nminimize = true\n").unwrap();
    let folder = scratch.path().join("store");
    let run = nbrevive()
        .args(["study", "run"])
        .arg(&study)
        .args(["--condition", "baseline,modernize-cell", "--only", "removed-api", "--store"])
        .arg(&folder)
        .arg("--settings")
        .arg(&settings)
        .assert();
    run.success();
    let store = Store::open_read_only(&folder).unwrap();
    let rows = outcomes::all(&store).unwrap();
    assert_eq!(rows[1].condition, nbrevive_corpus::Condition::MODERNIZE_CELL);
    assert!(rows[1].verdict.outcome.is_reproducible(), "{:?}", rows[1]);
    let least = nbrevive_store::least_patches::all(&store).unwrap();
    assert_eq!((least.len(), least[0].row.hunks_after, least[0].row.is_minimal), (1, 1, true));
    let tables =
        nbrevive().args(["tables", "--data"]).arg(folder.join("data")).arg("--out").arg(scratch.path()).assert();
    let said = String::from_utf8_lossy(&tables.success().get_output().stdout).into_owned();
    assert!(said.contains("Ablation (section 5.1)."), "{said}");
    assert!(scratch.path().join("tables/cell-level.md").is_file());
}
