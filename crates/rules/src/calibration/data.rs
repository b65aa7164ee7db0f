//! Defaults of pandas.

use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::ast::{Expr, Number};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::view::View;

use super::restore;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-default-dummies",
        ("pandas", "2.0.0"),
        "get_dummies gives booleans by default, and gave whole numbers",
        Trigger::OldDefault { before: (2023, 4, 3), python: PythonVersion::new(3, 8) },
        Rewrite::Code(|view, change| restore(view, change, ("pandas", "get_dummies"), "dtype", None, "'uint8'")),
        example(
            "import pandas as pd\nd = pd.get_dummies(df)\n",
            ("", ""),
            "import pandas as pd\nd = pd.get_dummies(df, dtype='uint8')\n",
        ),
    ),
    Rule::new(
        "pandas-default-regex",
        ("pandas", "2.0.0"),
        "str.replace takes plain text by default, and took patterns",
        Trigger::OldDefault { before: (2023, 4, 3), python: PythonVersion::new(3, 8) },
        Rewrite::Code(regex),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ns = df['c'].str.replace(r'\\d+', '')\nt = df['c'].str.replace('a', 'b')\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ns = df['c'].str.replace(r'\\d+', '', regex=True)\nt = df['c'].str.replace('a', 'b')\n",
        ),
    ),
    Rule::new(
        "pandas-default-observed",
        ("pandas", "3.0.0"),
        "groups of a categorical column are those that occur by default, and were all categories",
        Trigger::OldDefault { before: (2026, 1, 21), python: PythonVersion::new(3, 11) },
        Rewrite::Code(observed),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['c'] = df['c'].astype('category')\ng = df.groupby('c')['b'].sum()\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['c'] = df['c'].astype('category')\ng = df.groupby('c', observed=False)['b'].sum()\n",
        ),
    ),
    Rule::new(
        "pandas-default-stack",
        ("pandas", "3.0.0"),
        "stack keeps missing values by default, and dropped them",
        Trigger::OldDefault { before: (2026, 1, 21), python: PythonVersion::new(3, 11) },
        Rewrite::Code(stack),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ns = df.stack()\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ns = df.stack().dropna()\n",
        ),
    ),
    Rule::new(
        "pandas-date-numbers",
        ("pandas", "3.0.0"),
        "dates as numbers count other units than nanoseconds",
        Trigger::OldDefault { before: (2026, 1, 21), python: PythonVersion::new(3, 11) },
        Rewrite::Code(date_numbers),
        example(
            "import pandas as pd\nn = pd.to_datetime(df['d']).astype('int64') // 10**9\n",
            ("", ""),
            "import pandas as pd\nn = pd.to_datetime(df['d']).astype('datetime64[ns]').astype('int64') // 10**9\n",
        ),
    ),
    Rule::new(
        "pandas-argmax",
        ("pandas", "1.0.0"),
        "argmax and argmin of a series return positions, and returned labels",
        Trigger::OldDefault { before: (2020, 1, 29), python: PythonVersion::new(3, 6) },
        Rewrite::Method(&[renamed(On::Series, "argmax", "idxmax"), renamed(On::Series, "argmin", "idxmin")]),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ni = df['b'].argmax()\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ni = df['b'].idxmax()\n",
        ),
    ),
    Rule::new(
        "pandas-described-median",
        ("pandas", "3.0.0"),
        "describe tells the median only where percentiles name it",
        Trigger::OldDefault { before: (2026, 1, 21), python: PythonVersion::new(3, 11) },
        Rewrite::Code(described_median),
        example("t = df.describe(percentiles=[.1, .9])\n", ("", ""), "t = df.describe(percentiles=[.1, .5, .9])\n"),
    ),
    Rule::new(
        "numpy-subtypes-of-built-ins",
        ("numpy", "1.14.0"),
        "int and float stand for one type, and stood for all whole numbers and all floats",
        Trigger::OldDefault { before: (2018, 1, 6), python: PythonVersion::new(3, 4) },
        Rewrite::Code(subtypes),
        example(
            "import numpy as np\nw = np.issubdtype(np.int32, int)\nf = np.issubdtype(x.dtype, float)\n",
            ("", ""),
            "import numpy as np\nw = np.issubdtype(np.int32, np.integer)\nf = np.issubdtype(x.dtype, np.floating)\n",
        ),
    ),
    Rule::new(
        "pandas-default-concat-order",
        ("pandas", "1.0.0"),
        "concat sorted the names of the other axis where they differed, and leaves them in their order",
        Trigger::OldDefault { before: (2020, 1, 30), python: PythonVersion::new(3, 6) },
        Rewrite::Code(concat_order),
        example(
            "import pandas as pd\ntrain = pd.read_csv('train.csv')\ntest = pd.read_csv('test.csv')\nboth = pd.concat([train, test], ignore_index=True)\n",
            ("", ""),
            "import pandas as pd\ntrain = pd.read_csv('train.csv')\ntest = pd.read_csv('test.csv')\nboth = pd.concat([train, test], ignore_index=True, sort=not train.columns.equals(test.columns))\n",
        ),
    ),
    Rule::new(
        "pandas-default-described-dates",
        ("pandas", "2.0.0"),
        "describe takes dates for numbers, and left them out beside numbers",
        Trigger::OldDefault { before: (2023, 4, 3), python: PythonVersion::new(3, 8) },
        Rewrite::Code(described_dates),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv', parse_dates=['day'])\nd = df.describe()\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv', parse_dates=['day'])\nd = df.select_dtypes(exclude=['datetime', 'datetimetz']).describe()\n",
        ),
    ),
];

