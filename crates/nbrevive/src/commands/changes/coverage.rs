//! `nbrevive changes coverage`: of all that notebooks use and that is gone, how much the rules mend, and of how much the library says why.
//!
//! Nothing is run: each use gets the error that Python raises for it, the rules are asked, and what they write is looked up again.

use std::collections::BTreeMap;
use std::path::Path;

use nbrevive_census::ApiRowKind;
use nbrevive_notebook::Notebook;
use nbrevive_rules::census::{GoneUse, api_uses, gone_uses};
use nbrevive_rules::{CellFeedback, Feedback, Rules};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::SourceText;
use rayon::prelude::*;

use super::check::TODAY;
use crate::Outcome;
use crate::arguments::ChangesCoverageArguments;
use crate::commands::sources;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// How many names that nothing stands for are told.
const MOST_TOLD: usize = 40;

/// Uses of things that are gone.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    uses: usize,
    /// What the rules write in their place is there today.
    mended: usize,
    /// No rule, but the library said why it goes.
    reasoned: usize,
}

/// Prints a line a library, and the names that are used most and have neither rule nor reason.
pub(crate) fn coverage(arguments: &ChangesCoverageArguments) -> Outcome {
    let paths = sources::find(&arguments.paths)?;
    let read = |path: &Path| SourceText::read_notebook(path).map_err(|error| Failure::new(Exit::BadInput, &error));
    let ends: Vec<_> = paths.par_iter().map(|path| read(path).map(|notebook| judged(&notebook))).collect();
    let (mut libraries, mut left): (BTreeMap<String, Count>, BTreeMap<String, usize>) = Default::default();
    let mut unreadable = 0;
    for end in ends {
        let Ok(uses) = end else {
            unreadable += 1;
            continue;
        };
        for (gone, is_mended) in uses {
            let is_reasoned = !is_mended && !gone.row.text.is_empty();
            for name in [gone.row.library.clone(), "all".to_owned()] {
                let count = libraries.entry(name).or_default();
                count.uses += 1;
                count.mended += usize::from(is_mended);
                count.reasoned += usize::from(is_reasoned);
            }
            if !is_mended && !is_reasoned {
                let used = &gone.used;
                let argument = [used.parameter.as_str(), used.word.as_str()].join("=");
                *left.entry(format!("{} {}", used.name, argument.trim_matches('='))).or_default() += 1;
            }
        }
    }
    printer::data(&table(&libraries, left));
    printer::note(&shown!("{} files, {} unreadable", paths.len(), unreadable));
    Ok(if unreadable == 0 { Exit::Success } else { Exit::BadInput })
}

fn table(libraries: &BTreeMap<String, Count>, left: BTreeMap<String, usize>) -> Shown {
    let mut text = shown!("{:<20} {:>7} {:>7} {:>7} {:>8}\n", "library", "uses", "mended", "reason", "covered");
    for (library, count) in libraries {
        let share = 100.0 * (count.mended + count.reasoned) as f64 / count.uses.max(1) as f64;
        let numbers = shown!("{:>7} {:>7} {:>7} {:>6.1} %", count.uses, count.mended, count.reasoned, share);
        text.push_line(&shown!("{:<20} {}", library, numbers));
    }
    let mut left: Vec<(String, usize)> = left.into_iter().collect();
    left.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    for (name, count) in left.into_iter().take(MOST_TOLD) {
        text.push_line(&shown!("neither: {} ({})", name.trim_end(), count));
    }
    text
}

/// The uses of gone things in a notebook, and whether the rules mend each.
fn judged(notebook: &Notebook) -> Vec<(GoneUse, bool)> {
    let gone = gone_of(notebook);
    let mended: Vec<bool> = gone.iter().map(|one| is_mended(notebook, &gone, one)).collect();
    gone.into_iter().zip(mended).collect()
}

fn gone_of(notebook: &Notebook) -> Vec<GoneUse> {
    let uses = api_uses(notebook.code_cells().map(|(index, cell)| (index, cell.source.as_str())));
    gone_uses(&uses, TODAY)
}

