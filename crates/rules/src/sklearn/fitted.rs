//! What estimators check or keep since: truth values, training scores, losses by step, texts that are hashed.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "sklearn-truth-values",
        ("scikit-learn", "1.2"),
        "switches of estimators are True and False, not 1 and 0",
        Trigger::Error(&[
            sig("InvalidParameterError", "must be an instance of 'bool'"),
            sig("InvalidParameterError", "must be a bool"),
        ]),
        Rewrite::Code(truth_values),
        example(
            "from sklearn.feature_extraction.text import TfidfVectorizer\nt = TfidfVectorizer(min_df=3, use_idf=1, smooth_idf=1)\n",
            (
                "InvalidParameterError",
                "The 'use_idf' parameter of TfidfVectorizer must be an instance of 'bool' or an instance of 'numpy.bool'. Got 1 instead.",
            ),
            "from sklearn.feature_extraction.text import TfidfVectorizer\nt = TfidfVectorizer(min_df=3, use_idf=True, smooth_idf=True)\n",
        ),
    ),
    Rule::new(
        "sklearn-ridge-one-target",
        ("scikit-learn", "1.6"),
        "coef_ of a ridge has one axis where the target had one column",
        Trigger::Error(&[sig("IndexError", "invalid index to scalar variable")]),
        Rewrite::Code(one_target),
        example(
            "import numpy as np\nfrom sklearn.linear_model import Ridge\nm = Ridge(alpha=2.0)\nm.fit(X, y)\nb = m.coef_[0][0]\n",
            ("IndexError", "invalid index to scalar variable."),
            "import numpy as np\nfrom sklearn.linear_model import Ridge\nm = Ridge(alpha=2.0)\nm.fit(X, y)\nb = np.atleast_2d(m.coef_)[0][0]\n",
        ),
    ),
    Rule::new(
        "sklearn-naive-bayes-weights",
        ("scikit-learn", "1.1"),
        "naive Bayes has no coef_ and intercept_, which were the logarithms of its probabilities, of two classes those of the second",
        Trigger::Error(&[
            sig("AttributeError", "NB' object has no attribute 'coef_'"),
            sig("AttributeError", "NB' object has no attribute 'intercept_'"),
        ]),
        Rewrite::Code(naive_bayes),
        example(
            "from sklearn.naive_bayes import MultinomialNB\nm = MultinomialNB().fit(X, y)\nw = m.coef_[0]\n",
            ("AttributeError", "'MultinomialNB' object has no attribute 'coef_'"),
            "from sklearn.naive_bayes import MultinomialNB\nm = MultinomialNB().fit(X, y)\nw = m.feature_log_prob_[len(m.classes_) == 2:][0]\n",
        ),
    ),
    Rule::new(
        "sklearn-tuple-parameters",
        ("scikit-learn", "1.2"),
        "pairs such as ngram_range are tuples, not lists",
        Trigger::Error(&[sig("InvalidParameterError", "must be an instance of 'tuple'")]),
        Rewrite::Code(tuples),
        example(
            "from sklearn.feature_extraction.text import CountVectorizer\nc = CountVectorizer(ngram_range=[1, 2])\n",
            (
                "InvalidParameterError",
                "The 'ngram_range' parameter of CountVectorizer must be an instance of 'tuple'. Got [1, 2] instead.",
            ),
            "from sklearn.feature_extraction.text import CountVectorizer\nc = CountVectorizer(ngram_range=(1, 2))\n",
        ),
    ),
    Rule::new(
        "sklearn-train-scores",
        ("scikit-learn", "0.21"),
        "searches keep training scores only when asked",
        Trigger::Error(&[sig("KeyError", "train_score")]),
        Rewrite::Code(train_scores),
        example(
            "from sklearn.model_selection import GridSearchCV\ng = GridSearchCV(m, p, cv=3)\nt = g.cv_results_['mean_train_score']\n",
            ("KeyError", "'mean_train_score'"),
            "from sklearn.model_selection import GridSearchCV\ng = GridSearchCV(m, p, cv=3, return_train_score=True)\nt = g.cv_results_['mean_train_score']\n",
        ),
    ),
    Rule::new(
        "sklearn-hashed-texts",
        ("scikit-learn", "1.2"),
        "FeatureHasher takes no plain texts, which it took apart into characters",
        Trigger::Error(&[sig("ValueError", "Samples can not be a single string")]),
        Rewrite::Code(hashed_texts),
        example(
            "h = hasher.fit_transform(df['genre'])\n",
            (
                "ValueError",
                "Samples can not be a single string. The input must be an iterable over iterables of strings.",
            ),
            "h = hasher.fit_transform([list(text) for text in df['genre']])\n",
        ),
    ),
    Rule::new(
        "sklearn-boosting-loss",
        ("scikit-learn", "1.1"),
        "the loss of boosted trees is no attribute; the metric that it stood for is",
        Trigger::Error(&[
            sig("AttributeError", "'GradientBoostingRegressor' object has no attribute 'loss_'"),
            sig("AttributeError", "'GradientBoostingClassifier' object has no attribute 'loss_'"),
        ]),
        Rewrite::Code(boosting_loss),
        example(
            "e = [m.loss_(y, p) for p in m.staged_predict(X)]\n",
            ("AttributeError", "'GradientBoostingRegressor' object has no attribute 'loss_'"),
            "from sklearn.metrics import mean_squared_error\ne = [mean_squared_error(y, p) for p in m.staged_predict(X)]\n",
        ),
    )
    .shift("of the default loss: the squared error, and the deviance of two classes"),
];

