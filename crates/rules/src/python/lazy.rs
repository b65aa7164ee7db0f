//! `map`, `filter`, `zip` and the views of dicts, which were lists.

use nbrevive_pysource::ast::{Expr, Operator, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::View;

static LAZY: &[Signature] = &[
    sig("TypeError", "'map' object"),
    sig("TypeError", "'filter' object"),
    sig("TypeError", "'zip' object"),
    sig("TypeError", "'range' object"),
    sig("TypeError", "object of type 'map' has no len()"),
    sig("TypeError", "object of type 'filter' has no len()"),
    sig("TypeError", "object of type 'zip' has no len()"),
    sig("TypeError", "'dict_keys' object"),
    sig("TypeError", "'dict_values' object"),
    sig("TypeError", "'dict_items' object"),
    sig("TypeError", "'dict_keys' and"),
    sig("TypeError", "'dict_items' and"),
    sig("TypeError", "'dict_values' and"),
    sig("AttributeError", "'zip' object has no attribute"),
    sig("AttributeError", "'map' object has no attribute"),
    sig("AttributeError", "'filter' object has no attribute"),
    sig("AttributeError", "'range' object has no attribute"),
    sig("AttributeError", "'dict_keys' object has no attribute"),
    sig("AttributeError", "'dict_values' object has no attribute"),
    sig("AttributeError", "'dict_items' object has no attribute"),
    sig("RuntimeError", "dictionary changed size during iteration"),
    sig("TypeError", "arrays to stack must be passed as a"),
    sig("TypeError", "The first input argument needs to be a sequence"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-lazy-results",
        ("python", "3.0"),
        "map, filter, zip, range and the views of dicts are no lists",
        Trigger::Error(LAZY),
        Rewrite::Code(lazy),
        example(
            "a = map(int, x)[0]\nb = len(filter(None, y))\nz = zip(p, q)\nz.sort()\nk = d.keys()[0]\nm = dict(d.items() + e.items())\nfor i in zip(p, q):\n    pass\n",
            ("TypeError", "'map' object is not subscriptable"),
            "a = list(map(int, x))[0]\nb = len(list(filter(None, y)))\nz = list(zip(p, q))\nz.sort()\nk = list(d.keys())[0]\nm = dict(list(d.items()) + list(e.items()))\nfor i in zip(p, q):\n    pass\n",
        ),
    ),
    Rule::new(
        "python-arrays-of-lazy-results",
        ("python", "3.0"),
        "an array of map, filter or zip holds that object alone; one of its list holds the elements",
        Trigger::Silent,
        Rewrite::Code(in_arrays),
        example(
            "import numpy as np\na = np.array(map(float, x))\nb = np.asarray(zip(p, q), dtype=int)\nc = np.array(list(map(float, x)))\n",
            ("", ""),
            "import numpy as np\na = np.array(list(map(float, x)))\nb = np.asarray(list(zip(p, q)), dtype=int)\nc = np.array(list(map(float, x)))\n",
        ),
    ),
    Rule::new(
        "python-map-for-effect",
        ("python", "3.0"),
        "map alone does nothing; a loop does",
        Trigger::Silent,
        Rewrite::Code(for_effect),
        example("map(out.append, [1, 2])\n", ("", ""), "list(map(out.append, [1, 2]))\n"),
    ),
];

fn lazy(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let lazy_function = shape::name(&call.func)
            .is_some_and(|name| matches!(name, "map" | "filter" | "zip" | "range"))
            && view.qualified(&call.func).is_none();
        if !lazy_function && !is_view_of_dict(view, call) {
            return;
        }
        if needs_list(view, place, call, around) {
            let edits = vec![insertion(call.range().start(), "list("), insertion(call.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

/// `d.keys()`, `d.values()` or `d.items()`, where `d` is none of pandas.
pub(super) fn is_view_of_dict(view: &View<'_>, call: &nbrevive_pysource::ast::ExprCall) -> bool {
    shape::method(call).is_some_and(|(attribute, name)| {
        matches!(name, "keys" | "values" | "items") && call.arguments.is_empty() && !is_pandas(view, &attribute.value)
    })
}

fn is_pandas(view: &View<'_>, expression: &Expr) -> bool {
    view.kinds(expression).iter().any(|kind| matches!(kind, Kind::Frame | Kind::Series))
}

/// A lazy result needs to be a list where it is indexed, measured, joined, assigned to a name that is used so, or
/// iterated over while the dict changes.
pub(super) fn needs_list(
    view: &View<'_>,
    place: crate::view::Place,
    call: &nbrevive_pysource::ast::ExprCall,
    around: &crate::walk::Surroundings<'_, '_>,
) -> bool {
    let is_call = |expression: &Expr| expression.range() == call.range();
    match around.parent() {
        Some(Expr::Subscript(subscript)) => is_call(&subscript.value),
        Some(Expr::BinOp(operation)) => operation.op == Operator::Add,
        Some(Expr::Attribute(_)) => true,
        Some(Expr::Call(outer)) => {
            let function = shape::dotted(&outer.func).unwrap_or_default();
            let measured = function == ["len"];
            let of_library = view
                .qualified(&outer.func)
                .is_some_and(|name| name.starts_with("numpy.") || name.starts_with("pandas."));
            measured || of_library && view.at_fault(place, outer.range())
        }
        Some(_) => false,
        None => match around.statement() {
            Stmt::Assign(assign) => {
                // A column, or a name that is used as a list.
                is_call(&assign.value)
                    && assign.targets.first().is_some_and(|target| match shape::name(target) {
                        Some(name) => is_used_as_list(view, name),
                        None => target.is_subscript_expr() && view.at_fault(place, call.range()),
                    })
            }
            Stmt::For(block) => is_call(&block.iter) && view.errors.iter().any(|error| error.ename == "RuntimeError"),
            Stmt::Return(_) => view.at_fault(place, call.range()),
            _ => false,
        },
    }
}

/// Whether a name is indexed, measured, sorted or appended to anywhere, or iterated over more than once.
fn is_used_as_list(view: &View<'_>, name: &str) -> bool {
    let mut used = false;
    let mut iterated = 0;
    view.expressions(|_, expression, around| {
        if shape::name(expression) != Some(name) {
            return;
        }
        used |= match around.parent() {
            Some(Expr::Subscript(subscript)) => shape::name(&subscript.value) == Some(name),
            Some(Expr::Attribute(attribute)) => {
                matches!(
                    attribute.attr.as_str(),
                    "sort" | "append" | "index" | "count" | "pop" | "remove" | "extend" | "reverse"
                )
            }
            Some(Expr::Call(call)) => {
                let shuffles = || shape::method(call).is_some_and(|(_, name)| name == "shuffle");
                shape::name(&call.func) == Some("len") || shuffles()
            }
            Some(Expr::BinOp(operation)) => operation.op == Operator::Add,
            _ => false,
        };
        iterated += usize::from(matches!(around.statement(), Stmt::For(_)) && around.parent().is_none());
    });
    used || iterated > 1
}

/// Functions of numpy that take the elements of their first argument.
const OF_ELEMENTS: [&str; 9] = ["array", "asarray", "mean", "median", "std", "var", "sum", "max", "min"];

fn in_arrays(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let array = view
            .qualified(&call.func)
            .is_some_and(|dotted| dotted.strip_prefix("numpy.").is_some_and(|name| OF_ELEMENTS.contains(&name)));
        let Some(Expr::Call(inner)) = call.arguments.args.first().filter(|_| array) else { return };
        let lazy = shape::name(&inner.func).is_some_and(|name| matches!(name, "map" | "filter" | "zip"));
        if lazy && view.qualified(&inner.func).is_none() {
            let edits = vec![insertion(inner.range().start(), "list("), insertion(inner.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

fn for_effect(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let alone = matches!(around.statement(), Stmt::Expr(one) if one.value.range() == call.range());
        let map = shape::name(&call.func) == Some("map") && view.qualified(&call.func).is_none();
        if alone && map && CallEdit::new(view.parsed(place), call).positional().len() > 1 {
            let last = is_last(view, place, call);
            if !last || view.parsed(place).body().len() == 1 {
                let edits = vec![insertion(call.range().start(), "list("), insertion(call.end(), ")")];
                change.edit(place, call.range().start(), edits);
            }
        }
    });
}

/// The last expression of a cell may only be shown.
fn is_last(view: &View<'_>, place: crate::view::Place, call: &nbrevive_pysource::ast::ExprCall) -> bool {
    view.parsed(place).body().last().is_some_and(|last| last.range() == call.range())
}
