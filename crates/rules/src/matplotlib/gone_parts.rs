//! Parts of matplotlib that are gone: functions that are written out, and methods whose words are others.

use nbrevive_pysource::ast::{Expr, ExprAttribute, Stmt, StmtClassDef};
use nbrevive_pysource::text_size::Ranged;

use crate::call::receiver_text;
use crate::change::{Change, insertion, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, indentation_of, write_out, write_out_after};
use crate::view::{Place, View};
use crate::walk;

/// The density of two normal variables, under a name, before what follows it.
macro_rules! bivariate_normal {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(X, Y, sigmax=1.0, sigmay=1.0, mux=0.0, muy=0.0, sigmaxy=0.0):\n",
            "    \"\"\"What matplotlib had before 3.1: the density of two normal variables that go together.\"\"\"\n",
            "    import numpy\n",
            "    x, y = (X - mux) / sigmax, (Y - muy) / sigmay\n",
            "    rho = sigmaxy / (sigmax * sigmay)\n",
            "    rest = 1 - rho ** 2\n",
            "    height = 1 / (2 * numpy.pi * sigmax * sigmay * numpy.sqrt(rest))\n",
            "    return height * numpy.exp(-(x ** 2 + y ** 2 - 2 * rho * x * y) / (2 * rest))\n",
            $rest
        )
    };
}

/// A formatter that has a text for each whole number.
macro_rules! index_formatter {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(labels):\n",
            "    \"\"\"What matplotlib had before 3.5: a text for each position, by its number.\"\"\"\n",
            "    from matplotlib.ticker import FuncFormatter\n",
            "    def label(x, position=None):\n",
            "        number = int(x + 0.5)\n",
            "        return labels[number] if 0 <= number < len(labels) else ''\n",
            "    return FuncFormatter(label)\n",
            $rest
        )
    };
}

/// Numbers of what is left of `matplotlib.mlab`, each with its definition.
const NUMBERS: [(&str, &str); 5] = [
    ("bivariate_normal", bivariate_normal!("{name}", "")),
    (
        "find",
        "def {name}(condition):\n    \"\"\"What matplotlib had before 3.1: where something holds, in one row.\"\"\"\n    import numpy\n    return numpy.nonzero(numpy.ravel(condition))[0]\n",
    ),
    (
        "movavg",
        "def {name}(x, n):\n    \"\"\"What matplotlib had before 3.1: the mean of each n neighbours.\"\"\"\n    import numpy\n    return numpy.convolve(x, numpy.full(n, 1.0 / n), mode='valid')\n",
    ),
    (
        "rms_flat",
        "def {name}(a):\n    \"\"\"What matplotlib had before 3.1: the root of the mean square.\"\"\"\n    import numpy\n    return numpy.sqrt(numpy.mean(numpy.abs(a) ** 2))\n",
    ),
    (
        "prctile",
        "def {name}(x, p=(0.0, 25.0, 50.0, 75.0, 100.0)):\n    \"\"\"What matplotlib had before 3.1: percentiles of all numbers.\"\"\"\n    import numpy\n    return numpy.percentile(numpy.ravel(x), p)\n",
    ),
];

const ANCHORED_ELLIPSE: &str = "def {name}(transform, width, height, angle, loc, pad=0.1, borderpad=0.1, prop=None, frameon=True, **kwargs):\n    \"\"\"What matplotlib had before 3.10: an ellipse at a corner of the axes.\"\"\"\n    from matplotlib.offsetbox import AnchoredOffsetbox, AuxTransformBox\n    from matplotlib.patches import Ellipse\n    box = AuxTransformBox(transform)\n    box.add_artist(Ellipse((0, 0), width, height, angle=angle))\n    return AnchoredOffsetbox(loc, pad=pad, borderpad=borderpad, child=box, prop=prop, frameon=frameon, **kwargs)\n";

