//! A folder with the answers of a competition, in which submissions are graded.

use nbrevive_grade::{AnswersError, Invalid, MleAnswers, SubmissionLimits, mle_competition};

/// Where submissions are graded.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
    answers: MleAnswers,
}

impl Desk {
    /// A desk with the answers of a competition.
    pub(crate) fn new(competition: &str, answers: impl AsRef<[u8]>) -> Result<Self, AnswersError> {
        let competition = mle_competition(competition).expect("the competition is one of MLE-bench");
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("answers.csv");
        std::fs::write(&path, answers).expect("the temporary folder takes files");
        Ok(Desk { answers: MleAnswers::read(&path, competition)?, folder })
    }

    /// Where submissions are put.
    pub(crate) fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("submission.csv")
    }

    /// Grades what lies at a path, of which not more than this many bytes are read.
    pub(crate) fn grade_at(&self, path: &std::path::Path, bytes: u64) -> Result<f64, Invalid> {
        self.answers.grade(path, &SubmissionLimits { bytes, ..SubmissionLimits::default() })
    }

    /// Grades a submission of these bytes.
    pub(crate) fn grade(&self, submission: impl AsRef<[u8]>) -> Result<f64, Invalid> {
        let path = self.path();
        std::fs::write(&path, submission).expect("the temporary folder takes files");
        self.answers.grade(&path, &SubmissionLimits::default())
    }
}
