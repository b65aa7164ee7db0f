//! The generic rule: a name, parameter or word that an error speaks of is looked up in the census, and what stands there in its place is
//! written, wherever the notebook uses it.
//!
//! It acts only on a name that resolves to the library, and only where the row says what to write: a place that is found by text, by the
//! same body, or by the same parameters.

use nbrevive_census::{ApiRow, ApiRowKind};
use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged as _;

use super::arguments;
use super::uses::{ApiUse, class_of, of_name, rows_of, uses_of};
use crate::change::{Change, Finished, replacement};
use crate::faults::Faults;
use crate::view::{Code, View};
use crate::{CellFeedback, moves};

/// The changes of one pass, and the row that they follow; of rows whose release is not installed yet none is.
pub(crate) fn mend(
    code: &Code<'_>,
    errors: &[&CellFeedback],
    is_installed: &dyn Fn(&ApiRow) -> bool,
) -> Option<(Finished, ApiRow)> {
    let uses: Vec<ApiUse> = uses_of(code).into_iter().map(|(_, used)| used).collect();
    for error in errors {
        for used in uses.iter().chain(&missed(code, error)) {
            let Some(row) = row_of(error, used).filter(is_installed) else { continue };
            let view = View { code, errors: errors.to_vec(), faults: Faults::of(errors) };
            let mut change = Change::new(code);
            write(&view, &mut change, used, &row);
            let finished = change.finish();
            if !finished.texts.is_empty() {
                return Some((finished, row));
            }
        }
    }
    None
}

/// The attribute that an error misses, as the classes have it that a run found it missing on.
fn missed(code: &Code<'_>, error: &CellFeedback) -> Vec<ApiUse> {
    let facts = code.facts.iter().find(|facts| facts.cell == error.cell);
    let Some(missing) = facts.and_then(|facts| facts.missing.as_ref()) else { return Vec::new() };
    let used = |owner: &String| ApiUse {
        cell: error.cell,
        line: error.line.unwrap_or(1),
        name: format!("{owner}.{}", missing.name),
        parameter: String::new(),
        word: String::new(),
        positional: 0,
    };
    missing.owners.iter().map(used).collect()
}

/// The row by which an error is mended at a use, where it is about that use.
fn row_of(error: &CellFeedback, used: &ApiUse) -> Option<ApiRow> {
    if speaks_of(error, used) {
        let row = rows_of(used).into_iter().rev().find(ApiRow::is_loss)?;
        let needs_none = matches!(row.kind, ApiRowKind::KeywordOnly | ApiRowKind::ParameterGone);
        return (needs_none || !row.successor.is_empty()).then_some(row);
    }
    // Where the wrong argument came to is told in many ways.
    let is_blamed = used.positional > 1 && used.cell == error.cell && error.line.is_some();
    let mut rows = if is_blamed { of_name(&used.name, 0) } else { Vec::new() };
    rows.retain(|row| row.kind == ApiRowKind::Reordered);
    rows.pop()
}

/// Whether an error is about a use, by the words in which Python and the libraries say it.
fn speaks_of(error: &CellFeedback, used: &ApiUse) -> bool {
    let class = error.ename.rsplit('.').next().unwrap_or_default();
    let last = used.name.rsplit('.').next().unwrap_or_default();
    let quoted = |word: &str| {
        [format!("'{word}'"), format!("\"{word}\""), format!("`{word}`")].iter().any(|one| error.evalue.contains(one))
    };
    match class {
        "TypeError" | "AttributeError" if error.evalue.contains("unexpected keyword argument") => {
            !used.parameter.is_empty() && quoted(&used.parameter)
        }
        "TypeError" if error.evalue.contains("positional argument") => {
            let names_it =
                error.evalue.contains(&format!("{last}()")) || error.evalue.contains(&format!("{last}.__init__()"));
            used.positional > 0 && (names_it || error.evalue.starts_with("too many positional arguments"))
        }
        "AttributeError" | "ImportError" => used.parameter.is_empty() && quoted(last),
        "ModuleNotFoundError" => used.parameter.is_empty() && named_modules(&used.name).any(quoted),
        "InvalidParameterError" | "ValueError" => !used.word.is_empty() && error.evalue.contains(&used.word),
        _ => false,
    }
}