fn numbers(view: &View<'_>, change: &mut Change<'_>) {
    let modules = ["matplotlib.mlab", "matplotlib.pylab", "pylab"];
    let functions: Vec<StandIn> = modules
        .iter()
        .flat_map(|module| NUMBERS.map(|(name, definition)| StandIn { module, name, definition }))
        .collect();
    write_out_after(&functions, "mlab_", view, change);
}

fn makers(view: &View<'_>, change: &mut Change<'_>) {
    let artists = "mpl_toolkits.axes_grid1.anchored_artists";
    let functions = [
        StandIn { module: "matplotlib.ticker", name: "IndexFormatter", definition: index_formatter!("{name}", "") },
        StandIn { module: artists, name: "AnchoredEllipse", definition: ANCHORED_ELLIPSE },
    ];
    write_out(&functions, view, change);
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "matplotlib-mlab-functions",
        ("matplotlib", "3.1"),
        "bivariate_normal, find, movavg and some more functions of mlab were removed",
        Trigger::Error(&[
            sig("AttributeError", "module 'matplotlib.mlab' has no attribute '"),
            sig("ImportError", "cannot import name '*' from 'matplotlib.mlab'"),
            sig("AttributeError", "module 'pylab' has no attribute '"),
            sig("AttributeError", "module 'matplotlib.pylab' has no attribute '"),
            sig("ImportError", "cannot import name '*' from 'pylab'"),
            sig("ImportError", "cannot import name '*' from 'matplotlib.pylab'"),
        ]),
        Rewrite::Code(numbers),
        example(
            "import numpy as np\nimport matplotlib.mlab as mlab\nX, Y = np.meshgrid([0.0, 1.0], [0.0, 0.5])\nZ = mlab.bivariate_normal(X, Y, 1.0, 2.0, 0.0, 0.5, 0.3)\n",
            ("AttributeError", "module 'matplotlib.mlab' has no attribute 'bivariate_normal'"),
            bivariate_normal!(
                "mlab_bivariate_normal",
                "import numpy as np\nimport matplotlib.mlab as mlab\nX, Y = np.meshgrid([0.0, 1.0], [0.0, 0.5])\nZ = mlab_bivariate_normal(X, Y, 1.0, 2.0, 0.0, 0.5, 0.3)\n"
            ),
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-index-formatter",
        ("matplotlib", "3.5"),
        "IndexFormatter and AnchoredEllipse were removed",
        Trigger::Error(&[
            sig("AttributeError", "module 'matplotlib.ticker' has no attribute 'IndexFormatter'"),
            sig("ImportError", "cannot import name 'IndexFormatter' from 'matplotlib.ticker'"),
            sig("ImportError", "cannot import name 'AnchoredEllipse' from 'mpl_toolkits"),
        ]),
        Rewrite::Code(makers),
        example(
            "from matplotlib.ticker import IndexFormatter\nf = IndexFormatter(['a', 'b'])\n",
            ("ImportError", "cannot import name 'IndexFormatter' from 'matplotlib.ticker' (ticker.py)"),
            index_formatter!("IndexFormatter", "f = IndexFormatter(['a', 'b'])\n"),
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-next-colour",
        ("matplotlib", "3.8"),
        "the next colour of axes is asked of what draws their lines; there was a cycle to take it from",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'prop_cycler'"),
            sig("AttributeError", "object has no attribute 'color_cycle'"),
        ]),
        Rewrite::Code(next_colour),
        example(
            "import matplotlib.pyplot as plt\nax = plt.gca()\na = next(ax._get_lines.prop_cycler)['color']\nb = next(ax._get_lines.prop_cycler)['color']\n",
            ("AttributeError", "'_process_plot_var_args' object has no attribute 'prop_cycler'"),
            "import matplotlib.pyplot as plt\nax = plt.gca()\na = ax._get_lines.get_next_color()\nb = ax._get_lines.get_next_color()\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-canvas-bytes",
        ("matplotlib", "3.10"),
        "a canvas gives its colours with their transparency; tostring_rgb left that out",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'tostring_rgb'")]),
        Rewrite::Code(canvas_bytes),
        example(
            "import numpy as np\nimport matplotlib.pyplot as plt\nfig = plt.figure(figsize=(2, 1), dpi=50)\nfig.canvas.draw()\nb = fig.canvas.tostring_rgb()\n",
            ("AttributeError", "'FigureCanvasAgg' object has no attribute 'tostring_rgb'"),
            "import numpy as np\nimport matplotlib.pyplot as plt\nfig = plt.figure(figsize=(2, 1), dpi=50)\nfig.canvas.draw()\nb = np.asarray(fig.canvas.buffer_rgba())[..., :3].tobytes()\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-inverse-transformed",
        ("matplotlib", "3.5"),
        "a box is transformed by the inverse, which is asked of the transform",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'inverse_transformed'")]),
        Rewrite::Code(inverse_transformed),
        example(
            "import matplotlib.pyplot as plt\nfig, ax = plt.subplots(figsize=(4, 2))\nb = fig.bbox.inverse_transformed(fig.dpi_scale_trans)\n",
            ("AttributeError", "'TransformedBbox' object has no attribute 'inverse_transformed'"),
            "import matplotlib.pyplot as plt\nfig, ax = plt.subplots(figsize=(4, 2))\nb = fig.bbox.transformed(fig.dpi_scale_trans.inverted())\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-arrow-of-space",
        ("matplotlib", "3.5"),
        "the projection of three-dimensional axes is theirs, not the renderer's, and what they hold says how far away it is",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'do_3d_projection'"),
            sig("AttributeError", "object has no attribute 'M'"),
        ]),
        Rewrite::Code(arrow_of_space),
        example(
            "from matplotlib.patches import FancyArrowPatch\nfrom mpl_toolkits.mplot3d import proj3d\nclass Arrow3D(FancyArrowPatch):\n    def __init__(self, xs, ys, zs, *args, **kwargs):\n        FancyArrowPatch.__init__(self, (0, 0), (0, 0), *args, **kwargs)\n        self._verts3d = xs, ys, zs\n    def draw(self, renderer):\n        xs, ys, zs = proj3d.proj_transform(*self._verts3d, renderer.M)\n        self.set_positions((xs[0], ys[0]), (xs[1], ys[1]))\n        FancyArrowPatch.draw(self, renderer)\n",
            ("AttributeError", "'Arrow3D' object has no attribute 'do_3d_projection'"),
            "from matplotlib.patches import FancyArrowPatch\nfrom mpl_toolkits.mplot3d import proj3d\nclass Arrow3D(FancyArrowPatch):\n    def __init__(self, xs, ys, zs, *args, **kwargs):\n        FancyArrowPatch.__init__(self, (0, 0), (0, 0), *args, **kwargs)\n        self._verts3d = xs, ys, zs\n    def draw(self, renderer):\n        xs, ys, zs = proj3d.proj_transform(*self._verts3d, self.axes.M)\n        self.set_positions((xs[0], ys[0]), (xs[1], ys[1]))\n        FancyArrowPatch.draw(self, renderer)\n\n    def do_3d_projection(self, renderer=None):\n        return 0\n",
        ),
    ),
    Rule::new(
        "matplotlib-tick-parts",
        ("matplotlib", "3.3"),
        "lines and labels of a tick are switched by themselves; its switches of before have no effect",
        Trigger::Silent,
        Rewrite::Code(tick_parts),
        example(
            "import matplotlib.pyplot as plt\nax = plt.gca()\nfor tick in ax.xaxis.get_major_ticks():\n    tick.tick1On = tick.tick2On = False\n    tick.label1On = False\n",
            ("", ""),
            "import matplotlib.pyplot as plt\nax = plt.gca()\nfor tick in ax.xaxis.get_major_ticks():\n    tick.tick1line.set_visible(False); tick.tick2line.set_visible(False)\n    tick.label1.set_visible(False)\n",
        ),
    ),
    Rule::new(
        "matplotlib-sample-data",
        ("matplotlib", "3.3"),
        "sample data of numpy are given as they are loaded, and were a file",
        Trigger::Error(&[sig("TypeError", "expected str, bytes or os.PathLike object, not NpzFile")]),
        Rewrite::Code(sample_data),
        example(
            "import numpy as np\nfrom matplotlib import cbook\nwith cbook.get_sample_data('goog.npz') as datafile:\n    r = np.load(datafile)['price_data']\n",
            ("TypeError", "expected str, bytes or os.PathLike object, not NpzFile"),
            "import numpy as np\nfrom matplotlib import cbook\nwith cbook.get_sample_data('goog.npz') as datafile:\n    r = datafile['price_data']\n",
        ),
    ),
    Rule::new(
        "matplotlib-geometry",
        ("matplotlib", "3.6"),
        "the place of axes among others is that of what they were made by",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'change_geometry'"),
            sig("AttributeError", "object has no attribute 'get_geometry'"),
        ]),
        Rewrite::Code(geometry),
        example(
            "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.change_geometry(2, 1, 2)\ng = ax.get_geometry()\n",
            ("AttributeError", "'Axes' object has no attribute 'change_geometry'"),
            "from matplotlib.gridspec import GridSpec\nimport matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.set_subplotspec(GridSpec(2, 1, figure=ax.figure)[2 - 1])\ng = (*ax.get_subplotspec().get_geometry()[:2], ax.get_subplotspec().num1 + 1)\n",
        ),
    ),
];

