//! Which rows and files come of which repositories.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nbrevive_fakegithub::{Fate, HubHost, HubRepository};
use nbrevive_mine::github::{Hub, HubPlan};
use nbrevive_mine::raw::{ContentHash, RawStore};
use nbrevive_mine::records::HostedState;

use super::support::{assert_same, contents, listed, mine, open, plan, quick, start};
use crate::support::folder;

/// The state that a repository of the world comes to.
fn expected(one: &HubRepository) -> HostedState {
    match one.fate {
        Fate::Public | Fate::Hostile => HostedState::Taken,
        Fate::NoNotebooks => HostedState::NoNotebooks,
        Fate::OtherKernel => HostedState::NoKernel,
        Fate::Empty => HostedState::Empty,
        Fate::Missing => HostedState::Missing,
        Fate::BlockedByLaw => HostedState::BlockedByLaw,
        Fate::Blocked => HostedState::Blocked,
        Fate::Bomb => HostedState::TooLarge,
        Fate::LedAway => HostedState::LedAway,
    }
}

/// What a study needs of a file: a link and what is long are left out, and so is what lies in git-lfs.
fn is_kept(path: &str) -> bool {
    !["data/link.csv", "data/long.csv", "data/model.bin"].contains(&path)
}

#[test]
fn every_repository_is_a_row_with_its_state_and_the_files_are_those_of_its_commit() {
    let (server, folder) = (start(110), folder());
    let hub = open(&server, folder.path());
    let haul = mine(&hub, &plan(&server)).unwrap();
    let mut states = BTreeSet::new();
    for one in server.world().repositories() {
        let asked = one.former.clone().unwrap_or_else(|| one.full_name());
        let row = &haul.hosted[&asked];
        assert_eq!(row.state, expected(one), "{asked}: {:?}", row.why);
        states.insert(row.state);
        if matches!(one.fate, Fate::Missing | Fate::Blocked | Fate::BlockedByLaw) {
            assert!(row.facts.is_none() && row.why.is_some());
            continue;
        }
        let facts = row.facts.as_ref().unwrap();
        assert_eq!((facts.name.as_str(), facts.is_renamed), (one.full_name().as_str(), one.former.is_some()));
        assert_eq!((facts.stars, facts.forks), (Some(one.stars), Some(one.forks)));
        assert_eq!((facts.is_fork, facts.is_archived), (Some(one.fork_of.is_some()), Some(one.is_archived)));
        assert_eq!((facts.licence.as_deref(), &facts.fork_of), (one.licence, &one.fork_of));
        assert_eq!((facts.created, &facts.mirror_of), (Some(one.created), &one.mirror_of));
        if row.state != HostedState::Taken {
            assert!(!haul.repositories.contains_key(&one.full_name()));
            continue;
        }
        assert_eq!(row.commit.as_ref().unwrap().hash, one.head);
        let record = &haul.repositories[&one.full_name()];
        let files = server.files(&one.full_name(), &one.head);
        let wanted: BTreeMap<String, Vec<u8>> =
            files.into_iter().filter(|file| is_kept(&file.path)).map(|file| (file.path, file.content)).collect();
        assert_eq!(contents(&hub, record), wanted, "{asked}");
        assert_eq!(record.files as usize, wanted.len());
    }
    assert_eq!(states.len(), 9, "{states:?}");
    let log = server.log();
    assert!(log.iter().all(|entry| entry.has_token == (entry.host == HubHost::Api)));
}

#[test]
fn a_notebook_of_many_repositories_is_found_by_its_content_and_stored_once() {
    let (server, folder) = (start(110), folder());
    let hub = open(&server, folder.path());
    let haul = mine(&hub, &plan(&server)).unwrap();
    let all: Vec<&ContentHash> =
        haul.hosted.values().flat_map(|row| &row.notebooks).map(|notebook| &notebook.content).collect();
    let distinct: BTreeSet<&ContentHash> = all.iter().copied().collect();
    assert!(distinct.len() + 20 < all.len(), "{} of {}", distinct.len(), all.len());
    assert_eq!((haul.summary.notebooks, haul.summary.distinct), (all.len(), distinct.len()));
    assert!(distinct.into_iter().all(|content| hub.store().has(content)));
    // No archive has a notebook's text itself.
    for repository in haul.repositories.values() {
        let archive = hub.store().read(&repository.origin.raw).unwrap();
        assert!(!archive.windows(9).any(|bytes| bytes == b"\"nbformat"));
    }
}

