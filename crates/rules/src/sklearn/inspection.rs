//! What scikit-learn shows of a model.

use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[AXES, INTEGERS];

const AXES: Rule = Rule::new(
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
);

const INTEGERS: Rule = Rule::new(
    "sklearn-partial-dependence-integers",
    ("scikit-learn", "1.9"),
    "partial dependence is not told of whole numbers, which were taken for floats",
    Trigger::Error(&[sig(
        "ValueError",
        "contains integer data. Partial dependence plots are not supported for integer data",
    )]),
    Rewrite::Code(floats),
    example(
        "from sklearn.inspection import partial_dependence\nd = partial_dependence(m, X, [0])\n",
        (
            "ValueError",
            "The column 'age' contains integer data. Partial dependence plots are not supported for integer data: this can lead to implicit rounding",
        ),
        "from sklearn.inspection import partial_dependence\nd = partial_dependence(m, X.astype(dict.fromkeys(X.select_dtypes('integer'), float)), [0])\n",
    ),
);

fn floats(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_it = ["partial_dependence", "plot_partial_dependence", "from_estimator"]
            .iter()
            .any(|name| view.is_call_of(Callee::Function("sklearn", name), place, call));
        let data = call.arguments.args.get(1).or_else(|| shape::keyword(call, "X").map(|one| &one.value));
        // What is no name may be costly, or the floats already.
        let Some((data, name)) = data.and_then(|data| Some((data, shape::name(data)?))).filter(|_| is_it) else {
            return;
        };
        if view.at_fault(place, call.range()) {
            let types = match &view.kinds(data)[..] {
                [Kind::Array] => "float".to_owned(),
                _ => format!("dict.fromkeys({name}.select_dtypes('integer'), float)"),
            };
            change.edit(place, data.start(), vec![insertion(data.end(), format!(".astype({types})"))]);
        }
    });
}

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
