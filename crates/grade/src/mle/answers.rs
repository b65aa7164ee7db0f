//! The answers of a competition of MLE-bench.

use std::path::Path;

use crate::check::Check;
use crate::metric::AnswersForm;
use crate::mle::case::Case;
use crate::mle::checks;
use crate::mle::frame::Frame;
use crate::mle::graders::grading;
use crate::mle::ids::IdIndex;
use crate::mle::questions::Questions;
use crate::mle::rules::GradingRules;
use crate::submission_file::read_submission;
use crate::whole_file::read_text;
use crate::{AnswersError, AnswersProblem, Invalid, SubmissionLimits};

/// The answers of a competition, read once and shared by threads.
#[derive(Debug)]
pub struct MleAnswers {
    pub(crate) rules: GradingRules,
    pub(crate) frame: Frame,
    pub(crate) ids: IdIndex,
    /// The names of the columns of a submission that are scored.
    pub(crate) targets: Vec<String>,
    /// Where the answers are not CSV but annotated questions.
    pub(crate) questions: Questions,
}

impl MleAnswers {
    /// Reads the answers of a competition with these rules.
    ///
    /// # Errors
    /// When the file cannot be read, is no CSV (or, for questions, no JSON lines), or lacks a column.
    pub fn read(path: &Path, rules: &GradingRules) -> Result<Self, AnswersError> {
        let load = || Self::of(read_text(path)?, rules);
        load().map_err(|problem| AnswersError { path: path.to_owned(), problem })
    }

    fn of(text: String, rules: &GradingRules) -> Result<Self, AnswersProblem> {
        let rules = rules.clone();
        match rules.metric.needs().answers {
            AnswersForm::Table => Self::of_table(text, rules),
            AnswersForm::Questions => Self::of_questions(&text, rules),
        }
    }

    fn of_questions(text: &str, rules: GradingRules) -> Result<Self, AnswersProblem> {
        let questions = Questions::parse(text)?;
        let targets = rules.target_columns.clone();
        Ok(MleAnswers { rules, frame: Frame::default(), ids: IdIndex::default(), targets, questions })
    }

    fn of_table(text: String, rules: GradingRules) -> Result<Self, AnswersProblem> {
        let frame = Frame::read(text, |name| rules.reads_answer(name), usize::MAX)?;
        let missing = |name: &&String| frame.column(name).is_none();
        if let Some(name) = rules.answer_columns().find(missing) {
            return Err(AnswersProblem::MissingColumn { column: name.clone() });
        }
        if frame.rows() == 0 {
            return Err(AnswersProblem::NoRows);
        }
        let ids = frame.shared(&rules.id_column).map(|ids| IdIndex::of(ids.clone(), frame.rows())).unwrap_or_default();
        let by_place = rules.checks.contains(&Check::ColumnsInPlace);
        let targets = match rules.target_columns.as_slice() {
            targets if targets.is_empty() || by_place => {
                frame.names().iter().filter(|name| **name != rules.id_column).cloned().collect()
            }
            targets => targets.to_vec(),
        };
        Ok(MleAnswers { rules, frame, ids, targets, questions: Questions::default() })
    }

    /// By which rules they are graded.
    #[must_use]
    pub const fn rules(&self) -> &GradingRules {
        &self.rules
    }

    /// The names of the columns of a submission that are scored.
    #[must_use]
    pub fn target_columns(&self) -> &[String] {
        &self.targets
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
    pub fn grade(&self, submission: &Path, limits: &SubmissionLimits) -> Result<f64, Invalid> {
        let text = read_submission(submission, limits)?;
        self.score(text, limits).map_err(|invalid| invalid.with_ids_in(&self.rules.id_column))
    }

    fn score(&self, text: String, limits: &SubmissionLimits) -> Result<f64, Invalid> {
        let frame = Frame::read(text, |name| self.reads(name), limits.columns)?;
        let mut case = Case::new(self, &frame);
        for &check in &self.rules.checks {
            checks::check(&mut case, check)?;
        }
        grading(self.rules.metric)(&case)
    }

    /// Whether a column of a submission is looked at.
    fn reads(&self, name: &str) -> bool {
        let all = self.rules.checks.contains(&Check::Texts) || self.rules.metric.needs().whole_submission;
        let mut own = std::iter::once(&self.rules.id_column).chain(&self.targets).chain(&self.rules.truth_columns);
        all || own.any(|own| own == name)
    }
}

impl GradingRules {
    /// The columns of the answers that are there under a fixed name.
    pub(crate) fn answer_columns(&self) -> impl Iterator<Item = &String> {
        let truth = if self.truth_columns.is_empty() { &self.target_columns } else { &self.truth_columns };
        // Rows that are paired by their place need no ids.
        let id =
            Some(&self.id_column).filter(|_| !self.checks.is_empty() && !self.checks.contains(&Check::TargetColumns));
        id.into_iter().chain(truth).chain(&self.further_columns)
    }

    fn reads_answer(&self, name: &str) -> bool {
        let all = self.target_columns.is_empty() || self.checks.contains(&Check::ColumnsInPlace);
        all || self.answer_columns().any(|own| own == name)
    }
}
