//! `normalize=True` of regularised linear models, kept exactly by a subclass.

use std::collections::BTreeSet;

use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-normalize-regularised",
    ("scikit-learn", "1.2"),
    "regularised linear models have no normalize; a subclass divides centred columns by their norm before the fit",
    Trigger::Error(&[sig("TypeError", "__init__() got an unexpected keyword argument 'normalize'")]),
    Rewrite::Code(normalize),
    example(
        "from sklearn.linear_model import Lasso\nm = Lasso(alpha=0.1, normalize=True)\n",
        ("TypeError", "Lasso.__init__() got an unexpected keyword argument 'normalize'"),
        concat!(
            "from sklearn.linear_model import Lasso\n\n\nclass NormalizedLasso(Lasso):\n",
            "    \"\"\"Divides centred columns by their norm before the fit, as normalize=True did before scikit-learn 1.2.\"\"\"\n\n",
            "    def fit(self, X, y, *args, **kwargs):\n        import numpy as np\n        values = np.asarray(X, dtype=float)\n",
            "        norms = np.sqrt(((values - values.mean(axis=0)) ** 2).sum(axis=0))\n        norms[norms == 0] = 1\n",
            "        super().fit(values / norms, y, *args, **kwargs)\n        self.coef_ = self.coef_ / norms\n        return self\n\n\n",
            "m = NormalizedLasso(alpha=0.1)\n",
        ),
    ),
)];

const REGULARISED: [&str; 8] =
    ["Ridge", "Lasso", "ElasticNet", "RidgeCV", "LassoCV", "ElasticNetCV", "LassoLars", "BayesianRidge"];

/// The subclass; `{name}` is the class and `{base}` how the notebook names it.
const CLASS: &str = concat!(
    "\n\nclass Normalized{name}({base}):\n",
    "    \"\"\"Divides centred columns by their norm before the fit, as normalize=True did before scikit-learn 1.2.\"\"\"\n\n",
    "    def fit(self, X, y, *args, **kwargs):\n        import numpy as np\n        values = np.asarray(X, dtype=float)\n",
    "        norms = np.sqrt(((values - values.mean(axis=0)) ** 2).sum(axis=0))\n        norms[norms == 0] = 1\n",
    "        super().fit(values / norms, y, *args, **kwargs)\n        self.coef_ = self.coef_ / norms\n        return self\n\n",
);

/// The class is defined before the first statement at the top level of the cell that constructs the model.
fn normalize(view: &View<'_>, change: &mut Change<'_>) {
    let mut defined = BTreeSet::new();
    view.calls(|place, call, around| {
        let class = REGULARISED.iter().find(|name| view.is_call_of(Callee::Function("sklearn", name), place, call));
        let (Some(name), Some(top)) = (class, around.statements.first()) else { return };
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(number) = edit.find("normalize").filter(|n| shape::boolean(edit.value(*n)) != Some(false)) else {
            return;
        };
        edit.remove(number);
        let base = parsed.text(call.func.range());
        let class_name = format!("Normalized{name}");
        let text = format!("{class_name}({})", edit.render());
        if !change.replace(place, call.range(), text) {
            return;
        }
        if !parsed.source().contains(&format!("class {class_name}(")) && defined.insert((place, *name)) {
            change.line_before(place, top, &CLASS.replace("{name}", name).replace("{base}", base));
        }
    });
}
