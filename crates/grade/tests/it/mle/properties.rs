//! What holds for every submission to a competition of MLE-bench.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use nbrevive_corpus::Direction;
use nbrevive_grade::{Metric, mle_competition};
use proptest::prelude::*;
use serde::Deserialize;

use crate::mle::desk::Desk;

/// Competitions whose answers are also a submission, with an answer for each class of rows.
const PERFECT: [(&str, &str, [&str; 3]); 12] = [
    ("aerial-cactus-identification", "id,has_cactus", ["0", "1", "1"]),
    ("tabular-playground-series-dec-2021", "Id,Cover_Type", ["1", "2", "7"]),
    ("tensorflow-speech-recognition-challenge", "fname,label", ["yes", "no", "\"a, \"\"b\"\"\""]),
    ("aptos2019-blindness-detection", "id_code,diagnosis", ["0", "2", "4"]),
    ("nfl-player-contact-detection", "contact_id,contact", ["0", "1", "1"]),
    ("herbarium-2022-fgvc9", "Id,Predicted", ["3", "5", "700"]),
    ("denoising-dirty-documents", "id,value", ["0.25", "1", "1e308"]),
    ("us-patent-phrase-to-phrase-matching", "id,score", ["0.25", "0.5", "1"]),
    ("hotel-id-2021-fgvc8", "image,hotel_id", ["11", "12", "13"]),
    ("bms-molecular-translation", "image_id,InChI", ["InChI=1S/H2O/h1H2", "\"a\nb\"", "строка"]),
    ("plant-pathology-2021-fgvc8", "image,labels", ["scab", "rust scab", "healthy"]),
    ("tgs-salt-identification-challenge", "id,rle_mask", ["1 20", "", "5 1 10200 2"]),
];

/// Distinct ids, among them ones that need quotes.
fn id(row: usize) -> String {
    match row % 4 {
        0 => format!("строка {row}"),
        1 => format!("\"a, \"\"{row}\"\"\nb\""),
        2 => format!("🦀{row}"),
        _ => format!("{row}.png"),
    }
}

fn csv(header: &str, cells: &[&str], order: &[u64], end: &str) -> String {
    let mut rows: Vec<usize> = (0..cells.len()).collect();
    rows.sort_by_key(|&row| order.get(row));
    rows.into_iter().fold(header.to_owned() + end, |text, row| text + &id(row) + "," + cells[row] + end)
}

