//! What changed in statsmodels.

use nbrevive_pysource::ast::{Expr, StmtAssign};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn of(name: &'static str) -> Callee {
    Callee::Function("statsmodels", name)
}

/// The model under a name, before what follows it.
macro_rules! autoregression {
    ($name:literal, $rest:literal) => {
        concat!("class ", $name, ":\n", include_str!("../data/stand-ins/autoregression.py"), $rest)
    };
}

/// The models of series that are differenced, before what follows them.
macro_rules! differenced {
    ($name:literal, $rest:literal) => {
        concat!("class ", $name, ":\n", include_str!("../data/stand-ins/arima.py"), $rest)
    };
}

static RULES: &[Rule] = &[
    Rule::new(
        "statsmodels-keywords",
        ("statsmodels", "0.13.0"),
        "keyword arguments were renamed (freq, unbiased, damped, smoothing_slope)",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'freq'"),
            sig("TypeError", "got an unexpected keyword argument 'unbiased'"),
            sig("TypeError", "got an unexpected keyword argument 'damped'"),
            sig("TypeError", "got an unexpected keyword argument 'smoothing_slope'"),
            sig("TypeError", "got an unexpected keyword argument 'damping_slope'"),
            sig("TypeError", "got an unexpected keyword argument 'old_names'"),
        ]),
        Rewrite::Keyword(&[
            keyword(of("seasonal_decompose"), "freq", Fate::Renamed("period")),
            keyword(of("acf"), "unbiased", Fate::Renamed("adjusted")),
            keyword(of("pacf"), "unbiased", Fate::Renamed("adjusted")),
            keyword(of("acovf"), "unbiased", Fate::Renamed("adjusted")),
            keyword(of("ExponentialSmoothing"), "damped", Fate::Renamed("damped_trend")),
            keyword(of("Holt"), "damped", Fate::Renamed("damped_trend")),
            keyword(Callee::Method(On::Any, "fit"), "smoothing_slope", Fate::Renamed("smoothing_trend")),
            keyword(Callee::Method(On::Any, "fit"), "damping_slope", Fate::Renamed("damping_trend")),
            keyword(of("AutoReg"), "old_names", Fate::RemovedWhen("False")),
            keyword(Callee::Method(On::Any, "seasonal_decompose"), "freq", Fate::Renamed("period")),
        ]),
        example(
            "from statsmodels.tsa.seasonal import seasonal_decompose\nd = seasonal_decompose(s, freq=7)\n",
            ("TypeError", "seasonal_decompose() got an unexpected keyword argument 'freq'"),
            "from statsmodels.tsa.seasonal import seasonal_decompose\nd = seasonal_decompose(s, period=7)\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-smoothing-transform",
        ("statsmodels", "0.14.0"),
        "use_boxcox is told to ExponentialSmoothing, and not to its fit",
        Trigger::Error(&[sig("TypeError", "ExponentialSmoothing.fit() got an unexpected keyword argument 'use_boxcox'")]),
        Rewrite::Code(smoothing_transform),
        example(
            "from statsmodels.tsa.api import ExponentialSmoothing\nm = ExponentialSmoothing(s, trend='add').fit(use_boxcox=True)\n",
            ("TypeError", "ExponentialSmoothing.fit() got an unexpected keyword argument 'use_boxcox'"),
            "from statsmodels.tsa.api import ExponentialSmoothing\nm = ExponentialSmoothing(s, trend='add', use_boxcox=True).fit()\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-initialization",
        ("statsmodels", "0.14.0"),
        "Holt and SimpleExpSmoothing have to be told how they begin",
        Trigger::Error(&[sig("TypeError", "initialization_method must be a string")]),
        Rewrite::Code(initialization),
        example(
            "from statsmodels.tsa.api import Holt, SimpleExpSmoothing\na = Holt(s).fit()\nb = SimpleExpSmoothing(s).fit(smoothing_level=0.8, optimized=False)\n",
            ("TypeError", "initialization_method must be a string"),
            "from statsmodels.tsa.api import Holt, SimpleExpSmoothing\na = Holt(s, initialization_method='estimated').fit()\nb = SimpleExpSmoothing(s, initialization_method='legacy-heuristic').fit(smoothing_level=0.8, optimized=False)\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-differenced-arima",
        ("statsmodels", "0.13.0"),
        "fitted values and predictions of ARIMA were of the differenced series, and forecasts had their errors with them",
        Trigger::Error(&[
            sig("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and"),
            sig("AttributeError", "module 'statsmodels.tsa.api' has no attribute"),
            sig("ModuleNotFoundError", "No module named 'statsmodels.tsa.arima_model'"),
        ]),
        Rewrite::Code(differenced),
        example(
            "from statsmodels.tsa.arima_model import ARIMA\nfitted = ARIMA(s, order=(1, 1, 0)).fit(disp=0)\nv = fitted.fittedvalues\n",
            ("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and statsmodels.tsa.arima_model.ARIMA have been removed"),
            differenced!("ARIMA", "fitted = ARIMA(s, order=(1, 1, 0)).fit(disp=0)\nv = fitted.fittedvalues\n"),
        ),
    ),
    Rule::new(
        "statsmodels-arima",
        ("statsmodels", "0.13.0"),
        "ARMA, ARIMA and AR moved, and fit shows no progress",
        Trigger::Error(&[
            sig("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and"),
            sig("NotImplementedError", "AR has been removed from statsmodels"),
            sig("AttributeError", "module 'statsmodels.tsa.api' has no attribute"),
            sig("ModuleNotFoundError", "No module named 'statsmodels.tsa.arima_model'"),
            sig("TypeError", "fit() got an unexpected keyword argument 'disp'"),
        ]),
        Rewrite::Code(arima),
        example(
            "from statsmodels.tsa.arima_model import ARIMA, ARMA\na = ARIMA(s, order=(1, 1, 0)).fit(disp=0)\nb = ARMA(s, order=(2, 1)).fit()\n",
            ("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and statsmodels.tsa.arima_model.ARIMA have been removed"),
            "from statsmodels.tsa.arima.model import ARIMA\na = ARIMA(s, order=(1, 1, 0)).fit()\nb = ARIMA(s, order=(2, 0, 1)).fit()\n",
        ),
    )
    .shift("forecast returns values alone, and a differenced model has no constant"),
    Rule::new(
        "statsmodels-formula-names",
        ("statsmodels", "0.12.1"),
        "the models in capitals left formula.api",
        Trigger::Error(&[sig("AttributeError", "module 'statsmodels.formula.api' has no attribute")]),
        Rewrite::Move(&[
            ("statsmodels.formula.api.OLS", "statsmodels.api.OLS"),
            ("statsmodels.formula.api.GLS", "statsmodels.api.GLS"),
            ("statsmodels.formula.api.WLS", "statsmodels.api.WLS"),
            ("statsmodels.formula.api.GLM", "statsmodels.api.GLM"),
            ("statsmodels.formula.api.Logit", "statsmodels.api.Logit"),
            ("statsmodels.formula.api.add_constant", "statsmodels.api.add_constant"),
        ]),
        example(
            "import statsmodels.formula.api as smf\nimport statsmodels.api as sm\nm = smf.OLS(endog=y, exog=X)\n",
            ("AttributeError", "module 'statsmodels.formula.api' has no attribute 'OLS'"),
            "import statsmodels.formula.api as smf\nimport statsmodels.api as sm\nm = sm.OLS(endog=y, exog=X)\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-breusch-pagan",
        ("statsmodels", "0.12.0"),
        "het_breushpagan is spelled as its author is",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'het_breushpagan' from 'statsmodels"),
            sig("AttributeError", "odule 'statsmodels* has no attribute 'het_breushpagan'"),
        ]),
        Rewrite::Move(&[
            ("statsmodels.stats.api.het_breushpagan", "statsmodels.stats.api.het_breuschpagan"),
            ("statsmodels.stats.diagnostic.het_breushpagan", "statsmodels.stats.diagnostic.het_breuschpagan"),
        ]),
        example(
            "from statsmodels.stats.diagnostic import het_breushpagan\nt = het_breushpagan(e, X)\n",
            ("ImportError", "cannot import name 'het_breushpagan' from 'statsmodels.stats.diagnostic'"),
            "from statsmodels.stats.diagnostic import het_breuschpagan as het_breushpagan\nt = het_breushpagan(e, X)\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-links",
        ("statsmodels", "0.14.0"),
        "a family takes a link, and not its class",
        Trigger::Error(&[sig("TypeError", "with a link class is not allowed")]),
        Rewrite::Code(links),
        example(
            "import statsmodels.api as sm\nm = sm.GLM(y, X, family=sm.families.Binomial(link=sm.families.links.logit))\n",
            ("TypeError", "Calling Family(..) with a link class is not allowed. Use an instance of a link class instead."),
            "import statsmodels.api as sm\nm = sm.GLM(y, X, family=sm.families.Binomial(link=sm.families.links.logit()))\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-autoregression",
        ("statsmodels", "0.13.0"),
        "AR was removed; AutoReg is told how many lags it has",
        Trigger::Error(&[
            sig("NotImplementedError", "AR has been removed from statsmodels"),
            sig("ImportError", "cannot import name 'AR' from 'statsmodels"),
            sig("AttributeError", "has no attribute 'AR'"),
        ]),
        Rewrite::Code(autoregression),
        example(
            "from statsmodels.tsa.ar_model import AR\nfitted = AR(s).fit(2)\n",
            ("NotImplementedError", "AR has been removed from statsmodels and replaced with statsmodels.tsa.ar_model.AutoReg."),
            autoregression!("AR", "fitted = AR(s).fit(2)\n"),
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-fitted-data",
        ("statsmodels", "0.13.0"),
        "the data of a fitted vector autoregression are endog, and were y as well",
        Trigger::Error(&[sig("AttributeError", "'VARResults' object has no attribute 'y'")]),
        Rewrite::Code(fitted_data),
        example(
            "f = m.forecast(m.y, steps=2)\n",
            ("AttributeError", "'VARResults' object has no attribute 'y'"),
            "f = m.forecast(m.endog, steps=2)\n",
        ),
    ),
    Rule::new(
        "statsmodels-ljung-box",
        ("statsmodels", "0.13.0"),
        "acorr_ljungbox returns a table instead of two arrays",
        Trigger::Silent,
        Rewrite::Code(ljung_box),
        example(
            "from statsmodels.stats.diagnostic import acorr_ljungbox\nlb, p = acorr_ljungbox(s, lags=5)\n",
            ("", ""),
            "from statsmodels.stats.diagnostic import acorr_ljungbox\nlb, p = acorr_ljungbox(s, lags=5).to_numpy().T\n",
        ),
    ),
];

const OLD_MODELS: [&str; 3] = ["ARMA", "ARIMA", "AR"];

/// The model that a call constructs by the old module or by `sm.tsa`.
fn old_model(view: &View<'_>, function: &Expr) -> Option<&'static str> {
    let dotted = view.qualified(function)?;
    let (module, name) = dotted.rsplit_once('.')?;
    let old = matches!(
        module,
        "statsmodels.tsa.arima_model" | "statsmodels.tsa.ar_model" | "statsmodels.api.tsa" | "statsmodels.tsa.api"
    );
    OLD_MODELS.into_iter().find(|model| *model == name).filter(|_| old)
}

/// Of a model that is fitted where it is made.
fn smoothing_transform(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "fit")) = shape::method(call) else { return };
        let Some(model) = attribute.value.as_call_expr() else { return };
        if !view.is_call_of(of("ExponentialSmoothing"), place, model) {
            return;
        }
        let parsed = view.parsed(place);
        let (mut fit, mut made) = (CallEdit::new(parsed, call), CallEdit::new(parsed, model));
        if let Some(number) = fit.find("use_boxcox").filter(|_| made.find("use_boxcox").is_none()) {
            made.append(format!("use_boxcox={}", fit.value_text(number)));
            fit.remove(number);
            let mut edits = made.finish();
            edits.extend(fit.finish());
            change.edit(place, call.start(), edits);
        }
    });
}

