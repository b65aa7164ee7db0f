//! Dates: units, parsing.

use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-astype-dates",
        ("pandas", "2.0.0"),
        "astype to datetime64 and timedelta64 needs a supported unit",
        Trigger::Error(&[
            sig("ValueError", "Passing in 'datetime64' dtype with no precision"),
            sig("TypeError", "Cannot cast DatetimeArray to dtype datetime64["),
            sig("ValueError", "Cannot convert from timedelta64"),
        ]),
        Rewrite::Code(astype_dates),
        example(
            "a = s.astype('datetime64')\nb = (x - y).astype('timedelta64[D]')\n",
            ("ValueError", "Passing in 'datetime64' dtype with no precision is not allowed."),
            "a = s.astype('datetime64[ns]')\nb = (x - y).dt.total_seconds().floordiv(86400)\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-month-units",
        ("pandas", "2.0.0"),
        "months and years are no lengths of time; their mean lengths are",
        Trigger::Error(&[sig("ValueError", "Only unambiguous timedelta values durations are supported")]),
        Rewrite::Code(month_units),
        example(
            "import numpy as np\nimport pandas as pd\nm = (b - a) / np.timedelta64(1, 'M')\n",
            ("ValueError", "Unit M is not supported. Only unambiguous timedelta values durations are supported."),
            "import numpy as np\nimport pandas as pd\nm = (b - a) / pd.Timedelta(days=30.436875 * 1)\n",
        ),
    ),
    Rule::new(
        "pandas-mixed-formats",
        ("pandas", "2.0.0"),
        "to_datetime wants one format for all rows; 'mixed' guesses for each",
        Trigger::Error(&[sig("ValueError", "doesn't match format"), sig("ValueError", "unconverted data remains")]),
        Rewrite::Code(mixed_formats),
        example(
            "import pandas as pd\nd = pd.to_datetime(df['d'])\n",
            ("ValueError", "time data \"03/04/2019\" doesn't match format \"%Y-%m-%d\". You might want to try"),
            "import pandas as pd\nd = pd.to_datetime(df['d'], format='mixed')\n",
        ),
    ),
    Rule::new(
        "pandas-coerced-formats",
        ("pandas", "2.0.0"),
        "to_datetime with errors='coerce' drops what has not the format of the first row; 'mixed' guesses for each",
        Trigger::OldDefault { before: (2023, 4, 3), python: PythonVersion::new(3, 8) },
        Rewrite::Code(coerced_formats),
        example(
            "import pandas as pd\nd = pd.to_datetime(df['d'], errors='coerce')\n",
            ("", ""),
            "import pandas as pd\nd = pd.to_datetime(df['d'], errors='coerce', format='mixed')\n",
        ),
    ),
    Rule::new(
        "pandas-errors-ignore",
        ("pandas", "3.0.0"),
        "errors='ignore' was removed; the input comes back when it cannot be converted",
        Trigger::Error(&[sig("ValueError", "errors must be one of 'raise', or 'coerce'"), sig("ValueError", "invalid error value specified")]),
        Rewrite::Code(errors_ignore),
        example(
            "import pandas as pd\nx = pd.to_numeric(df['c'], errors='ignore')\n",
            ("ValueError", "invalid error value specified"),
            "def convert_or_keep(convert, data, *arguments, **options):\n    try:\n        return convert(data, *arguments, **options)\n    except (ValueError, TypeError):\n        return data\nimport pandas as pd\nx = convert_or_keep(pd.to_numeric, df['c'])\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-date-parts-by-name",
        ("pandas", "2.0.0"),
        "week and weekofyear are no attributes of dates; isocalendar has the week",
        Trigger::Error(&[sig("AttributeError", "'DatetimeProperties' object has no attribute 'week")]),
        Rewrite::Code(date_parts_by_name),
        example(
            "for n in ['Year', 'Week']:\n    df[n] = getattr(df.d.dt, n.lower())\n",
            ("AttributeError", "'DatetimeProperties' object has no attribute 'week'"),
            "for n in ['Year', 'Week']:\n    df[n] = (df.d.dt.isocalendar().week.astype(int) if n.lower() in ('week', 'weekofyear') else getattr(df.d.dt, n.lower()))\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-compare-dates",
        ("pandas", "1.0.0"),
        "a column of times is not compared with a datetime.date",
        Trigger::Error(&[sig("TypeError", "Invalid comparison between dtype=datetime64")]),
        Rewrite::Code(compare_dates),
        example(
            "import datetime\nimport pandas as pd\nm = df['d'] > datetime.date(2019, 1, 1)\n",
            ("TypeError", "Invalid comparison between dtype=datetime64[us] and date"),
            "import datetime\nimport pandas as pd\nm = df['d'] > pd.Timestamp(datetime.date(2019, 1, 1))\n",
        ),
    ),
];

/// Arrays still take every unit.
fn astype_dates(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "astype")) = shape::method(call).filter(|(one, _)| !is_array(view, &one.value)) else {
            return;
        };
        let Some(argument) = call.arguments.args.first() else { return };
        let is_index = view.receiver_is_certain(On::Index, &attribute.value);
        // What an error blames is some of pandas, whatever it was computed of.
        let is_series =
            || [On::Series, On::AtFault].iter().any(|on| view.receiver_is(*on, place, &attribute.value, call.range()));
        let numpy = view.qualified(argument).is_some_and(|name| name == "numpy.datetime64");
        let dtype =
            if numpy { Some("datetime64") } else { shape::text(argument).map(|text| text.trim_start_matches('<')) };
        let whole = TextRange::new(attribute.attr.range().start(), call.end());
        let text = match dtype {
            Some("datetime64") => {
                change.replace(place, argument.range(), "'datetime64[ns]'");
                return;
            }
            Some("timedelta64[D]") if is_index => "days",
            _ if is_index || !is_series() => return,
            Some("datetime64[D]") => "dt.normalize()",
            Some("datetime64[M]") => "dt.to_period('M').dt.to_timestamp()",
            Some("datetime64[Y]") => "dt.to_period('Y').dt.to_timestamp()",
            Some("datetime64[h]") => "dt.floor('h')",
            Some("timedelta64[D]") => "dt.total_seconds().floordiv(86400)",
            Some("timedelta64[h]") => "dt.total_seconds().floordiv(3600)",
            Some("timedelta64[m]") => "dt.total_seconds().floordiv(60)",
            // The average month and year of the Gregorian calendar, as numpy has them.
            Some("timedelta64[M]") => "dt.total_seconds().floordiv(2629746)",
            Some("timedelta64[Y]") => "dt.total_seconds().floordiv(31556952)",
            _ => return,
        };
        change.replace(place, whole, text);
    });
}

