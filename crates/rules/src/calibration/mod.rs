//! Defaults that changed without notice: restored where a notebook is older than the change.

mod data;
mod models;
mod statistics;

use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::rule::Rule;
use crate::shape;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[models::RULES, data::RULES, statistics::RULES];

/// Writes an old default where the call leaves the parameter open: `position` is its place among the positional
/// arguments, when it may be one.
fn restore(
    view: &View<'_>,
    change: &mut Change<'_>,
    (root, name): (&'static str, &'static str),
    parameter: &str,
    position: Option<usize>,
    value: &str,
) {
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function(root, name), place, call)
            || shape::keyword(call, parameter).is_some()
            || shape::has_stars(call)
            || position.is_some_and(|position| call.arguments.args.len() > position)
        {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        edit.append(format!("{parameter}={value}"));
        change.edit(place, call.range().start(), edit.finish());
    });
}
