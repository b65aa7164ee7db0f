//! Keyword arguments and argument orders of pandas.

use crate::keywords::{Fate, KeywordChange, keyword};
use crate::positional::{Positional, positional};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{Signature, sig};

const fn function(name: &'static str) -> Callee {
    Callee::Function("pandas", name)
}

const fn method(on: On, name: &'static str) -> Callee {
    Callee::Method(on, name)
}

static UNEXPECTED: &[Signature] = &[
    sig("TypeError", "got an unexpected keyword argument"),
    sig("AttributeError", "got an unexpected keyword argument"),
    sig("ValueError", "No group keys passed!"),
];
static POSITIONAL: &[Signature] =
    &[sig("TypeError", "takes * positional argument"), sig("TypeError", "takes from * positional arguments but")];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-renamed-keywords",
        ("pandas", "2.0.0"),
        "keyword arguments of readers and writers were renamed or removed",
        Trigger::Error(UNEXPECTED),
        Rewrite::Keyword(FUNCTIONS),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv', error_bad_lines=False)\nx = pd.read_excel('a.xlsx', sheetname=0)\n",
            ("TypeError", "read_csv() got an unexpected keyword argument 'error_bad_lines'"),
            "import pandas as pd\ndf = pd.read_csv('a.csv', on_bad_lines='skip' if not False else 'error')\nx = pd.read_excel('a.xlsx', sheet_name=0)\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-renamed-method-keywords",
        ("pandas", "2.0.0"),
        "keyword arguments of methods were renamed or removed",
        Trigger::Error(UNEXPECTED),
        Rewrite::Keyword(METHODS),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.to_csv('b.csv', line_terminator='\\n')\nd = df.drop_duplicates('c', take_last=True)\n",
            ("TypeError", "NDFrame.to_csv() got an unexpected keyword argument 'line_terminator'"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.to_csv('b.csv', lineterminator='\\n')\nd = df.drop_duplicates('c', keep='last')\n",
        ),
    ),
    Rule::new(
        "pandas-positional-functions",
        ("pandas", "2.0.0"),
        "all but the first arguments of functions must be named",
        Trigger::Error(POSITIONAL),
        Rewrite::Positional(POSITIONAL_FUNCTIONS),
        example(
            "import pandas as pd\nx = pd.concat([a, b], 1)\ny = pd.read_csv('a.csv', ';')\n",
            ("TypeError", "concat() takes 1 positional argument but 2 were given"),
            "import pandas as pd\nx = pd.concat([a, b], axis=1)\ny = pd.read_csv('a.csv', sep=';')\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-positional-methods",
        ("pandas", "2.0.0"),
        "all but the first arguments of methods must be named",
        Trigger::Error(POSITIONAL),
        Rewrite::Positional(POSITIONAL_METHODS),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nX = df.drop(['a', 'c'], 1)\nm = df.isnull().any(1)\np = df.pivot('a', 'c', 'b')\n",
            ("TypeError", "DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nX = df.drop(['a', 'c'], axis=1)\nm = df.isnull().any(axis=1)\np = df.pivot(index='a', columns='c', values='b')\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-keyword-values",
        ("pandas", "2.0.0"),
        "values of keyword arguments are written otherwise (between, to_dict, option names)",
        Trigger::Error(&[
            sig("ValueError", "Inclusive has to be either"),
            sig("ValueError", "Value must be a nonnegative integer or None"),
            sig("TypeError", "You cannot set both the how and thresh arguments"),
            sig("ValueError", "orient '*' not understood"),
        ]),
        Rewrite::Code(super::reshape::values),
        example(
            "import pandas as pd\npd.set_option('display.max_colwidth', -1)\ndf = pd.read_csv('a.csv')\nx = df['a'].between(1, 2, inclusive=False)\ny = df.dropna(axis=1, how='any', thresh=2)\n",
            ("ValueError", "Value must be a nonnegative integer or None"),
            "import pandas as pd\npd.set_option('display.max_colwidth', None)\ndf = pd.read_csv('a.csv')\nx = df['a'].between(1, 2, inclusive='neither')\ny = df.dropna(axis=1, thresh=2)\n",
        ),
    ),
];

static FUNCTIONS: &[KeywordChange] = &[
    keyword(function("read_csv"), "error_bad_lines", Fate::Written("on_bad_lines='skip' if not {} else 'error'")),
    keyword(function("read_csv"), "warn_bad_lines", Fate::Removed),
    keyword(function("read_csv"), "mangle_dupe_cols", Fate::Removed),
    keyword(function("read_csv"), "tupleize_cols", Fate::Removed),
    keyword(function("read_csv"), "delim_whitespace", Fate::Written("sep=r'\\s+'")),
    keyword(function("read_csv"), "infer_datetime_format", Fate::Removed),
    keyword(function("read_csv"), "verbose", Fate::Removed),
    keyword(function("read_csv"), "keep_date_col", Fate::Removed),
    keyword(function("read_table"), "error_bad_lines", Fate::Written("on_bad_lines='skip' if not {} else 'error'")),
    keyword(function("read_table"), "delim_whitespace", Fate::Written("sep=r'\\s+'")),
    keyword(function("read_excel"), "sheetname", Fate::Renamed("sheet_name")),
    keyword(function("read_excel"), "skip_footer", Fate::Renamed("skipfooter")),
    keyword(Callee::Method(On::Instance("ExcelFile"), "parse"), "sheetname", Fate::Renamed("sheet_name")),
    keyword(Callee::Method(On::Instance("ExcelFile"), "parse"), "skip_footer", Fate::Renamed("skipfooter")),
    keyword(Callee::Method(On::Instance("ExcelFile"), "parse"), "parse_cols", Fate::Renamed("usecols")),
    keyword(function("read_excel"), "parse_cols", Fate::Renamed("usecols")),
    keyword(function("read_excel"), "convert_float", Fate::Removed),
    keyword(function("to_datetime"), "infer_datetime_format", Fate::Removed),
    keyword(function("date_range"), "closed", Fate::Renamed("inclusive")),
    keyword(function("date_range"), "closed", Fate::WrittenWhen("None", "inclusive='both'")),
    keyword(function("Timestamp"), "freq", Fate::Removed),
    keyword(function("MultiIndex"), "labels", Fate::Renamed("codes")),
    keyword(function("crosstab"), "rows", Fate::Renamed("index")),
    keyword(function("crosstab"), "cols", Fate::Renamed("columns")),
    keyword(function("factorize"), "na_sentinel", Fate::Written("use_na_sentinel=True")),
];

static METHODS: &[KeywordChange] = &[
    keyword(method(On::Any, "to_csv"), "line_terminator", Fate::Renamed("lineterminator")),
    keyword(method(On::Any, "drop_duplicates"), "take_last", Fate::Written("keep='last'")),
    keyword(method(On::Any, "drop_duplicates"), "cols", Fate::Renamed("subset")),
    keyword(method(On::Any, "to_dict"), "outtype", Fate::Renamed("orient")),
    keyword(method(On::Any, "pivot_table"), "rows", Fate::Renamed("index")),
    keyword(method(On::Any, "pivot_table"), "cols", Fate::Renamed("columns")),
    keyword(method(On::Any, "plot"), "normed", Fate::Renamed("density")),
    keyword(method(On::Any, "groupby"), "squeeze", Fate::Removed),
    keyword(method(On::Any, "describe"), "datetime_is_numeric", Fate::Removed),
    keyword(method(On::Any, "info"), "null_counts", Fate::Renamed("show_counts")),
    keyword(method(On::Any, "between_time"), "include_start", Fate::RemovedWhen("True")),
    keyword(method(On::Any, "between_time"), "include_end", Fate::RemovedWhen("True")),
    keyword(method(On::Any, "between_time"), "include_start", Fate::WrittenWhen("False", "inclusive='right'")),
    keyword(method(On::Any, "between_time"), "include_end", Fate::WrittenWhen("False", "inclusive='left'")),
    keyword(method(On::Any, "plot"), "sort_columns", Fate::Removed),
    keyword(method(On::Any, "to_excel"), "encoding", Fate::Removed),
    keyword(method(On::Any, "fillna"), "downcast", Fate::Removed),
];

static POSITIONAL_FUNCTIONS: &[Positional] = &[
    positional(function("concat"), &["objs", "axis", "join", "ignore_index"], 1),
    positional(function("read_csv"), &["filepath_or_buffer", "sep", "delimiter", "header"], 1),
    positional(function("read_table"), &["filepath_or_buffer", "sep", "delimiter", "header"], 1),
    positional(function("read_excel"), &["io", "sheet_name", "header"], 2),
];

const DROP: &[&str] = &["labels", "axis"];
const AXIS: &[&str] = &["axis"];

static POSITIONAL_METHODS: &[Positional] = &[
    positional(method(On::Any, "drop"), DROP, 1),
    positional(method(On::Pandas, "dropna"), &["axis", "how", "thresh", "subset"], 0),
    positional(method(On::Pandas, "any"), AXIS, 0),
    positional(method(On::Pandas, "all"), AXIS, 0),
    positional(method(On::Frame, "sort_values"), &["by", "axis", "ascending", "inplace"], 1),
    positional(method(On::Series, "sort_values"), &["axis", "ascending", "inplace"], 0),
    positional(method(On::Pandas, "sort_index"), &["axis", "level", "ascending", "inplace"], 0),
    positional(method(On::Any, "set_index"), &["keys", "drop", "append", "inplace"], 1),
    positional(method(On::Any, "reset_index"), &["level", "drop", "inplace"], 1),
    positional(method(On::Any, "drop_duplicates"), &["subset", "keep", "inplace"], 1),
    positional(method(On::Any, "pivot"), &["index", "columns", "values"], 0),
    positional(method(On::Pandas, "fillna"), &["value", "method", "axis", "inplace"], 1),
    positional(method(On::Pandas, "set_axis"), &["labels", "axis"], 1),
    positional(method(On::Pandas, "replace"), &["to_replace", "value", "inplace"], 2),
    positional(method(On::Pandas, "clip"), &["lower", "upper", "axis"], 2),
    positional(
        method(On::Any, "to_csv"),
        &["path_or_buf", "sep", "na_rep", "float_format", "columns", "header", "index"],
        1,
    ),
    positional(method(On::Any, "to_hdf"), &["path_or_buf", "key", "mode"], 1),
    positional(method(On::Frame, "rename"), &["mapper", "index", "columns", "axis"], 1),
    positional(method(On::Strings, "split"), &["pat", "n", "expand"], 1),
    positional(method(On::Told, "split"), &["pat", "n", "expand"], 1),
    positional(method(On::Strings, "rsplit"), &["pat", "n", "expand"], 1),
    positional(method(On::Frame, "quantile"), &["q", "axis"], 1),
    positional(method(On::Told, "any"), AXIS, 0),
    positional(method(On::Told, "all"), AXIS, 0),
];
