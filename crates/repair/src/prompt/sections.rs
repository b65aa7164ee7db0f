//! The shared part of a prompt, section by section.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use nbrevive_notebook::{Cell, Notebook, percent};
use nbrevive_pysource::imports::imports;

use crate::prompt::frame::{fenced, inline};
use crate::prompt::shorten;
use crate::prompt::{PromptSettings, PromptTask};
use crate::{CellFeedback, Feedback};

/// What stands before each line of an output or a traceback under a cell.
pub(crate) const NOTE: &str = "#!";

/// Modules whose distribution has another name, for the few where it matters.
const DISTRIBUTIONS: &[(&str, &str)] = &[
    ("sklearn", "scikit-learn"),
    ("skimage", "scikit-image"),
    ("cv2", "opencv-python"),
    ("PIL", "pillow"),
    ("yaml", "pyyaml"),
    ("bs4", "beautifulsoup4"),
    ("Levenshtein", "python-levenshtein"),
];

/// Distributions that patches may lean on, in the order in which they are listed.
const WELL_KNOWN: &[&str] = &[
    "numpy",
    "pandas",
    "scikit-learn",
    "scipy",
    "matplotlib",
    "seaborn",
    "statsmodels",
    "xgboost",
    "lightgbm",
    "catboost",
    "tensorflow",
    "keras",
    "tf-keras",
    "torch",
    "torchvision",
    "transformers",
    "nltk",
    "gensim",
    "plotly",
    "networkx",
];

/// Tokens that outputs and tracebacks of one cell may have.
#[derive(Clone, Copy)]
pub(super) struct Shares {
    pub(super) traceback: usize,
    pub(super) output: usize,
}

pub(super) fn task(task: &PromptTask, settings: &PromptSettings) -> String {
    let mut text = String::new();
    if task.title.is_empty() {
        text.push_str("A notebook of its own, without a competition: it is to run without an error.");
    } else {
        let _ = write!(text, "The notebook was written for the competition \"{}\".", inline(&task.title));
    }
    if !task.description.trim().is_empty() {
        let description = shorten::start(task.description.trim(), settings.description_tokens, settings.encoding);
        let _ = write!(text, " Its description:\n\n{}", fenced(&description, "markdown"));
    }
    text
}

pub(super) fn environment(feedback: &Feedback<'_>, settings: &PromptSettings) -> String {
    let mut text = format!("Python {}. Nothing can be installed.", feedback.python);
    if let Some(submitted) = feedback.submitted {
        let _ = write!(text, " The notebook was submitted on {submitted}.");
    }
    let listed = listed_packages(feedback, settings.most_packages);
    if !listed.is_empty() {
        let _ = write!(text, " Installed packages: {}.", listed.join(", "));
    }
    let left = feedback.packages.len().saturating_sub(listed.len());
    if left > 0 {
        let _ = write!(text, " Not listed: {left} more.");
    }
    text
}

/// The packages that the notebook imports, then well-known ones, then others by name, each with its version.
fn listed_packages(feedback: &Feedback<'_>, most_others: usize) -> Vec<String> {
    let imported: BTreeSet<String> =
        imports(&feedback.notebook.code_sources()).iter().map(|import| distribution(&import.module)).collect();
    let is_installed = |name: &&str| feedback.packages.contains_key(*name);
    let first: Vec<&str> = imported.iter().map(String::as_str).filter(is_installed).collect();
    let known = WELL_KNOWN.iter().copied().filter(is_installed);
    let rest = feedback.packages.keys().map(String::as_str);
    let others = known.chain(rest.filter(|name| !WELL_KNOWN.contains(name))).filter(|name| !imported.contains(*name));
    let names = first.iter().copied().chain(others.take(most_others));
    names.map(|name| format!("{} {}", inline(name), inline(&feedback.packages[name]))).collect()
}

fn distribution(module: &str) -> String {
    let root = module.split('.').next().unwrap_or_default();
    match DISTRIBUTIONS.iter().find(|(known, _)| *known == root) {
        Some((_, name)) => (*name).to_owned(),
        None => root.to_ascii_lowercase().replace('_', "-"),
    }
}

