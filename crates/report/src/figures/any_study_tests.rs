//! Whatever a small study holds, what is printed are numbers, and they fit together.

use std::path::Path;

use nbrevive_corpus::{Condition, FixType, FlowState, OutputStatus, Roles};
use nbrevive_stats::Random;
use polars::prelude::Column;

use super::Figures;
use crate::inputs::Inputs;
use crate::outcome_line::Line;
use crate::tables::Tables;
use crate::testing::{Synthetic, published_path, write};
use crate::{Flaky, audit_tables, render, write_page};

/// One of some values.
fn one<T: Copy>(values: &[T], random: &mut Random) -> T {
    values[random.below(values.len() as u64) as usize]
}

/// Up to five versions, under whatever conditions, with whatever outcomes, fixes and extreme numbers.
fn any_study(seed: u64) -> Synthetic {
    let random = &mut Random::stream(seed, 0);
    let mut study = Synthetic { tau: one(&[0.0, -0.0, 0.1, 1.0], random), ..Synthetic::default() };
    let (beyond, within) = ([study.tau * 1.5 + 1e-300, 1e300, f64::INFINITY], [0.0, study.tau / 3.0, study.tau]);
    let versions = random.below(6) as usize;
    for condition in Condition::PRESETS {
        if random.below(4) == 0 {
            continue;
        }
        for version in 0..versions {
            if random.below(5) == 0 {
                continue;
            }
            study.add(*condition, one(&Line::of(&Roles::default(), *condition), random), version, 1);
            let Some(row) = study.outcomes.last_mut() else { continue };
            let has_score = row.output_status == Some(OutputStatus::Csv);
            let deviations = if row.outcome.is_reproducible() { within } else { beyond };
            row.deviation = has_score.then(|| one(&deviations, random));
            row.fixes = if condition.paper_role().repairs() { one(&[0, 1, 1, 2, 16], random) } else { 0 };
            row.seconds = one(&[0.0, 1e-9, 0.5, 600.0], random);
        }
    }
    let fixes = random.below(8);
    study.fixes = (0..fixes).map(|_| (one(FixType::ALL, random), one(FlowState::COLUMNS, random))).collect();
    study.similarity = one(&[0.0, 0.5, 1.0], random);
    study
}

/// Writes the study, and sizes of its versions; where all are equal there is no correlation.
fn write_study(seed: u64, folder: &Path) {
    any_study(seed).write(folder);
    let random = &mut Random::stream(seed, 1);
    let names: Vec<String> = (0..5).map(|version| format!("v{version:06}")).collect();
    let mut column = |name: &str| {
        let sizes: Vec<Option<u32>> =
            (0..5).map(|_| one(&[None, Some(0), Some(3), Some(3), Some(9)], random)).collect();
        Column::new(name.into(), sizes)
    };
    let columns = vec![Column::new("version".into(), names), column("code_cells"), column("code_lines")];
    write(&folder.join("versions.parquet"), columns);
}

/// No NaN, no infinity, no zero with a sign.
fn assert_numbers(name: &str, text: &str) {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '.' | '-' | '+' | '_');
    for word in text.split(|character: char| !is_part(character)) {
        let bare = word.trim_start_matches(['-', '+']).to_lowercase();
        assert!(!matches!(bare.as_str(), "nan" | "inf" | "infinity"), "`{word}` in {name}:\n{text}");
        let is_zero = word.parse::<f64>().is_ok_and(|value| value == 0.0);
        assert!(!(is_zero && word.starts_with('-')), "`{word}` in {name}:\n{text}");
    }
}

fn assert_files(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind != "png") {
            assert_numbers(&path.display().to_string(), &std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn tables_and_flows_of_any_study_are_numbers_that_fit_together() {
    for seed in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        write_study(seed, folder.path());
        let out = folder.path().join("out");
        let inputs = Inputs::read(folder.path(), Some(&published_path()), Flaky::Show).unwrap();
        let (tables, _) = Tables::count(&inputs).unwrap();
        tables.products().iter().for_each(|product| drop(product.write(&out, &[]).unwrap()));
        assert_numbers("the terminal", &tables.terminal());
        std::fs::create_dir_all(out.join("figures")).unwrap();
        for figure in Figures::count(&inputs).unwrap().iter() {
            std::fs::write(out.join(format!("figures/figure{}.json", figure.name())), figure.json().to_string())
                .unwrap();
            assert_numbers(figure.name(), &figure.svg().unwrap());
        }
        ["tables", "figures"].into_iter().for_each(|part| assert_files(&out.join(part)));
        let audit = audit_tables(&out).unwrap();
        assert_eq!(audit.findings, [""; 0], "seed {seed}");
    }
}

#[test]
fn whole_reports_of_some_studies_are_numbers() {
    for seed in 200..202 {
        let folder = tempfile::tempdir().unwrap();
        write_study(seed, folder.path());
        render(folder.path(), None, Flaky::LeaveOut, &folder.path().join("out")).unwrap();
        ["out/tables", "out/figures"].into_iter().for_each(|part| assert_files(&folder.path().join(part)));
    }
}

#[test]
fn a_study_of_no_versions_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    Synthetic::default().write(folder.path());
    let text = render(folder.path(), None, Flaky::Show, &folder.path().join("out")).unwrap().text;
    assert!(text.contains("no version was run under baseline"), "{text}");
    assert_files(&folder.path().join("out/tables"));
}

