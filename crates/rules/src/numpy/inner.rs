//! Names of numpy that were reached by its inner modules.

use nbrevive_pysource::ast::{Expr, Stmt};

use super::{FIRST_NAMES, REMOVED};
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::View;
use crate::{moves, walk};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "numpy-inner-names",
    ("numpy", "2.0.0"),
    "what numpy.lib and numpy.core handed on is at numpy's top, or where it moved from there",
    Trigger::Error(&[
        sig("AttributeError", "module 'numpy.lib' has no attribute"),
        sig("AttributeError", "module 'numpy._core"),
        sig("AttributeError", "module 'numpy.core"),
        sig("ImportError", "cannot import name '*' from 'numpy.lib'"),
        sig("ImportError", "cannot import name '*' from 'numpy.core"),
        sig("ModuleNotFoundError", "No module named 'numpy.core.umath_tests'"),
        sig("ImportError", "cannot import name 'RankWarning' from 'numpy.polynomial"),
        sig("AttributeError", "module 'numpy.polynomial.polyutils' has no attribute 'RankWarning'"),
    ]),
    Rewrite::Code(inner_names),
    example(
        "import numpy as np\nfrom numpy.core.numeric import NaN\na = np.lib.pad([1], 1, 'edge')\n",
        ("ImportError", "cannot import name 'NaN' from 'numpy.core.numeric' (numeric.py)"),
        "import numpy as np\nfrom numpy import nan as NaN\na = np.pad([1], 1, 'edge')\n",
    ),
)
.certain()];

/// What was never at the top.
const ELSEWHERE: [(&str, &str); 3] = [
    ("numpy.core.umath_tests", "numpy._core._umath_tests"),
    ("numpy.lib.RankWarning", "numpy.exceptions.RankWarning"),
    ("numpy.polynomial.polyutils.RankWarning", "numpy.exceptions.RankWarning"),
];

/// What is in `numpy.lib` today, or where another rule says.
const KEPT: [&str; 5] = ["add_docstring", "add_newdoc", "byte_bounds", "tracemalloc_domain", "RankWarning"];

/// Where something is that an inner module handed on; none where it may still be there.
fn home_of(dotted: &str) -> Option<String> {
    let (module, name) = dotted.rsplit_once('.')?;
    if module == "numpy.lib" {
        let is_handed_on = !KEPT.contains(&name) && FIRST_NAMES.split_whitespace().any(|one| one == name);
        return is_handed_on.then(|| format!("numpy.{name}"));
    }
    if module != "numpy.core" && !module.starts_with("numpy.core.") {
        return None;
    }
    let at_top = format!("numpy.{name}");
    REMOVED.iter().find(|(old, new)| *old == at_top && !new.is_empty()).map(|(_, new)| (*new).to_owned())
}

fn inner_names(view: &View<'_>, change: &mut Change<'_>) {
    let mut used: Vec<String> = Vec::new();
    for source in view.code.cells {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::ImportFrom(import) = statement else { return };
            let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
            used.extend(import.names.iter().map(|alias| format!("{module}.{}", alias.name.as_str())));
        });
    }
    view.expressions(|_, expression, _| {
        if let Expr::Attribute(_) = expression {
            used.extend(view.qualified(expression));
        }
    });
    used.retain(|dotted| dotted.starts_with("numpy.lib.") || dotted.starts_with("numpy.core."));
    used.sort();
    used.dedup();
    let moved: Vec<(String, String)> =
        used.into_iter().filter_map(|dotted| home_of(&dotted).map(|home| (dotted, home))).collect();
    let found = moved.iter().map(|(old, new)| (old.as_str(), new.as_str()));
    let table: Vec<(&str, &str)> = found.chain(ELSEWHERE).collect();
    moves::apply(&table, view, change);
}
