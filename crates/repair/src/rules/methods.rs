//! Methods and properties that have another name now.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::rules::change::{Change, insertion, replacement};
use crate::rules::receiver::On;
use crate::rules::view::View;

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
                || !view.receiver_is(row.on, place, &attribute.value, whole)
                || row.on == On::AtFault && !may_be_missing(view, row.old)
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

/// Whether the errors leave it possible that this attribute is missing: one of them names it, or none names any. A blamed
/// line may hold several attributes.
fn may_be_missing(view: &View<'_>, name: &str) -> bool {
    let named = |error: &&&crate::CellFeedback| error.evalue.contains("has no attribute '");
    let quoted = format!("has no attribute '{name}'");
    !view.errors.iter().any(|error| named(&error)) || view.errors.iter().any(|error| error.evalue.contains(&quoted))
}
