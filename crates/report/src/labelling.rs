//! A page on which a person labels crashes (Wang et al., section 3.5, Table 5): one file, without a server, that saves JSON.

mod case;

use nbrevive_diagnosis::crash::{BugKind, EXCLUDED, ExceptionType, Label, RaterLabels, RootCause, Stage, meaning};
use nbrevive_notebook::Notebook;

use crate::page::markup::{escaped, filled, policy};

const TEMPLATE: &str = include_str!("labelling/page.html");
const STYLE: &str = concat!(include_str!("page/page.css"), include_str!("labelling/page.css"));
const SCRIPT: &str = include_str!("labelling/label.js");

/// Longest page, in bytes: what is beyond has its error without the notebook.
const LONGEST: usize = 48 << 20;

/// A crash that is to be labelled.
#[derive(Debug)]
pub struct LabelCase<'a> {
    /// Its id in the sheet.
    pub id: &'a str,
    /// The notebook, as the sheet names it, and its cell from 1; nothing where the sheet has none.
    pub place: &'a str,
    /// The exception's name.
    pub ename: &'a str,
    /// Its value.
    pub evalue: &'a str,
    /// The traceback.
    pub traceback: &'a str,
    /// The notebook with the cell, as index into all cells; none where it is not at hand.
    pub notebook: Option<(&'a Notebook, Option<usize>)>,
}

/// The page of a rater. `earlier` are labels that are shown to be reviewed.
#[must_use]
pub fn label_page(rater: &str, cases: &[LabelCase<'_>], earlier: Option<&RaterLabels>) -> String {
    let mut sections = String::new();
    for (number, case) in cases.iter().enumerate() {
        sections.push_str(&case::section(case, number, LONGEST.saturating_sub(sections.len())));
    }
    let earlier = earlier.map(|earlier| serde_json::to_string(earlier).expect("plain values become JSON"));
    let parts = [
        ("policy", policy(Some(SCRIPT), STYLE)),
        ("style", STYLE.to_owned()),
        ("rater", escaped(rater)),
        ("count", cases.len().to_string()),
        ("dimensions", dimensions()),
        ("cases", sections),
        ("earlier", escaped(&earlier.unwrap_or_default())),
        ("script", SCRIPT.to_owned()),
    ];
    filled(TEMPLATE, &parts)
}

/// The four dimensions of Table 5, and what is no crash, each category with its key: letters of the hand that does not turn pages, digits, and capital letters.
fn dimensions() -> String {
    let capitals = (b'A'..=b'Z').map(char::from);
    [
        fieldset::<RootCause>("Root cause", '1'..='9', |cause| meaning(cause).to_owned()),
        fieldset::<BugKind>("Kind of bug", "mp".chars(), |kind| match kind {
            BugKind::Ml => "ML bug: code that uses its libraries, or their objects".to_owned(),
            BugKind::Python => "Python bug: unrelated to libraries of machine learning".to_owned(),
        }),
        fieldset::<Stage>("Stage of the pipeline", "qwertyu".chars(), |stage| stage_meaning(stage).to_owned()),
        fieldset::<ExceptionType>("Exception type", capitals, |_| String::new()),
        exclusion(),
    ]
    .concat()
}

/// Why a case is left out (section 3.5 leaves out four of 746): it then needs no other label. Nothing is left out at first.
fn exclusion() -> String {
    let reasons = [
        ("", 'a', "it is a crash"),
        ("no code", 'x', "text that was never meant to run"),
        ("raised to print", 'z', "an exception that says a comment"),
    ];
    let choices = reasons.map(|(word, key, meaning)| choice(EXCLUDED, word, key, meaning)).concat();
    fields(EXCLUDED, "No crash, to be left out", &choices, "another reason")
}

pub(crate) const fn stage_meaning(stage: Stage) -> &'static str {
    match stage {
        Stage::Setup => "environment setup",
        Stage::Preparation => "data preparation",
        Stage::Visualization => "data visualization",
        Stage::Construction => "model construction",
        Stage::Training => "model training",
        Stage::Evaluation => "evaluation, prediction",
        Stage::Outside => "no stage: a tutorial, a simulation",
    }
}

fn fieldset<L: Label>(title: &str, keys: impl Iterator<Item = char>, meaning: impl Fn(L) -> String) -> String {
    let choices = L::ALL.iter().zip(keys).map(|(label, key)| choice(L::DIMENSION, label.code(), key, &meaning(*label)));
    fields(L::DIMENSION, title, &choices.collect::<String>(), "a new category")
}

fn choice(dimension: &str, word: &str, key: char, meaning: &str) -> String {
    let (word, meaning) = (escaped(word), escaped(meaning));
    format!(
        "<label><input type=\"radio\" name=\"{dimension}\" value=\"{word}\" data-key=\"{key}\"><kbd>{key}</kbd> <b>{word}</b> \
         {meaning}</label>\n"
    )
}

fn fields(dimension: &str, title: &str, choices: &str, other: &str) -> String {
    format!(
        "<fieldset class=\"dimension\" data-dimension=\"{dimension}\"><legend>{title}</legend>\n<div class=\"words\">{choices}</div>\
         <label class=\"other\">{other} <input type=\"text\" maxlength=\"60\" list=\"{dimension}-words\"></label>\
         <datalist id=\"{dimension}-words\"></datalist></fieldset>\n"
    )
}
