//! Meta Kaggle against the world that its dump was drawn from, whole, packed, reordered and damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use nbrevive_fakekaggle::{
    DumpOptions, FakeKaggle, FakeKernel, FakeWorld, Visibility, WorldSpec, code_path, write_code, write_dump,
};
use nbrevive_mine::api::{Api, Generation};
use nbrevive_mine::compare::compare;
use nbrevive_mine::metakaggle::{
    CodeFolder, DroppedRows, Dump, DumpError, DumpPlan, DumpScope, DumpTable, Facts, ScoreChoice,
};
use nbrevive_mine::raw::{ContentHash, RawStore, TakeDown, TakeDownEntry};
use nbrevive_mine::records::{DataKind, MinedRecord, NotebookRecord, Slug, VersionRecord};

use crate::dump_support::truth::{is_true, is_unchanged_copy, kind, language, parent, public};
use crate::dump_support::{Haul, dump, dumped, edit, mine, mine_with, pack_gzip, pack_zip, rows, spec, write_rows};
use crate::support::{folder, open, plan, small, start};

#[test]
fn records_are_the_world_s_truth() {
    for float_ids in [false, true] {
        let (world, folder) = dumped(spec(), DumpOptions { float_ids });
        let haul = mine(folder.path(), &DumpPlan::default());
        let versions: Vec<_> = public(&world).collect();
        assert_eq!((haul.versions.len(), haul.summary.versions), (versions.len(), versions.len() as u64));
        for (kernel, version) in &versions {
            is_true(&world, kernel, version, &haul.versions[&version.run_id]);
        }
        let private = haul.versions.values().filter(|record| record.private_score.is_some()).count();
        let scored = versions.iter().filter(|(_, version)| version.score.is_some()).count();
        assert!(private * 10 > scored * 9 && scored > 50, "{private} of {scored}");
        assert!(haul.versions.values().filter(|record| record.copied_from.is_some()).count() > 3);
        assert_eq!(haul.competitions.len(), world.competitions().len());
        assert!(haul.summary.bad.is_empty(), "{}", haul.summary);
        assert!(haul.summary.dropped[&DroppedRows::ScoreWithoutVersion] > 0);
        let hash = ContentHash::of(&std::fs::read(folder.path().join("KernelVersions.csv")).unwrap());
        assert!(haul.versions.values().all(|record| record.origin.raw == hash));
    }
}

#[test]
fn notebooks_and_competitions_are_the_world_s_truth() {
    let (world, folder) = dumped(spec(), DumpOptions::default());
    let haul = mine(folder.path(), &DumpPlan::default());
    let kernels: Vec<FakeKernel> = world.kernels().filter(|kernel| kernel.visibility == Visibility::Public).collect();
    assert_eq!(haul.notebooks.len(), kernels.len());
    for kernel in &kernels {
        let record: &NotebookRecord = &haul.notebooks[&kernel.id];
        let current = kernel.committed();
        assert_eq!(record.key.to_string(), kernel.reference(&world));
        assert_eq!(record.author, Some(world.user(kernel.author).display_name));
        assert_eq!((record.title.as_ref(), record.votes), (Some(&kernel.title), Some(kernel.votes)));
        assert_eq!((record.language, record.current_version), (Some(language(kernel)), Some(current.number)));
        assert_eq!(record.copied_from.as_ref().map(ToString::to_string), parent(&world, kernel));
    }
    for competition in world.competitions() {
        let record = &haul.competitions[&competition.slug];
        assert_eq!((record.id, record.title.as_ref()), (Some(competition.id), Some(&competition.title)));
        assert_eq!(record.metric.as_deref(), Some(competition.scale.name));
        let deadline = record.deadline.map(|time| time.as_second());
        assert_eq!(deadline, Some(competition.deadline.0.div_euclid(1000)));
        assert_eq!(record.notebooks_only, Some(competition.code_only));
    }
}

