//! ARMA and ARIMA, which one model of state space stands for today.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt, StmtAssign};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use super::{OLD_MODULES, old_model};
use crate::call::CallEdit;
use crate::change::{Change, insertion, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::{Place, View};
use crate::walk::Surroundings;
use crate::{shape, walk};

/// The models of series that are differenced, before what follows them.
macro_rules! differenced {
    ($name:literal, $rest:literal) => {
        concat!("class ", $name, ":\n", include_str!("../../data/stand-ins/arima.py"), $rest)
    };
}

/// What plots predictions, between what goes before and after it.
macro_rules! plotted {
    ($before:literal, $after:literal) => {
        concat!($before, include_str!("../../data/stand-ins/plot_predict.py"), $after)
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "statsmodels-differenced-arima",
        ("statsmodels", "0.13.0"),
        "fitted values and predictions of ARIMA were of the differenced series, and forecasts had their errors with them",
        Trigger::Error(&[
            sig("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and"),
            sig("AttributeError", "module 'statsmodels.tsa.api' has no attribute"),
            sig("ImportError", "from 'statsmodels.tsa.api'"),
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
        "ARMA and ARIMA are one model, which is told of a constant where it is made, and fit shows no progress",
        Trigger::Error(&[
            sig("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and"),
            sig("NotImplementedError", "AR has been removed from statsmodels"),
            sig("AttributeError", "module 'statsmodels.tsa.api' has no attribute"),
            sig("ImportError", "from 'statsmodels.tsa.api'"),
            sig("ModuleNotFoundError", "No module named 'statsmodels.tsa.arima_model'"),
            sig("TypeError", "fit() got an unexpected keyword argument 'disp'"),
            sig("TypeError", "ARIMA.fit() got an unexpected keyword argument"),
        ]),
        Rewrite::Code(arima),
        example(
            "from statsmodels.tsa.arima_model import ARIMA, ARMA\na = ARIMA(s, order=(1, 1, 0)).fit(disp=0)\nb = ARMA(s, order=(2, 1)).fit()\n",
            ("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and statsmodels.tsa.arima_model.ARIMA have been removed"),
            "from statsmodels.tsa.arima.model import ARIMA\na = ARIMA(s, order=(1, 1, 0), trend='t').fit()\nb = ARIMA(s, order=(2, 0, 1)).fit()\n",
        ),
    )
    .shift("estimates are those of another optimiser, the parameters have the variance behind them, and forecast returns values alone"),
    Rule::new(
        "statsmodels-plot-predict",
        ("statsmodels", "0.13.0"),
        "results of ARIMA no longer plot predictions; a function does, with other bounds and without the series",
        Trigger::Error(&[sig("AttributeError", "'ARIMAResults' object has no attribute 'plot_predict'")]),
        Rewrite::Code(plot_predict),
        example(
            "figure = fitted.plot_predict(40, 69, plot_insample=False)\n",
            ("AttributeError", "'ARIMAResults' object has no attribute 'plot_predict'"),
            plotted!("", "figure = plot_arima_predict(fitted, 40, 69, plot_insample=False)\n"),
        ),
    ),
];

/// Whether the notebook has a model of its own under an old name: the one that [`differenced`] writes out.
fn has_own_model(view: &View<'_>) -> bool {
    let is_model = |text: &str| text.contains("class ARIMA:") || text.contains("class ARMA:");
    view.code.cells.iter().any(|source| is_model(source.parsed.source()))
}

/// Only where the old meaning is used: all else is plainer with the model of today.
fn differenced(view: &View<'_>, change: &mut Change<'_>) {
    let (mut differences, mut of_differences, mut with_errors) = (false, false, false);
    let mut forecasts = Vec::new();
    view.calls(|_, call, around| {
        if old_model(view, &call.func) == Some("ARIMA") {
            let order = call.arguments.find_argument_value("order", 1).and_then(shape::elements);
            let times = order.and_then(|order| order.get(1)).and_then(shape::integer);
            differences |= times != Some(0);
        }
        let Some((_, method)) = shape::method(call) else { return };
        let asks = ["typ", "dynamic"].iter().any(|name| shape::keyword(call, name).is_some());
        of_differences |= method == "predict" && (asks || is_on_old_model(view, call));
        if method != "forecast" {
            return;
        }
        with_errors |= shape::keyword(call, "alpha").is_some() || is_error_asked(around.parent());
        if around.parents.is_empty() {
            let targets = around.statement().as_assign_stmt().map_or(&[][..], |assign| &assign.targets[..]);
            with_errors |= targets.iter().any(|target| shape::elements(target).is_some());
            forecasts.extend(targets.iter().filter_map(shape::name));
        }
    });
    view.expressions(|_, expression, _| {
        let attribute = expression.as_attribute_expr().map(|attribute| attribute.attr.as_str());
        of_differences |= attribute == Some("fittedvalues");
        let of_forecast = expression.as_subscript_expr().and_then(|item| shape::name(&item.value));
        with_errors |= of_forecast.is_some_and(|name| forecasts.contains(&name)) && is_error_asked(Some(expression));
    });
    if !(with_errors || differences && of_differences) {
        return;
    }
    let of = |module| ["ARIMA", "ARMA"].map(|name| StandIn { module, name, definition: differenced!("{name}", "") });
    write_out(OLD_MODULES.map(of).as_flattened(), view, change);
}

/// Whether the second or third of a forecast's three parts is asked for: errors and bounds.
fn is_error_asked(expression: Option<&Expr>) -> bool {
    let item = expression.and_then(|expression| expression.as_subscript_expr());
    item.is_some_and(|item| matches!(shape::integer(&item.slice), Some(1 | 2)))
}

fn arima(view: &View<'_>, change: &mut Change<'_>) {
    if has_own_model(view) {
        return;
    }
    // Said of the old models alone: once they are gone, a forecast is one array.
    let is_old = |ename: &str| matches!(ename, "NotImplementedError" | "ImportError" | "AttributeError");
    if view.errors.iter().any(|error| is_old(&error.ename)) {
        old_forecasts(view, change);
    }
    arima_imports(view, change);
    view.calls(|place, call, around| {
        if shape::method(call).is_some_and(|(_, name)| name == "fit") {
            fit_arguments(view, change, place, call);
        } else if let Some(name @ ("ARMA" | "ARIMA")) = old_model(view, &call.func) {
            made_anew(view, change, (place, call, around), name);
        }
    });
}

/// What the models of before asked of a fit that today's has no word for.
const GONE: [&str; 8] =
    ["disp", "transparams", "trend", "solver", "full_output", "callback", "start_ar_lags", "start_params"];

fn is_old_argument(name: &str, value: &Expr) -> bool {
    let is_old_method = matches!(shape::text(value), Some("css" | "mle" | "css-mle"));
    GONE.contains(&name) && name != "start_params" || name == "maxiter" || name == "method" && is_old_method
}

/// Arguments of a fit that are gone, of a model that is one of these.
fn fit_arguments(view: &View<'_>, change: &mut Change<'_>, place: Place, call: &ExprCall) {
    let is_blamed = view.at_fault(place, call.range());
    let is_known = is_on_old_model(view, call);
    if !is_known && !is_blamed {
        return;
    }
    let is_told = is_known || view.errors.iter().any(|error| error.evalue.contains("ARIMA.fit()"));
    let mut edit = CallEdit::new(view.parsed(place), call);
    let mut found = false;
    for name in GONE.iter().filter(|name| is_told || ["disp", "transparams", "trend"].contains(name)) {
        if let Some(number) = edit.find(name) {
            edit.remove(number);
            found = true;
        }
    }
    if let Some(number) = edit.find("method").filter(|number| is_old_argument("method", edit.value(*number))) {
        edit.remove(number);
        found = true;
    }
    if let Some(number) = edit.find("maxiter").filter(|_| is_told) {
        edit.set(number, format!("method_kwargs={{'maxiter': {}}}", edit.value_text(number)));
        found = true;
    }
    if found {
        change.edit(place, call.range().start(), edit.finish());
    }
}

/// The calls that fit what a call makes: at once, or by the name that it gets.
fn fits<'a>(view: &View<'a>, call: &ExprCall, around: &Surroundings<'a, '_>) -> Vec<&'a ExprCall> {
    if let [.., Expr::Call(fit), Expr::Attribute(method)] = around.parents
        && method.attr.as_str() == "fit"
        && method.value.range() == call.range()
    {
        return vec![fit];
    }
    let Stmt::Assign(StmtAssign { targets, value, .. }) = around.statement() else { return Vec::new() };
    let ([target], true) = (&targets[..], value.range() == call.range()) else { return Vec::new() };
    let mut found = Vec::new();
    view.calls(|_, fit, _| {
        let is_fit = shape::method(fit).is_some_and(|(method, name)| {
            name == "fit" && shape::name(&method.value).is_some() && shape::name(&method.value) == shape::name(target)
        });
        if is_fit {
            found.push(fit);
        }
    });
    found
}

/// Whether what is fitted has a constant: it was the fit that was told of it. `None` where that is not known.
fn has_constant(fits: &[&ExprCall]) -> Option<bool> {
    let told = |fit: &&ExprCall| match shape::keyword(fit, "trend").map(|trend| shape::text(&trend.value)) {
        None | Some(Some("c")) => Some(true),
        Some(Some("nc" | "n")) => Some(false),
        _ => None,
    };
    let first = fits.first().map_or(Some(true), told)?;
    fits.iter().all(|fit| told(fit) == Some(first)).then_some(first)
}

/// The model of today in the place of one of the old ones, with a constant in the differences where the old one had it.
fn made_anew(
    view: &View<'_>,
    change: &mut Change<'_>,
    (place, call, around): (Place, &ExprCall, &Surroundings<'_, '_>),
    name: &str,
) {
    let parsed = view.parsed(place);
    let mut edit = CallEdit::new(parsed, call);
    let fits = fits(view, call, around);
    let positional = edit.positional();
    // `sm.tsa.ARIMA` was the old model, and is the new one: known by what only the old one was told.
    let is_shared = view.qualified(&call.func).is_some_and(|dotted| !dotted.contains("arima_model"));
    let is_old = |fit: &&ExprCall| {
        let mut told = fit.arguments.keywords.iter();
        told.any(|one| one.arg.as_ref().is_some_and(|arg| is_old_argument(arg.as_str(), &one.value)))
    };
    if name == "ARIMA" && is_shared && positional.len() < 2 && !fits.iter().any(is_old) || shape::has_stars(call) {
        return;
    }
    for (number, keyword) in positional.iter().skip(1).zip(["order", "exog", "dates", "freq", "missing"]) {
        edit.name(*number, keyword);
    }
    let Some(number) = edit.find("order").or_else(|| positional.get(1).copied()) else { return };
    let (order, text) = (edit.value(number), edit.value_text(number));
    // How often it is differenced, where that is a number, and as it is written.
    let (times, written) = match (name, shape::elements(order)) {
        ("ARMA", Some([p, q])) => {
            edit.set(number, format!("order=({}, 0, {})", parsed.text(p.range()), parsed.text(q.range())));
            (Some(0), "0".to_owned())
        }
        ("ARMA", None) if order.is_name_expr() => {
            edit.set(number, format!("order=({text}[0], 0, {text}[1])"));
            (Some(0), "0".to_owned())
        }
        ("ARIMA", Some([_, d, _])) => (shape::integer(d), parsed.text(d.range()).to_owned()),
        ("ARIMA", None) if order.is_name_expr() => (None, format!("{text}[1]")),
        _ => return,
    };
    if let Some(constant) = has_constant(&fits).filter(|_| edit.find("trend").is_none()) {
        match (constant, times) {
            (true, Some(0)) => {}
            (true, Some(1)) => edit.append("trend='t'"),
            (true, _) => edit.append(format!("trend=[0] * {written} + [1]")),
            (false, _) => edit.append("trend='n'"),
        }
    }
    let mut edits = edit.finish();
    match call.func.as_ref() {
        Expr::Attribute(_) if !is_shared => {
            edits.push(replacement(call.func.range(), change.spell(place, "statsmodels.tsa.arima.model.ARIMA")));
        }
        Expr::Attribute(model) if name == "ARMA" => edits.push(replacement(model.attr.range(), "ARIMA")),
        Expr::Name(local) if local.id.as_str() == "ARMA" => edits.push(replacement(local.range(), "ARIMA")),
        _ => {}
    }
    change.edit(place, call.range().start(), edits);
}

/// Whether the receiver of a method is one of the models, or what was fitted of it.
fn is_on_old_model(view: &View<'_>, call: &ExprCall) -> bool {
    let Some((attribute, _)) = shape::method(call) else { return false };
    match attribute.value.as_ref() {
        Expr::Call(model) => matches!(old_model(view, &model.func), Some("ARMA" | "ARIMA")),
        other => view.class_of(other).is_some_and(|class| is_model(&class)),
    }
}

fn is_model(class: &str) -> bool {
    let name = class.rsplit('.').next().unwrap_or_default();
    class.starts_with("statsmodels.") && matches!(name, "ARMA" | "ARIMA")
}

fn arima_imports(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::ImportFrom(import) = statement else { return };
            let place = Place(position);
            let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
            if module == "statsmodels.tsa.api" {
                for alias in import.names.iter().filter(|alias| alias.name.as_str() == "ARMA") {
                    change.replace(place, alias.name.range(), "ARIMA");
                }
            }
            if module != "statsmodels.tsa.arima_model" {
                return;
            }
            let mut names: Vec<String> = Vec::new();
            for alias in &import.names {
                let new = if alias.name.ends_with("Results") { "ARIMAResults" } else { "ARIMA" };
                let local = alias.asname.as_ref().map(|local| local.as_str());
                // Calls of ARMA are rewritten; what only stands for its results keeps its name.
                let local = local.or_else(|| (alias.name.as_str() == "ARMAResults").then_some("ARMAResults"));
                let text = local.map_or_else(|| new.to_owned(), |local| format!("{new} as {local}"));
                if !names.contains(&text) {
                    names.push(text);
                }
            }
            let text = format!("from statsmodels.tsa.arima.model import {}", names.join(", "));
            change.replace(place, import.range(), text);
        });
    }
}