/// A name, and the modules that it lies in below its root.
fn named_modules(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| name.rsplit_once('.').map(|(outer, _)| outer))
        .filter(|name| name.contains('.'))
}

fn write(view: &View<'_>, change: &mut Change<'_>, used: &ApiUse, row: &ApiRow) {
    match row.kind {
        ApiRowKind::Moved | ApiRowKind::Renamed => match member_of(row) {
            Some((owner, member)) => attribute(view, change, (owner, member), (&row.name, &used.name)),
            None if is_same_sort(row) => moves::apply(&[(&row.name, &row.successor)], view, change),
            None => {}
        },
        _ => arguments::write(view, change, used, row),
    }
}

/// Members that are no methods: a call of one that is gone is written with more than another name.
const NO_METHODS: [&str; 6] = ["loc", "iloc", "at", "iat", "values", "dtype"];

/// The class and the new member of a row about a member of a class. By case: classes of the libraries are written so.
fn member_of(row: &ApiRow) -> Option<(&str, &str)> {
    let (owner, _) = row.name.rsplit_once('.')?;
    let (new_owner, member) = row.successor.rsplit_once('.')?;
    let is_class = owner.rsplit('.').next()?.starts_with(char::is_uppercase);
    (is_class && owner == new_owner && !NO_METHODS.contains(&member)).then_some((owner, member))
}

/// Whether one can be written for the other: names of modules, both of a function or both of a class. What became a method of something
/// else, or a class in the place of a function, is called otherwise.
fn is_same_sort(row: &ApiRow) -> bool {
    let sort = |name: &str| name.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase));
    let in_class = |name: &str| name.rsplit('.').skip(1).any(|part| part.starts_with(char::is_uppercase));
    sort(&row.name) == sort(&row.successor) && !in_class(&row.name) && !in_class(&row.successor)
}

/// Writes another attribute of the instances of a class.
fn attribute(
    view: &View<'_>,
    change: &mut Change<'_>,
    (owner, member): (&str, &str),
    (name, used): (&String, &String),
) {
    let missed_on = used.rsplit_once('.').unwrap_or_default();
    let old = name.rsplit('.').next().unwrap_or_default();
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        if attribute.attr.as_str() != old {
            return;
        }
        let kinds = view.kinds(&attribute.value);
        let is_instance = matches!(kinds.as_slice(), [kind] if class_of(kind) == Some(owner));
        let is_named = || view.qualified(expression).as_ref() == Some(name);
        if is_instance || is_named() || view.is_missed(place, expression.range(), missed_on) {
            change.edit(place, attribute.range().start(), vec![replacement(attribute.attr.range(), member)]);
        }
    });
}

