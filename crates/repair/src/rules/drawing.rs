//! What matplotlib draws otherwise without a word: switches that were texts, three-dimensional axes.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::rules::call::CallEdit;
use crate::rules::change::{Change, replacement};
use crate::rules::rule::{Rewrite, Rule, Trigger, example};
use crate::rules::shape;
use crate::rules::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "matplotlib-grid-switch",
        ("matplotlib", "3.5.0"),
        "grid takes a truth value: the text 'off' counts as true, and switched the grid off",
        Trigger::Silent,
        Rewrite::Code(grid_switch),
        example(
            "import matplotlib.pyplot as plt\nax = plt.gca()\nax.grid('off')\nplt.grid('on')\nplt.axis('off')\n",
            ("", ""),
            "import matplotlib.pyplot as plt\nax = plt.gca()\nax.grid(False)\nplt.grid(True)\nplt.axis('off')\n",
        ),
    ),
    Rule::new(
        "matplotlib-axes3d-figure",
        ("matplotlib", "3.7.0"),
        "Axes3D(figure) makes axes that belong to no figure; add_subplot adds them as well",
        Trigger::Silent,
        Rewrite::Code(axes3d),
        example(
            "import matplotlib.pyplot as plt\nfrom mpl_toolkits.mplot3d import Axes3D\nfig = plt.figure()\nax = Axes3D(fig, elev=48)\n",
            ("", ""),
            "import matplotlib.pyplot as plt\nfrom mpl_toolkits.mplot3d import Axes3D\nfig = plt.figure()\nax = fig.add_subplot(projection='3d', elev=48)\n",
        ),
    )
    .shift("the axes filled the whole figure, and leave its usual margins now"),
];

fn switch(expression: &Expr) -> Option<&'static str> {
    match shape::text(expression)? {
        "off" => Some("False"),
        "on" => Some("True"),
        _ => None,
    }
}

fn grid_switch(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "grid")) = shape::method(call) else { return };
        let named = shape::keyword(call, "b").or_else(|| shape::keyword(call, "visible"));
        let Some(value) = call.arguments.args.first().or(named.map(|keyword| &keyword.value)) else { return };
        if let Some(truth) = switch(value) {
            change.edit(place, call.range().start(), vec![replacement(value.range(), truth)]);
        }
    });
}

/// Where no figure is given axes by hand.
fn axes3d(view: &View<'_>, change: &mut Change<'_>) {
    if view.code.cells.iter().any(|source| source.parsed.source().contains("add_axes(")) {
        return;
    }
    view.calls(|place, call, _| {
        let class = view
            .qualified(&call.func)
            .is_some_and(|name| name.starts_with("mpl_toolkits.mplot3d") && name.rsplit('.').next() == Some("Axes3D"));
        let [figure] = &call.arguments.args[..] else { return };
        if !class || !shape::is_primary(figure) || shape::has_stars(call) {
            return;
        }
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(first) = edit.positional().first().copied() else { return };
        if ["rect", "auto_add_to_figure", "fig"].iter().any(|name| edit.find(name).is_some()) {
            return;
        }
        edit.set(first, "projection='3d'");
        let text = format!("{}.add_subplot({})", parsed.text(figure.range()), edit.render());
        change.replace(place, call.range(), text);
    });
}
