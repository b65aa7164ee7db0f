//! What `apply` gives back of groups: until pandas 2 the rows as they stood in the frame, until pandas 3 the columns of the keys with them.

use nbrevive_pysource::ast::{Expr, ExprCall, Operator, Stmt, StmtFunctionDef, UnaryOp};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::view::View;
use crate::walk::Surroundings;

/// Methods that give rows of a frame with all its columns.
const ROWS: &[&str] = &[
    "head",
    "tail",
    "nlargest",
    "nsmallest",
    "sort_values",
    "sort_index",
    "sample",
    "drop_duplicates",
    "dropna",
    "fillna",
    "ffill",
    "bfill",
    "assign",
    "query",
    "copy",
    "reset_index",
    "shift",
    "truncate",
    "drop",
];
/// Methods whose result stands at the same index.
const LIKE_INDEXED: &[&str] = &[
    "fillna",
    "ffill",
    "bfill",
    "pad",
    "cumsum",
    "cumprod",
    "cummax",
    "cummin",
    "shift",
    "diff",
    "pct_change",
    "rank",
    "interpolate",
    "astype",
    "clip",
    "round",
    "abs",
    "map",
    "replace",
    "where",
    "mask",
    "isnull",
    "notnull",
    "isna",
    "notna",
    "between",
    "isin",
    "add",
    "sub",
    "mul",
    "div",
    "subtract",
    "multiply",
    "divide",
    "tshift",
];
/// Windows, of which a statistic stands at the same index.
const WINDOWS: &[&str] = &["rolling", "expanding", "ewm"];
/// Functions of numpy that work element by element.
const ELEMENTWISE: &[&str] =
    &["log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "square", "abs", "sign", "round", "floor", "ceil"];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-group-apply-rows",
        ("pandas", "3.0.0"),
        "rows of groups that apply gives back had the columns of the keys as well",
        Trigger::Silent,
        Rewrite::Code(whole_rows_of_groups),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c').apply(lambda g: g.sort_values('a').head(1))\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c')[list(df.columns)].apply(lambda g: g.sort_values('a').head(1))\n",
        ),
    ),
    Rule::new(
        "pandas-group-apply-index",
        ("pandas", "2.0.0"),
        "what apply gives for each row of a group stood at the rows of the frame, and not below the names of the groups",
        Trigger::Silent,
        Rewrite::Code(index_of_rows),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c')['b'].apply(lambda s: s - s.mean())\n",
            ("", ""),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c', group_keys=False)['b'].apply(lambda s: s - s.mean())\n",
        ),
    ),
    Rule::new(
        "pandas-group-apply-column",
        ("pandas", "2.0.0"),
        "a column that apply makes of groups stands below their names, unless they are left out",
        Trigger::Silent,
        Rewrite::Code(column_of_groups),
        example(
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\ndf['d'] = df.groupby('c')['b'].apply(lambda s: np.cumsum(s))\n",
            ("", ""),
            "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\ndf['d'] = df.groupby('c', group_keys=False)['b'].apply(lambda s: np.cumsum(s))\n",
        ),
    ),
];

/// A call of `apply` on groups.
struct Applied<'a> {
    /// `X.groupby(…)`.
    group: &'a ExprCall,
    /// Whether columns of the groups are chosen.
    is_chosen: bool,
    function: &'a Expr,
}

/// `X.groupby(…).apply(f)` or `X.groupby(…)[…].apply(f)`.
fn applied<'a>(call: &'a ExprCall) -> Option<Applied<'a>> {
    let (method, "apply") = shape::method(call)? else { return None };
    let function = call.arguments.args.first()?;
    let (value, is_chosen) = match method.value.as_ref() {
        Expr::Subscript(subscript) => (subscript.value.as_ref(), true),
        Expr::Attribute(attribute) => (attribute.value.as_ref(), true),
        value => (value, false),
    };
    let Expr::Call(group) = value else { return None };
    let (_, "groupby") = shape::method(group)? else { return None };
    Some(Applied { group, is_chosen, function })
}

