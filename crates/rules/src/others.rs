//! What changed in libraries that notebooks use in passing: IPython, bokeh, spaCy, sympy, mlxtend; and
//! distributions that have another name today.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const FIGURE: On = On::Instance("figure");

static RULES: &[Rule] = &[
    Rule::new(
        "prophet-renamed",
        ("prophet", "1.0"),
        "fbprophet is the distribution and module prophet",
        Trigger::Error(&[sig("ModuleNotFoundError", "No module named 'fbprophet")]),
        Rewrite::Move(&[("fbprophet", "prophet")]),
        example(
            "from fbprophet import Prophet\nmodel = Prophet()\n",
            ("ModuleNotFoundError", "No module named 'fbprophet'"),
            "from prophet import Prophet\nmodel = Prophet()\n",
        ),
    )
    .certain(),
    Rule::new(
        "mplfinance-renamed",
        ("mplfinance", "0.12.0"),
        "mpl_finance is mplfinance.original_flavor",
        Trigger::Error(&[sig("ModuleNotFoundError", "No module named 'mpl_finance")]),
        Rewrite::Move(&[("mpl_finance", "mplfinance.original_flavor")]),
        example(
            "from mpl_finance import candlestick_ohlc\n",
            ("ModuleNotFoundError", "No module named 'mpl_finance'"),
            "from mplfinance.original_flavor import candlestick_ohlc\n",
        ),
    )
    .certain(),
    Rule::new(
        "pyldavis-sklearn",
        ("pyldavis", "3.4.0"),
        "pyLDAvis.sklearn is pyLDAvis.lda_model",
        Trigger::Error(&[
            sig("ModuleNotFoundError", "No module named 'pyLDAvis.sklearn"),
            sig("AttributeError", "module 'pyLDAvis' has no attribute 'sklearn'"),
        ]),
        Rewrite::Move(&[("pyLDAvis.sklearn", "pyLDAvis.lda_model")]),
        example(
            "import pyLDAvis.sklearn\np = pyLDAvis.sklearn.prepare(lda, matrix, vectorizer)\n",
            ("ModuleNotFoundError", "No module named 'pyLDAvis.sklearn'"),
            "import pyLDAvis.lda_model\np = pyLDAvis.lda_model.prepare(lda, matrix, vectorizer)\n",
        ),
    )
    .certain(),
    Rule::new(
        "ipython-display",
        ("ipython", "9.0"),
        "display and its kin are imported from IPython.display, the formats of drawings are set by matplotlib_inline",
        Trigger::Error(&[
            sig("ImportError", "from 'IPython.core.display'"),
            sig("ImportError", "cannot import name 'set_matplotlib_* from 'IPython.display'"),
            sig("AttributeError", "module 'IPython.display' has no attribute 'set_matplotlib_"),
            sig("ModuleNotFoundError", "No module named 'IPython.core.display"),
        ]),
        Rewrite::Move(&[
            ("IPython.core.display", "IPython.display"),
            ("IPython.display.set_matplotlib_formats", "matplotlib_inline.backend_inline.set_matplotlib_formats"),
            ("IPython.display.set_matplotlib_close", "matplotlib_inline.backend_inline.set_matplotlib_close"),
            ("IPython.core.display.set_matplotlib_formats", "matplotlib_inline.backend_inline.set_matplotlib_formats"),
        ]),
        example(
            "from IPython.core.display import display, HTML\ndisplay(HTML('<b>a</b>'))\n",
            ("ImportError", "cannot import name 'display' from 'IPython.core.display' (display.py)"),
            "from IPython.display import display, HTML\ndisplay(HTML('<b>a</b>'))\n",
        ),
    )
    .certain(),
    Rule::new(
        "bokeh-arguments",
        ("bokeh", "3.0.0"),
        "plot_width and plot_height are width and height, legend of a glyph is legend_label",
        Trigger::Error(&[
            sig("AttributeError", "unexpected attribute 'plot_width'"),
            sig("AttributeError", "unexpected attribute 'plot_height'"),
            sig("AttributeError", "unexpected attribute 'legend'"),
            sig("KeyError", "'legend'"),
        ]),
        Rewrite::Keyword(&[
            keyword(Callee::Function("bokeh", "figure"), "plot_width", Fate::Renamed("width")),
            keyword(Callee::Function("bokeh", "figure"), "plot_height", Fate::Renamed("height")),
            keyword(Callee::Method(FIGURE, "line"), "legend", Fate::Renamed("legend_label")),
            keyword(Callee::Method(FIGURE, "circle"), "legend", Fate::Renamed("legend_label")),
            keyword(Callee::Method(FIGURE, "scatter"), "legend", Fate::Renamed("legend_label")),
            keyword(Callee::Method(FIGURE, "vbar"), "legend", Fate::Renamed("legend_label")),
            keyword(Callee::Method(FIGURE, "hbar"), "legend", Fate::Renamed("legend_label")),
            keyword(Callee::Method(FIGURE, "quad"), "legend", Fate::Renamed("legend_label")),
            keyword(Callee::Method(FIGURE, "wedge"), "legend", Fate::Renamed("legend_field")),
        ]),
        example(
            "from bokeh.plotting import figure\nf = figure(plot_width=300, plot_height=200)\nf.line([1], [1], legend='a')\n",
            ("AttributeError", "unexpected attribute 'plot_width' to figure"),
            "from bokeh.plotting import figure\nf = figure(width=300, height=200)\nf.line([1], [1], legend_label='a')\n",
        ),
    )
    .certain(),
    Rule::new(
        "bokeh-tab-panel",
        ("bokeh", "3.0.0"),
        "the panel of a tab is a TabPanel, and Panel something else; widgetbox is column",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'bokeh.models.widgets'"),
            sig("ImportError", "cannot import name 'widgetbox' from 'bokeh.layouts'"),
            sig("AttributeError", "unexpected attribute 'child' to Panel"),
        ]),
        Rewrite::Move(&[
            ("bokeh.models.widgets.Panel", "bokeh.models.TabPanel"),
            ("bokeh.models.widgets.panels.Panel", "bokeh.models.TabPanel"),
            ("bokeh.models.Panel", "bokeh.models.TabPanel"),
            ("bokeh.models.widgets.Tabs", "bokeh.models.Tabs"),
            ("bokeh.layouts.widgetbox", "bokeh.layouts.column"),
        ]),
        example(
            "from bokeh.models import Div\nfrom bokeh.models.widgets import Panel, Tabs\nt = Tabs(tabs=[Panel(child=Div(), title='a')])\n",
            ("ImportError", "cannot import name 'Panel' from 'bokeh.models.widgets' (__init__.py)"),
            "from bokeh.models import Div\nfrom bokeh.models import TabPanel as Panel, Tabs\nt = Tabs(tabs=[Panel(child=Div(), title='a')])\n",
        ),
    ),
    Rule::new(
        "ipython-magic-method",
        ("ipython", "9.0"),
        "a magic is called by its name and its line",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'magic'")]),
        Rewrite::Code(magic_method),
        example(
            "shell.magic('precision 3')\nshell.magic(u'%who')\n",
            ("AttributeError", "'InteractiveShell' object has no attribute 'magic'"),
            "shell.run_line_magic('precision', '3')\nshell.run_line_magic('who', '')\n",
        ),
    ),
    Rule::new(
        "spacy-add-pipe",
        ("spacy", "3.0"),
        "add_pipe takes the name of a component, and makes it",
        Trigger::Error(&[sig("ValueError", "`nlp.add_pipe` now takes the string name")]),
        Rewrite::Code(add_pipe),
        example(
            "nlp.add_pipe(nlp.create_pipe('sentencizer'), first=True)\nner = nlp.create_pipe('ner')\nnlp.add_pipe(ner)\n",
            ("ValueError", "[E966] `nlp.add_pipe` now takes the string name of the registered component factory"),
            "nlp.add_pipe('sentencizer', first=True)\nner = nlp.add_pipe('ner')\n",
        ),
    ),
    Rule::new(
        "spacy-matcher-patterns",
        ("spacy", "3.0"),
        "a matcher takes patterns as a list, and what is called for a match by its name",
        Trigger::Error(&[
            sig("TypeError", "add() takes exactly 2 positional arguments"),
            sig("ValueError", "[E948] `Matcher.add` received invalid 'patterns' argument"),
        ]),
        Rewrite::Code(matcher_patterns),
        example(
            "from spacy.matcher import Matcher\nm = Matcher(nlp.vocab)\nm.add('a', None, one, [{'LOWER': 'x'}])\nm.add('b', found, *more)\n",
            ("TypeError", "add() takes exactly 2 positional arguments (4 given)"),
            "from spacy.matcher import Matcher\nm = Matcher(nlp.vocab)\nm.add('a', [one, [{'LOWER': 'x'}]])\nm.add('b', [*more], on_match=found)\n",
        ),
    )
    .certain(),
    Rule::new(
        "spacy-pipe-threads",
        ("spacy", "3.0"),
        "a pipeline has no threads; they had no effect since 2.1",
        Trigger::Error(&[sig("TypeError", "pipe() got an unexpected keyword argument 'n_threads'")]),
        Rewrite::Keyword(&[keyword(Callee::Method(On::Any, "pipe"), "n_threads", Fate::Removed)]),
        example(
            "docs = list(nlp.pipe(['a b', 'c'], batch_size=2, n_threads=2))\n",
            ("TypeError", "Language.pipe() got an unexpected keyword argument 'n_threads'"),
            "docs = list(nlp.pipe(['a b', 'c'], batch_size=2))\n",
        ),
    )
    .certain(),
    Rule::new(
        "sympy-printers",
        ("sympy", "1.11.1"),
        "the modules of code printers have the language's name; mpmath is a distribution of its own",
        Trigger::Error(&[
            sig("ModuleNotFoundError", "No module named 'sympy.printing."),
            sig("ModuleNotFoundError", "No module named 'sympy.mpmath'"),
            sig("AttributeError", "module 'sympy' has no attribute 'mpmath'"),
        ]),
        Rewrite::Move(&[
            ("sympy.mpmath", "mpmath"),
            ("sympy.printing.ccode.C99CodePrinter", "sympy.printing.c.C99CodePrinter"),
            ("sympy.printing.ccode.C89CodePrinter", "sympy.printing.c.C89CodePrinter"),
            ("sympy.printing.ccode.CCodePrinter", "sympy.printing.c.C99CodePrinter"),
            ("sympy.printing.ccode.ccode", "sympy.printing.c.ccode"),
            ("sympy.printing.fcode.FCodePrinter", "sympy.printing.fortran.FCodePrinter"),
            ("sympy.printing.fcode.fcode", "sympy.printing.fortran.fcode"),
        ]),
        example(
            "from sympy.printing.ccode import C99CodePrinter\n",
            ("ModuleNotFoundError", "No module named 'sympy.printing.ccode'"),
            "from sympy.printing.c import C99CodePrinter\n",
        ),
    )
    .certain(),
    Rule::new(
        "mlxtend-names",
        ("mlxtend", "0.18.0"),
        "OnehotTransactions is TransactionEncoder; plots are in mlxtend.plotting",
        Trigger::Error(&[sig("ImportError", "from 'mlxtend")]),
        Rewrite::Move(&[
            ("mlxtend.preprocessing.OnehotTransactions", "mlxtend.preprocessing.TransactionEncoder"),
            ("mlxtend.evaluate.plot_decision_regions", "mlxtend.plotting.plot_decision_regions"),
            ("mlxtend.evaluate.plot_confusion_matrix", "mlxtend.plotting.plot_confusion_matrix"),
            ("mlxtend.evaluate.plot_learning_curves", "mlxtend.plotting.plot_learning_curves"),
        ]),
        example(
            "from mlxtend.preprocessing import OnehotTransactions\ne = OnehotTransactions()\n",
            ("ImportError", "cannot import name 'OnehotTransactions' from 'mlxtend.preprocessing' (__init__.py)"),
            "from mlxtend.preprocessing import TransactionEncoder as OnehotTransactions\ne = OnehotTransactions()\n",
        ),
    )
    .certain(),
];

