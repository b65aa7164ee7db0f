//! Arguments of readers that became calls on the result, and texts that must be wrapped.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-arguments-to-calls",
        ("pandas", "2.0.0"),
        "squeeze, prefix, join_axes and date_parser of readers and concat are calls on the result",
        Trigger::Error(&[sig("TypeError", "got an unexpected keyword argument")]),
        Rewrite::Code(arguments_to_calls),
        example(
            "import pandas as pd\ns = pd.read_csv('a.csv', squeeze=True)\nx = pd.concat([a, b], axis=1, join_axes=[a.index])\n",
            ("TypeError", "read_csv() got an unexpected keyword argument 'squeeze'"),
            "import pandas as pd\ns = pd.read_csv('a.csv').squeeze('columns')\nx = pd.concat([a, b], axis=1).reindex(a.index)\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-date-parser",
        ("pandas", "3.0.0"),
        "date_parser was removed; the columns are parsed after reading",
        Trigger::Error(&[sig("TypeError", "got an unexpected keyword argument 'date_parser'")]),
        Rewrite::Code(date_parser),
        example(
            "import pandas as pd\nd = pd.read_csv('a.csv', parse_dates=['d', 'e'], date_parser=f)\n",
            ("TypeError", "read_csv() got an unexpected keyword argument 'date_parser'"),
            "import pandas as pd\nd = pd.read_csv('a.csv').assign(**{'d': lambda table: table['d'].map(f), 'e': lambda table: table['e'].map(f)})\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-combined-dates",
        ("pandas", "3.0.0"),
        "parse_dates no longer joins columns; they are joined after reading",
        Trigger::Error(&[
            sig("TypeError", "Only booleans and lists are accepted for the 'parse_dates' parameter"),
            sig("TypeError", "list indices must be integers or slices, not list"),
            sig("TypeError", "unhashable type: 'list'"),
        ]),
        Rewrite::Code(combined_dates),
        example(
            "import pandas as pd\nd = pd.read_csv('a.csv', parse_dates={'when': ['day', 'time']}, index_col='when')\n",
            ("TypeError", "Only booleans and lists are accepted for the 'parse_dates' parameter"),
            "import pandas as pd\nd = pd.read_csv('a.csv').pipe(lambda table: pd.concat([pd.to_datetime(table[['day', 'time']].astype(str).agg(' '.join, axis=1)).rename('when'), table.drop(columns=['day', 'time'])], axis=1)).set_index('when')\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-read-from-text",
        ("pandas", "3.0.0"),
        "read_json and read_html take paths; text is wrapped in StringIO",
        Trigger::Error(&[sig("FileNotFoundError", "[{"), sig("FileNotFoundError", "<"), sig("FileNotFoundError", "{\"")]),
        Rewrite::Code(from_text),
        example(
            "import pandas as pd\nd = pd.read_json('[{\"a\": 1}]')\n",
            ("FileNotFoundError", "[Errno 2] No such file or directory: '[{\"a\": 1}]'"),
            "from io import StringIO\nimport pandas as pd\nd = pd.read_json(StringIO('[{\"a\": 1}]'))\n",
        ),
    ),
    Rule::new(
        "pandas-fillna-method",
        ("pandas", "3.0.0"),
        "fillna has no method; ffill and bfill are methods",
        Trigger::Error(&[sig("TypeError", "fillna() got an unexpected keyword argument 'method'")]),
        Rewrite::Code(fillna_method),
        example(
            "df = df.fillna(method='ffill')\ndf['a'].fillna(method='bfill', inplace=True)\n",
            ("TypeError", "NDFrame.fillna() got an unexpected keyword argument 'method'"),
            "df = df.ffill()\ndf['a'].bfill(inplace=True)\n",
        ),
    )
    .certain(),
];

const READERS: [&str; 3] = ["read_csv", "read_table", "read_excel"];

fn is_reader(view: &View<'_>, place: Place, call: &nbrevive_pysource::ast::ExprCall) -> bool {
    READERS.iter().any(|name| view.is_call_of(Callee::Function("pandas", name), place, call))
}

fn arguments_to_calls(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let concat = view.is_call_of(Callee::Function("pandas", "concat"), place, call);
        if !concat && !is_reader(view, place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let mut after = String::new();
        if let Some(number) = edit.find("squeeze") {
            if shape::boolean(edit.value(number)) != Some(false) {
                after.push_str(".squeeze('columns')");
            }
            edit.remove(number);
        }
        if let Some(number) = edit.find("prefix") {
            after.push_str(&format!(".add_prefix({})", edit.value_text(number)));
            edit.remove(number);
        }
        if let Some(number) = edit.find("join_axes").filter(|_| concat) {
            let Some([axis]) = shape::elements(edit.value(number)) else { return };
            // The other axis than the one along which the parts stand.
            let along =
                edit.find("axis").or_else(|| edit.positional().get(1).copied()).map(|number| edit.value(number));
            let beside =
                along.is_some_and(|axis| shape::integer(axis) == Some(1) || shape::text(axis) == Some("columns"));
            let keyword = if beside { "" } else { "columns=" };
            after.push_str(&format!(".reindex({keyword}{})", view.parsed(place).text_of(axis)));
            edit.remove(number);
        }
        let mut edits = edit.finish();
        if !after.is_empty() {
            edits.push(insertion(call.end(), after));
        }
        change.edit(place, call.range().start(), edits);
    });
}

