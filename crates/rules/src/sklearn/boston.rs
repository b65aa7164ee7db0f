//! The Boston housing data, which scikit-learn no longer carries; mlxtend carries the same rows.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

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
    let loader = StandIn { module: "sklearn.datasets", name: "load_boston", definition: LOADER };
    write_out(&[loader], view, change);
}
