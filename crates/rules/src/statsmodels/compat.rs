//! What `statsmodels.compat` had for Python 2, and what every Python has by itself.

use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "statsmodels-compat",
    ("statsmodels", "0.11.0"),
    "names for Python 2 and 3 alike left statsmodels.compat; they are those of Python 3",
    Trigger::Error(&[
        sig("ImportError", "from 'statsmodels.compat"),
        sig("ModuleNotFoundError", "No module named 'statsmodels.compat."),
        sig("AttributeError", "odule 'statsmodels.compat* has no attribute"),
    ]),
    Rewrite::Move(NAMES),
    example(
        "from statsmodels.compat.python import range, lzip, StringIO\nr = range(3)\n",
        ("ImportError", "cannot import name 'range' from 'statsmodels.compat.python' (python.py)"),
        "from statsmodels.compat.python import lzip; from io import StringIO\nr = range(3)\n",
    ),
)
.certain()];

/// Names of Python 2's standard library and of its built-in functions, by where Python 3 has them.
const NAMES: &[(&str, &str)] = &[
    ("statsmodels.compat.python.bytes", "builtins.bytes"),
    ("statsmodels.compat.python.callable", "builtins.callable"),
    ("statsmodels.compat.python.filter", "builtins.filter"),
    ("statsmodels.compat.python.input", "builtins.input"),
    ("statsmodels.compat.python.map", "builtins.map"),
    ("statsmodels.compat.python.next", "builtins.next"),
    ("statsmodels.compat.python.open", "builtins.open"),
    ("statsmodels.compat.python.range", "builtins.range"),
    ("statsmodels.compat.python.str", "builtins.str"),
    ("statsmodels.compat.python.zip", "builtins.zip"),
    ("statsmodels.compat.python.advance_iterator", "builtins.next"),
    ("statsmodels.compat.python.long", "builtins.int"),
    ("statsmodels.compat.python.unicode", "builtins.str"),
    ("statsmodels.compat.python.string_types", "builtins.str"),
    ("statsmodels.compat.python.text_type", "builtins.str"),
    ("statsmodels.compat.python.reduce", "functools.reduce"),
    ("statsmodels.compat.python.zip_longest", "itertools.zip_longest"),
    ("statsmodels.compat.python.combinations", "itertools.combinations"),
    ("statsmodels.compat.python.namedtuple", "collections.namedtuple"),
    ("statsmodels.compat.python.StringIO", "io.StringIO"),
    ("statsmodels.compat.python.cStringIO", "io.StringIO"),
    ("statsmodels.compat.python.BytesIO", "io.BytesIO"),
    ("statsmodels.compat.python.cPickle", "pickle"),
    ("statsmodels.compat.python.pickle", "pickle"),
    ("statsmodels.compat.python.urlopen", "urllib.request.urlopen"),
    ("statsmodels.compat.python.urlretrieve", "urllib.request.urlretrieve"),
    ("statsmodels.compat.python.urlencode", "urllib.parse.urlencode"),
    ("statsmodels.compat.python.HTTPError", "urllib.error.HTTPError"),
    ("statsmodels.compat.python.URLError", "urllib.error.URLError"),
    ("statsmodels.compat.python.builtins", "builtins"),
    ("statsmodels.compat.python.functools", "functools"),
    ("statsmodels.compat.python.inspect", "inspect"),
    ("statsmodels.compat.python.itertools", "itertools"),
    ("statsmodels.compat.python.re", "re"),
    ("statsmodels.compat.collections.OrderedDict", "collections.OrderedDict"),
    ("statsmodels.compat.counter.Counter", "collections.Counter"),
];
