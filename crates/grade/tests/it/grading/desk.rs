//! A folder with answers, in which submissions are graded.

use std::path::PathBuf;

use nbrevive_corpus::Prediction;
use nbrevive_grade::{Answers, AnswersError, GradingTask, Invalid, Metric, Score, TaskError, grade};

/// Where submissions are graded.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
    answers: Answers,
}

impl Desk {
    /// A desk with the answers of a task.
    pub(crate) fn new(task: &GradingTask, answers: &str) -> Result<Self, AnswersError> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("answers.csv");
        std::fs::write(&path, answers).expect("the temporary folder takes files");
        Ok(Desk { answers: Answers::read(&path, task)?, folder })
    }

    /// Grades a submission of these bytes.
    pub(crate) fn grade(&self, submission: impl AsRef<[u8]>) -> Result<Score, Invalid> {
        std::fs::write(self.path(), submission).expect("the temporary folder takes files");
        grade(&self.path(), &self.answers)
    }

    /// Where submissions are put.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("submission.csv")
    }
}

/// A task with these columns, the id first.
pub(crate) fn task(metric: Metric, prediction: Prediction, columns: &[&str]) -> GradingTask {
    any_task(metric, prediction, columns).expect("the task fits its metric")
}

/// The widest kind of prediction that such a task can have.
pub(crate) fn prediction(metric: Metric, columns: &[&str]) -> Prediction {
    let accepts = |prediction: &&Prediction| any_task(metric, **prediction, columns).is_ok();
    *Prediction::ALL.iter().rev().find(accepts).expect("the metric accepts something")
}

fn any_task(metric: Metric, prediction: Prediction, columns: &[&str]) -> Result<GradingTask, TaskError> {
    GradingTask::new(metric, columns[0], columns[1..].iter().map(|&column| column.to_owned()).collect(), prediction)
}
