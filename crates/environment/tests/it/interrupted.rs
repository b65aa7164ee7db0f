//! Builders that are killed, homes that may not be written, disks that are full: nothing half built is trusted.
//!
//! Each needs a process of its own: this test program, started again with the test that plays the part.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nbrevive_environment::build::PinnedSet;
use nbrevive_environment::index::IndexAddress;
use nbrevive_environment::{BuildError, BuildSettings, Builder, Environment, FailureClass, Home, Interpreters, Spec};

use crate::loopback::{Shop, pin};
use crate::{new_home, newest};

const HOME: &str = "NBREVIVE_TEST_HOME";
const INDEX: &str = "NBREVIVE_TEST_INDEX";
const EXPECTED: &str = "NBREVIVE_TEST_EXPECTED";

/// Builds one distribution in the home and from the index that the variables name.
fn build(home: &Home, index: &str) -> Result<Environment, BuildError> {
    let interpreters = Interpreters::installed_only(home);
    let settings = BuildSettings { index: Some(IndexAddress::given(index)), ..BuildSettings::default() };
    let distributions = vec![pin("nbslow", "1.0", None)];
    let set = PinnedSet { interpreter: newest(&interpreters).clone(), distributions, build: Vec::new() };
    Builder::new(home, &interpreters, settings).build(Spec::Pinned(&set))
}

/// The part of another process; does nothing unless started by one of the tests below.
#[test]
fn another_process() {
    let (Ok(home), Ok(index)) = (std::env::var(HOME), std::env::var(INDEX)) else { return };
    let outcome = match build(&Home::at(home), &index) {
        Ok(_) => "built".to_owned(),
        Err(BuildError::Failed(failed)) => failed.class.to_string(),
        Err(BuildError::Home(error)) if error.source.kind() == ErrorKind::ReadOnlyFilesystem => "read-only".to_owned(),
        Err(other) => format!("{other:?}"),
    };
    assert_eq!(outcome, std::env::var(EXPECTED).unwrap_or_default());
}

/// This test program, to play the other process.
fn other(home: &Path, index: &str, expected: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "interrupted::another_process"]).env(HOME, home).env(INDEX, index).env(EXPECTED, expected);
    command
}

#[test]
fn nothing_of_a_killed_builder_is_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let shop = Shop::default().wheel("nbslow", "1.0", "x = 1\n").slow(Duration::from_millis(1500)).open();
    let mut builder =
        other(home.root(), &shop.simple(), "built").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    // Killed while uv waits for the file: the folder is there, the manifest is not.
    let begun = || {
        let entries = fs::read_dir(home.environments()).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().join("nbrevive-requirements.txt").exists())
    };
    while !begun() {
        assert!(started.elapsed() < Duration::from_secs(600), "the other process never began");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    builder.kill().unwrap();
    builder.wait().unwrap();
    let environment = build(&home, &shop.simple()).unwrap();
    assert_eq!(environment.lock, ["nbslow==1.0"]);
    assert_eq!(fs::read_to_string(environment.site_packages.join("nbslow.py")).unwrap(), "x = 1\n");
}

/// Runs a script, which has to succeed, as root of a namespace of its own; where that is not allowed, prints so.
fn in_namespace(script: &str, command: &Command) {
    let allowed = Command::new("unshare").args(["-rm", "sh", "-c", "mount -t tmpfs none /mnt"]).output();
    if !allowed.as_ref().is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "skipped: mounting in a namespace is not allowed here ({allowed:?})");
        return;
    }
    let mut inside = Command::new("unshare");
    inside.args(["-rm", "sh", "-c", script, "sh"]).arg(command.get_program()).args(command.get_args());
    inside.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = inside.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn a_full_disk_is_a_class_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let large: String = (0..200_000).map(|line| format!("x{line} = {line}\n")).collect();
    let shop = Shop::default().wheel("nbslow", "1.0", &large).open();
    let environments = home.environments();
    fs::create_dir_all(&environments).unwrap();
    let script = format!("mount -t tmpfs -o size=1m none '{}' && exec \"$@\"", environments.display());
    let command = other(home.root(), &shop.simple(), FailureClass::DiskFull.as_str());
    in_namespace(&script, &command);
}

#[test]
fn a_home_that_may_not_be_written_serves_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let shop = Shop::default().wheel("nbslow", "1.0", "").open();
    let root = home.root().display();
    let script = format!("mount --bind '{root}' '{root}' && mount -o remount,ro,bind '{root}' && exec \"$@\"");
    in_namespace(&script, &other(home.root(), &shop.simple(), "read-only"));
    build(&home, &shop.simple()).unwrap();
    in_namespace(&script, &other(home.root(), &shop.simple(), "built"));
}