fn date_parser(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !is_reader(view, place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let (Some(parser), Some(columns)) = (edit.find("date_parser"), edit.find("parse_dates")) else { return };
        let index = edit.find("index_col").map(|number| edit.value(number));
        if index.is_some_and(|index| is_index_alone(edit.value(columns), index)) {
            let after = format!(".rename(index={})", edit.value_text(parser));
            edit.remove(parser);
            edit.remove(columns);
            let mut edits = edit.finish();
            edits.push(insertion(call.end(), after));
            change.edit(place, call.range().start(), edits);
            return;
        }
        let Some(names) = shape::elements(edit.value(columns)) else { return };
        let Some(names) = names.iter().map(shape::text).collect::<Option<Vec<_>>>() else { return };
        if shape::keyword(call, "index_col").is_some_and(|index| !index.value.is_boolean_literal_expr()) {
            return;
        }
        let function = edit.value_text(parser);
        let function = if edit.value(parser).is_lambda_expr() { format!("({function})") } else { function.to_owned() };
        let parts: Vec<String> =
            names.iter().map(|name| format!("'{name}': lambda table: table['{name}'].map({function})")).collect();
        edit.remove(parser);
        edit.remove(columns);
        let mut edits = edit.finish();
        edits.push(insertion(call.end(), format!(".assign(**{{{}}})", parts.join(", "))));
        change.edit(place, call.range().start(), edits);
    });
}

/// Whether the dates to read are those of the index, and no others: `True`, or its name or place.
fn is_index_alone(dates: &Expr, index: &Expr) -> bool {
    let is_it = |one: &Expr| match (shape::text(one), shape::integer(one)) {
        (Some(name), _) => shape::text(index) == Some(name),
        (None, Some(place)) => shape::integer(index) == Some(place),
        (None, None) => false,
    };
    shape::boolean(dates) == Some(true) || matches!(shape::elements(dates), Some([one]) if is_it(one))
}

/// The name of the joined column and the text of the list of its parts.
fn combined<'a>(view: &View<'a>, place: Place, dates: &Expr) -> Option<(String, &'a str)> {
    let (name, parts) = match dates {
        Expr::Dict(dict) => {
            let [item] = &dict.items[..] else { return None };
            (Some(shape::text(item.key.as_ref()?)?.to_owned()), &item.value)
        }
        Expr::List(list) => {
            let [parts] = &list.elts[..] else { return None };
            (None, parts)
        }
        _ => return None,
    };
    let names: Vec<&str> = shape::elements(parts)?.iter().map(shape::text).collect::<Option<_>>()?;
    let text = view.parsed(place).text(parts.range());
    (names.len() > 1).then(|| (name.unwrap_or_else(|| names.join("_")), text))
}

fn combined_dates(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !is_reader(view, place, call) || shape::keyword(call, "date_parser").is_some() {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("parse_dates") else { return };
        let Some((name, parts)) = combined(view, place, edit.value(number)) else { return };
        edit.remove(number);
        let index = edit.find("index_col");
        let mut after = String::new();
        if let Some(index) = index {
            if shape::text(edit.value(index)) != Some(&name) && shape::integer(edit.value(index)) != Some(0) {
                return;
            }
            edit.remove(index);
            after = format!(".set_index('{name}')");
        }
        let (concat, convert) = (change.spell(place, "pandas.concat"), change.spell(place, "pandas.to_datetime"));
        let dates = format!("{convert}(table[{parts}].astype(str).agg(' '.join, axis=1)).rename('{name}')");
        let mut edits = edit.finish();
        edits.push(insertion(
            call.end(),
            format!(".pipe(lambda table: {concat}([{dates}, table.drop(columns={parts})], axis=1)){after}"),
        ));
        change.edit(place, call.range().start(), edits);
    });
}

fn from_text(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let reader = ["read_json", "read_html"]
            .iter()
            .any(|name| view.is_call_of(Callee::Function("pandas", name), place, call));
        if !reader || !view.at_fault(place, call.range()) {
            return;
        }
        let Some(first) = call.arguments.args.first() else { return };
        if matches!(first, Expr::Call(inner) if view.is_call_of(Callee::Function("io", "StringIO"), place, inner)) {
            return;
        }
        let wrapper = change.spell(place, "io.StringIO");
        let edits = vec![insertion(first.range().start(), format!("{wrapper}(")), insertion(first.end(), ")")];
        change.edit(place, call.range().start(), edits);
    });
}

fn fillna_method(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "fillna")) = shape::method(call) else { return };
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(number) = edit.find("method") else { return };
        let new = match shape::text(edit.value(number)) {
            Some("ffill" | "pad") => "ffill",
            Some("bfill" | "backfill") => "bfill",
            _ => return,
        };
        if !edit.positional().is_empty() || edit.find("value").is_some() {
            return;
        }
        edit.remove(number);
        let whole = nbrevive_pysource::text_size::TextRange::new(attribute.attr.range().start(), call.end());
        change.replace(place, whole, format!("{new}({})", edit.render()));
    });
}