fn whole_rows_of_groups(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        if is_without_keys(call, around) {
            return;
        }
        let Some(Applied { group, is_chosen: false, function }) = applied(call) else { return };
        let Some((attribute, _)) = shape::method(group) else { return };
        let by = group.arguments.args.first().or_else(|| shape::keyword(group, "by").map(|keyword| &keyword.value));
        let Some(by) = by else { return };
        let are_columns =
            shape::elements(by).unwrap_or(std::slice::from_ref(by)).iter().all(|key| shape::text(key).is_some());
        if !are_columns
            || !gives(view, function, |group, value| group.whole_rows(value))
            || !view.receiver_is_certain(On::Frame, &attribute.value)
        {
            return;
        }
        let frame = match attribute.value.as_ref() {
            // Rows of a frame have its columns.
            Expr::Subscript(rows) if is_mask(&rows.slice) && shape::dotted(&rows.value).is_some() => {
                view.parsed(place).text(rows.value.range())
            }
            value if shape::dotted(value).is_some() => receiver_text(view.parsed(place), attribute),
            _ => return,
        };
        change.edit(place, call.range().start(), vec![insertion(group.end(), format!("[list({frame}.columns)]"))]);
    });
}

fn index_of_rows(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some(Applied { group, function, .. }) = applied(call) else { return };
        let Some((attribute, _)) = shape::method(group) else { return };
        if !is_stripped(around)
            && gives(view, function, |group, value| group.like_indexed(value))
            && view.receiver_is_certain(On::Pandas, &attribute.value)
        {
            leave_names_out(view, change, (place, group));
        }
    });
}

fn column_of_groups(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some(Applied { group, .. }) = applied(call) else { return };
        let Some((attribute, _)) = shape::method(group) else { return };
        let Stmt::Assign(assign) = around.statement() else { return };
        let [Expr::Subscript(column)] = &assign.targets[..] else { return };
        let is_column = assign.value.range() == call.range() && shape::text(&column.slice).is_some();
        if is_column && view.receiver_is_certain(On::Pandas, &attribute.value) {
            leave_names_out(view, change, (place, group));
        }
    });
}

/// Whether the call was written for groups without the columns of their keys: it says so, or the names become columns behind it, for which
/// there was no room beside them.
fn is_without_keys(call: &ExprCall, around: &Surroundings<'_, '_>) -> bool {
    let reset = matches!(around.parent(), Some(Expr::Attribute(next)) if next.attr.as_str() == "reset_index");
    let drops = |next: &ExprCall| shape::keyword(next, "drop").is_some();
    let keeps = matches!(around.parents.iter().rev().nth(1), Some(Expr::Call(next)) if !drops(next));
    shape::keyword(call, "include_groups").is_some() || reset && keeps
}

/// Whether the names of the groups are taken away behind the call: then they were there when it was written.
fn is_stripped(around: &Surroundings<'_, '_>) -> bool {
    let Some(Expr::Attribute(next)) = around.parent() else { return false };
    let call = around.parents.iter().rev().nth(1);
    let has_level = |call: &ExprCall| !call.arguments.args.is_empty() || shape::keyword(call, "level").is_some();
    match next.attr.as_str() {
        "droplevel" => true,
        "reset_index" => matches!(call, Some(Expr::Call(call)) if has_level(call)),
        _ => false,
    }
}

fn leave_names_out(view: &View<'_>, change: &mut Change<'_>, (place, group): (crate::view::Place, &ExprCall)) {
    if shape::has_stars(group) || ["group_keys", "as_index"].iter().any(|name| shape::keyword(group, name).is_some()) {
        return;
    }
    let mut edit = CallEdit::new(view.parsed(place), group);
    edit.append("group_keys=False");
    change.edit(place, group.range().start(), edit.finish());
}

/// What an expression of a group has to be.
type Shape = fn(&Group<'_>, &Expr) -> bool;

/// The group that a function is given.
struct Group<'a> {
    view: &'a View<'a>,
    /// Its name there.
    name: &'a str,
}

