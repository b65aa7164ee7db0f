//! Integrals by methods that SciPy no longer has, taken by the one that it keeps.

use crate::change::Change;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
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

/// Simpson's rule of before under a name, before what follows it.
macro_rules! simps {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(y, x=None, dx=1.0, axis=-1, even='avg'):\n",
            "    \"\"\"What SciPy had before 1.14: Simpson's rule, with one trapezoid first or last where points are even in number.\"\"\"\n",
            "    import numpy as np\n",
            "    from scipy.integrate import simpson, trapezoid\n",
            "    y = np.moveaxis(np.asarray(y), axis, -1)\n",
            "    x = dx * np.arange(y.shape[-1]) if x is None else np.asarray(x)\n",
            "    x = x if x.ndim == 1 else np.moveaxis(x, axis, -1)\n",
            "    if y.shape[-1] % 2 == 1:\n",
            "        return simpson(y, x=x)\n",
            "    head, tail = (Ellipsis, slice(None, -1)), (Ellipsis, slice(1, None))\n",
            "    first = simpson(y[head], x=x[head]) + trapezoid(y[..., -2:], x=x[..., -2:])\n",
            "    last = trapezoid(y[..., :2], x=x[..., :2]) + simpson(y[tail], x=x[tail])\n",
            "    return {'first': first, 'last': last, 'avg': (first + last) / 2}[even]\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "scipy-simpson-even",
        ("scipy", "1.14.0"),
        "Simpson's rule no longer asks what to do with an even number of points",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'simps' from 'scipy.integrate'"),
            sig("AttributeError", "odule 'scipy.integrate' has no attribute 'simps'"),
        ]),
        Rewrite::Code(simpson_even),
        example(
            "from scipy.integrate import simps\na = simps([0, 1, 8, 27], dx=1.0, even='first')\n",
            ("ImportError", "cannot import name 'simps' from 'scipy.integrate'"),
            simps!("simps", "a = simps([0, 1, 8, 27], dx=1.0, even='first')\n"),
        ),
    )
    .certain(),
    Rule::new(
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
    .certain(),
];

fn integrals(view: &View<'_>, change: &mut Change<'_>) {
    let of = |name, definition| StandIn { module: "scipy.integrate", name, definition };
    write_out(&[of("romberg", romberg!("{name}", "")), of("quadrature", QUADRATURE)], view, change);
}

/// Only where it is told what to do.
fn simpson_even(view: &View<'_>, change: &mut Change<'_>) {
    let mut is_told = false;
    view.calls(|place, call, _| {
        let told = shape::keyword(call, "even").and_then(|one| shape::text(&one.value));
        let is_simps = view.is_call_of(Callee::Function("scipy", "simps"), place, call);
        is_told |= is_simps && matches!(told, Some("avg" | "first" | "last"));
    });
    if is_told {
        let of = |module| StandIn { module, name: "simps", definition: simps!("{name}", "") };
        write_out(&[of("scipy.integrate")], view, change);
    }
}