fn magic_method(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let (Some((attribute, "magic")), [line]) = (shape::method(call), &call.arguments.args[..]) else { return };
        let text = shape::text(line).map(|text| text.trim_start_matches('%'));
        let Some(text) = text.filter(|text| !text.contains(['\\', '\n', '"'])) else { return };
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        // Quotes within are those of the magic.
        let quote = if rest.contains('\'') { '"' } else { '\'' };
        let edits = vec![
            replacement(attribute.attr.range(), "run_line_magic"),
            replacement(line.range(), format!("'{name}', {quote}{}{quote}", rest.trim_start())),
        ];
        change.edit(place, call.range().start(), edits);
    });
}

/// `matcher.add(name, on_match, pattern, …)`.
fn matcher_patterns(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "add")) = shape::method(call) else { return };
        let is_matcher = |on| {
            view.receiver_is_certain(on, &attribute.value)
                && view.class_of(&attribute.value).is_some_and(|class| class.starts_with("spacy."))
        };
        let [name, found, patterns @ ..] = &call.arguments.args[..] else { return };
        if patterns.is_empty()
            || !call.arguments.keywords.is_empty()
            || !["Matcher", "PhraseMatcher"].into_iter().any(|one| is_matcher(On::Instance(one)))
        {
            return;
        }
        let parsed = view.parsed(place);
        let texts: Vec<&str> = patterns.iter().map(|pattern| parsed.text(pattern.range())).collect();
        let called = if found.is_none_literal_expr() {
            String::new()
        } else {
            format!(", on_match={}", parsed.text(found.range()))
        };
        let range = TextRange::new(name.start(), patterns.last().map_or(found.end(), Ranged::end));
        change.replace(place, range, format!("{}, [{}]{called}", parsed.text(name.range()), texts.join(", ")));
    });
}

