//! Methods and properties that have another name now.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::{Change, insertion, replacement};
use crate::faults::Faults;
use crate::receiver::On;
use crate::view::{Place, View};

/// One renamed attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodRename {
    /// Whose attribute it is.
    pub(crate) on: On,
    /// Its old name.
    pub(crate) old: &'static str,
    /// What is written in its place.
    pub(crate) new: &'static str,
    /// The keyword that the first positional argument gets; empty for none.
    pub(crate) first: &'static str,
}

/// A row of a table of renamed attributes.
pub(crate) const fn renamed(on: On, old: &'static str, new: &'static str) -> MethodRename {
    MethodRename { on, old, new, first: "" }
}

/// Renames all attributes of the table.
pub(crate) fn apply(table: &[MethodRename], view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Attribute(attribute) = expression else { return };
        let rows = table.iter().filter(|row| row.old == attribute.attr.as_str());
        for row in rows {
            let call = match around.parent() {
                Some(Expr::Call(call)) if call.func.range() == attribute.range() => Some(call),
                _ => None,
            };
            let whole = call.map_or(attribute.range(), Ranged::range);
            if view.qualified(expression).is_some()
                || view.is_own(&attribute.value, row.old)
                || !view.receiver_is(row.on, place, &attribute.value, whole)
                || !view.receiver_is_certain(row.on, &attribute.value) && !may_be_missing(view, place, whole, row.old)
            {
                continue;
            }
            let mut edits = vec![replacement(attribute.attr.range(), row.new)];
            if let Some(first) = call.and_then(|call| call.arguments.args.first()).filter(|_| !row.first.is_empty()) {
                edits.push(insertion(first.range().start(), format!("{}=", row.first)));
            }
            change.edit(place, attribute.range().start(), edits);
            break;
        }
    });
}

/// Whether the errors that blame this place leave it possible that the attribute is missing: one of them names it, or one
/// names none. A blamed line may hold several attributes, and only the first one that is missing is told.
fn may_be_missing(view: &View<'_>, place: Place, range: TextRange, name: &str) -> bool {
    let quoted = format!("has no attribute '{name}'");
    let source = &view.code.cells[place.0];
    view.errors.iter().any(|error| {
        let told = error.evalue.contains(&quoted) || !error.evalue.contains("has no attribute '");
        told && Faults::of(&[error]).blame(source, range)
    })
}
