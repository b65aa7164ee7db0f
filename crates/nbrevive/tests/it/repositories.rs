//! A study without competitions: notebooks among the files of their repository, and one that stands alone.

use std::path::Path;

use nbrevive_corpus::{Condition, Executability, Outcome};
use nbrevive_store::executability::{self, ExecutabilityRow};
use nbrevive_store::{Store, outcomes, repositories, versions};
use tempfile::TempDir;

use crate::support::{nbrevive, put, scratch};

const SETTINGS: &str = "name = \"alone\"\ntitle = \"Alone\"\njudge = \"executability\"\nnotebooks = \"notebooks\"\n\
                        environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\n\
                        conditions = [\"baseline\", \"modernize\", \"stopping\", \"seeded\"]\n\
                        [[condition]]\nname = \"stopping\"\nstop = \"first-error\"\n\
                        [[condition]]\nname = \"seeded\"\nseed = 7\n";

/// A notebook of these cells.
fn notebook(cells: &[&str]) -> String {
    let cell = |source: &&str| serde_json::json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
    let cells: Vec<_> = cells.iter().map(cell).collect();
    serde_json::json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
}

fn study() -> TempDir {
    let folder = scratch();
    let put = |name: &str, text: &str| put(folder.path(), name, text);
    let version = |slug: &str, file: &str| {
        format!(
            "[[version]]\nslug = \"{slug}\"\ntitle = \"T\"\nsubmitted = \"2019-05-01T00:00:00Z\"\nfile = \"{file}\"\n"
        )
    };
    put("study.toml", SETTINGS);
    put("environments/bare.lock", "# python: 3.12\n");
    let list = format!(
        "[repository]\nname = \"me/it\"\nurl = \"https://example.org/me/it\"\n{}{}",
        version("deep", "notebooks/Deep.ipynb"),
        version("broken", "broken.ipynb")
    );
    put("notebooks/it/versions.toml", &list);
    put("notebooks/it/files/helper.py", "def read(): return open('../data.csv').read()\n");
    put("notebooks/it/files/notebooks/tools.py", "import sys; sys.path.append('..')\nfrom helper import read\n");
    put("notebooks/it/files/data.csv", "a\n1\n");
    // Another's traces are not there, since each has a copy of its own.
    let deep = [
        "import os\nprint('seed of', os.environ['PYTHONHASHSEED'])\nassert not os.path.exists('left.txt')",
        "from tools import read",
        "",
        "open('left.txt', 'w').write(read())",
    ];
    put("notebooks/it/files/notebooks/Deep.ipynb", &notebook(&deep));
    let broken = ["a = 1", "from collections import Mapping", "b = c", "open('notebooks/left.txt')"];
    put("notebooks/it/files/broken.ipynb", &notebook(&broken));
    put("notebooks/alone/versions.toml", &format!("belongs = \"nothing\"\n{}", version("alone", "alone.ipynb")));
    put("notebooks/alone/alone.ipynb", &notebook(&["import os\nassert os.listdir('.') == []", "input('name')"]));
    folder
}

