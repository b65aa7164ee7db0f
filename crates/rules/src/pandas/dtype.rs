//! Text columns are of dtype `str`, not `object`, since pandas 3: comparisons that look for text find nothing.

use nbrevive_pysource::ast::{CmpOp, Expr};
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-text-dtype",
        ("pandas", "3.0.0"),
        "text columns have dtype str, so that a comparison with object finds none",
        Trigger::Silent,
        Rewrite::Code(text_dtype),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nfor c in df.columns:\n    if df[c].dtype == 'object':\n        pass\nnumbers = df.columns[df.dtypes != object]\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nfor c in df.columns:\n    if df[c].dtype in ('object', 'str'):\n        pass\nnumbers = df.columns[((df.dtypes != object) & (df.dtypes != 'str'))]\n",
        ),
    ),
    Rule::new(
        "pandas-text-dtype-lists",
        ("pandas", "3.0.0"),
        "text columns have dtype str, so that a list of dtypes with object lacks them",
        Trigger::Silent,
        Rewrite::Code(text_dtype_lists),
        example(
            "t = [c for c in df.columns if df[c].dtype in ['object', 'category']]\n",
            ("", ""),
            "t = [c for c in df.columns if df[c].dtype in ['object', 'str', 'category']]\n",
        ),
    ),
    Rule::new(
        "pandas-interpolate-text",
        ("pandas", "3.0.0"),
        "interpolate refuses frames with text columns, which it let pass",
        Trigger::Error(&[
            sig("TypeError", "Cannot interpolate with str dtype"),
            sig("TypeError", "cannot interpolate with object dtype"),
            sig("NotImplementedError", "does not implement interpolate"),
        ]),
        Rewrite::Code(interpolate_text),
        example(
            "new = df.interpolate(method='time')\n",
            ("TypeError", "Cannot interpolate with str dtype"),
            "new = df.select_dtypes('number').interpolate(method='time').join(df.select_dtypes(exclude='number'))[df.columns]\n",
        ),
    ),
];

fn interpolate_text(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "interpolate")) = shape::method(call) else { return };
        let is_chosen = matches!(attribute.value.as_ref(), Expr::Call(inner)
            if shape::method(inner).is_some_and(|(_, name)| name == "select_dtypes"));
        if is_chosen || shape::keyword(call, "inplace").is_some() || !view.at_fault(place, call.range()) {
            return;
        }
        // The frame is named three times.
        let named = shape::dotted(&attribute.value).is_some();
        let frame = if named { view.parsed(place).text(attribute.value.range()) } else { "table" };
        let (open, close) = if named { ("", "") } else { (".pipe(lambda table: table", ")") };
        let edits = vec![
            insertion(attribute.value.end(), format!("{open}.select_dtypes('number')")),
            insertion(call.end(), format!(".join({frame}.select_dtypes(exclude='number'))[{frame}.columns]{close}")),
        ];
        change.edit(place, call.range().start(), edits);
    });
}

/// `object`, `'object'`, `'O'`, `np.object_`, `np.dtype('O')`.
fn is_object(view: &View<'_>, expression: &Expr) -> bool {
    match expression {
        Expr::StringLiteral(_) => matches!(shape::text(expression), Some("object" | "O" | "|O")),
        Expr::Name(name) => name.id.as_str() == "object",
        Expr::Attribute(_) => view
            .qualified(expression)
            .is_some_and(|name| matches!(&name[..], "numpy.object" | "numpy.object_" | "numpy.dtype.object")),
        Expr::Call(call) => {
            view.qualified(&call.func).is_some_and(|name| name == "numpy.dtype")
                && call.arguments.args.first().is_some_and(|argument| is_object(view, argument))
        }
        _ => false,
    }
}

