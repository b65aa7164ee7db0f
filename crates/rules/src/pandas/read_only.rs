//! Copy-on-write: arrays that share a frame's memory are read-only.

use nbrevive_pysource::ast::{Expr, ExprAttribute, ExprSubscript, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::Change;
use crate::kind::Kind;
use crate::pandas::copy_on_write::column;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::walk::Surroundings;

static READ_ONLY: &[Signature] = &[
    sig("ValueError", "assignment destination is read-only"),
    sig("ValueError", "array is read-only"),
    sig("ValueError", "Cannot modify read-only array"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-written-values",
        ("pandas", "3.0.0"),
        "what is written to .values does not reach the frame; .iloc, mask and new names do",
        Trigger::Error(READ_ONLY),
        Rewrite::Code(written_values),
        example(
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\ndf['b'].values[0] = 5\nc = df[['a', 'b']].corr()\nnp.fill_diagonal(c.values, 0)\ndf.columns.values[0] = 'z'\n",
            ("ValueError", "assignment destination is read-only"),
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\ndf.iloc[0, df.columns.get_loc('b')] = 5\nc = df[['a', 'b']].corr()\nc = c.mask(np.eye(*c.shape, dtype=bool), 0)\ndf.columns = df.columns.delete(0).insert(0, 'z')\n",
        ),
    ),
    Rule::new(
        "pandas-read-only-values",
        ("pandas", "3.0.0"),
        ".values is read-only; a copy can be written to",
        Trigger::Error(READ_ONLY),
        Rewrite::Code(read_only_values),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nv = df['b'].values\nv[0] = 7\n",
            ("ValueError", "assignment destination is read-only"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nv = df['b'].to_numpy(copy=True)\nv[0] = 7\n",
        ),
    ),
];

/// Statements of blamed lines that write to the values of a frame, a column or an index.
fn written_values(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let statement = around.statement();
        if !view.at_fault(place, expression.range()) {
            return;
        }
        match (expression, statement) {
            (Expr::Subscript(item), Stmt::Assign(assign)) if is(&assign.targets[0], expression) => {
                write_item(
                    view,
                    change,
                    place,
                    item,
                    Some((statement, view.parsed(place).text_of(assign.value.as_ref()))),
                );
            }
            (Expr::Subscript(item), Stmt::AugAssign(assign)) if is(&assign.target, expression) => {
                write_item(view, change, place, item, None);
            }
            (Expr::Call(_), Stmt::Expr(one)) if is(&one.value, expression) => {
                write_whole(view, change, place, expression);
            }
            _ => {}
        }
    });
}

fn is(one: &Expr, other: &Expr) -> bool {
    one.range() == other.range()
}

/// `….values`, and what it is of.
fn values(expression: &Expr) -> Option<&ExprAttribute> {
    expression.as_attribute_expr().filter(|attribute| attribute.attr.as_str() == "values")
}

/// `x.values[key] = value`; without the value the statement adds to what is there.
fn write_item(
    view: &View<'_>,
    change: &mut Change<'_>,
    place: Place,
    item: &ExprSubscript,
    assigned: Option<(&Stmt, &str)>,
) {
    let Some(attribute) = values(&item.value) else { return };
    let parsed = view.parsed(place);
    let (owner, key) = (receiver_text(parsed, attribute), parsed.text(item.slice.range()));
    if let Some(frame) = owner.strip_suffix(".columns") {
        let Some((statement, value)) = assigned else { return };
        // By position, since a name may stand there twice.
        let text = match (shape::integer(&item.slice), item.slice.as_ref()) {
            (Some(at), _) if at < 0 => {
                format!("{owner} = {owner}.delete({key}).insert(len({owner}) - {}, {value})", -at)
            }
            (Some(_), _) => format!("{owner} = {owner}.delete({key}).insert({key}, {value})"),
            (None, Expr::Slice(_) | Expr::List(_)) if !value.starts_with(['\'', '"']) => {
                format!("{frame}.rename(columns=dict(zip({owner}[{key}], {value})), inplace=True)")
            }
            _ => return,
        };
        change.replace(place, statement.range(), text);
    } else if let Some(column) = column(view, place, &attribute.value).filter(|_| !is_chosen(&attribute.value)) {
        let text = format!("{0}.iloc[{key}, {0}.columns.get_loc({1})]", column.frame, column.name);
        change.replace(place, item.range(), text);
    } else if matches!(view.kinds(&attribute.value)[..], [Kind::Frame | Kind::Series]) {
        change.replace(place, attribute.attr.range(), "iloc");
    }
}

/// `df.loc[rows]`, which is no column.
fn is_chosen(expression: &Expr) -> bool {
    matches!(expression, Expr::Subscript(item) if item.value.is_attribute_expr() && !item.slice.is_string_literal_expr())
}

