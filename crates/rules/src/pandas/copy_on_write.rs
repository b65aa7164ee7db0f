//! Copy-on-write: a chosen column is a copy, so that what is done to it does not reach the frame. Nothing is raised.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::view::View;
use crate::walk::Surroundings;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-chained-inplace",
        ("pandas", "3.0.0"),
        "df['c'].fillna(…, inplace=True) works on a copy; the column is assigned",
        Trigger::Silent,
        Rewrite::Code(chained_inplace),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['n'].fillna(0, inplace=True)\ndf.c.replace('x', 'z', inplace=True)\ndf.fillna(1, inplace=True)\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['n'] = df['n'].fillna(0)\ndf['c'] = df.c.replace('x', 'z')\ndf.fillna(1, inplace=True)\n",
        ),
    ),
    Rule::new(
        "pandas-chained-assignment",
        ("pandas", "3.0.0"),
        "df['c'][rows] = v writes to a copy; df.loc[rows, 'c'] writes to the frame",
        Trigger::Silent,
        Rewrite::Code(chained_assignment),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['b'][df.a > 1] = 0\ndf.b[0] = 100\ndf['b'].loc[df.a > 1] = 0\ndf['b'].iloc[0] = 1\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.loc[df.a > 1, 'b'] = 0\ndf.loc[0, 'b'] = 100\ndf.loc[df.a > 1, 'b'] = 0\ndf.iloc[0, df.columns.get_loc('b')] = 1\n",
        ),
    ),
];

const IN_PLACE: [&str; 9] = ["fillna", "replace", "ffill", "bfill", "clip", "interpolate", "where", "mask", "pad"];

/// The owner of a chosen column, its text, and the text of the column's name.
pub(super) struct Column<'a> {
    pub(super) owner: &'a Expr,
    pub(super) frame: &'a str,
    pub(super) name: String,
}

/// `df['c']`, `df[c]`, `df.c`, `df.loc[:, 'c']`.
pub(super) fn column<'a>(view: &View<'a>, place: crate::view::Place, expression: &'a Expr) -> Option<Column<'a>> {
    let parsed = view.parsed(place);
    match expression {
        Expr::Subscript(subscript) => {
            let name = match subscript.slice.as_ref() {
                Expr::Tuple(_) | Expr::Slice(_) | Expr::List(_) | Expr::ListComp(_) | Expr::Compare(_) => return None,
                key => parsed.text(key.range()).to_owned(),
            };
            let many = view
                .kinds(&subscript.slice)
                .iter()
                .any(|kind| matches!(kind, Kind::List(_) | Kind::Index | Kind::Series));
            if many {
                return None;
            }
            Some(Column { owner: &subscript.value, frame: frame_text(parsed, subscript)?, name })
        }
        Expr::Attribute(attribute) if view.kinds(&attribute.value) == [Kind::Frame] => {
            let name = attribute.attr.as_str();
            if view.kinds(expression) != [Kind::Series] {
                return None;
            }
            Some(Column { owner: &attribute.value, frame: receiver_text(parsed, attribute), name: format!("'{name}'") })
        }
        _ => None,
    }
}

/// The text before the brackets, parentheses included.
fn frame_text<'a>(
    parsed: &'a nbrevive_pysource::parse::Parsed,
    subscript: &nbrevive_pysource::ast::ExprSubscript,
) -> Option<&'a str> {
    let (start, key) = (subscript.range().start().to_usize(), subscript.slice.range().start().to_usize());
    let before = parsed.source().get(start..key)?.trim_end().trim_end_matches('(').trim_end();
    before.strip_suffix('[').map(str::trim_end)
}

fn chained_inplace(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, name)) = shape::method(call) else { return };
        let statement = matches!(around.statement(), Stmt::Expr(one) if one.value.range() == call.range());
        if !statement || !IN_PLACE.contains(&name) {
            return;
        }
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(number) = edit.find("inplace").filter(|number| shape::boolean(edit.value(*number)) == Some(true))
        else {
            return;
        };
        edit.remove(number);
        let target = match loc_column(view, &attribute.value) {
            Some(()) => receiver_text(parsed, attribute).to_owned(),
            None => {
                let Some(column) = column(view, place, &attribute.value) else { return };
                format!("{}[{}]", column.frame, column.name)
            }
        };
        let mut edits = edit.finish();
        edits.push(insertion(call.range().start(), format!("{target} = ")));
        change.edit(place, call.range().start(), edits);
    });
}

