//! The digits of MNIST, whose old address is gone; OpenML has them in another order and with texts for targets.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// The function under a name, before what follows it. The pictures were sorted by digit, those for training first.
macro_rules! function {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(dataname, data_home=None, **options):\n",
            "    \"\"\"What mldata.org had under the name MNIST original, from OpenML.\"\"\"\n",
            "    import numpy as np\n",
            "    from sklearn.datasets import fetch_openml\n",
            "    digits = fetch_openml('mnist_784', version=1, data_home=data_home, as_frame=False)\n",
            "    target = digits.target.astype(float)\n",
            "    first, last = (np.argsort(part, kind='stable') for part in (target[:60000], target[60000:]))\n",
            "    order = np.concatenate([first, last + 60000])\n",
            "    digits.data, digits.target = digits.data[order].astype('uint8'), target[order]\n",
            "    return digits\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-mnist",
    ("scikit-learn", "0.22"),
    "fetch_mldata was removed; OpenML has the digits",
    Trigger::Error(&[
        sig("ImportError", "cannot import name 'fetch_mldata'"),
        sig("AttributeError", "module 'sklearn.datasets' has no attribute 'fetch_mldata'"),
    ]),
    Rewrite::Code(mnist),
    example(
        "from sklearn.datasets import fetch_mldata\nmnist = fetch_mldata('MNIST original')\n",
        ("ImportError", "cannot import name 'fetch_mldata' from 'sklearn.datasets' (__init__.py)"),
        function!("fetch_mldata", "mnist = fetch_mldata('MNIST original')\n"),
    ),
)
.certain()];

/// Where nothing but the digits is asked for.
fn mnist(view: &View<'_>, change: &mut Change<'_>) {
    let (mut digits, mut others) = (false, false);
    view.calls(|_, call, _| {
        if view.qualified(&call.func).as_deref() == Some("sklearn.datasets.fetch_mldata") {
            let name = call.arguments.args.first().and_then(shape::text).unwrap_or_default();
            let is_digits = matches!(name.to_lowercase().as_str(), "mnist original" | "mnist-original");
            digits |= is_digits;
            others |= !is_digits;
        }
    });
    if digits && !others {
        let function =
            StandIn { module: "sklearn.datasets", name: "fetch_mldata", definition: function!("{name}", "") };
        write_out(&[function], view, change);
    }
}
