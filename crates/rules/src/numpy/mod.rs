//! What changed in numpy.

mod all_names;
mod financial;
mod indices;
mod inner;
mod rewrites;
mod scalars;
#[cfg(test)]
mod tests;
mod types;

use crate::keywords::{Fate, KeywordChange, keyword};
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;

pub(crate) static TABLES: &[&[Rule]] =
    &[RULES, inner::RULES, financial::RULES, types::RULES, scalars::RULES, indices::RULES, all_names::RULES];

/// Names of numpy 1.16 that others handed on: all that scipy 1.2 had at its top.
pub(crate) const FIRST_NAMES: &str = include_str!("../../data/names-of-numpy.txt");

static RULES: &[Rule] = &[
    Rule::new(
        "numpy-removed-functions",
        ("numpy", "2.0.0"),
        "asscalar, asfarray, msort, in1d, NINF and find_common_type were removed",
        Trigger::Error(&[
            sig("AttributeError", "module 'numpy' has no attribute"),
            sig("AttributeError", "was removed in the NumPy 2.0 release"),
        ]),
        Rewrite::Code(rewrites::removed_functions),
        example(
            "import numpy as np\na = np.asscalar(x)\nb = max(np.NINF, 0)\nc = np.msort(x)\nd = np.in1d(y, [1])\n",
            ("AttributeError", "module 'numpy' has no attribute 'asscalar'"),
            "import numpy as np\na = np.asarray(x).item()\nb = max(-np.inf, 0)\nc = np.sort(x, axis=0)\nd = np.isin(y, [1]).ravel()\n",
        ),
    )
    .certain(),
    Rule::new(
        "numpy-removed-names",
        ("numpy", "1.24.0"),
        "aliases such as np.float, np.NaN, np.product and np.in1d were removed",
        Trigger::Error(&[
            sig("AttributeError", "module 'numpy' has no attribute"),
            sig("AttributeError", "was removed in the NumPy 2.0 release"),
            sig("ImportError", "cannot import name '*' from 'numpy"),
            sig("ModuleNotFoundError", "No module named 'numpy."),
            sig("AttributeError", "module 'numpy.lib' has no attribute"),
            sig("AttributeError", "module 'numpy.linalg' has no attribute"),
            sig("AttributeError", "module 'numpy.fft' has no attribute"),
            sig("AttributeError", "module 'numpy.ma' has no attribute"),
            sig("AttributeError", "module 'numpy.polynomial* has no attribute"),
            sig("AttributeError", "is now private. If you are using a public function"),
        ]),
        Rewrite::Move(REMOVED),
        example(
            "import numpy as np\nx = y.astype(np.float)\nz = np.in1d(a, np.array([np.NaN]))\n",
            ("AttributeError", "module 'numpy' has no attribute 'float'. `np.float` was a deprecated alias"),
            "import numpy as np\nx = y.astype(float)\nz = np.isin(a, np.array([np.nan]))\n",
        ),
    )
    .certain(),
    Rule::new(
        "numpy-array-methods",
        ("numpy", "2.0.0"),
        "ndarray.ptp, itemset, newbyteorder and tostring were removed",
        Trigger::Error(&[sig("AttributeError", "'numpy.ndarray' object has no attribute")]),
        Rewrite::Code(rewrites::array_methods),
        example(
            "import numpy as np\na = np.array([1, 5])\nr = a.ptp()\na.itemset(0, 5)\n",
            ("AttributeError", "'numpy.ndarray' object has no attribute 'ptp'"),
            "import numpy as np\na = np.array([1, 5])\nr = np.ptp(a)\na[0] = 5\n",
        ),
    ),
    Rule::new(
        "numpy-tostring",
        ("numpy", "2.3.0"),
        "ndarray.tostring is tobytes",
        Trigger::Error(&[sig("AttributeError", "'numpy.ndarray' object has no attribute 'tostring'")]),
        Rewrite::Method(&[renamed(On::Array, "tostring", "tobytes"), renamed(On::AtFault, "tostring", "tobytes")]),
        example(
            "import numpy as np\nb = np.arange(2).tostring()\n",
            ("AttributeError", "'numpy.ndarray' object has no attribute 'tostring'"),
            "import numpy as np\nb = np.arange(2).tobytes()\n",
        ),
    ),
    Rule::new(
        "numpy-renamed-keywords",
        ("numpy", "2.4.0"),
        "percentile's interpolation is method, histogram's normed density, reshape's newshape shape; corrcoef has no bias",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'normed'"),
            sig("TypeError", "got an unexpected keyword argument 'newshape'"),
            sig("TypeError", "got an unexpected keyword argument 'interpolation'"),
            sig("TypeError", "corrcoef() got an unexpected keyword argument"),
        ]),
        Rewrite::Keyword(&[
            keyword(Callee::Function("numpy", "percentile"), "interpolation", Fate::Renamed("method")),
            keyword(Callee::Function("numpy", "nanpercentile"), "interpolation", Fate::Renamed("method")),
            keyword(Callee::Function("numpy", "quantile"), "interpolation", Fate::Renamed("method")),
            keyword(Callee::Function("numpy", "nanquantile"), "interpolation", Fate::Renamed("method")),
            keyword(Callee::Function("numpy", "histogram"), "normed", Fate::Renamed("density")),
            keyword(Callee::Function("numpy", "histogram2d"), "normed", Fate::Renamed("density")),
            keyword(Callee::Function("numpy", "histogramdd"), "normed", Fate::Renamed("density")),
            keyword(Callee::Function("numpy", "reshape"), "newshape", Fate::Renamed("shape")),
            keyword(Callee::Function("numpy", "corrcoef"), "bias", Fate::Removed),
            keyword(Callee::Function("numpy", "corrcoef"), "ddof", Fate::Removed),
        ]),
        example(
            "import numpy as np\nq = np.percentile(x, 50, interpolation='lower')\n",
            ("TypeError", "percentile() got an unexpected keyword argument 'interpolation'"),
            "import numpy as np\nq = np.percentile(x, 50, method='lower')\n",
        ),
    )
    .certain(),
    Rule::new(
        "numpy-print-threshold",
        ("numpy", "1.14.0"),
        "not a number is no threshold for printing arrays whole; infinity is",
        Trigger::Error(&[sig("ValueError", "threshold must be non-NAN"), sig("TypeError", "threshold must be numeric")]),
        Rewrite::Keyword(PRINT_THRESHOLD),
        example(
            "import numpy as np\nnp.set_printoptions(threshold=np.nan)\n",
            ("ValueError", "threshold must be non-NAN, try sys.maxsize for untruncated representation"),
            "import numpy as np\nnp.set_printoptions(threshold=float('inf'))\n",
        ),
    )
    .certain(),
    Rule::new(
        "numpy-copy-false",
        ("numpy", "2.0.0"),
        "np.array(…, copy=False) raises where a copy is needed; np.asarray has the old meaning",
        Trigger::Error(&[sig("ValueError", "Unable to avoid copy while creating an array")]),
        Rewrite::Code(rewrites::copy_false),
        example(
            "import numpy as np\nx = np.array(y, copy=False)\n",
            ("ValueError", "Unable to avoid copy while creating an array as requested. If using `np.array"),
            "import numpy as np\nx = np.asarray(y)\n",
        ),
    )
    .certain(),
    Rule::new(
        "numpy-ragged",
        ("numpy", "1.24.0"),
        "rows of different lengths no longer make an object array by themselves",
        Trigger::Error(&[sig("ValueError", "setting an array element with a sequence*inhomogeneous shape")]),
        Rewrite::Code(rewrites::ragged),
        example(
            "import numpy as np\nx = np.array([[1], [1, 2]])\n",
            ("ValueError", "setting an array element with a sequence. The requested array has an inhomogeneous shape"),
            "import numpy as np\nx = np.array([[1], [1, 2]], dtype=object)\n",
        ),
    ),
    Rule::new(
        "numpy-allow-pickle",
        ("numpy", "1.16.3"),
        "np.load needs allow_pickle=True for object arrays",
        Trigger::Error(&[sig("ValueError", "Object arrays cannot be loaded when allow_pickle=False")]),
        Rewrite::Code(rewrites::allow_pickle),
        example(
            "import numpy as np\nx = np.load('a.npy')\n",
            ("ValueError", "Object arrays cannot be loaded when allow_pickle=False"),
            "import numpy as np\nx = np.load('a.npy', allow_pickle=True)\n",
        ),
    ),
    Rule::new(
        "numpy-generator-arguments",
        ("numpy", "1.24.0"),
        "stacking and summing a generator is refused",
        Trigger::Error(&[
            sig("TypeError", "arrays to stack must be passed as a"),
            sig("TypeError", "Calling np.sum(generator) is deprecated"),
        ]),
        Rewrite::Code(rewrites::generators),
        example(
            "import numpy as np\nx = np.vstack(a for a in rows)\ny = np.sum(b for b in c)\n",
            ("TypeError", "arrays to stack must be passed as a \"sequence\" type such as list or tuple."),
            "import numpy as np\nx = np.vstack([a for a in rows])\ny = sum(b for b in c)\n",
        ),
    )
    .certain(),
    Rule::new(
        "numpy-float-counts",
        ("numpy", "1.18.0"),
        "counts, shapes and indices must be integers",
        Trigger::Error(&[
            sig("TypeError", "'float' object cannot be interpreted as an integer"),
            sig("TypeError", "'numpy.float64' object cannot be interpreted as an integer"),
            sig("TypeError", "expected a sequence of integers or a single integer"),
            sig("TypeError", "slice indices must be integers"),
            sig("IndexError", "only integers, slices"),
            sig("TypeError", "`bins` must be an integer"),
            sig("ValueError", "must be a positive integer, not"),
            sig("ValueError", "num must be an integer with"),
            sig("TypeError", "cannot do positional indexing on"),
        ]),
        Rewrite::Code(crate::python::whole_numbers),
        example(
            "import numpy as np\nx = np.linspace(0, 1, n / 2)\n",
            ("TypeError", "'float' object cannot be interpreted as an integer"),
            "import numpy as np\nx = np.linspace(0, 1, n // 2)\n",
        ),
    ),
    Rule::new(
        "numpy-boolean-subtract",
        ("numpy", "1.13.0"),
        "boolean arrays cannot be subtracted; ^ is the old result",
        Trigger::Error(&[
            sig("TypeError", "numpy boolean subtract, the `-` operator, is not supported"),
            sig("TypeError", "The numpy boolean negative, the `-` operator, is not supported"),
        ]),
        Rewrite::Code(rewrites::boolean_subtract),
        example(
            "d = a - b\n",
            ("TypeError", "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor"),
            "d = a ^ b\n",
        ),
    ),
    Rule::new(
        "numpy-fromstring",
        ("numpy", "2.3.0"),
        "fromstring reads text only; frombuffer reads bytes",
        Trigger::Error(&[sig("ValueError", "The binary mode of fromstring is removed")]),
        Rewrite::Code(rewrites::fromstring),
        example(
            "import numpy as np\nx = np.fromstring(b, dtype='uint8')\n",
            ("ValueError", "The binary mode of fromstring is removed, use frombuffer instead"),
            "import numpy as np\nx = np.frombuffer(b, dtype='uint8').copy()\n",
        ),
    ),
    Rule::new(
        "numpy-uint8-range",
        ("numpy", "2.0.0"),
        "numbers outside of the type's range are refused instead of wrapped",
        Trigger::Error(&[sig("OverflowError", "Python integer * out of bounds for")]),
        Rewrite::Code(rewrites::out_of_range),
        example(
            "import numpy as np\nx = np.array([-1, 300], dtype='uint8')\n",
            ("OverflowError", "Python integer -1 out of bounds for uint8"),
            "import numpy as np\nx = np.array([-1, 300]).astype('uint8')\n",
        ),
    ),
];