/// As releases before did: found with the other parameters, or by a rule of thumb where these are all given.
fn initialization(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let smooths = ["Holt", "SimpleExpSmoothing"].iter().any(|name| view.is_call_of(of(name), place, call));
        if !smooths || shape::keyword(call, "initialization_method").is_some() {
            return;
        }
        let is_given = matches!(around.parents, [.., Expr::Call(fit), Expr::Attribute(_)]
            if shape::keyword(fit, "optimized").is_some_and(|told| shape::boolean(&told.value) == Some(false)));
        let method = if is_given { "legacy-heuristic" } else { "estimated" };
        let mut edit = CallEdit::new(view.parsed(place), call);
        edit.append(format!("initialization_method='{method}'"));
        change.edit(place, call.range().start(), edit.finish());
    });
}

/// Whether the notebook has a model of its own under an old name: the one that [`differenced`] writes out.
fn has_own_model(view: &View<'_>) -> bool {
    let is_model = |text: &str| text.contains("class ARIMA:") || text.contains("class ARMA:");
    view.code.cells.iter().any(|source| is_model(source.parsed.source()))
}

/// Only where the old meaning is used: all else is plainer with the model of today.
fn differenced(view: &View<'_>, change: &mut Change<'_>) {
    let (mut differences, mut of_differences, mut with_errors) = (false, false, false);
    view.calls(|_, call, around| {
        if old_model(view, &call.func) == Some("ARIMA") {
            let order = call.arguments.find_argument_value("order", 1).and_then(shape::elements);
            let times = order.and_then(|order| order.get(1)).and_then(shape::integer);
            differences |= times != Some(0);
        }
        let Some((_, method)) = shape::method(call) else { return };
        let asks = ["typ", "dynamic"].iter().any(|name| shape::keyword(call, name).is_some());
        of_differences |= method == "plot_predict" || method == "predict" && asks;
        let parts = |assign: &StmtAssign| assign.targets.iter().any(|target| shape::elements(target).is_some());
        let is_parted = around.parents.is_empty() && around.statement().as_assign_stmt().is_some_and(parts);
        with_errors |= method == "forecast" && is_parted;
    });
    view.expressions(|_, expression, _| {
        let attribute = expression.as_attribute_expr().map(|attribute| attribute.attr.as_str());
        of_differences |= attribute == Some("fittedvalues");
    });
    if !(with_errors || differences && of_differences) {
        return;
    }
    let modules = [
        "statsmodels.tsa.arima_model",
        "statsmodels.tsa.api",
        "statsmodels.api.tsa",
        "statsmodels.api.tsa.arima_model",
    ];
    let of = |module| ["ARIMA", "ARMA"].map(|name| StandIn { module, name, definition: differenced!("{name}", "") });
    write_out(modules.map(of).as_flattened(), view, change);
}

