//! The repositories, drawn from a seed.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::random::Purpose;
use nbrevive_loopback::RandomStream;

/// What happens to who asks for a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is there, with notebooks in Python.
    Public,
    /// It is there, without a notebook.
    NoNotebooks,
    /// It is there, with notebooks in R alone.
    OtherKernel,
    /// It has no commit.
    Empty,
    /// Private, or removed: 404.
    Missing,
    /// Blocked for a legal reason: 451.
    BlockedByLaw,
    /// Blocked for the site's terms: 403.
    Blocked,
    /// Its archive unpacks to a thousand times its length: 16 MiB.
    Bomb,
    /// Its archive has links, paths that climb, and what is no file.
    Hostile,
    /// Its archive is served from a host of somebody else.
    LedAway,
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubRepository {
    /// Its number.
    pub id: u64,
    /// Its owner.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// The name that it had before, `owner/name`.
    pub former: Option<String>,
    /// What happens to who asks for it.
    pub fate: Fate,
    /// Stars.
    pub stars: u64,
    /// Forks of it.
    pub forks: u64,
    /// The repository that it is a fork of.
    pub fork_of: Option<String>,
    /// Whether it is closed.
    pub is_archived: bool,
    /// What it is a mirror of.
    pub mirror_of: Option<String>,
    /// Its licence as SPDX names it.
    pub licence: Option<&'static str>,
    /// When it was made.
    pub created: Timestamp,
    /// Its default branch.
    pub branch: &'static str,
    /// The head of its default branch.
    pub head: String,
    /// An older commit.
    pub older: String,
}

impl HubRepository {
    /// `owner/name`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    /// The commit of a branch, tag or hash.
    pub(crate) fn commit(&self, reference: &str) -> Option<&str> {
        let is_of = |hash: &str| reference.len() >= 7 && hash.starts_with(&reference.to_ascii_lowercase());
        match reference {
            "HEAD" => Some(&self.head),
            _ if reference == self.branch || is_of(&self.head) => Some(&self.head),
            _ if reference == "v1.0" || is_of(&self.older) => Some(&self.older),
            _ => None,
        }
    }

    /// When a commit was made.
    pub(crate) fn time(&self, commit: &str) -> Timestamp {
        let days = if commit == self.head { 400 } else { 30 };
        self.created.saturating_add(jiff::SignedDuration::from_hours(24 * days)).unwrap_or(self.created)
    }
}

/// All repositories, by number.
#[derive(Debug, Clone)]
pub struct HubWorld {
    seed: u64,
    repositories: Vec<HubRepository>,
    names: HashMap<String, usize>,
    former: HashMap<String, usize>,
}

impl HubWorld {
    /// So many repositories; the same for the same seed.
    #[must_use]
    pub fn drawn(seed: u64, count: u64) -> Self {
        Self::of(seed, (0..count).map(|number| drawn(seed, number)).collect())
    }

    /// A world of these.
    #[must_use]
    pub fn of(seed: u64, repositories: Vec<HubRepository>) -> Self {
        let key = |name: &str| name.to_ascii_lowercase();
        let places = || repositories.iter().enumerate();
        let names = places().map(|(place, one)| (key(&one.full_name()), place)).collect();
        let former = places().filter_map(|(place, one)| Some((key(one.former.as_ref()?), place))).collect();
        Self { seed, repositories, names, former }
    }

    /// All of them.
    #[must_use]
    pub fn repositories(&self) -> &[HubRepository] {
        &self.repositories
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The one of a name, in any case.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&HubRepository> {
        self.repositories.get(*self.names.get(&name.to_ascii_lowercase())?)
    }

    /// The one that had a name before.
    pub(crate) fn once_named(&self, name: &str) -> Option<&HubRepository> {
        self.repositories.get(*self.former.get(&name.to_ascii_lowercase())?)
    }

    /// The one of a number.
    pub(crate) fn numbered(&self, id: u64) -> Option<&HubRepository> {
        self.repositories.iter().find(|repository| repository.id == id)
    }
}

fn drawn(seed: u64, number: u64) -> HubRepository {
    let mut stream = RandomStream::of(seed, Purpose::Repository, number);
    let owner = format!("Owner{}", stream.below(1 + number / 3));
    // Few have many stars.
    let magnitude = stream.unit() * stream.unit() * 5.0;
    let stars = (10_f64.powf(magnitude) - 1.0) as u64;
    let days = stream.between(0, 4000);
    let first = Timestamp::from_second(1_325_376_000).unwrap_or(Timestamp::UNIX_EPOCH);
    let created = first + jiff::SignedDuration::from_secs((days * 86_400 + stream.below(86_400)) as i64);
    let fate = match stream.below(100) {
        0..5 => Fate::NoNotebooks,
        5..10 => Fate::OtherKernel,
        10..13 => Fate::Empty,
        13..18 => Fate::Missing,
        18..20 => Fate::BlockedByLaw,
        20..22 => Fate::Blocked,
        22 => Fate::Bomb,
        23..25 => Fate::Hostile,
        25 => Fate::LedAway,
        _ => Fate::Public,
    };
    let mut commits = RandomStream::of(seed, Purpose::Commit, number);
    HubRepository {
        id: 1000 + number,
        name: format!("notebooks-{number}"),
        former: stream.chance(0.1).then(|| format!("{owner}/old-{number}")),
        fate,
        stars,
        forks: stream.below(1 + stars / 3),
        fork_of: stream.chance(0.1).then(|| format!("upstream/notebooks-{}", number / 2)),
        is_archived: stream.chance(0.1),
        mirror_of: stream.chance(0.02).then(|| "https://example.org/mirror.git".to_owned()),
        licence: *stream.pick(&[Some("MIT"), Some("Apache-2.0"), Some("NOASSERTION"), None]),
        created,
        branch: if stream.chance(0.5) { "main" } else { "master" },
        head: commits.hex(40),
        older: commits.hex(40),
        owner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_fixed_by_its_seed_and_has_every_fate() {
        let world = HubWorld::drawn(7, 600);
        assert_eq!(HubWorld::drawn(7, 600).repositories(), world.repositories());
        assert_ne!(HubWorld::drawn(8, 600).repositories(), world.repositories());
        for fate in [Fate::Public, Fate::Bomb, Fate::Blocked, Fate::BlockedByLaw, Fate::LedAway, Fate::Hostile] {
            assert!(world.repositories().iter().any(|one| one.fate == fate), "{fate:?}");
        }
        let some = &world.repositories()[5];
        assert_eq!(world.named(&some.full_name().to_uppercase()), Some(some));
    }
}
