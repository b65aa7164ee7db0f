//! Functions of numpy that pandas was given, and frames that numpy was given: both knew each other once.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, replacement};
use crate::kind::Kind;
use crate::pandas::groups::function_name;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-numpy-statistics",
        ("pandas", "3.0.0"),
        "np.std, np.var and np.median in agg were the methods of pandas, of a sample and without gaps",
        Trigger::Silent,
        Rewrite::Code(statistics_by_name),
        example(
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c').agg({'b': [np.mean, np.std]})\nt = pd.pivot_table(df, index='c', values='b', aggfunc=np.median)\n",
            ("", ""),
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c').agg({'b': [np.mean, 'std']})\nt = pd.pivot_table(df, index='c', values='b', aggfunc='median')\n",
        ),
    ),
    Rule::new(
        "pandas-numpy-of-frames",
        ("pandas", "3.0.0"),
        "np.mean and others of a frame gave one value a column, and give one for all",
        Trigger::Silent,
        Rewrite::Code(of_frames),
        example(
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\nn = np.sum(df.isnull())\ns = np.std(df[['a', 'b']])\ng = df.groupby('c')[['a', 'b']].apply(np.mean)\n",
            ("", ""),
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\nn = df.isnull().sum()\ns = df[['a', 'b']].std(ddof=0)\ng = df.groupby('c')[['a', 'b']].apply(lambda group: group.mean())\n",
        ),
    ),
    Rule::new(
        "pandas-numpy-names",
        ("numpy", "1.25.0"),
        "np.min and np.max in a list of statistics are named min and max, and were amin and amax",
        Trigger::Error(&[
            sig("KeyError", "amin"),
            sig("KeyError", "amax"),
            sig("AttributeError", "has no attribute 'amin'"),
            sig("AttributeError", "has no attribute 'amax'"),
        ]),
        Rewrite::Code(old_names),
        example(
            "import numpy as np\nr = df.groupby('c').agg({'b': [np.min, np.max, np.mean]})\nw = r['b']['amax'] - r['b']['amin']\n",
            ("KeyError", "'amax'"),
            "import numpy as np\nr = df.groupby('c').agg({'b': [('amin', np.min), ('amax', np.max), ('mean', np.mean)]})\nw = r['b']['amax'] - r['b']['amin']\n",
        ),
    ),
];

/// What pandas took for a method of its own, in lists too: their results have the same name.
const STATISTICS: &[(&str, &str)] = &[("numpy.std", "std"), ("numpy.var", "var"), ("numpy.median", "median")];
/// Likewise, but named otherwise in a list.
const WITHOUT_GAPS: &[(&str, &str)] = &[("numpy.nanstd", "std"), ("numpy.nanvar", "var")];
/// Functions of a whole table, and the methods that give one value a column.
const OF_FRAMES: &[(&str, &str)] = &[
    ("numpy.mean", "mean()"),
    ("numpy.sum", "sum()"),
    ("numpy.std", "std(ddof=0)"),
    ("numpy.var", "var(ddof=0)"),
    ("numpy.min", "min()"),
    ("numpy.amin", "min()"),
    ("numpy.max", "max()"),
    ("numpy.amax", "max()"),
    ("numpy.prod", "prod()"),
    ("numpy.product", "prod()"),
];

fn statistics_by_name(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        for (place, value) in functions_given(view, place, call) {
            let mut edits = Vec::new();
            name_statistics(view, value, false, &mut |range, name| edits.push(replacement(range, format!("'{name}'"))));
            if !edits.is_empty() {
                change.edit(place, value.range().start(), edits);
            }
        }
    });
}

