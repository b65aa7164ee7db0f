//! What is drawn otherwise, or no longer: switches that were texts, three-dimensional axes, names of colour maps, the
//! room of colour bars, arguments of shapes.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion, replacement};
use crate::positional::positional;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "matplotlib-plot-date",
        ("matplotlib", "3.11"),
        "plot draws dates itself; plot_date drew points by default",
        Trigger::Error(&[
            sig("AttributeError", "module 'matplotlib.pyplot' has no attribute 'plot_date'"),
            sig("AttributeError", "object has no attribute 'plot_date'"),
        ]),
        Rewrite::Code(plot_date),
        example(
            "import matplotlib.pyplot as plt\nplt.plot_date(x, y)\nplt.plot_date(x, y, fmt='b-', xdate=True)\n",
            ("AttributeError", "module 'matplotlib.pyplot' has no attribute 'plot_date'"),
            "import matplotlib.pyplot as plt\nplt.plot(x, y, 'o')\nplt.plot(x, y, 'b-')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-grid-switch",
        ("matplotlib", "3.5.0"),
        "grid and tick_params take truth values: the text 'off' counts as true, and switched them off",
        Trigger::Silent,
        Rewrite::Code(grid_switch),
        example(
            "import matplotlib.pyplot as plt\nax = plt.gca()\nax.grid('off')\nplt.grid('on')\nplt.axis('off')\nax.tick_params(bottom='off')\n",
            ("", ""),
            "import matplotlib.pyplot as plt\nax = plt.gca()\nax.grid(False)\nplt.grid(True)\nplt.axis('off')\nax.tick_params(bottom=False)\n",
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
    Rule::new(
        "matplotlib-colormap-names",
        ("matplotlib", "2.2"),
        "the colour maps spectral and Vega have other names",
        Trigger::Error(&[sig("ValueError", "'* is not a valid value for")]),
        Rewrite::Code(colormap_names),
        example(
            "import matplotlib.pyplot as plt\nplt.scatter(x, y, c=z, cmap='spectral')\nm = plt.get_cmap('Vega20')\n",
            ("ValueError", "'spectral' is not a valid value for cmap. Did you mean one of: 'Spectral', 'nipy_spectral'?"),
            "import matplotlib.pyplot as plt\nplt.scatter(x, y, c=z, cmap='nipy_spectral')\nm = plt.get_cmap('tab20')\n",
        ),
    ),
    Rule::new(
        "matplotlib-colorbar-axes",
        ("matplotlib", "3.6"),
        "a colour bar of something that is on no axes must be told from which to take its room",
        Trigger::Error(&[sig("ValueError", "Unable to determine Axes to steal space for Colorbar")]),
        Rewrite::Code(colorbar_axes),
        example(
            "import matplotlib.pyplot as plt\nplt.colorbar(mappable)\nfig.colorbar(mappable, label='z')\n",
            ("ValueError", "Unable to determine Axes to steal space for Colorbar. Either provide the *cax* argument"),
            "import matplotlib.pyplot as plt\nplt.colorbar(mappable, ax=plt.gca())\nfig.colorbar(mappable, label='z', ax=plt.gca())\n",
        ),
    ),
    Rule::new(
        "matplotlib-shape-arguments",
        ("matplotlib", "3.8"),
        "the last arguments of patches and of tight_layout must be named",
        Trigger::Error(&[
            sig("TypeError", "takes * positional arguments but"),
            sig("TypeError", "takes * positional argument but"),
        ]),
        Rewrite::Positional(&[
            positional(patch("Rectangle"), &["xy", "width", "height", "angle"], 3),
            positional(patch("Ellipse"), &["xy", "width", "height", "angle"], 3),
            positional(patch("Arc"), &["xy", "width", "height", "angle", "theta1", "theta2"], 3),
            positional(patch("Wedge"), &["center", "r", "theta1", "theta2", "width"], 4),
            positional(patch("Polygon"), &["xy", "closed"], 1),
            positional(patch("RegularPolygon"), &["xy", "numVertices", "radius", "orientation"], 2),
            positional(patch("Arrow"), &["x", "y", "dx", "dy", "width"], 4),
            positional(patch("FancyArrow"), &["x", "y", "dx", "dy", "width"], 4),
            positional(patch("FancyArrowPatch"), &["posA", "posB", "path", "arrowstyle"], 2),
            positional(patch("Line2D"), &["xdata", "ydata", "linewidth", "linestyle", "color", "marker"], 2),
            positional(patch("LineCollection"), &["segments", "linewidths", "colors", "antialiaseds"], 1),
            positional(patch("AnchoredText"), &["s", "loc", "pad", "borderpad", "prop"], 2),
            positional(patch("show"), &["block"], 0),
            positional(patch("figlegend"), &["handles", "labels", "loc"], 2),
            positional(Callee::Method(On::Any, "legend"), &["handles", "labels", "loc"], 2),
            positional(Callee::Method(On::Any, "tight_layout"), &["pad", "h_pad", "w_pad"], 0),
        ]),
        example(
            "from matplotlib.patches import Ellipse\ne = Ellipse((0, 0), 2, 1, 45)\nplt.tight_layout(0.5)\n",
            ("TypeError", "Ellipse.__init__() takes 4 positional arguments but 5 were given"),
            "from matplotlib.patches import Ellipse\ne = Ellipse((0, 0), 2, 1, angle=45)\nplt.tight_layout(pad=0.5)\n",
        ),
    ),
    Rule::new(
        "matplotlib-box-positions",
        ("matplotlib", "3.10"),
        "boxes and violins take an orientation, and the arguments behind it must be named",
        Trigger::Error(&[sig("ValueError", "is not a valid value for orientation. Supported values are")]),
        Rewrite::Code(box_positions),
        example(
            "b = ax.boxplot(data, 0, 'rs', 0, 0.75)\n",
            ("ValueError", "0.75 is not a valid value for orientation. Supported values are 'horizontal', 'vertical'"),
            "b = ax.boxplot(data, 0, 'rs', orientation='horizontal', whis=0.75)\n",
        ),
    ),
    Rule::new(
        "matplotlib-box-forced",
        ("matplotlib", "3.1"),
        "adjustable='box-forced' is 'box'",
        Trigger::Error(&[sig("ValueError", "'box-forced' is not a valid value for adjustable")]),
        Rewrite::Code(box_forced),
        example(
            "ax.set_aspect('equal', adjustable='box-forced')\n",
            ("ValueError", "'box-forced' is not a valid value for adjustable. Supported values are 'box', 'datalim'"),
            "ax.set_aspect('equal', adjustable='box')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-histogram-options",
        ("matplotlib", "3.1"),
        "normed is density, also among the options that are handed on to a histogram",
        Trigger::Error(&[sig("AttributeError", "got an unexpected keyword argument 'normed'")]),
        Rewrite::Code(histogram_options),
        example(
            "import seaborn as sns\nsns.distplot(x, hist_kws={'normed': True})\n",
            ("AttributeError", "Rectangle.set() got an unexpected keyword argument 'normed'"),
            "import seaborn as sns\nsns.distplot(x, hist_kws={'density': True})\n",
        ),
    ),
    Rule::new(
        "pandas-plot-kind",
        ("pandas", "3.0.0"),
        "the kind of a series' plot must be named",
        Trigger::Error(&[sig("TypeError", "`Series.plot()` should not be called with positional arguments")]),
        Rewrite::Code(plot_kind),
        example(
            "df['c'].value_counts().plot('bar', figsize=(3, 3))\n",
            ("TypeError", "`Series.plot()` should not be called with positional arguments, only keyword arguments."),
            "df['c'].value_counts().plot(kind='bar', figsize=(3, 3))\n",
        ),
    ),
    Rule::new(
        "matplotlib-lazy-data",
        ("python", "3.0"),
        "map and zip are no lists, and matplotlib draws none of them",
        Trigger::Error(&[sig("RuntimeError", "matplotlib does not support generators as input")]),
        Rewrite::Code(lazy_data),
        example(
            "import matplotlib.pyplot as plt\nplt.plot(x, map(f, x))\n",
            ("RuntimeError", "matplotlib does not support generators as input"),
            "import matplotlib.pyplot as plt\nplt.plot(x, list(map(f, x)))\n",
        ),
    ),
];

fn switch(expression: &Expr) -> Option<&'static str> {
    match shape::text(expression)? {
        "off" => Some("False"),
        "on" => Some("True"),
        _ => None,
    }
}

const SIDES: [&str; 4] = ["bottom", "top", "left", "right"];

fn grid_switch(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, method @ ("grid" | "tick_params"))) = shape::method(call) else { return };
        let is_grid = method == "grid";
        let switches = |name: &str| match is_grid {
            true => matches!(name, "b" | "visible"),
            false => SIDES.contains(&name.strip_prefix("label").unwrap_or(name)),
        };
        let named = call.arguments.keywords.iter().filter(|one| one.arg.as_ref().is_some_and(|name| switches(name)));
        let values = call.arguments.args.first().filter(|_| is_grid).into_iter().chain(named.map(|one| &one.value));
        let edits = values.filter_map(|value| Some(replacement(value.range(), switch(value)?))).collect();
        change.edit(place, call.range().start(), edits);
    });
}

