//! Competition metrics and submission checks: a CSV in, a score or a typed reason out.
//!
//! Parts:
//! - [`GradingTask`]: what has to be known of a competition, with its [`Metric`];
//! - [`Grader`]: a competition's answers with the rules that it is graded by: the one door for all kinds;
//! - [`Answers`]: the true targets, read once and shared by threads;
//! - [`grade`]: checks a submission, which is taken to be hostile, and gives a [`Score`] or the [`Invalid`] reason;
//! - [`GradingRules`] and [`MleAnswers`]: the 82 competitions of MLE-bench and those like them, with graders of their own;
//! - [`metrics`]: numbers in, a number out.
//!
//! Metrics and the order of the checks follow the public graders of MLE-bench (commit 783b15a, with scikit-learn 1.5), and
//! CSV is read as pandas reads it with its defaults. Where a grader there lets an evident mistake pass or fails with an
//! exception, the reason is typed here: rows are always paired by id, never by their place in the file.

#![deny(clippy::wildcard_enum_match_arm)]

mod answers;
mod answers_error;
mod cell;
mod check;
mod foreign;
mod grader;
mod identifiers;
mod invalid;
mod leaderboard;
mod metric;
pub mod metrics;
mod mle;
mod python;
mod scanner;
mod score;
mod submission;
mod submission_file;
mod task;
mod truth;
mod whole_file;

pub use answers::Answers;
pub use answers_error::{AnswersError, AnswersProblem};
pub use check::Check;
pub use grader::{Grader, GraderError, shifted};
pub use invalid::{Excerpt, Invalid};
pub use leaderboard::{Leaderboard, LeaderboardError, Medal};
pub use metric::Metric;
pub use mle::{
    Cells, Checksums, CompetitionLevel, Flag, FlagKind, GradingRules, MleAnswers, has_checksum, mle_competition,
    mle_competitions, parse_checksums,
};
pub use scanner::Malformation;
pub use score::Score;
pub use submission::{grade, grade_within};
pub use submission_file::SubmissionLimits;
pub use task::{GradingTask, TaskError};

/// Version of what graders say of the same submission: raised when a score that was wrong is mended, after which what was graded by it
/// runs again.
pub const GRADERS_VERSION: u32 = 1;
