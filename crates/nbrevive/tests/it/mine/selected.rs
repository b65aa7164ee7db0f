//! From mined notebooks to a corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use nbrevive_corpus::{Targets, Version, load_versions};
use nbrevive_fakekaggle::{DumpOptions, write_dump};
use nbrevive_store::Store;
use predicates::prelude::*;
use predicates::str::contains;

use crate::mine::bench::{Bench, FAST, small};
use crate::support::repository;

/// Slugs of a corpus with the bytes of their notebooks.
fn corpus(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let versions = load_versions(folder).expect("a selection writes valid lists");
    versions
        .into_iter()
        .map(|version| (version.slug, std::fs::read(version.path).expect("its notebook is there")))
        .collect()
}

/// Mined from the API and from the dump, which tells scores and run times.
fn mined() -> Bench {
    let sources = "sources = [\"kaggle-api\", \"meta-kaggle\"]\nmeta_kaggle.dump = \"dump\"\n";
    let bench = Bench::with_notebooks(small(), &format!("{sources}{FAST}"));
    write_dump(bench.server.world(), &bench.path("dump"), DumpOptions::default()).expect("the dump can be written");
    bench.mine("store").success();
    bench
}

#[test]
fn two_sources_are_compared_field_by_field() {
    let bench = mined();
    let compared = bench.command(&["mine", "compare", "kaggle-api", "meta-kaggle"], "store").assert();
    compared.success().stdout(contains("run_seconds").and(contains("left: kaggle-api, right: meta-kaggle")));
    let compared = bench.command(&["mine", "compare", "kaggle-api", "meta-kaggle", "--json"], "store").assert();
    let report: serde_json::Value = serde_json::from_slice(&compared.success().get_output().stdout).unwrap();
    assert!(report["both"].as_u64().is_some_and(|both| both > 10), "{report}");
    bench.command(&["mine", "compare", "kaggle-api", "git"], "store").assert().code(3).stderr(contains("`git`"));
    let rows = bench.rows("store");
    bench.command(&["mine", "replay"], "store").assert().success();
    assert!(bench.rows("store") == rows);
}

#[test]
fn a_selection_is_a_corpus_and_every_drop_has_a_reason() {
    let bench = mined();
    let out = bench.path("corpus");
    let out_text = out.to_str().expect("scratch paths are text");
    let select = || bench.command(&["select", "--out", out_text], "store").assert();
    select().success().stdout(contains("score-not-zero").and(contains("no-external-data")));
    let first = corpus(&out);
    // The bundled notebooks of the two competitions are all kept, byte for byte.
    let bundled = load_versions(&repository().join("study/notebooks")).expect("the bundled corpus is valid");
    let both = ["iris-species", "wine-cultivars"];
    let is_one = |version: &&Version| version.belongs.competition().is_some_and(|id| both.contains(&id));
    for version in bundled.iter().filter(is_one) {
        let own = std::fs::read(&version.path).unwrap();
        let found = first.iter().find(|(slug, _)| slug.contains(&version.slug));
        assert!(found.is_some_and(|(_, bytes)| *bytes == own), "{}", version.slug);
    }
    let targets = Targets::load(&out.join("targets.toml")).unwrap();
    assert_eq!(targets.target.keys().collect::<BTreeSet<_>>(), first.keys().collect());
    let store = Store::open_read_only(&bench.path("store")).unwrap();
    let rows = nbrevive_store::selections::all(&store).unwrap();
    assert_eq!(rows.iter().filter(|row| row.slug.is_some()).count(), first.len());
    assert!(rows.iter().all(|row| row.slug.is_some() != row.dropped.is_some()) && rows.len() > first.len());
    drop(store);
    let listing = std::fs::read(out.join("iris-species/versions.toml")).unwrap();
    select().success();
    assert!(corpus(&out) == first && std::fs::read(out.join("iris-species/versions.toml")).unwrap() == listing);
    for file in ["mined-versions", "selection", "funnel"] {
        assert!(bench.path("store/data").join(format!("{file}.parquet")).is_file());
    }
    samples(&bench, out_text, &first);
}

