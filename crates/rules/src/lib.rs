//! Rules: what changed in the libraries, and how code is carried over.
//!
//! The catalogue is one ordered table, a file per library. A rule is called by an error of the notebook (or, where a
//! change raises nothing, by the pattern alone), looks at the syntax trees of all cells, and mends every place at
//! once.
//!
//! Folders: `code` is what a rule looks at (`view` all of it; `index` holds the expressions, walked once for all rules, `words` what they
//! name, by which tables are seen to have nothing to say, `infer` what variables hold, `held` what a run told of them, `faults` the lines
//! that errors blame); `rewrites` is what it does (`rule` is a row, `change` what it wants to change;
//! `moves`, `methods`, `keywords` and `positional` are the four sorts of rewrites that tables alone describe). A library has a file or
//! folder of its own.

pub mod census;
mod code;
mod engine;
mod feedback;
mod proposal;
mod rewrites;
mod signature;
mod version;

mod calibration;
mod catboost;
mod databases;
mod document;
mod gensim;
mod imaging;
mod imblearn;
mod keras;
mod lightgbm;
mod maps;
mod matplotlib;
mod networkx;
mod nltk;
mod numpy;
mod opencv;
mod optuna;
mod others;
mod pandas;
mod plotly;
mod python;
mod runtime;
mod scipy;
mod seaborn;
mod shap;
mod sklearn;
mod statsmodels;
mod switches;
mod tensorflow;
mod torch;
mod xgboost;

pub mod trial;

pub use code::faults::lines_on_the_way;
pub use engine::Rules;
pub use feedback::{CellOutput, Feedback, Ran, fix_type};
pub use nbrevive_notebook::{CellFacts, CellFeedback};
pub use proposal::{AppliedRule, Proposal};
pub use rewrites::rule::{Day, Example, Rule, Trigger};
pub use signature::Signature;

use code::{call, faults, held, index, infer, kind, names, receiver, shape, view, walk, words};
use rewrites::{change, keywords, methods, moves, positional, rule, stand_ins};

/// The version of what the rules do, with all that reads code for them. Raised by whoever changes what they propose:
/// `tests/it/behaviour.rs` of `nbrevive-repair` says when that was forgotten. Outcomes that other rules led to are out of date then.
pub const RULES_VERSION: u32 = 15;

/// All rules, in the order in which they act: syntax first, then what moved, then what is called.
pub fn catalogue() -> impl Iterator<Item = &'static Rule> {
    let tables: [&'static [&'static [Rule]]; 30] = [
        python::TABLES,
        pandas::TABLES,
        numpy::TABLES,
        sklearn::TABLES,
        scipy::TABLES,
        matplotlib::TABLES,
        seaborn::TABLES,
        statsmodels::TABLES,
        imblearn::TABLES,
        xgboost::TABLES,
        lightgbm::TABLES,
        catboost::TABLES,
        keras::TABLES,
        tensorflow::TABLES,
        torch::TABLES,
        plotly::TABLES,
        networkx::TABLES,
        gensim::TABLES,
        nltk::TABLES,
        imaging::TABLES,
        opencv::TABLES,
        optuna::TABLES,
        shap::TABLES,
        databases::TABLES,
        maps::TABLES,
        others::TABLES,
        document::TABLES,
        calibration::TABLES,
        runtime::TABLES,
        switches::TABLES,
    ];
    tables.into_iter().flatten().copied().flatten()
}

/// Whether a rule of this id restores an old behaviour as a whole.
#[must_use]
pub fn is_switch(id: &str) -> bool {
    catalogue().any(|rule| rule.id == id && rule.is_switch())
}

/// Where a rule says that a module, or a name in it, lives today: its dotted name. `None` where no rule moves it, or only
/// drops its import.
///
/// Who makes an environment for a notebook needs to know: `fbprophet` is `prophet` once the notebook is mended.
#[must_use]
pub fn moved_to(dotted: &str) -> Option<String> {
    let tables = catalogue().filter_map(|rule| match rule.rewrite {
        rule::Rewrite::Move(table) => Some(table),
        _ => None,
    });
    let new = { tables }.find_map(|table| moves::new_name(table, dotted))?;
    // `module:Class.method` is bound after the import of the module.
    let module = new.split(':').next().unwrap_or(&new);
    (!module.is_empty() && !module.starts_with("builtins.")).then(|| module.to_owned())
}

#[cfg(test)]
mod harm;
#[cfg(test)]
mod tests;
