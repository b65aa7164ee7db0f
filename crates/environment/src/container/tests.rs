use super::*;
use crate::plan::Strategy;
use crate::plan::fixture::{FOR_37, PURE, SDIST, World};

fn plan() -> EnvironmentPlan {
    World::new()
        .add("numpy 1.16.4", "2019-05-28", &[FOR_37], &[])
        .add("theano 1.0", "2017-11-16", &[SDIST], &["numpy"])
        .plan(Strategy::Dated, "2019-06-15", &["theano"], &[])
}

#[test]
fn a_dated_plan_gives_a_containerfile_and_a_lock() {
    let settings =
        ContainerSettings { apt: vec!["libgomp1".into(), "graphviz".into()], ..ContainerSettings::default() };
    let texts = plan().container_texts(&settings).unwrap();
    insta::assert_snapshot!(texts.containerfile);
    insta::assert_snapshot!(texts.lock);
}

#[test]
fn what_could_be_read_as_something_else_is_refused() {
    let with = |settings: ContainerSettings| plan().container_texts(&settings).map(|_| ());
    let defaults = ContainerSettings::default;
    assert!(with(ContainerSettings { base: Some("debian:12 AS x\nRUN id".into()), ..defaults() }).is_err());
    assert!(with(ContainerSettings { python: "python3;id".into(), ..defaults() }).is_err());
    assert!(with(ContainerSettings { lock_name: "-rf".into(), ..defaults() }).is_err());
    assert!(with(ContainerSettings { apt: vec!["a && id".into()], ..defaults() }).is_err());
    assert!(with(ContainerSettings { base: Some("localhost:5000/base@sha256:ab".into()), ..defaults() }).is_ok());
    let bounds =
        World::new().add("six 1.0", "2018-01-01", &[PURE], &[]).plan(Strategy::Paper, "2019-06-15", &["six"], &[]);
    assert_eq!(bounds.container_texts(&defaults()), Err(NoContainer::NotALine("six<=1.0".into())));
}
