//! What the user typed for mining and selecting.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use nbrevive_corpus::sample::By;
use nbrevive_mine::records::MiningSource;

/// A study and the folder that keeps what was mined for it.
#[derive(Debug, Args)]
pub(crate) struct MinePlace {
    /// The study's file; its section `[mine]` says what is mined, from where, and how politely.
    #[arg(long, global = true, default_value = super::BUNDLED_STUDY)]
    pub(crate) study: PathBuf,
    /// The folder that keeps what was mined.
    #[arg(long, global = true, default_value = super::STORE)]
    pub(crate) store: PathBuf,
}

/// Arguments of `mine`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MineArguments {
    /// What to do instead of mining.
    #[command(subcommand)]
    pub(crate) command: Option<MineCommand>,
    /// Ask only these sources; default: those of the study's file.
    #[arg(value_name = "SOURCE", help = which_sources())]
    pub(crate) sources: Vec<MiningSource>,
    /// Ask again for what was answered before this date (2026-05-01, or an instant with a zone); the study's `reuse_since` unless told.
    #[arg(long, value_name = "DATE", value_parser = super::date::instant)]
    pub(crate) reuse_since: Option<jiff::Timestamp>,
    /// Which study, and where to keep it.
    #[command(flatten)]
    pub(crate) place: MinePlace,
}

fn which_sources() -> String {
    let known: Vec<&str> = MiningSource::ALL.iter().map(|source| source.as_str()).collect();
    format!("Ask only these sources ({}); default: those of the study's file", known.join(", "))
}

/// The subcommands of `mine`.
#[derive(Debug, Subcommand)]
pub(crate) enum MineCommand {
    /// Read everything again from the raw answers that are kept, without the network; the rows come out the same.
    Replay,
    /// Say where two sources disagree about the same versions.
    Compare(CompareArguments),
    /// Write the ids of what was mined, without content, for others to fetch.
    ExportIds(ExportIdsArguments),
    /// Fetch the notebooks of such a list, and say which are no longer what they were.
    FetchIds(ListFile),
    /// Remove what a list names everywhere (raw answers, store, corpus folders, exports), and keep it down.
    TakeDown(ListFile),
}

/// Arguments of `mine compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// One source.
    pub(crate) left: MiningSource,
    /// The other.
    pub(crate) right: MiningSource,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `mine export-ids`.
#[derive(Debug, Args)]
pub(crate) struct ExportIdsArguments {
    /// The list, CSV.
    pub(crate) file: PathBuf,
    /// Only what the last selection kept.
    #[arg(long)]
    pub(crate) selected: bool,
}

/// A list.
#[derive(Debug, Args)]
pub(crate) struct ListFile {
    /// The list.
    pub(crate) file: PathBuf,
}

/// Arguments of `select`.
#[derive(Debug, Args)]
pub(crate) struct SelectArguments {
    /// Which study, and where it is kept.
    #[command(flatten)]
    pub(crate) place: MinePlace,
    /// Write the kept versions there, as a corpus that a study can name: notebooks by competition, and `targets.toml`.
    #[arg(long, required_unless_present = "dump")]
    pub(crate) out: Option<PathBuf>,
    /// Judge every version of a Meta Kaggle dump in this folder instead, and print the funnel alone.
    #[arg(long, conflicts_with_all = ["out", "sample", "smoke"])]
    pub(crate) dump: Option<PathBuf>,
    /// Draw a sample of this many instead of taking all.
    #[arg(long, conflicts_with = "smoke")]
    pub(crate) sample: Option<usize>,
    /// Stratify the sample by these.
    #[arg(long, value_delimiter = ',', requires = "sample")]
    pub(crate) by: Vec<By>,
    /// Another seed gives another sample.
    #[arg(long, default_value_t = 0, requires = "sample")]
    pub(crate) seed: u64,
    /// Take this many that run quickly, from each competition in turn.
    #[arg(long)]
    pub(crate) smoke: Option<usize>,
    /// Print the funnel as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
