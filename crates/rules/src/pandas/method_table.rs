//! Methods, properties and names of pandas that moved or were renamed.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::methods::{MethodRename, renamed};
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-series-apply-convert",
        ("pandas", "3.0.0"),
        "apply of a series takes no convert_dtype, and its second argument is a tuple",
        Trigger::Error(&[
            sig("TypeError", "Value after * must be an iterable, not int"),
            sig("TypeError", "Value after * must be an iterable, not bool"),
            sig("TypeError", "got an unexpected keyword argument 'convert_dtype'"),
        ]),
        Rewrite::Code(convert_dtype),
        example(
            "import pandas as pd\ns = pd.Series(['a|b', 'c'])\nt = s.str.split('|').apply(pd.Series, 1)[0]\n",
            ("TypeError", "Value after * must be an iterable, not int"),
            "import pandas as pd\ns = pd.Series(['a|b', 'c'])\nt = s.str.split('|').apply(pd.Series)[0]\n",
        ),
    ),
    Rule::new(
        "pandas-moved-names",
        ("pandas", "0.23.0"),
        "names left the top level and inner modules of pandas",
        Trigger::Error(&[
            sig("AttributeError", "module 'pandas' has no attribute"),
            sig("ModuleNotFoundError", "No module named 'pandas."),
            sig("ImportError", "cannot import name '*' from 'pandas"),
        ]),
        Rewrite::Move(&[
            ("pandas.np", "numpy"),
            ("pandas.SparseArray", "pandas.arrays.SparseArray"),
            ("pandas.datetime", "datetime.datetime"),
            ("pandas.scatter_matrix", "pandas.plotting.scatter_matrix"),
            ("pandas.tools.plotting", "pandas.plotting"),
            ("pandas.tools.merge", "pandas"),
            ("pandas.tools.pivot", "pandas"),
            ("pandas.io.json.json_normalize", "pandas.json_normalize"),
            ("pandas.util.testing", "pandas.testing"),
            ("pandas.core.index", "pandas"),
            ("pandas.core.common.isnull", "pandas.isnull"),
            ("pandas.core.common.notnull", "pandas.notnull"),
            ("pandas.core.common", "pandas.api.types"),
            ("pandas.core.categorical", "pandas"),
            ("pandas.io.data", "pandas_datareader.data"),
            ("pandas.lib.Timestamp", "pandas.Timestamp"),
            ("pandas.lib", "pandas.api.types"),
            ("pandas.tslib", "pandas"),
            ("pandas._libs.tslib.Timestamp", "pandas.Timestamp"),
            ("pandas.tseries.index", "pandas"),
            ("pandas.api.types.is_categorical", "pandas.api.types.is_categorical_dtype"),
            ("pandas.core.common.SettingWithCopyWarning", "builtins.Warning"),
            ("pandas.errors.SettingWithCopyWarning", "builtins.Warning"),
            ("pandas.core.groupby.SpecificationError", "pandas.errors.SpecificationError"),
        ]),
        example(
            "import numpy as np\nimport pandas as pd\nfrom pandas.tools.plotting import scatter_matrix\nx = pd.np.log(2)\n",
            ("AttributeError", "module 'pandas' has no attribute 'np'"),
            "import numpy as np\nimport pandas as pd\nfrom pandas.plotting import scatter_matrix\nx = np.log(2)\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-rewritten-methods",
        ("pandas", "2.0.0"),
        "mad, ptp, lookup, convert_objects, get_dtype_counts, compress, select and from_items have no successor of the same shape",
        Trigger::Error(&[sig("AttributeError", "object has no attribute"), sig("KeyError", "None of [Index([<function")]),
        Rewrite::Code(rewritten),
        example(
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\na = df['b'].mad()\nb = df.lookup(rows, cols)\nc = df.select(lambda x: x != 'a', axis=1)\n",
            ("AttributeError", "'Series' object has no attribute 'mad'"),
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\na = (df['b'] - df['b'].mean()).abs().mean()\nb = np.array([df.at[row, column] for row, column in zip(rows, cols)])\nc = df.loc[:, [label for label in df.columns if (lambda x: x != 'a')(label)]]\n",
        ),
    ),
    Rule::new(
        "pandas-in-place-sort",
        ("pandas", "0.20.0"),
        "Series.sort sorted in place; sort_values(inplace=True) does",
        Trigger::Error(&[sig("AttributeError", "'Series' object has no attribute 'sort'")]),
        Rewrite::Code(series_sort),
        example(
            "s.sort(ascending=False)\n",
            ("AttributeError", "'Series' object has no attribute 'sort'"),
            "s.sort_values(ascending=False, inplace=True)\n",
        ),
    ),
    Rule::new(
        "pandas-renamed-methods",
        ("pandas", "1.0.0"),
        "methods and properties were renamed (as_matrix, iteritems, weekday_name, sort, …)",
        Trigger::Error(&[sig("AttributeError", "object has no attribute")]),
        Rewrite::Method(METHODS),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nm = df.as_matrix()\nfor c, s in df.iteritems():\n    pass\nw = df['d'].dt.weekday_name\nv = df['x'].clip_upper(5)\n",
            ("AttributeError", "'DataFrame' object has no attribute 'as_matrix'"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nm = df.to_numpy()\nfor c, s in df.items():\n    pass\nw = df['d'].dt.day_name()\nv = df['x'].clip(upper=5)\n",
        ),
    ),
    Rule::new(
        "pandas-top-level-functions",
        ("pandas", "0.23.0"),
        "rolling_mean, ewma, value_counts and their kin are methods",
        Trigger::Error(&[sig("AttributeError", "module 'pandas' has no attribute"), sig("AttributeError", "type object 'DataFrame' has no attribute")]),
        Rewrite::Code(top_level),
        example(
            "import pandas as pd\nm = pd.rolling_mean(s, 2)\ne = pd.ewma(s, span=3)\nc = pd.value_counts(df.c)\nd = pd.DataFrame.from_csv('a.csv')\n",
            ("AttributeError", "module 'pandas' has no attribute 'rolling_mean'"),
            "import pandas as pd\nm = s.rolling(2).mean()\ne = s.ewm(span=3).mean()\nc = pd.Series(df.c).value_counts()\nd = pd.read_csv('a.csv', index_col=0, parse_dates=True)\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-categories",
        ("pandas", "2.0.0"),
        "changes of categories return a new series instead of working in place",
        Trigger::Error(&[
            sig("TypeError", "Categorical.*() got an unexpected keyword argument 'inplace'"),
            sig("AttributeError", "property 'categories' of 'Categorical' object has no setter"),
            sig("TypeError", "set_axis() got an unexpected keyword argument 'inplace'"),
        ]),
        Rewrite::Code(categories),
        example(
            "s.cat.add_categories('z', inplace=True)\ns.cat.categories = ['p', 'q']\n",
            ("TypeError", "Categorical.add_categories() got an unexpected keyword argument 'inplace'"),
            "s = s.cat.add_categories('z')\ns = s.cat.rename_categories(['p', 'q'])\n",
        ),
    )
    .certain(),
];

static METHODS: &[MethodRename] = &[
    renamed(On::Any, "as_matrix", "to_numpy"),
    renamed(On::Any, "get_values", "to_numpy"),
    renamed(On::Any, "iteritems", "items"),
    renamed(On::Any, "iterkv", "items"),
    renamed(On::Any, "weekday_name", "day_name()"),
    renamed(On::Any, "reindex_axis", "reindex"),
    renamed(On::Any, "get_ftype_counts", "get_dtype_counts"),
    renamed(On::Any, "ftypes", "dtypes"),
    MethodRename { on: On::Any, old: "sortlevel", new: "sort_index", first: "level" },
    MethodRename { on: On::Any, old: "clip_upper", new: "clip", first: "upper" },
    MethodRename { on: On::Any, old: "clip_lower", new: "clip", first: "lower" },
    renamed(On::Frame, "sort", "sort_values"),
    renamed(On::Series, "order", "sort_values"),
    renamed(On::AtFault, "order", "sort_values"),
    renamed(On::Any, "applymap", "map"),
    renamed(On::Grouped, "pad", "ffill"),
    renamed(On::Pandas, "pad", "ffill"),
    renamed(On::AtFault, "pad", "ffill"),
    renamed(On::Pandas, "backfill", "bfill"),
    renamed(On::AtFault, "backfill", "bfill"),
    renamed(On::Any, "is_monotonic", "is_monotonic_increasing"),
    MethodRename { on: On::Any, old: "hide_index", new: "hide", first: "" },
    MethodRename { on: On::Any, old: "hide_columns", new: "hide", first: "axis='columns', subset" },
    renamed(On::Series, "nonzero", "to_numpy().nonzero"),
    renamed(On::Series, "ravel", "to_numpy().ravel"),
    renamed(On::Series, "reshape", "values.reshape"),
    renamed(On::AtFault, "reshape", "values.reshape"),
    renamed(On::Dates, "week", "isocalendar().week.astype(int)"),
    renamed(On::Dates, "weekofyear", "isocalendar().week.astype(int)"),
    // As an array: a series of weeks would be laid beside another by its dates.
    renamed(On::Index, "week", "isocalendar().week.to_numpy(dtype=int)"),
    renamed(On::Index, "weekofyear", "isocalendar().week.to_numpy(dtype=int)"),
    renamed(On::AtFault, "week", "isocalendar().week.astype(int)"),
    // Timestamps have it still, and what a lambda takes is one more often than not.
    renamed(On::AtFault, "weekofyear", "isocalendar().week.astype(int)"),
    renamed(On::Series, "bool", "item"),
    renamed(On::Series, "valid", "dropna"),
    renamed(On::AtFault, "delta", "value"),
    renamed(On::AtFault, "zone", "key"),
    renamed(On::AtFault, "render", "to_html"),
    renamed(On::AtFault, "labels", "codes"),
    renamed(On::AtFault, "set_labels", "set_codes"),
    renamed(On::AtFault, "save", "close"),
    MethodRename { on: On::Any, old: "set_precision", new: "format", first: "precision" },
];

fn rewritten(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, name)) = shape::method(call) else { return };
        let known = [
            "mad",
            "ptp",
            "lookup",
            "convert_objects",
            "get_dtype_counts",
            "compress",
            "select",
            "contains",
            "swapaxes",
            "as_matrix",
            "tshift",
            "is_categorical",
        ];
        if !known.contains(&name) || view.qualified(&call.func).is_some() {
            return;
        }
        let parsed = view.parsed(place);
        let receiver = receiver_text(parsed, attribute);
        let edit = CallEdit::new(parsed, call);
        let values: Vec<&str> = edit.arguments().map(|(number, _)| edit.value_text(number)).collect();
        let pandas = view.receiver_is(On::Pandas, place, &attribute.value, call.range());
        let text = match (name, &values[..]) {
            ("ptp", []) if pandas => format!("({receiver}.max() - {receiver}.min())"),
            ("mad", []) if is_grouped(&view.kinds(&attribute.value)) => {
                format!("{receiver}.agg(lambda values: (values - values.mean()).abs().mean())")
            }
            ("mad", []) if pandas => format!("({receiver} - {receiver}.mean()).abs().mean()"),
            ("lookup", [rows, columns]) if pandas => {
                let array = change.spell(place, "numpy.array");
                format!("{array}([{receiver}.at[row, column] for row, column in zip({rows}, {columns})])")
            }
            ("convert_objects", _) if !converts_numbers(call) => format!("{receiver}.infer_objects()"),
            ("convert_objects", _) if view.kinds(&attribute.value) == [Kind::Frame] => {
                // Columns without a single number stayed what they were.
                let numeric = change.spell(place, "pandas.to_numeric");
                format!(
                    "{receiver}.apply(lambda column: column if column.dtype.kind != 'O' or {numeric}(column, errors='coerce').isna().all() \
                     else {numeric}(column, errors='coerce'))"
                )
            }
            ("convert_objects", _) => {
                let numeric = change.spell(place, "pandas.to_numeric");
                format!("{numeric}({receiver}, errors='coerce')")
            }
            ("get_dtype_counts", []) => format!("{receiver}.dtypes.astype(str).value_counts()"),
            ("is_categorical", []) => {
                let categorical = change.spell(place, "pandas.CategoricalDtype");
                format!("isinstance({receiver}.dtype, {categorical})")
            }
            ("as_matrix", [columns]) if pandas => format!("{receiver}[{columns}].to_numpy()"),
            ("tshift", [count]) if pandas => format!("{receiver}.shift({count}, freq='infer')"),
            ("tshift", []) if pandas => format!("{receiver}.shift(1, freq='infer')"),
            ("swapaxes", _) if pandas => format!("{receiver}.T"),
            ("compress", [mask]) if pandas => format!("{receiver}[{mask}]"),
            ("select", [function, axis]) if pandas && *axis == "1" => {
                format!("{receiver}.loc[:, [label for label in {receiver}.columns if ({function})(label)]]")
            }
            ("contains", [label]) if view.receiver_is(On::Index, place, &attribute.value, call.range()) => {
                format!("({label} in {receiver})")
            }
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

/// Whether `convert_objects` is asked for numbers, its second parameter.
fn is_grouped(kinds: &[Kind]) -> bool {
    !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind, Kind::Grouped | Kind::GroupedSeries))
}

