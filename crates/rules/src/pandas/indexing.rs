//! `get_value`, `set_value`, sets as keys, positions on a labelled series.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, ExprSubscript};
use nbrevive_pysource::text_size::{Ranged, TextSize};

use crate::CellFeedback;
use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::faults::Faults;
use crate::kind::{Kind, KindSet};
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::{Place, View};
use crate::walk::Surroundings;

use super::ix::is_of_numbers;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-get-value",
        ("pandas", "1.0.0"),
        "get_value and set_value are .at; irow, icol and iget_value are .iloc",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'irow'"),
            sig("AttributeError", "object has no attribute 'icol'"),
            sig("AttributeError", "object has no attribute 'iget_value'"),
            sig("AttributeError", "object has no attribute 'get_value'"),
            sig("AttributeError", "object has no attribute 'set_value'"),
        ]),
        Rewrite::Code(get_value),
        example(
            "v = df.get_value(0, 'b')\ndf.set_value(0, 'b', 9)\ndf = df.set_value(1, 'b', 8)\n",
            ("AttributeError", "'DataFrame' object has no attribute 'get_value'"),
            "v = df.at[0, 'b']\ndf.at[0, 'b'] = 9\ndf.at[1, 'b'] = 8\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-set-as-key",
        ("pandas", "2.0.0"),
        "a set cannot choose columns; a list can",
        Trigger::Error(&[sig("TypeError", "Passing a set as an indexer is not supported")]),
        Rewrite::Code(set_key),
        example(
            "x = df[set(df.columns) - {'y'}]\nz = df.loc[:, {'a'}]\n",
            ("TypeError", "Passing a set as an indexer is not supported. Use a list instead."),
            "x = df[list(set(df.columns) - {'y'})]\nz = df.loc[:, list({'a'})]\n",
        ),
    ),
    Rule::new(
        "pandas-series-position",
        ("pandas", "3.0.0"),
        "a whole number in s[…] is a label; positions are s.iloc[…]",
        Trigger::Error(&[sig("KeyError", "")]),
        Rewrite::Code(series_position),
        example("top = df['c'].value_counts()[0]\n", ("KeyError", "0"), "top = df['c'].value_counts().iloc[0]\n"),
    ),
    Rule::new(
        "pandas-missing-labels",
        ("pandas", "1.0.0"),
        ".loc with a list that holds missing labels raises; reindex gives missing rows",
        Trigger::Error(&[sig("KeyError", "not in index")]),
        Rewrite::Code(missing_labels),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nx = df.loc[[0, 5]]\n",
            ("KeyError", "'[5] not in index'"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nx = df.reindex([0, 5])\n",
        ),
    ),
];

fn get_value(view: &View<'_>, change: &mut Change<'_>) {
    use nbrevive_pysource::ast::Stmt;
    view.calls(|place, call, around| {
        let Some((attribute, name)) = shape::method(call) else { return };
        if !matches!(name, "get_value" | "set_value" | "irow" | "icol" | "iget_value") {
            return;
        }
        let parsed = view.parsed(place);
        let frame = receiver_text(parsed, attribute);
        let edit = CallEdit::new(parsed, call);
        let keys: Vec<&str> = edit.arguments().map(|(number, _)| edit.value_text(number)).collect();
        match (name, &keys[..]) {
            ("irow", [row]) => {
                change.replace(place, call.range(), format!("{frame}.iloc[{row}]"));
            }
            ("icol", [column]) => {
                change.replace(place, call.range(), format!("{frame}.iloc[:, {column}]"));
            }
            ("iget_value", [row, column]) => {
                change.replace(place, call.range(), format!("{frame}.iloc[{row}, {column}]"));
            }
            ("get_value", [row, column]) => {
                change.replace(place, call.range(), format!("{frame}.at[{row}, {column}]"));
            }
            ("set_value", [row, column, value]) if around.parent().is_none() => {
                let text = format!("{frame}.at[{row}, {column}] = {value}");
                let range = match around.statement() {
                    Stmt::Assign(assign)
                        if assign.targets.len() == 1 && parsed.text_of(&assign.targets[0]) == frame =>
                    {
                        assign.range()
                    }
                    Stmt::Expr(statement) => statement.range(),
                    _ => return,
                };
                change.replace(place, range, text);
            }
            _ => {}
        }
    });
}

fn set_key(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        if !view.at_fault(place, expression.range()) {
            return;
        }
        let keys = match subscript.slice.as_ref() {
            Expr::Tuple(tuple) => &tuple.elts[..],
            _ => std::slice::from_ref(subscript.slice.as_ref()),
        };
        for key in keys {
            let is_set = key.is_set_expr() || view.kinds(key) == [Kind::Set];
            if is_set {
                let edits = vec![insertion(key.range().start(), "list("), insertion(key.end(), ")")];
                change.edit(place, key.range().start(), edits);
            }
        }
    });
}

