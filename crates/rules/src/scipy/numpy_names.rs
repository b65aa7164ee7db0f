//! Names of numpy that scipy handed on at its top.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::moves;
use crate::numpy::FIRST_NAMES;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "scipy-numpy-names",
        ("scipy", "1.12.0"),
        "scipy no longer hands on numpy's names; its roots and logarithms were those of numpy.lib.scimath",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'scipy'"),
            sig("AttributeError", "odule 'scipy' has no attribute"),
            sig("TypeError", "'module' object is not callable"),
        ]),
        Rewrite::Code(numpy_names),
        example(
            "import scipy\nfrom scipy import pi, cos\na = scipy.hstack([scipy.sqrt([-1, 4]), scipy.fft([1, 2])])\n",
            ("AttributeError", "Module 'scipy' has no attribute 'hstack'"),
            "import numpy as np\nimport scipy\nfrom numpy import pi, cos\na = np.hstack([np.lib.scimath.sqrt([-1, 4]), np.fft.fft([1, 2])])\n",
        ),
    )
    .certain(),
    Rule::new(
        "scipy-all-names",
        ("scipy", "1.12.0"),
        "all names of scipy were those of numpy, too",
        Trigger::Error(&[sig("NameError", "name '*' is not defined"), sig("TypeError", "'module' object is not callable")]),
        Rewrite::Code(all_names),
        example(
            "from scipy import *\nx = sqrt(linspace(-1, 1, 3))\n",
            ("NameError", "name 'sqrt' is not defined"),
            "from scipy import *; from numpy import *; from numpy.lib.scimath import *; from numpy.random import rand, randn; from numpy.fft import fft, ifft\nx = sqrt(linspace(-1, 1, 3))\n",
        ),
    ),
];

/// What stands at the top of scipy by its own right, in any of its versions, and what another rule knows.
const OWN: [&str; 35] = [
    "LowLevelCallable",
    "cluster",
    "constants",
    "datasets",
    "differentiate",
    "fft",
    "fftpack",
    "integrate",
    "interp",
    "interpolate",
    "io",
    "lib",
    "linalg",
    "linsolve",
    "maxentropy",
    "misc",
    "ndimage",
    "odr",
    "optimize",
    "sandbox",
    "show_config",
    "show_numpy_config",
    "signal",
    "sparse",
    "spatial",
    "special",
    "stats",
    "stsci",
    "test",
    "version",
    "weave",
    "_lib",
    "__version__",
    "__config__",
    "__file__",
];

/// What was more than numpy's function of that name: the result is complex where it has to be (`numpy.lib.scimath`).
const COMPLEX: [&str; 9] = ["arccos", "arcsin", "arctanh", "log", "log10", "log2", "logn", "power", "sqrt"];

/// Where a name of scipy's top is; none where it is scipy's, or was never there.
fn home_of(name: &str) -> Option<String> {
    Some(match name {
        "rand" | "randn" => format!("numpy.random.{name}"),
        "ifft" => "numpy.fft.ifft".to_owned(),
        _ if COMPLEX.contains(&name) => format!("numpy.lib.scimath.{name}"),
        _ if OWN.contains(&name) || !FIRST_NAMES.split_whitespace().any(|one| one == name) => return None,
        _ => format!("numpy.{name}"),
    })
}

fn numpy_names(view: &View<'_>, change: &mut Change<'_>) {
    let mut used: BTreeSet<String> = BTreeSet::new();
    view.code.cells.iter().for_each(|source| {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::ImportFrom(import) = statement else { return };
            if import.module.as_ref().is_some_and(|module| module.as_str() == "scipy") {
                used.extend(import.names.iter().map(|alias| alias.name.as_str().to_owned()));
            }
        });
    });
    view.expressions(|place, expression, around| {
        let Some(name) = name_of(view, expression) else { return };
        let is_called = matches!(around.parent(), Some(Expr::Call(call)) if call.func.range() == expression.range());
        match name.as_str() {
            // A module since.
            "fft" if is_called => {
                let function = change.spell(place, "numpy.fft.fft");
                change.replace(place, expression.range(), function);
            }
            _ => drop(used.insert(name)),
        }
    });
    used.remove("*");
    let moved: Vec<(String, String)> =
        used.iter().filter_map(|name| Some((format!("scipy.{name}"), home_of(name)?))).collect();
    let table: Vec<(&str, &str)> = moved.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
    moves::apply(&table, view, change);
}

/// The name of scipy's top that an attribute or a name stands for.
fn name_of(view: &View<'_>, expression: &Expr) -> Option<String> {
    let dotted = view.qualified(expression)?;
    let name = dotted.strip_prefix("scipy.").filter(|name| !name.contains('.'))?;
    Some(name.to_owned())
}

fn all_names(view: &View<'_>, change: &mut Change<'_>) {
    const MORE: &str = "; from numpy import *; from numpy.lib.scimath import *; from numpy.random import rand, randn; from numpy.fft import fft, ifft";
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::ImportFrom(import) = statement else { return };
            let is_scipy = import.module.as_ref().is_some_and(|module| module.as_str() == "scipy");
            let is_all = import.names.iter().any(|alias| alias.name.as_str() == "*");
            let is_done = source.parsed.source().contains(MORE);
            if is_scipy && is_all && !is_done {
                let text = source.parsed.text(import.range());
                change.replace(Place(position), import.range(), format!("{text}{MORE}"));
            }
        });
    }
}