/// Every target is zero: what has a score is exactly there, or further away than any number.
fn study_of_targets_of_zero() -> Synthetic {
    let mut study = Synthetic::default();
    for condition in Condition::PRESETS {
        for (version, line) in Line::of(&Roles::default(), *condition).into_iter().enumerate() {
            study.add(*condition, line, version, 1);
        }
    }
    for row in &mut study.outcomes {
        row.target_score = Some(0.0);
        let is_scored = row.output_status == Some(OutputStatus::Csv);
        row.deviation = is_scored.then_some(if row.outcome.is_reproducible() { 0.0 } else { f64::INFINITY });
        row.fixes = u32::from(row.condition.paper_role().repairs());
    }
    study.fixes = vec![(FixType::ScoreCalibration, FlowState::ErrorFreeNonReproducible)];
    study
}

#[test]
fn a_study_whose_targets_are_all_zero_is_counted_and_drawn_in_numbers() {
    let folder = tempfile::tempdir().unwrap();
    study_of_targets_of_zero().write(folder.path());
    let out = folder.path().join("out");
    let text = render(folder.path(), Some(&published_path()), Flaky::Show, &out).unwrap().text;
    assert_numbers("the terminal", &text);
    ["tables", "figures"].into_iter().for_each(|part| assert_files(&out.join(part)));
    assert_eq!(audit_tables(&out).unwrap().findings, [""; 0]);
    let table = |name: &str| std::fs::read_to_string(out.join("tables").join(name)).unwrap();
    let lines = |text: &str, of: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with(of)).map(str::to_owned).collect()
    };
    // However large τ is, nothing more is within it; and of targets that are not tiny there is none.
    let within = lines(&table("curve-tau.csv"), "baseline,");
    assert!(within.len() > 10 && within.iter().all(|line| line.contains(",2,8,0.25,")), "{within:?}");
    insta::assert_snapshot!(lines(&table("sensitivity.csv"), "baseline,").join("\n"), @r"
    baseline,as in the tables,2,8,0.25,0.071479,0.590725
    baseline,without flaky versions (not measured),0,0,,,
    baseline,without targets closer to zero than 0.001,0,0,,,
    baseline,without targets closer to zero than 0.01,0,0,,,
    baseline,without targets closer to zero than 0.1,0,0,,,
    baseline,or within 0.001 of the target,2,8,0.25,0.071479,0.590725
    ");
    write_page(folder.path(), Some(&published_path()), Flaky::Show, &out.join("report.html")).unwrap();
}

/// Tables and figures ask for a role, so what a study calls the condition of it is a word like any other.
#[test]
fn a_study_may_call_the_papers_conditions_what_it_likes() {
    // As long as the names of the paper, since lines break by length, and in their order.
    let names = ["own-base", "own-date", "own-mends", "own-mends-cell"];
    for seed in 0..10 {
        let [papers, own] = [false, true].map(|is_own| {
            let (folder, mut study) = (tempfile::tempdir().unwrap(), any_study(seed));
            if is_own {
                study.names = names.map(str::to_owned).into();
            }
            study.write(folder.path());
            let out = folder.path().join("out");
            let rendered = crate::render(folder.path(), Some(&published_path()), Flaky::Show, &out).unwrap();
            let text = |path: &std::path::PathBuf| {
                let name = path.strip_prefix(&out).unwrap().display().to_string();
                let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
                // What follows is drawn as outlines.
                (name, text.split("</desc>").next().unwrap().to_owned())
            };
            rendered.files.iter().filter(|path| path.extension().unwrap() != "png").map(text).collect::<Vec<_>>()
        });
        let files = |all: &[(String, String)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(files(&own), files(&papers), "study {seed}");
        for ((name, papers), (_, mut own)) in papers.into_iter().zip(own) {
            for (condition, word) in Condition::PRESETS.iter().zip(names) {
                own = own.replace(word, condition.as_str());
            }
            // Whose keys are in the order of the names.
            if name.ends_with(".json") {
                let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
                assert_eq!(value(&own), value(&papers), "{name} of study {seed}");
            } else {
                assert_eq!(own, papers, "{name} of study {seed}");
            }
        }
    }
}
