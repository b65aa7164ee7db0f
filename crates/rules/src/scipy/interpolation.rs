//! Interpolation in two dimensions, of which SciPy keeps the splines alone.

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

pub(super) static RULES: &[Rule] = &[Rule::new(
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
.certain()];

fn interp2d(view: &View<'_>, change: &mut Change<'_>) {
    write_out(
        &[StandIn { module: "scipy.interpolate", name: "interp2d", definition: class!("{name}", "") }],
        view,
        change,
    );
}
