//! What no option gives any more, kept exactly by a subclass: `normalize=True`, penalties of a factorization, boosting by probabilities.

use std::collections::BTreeSet;

use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk::Surroundings;

/// The subclass; `{name}` is the class and `{base}` how the notebook names it.
macro_rules! normalized {
    ($name:literal, $base:literal) => {
        concat!(
            "\n\nclass Normalized", $name, "(", $base, "):\n",
            "    \"\"\"Divides centred columns by their norm before the fit, as normalize=True did before scikit-learn 1.2.\"\"\"\n\n",
            "    def fit(self, X, y, *args, **kwargs):\n        import numpy as np\n        values = np.asarray(X, dtype=float)\n",
            "        norms = np.sqrt(((values - values.mean(axis=0)) ** 2).sum(axis=0))\n        norms[norms == 0] = 1\n",
            "        super().fit(values / norms, y, *args, **kwargs)\n        self.coef_ = self.coef_ / norms\n        return self\n\n",
        )
    };
}

/// The method is scikit-learn's own, since 1.0; penalties of the weights and of the components, by their first and second norms.
macro_rules! penalized {
    ($name:literal, $base:literal) => {
        concat!(
            "\n\nclass Penalized", $name, "(", $base, "):\n",
            "    \"\"\"Takes alpha as it is, and not times the number of features or samples, as before scikit-learn 1.2.\"\"\"\n\n",
            "    def _compute_regularization(self, X):\n",
            "        first, second = self.alpha_W * self.l1_ratio, self.alpha_W * (1 - self.l1_ratio)\n",
            "        return first, first, second, second\n\n",
        )
    };
}