/// What draws the lines, of `axes._get_lines.prop_cycler`.
fn lines_of_cycle(expression: &Expr) -> Option<&ExprAttribute> {
    let Expr::Attribute(cycle) = expression else { return None };
    let lines = cycle.value.as_attribute_expr().filter(|lines| lines.attr.as_str() == "_get_lines");
    lines.filter(|_| matches!(cycle.attr.as_str(), "prop_cycler" | "color_cycle"))
}

fn next_colour(view: &View<'_>, change: &mut Change<'_>) {
    let taken = |expression: &'_ Expr| match expression {
        Expr::Call(call) if shape::name(&call.func) == Some("next") => {
            call.arguments.args.first().and_then(lines_of_cycle).map(Ranged::range)
        }
        Expr::Call(call) => match shape::method(call) {
            Some((method, "next" | "__next__")) => lines_of_cycle(&method.value).map(Ranged::range),
            _ => None,
        },
        _ => None,
    };
    view.expressions(|place, expression, around| {
        let lines = match expression {
            Expr::Subscript(item) if shape::text(&item.slice) == Some("color") => taken(&item.value),
            // The cycle of before 1.5 gave colours; of a later one nothing but the colour is known.
            Expr::Call(call) if view.parsed(place).text(call.range()).contains("color_cycle") => taken(expression),
            Expr::Call(call) => match around.statement() {
                Stmt::Expr(one) if one.value.range() == call.range() => taken(expression),
                _ => None,
            },
            _ => None,
        };
        if let Some(lines) = lines {
            let text = format!("{}.get_next_color()", view.parsed(place).text(lines));
            change.replace(place, expression.range(), text);
        }
    });
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let [target] = &assign.targets[..] else { return };
            let (Some(to), Some(from)) = (lines_of_cycle(target), lines_of_cycle(&assign.value)) else { return };
            let text = format!("{} = {}", source.parsed.text(to.range()), source.parsed.text(from.range()));
            change.replace(Place(position), statement.range(), text);
        });
    }
}