#[test]
fn a_plan_brings_its_competitions_alone() {
    let (world, folder) = dumped(spec(), DumpOptions::default());
    let slug = Slug::new(&world.competitions()[1].slug).unwrap();
    let plan = DumpPlan { scope: DumpScope::Competitions(vec![slug]), ..DumpPlan::default() };
    let (haul, all) = (mine(folder.path(), &plan), mine(folder.path(), &DumpPlan::default()));
    let wanted: BTreeSet<u64> = public(&world)
        .filter(|(_, version)| version.sources.competitions.contains(&1))
        .map(|(_, version)| version.run_id)
        .collect();
    assert_eq!(haul.versions.keys().copied().collect::<BTreeSet<_>>(), wanted);
    assert!(wanted.len() > 20 && wanted.len() < all.versions.len() / 2);
    assert!(haul.versions.iter().all(|(id, record)| all.versions[id] == *record));
    assert_eq!(haul.competitions.len(), 1);
    let facts = candidates(folder.path(), &plan);
    assert_eq!(facts.keys().copied().collect::<BTreeSet<_>>(), wanted);
    assert!(facts.values().all(|facts| facts.competition == Some(world.competitions()[1].id)));
    let none = DumpPlan { scope: DumpScope::Competitions(vec![Slug::new("no-such").unwrap()]), ..DumpPlan::default() };
    let error = dump(folder.path()).candidates(&none, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, DumpError::NoCompetition { .. }), "{error}");
}

fn candidates(folder: &Path, plan: &DumpPlan) -> BTreeMap<u64, Facts> {
    let mut all = BTreeMap::new();
    let summary = dump(folder).candidates(plan, &mut |batch| {
        all.extend(batch.into_iter().map(|facts| (facts.id, facts)));
        ControlFlow::Continue(())
    });
    assert_eq!(summary.expect("the dump is whole").versions, all.len() as u64);
    all
}

#[test]
fn facts_are_the_world_s_truth() {
    let (world, folder) = dumped(spec(), DumpOptions::default());
    let facts = candidates(folder.path(), &DumpPlan::default());
    let mut count = 0;
    for (kernel, version) in public(&world) {
        let found = facts[&version.run_id];
        let own = &version.sources;
        let is_foreign = !(own.datasets.is_empty() && own.kernels.is_empty() && own.models.is_empty());
        let competitions = own.competitions.iter().map(|index| world.competitions()[*index as usize].id);
        let score = version.score.map(|score| score.public);
        let ran = if score.is_some() { Some(true) } else { version.evaluated.is_none().then_some(false) };
        let expected = Facts {
            id: version.run_id,
            notebook: kernel.id,
            number: Some(version.number),
            competition: competitions.min(),
            competitions: own.competitions.len() as u32,
            created: Some(version.created.0.div_euclid(1000)),
            language: Some(language(&kernel)),
            kind: Some(kind(&kernel)),
            copied: Some(is_unchanged_copy(&kernel, &version)),
            empty: Some(version.lines.total == 0),
            ran,
            public_score: score,
            private_score: found.private_score,
            run_seconds: version.run_seconds,
            external: is_foreign || own.competitions.len() > 1,
        };
        assert_eq!(found, expected);
        count += 1;
    }
    assert_eq!(facts.len(), count);
    let names = dump(folder.path()).competition_names().unwrap();
    let own = |one: &nbrevive_fakekaggle::FakeCompetition| (one.id, Slug::new(&one.slug).unwrap());
    assert_eq!(names, world.competitions().iter().map(own).collect::<Vec<_>>());
}

#[test]
fn the_best_score_can_be_asked_for() {
    let bigger = WorldSpec { kernels: 4000, users: 300, ..spec() };
    let (world, folder) = dumped(bigger, DumpOptions::default());
    let facts = candidates(folder.path(), &DumpPlan { score: ScoreChoice::Best, ..DumpPlan::default() });
    let mut second_is_better = 0;
    for (kernel, version) in public(&world) {
        let [index] = version.sources.competitions[..] else { continue };
        let (Some(first), Some(second)) = (version.score, version.second_score) else { continue };
        let competition = &world.competitions()[index as usize];
        assert_eq!(index, kernel.competition);
        let late = |days: f64| {
            let evaluated = version.evaluated.unwrap();
            competition.is_over(evaluated.plus_seconds(40.0 + days * 86_400.0))
        };
        let both_count = late(0.0) || !late(61.0);
        let better = competition.scale.is_better(second.public, first.public) && both_count;
        second_is_better += usize::from(better);
        let expected = if better { second.public } else { first.public };
        assert_eq!(facts[&version.run_id].public_score, Some(expected), "{}", version.run_id);
    }
    assert!(second_is_better > 2, "{second_is_better}");
}

