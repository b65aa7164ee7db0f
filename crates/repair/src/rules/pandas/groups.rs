//! Group-by and resampling.

use nbrevive_pysource::ast::{Expr, ExprDict};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::rules::call::{CallEdit, receiver_text};
use crate::rules::change::{Change, insertion};
use crate::rules::kind::Kind;
use crate::rules::receiver::On;
use crate::rules::rule::{Rewrite, Rule, Trigger, example};
use crate::rules::shape;
use crate::rules::signature::sig;
use crate::rules::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-group-columns",
        ("pandas", "2.0.0"),
        "several columns of a group-by are chosen by a list",
        Trigger::Error(&[sig("ValueError", "Cannot subset columns with a tuple with more than one element")]),
        Rewrite::Code(group_columns),
        example(
            "r = df.groupby('c')['a', 'b'].sum()\n",
            ("ValueError", "Cannot subset columns with a tuple with more than one element. Use a list instead."),
            "r = df.groupby('c')[['a', 'b']].sum()\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-nested-renamer",
        ("pandas", "1.0.0"),
        "agg with a dict of new names takes them as keywords",
        Trigger::Error(&[sig("SpecificationError", "nested renamer is not supported")]),
        Rewrite::Code(nested_renamer),
        example(
            "a = df.groupby('c')['b'].agg({'total': 'sum', 'avg': 'mean'})\nb = df.groupby('c').agg({'b': {'total': 'sum'}})\n",
            ("SpecificationError", "nested renamer is not supported"),
            "a = df.groupby('c')['b'].agg(**{'total': 'sum', 'avg': 'mean'})\nb = df.groupby('c').agg(**{'total': ('b', 'sum')})\n",
        ),
    )
    .shift("a nested dict gave columns of two levels, and gives one now"),
    Rule::new(
        "pandas-group-axis",
        ("pandas", "3.0.0"),
        "groupby has no axis; the transposed frame is grouped",
        Trigger::Error(&[sig("TypeError", "groupby() got an unexpected keyword argument 'axis'")]),
        Rewrite::Code(group_axis),
        example(
            "r = df.groupby(k, axis=1).sum()\n",
            ("TypeError", "DataFrame.groupby() got an unexpected keyword argument 'axis'"),
            "r = df.T.groupby(k).sum().T\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-resample-how",
        ("pandas", "0.25.0"),
        "resample has no how; the statistic is a method",
        Trigger::Error(&[sig("TypeError", "resample() got an unexpected keyword argument 'how'")]),
        Rewrite::Code(resample_how),
        example(
            "r = s.resample('D', how='sum')\n",
            ("TypeError", "NDFrame.resample() got an unexpected keyword argument 'how'"),
            "r = s.resample('D').sum()\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-group-fillna",
        ("pandas", "3.0.0"),
        "a group-by has no fillna; within groups it is a transform",
        Trigger::Error(&[sig("AttributeError", "GroupBy' object has no attribute 'fillna'")]),
        Rewrite::Code(group_fillna),
        example(
            "x = df.groupby('c')['b'].fillna(0.0)\n",
            ("AttributeError", "'SeriesGroupBy' object has no attribute 'fillna'"),
            "x = df.groupby('c')['b'].transform(lambda group: group.fillna(0.0))\n",
        ),
    ),
    Rule::new(
        "pandas-group-apply-columns",
        ("pandas", "3.0.0"),
        "apply no longer sees the columns of the groups' keys",
        Trigger::Error(&[sig("KeyError", "")]),
        Rewrite::Code(group_apply),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c').apply(lambda g: g['c'].iloc[0])\n",
            ("KeyError", "'c'"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c')[list(df.columns)].apply(lambda g: g['c'].iloc[0])\n",
        ),
    ),
];

fn is_group(view: &View<'_>, value: &Expr) -> bool {
    let direct = matches!(value, Expr::Call(call) if shape::method(call).is_some_and(|(_, name)| name == "groupby"));
    direct || view.kinds(value) == [Kind::Grouped]
}

fn group_columns(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Expr::Tuple(tuple) = subscript.slice.as_ref() else { return };
        if is_group(view, &subscript.value) && !tuple.parenthesized && tuple.elts.len() > 1 {
            let edits = vec![insertion(tuple.range().start(), "["), insertion(tuple.end(), "]")];
            change.edit(place, expression.range().start(), edits);
        }
    });
}

