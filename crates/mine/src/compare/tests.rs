//! Comparisons of records made by hand.

use serde_json::json;

use super::*;
use crate::raw::ContentHash;
use crate::records::{CodeLanguage, MiningSource, Origin};

fn version(notebook: &str, number: Option<u32>, id: Option<u64>) -> VersionRecord {
    let origin = Origin { source: MiningSource::Browser, request: String::new(), raw: ContentHash::of(b"") };
    VersionRecord { number, id, ..VersionRecord::unknown(notebook.parse().unwrap(), origin) }
}

#[test]
fn the_table_shows_where_sources_disagree() {
    let left = [
        VersionRecord {
            public_score: Some(0.98),
            run_seconds: Some(12.0),
            title: Some("A \u{1b}[31m title".into()),
            created: Some("2022-03-02T10:11:12Z".parse().unwrap()),
            ..version("ada/iris", Some(1), Some(70))
        },
        VersionRecord { language: Some(CodeLanguage::R), ..version("ada/iris", None, Some(71)) },
        version("ada/iris", Some(3), None),
        version("ada/gone", Some(1), None),
    ];
    let right = [
        VersionRecord {
            public_score: Some(0.5),
            run_seconds: Some(12.4),
            title: Some("B".repeat(70)),
            created: Some("2022-03-02T10:11:12.9Z".parse().unwrap()),
            ..version("ada/iris", Some(1), None)
        },
        VersionRecord { language: Some(CodeLanguage::R), gpu: Some(true), ..version("ada/iris", Some(2), Some(71)) },
        version("bob/new", Some(1), None),
        version("bob/new", Some(1), None),
    ];
    let report = compare(left, right);
    insta::assert_snapshot!(report, @"
    2 versions on both sides, 2 on the left alone, 1 on the right alone

    field              agree  disagree  only left  only right
    id                     1         0          1           0
    number                 1         0          0           1
    title                  0         1          0           0
    created                1         0          0           0
    language               1         0          0           0
    public_score           0         1          0           0
    run_seconds            1         0          0           0
    gpu                    0         0          0           1

    ada/iris#1 title: A \u{fffd}[31m title ≠ BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB…
    ada/iris#1 public_score: 0.98 ≠ 0.5
    ");
    assert_eq!(
        (report.only_left.first.clone(), report.only_right.count),
        (vec!["ada/iris#3".into(), "ada/gone#1".into()], 1)
    );
    let value = serde_json::to_value(&report).unwrap();
    assert_eq!(value["fields"][0]["field"], json!("id"));
    assert_eq!(serde_json::from_value::<Report>(value).unwrap(), report);
}

#[test]
fn many_disagreements_are_counted_and_the_first_listed() {
    let side = |title: &str| {
        let title = title.to_owned();
        (1..=150)
            .map(move |number| VersionRecord { title: Some(title.clone()), ..version("ada/iris", Some(number), None) })
    };
    let report = compare(side("a"), side("b"));
    assert_eq!((report.both, report.disagree(), report.disagreements.len()), (150, 150, LISTED));
    assert!(report.to_string().ends_with("… and 50 more\n"));
    assert_eq!(compare(side("a"), side("a")).disagree(), 0);
}

#[test]
fn every_field_of_a_version_is_compared_but_its_origin() {
    let record = version("ada/iris", Some(1), Some(2));
    let value = serde_json::to_value(&record).unwrap();
    let mut fields: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    fields.retain(|field| !["notebook", "origin"].contains(field));
    let mut compared: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    fields.sort_unstable();
    compared.sort_unstable();
    assert_eq!(fields, compared);
}
