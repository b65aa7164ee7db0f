//! What `grade` is asked.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What can be asked of the grader.
#[derive(Debug, Subcommand)]
pub(crate) enum GradeCommand {
    /// Grade submissions to a competition of MLE-bench; a reason stands where there is no score.
    Submissions(GradeArguments),
    /// Check a prepared competition: the right submission scores best, the sample is valid, a shuffled one is worse.
    SelfTest(GradeSelfTestArguments),
    /// One line a competition: level, metric, direction, flags.
    List,
}

/// Arguments of `grade submissions`.
#[derive(Debug, Args)]
pub(crate) struct GradeArguments {
    /// The competition's slug, such as `spaceship-titanic`.
    #[arg(long)]
    pub(crate) competition: String,
    /// The folder that MLE-bench's `prepare` wrote, with `public` and `private`; or the answers file itself.
    #[arg(long, value_name = "PATH")]
    pub(crate) answers: PathBuf,
    /// Submissions.
    pub(crate) submissions: Vec<PathBuf>,
    /// Grade every CSV of this folder too.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// A CSV with a column `score`, the best first: says which medal a score would have won.
    #[arg(long, value_name = "FILE")]
    pub(crate) leaderboard: Option<PathBuf>,
    /// A target score: says how far each score is from it, as a share of it, more than 0 being better.
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) target: Option<f64>,
    /// What to print.
    #[arg(long, value_enum, default_value_t = GradeFormat::Table)]
    pub(crate) format: GradeFormat,
    /// Submissions that are graded at the same time; default: one a core.
    #[arg(long)]
    pub(crate) jobs: Option<usize>,
}

/// What `grade submissions` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GradeFormat {
    /// One line a submission.
    Table,
    /// One JSON object a line and submission.
    Json,
}

/// Arguments of `grade self-test`.
#[derive(Debug, Args)]
pub(crate) struct GradeSelfTestArguments {
    /// Folders that MLE-bench's `prepare` wrote, each `SLUG/prepared` or `SLUG`.
    #[arg(required = true)]
    pub(crate) prepared: Vec<PathBuf>,
}
