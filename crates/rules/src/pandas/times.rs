//! Rows that dates choose, and dates as numbers.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, View};
use crate::{shape, walk};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-date-rows",
        ("pandas", "2.0.0"),
        "a date in df[…] is a column; rows of a date are df.loc[…]",
        Trigger::Error(&[sig("KeyError", "")]),
        Rewrite::Code(date_rows),
        example("r = df['2019-02']\n", ("KeyError", "'2019-02'"), "r = df.loc['2019-02']\n"),
    ),
    Rule::new(
        "pandas-resample-offsets",
        ("pandas", "2.0.0"),
        "base of resample is offset, and loffset a shift of the result",
        Trigger::Error(&[
            sig("TypeError", "resample() got an unexpected keyword argument 'base'"),
            sig("TypeError", "resample() got an unexpected keyword argument 'loffset'"),
        ]),
        Rewrite::Code(resample_offsets),
        example(
            "a = h.resample('6H', base=3).sum()\nb = h.resample('D', loffset='12h').mean()\n",
            ("TypeError", "DataFrame.resample() got an unexpected keyword argument 'base'"),
            "a = h.resample('6H', offset='3h').sum()\nb = h.resample('D').mean().shift(freq='12h')\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-unsorted-dates",
        ("pandas", "2.0.0"),
        "a slice of dates that are not sorted needs its ends among them; the rows are those of the sorted ones",
        Trigger::Error(&[sig("KeyError", "Value based partial slicing on non-monotonic DatetimeIndexes")]),
        Rewrite::Code(unsorted_slices),
        example(
            "r = df.loc['2019-02':'2019-03']\ns = df.loc['2019-02':, 'a']\n",
            (
                "KeyError",
                "'Value based partial slicing on non-monotonic DatetimeIndexes with non-existing keys is not allowed.'",
            ),
            "r = df[df.index.isin(df.sort_index().loc['2019-02':'2019-03'].index)]\ns = df.loc[df.index.isin(df.sort_index().loc['2019-02':].index), 'a']\n",
        ),
    ),
    Rule::new(
        "pandas-first-and-last",
        ("pandas", "3.0.0"),
        "first and last with an offset were removed; rows are chosen by the index",
        Trigger::Error(&[
            sig("AttributeError", "has no attribute 'first'"),
            sig("AttributeError", "has no attribute 'last'"),
        ]),
        Rewrite::Code(first_and_last),
        example(
            "import pandas as pd\na = df.first('40D')\n",
            ("AttributeError", "'DataFrame' object has no attribute 'first'"),
            "import pandas as pd\na = df[df.index < df.index[0] + pd.tseries.frequencies.to_offset('40D')]\n",
        ),
    ),
    Rule::new(
        "pandas-dates-as-numbers",
        ("pandas", "3.0.0"),
        "dates are kept in microseconds, and their numbers were nanoseconds",
        Trigger::Silent,
        Rewrite::Code(dates_as_numbers),
        example(
            "import pandas as pd\ndf['d'] = pd.to_datetime(df['d'])\nn = df['d'].astype('int64') // 10**9\n",
            ("", ""),
            "import pandas as pd\ndf['d'] = pd.to_datetime(df['d'])\nn = df['d'].astype('datetime64[ns]').astype('int64') // 10**9\n",
        ),
    ),
];

fn date_rows(view: &View<'_>, change: &mut Change<'_>) {
    let missed = |text: &str| view.errors.iter().any(|error| error.evalue.trim_matches('\'') == text);
    if !view.errors.iter().any(|error| is_like_a_date(error.evalue.trim_matches('\''))) {
        return;
    }
    view.expressions(|place, expression, _| {
        let Expr::Subscript(rows) = expression else { return };
        let kinds = view.kinds(&rows.value);
        let indexer = matches!(rows.value.as_ref(), Expr::Attribute(one) if matches!(one.attr.as_str(), "loc" | "iloc" | "at" | "iat"));
        let may_be_frame = !indexer && (kinds.is_empty() || kinds.contains(&Kind::Frame));
        let may_be_missed = match shape::text(&rows.slice) {
            Some(text) => missed(text) && is_like_a_date(text),
            // Names of several columns are a list.
            None => match rows.slice.as_ref() {
                Expr::Name(name) => view.only_value(name.id.as_str()).is_none_or(|(_, value)| shape::elements(value).is_none()),
                computed => matches!(computed, Expr::FString(_) | Expr::Call(_) | Expr::BinOp(_)),
            },
        };
        if may_be_frame && may_be_missed && rows.ctx.is_load() && view.at_fault(place, expression.range()) {
            change.edit(place, expression.range().start(), vec![insertion(rows.value.end(), ".loc")]);
        }
    });
}