fn run(folder: &Path) -> String {
    let mut command = nbrevive();
    command.args(["study", "run"]).arg(folder.join("study.toml")).arg("--store").arg(folder.join("store"));
    let assert = command.assert().success();
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn stored(folder: &Path) -> Store {
    Store::open_read_only(&folder.join("store")).expect("the store can be read")
}

#[test]
fn what_belongs_to_no_competition_is_judged_by_how_much_of_it_runs() {
    let folder = study();
    run(folder.path());
    let store = stored(folder.path());
    let rows = executability::all(&store).expect("it has rows");
    let of = |version: &str| -> &ExecutabilityRow {
        &rows.iter().find(|row| row.version == version && row.condition == Condition::BASELINE).expect(version).row
    };
    let counts = |version: &str| (of(version).ran_before_error, of(version).ran, of(version).code_cells);
    assert_eq!((of("deep").executability, counts("deep")), (Executability::Executable, (3, 3, 3)));
    assert_eq!((of("broken").executability, counts("broken")), (Executability::OtherError, (1, 1, 4)));
    assert_eq!((of("broken").first_error_cell, of("broken").first_error.as_deref()), (Some(1), Some("ImportError")));
    assert_eq!((of("alone").executability, counts("alone")), (Executability::Input, (1, 1, 2)));
    for row in outcomes::all(&store).expect("it has outcomes") {
        assert_eq!((row.target_score, row.verdict.score, row.verdict.output_status), (None, None, None), "{row:?}");
        assert_eq!(row.verdict.outcome.is_reproducible(), row.version == "deep", "{row:?}");
    }
    let repaired =
        outcomes::find(&store, "broken", Condition::MODERNIZE).expect("it can be read").expect("it is there");
    assert_eq!((repaired.fixes, repaired.verdict.outcome), (1, Outcome::ErrorNonReproducible), "{repaired:?}");
    let under = |version: &str, condition: &str| {
        let row = rows.iter().find(|row| row.version == version && row.condition.as_str() == condition);
        &row.expect("each condition ran").row
    };
    let stopped = under("broken", "stopping");
    assert_eq!((stopped.ran_before_error, stopped.ran, stopped.error_cells), (1, 1, 1));
    assert_eq!((under("broken", "baseline").error_cells, under("deep", "stopping")), (3, under("deep", "baseline")));
    let recorded = outcomes::all(&store).expect("it has outcomes");
    assert!(recorded.iter().all(|row| row.seed == if row.condition.as_str() == "seeded" { 7 } else { 0 }));
    let told = |condition: &str| {
        let file = folder.path().join("store/executed");
        let files =
            std::fs::read_dir(file).expect("it has executed notebooks").map(|entry| entry.expect("it is there").path());
        let mut named = files.filter(|path| path.to_string_lossy().contains(&format!("/deep.{condition}.")));
        std::fs::read_to_string(named.next().expect("each condition ran")).expect("it can be read")
    };
    assert!(told("seeded").contains("seed of 7") && told("baseline").contains("seed of 0"));
    let belongs = |row: versions::VersionRow| (row.version, row.repository, row.competition);
    let rows: Vec<_> = versions::all(&store).expect("it has versions").into_iter().map(belongs).collect();
    let of_it = |slug: &str| (slug.to_owned(), Some("me/it".to_owned()), None);
    assert_eq!(rows, [("alone".to_owned(), None, None), of_it("broken"), of_it("deep")]);
    let known = repositories::all(&store).expect("it has repositories");
    assert_eq!(known[0].url.as_deref(), Some("https://example.org/me/it"));

    let mut tables = nbrevive();
    tables
        .arg("tables")
        .arg("--data")
        .arg(folder.path().join("store/data"))
        .arg("--out")
        .arg(folder.path().join("out"));
    let said = tables.assert().success();
    let text = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(text.starts_with("Executability") && !text.contains('τ'), "{text}");
    let mut page = nbrevive();
    page.arg("report")
        .arg("--data")
        .arg(folder.path().join("store/data"))
        .arg("--out")
        .arg(folder.path().join("r.html"));
    page.assert().success();
}

#[test]
fn a_changed_file_of_the_repository_runs_its_notebooks_again_and_no_others() {
    let folder = study();
    run(folder.path());
    assert!(run(folder.path()).contains(" 0 to run"), "all is done");
    std::fs::write(folder.path().join("notebooks/it/files/data.csv"), "a\n2\n").expect("a file can be written");
    let mut list = nbrevive();
    list.args(["study", "run", "--list"]).arg(folder.path().join("study.toml"));
    list.arg("--store").arg(folder.path().join("store"));
    let said = list.assert().success();
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("baseline")).collect();
    assert!(lines[0].contains("alone") && lines[0].contains("done"), "{said}");
    assert!(lines[1..].iter().all(|line| line.contains("repository.files")), "{said}");
}

/// Runs git in a folder, as somebody whose clock stands at a time.
fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"];
    let status = std::process::Command::new("git")
        .args(identity)
        .args(arguments)
        .current_dir(folder)
        .env("GIT_COMMITTER_DATE", "@1500000000 +0000")
        .env("GIT_AUTHOR_DATE", "@1500000000 +0000")
        .output()
        .expect("git is there");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
}

