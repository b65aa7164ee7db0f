//! What the user typed, exactly; commands turn it into settings.

mod capsules;
mod changing;
mod checking;
mod clustering;
mod crashing;
pub(crate) mod date;
mod diagnosing;
mod grading;
mod installing;
mod limiting;
mod mining;
mod ordering;
mod planning;
mod publishing;
mod repairing;
mod snapshots;

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use nbrevive_corpus::Condition;
use nbrevive_study::AtATime;

use crate::answers::AnswerFormat;

pub(crate) use capsules::{PackArguments, PackedAs, RunArguments, UnpackArguments};
pub(crate) use changing::{
    ChangesBuildArguments, ChangesCheckArguments, ChangesCommand, ChangesCoverageArguments, ChangesDateArguments,
    ChangesListArguments, ChangesProveArguments, ChangesShowArguments,
};
pub(crate) use checking::{CheckArguments, ContainerfileArguments, RepositoryArguments};
pub(crate) use clustering::{ClusterArguments, ClusterPlace, OnWhat, StudySimulateArguments, StudyWorkArguments};
pub(crate) use crashing::{
    CrashesAgreeArguments, CrashesClassifyArguments, CrashesCommand, CrashesFindArguments, CrashesLabelArguments,
    CrashesSampleArguments, CrashesTablesArguments, ExplainArguments,
};
pub(crate) use diagnosing::{DiagnoseArguments, HowToRun, RestoreArguments};
pub(crate) use grading::{
    CompetitionsCommand, CompetitionsImportArguments, GradeArguments, GradeCommand, GradeFormat, GradeSelfTestArguments,
};
pub(crate) use installing::{CompletionsArguments, DoctorArguments, ManArguments};
pub(crate) use limiting::{LimitArguments, limits};
pub(crate) use mining::{CompareArguments, ExportIdsArguments, MineArguments, MineCommand, MinePlace, SelectArguments};
pub(crate) use ordering::OrderArguments;
pub(crate) use planning::{
    EnvironmentsCommand, ImportsArguments, IndexArguments, PlanArguments, PlanFormat, PruneArguments,
};
pub(crate) use publishing::{
    AuditArguments, DataCommand, DataVerifyArguments, ExportArguments, ReportArguments, SyntheticArguments,
    TablesArguments,
};
pub(crate) use repairing::{ModelArguments, ModernizeArguments};
pub(crate) use snapshots::{SnapshotCommand, SnapshotServeArguments, WantedLocks};

