//! Gaussian mixtures: what the methods of the old class gave.

use nbrevive_pysource::ast::{Expr, ExprAttribute, ExprCall};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

/// Stands before the rule that moves the class: by its old name is known that the methods are meant in the old way.
pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-mixture-methods",
    ("scikit-learn", "0.20"),
    "score of a GMM was what score_samples gives, score_samples gave responsibilities too and sample no labels, covars_ is covariances_, and covariances were diagonal by default",
    Trigger::Error(&[
        sig("ImportError", "cannot import name 'GMM' from 'sklearn.mixture'"),
        sig("AttributeError", "module 'sklearn.mixture' has no attribute 'GMM'"),
    ]),
    Rewrite::Code(methods),
    example(
        "from sklearn.mixture import GMM\nm = GMM(4).fit(X)\nl = m.score(X)\np = m.score_samples(X)[0]\nc = m.covars_\nmodels = [GMM(n).fit(X) for n in sizes]\nb = [m.bic(X) for m in models]\nd = m.sample(5, random_state=0)\n",
        ("ImportError", "cannot import name 'GMM' from 'sklearn.mixture' (__init__.py)"),
        "from sklearn.mixture import GMM\nm = GMM(4, covariance_type='diag').fit(X)\nl = m.score_samples(X)\np = m.score_samples(X)\nc = m.covariances_\nmodels = [GMM(n, covariance_type='diag').fit(X) for n in sizes]\nb = [m.bic(X) for m in models]\nd = m.set_params(random_state=0).sample(5)[0]\n",
    ),
)
.certain()];

fn methods(view: &View<'_>, change: &mut Change<'_>) {
    let old = Kind::Instance("sklearn.mixture.GMM".to_owned());
    view.calls(|place, call, _| {
        let mut edit = CallEdit::new(view.parsed(place), call);
        let given = edit.positional().len() > 1 || edit.find("covariance_type").is_some() || shape::has_stars(call);
        if view.qualified(&call.func).as_deref() == Some("sklearn.mixture.GMM") && !given {
            edit.append("covariance_type='diag'");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
    view.expressions(|place, expression, around| match expression {
        Expr::Attribute(attribute) if view.kinds(&attribute.value).contains(&old) => {
            let new = match (attribute.attr.as_str(), around.parent()) {
                ("covars_", _) => "covariances_",
                ("score", Some(Expr::Call(call))) if call.func.range() == attribute.range() => "score_samples",
                _ => return,
            };
            change.edit(place, attribute.start(), vec![replacement(attribute.attr.range(), new)]);
        }
        Expr::Subscript(subscript) if shape::integer(&subscript.slice) == Some(0) => {
            let Expr::Call(call) = subscript.value.as_ref() else { return };
            let Some((attribute, "score_samples")) = shape::method(call) else { return };
            if view.kinds(&attribute.value).contains(&old) {
                change.replace(place, TextRange::new(call.end(), subscript.end()), "");
            }
        }
        Expr::Call(call) => {
            let Some((attribute, "sample")) = shape::method(call) else { return };
            let seeded = matches!(attribute.value.as_ref(), Expr::Call(inner)
                if shape::method(inner).is_some_and(|(_, name)| name == "set_params"));
            if !seeded && view.kinds(&attribute.value).contains(&old) {
                change.edit(place, call.range().start(), points_alone(view, place, call, attribute));
            }
        }
        _ => {}
    });
}

/// `m.sample(n, random_state=s)` as `m.set_params(random_state=s).sample(n)[0]`: labels come with the points now, and the
/// state is the model's.
fn points_alone(view: &View<'_>, place: Place, call: &ExprCall, attribute: &ExprAttribute) -> Vec<Edit> {
    let mut edit = CallEdit::new(view.parsed(place), call);
    let mut edits = vec![insertion(call.end(), "[0]")];
    let state = edit.find("random_state").or_else(|| edit.positional().get(1).copied());
    if let Some(number) = state {
        let seeded = format!(".set_params(random_state={})", edit.value_text(number));
        edits.push(insertion(attribute.value.end(), seeded));
        edit.remove(number);
        edits.extend(edit.finish());
    }
    edits
}
