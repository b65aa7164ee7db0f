//! What pandas takes apart or hands on: sets, lists, new axes, functions of its top level.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-from-set",
        ("pandas", "2.0.0"),
        "frames and series are not made of sets, which have no order; a list has",
        Trigger::Error(&[
            sig("TypeError", "type is unordered"),
            sig("ValueError", "columns cannot be a set"),
            sig("ValueError", "index cannot be a set"),
        ]),
        Rewrite::Code(from_set),
        example(
            "import pandas as pd\ns = pd.Series({'a', 'b'})\nd = pd.DataFrame(rows, columns=set(names))\n",
            ("TypeError", "'set' type is unordered"),
            "import pandas as pd\ns = pd.Series(list({'a', 'b'}))\nd = pd.DataFrame(rows, columns=list(set(names)))\n",
        ),
    ),
    Rule::new(
        "pandas-unique-of-list",
        ("pandas", "3.0.0"),
        "unique and factorize take no lists; a series of them they take",
        Trigger::Error(&[
            sig("TypeError", "unique requires a Series, Index"),
            sig("TypeError", "factorize requires a Series, Index"),
        ]),
        Rewrite::Code(of_list),
        example(
            "import pandas as pd\nu = pd.unique(names)\n",
            ("TypeError", "unique requires a Series, Index, ExtensionArray, np.ndarray or NumpyExtensionArray got list."),
            "import pandas as pd\nu = pd.unique(pd.Series(names))\n",
        ),
    ),
    Rule::new(
        "pandas-new-axis",
        ("pandas", "1.0.0"),
        "a series has one axis; its array takes a new one",
        Trigger::Error(&[sig("ValueError", "Multi-dimensional indexing (e.g. `obj[:, None]`) is no longer supported")]),
        Rewrite::Code(new_axis),
        example(
            "import numpy as np\nX = df['x'][:, np.newaxis]\n",
            ("ValueError", "Multi-dimensional indexing (e.g. `obj[:, None]`) is no longer supported. Convert to a numpy array before indexing instead."),
            "import numpy as np\nX = df['x'].values[:, np.newaxis]\n",
        ),
    ),
    Rule::new(
        "pandas-rolling-functions",
        ("pandas", "0.23.0"),
        "rolling_apply, rolling_corr and their kin are methods, and so is a value_counts that is handed on",
        Trigger::Error(&[sig("AttributeError", "module 'pandas' has no attribute")]),
        Rewrite::Code(rolling),
        example(
            "import pandas as pd\na = pd.rolling_apply(s, 2, f)\nb = pd.rolling_corr(s, t, 5)\nc = df.apply(pd.value_counts)\n",
            ("AttributeError", "module 'pandas' has no attribute 'rolling_apply'"),
            "import pandas as pd\na = s.rolling(2).apply(f)\nb = s.rolling(5).corr(t)\nc = df.apply(pd.Series.value_counts)\n",
        ),
    )
    .certain(),
];

fn is_set(view: &View<'_>, expression: &Expr) -> bool {
    let called = matches!(expression, Expr::Call(call) if shape::name(&call.func) == Some("set"));
    called || view.kinds(expression) == [Kind::Set]
}

fn from_set(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let makes = ["DataFrame", "Series", "Index"]
            .iter()
            .any(|name| view.is_call_of(Callee::Function("pandas", name), place, call));
        if !makes || !view.at_fault(place, call.range()) {
            return;
        }
        let values = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
        for value in values.filter(|value| is_set(view, value)) {
            let edits = vec![insertion(value.range().start(), "list("), insertion(value.end(), ")")];
            change.edit(place, value.range().start(), edits);
        }
    });
}

fn of_list(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let takes =
            ["unique", "factorize"].iter().any(|name| view.is_call_of(Callee::Function("pandas", name), place, call));
        let Some(first) = call.arguments.args.first().filter(|_| takes) else { return };
        let wrapped =
            matches!(first, Expr::Call(inner) if view.is_call_of(Callee::Function("pandas", "Series"), place, inner));
        if wrapped || !view.at_fault(place, call.range()) {
            return;
        }
        let series = change.spell(place, "pandas.Series");
        let edits = vec![insertion(first.range().start(), format!("{series}(")), insertion(first.end(), ")")];
        change.edit(place, call.range().start(), edits);
    });
}

fn new_axis(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Some(parts) = shape::elements(&subscript.slice) else { return };
        let adds = parts.iter().any(|part| {
            part.is_none_literal_expr() || view.qualified(part).is_some_and(|name| name == "numpy.newaxis")
        });
        let array = matches!(subscript.value.as_ref(), Expr::Attribute(one) if one.attr.as_str() == "values");
        if adds && !array && shape::is_primary(&subscript.value) && view.at_fault(place, expression.range()) {
            change.edit(place, expression.range().start(), vec![insertion(subscript.value.end(), ".values")]);
        }
    });
}

/// `pd.rolling_apply(s, 5, f)` → `s.rolling(5).apply(f)`, `pd.rolling_corr(a, b, 5)` → `a.rolling(5).corr(b)`; and
/// `value_counts` that is handed on, as in `df.apply(pd.value_counts)`.
fn rolling(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Some(dotted) = view.qualified(expression) else { return };
        let called = matches!(around.parent(), Some(Expr::Call(call)) if call.func.range() == expression.range());
        if dotted == "pandas.value_counts" && !called {
            let series = change.spell(place, "pandas.Series");
            change.replace(place, expression.range(), format!("{series}.value_counts"));
        }
    });
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func) else { return };
        let Some(statistic) = dotted.strip_prefix("pandas.rolling_") else { return };
        let parameters: &[&str] = match statistic {
            "apply" => &["", "window", "func", "min_periods", "freq", "center", "args", "kwargs"],
            "quantile" => &["", "window", "quantile", "min_periods", "freq", "center"],
            "corr" | "cov" => &["", "other", "window", "min_periods", "freq", "center", "pairwise"],
            _ => return,
        };
        let edit = CallEdit::new(view.parsed(place), call);
        let Some(series) = edit.positional().first().copied() else { return };
        let (mut of_window, mut of_statistic) = (Vec::new(), Vec::new());
        for (at, argument) in edit.arguments().filter(|(number, _)| *number != series) {
            let name = argument.keyword.or_else(|| parameters.get(at).copied()).filter(|_| !argument.starred);
            let value = edit.value_text(at);
            match name {
                Some("window") => of_window.insert(0, value.to_owned()),
                Some(name @ ("min_periods" | "center")) => of_window.push(format!("{name}={value}")),
                Some("func" | "quantile" | "other" | "arg2") => of_statistic.insert(0, value.to_owned()),
                Some(name @ ("args" | "kwargs" | "pairwise")) => of_statistic.push(format!("{name}={value}")),
                _ => return,
            }
        }
        if !of_window.is_empty() && !of_statistic.is_empty() {
            let (window, statistics) = (of_window.join(", "), of_statistic.join(", "));
            let text = edit.value_text(series);
            let receiver = if shape::is_primary(edit.value(series)) { text.to_owned() } else { format!("({text})") };
            change.replace(place, call.range(), format!("{receiver}.rolling({window}).{statistic}({statistics})"));
        }
    });
}
