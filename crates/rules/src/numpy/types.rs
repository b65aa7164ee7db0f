//! Functions that asked numpy for types, that read records and that marked what is old: they are short, and are written out.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out_after};
use crate::view::View;

/// The function `sctype2char` under a name, before what follows it.
macro_rules! sctype2char {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(sctype):\n",
            "    \"\"\"What NumPy had before 2.0: the letter of a type.\"\"\"\n",
            "    import numpy\n",
            "    return (sctype.dtype if isinstance(sctype, numpy.ndarray) else numpy.dtype(sctype)).char\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "numpy-type-functions",
    ("numpy", "2.0.0"),
    "functions for types, for records of text files and for what is old were removed; here they are written out",
    Trigger::Error(&[
        sig("AttributeError", "was removed in the NumPy 2.0 release"),
        sig("AttributeError", "module 'numpy' has no attribute '"),
        sig("ImportError", "cannot import name '*' from 'numpy'"),
    ]),
    Rewrite::Code(type_functions),
    example(
        "import numpy as np\nc = [np.sctype2char(t) for t in (np.int16, float)]\n",
        ("AttributeError", "`np.sctype2char` was removed in the NumPy 2.0 release. Use `np.dtype(obj).char` instead."),
        sctype2char!(
            "numpy_sctype2char",
            "import numpy as np\nc = [numpy_sctype2char(t) for t in (np.int16, float)]\n"
        ),
    ),
)
.certain()];

/// As NumPy 1.26 had them.
static FUNCTIONS: [(&str, &str); 9] = [
    ("sctype2char", sctype2char!("{name}", "")),
    (
        "obj2sctype",
        "def {name}(rep, default=None):\n    \"\"\"What NumPy had before 2.0: the type of numbers that something stands for.\"\"\"\n    import numpy\n    try:\n        return (rep.dtype if isinstance(rep, numpy.ndarray) else numpy.dtype(rep)).type\n    except Exception:\n        return default\n",
    ),
    (
        "issctype",
        "def {name}(rep):\n    \"\"\"What NumPy had before 2.0: whether something stands for a type of numbers.\"\"\"\n    import numpy\n    try:\n        return isinstance(rep, (type, numpy.dtype)) and numpy.dtype(rep).type is not numpy.object_\n    except Exception:\n        return False\n",
    ),
    (
        "maximum_sctype",
        "def {name}(t):\n    \"\"\"What NumPy had before 2.0: the widest type of the same kind.\"\"\"\n    import numpy\n    found = (t.dtype if isinstance(t, numpy.ndarray) else numpy.dtype(t)).type\n    widest = {'i': numpy.int64, 'u': numpy.uint64, 'f': numpy.longdouble, 'c': numpy.clongdouble}\n    return widest.get(numpy.dtype(found).kind, found)\n",
    ),
    (
        "find_common_type",
        "def {name}(array_types, scalar_types):\n    \"\"\"What NumPy had before 2.0: the type of a result, to which scalars add their kind alone.\"\"\"\n    import numpy\n    arrays, scalars = [numpy.result_type(*types) if len(types) else None for types in (array_types, scalar_types)]\n    if arrays is None or scalars is None:\n        return scalars if arrays is None else arrays\n    kinds = 'buifcSUVOMm'\n    return numpy.result_type(arrays, scalars) if kinds.index(scalars.kind) > kinds.index(arrays.kind) else arrays\n",
    ),
    (
        "sctypes",
        "import numpy\n{name} = {\n    'int': [numpy.int8, numpy.int16, numpy.int32, numpy.int64],\n    'uint': [numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64],\n    'float': [numpy.float16, numpy.float32, numpy.float64, numpy.longdouble],\n    'complex': [numpy.complex64, numpy.complex128, numpy.clongdouble],\n    'others': [bool, object, bytes, str, numpy.void],\n}\n",
    ),
    (
        "recfromtxt",
        "def {name}(fname, **options):\n    \"\"\"What NumPy had before 2.0: the records of a text file, text as bytes.\"\"\"\n    import numpy\n    return numpy.genfromtxt(fname, **{'dtype': None, 'encoding': 'bytes', **options}).view(numpy.recarray)\n",
    ),
    (
        "recfromcsv",
        "def {name}(fname, **options):\n    \"\"\"What NumPy had before 2.0: the records of a file with commas, names in lower case, text as bytes.\"\"\"\n    import numpy\n    defaults = {'case_sensitive': 'lower', 'names': True, 'delimiter': ',', 'dtype': None, 'encoding': 'bytes'}\n    return numpy.genfromtxt(fname, **{**defaults, **options}).view(numpy.recarray)\n",
    ),
    (
        "deprecate",
        "def {name}(*args, **options):\n    \"\"\"What NumPy had before 2.0: a function that says that it is old.\"\"\"\n    import functools\n    import warnings\n    if not args or not callable(args[0]):\n        return lambda function: {name}(function, *args, **options)\n    function, told = args[0], dict(zip(['old_name', 'new_name', 'message'], args[1:]), **options)\n    text = '`%s` is deprecated' % (told.get('old_name') or function.__name__)\n    text += ', use `%s` instead!' % told['new_name'] if told.get('new_name') else '!'\n    text += '\\n' + told['message'] if told.get('message') else ''\n\n    @functools.wraps(function)\n    def warned(*args, **options):\n        warnings.warn(text, DeprecationWarning, stacklevel=2)\n        return function(*args, **options)\n\n    return warned\n",
    ),
];

fn type_functions(view: &View<'_>, change: &mut Change<'_>) {
    let functions = FUNCTIONS.map(|(name, definition)| StandIn { module: "numpy", name, definition });
    write_out_after(&functions, "numpy_", view, change);
}
