//! `append` of frames and series.

use nbrevive_pysource::ast::{Expr, ExprCall, ExprSubscript, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::Change;
use crate::kind::Kind;
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "pandas-append",
    ("pandas", "2.0.0"),
    "DataFrame.append and Series.append were removed; pd.concat joins",
    Trigger::Error(&[
        sig("AttributeError", "Frame' object has no attribute 'append'"),
        sig("AttributeError", "Series' object has no attribute 'append'"),
    ]),
    Rewrite::Code(append),
    example(
        "import pandas as pd\ntrain = pd.read_csv('train.csv')\nrows = []\nrows.append(1)\nall = train.append(pd.read_csv('test.csv'), ignore_index=True)\nall = all.append({'a': 9}, ignore_index=True)\n",
        ("AttributeError", "'DataFrame' object has no attribute 'append'"),
        "import pandas as pd\ntrain = pd.read_csv('train.csv')\nrows = []\nrows.append(1)\nall = pd.concat([train, pd.read_csv('test.csv')], ignore_index=True)\nall = pd.concat([all, pd.DataFrame([{'a': 9}])], ignore_index=True)\n",
    ),
)
.certain()];

fn append(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "append" | "_append")) = shape::method(call) else { return };
        if !view.receiver_is(On::Pandas, place, &attribute.value, call.range())
            || is_list_statement(view, place, call, around.statement())
        {
            return;
        }
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let data = edit.find("other").or_else(|| edit.find("to_append")).or_else(|| edit.positional().first().copied());
        let Some(data) = data else { return };
        let text = edit.value_text(data);
        let value = edit.value(data);
        let is_frame = view.kinds(&attribute.value) == [Kind::Frame];
        let joined = match is_frame && view.kinds(value) == [Kind::Series] {
            true => format!("{text}.to_frame().T"),
            false => joined(view, change, place, value, text),
        };
        edit.remove(data);
        for number in edit.positional() {
            edit.name(number, "ignore_index");
        }
        if let Some(number) = edit.find("verify_integrity").filter(|n| shape::boolean(edit.value(*n)) == Some(false)) {
            edit.remove(number);
        }
        let concat = change.spell(place, "pandas.concat");
        let receiver = receiver_text(parsed, attribute);
        let rest = edit.render();
        let separator = if rest.is_empty() { "" } else { ", " };
        let list = match value {
            Expr::List(list) if list.elts.iter().all(|one| !one.is_dict_expr()) => {
                let inner = text.trim_start_matches('[').trim_end_matches(']').trim();
                format!("[{receiver}, {inner}]")
            }
            _ => format!("[{receiver}, {joined}]"),
        };
        change.replace(place, call.range(), format!("{concat}({list}{separator}{rest})"));
    });
}

/// What is joined: a dict is one row, a list of dicts are rows, a series that looks like one is a row too.
fn joined(view: &View<'_>, change: &mut Change<'_>, place: Place, value: &Expr, text: &str) -> String {
    let kinds = view.kinds(value);
    if value.is_dict_expr() || kinds == [Kind::Dict] {
        let frame = change.spell(place, "pandas.DataFrame");
        return format!("{frame}([{text}])");
    }
    match value {
        Expr::List(list) if list.elts.iter().any(Expr::is_dict_expr) => {
            let frame = change.spell(place, "pandas.DataFrame");
            format!("{frame}({text})")
        }
        Expr::Call(inner) if is_series_of_row(view, place, inner) => format!("{text}.to_frame().T"),
        Expr::Subscript(row) if is_row_of_frame(view, row) => format!("{text}.to_frame().T"),
        _ if matches!(kinds[..], [Kind::List(_)]) => format!("*{text}"),
        _ => text.to_owned(),
    }
}

/// `pd.Series([…], index=df.columns)` and `pd.Series({…})` stand for a row.
fn is_series_of_row(view: &View<'_>, place: Place, call: &ExprCall) -> bool {
    view.is_call_of(crate::receiver::Callee::Function("pandas", "Series"), place, call)
        && (shape::keyword(call, "index").is_some() || call.arguments.args.first().is_some_and(Expr::is_dict_expr))
}

/// `df.iloc[0]`: one row, as a series.
fn is_row_of_frame(view: &View<'_>, subscript: &ExprSubscript) -> bool {
    let Expr::Attribute(indexer) = subscript.value.as_ref() else { return false };
    indexer.attr.as_str() == "iloc"
        && shape::integer(&subscript.slice).is_some()
        && view.kinds(&indexer.value) == [Kind::Frame]
}

/// `rows.append(x)` as a statement of its own is a list's, unless the error blames the line: a frame's result would
/// be lost.
fn is_list_statement(view: &View<'_>, place: Place, call: &ExprCall, statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(one) if one.value.range() == call.range()) && !view.at_fault(place, call.range())
}