/// `df.loc[:, 'c']`.
fn loc_column(view: &View<'_>, expression: &Expr) -> Option<()> {
    let Expr::Subscript(subscript) = expression else { return None };
    let Expr::Tuple(tuple) = subscript.slice.as_ref() else { return None };
    let Expr::Attribute(attribute) = subscript.value.as_ref() else { return None };
    let everything =
        matches!(tuple.elts.first()?, Expr::Slice(slice) if slice.lower.is_none() && slice.upper.is_none());
    let one = shape::text(tuple.elts.get(1)?).is_some() || view.kinds(tuple.elts.get(1)?) == [Kind::Text];
    (attribute.attr.as_str() == "loc" && everything && one).then_some(())
}

fn chained_assignment(view: &View<'_>, change: &mut Change<'_>) {
    let has_labels = has_labels(view);
    view.expressions(|place, expression, around| {
        let Expr::Subscript(subscript) = expression else { return };
        if !subscript.ctx.is_store() || !is_target(expression, around.statement()) {
            return;
        }
        let (inner, accessor) = match subscript.value.as_ref() {
            Expr::Attribute(attribute) if matches!(attribute.attr.as_str(), "loc" | "iloc" | "at" | "iat") => {
                (attribute.value.as_ref(), attribute.attr.as_str())
            }
            other => (other, ""),
        };
        let Some(column) = column(view, place, inner) else { return };
        // What is asked for a column by name is no array, though its name may hold one later.
        let is_named = matches!(inner, Expr::Subscript(one) if shape::text(&one.slice).is_some());
        let kinds = view.kinds(column.owner);
        let is_frame = |kind: &Kind| *kind == Kind::Frame || is_named && *kind == Kind::Array;
        if !kinds.contains(&Kind::Frame) || !kinds.iter().all(is_frame) || subscript.slice.is_tuple_expr() {
            return;
        }
        let rows = view.parsed(place).text(subscript.slice.range());
        let (frame, name) = (column.frame, &column.name);
        let text = match accessor {
            "iloc" | "iat" => format!("{frame}.iloc[{rows}, {frame}.columns.get_loc({name})]"),
            // Whole numbers between brackets alone are positions in a slice.
            "" if is_whole_number_slice(&subscript.slice) => {
                format!("{frame}.loc[{frame}.index[{rows}], {name}]")
            }
            // A whole number that is no label was a position; to `loc` it is the label of a new row.
            "" if has_labels && is_number_of_row(&subscript.slice, around) => {
                format!("{frame}.loc[{rows} if {rows} in {frame}.index else {frame}.index[{rows}], {name}]")
            }
            _ => format!("{frame}.loc[{rows}, {name}]"),
        };
        change.replace(place, expression.range(), text);
    });
}

fn is_target(expression: &Expr, statement: &Stmt) -> bool {
    match statement {
        Stmt::Assign(assign) => assign.targets.iter().any(|target| target.range() == expression.range()),
        Stmt::AugAssign(assign) => assign.target.range() == expression.range(),
        _ => false,
    }
}

/// Whether the notebook gives frames labels for their rows.
fn has_labels(view: &View<'_>) -> bool {
    let mut found = false;
    view.calls(|_, call, _| {
        found |= shape::method(call)
            .is_some_and(|(_, name)| matches!(name, "set_index" | "resample" | "pivot" | "pivot_table"))
            || ["index_col", "index"].iter().any(|name| shape::keyword(call, name).is_some());
    });
    view.expressions(|_, expression, _| {
        found |= matches!(expression, Expr::Attribute(one) if one.attr.as_str() == "index" && one.ctx.is_store());
    });
    found
}

/// A number, or the variable of a loop over numbers.
fn is_number_of_row(key: &Expr, around: &Surroundings<'_, '_>) -> bool {
    let Some(name) = shape::name(key) else { return shape::integer(key).is_some() };
    around.statements.iter().any(|statement| {
        matches!(statement, Stmt::For(block) if shape::name(&block.target) == Some(name)
            && matches!(block.iter.as_ref(), Expr::Call(call) if shape::name(&call.func) == Some("range")))
    })
}

fn is_whole_number_slice(key: &Expr) -> bool {
    matches!(key, Expr::Slice(slice)
        if [&slice.lower, &slice.upper].into_iter().flatten().any(|bound| shape::integer(bound).is_some()))
}
