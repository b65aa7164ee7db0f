//! What drawing functions passed over in silence, or with a warning, and refuse today: keywords that they have no use for, places
//! of a legend that there are none of, parameters of the style that are gone.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::ast::{Expr, ExprCall, ExprDict, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::keywords::item_range;
use crate::kind::{FIGURE, Kind};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "matplotlib-passed-over-keywords",
        ("matplotlib", "3.5"),
        "contours, files of figures and arrows of annotations refuse keywords that they passed over",
        Trigger::Error(&[
            sig("AttributeError", "ContourSet.set() got an unexpected keyword argument '"),
            sig("TypeError", "ContourSet.__init__() got an unexpected keyword argument '"),
            sig("TypeError", "FigureCanvas*.print_*() got an unexpected keyword argument '"),
            sig("AttributeError", "FancyArrowPatch.set() got an unexpected keyword argument 'frac'"),
        ]),
        Rewrite::Code(passed_over),
        example(
            "import matplotlib.pyplot as plt\nplt.savefig('a.png', figsize=(3, 3), dpi=50)\n",
            ("TypeError", "FigureCanvasAgg.print_png() got an unexpected keyword argument 'figsize'"),
            "import matplotlib.pyplot as plt\nplt.savefig('a.png', dpi=50)\n",
        ),
    ),
    Rule::new(
        "networkx-passed-over-keywords",
        ("networkx", "2.5"),
        "functions that draw a graph refuse keywords that they passed over",
        Trigger::Error(&[
            sig("TypeError", "draw_networkx*() got an unexpected keyword argument '"),
            sig("ValueError", "Received invalid argument(s): "),
        ]),
        Rewrite::Code(graph_keywords),
        example(
            "import networkx as nx\nG = nx.path_graph(3)\npos = nx.circular_layout(G)\nn = nx.draw_networkx_nodes(G, pos, node_size=30, with_labels=True)\n",
            ("TypeError", "draw_networkx_nodes() got an unexpected keyword argument 'with_labels'"),
            "import networkx as nx\nG = nx.path_graph(3)\npos = nx.circular_layout(G)\nn = nx.draw_networkx_nodes(G, pos, node_size=30)\n",
        ),
    ),
    Rule::new(
        "matplotlib-legend-place",
        ("matplotlib", "3.3"),
        "a legend refuses a place that it does not know; it took the best one, and that of a figure the upper right",
        Trigger::Error(&[sig("ValueError", "' is not a valid value for loc")]),
        Rewrite::Code(legend_place),
        example(
            "import matplotlib.pyplot as plt\nplt.plot([1, 2], label='a')\nl = plt.legend(loc='top right')\n",
            ("ValueError", "'top right' is not a valid value for loc. Did you mean one of: 'upper right', 'right'?"),
            "import matplotlib.pyplot as plt\nplt.plot([1, 2], label='a')\nl = plt.legend(loc='best')\n",
        ),
    ),
    Rule::new(
        "matplotlib-image-origin",
        ("matplotlib", "3.3"),
        "the origin of an image is upper or lower; all other words were lower",
        Trigger::Error(&[sig("ValueError", "is not a valid value for origin. Supported values are 'upper', 'lower'")]),
        Rewrite::Code(image_origin),
        example(
            "import matplotlib.pyplot as plt\nm = plt.imshow([[1, 2], [3, 4]], origin='bottom')\n",
            ("ValueError", "'bottom' is not a valid value for origin. Supported values are 'upper', 'lower'"),
            "import matplotlib.pyplot as plt\nm = plt.imshow([[1, 2], [3, 4]], origin='lower')\n",
        ),
    ),
    Rule::new(
        "matplotlib-lost-parameters",
        ("matplotlib", "3.3"),
        "parameters of the style that are gone are refused in dicts and in rc as well",
        Trigger::Error(&[
            sig("KeyError", "is not a valid value for rcParam"),
            sig("KeyError", "Unrecognized key * for group * and name"),
        ]),
        Rewrite::Code(lost_parameters),
        example(
            "import matplotlib.pyplot as plt\nplt.rcParams.update({'text.usetex': False, 'text.latex.unicode': True, 'font.size': 9})\nplt.rc('axes', color_cycle=['r', 'g'], linewidth=2)\n",
            ("KeyError", "'text.latex.unicode' is not a valid value for rcParam. Did you mean: 'text.latex.preamble'?"),
            "from cycler import cycler\nimport matplotlib.pyplot as plt\nplt.rcParams.update({'text.usetex': False, 'font.size': 9})\nplt.rc('axes', prop_cycle=cycler(color=['r', 'g']), linewidth=2)\n",
        ),
    ),
    Rule::new(
        "matplotlib-latex-preamble",
        ("matplotlib", "3.3"),
        "the preamble of LaTeX is a text, and no list of its lines",
        Trigger::Error(&[
            sig("ValueError", "Key text.latex.preamble: Could not convert ["),
            sig("ValueError", "Key pgf.preamble: Could not convert ["),
        ]),
        Rewrite::Code(latex_preamble),
        example(
            "import matplotlib as mpl\nmpl.rcParams['text.latex.preamble'] = [r'\\usepackage{amsmath}']\n",
            ("ValueError", "Key text.latex.preamble: Could not convert ['\\\\usepackage{amsmath}'] to str"),
            "import matplotlib as mpl\nmpl.rcParams['text.latex.preamble'] = '\\n'.join([r'\\usepackage{amsmath}'])\n",
        ),
    )
    .certain(),
];

