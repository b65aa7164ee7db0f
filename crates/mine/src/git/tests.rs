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

mod clones {
    use std::net::TcpListener;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    /// A git server of the loopback address over the folder of a scene.
    struct Daemon {
        child: Child,
        port: u16,
    }

    impl Daemon {
        fn start(scene: &Scene) -> Self {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let mut command = Command::new("git");
            command.args(["daemon", "--export-all", "--reuseaddr", "--listen=127.0.0.1", "--informative-errors"]);
            command.arg(format!("--port={port}")).arg(format!("--base-path={}", scene.folder.path().display()));
            command.env("GIT_CONFIG_GLOBAL", "/dev/null").stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
            let child = command.spawn().unwrap();
            let until = Instant::now() + Duration::from_secs(10);
            while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(10));
            }
            Self { child, port }
        }

        fn address(&self, name: &str) -> GitAddress {
            GitAddress::parse(&format!("git://127.0.0.1:{}/{name}", self.port)).unwrap()
        }
    }

    impl Drop for Daemon {
        fn drop(&mut self) {
            // It has a child that listens.
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            let _ = self.child.wait();
        }
    }

    fn cloned(scene: &Scene, commit: Option<&str>, limits: &CloneLimits) -> Result<GitRepository, GitError> {
        let daemon = Daemon::start(scene);
        let to = scene.folder.path().join("cloned");
        GitRepository::clone_from(&daemon.address("tree"), commit, &to, limits)
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => found.extend(files(&path)),
                false => found.push(path.to_str().unwrap().to_owned()),
            }
        }
        found.sort();
        found
    }

    fn check_out(git: &GitRepository, scene: &Scene, commit: &str) -> (Vec<String>, Vec<String>) {
        let to = scene.folder.path().join("out");
        fs::create_dir(&to).unwrap();
        let (hash, _) = git.commit(commit).unwrap();
        let troubles = git.check_out(&hash, &to, &CheckOutLimits::default()).unwrap();
        let below = |path: String| path.strip_prefix(&format!("{}/", to.display())).unwrap().to_owned();
        (files(&to).into_iter().map(below).collect(), troubles.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn any_commit_of_a_server_is_had_with_its_files_as_committed() {
        let scene = Scene::new();
        scene.write(".gitattributes", "*.txt text eol=crlf filter=touch\n*.csv filter=lfs\n");
        scene.write("data.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n");
        scene.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch /tmp/nbrevive-hooked\n");
        std::os::unix::fs::symlink("/etc/passwd", scene.tree().join("link")).unwrap();
        scene.commit("a.txt", "one\n", 100);
        let first = scene.git(&["rev-parse", "HEAD"]).trim().to_owned();
        scene.commit("a.txt", "two\n", 200);
        let git = cloned(&scene, Some(&first), &CloneLimits::default()).unwrap();
        assert!(!git.has_tree());
        assert_eq!(git.commit("HEAD").unwrap().1.as_second(), 200);
        assert!(git.commit("nowhere").unwrap_err().to_string().contains("there is no commit `nowhere`"));
        let (found, troubles) = check_out(&git, &scene, &first);
        assert_eq!(found, [".gitattributes", "a.txt", "data.csv"]);
        assert_eq!(fs::read_to_string(scene.folder.path().join("out/a.txt")).unwrap(), "one\n");
        assert_eq!(troubles, ["data.csv: its data is with git-lfs, and is not fetched", "link: it is a link"]);
        let changed = |paths: &[&str]| git.last_changed(&first, paths.iter().map(PathBuf::from)).unwrap();
        assert_eq!(changed(&["a.txt"]).map(jiff::Timestamp::as_second), Some(100));
        assert_eq!(changed(&["b.txt"]), None);
    }

    #[test]
    fn a_commit_that_no_branch_leads_to_is_fetched_where_the_server_gives_it() {
        let scene = Scene::new();
        scene.commit("a.txt", "one\n", 100);
        scene.commit("a.txt", "lost\n", 200);
        let lost = scene.git(&["rev-parse", "HEAD"]).trim().to_owned();
        scene.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
        scene.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let git = cloned(&scene, Some(&lost), &CloneLimits::default()).unwrap();
        assert_eq!(git.commit(&lost).unwrap().1.as_second(), 200);
    }

    #[test]
    fn what_cannot_be_cloned_is_told_with_its_address() {
        let scene = Scene::new();
        let daemon = Daemon::start(&scene);
        let clone = |address: &GitAddress, limits: &CloneLimits| {
            let to = scene.folder.path().join("cloned");
            GitRepository::clone_from(address, None, &to, limits).unwrap_err().to_string()
        };
        let error = clone(&daemon.address("nowhere"), &CloneLimits::default());
        assert!(error.contains("/nowhere: fatal: remote error: no such repository"), "{error}");
        scene.commit("a.txt", &"x\n".repeat(100_000), 100);
        let error = clone(&daemon.address("tree"), &CloneLimits { bytes: 0, ..CloneLimits::default() });
        assert!(error.contains("it is larger than 0 MiB"), "{error}");
    }

    mod attacks {
        use super::*;

        #[test]
        fn a_server_that_says_nothing_is_left_after_the_time() {
            let silent = TcpListener::bind("127.0.0.1:0").unwrap();
            let folder = tempfile::tempdir().unwrap();
            let address = format!("git://127.0.0.1:{}/a", silent.local_addr().unwrap().port());
            let limits = CloneLimits { time: Duration::from_millis(300), ..CloneLimits::default() };
            let (address, to) = (GitAddress::parse(&address).unwrap(), folder.path().join("to"));
            let started = Instant::now();
            let error = GitRepository::clone_from(&address, None, &to, &limits).unwrap_err().to_string();
            assert!(error.contains("it takes more than 0 s") && started.elapsed() < Duration::from_secs(5), "{error}");
        }

        #[test]
        fn no_name_of_a_commit_leads_out_of_the_folder_or_into_git() {
            let scene = Scene::new();
            scene.commit("a.txt", "one\n", 100);
            let blob = scene.git(&["rev-parse", "HEAD:a.txt"]).trim().to_owned();
            // Git itself would refuse to write such trees, and a hostile server does not ask it.
            let tree = |entries: &[(&str, &str, &str)]| {
                let mut bytes = Vec::new();
                for (mode, name, hash) in entries {
                    bytes.extend(format!("{mode} {name}\0").bytes());
                    bytes.extend((0..20).map(|at| u8::from_str_radix(&hash[2 * at..2 * at + 2], 16).unwrap()));
                }
                fs::write(scene.folder.path().join("raw"), bytes).unwrap();
                let raw = scene.folder.path().join("raw");
                scene.git(&["hash-object", "-w", "-t", "tree", "--literally", raw.to_str().unwrap()]).trim().to_owned()
            };
            let inner = tree(&[("100644", "config", &blob)]);
            let up = tree(&[("100644", "out.txt", &blob)]);
            let root = tree(&[
                ("40000", "..", &up),
                ("40000", ".GIT", &inner),
                ("100644", "a", &blob),
                ("40000", "a", &inner),
                ("100644", "b.txt", &blob),
                ("120000", "c", &blob),
                ("160000", "module", &blob),
            ]);
            let commit = scene.git(&["commit-tree", "-m", "x", &root]).trim().to_owned();
            let git = GitRepository::open(&scene.tree()).unwrap();
            let (found, troubles) = check_out(&git, &scene, &commit);
            assert_eq!(found, ["a", "b.txt"], "{troubles:?}");
            assert!(!scene.folder.path().join("out.txt").exists());
            for name in [
                "../out.txt: ",
                ".GIT/config: it lies in .git",
                "a/config: its place is taken",
                "c: it is a link",
                "module: it is a submodule",
            ] {
                assert!(troubles.iter().any(|trouble| trouble.starts_with(name)), "{name}: {troubles:?}");
            }
        }
    }
}
