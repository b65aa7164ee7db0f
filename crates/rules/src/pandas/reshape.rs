//! Options, indexes and argument values.

use nbrevive_pysource::ast::{Expr, Operator};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::kind::Kind;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-options",
        ("pandas", "1.4.0"),
        "option names must be complete, and some options are gone",
        Trigger::Error(&[
            sig("OptionError", "Pattern matched multiple keys"),
            sig("OptionError", "No such keys"),
            sig("OptionError", "You can only set the value of existing options"),
        ]),
        Rewrite::Code(options),
        example(
            "import pandas as pd\npd.set_option('max_columns', 100)\npd.set_option('display.height', 500)\n",
            ("OptionError", "Pattern matched multiple keys"),
            "import pandas as pd\npd.set_option('display.max_columns', 100)\n",
        ),
    ),
    Rule::new(
        "pandas-index-set-operations",
        ("pandas", "2.0.0"),
        "& and | of indexes are no set operations",
        Trigger::Error(&[
            sig("TypeError", "unsupported operand type(s) for &"),
            sig("TypeError", "unsupported operand type(s) for |"),
            sig("TypeError", "unsupported operand type(s) for -: 'Index'"),
            sig("TypeError", "operation 'sub' not supported for dtype"),
            sig("ValueError", "Lengths of operands do not match"),
        ]),
        Rewrite::Code(index_operations),
        example(
            "import pandas as pd\na = pd.read_csv('a.csv')\nb = pd.read_csv('b.csv')\nc = a.columns & b.columns\nd = a.columns - ['id']\n",
            ("TypeError", "unsupported operand type(s) for &: 'StringArray' and 'StringArray'"),
            "import pandas as pd\na = pd.read_csv('a.csv')\nb = pd.read_csv('b.csv')\nc = a.columns.intersection(b.columns)\nd = a.columns.difference(['id'])\n",
        ),
    ),
    Rule::new(
        "pandas-rename-axis",
        ("pandas", "1.0.0"),
        "rename_axis names axes only; rename changes labels",
        Trigger::Error(&[sig("ValueError", "Use `.rename` to alter labels with a mapper")]),
        Rewrite::Method(&[crate::methods::renamed(crate::receiver::On::AtFault, "rename_axis", "rename")]),
        example(
            "d = df.rename_axis({'a': 'A'}, axis=1)\n",
            ("ValueError", "Use `.rename` to alter labels with a mapper."),
            "d = df.rename({'a': 'A'}, axis=1)\n",
        ),
    ),
    Rule::new(
        "pandas-level-aggregation",
        ("pandas", "2.0.0"),
        "aggregations have no level; groupby(level=…) does it",
        Trigger::Error(&[sig("TypeError", "got an unexpected keyword argument 'level'")]),
        Rewrite::Code(level_aggregation),
        example(
            "r = s.sum(level=0)\n",
            ("TypeError", "sum() got an unexpected keyword argument 'level'"),
            "r = s.groupby(level=0).sum()\n",
        ),
    ),
    Rule::new(
        "pandas-sort-index-by",
        ("pandas", "1.0.0"),
        "sort_index(by=…) is sort_values(by=…)",
        Trigger::Error(&[sig("TypeError", "sort_index() got an unexpected keyword argument 'by'")]),
        Rewrite::Code(sort_index_by),
        example(
            "d = df.sort_index(by='a', ascending=False)\n",
            ("TypeError", "DataFrame.sort_index() got an unexpected keyword argument 'by'"),
            "d = df.sort_values(by='a', ascending=False)\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-category-dtype",
        ("pandas", "0.25.0"),
        "astype('category', …) takes its categories in a CategoricalDtype",
        Trigger::Error(&[
            sig("TypeError", "astype() got an unexpected keyword argument 'categories'"),
            sig("TypeError", "astype() got an unexpected keyword argument 'ordered'"),
        ]),
        Rewrite::Code(category_dtype),
        example(
            "import pandas as pd\nc = s.astype('category', categories=['y', 'x'], ordered=True)\n",
            ("TypeError", "NDFrame.astype() got an unexpected keyword argument 'categories'"),
            "import pandas as pd\nc = s.astype(pd.CategoricalDtype(categories=['y', 'x'], ordered=True))\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-date-index-constructor",
        ("pandas", "1.0.0"),
        "DatetimeIndex(start=…) is date_range(start=…), and PeriodIndex(start=…) is period_range(start=…)",
        Trigger::Error(&[sig("TypeError", "Index.__new__() got an unexpected keyword argument")]),
        Rewrite::Code(date_index),
        example(
            "import pandas as pd\nx = pd.DatetimeIndex(start='2019-01-01', periods=3, freq='D')\n",
            ("TypeError", "DatetimeIndex.__new__() got an unexpected keyword argument 'start'"),
            "import pandas as pd\nx = pd.date_range(start='2019-01-01', periods=3, freq='D')\n",
        ),
    )
    .certain(),
];

const SHORT_OPTIONS: [(&str, &str); 6] = [
    ("max_rows", "'display.max_rows'"),
    ("max_columns", "'display.max_columns'"),
    ("max_colwidth", "'display.max_colwidth'"),
    ("precision", "'display.precision'"),
    ("width", "'display.width'"),
    ("expand_frame_repr", "'display.expand_frame_repr'"),
];
/// Options that changed no value.
const LOST_OPTIONS: [&str; 4] = ["display.height", "display.mpl_style", "display.line_width", "mode.copy_on_write"];

fn options(view: &View<'_>, change: &mut Change<'_>) {
    use nbrevive_pysource::ast::Stmt;
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = crate::view::Place(position);
        crate::walk::statements(source.parsed.body(), &mut |statement, around| match statement {
            Stmt::Expr(one) => {
                let Expr::Call(call) = one.value.as_ref() else { return };
                let option = call.arguments.args.first().and_then(shape::text);
                let lost = option.is_some_and(|option| LOST_OPTIONS.contains(&option));
                if lost && view.is_call_of(Callee::Function("pandas", "set_option"), place, call) {
                    change.remove(place, statement, around);
                }
            }
            Stmt::Assign(assign) => {
                let target = assign.targets.first().and_then(|target| view.qualified(target));
                let option = target.as_deref().and_then(|target| target.strip_prefix("pandas.options."));
                if option.is_some_and(|option| LOST_OPTIONS.contains(&option)) {
                    change.remove(place, statement, around);
                }
            }
            _ => {}
        });
    }
    view.calls(|place, call, _| {
        let Some(first) = call.arguments.args.first() else { return };
        let Some((_, new)) = SHORT_OPTIONS.iter().find(|(old, _)| shape::text(first) == Some(old)) else { return };
        if ["set_option", "get_option", "option_context"]
            .iter()
            .any(|name| view.is_call_of(Callee::Function("pandas", name), place, call))
        {
            change.replace(place, first.range(), *new);
        }
    });
}

