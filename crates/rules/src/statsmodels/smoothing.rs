//! Exponential smoothing: how it is told to begin, and what its slope is called.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use super::of;
use crate::call::CallEdit;
use crate::change::Change;
use crate::methods::renamed;
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "statsmodels-smoothing-transform",
        ("statsmodels", "0.14.0"),
        "use_boxcox is told to ExponentialSmoothing, and not to its fit",
        Trigger::Error(&[sig("TypeError", "ExponentialSmoothing.fit() got an unexpected keyword argument 'use_boxcox'")]),
        Rewrite::Code(smoothing_transform),
        example(
            "from statsmodels.tsa.api import ExponentialSmoothing\nm = ExponentialSmoothing(s, trend='add').fit(use_boxcox=True)\n",
            ("TypeError", "ExponentialSmoothing.fit() got an unexpected keyword argument 'use_boxcox'"),
            "from statsmodels.tsa.api import ExponentialSmoothing\nm = ExponentialSmoothing(s, trend='add', use_boxcox=True).fit()\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-initialization",
        ("statsmodels", "0.14.0"),
        "Holt and SimpleExpSmoothing have to be told how they begin",
        Trigger::Error(&[sig("TypeError", "initialization_method must be a string")]),
        Rewrite::Code(initialization),
        example(
            "from statsmodels.tsa.api import Holt, SimpleExpSmoothing\na = Holt(s).fit()\nb = SimpleExpSmoothing(s).fit(smoothing_level=0.8, optimized=False)\n",
            ("TypeError", "initialization_method must be a string"),
            "from statsmodels.tsa.api import Holt, SimpleExpSmoothing\na = Holt(s, initialization_method='estimated').fit()\nb = SimpleExpSmoothing(s, initialization_method='legacy-heuristic').fit(smoothing_level=0.8, optimized=False)\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-smoothing-parameters",
        ("statsmodels", "0.13.0"),
        "what was the slope among the parameters of exponential smoothing is the trend",
        Trigger::Error(&[
            sig("KeyError", "smoothing_slope"),
            sig("KeyError", "damping_slope"),
            sig("KeyError", "initial_slope"),
        ]),
        Rewrite::Code(smoothing_parameters),
        example(
            "from statsmodels.tsa.api import Holt\nb = fitted.params['smoothing_slope']\nv = [fitted.params[p] for p in ['smoothing_level', 'initial_slope']]\n",
            ("KeyError", "'smoothing_slope'"),
            "from statsmodels.tsa.api import Holt\nb = fitted.params['smoothing_trend']\nv = [fitted.params[p] for p in ['smoothing_level', 'initial_trend']]\n",
        ),
    ),
    Rule::new(
        "statsmodels-smoothing-slope",
        ("statsmodels", "0.13.0"),
        "the slope of a smoothed series is its trend",
        Trigger::Error(&[sig("AttributeError", "'HoltWintersResults' object has no attribute 'slope'")]),
        Rewrite::Method(&[renamed(On::AtFault, "slope", "trend")]),
        example(
            "b = fitted.slope\n",
            ("AttributeError", "'HoltWintersResults' object has no attribute 'slope'"),
            "b = fitted.trend\n",
        ),
    ),
];

/// Of a model that is fitted where it is made.
fn smoothing_transform(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "fit")) = shape::method(call) else { return };
        let Some(model) = attribute.value.as_call_expr() else { return };
        if !view.is_call_of(of("ExponentialSmoothing"), place, model) {
            return;
        }
        let parsed = view.parsed(place);
        let (mut fit, mut made) = (CallEdit::new(parsed, call), CallEdit::new(parsed, model));
        if let Some(number) = fit.find("use_boxcox").filter(|_| made.find("use_boxcox").is_none()) {
            made.append(format!("use_boxcox={}", fit.value_text(number)));
            fit.remove(number);
            let mut edits = made.finish();
            edits.extend(fit.finish());
            change.edit(place, call.start(), edits);
        }
    });
}

/// As releases before did: found with the other parameters, or by a rule of thumb where these are all given.
fn initialization(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let smooths = ["Holt", "SimpleExpSmoothing"].iter().any(|name| view.is_call_of(of(name), place, call));
        if !smooths || shape::keyword(call, "initialization_method").is_some() {
            return;
        }
        let is_given = matches!(around.parents, [.., Expr::Call(fit), Expr::Attribute(_)]
            if shape::keyword(fit, "optimized").is_some_and(|told| shape::boolean(&told.value) == Some(false)));
        let method = if is_given { "legacy-heuristic" } else { "estimated" };
        let mut edit = CallEdit::new(view.parsed(place), call);
        edit.append(format!("initialization_method='{method}'"));
        change.edit(place, call.range().start(), edit.finish());
    });
}

/// Names that are asked of the parameters, or that stand in a list of those.
fn smoothing_parameters(view: &View<'_>, change: &mut Change<'_>) {
    const RENAMED: [(&str, &str); 3] = [
        ("smoothing_slope", "'smoothing_trend'"),
        ("damping_slope", "'damping_trend'"),
        ("initial_slope", "'initial_trend'"),
    ];
    if !view.code.index.words.contain("statsmodels") {
        return;
    }
    view.expressions(|place, expression, around| {
        let found = RENAMED.iter().find(|(old, _)| shape::text(expression) == Some(old));
        let is_asked = match around.parent() {
            Some(Expr::Subscript(item)) => item.ctx.is_load() && item.slice.range() == expression.range(),
            Some(Expr::List(_) | Expr::Tuple(_)) => true,
            _ => false,
        };
        if let Some((_, new)) = found.filter(|_| is_asked) {
            change.replace(place, expression.range(), *new);
        }
    });
}
