//! The scores that the public graders of MLE-bench returned for synthetic cases, and the medals of their leaderboards.

use std::collections::BTreeMap;

use nbrevive_corpus::Direction;
use nbrevive_grade::{Leaderboard, Medal, mle_competition, mle_competitions};
use serde::Deserialize;

use crate::mle::desk::Desk;

const VECTORS: &str = include_str!("../../data/mle-bench-vectors.json");

#[derive(Deserialize)]
struct Vectors {
    medals: Vec<MedalCase>,
    cases: BTreeMap<String, Vec<Case>>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    submission: Option<String>,
    answers: Option<String>,
    score: serde_json::Value,
}

impl Case {
    /// The text of the submission and of the answers. A generated case has one row a class: row k has class k marked, and its
    /// prediction puts 0.5 (odd k) or 0.1 (even k) on class k and the rest evenly on the others.
    fn texts(&self, competition: &str) -> (String, String) {
        if let (Some(submission), Some(answers)) = (&self.submission, &self.answers) {
            return (submission.clone(), answers.clone());
        }
        let names = &mle_competition(competition).expect("it is one of MLE-bench").target_columns;
        let classes = names.len();
        let header = format!("id,{}\n", names.join(","));
        let (mut submission, mut answers) = (header.clone(), header);
        for row in 0..classes {
            let right = if row % 2 == 1 { 0.5 } else { 0.1 };
            let rest = (1.0 - right) / (classes - 1) as f64;
            let line = |own: f64, other: f64| {
                let cells = (0..classes).map(|class| if class == row { own } else { other }.to_string());
                format!("{row},{}\n", cells.collect::<Vec<_>>().join(","))
            };
            submission += &line(right, rest);
            answers += &line(1.0, 0.0);
        }
        (submission, answers)
    }

    /// Why we refuse what the original refuses.
    fn expected_kind(&self) -> &'static str {
        match self.case.as_str() {
            "prob_out_of_range" | "negative_prediction" | "row_not_summing_to_one" | "below_1_is_invalid" => {
                "out-of-range"
            }
            "missing_row" => "wrong-rows",
            "missing_column" => "wrong-columns",
            "wrong_id" => "wrong-ids",
            "nan_prediction" => "not-finite",
            "string_yes_vs_bool" | "continuous_floats" | "float_continuous_predictions" | "probabilities_error" => {
                "unknown-label"
            }
            "single_class_answers" => "bad-answers",
            "both_empty_row_is_error" => "wrong-encoding",
            other => panic!("no reason is known for {other}"),
        }
    }
}

fn vectors() -> Vectors {
    serde_json::from_str(VECTORS).expect("the vectors are JSON")
}

#[test]
fn the_public_graders_agree() {
    let vectors = vectors();
    assert_eq!(vectors.cases.values().map(Vec::len).sum::<usize>(), 148);
    let mut wrong = Vec::new();
    for (competition, cases) in &vectors.cases {
        for case in cases {
            let (submission, answers) = case.texts(competition);
            let graded = Desk::new(competition, &answers).expect("the answers are usable").grade(submission);
            let agrees = match (&graded, &case.score) {
                (Ok(score), serde_json::Value::String(_)) => score.is_nan(),
                (Ok(score), expected) => expected.as_f64().is_some_and(|expected| {
                    let rounded = (score * 1e5).round_ties_even() / 1e5;
                    (rounded - expected).abs() < 1e-9
                }),
                (Err(invalid), expected) => expected.is_null() && invalid.kind() == case.expected_kind(),
            };
            if !agrees {
                wrong.push(format!("{competition} {}: {graded:?}, expected {}", case.case, case.score));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_competition_has_a_case() {
    let vectors = vectors();
    for competition in mle_competitions() {
        assert!(vectors.cases.contains_key(&competition.id), "{}", competition.id);
    }
}

#[derive(Deserialize)]
struct MedalCase {
    num_teams: u32,
    is_lower_better: bool,
    score: f64,
    gold_medal: bool,
    silver_medal: bool,
    bronze_medal: bool,
    above_median: bool,
    gold_threshold: f64,
    silver_threshold: f64,
    bronze_threshold: f64,
    median_threshold: f64,
}

#[test]
fn medals_agree() {
    let cases = vectors().medals;
    assert_eq!(cases.len(), 9);
    for case in cases {
        let share = |place: u32| (f64::from(place) / f64::from(case.num_teams) * 1e6).round() / 1e6;
        let score = |place| if case.is_lower_better { share(place) } else { 1.0 - share(place) };
        let score = |place| (score(place) * 1e6).round() / 1e6;
        let board = Leaderboard::of(&(0..case.num_teams).map(score).collect::<Vec<f64>>()).unwrap();
        let found = [board.gold, board.silver, board.bronze, board.median];
        let expected = [case.gold_threshold, case.silver_threshold, case.bronze_threshold, case.median_threshold];
        let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
        assert!(close, "{} teams: {found:?}, expected {expected:?}", case.num_teams);
        let direction = if case.is_lower_better { Direction::Minimize } else { Direction::Maximize };
        let medal = match (case.gold_medal, case.silver_medal, case.bronze_medal) {
            (true, ..) => Some(Medal::Gold),
            (_, true, _) => Some(Medal::Silver),
            (_, _, true) => Some(Medal::Bronze),
            _ => None,
        };
        assert_eq!(board.medal(case.score, direction), medal, "{} teams", case.num_teams);
        assert_eq!(board.is_above_median(case.score, direction), case.above_median, "{} teams", case.num_teams);
    }
}
