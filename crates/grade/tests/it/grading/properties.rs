//! What holds for every submission.

use crate::grading::desk::{Desk, prediction, task};
use nbrevive_corpus::{Direction, Prediction};
use nbrevive_grade::{GradingTask, Metric};
use proptest::prelude::*;

const COLUMNS: [&str; 2] = ["id", "target"];

/// Distinct ids, among them ones that need quotes; none means the same number as another.
fn id(row: usize) -> String {
    match row % 5 {
        0 => format!("строка {row}"),
        1 => format!("\"a, \"\"{row}\"\"\nb\""),
        2 => format!("🦀{row}"),
        3 => format!("{row}.png"),
        _ => row.to_string(),
    }
}

/// A CSV with one target column; rows are put in the order that `order` sorts them into.
fn csv(cells: &[f64], order: &[u64]) -> String {
    let mut rows: Vec<usize> = (0..cells.len()).collect();
    rows.sort_by_key(|&row| order.get(row));
    let line = |row: usize| format!("{},{}\n", id(row), cells[row]);
    rows.into_iter().map(line).fold("id,target\n".to_owned(), |text, line| text + &line)
}

fn desk(metric: Metric, truth: &[f64]) -> Desk {
    Desk::new(&task(metric, prediction(metric, &COLUMNS), &COLUMNS), &csv(truth, &[])).expect("the answers are usable")
}

/// Metrics with one target column.
fn metric() -> impl Strategy<Value = Metric> {
    let takes_one = |metric: &Metric| {
        let task = |&prediction| GradingTask::new(*metric, "id", vec!["target".to_owned()], prediction);
        Prediction::ALL.iter().any(|prediction| task(prediction).is_ok())
    };
    let single: Vec<Metric> = Metric::ALL.iter().copied().filter(takes_one).collect();
    prop::sample::select(single)
}

/// Truth and prediction of 0 and 1, valid under every metric, with both classes in the truth, and an order of rows.
fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Vec<u64>)> {
    prop::collection::vec((0..2_u8, 0..2_u8, any::<u64>()), 2..30).prop_map(|rows| {
        let mut truth: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
        (truth[0], truth[1]) = (0.0, 1.0);
        let predicted = rows.iter().map(|row| f64::from(row.1)).collect();
        (truth, predicted, rows.iter().map(|row| row.2).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_truth_is_the_best_submission((truth, predicted, _) in rows(), metric in metric()) {
        let desk = desk(metric, &truth);
        let best = desk.grade(csv(&truth, &[])).unwrap().value();
        prop_assert_eq!(best, metric.best());
        let score = desk.grade(csv(&predicted, &[])).unwrap().value();
        let not_better = if metric.direction() == Direction::Maximize { score <= best } else { score >= best };
        prop_assert!(not_better, "{score} is better than {best}");
    }

    #[test]
    fn the_order_of_rows_does_not_matter((truth, predicted, order) in rows(), metric in metric()) {
        let desk = desk(metric, &truth);
        prop_assert_eq!(desk.grade(csv(&predicted, &order)), desk.grade(csv(&predicted, &[])));
    }

    #[test]
    fn a_constant_prediction_ranks_and_agrees_by_chance((truth, _, _) in rows(), constant in 0.0..=1.0_f64) {
        let cells = vec![constant; truth.len()];
        prop_assert_eq!(desk(Metric::RocAuc, &truth).grade(csv(&cells, &[])).unwrap().value(), 0.5);
        let kappa = desk(Metric::QuadraticWeightedKappa, &truth).grade(csv(&vec![1.0; truth.len()], &[]));
        prop_assert_eq!(kappa.unwrap().value(), 0.0);
    }

    #[test]
    fn reversing_a_ranking_mirrors_its_area((truth, _, order) in rows(), steps in 1..5_u64) {
        let desk = desk(Metric::RocAuc, &truth);
        let ties: Vec<f64> = order.iter().map(|&place| (place % (steps + 1)) as f64 / steps as f64).collect();
        let reversed: Vec<f64> = ties.iter().map(|value| 1.0 - value).collect();
        let sum = desk.grade(csv(&ties, &[])).unwrap().value() + desk.grade(csv(&reversed, &[])).unwrap().value();
        prop_assert!((sum - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_bad_number_spoils_the_submission(
        (truth, predicted, order) in rows(),
        metric in metric(),
        bad in prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ) {
        let mut cells = predicted;
        let place = order[0] as usize % cells.len();
        cells[place] = bad;
        prop_assert_eq!(desk(metric, &truth).grade(csv(&cells, &[])).unwrap_err().kind(), "not-finite");
    }

    #[test]
    fn the_largest_numbers_give_a_score_or_a_reason(
        values in prop::collection::vec((prop::num::f64::NORMAL, prop::num::f64::NORMAL), 1..8),
        metric in prop::sample::select(vec![Metric::Rmse, Metric::Mae]),
    ) {
        let (truth, predicted): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
        let error = |(truth, predicted): (&f64, &f64)| (truth - predicted).abs();
        let sum: f64 = truth.iter().zip(&predicted).map(error).map(|error| if metric == Metric::Mae { error } else { error * error }).sum();
        let graded = desk(metric, &truth).grade(csv(&predicted, &[]));
        prop_assert_eq!(graded.is_err(), !sum.is_finite(), "{:?}", graded);
    }

    /// Whatever the bytes are, there is an answer.
    #[test]
    fn any_bytes_have_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[ab,\"\n\r 01.e-]{0,80}") {
        let desk = desk(Metric::Rmse, &[1.0, 2.0]);
        prop_assert!(desk.grade(bytes).is_err());
        let submission = format!("id,target\n{text}");
        prop_assert!(desk.grade(submission).is_err());
    }
}