/// Where its options are those that `plot` goes by.
fn plot_date(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "plot_date")) = shape::method(call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let given =
            |name, usual| shape::keyword(call, name).is_some_and(|one| shape::boolean(&one.value) != Some(usual));
        let ([_, y] | [_, y, _]) = edit.positional()[..] else { return };
        if edit.find("tz").is_some() || given("xdate", true) || given("ydate", false) {
            return;
        }
        if edit.positional().len() == 2 {
            let format = edit.find("fmt").map_or("'o'", |number| edit.value_text(number));
            edit.set(y, format!("{}, {format}", edit.value_text(y)));
        }
        for name in ["fmt", "xdate", "ydate"] {
            edit.find(name).into_iter().for_each(|number| edit.remove(number));
        }
        let mut edits = vec![replacement(attribute.attr.range(), "plot")];
        edits.extend(edit.finish());
        change.edit(place, call.range().start(), edits);
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

const fn patch(name: &'static str) -> Callee {
    Callee::Function("matplotlib", name)
}

/// Old and new names of colour maps.
const COLORMAPS: [(&str, &str); 6] = [
    ("spectral", "'nipy_spectral'"),
    ("spectral_r", "'nipy_spectral_r'"),
    ("Vega10", "'tab10'"),
    ("Vega20", "'tab20'"),
    ("Vega20b", "'tab20b'"),
    ("Vega20c", "'tab20c'"),
];

fn colormap_names(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Some(text) = shape::text(expression) else { return };
        let Some((_, new)) = COLORMAPS.iter().find(|(old, _)| *old == text) else { return };
        let given = matches!(around.parent(), Some(Expr::Call(_))) || matches!(around.statement(), Stmt::Assign(_));
        if given
            && view
                .errors
                .iter()
                .any(|error| error.evalue.contains(&format!("'{text}'")) || view.at_fault(place, expression.range()))
        {
            change.replace(place, expression.range(), *new);
        }
    });
}