/// Measures whether published machine-learning notebooks still reproduce, and brings back those that do not.
#[derive(Debug, Parser)]
#[command(name = "nbrevive", version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("NBREVIVE_REVISION"), ")"), propagate_version = true)]
#[command(after_long_help = exit_code_help())]
pub(crate) struct Arguments {
    /// Say more on standard error; twice: everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,

    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

fn exit_code_help() -> String {
    let rows = crate::exit_code::Exit::TABLE.iter().map(|(exit, meaning)| format!("  {:>2}  {meaning}\n", *exit as u8));
    format!("Exit codes:\n{}", rows.collect::<String>())
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run one notebook under one condition, and save it with its outputs.
    Execute(ExecuteArguments),
    /// Repair one notebook until it runs in today's environment (and meets its target score, if it has one).
    Modernize(Box<ModernizeArguments>),
    /// Put back what one notebook misses until it runs: modules, names, files that are made up.
    Restore(Box<RestoreArguments>),
    /// Run every notebook of a repository in one environment, and say which still give the outputs that they show.
    Check(CheckArguments),
    /// Say what keeps notebooks from running, by their code alone: what does not compile, and names that are not defined. With --run: how
    /// far they come.
    Diagnose(Box<DiagnoseArguments>),
    /// Say why notebooks crashed, from the errors that they saved: the cause, what shows it, what to do.
    Explain(ExplainArguments),
    /// Collect, label and sample the errors that notebooks saved.
    #[command(subcommand)]
    Crashes(CrashesCommand),
    /// Say which cell of a notebook needs which, and in which orders its cells can run, by its code alone; with `--run`, find by running them the
    /// one that gives what was saved.
    Order(Box<OrderArguments>),
    /// Plan an environment of a date for notebooks and scripts, with a reason for each line; build it where asked.
    Plan(PlanArguments),
    /// List what notebooks and scripts import.
    Imports(ImportsArguments),
    /// See and prune the environments that are kept.
    #[command(subcommand)]
    Environments(EnvironmentsCommand),
    /// See the rules that carry code over to today's libraries, and prove them on a table of triggers.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// See what libraries took away, which of it notebooks use, and when these can have been written.
    #[command(subcommand)]
    Changes(ChangesCommand),
    /// Grade submissions to a competition; a reason stands where there is no score.
    Grade(GradeArguments),
    /// Bring in the data of competitions that was prepared elsewhere.
    #[command(subcommand)]
    Competitions(CompetitionsCommand),
    /// Work on a whole study.
    #[command(subcommand)]
    Study(StudyCommand),
    /// Bring notebooks in from the sources that the study's file names; stopped or killed, the next run goes on.
    Mine(MineArguments),
    /// Judge what was mined by the study's funnel, and write what it keeps as a corpus.
    Select(SelectArguments),
    /// Write a study's rows from its store as parquet.
    Export(ExportArguments),
    /// Pack what ran of a study with all that it needs (environments, kernels, interpreters, data), for others to run again.
    Pack(PackArguments),
    /// Make a folder of a capsule that `pack` wrote, whole or not at all.
    Unpack(UnpackArguments),
    /// Run the runs of a capsule again, without a network, and say whether outputs and scores are the same.
    Run(RunArguments),
    /// Take along the index of a day: the files that locks need, in a folder that any installer can use as its index.
    #[command(subcommand)]
    Snapshot(SnapshotCommand),
    /// Check a dataset that somebody handed on, and see what its columns mean.
    #[command(subcommand)]
    Data(DataCommand),
    /// Make every table and figure from parquet.
    Tables(TablesArguments),
    /// Make one HTML file of a study's rows, to be read in a browser without a network.
    Report(ReportArguments),
    /// Check that rows add up, parts make wholes, and one number is the same wherever it stands: in our tables, and in a paper.
    Audit(AuditArguments),
    /// Fill a new store with a made-up study that has the counts of the paper's Tables 1 to 4: for tests and benchmarks.
    #[command(hide = true)]
    Synthetic(SyntheticArguments),
    /// Say what a word for an end means (`not-saved`, `no-matching-version`, exit code 8 …), and what to do; without one, of all.
    Failures(FailuresArguments),
    /// Say what is missing on this machine, and the command that installs it.
    Doctor(DoctorArguments),
    /// Print what lets a shell complete this program's commands and options.
    Completions(CompletionsArguments),
    /// Write the manual pages: one of the program, and one of each command.
    Man(ManArguments),
}

/// What can be asked of the rules.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// One line a rule.
    List(RulesListArguments),
    /// One rule in full: when it acts, and an example.
    Explain(RulesExplainArguments),
    /// Run every trigger of a table, repair it, run it again, and compare the value with that of its replacement.
    Test(RulesTestArguments),
}

/// Arguments of `rules list`.
#[derive(Debug, Args)]
pub(crate) struct RulesListArguments {
    /// Only rules of this distribution, such as `scikit-learn`, or of `python`.
    #[arg(long)]
    pub(crate) library: Option<String>,
}

/// Arguments of `rules explain`.
#[derive(Debug, Args)]
pub(crate) struct RulesExplainArguments {
    /// The rule's id.
    pub(crate) id: String,
}

