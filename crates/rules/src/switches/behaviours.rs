//! Behaviours that a library still has, or that one line gives back.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{Signature, sig};
use crate::switches::behind_import;
use crate::view::View;

/// How it shows that text columns are of a type of their own.
static TEXT_TYPE: &[Signature] = &[
    sig("", "dtype 'str'"),
    sig("", "StringDtype"),
    sig("", "StringArray"),
    sig("KeyError", "'str'"),
    sig("TypeError", "unhashable type: 'ArrowStringArray'"),
    sig("ValueError", "could not convert string to float"),
    sig("ValueError", "Cannot cast object dtype to float64"),
    sig("ValueError", "No objects to concatenate"),
    sig("ValueError", "at least one array or dtype is required"),
    sig("TypeError", "Could not convert"),
    sig("TypeError", "Cannot perform reduction"),
];

/// How it shows that columns of dummies are of booleans.
static BOOL_DUMMIES: &[Signature] = &[
    sig("TypeError", "numpy boolean subtract, the `-` operator, is not supported"),
    sig("TypeError", "The numpy boolean negative, the `-` operator, is not supported"),
    sig("TypeError", "Invalid value '*' for dtype 'bool'"),
    sig("ValueError", "Pandas data cast to numpy dtype of object"),
    sig("TypeError", "ufunc 'isfinite' not supported for the input types"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-text-is-object",
        ("pandas", "3.0.0"),
        "text columns have the type str; they were of type object",
        Trigger::Switch { errors: TEXT_TYPE, until: "4.0" },
        Rewrite::Code(text_is_object),
        example(
            "import pandas as pd\nkinds = {'object': 'text', 'int64': 'number'}\nr = [kinds[str(kind)] for kind in table.dtypes]\n",
            ("KeyError", "'str'"),
            "import pandas as pd\npd.set_option('future.infer_string', False)\nkinds = {'object': 'text', 'int64': 'number'}\nr = [kinds[str(kind)] for kind in table.dtypes]\n",
        ),
    )
    .shift("text columns are of type object again, and take values of any type"),
    Rule::new(
        "pandas-dummies-are-numbers",
        ("pandas", "2.0.0"),
        "dummies are booleans; they were small whole numbers",
        Trigger::Switch { errors: BOOL_DUMMIES, until: "" },
        Rewrite::Code(dummies_are_numbers),
        example(
            "import pandas as pd\nencode = {'dummies': pd.get_dummies}\nd = encode['dummies'](s)\nr = d - d\n",
            ("TypeError", "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor"),
            "import pandas as pd\nimport functools\npd.get_dummies = functools.partial(pd.get_dummies, dtype='uint8')\nencode = {'dummies': pd.get_dummies}\nd = encode['dummies'](s)\nr = d - d\n",
        ),
    )
    .shift("get_dummies gives whole numbers of 8 bits again, unless it is told a dtype"),
    Rule::new(
        "numpy-plain-scalars",
        ("numpy", "2.0.0"),
        "scalars show their type, as np.float64(0.5); they were shown as numbers",
        Trigger::Switch { errors: &[sig("ValueError", "malformed node or string")], until: "" },
        Rewrite::Code(plain_scalars),
        example(
            "import ast\nimport numpy as np\nx = np.array([0.5])\nr = ast.literal_eval(str([x[0]]))\n",
            ("ValueError", "malformed node or string on line 1: <ast.Call object at 0x7f>"),
            "import ast\nimport numpy as np\nnp.set_printoptions(legacy='1.25')\nx = np.array([0.5])\nr = ast.literal_eval(str([x[0]]))\n",
        ),
    )
    .shift("numpy writes scalars and arrays as before version 2"),
];

fn text_is_object(view: &View<'_>, change: &mut Change<'_>) {
    behind_import(view, change, "pandas", "{}.set_option('future.infer_string', False)");
}

fn dummies_are_numbers(view: &View<'_>, change: &mut Change<'_>) {
    let lines = "import functools\n{}.get_dummies = functools.partial({}.get_dummies, dtype='uint8')";
    behind_import(view, change, "pandas", lines);
}

fn plain_scalars(view: &View<'_>, change: &mut Change<'_>) {
    behind_import(view, change, "numpy", "{}.set_printoptions(legacy='1.25')");
}
