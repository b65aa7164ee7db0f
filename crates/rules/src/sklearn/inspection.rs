//! What scikit-learn shows of a model.

use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, insertion};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-partial-dependence-axes",
    ("scikit-learn", "1.0"),
    "a plot of partial dependence was a figure and axes, and is an object that has both",
    Trigger::Error(&[sig("TypeError", "cannot unpack non-iterable PartialDependenceDisplay object")]),
    Rewrite::Code(figure_and_axes),
    example(
        "from sklearn.inspection import PartialDependenceDisplay\nfig, axes = PartialDependenceDisplay.from_estimator(m, X, [0])\n",
        ("TypeError", "cannot unpack non-iterable PartialDependenceDisplay object"),
        "from sklearn.inspection import PartialDependenceDisplay\nfig, axes = (lambda shown: (shown.figure_, shown.axes_.ravel()))(PartialDependenceDisplay.from_estimator(m, X, [0]))\n",
    ),
)];

fn figure_and_axes(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Stmt::Assign(assign) = around.statement() else { return };
        let is_pair = assign.targets.first().and_then(shape::elements).is_some_and(|targets| targets.len() == 2);
        let is_whole = assign.value.range() == call.range() && !call.func.is_lambda_expr();
        if is_pair && is_whole && view.at_fault(place, call.range()) {
            let before = "(lambda shown: (shown.figure_, shown.axes_.ravel()))(";
            change.edit(place, call.start(), vec![insertion(call.start(), before), insertion(call.end(), ")")]);
        }
    });
}