/// `forecast(n)[0]` of the old models, whose forecasts were triples of arrays.
fn old_forecasts(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Expr::Call(call) = subscript.value.as_ref() else { return };
        let Some((attribute, "forecast")) = shape::method(call) else { return };
        let is_other = view.class_of(&attribute.value).is_some_and(|class| !is_model(&class));
        if shape::integer(&subscript.slice) == Some(0) && !is_other {
            let array = change.spell(place, "numpy.asarray");
            // Around the model, whose call is changed as well.
            let behind = TextRange::new(call.end(), expression.end());
            let edits = vec![insertion(expression.start(), format!("{array}(")), replacement(behind, ")")];
            change.edit(place, expression.start(), edits);
        }
    });
}

fn plot_predict(view: &View<'_>, change: &mut Change<'_>) {
    // Other results still have the method.
    let may_be_other = view.code.index.words.contain("AutoReg");
    view.calls(|place, call, _| {
        let Some((attribute, "plot_predict")) = shape::method(call) else { return };
        let is_unknown = !may_be_other && view.kinds(&attribute.value).is_empty();
        let is_one = is_unknown || view.class_of(&attribute.value).is_some_and(|class| is_model(&class));
        if view.is_own(&attribute.value, "plot_predict") || !(is_one || view.at_fault(place, call.range())) {
            return;
        }
        let parsed = view.parsed(place);
        let arguments = CallEdit::new(parsed, call).render();
        let separator = if arguments.is_empty() { "" } else { ", " };
        let fitted = parsed.text(attribute.value.range());
        change.need_import(place, plotted!("", "").trim_end());
        change.replace(place, call.range(), format!("plot_arima_predict({fitted}{separator}{arguments})"));
    });
}
