//! Runs that others take away: packed here, run again where there is neither cache nor index, and refused where somebody changed them.

use std::path::{Path, PathBuf};

use assert_cmd::assert::Assert;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{nbrevive, scratch};

/// A study of notebooks that belong to nothing, in an environment of nothing.
const SETTINGS: &str = "name = \"taken\"\ntitle = \"Taken away\"\njudge = \"executability\"\nnotebooks = \"notebooks\"\n\
                        environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\n\
                        [[condition]]\nname = \"plain\"\nrole = \"baseline\"\nenvironment = \"lock\"\n";
/// A condition whose runs are the same each time by what is given to them alone.
const CALMED: &str = "[[condition]]\nname = \"calmed\"\nantidotes = [\"seeds\", \"clock\"]\n";

fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("it is below a folder")).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

pub(crate) fn study() -> TempDir {
    let folder = scratch();
    let notebook = |cells: &[&str]| {
        let cell = |source: &&str| json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
        let cells: Vec<Value> = cells.iter().map(cell).collect();
        json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
    };
    let version =
        |slug: &str| format!("[[version]]\nslug = \"{slug}\"\ntitle = \"T\"\nsubmitted = \"2022-05-01T00:00:00Z\"\n");
    put(&folder.path().join("study.toml"), SETTINGS);
    put(&folder.path().join("environments/bare.lock"), "# python: 3.12\n");
    let list = format!("belongs = \"nothing\"\n{}{}", version("steady"), version("moody"));
    put(&folder.path().join("notebooks/alone/versions.toml"), &list);
    let steady =
        ["import ssl, sqlite3\nprint(hash('a'), sqlite3.connect(':memory:').execute('select 1').fetchall())", "1 / 0"];
    put(&folder.path().join("notebooks/alone/steady.ipynb"), &notebook(&steady));
    put(
        &folder.path().join("notebooks/alone/moody.ipynb"),
        &notebook(&["import os\nprint(os.urandom(8).hex())", "import random\nprint(random.random())"]),
    );
    folder
}

/// The program where nothing is kept, and no index answers.
fn elsewhere(empty: &Path, words: &[&str]) -> Assert {
    let mut command = nbrevive();
    command.env("NBREVIVE_HOME", empty).env("HOME", empty);
    for index in ["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"] {
        command.env(index, "http://127.0.0.1:9/simple");
    }
    command.args(words).assert()
}

fn said(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn printed(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

#[test]
fn what_ran_here_runs_elsewhere_and_what_was_changed_is_named() {
    let folder = study();
    let path = |name: &str| folder.path().join(name);
    put(&path("study.toml"), &format!("{SETTINGS}{CALMED}"));
    let words = |path: &Path| path.to_str().expect("it is a text").to_owned();
    let (study, store, archive) = (words(&path("study.toml")), words(&path("store")), words(&path("all.tar.zst")));
    nbrevive().args(["study", "run", &study, "--store", &store]).assert().success();
    let pack = |more: &[&str]| {
        nbrevive().args(["pack", "--study", &study, "--store", &store, "--out", &archive]).args(more).assert()
    };
    let unknown = pack(&["steedy"]).code(3);
    assert!(said(&unknown).contains("unknown version `steedy`") && said(&unknown).contains("did you mean `steady`?"));
    let listed = said(&pack(&["--list"]).success());
    assert!(
        listed.contains("4 runs of 2 versions in 1 environments") && listed.contains("MiB without what is equal"),
        "{listed}"
    );
    assert!(!path("all.tar.zst").exists());
    pack(&[]).success();

    let (empty, unpacked) = (path("empty"), words(&path("unpacked")));
    elsewhere(&empty, &["unpack", &archive, "--out", &unpacked]).success();
    let run = elsewhere(&empty, &["run", &unpacked]).code(10);
    let lines = printed(&run);
    assert!(
        lines.contains("same     steady") && lines.contains("2 of 2 cells show the same (2 exact)"),
        "{lines}{}",
        said(&run)
    );
    let line = |start: &str, condition: &str| {
        let line = lines.lines().find(|line| line.starts_with(start) && line.contains(condition));
        line.unwrap_or_else(|| panic!("no line {start} {condition}: {lines}")).to_owned()
    };
    assert!(line("differs  moody", "plain").contains("0 of 2 cells show the same"), "{lines}");
    // Hashes and seeds are those that the runs had.
    assert!(line("same     steady", "calmed").contains("2 of 2 cells show the same"), "{lines}");
    assert!(line("differs  moody", "calmed").contains("1 of 2 cells show the same"), "{lines}");
    assert!(said(&run).contains("moody plain, cell 1: "), "{}", said(&run));
    elsewhere(&empty, &["run", &unpacked, "--only", "steady"]).success();
    let metadata: Value =
        serde_json::from_slice(&std::fs::read(path("unpacked/ro-crate-metadata.json")).unwrap()).unwrap();
    assert_eq!(metadata["@context"], "https://w3id.org/ro/crate/1.1/context");
    refuses_what_was_changed(&empty, folder.path(), &archive);
}

/// Each change is undone before the next.
fn refuses_what_was_changed(empty: &Path, folder: &Path, archive: &str) {
    let unpacked = folder.join("unpacked");
    let refused = |expected: &str| {
        let assert = elsewhere(empty, &["run", unpacked.to_str().expect("it is a text"), "--only", "steady"]).code(3);
        assert!(said(&assert).contains(expected), "{} is not: {expected}", said(&assert));
    };
    let launcher = found(&unpacked.join("kernels"), "launch_kernel.py");
    let name = launcher.strip_prefix(&unpacked).expect("it is below").display().to_string();
    let text = std::fs::read(&launcher).expect("the folder is ours");
    let mut other = text.clone();
    other[0] ^= 1;
    std::fs::write(&launcher, other).expect("the folder is ours");
    refused(&format!("`{name}` was altered since it was packed: its SHA-256 is "));
    std::fs::write(&launcher, text).expect("the folder is ours");
    let more = unpacked.join("environments/more.py");
    std::fs::write(&more, "").expect("the folder is ours");
    refused("`environments/more.py` was altered since it was packed: it is not in the list");
    std::fs::remove_file(&more).expect("the folder is ours");
    let list = unpacked.join("capsule.json");
    let text = std::fs::read_to_string(&list).expect("the folder is ours");
    let machine = format!("\"machine\": \"{}\"", std::env::consts::ARCH);
    std::fs::write(&list, text.replace(&machine, "\"machine\": \"riscv64\"")).expect("the folder is ours");
    refused("it was made for riscv64 machines, and this one is");
    std::fs::write(&list, text).expect("the folder is ours");

    let bytes = std::fs::read(archive).expect("the folder is ours");
    let cut = folder.join("cut.tar.zst");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("the folder is ours");
    let (cut, out) = (cut.to_str().expect("it is a text"), folder.join("out"));
    let assert = elsewhere(empty, &["unpack", cut, "--out", out.to_str().expect("it is a text")]).code(3);
    assert!(said(&assert).contains("is cut or damaged"), "{}", said(&assert));
    let left = std::fs::read_dir(folder)
        .expect("the folder is ours")
        .filter(|entry| entry.as_ref().expect("the folder is ours").file_name().to_string_lossy().contains("out"));
    assert_eq!(left.count(), 0, "nothing is half unpacked");
}

/// The file of this name below a folder.
fn found(folder: &Path, name: &str) -> PathBuf {
    let kernel = std::fs::read_dir(folder)
        .expect("the folder is ours")
        .next()
        .expect("there is a kernel")
        .expect("the folder is ours")
        .path();
    kernel.join(name)
}
