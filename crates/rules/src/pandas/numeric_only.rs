//! Statistics over frames with text columns, which used to leave those columns out.

use nbrevive_pysource::ast::{Expr, ExprAttribute, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};

static TEXT_IN_STATISTIC: &[Signature] = &[
    sig("ValueError", "could not convert string to float"),
    sig("TypeError", "Cannot perform reduction"),
    sig("TypeError", "Could not convert"),
    sig("TypeError", "does not support operation"),
    sig("TypeError", "unsupported operand type(s) for -: 'str' and 'str'"),
    sig("TypeError", "unsupported operand type(s) for /: 'str' and 'int'"),
    sig("TypeError", "agg function failed"),
    sig("TypeError", "does not support reduction"),
    sig("TypeError", "dtype does not support aggregation"),
    sig("TypeError", "is not supported for object dtype"),
    sig("TypeError", "'DatetimeArray' with dtype datetime64*does not support"),
    sig("TypeError", "contains columns with dtype datetime64 or timedelta64"),
    sig("DataError", "Cannot aggregate non-numeric type"),
];

/// What text says to numbers of its row.
static TEXT_IN_ROWS: &[Signature] = &[
    sig("TypeError", "can only concatenate str"),
    sig("TypeError", "unsupported operand type(s) for +"),
    sig("TypeError", "not supported between instances of"),
    sig("TypeError", "can't multiply sequence by non-int"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-numeric-only",
        ("pandas", "2.0.0"),
        "statistics of a frame no longer leave text columns out by themselves",
        Trigger::Error(TEXT_IN_STATISTIC),
        Rewrite::Code(numeric_only),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nc = df.corr()\ndf = df.fillna(df.median())\ng = df.groupby('c').mean()\nm = df['b'].mean()\n",
            ("ValueError", "could not convert string to float: 'x'"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nc = df.corr(numeric_only=True)\ndf = df.fillna(df.median(numeric_only=True))\ng = df.groupby('c').mean(numeric_only=True)\nm = df['b'].mean()\n",
        ),
    ),
    Rule::new(
        "pandas-rows-of-text",
        ("pandas", "2.0.0"),
        "statistics of a frame's rows no longer leave text columns out by themselves",
        Trigger::Error(TEXT_IN_ROWS),
        Rewrite::Code(rows_of_text),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['total'] = df.sum(axis=1)\n",
            ("TypeError", "can only concatenate str (not \"int\") to str"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['total'] = df.sum(axis=1, numeric_only=True)\n",
        ),
    ),
    Rule::new(
        "pandas-group-sum-of-text",
        ("pandas", "2.0.0"),
        "the sum of groups joins text columns instead of leaving them out",
        Trigger::Silent,
        Rewrite::Code(group_sum),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ng = df.groupby('c').sum()\nh = df.groupby('c')['b'].sum()\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ng = df.groupby('c').sum(numeric_only=True)\nh = df.groupby('c')['b'].sum()\n",
        ),
    ),
];

const FRAME_STATISTICS: [&str; 14] = [
    "corr", "cov", "corrwith", "mean", "median", "std", "var", "skew", "kurt", "kurtosis", "quantile", "sem", "prod",
    "product",
];
const GROUP_STATISTICS: [&str; 8] = ["mean", "median", "std", "var", "quantile", "sem", "corr", "cov"];

fn numeric_only(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, name)) = shape::method(call) else { return };
        if is_of_one_column(view, attribute, name, call) {
            return;
        }
        let kinds = view.kinds(&attribute.value);
        let wanted = match &kinds[..] {
            [] => {
                FRAME_STATISTICS.contains(&name)
                    && view.at_fault(place, call.range())
                    && !is_module(view, &attribute.value)
            }
            [Kind::Grouped] => GROUP_STATISTICS.contains(&name),
            [Kind::Window] => GROUP_STATISTICS.contains(&name) && view.at_fault(place, call.range()),
            [Kind::Frame] => FRAME_STATISTICS.contains(&name),
            kinds if kinds.contains(&Kind::Frame) || kinds.contains(&Kind::Grouped) => {
                FRAME_STATISTICS.contains(&name) && view.at_fault(place, call.range())
            }
            _ => false,
        };
        let sums_groups = name == "sum" && is_grouping(&attribute.value) && view.at_fault(place, call.range());
        if wanted || sums_groups {
            add_numeric_only(view, change, place, call);
        }
    });
}

fn is_grouping(value: &Expr) -> bool {
    matches!(value, Expr::Call(call) if shape::method(call).is_some_and(|(_, name)| name == "groupby"))
}

/// Whether it is plain from the text that a statistic is that of a series, which has no such argument: it is told the other
/// series, or called on one column.
fn is_of_one_column(view: &View<'_>, attribute: &ExprAttribute, name: &str, call: &ExprCall) -> bool {
    if matches!(name, "corr" | "cov") {
        let is_literal = |first: &Expr| matches!(first, Expr::StringLiteral(_) | Expr::NumberLiteral(_));
        let first = call.arguments.args.first();
        return shape::keyword(call, "other").is_some() || first.is_some_and(|first| !is_literal(first));
    }
    let Expr::Subscript(column) = attribute.value.as_ref() else { return false };
    let of_many = |kind: &Kind| matches!(kind, Kind::Dict | Kind::Indexer);
    shape::text(&column.slice).is_some() && !view.kinds(&column.value).iter().any(of_many)
}

fn is_module(view: &View<'_>, expression: &Expr) -> bool {
    view.qualified(expression).is_some()
}

fn add_numeric_only(view: &View<'_>, change: &mut Change<'_>, place: Place, call: &ExprCall) {
    if shape::keyword(call, "numeric_only").is_some() || shape::has_stars(call) {
        return;
    }
    if along_rows(call) && !view.at_fault(place, call.range()) {
        return;
    }
    let mut edit = CallEdit::new(view.parsed(place), call);
    edit.append("numeric_only=True");
    change.edit(place, call.range().start(), edit.finish());
}

fn rows_of_text(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "sum" | "prod" | "product" | "max" | "min")) = shape::method(call) else { return };
        let is_frame = matches!(&view.kinds(&attribute.value)[..], [] | [Kind::Frame]);
        if is_frame && along_rows(call) && view.at_fault(place, call.range()) && !is_module(view, &attribute.value) {
            add_numeric_only(view, change, place, call);
        }
    });
}

fn along_rows(call: &ExprCall) -> bool {
    let first = call.arguments.args.first();
    let axis = shape::keyword(call, "axis").map_or(first, |axis| Some(&axis.value));
    axis.is_some_and(|axis| shape::integer(axis) == Some(1) || shape::text(axis) == Some("columns"))
}

/// Only where no column is chosen, so that text columns would have been left out.
fn group_sum(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "sum")) = shape::method(call) else { return };
        let Expr::Call(group) = attribute.value.as_ref() else { return };
        let Some((owner, "groupby")) = shape::method(group) else { return };
        // The rows of a transposed table were its columns.
        let transposed = matches!(owner.value.as_ref(), Expr::Attribute(inner) if inner.attr.as_str() == "T");
        if view.kinds(&owner.value) == [Kind::Frame] && !owner.value.is_subscript_expr() && !transposed {
            add_numeric_only(view, change, place, call);
        }
    });
}