/// The records as text, without the hash of the file.
fn without_hash(haul: &Haul) -> Vec<String> {
    let plain = |record: &VersionRecord| format!("{:?}", VersionRecord { origin: haul.origin(), ..record.clone() });
    haul.versions.values().map(plain).collect()
}

#[test]
fn form_and_packing_of_the_files_do_not_matter() {
    let (_, folder) = dumped(spec(), DumpOptions::default());
    let expected = mine(folder.path(), &DumpPlan::default());
    for table in DumpTable::ALL {
        edit(folder.path(), *table, |header, rows| {
            header.reverse();
            rows.iter_mut().for_each(|row| row.reverse());
        });
    }
    assert_eq!(without_hash(&mine(folder.path(), &DumpPlan::default())), without_hash(&expected));
    for table in DumpTable::ALL {
        let path = folder.path().join(format!("{table}.csv"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap();
    }
    let texts = mine(folder.path(), &DumpPlan::default());
    assert_eq!(without_hash(&texts), without_hash(&expected));
    for (place, table) in DumpTable::ALL.iter().enumerate() {
        let path = folder.path().join(format!("{table}.csv"));
        if place % 2 == 0 { pack_zip(&path) } else { pack_gzip(&path) }
    }
    assert_eq!(without_hash(&mine(folder.path(), &DumpPlan::default())), without_hash(&expected));
}

#[test]
fn a_missing_file_or_column_is_named_with_its_use() {
    let (_, folder) = dumped(spec(), DumpOptions::default());
    edit(folder.path(), DumpTable::Kernels, |header, _| header[10] = "Slug".to_owned());
    let error = Dump::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("Kernels.csv has no column CurrentUrlSlug, which tells names of notebooks"), "{error}");
    std::fs::remove_file(folder.path().join("Kernels.csv")).unwrap();
    let error = Dump::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("holds no Kernels.csv") && error.contains("names and authors of notebooks"), "{error}");
}

#[test]
fn an_older_dump_leaves_fields_unknown() {
    let (world, folder) = dumped(spec(), DumpOptions::default());
    let newer = ["RunningTimeInMilliseconds", "DockerImage", "AcceleratorTypeId", "IsInternetEnabled"];
    edit(folder.path(), DumpTable::KernelVersions, |header, rows| {
        let places: Vec<usize> = (0..header.len()).rev().filter(|place| newer.contains(&&*header[*place])).collect();
        for place in places {
            header.remove(place);
            rows.iter_mut().for_each(|row| drop(row.remove(place)));
        }
    });
    for table in [DumpTable::ModelSources, DumpTable::Datasets, DumpTable::KernelAcceleratorTypes] {
        std::fs::remove_file(folder.path().join(format!("{table}.csv"))).unwrap();
    }
    let gaps: Vec<String> = dump(folder.path()).gaps().iter().map(ToString::to_string).collect();
    assert!(
        gaps.contains(
            &"KernelVersions.csv has no column RunningTimeInMilliseconds: it would tell run times".to_owned()
        )
    );
    assert_eq!(gaps.len(), newer.len() + 3, "{gaps:#?}");
    let haul = mine(folder.path(), &DumpPlan::default());
    assert_eq!(haul.versions.len(), public(&world).count());
    for record in haul.versions.values() {
        assert_eq!((record.run_seconds, &record.image, record.gpu, record.internet), (None, &None, None, None));
        let names = record.data_sources.iter().flatten().filter(|source| source.kind == DataKind::Dataset);
        assert!(names.clone().all(|source| source.name.starts_with('#')));
        assert!(record.data_sources.iter().flatten().all(|source| source.kind != DataKind::Model));
    }
}