/// Arguments of `rules test`.
#[derive(Debug, Args)]
pub(crate) struct RulesTestArguments {
    /// A CSV with the columns id, library, trigger_example, replacement_example and new_env_result (see docs/rules.md);
    /// default: the rules' own examples, as far as they were run in an environment of their time.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Only triggers of these libraries, named as in the table.
    #[arg(long, value_delimiter = ',')]
    pub(crate) library: Vec<String>,
    /// Forms to try besides the table's own: renamed, cells, function, loop, chained, keywords, together; default: all.
    #[arg(long, value_delimiter = ',', value_name = "FORM")]
    pub(crate) forms: Vec<nbrevive_rules::trial::Form>,
    /// Cases that run at the same time.
    #[arg(long, default_value_t = 2)]
    pub(crate) jobs: usize,
    /// Write everything there: each form of each trigger with its verdict, rules, and what is left.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// Arguments of `failures`.
#[derive(Debug, Args)]
pub(crate) struct FailuresArguments {
    /// The word, as the program printed or stored it; an exit code; or a kind (`build`, `loop`, `submission` …).
    pub(crate) word: Option<String>,
}

/// The subcommands of `study`.
#[derive(Debug, Subcommand)]
pub(crate) enum StudyCommand {
    /// Make the competitions' data and check it against the stored hashes.
    Prepare(StudyFile),
    /// Run every job of the study that has no result yet.
    Run(Box<StudyRunArguments>),
    /// Go on following a run that was begun with `--on`, from any machine that sees its folders.
    Attach(ClusterPlace),
    /// End the tasks of a run that was begun with `--on`; what was done stays.
    Cancel(ClusterPlace),
    /// Carry out one batch of such a run: what its tasks call.
    Work(StudyWorkArguments),
    /// Send made-up jobs to machines that are made up, too: for benchmarks.
    #[command(hide = true)]
    Simulate(StudySimulateArguments),
    /// Measure every version's target score in an environment of its date.
    MeasureTargets(MeasureTargetsArguments),
}

/// The study of this repository, from its root.
pub(crate) const BUNDLED_STUDY: &str = "study/mle-modernizer/study.toml";

/// The folder that keeps what ran, unless told.
pub(crate) const STORE: &str = ".nbrevive/study";

/// A study's file.
#[derive(Debug, Args)]
pub(crate) struct StudyFile {
    /// The study's file.
    #[arg(default_value = BUNDLED_STUDY)]
    pub(crate) study: PathBuf,
}

/// How untrusted code is held.
#[derive(Debug, Args)]
pub(crate) struct SandboxArguments {
    /// What stands between a notebook and this machine; default: what the study's file says, else bubblewrap.
    #[arg(long, value_enum)]
    pub(crate) sandbox: Option<SandboxChoice>,
    /// With `--sandbox oci`: the image, by digest (`NAME@sha256:…`) or one that this machine has already; for apptainer a file (`FILE.sif`).
    #[arg(long)]
    pub(crate) image: Option<String>,
    /// Needed with `--sandbox none`: the notebooks then run with your rights, and can read and delete your files.
    #[arg(long)]
    pub(crate) i_trust_these_notebooks: bool,
    /// Give each execution one of this machine's NVIDIA GPUs, for itself.
    #[arg(long)]
    pub(crate) gpus: bool,
}

/// The backends of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SandboxChoice {
    /// Namespaces, limits, no network.
    Bubblewrap,
    /// A container of podman, docker or apptainer.
    Oci,
    /// None at all; data is found under `../input` only, since nothing is mounted at `/kaggle`.
    None,
}

/// Arguments of `study run`.
#[derive(Debug, Args)]
pub(crate) struct StudyRunArguments {
    /// The study's file.
    #[command(flatten)]
    pub(crate) file: StudyFile,
    /// The folder that keeps what ran.
    #[arg(long, default_value = STORE, default_value_if("smoke", "true", ".nbrevive/smoke"))]
    pub(crate) store: PathBuf,
    /// Show which jobs would run and why, and run nothing.
    #[arg(long)]
    pub(crate) list: bool,
    /// Run these conditions and no other; `modernize-cell` repairs cell by cell (the paper's ablation).
    #[arg(long, value_delimiter = ',')]
    pub(crate) condition: Vec<Condition>,
    /// Run only versions whose slug contains this text.
    #[arg(long)]
    pub(crate) only: Option<String>,
    /// Leave out the versions that this list names, each with why and until when (docs/methodology.md); the study's `exclude` unless told.
    #[arg(long, value_name = "FILE")]
    pub(crate) exclude: Option<PathBuf>,
    /// Run again what has an outcome for which this holds, and nothing else: `outcome = failed and condition = backport`
    /// (docs/methodology.md).
    #[arg(long, value_name = "FILTER", conflicts_with_all = ["smoke", "dry_run", "on"])]
    pub(crate) again: Option<String>,
    /// Run eight versions under all conditions, one of each competition in turn, for a first look; into a store of its own
    /// (`.nbrevive/smoke`) unless --store names one.
    #[arg(long, conflicts_with = "on")]
    pub(crate) smoke: bool,
    /// Executions at a time: a number, 0 for one for each core, or `auto` for as many as have room by their limits, each with
    /// cores and memory of its own; the study's `jobs` unless told.
    #[arg(long)]
    pub(crate) jobs: Option<AtATime>,
    /// Run each condition so often, everything being equal, to find versions that are flaky; the study's `repeat` unless told.
    #[arg(long, value_name = "K")]
    pub(crate) repeat: Option<NonZeroU32>,
    /// In which form it answers on standard output (docs/answers.md).
    #[arg(long, default_value = "text", conflicts_with_all = ["list", "dry_run", "on"])]
    pub(crate) format: AnswerFormat,
    /// Use what is cached of the package index, and ask it nothing.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Write the release histories that this run's plans went by into one file, for `nbrevive snapshot create --histories`. What a store has
    /// an outcome of is not planned again.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "dry_run", "on"])]
    pub(crate) save_snapshot: Option<PathBuf>,
    /// Estimate what the model's questions would cost, ask nobody, and run nothing. With `--on`: show what would be sent, and how.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
    /// Other machines.
    #[command(flatten)]
    pub(crate) cluster: ClusterArguments,
    /// Who is asked for what the rules leave; the study's `[model]` unless told.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
}