/// The name of a function of matplotlib, or of a method of something that is no other module.
pub(crate) fn drawn(view: &View<'_>, call: &ExprCall) -> Option<String> {
    match view.qualified(&call.func) {
        Some(dotted) if dotted.starts_with("matplotlib.") || dotted.starts_with("pylab.") => {
            dotted.rsplit('.').next().map(str::to_owned)
        }
        Some(_) => None,
        None => shape::method(call).map(|(_, name)| name.to_owned()),
    }
}

/// The keywords that the errors name.
fn refused<'v>(view: &View<'v>) -> BTreeSet<&'v str> {
    let mut names = BTreeSet::new();
    for error in &view.errors {
        if let Some((_, several)) = error.evalue.split_once("Received invalid argument(s): ") {
            names.extend(several.split(", ").map(str::trim));
        }
        let told = error.evalue.split_once("got an unexpected keyword argument '");
        names.extend(told.and_then(|(_, rest)| rest.split_once('\'')).map(|(name, _)| name));
    }
    names
}

/// Functions with a collector of keywords at their end.
const COLLECTORS: [&str; 6] = ["contour", "contourf", "tricontour", "tricontourf", "savefig", "print_figure"];

fn passed_over(view: &View<'_>, change: &mut Change<'_>) {
    let names = refused(view);
    view.calls(|place, call, _| {
        if let Some(arrow) = shape::keyword(call, "arrowprops").filter(|_| names.contains("frac")) {
            match &arrow.value {
                Expr::Call(made) => leave_out(&["frac"].into(), made, place, view, change),
                Expr::Dict(dict) => leave_items_out(&["frac"].into(), dict, place, change),
                _ => {}
            }
        }
        let collects = drawn(view, call).is_some_and(|name| COLLECTORS.contains(&&*name));
        if collects && view.at_fault(place, call.range()) {
            leave_out(&names, call, place, view, change);
        }
    });
}

fn leave_out(names: &BTreeSet<&str>, call: &ExprCall, place: Place, view: &View<'_>, change: &mut Change<'_>) {
    let mut edit = CallEdit::new(view.parsed(place), call);
    let found: Vec<usize> = names.iter().filter_map(|name| edit.find(name)).collect();
    if !found.is_empty() {
        found.into_iter().for_each(|number| edit.remove(number));
        change.edit(place, call.start(), edit.finish());
    }
}

fn leave_items_out(names: &BTreeSet<&str>, dict: &ExprDict, place: Place, change: &mut Change<'_>) {
    for (number, item) in dict.items.iter().enumerate() {
        if item.key.as_ref().and_then(shape::text).is_some_and(|key| names.contains(key)) {
            change.replace(place, item_range(dict, number), "");
        }
    }
}

fn graph_keywords(view: &View<'_>, change: &mut Change<'_>) {
    let names = refused(view);
    let function_of = |call: &ExprCall| {
        let dotted = view.qualified(&call.func).filter(|dotted| dotted.starts_with("networkx."))?;
        dotted.rsplit('.').next().filter(|name| name.starts_with("draw")).map(str::to_owned)
    };
    let is_told = |name: &str| {
        let start = format!("{name}() got an unexpected");
        view.errors.iter().any(|error| error.evalue.starts_with(&start))
    };
    // Options that something else is given as well are left as they are.
    let mut options: BTreeMap<&str, bool> = BTreeMap::new();
    view.calls(|place, call, _| {
        let function = function_of(call);
        let is_meant = function.as_ref().is_some_and(|name| is_told(name) || view.at_fault(place, call.range()));
        if is_meant {
            leave_out(&names, call, place, view, change);
        }
        for spread in call.arguments.keywords.iter().filter(|keyword| keyword.arg.is_none()) {
            if let Some(name) = shape::name(&spread.value) {
                *options.entry(name).or_insert(true) &= function.is_some();
            }
        }
    });
    for name in options.into_iter().filter(|(_, is_for_graphs)| *is_for_graphs).map(|(name, _)| name) {
        match view.only_value(name) {
            Some((place, Expr::Dict(dict))) => leave_items_out(&names, dict, place, change),
            Some((place, Expr::Call(made))) if shape::name(&made.func) == Some("dict") => {
                leave_out(&names, made, place, view, change);
            }
            _ => {}
        }
    }
}