/// `create_pipe('x')` as the argument of `add_pipe`, directly or by a variable.
fn add_pipe(view: &View<'_>, change: &mut Change<'_>) {
    let mut made: Vec<(String, Place, &Stmt, String)> = Vec::new();
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let (Some(Expr::Name(target)), Expr::Call(call)) = (assign.targets.first(), assign.value.as_ref()) else {
                return;
            };
            if let Some((_, "create_pipe")) = shape::method(call)
                && let Some(kind) = call.arguments.args.first()
            {
                let kind = source.parsed.text(kind.range()).to_owned();
                made.push((target.id.to_string(), Place(position), statement, kind));
            }
        });
    }
    view.calls(|place, call, around| {
        let Some((attribute, "add_pipe")) = shape::method(call) else { return };
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(first) = edit.positional().first().copied() else { return };
        match edit.value(first) {
            Expr::Call(inner) if matches!(shape::method(inner), Some((_, "create_pipe"))) => {
                if let Some(kind) = inner.arguments.args.first() {
                    edit.set(first, parsed.text(kind.range()));
                    change.edit(place, call.range().start(), edit.finish());
                }
            }
            Expr::Name(name) => {
                let Some((target, at, statement, kind)) = made.iter().find(|one| one.0 == name.id.as_str()) else {
                    return;
                };
                edit.set(first, kind.clone());
                let receiver = receiver_text(parsed, attribute);
                let text = format!("{target} = {receiver}.add_pipe({})", edit.render());
                if around.parent().is_none() && *at == place {
                    change.replace(place, around.statement().range(), text);
                    change.remove(*at, statement, &[]);
                }
            }
            _ => {}
        }
    });
}
