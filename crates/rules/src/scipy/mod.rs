//! What changed in scipy.

mod images;
mod integrals;
mod interpolation;
mod numpy_names;
mod wavelets;

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion, replacement};
use crate::keywords::{Fate, keyword};
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// What is written out before what is imported from elsewhere.
pub(crate) static TABLES: &[&[Rule]] =
    &[images::RULES, integrals::RULES, interpolation::RULES, numpy_names::RULES, wavelets::RULES, RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "scipy-moved-names",
        ("scipy", "1.3.0"),
        "functions moved between scipy's modules, or to matplotlib and imageio",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'scipy"),
            sig("ModuleNotFoundError", "No module named 'scipy."),
            sig("AttributeError", "odule 'scipy* has no attribute"),
        ]),
        Rewrite::Move(&[
            ("scipy.misc.comb", "scipy.special.comb"),
            ("scipy.misc.factorial", "scipy.special.factorial"),
            ("scipy.misc.factorial2", "scipy.special.factorial2"),
            ("scipy.misc.logsumexp", "scipy.special.logsumexp"),
            ("scipy.misc.imread", "imageio.v2.imread"),
            ("scipy.misc.electrocardiogram", "scipy.datasets.electrocardiogram"),
            ("scipy.misc.face", "scipy.datasets.face"),
            ("scipy.misc.ascent", "scipy.datasets.ascent"),
            ("scipy.ndimage.imread", "matplotlib.pyplot.imread"),
            ("scipy.interp", "numpy.interp"),
            ("scipy.integrate.simps", "scipy.integrate.simpson"),
            ("scipy.integrate.trapz", "scipy.integrate.trapezoid"),
            ("scipy.integrate.cumtrapz", "scipy.integrate.cumulative_trapezoid"),
            ("scipy.signal.gaussian", "scipy.signal.windows.gaussian"),
            ("scipy.signal.hann", "scipy.signal.windows.hann"),
            ("scipy.signal.hanning", "scipy.signal.windows.hann"),
            ("scipy.signal.hamming", "scipy.signal.windows.hamming"),
            ("scipy.signal.boxcar", "scipy.signal.windows.boxcar"),
            ("scipy.signal.blackman", "scipy.signal.windows.blackman"),
            ("scipy.signal.kaiser", "scipy.signal.windows.kaiser"),
            ("scipy.signal.barthann", "scipy.signal.windows.barthann"),
            ("scipy.signal.bartlett", "scipy.signal.windows.bartlett"),
            ("scipy.signal.blackmanharris", "scipy.signal.windows.blackmanharris"),
            ("scipy.signal.bohman", "scipy.signal.windows.bohman"),
            ("scipy.signal.chebwin", "scipy.signal.windows.chebwin"),
            ("scipy.signal.cosine", "scipy.signal.windows.cosine"),
            ("scipy.signal.exponential", "scipy.signal.windows.exponential"),
            ("scipy.signal.flattop", "scipy.signal.windows.flattop"),
            ("scipy.signal.general_gaussian", "scipy.signal.windows.general_gaussian"),
            ("scipy.signal.nuttall", "scipy.signal.windows.nuttall"),
            ("scipy.signal.parzen", "scipy.signal.windows.parzen"),
            ("scipy.signal.triang", "scipy.signal.windows.triang"),
            ("scipy.signal.tukey", "scipy.signal.windows.tukey"),
            ("scipy.signal.windows.hanning", "scipy.signal.windows.hann"),
            ("scipy.linalg.triu", "numpy.triu"),
            ("scipy.linalg.tril", "numpy.tril"),
            ("scipy.linalg.tri", "numpy.tri"),
            ("scipy.linalg.pinv2", "scipy.linalg.pinv"),
            ("scipy.sparse.linalg.eigen.arpack", "scipy.sparse.linalg"),
            ("scipy.sparse.linalg.eigen", "scipy.sparse.linalg"),
            ("scipy.stats.chisqprob", "scipy.stats:chi2.sf"),
            ("scipy.stats.stats", "scipy.stats"),
            ("scipy.stats.frechet_r", "scipy.stats.weibull_min"),
            ("scipy.stats.frechet_l", "scipy.stats.weibull_max"),
            ("scipy.stats.gilbrat", "scipy.stats.gibrat"),
            ("scipy.stats.trapz", "scipy.stats.trapezoid"),
            ("scipy.stats.nanmean", "numpy.nanmean"),
            ("scipy.stats.nanmedian", "numpy.nanmedian"),
            ("scipy.special.btdtr", "scipy.special.betainc"),
            ("scipy.special.btdtri", "scipy.special.betaincinv"),
            ("scipy.spatial.distance.sokalmichener", "scipy.spatial.distance.rogerstanimoto"),
            ("scipy.spatial.distance.matching", "scipy.spatial.distance.hamming"),
            ("scipy.linalg.kron", "numpy.kron"),
            ("scipy.misc.factorialk", "scipy.special.factorialk"),
            ("scipy.misc.pade", "scipy.interpolate.pade"),
            ("scipy.misc.common", "scipy.misc"),
            ("scipy.misc.pilutil", "scipy.misc"),
            ("scipy.sparse.linalg.dsolve.linsolve", "scipy.sparse.linalg"),
            ("scipy.sparse.linalg.eigen.arpack.arpack", "scipy.sparse.linalg"),
        ]),
        example(
            "from scipy.misc import comb, imread\nfrom scipy import signal\nw = signal.hann(5)\n",
            ("ImportError", "cannot import name 'comb' from 'scipy.misc' (__init__.py)"),
            "from scipy.special import comb; from imageio.v2 import imread\nfrom scipy import signal\nw = signal.windows.hann(5)\n",
        ),
    )
    .certain(),
    Rule::new(
        "scipy-changed-functions",
        ("scipy", "1.9.0"),
        "median_absolute_deviation, binom_test and itemfreq have successors with other arguments",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'scipy"),
            sig("AttributeError", "odule 'scipy* has no attribute"),
        ]),
        Rewrite::Code(changed_functions),
        example(
            "from scipy.stats import binom_test, norm\np = binom_test(3, 10, 0.5)\n",
            ("ImportError", "cannot import name 'binom_test' from 'scipy.stats' (__init__.py)"),
            "from scipy.stats import binomtest, norm\np = binomtest(3, 10, 0.5).pvalue\n",
        ),
    )
    .certain(),
    Rule::new(
        "scipy-confidence-level",
        ("scipy", "1.11.0"),
        "alpha of interval is confidence",
        Trigger::Error(&[
            sig("TypeError", "interval() missing 1 required positional argument: 'confidence'"),
            sig("TypeError", "interval() got an unexpected keyword argument 'alpha'"),
        ]),
        Rewrite::Keyword(&[
            keyword(Callee::Function("scipy", "interval"), "alpha", Fate::Renamed("confidence")),
            keyword(Callee::Method(On::AtFault, "interval"), "alpha", Fate::Renamed("confidence")),
        ]),
        example(
            "from scipy import stats\nlow, high = stats.norm.interval(alpha=0.95, loc=1, scale=2)\n",
            ("TypeError", "rv_generic.interval() missing 1 required positional argument: 'confidence'"),
            "from scipy import stats\nlow, high = stats.norm.interval(confidence=0.95, loc=1, scale=2)\n",
        ),
    )
    .certain(),
    Rule::new(
        "scipy-removed-functions",
        ("scipy", "1.8.0"),
        "itemfreq, wminkowski and sph_harm are other calls",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'scipy"),
            sig("AttributeError", "odule 'scipy* has no attribute"),
        ]),
        Rewrite::Code(removed_functions),
        example(
            "from scipy import stats\nf = stats.itemfreq([1, 1, 2])\n",
            ("AttributeError", "module 'scipy.stats' has no attribute 'itemfreq'"),
            "import numpy as np\nfrom scipy import stats\nf = np.array(np.unique([1, 1, 2], return_counts=True)).T\n",
        ),
    )
    .certain(),
    Rule::new(
        "scipy-derivative",
        ("scipy", "1.12.0"),
        "misc.derivative was removed; a derivative by central differences is a few lines",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'derivative' from 'scipy.misc'"),
            sig("ModuleNotFoundError", "No module named 'scipy.misc'"),
            sig("AttributeError", "'scipy.misc' has no attribute 'derivative'"),
        ]),
        Rewrite::Code(derivative),
        example(
            "from scipy.misc import derivative\nd = derivative(f, 1.0, dx=1e-3)\n",
            ("ImportError", "cannot import name 'derivative' from 'scipy.misc'"),
            "def derivative(func, x0, dx=1.0, n=1, args=(), order=3):\n    \"\"\"What SciPy had before 1.12: the n-th derivative by central differences.\"\"\"\n    import math\n    import numpy as np\n    steps = np.arange(order) - order // 2\n    weights = math.factorial(n) * np.linalg.inv(np.vander(steps.astype(float), increasing=True))[n]\n    return np.dot(weights, [func(x0 + step * dx, *args) for step in steps]) / dx ** n\nd = derivative(f, 1.0, dx=1e-3)\n",
        ),
    )
    .certain(),
    Rule::new(
        "scipy-sparse-attributes",
        ("scipy", "1.14.0"),
        "the attributes .A and .H of sparse matrices were removed",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'A'"), sig("AttributeError", "object has no attribute 'H'")]),
        Rewrite::Method(&[
            renamed(On::Sparse, "A", "toarray()"),
            renamed(On::AtFault, "A", "toarray()"),
            renamed(On::Sparse, "H", "conj().T"),
            renamed(On::AtFault, "H", "conj().T"),
        ]),
        example(
            "from sklearn.feature_extraction.text import CountVectorizer\nx = CountVectorizer().fit_transform(t).A\n",
            ("AttributeError", "'csr_matrix' object has no attribute 'A'"),
            "from sklearn.feature_extraction.text import CountVectorizer\nx = CountVectorizer().fit_transform(t).toarray()\n",
        ),
    ),
    Rule::new(
        "scipy-rotation-matrix",
        ("scipy", "1.6.0"),
        "the matrix of a rotation is called so: as_dcm and from_dcm are as_matrix and from_matrix",
        Trigger::Error(&[sig("AttributeError", "has no attribute 'as_dcm'"), sig("AttributeError", "has no attribute 'from_dcm'")]),
        Rewrite::Code(rotation_matrix),
        example(
            "from scipy.spatial.transform import Rotation as R\nr = R.from_dcm(m).as_dcm()\n",
            ("AttributeError", "type object 'Rotation' has no attribute 'from_dcm'"),
            "from scipy.spatial.transform import Rotation as R\nr = R.from_matrix(m).as_matrix()\n",
        ),
    ),
    Rule::new(
        "scipy-system-responses",
        ("scipy", "1.13.0"),
        "lsim2, impulse2 and step2, which integrated step by step, were removed; lsim, impulse and step take the same",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'scipy.signal'"),
            sig("AttributeError", "odule 'scipy.signal* has no attribute"),
        ]),
        Rewrite::Move(&[
            ("scipy.signal.lsim2", "scipy.signal.lsim"),
            ("scipy.signal.impulse2", "scipy.signal.impulse"),
            ("scipy.signal.step2", "scipy.signal.step"),
        ]),
        example(
            "from scipy import signal\nt, y = signal.step2(([1.0], [1.0, 1.0]))\n",
            ("AttributeError", "Module 'scipy.signal' has no attribute 'step2'"),
            "from scipy import signal\nt, y = signal.step(([1.0], [1.0, 1.0]))\n",
        ),
    )
    .shift("numbers are those of the exact solution, and differ in the last digits")
    .certain(),
    Rule::new(
        "scipy-window-names",
        ("scipy", "1.13.0"),
        "the window that was called hanning is hann",
        Trigger::Error(&[
            sig("ValueError", "Invalid window name 'hanning'"),
            sig("ValueError", "Unknown window type"),
        ]),
        Rewrite::Code(window_names),
        example(
            "from scipy import signal\nf, p = signal.welch(x, window='hanning')\nw = signal.get_window('hanning', 5)\n",
            ("ValueError", "Invalid window name 'hanning' in parameter window='hanning'!"),
            "from scipy import signal\nf, p = signal.welch(x, window='hann')\nw = signal.get_window('hann', 5)\n",
        ),
    )
    .certain(),
    Rule::new(
        "scipy-mode-keepdims",
        ("scipy", "1.11.0"),
        "stats.mode returns numbers instead of arrays of one element",
        Trigger::Error(&[sig("IndexError", "invalid index to scalar variable")]),
        Rewrite::Code(mode_keepdims),
        example(
            "from scipy import stats\nm = stats.mode(x)[0][0]\n",
            ("IndexError", "invalid index to scalar variable."),
            "from scipy import stats\nm = stats.mode(x, keepdims=True)[0][0]\n",
        ),
    ),
    Rule::new(
        "scipy-mode-of-text",
        ("scipy", "1.11.0"),
        "stats.mode takes numbers only",
        Trigger::Error(&[sig("TypeError", "Argument `a` is not recognized as numeric")]),
        Rewrite::Code(mode_of_text),
        example(
            "from scipy.stats import mode\nm = mode(df['c'])[0][0]\n",
            ("TypeError", "Argument `a` is not recognized as numeric. Support for input that cannot be coerced"),
            "import pandas as pd\nfrom scipy.stats import mode\nm = pd.Series(df['c']).mode()[0]\n",
        ),
    ),
];