fn arima(view: &View<'_>, change: &mut Change<'_>) {
    if has_own_model(view) {
        return;
    }
    if view.errors.iter().any(|error| error.ename == "NotImplementedError") {
        old_forecasts(view, change);
    }
    arima_imports(view, change);
    view.calls(|place, call, _| {
        let parsed = view.parsed(place);
        if shape::method(call).is_some_and(|(_, name)| name == "fit") {
            let mut edit = CallEdit::new(parsed, call);
            let known = view.at_fault(place, call.range()) || is_on_old_model(view, call);
            let numbers: Vec<usize> =
                ["disp", "transparams", "trend", "method"].iter().filter_map(|name| edit.find(name)).collect();
            if known && !numbers.is_empty() {
                for number in numbers {
                    edit.remove(number);
                }
                change.edit(place, call.range().start(), edit.finish());
            }
            return;
        }
        if old_model(view, &call.func) == Some("ARMA") {
            let mut edit = CallEdit::new(parsed, call);
            let order = edit.find("order").or_else(|| edit.positional().get(1).copied());
            let Some(number) = order else { return };
            let Some([p, q]) = shape::elements(edit.value(number)) else { return };
            edit.set(number, format!("order=({}, 0, {})", parsed.text(p.range()), parsed.text(q.range())));
            let mut edits = edit.finish();
            let name = match call.func.as_ref() {
                Expr::Attribute(attribute) => attribute.attr.range(),
                other => other.range(),
            };
            edits.push(replacement(name, "ARIMA"));
            change.edit(place, call.range().start(), edits);
        }
    });
}