fn nested_renamer(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "agg" | "aggregate")) = shape::method(call) else { return };
        let [Expr::Dict(dict)] = &call.arguments.args[..] else { return };
        if !view.at_fault(place, call.range()) || !call.arguments.keywords.is_empty() {
            return;
        }
        let parsed = view.parsed(place);
        if dict.iter().all(|item| item.value.is_dict_expr()) && !dict.is_empty() {
            let mut parts = Vec::new();
            for item in dict.iter() {
                let (Some(column), Expr::Dict(inner)) = (item.key.as_ref(), &item.value) else { return };
                for entry in inner.iter() {
                    let Some(name) = entry.key.as_ref() else { return };
                    parts.push(format!(
                        "{}: ({}, {})",
                        parsed.text_of(name),
                        parsed.text_of(column),
                        parsed.text_of(&entry.value)
                    ));
                }
            }
            change.replace(place, dict.range(), format!("**{{{}}}", parts.join(", ")));
        } else if is_flat(dict) {
            change.edit(place, call.range().start(), vec![insertion(dict.range().start(), "**")]);
        }
    });
}

fn is_flat(dict: &ExprDict) -> bool {
    dict.iter().all(|item| item.key.as_ref().and_then(shape::text).is_some() && !item.value.is_dict_expr())
}

fn group_axis(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Call(outer) = expression else { return };
        let Some((method, _)) = shape::method(outer) else { return };
        let Expr::Call(call) = method.value.as_ref() else { return };
        let Some((attribute, "groupby")) = shape::method(call) else { return };
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(number) = edit.find("axis").filter(|n| edit.value_text(*n) == "1") else { return };
        edit.remove(number);
        let mut edits = edit.finish();
        edits.push(insertion(attribute.attr.range().start(), "T."));
        edits.push(insertion(outer.end(), ".T"));
        change.edit(place, outer.range().start(), edits);
    });
}

fn resample_how(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "resample")) = shape::method(call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("how") else { return };
        let after = match shape::text(edit.value(number)) {
            Some(name) => format!(".{name}()"),
            None => format!(".agg({})", edit.value_text(number)),
        };
        edit.remove(number);
        let mut edits = edit.finish();
        edits.push(insertion(call.end(), after));
        change.edit(place, call.range().start(), edits);
    });
}

fn group_fillna(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "fillna")) = shape::method(call) else { return };
        if attribute.value.is_name_expr() && view.kinds(&attribute.value).is_empty() {
            return;
        }
        if view.receiver_is(On::Grouped, place, &attribute.value, call.range()) {
            let inner = CallEdit::new(view.parsed(place), call).render();
            let whole = TextRange::new(attribute.attr.range().start(), call.end());
            change.replace(place, whole, format!("transform(lambda group: group.fillna({inner}))"));
        }
    });
}

fn group_apply(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((method, "apply")) = shape::method(call) else { return };
        let Expr::Call(group) = method.value.as_ref() else { return };
        let Some((attribute, "groupby")) = shape::method(group) else { return };
        let key = group.arguments.args.first().and_then(shape::text);
        let named = |error: &&crate::CellFeedback| key.is_some_and(|key| error.evalue == format!("'{key}'"));
        if !view.errors.iter().any(named) || !shape::is_primary(&attribute.value) {
            return;
        }
        if view.receiver_is(On::Frame, place, &attribute.value, call.range()) {
            let frame = receiver_text(view.parsed(place), attribute);
            change.edit(place, call.range().start(), vec![insertion(group.end(), format!("[list({frame}.columns)]"))]);
        }
    });
}
