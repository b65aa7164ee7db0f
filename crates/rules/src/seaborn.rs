//! What changed in seaborn.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::kind::Kind;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};

const fn of(name: &'static str) -> Callee {
    Callee::Function("seaborn", name)
}

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static POSITIONAL: &[Signature] = &[
    sig("TypeError", "got multiple values for argument 'data'"),
    sig("TypeError", "takes from 0 to 1 positional arguments but"),
    sig("TypeError", "plot() takes * positional argument"),
    sig("TypeError", "Vector plotting is not supported"),
    sig("AttributeError", "module 'seaborn' has no attribute 'factorplot'"),
];

static RULES: &[Rule] = &[
    Rule::new(
        "seaborn-positional",
        ("seaborn", "0.12.0"),
        "x, y and hue must be named; the first positional argument is the data",
        Trigger::Error(POSITIONAL),
        Rewrite::Code(positional),
        example(
            "import seaborn as sns\nsns.boxplot('g', 'y', data=df)\nsns.barplot(df['g'], df['y'])\nsns.countplot(df['g'])\nsns.lmplot('x', 'y', df)\n",
            ("TypeError", "boxplot() got multiple values for argument 'data'"),
            "import seaborn as sns\nsns.boxplot(x='g', y='y', data=df)\nsns.barplot(x=df['g'], y=df['y'])\nsns.countplot(x=df['g'])\nsns.lmplot(x='x', y='y', data=df)\n",
        ),
    )
    .certain(),
    Rule::new(
        "seaborn-series-first",
        ("seaborn", "0.12.0"),
        "a series alone is taken as data, and was x",
        Trigger::Silent,
        Rewrite::Code(series_first),
        example(
            "import pandas as pd\nimport seaborn as sns\ndf = pd.read_csv('a.csv')\nax = sns.countplot(df['g'])\nb = sns.boxplot(df)\n",
            ("", ""),
            "import pandas as pd\nimport seaborn as sns\ndf = pd.read_csv('a.csv')\nax = sns.countplot(x=df['g'])\nb = sns.boxplot(df)\n",
        ),
    ),
    Rule::new(
        "seaborn-factorplot",
        ("seaborn", "0.12.0"),
        "factorplot is catplot(kind='point'), lvplot is boxenplot",
        Trigger::Error(&[sig("AttributeError", "module 'seaborn' has no attribute"), sig("ImportError", "from 'seaborn'")]),
        Rewrite::Code(factorplot),
        example(
            "import seaborn as sns\nsns.factorplot(x='g', y='y', data=df)\nsns.factorplot(x='g', data=df, kind='count')\nsns.lvplot(x='g', y='y', data=df)\n",
            ("AttributeError", "module 'seaborn' has no attribute 'factorplot'"),
            "import seaborn as sns\nsns.catplot(x='g', y='y', data=df, kind='point')\nsns.catplot(x='g', data=df, kind='count')\nsns.boxenplot(x='g', y='y', data=df)\n",
        ),
    )
    .certain(),
    Rule::new(
        "seaborn-sizes",
        ("seaborn", "0.12.0"),
        "the size of a facet is its height; stat_func is gone",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'size'"),
            sig("AttributeError", "got an unexpected keyword argument 'stat_func'"),
            sig("AttributeError", "got an unexpected keyword argument 'size'"),
            sig("AttributeError", "got an unexpected keyword argument 'split'"),
            sig("AttributeError", "got an unexpected keyword argument 'annot_kws'"),
            sig("AttributeError", "module 'seaborn' has no attribute 'factorplot'"),
        ]),
        Rewrite::Keyword(&[
            keyword(of("FacetGrid"), "size", Fate::Renamed("height")),
            keyword(of("PairGrid"), "size", Fate::Renamed("height")),
            keyword(of("lmplot"), "size", Fate::Renamed("height")),
            keyword(of("catplot"), "size", Fate::Renamed("height")),
            keyword(of("factorplot"), "size", Fate::Renamed("height")),
            keyword(of("jointplot"), "size", Fate::Renamed("height")),
            keyword(of("pairplot"), "size", Fate::Renamed("height")),
            keyword(of("violinplot"), "size", Fate::Removed),
            keyword(of("stripplot"), "split", Fate::Renamed("dodge")),
            keyword(of("swarmplot"), "split", Fate::Renamed("dodge")),
            keyword(of("jointplot"), "stat_func", Fate::Removed),
            keyword(of("jointplot"), "annot_kws", Fate::Removed),
        ]),
        example(
            "import seaborn as sns\ng = sns.FacetGrid(df, col='g', size=3)\nsns.jointplot(x='x', y='y', data=df, stat_func=f)\n",
            ("TypeError", "FacetGrid.__init__() got an unexpected keyword argument 'size'"),
            "import seaborn as sns\ng = sns.FacetGrid(df, col='g', height=3)\nsns.jointplot(x='x', y='y', data=df)\n",
        ),
    )
    .certain(),
    Rule::new(
        "seaborn-time-series",
        ("seaborn", "0.10.0"),
        "tsplot is a lineplot over the rows",
        Trigger::Error(&[sig("AttributeError", "module 'seaborn' has no attribute 'tsplot'")]),
        Rewrite::Code(tsplot),
        example(
            "import seaborn as sns\nax = sns.tsplot(values)\n",
            ("AttributeError", "module 'seaborn' has no attribute 'tsplot'"),
            "import seaborn as sns\nax = sns.lineplot(x=range(len(values)), y=values)\n",
        ),
    ),
    Rule::new(
        "seaborn-lost-annotations",
        ("seaborn", "0.11.0"),
        "JointGrid.annotate is gone",
        Trigger::Error(&[sig("AttributeError", "'JointGrid' object has no attribute 'annotate'")]),
        Rewrite::Code(joint_annotate),
        example(
            "g = sns.JointGrid(x='x', y='y', data=df)\ng.annotate(f)\nplt.show()\n",
            ("AttributeError", "'JointGrid' object has no attribute 'annotate'"),
            "g = sns.JointGrid(x='x', y='y', data=df)\nplt.show()\n",
        ),
    ),
    Rule::new(
        "seaborn-correlations",
        ("seaborn", "0.6.0"),
        "corrplot computed correlations, which heatmap is given",
        Trigger::Error(&[
            sig("AttributeError", "module 'seaborn' has no attribute 'corrplot'"),
            sig("AttributeError", "module 'seaborn' has no attribute 'linearmodels'"),
        ]),
        Rewrite::Code(correlations),
        example(
            "import seaborn as sns\nsns.corrplot(df)\n",
            ("AttributeError", "module 'seaborn' has no attribute 'corrplot'"),
            "import seaborn as sns\nsns.heatmap(df.corr(numeric_only=True), annot=True)\n",
        ),
    )
    .shift("the whole matrix is drawn, and no stars mark what is significant")
    .certain(),
    Rule::new(
        "seaborn-moved-modules",
        ("seaborn", "0.12.0"),
        "seaborn.apionly is seaborn, and seaborn.plt matplotlib's",
        Trigger::Error(&[
            sig("ModuleNotFoundError", "No module named 'seaborn.apionly'"),
            sig("AttributeError", "module 'seaborn' has no attribute 'plt'"),
        ]),
        Rewrite::Move(&[("seaborn.apionly", "seaborn"), ("seaborn.plt", "matplotlib.pyplot")]),
        example(
            "import seaborn.apionly as sns\n",
            ("ModuleNotFoundError", "No module named 'seaborn.apionly'"),
            "import seaborn as sns\n",
        ),
    )
    .certain(),
];