/// Where the names are that NumPy no longer has at its top, or has no more.
const REMOVED: &[(&str, &str)] = &[
    ("numpy.int", "builtins.int"),
    ("numpy.float", "builtins.float"),
    ("numpy.object", "builtins.object"),
    ("numpy.str", "builtins.str"),
    ("numpy.complex", "builtins.complex"),
    ("numpy.long", "builtins.int"),
    ("numpy.unicode", "builtins.str"),
    ("numpy.float_", "numpy.float64"),
    ("numpy.unicode_", "numpy.str_"),
    ("numpy.string_", "numpy.bytes_"),
    ("numpy.complex_", "numpy.complex128"),
    ("numpy.bool8", "numpy.bool_"),
    ("numpy.NaN", "numpy.nan"),
    ("numpy.NAN", "numpy.nan"),
    ("numpy.Inf", "numpy.inf"),
    ("numpy.Infinity", "numpy.inf"),
    ("numpy.infty", "numpy.inf"),
    ("numpy.warnings", "warnings"),
    ("numpy.PINF", "numpy.inf"),
    ("numpy.product", "numpy.prod"),
    ("numpy.cumproduct", "numpy.cumprod"),
    ("numpy.alltrue", "numpy.all"),
    ("numpy.sometrue", "numpy.any"),
    ("numpy.in1d", "numpy.isin"),
    ("numpy.row_stack", "numpy.vstack"),
    ("numpy.trapz", "numpy.trapezoid"),
    ("numpy.round_", "numpy.round"),
    ("numpy.rank", "numpy.ndim"),
    ("numpy.loads", "pickle.loads"),
    ("numpy.issubclass_", "builtins.issubclass"),
    ("numpy.lib.arraysetops.isin", "numpy.isin"),
    ("numpy.lib.arraysetops.in1d", "numpy.isin"),
    ("numpy.math", "math"),
    ("numpy.linalg.linalg", "numpy.linalg"),
    ("numpy.compat.long", "builtins.int"),
    ("numpy.lib.arraysetops", "numpy"),
    ("numpy.lib.pad", "numpy.pad"),
    ("numpy.mat", "numpy.asmatrix"),
    ("numpy.int0", "numpy.intp"),
    ("numpy.uint0", "numpy.uintp"),
    ("numpy.testing.Tester", ""),
    ("numpy.INF", "numpy.inf"),
    ("numpy.cfloat", "numpy.complex128"),
    ("numpy.singlecomplex", "numpy.complex64"),
    ("numpy.longfloat", "numpy.longdouble"),
    ("numpy.clongfloat", "numpy.clongdouble"),
    ("numpy.longcomplex", "numpy.clongdouble"),
    ("numpy.alen", "builtins.len"),
    ("numpy.issubsctype", "numpy.issubdtype"),
    ("numpy.safe_eval", "ast.literal_eval"),
    ("numpy.source", "inspect.getsource"),
    ("numpy.byte_bounds", "numpy.lib.array_utils.byte_bounds"),
    ("numpy.add_docstring", "numpy.lib.add_docstring"),
    ("numpy.add_newdoc", "numpy.lib.add_newdoc"),
    ("numpy.tracemalloc_domain", "numpy.lib.tracemalloc_domain"),
    ("numpy.DataSource", "numpy.lib.npyio.DataSource"),
    ("numpy.format_parser", "numpy.rec.format_parser"),
    ("numpy.chararray", "numpy.char.chararray"),
    ("numpy.compare_chararrays", "numpy.char.compare_chararrays"),
    ("numpy.AxisError", "numpy.exceptions.AxisError"),
    ("numpy.ComplexWarning", "numpy.exceptions.ComplexWarning"),
    ("numpy.DTypePromotionError", "numpy.exceptions.DTypePromotionError"),
    ("numpy.ModuleDeprecationWarning", "numpy.exceptions.ModuleDeprecationWarning"),
    ("numpy.RankWarning", "numpy.exceptions.RankWarning"),
    ("numpy.TooHardError", "numpy.exceptions.TooHardError"),
    ("numpy.VisibleDeprecationWarning", "numpy.exceptions.VisibleDeprecationWarning"),
    ("numpy.bytes0", "numpy.bytes_"),
    ("numpy.str0", "numpy.str_"),
    ("numpy.object0", "numpy.object_"),
    ("numpy.void0", "numpy.void"),
    ("numpy.typeDict", "numpy.sctypeDict"),
    ("numpy.sys", "sys"),
    ("numpy.ndfromtxt", "numpy.genfromtxt"),
    ("numpy.ma.loads", "pickle.loads"),
    ("numpy.ma.dumps", "pickle.dumps"),
    ("numpy.ma.rank", "numpy.ma.ndim"),
    ("numpy.ma.product", "numpy.ma.prod"),
    ("numpy.testing.utils", "numpy.testing"),
    ("numpy.fft.fftpack", "numpy.fft"),
    ("numpy.fft.helper", "numpy.fft"),
    ("numpy.lib.arrayterator", "numpy.lib"),
    ("numpy.lib.utils", "numpy"),
    ("numpy.lib.arraypad", "numpy"),
    ("numpy.lib.function_base", "numpy"),
    ("numpy.lib.histograms", "numpy"),
    ("numpy.lib.index_tricks", "numpy"),
    ("numpy.lib.nanfunctions", "numpy"),
    ("numpy.lib.polynomial", "numpy"),
    ("numpy.lib.shape_base", "numpy"),
    ("numpy.lib.twodim_base", "numpy"),
    ("numpy.lib.type_check", "numpy"),
    ("numpy.lib.ufunclike", "numpy"),
    ("numpy.polynomial.poly2cheb", "numpy.polynomial.chebyshev.poly2cheb"),
    ("numpy.polynomial.cheb2poly", "numpy.polynomial.chebyshev.cheb2poly"),
    ("numpy.polynomial.poly2leg", "numpy.polynomial.legendre.poly2leg"),
    ("numpy.polynomial.leg2poly", "numpy.polynomial.legendre.leg2poly"),
    ("numpy.polynomial.poly2herm", "numpy.polynomial.hermite.poly2herm"),
    ("numpy.polynomial.herm2poly", "numpy.polynomial.hermite.herm2poly"),
    ("numpy.polynomial.poly2herme", "numpy.polynomial.hermite_e.poly2herme"),
    ("numpy.polynomial.herme2poly", "numpy.polynomial.hermite_e.herme2poly"),
    ("numpy.polynomial.poly2lag", "numpy.polynomial.laguerre.poly2lag"),
    ("numpy.polynomial.lag2poly", "numpy.polynomial.laguerre.lag2poly"),
];

const WHOLE: &str = "threshold=float('inf')";
const fn threshold(old: &'static str) -> KeywordChange {
    keyword(Callee::Function("numpy", "set_printoptions"), "threshold", Fate::WrittenWhen(old, WHOLE))
}
static PRINT_THRESHOLD: &[KeywordChange] =
    &[threshold("np.nan"), threshold("np.NaN"), threshold("np.NAN"), threshold("numpy.nan"), threshold("nan")];