fn colorbar_axes(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "colorbar")) = shape::method(call) else { return };
        let told = ["ax", "cax"].iter().any(|name| shape::keyword(call, name).is_some());
        if told || call.arguments.args.len() != 1 || shape::has_stars(call) || !view.at_fault(place, call.range()) {
            return;
        }
        let current = change.spell(place, "matplotlib.pyplot.gca");
        let mut edit = CallEdit::new(view.parsed(place), call);
        edit.append(format!("ax={current}()"));
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn box_forced(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        if shape::text(expression) == Some("box-forced") && matches!(around.parent(), Some(Expr::Call(_))) {
            change.replace(place, expression.range(), "'box'");
        }
    });
}

fn histogram_options(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Dict(dict) = expression else { return };
        if !view.at_fault(place, dict.range()) {
            return;
        }
        for key in dict.items.iter().filter_map(|item| item.key.as_ref()) {
            if shape::text(key) == Some("normed") {
                change.replace(place, key.range(), "'density'");
            }
        }
    });
}

fn plot_kind(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "plot")) = shape::method(call) else { return };
        let kind = call.arguments.args.first().filter(|first| shape::text(first).is_some());
        if kind.is_some() && call.arguments.args.len() == 1 && view.at_fault(place, call.range()) {
            let mut edit = CallEdit::new(view.parsed(place), call);
            if let Some(number) = edit.positional().first().copied() {
                edit.name(number, "kind");
            }
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn lazy_data(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let lazy = shape::name(&call.func).is_some_and(|name| matches!(name, "map" | "filter" | "zip"));
        let argument = matches!(around.parent(), Some(Expr::Call(outer)) if shape::name(&outer.func) != Some("list"));
        if lazy && argument && view.at_fault(place, call.range()) {
            let edits = vec![insertion(call.range().start(), "list("), insertion(call.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

/// Names what stands from the direction on, which is told in words.
fn box_positions(view: &View<'_>, change: &mut Change<'_>) {
    const BOXES: [&str; 8] = ["x", "notch", "sym", "vert", "whis", "positions", "widths", "patch_artist"];
    const VIOLINS: [&str; 7] = ["dataset", "positions", "vert", "widths", "showmeans", "showextrema", "showmedians"];
    view.calls(|place, call, _| {
        let order: &[&str] = match shape::method(call) {
            Some((_, "boxplot")) => &BOXES,
            Some((_, "violinplot")) => &VIOLINS,
            _ => return,
        };
        if !view.at_fault(place, call.range()) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let is_behind = |name: &&&str| **name != "vert";
        let first = order.iter().take_while(is_behind).count();
        for (number, name) in edit.positional().into_iter().zip(order).skip(first) {
            match (*name, shape::integer(edit.value(number)), shape::boolean(edit.value(number))) {
                ("vert", Some(0), _) | ("vert", _, Some(false)) => edit.set(number, "orientation='horizontal'"),
                _ => edit.name(number, name),
            }
        }
        change.edit(place, call.range().start(), edit.finish());
    });
}
