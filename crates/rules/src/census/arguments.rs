//! Arguments as a library takes them today: under another name or with another word, named, in the old order, or no more.

use nbrevive_census::{ApiRow, ApiRowKind, default_text};
use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged as _;

use super::uses::{ApiUse, class_of, rows_of};
use crate::call::CallEdit;
use crate::change::Change;
use crate::shape;
use crate::view::View;

/// Parameters that say how something is done, and not what comes of it.
const HOW: [&str; 8] = ["n_jobs", "verbose", "verbosity", "copy", "copy_X", "overwrite", "silent", "cache_size"];

/// Writes what a row says of arguments, in all calls of one thing.
pub(super) fn write(view: &View<'_>, change: &mut Change<'_>, used: &ApiUse, row: &ApiRow) {
    let order = order(used, row);
    view.calls(|place, call, _| {
        if called(view, call).as_ref() != Some(&used.name) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let is_changed = match row.kind {
            ApiRowKind::KeywordOnly => name_positions(&mut edit, call, &order),
            ApiRowKind::Reordered => view.at_fault(place, call.range()) && name_positions(&mut edit, call, &order),
            _ => change_keyword(&mut edit, row),
        };
        if is_changed {
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

/// What a call calls: a name of a library, or a method of an instance of one of its classes.
fn called(view: &View<'_>, call: &ExprCall) -> Option<String> {
    view.qualified(&call.func).or_else(|| {
        let (attribute, method) = shape::method(call)?;
        match view.kinds(&attribute.value).as_slice() {
            [kind] => class_of(kind).map(|class| format!("{class}.{method}")),
            _ => None,
        }
    })
}

/// The names that positions have to be given: of those that can no longer be passed by position, or whose order is another.
fn order(used: &ApiUse, row: &ApiRow) -> Vec<(usize, String)> {
    match row.kind {
        ApiRowKind::KeywordOnly => {
            let named = rows_of(used).into_iter().filter(|row| row.kind == ApiRowKind::KeywordOnly);
            named.filter_map(|row| Some((row.word.parse().ok()?, row.parameter))).collect()
        }
        ApiRowKind::Reordered => {
            let (old, new) = (row.word.split(", "), row.successor.split(", ").map(Some).chain(std::iter::repeat(None)));
            let pairs = old.zip(new).enumerate().skip_while(|(_, (old, new))| Some(*old) == *new);
            pairs.map(|(position, (old, _))| (position, old.to_owned())).collect()
        }
        _ => Vec::new(),
    }
}

/// Names the arguments at these positions and behind them; false where one of them has no name, or is named already.
fn name_positions(edit: &mut CallEdit<'_>, call: &ExprCall, order: &[(usize, String)]) -> bool {
    let Some(first) = order.iter().map(|(position, _)| *position).min() else { return false };
    if call.arguments.args.iter().any(Expr::is_starred_expr) {
        return false;
    }
    let mut is_changed = false;
    for (position, number) in edit.positional().into_iter().enumerate().skip(first) {
        let name = order.iter().find(|(at, _)| *at == position).map(|(_, name)| name);
        let Some(name) = name.filter(|name| edit.find(name).is_none()) else { return false };
        edit.name(number, name);
        is_changed = true;
    }
    is_changed
}

/// Writes another keyword or another word, or leaves out what is taken no more and says nothing of the result.
fn change_keyword(edit: &mut CallEdit<'_>, row: &ApiRow) -> bool {
    let Some(number) = edit.find(&row.parameter) else { return false };
    match row.kind {
        ApiRowKind::ParameterRenamed if edit.find(&row.successor).is_none() => edit.name(number, &row.successor),
        ApiRowKind::WordGone if shape::text(edit.value(number)) == Some(row.word.as_str()) => {
            edit.set(number, format!("{}='{}'", row.parameter, row.successor));
        }
        ApiRowKind::ParameterGone if is_idle(row, edit.value(number)) => edit.remove(number),
        _ => return false,
    }
    true
}

/// Whether a parameter that is gone had nothing to say: by what the library wrote of it, by what it is about, or because it was given its
/// default.
fn is_idle(row: &ApiRow, value: &Expr) -> bool {
    let said =
        ["no effect", "ignored", "not used", "unused", "never used"].iter().any(|words| row.text.contains(words));
    said || HOW.contains(&row.parameter.as_str()) || (row.word != "…" && row.word == default_text(value))
}