fn is_on_old_model(view: &View<'_>, call: &nbrevive_pysource::ast::ExprCall) -> bool {
    let Some((attribute, _)) = shape::method(call) else { return false };
    match attribute.value.as_ref() {
        Expr::Call(model) => old_model(view, &model.func).is_some(),
        other => view.class_of(other).is_some_and(|class| class.contains("arima")),
    }
}

fn arima_imports(view: &View<'_>, change: &mut Change<'_>) {
    use nbrevive_pysource::ast::Stmt;
    for (position, source) in view.code.cells.iter().enumerate() {
        crate::walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::ImportFrom(import) = statement else { return };
            let place = crate::view::Place(position);
            let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
            if module == "statsmodels.tsa.arima_model" {
                change.replace(place, import.range(), "from statsmodels.tsa.arima.model import ARIMA");
            }
        });
    }
}

fn links(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let link = shape::keyword(call, "link").map(|keyword| &keyword.value).or_else(|| call.arguments.args.first());
        let Some(link) = link else { return };
        let is_class = view.qualified(link).is_some_and(|dotted| dotted.contains(".links."));
        if is_class {
            change.edit(place, call.range().start(), vec![crate::change::insertion(link.end(), "()")]);
        }
    });
}

/// What a fitted vector autoregression was made of.
fn fitted_data(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Attribute(data) = expression else { return };
        if data.attr.as_str() == "y" && view.at_fault(place, expression.range()) {
            change.replace(place, data.attr.range(), "endog");
        }
    });
}