const X_Y_HUE_DATA: &[&str] = &["x", "y", "hue", "data", "order"];
const X_Y_DATA: &[&str] = &["x", "y", "data", "hue"];
const X_Y_HUE_STYLE: &[&str] = &["x", "y", "hue", "size", "style", "data"];

/// The order in which parameters stood before 0.12.
const OLD_ORDER: [(&str, &[&str]); 21] = [
    ("boxplot", X_Y_HUE_DATA),
    ("violinplot", X_Y_HUE_DATA),
    ("stripplot", X_Y_HUE_DATA),
    ("swarmplot", X_Y_HUE_DATA),
    ("barplot", X_Y_HUE_DATA),
    ("pointplot", X_Y_HUE_DATA),
    ("countplot", X_Y_HUE_DATA),
    ("boxenplot", X_Y_HUE_DATA),
    ("lvplot", X_Y_HUE_DATA),
    ("catplot", X_Y_HUE_DATA),
    ("factorplot", X_Y_HUE_DATA),
    ("lineplot", X_Y_HUE_STYLE),
    ("scatterplot", X_Y_HUE_STYLE),
    ("relplot", X_Y_HUE_STYLE),
    ("regplot", X_Y_DATA),
    ("residplot", X_Y_DATA),
    ("lmplot", X_Y_DATA),
    ("jointplot", X_Y_DATA),
    ("JointGrid", X_Y_DATA),
    ("kdeplot", &["x", "y"]),
    ("rugplot", &["x"]),
];

fn old_order(view: &View<'_>, place: Place, call: &ExprCall) -> Option<(&'static str, &'static [&'static str])> {
    OLD_ORDER.into_iter().find(|(name, _)| view.is_call_of(of(name), place, call))
}