fn converts_numbers(call: &nbrevive_pysource::ast::ExprCall) -> bool {
    let given = call.arguments.find_argument_value("convert_numeric", 1);
    given.is_some_and(|value| shape::boolean(value) != Some(false))
}

/// `pd.rolling_mean(s, 5)` → `s.rolling(5).mean()`.
fn top_level(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func) else { return };
        let Some(name) = dotted.strip_prefix("pandas.") else { return };
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(first) = edit.positional().first().copied() else { return };
        let (value, text) = (edit.value(first), edit.value_text(first));
        if let Some((window, statistic)) = windowed(name) {
            edit.remove(first);
            let receiver = if shape::is_primary(value) { text.to_owned() } else { format!("({text})") };
            change.replace(place, call.range(), format!("{receiver}.{window}({}).{statistic}()", edit.render()));
        } else if name == "value_counts" {
            edit.remove(first);
            let series = change.spell(place, "pandas.Series");
            change.replace(place, call.range(), format!("{series}({text}).value_counts({})", edit.render()));
        } else if name == "TimeGrouper" {
            edit.name(first, "freq");
            let grouper = change.spell(place, "pandas.Grouper");
            change.replace(place, call.range(), format!("{grouper}({})", edit.render()));
        } else if let "DataFrame.from_csv" | "Series.from_csv" = name {
            let is_series = name == "Series.from_csv";
            let defaults = [("index_col", "0"), ("parse_dates", "True"), ("header", "None")];
            for (keyword, default) in defaults.into_iter().filter(|(name, _)| is_series || *name != "header") {
                if edit.find(keyword).is_none() {
                    edit.append(format!("{keyword}={default}"));
                }
            }
            let read = change.spell(place, "pandas.read_csv");
            let column = if is_series { ".iloc[:, 0]" } else { "" };
            change.replace(place, call.range(), format!("{read}({}){column}", edit.render()));
        } else if let Some(kind) = name.strip_suffix("64Index") {
            if edit.find("dtype").is_none() {
                edit.append(format!("dtype='{}64'", kind.to_lowercase()));
            }
            let index = change.spell(place, "pandas.Index");
            change.replace(place, call.range(), format!("{index}({})", edit.render()));
        } else if name == "DataFrame.from_items" {
            let function = parsed.text(call.func.range()).trim_end_matches(".from_items");
            for (number, name) in edit.positional().into_iter().skip(1).zip(["columns", "orient"]) {
                edit.name(number, name);
            }
            edit.set(first, format!("dict({text})"));
            let is_plain = edit.find("orient").is_none() && edit.positional().len() < 3;
            let function = if is_plain { function.to_owned() } else { format!("{function}.from_dict") };
            change.replace(place, call.range(), format!("{function}({})", edit.render()));
        }
    });
}

