//! The one door for competitions of all kinds.

use std::path::Path;

use nbrevive_corpus::Competition;

use crate::scanner::{Fields, Scanner};
use crate::{
    Answers, AnswersError, GradingRules, GradingTask, Invalid, Metric, MleAnswers, Score, SubmissionLimits, TaskError,
    grade_within,
};

/// A competition's answers with the rules that it is graded by, shared by threads.
#[derive(Debug)]
pub enum Grader {
    /// By what the target columns hold: rows are paired by id, every value is checked.
    ByPrediction(Answers),
    /// By the checks that are named, as MLE-bench grades.
    ByChecks(Box<MleAnswers>),
}

/// Why there is no grader.
#[derive(Debug, thiserror::Error)]
pub enum GraderError {
    /// The description does not fit its metric.
    #[error("competition `{competition}`: {error}")]
    Task {
        /// The slug.
        competition: String,
        /// What does not fit.
        error: TaskError,
    },
    /// The answers cannot be used.
    #[error(transparent)]
    Answers(#[from] AnswersError),
}

impl Grader {
    /// The grader of a competition, with the answers at the place that its description names below `prepared`.
    ///
    /// # Errors
    /// When the description does not fit its metric, or the answers cannot be used.
    pub fn of(competition: &Competition, prepared: &Path) -> Result<Self, GraderError> {
        Self::with_answers(competition, &prepared.join(&competition.answers))
    }

    /// The grader of a competition, with the answers of this file.
    ///
    /// # Errors
    /// As [`Grader::of`].
    pub fn with_answers(competition: &Competition, answers: &Path) -> Result<Self, GraderError> {
        let unfit = |error| GraderError::Task { competition: competition.id.clone(), error };
        match (competition.prediction, competition.checks.is_empty()) {
            (Some(_), true) => {
                let task = GradingTask::try_from(competition).map_err(unfit)?;
                Ok(Grader::ByPrediction(Answers::read(answers, &task)?))
            }
            (None, false) => {
                let rules = GradingRules::try_from(competition).map_err(unfit)?;
                Ok(Grader::ByChecks(Box::new(MleAnswers::read(answers, &rules)?)))
            }
            _ => Err(unfit(TaskError::NoRules)),
        }
    }

    /// How a submission is scored.
    #[must_use]
    pub const fn metric(&self) -> Metric {
        match self {
            Grader::ByPrediction(answers) => answers.task().metric,
            Grader::ByChecks(answers) => answers.rules().metric,
        }
    }

    /// The column that names a row, and those that are scored.
    #[must_use]
    pub fn columns(&self) -> (&str, &[String]) {
        match self {
            Grader::ByPrediction(answers) => (&answers.task().id_column, &answers.task().target_columns),
            Grader::ByChecks(answers) => (&answers.rules().id_column, answers.target_columns()),
        }
    }

    /// The score of the submission at `path`, of which not more than `limits` is read. By checks it may be NaN or infinite.
    ///
    /// # Errors
    /// The reason why there is no score.
    pub fn grade(&self, submission: &Path, limits: &SubmissionLimits) -> Result<f64, Invalid> {
        match self {
            Grader::ByPrediction(answers) => grade_within(submission, answers, limits).map(Score::value),
            Grader::ByChecks(answers) => answers.grade(submission, limits),
        }
    }

    /// The score for a study, which is a number: the limits are the default ones.
    ///
    /// # Errors
    /// The reason why there is no score; one that is NaN or infinite is none.
    pub fn score(&self, submission: &Path) -> Result<Score, Invalid> {
        let value = self.grade(submission, &SubmissionLimits::default())?;
        Score::new(value).ok_or(Invalid::Undefined { why: "the score is not a finite number" })
    }
}

/// The submission in which every row has the cells of the next one but its own id, for tests of a competition: worse than the
/// right one. None when `text` is no CSV with this column.
#[must_use]
pub fn shifted(text: &str, id_column: &str) -> Option<String> {
    let mut scanner = Scanner::new(text, usize::MAX);
    let (mut fields, mut rows) = (Fields::new(), Vec::new());
    while scanner.next_row(&mut fields).ok()?.is_some() {
        rows.push(fields.iter().map(str::to_owned).collect::<Vec<String>>());
    }
    let (header, rows) = rows.split_first_mut()?;
    let id = header.iter().position(|name| name == id_column)?;
    let ids: Vec<_> = rows.iter().map(|row| row.get(id).cloned().unwrap_or_default()).collect();
    rows.rotate_left(usize::from(!rows.is_empty()));
    for (row, own) in rows.iter_mut().zip(ids) {
        row.resize(row.len().max(id + 1), Default::default());
        row[id] = own;
    }
    let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
    let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
    Some(std::iter::once(&*header).chain(&*rows).map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn competition(rules: &str) -> Competition {
        let text = format!(
            "id = \"tiny\"\ntitle = \"Tiny\"\nmetric = \"mae\"\ndirection = \"minimize\"\nid-column = \"id\"\n\
             target-columns = [\"y\"]\n{rules}\ndata = {{ source = \"made up\", licence = \"CC0-1.0\" }}\n"
        );
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn a_competition_is_graded_by_the_rules_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let submission = folder.path().join("submission.csv");
        std::fs::create_dir(folder.path().join("private")).unwrap();
        std::fs::write(folder.path().join("private/answers.csv"), "id,y\n1,2\n2,4\n").unwrap();
        std::fs::write(&submission, "id,y\n9,2\n8,6\n").unwrap();
        let grader = |rules: &str| Grader::of(&competition(rules), folder.path());
        let strict = grader("prediction = \"value\"").unwrap();
        assert_eq!(strict.score(&submission).unwrap_err().kind(), "wrong-ids");
        let by_place = grader("checks = [\"columns\", \"rows\"]").unwrap();
        assert_eq!(by_place.score(&submission).unwrap().value(), 1.0);
        assert_eq!((by_place.metric(), by_place.columns()), (Metric::Mae, ("id", ["y".to_owned()].as_slice())));
        let neither = grader("").unwrap_err().to_string();
        assert!(neither.starts_with("competition `tiny`: give either `prediction`"), "{neither}");
    }

    #[test]
    fn shifted_rows_keep_their_ids() {
        let text = "y,id,z\n1,a,\"p\nq\"\n2,b,\n3,\"c,\"\n";
        assert_eq!(
            shifted(text, "id").unwrap(),
            "\"y\",\"id\",\"z\"\n\"2\",\"a\",\"\"\n\"3\",\"b\"\n\"1\",\"c,\",\"p\nq\"\n"
        );
        assert_eq!(shifted(text, "x"), None);
    }

    #[test]
    fn a_score_that_is_no_number_is_none_for_a_study() {
        let folder = tempfile::tempdir().unwrap();
        let submission = folder.path().join("submission.csv");
        std::fs::create_dir(folder.path().join("private")).unwrap();
        std::fs::write(folder.path().join("private/answers.csv"), "id,y\n1,2\n2,4\n").unwrap();
        std::fs::write(&submission, "id,y\n1,3\n2,3\n").unwrap();
        let correlation = Competition {
            metric: "pearson".to_owned(),
            direction: nbrevive_corpus::Direction::Maximize,
            ..competition("checks = [\"ids\"]")
        };
        let grader = Grader::of(&correlation, folder.path()).unwrap();
        assert!(grader.grade(&submission, &SubmissionLimits::default()).is_ok_and(f64::is_nan));
        assert_eq!(grader.score(&submission).unwrap_err().kind(), "undefined");
    }
}
