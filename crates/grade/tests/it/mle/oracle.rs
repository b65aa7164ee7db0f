//! Every metric that scikit-learn, numpy or scipy have, on a thousand random cases each.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use nbrevive_grade::metrics::{self, Angle, Direction3, Overlap, TokenCounts};
use serde::Deserialize;

/// Random cases a metric.
const CASES: usize = 300;

/// The largest difference, absolute below 1 and relative above.
const TOLERANCE: f64 = 1e-9;

#[derive(Debug, Deserialize)]
struct Case {
    metric: String,
    truth: Vec<Vec<f64>>,
    predicted: Vec<Vec<f64>>,
    score: Option<f64>,
}

impl Case {
    fn value(&self) -> f64 {
        let (truth, predicted) = (&self.truth, &self.predicted);
        let (y, p) = (truth[0].as_slice(), predicted[0].as_slice());
        match self.metric.as_str() {
            "accuracy" => metrics::accuracy(y, p),
            "macro_f1" => self.macro_f1(),
            "micro_f1" => metrics::micro_f1(self.tokens()),
            "matthews" => metrics::matthews_correlation(&whole(y), &whole(p)),
            "kappa" => metrics::quadratic_weighted_kappa(&whole(y), &whole(p)).unwrap_or(f64::NAN),
            "roc_auc" => metrics::roc_auc(&yes(y), p),
            "average_precision" => metrics::average_precision(p.iter().copied().zip(yes(y)).collect()),
            "binary_log_loss" => metrics::binary_log_loss(&yes(y), p),
            "multiclass_log_loss" => metrics::multiclass_log_loss(&self.classes(), predicted),
            "kl_divergence" => metrics::kl_divergence(truth, predicted, &vec![true; truth.len()]),
            "rmse" => metrics::rmse(y, p),
            "mae" => metrics::mae(y, p),
            "rmsle" => metrics::rmsle(y, p),
            "pearson" => metrics::pearson(y, p),
            "spearman" => metrics::spearman(y, p),
            "kendall" => self.order(),
            "label_ranking" => {
                let truth: Vec<Vec<bool>> = truth.iter().map(|column| yes(column)).collect();
                metrics::label_ranking(&truth, predicted).unwrap_or(f64::NAN)
            }
            "jaccard" => self.jaccard(),
            "dice" => metrics::dice(self.overlap()).unwrap_or(f64::NAN),
            "f_half" => metrics::f_half(self.overlap()),
            "hausdorff" => metrics::hausdorff(&points(truth), &points(predicted)),
            "angular_error" => {
                let at =
                    |columns: &[Vec<f64>], row: usize| Direction3 { azimuth: columns[0][row], zenith: columns[1][row] };
                metrics::mean_angular_error((0..y.len()).map(|row| (at(truth, row), at(predicted, row))))
            }
            "haversine" => {
                let place = |latitude, longitude| (Angle::of_degrees(latitude), Angle::of_degrees(longitude));
                metrics::haversine(place(y[0], truth[1][0]), place(p[0], predicted[1][0]))
            }
            "percentiles" => metrics::mean_of_median_and_tail(y.to_vec()),
            other => panic!("oracle.py knows a metric that this test does not: {other}"),
        }
    }

    /// By both ways to count, which have to agree.
    fn macro_f1(&self) -> f64 {
        let numbers = |column: &[f64]| column.iter().map(|&value| value as i128).collect::<Vec<_>>();
        let (truth, predicted) = (numbers(&self.truth[0]), numbers(&self.predicted[0]));
        let score = metrics::macro_f1(&truth, &predicted);
        assert!((metrics::macro_f1_of_numbers(&truth, &predicted) - score).abs() < TOLERANCE, "{self:?}");
        score
    }

    fn classes(&self) -> Vec<usize> {
        let rows = 0..self.truth[0].len();
        rows.map(|row| self.truth.iter().position(|column| column[row] == 1.0).expect("each row has a class")).collect()
    }

    fn tokens(&self) -> TokenCounts {
        let Overlap { both, truth, predicted } = self.overlap();
        TokenCounts { right: both, truth, predicted }
    }

    fn overlap(&self) -> Overlap {
        let pairs = self.truth.iter().flatten().zip(self.predicted.iter().flatten());
        let count = |wanted: fn(f64, f64) -> bool| pairs.clone().filter(|(y, p)| wanted(**y, **p)).count() as u64;
        Overlap {
            both: count(|y, p| y == 1.0 && p == 1.0),
            truth: count(|y, _| y == 1.0),
            predicted: count(|_, p| p == 1.0),
        }
    }

    /// Each row as a text of the columns that are marked.
    fn jaccard(&self) -> f64 {
        let text = |columns: &[Vec<f64>], row: usize| {
            let marked = (0..columns.len()).filter(|&column| columns[column][row] == 1.0);
            marked.map(|column| format!("w{column} ")).collect::<String>()
        };
        let rows = self.truth[0].len();
        let share = |row| metrics::jaccard(&text(&self.truth, row), &text(&self.predicted, row)).unwrap_or(0.0);
        (0..rows).map(share).sum::<f64>() / rows as f64
    }

    fn order(&self) -> f64 {
        let names = |column: &[f64]| column.iter().map(ToString::to_string).collect::<Vec<String>>();
        let (truth, predicted) = (names(&self.truth[0]), names(&self.predicted[0]));
        // The names of the prediction by rank: a permutation and its inverse have the same number of inversions.
        metrics::kendall_tau_pooled([(words(&truth), words(&predicted))].into_iter()).expect("both have the same names")
    }
}

fn words(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn whole(column: &[f64]) -> Vec<i64> {
    column.iter().map(|&value| value as i64).collect()
}

fn yes(column: &[f64]) -> Vec<bool> {
    column.iter().map(|&value| value == 1.0).collect()
}

fn points(columns: &[Vec<f64>]) -> Vec<[f64; 3]> {
    (0..columns[0].len()).map(|row| [0, 1, 2].map(|axis| columns[axis][row])).collect()
}

/// The interpreter that `scripts/setup --for-tests` puts scikit-learn beside.
fn interpreter() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = folder("NBREVIVE_HOME")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("nbrevive")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/nbrevive")))
        .expect("there is a home folder");
    let python = home.join("tools/oracle-venv/bin/python");
    assert!(python.exists(), "{} is missing: run scripts/setup --for-tests", python.display());
    python
}

#[test]
fn scikit_learn_numpy_and_scipy_agree() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mle/oracle.py");
    let mut oracle = Command::new(interpreter())
        .args(["-I", script, &CASES.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the interpreter starts");
    let lines = BufReader::new(oracle.stdout.take().expect("its output is piped")).lines();
    let mut cases: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    for line in lines {
        let case: Case = serde_json::from_str(&line.expect("the oracle writes text")).expect("the oracle writes cases");
        let (found, expected) = (case.value(), case.score.unwrap_or(f64::NAN));
        let close =
            (found - expected).abs() <= TOLERANCE * expected.abs().max(1.0) || found.is_nan() && expected.is_nan();
        if !close {
            wrong.entry(case.metric.clone()).or_insert_with(|| format!("{found}, expected {expected}: {case:?}"));
        }
        *cases.entry(case.metric).or_default() += 1;
    }
    assert!(oracle.wait().expect("the oracle ends").success());
    assert!(wrong.is_empty(), "metrics differ: {wrong:#?}");
    assert_eq!(cases.len(), 24);
    assert!(cases.values().all(|&count| count == CASES), "{cases:?}");
}