fn is_array(view: &View<'_>, value: &Expr) -> bool {
    match value {
        Expr::Attribute(attribute) if attribute.attr.as_str() == "values" => true,
        Expr::BinOp(operation) => is_array(view, &operation.left) && is_array(view, &operation.right),
        _ => view.receiver_is_certain(On::Array, value),
    }
}

fn month_units(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function("numpy", "timedelta64"), place, call) {
            return;
        }
        let [count, unit] = &call.arguments.args[..] else { return };
        let days = match shape::text(unit) {
            Some("M") => "30.436875",
            Some("Y") => "365.2425",
            _ => return,
        };
        let delta = change.spell(place, "pandas.Timedelta");
        let count = view.parsed(place).text(count.range());
        change.replace(place, call.range(), format!("{delta}(days={days} * {count})"));
    });
}

fn mixed_formats(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let parse = view.is_call_of(Callee::Function("pandas", "to_datetime"), place, call);
        if parse && view.at_fault(place, call.range()) && shape::keyword(call, "format").is_none() {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("format='mixed'");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn coerced_formats(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_given = |name| shape::keyword(call, name).is_some();
        let coerces = shape::keyword(call, "errors").is_some_and(|one| shape::text(&one.value) == Some("coerce"));
        let parse = view.is_call_of(Callee::Function("pandas", "to_datetime"), place, call);
        if parse
            && coerces
            && !["format", "unit", "origin", "exact"].into_iter().any(is_given)
            && !shape::has_stars(call)
        {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("format='mixed'");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

const KEEPER: &str = "def convert_or_keep(convert, data, *arguments, **options):\n    try:\n        return convert(data, *arguments, **options)\n    except (ValueError, TypeError):\n        return data";

fn errors_ignore(view: &View<'_>, change: &mut Change<'_>) {
    applied_errors_ignore(view, change);
    view.calls(|place, call, _| {
        let parse = view.qualified(&call.func).is_some_and(|name| CONVERTERS.contains(&name.as_str()));
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("errors").filter(|_| parse) else { return };
        if shape::text(edit.value(number)) != Some("ignore") {
            return;
        }
        edit.remove(number);
        let function = view.parsed(place).text(call.func.range());
        change.need_import(place, KEEPER);
        change.replace(place, call.range(), format!("convert_or_keep({function}, {})", edit.render()));
    });
}

fn date_parts_by_name(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let [dates @ Expr::Attribute(attribute), name] = &call.arguments.args[..] else { return };
        let is_asked = shape::name(&call.func) == Some("getattr") && attribute.attr.as_str() == "dt";
        if !is_asked || matches!(around.parent(), Some(Expr::If(_))) || shape::text(name).is_some() {
            return;
        }
        let (dates, name) = (view.parsed(place).text(dates.range()), view.parsed(place).text(name.range()));
        let weeks = format!("({dates}.isocalendar().week.astype(int) if {name} in ('week', 'weekofyear') else ");
        let edits = vec![insertion(call.range().start(), weeks), insertion(call.end(), ")")];
        change.edit(place, call.range().start(), edits);
    });
}

/// `df.apply(pd.to_numeric, errors='ignore')`.
fn applied_errors_ignore(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "apply")) = shape::method(call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(function) = edit.positional().first().copied() else { return };
        let Some(number) = edit.find("errors").filter(|number| shape::text(edit.value(*number)) == Some("ignore"))
        else {
            return;
        };
        let converts = view.qualified(edit.value(function)).is_some_and(|name| CONVERTERS.contains(&name.as_str()));
        if converts {
            let kept = format!("lambda column: convert_or_keep({}, column)", edit.value_text(function));
            edit.set(function, kept);
            edit.remove(number);
            change.need_import(place, KEEPER);
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

const CONVERTERS: [&str; 3] = ["pandas.to_datetime", "pandas.to_numeric", "pandas.to_timedelta"];

fn compare_dates(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Compare(compare) = expression else { return };
        if !view.at_fault(place, expression.range()) {
            return;
        }
        for side in std::iter::once(compare.left.as_ref()).chain(&compare.comparators) {
            let Expr::Call(call) = side else { continue };
            let date = view.is_call_of(Callee::Function("datetime", "date"), place, call)
                || shape::method(call).is_some_and(|(_, name)| name == "today" || name == "date");
            if date {
                let stamp = change.spell(place, "pandas.Timestamp");
                let edits = vec![insertion(call.range().start(), format!("{stamp}(")), insertion(call.end(), ")")];
                change.edit(place, call.range().start(), edits);
            }
        }
    });
}
