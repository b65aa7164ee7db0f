//! `/` of whole numbers, which gave whole numbers.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, Operator, Stmt};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::{Change, insertion};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, View};
use crate::{shape, walk};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "python-whole-division",
    ("python", "3.0"),
    "/ of whole numbers gives a fraction; // gives the old result",
    Trigger::Error(&[
        sig("TypeError", "slice indices must be integers"),
        sig("TypeError", "list indices must be integers or slices, not float"),
        sig("TypeError", "'float' object cannot be interpreted as an integer"),
        sig("TypeError", "can't multiply sequence by non-int of type 'float'"),
        sig("TypeError", "tuple indices must be integers or slices, not float"),
    ]),
    Rewrite::Code(whole_numbers),
    example(
        "half = x[:len(x) / 2]\nfor i in range(10 / 3):\n    pass\n",
        ("TypeError", "slice indices must be integers or None or have an __index__ method"),
        "half = x[:len(x) // 2]\nfor i in range(10 // 3):\n    pass\n",
    ),
)];

/// Makes the divisions of blamed lines whole, and floats that index or count into whole numbers.
pub(crate) fn whole_numbers(view: &View<'_>, change: &mut Change<'_>) {
    let mut names = BTreeSet::new();
    view.expressions(|place, expression, around| {
        if let Some(name) = shape::name(expression)
            && is_index_or_count(expression, around.parents)
            && view.at_fault(place, expression.range())
        {
            names.insert(name.to_owned());
        }
        let blamed = view.at_fault(place, expression.range());
        match expression {
            Expr::BinOp(operation) if operation.op == Operator::Div => {
                let certain = matches!(around.parent(), Some(Expr::Slice(_)));
                if certain || blamed && is_index_or_count(expression, around.parents) {
                    halve(view, change, place, operation);
                }
            }
            Expr::NumberLiteral(number)
                if number.value.is_float() && blamed && is_direct_index_or_count(expression, around.parents) =>
            {
                let edits = vec![insertion(expression.range().start(), "int("), insertion(expression.end(), ")")];
                change.edit(place, expression.range().start(), edits);
            }
            _ => {}
        }
    });
    whole_variables(&names, view, change);
}

/// Makes variables whole that a blamed line indexes or counts with: `cut = len(x) * 2 / 3`.
fn whole_variables(names: &BTreeSet<String>, view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let named = assign.targets.first().and_then(shape::name).is_some_and(|name| names.contains(name));
            if !named {
                return;
            }
            match assign.value.as_ref() {
                Expr::BinOp(operation) if operation.op == Operator::Div && !mentions_float(&assign.value) => {
                    halve(view, change, place, operation);
                }
                Expr::BinOp(_) if mentions_float(&assign.value) => {
                    let range = assign.value.range();
                    let edits = vec![insertion(range.start(), "int("), insertion(range.end(), ")")];
                    change.edit(place, range.start(), edits);
                }
                _ => {}
            }
        });
    }
}

fn mentions_float(expression: &Expr) -> bool {
    match expression {
        Expr::BinOp(operation) => mentions_float(&operation.left) || mentions_float(&operation.right),
        other => holds_float(other),
    }
}

fn halve(view: &View<'_>, change: &mut Change<'_>, place: Place, operation: &nbrevive_pysource::ast::ExprBinOp) {
    let gap = TextRange::new(operation.left.end(), operation.right.range().start());
    let text = view.parsed(place).text(gap);
    if text.matches('/').count() == 1 {
        let float =
            operation.right.is_number_literal_expr() && holds_float(&operation.right) || holds_float(&operation.left);
        if !float {
            change.replace(place, gap, text.replacen('/', "//", 1));
        }
    }
}

fn holds_float(expression: &Expr) -> bool {
    matches!(expression, Expr::NumberLiteral(number) if number.value.is_float())
}

/// A division at the top of an expression.
pub(super) fn is_division(expression: &Expr) -> bool {
    matches!(expression, Expr::BinOp(operation) if operation.op == Operator::Div)
}

/// Keyword arguments that count something.
const COUNTS: [&str; 6] = ["bins", "num", "nrows", "ncols", "size", "gridsize"];

/// Inside of brackets, or of the arguments of `range`, `linspace`, `zeros`, …
fn is_index_or_count(expression: &Expr, parents: &[&Expr]) -> bool {
    parents.iter().rev().any(|parent| match parent {
        Expr::Subscript(subscript) => subscript.slice.range().contains_range(expression.range()),
        Expr::Slice(_) => true,
        // `[0] * (n / 2)`
        Expr::BinOp(product) if product.op == Operator::Mult => {
            [&product.left, &product.right].into_iter().any(|side| is_sequence(side))
        }
        Expr::Call(call) => {
            let counts = is_counting(&call.func) && call.arguments.range().contains_range(expression.range());
            let named = |name: &str| {
                shape::keyword(call, name).is_some_and(|one| one.value.range().contains_range(expression.range()))
            };
            counts || COUNTS.iter().any(|name| named(name))
        }
        _ => false,
    })
}

/// What `*` repeats.
fn is_sequence(expression: &Expr) -> bool {
    matches!(expression, Expr::List(_) | Expr::ListComp(_) | Expr::StringLiteral(_))
}

fn is_direct_index_or_count(expression: &Expr, parents: &[&Expr]) -> bool {
    match parents.last() {
        Some(Expr::Subscript(subscript)) => subscript.slice.range() == expression.range(),
        Some(Expr::Slice(_)) => true,
        Some(Expr::Call(call)) => {
            let is = |one: Option<&Expr>| one.is_some_and(|one| one.range() == expression.range());
            let arguments = &call.arguments.args;
            let counts = match function_name(&call.func) {
                "linspace" | "logspace" | "normal" | "uniform" | "randint" => is(arguments.get(2)),
                "repeat" | "tile" => is(arguments.get(1)),
                "zeros" | "ones" | "empty" => is(arguments.last()),
                "full" | "random" | "random_sample" | "standard_normal" => is(arguments.first()),
                "range" | "rand" | "randn" | "eye" | "identity" | "permutation" => {
                    arguments.iter().any(|one| is(Some(one)))
                }
                _ => false,
            };
            counts || COUNTS.iter().any(|name| is(shape::keyword(call, name).map(|keyword| &keyword.value)))
        }
        Some(Expr::Tuple(_)) => {
            matches!(parents.iter().rev().nth(1), Some(Expr::Call(call)) if matches!(function_name(&call.func), "zeros" | "ones" | "empty" | "reshape"))
        }
        _ => false,
    }
}

fn function_name(function: &Expr) -> &str {
    match function {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => "",
    }
}

fn is_counting(function: &Expr) -> bool {
    matches!(
        function_name(function),
        "range"
            | "linspace"
            | "logspace"
            | "zeros"
            | "ones"
            | "empty"
            | "reshape"
            | "subplot"
            | "subplots"
            | "islice"
            | "randint"
            | "repeat"
            | "rand"
            | "randn"
            | "random"
            | "random_sample"
            | "standard_normal"
            | "choice"
            | "permutation"
            | "eye"
            | "identity"
            | "full"
            | "tile"
            | "array_split"
            | "head"
            | "tail"
            | "sample"
    )
}