fn canvas_bytes(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "tostring_rgb")) = shape::method(call) else { return };
        if call.arguments.is_empty() {
            let function = change.spell(place, "numpy.asarray");
            let canvas = receiver_text(view.parsed(place), attribute);
            change.replace(place, call.range(), format!("{function}({canvas}.buffer_rgba())[..., :3].tobytes()"));
        }
    });
}

fn inverse_transformed(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let (Some((attribute, "inverse_transformed")), [transform]) = (shape::method(call), &call.arguments.args[..])
        else {
            return;
        };
        if shape::is_primary(transform) {
            let edits =
                vec![replacement(attribute.attr.range(), "transformed"), insertion(transform.end(), ".inverted()")];
            change.edit(place, call.start(), edits);
        }
    });
}

fn arrow_of_space(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::ClassDef(class) = statement else { return };
            let Some(draw) = method_of(class, "draw").filter(|_| is_arrow(class)) else { return };
            let mut edits = Vec::new();
            walk::expressions(std::slice::from_ref(draw), &mut |expression, _| {
                let Expr::Attribute(attribute) = expression else { return };
                if attribute.attr.as_str() == "M" && shape::name(&attribute.value) == Some("renderer") {
                    edits.push(replacement(attribute.value.range(), "self.axes"));
                }
            });
            if method_of(class, "do_3d_projection").is_none() && !edits.is_empty() {
                let indentation = indentation_of(source.parsed.source(), draw.start()).unwrap_or("    ");
                let method =
                    format!("\n\n{indentation}def do_3d_projection(self, renderer=None):\n{indentation}    return 0");
                edits.push(insertion(draw.end(), method));
            }
            change.edit(place, statement.start(), edits);
        });
    }
}

