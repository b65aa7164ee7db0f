//! Studies with parts missing: a sensible page, or an error that names the file.

use nbrevive_report::{Flaky, write_page};
use polars::prelude::Column;

use crate::browser::Browser;
use crate::fixture::{Study, only};

const NEEDED: [&str; 3] = ["study", "outcomes", "fixes"];

#[test]
fn every_part_that_can_be_missing_leaves_a_sensible_page() {
    let of_condition = |condition: &'static str| {
        Study::changed(move |name, frame| {
            let has = matches!(name, "outcomes" | "fixes" | "executions");
            Some(if has { only(&frame, "condition", |word| word != condition) } else { frame })
        })
    };
    let studies = [
        ("only what tables need", Study::changed(|name, frame| NEEDED.contains(&name).then_some(frame))),
        ("no fixes", Study::changed(|name, frame| Some(if name == "fixes" { frame.head(Some(0)) } else { frame }))),
        (
            "no outcomes",
            Study::changed(|name, frame| Some(if name == "outcomes" { frame.head(Some(0)) } else { frame })),
        ),
        (
            "nothing at all",
            Study::changed(|name, frame| Some(if name == "study" { frame } else { frame.head(Some(0)) })),
        ),
        ("no baseline", of_condition("baseline")),
        ("no modernize", of_condition("modernize")),
        (
            "one version",
            Study::changed(|_, frame| {
                let has = frame.column("version").is_ok();
                Some(if has {
                    only(&frame, "version", |slug| slug == "breast-cancer-lgbm-early-stopping")
                } else {
                    frame
                })
            }),
        ),
        (
            "ids only",
            Study::changed(|name, frame| {
                let written: &[&str] = match name {
                    "versions" => &["title", "exclusion_detail"],
                    "outcomes" => &["environment", "loop_end"],
                    "fixes" => &["patch", "score", "seconds"],
                    "cells" => &["evalue"],
                    "environments" => &["lock", "requirements", "failure_tail"],
                    _ => &[],
                };
                Some(frame.drop_many(written.iter().copied()))
            }),
        ),
        (
            "targets of zero, and scores that are no numbers",
            Study::changed(|name, mut frame| {
                if matches!(name, "outcomes" | "versions") {
                    frame.with_column(Column::new("target_score".into(), vec![0.0; frame.height()])).unwrap();
                }
                if name == "outcomes" {
                    let column = |name: &str| frame.column(name).unwrap().f64().unwrap().clone();
                    let (deviations, scores) = (column("deviation"), column("score"));
                    // Runs that miss any threshold miss it by more than any number, too.
                    let is_far = |deviation: Option<f64>| deviation.is_some_and(|deviation| deviation > 0.1);
                    let infinite: Vec<Option<f64>> =
                        deviations.iter().map(|one| if is_far(one) { Some(f64::INFINITY) } else { one }).collect();
                    assert!(infinite.contains(&Some(f64::INFINITY)));
                    let none: Vec<Option<f64>> = deviations
                        .iter()
                        .zip(scores.iter())
                        .map(|(one, score)| if is_far(one) { Some(f64::NAN) } else { score })
                        .collect();
                    frame.with_column(Column::new("deviation".into(), infinite)).unwrap();
                    frame.with_column(Column::new("score".into(), none)).unwrap();
                }
                Some(frame)
            }),
        ),
    ];
    let studies = studies.into_iter().chain([("no scores", without_scores())]);
    let browser = Browser::start();
    for (what, study) in studies {
        browser.open(&study.page(), "#tau=7.5");
        browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        for place in 0..4 {
            browser.value(&format!("document.querySelectorAll('#list [data-row]')[{place}]?.click()"));
            browser.wait("document.querySelector('#version').childElementCount > 0");
            let text = browser.value("document.body.innerText + [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label')).join('\\n')");
            for word in ["NaN", "null", "undefined", "Infinity", "[object"] {
                let at = text.as_str().unwrap().find(word);
                assert!(
                    at.is_none(),
                    "{what}: `{word}` in print: …{}…",
                    &text.as_str().unwrap()[at.unwrap()..].chars().take(80).collect::<String>()
                );
            }
        }
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{what}");
    }
}

/// The study as if nothing had been asked but how much of the code runs, of versions that belong to no competition.
fn without_scores() -> Study {
    Study::changed(|name, mut frame| {
        let height = frame.height();
        let mut put = |column: Column| frame.with_column(column).map(drop).unwrap();
        let texts = |name: &str| Column::new(name.into(), vec![None::<&str>; height]);
        let numbers = |name: &str| Column::new(name.into(), vec![None::<f64>; height]);
        match name {
            "study" => put(Column::new("judge".into(), ["executability"])),
            "versions" => [texts("competition"), numbers("target_score")].into_iter().for_each(put),
            "outcomes" => {
                let emptied = ["competition", "output_status", "output_reason"].map(texts);
                let numbers = ["target_score", "score", "deviation"].map(numbers);
                emptied.into_iter().chain(numbers).for_each(put);
            }
            "grades" => return None,
            _ => {}
        }
        Some(frame)
    })
}

#[test]
fn a_study_without_scores_speaks_of_what_runs_and_of_no_threshold() {
    let study = without_scores();
    let browser = Browser::start();
    browser.open(&study.page(), "#tau=7.5");
    let text = browser.value("document.querySelector('#headline').innerText");
    let text = text.as_str().unwrap();
    assert!(text.starts_with("How many run") && !text.contains('τ'), "{text}");
    assert_eq!(browser.value("document.querySelector('#threshold').hidden"), true);
    let with_scores = Study::changed(|_, frame| Some(frame));
    browser.open(&with_scores.page(), "");
    assert_eq!(browser.value("document.querySelector('#threshold').hidden"), false);
}

#[test]
fn what_tables_need_is_named_when_it_is_missing() {
    for needed in NEEDED {
        let study = Study::changed(|name, frame| (name != needed).then_some(frame));
        let out = study.folder.path().join("report.html");
        let error = write_page(study.folder.path(), None, Flaky::Show, &out).unwrap_err().to_string();
        assert!(error.contains(&format!("{needed}.parquet")), "{error}");
        assert!(!out.exists());
    }
    let old = Study::changed(|name, frame| Some(if name == "fixes" { frame.drop("led_to").unwrap() } else { frame }));
    let error = write_page(old.folder.path(), None, Flaky::Show, &old.folder.path().join("report.html")).unwrap_err();
    assert!(error.to_string().contains("`led_to`") && error.to_string().contains("fixes.parquet"), "{error}");
}
