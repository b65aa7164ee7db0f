//! The answers of a competition of MLE-bench.

use std::path::Path;

use crate::mle::case::Case;
use crate::mle::frame::Frame;
use crate::mle::ids::IdIndex;
use crate::mle::questions::Questions;
use crate::mle::rules::{Check, MleCompetition};
use crate::mle::{checks, graders};
use crate::submission_file::read_submission;
use crate::{AnswersError, AnswersProblem, Invalid, Limits, Metric};

/// The answers of a competition, read once and shared by threads.
#[derive(Debug)]
pub struct MleAnswers {
    pub(crate) competition: MleCompetition,
    pub(crate) frame: Frame,
    pub(crate) ids: IdIndex,
    /// The names of the columns of a submission that are scored.
    pub(crate) targets: Vec<String>,
    /// Where the answers are not CSV but annotated questions.
    pub(crate) questions: Questions,
}

impl MleAnswers {
    /// Reads the answers of `competition`.
    ///
    /// # Errors
    /// When the file cannot be read, is no CSV (or, for questions, no JSON lines), or lacks a column.
    pub fn read(path: &Path, competition: &MleCompetition) -> Result<Self, AnswersError> {
        let load = || Self::of(&std::fs::read_to_string(path)?, competition);
        load().map_err(|problem| AnswersError { path: path.to_owned(), problem })
    }

    fn of(text: &str, competition: &MleCompetition) -> Result<Self, AnswersProblem> {
        let competition = competition.clone();
        if competition.metric == Metric::NqMicroF1 {
            let questions = Questions::parse(text)?;
            let targets = competition.target_columns.clone();
            return Ok(MleAnswers {
                competition,
                frame: Frame::default(),
                ids: IdIndex::default(),
                targets,
                questions,
            });
        }
        let frame = Frame::read(text, |name| competition.reads_answer(name), usize::MAX)?;
        let missing = |name: &&String| frame.column(name).is_none();
        if let Some(name) = competition.answer_columns().find(missing) {
            return Err(AnswersProblem::MissingColumn { column: name.clone() });
        }
        if frame.rows() == 0 {
            return Err(AnswersProblem::NoRows);
        }
        let ids = frame.column(&competition.id_column).map(|ids| IdIndex::of(ids, frame.rows())).unwrap_or_default();
        let targets = match competition.target_columns.as_slice() {
            [] => frame.names().iter().filter(|name| **name != competition.id_column).cloned().collect(),
            targets => targets.to_vec(),
        };
        Ok(MleAnswers { competition, frame, ids, targets, questions: Questions::default() })
    }

    /// What these are the answers to.
    #[must_use]
    pub const fn competition(&self) -> &MleCompetition {
        &self.competition
    }

    /// The number of rows, or of questions.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.frame.rows().max(self.questions.len())
    }

    /// The score of the submission at `path`, of which not more than `limits` is read.
    ///
    /// The value is that of the original before it is rounded for a report; it may be NaN or infinite.
    ///
    /// # Errors
    /// The reason why there is no score.
    pub fn grade(&self, submission: &Path, limits: &Limits) -> Result<f64, Invalid> {
        self.grade_turned(submission, limits, 0)
    }

    /// The score that the submission at `path` would have if every row had the prediction of the next one: worse than its own,
    /// where it is a good one. For tests of a competition; where rows are not paired one by one it is the submission's own.
    ///
    /// # Errors
    /// As [`MleAnswers::grade`].
    pub fn grade_shifted(&self, submission: &Path, limits: &Limits) -> Result<f64, Invalid> {
        self.grade_turned(submission, limits, 1)
    }

    fn grade_turned(&self, submission: &Path, limits: &Limits, turn: usize) -> Result<f64, Invalid> {
        let text = read_submission(submission, limits)?;
        let all = self.competition.checks.contains(&Check::Texts);
        let frame = Frame::read(&text, |name| all || self.reads(name), limits.columns)?;
        drop(text);
        let mut case = Case::new(self, &frame);
        for &check in &self.competition.checks {
            checks::check(&mut case, check)?;
        }
        if turn > 0 && case.len() > 0 {
            let pairs = case.len();
            case.pairs.rows = Some((0..pairs).map(|pair| case.row((pair + turn) % pairs)).collect());
        }
        graders::score(&case)
    }

    fn reads(&self, name: &str) -> bool {
        name == self.competition.id_column || self.targets.iter().any(|target| target == name)
    }
}

impl MleCompetition {
    /// The columns of the answers that are there under a fixed name.
    fn answer_columns(&self) -> impl Iterator<Item = &String> {
        let truth = if self.truth_columns.is_empty() { &self.target_columns } else { &self.truth_columns };
        let id = Some(&self.id_column).filter(|_| !self.checks.is_empty());
        id.into_iter().chain(truth).chain(&self.further_columns)
    }

    fn reads_answer(&self, name: &str) -> bool {
        self.target_columns.is_empty() || self.answer_columns().any(|own| own == name)
    }
}
