//! Answers and submissions that random draws came upon, with what the public graders say of them.

use serde::Deserialize;

use crate::mle::desk::Desk;

#[derive(Deserialize)]
struct Case {
    competition: String,
    /// What is tried.
    case: String,
    answers: String,
    submission: String,
    /// None where the original gives none; `nan` and `inf` are scores.
    score: Option<serde_json::Value>,
}

impl Case {
    fn expected(&self) -> Option<f64> {
        let score = self.score.as_ref()?;
        score.as_f64().or_else(|| score.as_str()?.parse().ok())
    }

    fn found(&self) -> Option<f64> {
        Desk::new(&self.competition, &self.answers).ok()?.grade(&self.submission).ok()
    }
}

fn same(left: Option<f64>, right: Option<f64>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => {
            left == right || (left - right).abs() <= 1e-9 * right.abs() || left.is_nan() && right.is_nan()
        }
        _ => left.is_none() && right.is_none(),
    }
}

#[test]
fn what_draws_came_upon_is_graded_as_the_originals_do() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../data/found-cases.json")).expect("the cases are JSON");
    assert!(cases.len() > 50);
    let wrong: Vec<String> = cases
        .iter()
        .filter(|case| !same(case.found(), case.expected()))
        .map(|case| format!("{}, {}: {:?}, not {:?}", case.competition, case.case, case.found(), case.expected()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
