//! Integrals by methods that SciPy no longer has, taken by the one that it keeps.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// The function under a name, before what follows it.
macro_rules! romberg {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(function, a, b, args=(), **options):\n",
            "    \"\"\"What SciPy had before 1.15: an integral, here by quad.\"\"\"\n",
            "    from scipy.integrate import quad\n",
            "    return quad(function, a, b, args=args)[0]\n",
            $rest
        )
    };
}

const QUADRATURE: &str = concat!(
    "def {name}(func, a, b, args=(), **options):\n",
    "    \"\"\"What SciPy had before 1.14: an integral and its error, here by quad.\"\"\"\n",
    "    from scipy.integrate import quad\n",
    "    return quad(func, a, b, args=args)[:2]\n",
);

pub(super) static RULES: &[Rule] = &[Rule::new(
    "scipy-integrals",
    ("scipy", "1.14.0"),
    "romberg and quadrature were removed; quad takes integrals",
    Trigger::Error(&[
        sig("ImportError", "from 'scipy.integrate'"),
        sig("AttributeError", "module 'scipy.integrate' has no attribute"),
    ]),
    Rewrite::Code(integrals),
    example(
        "from scipy.integrate import romberg\nx = romberg(f, 0, 1)\n",
        ("ImportError", "cannot import name 'romberg' from 'scipy.integrate'"),
        romberg!("romberg", "x = romberg(f, 0, 1)\n"),
    ),
)
.shift("of a function that takes arrays alone there is no integral, and errors are those of another method")
.certain()];

fn integrals(view: &View<'_>, change: &mut Change<'_>) {
    let of = |name, definition| StandIn { module: "scipy.integrate", name, definition };
    write_out(&[of("romberg", romberg!("{name}", "")), of("quadrature", QUADRATURE)], view, change);
}
