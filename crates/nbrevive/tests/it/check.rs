//! A person's own repository, checked: what still gives the outputs that it shows.

use std::path::Path;

use nbrevive_notebook::{Cell, Notebook};

use crate::support::{nbrevive, scratch};

/// A notebook of one cell with what it printed once.
fn put(folder: &Path, path: &str, code: &str, printed: &str) {
    let notebook = Notebook::from_cells(vec![Cell::code(code)]);
    let mut json: serde_json::Value = serde_json::from_str(&nbrevive_notebook::write(&notebook)).expect("it is JSON");
    json["cells"][0]["execution_count"] = 1.into();
    json["cells"][0]["outputs"] = serde_json::json!([{"output_type": "stream", "name": "stdout", "text": printed}]);
    let to = folder.join(path);
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("it is made");
    std::fs::write(to, json.to_string()).expect("it is written");
}

/// Saves an error in the place of what a notebook printed.
fn error_saved(folder: &Path, path: &str, ename: &str, evalue: &str) {
    let text = std::fs::read_to_string(folder.join(path)).expect("it is there");
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    json["cells"][0]["outputs"] =
        serde_json::json!([{"output_type": "error", "ename": ename, "evalue": evalue, "traceback": []}]);
    std::fs::write(folder.join(path), json.to_string()).expect("it is written");
}