fn autoregression(view: &View<'_>, change: &mut Change<'_>) {
    let of = |module| StandIn { module, name: "AR", definition: autoregression!("{name}", "") };
    let modules = ["statsmodels.tsa.ar_model", "statsmodels.tsa.api", "statsmodels.api.tsa"];
    write_out(&modules.map(of), view, change);
}

fn ljung_box(view: &View<'_>, change: &mut Change<'_>) {
    use nbrevive_pysource::ast::Stmt;
    view.calls(|place, call, around| {
        let Stmt::Assign(assign) = around.statement() else { return };
        let pair = assign.targets.first().and_then(shape::elements).is_some_and(|targets| targets.len() == 2);
        let whole = assign.value.range() == call.range();
        if pair && whole && view.is_call_of(of("acorr_ljungbox"), place, call) {
            change.edit(place, call.range().start(), vec![crate::change::insertion(call.end(), ".to_numpy().T")]);
        }
    });
}

/// `forecast(n)[0]` and `f, e, c = fit.forecast(n)` of the old models, whose forecasts were triples.
fn old_forecasts(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Expr::Call(call) = subscript.value.as_ref() else { return };
        let forecast = shape::method(call).is_some_and(|(_, name)| name == "forecast");
        if forecast && shape::integer(&subscript.slice) == Some(0) {
            let text = view.parsed(place).text(call.range()).to_owned();
            change.replace(place, expression.range(), text);
        }
    });
}