/// The real algorithm SAMME.R of Zhu, Zou, Rosset, Hastie: Multi-class AdaBoost (2009), algorithm 4.
macro_rules! probability {
    ($name:literal, $base:literal) => {
        concat!(
            "\n\nclass Probability", $name, "(", $base, "):\n",
            "    \"\"\"Boosts by the probabilities of classes (SAMME.R), as AdaBoostClassifier did by default before scikit-learn 1.6.\"\"\"\n\n",
            "    def _logarithms(self, estimator, X):\n        import numpy as np\n",
            "        chances = estimator.predict_proba(X)\n",
            "        return np.log(np.clip(chances, np.finfo(chances.dtype).eps, None))\n\n",
            "    def _boost(self, iboost, X, y, sample_weight, random_state):\n        import numpy as np\n",
            "        estimator = self._make_estimator(random_state=random_state)\n",
            "        estimator.fit(X, y, sample_weight=sample_weight)\n",
            "        if iboost == 0:\n            self.classes_ = estimator.classes_\n            self.n_classes_ = len(self.classes_)\n",
            "        chances = estimator.predict_proba(X)\n",
            "        is_wrong = self.classes_.take(chances.argmax(axis=1)) != y\n",
            "        error = np.average(is_wrong, weights=sample_weight)\n",
            "        if error <= 0:\n            return sample_weight, 1.0, 0.0\n",
            "        codes = np.where(self.classes_ == y[:, np.newaxis], 1.0, -1.0 / (self.n_classes_ - 1))\n",
            "        agreement = (codes * self._logarithms(estimator, X)).sum(axis=1)\n",
            "        change = -self.learning_rate * (self.n_classes_ - 1) / self.n_classes_ * agreement\n",
            "        if iboost < self.n_estimators - 1:\n",
            "            sample_weight = np.exp(np.log(sample_weight) + change * ((sample_weight > 0) | (change < 0)))\n",
            "        return sample_weight, 1.0, error\n\n",
            "    def staged_decision_function(self, X):\n",
            "        total, weight = 0, 0\n",
            "        for estimator, one in zip(self.estimators_, self.estimator_weights_):\n",
            "            logarithms = self._logarithms(estimator, X)\n",
            "            total = total + (self.n_classes_ - 1) * (logarithms - logarithms.mean(axis=1, keepdims=True))\n",
            "            weight += one\n",
            "            votes = total / weight\n",
            "            yield votes[:, 1] - votes[:, 0] if self.n_classes_ == 2 else votes\n\n",
            "    def decision_function(self, X):\n",
            "        for votes in self.staged_decision_function(X):\n            pass\n        return votes\n\n",
        )
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "sklearn-normalize-regularised",
        ("scikit-learn", "1.2"),
        "regularised linear models have no normalize; a subclass divides centred columns by their norm before the fit",
        Trigger::Error(&[sig("TypeError", "__init__() got an unexpected keyword argument 'normalize'")]),
        Rewrite::Code(normalize),
        example(
            "from sklearn.linear_model import Lasso\nm = Lasso(alpha=0.1, normalize=True)\n",
            ("TypeError", "Lasso.__init__() got an unexpected keyword argument 'normalize'"),
            concat!(
                "from sklearn.linear_model import Lasso\n",
                normalized!("Lasso", "Lasso"),
                "\nm = NormalizedLasso(alpha=0.1)\n",
            ),
        ),
    ),
    Rule::new(
        "sklearn-factorization-penalty",
        ("scikit-learn", "1.2"),
        "alpha of NMF is alpha_W, which grows with the data; a subclass takes it as it is",
        Trigger::Error(&[sig("TypeError", "__init__() got an unexpected keyword argument 'alpha'")]),
        Rewrite::Code(penalty),
        example(
            "from sklearn.decomposition import NMF\nm = NMF(n_components=2, alpha=.1, l1_ratio=.5)\n",
            ("TypeError", "NMF.__init__() got an unexpected keyword argument 'alpha'"),
            concat!(
                "from sklearn.decomposition import NMF\n",
                penalized!("NMF", "NMF"),
                "\nm = PenalizedNMF(n_components=2, alpha_W=.1, l1_ratio=.5)\n",
            ),
        ),
    ),
    Rule::new(
        "sklearn-boosting-algorithm",
        ("scikit-learn", "1.6"),
        "AdaBoostClassifier boosts by classes only; a subclass does it by their probabilities (SAMME.R)",
        Trigger::Error(&[
            sig("InvalidParameterError", "'algorithm' parameter of AdaBoostClassifier"),
            sig("TypeError", "__init__() got an unexpected keyword argument 'algorithm'"),
        ]),
        Rewrite::Code(|view, change| boosting(view, change, |algorithm| algorithm == Some("SAMME.R"))),
        example(
            "from sklearn.ensemble import AdaBoostClassifier\nm = AdaBoostClassifier(algorithm='SAMME.R', random_state=1)\n",
            ("TypeError", "AdaBoostClassifier.__init__() got an unexpected keyword argument 'algorithm'"),
            concat!(
                "from sklearn.ensemble import AdaBoostClassifier\n",
                probability!("AdaBoostClassifier", "AdaBoostClassifier"),
                "\nm = ProbabilityAdaBoostClassifier(random_state=1)\n",
            ),
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-default-boosting",
        ("scikit-learn", "1.6"),
        "AdaBoostClassifier boosted by probabilities (SAMME.R) by default",
        Trigger::OldDefault { before: (2024, 12, 9), python: PythonVersion::new(3, 9) },
        Rewrite::Code(|view, change| boosting(view, change, |algorithm| algorithm.is_none())),
        example(
            "from sklearn.ensemble import AdaBoostClassifier\nm = AdaBoostClassifier(random_state=1)\n",
            ("", ""),
            concat!(
                "from sklearn.ensemble import AdaBoostClassifier\n",
                probability!("AdaBoostClassifier", "AdaBoostClassifier"),
                "\nm = ProbabilityAdaBoostClassifier(random_state=1)\n",
            ),
        ),
    ),
];

const REGULARISED: [&str; 8] =
    ["Ridge", "Lasso", "ElasticNet", "RidgeCV", "LassoCV", "ElasticNetCV", "LassoLars", "BayesianRidge"];

fn normalize(view: &View<'_>, change: &mut Change<'_>) {
    let mut subclass = Subclass::new("Normalized", normalized!("{name}", "{base}"));
    subclass.instead_of(&REGULARISED, view, change, |edit| {
        let normalize = edit.find("normalize").filter(|number| shape::boolean(edit.value(*number)) != Some(false));
        normalize.map(|number| edit.remove(number)).is_some()
    });
}

/// What penalised one of both alone was an option of few versions; such a call is left.
fn penalty(view: &View<'_>, change: &mut Change<'_>) {
    let mut subclass = Subclass::new("Penalized", penalized!("{name}", "{base}"));
    subclass.instead_of(&["NMF"], view, change, |edit| {
        let alpha = edit.find("alpha").filter(|_| edit.find("regularization").is_none());
        alpha.map(|number| edit.name(number, "alpha_W")).is_some()
    });
}

/// Of calls that name this algorithm, or none.
fn boosting(view: &View<'_>, change: &mut Change<'_>, is_meant: impl Fn(Option<&str>) -> bool) {
    let mut subclass = Subclass::new("Probability", probability!("{name}", "{base}"));
    if is_meant(None) {
        subclass.where_handed_on("AdaBoostClassifier", view, change);
    }
    subclass.instead_of(&["AdaBoostClassifier"], view, change, |edit| {
        let number = edit.find("algorithm");
        let algorithm = number.map(|number| shape::text(edit.value(number)).unwrap_or_default());
        if !is_meant(algorithm) {
            return false;
        }
        number.into_iter().for_each(|number| edit.remove(number));
        true
    });
}

/// A subclass that takes the place of a class.
struct Subclass {
    /// What its name begins with, before that of the class.
    prefix: &'static str,
    /// Its text; `{name}` is the class and `{base}` how the notebook names it.
    definition: &'static str,
    /// Where it is, of which class.
    defined: BTreeSet<(Place, &'static str)>,
}

impl Subclass {
    fn new(prefix: &'static str, definition: &'static str) -> Self {
        Subclass { prefix, definition, defined: BTreeSet::new() }
    }

    /// Takes the place of these classes in the calls that `mend` finds something to do in. It is defined before the first statement at the
    /// top level of a cell that makes one.
    fn instead_of(
        &mut self,
        classes: &[&'static str],
        view: &View<'_>,
        change: &mut Change<'_>,
        mend: impl Fn(&mut CallEdit<'_>) -> bool,
    ) {
        view.calls(|place, call, around| {
            let class = classes.iter().find(|name| view.is_call_of(Callee::Function("sklearn", name), place, call));
            let Some(name) = class else { return };
            let mut edit = CallEdit::new(view.parsed(place), call);
            let text = mend(&mut edit).then(|| format!("{}({})", self.name(name), edit.render()));
            if text.is_some_and(|text| change.replace(place, call.range(), text)) {
                self.define((name, &call.func), (place, around), view, change);
            }
        });
    }

    /// Takes the place of a class where it is handed on and constructed elsewhere, without more.
    fn where_handed_on(&mut self, class: &'static str, view: &View<'_>, change: &mut Change<'_>) {
        view.expressions(|place, expression, around| {
            let dotted = view.qualified(expression).unwrap_or_default();
            let is_it = dotted.starts_with("sklearn.") && dotted.rsplit('.').next() == Some(class);
            let is_used = match around.parent() {
                Some(Expr::Call(call)) => {
                    call.func.range() != expression.range() && shape::name(&call.func) != Some("isinstance")
                }
                parent => !matches!(parent, Some(Expr::Attribute(_))),
            };
            let is_base = matches!(around.statement(), Stmt::ClassDef(_));
            if is_it && is_used && !is_base && change.replace(place, expression.range(), self.name(class)) {
                self.define((class, expression), (place, around), view, change);
            }
        });
    }

    fn name(&self, class: &str) -> String {
        format!("{}{class}", self.prefix)
    }

    /// Defines it in a cell that has not done so, where `base` is what the class is called there.
    fn define(
        &mut self,
        (class, base): (&'static str, &Expr),
        (place, around): (Place, &Surroundings<'_, '_>),
        view: &View<'_>,
        change: &mut Change<'_>,
    ) {
        let (parsed, Some(top)) = (view.parsed(place), around.statements.first()) else { return };
        if !parsed.source().contains(&format!("class {}(", self.name(class))) && self.defined.insert((place, class)) {
            let definition = self.definition.replace("{name}", class);
            change.line_before(place, top, &definition.replace("{base}", parsed.text(base.range())));
        }
    }
}
