//! Writing values of another type into a column, which raises since pandas 3: the column is cast before.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::receiver_text;
use crate::change::{Change, insertion};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::{Place, View};
use crate::walk;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-assign-other-type",
        ("pandas", "3.0.0"),
        "a value of another type is refused by a column; the column is cast first",
        Trigger::Error(&[sig("TypeError", "Invalid value '*' for dtype")]),
        Rewrite::Code(assign_other_type),
        example(
            "df.loc[df.c == 'x', 'c'] = 0\ndf.loc[df.c == 'y', 'c'] = 1\n",
            (
                "TypeError",
                "Invalid value '0' for dtype 'str'. Value should be a string or missing value, got 'int' instead.",
            ),
            "df['c'] = df['c'].astype(object)\ndf.loc[df.c == 'x', 'c'] = 0\ndf.loc[df.c == 'y', 'c'] = 1\n",
        ),
    ),
    Rule::new(
        "pandas-assign-other-type-series",
        ("pandas", "3.0.0"),
        "a value of another type is refused by a series; the series is cast first",
        Trigger::Error(&[sig("TypeError", "Invalid value '*' for dtype")]),
        Rewrite::Code(assign_to_series),
        example(
            "s[0] = 'a'\n",
            ("TypeError", "Invalid value 'a' for dtype 'int64'"),
            "s = s.astype(object)\ns[0] = 'a'\n",
        ),
    ),
    Rule::new(
        "pandas-assign-one-value",
        ("pandas", "0.24.0"),
        "an array of one value fits no other number of rows; its value fits any",
        Trigger::Error(&[
            sig("ValueError", "Must have equal len keys and value when setting with an iterable"),
            sig("ValueError", "cannot set using a list-like indexer with a different length than the value"),
            sig("ValueError", "Length of values (1) does not match"),
        ]),
        Rewrite::Code(one_value),
        example(
            "df.loc[df.c.isnull(), 'c'] = df.c.dropna().mode().values\n",
            ("ValueError", "Must have equal len keys and value when setting with an iterable"),
            "df.loc[df.c.isnull(), 'c'] = df.c.dropna().mode().values[0]\n",
        ),
    ),
];

/// `….mode().values` of a blamed line, which has one value in most columns.
fn one_value(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Attribute(attribute) = expression else { return };
        let Expr::Call(call) = attribute.value.as_ref() else { return };
        let is_mode = shape::method(call).is_some_and(|(_, name)| name == "mode");
        let is_value = matches!(around.statement(), Stmt::Assign(assign) if assign.value.range() == expression.range());
        if attribute.attr.as_str() == "values" && is_mode && is_value && view.at_fault(place, expression.range()) {
            change.edit(place, expression.start(), vec![insertion(expression.end(), "[0]")]);
        }
    });
}

/// The dtype that can hold what was refused, by the error of the blamed line.
fn wide_dtype(view: &View<'_>) -> &'static str {
    let refused = view.errors.iter().find_map(|error| {
        let found = captures("Invalid value '*' for dtype '*'", &error.evalue)?;
        Some((found.first()?.to_string(), found.get(1)?.to_string()))
    });
    match refused {
        Some((value, dtype)) if dtype.starts_with("int") && value.parse::<f64>().is_ok() => "float",
        Some((value, dtype)) if dtype == "bool" && value.parse::<i64>().is_ok() => "int",
        Some((value, dtype)) if dtype.starts_with("float32") && value.parse::<f64>().is_ok() => "float",
        _ => "object",
    }
}

/// Frame and column of `df.loc[rows, 'c']`, `df.at[row, 'c']`.
fn cell_of<'a>(view: &View<'a>, place: Place, target: &'a Expr) -> Option<(&'a str, &'a str)> {
    let Expr::Subscript(subscript) = target else { return None };
    let Expr::Attribute(attribute) = subscript.value.as_ref() else { return None };
    let Expr::Tuple(tuple) = subscript.slice.as_ref() else { return None };
    let [_, chosen] = &tuple.elts[..] else { return None };
    let column = match (attribute.attr.as_str(), chosen) {
        ("loc" | "at", column) => column,
        // As the rule of chained assignments writes it.
        ("iloc" | "iat", Expr::Call(call)) if matches!(shape::method(call), Some((_, "get_loc"))) => {
            call.arguments.args.first()?
        }
        _ => return None,
    };
    if !matches!(column, Expr::StringLiteral(_) | Expr::Name(_)) {
        return None;
    }
    let parsed = view.parsed(place);
    Some((receiver_text(parsed, attribute), parsed.text(column.range())))
}

fn assign_other_type(view: &View<'_>, change: &mut Change<'_>) {
    let dtype = wide_dtype(view);
    let mut done: BTreeSet<(Place, String)> = BTreeSet::new();
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let target = match statement {
                Stmt::Assign(assign) => assign.targets.first(),
                Stmt::AugAssign(assign) => Some(assign.target.as_ref()),
                _ => None,
            };
            let Some((frame, column)) = target.and_then(|target| cell_of(view, place, target)) else { return };
            let cast = format!("{frame}[{column}] = {frame}[{column}].astype({dtype})");
            let blamed = view.at_fault(place, statement.range());
            let written = source.parsed.source().contains(&cast);
            if blamed && !written && done.insert((place, cast.clone())) {
                let first = first_write(view, place, frame, column).unwrap_or(statement);
                change.line_before(place, first, &cast);
            }
        });
    }
}

/// The first statement of the cell's top level that writes to this column, so that the cast comes before them all.
fn first_write<'a>(view: &View<'a>, place: Place, frame: &str, column: &str) -> Option<&'a Stmt> {
    view.parsed(place).body().iter().find(|statement| match statement {
        Stmt::Assign(assign) => {
            assign.targets.first().and_then(|target| cell_of(view, place, target)) == Some((frame, column))
        }
        _ => false,
    })
}

fn assign_to_series(view: &View<'_>, change: &mut Change<'_>) {
    let dtype = wide_dtype(view);
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let Some(Expr::Subscript(subscript)) = assign.targets.first() else { return };
            let Some(series) = shape::name(&subscript.value) else { return };
            let cast = format!("{series} = {series}.astype({dtype})");
            let frame = view.kinds(&subscript.value).contains(&crate::kind::Kind::Frame);
            if view.at_fault(place, statement.range()) && !frame && !source.parsed.source().contains(&cast) {
                change.line_before(place, statement, &cast);
            }
        });
    }
}