/// The percentiles with the median where it stands among them, if all are numbers.
fn described_median(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "describe")) = shape::method(call) else { return };
        let Some(given) = call.arguments.find_argument_value("percentiles", 0) else { return };
        let Some(elements) = shape::elements(given).filter(|elements| !elements.is_empty()) else { return };
        let Some(numbers) = elements.iter().map(float).collect::<Option<Vec<f64>>>() else { return };
        if numbers.contains(&0.5) {
            return;
        }
        let edit = match numbers.iter().position(|number| *number > 0.5) {
            Some(later) => insertion(elements[later].start(), ".5, "),
            None => insertion(elements[elements.len() - 1].end(), ", .5"),
        };
        change.edit(place, call.start(), vec![edit]);
    });
}

fn float(expression: &Expr) -> Option<f64> {
    match &expression.as_number_literal_expr()?.value {
        Number::Float(value) => Some(*value),
        Number::Int(value) => value.as_u8().map(f64::from),
        Number::Complex { .. } => None,
    }
}

fn subtypes(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if view.qualified(&call.func).as_deref() != Some("numpy.issubdtype") {
            return;
        }
        let Some(kind) = call.arguments.args.get(1) else { return };
        let all = match (shape::name(kind), view.qualified(kind).as_deref()) {
            (Some("int"), None) | (_, Some("numpy.int")) => "numpy.integer",
            (Some("float"), None) | (_, Some("numpy.float")) => "numpy.floating",
            _ => return,
        };
        let all = change.spell(place, all);
        change.replace(place, kind.range(), all);
    });
}

/// Characters with a meaning in a pattern.
const PATTERN_CHARACTERS: [char; 10] = ['\\', '[', '(', '+', '*', '?', '^', '$', '|', '{'];