pub(super) fn contract(task: &PromptTask) -> String {
    let mut text = String::from("The working folder is `/kaggle/working/`.");
    if task.competition.is_empty() {
        text.push_str(" Input files stand where the notebook reads them.");
    } else {
        let folder = inline(&task.competition);
        let _ = write!(text, " The data is in `/kaggle/input/{folder}/` and cannot be written");
        if !task.files.is_empty() {
            let files: Vec<String> = task.files.iter().map(|file| format!("`{}`", inline(file))).collect();
            let _ = write!(text, ": {}", files.join(", "));
        }
        text.push('.');
        if task.flat_input {
            text.push_str(" The same files are found in `../input/` too.");
        }
    }
    if !task.submission_columns.is_empty() {
        let columns: Vec<String> = task.submission_columns.iter().map(|column| inline(column)).collect();
        let header = columns.join(",");
        let _ = write!(text, " The submission is `/kaggle/working/submission.csv` with the header `{header}`.");
    }
    text
}

pub(super) fn scores(task: &PromptTask, feedback: &Feedback<'_>) -> String {
    let Some(target) = feedback.target else {
        return "There is no score to reach: the notebook is to run to its end without an error.".to_owned();
    };
    let direction = if feedback.higher_is_better { "higher" } else { "lower" };
    let metric = if task.metric.is_empty() { "the competition's own".to_owned() } else { inline(&task.metric) };
    let mut text =
        format!("Metric: {metric}, {direction} is better. The notebook scored {target} when it was submitted;");
    match (feedback.score, feedback.ran.no_score) {
        (Some(score), _) => {
            let _ = write!(text, " today it scores {score}.");
        }
        (None, Some(reason)) => {
            let _ = write!(text, " today it has no score: {}.", inline(reason));
        }
        (None, None) => text.push_str(" today it has no score."),
    }
    text
}

/// What a reader must know of the lines under the cells; empty when there are none.
pub(super) fn notes_note(has_notes: bool) -> &'static str {
    if has_notes {
        "Lines that begin with `#!` hold what the cell above them printed and the traceback of the error that it raised; \
         they are no part of the notebook."
    } else {
        ""
    }
}

/// Cells in percent form, each with its output and its traceback under it.
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) has_notes: bool,
}

pub(super) fn notebook(cells: &[Cell], feedback: &Feedback<'_>, shares: Shares, settings: &PromptSettings) -> Shown {
    let mut shown = Shown { text: String::new(), has_notes: false };
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            shown.text.push('\n');
        }
        shown.text.push_str(&percent::render(&Notebook::from_cells(vec![cell.clone()])));
        for note in notes(index, feedback, shares, settings) {
            shown.has_notes = true;
            shown.text.push_str(&note);
            shown.text.push('\n');
        }
    }
    shown
}

/// The lines that stand under a cell.
fn notes(index: usize, feedback: &Feedback<'_>, shares: Shares, settings: &PromptSettings) -> Vec<String> {
    let mut lines = Vec::new();
    for output in feedback.ran.outputs.iter().filter(|output| output.cell == index) {
        let text = shorten::output(&output.text, shares.output, settings.encoding);
        push_note(&mut lines, "printed:", &text);
    }
    lines.extend(raised(index, feedback, shares, settings));
    lines
}

/// The lines that tell what a cell raised.
pub(super) fn raised(index: usize, feedback: &Feedback<'_>, shares: Shares, settings: &PromptSettings) -> Vec<String> {
    let mut lines = Vec::new();
    for error in feedback.errors.iter().filter(|error| error.cell == index) {
        let text = shorten::traceback(&error.traceback, &own_line(error), shares.traceback, settings.encoding);
        push_note(&mut lines, "raised:", &text);
    }
    lines
}

fn push_note(lines: &mut Vec<String>, title: &str, text: &str) {
    if !text.trim().is_empty() {
        lines.push(format!("{NOTE} {title}"));
        lines.extend(text.lines().map(|line| format!("{NOTE} {line}").trim_end().to_owned()));
    }
}

/// The last line of a traceback, as Python writes it.
fn own_line(error: &CellFeedback) -> String {
    if error.evalue.is_empty() { error.ename.clone() } else { format!("{}: {}", error.ename, error.evalue) }
}
