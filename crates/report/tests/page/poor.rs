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
            "a target of zero, and a score that is no number",
            Study::changed(|name, mut frame| {
                if name == "outcomes" {
                    for (column, values) in [("deviation", [f64::INFINITY, f64::NAN]), ("score", [0.5, f64::NAN])] {
                        let old = frame.column(column).unwrap().f64().unwrap().clone();
                        let new: Vec<Option<f64>> = old
                            .iter()
                            .enumerate()
                            .map(|(row, one)| if row < 4 { Some(values[row % 2]) } else { one })
                            .collect();
                        frame.with_column(Column::new(column.into(), new)).unwrap();
                    }
                }
                Some(frame)
            }),
        ),
    ];
    let browser = Browser::start();
    for (what, study) in &studies {
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