/// Window and statistic of `rolling_mean`, `expanding_sum`, `ewma`, `ewmstd`, …
fn windowed(name: &str) -> Option<(&'static str, &'static str)> {
    const STATISTICS: [&str; 9] = ["mean", "std", "var", "sum", "max", "min", "median", "count", "skew"];
    let find = |rest: &str| STATISTICS.into_iter().find(|one| *one == rest);
    match name {
        "ewma" => Some(("ewm", "mean")),
        "ewmstd" => Some(("ewm", "std")),
        "ewmvar" => Some(("ewm", "var")),
        _ => name
            .strip_prefix("rolling_")
            .and_then(find)
            .map(|statistic| ("rolling", statistic))
            .or_else(|| name.strip_prefix("expanding_").and_then(find).map(|statistic| ("expanding", statistic))),
    }
}

fn series_sort(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "sort")) = shape::method(call) else { return };
        // The error says that it is a series, whatever else the name may hold.
        let is_series =
            view.receiver_is(On::Series, place, &attribute.value, call.range()) || view.at_fault(place, call.range());
        if around.parent().is_none() && is_series && shape::keyword(call, "inplace").is_none() {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("inplace=True");
            let mut edits = edit.finish();
            edits.push(replacement(attribute.attr.range(), "sort_values"));
            change.edit(place, call.range().start(), edits);
        }
    });
}

