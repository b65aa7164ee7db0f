//! What changed in plotly.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;
use crate::walk;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn of(name: &'static str) -> Callee {
    Callee::Function("plotly", name)
}

static MISSING: &[Signature] = &[
    sig("AttributeError", "module 'plotly* has no attribute"),
    sig("ImportError", "cannot import name '*' from 'plotly"),
    sig("ModuleNotFoundError", "No module named 'plotly."),
    sig("ImportError", "The plotly.plotly module is deprecated"),
];

/// The function `create_annotated_heatmap` under a name, before what follows it.
macro_rules! heatmap {
    ($name:literal, $rest:literal) => {
        concat!("def ", $name, include_str!("../data/stand-ins/heatmap.py"), $rest)
    };
}

static RULES: &[Rule] = &[
    Rule::new(
        "plotly-credentials",
        ("plotly", "4.0.0"),
        "nothing is uploaded, so there are no credentials to set",
        Trigger::Error(MISSING),
        Rewrite::Code(credentials),
        example(
            "import plotly\nplotly.tools.set_credentials_file(username='u', api_key='k')\nx = 1\n",
            ("AttributeError", "module 'plotly.tools' has no attribute 'set_credentials_file'"),
            "import plotly\nx = 1\n",
        ),
    )
    .certain(),
    Rule::new(
        "plotly-moved-names",
        ("plotly", "4.0.0"),
        "plotting online is gone, and traces of Mapbox are those of Map",
        Trigger::Error(MISSING),
        Rewrite::Move(&[
            ("plotly.plotly", "plotly.offline"),
            ("plotly.graph_objs.Heatmapgl", "plotly.graph_objs.Heatmap"),
            ("plotly.graph_objects.Heatmapgl", "plotly.graph_objects.Heatmap"),
            ("plotly.graph_objs.Scattermapbox", "plotly.graph_objs.Scattermap"),
            ("plotly.graph_objects.Scattermapbox", "plotly.graph_objects.Scattermap"),
            ("plotly.graph_objs.Choroplethmapbox", "plotly.graph_objs.Choroplethmap"),
            ("plotly.graph_objects.Choroplethmapbox", "plotly.graph_objects.Choroplethmap"),
            ("plotly.graph_objs.Densitymapbox", "plotly.graph_objs.Densitymap"),
            ("plotly.graph_objects.Densitymapbox", "plotly.graph_objects.Densitymap"),
            ("plotly.express.scatter_mapbox", "plotly.express.scatter_map"),
            ("plotly.express.line_mapbox", "plotly.express.line_map"),
            ("plotly.express.density_mapbox", "plotly.express.density_map"),
            ("plotly.express.choropleth_mapbox", "plotly.express.choropleth_map"),
        ]),
        example(
            "import plotly.plotly as py\nimport plotly.graph_objs as go\npy.iplot([go.Scattermapbox(lat=[1], lon=[1])])\n",
            ("ImportError", "The plotly.plotly module is deprecated"),
            "import plotly.offline as py\nimport plotly.graph_objs as go\npy.iplot([go.Scattermap(lat=[1], lon=[1])])\n",
        ),
    )
    .certain()
    .shift("iplot draws in the notebook and uploads nothing"),
    Rule::new(
        "plotly-map-arguments",
        ("plotly", "7.0"),
        "mapbox and its arguments are map",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'mapbox_style'"),
            sig("ValueError", "Invalid property specified*'mapbox"),
        ]),
        Rewrite::Keyword(&[
            keyword(Callee::Method(On::Any, "update_layout"), "mapbox", Fate::Renamed("map")),
            keyword(Callee::Method(On::Any, "update_layout"), "mapbox_style", Fate::Renamed("map_style")),
            keyword(Callee::Method(On::Any, "update_layout"), "mapbox_center", Fate::Renamed("map_center")),
            keyword(Callee::Method(On::Any, "update_layout"), "mapbox_zoom", Fate::Renamed("map_zoom")),
            keyword(of("scatter_map"), "mapbox_style", Fate::Renamed("map_style")),
            keyword(of("line_map"), "mapbox_style", Fate::Renamed("map_style")),
            keyword(of("density_map"), "mapbox_style", Fate::Renamed("map_style")),
            keyword(of("choropleth_map"), "mapbox_style", Fate::Renamed("map_style")),
            keyword(of("Layout"), "mapbox", Fate::Renamed("map")),
        ]),
        example(
            "import plotly.express as px\nf = px.scatter_map(df, lat='a', lon='b', mapbox_style='open-street-map')\n",
            ("TypeError", "scatter_map() got an unexpected keyword argument 'mapbox_style'"),
            "import plotly.express as px\nf = px.scatter_map(df, lat='a', lon='b', map_style='open-street-map')\n",
        ),
    )
    .certain(),
    Rule::new(
        "plotly-title-properties",
        ("plotly", "6.0"),
        "titlefont, titleside and titleposition are properties of title",
        Trigger::Error(&[
            sig("ValueError", "Invalid property specified*'titlefont'"),
            sig("ValueError", "Invalid property specified*'titleside'"),
            sig("ValueError", "Invalid property specified*'titleposition'"),
            sig("ValueError", "Invalid property specified*'titleoffset'"),
        ]),
        Rewrite::Code(title_properties),
        example(
            "import plotly.graph_objs as go\na = go.Layout(title='t', titlefont=dict(size=12))\nb = {'xaxis': {'title': 'x', 'titlefont': {'size': 9}}}\nc = dict(titleside='right')\n",
            ("ValueError", "Invalid property specified for object of type plotly.graph_objs.Layout: 'titlefont'"),
            "import plotly.graph_objs as go\na = go.Layout(title=dict(text='t', font=dict(size=12)))\nb = {'xaxis': {'title': {'text': 'x', 'font': {'size': 9}}}}\nc = dict(title=dict(side='right'))\n",
        ),
    ),
    Rule::new(
        "plotly-distribution-plot",
        ("plotly", "7.1.0"),
        "create_distplot was removed; histograms show the same data",
        Trigger::Error(&[
            sig("AttributeError", "module 'plotly.figure_factory' has no attribute 'create_distplot'"),
            sig("ImportError", "cannot import name 'create_distplot'"),
        ]),
        Rewrite::Code(distribution_plot),
        example(
            "import plotly.figure_factory as ff\nf = ff.create_distplot([a, b], ['a', 'b'], bin_size=0.2)\n",
            ("AttributeError", "module 'plotly.figure_factory' has no attribute 'create_distplot'"),
            "from plotly.graph_objects import Figure, Histogram\nimport plotly.figure_factory as ff\nf = Figure([Histogram(x=values, name=name, histnorm='probability density') for values, name in zip([a, b], ['a', 'b'])])\n",
        ),
    )
    .certain()
    .shift("the density curve and the rug are not drawn"),
    Rule::new(
        "plotly-annotated-heatmap",
        ("plotly", "7.0"),
        "create_annotated_heatmap was removed; a heatmap and its annotations are written out",
        Trigger::Error(&[
            sig("AttributeError", "module 'plotly.figure_factory' has no attribute 'create_annotated_heatmap'"),
            sig("ImportError", "cannot import name 'create_annotated_heatmap'"),
        ]),
        Rewrite::Code(annotated_heatmap),
        example(
            "import plotly.figure_factory as ff\nf = ff.create_annotated_heatmap([[1, 2], [3, 4]], x=['a', 'b'], showscale=True)\n",
            ("AttributeError", "module 'plotly.figure_factory' has no attribute 'create_annotated_heatmap'"),
            heatmap!(
                "create_annotated_heatmap",
                "import plotly.figure_factory as ff\nf = create_annotated_heatmap([[1, 2], [3, 4]], x=['a', 'b'], showscale=True)\n"
            ),
        ),
    )
    .certain()
    .shift("the colours of the numbers may be others"),
];

