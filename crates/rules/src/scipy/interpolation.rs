//! Interpolation by functions that SciPy no longer has, written with the splines that it keeps.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// The class under a name, before what follows it.
macro_rules! class {
    ($name:literal, $rest:literal) => {
        concat!("class ", $name, ":\n", include_str!("../../data/stand-ins/interp2d.py"), $rest)
    };
}

/// The function `spline` under a name, before what follows it.
macro_rules! spline {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(xk, yk, xnew, order=3, **options):\n",
            "    \"\"\"What SciPy had before 1.3, by a spline that ends otherwise.\"\"\"\n",
            "    from scipy.interpolate import make_interp_spline\n",
            "    return make_interp_spline(xk, yk, k=order)(xnew)\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "scipy-spline",
        ("scipy", "1.3.0"),
        "spline was removed; make_interp_spline makes splines",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'spline' from 'scipy.interpolate'"),
            sig("AttributeError", "module 'scipy.interpolate' has no attribute 'spline'"),
        ]),
        Rewrite::Code(spline),
        example(
            "from scipy.interpolate import spline\ny = spline([0, 1, 2, 3], [0, 1, 8, 27], [0.5, 2.5])\n",
            ("ImportError", "cannot import name 'spline' from 'scipy.interpolate' (__init__.py)"),
            spline!("spline", "y = spline([0, 1, 2, 3], [0, 1, 8, 27], [0.5, 2.5])\n"),
        ),
    )
    .shift("between the first and the last two points the curve may be another one")
    .certain(),
    Rule::new(
        "scipy-interp2d",
        ("scipy", "1.14.0"),
        "interp2d was removed; the splines behind it are there",
        Trigger::Error(&[sig("NotImplementedError", "`interp2d` has been removed")]),
        Rewrite::Code(interp2d),
        example(
            "from scipy.interpolate import interp2d\nz = interp2d([0, 1, 2], [0, 1], [[1, 2, 4], [3, 5, 9]])([0.5], [0.5])\n",
            ("NotImplementedError", "`interp2d` has been removed in SciPy 1.14.0."),
            class!("interp2d", "z = interp2d([0, 1, 2], [0, 1], [[1, 2, 4], [3, 5, 9]])([0.5], [0.5])\n"),
        ),
    )
    .certain(),
];

fn spline(view: &View<'_>, change: &mut Change<'_>) {
    let function = StandIn { module: "scipy.interpolate", name: "spline", definition: spline!("{name}", "") };
    write_out(&[function], view, change);
}

fn interp2d(view: &View<'_>, change: &mut Change<'_>) {
    write_out(
        &[StandIn { module: "scipy.interpolate", name: "interp2d", definition: class!("{name}", "") }],
        view,
        change,
    );
}
