//! Environments listed and pruned, those in use left alone.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

use nbrevive_environment::{
    BuildSettings, Builder, Environment, Home, Interpreters, PruneSettings, Spec, environments,
};

use crate::{build, lock_for, new_home, newest};

const HOUR: Duration = Duration::from_secs(3600);

fn aged(environment: &Environment, age: Duration) {
    let manifest = fs::File::open(environment.path.join("nbrevive-environment.json")).unwrap();
    manifest.set_modified(SystemTime::now() - age).unwrap();
}

fn ids(home: &Home) -> Vec<String> {
    environments(home).unwrap().into_iter().map(|info| info.id).collect()
}

#[test]
fn environments_are_pruned_by_age_and_size_but_never_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let interpreters = Interpreters::installed_only(&home);
    let lock = |line: &str| lock_for(newest(&interpreters), line);
    let make = |line: &str| build(&home, &interpreters, &lock(line), BuildSettings::default()).unwrap();
    let (old, leased, new) = (make("six==1.17.0\n"), make("six==1.16.0\n"), make("six==1.15.0\n"));
    let builder = Builder::new(&home, &interpreters, BuildSettings::default());
    let lease = builder.lease(Spec::Lock(&lock("six==1.16.0\n"))).unwrap();
    assert_eq!(lease.0, leased);
    aged(&old, 3 * HOUR);
    aged(&leased, 2 * HOUR);
    fs::create_dir_all(home.environments().join("halfbuilt/lib")).unwrap();
    let listed = environments(&home).unwrap();
    assert_eq!(listed.iter().map(|info| info.id.as_str()).collect::<Vec<_>>(), [&new.id, &leased.id, &old.id]);
    assert!(listed.iter().all(|info| info.bytes > 30_000 && info.distributions == 1), "{listed:?}");
    assert_eq!(listed[0].python, new.interpreter.version);

    assert_eq!(Builder::prune(&home, &PruneSettings::default()).unwrap().incomplete, 1, "by default only this");
    let by_age = PruneSettings { max_age: Some(HOUR), ..PruneSettings::default() };
    let report = Builder::prune(&home, &by_age).unwrap();
    assert_eq!((report.removed, report.in_use), (vec![old.id.clone()], vec![leased.id.clone()]));
    assert!(report.freed_bytes > 0 && !old.path.exists());
    drop(lease);
    let by_size = PruneSettings { max_bytes: Some(0), keep: BTreeSet::from([new.id.clone()]), ..by_age };
    let report = Builder::prune(&home, &by_size).unwrap();
    assert_eq!((report.removed, report.in_use.len()), (vec![leased.id], 0));
    assert_eq!(ids(&home), [new.id.as_str()]);
    let left: Vec<_> = fs::read_dir(home.environments()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "the folder and its lock: {left:?}");
    // Pruned is not gone for ever.
    assert_eq!(make("six==1.17.0\n").id, old.id);
}

#[test]
fn what_is_compiled_is_shared_too() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let interpreters = Interpreters::installed_only(&home);
    let compiled = |line: &str| {
        let lock = lock_for(newest(&interpreters), line);
        let environment = build(&home, &interpreters, &lock, BuildSettings::default()).unwrap();
        let files = fs::read_dir(environment.site_packages.join("__pycache__")).unwrap();
        let names =
            files.map(|file| file.unwrap()).filter(|file| file.file_name().to_string_lossy().starts_with("six."));
        names.map(|file| file.metadata().unwrap().ino()).collect::<Vec<_>>()
    };
    let (first, second) = (compiled("six==1.17.0\n"), compiled("six==1.17.0\ndecorator==5.1.1\n"));
    assert_eq!((first.len(), &first), (1, &second), "one compiled file for both");
}

#[test]
fn old_failures_are_pruned_and_asking_again_counts_as_use() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let interpreters = Interpreters::installed_only(&home);
    let lock = lock_for(newest(&interpreters), "six==1.17.0\n");
    let environment = build(&home, &interpreters, &lock, BuildSettings::default()).unwrap();
    aged(&environment, 3 * HOUR);
    build(&home, &interpreters, &lock, BuildSettings::default()).unwrap();
    let failure = home.environments().join("x.failed.json");
    fs::write(&failure, "{}").unwrap();
    fs::File::options().write(true).open(&failure).unwrap().set_modified(SystemTime::now() - 3 * HOUR).unwrap();
    let report = Builder::prune(&home, &PruneSettings { max_age: Some(HOUR), ..PruneSettings::default() }).unwrap();
    assert_eq!((report.failures, report.removed.len()), (1, 0));
    assert!(!failure.exists() && environment.path.exists());
}
