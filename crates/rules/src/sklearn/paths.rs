//! Paths of coefficients.

use crate::keywords::{Fate, keyword};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-path-intercept",
    ("scikit-learn", "0.24"),
    "enet_path and lasso_path refuse fit_intercept, which they passed over: a path has no intercept",
    Trigger::Error(&[sig("ValueError", "Unexpected parameters in params*fit_intercept")]),
    Rewrite::Keyword(&[
        keyword(Callee::Function("sklearn", "enet_path"), "fit_intercept", Fate::Removed),
        keyword(Callee::Function("sklearn", "lasso_path"), "fit_intercept", Fate::Removed),
    ]),
    example(
        "from sklearn.linear_model import lasso_path\na, c, g = lasso_path(X, y, eps=0.1, n_alphas=3, fit_intercept=True)\n",
        ("ValueError", "('Unexpected parameters in params', dict_keys(['fit_intercept']))"),
        "from sklearn.linear_model import lasso_path\na, c, g = lasso_path(X, y, eps=0.1, n_alphas=3)\n",
    ),
)];
