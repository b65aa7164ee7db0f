//! Defaults of pandas.

use nbrevive_pysource::ast::Expr;
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
        Trigger::OldDefault { before: (2023, 4, 3), python: (3, 8) },
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
        Trigger::OldDefault { before: (2023, 4, 3), python: (3, 8) },
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
        Trigger::OldDefault { before: (2026, 1, 21), python: (3, 11) },
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
        Trigger::OldDefault { before: (2026, 1, 21), python: (3, 11) },
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
        Trigger::OldDefault { before: (2026, 1, 21), python: (3, 11) },
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
        Trigger::OldDefault { before: (2020, 1, 29), python: (3, 6) },
        Rewrite::Method(&[renamed(On::Series, "argmax", "idxmax"), renamed(On::Series, "argmin", "idxmin")]),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ni = df['b'].argmax()\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ni = df['b'].idxmax()\n",
        ),
    ),
];

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