/// What a row says, as a reason of a change.
pub(crate) fn reason(row: &ApiRow) -> String {
    let what = match row.kind {
        ApiRowKind::ParameterRenamed => format!("`{}` of {} is `{}`", row.parameter, row.name, row.successor),
        ApiRowKind::WordGone => format!("`{}='{}'` of {} is '{}'", row.parameter, row.word, row.name, row.successor),
        ApiRowKind::KeywordOnly => format!("`{}` of {} must be named", row.parameter, row.name),
        ApiRowKind::ParameterGone => format!("{} takes no `{}`", row.name, row.parameter),
        ApiRowKind::Reordered => format!("{} takes {} in this order", row.name, row.successor),
        _ => format!("{} is {}", row.name, row.successor),
    };
    format!("{} {}: {what}, by the census of changes", row.library, row.first_without)
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::MissingAttribute;

    use super::*;
    use crate::CellFacts;
    use crate::view::Source;

    /// What the census makes of a cell that raised.
    fn mended(text: &str, ename: &str, evalue: &str) -> Option<String> {
        let cells = [Source::new(0, text)];
        let error = CellFeedback {
            cell: 0,
            ename: ename.to_owned(),
            evalue: evalue.to_owned(),
            traceback: String::new(),
            line: None,
        };
        let (finished, _) = mend(&Code::of(&cells), &[&error], &|_| true)?;
        finished.texts.into_iter().next().map(|(_, text)| text)
    }

    #[test]
    fn names_parameters_and_words_are_written_anew() {
        let import = "from sklearn.covariance import graph_lasso\ngraph_lasso(1)\n";
        let told = "cannot import name 'graph_lasso' from 'sklearn.covariance'";
        assert_eq!(
            mended(import, "ImportError", told).as_deref(),
            Some("from sklearn.covariance import graphical_lasso as graph_lasso\ngraph_lasso(1)\n")
        );
        let keyword = "from sklearn import preprocessing as p\ne = p.OneHotEncoder(sparse=False)\n";
        let told = "OneHotEncoder.__init__() got an unexpected keyword argument 'sparse'";
        assert_eq!(
            mended(keyword, "TypeError", told).as_deref(),
            Some("from sklearn import preprocessing as p\ne = p.OneHotEncoder(sparse_output=False)\n")
        );
        let word = "from sklearn.ensemble import GradientBoostingClassifier as G\ng = G(loss='deviance')\n";
        let told = "The 'loss' parameter of GradientBoostingClassifier must be a str among {'exponential', 'log_loss'}. Got 'deviance' instead.";
        assert_eq!(
            mended(word, "InvalidParameterError", told).as_deref(),
            Some("from sklearn.ensemble import GradientBoostingClassifier as G\ng = G(loss='log_loss')\n")
        );
    }

    #[test]
    fn what_a_run_found_missing_is_written_anew_where_the_code_does_not_say_what_it_is() {
        let cells = [Source::new(0, "def f(a):\n    return a[0].get_axis_bgcolor()\nf(g())\nh.get_axis_bgcolor()\n")];
        let error = CellFeedback {
            cell: 0,
            ename: "AttributeError".to_owned(),
            evalue: "'AitoffAxes' object has no attribute 'get_axis_bgcolor'".to_owned(),
            traceback: "----> 2 return a[0].get_axis_bgcolor()".to_owned(),
            line: Some(3),
        };
        let missing = MissingAttribute {
            name: "get_axis_bgcolor".to_owned(),
            owners: vec!["matplotlib.projections.AitoffAxes".to_owned(), "matplotlib.axes.Axes".to_owned()],
        };
        let facts = [CellFacts { missing: Some(missing), ..CellFacts::default() }];
        assert!(mend(&Code::of(&cells), &[&error], &|_| true).is_none());
        let (finished, row) = mend(&Code::of_run(&cells, &facts), &[&error], &|_| true).unwrap();
        assert_eq!(row.library, "matplotlib");
        insta::assert_snapshot!(finished.texts[0].1, @r"
        def f(a):
            return a[0].get_facecolor()
        f(g())
        h.get_axis_bgcolor()
        ");
    }

    #[test]
    fn what_is_not_the_librarys_is_left_alone() {
        let own = "from mine import graph_lasso\ngraph_lasso(1)\n";
        assert_eq!(mended(own, "ImportError", "cannot import name 'graph_lasso' from 'mine'"), None);
        let unbound = "import pandas as pd\npd.DataFrame.append(a, b)\n";
        assert_eq!(mended(unbound, "AttributeError", "type object 'DataFrame' has no attribute 'append'"), None);
        let other = "from sklearn.covariance import graph_lasso\n1 / 0\n";
        assert_eq!(mended(other, "ZeroDivisionError", "division by zero"), None);
    }
}
