//! The Boston housing data, which scikit-learn no longer carries; mlxtend carries the same rows.

use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

/// What the notebook gets in the place of scikit-learn's function. `{name}` is how the notebook calls it.
const LOADER: &str = concat!(
    "def {name}(return_X_y=False):\n",
    "    \"\"\"The data that scikit-learn carried before 1.2, from mlxtend.\"\"\"\n",
    "    import numpy as np\n",
    "    from mlxtend.data import boston_housing_data\n",
    "    from sklearn.utils import Bunch\n",
    "    data, target = boston_housing_data()\n",
    "    names = 'CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT'.split()\n",
    "    bunch = Bunch(data=data, target=target, feature_names=np.array(names), DESCR='Boston house prices')\n",
    "    return (data, target) if return_X_y else bunch",
);

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-boston",
    ("scikit-learn", "1.2"),
    "load_boston was removed; mlxtend has the same data",
    Trigger::Error(&[sig("ImportError", "`load_boston` has been removed from scikit-learn")]),
    Rewrite::Code(boston),
    example(
        "from sklearn.datasets import load_boston\nb = load_boston()\n",
        ("ImportError", "`load_boston` has been removed from scikit-learn since version 1.2."),
        concat!(
            "def load_boston(return_X_y=False):\n",
            "    \"\"\"The data that scikit-learn carried before 1.2, from mlxtend.\"\"\"\n",
            "    import numpy as np\n",
            "    from mlxtend.data import boston_housing_data\n",
            "    from sklearn.utils import Bunch\n",
            "    data, target = boston_housing_data()\n",
            "    names = 'CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT'.split()\n",
            "    bunch = Bunch(data=data, target=target, feature_names=np.array(names), DESCR='Boston house prices')\n",
            "    return (data, target) if return_X_y else bunch\n",
            "b = load_boston()\n",
        ),
    ),
)
.certain()];

fn boston(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::ImportFrom(import) = statement else { return };
            let module = import.module.as_ref().map(|module| module.as_str());
            let found = import.names.iter().find(|alias| alias.name.as_str() == "load_boston");
            let Some(alias) = found.filter(|_| around.is_empty() && module == Some("sklearn.datasets")) else { return };
            let rest: Vec<&str> = import
                .names
                .iter()
                .filter(|one| one.range() != alias.range())
                .map(|one| source.parsed.text(one.range()))
                .collect();
            let mut text = LOADER.replace("{name}", alias.asname.as_ref().unwrap_or(&alias.name).as_str());
            if !rest.is_empty() {
                text.push_str(&format!("\nfrom sklearn.datasets import {}", rest.join(", ")));
            }
            change.replace(place, statement.range(), text);
        });
    }
    // `datasets.load_boston()`
    view.expressions(|place, expression, _| {
        if expression.is_attribute_expr() && view.qualified(expression).as_deref() == Some(DOTTED) {
            change.need_import(place, LOADER.replace("{name}", "load_boston"));
            change.replace(place, expression.range(), "load_boston");
        }
    });
}

const DOTTED: &str = "sklearn.datasets.load_boston";
