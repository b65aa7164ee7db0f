//! Figure 2 of made-up frames.

use std::path::Path;

use nbrevive_corpus::Condition;
use polars::prelude::{Column, NamedFrom, Series};
use serde_json::Value;

use super::canvas::Painting;
use super::histogram::Histogram;
use super::run_time::{RunTimeFigure, RunTimes};
use crate::testing::{Synthetic, published_path, write};
use crate::{MINED_VERSIONS, render};

fn study(folder: &Path) {
    let mut study = Synthetic::default();
    study.add_table(Condition::Baseline, &[3, 1]);
    study.write(folder);
}

fn put(folder: &Path, seconds: Vec<Option<f64>>) {
    let column = Column::from(Series::new("run_seconds".into(), seconds));
    write(&folder.join(MINED_VERSIONS), vec![column]);
}

fn json_of(folder: &Path) -> Value {
    let (data, published) = crate::read(folder, Some(&published_path()), crate::Flaky::Show).unwrap();
    RunTimeFigure::read(folder, &data, published.as_ref()).unwrap().unwrap().json()
}

/// A few thousand run times spread over the scale like those of notebooks: many short ones, few that take hours.
fn spread() -> Vec<Option<f64>> {
    let one = |number: u32| {
        let place = f64::from(number * 7919 % 4001) / 4001.0;
        let bell = f64::from(number % 7 + number % 11 + number % 13) / 28.0;
        (!number.is_multiple_of(50)).then(|| 2.0 * 10_f64.powf(3.2 * bell + 0.9 * place))
    };
    (1..=5000).map(one).collect()
}

#[test]
fn without_mined_versions_there_is_no_figure_and_a_note_says_so() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    let paths = render(folder.path(), None, crate::Flaky::Show, &folder.path().join("out")).unwrap().files;
    assert!(paths.iter().all(|path| !path.to_string_lossy().contains("figure2")));
    assert!(crate::notes(folder.path())[0].contains("mined-versions.parquet"));
    put(folder.path(), spread());
    assert!(!crate::notes(folder.path())[0].contains("mined-versions.parquet"));
    let paths = render(folder.path(), None, crate::Flaky::Show, &folder.path().join("out")).unwrap().files;
    let names = ["figure2.json", "figure2.svg", "figure2.png"];
    assert!(names.iter().all(|name| paths.iter().any(|path| path.ends_with(format!("figures/{name}")))));
}

#[test]
fn what_took_exactly_the_limit_is_within_it() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    let odd = [Some(0.0), Some(600.0), Some(600.1), Some(1e9), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY), None];
    put(folder.path(), odd.to_vec());
    let figure = json_of(folder.path());
    assert_eq!((&figure["versions"], &figure["unknown"], &figure["within_limit"]), (&4.into(), &4.into(), &2.into()));
    let bins = figure["bins"].as_array().unwrap();
    let filled: Vec<String> = bins.iter().filter(|bin| bin["count"] != 0).map(Value::to_string).collect();
    insta::assert_snapshot!(filled.join("\n"), @r#"
    {"count":1,"cumulative_share":0.25,"from_seconds":0.6,"to_seconds":0.755}
    {"count":1,"cumulative_share":0.5,"from_seconds":476.6,"to_seconds":600.0}
    {"count":1,"cumulative_share":0.75,"from_seconds":600.0,"to_seconds":755.0}
    {"count":1,"cumulative_share":1.0,"from_seconds":47660.0,"to_seconds":60000.0}
    "#);
    assert_eq!(bins.len(), 50);
    assert_eq!(figure["published"]["funnel"]["after"]["no-external-data"], "12,720");
}

#[test]
fn the_bins_hold_every_known_run_time_and_join_without_gaps() {
    let times = RunTimes::count(spread().into_iter());
    assert_eq!(times.known(), 4900);
    let bins: Vec<_> = times.bins().collect();
    assert!(bins.windows(2).all(|pair| pair[0].1 == pair[1].0 && pair[0].0 < pair[0].1));
    let within: u64 = bins.iter().filter(|(_, upper, _)| *upper <= 600.0).map(|(.., count)| count).sum();
    assert_eq!(within, times.within());
}

#[test]
fn a_wrong_column_is_named() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    write(&folder.path().join(MINED_VERSIONS), vec![Column::from(Series::new("run_seconds".into(), vec!["1"]))]);
    let error = render(folder.path(), None, crate::Flaky::Show, &folder.path().join("out")).unwrap_err().to_string();
    assert!(error.contains("column `run_seconds`") && error.contains("64-bit floats"), "{error}");
}

#[test]
fn nothing_known_and_one_bin_alone_are_drawn_too() {
    for seconds in [vec![None], vec![Some(60.0); 3]] {
        let times = RunTimes::count(seconds.into_iter());
        let picture = Histogram { title: "a", source: "b", description: "</desc><script>".to_owned(), times: &times };
        let svg = picture.svg().unwrap();
        assert!(!svg.contains("<script"), "{svg}");
        assert_eq!(svg.contains("No mined version has a run time."), times.known() == 0);
    }
}
