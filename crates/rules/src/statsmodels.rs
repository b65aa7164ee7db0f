//! What changed in statsmodels.

mod arima;
mod compat;
mod datasets;
mod smoothing;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::keywords::{Fate, keyword};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES, arima::RULES, compat::RULES, datasets::RULES, smoothing::RULES];

const fn of(name: &'static str) -> Callee {
    Callee::Function("statsmodels", name)
}

/// The model under a name, before what follows it.
macro_rules! autoregression {
    ($name:literal, $rest:literal) => {
        concat!("class ", $name, ":\n", include_str!("../data/stand-ins/autoregression.py"), $rest)
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
            sig("TypeError", "got an unexpected keyword argument 'initial_slope'"),
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
            keyword(Callee::Method(On::Any, "fit"), "initial_slope", Fate::Renamed("initial_trend")),
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
            ("statsmodels.formula.api.GLSAR", "statsmodels.api.GLSAR"),
            ("statsmodels.formula.api.RLM", "statsmodels.api.RLM"),
            ("statsmodels.formula.api.Probit", "statsmodels.api.Probit"),
            ("statsmodels.formula.api.MNLogit", "statsmodels.api.MNLogit"),
            ("statsmodels.formula.api.Poisson", "statsmodels.api.Poisson"),
            ("statsmodels.formula.api.NegativeBinomial", "statsmodels.api.NegativeBinomial"),
            ("statsmodels.formula.api.QuantReg", "statsmodels.api.QuantReg"),
            ("statsmodels.formula.api.MixedLM", "statsmodels.api.MixedLM"),
            ("statsmodels.formula.api.PHReg", "statsmodels.api.PHReg"),
            ("statsmodels.formula.api.GEE", "statsmodels.api.GEE"),
            ("statsmodels.formula.api.NominalGEE", "statsmodels.api.NominalGEE"),
            ("statsmodels.formula.api.OrdinalGEE", "statsmodels.api.OrdinalGEE"),
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
        "het_breushpagan, lillifors and acorr_breush_godfrey are spelled as their authors are",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'het_breushpagan' from 'statsmodels"),
            sig("AttributeError", "odule 'statsmodels* has no attribute 'het_breushpagan'"),
            sig("ImportError", "cannot import name 'lillifors' from 'statsmodels"),
            sig("AttributeError", "odule 'statsmodels* has no attribute 'lillifors'"),
            sig("ImportError", "cannot import name 'acorr_breush_godfrey' from 'statsmodels"),
            sig("AttributeError", "odule 'statsmodels* has no attribute 'acorr_breush_godfrey'"),
        ]),
        Rewrite::Move(&[
            ("statsmodels.stats.api.het_breushpagan", "statsmodels.stats.api.het_breuschpagan"),
            ("statsmodels.stats.diagnostic.het_breushpagan", "statsmodels.stats.diagnostic.het_breuschpagan"),
            ("statsmodels.stats.api.lillifors", "statsmodels.stats.api.lilliefors"),
            ("statsmodels.stats.diagnostic.lillifors", "statsmodels.stats.diagnostic.lilliefors"),
            ("statsmodels.stats.api.acorr_breush_godfrey", "statsmodels.stats.api.acorr_breusch_godfrey"),
            ("statsmodels.stats.diagnostic.acorr_breush_godfrey", "statsmodels.stats.diagnostic.acorr_breusch_godfrey"),
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
        "statsmodels-no-constant",
        ("statsmodels", "0.14.0"),
        "no constant and no trend is n, and was nc",
        Trigger::Error(&[
            sig("ValueError", "regression must be one of: "),
            sig("ValueError", "trend must be one of: "),
        ]),
        Rewrite::Keyword(&[
            keyword(of("adfuller"), "regression", NO_CONSTANT),
            keyword(of("coint"), "trend", NO_CONSTANT),
            keyword(of("add_trend"), "trend", NO_CONSTANT),
            keyword(of("arma_order_select_ic"), "trend", NO_CONSTANT),
            keyword(of("AutoReg"), "trend", NO_CONSTANT),
            keyword(Callee::Method(On::Instance("VAR"), "fit"), "trend", NO_CONSTANT),
            keyword(Callee::Method(On::Instance("VAR"), "select_order"), "trend", NO_CONSTANT),
        ]),
        example(
            "from statsmodels.tsa.stattools import adfuller\nt = adfuller(s, regression='nc')\n",
            ("ValueError", "regression must be one of: 'c', 'ct', 'ctt', 'n'"),
            "from statsmodels.tsa.stattools import adfuller\nt = adfuller(s, regression='n')\n",
        ),
    )
    .certain(),
    Rule::new(
        "statsmodels-lags-of-tests",
        ("statsmodels", "0.14.0"),
        "tests of residuals take so many lags as nlags says, and no longer choose among them",
        Trigger::Error(&[
            sig("TypeError", "acorr_lm() got an unexpected keyword argument"),
            sig("TypeError", "het_arch() got an unexpected keyword argument"),
        ]),
        Rewrite::Code(lags_of_tests),
        example(
            "from statsmodels.stats.diagnostic import het_arch\nt = het_arch(e, maxlag=4)\n",
            ("TypeError", "het_arch() got an unexpected keyword argument 'maxlag'"),
            "from statsmodels.stats.diagnostic import het_arch\nt = het_arch(e, nlags=4)\n",
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

const NO_CONSTANT: Fate = Fate::Values(&[("nc", "'n'")]);

/// Where the models of series of before were.
const OLD_MODULES: [&str; 4] =
    ["statsmodels.tsa.arima_model", "statsmodels.tsa.api", "statsmodels.api.tsa", "statsmodels.api.tsa.arima_model"];

/// The model that a call constructs by the old module or by `sm.tsa`.
fn old_model(view: &View<'_>, function: &Expr) -> Option<&'static str> {
    let dotted = view.qualified(function)?;
    let (module, name) = dotted.rsplit_once('.')?;
    let is_old = OLD_MODULES.contains(&module) || module == "statsmodels.tsa.ar_model";
    ["ARMA", "ARIMA", "AR"].into_iter().find(|model| *model == name).filter(|_| is_old)
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

/// Where it was told that lags are not to be chosen: `acorr_lm` chose them unless told otherwise, `het_arch` when told to.
fn lags_of_tests(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let name = ["acorr_lm", "het_arch"].into_iter().find(|name| view.is_call_of(of(name), place, call));
        let Some(name) = name else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(lags) = edit.find("maxlag") else { return };
        match edit.find("autolag") {
            Some(chosen) if edit.value(chosen).is_none_literal_expr() => edit.remove(chosen),
            None if name == "het_arch" => {}
            _ => return,
        }
        edit.name(lags, "nlags");
        change.edit(place, call.start(), edit.finish());
    });
}

fn autoregression(view: &View<'_>, change: &mut Change<'_>) {
    let of = |module| StandIn { module, name: "AR", definition: autoregression!("{name}", "") };
    let modules = ["statsmodels.tsa.ar_model", "statsmodels.tsa.api", "statsmodels.api.tsa"];
    write_out(&modules.map(of), view, change);
}

/// Where the arrays are told apart: at once, or by their numbers.
fn ljung_box(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let is_whole = |value: &Expr| value.range() == call.range();
        let are_parts = match (around.parent(), around.statement()) {
            (Some(Expr::Subscript(item)), _) => is_whole(&item.value) && is_number_of_array(&item.slice),
            (None, Stmt::Assign(assign)) if is_whole(&assign.value) => match assign.targets.first() {
                Some(Expr::Name(name)) => is_told_apart(view, name.id.as_str(), &assign.value),
                Some(targets) => shape::elements(targets).is_some_and(|targets| targets.len() == 2),
                None => false,
            },
            _ => false,
        };
        if are_parts
            && shape::keyword(call, "return_df").is_none()
            && view.is_call_of(of("acorr_ljungbox"), place, call)
        {
            change.edit(place, call.range().start(), vec![crate::change::insertion(call.end(), ".to_numpy().T")]);
        }
    });
}

fn is_number_of_array(slice: &Expr) -> bool {
    matches!(shape::integer(slice), Some(0..=3))
}

/// Whether a name stands for the arrays alone, and every use of it asks for one of them.
fn is_told_apart(view: &View<'_>, name: &str, arrays: &Expr) -> bool {
    let is_only = view.only_value(name).is_some_and(|(_, value)| value.range() == arrays.range());
    let (mut uses, mut numbers) = (0, 0);
    view.expressions(|_, expression, _| match expression {
        Expr::Name(one) if one.ctx.is_load() && one.id.as_str() == name => uses += 1,
        Expr::Subscript(item) if shape::name(&item.value) == Some(name) && is_number_of_array(&item.slice) => {
            numbers += 1;
        }
        _ => {}
    });
    is_only && uses > 0 && uses == numbers
}
