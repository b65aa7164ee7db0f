//! A miner beside a fake GitHub.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use nbrevive_fakegithub::{FakeGitHub, HubLimits, HubWorld};
use nbrevive_mine::Timeouts;
use nbrevive_mine::archive::{ArchiveLimits, each_file};
use nbrevive_mine::budget::{Budget, Clock, Manners, Patience};
use nbrevive_mine::github::{
    Hub, HubAddress, HubEndpoint, HubError, HubEvent, HubPlan, HubSearch, HubSettings, HubSummary, HubTier, HubToken,
    ListedHub, TierFound,
};
use nbrevive_mine::raw::RawStore;
use nbrevive_mine::records::{HostedRecord, MinedRecord, RepositoryRecord};
use nbrevive_mine::secret::Secret;

/// Settings without long pauses, and small enough for a test.
pub(crate) fn quick() -> HubSettings {
    let milliseconds = Duration::from_millis;
    HubSettings {
        patience: Patience { delay: milliseconds(2), ceiling: milliseconds(20), ..Patience::default() },
        timeouts: Timeouts {
            connect: milliseconds(10_000),
            silence: milliseconds(20_000),
            whole: milliseconds(60_000),
        },
        search_rate: f64::INFINITY,
        largest_unpacked: 4 << 20,
        limits: ArchiveLimits { largest_data: 20 << 10, ..ArchiveLimits::default() },
        ..HubSettings::default()
    }
}

pub(crate) fn open_with(url: &str, token: &str, folder: &Path, clock: Clock, settings: HubSettings) -> Hub {
    let endpoint = HubEndpoint::given(url, "the test").expect("loopback is allowed");
    let manners = Manners { rate: f64::INFINITY, longest_wait: Duration::from_secs(4000), ..Manners::default() };
    let budget = Budget::open(&folder.join("budget"), manners, clock).expect("the folder can be made");
    let store = Arc::new(RawStore::open(&folder.join("raw")).expect("the folder can be made"));
    Hub::online(store, endpoint, &HubToken::given(Secret::new(token)), budget, settings).expect("it can be made")
}

pub(crate) fn open(server: &FakeGitHub, folder: &Path) -> Hub {
    open_with(&server.url(), server.token(), folder, Clock::System, quick())
}

pub(crate) fn start(count: u64) -> FakeGitHub {
    FakeGitHub::start(HubWorld::drawn(7, count), HubLimits::none()).expect("a loopback port is free")
}

pub(crate) fn listed(name: &str, line: u64) -> ListedHub {
    let address = HubAddress::read(name).expect("it is one");
    ListedHub { address, articles: vec![format!("PMC{line}")], lines: vec![line] }
}

/// Every repository of a world by the name that it had at first.
pub(crate) fn plan(server: &FakeGitHub) -> HubPlan {
    let names = server.world().repositories().iter().map(|one| one.former.clone().unwrap_or_else(|| one.full_name()));
    HubPlan { listed: names.zip(2..).map(|(name, line)| listed(&name, line)).collect(), ..HubPlan::default() }
}

/// What a run brought.
#[derive(Debug, Default)]
pub(crate) struct Haul {
    pub(crate) hosted: BTreeMap<String, HostedRecord>,
    pub(crate) repositories: BTreeMap<String, RepositoryRecord>,
    pub(crate) tiers: Vec<TierFound>,
    pub(crate) left_out: BTreeMap<String, Vec<String>>,
    pub(crate) summary: HubSummary,
}

impl Haul {
    /// Everything as text, a line a record: two hauls are the same where it is.
    pub(crate) fn told(&self) -> Vec<String> {
        let json = |value: &dyn erased::Json| value.json();
        let rows = self.hosted.values().map(|row| json(row)).chain(self.repositories.values().map(|row| json(row)));
        rows.collect()
    }
}

/// Records as JSON.
mod erased {
    pub(super) trait Json {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).expect("records are JSON")
        }
    }
}

pub(crate) fn mine(hub: &Hub, plan: &HubPlan) -> Result<Haul, HubError> {
    let mut haul = Haul::default();
    let summary = hub.mine(plan, &mut |event| {
        match event {
            HubEvent::Record(MinedRecord::Hosted(hosted)) => {
                let before = haul.hosted.insert(hosted.asked.clone(), *hosted);
                assert!(before.is_none(), "{before:?} was told twice");
            }
            HubEvent::Record(MinedRecord::Repository(repository)) => {
                haul.repositories.insert(repository.name.as_str().to_owned(), repository);
            }
            HubEvent::Record(other) => panic!("nobody asked for {other:?}"),
            HubEvent::Searched(found) => haul.tiers.push(found),
            HubEvent::LeftOut { repository, files } => {
                haul.left_out.insert(repository, files.iter().map(ToString::to_string).collect());
            }
            HubEvent::Trouble { .. } | HubEvent::Progress(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    haul.summary = summary;
    Ok(haul)
}

/// The paths of an archive with their contents.
pub(crate) fn contents(hub: &Hub, repository: &RepositoryRecord) -> BTreeMap<String, Vec<u8>> {
    let archive = hub.store().read(&repository.origin.raw).expect("it is kept");
    let mut found = BTreeMap::new();
    each_file(&archive, hub.store(), &mut |path, _, content| {
        found.insert(path.as_str().to_owned(), content.to_vec());
        Ok(())
    })
    .expect("it is one of ours");
    found
}

pub(crate) fn searched(tiers: &str, seed: u64) -> HubPlan {
    let search = HubSearch {
        language: "Jupyter Notebook".to_owned(),
        forks: false,
        tiers: tiers
            .split('|')
            .map(|tier| {
                let (stars, count) = tier.split_once('=').expect("stars and count");
                HubTier {
                    stars: stars.parse().expect("it is one"),
                    created: "..".parse().expect("it is one"),
                    count: count.parse().expect("it is one"),
                }
            })
            .collect(),
        seed,
    };
    HubPlan { search: Some(search), ..HubPlan::default() }
}

/// That two hauls are the same, or the first lines in which they differ.
pub(crate) fn assert_same(found: &Haul, expected: &[String], what: &dyn std::fmt::Debug) {
    let found = found.told();
    let other =
        |one: &[String], other: &[String]| one.iter().find(|line| !other.contains(line)).cloned().unwrap_or_default();
    assert!(found == expected, "{what:?}:\n{}\n{}", other(&found, expected), other(expected, &found));
}
