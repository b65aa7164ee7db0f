//! Arguments of the commands that repair.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::OneNotebook;
use crate::answers::AnswerFormat;

/// Arguments of `modernize`.
#[derive(Debug, Args)]
pub(crate) struct ModernizeArguments {
    /// The notebook.
    #[command(flatten)]
    pub(crate) one: OneNotebook,
    /// The largest number of fixes.
    #[arg(long, default_value_t = nbrevive_repair::DEFAULT_MAX_FIXES)]
    pub(crate) max_fixes: usize,
    /// Repair errors cell by cell instead of all at once (the paper's ablation).
    #[arg(long)]
    pub(crate) by_cell: bool,
    /// Reduce the patch of a notebook that was brought back to what it takes, and write that as well (`old.least.ipynb`).
    #[arg(long)]
    pub(crate) minimize: bool,
    /// Where the model's ledger and the record of its answers are kept; default: with the environments' cache. What the
    /// record has is not asked again.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dialogue: Option<PathBuf>,
    /// Keep to the lock: add nothing that the notebook installs or imports beyond it.
    #[arg(long)]
    pub(crate) lock_only: bool,
    /// Run the original in an environment of its date as well (`--date`, or the last day on which all that it uses was there), and
    /// tell the cells that show other values today.
    #[arg(long)]
    pub(crate) against_its_date: bool,
    /// Write how every cell fared before and after, and the fixes, as JSON.
    #[arg(long)]
    pub(crate) json: Option<PathBuf>,
    /// In which form it answers on standard output (docs/answers.md).
    #[arg(long, default_value = "text")]
    pub(crate) format: AnswerFormat,
    /// Who is asked for what the rules leave.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
}

/// Whom to ask; without any of these the rules are alone.
#[derive(Debug, Clone, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[command(next_help_heading = "A language model, for what the rules leave (docs/modernize.md)")]
pub(crate) struct ModelArguments {
    /// A file with the tables `[repair]` and `[model]`, such as a study's; the options below go before it.
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// The model's name, as its provider knows it.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// An OpenAI-compatible endpoint, up to and with `/v1`; the key is in OPENAI_API_KEY or the variable of `--key-variable`.
    #[arg(long, value_name = "URL", conflicts_with_all = ["exchange", "replay"])]
    pub(crate) endpoint: Option<String>,
    /// The endpoint's protocol: `responses` or `chat-completions`.
    #[arg(long, value_name = "PROTOCOL", requires = "endpoint", value_parser = ["responses", "chat-completions"])]
    pub(crate) protocol: Option<String>,
    /// The environment variable with the endpoint's key; empty for an endpoint without one.
    #[arg(long, value_name = "VARIABLE", requires = "endpoint")]
    pub(crate) key_variable: Option<String>,
    /// Write each question as a file into this folder, and wait for the file with its answer.
    #[arg(long, value_name = "FOLDER", conflicts_with = "replay")]
    pub(crate) exchange: Option<PathBuf>,
    /// Take the answers from the record of an earlier dialogue (a `dialogue.jsonl`).
    #[arg(long, value_name = "RECORD")]
    pub(crate) replay: Option<PathBuf>,
    /// The most that may be spent on a notebook, in US dollars.
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) max_cost: Option<f64>,
    /// Do without a model, whatever the settings say.
    #[arg(long, conflicts_with_all = ["model", "endpoint", "exchange", "replay"])]
    pub(crate) rules_only: bool,
}
