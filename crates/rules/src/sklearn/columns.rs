//! Columns that are transformed each in its own way, and probabilities that are brought between 0 and 1.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

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
        "sklearn-transformer-of-columns",
        ("scikit-learn", "0.22"),
        "make_column_transformer takes the transformer before its columns",
        Trigger::Error(&[sig("TypeError", "All estimators should implement fit and transform, or can be 'drop' or 'passthrough'")]),
        Rewrite::Code(pairs),
        example(
            "from sklearn.compose import make_column_transformer\nfrom sklearn.preprocessing import StandardScaler\nt = make_column_transformer((['a'], StandardScaler()), (['b'], 'drop'))\n",
            (
                "TypeError",
                "All estimators should implement fit and transform, or can be 'drop' or 'passthrough' specifiers. '['a']' (type <class 'list'>) doesn't.",
            ),
            "from sklearn.compose import make_column_transformer\nfrom sklearn.preprocessing import StandardScaler\nt = make_column_transformer((StandardScaler(), ['a']), ('drop', ['b']))\n",
        ),
    ),
    Rule::new(
        "sklearn-calibration-normalize",
        ("scikit-learn", "1.3"),
        "calibration_curve takes probabilities alone, and no scores that it brought between 0 and 1",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'normalize'"),
            sig("TypeError", "calibration_curve() got an unexpected keyword argument 'normalize'"),
        ]),
        Rewrite::Code(normalized),
        example(
            "from sklearn.calibration import calibration_curve\nt, p = calibration_curve(y, scores, normalize=True, n_bins=4)\n",
            ("TypeError", "got an unexpected keyword argument 'normalize'"),
            "import numpy as np\nfrom sklearn.calibration import calibration_curve\nt, p = calibration_curve(y, (scores - np.min(scores)) / (np.max(scores) - np.min(scores)), n_bins=4)\n",
        ),
    )
    .certain(),
];

const fn of(name: &'static str) -> Callee {
    Callee::Function("sklearn", name)
}

/// Calls in which each pair has its columns first.
fn pairs(view: &View<'_>, change: &mut Change<'_>) {
    let is_transformer = |value: &Expr| match shape::text(value) {
        Some(text) => matches!(text, "drop" | "passthrough"),
        None => matches!(view.kinds(value)[..], [Kind::Instance(_), ..]),
    };
    let is_columns = |value: &Expr| {
        let is_list = |kind: &Kind| matches!(kind, Kind::List(_) | Kind::Index | Kind::Array | Kind::Text);
        !is_transformer(value) && view.kinds(value).iter().any(is_list)
    };
    view.calls(|place, call, _| {
        if !view.is_call_of(of("make_column_transformer"), place, call) || call.arguments.args.is_empty() {
            return;
        }
        let parsed = view.parsed(place);
        let mut edits = Vec::new();
        for pair in &call.arguments.args {
            let Some([first, second]) = shape::elements(pair) else { return };
            if !is_columns(first) || !is_transformer(second) {
                return;
            }
            edits.push(replacement(first.range(), parsed.text(second.range())));
            edits.push(replacement(second.range(), parsed.text(first.range())));
        }
        change.edit(place, call.start(), edits);
    });
}

fn normalized(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(of("calibration_curve"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(normalize) = edit.find("normalize") else { return };
        let Some(is_asked) = shape::boolean(edit.value(normalize)) else { return };
        let scores = edit.find("y_prob").or_else(|| edit.positional().get(1).copied());
        if let Some(number) = scores.filter(|_| is_asked) {
            let (min, max) = (change.spell(place, "numpy.min"), change.spell(place, "numpy.max"));
            let scores = edit.value_text(number);
            let named = if edit.find("y_prob").is_some() { "y_prob=" } else { "" };
            let left = if shape::is_primary(edit.value(number)) { scores.to_owned() } else { format!("({scores})") };
            edit.set(number, format!("{named}({left} - {min}({scores})) / ({max}({scores}) - {min}({scores}))"));
        }
        edit.remove(normalize);
        change.edit(place, call.start(), edit.finish());
    });
}