fn positional(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        // Names that `**options` repeats were an error in the old order too.
        if call.arguments.args.is_empty() || call.arguments.args.iter().any(Expr::is_starred_expr) {
            return;
        }
        let Some((name, order)) = old_order(view, place, call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let numbers = edit.positional();
        if numbers.len() == 1 && !single_is_x(view, name, call) {
            return;
        }
        for (position, number) in numbers.into_iter().enumerate() {
            let frame = view.kinds(edit.value(number)) == [Kind::Frame] && position > 1;
            let parameter = if frame { "data" } else { order.get(position).copied().unwrap_or("") };
            if parameter.is_empty() || edit.find(parameter).is_some() {
                return;
            }
            edit.name(number, parameter);
        }
        change.edit(place, call.range().start(), edit.finish());
    });
}

/// One positional argument stays unless it is surely a column: a name of one beside `data=`, or a series where the
/// new order would take it for a table.
fn single_is_x(view: &View<'_>, name: &str, call: &ExprCall) -> bool {
    let Some(first) = call.arguments.args.first() else { return false };
    if shape::keyword(call, "data").is_some() {
        return view.kinds(first) != [Kind::Frame];
    }
    let kinds = view.kinds(first);
    let column = kinds == [Kind::Series] || first.is_subscript_expr() && kinds != [Kind::Frame];
    let second = shape::keyword(call, "y").is_some();
    second || column && !matches!(name, "kdeplot" | "rugplot" | "lineplot")
}

fn factorplot(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let factor = view.is_call_of(of("factorplot"), place, call);
        let letter = view.is_call_of(of("lvplot"), place, call);
        if !factor && !letter {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        if factor && edit.find("kind").is_none() {
            edit.append("kind='point'");
        }
        let mut edits = edit.finish();
        let name = if factor { "catplot" } else { "boxenplot" };
        match call.func.as_ref() {
            Expr::Attribute(attribute) => edits.push(replacement(attribute.attr.range(), name)),
            _ => {
                let new = change.spell(place, &format!("seaborn.{name}"));
                edits.push(replacement(call.func.range(), new));
            }
        }
        change.edit(place, call.range().start(), edits);
    });
}

fn tsplot(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(of("tsplot"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let numbers = edit.positional();
        let Some(first) = edit.find("data").or_else(|| numbers.first().copied()) else { return };
        let values = edit.value_text(first).to_owned();
        edit.set(first, format!("x=range(len({values})), y={values}"));
        let mut edits = edit.finish();
        if let Expr::Attribute(attribute) = call.func.as_ref() {
            edits.push(replacement(attribute.attr.range(), "lineplot"));
            change.edit(place, call.range().start(), edits);
        }
    });
}

fn correlations(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let [table] = &call.arguments.args[..] else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let others = ["names", "method"].iter().any(|name| edit.find(name).is_some());
        if others || !view.is_call_of(of("corrplot"), place, call) || !shape::is_primary(table) {
            return;
        }
        let marks = ["sig_stars", "sig_tail", "sig_corr", "diag_names", "cmap_range"];
        let Some(first) = edit.positional().first().copied() else { return };
        edit.set(first, format!("{}.corr(numeric_only=True)", edit.value_text(first)));
        for mark in marks {
            edit.find(mark).into_iter().for_each(|number| edit.remove(number));
        }
        if edit.find("annot").is_none() {
            edit.append("annot=True");
        }
        let heatmap = change.spell(place, "seaborn.heatmap");
        change.replace(place, call.range(), format!("{heatmap}({})", edit.render()));
    });
}

fn joint_annotate(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        crate::walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::Expr(one) = statement else { return };
            let Expr::Call(call) = one.value.as_ref() else { return };
            let annotate = shape::method(call).is_some_and(|(_, name)| name == "annotate");
            if annotate && view.at_fault(Place(position), statement.range()) {
                change.remove(Place(position), statement, around);
            }
        });
    }
}

/// Plots whose first positional argument was x.
const OF_X: [&str; 7] = ["countplot", "boxplot", "violinplot", "stripplot", "swarmplot", "boxenplot", "barplot"];

fn series_first(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let [only] = &call.arguments.args[..] else { return };
        let named = ["x", "y", "data"].iter().any(|name| shape::keyword(call, name).is_some());
        if named || !OF_X.iter().any(|name| view.is_call_of(of(name), place, call)) {
            return;
        }
        if view.kinds(only) == [Kind::Series] {
            let mut edit = CallEdit::new(view.parsed(place), call);
            if let Some(first) = edit.positional().first().copied() {
                edit.name(first, "x");
                change.edit(place, call.range().start(), edit.finish());
            }
        }
    });
}