/// `s.cat.x(…, inplace=True)`, `df.set_axis(…, inplace=True)` and `s.cat.categories = […]` become assignments.
fn categories(view: &View<'_>, change: &mut Change<'_>) {
    use nbrevive_pysource::ast::Stmt;
    view.calls(|place, call, around| {
        let Some((attribute, name)) = shape::method(call) else { return };
        let parsed = view.parsed(place);
        let owner = match attribute.value.as_ref() {
            Expr::Attribute(cat) if cat.attr.as_str() == "cat" => receiver_text(parsed, cat),
            _ if name == "set_axis" => receiver_text(parsed, attribute),
            _ => return,
        };
        let statement = matches!(around.statement(), Stmt::Expr(one) if one.value.range() == call.range());
        let mut edit = CallEdit::new(parsed, call);
        let Some(number) = edit.find("inplace") else { return };
        let in_place = shape::boolean(edit.value(number)) != Some(false);
        if statement || !in_place {
            edit.remove(number);
            let mut edits = edit.finish();
            if in_place {
                edits.push(insertion(call.range().start(), format!("{owner} = ")));
            }
            change.edit(place, call.range().start(), edits);
        }
    });
    view.expressions(|place, expression, around| {
        let Expr::Attribute(attribute) = expression else { return };
        let (Stmt::Assign(assign), Expr::Attribute(cat)) = (around.statement(), attribute.value.as_ref()) else {
            return;
        };
        let target = assign.targets.len() == 1 && assign.targets[0].range() == expression.range();
        if target && attribute.attr.as_str() == "categories" && cat.attr.as_str() == "cat" {
            let parsed = view.parsed(place);
            let owner = receiver_text(parsed, cat);
            let text = format!("{owner} = {owner}.cat.rename_categories({})", parsed.text_of(assign.value.as_ref()));
            change.replace(place, assign.range(), text);
        }
    });
}

fn convert_dtype(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "apply")) = shape::method(call) else { return };
        let kinds = view.kinds(&attribute.value);
        if !(kinds.is_empty() || kinds.contains(&Kind::Series)) || !view.at_fault(place, call.range()) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let second = edit.positional().get(1).copied().filter(|number| {
            let value = edit.value(*number);
            shape::integer(value).is_some() || shape::boolean(value).is_some()
        });
        if let Some(number) = edit.find("convert_dtype").or(second) {
            edit.remove(number);
            change.edit(place, call.start(), edit.finish());
        }
    });
}