fn legend_place(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(function) = drawn(view, call).filter(|name| matches!(&**name, "legend" | "figlegend")) else { return };
        let Some(value) = shape::keyword(call, "loc").map(|keyword| &keyword.value) else { return };
        let Some(text) = shape::text(value) else { return };
        let told = format!("'{text}' is not a valid value for loc");
        if view.errors.iter().any(|error| error.evalue.contains(&told)) {
            let of_figure = function == "figlegend" || is_figure(view, place, call);
            change.replace(place, value.range(), if of_figure { "'upper right'" } else { "'best'" });
        }
    });
}

/// Whether the receiver of a method is a figure, as far as its kind or its name says.
fn is_figure(view: &View<'_>, place: Place, call: &ExprCall) -> bool {
    let Some((attribute, _)) = shape::method(call) else { return false };
    let named = view.parsed(place).text(attribute.value.range());
    view.kinds(&attribute.value).contains(&Kind::Instance(FIGURE.to_owned()))
        || ["fig", "figure", "gcf()"].iter().any(|end| named.ends_with(end))
}

fn image_origin(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_image = drawn(view, call).is_some_and(|name| matches!(&*name, "imshow" | "matshow" | "figimage"));
        let Some(value) = shape::keyword(call, "origin").map(|keyword| &keyword.value).filter(|_| is_image) else {
            return;
        };
        if shape::text(value).is_some_and(|text| !matches!(text, "upper" | "lower")) {
            change.replace(place, value.range(), "'lower'");
        }
    });
}

/// Parameters without a successor, and without an effect on a picture today.
pub(crate) const LOST_PARAMETERS: [&str; 22] = [
    "text.latex.unicode",
    "text.latex.preview",
    "savefig.jpeg_quality",
    "savefig.frameon",
    "savefig.extension",
    "examples.directory",
    "plugins.directory",
    "axes.hold",
    "legend.isaxes",
    "pgf.debug",
    "keymap.all_axes",
    "nbagg.transparent",
    "verbose.level",
    "verbose.fileo",
    "backend.qt4",
    "backend.qt5",
    "animation.avconv_path",
    "animation.avconv_args",
    "animation.mencoder_path",
    "animation.mencoder_args",
    "animation.html_args",
    "mpl_toolkits.legacy_colorbar",
];

fn lost_parameters(view: &View<'_>, change: &mut Change<'_>) {
    let lost: BTreeSet<&str> = LOST_PARAMETERS.into();
    view.expressions(|place, expression, _| match expression {
        Expr::Dict(dict) => {
            leave_items_out(&lost, dict, place, change);
            for item in &dict.items {
                let Some(key) = item.key.as_ref().filter(|key| shape::text(key) == Some("axes.color_cycle")) else {
                    continue;
                };
                let cycler = change.spell(place, "cycler.cycler");
                let colours = format!("{cycler}(color={})", view.parsed(place).text(item.value.range()));
                let edits =
                    vec![replacement(key.range(), "'axes.prop_cycle'"), replacement(item.value.range(), colours)];
                change.edit(place, key.start(), edits);
            }
        }
        Expr::Call(call) if drawn(view, call).as_deref() == Some("rc") => {
            let Some(group) = call.arguments.args.first().and_then(shape::text) else { return };
            let mut edit = CallEdit::new(view.parsed(place), call);
            let mut is_other = false;
            for name in lost.iter().filter_map(|name| name.strip_prefix(group)?.strip_prefix('.')) {
                if let Some(number) = edit.find(name) {
                    edit.remove(number);
                    is_other = true;
                }
            }
            if let Some(number) = edit.find("color_cycle").filter(|_| group == "axes") {
                let cycler = change.spell(place, "cycler.cycler");
                edit.set(number, format!("prop_cycle={cycler}(color={})", edit.value_text(number)));
                is_other = true;
            }
            if is_other {
                change.edit(place, call.start(), edit.finish());
            }
        }
        _ => {}
    });
}

fn is_preamble(key: &Expr) -> bool {
    shape::text(key).is_some_and(|key| matches!(key, "text.latex.preamble" | "pgf.preamble"))
}

fn latex_preamble(view: &View<'_>, change: &mut Change<'_>) {
    let mut join = |place: Place, lines: &Expr| {
        if shape::elements(lines).is_some() {
            let text = view.parsed(place).text(lines.range());
            change.replace(place, lines.range(), format!("'\\n'.join({text})"));
        }
    };
    view.expressions(|place, expression, around| match (expression, around.statement()) {
        (Expr::Dict(dict), _) => {
            let items = dict.items.iter().filter(|item| item.key.as_ref().is_some_and(is_preamble));
            items.for_each(|item| join(place, &item.value));
        }
        (Expr::Subscript(target), Stmt::Assign(assign)) if target.ctx.is_store() && is_preamble(&target.slice) => {
            join(place, &assign.value);
        }
        _ => {}
    });
}