fn is_arrow(class: &StmtClassDef) -> bool {
    let mut bases = class.arguments.iter().flat_map(|arguments| arguments.args.iter()).filter_map(shape::dotted);
    bases.any(|base| base.last() == Some(&"FancyArrowPatch"))
}

fn method_of<'c>(class: &'c StmtClassDef, name: &str) -> Option<&'c Stmt> {
    class.body.iter().find(|one| matches!(one, Stmt::FunctionDef(function) if function.name.as_str() == name))
}

/// Switches of ticks, and what they switched.
const TICK_PARTS: [(&str, &str); 5] = [
    ("tick1On", "tick1line"),
    ("tick2On", "tick2line"),
    ("label1On", "label1"),
    ("label2On", "label2"),
    ("gridOn", "gridline"),
];

fn tick_parts(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            if !matches!(*assign.value, Expr::BooleanLiteral(_) | Expr::Name(_)) {
                return;
            }
            let value = source.parsed.text(assign.value.range());
            let switched = assign.targets.iter().map(|target| {
                // What is its own may be a switch of a class of the notebook.
                let attribute = target.as_attribute_expr().filter(|one| shape::name(&one.value) != Some("self"))?;
                let (_, part) = TICK_PARTS.iter().find(|(old, _)| *old == attribute.attr.as_str())?;
                Some(format!("{}.{part}.set_visible({value})", receiver_text(&source.parsed, attribute)))
            });
            if let Some(calls) = switched.collect::<Option<Vec<String>>>() {
                change.replace(Place(position), statement.range(), calls.join("; "));
            }
        });
    }
}

fn sample_data(view: &View<'_>, change: &mut Change<'_>) {
    let is_asked = view.code.cells.iter().any(|source| source.parsed.source().contains("get_sample_data"));
    view.calls(|place, call, _| {
        let [file] = &call.arguments.args[..] else { return };
        let is_load = view.qualified(&call.func).as_deref() == Some("numpy.load");
        if is_asked && is_load && shape::is_primary(file) && view.at_fault(place, call.range()) {
            change.replace(place, call.range(), view.parsed(place).text(file.range()));
        }
    });
}

fn geometry(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        let parsed = view.parsed(place);
        let axes = receiver_text(parsed, attribute);
        // The axes are named twice.
        let is_simple = !axes.contains('(') && view.at_fault(place, call.range());
        let text = match (method, &call.arguments.args[..]) {
            ("get_geometry", []) if is_simple => {
                format!("(*{axes}.get_subplotspec().get_geometry()[:2], {axes}.get_subplotspec().num1 + 1)")
            }
            ("change_geometry", [rows, columns, number]) if is_simple => {
                let [rows, columns, number] = [rows, columns, number].map(|one| parsed.text(one.range()));
                let grid = change.spell(place, "matplotlib.gridspec.GridSpec");
                format!("{axes}.set_subplotspec({grid}({rows}, {columns}, figure={axes}.figure)[{number} - 1])")
            }
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}
