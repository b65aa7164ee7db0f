//! Figure 2 of made-up frames.

use std::path::Path;

use nbrevive_corpus::{Condition, Failure};
use polars::prelude::{Column, NamedFrom, Series};
use serde_json::Value;

use super::canvas::Painting;
use super::histogram::Histogram;
use super::list::Figure;
use super::run_time::{Ran, RunTimeFigure, RunTimes};
use crate::inputs::Inputs;
use crate::outcome_line::Line;
use crate::testing::{Synthetic, published_path, write};
use crate::{MINED_VERSIONS, render};

fn study(folder: &Path) {
    let mut study = Synthetic::default();
    study.add_table(Condition::BASELINE, &[3, 1]);
    study.write(folder);
}

fn put(folder: &Path, seconds: Vec<Option<f64>>) {
    let column = Column::from(Series::new("run_seconds".into(), seconds));
    write(&folder.join(MINED_VERSIONS), vec![column]);
}

fn figure_of(folder: &Path) -> RunTimeFigure {
    let inputs = Inputs::read(folder, Some(&published_path()), crate::Flaky::Show).unwrap();
    RunTimeFigure::read(folder, &inputs.data, inputs.published()).unwrap()
}

fn json_of(folder: &Path) -> Value {
    figure_of(folder).json()
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

/// Adds a version that ran for so many seconds under a condition.
fn add(study: &mut Synthetic, condition: Condition, line: Line, version: usize, seconds: f64) {
    study.add(condition, line, version, 1);
    study.outcomes.last_mut().unwrap().seconds = seconds;
}

#[test]
fn without_mined_versions_the_figure_is_of_runs_here_and_a_note_says_so() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    let title = || {
        let out = folder.path().join("out");
        let paths = render(folder.path(), None, crate::Flaky::Show, &out).unwrap().files;
        let names = ["figure2.json", "figure2.svg", "figure2.png"];
        assert!(names.iter().all(|name| paths.iter().any(|path| path.ends_with(format!("figures/{name}")))));
        let svg = std::fs::read_to_string(out.join("figures/figure2.svg")).unwrap();
        (json_of(folder.path())["title"].as_str().unwrap().to_owned(), svg)
    };
    let (here, svg) = title();
    assert_eq!(here, "Figure 2. Distribution of run time here");
    assert!(svg.contains(&here) && !svg.contains("Kaggle"), "{svg}");
    assert!(crate::notes(folder.path())[0].contains("mined-versions.parquet"));
    put(folder.path(), spread());
    let (on_kaggle, svg) = title();
    assert_eq!(on_kaggle, "Figure 2. Distribution of run time on Kaggle");
    assert!(svg.contains(&on_kaggle) && !svg.contains("time here"), "{svg}");
    assert!(!crate::notes(folder.path())[0].contains("mined-versions.parquet"));
}

#[test]
fn run_times_here_are_those_under_backport_else_under_baseline_and_those_of_failed_runs_are_unknown() {
    let (folder, mut study) = (tempfile::tempdir().unwrap(), Synthetic::default());
    let timeout = Line::Failed(Failure::Timeout);
    add(&mut study, Condition::BASELINE, Line::ErrorFreeCsvWithin, 0, 100.0);
    add(&mut study, Condition::BACKPORT, Line::ErrorFreeNoCsv, 0, 7.0);
    add(&mut study, Condition::BASELINE, Line::ErrorNoCsv, 1, 11.0);
    add(&mut study, Condition::BACKPORT, Line::Failed(Failure::BackportFailed), 1, 0.0);
    add(&mut study, Condition::BASELINE, timeout, 2, 600.0);
    add(&mut study, Condition::BACKPORT, timeout, 2, 600.0);
    add(&mut study, Condition::BASELINE, Line::ErrorFreeCsvWithin, 3, 13.0);
    add(&mut study, Condition::BASELINE, timeout, 4, 600.0);
    // Repaired code is other code: its time says nothing about the version.
    add(&mut study, Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 4, 17.0);
    study.write(folder.path());
    let figure = json_of(folder.path());
    assert_eq!((&figure["versions"], &figure["unknown"]), (&3.into(), &2.into()));
    assert_eq!(figure["ran"], "here");
    assert_eq!(figure["conditions"], serde_json::json!({ "baseline": 2, "backport": 1 }));
    let bins = figure["bins"].as_array().unwrap();
    let filled: Vec<_> = bins.iter().filter(|bin| bin["count"] != 0).map(|bin| bin["to_seconds"].to_string()).collect();
    assert_eq!(filled, ["7.55", "11.97", "15.07"]);
    assert_eq!(figure["published"]["funnel"]["after"]["no-external-data"], "12,720");
    let source = figure["source"].as_str().unwrap();
    let told = "Ours: 3 versions with the wall clock of their cells here, 1 under backport and 2 under baseline; 2 more of \
                unknown run time; study made-up";
    assert!(source.starts_with(told), "{source}");
    let svg = figure_of(folder.path()).picture().svg().unwrap();
    assert!(svg.contains("100.0 % of 3 versions ran at most 600 s") && !svg.contains("Kaggle"), "{svg}");
}

#[test]
fn a_study_of_nothing_has_a_figure_of_nothing() {
    let folder = tempfile::tempdir().unwrap();
    Synthetic::default().write(folder.path());
    for mined in [false, true] {
        if mined {
            put(folder.path(), vec![]);
        }
        let (figure, svg) = (json_of(folder.path()), figure_of(folder.path()).picture().svg().unwrap());
        assert_eq!((&figure["versions"], &figure["share_within_limit"]), (&0.into(), &Value::Null));
        assert_eq!(svg.contains("No mined version has a run time."), mined);
        assert_eq!(svg.contains("No version has a run time."), !mined);
        assert!(!svg.contains("NaN") && !figure.to_string().contains("NaN"), "{svg}");
    }
}

#[test]
fn what_took_exactly_the_limit_is_within_it() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    let odd = [Some(0.0), Some(600.0), Some(600.1), Some(1e9), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY), None];
    put(folder.path(), odd.to_vec());
    let figure = json_of(folder.path());
    assert_eq!((&figure["versions"], &figure["unknown"], &figure["within_limit"]), (&4.into(), &4.into(), &2.into()));
    assert_eq!((&figure["ran"], &figure["conditions"]), (&"on-kaggle".into(), &Value::Null));
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
        let description = "</desc><script>".to_owned();
        let picture = Histogram { title: "a", source: "b", description, ran: Ran::OnKaggle, times: &times };
        let svg = picture.svg().unwrap();
        assert!(!svg.contains("<script"), "{svg}");
        assert_eq!(svg.contains("No mined version has a run time."), times.known() == 0);
    }
}