/// `np.fill_diagonal(x.values, value)` and `np.random.shuffle(x.values)`.
fn write_whole(view: &View<'_>, change: &mut Change<'_>, place: Place, expression: &Expr) {
    let Expr::Call(call) = expression else { return };
    let parsed = view.parsed(place);
    let Some(attribute) = call.arguments.args.first().and_then(values) else { return };
    let owner = receiver_text(parsed, attribute);
    if !matches!(attribute.value.as_ref(), Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_)) {
        return;
    }
    // A column is given to the frame anew; a part of it would be written to a copy.
    let all = if attribute.value.is_name_expr() { "[:]" } else { "" };
    let text = match (view.qualified(&call.func).as_deref(), &call.arguments.args[1..]) {
        (Some("numpy.fill_diagonal"), [value]) => {
            let eye = change.spell(place, "numpy.eye");
            format!("{owner} = {owner}.mask({eye}(*{owner}.shape, dtype=bool), {})", parsed.text_of(value))
        }
        (Some("numpy.random.shuffle"), []) => {
            let permutation = change.spell(place, "numpy.random.permutation");
            format!("{owner}{all} = {permutation}({owner}.values)")
        }
        _ => return,
    };
    change.replace(place, expression.range(), text);
}

/// Arrays that are kept, or that a blamed line hands to a function, and may be written to later.
fn read_only_values(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let blamed = view.at_fault(place, expression.range());
        match expression {
            // Labels of rows that are shuffled.
            Expr::Attribute(attribute)
                if attribute.attr.as_str() == "values"
                    && view.kinds(&attribute.value) == [Kind::Index]
                    && shuffles(view, around) =>
            {
                change.replace(place, attribute.attr.range(), "to_numpy(copy=True)");
            }
            Expr::Attribute(attribute)
                if attribute.attr.as_str() == "values"
                    && is_of_pandas(view, &attribute.value)
                    && is_kept(expression, around, blamed) =>
            {
                change.replace(place, attribute.attr.range(), "to_numpy(copy=True)");
            }
            Expr::Call(call) if shape::keyword(call, "copy").is_none() => {
                let shares = match (shape::method(call), view.qualified(&call.func).as_deref()) {
                    (_, Some("numpy.asarray")) => {
                        call.arguments.args.first().is_some_and(|one| is_of_pandas(view, one))
                    }
                    (Some((attribute, "to_numpy")), _) => is_of_pandas(view, &attribute.value),
                    _ => false,
                };
                if !(shares && is_kept(expression, around, blamed)) {
                    return;
                }
                if shape::method(call).is_none_or(|(_, method)| method != "to_numpy") {
                    let array = change.spell(place, "numpy.array");
                    change.replace(place, call.func.range(), array);
                } else {
                    let mut edit = CallEdit::new(view.parsed(place), call);
                    edit.append("copy=True");
                    change.edit(place, call.range().start(), edit.finish());
                }
            }
            _ => {}
        }
    });
}

/// Whether a statement gives a name to what a blamed line shuffles.
fn shuffles(view: &View<'_>, around: &Surroundings<'_, '_>) -> bool {
    let Stmt::Assign(assign) = around.statement() else { return false };
    let Some(name) = assign.targets.first().and_then(shape::name).filter(|_| around.parent().is_none()) else {
        return false;
    };
    let mut found = false;
    view.calls(|place, call, _| {
        let is_shuffle = view.qualified(&call.func).is_some_and(|dotted| dotted.ends_with("random.shuffle"));
        let is_it = call.arguments.args.first().and_then(shape::name) == Some(name);
        found |= is_shuffle && is_it && view.at_fault(place, call.range());
    });
    found
}

fn is_of_pandas(view: &View<'_>, expression: &Expr) -> bool {
    view.kinds(expression).iter().any(|kind| matches!(kind, Kind::Frame | Kind::Series))
}

/// Methods of arrays that show the same memory in another form.
const FORMS: [&str; 6] = ["reshape", "ravel", "squeeze", "transpose", "view", "swapaxes"];

/// Whether an array, or a part or another form of it, is given a name, returned, or handed over by a blamed call.
fn is_kept(expression: &Expr, around: &Surroundings<'_, '_>, blamed: bool) -> bool {
    let mut inner = expression.range();
    for parent in around.parents.iter().rev() {
        let stays = match parent {
            Expr::Tuple(_) | Expr::List(_) => true,
            Expr::Subscript(item) => item.value.range() == inner && item.ctx.is_load(),
            Expr::Attribute(attribute) => attribute.attr.as_str() == "T" || FORMS.contains(&attribute.attr.as_str()),
            Expr::Call(call) if call.func.range() == inner => true,
            Expr::Call(_) => return blamed,
            _ => false,
        };
        if !stays {
            return false;
        }
        inner = parent.range();
    }
    match around.statement() {
        Stmt::Assign(assign) => assign.value.range() == inner,
        Stmt::Return(_) => true,
        _ => false,
    }
}
