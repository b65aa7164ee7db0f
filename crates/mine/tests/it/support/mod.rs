//! A miner beside a fake Kaggle.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use nbrevive_fakekaggle::{FakeKaggle, FakeServerSettings, WorldSpec};
use nbrevive_mine::Timeouts;
use nbrevive_mine::api::{Api, ApiError, ApiEvent, ApiPlan, ApiSettings, Endpoint, Generation, Harm, Listing};
use nbrevive_mine::budget::{Budget, Clock, Manners, Patience};
use nbrevive_mine::raw::{Belief, RawStore};
use nbrevive_mine::records::{MinedRecord, Slug};
use nbrevive_mine::secret::{Access, Credentials, Secret};

/// A world that is mined in a moment.
pub(crate) fn small() -> FakeServerSettings {
    FakeServerSettings {
        world: WorldSpec { seed: 7, kernels: 60, competitions: 3, users: 20 },
        ..FakeServerSettings::default()
    }
}

/// A running server.
pub(crate) fn start(settings: FakeServerSettings) -> FakeKaggle {
    FakeKaggle::start(settings).expect("a loopback port is free")
}

/// A folder that goes with its owner.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// Settings without long pauses.
pub(crate) fn quick() -> ApiSettings {
    let milliseconds = Duration::from_millis;
    ApiSettings {
        patience: Patience { delay: milliseconds(2), ceiling: milliseconds(20), ..Patience::default() },
        belief: Belief { apart: Duration::ZERO, ..Belief::default() },
        timeouts: Timeouts { connect: milliseconds(2000), silence: milliseconds(400), whole: milliseconds(3000) },
        largest_answer: 2 << 20,
        reuse_since: None,
    }
}

/// The API of a fake Kaggle, as a new process would open it.
pub(crate) fn open(server: &FakeKaggle, generation: Generation, folder: &Path) -> Api {
    open_at(&server.url(), server.credentials(), generation, folder)
}

/// The API at an address.
pub(crate) fn open_at(
    url: &str,
    known: &nbrevive_fakekaggle::FakeCredentials,
    generation: Generation,
    folder: &Path,
) -> Api {
    open_with(url, known, generation, folder, Manners { rate: 300.0, burst: 50, ..Manners::default() })
}

/// The API at an address, with manners.
pub(crate) fn open_with(
    url: &str,
    known: &nbrevive_fakekaggle::FakeCredentials,
    generation: Generation,
    folder: &Path,
    manners: Manners,
) -> Api {
    let (path, access) = match generation {
        Generation::Legacy => {
            ("api/v1", Access::Key { username: known.username.clone(), key: Secret::new(&*known.key) })
        }
        Generation::Modern => ("v1", Access::Token(Secret::new(&*known.token))),
    };
    let endpoint = Endpoint::given(&format!("{url}/{path}"), "the test").expect("loopback is allowed");
    let budget = Budget::open(&folder.join("budget"), manners, Clock::System).expect("the folder can be made");
    let store = Arc::new(RawStore::open(&folder.join("raw")).expect("the folder can be made"));
    Api::online(store, endpoint, &Credentials::given(access), budget, quick()).expect("the client can be made")
}

/// Every competition of a server.
pub(crate) fn plan(server: &FakeKaggle) -> ApiPlan {
    let competitions = server.world().competitions().iter();
    let competitions = competitions.map(|competition| Slug::new(&competition.slug).expect("a slug")).collect();
    ApiPlan { competitions, ..ApiPlan::default() }
}

/// What a run brought.
#[derive(Debug, Default)]
pub(crate) struct Haul {
    /// Records as JSON by what they are about. Entries that only a list told are without their origin: which page an
    /// item stands on is chance.
    pub(crate) records: BTreeMap<String, String>,
    /// Items that could not be had.
    pub(crate) troubles: Vec<String>,
    /// How many of them another run could mend.
    pub(crate) unsure: usize,
    /// The lists.
    pub(crate) listings: Vec<Listing>,
}

/// Runs once.
pub(crate) fn mine(api: &Api, plan: &ApiPlan) -> Result<Haul, ApiError> {
    let mut haul = Haul::default();
    api.mine(plan, &mut |event| {
        match event {
            ApiEvent::Record(record) => haul.add(&record),
            ApiEvent::Trouble(trouble) => {
                haul.unsure += usize::from(trouble.error.is_unsure() || trouble.error.harm() != Harm::Item);
                haul.troubles.push(format!("{}: {}", trouble.item, trouble.error));
            }
            ApiEvent::Listed(listing) => haul.listings.push(listing),
            ApiEvent::Progress(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    haul.troubles.sort();
    Ok(haul)
}

impl Haul {
    fn add(&mut self, record: &MinedRecord) {
        let mut value = serde_json::to_value(record).expect("records are JSON");
        let key = match record {
            MinedRecord::Competition(competition) => format!("competition {}", competition.slug),
            MinedRecord::Leaderboard(row) => format!("row {} {:?} {}", row.competition, row.rank, row.team),
            MinedRecord::Version(version) => format!("version {}", version.natural_key()),
            MinedRecord::Repository(repository) => format!("repository {}", repository.name.as_str()),
            MinedRecord::Hosted(hosted) => format!("hosted {}", hosted.asked),
            MinedRecord::Notebook(notebook) => {
                if notebook.origin.request.contains("ist") && !notebook.origin.request.contains("pull") {
                    value["origin"] = serde_json::Value::Null;
                }
                format!("notebook {}", notebook.key)
            }
        };
        let text = value.to_string();
        if let Some(before) = self.records.insert(key.clone(), text.clone()) {
            assert_eq!(before, text, "{key} was told twice, and differently");
        }
    }
}

/// Runs a test of this binary in a process of its own, kills it at so many moments, and says how often it was still running then.
pub(crate) fn killed_in_rounds(rounds: u64, test: &str, variables: &[(&str, &std::ffi::OsStr)]) -> usize {
    (0..rounds)
        .filter(|round| {
            let mut child = Command::new(std::env::current_exe().expect("the binary has a path"))
                .args(["--exact", test])
                .envs(variables.iter().copied())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            std::thread::sleep(Duration::from_millis(20 + (round * 53) % 130));
            let is_running = child.try_wait().expect("it is ours").is_none();
            let _ = child.kill();
            child.wait().expect("it ends");
            is_running
        })
        .count()
}
