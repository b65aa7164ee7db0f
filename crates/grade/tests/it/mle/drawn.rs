//! A thousand cases that were drawn at random, with what the original graders say of them: see `docs/grading.md`.

use serde::Deserialize;

use crate::mle::desk::Desk;

const CASES: &str = include_str!("../../data/drawn-cases.jsonl");

#[derive(Deserialize)]
struct Case {
    /// The competition and the number of the draw.
    case: String,
    /// What was done to the files.
    ways: Vec<String>,
    submission: Content,
    answers: Content,
    /// As Python writes it; none where the original refuses.
    score: Option<String>,
}

/// What a file holds.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    /// Bytes that are no UTF-8, each as the character of its number.
    Bytes {
        latin1: String,
    },
}

impl Content {
    fn bytes(self) -> Vec<u8> {
        match self {
            Content::Text(text) => text.into_bytes(),
            Content::Bytes { latin1 } => latin1.chars().map(|character| character as u8).collect(),
        }
    }
}

impl Case {
    /// What differs; none when the original says the same.
    fn difference(self) -> Option<String> {
        let competition = self.case.rsplit_once('/').expect("a case has a number").0;
        let desk = Desk::new(competition, self.answers.bytes());
        let found = desk.ok().and_then(|desk| desk.grade(self.submission.bytes()).ok());
        let expected = self.score.as_deref().map(|score| score.parse().expect("a score is a number"));
        let within = if competition == ANGLES { ANGLES_WITHIN } else { 0.0 };
        (!same(found, expected, within)).then(|| format!("{} {:?}: {found:?}, not {expected:?}", self.case, self.ways))
    }
}

/// Where the cosine of nearly the same directions counts: it differs in its last bit from numpy's, and 2e-8 comes of that.
const ANGLES: &str = "icecube-neutrinos-in-deep-ice";
const ANGLES_WITHIN: f64 = 5e-8;

fn same(left: Option<f64>, right: Option<f64>, within: f64) -> bool {
    match (left, right) {
        (Some(left), Some(right)) if left.is_finite() && right.is_finite() => {
            (left - right).abs() <= (1e-9 * right.abs()).max(1e-12).max(within)
        }
        (Some(left), Some(right)) => left == right || left.is_nan() && right.is_nan(),
        _ => left.is_none() && right.is_none(),
    }
}

#[test]
fn drawn_cases_are_graded_as_the_originals_do() {
    let cases: Vec<Case> = CASES.lines().map(|line| serde_json::from_str(line).expect("a case is JSON")).collect();
    assert!(cases.len() >= 900 && CASES.len() < 2 << 20, "{} cases, {} bytes", cases.len(), CASES.len());
    let wrong: Vec<String> = cases.into_iter().filter_map(Case::difference).collect();
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}
