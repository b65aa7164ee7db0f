//! What the user typed after `crashes` and `explain`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use nbrevive_corpus::Condition;

/// What can be asked of saved errors.
#[derive(Debug, Subcommand)]
pub(crate) enum CrashesCommand {
    /// Collect the errors that notebooks saved, through the filters of the paper, and count what each leaves.
    Find(CrashesFindArguments),
    /// Label the crashes of a sheet: exception type, root cause, kind of bug, stage, library, each with its reason.
    Classify(CrashesClassifyArguments),
    /// Draw a stratified sample of a sheet: so many of each cluster of alike values as its share, and at least one.
    Sample(CrashesSampleArguments),
    /// Write a page on which a person labels the crashes of a sheet by keyboard, and which saves the labels as JSON.
    Label(CrashesLabelArguments),
    /// Say how far raters agree, by Cohen's and Fleiss' kappa, and what a review changed.
    Agree(CrashesAgreeArguments),
    /// Make the tables and figures of the paper on crashes from sheets, with its tests.
    Tables(CrashesTablesArguments),
}

/// Arguments of `crashes find`.
#[derive(Debug, Args)]
pub(crate) struct CrashesFindArguments {
    /// Notebooks, or folders that are searched for them.
    #[arg(required_unless_present_any = ["store", "data"], conflicts_with_all = ["store", "data"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Take what notebooks raised in the executions of a store, as they are and without fixes.
    #[arg(long, value_name = "FOLDER", conflicts_with = "data")]
    pub(crate) store: Option<PathBuf>,
    /// The same of exported data.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Of executions only those under this condition.
    #[arg(long, value_name = "NAME")]
    pub(crate) condition: Option<Condition>,
    /// Of each notebook only the first error: those after it often follow from it.
    #[arg(long)]
    pub(crate) first: bool,
    /// Write there, below `tables/`, what each filter left and which modules are imported.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["store", "data"])]
    pub(crate) tables: Option<PathBuf>,
    /// What a paper prints, beside what was counted.
    #[arg(long, value_name = "FOLDER", requires = "tables")]
    pub(crate) published: Option<PathBuf>,
    /// Write the crashes there, as a CSV that `classify` and `sample` take.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// What the column `platform` says: `github` or `kaggle`; of executions by default their condition.
    #[arg(long, default_value = "")]
    pub(crate) platform: String,
}

/// Arguments of `crashes classify`.
#[derive(Debug, Args)]
pub(crate) struct CrashesClassifyArguments {
    /// The sheet: a CSV with the columns platform, ename, evalue and traceback, of which alone the labels come; others may stand there.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: PathBuf,
    /// Where the notebooks are that the sheet's columns `notebook` and `cell` name: what the cells around a crash show then counts as well.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) notebooks: Option<PathBuf>,
    /// Write the labels there, one line for each line of the sheet.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// Arguments of `crashes sample`.
#[derive(Debug, Args)]
pub(crate) struct CrashesSampleArguments {
    /// The sheet.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: PathBuf,
    /// Write the drawn lines there, with the clusters of their values.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How many to draw; default: what a 95 % interval of 5 points to each side needs.
    #[arg(long)]
    pub(crate) size: Option<usize>,
    /// Clusters of at least so many crashes are strata of their own (the paper: 100 on GitHub, 10 on Kaggle).
    #[arg(long, default_value_t = 10)]
    pub(crate) least: usize,
    /// The same seed draws the same crashes.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Arguments of `crashes label`.
#[derive(Debug, Args)]
pub(crate) struct CrashesLabelArguments {
    /// The sheet, best one that `sample` drew.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: PathBuf,
    /// Who labels: one page a rater.
    #[arg(long, value_name = "NAME")]
    pub(crate) rater: String,
    /// Where the notebooks are that the sheet's column `notebook` names, if not where the names lead from here.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) notebooks: PathBuf,
    /// Show the labels of this file, to be reviewed.
    #[arg(long, value_name = "FILE")]
    pub(crate) review: Option<PathBuf>,
    /// Write the page there; any browser opens it, without a network.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// Arguments of `crashes agree`.
#[derive(Debug, Args)]
pub(crate) struct CrashesAgreeArguments {
    /// Labels that pages saved: of several raters, or of one and of its review.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) labels: Vec<PathBuf>,
    /// Write the crashes of this sheet with the labels of the last file, for `tables --labelled`.
    #[arg(long, value_name = "FILE", requires = "out")]
    pub(crate) csv: Option<PathBuf>,
    /// Where to.
    #[arg(long, value_name = "FILE", requires = "csv")]
    pub(crate) out: Option<PathBuf>,
    /// Write there, below `tables/`, what the review changed of each dimension.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) tables: Option<PathBuf>,
    /// What a paper prints, beside ours.
    #[arg(long, value_name = "FOLDER", requires = "tables")]
    pub(crate) published: Option<PathBuf>,
}

/// Arguments of `crashes tables`.
#[derive(Debug, Args)]
pub(crate) struct CrashesTablesArguments {
    /// A sheet; with several, their crashes are counted together, and compared by the column `platform`.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) csv: Vec<PathBuf>,
    /// Count the labels that stand in the sheets, and not those that the classifier gives.
    #[arg(long)]
    pub(crate) labelled: bool,
    /// As for `classify`: where the notebooks are that the sheets name.
    #[arg(long, value_name = "FOLDER", conflicts_with = "labelled")]
    pub(crate) notebooks: Option<PathBuf>,
    /// Write `tables/` and `figures/` below it.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// What a paper prints, beside ours.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) published: Option<PathBuf>,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Notebooks, or folders that are searched for them.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Only the error of this cell, counted from 1 over all cells.
    #[arg(long, value_name = "N")]
    pub(crate) cell: Option<usize>,
    /// One JSON object a crash, a line each.
    #[arg(long)]
    pub(crate) json: bool,
}