fn annotated_heatmap(view: &View<'_>, change: &mut Change<'_>) {
    let name = "create_annotated_heatmap";
    let of = |module| StandIn { module, name, definition: heatmap!("{name}", "") };
    write_out(&["plotly.figure_factory", "plotly.tools.FigureFactory"].map(of), view, change);
}

fn credentials(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = crate::view::Place(position);
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::Expr(expression) = statement else { return };
            let Expr::Call(call) = expression.value.as_ref() else { return };
            let Some(dotted) = view.qualified(&call.func) else { return };
            let name = dotted.rsplit('.').next().unwrap_or_default();
            let sets = matches!(name, "set_credentials_file" | "set_config_file" | "sign_in");
            if dotted.starts_with("plotly.") && sets {
                change.remove(place, statement, around);
            }
        });
    }
}

/// A property of the title: its old name and its name inside of `title`.
const INNER: [(&str, &str); 4] =
    [("titlefont", "font"), ("titleside", "side"), ("titleposition", "position"), ("titleoffset", "standoff")];

fn inner_name(old: &str) -> Option<&'static str> {
    INNER.iter().find(|(name, _)| *name == old).map(|(_, new)| *new)
}

fn title_properties(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| match expression {
        Expr::Call(call) => {
            if let Some(edits) = title_of_call(view.parsed(place), call) {
                change.edit(place, call.range().start(), edits);
            }
        }
        Expr::Dict(dict) => {
            let items: Option<Vec<(&str, TextRange, TextRange, bool)>> = dict
                .items
                .iter()
                .map(|item| {
                    let key = item.key.as_ref()?;
                    let whole = TextRange::new(key.start(), item.value.end());
                    Some((shape::text(key)?, whole, item.value.range(), is_mapping(&item.value)))
                })
                .collect();
            let Some(items) = items else { return };
            let parsed = view.parsed(place);
            let Some((keep, dropped, parts)) = gathered(parsed, &items) else { return };
            let inner: Vec<String> = parts.iter().map(|(name, value)| format!("'{name}': {value}")).collect();
            let text = format!("'title': {{{}}}", inner.join(", "));
            let ranges: Vec<TextRange> = items.iter().map(|item| item.1).collect();
            change.edit(place, dict.range().start(), rewritten(&ranges, keep, &dropped, text, parsed));
        }
        _ => {}
    });
}