/// What is compared: one dtype (also its name), or a column of them.
fn dtype_kind(view: &View<'_>, expression: &Expr) -> Option<Kind> {
    // An array that was asked for has the dtype that was asked for.
    if let Expr::Attribute(attribute) = expression
        && let Expr::Call(call) = attribute.value.as_ref()
        && matches!(shape::method(call), Some((_, "to_numpy")))
    {
        return None;
    }
    let found = view.kinds(expression);
    if found == [Kind::DataType] || found == [Kind::DataTypes] {
        return found.into_iter().next();
    }
    match expression {
        Expr::Attribute(attribute) if attribute.attr.as_str() == "dtype" => Some(Kind::DataType),
        Expr::Attribute(attribute) if attribute.attr.as_str() == "name" => {
            dtype_kind(view, &attribute.value).filter(|kind| *kind == Kind::DataType)
        }
        Expr::Call(call) if shape::name(&call.func) == Some("str") && call.arguments.len() == 1 => call
            .arguments
            .args
            .first()
            .and_then(|argument| dtype_kind(view, argument))
            .filter(|kind| *kind == Kind::DataType),
        _ => None,
    }
}

fn text_dtype(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Compare(compare) = expression else { return };
        let ([op], [right]) = (&compare.ops[..], &compare.comparators[..]) else { return };
        if !matches!(op, CmpOp::Eq | CmpOp::NotEq | CmpOp::Is | CmpOp::IsNot) {
            return;
        }
        let equal = matches!(op, CmpOp::Eq | CmpOp::Is);
        let (dtype, object) =
            if is_object(view, right) { (compare.left.as_ref(), right) } else { (right, compare.left.as_ref()) };
        if !is_object(view, object) || is_second_half(expression, around.parent()) {
            return;
        }
        let parsed = view.parsed(place);
        let (dtype_text, object_text) = (parsed.text(dtype.range()), parsed.text(object.range()));
        match dtype_kind(view, dtype) {
            Some(Kind::DataType) => {
                let membership = if equal { "in" } else { "not in" };
                change.replace(place, expression.range(), format!("{dtype_text} {membership} ({object_text}, 'str')"));
            }
            Some(Kind::DataTypes) => {
                let (op, join) = if equal { ("==", "|") } else { ("!=", "&") };
                let text = format!("(({dtype_text} {op} {object_text}) {join} ({dtype_text} {op} 'str'))");
                change.replace(place, expression.range(), text);
            }
            _ => {}
        }
    });
}

/// True inside of what this rule wrote before.
fn is_second_half(expression: &Expr, parent: Option<&Expr>) -> bool {
    let Some(Expr::BinOp(operation)) = parent else { return false };
    let other = if operation.left.range() == expression.range() { &operation.right } else { &operation.left };
    match other.as_ref() {
        Expr::Compare(compare) => compare.comparators.iter().any(|one| shape::text(one) == Some("str")),
        _ => false,
    }
}

fn text_dtype_lists(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Compare(compare) = expression else { return };
        let ([CmpOp::In | CmpOp::NotIn], [right]) = (&compare.ops[..], &compare.comparators[..]) else { return };
        if dtype_kind(view, &compare.left) != Some(Kind::DataType) {
            return;
        }
        let elements = shape::elements(right).unwrap_or_default();
        let text = elements.iter().any(|element| matches!(shape::text(element), Some("str" | "string")));
        if let Some(object) = elements.iter().find(|element| is_object(view, element)).filter(|_| !text) {
            change.edit(place, object.range().start(), vec![insertion(object.end(), ", 'str'")]);
        }
    });
    objects_alone(view, change);
}

/// `dtype in 'object'`: a test for a part of the name.
fn objects_alone(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Compare(compare) = expression else { return };
        let ([CmpOp::In], [right]) = (&compare.ops[..], &compare.comparators[..]) else { return };
        if dtype_kind(view, &compare.left) == Some(Kind::DataType) && shape::text(right) == Some("object") {
            change.edit(place, right.range().start(), vec![replacement(right.range(), "('object', 'str')")]);
        }
    });
}