fn competition() -> impl Strategy<Value = (&'static str, &'static str, [&'static str; 3])> {
    prop::sample::select(PERFECT.to_vec())
}

/// Which answer each row has, all three occurring, and an order of rows.
fn rows() -> impl Strategy<Value = (Vec<usize>, Vec<u64>)> {
    prop::collection::vec((0..3_usize, any::<u64>()), 3..20).prop_map(|rows| {
        let mut answers: Vec<usize> = rows.iter().map(|row| row.0).collect();
        answers[..3].copy_from_slice(&[0, 1, 2]);
        (answers, rows.iter().map(|row| row.1).collect())
    })
}

#[derive(Deserialize)]
struct Vectors {
    cases: BTreeMap<String, Vec<Texts>>,
}

#[derive(Clone, Debug, Deserialize)]
struct Texts {
    submission: Option<String>,
    answers: Option<String>,
}

/// Every case of the vectors that has its texts.
pub(crate) static CASES: LazyLock<Vec<(String, String, String)>> = LazyLock::new(|| {
    let vectors: Vectors =
        serde_json::from_str(include_str!("../../data/mle-bench-vectors.json")).expect("the vectors are JSON");
    let texts = |(competition, cases): (String, Vec<Texts>)| {
        cases.into_iter().filter_map(move |case| Some((competition.clone(), case.submission?, case.answers?)))
    };
    vectors.cases.into_iter().flat_map(texts).collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_answers_are_the_best_submission((name, header, answers) in competition(), (rows, order) in rows()) {
        let cells: Vec<&str> = rows.iter().map(|&row| answers[row]).collect();
        let desk = Desk::new(name, csv(header, &cells, &[], "\n")).unwrap();
        let best = mle_competition(name).unwrap().metric.best();
        for end in ["\n", "\r\n", "\r"] {
            let score = desk.grade("\u{feff}".to_owned() + &csv(header, &cells, &order, end)).unwrap();
            prop_assert!((score - best).abs() < 1e-12, "{name}: {score}, best is {best}");
        }
    }

    #[test]
    fn no_submission_is_better_than_the_answers(
        (name, header, answers) in competition(),
        (rows, order) in rows(),
        guesses in prop::collection::vec(0..3_usize, 20),
    ) {
        let cells: Vec<&str> = rows.iter().map(|&row| answers[row]).collect();
        let guess: Vec<&str> = guesses.iter().take(rows.len()).map(|&row| answers[row]).collect();
        let desk = Desk::new(name, csv(header, &cells, &[], "\n")).unwrap();
        let score = desk.grade(csv(header, &guess, &[], "\n")).unwrap();
        let metric = mle_competition(name).unwrap().metric;
        let within = match metric.direction() {
            Direction::Maximize => score <= metric.best() + 1e-12 && score >= metric.worst(),
            Direction::Minimize => score >= metric.best() - 1e-12 && score <= metric.worst(),
        };
        prop_assert!(within || score.is_nan() && metric == Metric::Pearson, "{name}: {score}");
        let permuted = desk.grade(csv(header, &guess, &order, "\n")).unwrap();
        let same = permuted == score || (permuted - score).abs() < 1e-12 * score.abs().max(1.0) || score.is_nan();
        prop_assert!(same, "{name}: {permuted}, {score}");
    }

    #[test]
    fn a_missing_number_spoils_the_submission((rows, _) in rows(), place in 0..3_usize, bad in "nan|inf|-inf||x") {
        for (name, header, answers) in [PERFECT[0], PERFECT[3], PERFECT[6]] {
            let cells: Vec<&str> = rows.iter().map(|&row| answers[row]).collect();
            let mut spoiled = cells.clone();
            spoiled[place] = &bad;
            let desk = Desk::new(name, csv(header, &cells, &[], "\n")).unwrap();
            prop_assert!(desk.grade(csv(header, &spoiled, &[], "\n")).is_err(), "{name}");
        }
    }

    /// Whatever stands in a submission, there is an answer.
    #[test]
    fn a_damaged_submission_has_an_answer(
        case in any::<prop::sample::Index>(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), "[0-9a-z ,\"\n:.-]{0,4}", 0..6_usize), 1..5),
    ) {
        let (competition, submission, answers) = case.get(&CASES);
        let desk = Desk::new(competition, answers).unwrap();
        let mut bytes = submission.clone().into_bytes();
        for (place, text, cut) in damages {
            let place = place.index(bytes.len() + 1);
            let end = (place + cut).min(bytes.len());
            bytes.splice(place..end, text.bytes());
        }
        let _ = desk.grade(bytes);
    }
}

#[test]
fn constant_submissions() {
    let grade = |name: &str, header: &str, truth: [&str; 3], constant: &str| {
        let desk = Desk::new(name, csv(header, &truth, &[], "\n")).unwrap();
        desk.grade(csv(header, &[constant; 3], &[], "\n"))
    };
    let (name, header, truth) = PERFECT[0];
    assert_eq!(grade(name, header, truth, "0.3"), Ok(0.5));
    let (name, header, truth) = PERFECT[3];
    assert_eq!(grade(name, header, truth, "2"), Ok(0.0));
    let (name, header, truth) = PERFECT[4];
    assert_eq!(grade(name, header, truth, "1"), Ok(0.0));
    let (name, header, truth) = PERFECT[7];
    assert!(grade(name, header, truth, "0.5").is_ok_and(f64::is_nan));
}

#[test]
fn answers_of_one_class_are_told_apart_from_a_wrong_submission() {
    let desk = Desk::new("aerial-cactus-identification", "id,has_cactus\na,1\nb,1\n").unwrap();
    assert_eq!(desk.grade("id,has_cactus\na,0.1\nb,0.2\n").unwrap_err().kind(), "bad-answers");
    assert_eq!(desk.grade("id,has_cactus\na,0.1\n").unwrap_err().kind(), "wrong-rows");
}

#[test]
fn empty_groups_and_headers_alone() {
    let trips = "tripId,UnixTimeMillis,LatitudeDegrees,LongitudeDegrees\n";
    let desk = Desk::new("smartphone-decimeter-2022", format!("{trips}t,1,37,-122\nu,1,37,-122\n")).unwrap();
    assert_eq!(desk.grade(format!("{trips}t,1,37,-122\nt,2,37,-122\n")).unwrap_err().kind(), "duplicate-ids");
    assert_eq!(desk.grade(trips).unwrap_err().kind(), "wrong-rows");
    let masks = "id,class,predicted,image_width,image_height\nc_slice_1,a,1 2,5,4\n";
    let desk = Desk::new("uw-madison-gi-tract-image-segmentation", masks).unwrap();
    assert!(desk.grade("id,class,predicted\n").is_ok_and(f64::is_nan));
}
