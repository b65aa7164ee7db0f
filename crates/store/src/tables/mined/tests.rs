use nbrevive_mine::raw::ContentHash;
use nbrevive_mine::records::{CodeKind, CodeLanguage, DataKind, HostedState, MinedDataSource};

use super::*;

fn blank(notebook: &str, number: u32, source: MiningSource) -> VersionRecord {
    let origin = Origin { source, request: format!("ask {notebook}"), raw: ContentHash::of(b"raw") };
    VersionRecord { number: Some(number), ..VersionRecord::unknown(notebook.parse().unwrap(), origin) }
}

/// A version that the API told.
pub(crate) fn told(notebook: &str, number: u32) -> Told {
    Told::Record(MinedRecord::Version(Box::new(blank(notebook, number, MiningSource::KaggleApi))))
}

/// A repository that came to a state.
pub(crate) fn told_of_host(asked: &str, state: HostedState) -> Told {
    let origin = Origin { source: MiningSource::GitHub, request: asked.to_owned(), raw: ContentHash::of(b"raw") };
    let record = HostedRecord {
        asked: asked.to_owned(),
        state,
        why: None,
        tier: None,
        articles: Vec::new(),
        lines: Vec::new(),
        facts: None,
        commit: None,
        notebooks: Vec::new(),
        origin,
    };
    Told::Record(MinedRecord::Hosted(Box::new(record)))
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

fn put_version(store: &mut Store, version: VersionRecord) {
    put(store, &[Told::Record(MinedRecord::Version(Box::new(version)))]).unwrap();
}

fn list(competition: &str, notebook: &str) -> Told {
    let (competition, notebook) = (Slug::new(competition).unwrap(), notebook.parse().unwrap());
    Told::Listed { competition, notebook, source: MiningSource::KaggleApi }
}

#[test]
fn telling_again_changes_nothing_and_records_come_back_as_they_were() {
    let (_folder, mut store) = store();
    let version = VersionRecord {
        public_score: Some(0.876_54),
        created: "2020-01-02T03:04:05.678Z".parse().ok(),
        code: Some(ContentHash::of(b"code")),
        ..blank("ada/x", 3, MiningSource::MetaKaggle)
    };
    put_version(&mut store, version.clone());
    let before = fingerprint(&store).unwrap();
    put_version(&mut store, version.clone());
    assert_eq!(fingerprint(&store).unwrap(), before);
    assert_eq!(versions_of(&store, MiningSource::MetaKaggle).unwrap(), [version]);
    assert!(versions_of(&store, MiningSource::Browser).unwrap().is_empty());
}

#[test]
fn each_field_comes_from_the_source_that_knows_it_best() {
    let (_folder, mut store) = store();
    let source = |name: &str| MinedDataSource { kind: DataKind::Competition, name: name.into() };
    put(&mut store, &[list("iris-species", "ada/x"), list("wine-cultivars", "ada/x")]).unwrap();
    put_version(
        &mut store,
        VersionRecord {
            language: Some(CodeLanguage::R),
            kind: Some(CodeKind::Notebook),
            data_sources: Some(vec![source("iris-species"), source("elsewhere")]),
            ..blank("ada/x", 3, MiningSource::KaggleApi)
        },
    );
    // The dump knows this version by number and id, the page by its id alone.
    put_version(
        &mut store,
        VersionRecord {
            id: Some(300),
            language: Some(CodeLanguage::Python),
            run_seconds: Some(12.345),
            ..blank("ada/x", 3, MiningSource::MetaKaggle)
        },
    );
    let page = VersionRecord {
        number: None,
        id: Some(300),
        run_seconds: Some(12.0),
        ..blank("ada/x", 3, MiningSource::Browser)
    };
    put_version(&mut store, VersionRecord { public_score: Some(0.5), ..page });
    let all = merged(&store).unwrap();
    assert_eq!(all.len(), 1);
    let merged = &all[0];
    assert_eq!(merged.key, "ada/x#3");
    assert_eq!((merged.record.run_seconds, merged.record.public_score), (Some(12.345), Some(0.5)));
    assert_eq!((merged.record.language, merged.record.kind), (Some(CodeLanguage::Python), Some(CodeKind::Notebook)));
    assert_eq!(merged.competition.as_ref().map(Slug::as_str), Some("iris-species"));
    assert_eq!((merged.in_competition, merged.sources.len()), (Some(true), 3));
}

#[test]
fn a_competition_is_never_guessed() {
    let (_folder, mut store) = store();
    put(&mut store, &[list("iris-species", "ada/x"), list("wine-cultivars", "ada/x"), list("iris-species", "bob/y")])
        .unwrap();
    put_version(&mut store, blank("ada/x", 1, MiningSource::KaggleApi));
    put_version(&mut store, blank("bob/y", 1, MiningSource::KaggleApi));
    put_version(
        &mut store,
        VersionRecord { data_sources: Some(Vec::new()), ..blank("eve/z", 1, MiningSource::KaggleApi) },
    );
    let found: Vec<_> = merged(&store)
        .unwrap()
        .into_iter()
        .map(|v| (v.key, v.competition.map(String::from), v.in_competition))
        .collect();
    let iris = Some("iris-species".to_owned());
    let expected = [("ada/x#1", None, Some(true)), ("bob/y#1", iris, Some(true)), ("eve/z#1", None, Some(false))];
    assert_eq!(found, expected.map(|(key, competition, known)| (key.to_owned(), competition, known)));
}

#[test]
fn one_source_is_replaced_and_the_others_stay() {
    let (_folder, mut store) = store();
    put(&mut store, &[told("ada/x", 1), list("iris-species", "ada/x")]).unwrap();
    put_version(&mut store, blank("ada/x", 1, MiningSource::Browser));
    replace(&mut store, MiningSource::KaggleApi, &[told("ada/x", 2)]).unwrap();
    assert_eq!(
        counts(&store).unwrap(),
        [("version", "browser"), ("version", "kaggle-api")].map(|(a, b)| (a.into(), b.into(), 1))
    );
    assert_eq!(store.read(listed).unwrap(), []);
}

#[test]
fn wanted_notebooks_stand_once() {
    let (_folder, mut store) = store();
    let row = |version| WantedRow { notebook: "ada/x".into(), version, competition: None };
    want(&mut store, &[row(Some(3)), row(None)]).unwrap();
    want(&mut store, &[row(None)]).unwrap();
    assert_eq!(wanted(&store).unwrap(), [row(None), row(Some(3))]);
}