/// Acts where an error misses the very key in the brackets of a blamed line. What that proves of a series holds for its other numbers in the
/// cell: each of them would fail the next execution.
fn series_position(view: &View<'_>, change: &mut Change<'_>) {
    let mut proven = BTreeSet::new();
    view.expressions(|place, expression, around| {
        let Expr::Subscript(subscript) = expression else { return };
        let is_read = subscript.ctx.is_load() || around.statement().is_aug_assign_stmt();
        if is_read && view.at_fault(place, expression.range()) && is_missed_position(view, place, subscript) {
            proven.insert((place, lambda(around), view.parsed(place).text(subscript.value.range())));
        }
    });
    view.expressions(|place, expression, around| {
        let Expr::Subscript(subscript) = expression else { return };
        let is_one = shape::integer(&subscript.slice).is_some() || is_missed_position(view, place, subscript);
        if is_one
            && proven.contains(&(place, lambda(around), view.parsed(place).text(subscript.value.range())))
            && On::Series.may_be(&series_kinds(view, &subscript.value))
        {
            change.edit(place, expression.range().start(), vec![insertion(subscript.value.end(), ".iloc")]);
        }
    });
}

/// Where the lambda around begins: its parameter is another one than that of the next.
fn lambda(around: &Surroundings<'_, '_>) -> Option<TextSize> {
    around.parents.iter().rev().find(|one| one.is_lambda_expr()).map(|one| one.start())
}

/// Whether an error that blames this place misses its key among the labels of a series.
fn is_missed_position(view: &View<'_>, place: Place, subscript: &ExprSubscript) -> bool {
    let source = &view.code.cells[place.0];
    let kinds = series_kinds(view, &subscript.value);
    if is_accessor(subscript) || !On::Series.may_be(&kinds) {
        return false;
    }
    let is_series = kinds == [Kind::Series];
    view.errors.iter().filter(|error| !is_of_numbers(&error.traceback)).any(|error| {
        misses(error, &subscript.slice, source.parsed.text(subscript.slice.range()), is_series)
            && Faults::of(&[error]).blame(source, subscript.range())
    })
}

/// What a receiver may be; dtypes come as a series.
fn series_kinds(view: &View<'_>, receiver: &Expr) -> KindSet {
    let kinds = view.kinds(receiver).into_iter();
    kinds.map(|kind| if kind == Kind::DataTypes { Kind::Series } else { kind }).collect()
}

/// Whether an error misses the key: for certain where its numbers are written, else where it can be meant for nothing but a series.
fn misses(error: &CellFeedback, key: &Expr, text: &str, is_series: bool) -> bool {
    let message = error.evalue.trim();
    let several = captures("None of [Index([*], dtype='int64')] are in the [index]", message);
    let number: Option<i64> = message.parse().ok();
    match key {
        Expr::List(_) => several.is_some_and(|found| format!("[{}]", found[0]) == text),
        Expr::Name(_) | Expr::BinOp(_) => is_series && (number.is_some() || several.is_some()),
        _ => number.is_some() && shape::integer(key) == number,
    }
}

/// `.loc`, `.iloc`, `.shape`, … are no series.
fn is_accessor(subscript: &ExprSubscript) -> bool {
    match subscript.value.as_ref() {
        Expr::Attribute(attribute) => {
            matches!(
                attribute.attr.as_str(),
                "loc" | "iloc" | "at" | "iat" | "ix" | "shape" | "values" | "index" | "columns"
            )
        }
        _ => false,
    }
}

fn missing_labels(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Expr::Attribute(attribute) = subscript.value.as_ref() else { return };
        if attribute.attr.as_str() != "loc" || !subscript.ctx.is_load() || !view.at_fault(place, expression.range()) {
            return;
        }
        let parsed = view.parsed(place);
        let frame = receiver_text(parsed, attribute);
        match subscript.slice.as_ref() {
            Expr::Tuple(tuple) if tuple.elts.len() == 2 && tuple.elts[0].is_list_expr() => {
                let (rows, columns) = (parsed.text_of(&tuple.elts[0]), parsed.text_of(&tuple.elts[1]));
                if shape::text(&tuple.elts[1]).is_some() || tuple.elts[1].is_list_expr() {
                    change.replace(place, expression.range(), format!("{frame}.reindex({rows})[{columns}]"));
                }
            }
            Expr::List(list) => {
                change.replace(place, expression.range(), format!("{frame}.reindex({})", parsed.text_of(list)));
            }
            _ => {}
        }
    });
}