/// What a call tells pandas to apply: functions, lists and dicts of them, also those that a name holds.
fn functions_given<'a>(view: &View<'a>, place: Place, call: &'a ExprCall) -> Vec<(Place, &'a Expr)> {
    let keyword = |name: &str| shape::keyword(call, name).map(|keyword| &keyword.value);
    let first = call.arguments.args.first();
    let method = shape::method(call).filter(|(attribute, name)| !view.is_own(&attribute.value, name));
    let given: Vec<&Expr> = match method {
        Some((_, "agg" | "aggregate")) => {
            first.into_iter().chain(call.arguments.keywords.iter().map(|one| &one.value)).collect()
        }
        Some((_, "transform")) => first.or_else(|| keyword("func")).into_iter().collect(),
        Some((attribute, "apply")) if is_resampled(&attribute.value) => first.into_iter().collect(),
        Some((_, "pivot_table" | "crosstab")) => keyword("aggfunc").into_iter().collect(),
        _ if view.is_call_of(Callee::Function("pandas", "pivot_table"), place, call)
            || view.is_call_of(Callee::Function("pandas", "crosstab"), place, call) =>
        {
            keyword("aggfunc").into_iter().collect()
        }
        _ => Vec::new(),
    };
    let held = |value: &'a Expr| match value {
        Expr::Name(name) => {
            view.only_value(name.id.as_str()).filter(|(_, value)| value.is_dict_expr() || value.is_list_expr())
        }
        _ => None,
    };
    given.into_iter().map(|value| held(value).unwrap_or((place, value))).collect()
}

fn is_resampled(value: &Expr) -> bool {
    let value = match value {
        Expr::Subscript(chosen) => &chosen.value,
        value => value,
    };
    matches!(value, Expr::Call(call) if shape::method(call).is_some_and(|(_, name)| name == "resample"))
}

fn name_statistics(
    view: &View<'_>,
    value: &Expr,
    in_list: bool,
    found: &mut dyn FnMut(nbrevive_pysource::text_size::TextRange, &'static str),
) {
    match value {
        Expr::List(list) => list.elts.iter().for_each(|one| name_statistics(view, one, true, found)),
        Expr::Tuple(pair) => pair.elts.iter().for_each(|one| name_statistics(view, one, in_list, found)),
        Expr::Dict(dict) => dict.iter().for_each(|item| name_statistics(view, &item.value, in_list, found)),
        value => {
            let Some(dotted) = view.qualified(value) else { return };
            let known = STATISTICS.iter().chain(WITHOUT_GAPS.iter().filter(|_| !in_list));
            if let Some((_, name)) = known.into_iter().find(|(function, _)| *function == dotted) {
                found(value.range(), name);
            }
        }
    }
}

fn old_names(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !shape::method(call).is_some_and(|(_, name)| matches!(name, "agg" | "aggregate")) {
            return;
        }
        for (place, value) in functions_given(view, place, call) {
            let lists: Vec<&Expr> = match value {
                Expr::Dict(dict) => dict.iter().map(|item| &item.value).collect(),
                value => vec![value],
            };
            for list in lists.into_iter().filter_map(Expr::as_list_expr) {
                let names: Option<Vec<String>> = list.elts.iter().map(|function| old_name(view, function)).collect();
                let Some(names) = names.filter(|names| names.iter().any(|name| matches!(&name[..], "amin" | "amax")))
                else {
                    continue;
                };
                // pandas wants a name for each, or for none.
                for (function, name) in list.elts.iter().zip(names) {
                    let text = view.parsed(place).text_of(function);
                    change.replace(place, function.range(), format!("('{name}', {text})"));
                }
            }
        }
    });
}

fn old_name(view: &View<'_>, function: &Expr) -> Option<String> {
    match view.qualified(function).as_deref() {
        Some("numpy.min" | "numpy.amin") => Some("amin".to_owned()),
        Some("numpy.max" | "numpy.amax") => Some("amax".to_owned()),
        _ => function_name(function),
    }
}

fn of_frames(view: &View<'_>, change: &mut Change<'_>) {
    let method_of = |function: &Expr| {
        let dotted = view.qualified(function)?;
        OF_FRAMES.iter().find(|(name, _)| *name == dotted).map(|(_, method)| *method)
    };
    view.calls(|place, call, _| {
        let ([argument], []) = (&call.arguments.args[..], &call.arguments.keywords[..]) else { return };
        if let Some(method) = method_of(&call.func).filter(|_| view.receiver_is_certain(On::Frame, argument)) {
            let text = view.parsed(place).text_of(argument);
            let text = if shape::is_primary(argument) { text.to_owned() } else { format!("({text})") };
            change.replace(place, call.range(), format!("{text}.{method}"));
        } else if let Some((groups, "apply")) = shape::method(call)
            && view.kinds(&groups.value) == [Kind::Grouped]
            && let Some(method) = method_of(argument)
        {
            change.replace(place, argument.range(), format!("lambda group: group.{method}"));
        }
    });
}
