//! Text columns that group-bys, pivot tables and whole-frame fills used to cope with.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::kind::Kind;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::{shape, walk};

static TEXT_IN_GROUPS: &[Signature] = &[
    sig("TypeError", "does not support operation"),
    sig("TypeError", "agg function failed"),
    sig("TypeError", "Cannot perform reduction"),
    sig("TypeError", "Could not convert"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-agg-of-text",
        ("pandas", "2.0.0"),
        "agg with the name of a statistic no longer leaves text columns out",
        Trigger::Error(TEXT_IN_GROUPS),
        Rewrite::Code(agg_of_text),
        example(
            "import numpy as np\na = df.groupby('c').agg('mean')\nb = df.groupby('c').agg(np.mean)\nd = df.groupby(['c', 'd']).agg(['mean', 'sum'])\n",
            ("TypeError", "dtype 'str' does not support operation 'mean'"),
            "import numpy as np\na = df.groupby('c').agg('mean', numeric_only=True)\nb = df.groupby('c').agg('mean', numeric_only=True)\nd = df.groupby(['c', 'd'])[[column for column in df.select_dtypes(['number', 'bool']) if column not in ['c', 'd']]].agg(['mean', 'sum'])\n",
        ),
    ),
    Rule::new(
        "pandas-pivot-of-text",
        ("pandas", "2.0.0"),
        "a pivot table without values no longer leaves text columns out",
        Trigger::Error(TEXT_IN_GROUPS),
        Rewrite::Code(pivot_of_text),
        example(
            "import pandas as pd\na = df.pivot_table(index=['c'])\nb = pd.pivot_table(df, index='c', columns=['d'], aggfunc='mean')\n",
            ("TypeError", "dtype 'str' does not support operation 'mean'"),
            "import pandas as pd\na = df.pivot_table(index=['c'], values=[column for column in df.select_dtypes(['number', 'bool']) if column not in ['c']])\nb = pd.pivot_table(df, index='c', columns=['d'], aggfunc='mean', values=[column for column in df.select_dtypes(['number', 'bool']) if column not in ['c', 'd']])\n",
        ),
    ),
    Rule::new(
        "pandas-fill-text-frame",
        ("pandas", "3.0.0"),
        "filling a frame with a number in place is refused by its text columns; they are replaced",
        Trigger::Error(&[sig("TypeError", "Invalid value '*' for dtype 'str'")]),
        Rewrite::Code(fill_in_place),
        example(
            "df.fillna(0, inplace=True)\ndf[df.isnull()] = 0\n",
            (
                "TypeError",
                "Invalid value '0' for dtype 'str'. Value should be a string or missing value, got 'int' instead.",
            ),
            "df[df.columns] = df.fillna(0)\ndf[df.columns] = df.mask(df.isnull(), 0)\n",
        ),
    ),
    Rule::new(
        "pandas-dummies-are-bool",
        ("pandas", "2.0.0"),
        "get_dummies gives booleans, which take no numbers; it gave whole numbers",
        Trigger::Error(&[
            sig("TypeError", "Invalid value '*' for dtype 'bool'"),
            sig("ValueError", "Pandas data cast to numpy dtype of object"),
            sig("TypeError", "numpy boolean subtract, the `-` operator, is not supported"),
            sig("TypeError", "The numpy boolean negative, the `-` operator, is not supported"),
        ]),
        Rewrite::Code(whole_dummies),
        example(
            "import pandas as pd\nd = pd.get_dummies(df['c'], drop_first=True)\nd.iloc[0] = -1\n",
            ("TypeError", "Invalid value '-1' for dtype 'bool'"),
            "import pandas as pd\nd = pd.get_dummies(df['c'], drop_first=True, dtype=int)\nd.iloc[0] = -1\n",
        ),
    ),
];

/// Statistics of numbers, by name or as functions of numpy.
const STATISTICS: [&str; 6] = ["mean", "median", "std", "var", "sum", "prod"];

fn statistic<'a>(view: &View<'_>, expression: &'a Expr) -> Option<&'a str> {
    let name = match expression {
        Expr::Attribute(attribute) if view.qualified(expression)?.starts_with("numpy.") => attribute.attr.as_str(),
        _ => shape::text(expression)?,
    };
    STATISTICS.contains(&name).then_some(name)
}

/// The literal keys of an argument, as they stand in the text: `'c'` or the elements of a list.
fn keys<'a>(view: &View<'a>, place: Place, argument: Option<&Expr>) -> Option<Vec<&'a str>> {
    let Some(argument) = argument else { return Some(Vec::new()) };
    let several = shape::elements(argument).unwrap_or(std::slice::from_ref(argument));
    let literal = several.iter().all(|one| shape::text(one).is_some());
    literal.then(|| several.iter().map(|one| view.parsed(place).text(one.range())).collect())
}

