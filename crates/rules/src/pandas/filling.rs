//! Gaps that are filled.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-filled-flags",
        ("pandas", "3.0.0"),
        "fillna with True or False leaves a column of objects, of which ~ takes whole numbers; infer_objects makes it boolean as before",
        Trigger::Silent,
        Rewrite::Code(filled_flags),
        example(
            "df['s'] = df['s'].map({'Y': True, 'N': False}).fillna(False)\n",
            ("", ""),
            "df['s'] = df['s'].map({'Y': True, 'N': False}).fillna(False).infer_objects()\n",
        ),
    ),
    Rule::new(
        "pandas-interpolate-by-filling",
        ("pandas", "3.0.0"),
        "interpolate does not fill; ffill and bfill do",
        Trigger::Error(&[sig("ValueError", "Can not interpolate with method=")]),
        Rewrite::Code(interpolate_by_filling),
        example(
            "s = s.interpolate(method='pad', limit=2)\n",
            ("ValueError", "Can not interpolate with method=pad."),
            "s = s.ffill(limit=2)\n",
        ),
    )
    .certain(),
];

fn filled_flags(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "fillna")) = shape::method(call) else { return };
        let is_flag = matches!(&call.arguments.args[..], [value] if shape::boolean(value).is_some());
        let inferred = matches!(around.parent(), Some(Expr::Attribute(next)) if next.attr.as_str() == "infer_objects");
        let is_text_test = matches!(attribute.value.as_ref(), Expr::Call(inner)
            if shape::method(inner).is_some_and(|(method, _)| view.kinds(&method.value) == [Kind::StringMethods]));
        if is_flag && !inferred && !is_text_test && call.arguments.keywords.is_empty() {
            change.edit(place, call.range().start(), vec![insertion(call.end(), ".infer_objects()")]);
        }
    });
}

fn interpolate_by_filling(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "interpolate")) = shape::method(call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("method").or_else(|| edit.positional().first().copied()) else { return };
        let name = match shape::text(edit.value(number)) {
            Some("pad" | "ffill") => "ffill",
            Some("backfill" | "bfill") => "bfill",
            _ => return,
        };
        edit.remove(number);
        let mut edits = edit.finish();
        edits.push(replacement(attribute.attr.range(), name));
        change.edit(place, call.range().start(), edits);
    });
}