/// Old name, new name, arguments to add, what follows the call.
const CHANGED: [(&str, &str, &str, &str); 2] = [
    ("scipy.stats.median_absolute_deviation", "median_abs_deviation", "scale='normal'", ""),
    ("scipy.stats.binom_test", "binomtest", "", ".pvalue"),
];

fn changed_functions(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        crate::walk::statements(source.parsed.body(), &mut |statement, _| {
            let nbrevive_pysource::ast::Stmt::ImportFrom(import) = statement else { return };
            let module = import.module.as_ref().map(|name| name.as_str()).unwrap_or_default();
            for alias in &import.names {
                let full = format!("{module}.{}", alias.name.as_str());
                if let Some((_, new, ..)) = CHANGED.iter().find(|(old, ..)| *old == full) {
                    let place = crate::view::Place(position);
                    change.replace(place, alias.name.range(), *new);
                }
            }
        });
    }
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func) else { return };
        let Some((_, new, argument, after)) = CHANGED.iter().find(|(old, ..)| *old == dotted) else { return };
        let mut edits = match call.func.as_ref() {
            Expr::Attribute(attribute) => vec![replacement(attribute.attr.range(), *new)],
            Expr::Name(name) if dotted.ends_with(name.id.as_str()) => vec![replacement(name.range(), *new)],
            _ => Vec::new(),
        };
        if !argument.is_empty() && shape::keyword(call, "scale").is_none() {
            edits.push(insertion(
                call.arguments.end() - nbrevive_pysource::text_size::TextSize::from(1),
                format!(", {argument}"),
            ));
        }
        if *new == "binomtest" {
            edits.extend(both_counts(view.parsed(place), call));
        }
        edits.push(insertion(call.end(), *after));
        change.edit(place, call.range().start(), edits);
    });
}

