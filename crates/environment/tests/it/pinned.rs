//! Pinned sets: installed as they are, compared, and told apart when they cannot be had.

use std::os::unix::fs::MetadataExt;

use nbrevive_environment::build::{BuildFailed, PinnedSet};
use nbrevive_environment::{
    BuildError, BuildSettings, Builder, Environment, FailureClass, Home, Interpreters, Pinned, Spec,
};
use nbrevive_notebook::PythonVersion;

use crate::loopback::{Shop, pin, source_pin, wheel};
use crate::{new_home, newest};

/// A home with its interpreters.
struct Place {
    _folder: tempfile::TempDir,
    home: Home,
    interpreters: Interpreters,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = new_home(folder.path());
        let interpreters = Interpreters::installed_only(&home);
        Self { _folder: folder, home, interpreters }
    }

    fn set(&self, distributions: Vec<Pinned>) -> PinnedSet {
        PinnedSet { interpreter: newest(&self.interpreters).clone(), distributions, build: Vec::new() }
    }

    fn build(&self, set: &PinnedSet, settings: BuildSettings) -> Result<Environment, BuildError> {
        Builder::new(&self.home, &self.interpreters, settings).build(Spec::Pinned(set))
    }

    fn failed(&self, set: &PinnedSet, settings: BuildSettings) -> BuildFailed {
        match self.build(set, settings) {
            Err(BuildError::Failed(failed)) => failed,
            other => panic!("expected a failed build, got {other:?}"),
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    let output = std::process::Command::new("sha256sum").arg(&path).output().unwrap();
    String::from_utf8(output.stdout).unwrap()[..64].to_owned()
}

#[test]
fn a_set_is_installed_as_it_is_and_checked_by_digest() {
    let place = Place::new();
    let shop = Shop::default().wheel("nbaone", "1.0", "x = 1\n").wheel("nbaone", "2.0", "x = 2\n").open();
    let right = digest(&wheel("nbaone", "1.0", "x = 1\n"));
    let environment = place.build(&place.set(vec![pin("nbaone", "1.0", Some(&right))]), shop.settings()).unwrap();
    assert_eq!((environment.lock.as_slice(), environment.tool.as_str()), (["nbaone==1.0".to_owned()].as_slice(), "uv"));
    assert_eq!(environment.why, "uv knows the interpreter");
    assert_eq!(environment.requested, [format!("nbaone==1.0 --hash=sha256:{right}")]);
    let wrong = "0".repeat(64);
    let failed = place.failed(&place.set(vec![pin("nbaone", "1.0", Some(&wrong))]), shop.settings());
    assert_eq!(
        (failed.class, failed.distributions.join(" ")),
        (FailureClass::LockMismatch, "nbaone".into()),
        "{failed}"
    );
    let unchecked = place.build(&place.set(vec![pin("nbaone", "2.0", None)]), shop.settings()).unwrap();
    assert!(unchecked.why.contains("digests not checked"), "{}", unchecked.why);
}

#[test]
fn what_is_asked_for_again_is_compiled_unless_it_is_in_use() {
    let place = Place::new();
    let shop = Shop::default().wheel("nbaone", "1.0", "x = 1\n").open();
    let set = place.set(vec![pin("nbaone", "1.0", None)]);
    let builder = Builder::new(&place.home, &place.interpreters, shop.settings());
    let (environment, lease) = builder.lease(Spec::Pinned(&set)).unwrap();
    let is_compiled = || environment.site_packages.join("__pycache__").is_dir();
    assert!(!is_compiled());
    assert_eq!(builder.build(Spec::Pinned(&set)).unwrap(), environment);
    assert!(!is_compiled(), "somebody may be reading");
    drop(lease);
    assert_eq!(builder.build(Spec::Pinned(&set)).unwrap(), environment);
    assert!(is_compiled());
}

#[test]
fn what_was_built_ahead_is_first_used_when_it_is_asked_for_again() {
    let place = Place::new();
    let shop = Shop::default().wheel("nbaone", "1.0", "x = 1\n").open();
    let set = place.set(vec![pin("nbaone", "1.0", None)]);
    let builder = Builder::new(&place.home, &place.interpreters, shop.settings());
    let ahead = builder.build(Spec::Pinned(&set)).unwrap();
    builder.built_ahead(&ahead.id);
    let is_compiled = || ahead.site_packages.join("__pycache__").is_dir();
    for compiled in [false, true] {
        assert_eq!(builder.build(Spec::Pinned(&set)).unwrap(), ahead);
        assert_eq!(is_compiled(), compiled);
    }
    // What is compiled already stays so.
    builder.built_ahead(&ahead.id);
    assert_eq!(builder.build(Spec::Pinned(&set)).unwrap(), ahead);
    assert!(is_compiled());
}

#[test]
fn what_is_not_there_is_classed_and_named() {
    let place = Place::new();
    let shop = Shop::default().wheel("nbatwo", "1.0", "").open();
    let failed = place.failed(&place.set(vec![pin("nbatwo", "3.0", None)]), shop.settings());
    assert_eq!((failed.class, failed.distributions.join(" ")), (FailureClass::NoMatchingVersion, "nbatwo".into()));
    assert!(failed.class.may_try_next_strategy());
    let failed = place.failed(&place.set(vec![pin("nbanone", "3.0", None)]), shop.settings());
    assert_eq!((failed.class, failed.distributions.join(" ")), (FailureClass::NoDistribution, "nbanone".into()));
}

#[test]
fn an_index_out_of_reach_is_tried_again_and_not_remembered() {
    let place = Place::new();
    let set = place.set(vec![pin("nbathree", "1.0", None)]);
    // More refusals than uv bears in one run, so that the policy has to help.
    let shop = Shop::default().wheel("nbathree", "1.0", "").refusing(6).open();
    let mut once = shop.settings();
    once.retry.attempts = 1;
    assert_eq!(place.failed(&set, once).class, FailureClass::IndexUnreachable);
    let shop = Shop::default().wheel("nbathree", "1.0", "").refusing(6).open();
    assert_eq!(place.build(&set, shop.settings()).unwrap().lock, ["nbathree==1.0"]);
}

#[test]
fn a_source_archive_that_does_not_build_is_named_with_its_last_words() {
    let place = Place::new();
    let shop =
        Shop::default().wheel("nbafour", "1.0", "").source("nbabad", "1.0", "raise SystemExit('no compiler')").open();
    let set = place.set(vec![pin("nbafour", "1.0", None), source_pin("nbabad", "1.0")]);
    let failed = place.failed(&set, shop.settings());
    assert_eq!(failed.class, FailureClass::NoWheelAndBuildFailed, "{failed}");
    assert_eq!(failed.distributions, ["nbabad"], "{failed}");
    assert!(failed.tail.contains("no compiler"), "{failed}");
}

#[test]
fn a_source_archive_finds_what_is_installed_where_isolation_fails_it() {
    let place = Place::new();
    let shop = Shop::default().wheel("nbafive", "1.0", "").source("nbaneeds", "1.0", "import nbafive").open();
    let set = place.set(vec![source_pin("nbaneeds", "1.0"), pin("nbafive", "1.0", None)]);
    let environment = place.build(&set, shop.settings()).unwrap();
    assert_eq!(environment.lock, ["nbafive==1.0", "nbaneeds==1.0"], "and the era's pip has gone again");
    assert!(environment.why.contains("wheels first"), "{}", environment.why);
}

#[test]
fn python_2_environments_are_compared_too_and_share_what_is_large() {
    let place = Place::new();
    let minor = PythonVersion::new(2, 7);
    let Some(interpreter) = place.interpreters.all().iter().find(|found| found.minor() == minor) else { return };
    let large = format!("text = '{}'\n", "x".repeat(20_000));
    let shop = Shop::default().wheel("nbasix", "1.0", &large).wheel("nbaseven", "1.0", "").open();
    let of = |distributions| PinnedSet { interpreter: interpreter.clone(), distributions, build: Vec::new() };
    let first = place.build(&of(vec![pin("nbasix", "1.0", None)]), shop.settings()).unwrap();
    let both = of(vec![pin("nbasix", "1.0", None), pin("nbaseven", "1.0", None)]);
    let second = place.build(&both, shop.settings()).unwrap();
    assert_eq!(second.tool, "pip");
    assert_eq!((second.version_of("nbasix"), second.version_of("nbaseven")), (Some("1.0"), Some("1.0")));
    let inode = |environment: &Environment| environment.site_packages.join("nbasix.py").metadata().unwrap().ino();
    assert_eq!(inode(&first), inode(&second), "one file, two environments");
}