/// Whether pandas would read a text as a date or a part of one: a year, with month, day, quarter or time in numbers or words.
fn is_like_a_date(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "jan",
        "feb",
        "mar",
        "apr",
        "may",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "t",
        "q",
        "am",
        "pm",
    ];
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let has_year = lower.split(|c: char| !c.is_ascii_digit()).any(|part| matches!(part.len(), 4 | 8));
    has_year
        && words.all(|word| WORDS.contains(&word))
        && lower.chars().all(|c| c.is_ascii_alphanumeric() || " -/:.,".contains(c))
}

fn unsorted_slices(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let (frame, is_located) = match subscript.value.as_ref() {
            Expr::Attribute(at) if at.attr.as_str() == "loc" => (at.value.as_ref(), true),
            value => (value, false),
        };
        let (slice, columns) = match subscript.slice.as_ref() {
            Expr::Tuple(both) => match &both.elts[..] {
                [rows, columns] if is_located => (rows, Some(columns)),
                _ => return,
            },
            rows => (rows, None),
        };
        let Expr::Slice(bounds) = slice else { return };
        let of_dates = [&bounds.lower, &bounds.upper].into_iter().flatten().any(|bound| shape::text(bound).is_some());
        if !of_dates || shape::dotted(frame).is_none() || !view.at_fault(place, expression.range()) {
            return;
        }
        let parsed = view.parsed(place);
        let (frame, slice) = (parsed.text(frame.range()), parsed.text(slice.range()));
        let rows = format!("{frame}.index.isin({frame}.sort_index().loc[{slice}].index)");
        let text = match columns {
            Some(columns) => format!("{frame}.loc[{rows}, {}]", parsed.text_of(columns)),
            None => format!("{frame}[{rows}]"),
        };
        change.replace(place, expression.range(), text);
    });
}

/// `resample(…, base=n)` counts in the unit of the frequency; `loffset` moves the labels of what is made of the groups.
fn resample_offsets(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        if !matches!(shape::method(call), Some((_, "resample"))) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let rule = edit.find("rule").or_else(|| edit.positional().first().copied());
        let unit = rule.and_then(|number| shape::text(edit.value(number))).and_then(unit_of);
        if let (Some(number), Some(unit)) = (edit.find("base"), unit) {
            match shape::integer(edit.value(number)) {
                Some(0) => edit.remove(number),
                Some(count) => edit.set(number, format!("offset='{count}{unit}'")),
                None => {}
            }
        }
        let mut moved = None;
        if let (Some(number), [.., Expr::Call(made), Expr::Attribute(_)]) = (edit.find("loffset"), around.parents) {
            moved = Some(insertion(made.end(), format!(".shift(freq={})", edit.value_text(number))));
            edit.remove(number);
        }
        let mut edits = edit.finish();
        edits.extend(moved);
        change.edit(place, call.start(), edits);
    });
}

/// The unit of a frequency of fixed length, as offsets name it.
fn unit_of(frequency: &str) -> Option<&'static str> {
    match frequency.trim_start_matches(|c: char| c.is_ascii_digit()) {
        "H" | "h" => Some("h"),
        "T" | "min" => Some("min"),
        "S" | "s" => Some("s"),
        "D" => Some("D"),
        _ => None,
    }
}

