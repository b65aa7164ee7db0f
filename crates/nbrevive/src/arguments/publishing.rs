//! What the commands are asked that hand on what a study gave: `export`, `data`, `tables`, `report`, `audit` and `synthetic`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::answers::AnswerFormat;

/// Arguments of `export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The store.
    #[arg(long, default_value = super::STORE)]
    pub(crate) store: PathBuf,
    /// The folder for the dataset; one that an export wrote is replaced as a whole.
    #[arg(long, default_value = "data")]
    pub(crate) out: PathBuf,
    /// Hand on ids, numbers, words of fixed lists and hashes alone: no code, no patch, no message, no title.
    #[arg(long)]
    pub(crate) ids_only: bool,
    /// Compare with the parquet files of another run, and say which rows differ in more than times.
    #[arg(long, value_name = "DIR")]
    pub(crate) against: Option<PathBuf>,
    /// Hand on the versions with an outcome for which this holds, and no others (docs/methodology.md).
    #[arg(long, value_name = "FILTER", conflicts_with = "against")]
    pub(crate) filter: Option<String>,
}

/// What can be asked of a dataset.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Compare every file of a dataset with its manifest, byte for byte.
    Verify(DataVerifyArguments),
    /// Print every table and column with type, unit and source: docs/schema.md.
    Schema,
}

/// Arguments of `data verify`.
#[derive(Debug, Args)]
pub(crate) struct DataVerifyArguments {
    /// The folder with the parquet files.
    #[arg(default_value = "data")]
    pub(crate) data: PathBuf,
}

/// Arguments of `tables`.
#[derive(Debug, Args)]
pub(crate) struct TablesArguments {
    /// The folder with the parquet files.
    #[arg(long, default_value = "data")]
    pub(crate) data: PathBuf,
    /// The paper's numbers, to stand beside ours: a folder with one file a table or figure, or one file with all.
    #[arg(long)]
    pub(crate) published: Option<PathBuf>,
    /// The folder in which `tables/` and `figures/` are made.
    #[arg(long, default_value = ".")]
    pub(crate) out: PathBuf,
    /// What becomes of versions whose repetitions differ (`study run --repeat`).
    #[arg(long, default_value = "show")]
    pub(crate) flaky: Flaky,
    /// Count the versions with an outcome for which this holds, and no others (docs/methodology.md).
    #[arg(long, value_name = "FILTER")]
    pub(crate) filter: Option<String>,
}

/// Arguments of `report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The folder with the parquet files.
    #[arg(long, default_value = "data")]
    pub(crate) data: PathBuf,
    /// The paper's numbers, to stand beside ours in the page's tables.
    #[arg(long)]
    pub(crate) published: Option<PathBuf>,
    /// The file to write.
    #[arg(long, default_value = "report.html")]
    pub(crate) out: PathBuf,
    /// What becomes of versions whose repetitions differ (`study run --repeat`).
    #[arg(long, default_value = "show")]
    pub(crate) flaky: Flaky,
    /// Count the versions with an outcome for which this holds, and no others (docs/methodology.md).
    #[arg(long, value_name = "FILTER")]
    pub(crate) filter: Option<String>,
}

/// What becomes of flaky versions in tables and figures.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Flaky {
    /// They are counted by their first repetition; how many there are stands below each table.
    Show,
    /// They are left out; how many were stands below each table.
    LeaveOut,
}

impl From<Flaky> for nbrevive_report::Flaky {
    fn from(flaky: Flaky) -> Self {
        match flaky {
            Flaky::Show => nbrevive_report::Flaky::Show,
            Flaky::LeaveOut => nbrevive_report::Flaky::LeaveOut,
        }
    }
}

/// Arguments of `audit`.
#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The folder with `tables/` and `figures/`; contradictions there end with exit code 16.
    #[arg(long, default_value = ".")]
    pub(crate) tables: PathBuf,
    /// A paper's numbers, with the checks that they declare; contradictions there are told and are no failure.
    #[arg(long)]
    pub(crate) published: Option<PathBuf>,
    /// Name the numbers, too, that no invariant touches.
    #[arg(long)]
    pub(crate) unchecked: bool,
    /// In which form it answers on standard output (docs/answers.md).
    #[arg(long, default_value = "text")]
    pub(crate) format: AnswerFormat,
}

/// Arguments of `synthetic`.
#[derive(Debug, Args)]
pub(crate) struct SyntheticArguments {
    /// The folder of the new store.
    #[arg(long)]
    pub(crate) store: PathBuf,
    /// The paper's numbers, whose counts are taken.
    #[arg(long, default_value = "study/mle-modernizer/published")]
    pub(crate) published: PathBuf,
    /// How many versions; counts are in proportion.
    #[arg(long, default_value_t = 12_720)]
    pub(crate) versions: u32,
    /// Cells of each execution.
    #[arg(long, default_value_t = 4)]
    pub(crate) cells: u32,
    /// Where random numbers start.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}
