//! What holds for every competition of the list, whatever its metric: how a file is written does not matter, nor in which order
//! its rows stand, and no submission is better than the best.

use std::collections::BTreeSet;

use csv::{QuoteStyle, ReaderBuilder, StringRecord, Terminator, WriterBuilder};
use nbrevive_corpus::Direction;
use nbrevive_grade::{GradingRules, Invalid, Metric, mle_competition, mle_competitions};

use crate::mle::desk::Desk;
use crate::mle::properties::CASES;

/// Competitions whose graders take the rows in the order of the file (facts on MLE-bench, order and id hazards), or whose rows
/// of one id differ.
const IN_ORDER: [&str; 7] = [
    "nomad2018-predict-transparent-conductors",
    "uw-madison-gi-tract-image-segmentation",
    "smartphone-decimeter-2022",
    "vesuvius-challenge-ink-detection",
    "stanford-covid-vaccine",
    "hms-harmful-brain-activity-classification",
    "siim-covid19-detection",
];

/// Metrics whose graders read something in an id.
const READ_IDS: [Metric; 4] = [
    Metric::ModifiedLaplaceLogLikelihood,
    Metric::WeightedMultilabelLogLoss,
    Metric::DiceHausdorff3d,
    Metric::NqMicroF1,
];

fn rows(text: &str) -> Vec<StringRecord> {
    let reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.into_records().map(|record| record.expect("the cases are CSV")).collect()
}

fn written(rows: &[StringRecord], quotes: QuoteStyle, end: Terminator) -> String {
    let mut writer = WriterBuilder::new().quote_style(quotes).terminator(end).flexible(true).from_writer(Vec::new());
    rows.iter().for_each(|row| writer.write_record(row).expect("memory takes it"));
    String::from_utf8(writer.into_inner().expect("it is written")).expect("it was text")
}

fn plain(rows: &[StringRecord]) -> String {
    written(rows, QuoteStyle::Necessary, Terminator::Any(b'\n'))
}

/// Whether two results say the same: scores but for rounding, reasons by their kind.
fn same(left: &Result<f64, Invalid>, right: &Result<f64, Invalid>) -> bool {
    match (left, right) {
        (Ok(left), Ok(right)) => left == right || (left - right).abs() < 1e-9 || left.is_nan() && right.is_nan(),
        (Err(left), Err(right)) => left.kind() == right.kind(),
        _ => false,
    }
}

/// Whether a score is possible at all.
fn is_possible(metric: Metric, score: f64) -> bool {
    match metric.direction() {
        _ if score.is_nan() => true,
        Direction::Maximize => score <= metric.best() + metric.best_within(),
        Direction::Minimize => score >= metric.best() - metric.best_within(),
    }
}

