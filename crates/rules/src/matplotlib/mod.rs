//! What changed in matplotlib.

mod artists;
mod data_and_colors;
mod drawing;
mod gone_parts;
mod passed_over;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::matplotlib::passed_over::LOST_PARAMETERS;
use crate::methods::{MethodRename, renamed};
use crate::positional::positional;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::walk;

pub(crate) static TABLES: &[&[Rule]] =
    &[RULES, drawing::RULES, artists::RULES, passed_over::RULES, data_and_colors::RULES, gone_parts::RULES];

const fn method(name: &'static str) -> Callee {
    Callee::Method(On::Any, name)
}

static KEYWORDS: &[Signature] = &[
    sig("AttributeError", "got an unexpected keyword argument"),
    sig("TypeError", "got an unexpected keyword argument"),
    sig("ValueError", "keyword grid_b is not recognized"),
    sig("TypeError", "missing 1 required positional argument"),
    sig("ValueError", "is not a valid value for ls"),
    sig("ValueError", "whis must be a float or list of percentiles"),
];

static RULES: &[Rule] = &[
    Rule::new(
        "matplotlib-renamed-keywords",
        ("matplotlib", "3.1"),
        "keyword arguments were renamed or removed (normed, axisbg, b of grid, left of bar, …)",
        Trigger::Error(KEYWORDS),
        Rewrite::Keyword(&[
            keyword(method("hist"), "normed", Fate::Renamed("density")),
            keyword(method("hist2d"), "normed", Fate::Renamed("density")),
            keyword(method("subplot"), "axisbg", Fate::Renamed("facecolor")),
            keyword(method("add_subplot"), "axisbg", Fate::Renamed("facecolor")),
            keyword(method("axes"), "axisbg", Fate::Renamed("facecolor")),
            keyword(method("add_axes"), "axisbg", Fate::Renamed("facecolor")),
            keyword(Callee::Function("matplotlib", "TextArea"), "minimumdescent", Fate::Removed),
            keyword(Callee::Function("matplotlib", "SpanSelector"), "rectprops", Fate::Renamed("props")),
            keyword(Callee::Function("matplotlib", "LassoSelector"), "lineprops", Fate::Renamed("props")),
            keyword(Callee::Function("mpl_toolkits", "ImageGrid"), "add_all", Fate::RemovedWhen("True")),
            keyword(Callee::Function("mpl_toolkits", "AxesGrid"), "add_all", Fate::RemovedWhen("True")),
            keyword(method("append_axes"), "add_to_figure", Fate::RemovedWhen("True")),
            keyword(method("text"), "withdash", Fate::RemovedWhen("False")),
            keyword(method("locator_params"), "nticks", Fate::Removed),
            keyword(method("grid"), "b", Fate::Renamed("visible")),
            keyword(method("set_yscale"), "nonposy", Fate::Renamed("nonpositive")),
            keyword(method("set_xscale"), "nonposx", Fate::Renamed("nonpositive")),
            keyword(method("yscale"), "nonposy", Fate::Renamed("nonpositive")),
            keyword(method("xscale"), "nonposx", Fate::Renamed("nonpositive")),
            keyword(method("barh"), "bottom", Fate::Renamed("y")),
            keyword(method("bar"), "left", Fate::Renamed("x")),
            keyword(method("boxplot"), "labels", Fate::Renamed("tick_labels")),
            keyword(method("boxplot"), "whis", Fate::Values(&[("range", "(0, 100)")])),
            keyword(method("savefig"), "frameon", Fate::Removed),
            keyword(method("savefig"), "papertype", Fate::Removed),
            keyword(method("annotate"), "s", Fate::Renamed("text")),
            keyword(method("axis"), "aspect", Fate::Removed),
            keyword(method("title"), "s", Fate::Renamed("label")),
            keyword(method("set_title"), "s", Fate::Renamed("label")),
            keyword(method("xlabel"), "s", Fate::Renamed("xlabel")),
            keyword(method("ylabel"), "s", Fate::Renamed("ylabel")),
            keyword(method("savefig"), "quality", Fate::Removed),
            keyword(method("stem"), "use_line_collection", Fate::Removed),
            keyword(method("use"), "warn", Fate::Removed),
            keyword(method("scatter"), "verts", Fate::RemovedWhen("None")),
            keyword(method("imshow"), "shape", Fate::Removed),
            keyword(method("imshow"), "hold", Fate::Removed),
            keyword(method("plot"), "hold", Fate::Removed),
            keyword(method("contour"), "hold", Fate::Removed),
            keyword(method("bar"), "hold", Fate::Removed),
            keyword(method("pie"), "hold", Fate::Removed),
            keyword(method("contourf"), "hold", Fate::Removed),
            keyword(method("scatter"), "hold", Fate::Removed),
            keyword(method("errorbar"), "hold", Fate::Removed),
            keyword(method("fill_between"), "hold", Fate::Removed),
            keyword(method("axhline"), "hold", Fate::Removed),
            keyword(method("axvline"), "hold", Fate::Removed),
            keyword(method("hlines"), "hold", Fate::Removed),
            keyword(method("vlines"), "hold", Fate::Removed),
            keyword(method("quiver"), "hold", Fate::Removed),
            keyword(method("semilogx"), "hold", Fate::Removed),
            keyword(method("semilogy"), "hold", Fate::Removed),
            keyword(method("loglog"), "hold", Fate::Removed),
            keyword(method("set_xscale"), "basex", Fate::Renamed("base")),
            keyword(method("set_yscale"), "basey", Fate::Renamed("base")),
            keyword(method("xscale"), "basex", Fate::Renamed("base")),
            keyword(method("yscale"), "basey", Fate::Renamed("base")),
            keyword(method("loglog"), "basex", Fate::Renamed("base")),
            keyword(method("loglog"), "basey", Fate::Renamed("base")),
            keyword(method("semilogx"), "basex", Fate::Renamed("base")),
            keyword(method("semilogy"), "basey", Fate::Renamed("base")),
            keyword(method("semilogx"), "nonposx", Fate::Renamed("nonpositive")),
            keyword(method("semilogy"), "nonposy", Fate::Renamed("nonpositive")),
            keyword(method("xscale"), "linthreshx", Fate::Renamed("linthresh")),
            keyword(method("yscale"), "linthreshy", Fate::Renamed("linthresh")),
            keyword(method("set_xscale"), "linthreshx", Fate::Renamed("linthresh")),
            keyword(method("set_yscale"), "linthreshy", Fate::Renamed("linthresh")),
            keyword(method("loglog"), "nonposx", Fate::Renamed("nonpositive")),
            keyword(method("loglog"), "nonposy", Fate::Renamed("nonpositive")),
            keyword(method("xscale"), "subsx", Fate::Renamed("subs")),
            keyword(method("yscale"), "subsy", Fate::Renamed("subs")),
            keyword(method("set_xscale"), "subsx", Fate::Renamed("subs")),
            keyword(method("set_yscale"), "subsy", Fate::Renamed("subs")),
            keyword(method("semilogx"), "subsx", Fate::Renamed("subs")),
            keyword(method("semilogy"), "subsy", Fate::Renamed("subs")),
            keyword(method("set_xscale"), "linscalex", Fate::Renamed("linscale")),
            keyword(method("set_yscale"), "linscaley", Fate::Renamed("linscale")),
            keyword(method("xscale"), "linscalex", Fate::Renamed("linscale")),
            keyword(method("yscale"), "linscaley", Fate::Renamed("linscale")),
        ]),
        example(
            "import matplotlib.pyplot as plt\nplt.hist(x, bins=3, normed=True)\nax.grid(b=True)\n",
            ("AttributeError", "Rectangle.set() got an unexpected keyword argument 'normed'"),
            "import matplotlib.pyplot as plt\nplt.hist(x, bins=3, density=True)\nax.grid(visible=True)\n",
        ),
    ),
    Rule::new(
        "matplotlib-rotation",
        ("matplotlib", "3.6"),
        "rotation is a number, and no text of one",
        Trigger::Error(&[sig("ValueError", "rotation must be 'vertical', 'horizontal' or a number")]),
        Rewrite::Code(rotation),
        example(
            "import matplotlib.pyplot as plt\nplt.xticks(rotation='90')\nplt.ylabel('a', rotation='vertical')\n",
            ("ValueError", "rotation must be 'vertical', 'horizontal' or a number, not 90"),
            "import matplotlib.pyplot as plt\nplt.xticks(rotation=90)\nplt.ylabel('a', rotation='vertical')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-no-color",
        ("matplotlib", "3.0"),
        "the empty text is no color; none is 'none'",
        Trigger::Error(&[
            sig("ValueError", "'c' argument must be a color*not ''"),
            sig("ValueError", "'' is not a valid"),
            sig("ValueError", "Invalid RGBA argument: ''"),
            sig("ValueError", "'facecolor' or 'color' argument must be a valid color or sequence of colors"),
        ]),
        Rewrite::Code(no_color),
        example(
            "import matplotlib.pyplot as plt\nplt.scatter([1], [2], c='', edgecolors='black', label='test')\n",
            ("ValueError", "'c' argument must be a color, a sequence of colors, or a sequence of numbers, not ''"),
            "import matplotlib.pyplot as plt\nplt.scatter([1], [2], c='none', edgecolors='black', label='test')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-seaborn-styles",
        ("matplotlib", "3.8"),
        "the seaborn styles carry the version that they copy",
        Trigger::Error(&[sig("OSError", "is not a valid package style")]),
        Rewrite::Code(styles),
        example(
            "import matplotlib.pyplot as plt\nplt.style.use('seaborn-whitegrid')\nplt.style.use(['seaborn', 'ggplot'])\n",
            ("OSError", "'seaborn-whitegrid' is not a valid package style, path of style file, URL of style file"),
            "import matplotlib.pyplot as plt\nplt.style.use('seaborn-v0_8-whitegrid')\nplt.style.use(['seaborn-v0_8', 'ggplot'])\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-moved-names",
        ("matplotlib", "3.0"),
        "functions moved or were removed",
        Trigger::Error(&[
            sig("AttributeError", "module 'matplotlib* has no attribute"),
            sig("ImportError", "from 'matplotlib"),
            sig("ModuleNotFoundError", "No module named 'matplotlib."),
        ]),
        Rewrite::Move(&[
            ("matplotlib.cm.get_cmap", "matplotlib.pyplot.get_cmap"),
            ("matplotlib.pyplot.cm.get_cmap", "matplotlib.pyplot.get_cmap"),
            ("matplotlib.cm.spectral", "matplotlib.cm.nipy_spectral"),
            ("matplotlib.pyplot.cm.spectral", "matplotlib.pyplot.cm.nipy_spectral"),
            ("matplotlib.pyplot.spectral", "matplotlib.pyplot.nipy_spectral"),
            ("matplotlib.cm.cmap_d", "matplotlib.colormaps"),
            ("matplotlib.pyplot.cm.cmap_d", "matplotlib.colormaps"),
            ("matplotlib.cm.Vega10", "matplotlib.cm.tab10"),
            ("matplotlib.cm.Vega20", "matplotlib.cm.tab20"),
            ("matplotlib.pyplot.cm.Vega10", "matplotlib.pyplot.cm.tab10"),
            ("matplotlib.pyplot.cm.Vega20", "matplotlib.pyplot.cm.tab20"),
            ("matplotlib.mlab.normpdf", "scipy.stats:norm.pdf"),
            ("matplotlib.mlab.PCA", "sklearn.decomposition.PCA"),
            ("matplotlib.mlab.griddata", "scipy.interpolate.griddata"),
            ("matplotlib.finance", "mplfinance.original_flavor"),
            ("matplotlib.tri.triangulation", "matplotlib.tri"),
            ("matplotlib.cbook.is_string_like", ""),
            ("matplotlib.cbook.iterable", "numpy.iterable"),
            ("matplotlib.cbook.mplDeprecation", "matplotlib.MatplotlibDeprecationWarning"),
            ("matplotlib.cbook.MatplotlibDeprecationWarning", "matplotlib.MatplotlibDeprecationWarning"),
            ("mpl_toolkits.axes_grid1.colorbar.colorbar", "matplotlib.pyplot.colorbar"),
        ]),
        example(
            "import matplotlib.pyplot as plt\nfrom matplotlib import cm\nc = cm.get_cmap('viridis', 5)\nd = plt.cm.get_cmap('viridis')\n",
            ("AttributeError", "module 'matplotlib.cm' has no attribute 'get_cmap'"),
            "import matplotlib.pyplot as plt\nfrom matplotlib import cm\nc = plt.get_cmap('viridis', 5)\nd = plt.get_cmap('viridis')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-renamed-methods",
        ("matplotlib", "2.2"),
        "methods and attributes of figures and axes were renamed",
        Trigger::Error(&[sig("AttributeError", "object has no attribute")]),
        Rewrite::Method(METHODS),
        example(
            "ax.set_axis_bgcolor('white')\nh = ax.legend().legendHandles\n",
            ("AttributeError", "'Axes' object has no attribute 'set_axis_bgcolor'"),
            "ax.set_facecolor('white')\nh = ax.legend().legend_handles\n",
        ),
    ),
    Rule::new(
        "matplotlib-tick-label",
        ("matplotlib", "3.8"),
        "the label of a tick is label1",
        Trigger::Error(&[sig("AttributeError", "Tick' object has no attribute 'label'")]),
        Rewrite::Method(&[renamed(On::AtFault, "label", "label1")]),
        example(
            "for tick in ax.xaxis.get_major_ticks():\n    tick.label.set_fontsize(9)\n",
            ("AttributeError", "'XTick' object has no attribute 'label'"),
            "for tick in ax.xaxis.get_major_ticks():\n    tick.label1.set_fontsize(9)\n",
        ),
    ),
    Rule::new(
        "matplotlib-hold",
        ("matplotlib", "3.0"),
        "hold and some rc parameters are gone",
        Trigger::Error(&[
            sig("AttributeError", "has no attribute 'hold'"),
            sig("KeyError", "is not a valid value for rcParam"),
        ]),
        Rewrite::Code(lost_statements),
        example(
            "import matplotlib.pyplot as plt\nplt.hold(True)\nplt.rcParams['text.latex.unicode'] = True\nplt.rcParams['axes.color_cycle'] = ['r', 'g']\nplt.plot(x)\n",
            ("AttributeError", "module 'matplotlib.pyplot' has no attribute 'hold'"),
            "from cycler import cycler\nimport matplotlib.pyplot as plt\nplt.rcParams['axes.prop_cycle'] = cycler(color=['r', 'g'])\nplt.plot(x)\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-3d-axes",
        ("matplotlib", "3.6"),
        "gca takes no projection; add_subplot does",
        Trigger::Error(&[
            sig("TypeError", "gca() got an unexpected keyword argument 'projection'"),
            sig("TypeError", "gca() got an unexpected keyword argument 'polar'"),
        ]),
        Rewrite::Code(axes_of_space),
        example(
            "ax = plt.figure().gca(projection='3d')\n",
            ("TypeError", "FigureBase.gca() got an unexpected keyword argument 'projection'"),
            "ax = plt.figure().add_subplot(projection='3d')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-positional",
        ("matplotlib", "3.5"),
        "sharex and sharey of subplots must be named",
        Trigger::Error(&[sig("TypeError", "subplots() takes from")]),
        Rewrite::Positional(&[positional(method("subplots"), &["nrows", "ncols", "sharex", "sharey"], 2)]),
        example(
            "fig, ax = plt.subplots(1, 2, True)\n",
            ("TypeError", "subplots() takes from 0 to 2 positional arguments but 3 were given"),
            "fig, ax = plt.subplots(1, 2, sharex=True)\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-color-cycle",
        ("matplotlib", "3.1.0"),
        "set_color_cycle is set_prop_cycle(color=…)",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'set_color_cycle'")]),
        Rewrite::Method(&[MethodRename { on: On::Any, old: "set_color_cycle", new: "set_prop_cycle", first: "color" }]),
        example(
            "ax.set_color_cycle(['r', 'g'])\n",
            ("AttributeError", "'Axes' object has no attribute 'set_color_cycle'"),
            "ax.set_prop_cycle(color=['r', 'g'])\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-line-style",
        ("matplotlib", "3.3"),
        "steps are a drawstyle",
        Trigger::Error(&[sig("ValueError", "is not a valid value for ls")]),
        Rewrite::Code(line_style),
        example(
            "plt.plot(x, linestyle='steps')\n",
            ("ValueError", "'steps' is not a valid value for ls."),
            "plt.plot(x, drawstyle='steps')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-tick-labels",
        ("matplotlib", "3.3"),
        "there must be as many tick labels as ticks; missing ones were blank, and those too many were left out",
        Trigger::Error(&[sig("ValueError", "The number of FixedLocator locations (")]),
        Rewrite::Code(tick_labels),
        example(
            "ax.set_xticks([1, 2, 3])\nax.set_xticklabels(['a', 'b'])\nax.yaxis.set_ticklabels(names)\n",
            ("ValueError", "The number of FixedLocator locations (3), usually from a call to set_ticks, does not match the number of labels (2)."),
            "ax.set_xticks([1, 2, 3])\nax.set_xticklabels((list(['a', 'b']) + [''] * 99)[:len(ax.get_xticks())])\nax.yaxis.set_ticklabels((list(names) + [''] * 99)[:len(ax.yaxis.get_ticklocs())])\n",
        ),
    ),
];

static METHODS: &[MethodRename] = &[
    renamed(On::Any, "set_axis_bgcolor", "set_facecolor"),
    renamed(On::Any, "get_axis_bgcolor", "get_facecolor"),
    renamed(On::Any, "legendHandles", "legend_handles"),
    renamed(On::Any, "w_xaxis", "xaxis"),
    renamed(On::Any, "w_yaxis", "yaxis"),
    renamed(On::Any, "w_zaxis", "zaxis"),
    renamed(On::Any, "callbacksSM", "callbacks"),
    renamed(On::Any, "_facecolors3d", "_facecolor3d"),
    renamed(On::Any, "_edgecolors3d", "_edgecolor3d"),
    renamed(On::Any, "on_mappable_changed", "update_normal"),
    renamed(On::AtFault, "draw_all", "_draw_all"),
    renamed(On::AtFault, "rowNum", "get_subplotspec().rowspan.start"),
    renamed(On::AtFault, "colNum", "get_subplotspec().colspan.start"),
    renamed(On::AtFault, "numRows", "get_subplotspec().get_gridspec().nrows"),
    renamed(On::AtFault, "numCols", "get_subplotspec().get_gridspec().ncols"),
    renamed(On::AtFault, "set_window_title", "manager.set_window_title"),
    renamed(On::AtFault, "is_first_col", "get_subplotspec().is_first_col"),
    renamed(On::AtFault, "is_last_row", "get_subplotspec().is_last_row"),
    renamed(On::AtFault, "is_first_row", "get_subplotspec().is_first_row"),
    renamed(On::AtFault, "is_last_col", "get_subplotspec().is_last_col"),
    renamed(On::AtFault, "set_clim", "mappable.set_clim"),
];

/// `subplot` of pyplot takes the axes that are there where they are of that projection, as `gca` did.
fn axes_of_space(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "gca")) = shape::method(call) else { return };
        if ["projection", "polar"].iter().any(|name| shape::keyword(call, name).is_some()) {
            let is_function = view.qualified(&call.func).is_some();
            change.replace(place, attribute.attr.range(), if is_function { "subplot" } else { "add_subplot" });
        }
    });
}

fn rotation(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(value) = shape::keyword(call, "rotation").map(|keyword| &keyword.value) else { return };
        if let Some(number) = shape::text(value).filter(|text| text.parse::<f64>().is_ok_and(f64::is_finite)) {
            change.replace(place, value.range(), number.trim());
        }
    });
}

/// Functions of which an empty text for colours gave none.
const FILLING: [&str; 8] =
    ["scatter", "bar", "barh", "fill_between", "fill_betweenx", "pcolor", "pcolormesh", "hexbin"];

fn no_color(view: &View<'_>, change: &mut Change<'_>) {
    let names = ["c", "color", "facecolor", "facecolors", "edgecolor", "edgecolors"];
    view.calls(|place, call, _| {
        if !shape::method(call).is_some_and(|(_, name)| FILLING.contains(&name)) {
            return;
        }
        let empty = names.iter().filter_map(|name| shape::keyword(call, name));
        for keyword in empty.filter(|keyword| shape::text(&keyword.value) == Some("")) {
            change.replace(place, keyword.value.range(), "'none'");
        }
    });
}

/// What the seaborn styles are called behind `seaborn-`.
const SEABORN_STYLES: [&str; 15] = [
    "bright",
    "colorblind",
    "dark",
    "dark-palette",
    "darkgrid",
    "deep",
    "muted",
    "notebook",
    "paper",
    "pastel",
    "poster",
    "talk",
    "ticks",
    "white",
    "whitegrid",
];

/// The name of today of a style of seaborn.
fn seaborn_style(text: &str) -> Option<String> {
    let rest = text.strip_prefix("seaborn")?;
    let is_style = rest.is_empty() || rest.strip_prefix('-').is_some_and(|rest| SEABORN_STYLES.contains(&rest));
    is_style.then(|| format!("'seaborn-v0_8{rest}'"))
}

fn styles(view: &View<'_>, change: &mut Change<'_>) {
    let is_told = |text: &str| {
        let told = format!("'{text}' is not a valid package style");
        view.errors.iter().any(|error| error.evalue.starts_with(&told))
    };
    let mut named = Vec::new();
    view.calls(|place, call, _| {
        let chain = shape::dotted(&call.func).unwrap_or_default();
        if !chain.ends_with(&["style", "use"]) && !chain.ends_with(&["style", "context"]) {
            return;
        }
        let Some(argument) = call.arguments.args.first() else { return };
        let (place, argument) =
            shape::name(argument).and_then(|name| view.only_value(name)).unwrap_or((place, argument));
        let names = shape::elements(argument).unwrap_or(std::slice::from_ref(argument));
        named.extend(names.iter().map(|name| (place, name.range())));
    });
    view.expressions(|place, expression, around| {
        let Some(text) = shape::text(expression) else { return };
        let Some(new) = seaborn_style(text) else { return };
        // `seaborn` alone may be another word, unless the error tells of it and it is given to a call on the way, or stands in a list.
        let is_given = || match around.parent() {
            Some(Expr::List(_) | Expr::Tuple(_)) => true,
            Some(Expr::Call(_)) => view.at_fault(place, expression.range()),
            _ => false,
        };
        let is_meant = named.contains(&(place, expression.range()))
            || is_told(text) && (text.starts_with("seaborn-") || is_given());
        if is_meant {
            change.replace(place, expression.range(), new);
        }
    });
}

fn lost_statements(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, around| match statement {
            Stmt::Expr(one) => {
                let Expr::Call(call) = one.value.as_ref() else { return };
                let hold = shape::method(call).is_some_and(|(_, name)| name == "hold");
                if hold && (view.qualified(&call.func).is_some() || view.at_fault(place, statement.range())) {
                    change.remove(place, statement, around);
                }
            }
            Stmt::Assign(assign) => {
                let Some(Expr::Subscript(target)) = assign.targets.first() else { return };
                let chain = shape::dotted(&target.value).unwrap_or_default();
                if chain.last() != Some(&"rcParams") {
                    return;
                }
                match shape::text(&target.slice) {
                    Some(name) if LOST_PARAMETERS.contains(&name) => {
                        change.remove(place, statement, around);
                    }
                    Some("axes.color_cycle") => {
                        let cycler = change.spell(place, "cycler.cycler");
                        let colours = source.parsed.text(assign.value.range());
                        let edits = vec![
                            replacement(target.slice.range(), "'axes.prop_cycle'"),
                            replacement(assign.value.range(), format!("{cycler}(color={colours})")),
                        ];
                        change.edit(place, statement.range().start(), edits);
                    }
                    _ => {}
                }
            }
            _ => {}
        });
    }
}

fn line_style(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("linestyle").or_else(|| edit.find("ls")) else { return };
        if shape::text(edit.value(number)).is_some_and(|style| style.starts_with("steps")) {
            edit.name(number, "drawstyle");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn tick_labels(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        let ticks = match method {
            "set_xticklabels" => "get_xticks",
            "set_yticklabels" => "get_yticks",
            "set_ticklabels" => "get_ticklocs",
            _ => return,
        };
        let parsed = view.parsed(place);
        let Some(labels) = call.arguments.args.first() else { return };
        let text = parsed.text(labels.range());
        let again = text.contains("[''] * 99");
        // The axes are asked for their ticks, so they must be a plain name.
        if again || shape::dotted(&attribute.value).is_none() || !view.at_fault(place, call.range()) {
            return;
        }
        let axes = parsed.text(attribute.value.range());
        change.replace(place, labels.range(), format!("(list({text}) + [''] * 99)[:len({axes}.{ticks}())]"));
    });
}