#[test]
fn a_whole_dump_goes_through_the_funnel_without_being_mined() {
    let bench = Bench::with_notebooks(small(), "");
    let dump = bench.path("dump");
    write_dump(bench.server.world(), &dump, DumpOptions::default()).expect("the dump can be written");
    let dump_text = dump.to_str().expect("scratch paths are text");
    let judged = bench.command(&["select", "--dump", dump_text, "--json"], "store").assert().success();
    let funnel: serde_json::Value = serde_json::from_slice(&judged.get_output().stdout).unwrap();
    let kept = funnel["steps"].as_array().and_then(|steps| steps.last()?["kept"].as_u64());
    assert!(kept.is_some_and(|kept| kept > 10 && funnel["mined"].as_u64() > Some(kept)), "{funnel}");
    let nowhere = bench.command(&["select", "--dump", "no-such-folder"], "store").assert();
    nowhere.code(3).stderr(contains("no-such-folder"));
    bench.command(&["select"], "store").assert().code(2).stderr(contains("--out"));
}

/// The same seed draws the same sample, and a smoke set has every competition.
fn samples(bench: &Bench, out: &str, all: &BTreeMap<String, Vec<u8>>) {
    let draw = |more: &[&str]| {
        bench.command(&[&["select", "--out", out], more].concat(), "store").assert().success();
        corpus(Path::new(out)).into_keys().collect::<BTreeSet<_>>()
    };
    let sample = draw(&["--sample", "6", "--by", "competition,year", "--seed", "3"]);
    assert_eq!(sample.len(), 6);
    assert!(sample.iter().all(|slug| all.contains_key(slug)));
    assert_eq!(draw(&["--sample", "6", "--by", "competition,year", "--seed", "3"]), sample);
    assert_ne!(draw(&["--sample", "6", "--seed", "3"]), draw(&["--sample", "6", "--seed", "4"]));
    assert_eq!(draw(&["--smoke", "2"]).len(), 2);
    let both = load_versions(Path::new(out)).expect("a selection writes valid lists");
    assert_eq!(both.iter().map(|version| version.belongs.competition()).collect::<BTreeSet<_>>().len(), 2);
}

#[test]
fn a_killed_selection_leaves_the_old_corpus_or_the_new_one() {
    let bench = mined();
    let out = bench.path("corpus");
    let out_text = out.to_str().expect("scratch paths are text").to_owned();
    let all = ["select", "--out", &out_text];
    let some = ["select", "--smoke", "4", "--out", &out_text];
    let mut known = Vec::new();
    for arguments in [&all[..], &some[..]] {
        bench.command(arguments, "store").assert().success();
        known.push(corpus(&out));
    }
    for (round, wait) in [15, 30, 45, 60, 80, 110, 150, 200].into_iter().enumerate() {
        let arguments = if round % 2 == 0 { &all[..] } else { &some[..] };
        let mut child = bench.spawn(arguments, "store");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("a child can be killed");
        child.wait().expect("a killed child is reaped");
        assert!(known.contains(&corpus(&out)), "neither the old corpus nor the new one after {wait} ms");
    }
    bench.command(&all, "store").assert().success();
    assert_eq!(corpus(&out), known[0]);
    let left: Vec<_> =
        std::fs::read_dir(bench.folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("selecting")), "{left:?}");
}

#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    let bench = mined();
    let out = bench.path("precious");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("thesis.ipynb"), "mine").unwrap();
    let refused = bench.command(&["select", "--out", out.to_str().unwrap()], "store").assert();
    refused.code(7).stderr(contains("--out"));
    assert_eq!(std::fs::read(out.join("thesis.ipynb")).unwrap(), b"mine");
    let empty = bench.command(&["select", "--out", "x"], "empty").assert();
    empty.code(3).stderr(contains("nbrevive mine"));
}

#[test]
fn a_take_down_reaches_the_corpus() {
    let bench = mined();
    let out = bench.path("corpus");
    bench.command(&["select", "--out", out.to_str().unwrap()], "store").assert().success();
    let before = corpus(&out);
    let world = bench.server.world();
    let gone = world.kernels().find(|kernel| kernel.slug == "iris-my-first-kernel-knn").expect("it is bundled");
    let list = bench.path("down.toml");
    std::fs::write(&list, format!("format = 1\n[[item]]\nnotebook = \"{}\"\n", gone.reference(world))).unwrap();
    bench.command(&["mine", "take-down", list.to_str().unwrap()], "store").assert().success();
    let after = corpus(&out);
    assert_eq!(after.len(), before.len() - 1);
    assert!(!after.keys().any(|slug| slug.contains("iris-my-first-kernel-knn")));
    assert_eq!(Targets::load(&out.join("targets.toml")).unwrap().target.len(), after.len());
}
