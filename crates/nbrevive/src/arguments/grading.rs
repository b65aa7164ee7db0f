//! What `grade` and `competitions` are asked.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Arguments of `grade`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct GradeArguments {
    /// Something else than grading submissions.
    #[command(subcommand)]
    pub(crate) command: Option<GradeCommand>,
    /// The slug of a competition of MLE-bench, such as `spaceship-titanic`, or a folder with a `competition.toml`.
    #[arg(long, required = true)]
    pub(crate) competition: Option<String>,
    /// Submissions.
    pub(crate) submissions: Vec<PathBuf>,
    /// Grade every CSV of this folder too.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// The answers, or the folder with `public` and `private`; default: what was imported or prepared.
    #[arg(long, value_name = "PATH")]
    pub(crate) answers: Option<PathBuf>,
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

/// What else can be asked of the grader.
#[derive(Debug, Subcommand)]
pub(crate) enum GradeCommand {
    /// Check prepared competitions: the right submission scores best, the sample is valid, a shuffled one is worse.
    SelfTest(GradeSelfTestArguments),
    /// One line a competition of MLE-bench: level, metric, direction, flags.
    List,
}

/// What `grade` prints.
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
    /// Folders that MLE-bench's `prepare` wrote, each `SLUG/prepared` or `SLUG`, or folders with a `competition.toml`; default:
    /// the bundled competitions, with submissions whose scores are known, and every one that was imported.
    pub(crate) competitions: Vec<PathBuf>,
}

/// The subcommands of `competitions`.
#[derive(Debug, Subcommand)]
pub(crate) enum CompetitionsCommand {
    /// Take over what MLE-bench's `prepare` wrote, after comparing it with the checksums that MLE-bench states.
    Import(CompetitionsImportArguments),
}

/// Arguments of `competitions import`.
#[derive(Debug, Args)]
pub(crate) struct CompetitionsImportArguments {
    /// Folders that MLE-bench's `prepare` wrote, each `SLUG/prepared` or `SLUG`.
    #[arg(required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// A `checksums.yaml` to compare with; default: the one in the folder, else those of MLE-bench.
    #[arg(long, value_name = "FILE")]
    pub(crate) checksums: Option<PathBuf>,
    /// Import files that differ from the checksums, and say which.
    #[arg(long)]
    pub(crate) allow_differences: bool,
}