fn index_operations(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::BinOp(operation) = expression else { return };
        let method = match operation.op {
            Operator::BitAnd => "intersection",
            Operator::BitOr => "union",
            Operator::Sub => "difference",
            Operator::BitXor => "symmetric_difference",
            _ => return,
        };
        let index = view.kinds(&operation.left) == [Kind::Index];
        if !index || !shape::is_primary(&operation.left) || !view.at_fault(place, expression.range()) {
            return;
        }
        let parsed = view.parsed(place);
        let gap = TextRange::new(operation.left.end(), operation.right.range().start());
        let edits = vec![replacement(gap, format!(".{method}(")), crate::change::insertion(operation.right.end(), ")")];
        if parsed.text(gap).trim().len() == 1 {
            change.edit(place, expression.range().start(), edits);
        }
    });
}

fn level_aggregation(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, name)) = shape::method(call) else { return };
        if !matches!(name, "sum" | "mean" | "max" | "min" | "count" | "std" | "var" | "median" | "any" | "all") {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("level") else { return };
        let level = edit.value_text(number);
        edit.remove(number);
        // Groups of columns are groups of rows of the transposed frame.
        let columns =
            edit.find("axis").filter(|axis| matches!(edit.value_text(*axis), "1" | "'columns'" | "\"columns\""));
        let (before, after) = if columns.is_some() { ("T.", ".T") } else { ("", "") };
        if let Some(axis) = edit.find("axis") {
            edit.remove(axis);
        }
        let whole = TextRange::new(attribute.attr.range().start(), call.end());
        change.replace(place, whole, format!("{before}groupby(level={level}).{name}({}){after}", edit.render()));
    });
}