#[test]
fn what_is_left_out_is_named_and_nothing_climbs_out() {
    let (server, folder) = (start(110), folder());
    let haul = mine(&open(&server, folder.path()), &plan(&server)).unwrap();
    let told: BTreeSet<String> = haul.left_out.into_values().flatten().collect();
    for (path, why) in [
        ("data/link.csv", "link"),
        ("data/long.csv", "longer than 20480 bytes"),
        ("data/model.bin", "its 987654 bytes lie in git-lfs"),
        ("/etc/absolute.csv", "does not lie in the archive's folder"),
        ("../outside.csv", "does not lie in the archive's folder"),
        ("../../climbing.csv", "begins with a dot"),
        ("README.md/below.csv", "file and folder at once"),
        ("pipe", "no regular file"),
    ] {
        assert!(told.iter().any(|line| line.contains(path) && line.contains(why)), "{path}: {why}: {told:#?}");
    }
}

#[test]
fn a_commit_that_is_meant_is_taken_and_a_branch_that_is_gone_is_named() {
    let (server, folder) = (start(40), folder());
    let one = server.world().repositories().iter().find(|one| one.fate == Fate::Public).unwrap();
    let name = one.full_name();
    let commit = |below: &str| {
        let plan = HubPlan { listed: vec![listed(&format!("{name}/{below}"), 2)], ..HubPlan::default() };
        let haul = mine(&open(&server, folder.path()), &plan).unwrap();
        let row = haul.hosted.into_values().next().unwrap();
        (row.state, row.commit.map(|commit| (commit.hash, commit.instead_of)))
    };
    let older = Some((one.older.clone(), None));
    assert_eq!(commit(&format!("commit/{}", one.older)), (HostedState::Taken, older.clone()));
    assert_eq!(commit("releases/tag/v1.0"), (HostedState::Taken, older));
    let gone = Some((one.head.clone(), Some("gone".to_owned())));
    assert_eq!(commit("tree/gone/notebooks"), (HostedState::Taken, gone));
    assert_eq!(commit(&format!("commit/{}", "0".repeat(40))), (HostedState::NoCommit, None));
}

#[test]
fn one_repository_under_two_names_is_taken_once() {
    let (server, folder) = (start(110), folder());
    let world = server.world().repositories();
    let one = world.iter().find(|one| one.former.is_some() && one.fate == Fate::Public).unwrap();
    let former = one.former.clone().unwrap();
    let plan = HubPlan { listed: vec![listed(&former, 2), listed(&one.full_name(), 3)], ..HubPlan::default() };
    let haul = mine(&open(&server, folder.path()), &plan).unwrap();
    assert_eq!(haul.hosted[&former].state, HostedState::Taken);
    let double = &haul.hosted[&one.full_name()];
    assert_eq!((double.state, double.why.clone()), (HostedState::Double, Some(format!("it is {former}"))));
    assert_eq!(haul.repositories.len(), 1);
}

#[test]
fn nothing_is_asked_twice_and_a_replay_tells_the_same() {
    let (server, folder) = (start(60), folder());
    let first = mine(&open(&server, folder.path()), &plan(&server)).unwrap();
    let asked = server.log().len();
    let again = mine(&open(&server, folder.path()), &plan(&server)).unwrap();
    assert_same(&again, &first.told(), &"again");
    assert_eq!(server.log().len(), asked);
    let store = Arc::new(RawStore::open(&folder.path().join("raw")).unwrap());
    let replayed = mine(&Hub::offline(store, quick()), &plan(&server)).unwrap();
    assert_same(&replayed, &first.told(), &"replayed");
    assert_eq!(server.log().len(), asked);
}
