//! A study of few quick notebooks, its runs, and what they leave.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use nbrevive_store::compare::differences;
use nbrevive_store::{Store, outcomes};
use tempfile::TempDir;

use crate::support::{nbrevive, repository, scratch};

/// Which of the golden notebooks run, and how many those are.
pub(crate) type Only = (&'static str, usize);

/// wrong-columns, wrong-ids, wrong-rows.
pub(crate) const THREE: Only = ("wrong-", 3);
/// wrong-ids.
pub(crate) const ONE: Only = ("wrong-ids", 1);

/// A study with its own folder for everything that its runs make.
pub(crate) struct Study {
    folder: TempDir,
    file: PathBuf,
    only: Only,
}

impl Study {
    /// The golden study with more settings, its data prepared.
    pub(crate) fn new(only: Only, settings: &str) -> Self {
        let folder = scratch();
        let golden = repository().join("study");
        let text = format!(
            "name = \"chaos\"\ntitle = \"Chaos\"\ncompetitions = \"{0}/competitions\"\nnotebooks = \"{0}/golden/notebooks\"\n\
             targets = \"{0}/golden/targets.toml\"\nenvironments = \"{0}/environments\"\nbaseline = \"contemporary\"\n\
             conditions = [\"baseline\"]\n[limits]\nseconds = 60.0\nmemory_mib = 1024\ncores = 2\nprocesses = 256\n\
             disk_mib = 256\n{settings}",
            golden.display()
        );
        let file = folder.path().join("study.toml");
        std::fs::write(&file, text).expect("the study can be written");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        nbrevive().args(["study", "prepare"]).arg(&file).assert().success();
        Study { folder, file, only }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The arguments of a run into a store.
    pub(crate) fn arguments(&self, store: &Path) -> Vec<String> {
        let texts =
            ["study", "run", &self.file.to_string_lossy(), "--store", &store.to_string_lossy(), "--only", self.only.0];
        texts.map(str::to_owned).into()
    }

    /// A run into a store, with its temporary folders in this study's own.
    pub(crate) fn run(&self, store: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nbrevive"));
        command.args(self.arguments(store)).env("TMPDIR", self.path("tmp"));
        command
    }

    /// A run that nobody disturbs; the folder of its rows.
    pub(crate) fn undisturbed(&self) -> PathBuf {
        let store = self.path("undisturbed");
        let output = self.run(&store).output().expect("the program starts");
        assert!(output.status.success(), "{}", said(&output));
        store.join("data")
    }

    /// The store has every outcome, the same rows as the undisturbed run, and nothing lies about.
    pub(crate) fn assert_whole(&self, store: &Path, undisturbed: &Path) {
        assert_eq!(outcomes_in(store), self.only.1);
        assert_eq!(differences(&store.join("data"), undisturbed).expect("the rows can be read"), Vec::<String>::new());
        assert_eq!(files(&self.path("tmp")), Vec::<String>::new(), "folders of killed runs are left");
        let partial: Vec<String> =
            files(&store.join("executed")).into_iter().filter(|name| name.ends_with(".partial")).collect();
        assert_eq!(partial, Vec::<String>::new());
    }
}

/// How many outcomes a store has.
pub(crate) fn outcomes_in(store: &Path) -> usize {
    outcomes::all(&Store::open_read_only(store).expect("the store can be read")).expect("it has outcomes").len()
}

pub(crate) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect()
}