/// Calls `with` for every case that has its texts: rules, submission and answers.
fn each_case(mut with: impl FnMut(&'static GradingRules, &str, &str)) {
    let mut seen = BTreeSet::new();
    for (competition, submission, answers) in CASES.iter() {
        let rules = mle_competition(competition).expect("the cases are of MLE-bench");
        with(rules, submission, answers);
        seen.insert(rules.metric);
    }
    // Rmsle stands in no competition alone, only as the mean of columns.
    let all: BTreeSet<Metric> = mle_competitions().iter().map(|rules| rules.metric).collect();
    assert_eq!(seen, all, "some metric has no case");
}

#[test]
fn line_ends_quotes_and_marks_do_not_matter() {
    each_case(|rules, submission, answers| {
        let desk = Desk::new(&rules.id, answers).expect("the answers are usable");
        let (expected, rows) = (desk.grade(submission), rows(submission));
        for quotes in [QuoteStyle::Necessary, QuoteStyle::Always] {
            for end in [Terminator::CRLF, Terminator::Any(b'\n'), Terminator::Any(b'\r')] {
                let text = "\u{feff}".to_owned() + &written(&rows, quotes, end);
                let found = desk.grade(&text);
                assert!(same(&found, &expected), "{}: {found:?}, expected {expected:?}: {text:?}", rules.id);
            }
        }
    });
}

#[test]
fn the_order_of_rows_does_not_matter() {
    each_case(|rules, submission, answers| {
        if IN_ORDER.contains(&rules.id.as_str()) {
            return;
        }
        let desk = Desk::new(&rules.id, answers).expect("the answers are usable");
        let (expected, mut rows) = (desk.grade(submission), rows(submission));
        rows[1..].reverse();
        let found = desk.grade(plain(&rows));
        // Where a cell is at fault it is another one that is met first.
        let both_refused = found.is_err() && expected.is_err();
        assert!(both_refused || same(&found, &expected), "{}: {found:?}, expected {expected:?}", rules.id);
    });
}

/// Ids with a line end, a quote, a separator and letters of everywhere.
#[test]
fn ids_may_be_any_text() {
    let mut tried = 0;
    each_case(|rules, submission, answers| {
        let Ok(expected) = Desk::new(&rules.id, answers).expect("the answers are usable").grade(submission) else {
            return;
        };
        if READ_IDS.contains(&rules.metric) || IN_ORDER.contains(&rules.id.as_str()) {
            return;
        }
        let strange = |text: &str| {
            let rows = rows(text);
            let place = rows[0].iter().position(|name| name == rules.id_column)?;
            let cell = |(at, cell): (usize, &str)| match at == place {
                true => format!("строка\n\"🦀\", {}", cell.trim_start_matches('0')),
                false => cell.to_owned(),
            };
            let renamed = rows[1..].iter().map(|row| row.iter().enumerate().map(cell).collect::<StringRecord>());
            Some(plain(&std::iter::once(rows[0].clone()).chain(renamed).collect::<Vec<_>>()))
        };
        let (Some(submission), Some(answers)) = (strange(submission), strange(answers)) else { return };
        let found = Desk::new(&rules.id, &answers).expect("the answers are usable").grade(submission);
        assert!(same(&found, &Ok(expected)), "{}: {found:?}, expected {expected}", rules.id);
        tried += 1;
    });
    assert!(tried > 70, "{tried} cases");
}

/// Columns of a submission that are made extreme: some have a hundred, all of one kind.
const MOST_COLUMNS: usize = 5;

/// One cell of each column in turn, and all cells of a column at once, become something extreme.
#[test]
fn extreme_and_constant_cells_give_a_reason_or_a_possible_score() {
    each_case(|rules, submission, answers| {
        let desk = Desk::new(&rules.id, answers).expect("the answers are usable");
        let rows = rows(submission);
        for column in 0..rows[0].len().min(MOST_COLUMNS) {
            for (extreme, all) in
                ["nan", "1e308", "-1e308", "", "inf", "0"].into_iter().flat_map(|cell| [(cell, false), (cell, true)])
            {
                let change = |(number, row): (usize, &StringRecord)| -> StringRecord {
                    let hit = number == 1 || all && number > 1;
                    let cell = |(at, cell)| if hit && at == column { extreme } else { cell };
                    row.iter().enumerate().map(cell).collect()
                };
                let changed: Vec<StringRecord> = rows.iter().enumerate().map(change).collect();
                if let Ok(score) = desk.grade(plain(&changed)) {
                    assert!(is_possible(rules.metric, score), "{}: {score} with {extreme:?}", rules.id);
                }
            }
        }
    });
}

/// Where the answers have the form of a submission, they are the best one.
#[test]
fn the_answers_are_the_best_submission_where_they_are_one() {
    let (mut metrics, mut wrong) = (BTreeSet::new(), Vec::new());
    each_case(|rules, _, answers| {
        let Ok(score) = Desk::new(&rules.id, answers).expect("the answers are usable").grade(answers) else { return };
        // Two empty texts count as 0 there.
        let counts_empty_as_wrong = rules.metric == Metric::MeanWordJaccardBinarized && answers.contains(",\n");
        if score.is_nan() || counts_empty_as_wrong {
            return;
        }
        let best = rules.metric.best();
        if score != best && (score - best).abs() > rules.metric.best_within() {
            wrong.push(format!("{} ({}): {score}, the best is {best}: {answers:?}", rules.id, rules.metric));
        }
        metrics.insert(rules.metric);
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(metrics.len() >= 25, "{metrics:?}");
}
