//! A study beside a fake Kaggle, and the program run on it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nbrevive_fakekaggle::{Bundled, FakeKaggle, FakeServerSettings, FakeWorld, WorldSpec};
use nbrevive_mine::raw::{JournalEntry, RawStore};
use nbrevive_store::Store;

use crate::support::{nbrevive, repository, scratch};

/// Competitions of the small world that the study mines.
pub(crate) const COMPETITIONS: &str = "[\"iris-species\", \"wine-cultivars\"]";
/// Manners that do not make a test wait.
pub(crate) const FAST: &str = "[mine.manners]\nrequests_per_second = 400.0\nburst = 50\nretry_seconds = 0.002\n\
                               longest_retry_seconds = 0.02\nsilence_seconds = 0.4\nbelief_seconds = 0.0\n";

/// A folder with a study, a store and a home, beside a server.
pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: FakeKaggle,
}

/// A world that is mined in a moment, two of whose competitions the study has.
pub(crate) fn small() -> FakeServerSettings {
    FakeServerSettings {
        world: WorldSpec { seed: 5, kernels: 24, competitions: 2, users: 12 },
        ..FakeServerSettings::default()
    }
}

impl Bench {
    /// A study that mines the API with these settings.
    pub(crate) fn new(settings: FakeServerSettings, mine: &str) -> Self {
        Self::with_world(settings, FakeWorld::new(settings.world), mine)
    }

    /// The same with this repository's notebooks in the world.
    pub(crate) fn with_notebooks(settings: FakeServerSettings, mine: &str) -> Self {
        let study = repository().join("study");
        let real = Bundled::read(&study.join("notebooks"), &study.join("targets.toml")).expect("the corpus is there");
        Self::with_world(settings, FakeWorld::new(settings.world).with_notebooks(&real), mine)
    }

    fn with_world(settings: FakeServerSettings, world: FakeWorld, mine: &str) -> Self {
        let server = FakeKaggle::start_with(settings, world).expect("a loopback port is free");
        let bench = Self { folder: scratch(), server };
        bench.write_study(mine);
        bench
    }

    /// Writes the study's file; what follows the section's head is given.
    pub(crate) fn write_study(&self, mine: &str) {
        let study = repository().join("study");
        let text = format!(
            "name = \"test\"\ntitle = \"Test\"\ncompetitions = {:?}\nnotebooks = \"corpus\"\ntargets = \"corpus/targets.toml\"\n\
             environments = {:?}\nbaseline = \"contemporary\"\nlimits.disk_mib = 256\n[mine]\ncompetitions = {COMPETITIONS}\n{mine}\n",
            study.join("competitions"),
            study.join("environments"),
        );
        std::fs::write(self.path("study.toml"), text).expect("the folder can be written");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the program finds around it: no credentials but the server's, and a home of its own.
    fn surroundings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("HOME", self.path("home").display().to_string()),
            ("NBREVIVE_HOME", self.path("cache").display().to_string()),
            ("KAGGLE_API_ENDPOINT", format!("{}/v1", self.server.url())),
            ("KAGGLE_API_TOKEN", self.server.credentials().token.clone()),
        ]
    }

    /// The program with a subcommand on a store of this study.
    pub(crate) fn command(&self, arguments: &[&str], store: &str) -> assert_cmd::Command {
        let mut command = nbrevive();
        command.args(arguments).arg("--study").arg(self.path("study.toml")).arg("--store").arg(self.path(store));
        for name in ["KAGGLE_USERNAME", "KAGGLE_KEY", "KAGGLE_CONFIG_DIR", "XDG_CONFIG_HOME", "KAGGLE_API_V1_TOKEN"] {
            command.env_remove(name);
        }
        command.envs(self.surroundings());
        command
    }

    /// Mines into a store that is named by its folder.
    pub(crate) fn mine(&self, store: &str) -> assert_cmd::assert::Assert {
        self.command(&["mine"], store).assert()
    }

    /// Starts the program, to be killed.
    pub(crate) fn spawn(&self, arguments: &[&str], store: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_nbrevive"))
            .args(arguments)
            .arg("--study")
            .arg(self.path("study.toml"))
            .arg("--store")
            .arg(self.path(store))
            .envs(self.surroundings())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    }

    /// Mines until a run brings everything.
    pub(crate) fn persist(&self, store: &str) -> usize {
        let mut codes = Vec::new();
        for run in 1..=12 {
            let output = self.command(&["mine"], store).output().expect("the program runs");
            if output.status.success() {
                return run;
            }
            codes.push((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        panic!("twelve runs did not bring everything; the last: {:?}", codes.last());
    }

    /// Everything that the store holds of what was mined, and that chance does not decide.
    pub(crate) fn rows(&self, store: &str) -> Vec<String> {
        let store = Store::open_read_only(&self.path(store)).expect("the store can be read");
        nbrevive_store::mined::fingerprint(&store).expect("its rows can be read")
    }

    /// Fails when a secret of the server stands in a file of the store or in a raw body.
    pub(crate) fn assert_no_secret(&self, store: &str) {
        let held = self.server.credentials();
        let secrets = [held.key.as_bytes(), held.token.as_bytes(), held.session.as_bytes()];
        let holds = |bytes: &[u8]| secrets.iter().any(|secret| bytes.windows(secret.len()).any(|part| part == *secret));
        let mut files = 0;
        let mut folders = vec![self.path(store)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the store can be listed") {
                let path = entry.expect("the store can be listed").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                files += 1;
                assert!(!holds(&std::fs::read(&path).expect("a file can be read")), "{}", path.display());
            }
        }
        let raw = raw(&self.path(store));
        for entry in raw.journal().expect("the journal can be read") {
            if let JournalEntry::Exchange(exchange) = entry
                && let Some(body) = exchange.body
            {
                assert!(!raw.read(&body).is_ok_and(|bytes| holds(&bytes)), "{}", exchange.key);
            }
        }
        assert!(files > 20, "{files}");
    }
}

/// The raw answers of a store.
pub(crate) fn raw(store: &Path) -> RawStore {
    RawStore::open(&store.join("mine/raw")).expect("the raw answers can be read")
}
