//! The world is fixed by its seed, hangs together, and has every kind of item that the funnel tells apart.

use std::collections::HashSet;

use super::*;

fn world() -> FakeWorld {
    FakeWorld::new(WorldSpec::default())
}

#[test]
fn the_same_seed_gives_the_same_world_and_another_seed_another() {
    let all = |seed| FakeWorld::new(WorldSpec { seed, ..WorldSpec::default() }).kernels().collect::<Vec<_>>();
    assert_eq!(all(1), all(1));
    assert_ne!(all(1), all(2));
}

#[test]
fn names_and_ids_are_unique_and_lead_back() {
    let world = world();
    let mut references = HashSet::new();
    for kernel in world.kernels() {
        assert!(references.insert(kernel.reference(&world)));
        assert_eq!(kernel_of(kernel.id), Some(kernel.index));
        for version in &kernel.versions {
            assert_eq!(run_of(version.run_id), Some((kernel.index, version.number)));
            assert_ne!(version.run_id, version.version_id);
        }
    }
    assert_eq!(run_of(5), None);
    assert_eq!(kernel_of(KERNEL_BASE + 1), None);
}

#[test]
fn dates_go_forward_and_copies_are_younger_than_what_they_copy() {
    let world = world();
    let mut copies = (0, 0);
    for kernel in world.kernels() {
        assert!(kernel.versions.is_sorted_by(|a, b| a.created < b.created && a.run_id < b.run_id));
        assert!(kernel.latest().created < FakeWorld::now());
        let Some(parent) = kernel.parent else { continue };
        let original = world.kernel(parent.kernel);
        assert_eq!(original.competition, kernel.competition);
        assert_eq!((original.language, original.kind), (kernel.language, kernel.kind));
        assert!(original.version(parent.number).is_some_and(|version| version.created < kernel.versions[0].created));
        let first = kernel.versions[0].lines;
        if parent.unchanged {
            assert_eq!((first.inserted, first.changed, first.deleted), (0, 0, 0));
            copies.0 += 1;
        } else {
            copies.1 += 1;
        }
    }
    assert!(copies.0 > 10 && copies.1 > 30, "{copies:?}");
}

#[test]
fn every_kind_that_the_funnel_tells_apart_is_there() {
    let world = world();
    let kernels: Vec<FakeKernel> = world.kernels().collect();
    let has =
        |what: &str, test: &dyn Fn(&FakeKernel) -> bool| assert!(kernels.iter().any(test), "no notebook is {what}");
    has("python 2", &|kernel| kernel.is_python2);
    has("empty", &|kernel| kernel.is_empty);
    has("mislabelled", &|kernel| kernel.is_mislabelled);
    has("nbformat 3", &|kernel| kernel.is_nbformat3 && kernel.kind == FakeKernelKind::Notebook);
    has("private", &|kernel| kernel.visibility == Visibility::Private);
    has("deleted", &|kernel| kernel.visibility == Visibility::Deleted);
    has("attached to none", &|kernel| kernel.latest().sources.competitions.is_empty());
    has("attached to two", &|kernel| kernel.latest().sources.competitions.len() == 2);
    has("titled with a script", &|kernel| kernel.title.contains("<script>"));
    for language in
        [FakeLanguage::Python, FakeLanguage::R, FakeLanguage::RMarkdown, FakeLanguage::Julia, FakeLanguage::Sqlite]
    {
        has(&format!("{language:?}"), &|kernel| kernel.language == language);
    }
    let versions: Vec<&FakeVersion> = kernels.iter().flat_map(|kernel| &kernel.versions).collect();
    for outcome in [FakeOutcome::Complete, FakeOutcome::Error, FakeOutcome::Cancelled, FakeOutcome::Running] {
        assert!(versions.iter().any(|version| version.outcome == outcome), "{outcome:?}");
    }
    assert!(versions.iter().any(|version| version.score.is_some_and(|score| score.public == 0.0)));
    assert!(versions.iter().any(|version| version.second_score.is_some()));
    assert!(versions.iter().any(|version| version.run_seconds == Some(600.0)));
    assert!(versions.iter().all(|version| version.score.is_none() || version.outcome == FakeOutcome::Complete));
}

#[test]
fn about_as_many_public_versions_come_as_were_asked_for() {
    let world = FakeWorld::new(WorldSpec::with_versions(1, 20_000));
    let public = world.kernels().filter(|kernel| kernel.visibility == Visibility::Public);
    let count: usize = public.map(|kernel| kernel.versions.len()).sum();
    assert!((18_500..21_500).contains(&count), "{count}");
}

#[test]
fn teams_of_a_user_are_in_different_competitions() {
    let world = world();
    for user in 0..world.spec().users {
        let slots: HashSet<u64> = (0..TEAMS_PER_USER).map(|slot| world.team_competition(user, slot)).collect();
        assert_eq!(slots.len() as u64, TEAMS_PER_USER);
    }
}

#[test]
fn real_notebooks_stand_in_the_world_with_their_code() {
    let study = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../study");
    let real = Bundled::read(&study.join("notebooks"), &study.join("targets.toml")).unwrap();
    assert!(real.len() >= 40, "{}", real.len());
    let spec = WorldSpec { kernels: 50, ..WorldSpec::default() };
    let world = FakeWorld::new(spec).with_notebooks(&real);
    assert_eq!(world.kernels().count(), 50 + real.len());
    assert_eq!(world.kernel(49), FakeWorld::new(spec).kernel(49));
    for (kernel, real) in world.kernels().skip(50).zip(&real) {
        assert_eq!(world.competitions()[kernel.competition as usize].slug, real.competition);
        assert_eq!(world.team_competition(kernel.author, kernel.team_slot), kernel.competition);
        assert_eq!(run_of(kernel.latest().run_id), Some((kernel.index, 1)));
        let code = crate::source::source(&world, &kernel, kernel.latest(), crate::source::Outputs::Stripped);
        assert_eq!(code, real.code);
    }
    assert!(Bundled::read(&study, &study.join("none.toml")).unwrap_err().to_string().contains("none.toml"));
}
