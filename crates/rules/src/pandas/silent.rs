//! Changes of results that raise nothing, or only later and elsewhere.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-replace-with-numbers",
        ("pandas", "3.0.0"),
        "replace leaves numbers in a column of objects; infer_objects makes it numeric as before",
        Trigger::Silent,
        Rewrite::Code(replace_with_numbers),
        example(
            "df['s'] = df['s'].replace({'male': 0, 'female': 1})\nt = df.replace({'x': 'y'})\n",
            ("", ""),
            "df['s'] = df['s'].replace({'male': 0, 'female': 1}).infer_objects()\nt = df.replace({'x': 'y'})\n",
        ),
    ),
    Rule::new(
        "pandas-eval-in-place",
        ("pandas", "0.20.0"),
        "eval with an assignment returns a frame instead of changing it",
        Trigger::Silent,
        Rewrite::Code(eval_in_place),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.eval('d = a + b')\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.eval('d = a + b', inplace=True)\n",
        ),
    ),
    Rule::new(
        "pandas-text-of-gaps",
        ("pandas", "3.0.0"),
        "astype(str) wrote gaps as nan; now they stay gaps",
        Trigger::Silent,
        Rewrite::Code(text_of_gaps),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df['c'].astype(str)\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df['c'].astype(str).fillna('nan')\n",
        ),
    ),
    Rule::new(
        "pandas-replace-by-function",
        ("pandas", "2.0.0"),
        "str.replace with a function or a compiled pattern needs regex=True",
        Trigger::Error(&[
            sig("ValueError", "Cannot use a callable replacement when regex=False"),
            sig("ValueError", "Cannot use a compiled regex as replacement pattern with regex=False"),
        ]),
        Rewrite::Code(replace_by_function),
        example(
            "r = s.str.replace('b', lambda found: found.group(0) * 2)\n",
            ("ValueError", "Cannot use a callable replacement when regex=False"),
            "r = s.str.replace('b', lambda found: found.group(0) * 2, regex=True)\n",
        ),
    ),
    Rule::new(
        "pandas-changes-over-gaps",
        ("pandas", "3.0.0"),
        "pct_change filled gaps with the value before; now they stay",
        Trigger::Silent,
        Rewrite::Code(changes_over_gaps),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df['b'].pct_change(2)\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df['b'].ffill().pct_change(2)\n",
        ),
    ),
    Rule::new(
        "pandas-value-counts-name",
        ("pandas", "2.0.0"),
        "what value_counts gives is named count, not by what was counted",
        Trigger::Error(&[sig("KeyError", ""), sig("ValueError", "Could not interpret value")]),
        Rewrite::Code(value_counts_name),
        example(
            "v = df['c'].value_counts().to_frame()\nx = v['c']\n",
            ("KeyError", "'c'"),
            "v = df['c'].value_counts().rename('c').rename_axis(None).to_frame()\nx = v['c']\n",
        ),
    ),
    Rule::new(
        "pandas-value-counts-renamed",
        ("pandas", "2.0.0"),
        "value_counts().reset_index() has no column index that could be renamed",
        Trigger::Silent,
        Rewrite::Code(value_counts_renamed),
        example(
            "v = df['c'].value_counts().reset_index().rename(columns={'index': 'c', 'c': 'n'})\n",
            ("", ""),
            "v = df['c'].value_counts().rename_axis('index').reset_index(name='c').rename(columns={'index': 'c', 'c': 'n'})\n",
        ),
    ),
    Rule::new(
        "pandas-value-counts-columns",
        ("pandas", "2.0.0"),
        "value_counts().reset_index() names its columns by the series and count, not index and the series",
        Trigger::Error(&[
            sig("KeyError", ""),
            sig("ValueError", "Could not interpret value"),
            sig("ValueError", "is not the name of a column"),
        ]),
        Rewrite::Code(value_counts_columns),
        example(
            "v = df['c'].value_counts().reset_index()\nx = v['index']\n",
            ("KeyError", "'index'"),
            "v = df['c'].value_counts().rename_axis('index').reset_index(name='c')\nx = v['index']\n",
        ),
    ),
];

fn replace_with_numbers(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((_, "replace")) = shape::method(call) else { return };
        let argument = |position: usize, name: &str| {
            call.arguments.args.get(position).or(shape::keyword(call, name).map(|one| &one.value))
        };
        let numbers = match (argument(0, "to_replace"), argument(1, "value")) {
            (Some(Expr::Dict(dict)), None) => turns_text_into_numbers(dict),
            (Some(Expr::Name(name)), None) => {
                let held = view.only_value(name.id.as_str());
                held.and_then(|(_, value)| value.as_dict_expr()).is_some_and(turns_text_into_numbers)
            }
            (Some(Expr::List(texts)), Some(Expr::List(values))) => {
                let is_text = |one: &Expr| shape::text(one).is_some();
                !texts.is_empty() && texts.iter().all(is_text) && values.iter().all(is_number)
            }
            _ => false,
        };
        let in_place = shape::keyword(call, "inplace").is_some_and(|one| shape::boolean(&one.value) != Some(false));
        let inferred = matches!(around.parent(), Some(Expr::Attribute(next)) if next.attr.as_str() == "infer_objects");
        if !in_place && !inferred && numbers {
            change.edit(place, call.range().start(), vec![insertion(call.end(), ".infer_objects()")]);
        }
    });
}

fn is_number(value: &Expr) -> bool {
    shape::integer(value).is_some() || value.is_number_literal_expr()
}

