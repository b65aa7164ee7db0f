//! Names that packages still ask a library for: they are put there before the statement that failed.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::text_size::Ranged;

use crate::CellFeedback;
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{Signature, captures, sig};
use crate::view::{Place, View};

static MISSING: &[Signature] =
    &[sig("ImportError", "cannot import name '*' from '*'"), sig("AttributeError", "odule '*' has no attribute '*'")];

pub(super) static RULES: &[Rule] = &[Rule::new(
    "package-asks-for-old-name",
    ("python", "3.0"),
    "a package, or a module beside the notebook, asks for a name that its library has no more; it is put there before",
    Trigger::Switch { errors: MISSING, until: "" },
    Rewrite::Code(put_names_there),
    example(
        "import scikitplot\n",
        ("ImportError", "cannot import name 'interp' from 'scipy' (/site-packages/scipy/__init__.py)"),
        "import numpy, scipy\nscipy.interp = numpy.interp\nimport scikitplot\n",
    ),
)
.shift("the name means what it meant in the last version that had it")];

/// Module, name, what is imported, and the value. Only what has the same meaning.
const NAMES: &[Row] = &[
    ("scipy", "interp", "numpy, scipy", "numpy.interp"),
    ("scipy.misc", "logsumexp", "scipy.misc, scipy.special", "scipy.special.logsumexp"),
    ("scipy.misc", "comb", "scipy.misc, scipy.special", "scipy.special.comb"),
    ("scipy.misc", "factorial", "scipy.misc, scipy.special", "scipy.special.factorial"),
    ("scipy.integrate", "simps", "scipy.integrate", "scipy.integrate.simpson"),
    ("scipy.integrate", "trapz", "scipy.integrate", "scipy.integrate.trapezoid"),
    ("scipy.integrate", "cumtrapz", "scipy.integrate", "scipy.integrate.cumulative_trapezoid"),
    ("scipy.signal", "hann", "scipy.signal", "scipy.signal.windows.hann"),
    ("scipy.signal", "hamming", "scipy.signal", "scipy.signal.windows.hamming"),
    ("scipy.signal", "gaussian", "scipy.signal", "scipy.signal.windows.gaussian"),
    ("scipy.stats", "chisqprob", "scipy.stats", "scipy.stats.chi2.sf"),
    ("fractions", "gcd", "fractions, math", "math.gcd"),
    ("time", "clock", "time", "time.perf_counter"),
    ("collections", "Mapping", "collections.abc", "collections.abc.Mapping"),
    ("collections", "MutableMapping", "collections.abc", "collections.abc.MutableMapping"),
    ("collections", "Sequence", "collections.abc", "collections.abc.Sequence"),
    ("collections", "MutableSequence", "collections.abc", "collections.abc.MutableSequence"),
    ("collections", "Set", "collections.abc", "collections.abc.Set"),
    ("collections", "MutableSet", "collections.abc", "collections.abc.MutableSet"),
    ("collections", "Iterable", "collections.abc", "collections.abc.Iterable"),
    ("collections", "Iterator", "collections.abc", "collections.abc.Iterator"),
    ("collections", "Callable", "collections.abc", "collections.abc.Callable"),
    ("collections", "Hashable", "collections.abc", "collections.abc.Hashable"),
    ("collections", "Sized", "collections.abc", "collections.abc.Sized"),
    ("collections", "Container", "collections.abc", "collections.abc.Container"),
    ("inspect", "getargspec", "inspect", "lambda function: inspect.getfullargspec(function)[:4]"),
    ("numpy", "math", "numpy, math", "math"),
    ("numpy", "float", "numpy", "float"),
    ("numpy", "int", "numpy", "int"),
    ("numpy", "bool", "numpy", "bool"),
    ("numpy", "object", "numpy", "object"),
    ("numpy", "str", "numpy", "str"),
    ("numpy", "complex", "numpy", "complex"),
    ("numpy", "float_", "numpy", "numpy.float64"),
    ("numpy", "complex_", "numpy", "numpy.complex128"),
    ("numpy", "unicode_", "numpy", "numpy.str_"),
    ("numpy", "Inf", "numpy", "numpy.inf"),
    ("numpy", "infty", "numpy", "numpy.inf"),
    ("numpy", "NaN", "numpy", "numpy.nan"),
    ("numpy", "product", "numpy", "numpy.prod"),
    ("numpy", "cumproduct", "numpy", "numpy.cumprod"),
    ("numpy", "alltrue", "numpy", "numpy.all"),
    ("numpy", "sometrue", "numpy", "numpy.any"),
    ("numpy", "round_", "numpy", "numpy.round"),
    ("numpy", "row_stack", "numpy", "numpy.vstack"),
    ("numpy", "in1d", "numpy", "numpy.isin"),
    ("numpy", "trapz", "numpy", "numpy.trapezoid"),
    ("jinja2", "Markup", "jinja2, markupsafe", "markupsafe.Markup"),
    ("jinja2", "escape", "jinja2, markupsafe", "markupsafe.escape"),
    ("IPython.display", "set_matplotlib_formats", INLINE, "matplotlib_inline.backend_inline.set_matplotlib_formats"),
    ("IPython.display", "set_matplotlib_close", INLINE, "matplotlib_inline.backend_inline.set_matplotlib_close"),
    ("IPython.core.display", "display", "IPython.core.display, IPython.display", "IPython.display.display"),
    ("IPython.core.display", "HTML", "IPython.core.display, IPython.display", "IPython.display.HTML"),
    ("matplotlib.cm", "get_cmap", "matplotlib.cm, matplotlib.pyplot", "matplotlib.pyplot.get_cmap"),
    ("pandas.io.json", "json_normalize", "pandas.io.json", "pandas.json_normalize"),
    ("pandas", "datetime", "datetime, pandas", "datetime.datetime"),
    ("pandas", "np", "numpy, pandas", "numpy"),
    ("pandas", "scatter_matrix", "pandas", "pandas.plotting.scatter_matrix"),
    ("sklearn.utils", "safe_indexing", "sklearn.utils", "sklearn.utils._safe_indexing"),
    ("sklearn.externals", "joblib", "sklearn.externals, joblib", "joblib"),
    ("itertools", "izip", "itertools", "zip"),
    ("itertools", "imap", "itertools", "map"),
    ("itertools", "ifilter", "itertools", "filter"),
    ("itertools", "izip_longest", "itertools", "itertools.zip_longest"),
    ("string", "letters", "string", "string.ascii_letters"),
    ("string", "lowercase", "string", "string.ascii_lowercase"),
    ("string", "uppercase", "string", "string.ascii_uppercase"),
    ("string", "maketrans", "string", "str.maketrans"),
];

