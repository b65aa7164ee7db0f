//! Splitters of `sklearn.cross_validation`: they took the number of rows (or the labels) and were iterated over.
//!
//! The new ones take neither. A list of their splits can be iterated over, counted and given as `cv=` just as the
//! old objects could, so that no use of the variable has to change.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-old-splitters",
    ("scikit-learn", "0.20"),
    "KFold and its kin take neither the number of rows nor the labels, and split(…) gives the folds",
    Trigger::Error(&[
        sig("ModuleNotFoundError", "No module named 'sklearn."),
        sig("ImportError", "cannot import name '*' from 'sklearn"),
        sig("TypeError", "got an unexpected keyword argument 'n_folds'"),
        sig("TypeError", "got an unexpected keyword argument 'n_iter'"),
        sig("TypeError", "got an unexpected keyword argument 'n'"),
        sig("TypeError", "got multiple values for argument 'n_splits'"),
        sig("TypeError", "'KFold' object is not iterable"),
        sig("TypeError", "'*Split' object is not iterable"),
        sig("TypeError", "'StratifiedKFold' object is not iterable"),
        sig("TypeError", "LeaveOneOut() takes no arguments"),
        sig("TypeError", "'LeaveOneOut' object is not iterable"),
        sig("AttributeError", "module 'sklearn' has no attribute 'cross_validation'"),
    ]),
    Rewrite::Code(rewrite),
    example(
        "from sklearn.cross_validation import KFold, StratifiedKFold\nkf = KFold(len(X), n_folds=3, random_state=1)\nsk = StratifiedKFold(y, 5, shuffle=True)\n",
        ("ModuleNotFoundError", "No module named 'sklearn.cross_validation'"),
        "from sklearn.cross_validation import KFold, StratifiedKFold\nkf = list(KFold(n_splits=3).split(X))\nsk = list(StratifiedKFold(n_splits=5, shuffle=True).split(y, y))\n",
    ),
)
.shift("stratified folds differ by a few rows")];

/// An old splitter: its parameters in order, the new name of the count, its old default, and what it splits by.
struct Old {
    class: &'static str,
    parameters: &'static [&'static str],
    count: &'static str,
    default: &'static str,
    by: By,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Rows,
    Labels,
    Groups,
}

static OLD: &[Old] = &[
    Old {
        class: "KFold",
        parameters: &["n", "n_folds", "shuffle", "random_state"],
        count: "n_folds",
        default: "3",
        by: By::Rows,
    },
    Old {
        class: "StratifiedKFold",
        parameters: &["y", "n_folds", "shuffle", "random_state"],
        count: "n_folds",
        default: "3",
        by: By::Labels,
    },
    Old { class: "LabelKFold", parameters: &["labels", "n_folds"], count: "n_folds", default: "3", by: By::Groups },
    Old {
        class: "ShuffleSplit",
        parameters: &["n", "n_iter", "test_size", "train_size", "random_state"],
        count: "n_iter",
        default: "10",
        by: By::Rows,
    },
    Old {
        class: "StratifiedShuffleSplit",
        parameters: &["y", "n_iter", "test_size", "train_size", "random_state"],
        count: "n_iter",
        default: "10",
        by: By::Labels,
    },
    Old {
        class: "LabelShuffleSplit",
        parameters: &["labels", "n_iter", "test_size", "train_size", "random_state"],
        count: "n_iter",
        default: "5",
        by: By::Groups,
    },
    Old { class: "LeaveOneOut", parameters: &["n"], count: "", default: "", by: By::Rows },
    Old { class: "LeavePOut", parameters: &["n", "p"], count: "", default: "", by: By::Rows },
    Old { class: "LeaveOneLabelOut", parameters: &["labels"], count: "", default: "", by: By::Groups },
];

fn rewrite(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func).filter(|dotted| dotted.starts_with("sklearn.")) else { return };
        let Some(old) = OLD.iter().find(|old| dotted.rsplit('.').next() == Some(old.class)) else { return };
        if shape::has_stars(call) || !is_old(call, old, &dotted) {
            return;
        }
        if let Some(text) = rewritten(view.parsed(place), call, old) {
            change.replace(place, call.range(), text);
        }
    });
}

/// The old form: imported from the old module, or called in a way that only the old classes allow.
fn is_old(call: &ExprCall, old: &Old, dotted: &str) -> bool {
    let keyword = |name: &str| !name.is_empty() && shape::keyword(call, name).is_some();
    if keyword("n_splits") {
        return false;
    }
    let data = keyword(old.parameters[0]) || !call.arguments.args.is_empty();
    if dotted.starts_with("sklearn.cross_validation.") {
        return data;
    }
    keyword(old.parameters[0]) || data && keyword(old.count) || second_is_count(call, old)
}

/// `KFold(len(X), 5)`: a first argument that is no literal, and a number or name of a count after it.
fn second_is_count(call: &ExprCall, old: &Old) -> bool {
    let [first, second, ..] = &call.arguments.args[..] else { return false };
    old.parameters.len() > 1
        && shape::integer(first).is_none()
        && shape::integer(second).is_some()
        && !first.is_name_expr()
}

fn rewritten(parsed: &Parsed, call: &ExprCall, old: &Old) -> Option<String> {
    let mut edit = CallEdit::new(parsed, call);
    for (order, number) in edit.positional().into_iter().enumerate() {
        edit.name(number, old.parameters.get(order)?);
    }
    let numbers: Vec<usize> = edit.arguments().map(|(number, _)| number).collect();
    let mut positions = 0;
    let mut data = None;
    let mut counted = old.count.is_empty();
    let shuffled = shape::keyword(call, "shuffle").is_some() || call.arguments.args.len() > 2;
    for number in numbers {
        let name = match edit.arguments().find(|(one, _)| *one == number)?.1.keyword {
            Some(keyword) => keyword.to_owned(),
            None => {
                positions += 1;
                (*old.parameters.get(positions - 1)?).to_owned()
            }
        };
        if name == old.parameters[0] {
            data = Some(rows(parsed, edit.value(number), edit.value_text(number), old.by));
            edit.remove(number);
        } else if name == old.count && !counted {
            edit.name(number, "n_splits");
            counted = true;
        } else if name == "indices" || name == "random_state" && old.count == "n_folds" && !shuffled {
            edit.remove(number);
        }
    }
    let mut arguments = edit.render();
    if !counted {
        let separator = if arguments.is_empty() { "" } else { ", " };
        arguments = format!("n_splits={}{separator}{arguments}", old.default);
    }
    let class = parsed.text(call.func.range());
    Some(format!("list({class}({arguments}).split({}))", data?))
}

/// What `split` gets: the data whose rows were counted, else a range of that length; labels twice, since only
/// their number counts as data.
fn rows(parsed: &Parsed, value: &Expr, text: &str, by: By) -> String {
    match by {
        By::Labels => format!("{text}, {text}"),
        By::Groups => format!("{text}, groups={text}"),
        By::Rows => counted_rows(parsed, value).unwrap_or_else(|| format!("range({text})")),
    }
}

/// `X` of `len(X)` and `X.shape[0]`.
fn counted_rows(parsed: &Parsed, value: &Expr) -> Option<String> {
    match value {
        Expr::Call(call) if shape::name(&call.func) == Some("len") && call.arguments.args.len() == 1 => {
            Some(CallEdit::new(parsed, call).render())
        }
        Expr::Subscript(subscript) if shape::integer(&subscript.slice) == Some(0) => match subscript.value.as_ref() {
            Expr::Attribute(attribute) if attribute.attr.as_str() == "shape" => {
                Some(receiver_text(parsed, attribute).to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}
