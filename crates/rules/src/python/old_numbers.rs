//! Numbers of Python 2: divisions that gave whole numbers, and roundings that gave fractions.

use nbrevive_pysource::ast::{Expr, ExprBinOp, Stmt, StmtAugAssign};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use super::old_meaning::PYTHON_2;
use super::whole::Wholes;
use crate::change::{Change, insertion, replacement};
use crate::rule::{Rewrite, Rule, example};
use crate::shape;
use crate::view::{Place, View};
use crate::walk::{self, Surroundings};

/// What `/` did. Only arrays and what pandas has know their dtype, and pandas has divided into fractions since 0.13.
macro_rules! division {
    () => {
        "def old_division(a, b):\n    \"\"\"/ of Python 2, where whole numbers gave a whole number.\"\"\"\n    def is_whole(x):\n        if hasattr(x, 'dtype'):\n            return str(x.dtype).startswith(('int', 'uint')) and not hasattr(x, 'is_unique')\n        return isinstance(x, int)\n    return a // b if is_whole(a) and is_whole(b) else a / b"
    };
}

/// What `round` did.
macro_rules! rounding {
    () => {
        "def old_round(number, ndigits=0):\n    \"\"\"round of Python 2: halves went away from zero, and a float came back.\"\"\"\n    from decimal import ROUND_HALF_UP, Context, Decimal\n    if not abs(float(number)) < 1e300:\n        return float(number)\n    step = Decimal(1).scaleb(-ndigits)\n    return float(Decimal(float(number)).quantize(step, ROUND_HALF_UP, Context(prec=1000)))"
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-2-whole-division",
        ("python", "3.0"),
        "/ of whole numbers gave a whole number",
        PYTHON_2,
        Rewrite::Code(divisions),
        example(
            "n = len(x)\nhalf = n / 2\nfor i in range(n / 3):\n    y = i / 2\nz = n / 2.0\nn /= 2\nw = x[0] / x[1]\n",
            ("", ""),
            concat!(
                division!(),
                "\nn = len(x)\nhalf = n // 2\nfor i in range(n // 3):\n    y = i // 2\nz = n / 2.0\nn //= 2\nw = old_division(x[0], x[1])\n"
            ),
        ),
    ),
    Rule::new(
        "python-2-rounding",
        ("python", "3.0"),
        "round, floor and ceil gave fractions, and halves were rounded away from zero",
        PYTHON_2,
        Rewrite::Code(roundings),
        example(
            "import math\ny = round(z)\nw = math.floor(z)\nn = int(math.ceil(z))\n",
            ("", ""),
            concat!(rounding!(), "\nimport math\ny = old_round(z)\nw = float(math.floor(z))\nn = int(math.ceil(z))\n"),
        ),
    ),
];

/// Two signs where both sides are whole beyond doubt, and the old meaning written out where nothing tells.
fn divisions(view: &View<'_>, change: &mut Change<'_>) {
    if imports_division(view) {
        return;
    }
    let wholes = Wholes::of(view);
    let mut doubtful = None;
    view.expressions(|place, expression, around| {
        let Expr::BinOp(operation) = expression else { return };
        if !super::division::is_division(expression) || is_written_out(around) {
            return;
        }
        match meaning(&operation.left, &operation.right, &wholes) {
            Meaning::Whole => {
                halve(TextRange::new(operation.left.end(), operation.right.start()), (view, place), change);
            }
            Meaning::Doubtful if write_call(operation, (view, place), change) => doubtful = earliest(doubtful, place),
            _ => {}
        }
    });
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::AugAssign(assign) = statement else { return };
            if assign.op.as_str() != "/" {
                return;
            }
            match meaning(&assign.target, &assign.value, &wholes) {
                Meaning::Whole => {
                    halve(TextRange::new(assign.target.end(), assign.value.start()), (view, place), change);
                }
                Meaning::Doubtful if write_assignment(assign, (view, place), change) => {
                    doubtful = earliest(doubtful, place);
                }
                _ => {}
            }
        });
    }
    if let Some(place) = doubtful.filter(|_| !view.own_names().contains("old_division")) {
        change.need_import(place, division!());
    }
}