#[test]
fn a_git_repository_and_a_folder_go_the_way_of_all_notebooks() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    let put = |name: &str, text: &str| {
        std::fs::create_dir_all(path(name).parent().expect("it is below the folder")).expect("a folder can be made");
        std::fs::write(path(name), text).expect("a file can be written");
    };
    for place in ["tree", "plain"] {
        put(&format!("{place}/data.csv"), "a\n1\n");
        put(&format!("{place}/notebooks/Reads it.ipynb"), &notebook(&["open('../data.csv').read()"]));
    }
    git(&path("tree"), &["init", "--quiet"]);
    git(&path("tree"), &["add", "--all"]);
    git(&path("tree"), &["commit", "--quiet", "--message", "first"]);
    put("tree/data.csv", "not committed");
    put("environments/bare.lock", "# python: 3.12\n");
    let study = |more: &str| {
        put(
            "study.toml",
            &format!(
                "name = \"alone\"\ntitle = \"Alone\"\njudge = \"executability\"\nnotebooks = \"corpus\"\n\
                 environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\nconditions = [\"baseline\"]\n\
                 [mine]\nsources = [\"git\", \"folder\"]\n[[mine.git]]\npath = \"tree\"\nrepository = \"me/tree\"\n\
                 [[mine.folder]]\npath = \"plain\"\nrepository = \"me/plain\"\n{more}"
            ),
        );
    };
    let command = |words: &[&str], more: &[&str]| {
        let mut command = nbrevive();
        command.args(words).arg("--study").arg(path("study.toml")).arg("--store").arg(path("store")).args(more);
        command
    };
    study("");
    let refused = command(&["mine"], &[]).assert().code(3);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("add `date` to its [[mine.folder]]"), "{said}");
    // One that is not there keeps no other from being taken.
    let wrong = "[[mine.git]]\npath = \"nowhere\"\n[[mine.git]]\npath = \"tree\"\ncommit = \"v9\"\nrepository = \"me/gone\"\n\
                 [[mine.git]]\npath = \"tree\"\nrepository = \"me/again\"\n";
    study(&format!("date = \"2019-05-01\"\n{wrong}"));
    let refused = command(&["mine", "git"], &[]).assert().code(3);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("nowhere") && said.contains("v9") && said.contains("me/again: 1 notebooks"), "{said}");
    assert!(said.contains("git          repository          2"), "{said}");
    std::fs::remove_dir_all(path("store")).expect("it is there");
    study("scripts = true\ndate = \"2019-05-01\"\n");
    command(&["mine"], &[]).assert().code(3);
    study("date = \"2019-05-01\"\n");
    let out = path("corpus");
    let out = out.to_str().expect("scratch paths are text");
    for _ in 0..2 {
        command(&["mine"], &[]).assert().success();
        command(&["select"], &["--out", out]).assert().success();
    }
    let versions = nbrevive_corpus::load_versions(Path::new(out)).expect("a selection writes valid lists");
    let dates: Vec<(&str, String)> =
        versions.iter().map(|version| (version.slug.as_str(), version.submitted.to_string())).collect();
    assert_eq!(
        dates,
        [
            ("me-plain-notebooks-reads-it", "2019-05-01T00:00:00Z".to_owned()),
            ("me-tree-notebooks-reads-it", "2017-07-14T02:40:00Z".to_owned()),
        ]
    );
    assert_eq!(std::fs::read_to_string(path("corpus/me-tree/files/data.csv")).expect("it is there"), "a\n1\n");
    run(folder.path());
    let rows = outcomes::all(&stored(folder.path())).expect("it has outcomes");
    assert_eq!(rows.iter().filter(|row| row.verdict.outcome.is_reproducible()).count(), 2, "{rows:?}");
    let known = repositories::all(&stored(folder.path())).expect("it has repositories");
    assert_eq!(known.iter().map(|row| row.revision.is_some()).collect::<Vec<_>>(), [false, true]);
    // What is the user's own is not written over.
    std::fs::write(path("corpus/me-tree/files/data.csv"), "mine").expect("a file can be written");
    let refused = command(&["select"], &["--out", out]).assert();
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("me-tree/files/data.csv"), "{said}");
}