/// Arguments of `study measure-targets`.
#[derive(Debug, Args)]
pub(crate) struct MeasureTargetsArguments {
    /// The study's file.
    #[command(flatten)]
    pub(crate) file: StudyFile,
    /// Measure only versions whose slug contains this text.
    #[arg(long)]
    pub(crate) only: Option<String>,
    /// Compare with the stored scores, and write nothing.
    #[arg(long)]
    pub(crate) check: bool,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// The notebook that a person has in hand, and what is known of it.
#[derive(Debug, Args)]
pub(crate) struct OneNotebook {
    /// The notebook.
    pub(crate) notebook: PathBuf,
    /// The folder with the data that it reads, shown as `/kaggle/input/<name>/` and, file by file, as `../input/`.
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
    /// The folder whose files lie beside the notebook: copied into its working folder before each execution.
    #[arg(long)]
    pub(crate) beside: Option<PathBuf>,
    /// The competition's folder, with `competition.toml` and its prepared data; its answers grade the submission.
    #[arg(long)]
    pub(crate) competition: Option<PathBuf>,
    /// The score that the notebook had.
    #[arg(long, requires = "competition")]
    pub(crate) target: Option<f64>,
    /// The largest deviation from the target that counts as reproduced.
    #[arg(long, default_value_t = nbrevive_corpus::DEFAULT_TAU)]
    pub(crate) tau: f64,
    /// When the notebook was written (YYYY-MM-DD): what the backport condition aims at, and rules take into account.
    #[arg(long, value_parser = crate::arguments::date::instant)]
    pub(crate) date: Option<jiff::Timestamp>,
    /// The lock of today's environment.
    #[arg(long, default_value = "contemporary")]
    pub(crate) environment: String,
    /// The limits.
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// Where the result goes; default: beside the notebook.
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// Copy the files that the notebook wrote into this folder.
    #[arg(long)]
    pub(crate) keep: Option<PathBuf>,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// Arguments of `execute`.
#[derive(Debug, Args)]
pub(crate) struct ExecuteArguments {
    /// The notebook.
    #[command(flatten)]
    pub(crate) one: OneNotebook,
    /// `baseline` runs it in today's environment, `backport` in one of its date (--date; default: the last day
    /// on which all that it uses was there, see `nbrevive changes date`).
    #[arg(long, default_value_t = Condition::BASELINE)]
    pub(crate) condition: Condition,
    /// How the backport condition chooses versions: see `nbrevive plan`.
    #[arg(long, default_value_t = nbrevive_environment::Strategy::Dated)]
    pub(crate) strategy: nbrevive_environment::Strategy,
    /// In which form it answers on standard output (docs/answers.md).
    #[arg(long, default_value = "text")]
    pub(crate) format: AnswerFormat,
    /// Keep in this folder what `--from-cell` needs of this run.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) state: Option<PathBuf>,
    /// Go on at this cell, from 1, with the state of a run before: the cells above run again, untold, and are held against what they were
    /// and showed then.
    #[arg(long, value_name = "N", requires = "state")]
    pub(crate) from_cell: Option<usize>,
}
