//! Names that came with `from numpy import *` and are gone.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{captures, sig};
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "numpy-all-names",
    ("numpy", "2.0.0"),
    "names that `from numpy import *` brought are gone",
    Trigger::Error(&[sig("NameError", "name '*' is not defined")]),
    Rewrite::Code(all_names),
    example(
        "from numpy import *\nm = mat([[1, 2]])\nt = product(shape(m))\n",
        ("NameError", "name 'mat' is not defined"),
        "import numpy as np\nfrom numpy import *\nm = np.asmatrix([[1, 2]])\nt = np.prod(shape(m))\n",
    ),
)
.certain()];

const NAMES: [(&str, &str); 20] = [
    ("mat", "numpy.asmatrix"),
    ("product", "numpy.prod"),
    ("cumproduct", "numpy.cumprod"),
    ("alltrue", "numpy.all"),
    ("sometrue", "numpy.any"),
    ("in1d", "numpy.isin"),
    ("row_stack", "numpy.vstack"),
    ("trapz", "numpy.trapezoid"),
    ("round_", "numpy.round"),
    ("rank", "numpy.ndim"),
    ("float_", "numpy.float64"),
    ("complex_", "numpy.complex128"),
    ("string_", "numpy.bytes_"),
    ("unicode_", "numpy.str_"),
    ("NaN", "numpy.nan"),
    ("NAN", "numpy.nan"),
    ("Inf", "numpy.inf"),
    ("Infinity", "numpy.inf"),
    ("infty", "numpy.inf"),
    ("PINF", "numpy.inf"),
];

fn all_names(view: &View<'_>, change: &mut Change<'_>) {
    let is_missing = |name: &str| {
        view.errors.iter().any(|error| {
            captures("name '*' is not defined", &error.evalue).is_some_and(|found| found.first() == Some(&name))
        })
    };
    if !NAMES.iter().any(|(old, _)| is_missing(old)) || !view.code.imports_all_of_numpy() {
        return;
    }
    let own = view.own_names();
    view.expressions(|place, expression, _| {
        let Expr::Name(name) = expression else { return };
        let new = NAMES.iter().find(|(old, _)| *old == name.id.as_str()).map(|(_, new)| new);
        if let Some(new) = new.filter(|_| name.ctx.is_load() && !own.contains(name.id.as_str())) {
            let text = change.spell(place, new);
            change.replace(place, expression.range(), text);
        }
    });
}
