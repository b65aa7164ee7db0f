//! Arrays of one element in the place of numbers, which numpy took for numbers before 2.5.

use nbrevive_pysource::ast::{Expr, Operator, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::walk;

static NO_SCALAR: &[Signature] = &[
    sig("TypeError", "only 0-dimensional arrays can be converted to Python scalars"),
    sig("TypeError", "format: a real number is required, not numpy.ndarray"),
    sig("TypeError", "unsupported format string passed to numpy.ndarray.__format__"),
];

/// What float() and int() say of arrays and, since pandas 3, of series.
static NO_ARGUMENT: &[Signature] = &[
    sig("TypeError", "only 0-dimensional arrays can be converted to Python scalars"),
    sig("TypeError", "float() argument must be a string or a real number, not 'Series'"),
    sig("TypeError", "int() argument must be a string, a bytes-like object or a real number, not 'Series'"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "numpy-float-of-array",
        ("numpy", "2.5.0"),
        "an array or series with one element is no scalar to float() and int()",
        Trigger::Error(NO_ARGUMENT),
        Rewrite::Code(scalar_of_array),
        example(
            "v = float(a)\n",
            ("TypeError", "only 0-dimensional arrays can be converted to Python scalars"),
            "import numpy as np\nv = float(np.asarray(a).item())\n",
        ),
    ),
    Rule::new(
        "numpy-array-as-number",
        ("numpy", "2.5.0"),
        "an array with one element is no number to formats and to math; without its axes it is",
        Trigger::Error(NO_SCALAR),
        Rewrite::Code(formatted),
        example(
            "import math\nimport numpy as np\nprint('%.2f' % m.intercept_)\nprint('{:.2f}'.format(m.predict(x)))\nr = math.sqrt(a)\nprint('%d of %.1f' % (len(n), m.coef_))\n",
            ("TypeError", "only 0-dimensional arrays can be converted to Python scalars"),
            "import math\nimport numpy as np\nprint('%.2f' % np.squeeze(m.intercept_))\nprint('{:.2f}'.format(np.squeeze(m.predict(x))))\nr = math.sqrt(np.squeeze(a))\nprint('%d of %.1f' % (len(n), np.squeeze(m.coef_)))\n",
        ),
    ),
    Rule::new(
        "numpy-element-of-array",
        ("numpy", "2.5.0"),
        "an array with one element is no value for an element; without its axes it is",
        Trigger::Error(&[sig("ValueError", "setting an array element with a sequence")]),
        Rewrite::Code(elements),
        example(
            "import numpy as np\nr[i] = m.predict(x)\n",
            ("ValueError", "setting an array element with a sequence."),
            "import numpy as np\nr[i] = np.squeeze(m.predict(x))\n",
        ),
    ),
];

fn scalar_of_array(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let function = shape::name(&call.func).filter(|name| matches!(*name, "float" | "int"));
        let (Some(_), Some(argument)) = (function, call.arguments.args.first()) else { return };
        let scalar =
            matches!(argument, Expr::Call(inner) if shape::method(inner).is_some_and(|(_, name)| name == "item"));
        if scalar || !view.at_fault(place, call.range()) || call.arguments.len() != 1 {
            return;
        }
        let array = change.spell(place, "numpy.asarray");
        let inner = CallEdit::new(view.parsed(place), call).render();
        change.replace(place, argument.range(), format!("{array}({inner}).item()"));
    });
}

/// Values that are shown or computed with as they are.
fn is_plain(view: &View<'_>, value: &Expr) -> bool {
    let squeezed = match value {
        Expr::Call(call) => {
            let name = view.qualified(&call.func);
            name.as_deref() == Some("numpy.squeeze")
                || matches!(shape::name(&call.func), Some("len" | "float" | "int" | "str" | "range"))
        }
        _ => false,
    };
    squeezed
        || value.is_literal_expr()
        || value.is_name_expr() && !view.kinds(value).is_empty() && view.kinds(value) != [crate::kind::Kind::Array]
}

fn squeeze(view: &View<'_>, change: &mut Change<'_>, place: Place, value: &Expr) {
    if !is_plain(view, value) && !value.is_starred_expr() {
        let function = change.spell(place, "numpy.squeeze");
        let edits = vec![insertion(value.range().start(), format!("{function}(")), insertion(value.end(), ")")];
        change.edit(place, value.range().start(), edits);
    }
}

/// Whether a format has a place for a number, such as `%.2f` or `{:.1f}`: those alone refuse arrays.
fn has_number(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find(['%', ':']) {
        let spec = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || "+-., ".contains(c));
        if spec.starts_with(['d', 'f', 'e', 'g', 'i', 'F', 'E', 'G']) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

fn formatted(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| match expression {
        Expr::BinOp(operation) if operation.op == Operator::Mod && view.at_fault(place, expression.range()) => {
            if !shape::text(&operation.left).is_some_and(has_number) {
                return;
            }
            match operation.right.as_ref() {
                Expr::Tuple(tuple) => tuple.elts.iter().for_each(|one| squeeze(view, change, place, one)),
                right => squeeze(view, change, place, right),
            }
        }
        Expr::Call(call) if view.at_fault(place, expression.range()) => {
            let format = shape::method(call)
                .is_some_and(|(owner, name)| name == "format" && shape::text(&owner.value).is_some_and(has_number));
            let math = view.qualified(&call.func).is_some_and(|name| name.starts_with("math."));
            if format || math {
                call.arguments.args.iter().for_each(|one| squeeze(view, change, place, one));
            }
        }
        _ => {}
    });
}

fn elements(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let [Expr::Subscript(_)] = &assign.targets[..] else { return };
            if view.at_fault(place, statement.range()) && shape::elements(&assign.value).is_none() {
                squeeze(view, change, place, &assign.value);
            }
        });
    }
}