const ANY: Callee = Callee::Function("sklearn", "*");

fn truth_values(view: &View<'_>, change: &mut Change<'_>) {
    // What was refused, and the other switches of the same kind of call, which would be refused next.
    const SWITCHES: [&str; 8] =
        ["use_idf", "smooth_idf", "sublinear_tf", "binary", "lowercase", "warm_start", "fit_intercept", "shuffle"];
    let refused: Vec<&str> =
        view.errors.iter().filter_map(|error| captures("The '*' parameter", &error.evalue)?.first().copied()).collect();
    view.calls(|place, call, _| {
        if !view.is_call_of(ANY, place, call) {
            return;
        }
        for keyword in &call.arguments.keywords {
            let Some(name) = keyword.arg.as_ref().map(|name| name.as_str()) else { continue };
            let value = match shape::integer(&keyword.value) {
                Some(0) => "False",
                Some(1) => "True",
                _ => match shape::text(&keyword.value) {
                    Some("True") => "True",
                    Some("False") => "False",
                    _ => continue,
                },
            };
            if refused.contains(&name) || SWITCHES.contains(&name) {
                change.replace(place, keyword.value.range(), value);
            }
        }
    });
}

fn tuples(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(ANY, place, call) {
            return;
        }
        for keyword in &call.arguments.keywords {
            let name = keyword.arg.as_ref().map_or("", |name| name.as_str());
            let Expr::List(list) = &keyword.value else { continue };
            let named = format!("The '{name}' parameter");
            if list.elts.len() > 1 && view.errors.iter().any(|error| error.evalue.contains(&named)) {
                let inside = view.parsed(place).text(list.range());
                change.replace(place, list.range(), format!("({})", &inside[1..inside.len() - 1]));
            }
        }
    });
}

fn train_scores(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let search = ["GridSearchCV", "RandomizedSearchCV", "cross_validate"]
            .iter()
            .any(|name| view.is_call_of(Callee::Function("sklearn", name), place, call));
        if search && shape::keyword(call, "return_train_score").is_none() && !shape::has_stars(call) {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("return_train_score=True");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn hashed_texts(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "fit_transform" | "transform" | "fit")) = shape::method(call) else { return };
        let Some(first) = call.arguments.args.first() else { return };
        if first.is_list_comp_expr() || !view.at_fault(place, call.range()) {
            return;
        }
        let edits = vec![insertion(first.range().start(), "[list(text) for text in "), insertion(first.end(), "]")];
        change.edit(place, call.range().start(), edits);
    });
}

fn boosting_loss(view: &View<'_>, change: &mut Change<'_>) {
    let classifies = view.errors.iter().any(|error| error.evalue.contains("'GradientBoostingClassifier'"));
    view.calls(|place, call, _| {
        let Some((_, "loss_")) = shape::method(call) else { return };
        let [truth, raw] = &call.arguments.args[..] else { return };
        if classifies {
            // The binomial deviance of raw predictions, for classes that are 0 and 1 as the old one asked for.
            let metric = change.spell(place, "sklearn.metrics.log_loss");
            let expit = change.spell(place, "scipy.special.expit");
            let parsed = view.parsed(place);
            let (truth, raw) = (parsed.text(truth.range()), parsed.text(raw.range()));
            let text = format!("2 * {metric}({truth}, {expit}({raw}).ravel(), labels=[0, 1])");
            change.replace(place, call.range(), text);
        } else {
            let metric = change.spell(place, "sklearn.metrics.mean_squared_error");
            change.replace(place, call.func.range(), metric);
        }
    });
}

fn one_target(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let row = expression.as_subscript_expr().and_then(|cell| cell.value.as_subscript_expr());
        let Some(Expr::Attribute(attribute)) = row.map(|row| row.value.as_ref()) else { return };
        let class = view.class_of(&attribute.value).unwrap_or_default();
        let is_ridge = class.starts_with("sklearn.") && matches!(class.rsplit('.').next(), Some("Ridge" | "RidgeCV"));
        if attribute.attr.as_str() == "coef_" && is_ridge && view.at_fault(place, expression.range()) {
            let array = change.spell(place, "numpy.atleast_2d");
            let text = view.parsed(place).text(attribute.range());
            change.replace(place, attribute.range(), format!("{array}({text})"));
        }
    });
}

const NAIVE_BAYES: [&str; 3] = ["MultinomialNB", "BernoulliNB", "ComplementNB"];

/// What would be computed anew in a second place is handed to a function.
fn naive_bayes(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        let today = match attribute.attr.as_str() {
            "coef_" => "feature_log_prob_",
            "intercept_" => "class_log_prior_",
            _ => return,
        };
        let receiver = &attribute.value;
        let is_one = |name: &&'static str| view.receiver_is(On::Instance(name), place, receiver, expression.range());
        if !NAIVE_BAYES.iter().any(is_one) {
            return;
        }
        let model = receiver_text(view.parsed(place), attribute);
        let of = |model: &str| format!("{model}.{today}[len({model}.classes_) == 2:]");
        let text = if model.contains('(') { format!("(lambda model: {})({model})", of("model")) } else { of(model) };
        change.replace(place, expression.range(), text);
    });
}