/// Whether a function, written in place or defined in the notebook, gives something of this shape for its group.
fn gives(view: &View<'_>, function: &Expr, is_shape: Shape) -> bool {
    if let Expr::Lambda(lambda) = function {
        let parameter = lambda.parameters.as_ref().and_then(|parameters| parameters.iter().next());
        return parameter.is_some_and(|group| is_shape(&Group { view, name: group.name().as_str() }, &lambda.body));
    }
    let Some(name) = shape::name(function) else { return false };
    let cells = view.code.cells.iter().flat_map(|source| source.parsed.body());
    let mut defined = cells.filter_map(|statement| match statement {
        Stmt::FunctionDef(def) if def.name.as_str() == name => Some(def),
        _ => None,
    });
    matches!((defined.next(), defined.next()), (Some(def), None) if returns(view, def, is_shape))
}

/// Whether all that a function does is to go on with its group, and to give it back in the end.
fn returns(view: &View<'_>, def: &StmtFunctionDef, is_shape: Shape) -> bool {
    let Some(group) = def.parameters.iter().next() else { return false };
    let group = Group { view, name: group.name().as_str() };
    let Some((Stmt::Return(last), before)) = def.body.split_last() else { return false };
    let goes_on = before.iter().all(|statement| match statement {
        Stmt::Assign(assign) => assign.targets.iter().all(|target| match target {
            Expr::Name(name) => name.id.as_str() != group.name || is_shape(&group, &assign.value),
            Expr::Subscript(_) | Expr::Attribute(_) => true,
            _ => false,
        }),
        Stmt::Expr(_) | Stmt::AugAssign(_) => true,
        _ => false,
    });
    goes_on && last.value.as_ref().is_some_and(|value| is_shape(&group, value))
}

impl Group<'_> {
    fn is(&self, value: &Expr) -> bool {
        shape::name(value) == Some(self.name)
    }

    /// Rows of the group, with all its columns.
    fn whole_rows(&self, value: &Expr) -> bool {
        match value {
            Expr::Call(call) => {
                shape::method(call).is_some_and(|(method, name)| ROWS.contains(&name) && self.whole_rows(&method.value))
            }
            Expr::Subscript(subscript) => match subscript.value.as_ref() {
                Expr::Attribute(at) if matches!(at.attr.as_str(), "iloc" | "loc" | "ix") => {
                    shape::elements(&subscript.slice).is_none() && self.whole_rows(&at.value)
                }
                value => is_mask(&subscript.slice) && self.whole_rows(value),
            },
            value => self.is(value),
        }
    }

    /// One value for each row of the group, at the row's place.
    fn like_indexed(&self, value: &Expr) -> bool {
        match value {
            Expr::BinOp(operation) => self.like_indexed(&operation.left) || self.like_indexed(&operation.right),
            Expr::UnaryOp(operation) => self.like_indexed(&operation.operand),
            Expr::Compare(comparison) => self.like_indexed(&comparison.left),
            Expr::Call(call) => match shape::method(call) {
                Some((method, name)) if LIKE_INDEXED.contains(&name) && self.like_indexed(&method.value) => true,
                Some((method, _)) if self.is_window(&method.value) => true,
                _ => {
                    let function = self.view.qualified(&call.func).unwrap_or_default();
                    let name = function.strip_prefix("numpy.").unwrap_or_default();
                    ELEMENTWISE.contains(&name)
                        && call.arguments.args.first().is_some_and(|value| self.like_indexed(value))
                }
            },
            value => self.is(value),
        }
    }

    fn is_window(&self, value: &Expr) -> bool {
        let Expr::Call(call) = value else { return false };
        shape::method(call).is_some_and(|(method, name)| WINDOWS.contains(&name) && self.like_indexed(&method.value))
    }
}

/// A condition on rows, and no name of a column.
fn is_mask(slice: &Expr) -> bool {
    match slice {
        Expr::Compare(_) | Expr::Slice(_) => true,
        Expr::BinOp(operation) => matches!(operation.op, Operator::BitAnd | Operator::BitOr),
        Expr::UnaryOp(unary) => unary.op == UnaryOp::Invert,
        _ => false,
    }
}