/// Whether a use, one of `all`, is gone from what the rules make of the notebook when it raises.
fn is_mended(notebook: &Notebook, all: &[GoneUse], gone: &GoneUse) -> bool {
    let packages = BTreeMap::new();
    let same = |other: &GoneUse| {
        let (one, other) = (&gone.used, &other.used);
        (one.cell, &one.name, &one.parameter, &one.word) == (other.cell, &other.name, &other.parameter, &other.word)
    };
    let before = all.iter().filter(|other| same(other)).count();
    errors_of(notebook, gone).into_iter().any(|error| {
        let proposal = Rules.propose(&Feedback::of_errors(notebook, vec![error], &packages));
        proposal.is_some_and(|proposal| gone_of(&proposal.notebook).iter().filter(|other| same(other)).count() < before)
    })
}

/// The errors that Python may raise for a use, in its words and the libraries'.
fn errors_of(notebook: &Notebook, gone: &GoneUse) -> Vec<CellFeedback> {
    let (used, row) = (&gone.used, &gone.row);
    let (owner, last) = used.name.rsplit_once('.').unwrap_or(("", &used.name));
    let class = owner.rsplit('.').next().unwrap_or_default();
    let told: Vec<(&str, String)> = match row.kind {
        ApiRowKind::ParameterGone | ApiRowKind::ParameterRenamed => {
            let callee =
                if last.starts_with(char::is_uppercase) { format!("{last}.__init__") } else { last.to_owned() };
            vec![
                ("TypeError", format!("{callee}() got an unexpected keyword argument '{}'", used.parameter)),
                ("TypeError", format!("{class}.{last}() got an unexpected keyword argument '{}'", used.parameter)),
            ]
        }
        ApiRowKind::KeywordOnly => {
            vec![("TypeError", format!("{last}() takes 1 positional argument but {} were given", used.positional + 1))]
        }
        ApiRowKind::WordGone => {
            let text = format!(
                "The '{}' parameter of {last} must be a str among {{}}. Got '{}' instead.",
                used.parameter, used.word
            );
            vec![
                ("sklearn.utils._param_validation.InvalidParameterError", text),
                ("ValueError", format!("'{}' is not a valid value for {}", used.word, used.parameter)),
            ]
        }
        _ => vec![
            ("AttributeError", format!("module '{owner}' has no attribute '{last}'")),
            ("ImportError", format!("cannot import name '{last}' from '{owner}' (unknown location)")),
            ("ModuleNotFoundError", format!("No module named '{}'", used.name)),
            ("ModuleNotFoundError", format!("No module named '{owner}'")),
            ("AttributeError", format!("'{class}' object has no attribute '{last}'")),
        ],
    };
    let source = notebook.cells.get(used.cell).map(|cell| cell.source.as_str()).unwrap_or_default();
    let line = source.lines().nth(usize::try_from(used.line).unwrap_or(1).saturating_sub(1)).unwrap_or_default();
    let feedback = |(ename, evalue): (&str, String)| CellFeedback {
        cell: used.cell,
        ename: ename.to_owned(),
        traceback: format!("----> {} {line}\n{ename}: {evalue}", used.line),
        evalue,
        line: Some(used.line),
    };
    told.into_iter().map(feedback).collect()
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;

    fn told(code: &str) -> Vec<(String, bool)> {
        let notebook = Notebook::from_cells(vec![Cell::code(code)]);
        judged(&notebook)
            .into_iter()
            .map(|(gone, is_mended)| (gone.used.name + &gone.used.parameter, is_mended))
            .collect()
    }

    #[test]
    fn what_is_written_anew_is_mended_and_nothing_else() {
        let mended = told("from sklearn.cross_validation import KFold\n");
        assert!(mended.contains(&("sklearn.cross_validation.KFold".to_owned(), true)), "{mended:?}");
        let keyword = told("from sklearn.preprocessing import OneHotEncoder\nOneHotEncoder(sparse=False)\n");
        assert!(keyword.contains(&("sklearn.preprocessing.OneHotEncodersparse".to_owned(), true)), "{keyword:?}");
        let left = told("import networkx\nnetworkx.algorithms.all_triplets(g)\n");
        assert_eq!(left, [("networkx.algorithms.all_triplets".to_owned(), false)]);
    }
}
