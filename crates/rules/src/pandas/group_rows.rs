//! What `apply` gives back of groups: until pandas 2 the rows as they stood in the frame, until pandas 3 the columns of the keys with them.

use std::collections::HashSet;

use nbrevive_pysource::ast::{Expr, ExprCall, Operator, Parameters, Stmt, StmtFunctionDef, UnaryOp};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::view::{Place, View};
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
    /// The cell of `X.groupby(…)`.
    place: Place,
    /// `X.groupby(…)`.
    group: &'a ExprCall,
    /// The name that holds the groups, where they do not stand before the call.
    held: Option<&'a str>,
    /// Whether columns of the groups are chosen.
    is_chosen: bool,
    function: &'a Expr,
}

impl<'a> Applied<'a> {
    /// `X.groupby(…).apply(f)`, `X.groupby(…)[…].apply(f)`, or these of a name that holds groups.
    fn of(view: &View<'a>, place: Place, call: &'a ExprCall, around: &Surroundings<'a, '_>) -> Option<Self> {
        let (method, "apply") = shape::method(call)? else { return None };
        let function = call.arguments.args.first()?;
        let (value, is_chosen) = without_choice(&method.value);
        if let Expr::Name(name) = value {
            let held = name.id.as_str();
            if is_parameter(held, around) {
                return None;
            }
            let (place, value) = view.only_value(held)?;
            let (value, chosen_before) = without_choice(value);
            let group = grouping(value)?;
            return Some(Applied { place, group, held: Some(held), is_chosen: is_chosen || chosen_before, function });
        }
        Some(Applied { place, group: grouping(value)?, held: None, is_chosen, function })
    }

    /// What the groups are made of.
    fn grouped(&self) -> &'a Expr {
        match self.group.func.as_ref() {
            Expr::Attribute(method) => &method.value,
            other => other,
        }
    }
}

/// Groups without the columns that are chosen of them, and whether any are.
fn without_choice(value: &Expr) -> (&Expr, bool) {
    match value {
        Expr::Subscript(subscript) => (&subscript.value, true),
        Expr::Attribute(attribute) => (&attribute.value, true),
        value => (value, false),
    }
}

fn grouping(value: &Expr) -> Option<&ExprCall> {
    let Expr::Call(group) = value else { return None };
    matches!(shape::method(group)?, (_, "groupby")).then_some(group)
}

/// Whether a name is one that a function around takes.
fn is_parameter(name: &str, around: &Surroundings<'_, '_>) -> bool {
    let takes = |parameters: &Parameters| parameters.iter().any(|one| one.name().as_str() == name);
    let lambda = |one: &&Expr| matches!(one, Expr::Lambda(lambda) if lambda.parameters.as_deref().is_some_and(takes));
    let def = |one: &&Stmt| matches!(one, Stmt::FunctionDef(def) if takes(&def.parameters));
    around.parents.iter().any(lambda) || around.statements.iter().any(def)
}

fn whole_rows_of_groups(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        if is_without_keys(call, around) {
            return;
        }
        let Some(applied) = Applied::of(view, place, call, around).filter(|applied| !applied.is_chosen) else { return };
        let arguments = &applied.group.arguments;
        let by = arguments.args.first().or_else(|| shape::keyword(applied.group, "by").map(|keyword| &keyword.value));
        let Some(by) = by else { return };
        let are_columns =
            shape::elements(by).unwrap_or(std::slice::from_ref(by)).iter().all(|key| shape::text(key).is_some());
        if !are_columns
            || !gives(view, applied.function, |group, value| group.whole_rows(value))
            || !view.receiver_is_certain(On::Frame, applied.grouped())
        {
            return;
        }
        let edit = match (applied.held, shape::method(call)) {
            (Some(name), Some((method, _))) => insertion(method.value.end(), format!("[list({name}.obj.columns)]")),
            _ => {
                let Some(frame) = frame_of(view, place, &applied) else { return };
                insertion(applied.group.end(), format!("[list({frame}.columns)]"))
            }
        };
        change.edit(place, call.range().start(), vec![edit]);
    });
}

/// The text of a frame that has the columns of what is grouped, if that is a name.
fn frame_of(view: &View<'_>, place: Place, applied: &Applied<'_>) -> Option<String> {
    let text = |value: &Expr| shape::dotted(value).map(|_| view.parsed(place).text(value.range()).to_owned());
    match applied.grouped() {
        // Rows of a frame have its columns.
        Expr::Subscript(rows) if is_mask(&rows.slice) => text(&rows.value),
        value => text(value),
    }
}

fn index_of_rows(view: &View<'_>, change: &mut Change<'_>) {
    let is_like_indexed = |applied: &Applied<'_>, around: &Surroundings<'_, '_>| {
        !is_stripped(around) && gives(view, applied.function, |group, value| group.like_indexed(value))
    };
    let mut others = HashSet::new();
    let mut found = Vec::new();
    view.calls(|place, call, around| {
        let Some(applied) = Applied::of(view, place, call, around) else { return };
        if is_like_indexed(&applied, around) {
            found.push(applied);
        } else {
            others.extend(applied.held);
        }
    });
    let mut done = HashSet::new();
    for applied in found {
        // Groups in a name to which something else is applied as well stay.
        let is_shared = applied.held.is_some_and(|name| others.contains(name));
        let is_new = done.insert((applied.place, applied.group.start()));
        if !is_shared && is_new && view.receiver_is_certain(On::Pandas, applied.grouped()) {
            leave_names_out(view, change, &applied);
        }
    }
}

fn column_of_groups(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some(applied) = Applied::of(view, place, call, around).filter(|applied| applied.held.is_none()) else {
            return;
        };
        let Stmt::Assign(assign) = around.statement() else { return };
        let [Expr::Subscript(column)] = &assign.targets[..] else { return };
        let is_column = assign.value.range() == call.range() && shape::text(&column.slice).is_some();
        if is_column && view.receiver_is_certain(On::Pandas, applied.grouped()) {
            leave_names_out(view, change, &applied);
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

fn leave_names_out(view: &View<'_>, change: &mut Change<'_>, applied: &Applied<'_>) {
    let &Applied { place, group, .. } = applied;
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