fn is_mapping(value: &Expr) -> bool {
    value.is_dict_expr() || matches!(value, Expr::Call(call) if shape::name(&call.func) == Some("dict"))
}

fn title_of_call(parsed: &Parsed, call: &ExprCall) -> Option<Vec<nbrevive_pysource::edits::Edit>> {
    let items: Option<Vec<(&str, TextRange, TextRange, bool)>> = call
        .arguments
        .keywords
        .iter()
        .map(|keyword| {
            let name = keyword.arg.as_ref()?.as_str();
            Some((name, keyword.range(), keyword.value.range(), is_mapping(&keyword.value)))
        })
        .collect();
    let items = items?;
    let (keep, dropped, parts) = gathered(parsed, &items)?;
    let inner: Vec<String> = parts.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let ranges: Vec<TextRange> = items.iter().map(|item| item.1).collect();
    Some(rewritten(&ranges, keep, &dropped, format!("title=dict({})", inner.join(", ")), parsed))
}

/// Which item becomes the title, which ones go, and what is inside of it. `None` where there is nothing to gather.
#[expect(clippy::type_complexity, reason = "three small lists that live for one call")]
fn gathered<'p>(
    parsed: &'p Parsed,
    items: &[(&str, TextRange, TextRange, bool)],
) -> Option<(usize, Vec<usize>, Vec<(&'static str, &'p str)>)> {
    let title = items.iter().position(|item| item.0 == "title");
    if title.is_some_and(|at| items[at].3) {
        return None;
    }
    let old: Vec<usize> = (0..items.len()).filter(|at| inner_name(items[*at].0).is_some()).collect();
    let keep = title.or(old.first().copied())?;
    if old.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    if let Some(at) = title {
        parts.push(("text", parsed.text(items[at].2)));
    }
    parts.extend(old.iter().filter_map(|at| Some((inner_name(items[*at].0)?, parsed.text(items[*at].2)))));
    Some((keep, old.into_iter().filter(|at| *at != keep).collect(), parts))
}

/// Edits that write one item anew and drop others with their commas.
fn rewritten(
    ranges: &[TextRange],
    keep: usize,
    dropped: &[usize],
    text: String,
    parsed: &Parsed,
) -> Vec<nbrevive_pysource::edits::Edit> {
    let mut edits = vec![replacement(ranges[keep], text)];
    for at in dropped {
        let range = match at.checked_sub(1) {
            Some(before) => TextRange::new(ranges[before].end(), ranges[*at].end()),
            None => TextRange::new(ranges[*at].start(), ranges.get(at + 1).map_or(ranges[*at].end(), Ranged::start)),
        };
        // A parenthesis after the item before stays.
        let between = parsed.text(TextRange::new(range.start(), ranges[*at].start()));
        if between.chars().all(|character| character == ',' || character.is_whitespace()) {
            edits.push(replacement(range, ""));
        }
    }
    edits
}

fn distribution_plot(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(of("create_distplot"), place, call) {
            return;
        }
        let edit = CallEdit::new(view.parsed(place), call);
        let numbers = edit.positional();
        let value = |order: usize, name: &str| {
            edit.find(name).or_else(|| numbers.get(order).copied()).map(|number| edit.value_text(number))
        };
        let (Some(data), Some(labels)) = (value(0, "hist_data"), value(1, "group_labels")) else { return };
        change.need_import(place, "from plotly.graph_objects import Figure, Histogram");
        let text = format!(
            "Figure([Histogram(x=values, name=name, histnorm='probability density') for values, name in zip({data}, {labels})])"
        );
        change.replace(place, call.range(), text);
    });
}