/// Whether this is the definition that the rule wrote.
fn is_written_out(around: &Surroundings<'_, '_>) -> bool {
    around
        .statements
        .iter()
        .any(|one| matches!(one, Stmt::FunctionDef(function) if function.name.as_str() == "old_division"))
}

/// What a division gave.
enum Meaning {
    Whole,
    Fraction,
    Doubtful,
}

fn meaning(left: &Expr, right: &Expr, wholes: &Wholes<'_, '_>) -> Meaning {
    if wholes.has(left) && wholes.has(right) {
        Meaning::Whole
    } else if wholes.is_fraction(left) || wholes.is_fraction(right) {
        Meaning::Fraction
    } else {
        Meaning::Doubtful
    }
}

/// The place of the definition: the first cell that uses it.
fn earliest(found: Option<Place>, place: Place) -> Option<Place> {
    Some(found.map_or(place, |one| Place(one.0.min(place.0))))
}

fn halve(gap: TextRange, (view, place): (&View<'_>, Place), change: &mut Change<'_>) {
    let text = view.parsed(place).text(gap);
    if text.matches('/').count() == 1 {
        change.replace(place, gap, text.replacen('/', "//", 1));
    }
}

/// `a / b` as a call. Where more than one sign stands between them, in a comment, it is left.
fn write_call(operation: &ExprBinOp, (view, place): (&View<'_>, Place), change: &mut Change<'_>) -> bool {
    let gap = TextRange::new(operation.left.end(), operation.right.start());
    let text = view.parsed(place).text(gap);
    let Some((before, after)) = text.split_once('/').filter(|(_, after)| !after.contains('/')) else { return false };
    let between = if text.contains('\n') {
        text.replacen('/', ",", 1)
    } else {
        format!("{}, {}", before.trim_end(), after.trim_start())
    };
    let edits = vec![
        insertion(operation.range().start(), "old_division("),
        replacement(gap, between),
        insertion(operation.end(), ")"),
    ];
    change.edit(place, operation.range().start(), edits)
}

/// `a /= b` as an assignment of such a call.
fn write_assignment(assign: &StmtAugAssign, (view, place): (&View<'_>, Place), change: &mut Change<'_>) -> bool {
    let target = view.parsed(place).text(assign.target.range());
    let gap = TextRange::new(assign.target.end(), assign.value.start());
    let text = view.parsed(place).text(gap);
    let Some((_, after)) = text.split_once("/=") else { return false };
    let edits = vec![
        replacement(gap, format!(" = old_division({target}, {}", after.trim_start())),
        insertion(assign.end(), ")"),
    ];
    change.edit(place, assign.start(), edits)
}

/// Whether the notebook asked for the division of Python 3.
fn imports_division(view: &View<'_>) -> bool {
    let mut imports = false;
    for source in view.code.cells {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            if let Stmt::ImportFrom(import) = statement {
                let future = import.module.as_ref().is_some_and(|module| module.as_str() == "__future__");
                imports |= future && import.names.iter().any(|alias| alias.name.as_str() == "division");
            }
        });
    }
    imports
}

fn roundings(view: &View<'_>, change: &mut Change<'_>) {
    let mut rounded = None;
    let is_builtin = !view.own_names().contains("round");
    view.expressions(|place, expression, around| match expression {
        Expr::Name(name) if name.id.as_str() == "round" && is_builtin && view.qualified(expression).is_none() => {
            change.replace(place, expression.range(), "old_round");
            rounded = earliest(rounded, place);
        }
        Expr::Call(call)
            if matches!(view.qualified(&call.func).as_deref(), Some("math.floor" | "math.ceil"))
                && !is_whole_anyway(around) =>
        {
            let edits = vec![insertion(call.range().start(), "float("), insertion(call.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
        _ => {}
    });
    if let Some(place) = rounded.filter(|_| !view.own_names().contains("old_round")) {
        change.need_import(place, rounding!());
    }
}

/// Whether it is made whole or a float where it stands, or counts something.
fn is_whole_anyway(around: &Surroundings<'_, '_>) -> bool {
    match around.parent() {
        Some(Expr::Call(outer)) => matches!(shape::name(&outer.func), Some("int" | "float" | "range" | "xrange")),
        Some(Expr::Subscript(_) | Expr::Slice(_) | Expr::Compare(_)) => true,
        _ => false,
    }
}
