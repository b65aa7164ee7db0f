//! The scores of the public graders of MLE-bench (`vectors.json`) and of scikit-learn (`reference.json`).

use crate::grading::desk::{Desk, prediction, task};
use nbrevive_corpus::Prediction;
use nbrevive_grade::Metric;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    competition: String,
    case: String,
    metric: Metric,
    prediction: Prediction,
    id_column: String,
    target_columns: Vec<String>,
    classes: usize,
    submission: String,
    answers: String,
    score: Option<f64>,
}

impl Vector {
    /// Writes the text of a generated case: row k has class k marked, and its prediction puts 0.5 (odd k) or 0.1 (even k)
    /// on class k and the rest evenly on the others.
    fn generate(&mut self) {
        let classes = self.classes;
        self.target_columns = (0..classes).map(|class| format!("class {class}")).collect();
        let header = format!("id,{}\n", self.target_columns.join(","));
        (self.submission, self.answers) = (header.clone(), header);
        for row in 0..classes {
            let right = if row % 2 == 1 { 0.5 } else { 0.1 };
            let rest = (1.0 - right) / (classes - 1) as f64;
            let cells = |own: f64, other: f64| {
                let cell = |class| if class == row { own.to_string() } else { other.to_string() };
                (0..classes).map(cell).collect::<Vec<_>>().join(",")
            };
            self.submission += &format!("d{row},{}\n", cells(right, rest));
            self.answers += &format!("d{row},{}\n", cells(1.0, 0.0));
        }
    }

    /// The score rounded as in the reports, or the kind of the reason.
    fn outcome(&self) -> Result<f64, &'static str> {
        let columns: Vec<&str> =
            [&self.id_column].into_iter().chain(&self.target_columns).map(String::as_str).collect();
        let task = task(self.metric, self.prediction, &columns);
        let desk = Desk::new(&task, &self.answers).map_err(|_| "answers")?;
        desk.grade(&self.submission).map(|score| score.rounded()).map_err(|invalid| invalid.kind())
    }

    /// Why we refuse what the original refuses.
    fn expected_kind(&self) -> &'static str {
        match self.case.as_str() {
            "prob_out_of_range" | "negative_prediction" | "row_not_summing_to_one" => "out-of-range",
            "missing_row" => "wrong-rows",
            "wrong_id" => "wrong-ids",
            "nan_prediction" => "not-finite",
            "string_yes_vs_bool" => "not-numeric",
            "continuous_floats" | "float_continuous_predictions" => "unknown-label",
            "single_class_answers" => "answers",
            other => panic!("no reason is known for {other}"),
        }
    }
}

#[test]
fn the_public_graders_agree() {
    let vectors: Vectors = serde_json::from_str(include_str!("../../vectors.json")).unwrap();
    assert_eq!(vectors.cases.len(), 79);
    for mut vector in vectors.cases {
        if vector.classes > 0 {
            vector.generate();
        }
        let name = format!("{} {}", vector.competition, vector.case);
        match vector.score {
            Some(score) => assert_eq!(vector.outcome(), Ok(score), "{name}"),
            None => assert_eq!(vector.outcome(), Err(vector.expected_kind()), "{name}"),
        }
    }
}

#[derive(Deserialize)]
struct References {
    cases: Vec<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    name: String,
    metric: Metric,
    truth: Vec<Vec<f64>>,
    predicted: Vec<Vec<f64>>,
    score: f64,
}

impl Reference {
    fn csv(&self, columns: &[Vec<f64>]) -> String {
        let mut text = self.columns().join(",") + "\n";
        for row in 0..columns[0].len() {
            let cells: Vec<String> = columns.iter().map(|column| column[row].to_string()).collect();
            text += &format!("{row},{}\n", cells.join(","));
        }
        text
    }

    fn columns(&self) -> Vec<String> {
        let targets = (0..self.truth.len()).map(|column| format!("target {column}"));
        ["row".to_owned()].into_iter().chain(targets).collect()
    }
}

#[test]
fn scikit_learn_agrees() {
    let references: References = serde_json::from_str(include_str!("../../reference.json")).unwrap();
    for case in references.cases {
        let columns = case.columns();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let desk =
            Desk::new(&task(case.metric, prediction(case.metric, &columns), &columns), &case.csv(&case.truth)).unwrap();
        let score = desk.grade(case.csv(&case.predicted)).unwrap().value();
        let error = (score - case.score).abs();
        assert!(error <= 1e-12 * case.score.abs(), "{} {}: {score}, expected {}", case.name, case.metric, case.score);
    }
}