fn first_and_last(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, name @ ("first" | "last"))) = shape::method(call) else { return };
        let ([offset], []) = (&call.arguments.args[..], &call.arguments.keywords[..]) else { return };
        let of_pandas = view.receiver_is(On::Pandas, place, &attribute.value, call.range());
        if !of_pandas || !view.at_fault(place, call.range()) {
            return;
        }
        let parsed = view.parsed(place);
        let to_offset = change.spell(place, "pandas.tseries.frequencies.to_offset");
        let (rows, offset) = (receiver_text(parsed, attribute), parsed.text_of(offset));
        let chosen = |rows: &str| match name {
            "first" => format!("{rows}[{rows}.index < {rows}.index[0] + {to_offset}({offset})]"),
            _ => format!("{rows}[{rows}.index > {rows}.index[-1] - {to_offset}({offset})]"),
        };
        let text = match attribute.value.as_ref() {
            Expr::Name(_) | Expr::Attribute(_) => chosen(rows),
            _ => format!("{rows}.pipe(lambda rows: {})", chosen("rows")),
        };
        change.replace(place, call.range(), text);
    });
}

const NANOSECONDS: &str = ".astype('datetime64[ns]')";

fn dates_as_numbers(view: &View<'_>, change: &mut Change<'_>) {
    let dates = columns_of_dates(view);
    let is_date = |expression: &Expr| column(expression).is_some_and(|name| dates.contains(name));
    view.calls(|place, call, _| {
        let numbers = match shape::method(call) {
            Some((attribute, "astype" | "view")) if is_to_numbers(view, call) => match attribute.value.as_ref() {
                Expr::Attribute(values) if values.attr.as_str() == "values" => values.value.as_ref(),
                series => series,
            },
            _ if view.is_call_of(Callee::Function("pandas", "to_numeric"), place, call) => {
                let Some(series) = call.arguments.args.first() else { return };
                series
            }
            _ => return,
        };
        if is_date(numbers) {
            change.edit(place, call.range().start(), vec![insertion(numbers.end(), NANOSECONDS)]);
        }
    });
}

/// `int`, `'int64'`, `np.float64`.
fn is_to_numbers(view: &View<'_>, call: &ExprCall) -> bool {
    let [dtype] = &call.arguments.args[..] else { return false };
    matches!(shape::name(dtype), Some("int" | "float"))
        || matches!(shape::text(dtype), Some("int" | "int64" | "i8" | "<i8" | "float" | "float64"))
        || matches!(
            view.qualified(dtype).as_deref(),
            Some("numpy.int64" | "numpy.int" | "numpy.int_" | "numpy.float64" | "numpy.float")
        )
}

/// The column that an expression is: `df['c']`, `df.c`.
fn column(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Subscript(one) => shape::text(&one.slice),
        Expr::Attribute(one) => Some(one.attr.as_str()),
        _ => None,
    }
}

/// Columns that the notebook makes dates of: what `to_datetime` gives is assigned to them, or a reader is told to.
fn columns_of_dates<'a>(view: &View<'a>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let Expr::Call(call) = assign.value.as_ref() else { return };
            if view.is_call_of(Callee::Function("pandas", "to_datetime"), Place(position), call) {
                found.extend(assign.targets.iter().filter_map(column));
            }
        });
    }
    view.expressions(|place, expression, _| {
        let Expr::Dict(dict) = expression else { return };
        for (key, value) in dict.items.iter().filter_map(|item| Some((shape::text(item.key.as_ref()?)?, &item.value))) {
            let makes = ["to_datetime", "date_range"].map(|name| Callee::Function("pandas", name));
            if matches!(value, Expr::Call(call) if makes.iter().any(|one| view.is_call_of(*one, place, call))) {
                found.insert(key);
            }
        }
    });
    view.calls(|_, call, _| {
        let listed = shape::keyword(call, "parse_dates").and_then(|listed| shape::elements(&listed.value));
        found.extend(listed.unwrap_or_default().iter().filter_map(shape::text));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::is_like_a_date;

    #[test]
    fn dates_and_parts_of_them_are_told_from_names_of_columns() {
        for text in ["2019", "2019-02", "2019-02-03", "2/2019", "Jan 2019", "2019Q1", "20190203", "2019-02-03 10:00"] {
            assert!(is_like_a_date(text), "{text}");
        }
        for text in ["price", "price_2019", "2019_price", "19", "", "sales 2019", "a[2019]"] {
            assert!(!is_like_a_date(text), "{text}");
        }
    }
}
