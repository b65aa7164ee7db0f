//! Numbers that numpy took for whole ones where something is indexed, and vectors of two numbers.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "numpy-truth-as-index",
        ("numpy", "2.3"),
        "a truth value of numpy is no index of a list or tuple",
        Trigger::Error(&[
            sig("TypeError", "list indices must be integers or slices, not numpy.bool"),
            sig("TypeError", "tuple indices must be integers or slices, not numpy.bool"),
        ]),
        Rewrite::Code(truth_as_index),
        example(
            "x = np.float64(0.7)\nr = ['low', 'high'][x > 0.5]\n",
            ("TypeError", "list indices must be integers or slices, not numpy.bool"),
            "x = np.float64(0.7)\nr = ['low', 'high'][int(x > 0.5)]\n",
        ),
    ),
    Rule::new(
        "numpy-float-positions",
        ("numpy", "1.19"),
        "positions to delete or to insert at are whole numbers; floats, as an empty array has them, were taken for such",
        Trigger::Error(&[
            sig("IndexError", "arrays used as indices must be of integer (or boolean) type"),
            sig("TypeError", "only integer scalar arrays can be converted to a scalar index"),
        ]),
        Rewrite::Code(float_positions),
        example(
            "import numpy as np\na = np.arange(5)\ngone = np.append(np.array([]), np.where(a > 2)[0])\nr = np.delete(a, gone).tolist()\n",
            ("IndexError", "arrays used as indices must be of integer (or boolean) type"),
            "import numpy as np\na = np.arange(5)\ngone = np.append(np.array([]), np.where(a > 2)[0])\nr = np.delete(a, np.asarray(gone).astype(int)).tolist()\n",
        ),
    ),
    Rule::new(
        "numpy-list-of-slices",
        ("numpy", "1.23"),
        "a list of slices or positions is no index of several dimensions; a tuple is",
        Trigger::Error(&[sig("IndexError", "only integers, slices (`:`), ellipsis (`...`)")]),
        Rewrite::Code(list_of_slices),
        example(
            "import numpy as np\na = np.arange(9).reshape(3, 3)\npart = [slice(None)] * 2\npart[0] = slice(0, 1)\nr = a[part].tolist()\n",
            ("IndexError", "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer"),
            "import numpy as np\na = np.arange(9).reshape(3, 3)\npart = [slice(None)] * 2\npart[0] = slice(0, 1)\nr = a[tuple(part)].tolist()\n",
        ),
    ),
    Rule::new(
        "numpy-cross-of-two",
        ("numpy", "2.5"),
        "the cross product is one of three numbers; of two it was the third of the product",
        Trigger::Error(&[sig(
            "ValueError",
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are 2 and 2 dimensional instead",
        )]),
        Rewrite::Code(cross_of_two),
        example(
            "import numpy as np\na = np.cross(p - q, s - q)\n",
            (
                "ValueError",
                "Both input arrays must be (arrays of) 3-dimensional vectors, but they are 2 and 2 dimensional instead.",
            ),
            "import numpy as np\na = (lambda a, b: a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])(np.asarray(p - q), np.asarray(s - q))\n",
        ),
    ),
];

fn truth_as_index(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(item) = expression else { return };
        let is_truth = match item.slice.as_ref() {
            Expr::Compare(_) | Expr::Name(_) | Expr::BoolOp(_) => true,
            Expr::Call(call) => shape::name(&call.func) != Some("int"),
            _ => false,
        };
        if is_truth && view.at_fault(place, expression.range()) {
            let range = item.slice.range();
            change.edit(place, range.start(), vec![insertion(range.start(), "int("), insertion(range.end(), ")")]);
        }
    });
}

/// Lists that hold a slice, and names of lists.
fn list_of_slices(view: &View<'_>, change: &mut Change<'_>) {
    let is_slice = |one: &Expr| matches!(one, Expr::Call(call) if shape::name(&call.func) == Some("slice"));
    view.expressions(|place, expression, _| {
        let Expr::Subscript(item) = expression else { return };
        let is_list = match item.slice.as_ref() {
            Expr::List(list) => list.elts.iter().any(is_slice),
            key => key.is_name_expr() && matches!(view.kinds(key)[..], [Kind::List(_)]),
        };
        if is_list && view.at_fault(place, expression.range()) {
            let range = item.slice.range();
            change.edit(place, range.start(), vec![insertion(range.start(), "tuple("), insertion(range.end(), ")")]);
        }
    });
}

fn float_positions(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some("numpy.delete" | "numpy.insert") = view.qualified(&call.func).as_deref() else { return };
        let Some(positions) = call.arguments.args.get(1).filter(|one| shape::name(one).is_some()) else { return };
        if view.at_fault(place, call.range()) {
            let array = change.spell(place, "numpy.asarray");
            let text = view.parsed(place).text(positions.range());
            change.replace(place, positions.range(), format!("{array}({text}).astype(int)"));
        }
    });
}

/// Calls that the error blames, of two arguments alone: axes are told where there are three numbers.
fn cross_of_two(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_cross = view.qualified(&call.func).as_deref() == Some("numpy.cross");
        let [first, second] = &call.arguments.args[..] else { return };
        if !is_cross || !call.arguments.keywords.is_empty() || !view.at_fault(place, call.range()) {
            return;
        }
        let array = change.spell(place, "numpy.asarray");
        let (first, second) = (view.parsed(place).text(first.range()), view.parsed(place).text(second.range()));
        let product = "(lambda a, b: a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])";
        change.replace(place, call.range(), format!("{product}({array}({first}), {array}({second}))"));
    });
}