#[test]
fn damage_costs_the_damaged_rows_alone() {
    let (world, folder) = dumped(spec(), DumpOptions::default());
    let whole = mine(folder.path(), &DumpPlan::default());
    let path = folder.path().join("KernelVersions.csv");
    let mut lines: Vec<Vec<u8>> = rows(&path);
    let spoil = |line: &mut Vec<u8>, how: usize| match how {
        0 => line.truncate(line.len() / 2),
        1 => line.splice(0..0, *b"x").for_each(drop),
        2 => line.extend(b",more"),
        3 => {
            let quote = line.iter().position(|byte| *byte == b',').map_or(0, |place| place + 1);
            line.splice(quote..quote, *b"\xff\xfe").for_each(drop);
        }
        _ => line.splice(0..0, *b"\"").for_each(drop),
    };
    let spoilt = [3, 50, 51, 90, 140];
    for (how, place) in spoilt.into_iter().enumerate() {
        spoil(&mut lines[place], how);
    }
    write_rows(&path, &lines);
    let haul = mine(folder.path(), &DumpPlan::default());
    let bad = &haul.summary.bad[&DumpTable::KernelVersions];
    assert_eq!((bad.count, bad.first.len()), (5, 5), "{}", haul.summary);
    assert_eq!(haul.versions.len(), whole.versions.len() - 5);
    for (kernel, version) in public(&world) {
        if let Some(record) = haul.versions.get(&version.run_id) {
            is_true(&world, &kernel, &version, record);
        }
    }
    let shown = haul.summary.to_string();
    assert!(shown.contains("KernelVersions: 5 rows cannot be read") && shown.contains("fields, the header has 23"));
    assert!(shown.contains("the column Id does not hold a whole number"), "{shown}");
    let breaks = |line: &Vec<u8>| 1 + line.iter().filter(|byte| **byte == b'\n').count() as u64;
    let expected = spoilt.map(|place| 1 + lines[..place].iter().map(breaks).sum::<u64>());
    assert_eq!(bad.first.iter().map(|row| row.line).collect::<Vec<_>>(), expected);
}

#[test]
fn references_that_lead_nowhere_are_counted_and_hostile_names_refused() {
    let (_, folder) = dumped(spec(), DumpOptions::default());
    let whole = mine(folder.path(), &DumpPlan::default());
    edit(folder.path(), DumpTable::Kernels, |_, rows| {
        rows.remove(0);
        rows[0][10] = "../../etc/passwd".to_owned();
        rows[1][1] = "999999999".to_owned();
    });
    edit(folder.path(), DumpTable::KernelVersions, |_, rows| drop(rows.pop()));
    let haul = mine(folder.path(), &DumpPlan::default());
    let dropped = &haul.summary.dropped;
    assert_eq!((dropped[&DroppedRows::NotebookName], dropped[&DroppedRows::NotebookWithoutAuthor]), (1, 1));
    let lost = dropped[&DroppedRows::VersionWithoutNotebook];
    assert!(lost >= 3, "{}", haul.summary);
    assert_eq!(haul.versions.len() as u64, whole.versions.len() as u64 - lost - 1);
    assert!(haul.versions.values().all(|record| !record.notebook.to_string().contains("..")));
    let facts = candidates(folder.path(), &DumpPlan::default());
    assert!(facts.keys().eq(haul.versions.keys()));
}

#[test]
fn code_is_kept_and_what_was_taken_down_stays_down() {
    let (world, folder) = dumped(spec(), DumpOptions::default());
    let code = folder.path().join("code");
    write_code(&world, &code).unwrap();
    let raw = folder.path().join("raw");
    let store = RawStore::open(&raw).unwrap();
    let code = CodeFolder::new(&code);
    let haul = mine_with(folder.path(), &DumpPlan::default(), &store, Some(&code)).unwrap();
    let mut kept = 0;
    for (kernel, version) in public(&world) {
        let record = &haul.versions[&version.run_id];
        assert_eq!(record.code.is_some(), version.is_finished(), "{}", record.natural_key());
        let Some(hash) = &record.code else { continue };
        let ending = if kernel.extension().ends_with("nb") { "ipynb" } else { kernel.extension() };
        let path = folder.path().join("code").join(code_path(version.run_id, ending));
        assert_eq!(store.read(hash).unwrap(), std::fs::read(path).unwrap());
        kept += 1;
    }
    assert!(kept > 100);
    let key = haul.versions.values().next().unwrap().notebook.clone();
    let entry = TakeDownEntry { notebook: Some(key.clone()), body: None, reason: None, asked: None };
    store.take_down(&TakeDown::new(vec![entry])).unwrap();
    let again = mine_with(folder.path(), &DumpPlan::default(), &store, Some(&code)).unwrap();
    assert!(again.versions.values().all(|record| record.notebook != key));
    assert!(again.notebooks.values().all(|record| record.key != key));
    assert!(again.summary.dropped[&DroppedRows::TakenDown] > 0);
}