fn sort_index_by(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "sort_index")) = shape::method(call) else { return };
        if shape::keyword(call, "by").is_some() {
            change.replace(place, attribute.attr.range(), "sort_values");
        }
    });
}

fn category_dtype(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "astype")) = shape::method(call) else { return };
        let category = call.arguments.args.first().and_then(shape::text) == Some("category");
        let mut edit = CallEdit::new(view.parsed(place), call);
        if !category || edit.find("categories").is_none() && edit.find("ordered").is_none() {
            return;
        }
        if let Some(first) = edit.positional().first().copied() {
            edit.remove(first);
        }
        let dtype = change.spell(place, "pandas.CategoricalDtype");
        let whole = TextRange::new(attribute.attr.range().start(), call.end());
        change.replace(place, whole, format!("astype({dtype}({}))", edit.render()));
    });
}

fn date_index(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if shape::keyword(call, "start").is_none() {
            return;
        }
        for (index, range) in [("DatetimeIndex", "pandas.date_range"), ("PeriodIndex", "pandas.period_range")] {
            if view.is_call_of(Callee::Function("pandas", index), place, call) {
                let function = change.spell(place, range);
                change.replace(place, call.func.range(), function);
            }
        }
    });
}

/// Values that are written otherwise now.
pub(super) fn values(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let name = shape::method(call).map_or("", |(_, name)| name);
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        match name {
            "between" => {
                let number = edit.find("inclusive").or_else(|| edit.positional().get(2).copied());
                let Some(number) = number else { return };
                let Some(value) = shape::boolean(edit.value(number)) else { return };
                edit.set(number, if value { "inclusive='both'" } else { "inclusive='neither'" });
            }
            "dropna" => {
                let (Some(how), Some(_)) = (edit.find("how"), edit.find("thresh")) else { return };
                edit.remove(how);
            }
            "to_dict" => {
                let number = edit.find("orient").or_else(|| edit.positional().first().copied());
                let Some(number) = number else { return };
                let full = match shape::text(edit.value(number)) {
                    Some("r" | "record" | "row" | "rows") => "'records'",
                    Some("l") => "'list'",
                    Some("s") => "'series'",
                    Some("d") => "'dict'",
                    Some("i") => "'index'",
                    _ => return,
                };
                edit.set(number, full);
            }
            "set_option" if edit.positional().len() == 2 => {
                let numbers = edit.positional();
                let width = shape::text(edit.value(numbers[0])).is_some_and(|option| option.contains("max_colwidth"));
                if !width || shape::integer(edit.value(numbers[1])) != Some(-1) {
                    return;
                }
                edit.set(numbers[1], "None");
            }
            _ => return,
        }
        change.edit(place, call.range().start(), edit.finish());
    });
    max_colwidth_attribute(view, change);
}

/// `pd.options.display.max_colwidth = -1`.
fn max_colwidth_attribute(view: &View<'_>, change: &mut Change<'_>) {
    use nbrevive_pysource::ast::Stmt;
    view.expressions(|place, expression, around| {
        let Stmt::Assign(assign) = around.statement() else { return };
        let target = assign.targets.first().is_some_and(|target| target.range() == expression.range());
        let option =
            target && view.qualified(expression).is_some_and(|name| name == "pandas.options.display.max_colwidth");
        if option && shape::integer(&assign.value) == Some(-1) {
            change.replace(place, assign.value.range(), "None");
        }
    });
}
