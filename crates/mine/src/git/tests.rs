//! Histories, and repositories that would like to run something.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

pub(crate) const NOTEBOOK: &str =
    r#"{"cells":[],"metadata":{"language_info":{"name":"python"}},"nbformat":4,"nbformat_minor":4}"#;

/// A repository in a folder of its own.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(scene.tree()).unwrap();
        scene.git(&["init", "--quiet"]);
        scene
    }

    pub(crate) fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub(crate) fn store(&self) -> RawStore {
        RawStore::open(&self.folder.path().join("raw")).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_at(arguments, 0)
    }

    fn git_at(&self, arguments: &[&str], second: u64) -> String {
        let date = format!("@{second} +0000");
        let output = Command::new("git")
            .args(["-c", "user.name=ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(self.tree())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_AUTHOR_DATE", "@1000 +0000")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.tree().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn commit(&self, path: &str, text: &str, second: u64) {
        self.write(path, text);
        self.git(&["add", "--all"]);
        self.git_at(&["commit", "--quiet", "--message=x"], second);
    }

    fn mine(&self, folder: &Path, settings: &LocalSettings) -> (Vec<MinedRecord>, Vec<LocalTrouble>) {
        let mut records = Vec::new();
        let troubles = GitRepository::open(folder)
            .unwrap()
            .mine(&self.store(), settings, &mut |record| {
                records.push(record);
                ControlFlow::Continue(())
            })
            .unwrap();
        (records, troubles)
    }
}

/// Path, second of the commit, and length of each version; path alone of each notebook.
fn brief(records: &[MinedRecord]) -> Vec<String> {
    let brief = |record: &MinedRecord| match record {
        MinedRecord::Version(version) => {
            let second = version.created.map_or_else(|| "unknown".to_owned(), |time| time.as_second().to_string());
            format!("{} {second} {:?} {:?}", version.notebook, version.kind, version.language)
        }
        MinedRecord::Notebook(notebook) => format!("{}", notebook.key),
        MinedRecord::Competition(_)
        | MinedRecord::Leaderboard(_)
        | MinedRecord::Repository(_)
        | MinedRecord::Hosted(_) => {
            unreachable!("a history has none")
        }
    };
    records.iter().map(brief).collect()
}

#[test]
fn every_commit_that_touched_a_file_is_a_version() {
    let scene = Scene::new();
    scene.commit("a b/é.ipynb", NOTEBOOK, 100);
    scene.commit("other.txt", "x", 200);
    scene.commit("a b/é.ipynb", &NOTEBOOK.replace("4}", "5}"), 300);
    scene.commit("x.py", "print(1)", 400);
    scene.git(&["rm", "--quiet", "x.py"]);
    scene.commit("y.R", "1", 500);
    let (records, troubles) = scene.mine(&scene.tree(), &LocalSettings::default());
    assert!(troubles.is_empty());
    let notebook = "Some(Notebook) Some(Python)";
    let versions = [format!("file:a b/é.ipynb 300 {notebook}"), format!("file:a b/é.ipynb 100 {notebook}")];
    assert_eq!(brief(&records), [versions[0].clone(), versions[1].clone(), "file:a b/é.ipynb".into()]);
    let MinedRecord::Version(oldest) = &records[1] else { panic!("a version") };
    assert_eq!(scene.store().read(oldest.code.as_ref().unwrap()).unwrap(), NOTEBOOK.as_bytes());
    assert_eq!(oldest.origin.request, format!("git {}:a b/é.ipynb", oldest.revision.as_ref().unwrap()));
    let (scripts, _) = scene.mine(&scene.tree(), &LocalSettings { scripts: true, ..LocalSettings::default() });
    assert_eq!(scripts.len(), 3 + 2 + 2);
    assert_eq!(scene.mine(&scene.tree().join(".git"), &LocalSettings::default()).0, records);
}

#[test]
fn what_is_no_plain_file_or_too_large_is_left_out() {
    let scene = Scene::new();
    std::os::unix::fs::symlink("/etc/passwd", scene.tree().join("link.ipynb")).unwrap();
    scene.commit("large.ipynb", &"x".repeat(2000), 100);
    scene.commit("line\nfeed.ipynb", "x", 100);
    scene.commit("small.ipynb", NOTEBOOK, 100);
    let (records, troubles) = scene.mine(&scene.tree(), &LocalSettings { largest_file: 1000, scripts: false });
    assert_eq!(records.len(), 2);
    let troubles: Vec<String> = troubles.iter().map(ToString::to_string).collect();
    assert!(troubles[0].starts_with("large.ipynb: longer than 1000 bytes"), "{troubles:?}");
    assert!(troubles[1].contains("cannot be the name"), "{troubles:?}");
}

#[test]
fn an_empty_repository_and_none_at_all() {
    let scene = Scene::new();
    assert!(scene.mine(&scene.tree(), &LocalSettings::default()).0.is_empty());
    let error = GitRepository::open(scene.folder.path()).unwrap_err();
    assert!(error.to_string().contains("is no git repository"), "{error}");
}

#[test]
fn a_shallow_clone_does_not_know_when_its_oldest_files_were_touched() {
    let scene = Scene::new();
    scene.commit("old.ipynb", NOTEBOOK, 100);
    scene.commit("new.ipynb", NOTEBOOK, 200);
    scene.commit("newest.ipynb", NOTEBOOK, 300);
    let source = format!("file://{}", scene.tree().display());
    let clone = scene.folder.path().join("clone");
    scene.git(&["clone", "--quiet", "--depth=2", &source, clone.to_str().unwrap()]);
    let (records, _) = scene.mine(&clone, &LocalSettings::default());
    let versions: Vec<String> = brief(&records).into_iter().filter(|text| text.contains(' ')).collect();
    assert!(versions.iter().any(|text| text.starts_with("file:newest.ipynb 300")), "{versions:?}");
    assert!(versions.iter().any(|text| text.starts_with("file:old.ipynb unknown")), "{versions:?}");
}

#[test]
fn a_hostile_repository_runs_nothing() {
    let scene = Scene::new();
    let marker = scene.folder.path().join("marker");
    let trap = scene.folder.path().join("trap");
    fs::write(&trap, format!("#!/bin/sh\necho \"$0 $@\" >> '{}'\n", marker.display())).unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    scene.commit(".gitattributes", "*.ipynb diff=trap filter=trap\n", 50);
    scene.commit("a.ipynb", NOTEBOOK, 100);
    scene.commit("gone.ipynb", &NOTEBOOK.replace('4', "3"), 200);
    let gone = scene.git(&["rev-parse", "HEAD:gone.ipynb"]);
    let (first, rest) = gone.trim().split_at(2);
    fs::remove_file(scene.tree().join(".git/objects").join(first).join(rest)).unwrap();
    let trap = trap.to_str().unwrap();
    for hook in ["post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction"] {
        std::os::unix::fs::symlink(trap, scene.tree().join(".git/hooks").join(hook)).unwrap();
    }
    let settings = [
        ("core.fsmonitor", trap.to_owned()),
        ("core.pager", trap.to_owned()),
        ("pager.log", trap.to_owned()),
        ("core.sshCommand", trap.to_owned()),
        ("core.editor", trap.to_owned()),
        ("log.showSignature", "true".to_owned()),
        ("gpg.program", trap.to_owned()),
        ("diff.external", trap.to_owned()),
        ("diff.trap.textconv", trap.to_owned()),
        ("diff.trap.command", trap.to_owned()),
        ("filter.trap.clean", trap.to_owned()),
        ("filter.trap.smudge", trap.to_owned()),
        ("filter.trap.process", trap.to_owned()),
        ("credential.helper", trap.to_owned()),
        ("alias.log", format!("!{trap}")),
        ("alias.cat-file", format!("!{trap}")),
        ("remote.origin.url", format!("ext::{trap}")),
        ("remote.origin.promisor", "true".to_owned()),
        ("remote.origin.uploadpack", trap.to_owned()),
        ("protocol.ext.allow", "always".to_owned()),
        ("protocol.file.allow", "always".to_owned()),
        ("extensions.partialClone", "origin".to_owned()),
        ("core.alternateRefsCommand", trap.to_owned()),
        ("log.showRoot", "false".to_owned()),
        ("format.pretty", "oneline".to_owned()),
        ("diff.renames", "copies".to_owned()),
    ];
    for (name, value) in &settings {
        scene.git(&["config", name, value]);
    }
    let _ = fs::remove_file(&marker);
    let (records, troubles) = scene.mine(&scene.tree(), &LocalSettings::default());
    assert_eq!(brief(&records).len(), 2, "{:?}", brief(&records));
    assert!(troubles[0].why.contains("is not here"), "{troubles:?}");
    let store = scene.store();
    let mut files = 0;
    let folder = crate::folder::mine(&scene.tree(), &store, &LocalSettings::default(), &mut |_| {
        files += 1;
        ControlFlow::Continue(())
    });
    folder.unwrap();
    assert_eq!(files, 4);
    assert!(!marker.exists(), "ran: {}", fs::read_to_string(&marker).unwrap_or_default());
}

#[test]
fn the_last_commit_of_some_files_is_told_from_later_ones_of_others() {
    let scene = Scene::new();
    scene.commit("sub/a.ipynb", NOTEBOOK, 100);
    scene.commit("sub/b.ipynb", NOTEBOOK, 200);
    scene.commit("readme", "later", 300);
    let git = GitRepository::around(&scene.tree()).unwrap();
    let second =
        |folder: &Path, files: &[&str]| git.last_committed(folder, files).unwrap().map(jiff::Timestamp::as_second);
    assert_eq!(second(&scene.tree(), &["sub/a.ipynb", "sub/b.ipynb"]), Some(200));
    assert_eq!(second(&scene.tree().join("sub"), &["a.ipynb"]), Some(100));
    assert_eq!(second(&scene.tree(), &["never.ipynb", "*"]), None, "names are no patterns");
}