/// Git in a folder, without the user's settings.
fn git(folder: &Path, arguments: &[&str]) {
    let status = std::process::Command::new("git")
        .args(["-c", "user.name=ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .status();
    assert!(status.expect("git runs").success(), "{arguments:?}");
}

/// Code and lines of a check of a folder without requirements.
fn check(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let output =
        nbrevive().arg("check").arg(folder).args(["--strategy", "declared"]).args(more).output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("it is text"))
}

#[test]
fn each_notebook_of_a_repository_has_a_line_and_the_code_says_whether_all_hold() {
    let folder = scratch();
    let folder = folder.path();
    put(folder, "same.ipynb", "print(1 + 1)", "2\n");
    put(folder, "near.ipynb", "print(0.1 + 0.2)", "0.3\n");
    put(folder, "sub/beside.ipynb", "print(open('told.txt').read())", "told\n");
    std::fs::write(folder.join("sub/told.txt"), "told").expect("it is written");
    let (code, lines) = check(folder, &[]);
    assert_eq!(code, Some(0), "{lines}");
    insta::assert_snapshot!(lines, @"
    ok       near.ipynb: 1 of 1 cells as saved
    ok       same.ipynb: 1 of 1 cells as saved
    ok       sub/beside.ipynb: 1 of 1 cells as saved
    ");
    assert_eq!(check(folder, &["--level", "exact", "--only", "near"]).0, Some(10));

    put(folder, "differs.ipynb", "print(3)", "2\n");
    put(folder, "raises.ipynb", "undefined", "2\n");
    std::fs::write(folder.join("broken.ipynb"), "{").expect("it is written");
    put(folder, "statistics.ipynb", "x <- 1", "2\n");
    let text = std::fs::read_to_string(folder.join("statistics.ipynb")).expect("it is there");
    let mut of_r: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    of_r["metadata"] = serde_json::json!({"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}});
    std::fs::write(folder.join("statistics.ipynb"), of_r.to_string()).expect("it is written");
    let (code, lines) = check(folder, &[]);
    assert_eq!(code, Some(10), "{lines}");
    insta::assert_snapshot!(lines, @r#"
    skipped  broken.ipynb: not JSON at line 1, column 1 (EOF while parsing an object): is the file a complete .ipynb?
    differs  differs.ipynb: 0 of 1 cells as saved; cell 1: output 1: number: "2" is now "3"
    ok       near.ipynb: 1 of 1 cells as saved
    raises   raises.ipynb: 0 of 1 cells as saved; cell 1: NameError: name 'undefined' is not defined
    ok       same.ipynb: 1 of 1 cells as saved
    skipped  statistics.ipynb: its language is R, and only Python is run
    ok       sub/beside.ipynb: 1 of 1 cells as saved
    "#);

    put(folder, "again.ipynb", "1 / 0", "");
    error_saved(folder, "again.ipynb", "ZeroDivisionError", "division by zero");
    put(folder, "other.ipynb", "1 / 0", "");
    error_saved(folder, "other.ipynb", "KeyError", "'a'");
    let (_, lines) = check(folder, &["--only", "a"]);
    assert!(
        lines.contains("reraises again.ipynb: 0 of 0 cells as saved; cell 1: ZeroDivisionError, as saved\n"),
        "{lines}"
    );
    let (code, lines) = check(folder, &["--only", "other"]);
    assert_eq!(code, Some(10));
    assert!(
        lines.starts_with("raises   other.ipynb: 0 of 0 cells as saved; cell 1: ZeroDivisionError: division"),
        "{lines}"
    );
    assert_eq!(check(folder, &["--only", "again"]).0, Some(0), "it is as saved");

    assert_eq!(check(folder, &["--only", "differs", "--update"]).0, Some(10));
    assert_eq!(check(folder, &["--only", "differs"]).0, Some(0), "what it showed then is what it shows now");
    let updated = std::fs::read_to_string(folder.join("differs.ipynb")).expect("it is there");
    assert!(!updated.contains("nbrevive"), "a repository is not told who ran it: {updated}");
    std::os::unix::fs::symlink("raises.ipynb", folder.join("linked.ipynb")).expect("it is made");
    assert_eq!(check(folder, &["--only", "linked", "--update"]).0, Some(10), "a link stays, and the rest goes on");
}

#[test]
fn what_cannot_be_checked_is_named() {
    let folder = scratch();
    let failed = |arguments: &[&str], code: i32| {
        let output = nbrevive().arg("check").arg(folder.path()).args(arguments).output().expect("it runs");
        assert_eq!(output.status.code(), Some(code));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(failed(&[], 3).contains("there is no notebook in "));
    put(folder.path(), "a.ipynb", "1", "1\n");
    assert!(failed(&[], 2).contains("add --date YYYY-MM-DD"));
    assert!(failed(&["--only", "z"], 3).contains("whose path contains `z`"));
    assert!(failed(&["--level", "alike"], 2).contains("expected one of exact, normalized, value, picture"));
}

#[test]
fn a_commit_is_checked_where_it_is_and_told_to_machines_and_people() {
    let folder = scratch();
    let (tree, bare) = (folder.path().join("tree"), folder.path().join("bare.git"));
    put(&tree, "a.ipynb", "print(1)", "1\n");
    put(&tree, "sub/b.ipynb", "print('<b>')", "<i>\n");
    std::os::unix::fs::symlink("/etc/passwd", tree.join("link")).expect("it is made");
    git(&tree, &["init", "--quiet"]);
    git(&tree, &["add", "--all"]);
    git(&tree, &["commit", "--quiet", "--message=x"]);
    git(&tree, &["tag", "v1"]);
    put(&tree, "a.ipynb", "print(2)", "1\n");
    git(&tree, &["commit", "--quiet", "--all", "--message=y"]);
    git(folder.path(), &["clone", "--quiet", "--bare", "tree", "bare.git"]);

    let at = |place: &Path, commit: &str| std::path::PathBuf::from(format!("{}{commit}", place.display()));
    assert_eq!(check(&at(&tree, "@v1"), &["--only", "a.ipynb"]).0, Some(0));
    assert_eq!(check(&at(&bare, "@HEAD~1"), &["--only", "a.ipynb"]).0, Some(0));
    let (junit, page) = (folder.path().join("junit.xml"), folder.path().join("page.html"));
    let more = ["--junit", junit.to_str().expect("it is text"), "--report", page.to_str().expect("it is text")];
    let (code, lines) = check(&at(Path::new("file://"), &bare.display().to_string()), &more);
    assert_eq!(code, Some(10), "{lines}");
    assert_eq!(lines.lines().filter(|line| line.starts_with("differs ")).count(), 2, "{lines}");
    let junit = std::fs::read_to_string(junit).expect("it is written");
    assert!(junit.contains("errors=\"0\" failures=\"2\" skipped=\"0\" tests=\"2\""), "{junit}");
    assert!(junit.contains("<testcase classname=\"sub\" name=\"b.ipynb\""), "{junit}");
    let page = std::fs::read_to_string(page).expect("it is written");
    assert!(
        page.contains("0 of 2 notebooks show what they showed") && page.contains("&lt;<mark>i</mark>&gt;"),
        "{page}"
    );

    // As it is typed beside the folder: neither a slash nor a host.
    let mut beside = nbrevive();
    beside.args(["check", "tree@v1", "--strategy", "declared", "--only", "a.ipynb"]).current_dir(folder.path());
    beside.assert().code(0);
    let failed = |named: &Path, arguments: &[&str]| {
        let output = nbrevive().arg("check").arg(named).args(arguments).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, told) = failed(&at(&tree, "@nowhere"), &[]);
    assert!(code == Some(3) && told.contains("there is no commit `nowhere`"), "{told}");
    let (code, told) = failed(&bare, &["--update"]);
    assert!(code == Some(2) && told.contains("clone the repository"), "{told}");
    let (code, told) = failed(Path::new("ext::touch /tmp/x"), &[]);
    assert!(code == Some(3) && told.contains("is no address of a git repository"), "{told}");
    let (code, told) = failed(Path::new("git://127.0.0.1:1/a"), &[]);
    assert!(code == Some(14) && told.contains("cannot clone git://127.0.0.1:1/a"), "{told}");
    std::fs::write(tree.join(".gitattributes"), "*.bin filter=lfs diff=lfs\n").expect("it is written");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
    std::fs::write(tree.join("model.bin"), pointer).expect("it is written");
    std::fs::write(tree.join("requirements.txt"), "-r ../x.txt\n").expect("it is written");
    std::os::unix::fs::symlink("/etc/passwd", tree.join("runtime.txt")).expect("it is made");
    let (_, told) = failed(&tree, &["--strategy", "declared", "--only", "a.ipynb"]);
    assert!(
        told.contains("model.bin: its data is with git-lfs") && told.contains("link is left out of their copy: "),
        "{told}"
    );
    assert!(told.contains("requirements.txt:1: `../x.txt` is left out: it leads out of the repository\n"), "{told}");
    assert!(told.contains("\nruntime.txt is left out: it leads out of the repository\n"), "{told}");
    let (_, told) = failed(&bare, &["--strategy", "declared", "--only", "a.ipynb"]);
    assert!(told.contains("bare at commit ") && told.contains("link: it is a link"), "{told}");
}

#[test]
fn new_outputs_are_written_where_they_differ_and_nowhere_else() {
    let folder = scratch();
    let folder = folder.path();
    put(folder, "same.ipynb", "print(1)", "1\n");
    put(folder, "differs.ipynb", "print(2)", "1\n");
    put(folder, "raises.ipynb", "print(1)\nopen('gone.csv')", "1\n");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let before = ["same.ipynb", "differs.ipynb", "raises.ipynb"].map(read);
    assert_eq!(check(folder, &["--update"]).0, Some(10));
    assert_eq!([read("same.ipynb"), read("raises.ipynb")], [before[0].clone(), before[2].clone()]);
    let outputs = r#"[{"name":"stdout","output_type":"stream","text":["2\n"]}]"#;
    let saved = r#"[{"name":"stdout","output_type":"stream","text":"1\n"}]"#;
    assert_eq!(read("differs.ipynb"), before[1].replace(saved, outputs));
    assert_ne!(read("differs.ipynb"), before[1]);
}

#[test]
fn an_environment_that_cannot_be_had_is_told_in_every_form() {
    let folder = scratch();
    let place = |name: &str| folder.path().join(name).to_str().expect("it is text").to_owned();
    put(folder.path(), "a.ipynb", "print(1)", "1\n");
    std::fs::write(place("setup.cfg"), "[options]\ninstall_requires =\n  nbrevive-has-no-such-thing\n")
        .expect("it is written");
    let (code, json) =
        check(folder.path(), &["--junit", &place("x.xml"), "--report", &place("x.html"), "--format", "json"]);
    assert_eq!(code, Some(6), "{json}");
    let words = "setup.cfg:3 asks for nbrevive-has-no-such-thing, which the index does not have";
    for text in [json, std::fs::read_to_string(place("x.xml")).expect("it is there")] {
        assert!(text.contains(words) && text.contains("no-environment"), "{text}");
    }
    assert!(std::fs::read_to_string(place("x.html")).expect("it is there").contains(words));
}

#[test]
fn what_was_checked_before_an_interruption_is_written() {
    use std::io::BufRead as _;

    let folder = scratch();
    put(folder.path(), "a.ipynb", "print(1)", "1\n");
    put(folder.path(), "b.ipynb", "import time\nwhile True: time.sleep(1)", "1\n");
    let junit = folder.path().join("x.xml");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_nbrevive"));
    command.arg("check").arg(folder.path()).args(["--strategy", "declared", "--time-limit", "3", "--junit"]);
    let mut child = command.arg(&junit).stdout(std::process::Stdio::piped()).spawn().expect("it runs");
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("it is piped")).lines();
    assert!(lines.next().expect("a line").expect("it is text").starts_with("ok       a.ipynb"));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(9));
    let junit = std::fs::read_to_string(junit).expect("it is written");
    assert!(junit.contains("tests=\"1\"") && junit.contains("a.ipynb"), "{junit}");
}

#[test]
fn a_notebook_alone_is_refused_with_what_to_name() {
    let folder = scratch();
    put(folder.path(), "a.ipynb", "print(1)", "1\n");
    let output = nbrevive().arg("check").arg(folder.path().join("a.ipynb")).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(3)
            && told.contains("a.ipynb is a file: name its folder, and the file with --only"),
        "{told}"
    );
}

#[test]
fn install_lines_are_carried_out_or_named() {
    let folder = scratch();
    let lines = "!pip install --quiet ./local\n!pip install pip\nprint(1)";
    put(folder.path(), "a.ipynb", lines, "1\n");
    put(folder.path(), "only.ipynb", "%pip install -e .", "Successfully installed\n");
    let (code, lines) = check(folder.path(), &["--only", "a.ipynb"]);
    assert!(code == Some(0) && lines.contains("install line refused in cell 1: ./local: "), "{lines}");
    let (_, lines) = check(folder.path(), &["--only", "only.ipynb"]);
    assert!(lines.starts_with("ok       only.ipynb: 0 of 0 cells as saved; install line refused"), "{lines}");
}

#[test]
fn the_environment_of_a_repository_is_written_as_a_container() {
    let folder = scratch();
    put(folder.path(), "a.ipynb", "print(1)", "1\n");
    std::fs::write(folder.path().join("apt.txt"), "libgomp1\n").expect("it is written");
    std::fs::write(folder.path().join("README.md"), "First:\n\n    pip install six toolz\n").expect("it is written");
    std::fs::write(folder.path().join("requirements-dev.txt"), "pytest\n").expect("it is written");
    let out = folder.path().join("out");
    let mut command = nbrevive();
    command.args(["environments", "containerfile"]).arg(folder.path()).args(["--date", "2023-01-01"]);
    let assert = command.args(["--base", "localhost/base"]).arg("--out").arg(&out).assert().success();
    let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(told.contains("declares no distribution") && told.contains("README.md:3: `toolz` is said"), "{told}");
    assert!(told.contains("requirements-dev.txt counts for nothing: it is for developers"), "{told}");
    let text = std::fs::read_to_string(out.join("Containerfile")).expect("it is written");
    assert!(text.contains("FROM localhost/base\n") && text.contains("        libgomp1 \\\n"), "{text}");
    let lock = std::fs::read_to_string(out.join("requirements.lock")).expect("it is written");
    assert!(lock.starts_with("# python: 3.") && !lock.contains("toolz"), "{lock}");
}

#[test]
fn what_is_declared_and_cannot_be_had_gives_way_to_an_environment_that_works() {
    let folder = scratch();
    let folder = folder.path();
    // Of June 2019: the newest statsmodels does not import beside the newest scipy.
    put(folder, "a.ipynb", "import statsmodels.api, six\nprint(six.__version__)", "1.12.0\n");
    std::fs::write(folder.join("requirements.txt"), "six==1.12.99\nnbrevive-has-no-such-thing>=1\n")
        .expect("it is written");
    std::fs::write(folder.join("apt.txt"), "libgomp1\n").expect("it is written");
    let mut command = nbrevive();
    command.arg("check").arg(folder).args(["--date", "2019-06-01"]);
    let assert = command.assert().success();
    let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    for words in [
        "requirements.txt:1 asks for six==1.12.99, and there is no such release: six 1.12.0 instead",
        "requirements.txt:2 asks for nbrevive-has-no-such-thing>=1, which the index does not have: left out",
        "no package of the system is installed: libgomp1 (apt.txt:1)",
        "imported and not declared: statsmodels==0.9.0\n",
    ] {
        assert!(told.contains(words), "{told}");
    }
    assert!(told.contains("with Python 3.7."), "{told}");
}

#[test]
fn a_step_back_that_would_cost_more_than_it_mends_is_not_taken() {
    let folder = scratch();
    // Of July 2016, for which Python 3.6 is the nearest: numexpr of that time does not import beside the first numpy with a wheel for it.
    put(folder.path(), "a.ipynb", "import numpy\nprint(numpy.__version__)", "1.11.3\n");
    put(folder.path(), "b.ipynb", "import numexpr", "\n");
    let mut command = nbrevive();
    command.arg("check").arg(folder.path()).args(["--date", "2016-07-09", "--only", "a.ipynb"]);
    let assert = command.assert().success();
    let told = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(told.starts_with("ok       a.ipynb: 1 of 1 cells as saved"), "{told}");
}