/// The columns of a frame that hold numbers, but for those that group it.
fn number_columns(frame: &str, keys: &[&str]) -> String {
    format!("[column for column in {frame}.select_dtypes(['number', 'bool']) if column not in [{}]]", keys.join(", "))
}

fn argument<'a>(call: &'a ExprCall, name: &str, position: usize) -> Option<&'a Expr> {
    shape::keyword(call, name).map(|keyword| &keyword.value).or_else(|| call.arguments.args.get(position))
}

fn agg_of_text(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((method, "agg" | "aggregate")) = shape::method(call) else { return };
        let [what] = &call.arguments.args[..] else { return };
        let Expr::Call(group) = method.value.as_ref() else { return };
        let Some((owner, "groupby")) = shape::method(group) else { return };
        if !call.arguments.keywords.is_empty() || !view.at_fault(place, call.range()) {
            return;
        }
        if let Some(name) = statistic(view, what) {
            change.replace(place, what.range(), format!("'{name}', numeric_only=True"));
            return;
        }
        let several = shape::elements(what).is_some_and(|all| all.iter().all(|one| statistic(view, one).is_some()));
        let Some(keys) = keys(view, place, argument(group, "by", 0)) else { return };
        if several && shape::dotted(&owner.value).is_some() {
            let columns = number_columns(receiver_text(view.parsed(place), owner), &keys);
            change.edit(place, call.range().start(), vec![insertion(group.end(), format!("[{columns}]"))]);
        }
    });
}

fn pivot_of_text(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let parsed = view.parsed(place);
        let function = view.is_call_of(Callee::Function("pandas", "pivot_table"), place, call);
        let frame = match shape::method(call) {
            _ if function => call.arguments.args.first().map(|frame| (frame, parsed.text(frame.range()))),
            Some((owner, "pivot_table")) => Some((owner.value.as_ref(), receiver_text(parsed, owner))),
            _ => None,
        };
        let Some((frame, text)) = frame.filter(|(frame, _)| shape::dotted(frame).is_some()) else { return };
        let before = usize::from(function);
        let chosen = argument(call, "values", before).is_some();
        if chosen || shape::has_stars(call) || frame.is_call_expr() || !view.at_fault(place, call.range()) {
            return;
        }
        let rows = keys(view, place, argument(call, "index", before + 1));
        let columns = keys(view, place, argument(call, "columns", before + 2));
        let (Some(mut keys), Some(columns)) = (rows, columns) else { return };
        keys.extend(columns);
        let mut edit = CallEdit::new(parsed, call);
        edit.append(format!("values={}", number_columns(text, &keys)));
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn fill_in_place(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            if !view.at_fault(place, statement.range()) {
                return;
            }
            let text = match statement {
                Stmt::Expr(one) => filled(view, place, &one.value),
                Stmt::Assign(assign) => match &assign.targets[..] {
                    [Expr::Subscript(target)] if is_frame_mask(&target.value, &target.slice) => {
                        let frame = source.parsed.text(target.value.range());
                        let mask = source.parsed.text(target.slice.range());
                        let value = source.parsed.text_of(assign.value.as_ref());
                        Some(format!("{frame}[{frame}.columns] = {frame}.mask({mask}, {value})"))
                    }
                    _ => None,
                },
                _ => None,
            };
            if let Some(text) = text {
                change.replace(place, statement.range(), text);
            }
        });
    }
}

/// `df.fillna(0, inplace=True)` of a frame in a variable.
fn filled(view: &View<'_>, place: Place, expression: &Expr) -> Option<String> {
    let Expr::Call(call) = expression else { return None };
    let (owner, "fillna") = shape::method(call)? else { return None };
    let frame = shape::name(&owner.value)?;
    let mut edit = CallEdit::new(view.parsed(place), call);
    let in_place = edit.find("inplace").filter(|number| shape::boolean(edit.value(*number)) == Some(true))?;
    edit.remove(in_place);
    let series = view.kinds(&owner.value) == [Kind::Series];
    (!series).then(|| format!("{frame}[{frame}.columns] = {frame}.fillna({})", edit.render()))
}

/// `df[df.isnull()]`, `df[pd.isnull(df)]`.
fn is_frame_mask(frame: &Expr, mask: &Expr) -> bool {
    let (Some(name), Expr::Call(call)) = (shape::name(frame), mask) else { return false };
    let Some((owner, "isnull" | "isna")) = shape::method(call) else { return false };
    shape::name(&owner.value) == Some(name) || call.arguments.args.first().and_then(shape::name) == Some(name)
}

fn whole_dummies(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let dummies = view.is_call_of(Callee::Function("pandas", "get_dummies"), place, call);
        if dummies && shape::keyword(call, "dtype").is_none() && !shape::has_stars(call) {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("dtype=int");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}
