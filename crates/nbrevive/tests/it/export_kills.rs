//! `nbrevive export`, killed at any moment: the folder holds the old dataset or the new one, whole, and the next export leaves nothing
//! else behind.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{nbrevive, repository, scratch};
use tempfile::TempDir;

/// Versions of the study that is exported: enough for a second, so that a kill can meet any part of it.
const MANY: &str = "1200";
const FEW: &str = "20";
/// Kills at random moments, over each kind of folder.
const KILLS: u64 = 5;

/// Numbers without a pattern, the same in every run (Knuth's MMIX generator).
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A large store, and the datasets of it and of a small one.
struct Fixture {
    folder: TempDir,
    /// How long an export of the large store takes that nobody disturbs.
    duration: Duration,
}

impl Fixture {
    fn new() -> Self {
        let folder = scratch();
        let published = repository().join("study/mle-modernizer/published");
        for (name, versions) in [("old", FEW), ("new", MANY)] {
            let mut made = nbrevive();
            made.args(["synthetic", "--versions", versions, "--published"]).arg(&published).arg("--store");
            made.arg(folder.path().join(format!("{name}-store"))).assert().success();
        }
        let export = |name: &str| {
            let mut export = nbrevive();
            export.arg("export").arg("--store").arg(folder.path().join(format!("{name}-store")));
            export.arg("--out").arg(folder.path().join(name)).assert().success();
        };
        export("old");
        let start = Instant::now();
        export("new");
        Fixture { duration: start.elapsed(), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn manifest(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name).join("manifest.json")).expect("the dataset has a manifest")
    }

    /// An export of the large store to `place`.
    fn export(&self, place: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nbrevive"));
        command.arg("export").arg("--store").arg(self.path("new-store")).arg("--out").arg(place);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Puts the old dataset at `place`, or nothing.
    fn begin_with(&self, is_old: bool, place: &Path) {
        if place.exists() {
            std::fs::remove_dir_all(place).expect("it can be removed");
        }
        if is_old {
            std::fs::create_dir(place).expect("a folder can be made");
            for file in names(&self.path("old")) {
                std::fs::copy(self.path("old").join(&file), place.join(&file)).expect("it can be copied");
            }
        }
    }

    /// `place` is as it was, or holds the new dataset; whole in either case.
    fn assert_old_or_new(&self, was_old: bool, place: &Path, moment: &str) {
        if !was_old && !place.exists() {
            return;
        }
        nbrevive().args(["data", "verify"]).arg(place).assert().success();
        let manifest = std::fs::read(place.join("manifest.json")).expect("a verified dataset has a manifest");
        let is_old = was_old && manifest == self.manifest("old");
        assert!(is_old || manifest == self.manifest("new"), "after a kill {moment} there is some other dataset");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect()
}

/// Waits until the folder in which `export` writes has a file of this name; false when the export ended before.
fn wait_for(export: &mut Child, parent: &Path, file: &str) -> bool {
    let staging = parent.join(format!(".data.{}.partial", export.id()));
    while export.try_wait().expect("it can be asked").is_none() {
        if staging.join(file).exists() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// Kills the export; true when it was not done before.
fn kill(mut export: Child) -> bool {
    // One that has ended cannot be killed, which is no error of this test.
    let _ = export.kill();
    export.wait().expect("it can be waited for").signal() == Some(9)
}

#[test]
fn a_killed_export_leaves_the_old_dataset_or_the_new_one_and_the_next_one_cleans_up() {
    let fixture = Fixture::new();
    let mut drawn = Drawn(11);
    for is_old in [true, false] {
        let parent = fixture.path(if is_old { "over-old" } else { "over-none" });
        std::fs::create_dir(&parent).expect("a folder can be made");
        let place = parent.join("data");
        let mut killed = 0;
        for _ in 0..KILLS {
            fixture.begin_with(is_old, &place);
            let delay = fixture.duration.mul_f64(drawn.below(1100) as f64 / 1000.0);
            let export = fixture.export(&place).spawn().expect("the program starts");
            std::thread::sleep(delay);
            killed += u32::from(kill(export));
            fixture.assert_old_or_new(is_old, &place, &format!("after {delay:?}"));
        }
        // The first table, the last one, and what is written just before the folders are exchanged.
        for file in ["study.parquet", "manifest.json", "README.md"] {
            fixture.begin_with(is_old, &place);
            let mut export = fixture.export(&place).spawn().expect("the program starts");
            wait_for(&mut export, &parent, file);
            killed += u32::from(kill(export));
            fixture.assert_old_or_new(is_old, &place, &format!("when {file} was there"));
        }
        assert!(killed > 0, "every export was done before it could be killed");
        assert!(fixture.export(&place).status().expect("the program starts").success());
        assert_eq!(names(&parent), ["data"], "a killed export left its folder");
        fixture.assert_old_or_new(false, &place, "and another export");
        assert!(place.exists());
    }
}
