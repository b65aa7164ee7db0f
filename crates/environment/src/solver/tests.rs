//! Corners of the solver: cycles, an index that lacks answers, wheels of several kinds.

use super::files::best_file;
use crate::index::{Index, IndexEntry, IndexError};
use crate::plan::fixture::{FOR_37, PURE, SDIST, World, day, interpreter, machine, needs};
use crate::plan::{PlanError, PlanRequest, Strategy, plan};

fn locked(world: &World, pins: &[&str]) -> String {
    world.plan(Strategy::Dated, "2019-06-15", &[], pins).requirements_text()
}

#[test]
fn cycles_end() {
    let world = World::new()
        .add("one 1", "2019-01-01", &[PURE], &["two", "one", "one[more]; extra == 'most'", "three; extra == 'more'"])
        .add("two 1", "2019-01-01", &[PURE], &["one[most]<2"])
        .add("three 1", "2019-01-01", &[PURE], &["one[more,most,unheard-of]"]);
    assert_eq!(
        locked(&world, &["one"]),
        "one[more,most,unheard-of]==1\nsetuptools==40.0.0\nthree==1\ntwo==1\nwheel==0.31.0\n"
    );
}

#[test]
fn a_requirement_of_two_lines_is_one_demand() {
    let world = World::new()
        .add("one 1", "2019-01-01", &[PURE], &["two>=1", "two<3", "two!=2; python_version > '3'"])
        .add("two 1", "2019-01-01", &[PURE], &[])
        .add("two 2", "2019-02-01", &[PURE], &[])
        .add("two 3", "2019-03-01", &[PURE], &[]);
    assert!(locked(&world, &["one"]).contains("two==1\n"));
}

#[test]
fn an_answer_that_is_lacking_is_an_error_and_no_other_plan() {
    let needs = needs(&[], &["one"]);
    let request = PlanRequest::new(&needs, day("2019-06-15"), Strategy::Dated);
    let world = World::new().add("one 1", "2019-01-01", &[PURE], &["nobody-knows"]);
    let error = plan(&request, &world.index(), &machine()).unwrap_err();
    assert!(matches!(&error, PlanError::Index(IndexError::Offline { name }) if name == "nobody-knows"), "{error}");
    let entries: Vec<IndexEntry> = World::new()
        .add("one 1", "2018-01-01", &[PURE], &[])
        .add("one 2", "2019-01-01", &[PURE], &[])
        .entries()
        .map(|entry| IndexEntry { metadata: std::collections::BTreeMap::new(), ..entry })
        .collect();
    let error = plan(&request, &Index::fixed(entries), &machine()).unwrap_err();
    assert!(matches!(error, PlanError::Index(_)), "{error}");
}

#[test]
fn the_most_particular_wheel_is_taken() {
    let world = World::new().add(
        "one 1",
        "2019-01-01",
        &[
            PURE,
            SDIST,
            FOR_37,
            "cp37-cp37m-manylinux2010_x86_64",
            "cp37-cp37m-manylinux_2_40_x86_64",
            "cp36-abi3-manylinux2014_x86_64",
            "cp38-cp38-manylinux2014_x86_64",
        ],
        &[],
    );
    let release = world.entries().find(|entry| entry.history.name == "one").unwrap().history.releases[0].clone();
    let file = |python: &str| best_file(&release, &interpreter(python)).unwrap().name.to_string();
    assert_eq!(file("3.7.16"), "one-1-cp37-cp37m-manylinux2010_x86_64.whl");
    assert_eq!(file("3.8.18"), "one-1-cp38-cp38-manylinux2014_x86_64.whl");
    assert_eq!(file("3.9.18"), "one-1-cp36-abi3-manylinux2014_x86_64.whl");
    assert_eq!(file("2.7.18"), "one-1-py2.py3-none-any.whl");
}