/// What is imported for the names that set how drawings are shown.
const INLINE: &str = "IPython.display, matplotlib_inline.backend_inline";

/// Module, name, imports and value of the name that an error misses.
type Row = (&'static str, &'static str, &'static str, &'static str);

/// The row of what an error misses.
fn missing(error: &CellFeedback) -> Option<&'static Row> {
    let text = error.evalue.lines().next().unwrap_or_default();
    let (module, name) = match captures("cannot import name '*' from '*'", text).as_deref() {
        Some([name, module]) => (*module, *name),
        _ => match captures("odule '*' has no attribute '*'", text).as_deref() {
            Some([module, name]) => (*module, *name),
            _ => return None,
        },
    };
    NAMES.iter().find(|row| row.0 == module && row.1 == name)
}

/// Before the statement of the notebook that failed; each name once.
fn put_names_there(view: &View<'_>, change: &mut Change<'_>) {
    let mut done = BTreeSet::new();
    for error in &view.errors {
        let Some((module, name, imports, value)) = missing(error) else { continue };
        let line = format!("{module}.{name} = {value}");
        let stands = view.code.cells.iter().any(|source| source.parsed.source().contains(&line));
        let place = view.code.cells.iter().position(|source| source.cell == error.cell);
        let (Some(position), Some(at)) = (place, error.line) else { continue };
        if stands || !done.insert((module, name)) {
            continue;
        }
        let parsed = &view.code.cells[position].parsed;
        let covers = |one: &&Stmt| (parsed.line(one.range().start())..=parsed.line(one.range().end())).contains(&at);
        if let Some(statement) = parsed.body().iter().find(covers) {
            change.line_before(Place(position), statement, &format!("import {imports}\n{line}"));
        }
    }
}