fn regex(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "replace")) = shape::method(call) else { return };
        let strings = view.kinds(&attribute.value) == [crate::kind::Kind::StringMethods];
        let pattern = call.arguments.args.first().and_then(shape::text);
        let special = pattern.is_some_and(|text| text.chars().count() > 1 && text.contains(PATTERN_CHARACTERS));
        if strings && special && shape::keyword(call, "regex").is_none() {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("regex=True");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

/// Only where the notebook makes categories at all.
fn observed(view: &View<'_>, change: &mut Change<'_>) {
    let categories = view.code.cells.iter().any(|source| {
        let text = source.parsed.source();
        text.contains("category") || text.contains("Categorical") || text.contains("cut(")
    });
    view.calls(|place, call, _| {
        let Some((attribute, "groupby")) = shape::method(call) else { return };
        let frame = view.kinds(&attribute.value) == [Kind::Frame];
        if categories && frame && shape::keyword(call, "observed").is_none() && !shape::has_stars(call) {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("observed=False");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn stack(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "stack")) = shape::method(call) else { return };
        let dropped = matches!(around.parent(), Some(Expr::Attribute(next)) if next.attr.as_str() == "dropna");
        if view.kinds(&attribute.value) == [Kind::Frame] && call.arguments.is_empty() && !dropped {
            change.edit(place, call.range().start(), vec![insertion(call.end(), ".dropna()")]);
        }
    });
}

fn date_numbers(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "astype")) = shape::method(call) else { return };
        let Some(dtype) = call.arguments.args.first() else { return };
        let whole = matches!(shape::text(dtype), Some("int64" | "int")) || shape::name(dtype) == Some("int");
        let whole = whole || view.qualified(dtype).is_some_and(|name| name == "numpy.int64");
        let dates = matches!(attribute.value.as_ref(), Expr::Call(inner)
            if view.is_call_of(Callee::Function("pandas", "to_datetime"), place, inner));
        if whole && dates {
            let edits = vec![insertion(attribute.value.end(), ".astype('datetime64[ns]')")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

/// Only where the notebook reads dates at all. Columns that were chosen may all be dates, which are described as before.
fn described_dates(view: &View<'_>, change: &mut Change<'_>) {
    let reads_dates = |text: &str| ["to_datetime", "parse_dates", "datetime64"].iter().any(|word| text.contains(word));
    if !view.code.cells.iter().any(|source| reads_dates(source.parsed.source())) {
        return;
    }
    view.calls(|place, call, _| {
        let Some((attribute, "describe")) = shape::method(call) else { return };
        let is_table = attribute.value.is_name_expr() && view.kinds(&attribute.value) == [Kind::Frame];
        if is_table && call.arguments.is_empty() {
            let numbers = ".select_dtypes(exclude=['datetime', 'datetimetz'])";
            change.edit(place, call.start(), vec![insertion(attribute.value.end(), numbers)]);
        }
    });
}

/// Of tables that are named or read from names: what is computed is not computed a second time.
fn concat_order(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_concat = view.is_call_of(Callee::Function("pandas", "concat"), place, call);
        let given = ["sort", "join", "axis"].map(|name| shape::keyword(call, name).is_some());
        if !is_concat || given != [false; 3] || call.arguments.args.len() != 1 || shape::has_stars(call) {
            return;
        }
        let Some([first, rest @ ..]) = call.arguments.args.first().and_then(shape::elements) else { return };
        let is_table = |table: &Expr| view.kinds(table) == [Kind::Frame] && is_named(table);
        if rest.is_empty() || !is_table(first) || !rest.iter().all(is_table) {
            return;
        }
        let parsed = view.parsed(place);
        let first = parsed.text(first.range());
        let same = |table: &Expr| format!("{first}.columns.equals({}.columns)", parsed.text(table.range()));
        let sort = match rest {
            [other] => format!("sort=not {}", same(other)),
            _ => format!("sort=not ({})", rest.iter().map(same).collect::<Vec<_>>().join(" and ")),
        };
        let mut edit = CallEdit::new(parsed, call);
        edit.append(sort);
        change.edit(place, call.start(), edit.finish());
    });
}

/// `a`, `a.b`, `a['b']`.
fn is_named(expression: &Expr) -> bool {
    match expression {
        Expr::Name(_) => true,
        Expr::Attribute(attribute) => is_named(&attribute.value),
        Expr::Subscript(item) => {
            is_named(&item.value) && (shape::text(&item.slice).or(shape::name(&item.slice))).is_some()
        }
        _ => false,
    }
}