/// Successes and failures could stand in one sequence; today the first is told beside the sum.
fn both_counts(parsed: &Parsed, call: &ExprCall) -> Option<Edit> {
    let [counts] = &call.arguments.args[..] else { return None };
    if shape::keyword(call, "n").is_some() || counts.is_starred_expr() {
        return None;
    }
    let text = parsed.text(counts.range());
    match (shape::elements(counts), shape::name(counts)) {
        (Some([first, second]), _) => {
            let (first, second) = (parsed.text(first.range()), parsed.text(second.range()));
            Some(replacement(counts.range(), format!("{first}, {first} + {second}")))
        }
        (None, Some(_)) => Some(replacement(counts.range(), format!("{text}[0], sum({text})"))),
        _ => None,
    }
}

fn removed_functions(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func) else { return };
        let edit = CallEdit::new(view.parsed(place), call);
        let values: Vec<&str> = edit.positional().into_iter().map(|number| edit.value_text(number)).collect();
        let text = match (&dotted[..], &values[..]) {
            ("scipy.stats.itemfreq", [values]) => {
                let (array, unique) = (change.spell(place, "numpy.array"), change.spell(place, "numpy.unique"));
                format!("{array}({unique}({values}, return_counts=True)).T")
            }
            // The old weights stood inside of the power.
            ("scipy.spatial.distance.wminkowski", [u, v, p, w]) => {
                let array = change.spell(place, "numpy.asarray");
                let distance = change.spell(place, "scipy.spatial.distance.minkowski");
                format!("{distance}({u}, {v}, {p}, {array}({w}) ** {p})")
            }
            ("scipy.special.sph_harm", [m, n, theta, phi]) => {
                let harmonic = change.spell(place, "scipy.special.sph_harm_y");
                format!("{harmonic}({n}, {m}, {phi}, {theta})")
            }
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

/// The weights of the differences solve for the coefficient of the polynomial through the points, as
/// `central_diff_weights` of SciPy did.
static DERIVATIVE: [StandIn; 1] = [StandIn {
    module: "scipy.misc",
    name: "derivative",
    definition: concat!(
        "def {name}(func, x0, dx=1.0, n=1, args=(), order=3):\n",
        "    \"\"\"What SciPy had before 1.12: the n-th derivative by central differences.\"\"\"\n",
        "    import math\n",
        "    import numpy as np\n",
        "    steps = np.arange(order) - order // 2\n",
        "    weights = math.factorial(n) * np.linalg.inv(np.vander(steps.astype(float), increasing=True))[n]\n",
        "    return np.dot(weights, [func(x0 + step * dx, *args) for step in steps]) / dx ** n",
    ),
}];

fn derivative(view: &View<'_>, change: &mut Change<'_>) {
    write_out(&DERIVATIVE, view, change);
}

pub(crate) fn mode_keepdims(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let mode = view.is_call_of(Callee::Function("scipy", "mode"), place, call);
        if mode && shape::keyword(call, "keepdims").is_none() {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("keepdims=True");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn window_names(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.qualified(&call.func).is_some_and(|name| name.starts_with("scipy.")) {
            return;
        }
        let named = call.arguments.keywords.iter().map(|keyword| &keyword.value);
        for value in call.arguments.args.iter().chain(named).filter(|value| shape::text(value) == Some("hanning")) {
            change.replace(place, value.range(), "'hann'");
        }
    });
}

/// `mode(x)[0][0]` and `mode(x).mode[0]` of text.
fn mode_of_text(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(outer) = expression else { return };
        let inner = match outer.value.as_ref() {
            Expr::Subscript(inner) if shape::integer(&inner.slice) == Some(0) => &inner.value,
            Expr::Attribute(attribute) if attribute.attr.as_str() == "mode" => &attribute.value,
            _ => return,
        };
        let Expr::Call(call) = inner.as_ref() else { return };
        let first = shape::integer(&outer.slice) == Some(0);
        if first && view.is_call_of(Callee::Function("scipy", "mode"), place, call) {
            let edit = CallEdit::new(view.parsed(place), call);
            let Some(number) = edit.positional().first().copied() else { return };
            let series = change.spell(place, "pandas.Series");
            change.replace(place, expression.range(), format!("{series}({}).mode()[0]", edit.value_text(number)));
        }
    });
}

/// The names stand for nothing else.
fn rotation_matrix(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method @ ("as_dcm" | "from_dcm"))) = shape::method(call) else { return };
        change.replace(place, attribute.attr.range(), method.replace("dcm", "matrix"));
    });
}
