//! What lies beside a notebook, what it leaves, and how it is saved, watched from outside of the real program.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{nbrevive, scratch};

/// A notebook of these cells.
fn notebook(folder: &Path, cells: &[&str]) -> PathBuf {
    let cell = |source: &&str| {
        serde_json::json!({
            "cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": source
        })
    };
    let cells: Vec<_> = cells.iter().map(cell).collect();
    let text = serde_json::json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells});
    let path = folder.join("x.ipynb");
    fs::write(&path, text.to_string()).expect("it is written");
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it can be listed");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Makes a pipe (`p`) or a device (`c 1 3` is like `/dev/null`), where we may.
fn make_node(path: impl AsRef<Path>, kind: &[&str]) -> bool {
    Command::new("mknod").arg(path.as_ref()).args(kind).output().is_ok_and(|made| made.status.success())
}

/// Runs a command on a notebook that must be refused before anything is built: there is no index, and an empty cache.
fn refused(command: &str, notebook: &Path, options: &[&str]) -> String {
    let home = scratch();
    let mut program = nbrevive();
    program.arg(command).arg(notebook).args(options).env("NBREVIVE_HOME", home.path());
    let assert = program.env("NBREVIVE_INDEX_URL", "http://127.0.0.1:9/simple").assert();
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(assert.get_output().status.code(), Some(7), "{command} {options:?}: {said}");
    said
}

#[test]
fn a_result_takes_the_place_of_regular_files_alone_and_is_refused_before_the_run() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let notebook = notebook(folder.path(), &["1"]);
    let before = fs::read(&notebook).unwrap();
    fs::write(path("kept"), "kept").unwrap();
    fs::hard_link(&notebook, path("hard.ipynb")).unwrap();
    symlink("x.ipynb", path("link.ipynb")).unwrap();
    symlink("kept", path("link")).unwrap();
    fs::create_dir(path("folder")).unwrap();
    assert!(make_node(path("pipe"), &["p"]));
    let mut places = vec!["x.ipynb", "hard.ipynb", "link.ipynb", "link", "folder", "pipe", "none/out.ipynb"];
    if make_node(path("null"), &["c", "1", "3"]) {
        places.push("null");
    }
    let kinds = |name: &str| fs::symlink_metadata(path(name)).map(|found| (found.mode(), found.ino())).ok();
    for name in places {
        let (out, was) = (path(name), kinds(name));
        for (command, options) in
            [("execute", vec!["--out", &out]), ("modernize", vec!["--out", &out]), ("modernize", vec!["--json", &out])]
        {
            assert!(refused(command, &notebook, &options).contains("cannot write"), "{name}");
        }
        assert_eq!(kinds(name), was, "{name}");
    }
    assert_eq!(fs::read(&notebook).unwrap(), before);
    assert_eq!(fs::read_to_string(path("kept")).unwrap(), "kept");
    assert!(names(folder.path()).iter().all(|name| !name.contains("partial")), "{:?}", names(folder.path()));
    assert!(refused("execute", &notebook, &["--keep", &path("kept")]).contains("--keep"));
    fs::create_dir(path("d")).unwrap();
    fs::write(path("d/train.csv"), "a\n").unwrap();
    assert!(refused("execute", &notebook, &["--data", &path("d"), "--out", &path("d/train.csv")]).contains("is read"));
}

const HOSTILE: &str = r#"
import os
from pathlib import Path
print('DATA', sorted(os.listdir('../input')), sorted(os.listdir('../input/d')))
for name in ['../input/key.csv', '../input/keys/id_rsa', '../input/d/key.csv', 'link', 'up/id_rsa']:
    try:
        print('GOT', Path(name).read_text())
    except OSError as error:
        print(type(error).__name__)
print('BESIDE', sorted(os.listdir('.')), Path('tools.py').read_text())
Path('kept.csv').write_text('a\n')
Path('mine.txt').write_text('theirs')
Path('shell').write_text('#!')
os.chmod('shell', 0o6755)
Path('.bashrc').write_text('evil')
Path('clip\x1b]52;c;YQ==\x07.csv').write_text('a')
os.symlink('/etc/hostname', 'name.csv')
try:
    os.mkfifo('submission.csv')
except OSError:
    os.mkdir('submission.csv')
os.makedirs('shut/deep')
os.chmod('shut/deep', 0)
os.chmod('shut', 0)
os.chmod('.', 0)
"#;

#[test]
fn a_hostile_notebook_gets_its_data_and_leaves_plain_files_and_nothing_else() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    for name in ["home", "d", "beside", "mine", "tmp"] {
        fs::create_dir(path(name)).unwrap();
    }
    fs::write(path("home/id_rsa"), "SECRET").unwrap();
    fs::write(path("d/train.csv"), "Id\n1\n").unwrap();
    fs::write(path("beside/tools.py"), "x = 1").unwrap();
    fs::write(path("mine/mine.txt"), "mine").unwrap();
    for (target, link) in [
        (path("home/id_rsa"), "d/key.csv"),
        (path("home"), "d/keys"),
        (PathBuf::from("nowhere"), "d/dangling"),
        (path("home/id_rsa"), "beside/link"),
        (path("home"), "beside/up"),
    ] {
        symlink(target, path(link)).unwrap();
    }
    assert!(make_node(path("beside/pipe"), &["p"]));
    let notebook = notebook(folder.path(), &[HOSTILE]);
    let run = |keep: &Path| {
        let mut program = nbrevive();
        program.arg("execute").arg(&notebook).env("TMPDIR", path("tmp")).arg("--keep").arg(keep);
        program.arg("--data").arg(path("d")).arg("--beside").arg(path("beside")).assert()
    };
    let told = contains("left out: ").and(contains("d/key.csv: it leads out of its folder"));
    let told = told.and(contains("d/dangling: there is no such file")).and(contains("beside/pipe: it is a named pipe"));
    let told = told.and(contains("not kept: .bashrc")).and(contains("not kept: mine.txt: there is a file"));
    let told = told.and(contains("\\u{1b}]52;c;YQ==\\u{7}.csv").and(contains('\u{1b}').not()));
    run(&path("mine")).code(0).stderr(told);
    let executed = fs::read_to_string(path("x.executed.ipynb")).unwrap();
    assert!(executed.contains("DATA ['d', 'train.csv'] ['dangling', 'key.csv', 'keys', 'train.csv']"), "{executed}");
    assert!(executed.contains("BESIDE ['tools.py'] x = 1"), "{executed}");
    assert!(!executed.contains("SECRET") && !executed.contains("\"GOT"), "{executed}");
    assert_eq!(names(&path("mine")), ["kept.csv", "mine.txt", "shell", "tools.py"]);
    assert_eq!(fs::read_to_string(path("mine/mine.txt")).unwrap(), "mine");
    assert_eq!(fs::metadata(path("mine/shell")).unwrap().permissions().mode() & 0o7777, 0o644);
    assert!(names(&path("tmp")).is_empty(), "{:?}", names(&path("tmp")));

    // What cannot be kept costs its files alone.
    fs::remove_file(path("x.executed.ipynb")).unwrap();
    run(&path("mine/mine.txt/below")).code(7).stderr(contains("mine.txt/below"));
    assert!(fs::read_to_string(path("x.executed.ipynb")).unwrap().contains("BESIDE"));
    assert!(names(&path("tmp")).is_empty(), "{:?}", names(&path("tmp")));
}
