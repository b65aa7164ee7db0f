//! Positional arguments that must be named now.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::view::{Place, View};

/// The old order of a callee's parameters (without `self`) and how many of them may still be positional.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Positional {
    pub(crate) callee: Callee,
    pub(crate) parameters: &'static [&'static str],
    pub(crate) still: usize,
}

/// A row of a table of parameter orders.
pub(crate) const fn positional(callee: Callee, parameters: &'static [&'static str], still: usize) -> Positional {
    Positional { callee, parameters, still }
}

/// Names the arguments that may no longer be positional.
pub(crate) fn apply(table: &[Positional], view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let row =
            table.iter().find(|row| call.arguments.args.len() > row.still && view.is_call_of(row.callee, place, call));
        if let Some(row) = row {
            name_from(row.still, row.parameters, (view, change), place, call);
        }
    });
}

/// Names the arguments of a call, but for the first ones, by the old order of its parameters.
pub(crate) fn name_from(
    still: usize,
    parameters: &[&'static str],
    (view, change): (&View<'_>, &mut Change<'_>),
    place: Place,
    call: &ExprCall,
) {
    // Names that `**options` repeats were an error in the old order too.
    if call.arguments.args.iter().any(Expr::is_starred_expr) {
        return;
    }
    let mut edit = CallEdit::new(view.parsed(place), call);
    for (order, number) in edit.positional().into_iter().enumerate().skip(still) {
        let Some(name) = parameters.get(order) else { return };
        if edit.find(name).is_some() {
            return;
        }
        edit.name(number, name);
    }
    change.edit(place, call.arguments.range().start(), edit.finish());
}