#[test]
fn the_receiver_can_stop_anywhere() {
    let (_, folder) = dumped(spec(), DumpOptions::default());
    let store = RawStore::open(&folder.path().join("raw")).unwrap();
    for limit in [1, 20, 300] {
        let mut count = 0;
        let mut sink = |_: MinedRecord| {
            count += 1;
            if count == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let summary = dump(folder.path()).mine(&DumpPlan::default(), &store, None, &mut sink).unwrap();
        assert!(summary.stopped);
        assert_eq!(count, limit);
    }
    let summary = dump(folder.path()).candidates(&DumpPlan::default(), &mut |_| ControlFlow::Break(())).unwrap();
    assert!(summary.stopped && summary.versions > 0);
}

/// The versions that the API brings.
fn told_by_api(api: &Api, server: &FakeKaggle) -> Vec<VersionRecord> {
    let haul = crate::support::mine(api, &plan(server)).expect("nothing goes wrong");
    assert!(haul.unsure == 0 && haul.listings.iter().all(|listing| listing.complete), "{:?}", haul.troubles);
    let records = haul.records.values().filter_map(|text| serde_json::from_str(text).ok());
    let version = |record| if let MinedRecord::Version(version) = record { Some(*version) } else { None };
    records.filter_map(version).collect()
}

#[test]
fn the_dump_and_the_api_agree() {
    let server = start(small());
    let folder = folder();
    write_dump(server.world(), folder.path(), DumpOptions::default()).unwrap();
    write_code(server.world(), &folder.path().join("code")).unwrap();
    let api = open(&server, Generation::Modern, folder.path());
    let told = told_by_api(&api, &server);
    let store = RawStore::open(&folder.path().join("raw")).unwrap();
    let code = CodeFolder::new(&folder.path().join("code"));
    let mut haul = mine_with(folder.path(), &DumpPlan::default(), &store, Some(&code)).unwrap();
    let report = compare(haul.versions.values().cloned(), told.clone());
    assert_eq!((report.both, report.only_right.count), (told.len() as u64, 0), "{report}");
    assert!(report.both > 40 && report.only_left.count > 0);
    assert_eq!(report.disagree(), 0, "{report}");
    for field in ["number", "title", "language", "kind", "data_sources", "internet", "code"] {
        assert!(report.fields.get(field).unwrap().agree > 40, "{field}\n{report}");
    }
    let known =
        told[0].id.or_else(|| haul.versions.values().find(|one| one.natural_key() == told[0].natural_key())?.id);
    haul.versions.get_mut(&known.unwrap()).unwrap().title = Some("another".to_owned());
    let report = compare(haul.versions.into_values(), told);
    assert_eq!(report.disagree(), 1);
    assert!(report.disagreements.iter().any(|one| one.field == "title" && one.left == "another"));
}

#[test]
fn a_bigger_dump_spans_pieces_and_stays_in_order() {
    let world = FakeWorld::new(WorldSpec::with_versions(5, 60_000));
    let folder = folder();
    write_dump(&world, folder.path(), DumpOptions::default()).unwrap();
    let length = std::fs::metadata(folder.path().join("KernelVersions.csv")).unwrap().len();
    assert!(length > 8 << 20, "{length} bytes are no several pieces");
    let mut ids = Vec::new();
    let summary = dump(folder.path()).candidates(&DumpPlan::default(), &mut |batch| {
        ids.extend(batch.iter().map(|facts| facts.id));
        ControlFlow::Continue(())
    });
    assert_eq!(summary.unwrap().rows[&DumpTable::KernelVersions], ids.len() as u64);
    assert!(ids.iter().copied().eq(public(&world).map(|(_, version)| version.run_id)));
}
