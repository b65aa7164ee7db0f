//! Lists of ids, and take-downs.

use std::collections::BTreeSet;

use nbrevive_mine::records::{MinedRecord, NotebookKey};
use nbrevive_store::Store;
use nbrevive_store::mined::{self, RowKind, merged};
use predicates::str::contains;

use crate::mine::bench::{Bench, FAST, raw, small};

fn notebooks(bench: &Bench, store: &str) -> BTreeSet<NotebookKey> {
    let store = Store::open_read_only(&bench.path(store)).expect("the store can be read");
    merged(&store).expect("it can be merged").into_iter().map(|version| version.record.notebook).collect()
}

#[test]
fn what_one_exports_another_fetches() {
    let bench = Bench::new(small(), FAST);
    bench.mine("store").success();
    let list = bench.path("ids.csv");
    let list = list.to_str().expect("scratch paths are text");
    bench.command(&["mine", "export-ids", list], "store").assert().success();
    let fetched = bench.command(&["mine", "fetch-ids", list], "other").assert();
    let said = String::from_utf8_lossy(&fetched.success().get_output().stderr).into_owned();
    assert!(said.contains(" 0 changed, 0 not to be had"), "{said}");
    assert_eq!(notebooks(&bench, "other"), notebooks(&bench, "store"));
    bench.command(&["mine", "replay"], "other").assert().success();
    assert_eq!(notebooks(&bench, "other"), notebooks(&bench, "store"));
    bench.command(&["mine", "fetch-ids", "nowhere.csv"], "other").assert().code(3).stderr(contains("nowhere.csv"));
}

#[test]
fn what_is_taken_down_goes_from_everywhere_and_stays_down() {
    let bench = Bench::new(small(), FAST);
    bench.mine("store").success();
    let before = notebooks(&bench, "store");
    let gone = before.first().expect("something was mined").clone();
    let list = bench.path("down.toml");
    std::fs::write(&list, format!("format = 1\n[[item]]\nnotebook = \"{gone}\"\n")).unwrap();
    let list = list.to_str().expect("scratch paths are text");
    for _ in 0..2 {
        bench.command(&["mine", "take-down", list], "store").assert().success();
        let after = notebooks(&bench, "store");
        assert!(!after.contains(&gone) && after.len() == before.len() - 1);
        assert!(!bench.rows("store").iter().any(|row| row.contains(&format!(" {gone}"))));
        assert!(raw(&bench.path("store")).is_removed(&gone.to_string()).unwrap());
        bench.mine("store").success();
        assert!(!notebooks(&bench, "store").contains(&gone), "it came back");
        bench.command(&["mine", "replay"], "store").assert().success();
        assert!(!notebooks(&bench, "store").contains(&gone), "it came back from the raw answers");
    }
}

#[test]
fn a_content_is_taken_down_with_the_notebooks_that_have_it() {
    let bench = Bench::new(small(), FAST);
    bench.mine("store").success();
    let versions = || {
        let store = Store::open_read_only(&bench.path("store")).expect("the store is there");
        mined::records(&store, RowKind::Version, None).expect("its rows can be read")
    };
    let codes = || -> Vec<_> {
        let version = |record| if let MinedRecord::Version(version) = record { version.code } else { None };
        versions().into_iter().filter_map(version).collect()
    };
    let body = codes().first().expect("something was mined").clone();
    let list = bench.path("down.toml");
    std::fs::write(&list, format!("format = 1\n[[item]]\nbody = \"{body}\"\n")).unwrap();
    bench.command(&["mine", "take-down", list.to_str().expect("text")], "store").assert().success();
    assert!(!raw(&bench.path("store")).has(&body) && !codes().contains(&body));
    bench.mine("store").success();
    bench.command(&["mine", "replay"], "store").assert().success();
    assert!(!codes().is_empty() && !codes().contains(&body), "it came back");
}