fn turns_text_into_numbers(dict: &nbrevive_pysource::ast::ExprDict) -> bool {
    let any = dict.iter().next().is_some();
    any && dict.iter().all(|item| match &item.value {
        Expr::Dict(inner) => turns_text_into_numbers(inner),
        value => is_number(value) && item.key.as_ref().and_then(shape::text).is_some(),
    })
}

fn eval_in_place(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "eval")) = shape::method(call) else { return };
        let alone = matches!(around.statement(), Stmt::Expr(one) if one.value.range() == call.range());
        let assigns = call.arguments.args.first().and_then(shape::text).is_some_and(|text| {
            let without_comparisons = text.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", "");
            without_comparisons.contains('=')
        });
        if alone
            && assigns
            && view.kinds(&attribute.value) == [Kind::Frame]
            && shape::keyword(call, "inplace").is_none()
        {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("inplace=True");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn text_of_gaps(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "astype")) = shape::method(call) else { return };
        let ([dtype], []) = (&call.arguments.args[..], &call.arguments.keywords[..]) else { return };
        let is_text = shape::name(dtype) == Some("str") || shape::text(dtype) == Some("str");
        let kinds = view.kinds(&attribute.value);
        let of_rows = !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind, Kind::Frame | Kind::Series));
        let filled = matches!(around.parent(), Some(Expr::Attribute(next)) if next.attr.as_str() == "fillna");
        if is_text && of_rows && !filled {
            change.edit(place, call.range().start(), vec![insertion(call.end(), ".fillna('nan')")]);
        }
    });
}

fn replace_by_function(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "replace")) = shape::method(call) else { return };
        let of_text = matches!(attribute.value.as_ref(), Expr::Attribute(text) if text.attr.as_str() == "str");
        if of_text && view.at_fault(place, call.range()) && shape::keyword(call, "regex").is_none() {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("regex=True");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn changes_over_gaps(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "pct_change")) = shape::method(call) else { return };
        let of_rows = matches!(view.kinds(&attribute.value)[..], [Kind::Frame | Kind::Series]);
        let told = shape::keyword(call, "fill_method").is_some() || shape::has_stars(call);
        let filled = matches!(attribute.value.as_ref(), Expr::Call(call) if shape::method(call).is_some_and(|(_, name)| {
            ["ffill", "bfill", "fillna", "dropna", "interpolate"].contains(&name)
        }));
        if of_rows && !told && !filled {
            change.edit(place, call.range().start(), vec![insertion(attribute.value.end(), ".ffill()")]);
        }
    });
}

/// Only where an error names what was counted.
fn value_counts_name(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((series, "value_counts")) = shape::method(call) else { return };
        let name = match series.value.as_ref() {
            Expr::Subscript(subscript) => shape::text(&subscript.slice),
            Expr::Attribute(column) => Some(column.attr.as_str()),
            _ => None,
        };
        let Some(name) = name else { return };
        let missed = [format!("'{name}'"), format!("`{name}`")];
        let is_missed = view.errors.iter().any(|error| missed.iter().any(|one| error.evalue.contains(one)));
        let handled = matches!(around.parent(), Some(Expr::Attribute(next)) if
            ["reset_index", "rename", "rename_axis", "index", "plot"].contains(&next.attr.as_str()));
        if is_missed && !handled {
            let text = format!(".rename('{name}').rename_axis(None)");
            change.edit(place, call.range().start(), vec![insertion(call.end(), text)]);
        }
    });
}

/// Only where an error names `index`, or a column of a table of counts that was renamed from it.
fn value_counts_columns(view: &View<'_>, change: &mut Change<'_>) {
    let mut names_index =
        view.errors.iter().any(|error| error.evalue.contains("'index'") || error.evalue.contains("`index`"));
    view.expressions(|_, expression, around| {
        let key = matches!(around.parent(), Some(Expr::Dict(_))) && shape::text(expression) == Some("index");
        names_index |= key && !view.errors.is_empty();
    });
    if !names_index {
        return;
    }
    view.calls(|place, call, _| change_columns(view, change, place, call));
}

/// Only where `index` is renamed at once.
fn value_counts_renamed(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let [.., Expr::Call(rename), Expr::Attribute(_)] = around.parents else { return };
        let columns = shape::keyword(rename, "columns").map(|columns| &columns.value);
        let renamed = matches!(columns, Some(Expr::Dict(dict))
            if dict.items.iter().any(|item| item.key.as_ref().and_then(shape::text) == Some("index")));
        if renamed {
            change_columns(view, change, place, call);
        }
    });
}

/// `df['c'].value_counts().reset_index()` with the columns of before.
fn change_columns(view: &View<'_>, change: &mut Change<'_>, place: Place, call: &ExprCall) {
    let Some((attribute, "reset_index")) = shape::method(call) else { return };
    let Expr::Call(counts) = attribute.value.as_ref() else { return };
    let Some((series, "value_counts")) = shape::method(counts) else { return };
    let parsed = view.parsed(place);
    let name = match series.value.as_ref() {
        Expr::Subscript(subscript) if !subscript.slice.is_list_expr() => {
            parsed.text(subscript.slice.range()).to_owned()
        }
        Expr::Attribute(column) => format!("'{}'", column.attr.as_str()),
        _ => return,
    };
    if call.arguments.is_empty() {
        let inside = call.arguments.range().end() - nbrevive_pysource::text_size::TextSize::from(1);
        let edits = vec![insertion(counts.end(), ".rename_axis('index')"), insertion(inside, format!("name={name}"))];
        change.edit(place, call.range().start(), edits);
    }
}
