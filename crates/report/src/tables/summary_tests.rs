//! The numbers of the text: every one that the paper prints is counted here, or is known to be nothing that rows can tell.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_corpus::{Condition, FixType, FlowState, Outcome};

use super::list::Table;
use super::summary_table::SummaryTable;
use super::summary_values::{Number, Values};
use crate::calls::CallRow;
use crate::errors::{Errors, Types};
use crate::outcome_line::Line;
use crate::published::Published;
use crate::rows::Data;
use crate::testing::{Synthetic, published_path};

/// Settings of the paper's machine, its corpus before the study, its examples, and what its authors judged by eye.
const NOT_IN_ROWS: [&str; 30] = [
    "age in years from which Kaggle's images are gone",
    "accuracy before, in an example of what is not acceptable",
    "accuracy after, in an example of what is not acceptable",
    "target score in the example",
    "reproduced score in the example",
    "lowest class in the example",
    "highest class in the example",
    "notebooks mined",
    "competitions mined",
    "competitions from the test set of MLE-Bench",
    "competitions from the validation set of MLE-Bench",
    "year of the collection",
    "year of the oldest notebook",
    "cores of the server",
    "clock of the server in GHz",
    "memory of the graphics card in GB",
    "cores of a run",
    "memory of a run in GB",
    "graphics cards of a run",
    "percentile of the token cut-off",
    "token cut-off",
    "notebooks left out as too long",
    "fixes with which most reproducible notebooks become so",
    "fixes from which error-free-reproducible is more frequent",
    "most fixes that the majority needs",
    "p of the associations with the number of fixes",
    "edit similarity to the baseline after 16 fixes, with and without errors",
    "fixes after which errors stay few",
    "least share of an error type shown",
    "share of the reproducible notebooks that are not error-free",
];

/// Causes of errors that were judged by hand.
const BY_HAND: [&str; 6] = [
    "API misuse",
    "mplementation",
    "data confusion",
    "notebook-specific causes",
    "environment settings",
    "library causes",
];

/// A study with something of everything: four versions, two of them modernized, up to 16 fixes.
fn data() -> Data {
    let mut study = Synthetic { similarity: 0.75, ..Synthetic::default() };
    study.add_table(Condition::BASELINE, &[1, 0, 0, 1, 0, 1, 1]);
    study.add_table(Condition::BACKPORT, &[4]);
    study.add(Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 2, 1);
    study.add(Condition::MODERNIZE, Line::ErrorCsvWithin, 3, 1);
    study.add(Condition::MODERNIZE_CELL, Line::ErrorNoCsv, 2, 1);
    study.add(Condition::MODERNIZE_CELL, Line::ErrorFreeCsvWithin, 3, 1);
    for (row, fixes) in study.outcomes.iter_mut().filter(|row| row.condition == Condition::MODERNIZE).zip([1, 4]) {
        row.fixes = fixes;
    }
    let types = FixType::ALL.iter().copied();
    study.fixes = types.clone().map(|fix_type| (fix_type, FlowState::ErrorFreeReproducible)).collect();
    study.fixes.push((FixType::ErrorRepair, FlowState::ErrorReproducible));
    study.made_by = vec![["v000003", "rules", "a"]; 4];
    study.dialogues.calls = types
        .map(|fix_type| CallRow {
            fix_type: Some(fix_type),
            cost: 0.25,
            tokens: Some([10, 20, 30]),
            ..CallRow::default()
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    study.write(folder.path());
    let mut data = Data::read(folder.path()).unwrap();
    data.fixes[3].number = 16;
    data
}

fn errors() -> Errors {
    let types = |count: u64| Types::from([("NameError".to_owned(), count), ("OSError".to_owned(), 1)]);
    Errors {
        by_fix: (0..=16).map(|fixes| types(100 - fixes)).collect(),
        notebooks: vec![1; 17],
        at_end: BTreeMap::from([(Outcome::ErrorReproducible, types(3)), (Outcome::ErrorNonReproducible, types(1))]),
        not_found: 0,
    }
}

fn is_known(name: &str) -> bool {
    NOT_IN_ROWS.contains(&name) || BY_HAND.iter().any(|cause| name.contains(cause))
}

#[test]
fn every_number_of_the_text_is_counted_or_cannot_be() {
    let published = Published::read(&published_path()).unwrap();
    let values = Values::count(&data()).with_errors(&errors());
    let missing: BTreeSet<String> =
        published.sayings().into_iter().map(|(name, _)| name).filter(|name| values.get(name).is_none()).collect();
    let named: BTreeSet<String> = missing.iter().filter(|name| !is_known(name)).cloned().collect();
    assert_eq!(named, BTreeSet::new());
}

#[test]
fn numbers_are_what_their_names_say() {
    let values = Values::count(&data()).with_errors(&errors());
    let expected = [
        ("reproducible at baseline", Number::Count(2)),
        ("share reproducible at baseline", Number::Share(0.5)),
        ("timeouts at baseline", Number::Count(1)),
        ("share reproducible after backporting", Number::Share(1.0)),
        ("notebooks made reproducible", Number::Count(2)),
        ("share made error-reproducible", Number::Share(0.5)),
        ("error-non-reproducible at baseline in the cohort", Number::Count(1)),
        ("fixes per notebook, mean", Number::Mean(2.5)),
        ("fixes per error-reproducible notebook, mean", Number::Mean(4.0)),
        ("error-repair fixes", Number::Count(2)),
        ("error-repair fixes that led to error-reproducible", Number::Count(1)),
        ("runtime-reduction fixes that led to a reproducible state", Number::Count(1)),
        ("edit similarity to the baseline after 16 fixes, after timeouts", Number::Mean(0.75)),
        ("cost per error-repair in USD", Number::Usd(0.25)),
        ("NameErrors after 16 fixes", Number::Count(84)),
        ("errors left in error-reproducible", Number::Count(4)),
        ("share of NameErrors left in error-reproducible", Number::Share(0.75)),
        ("errors left in error-non-reproducible", Number::Count(2)),
        ("made reproducible cell by cell", Number::Count(1)),
        ("made reproducible by file and not cell by cell", Number::Count(1)),
        ("made reproducible cell by cell and not by file", Number::Count(0)),
    ];
    for (name, number) in expected {
        assert_eq!(values.get(name), Some(number), "{name}");
    }
}

#[test]
fn ours_stand_beside_the_published_and_without_them() {
    let published = Published::read(&published_path()).unwrap();
    let text =
        SummaryTable::new(&data(), Values::count(&data()).with_errors(&errors()), Some(&published)).grid().markdown();
    assert!(text.contains("| notebooks made reproducible | 2 | 5,492 / 5,042 | abstract, 1, 4.1 / 4.2 |"), "{text}");
    assert!(text.contains("| notebooks mined | – | 171,075 | 2.1.1 |"), "{text}");
    let alone = SummaryTable::new(&data(), Values::count(&data()), None);
    assert!(alone.grid().markdown().contains("| share made reproducible | 100.0 % |"));
    assert!(!alone.csv().contains("notebooks mined") && !alone.csv().contains("NaN"));
}
