//! What a model learns for: the names of losses and metrics.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, insertion};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-loss-names",
        ("keras", "3.0"),
        "losses are known by one name each, in English: log_cosh, kl_divergence, cosine_similarity",
        Trigger::Error(&[
            sig("ValueError", "Could not interpret loss identifier"),
            sig("ValueError", "Could not interpret metric identifier"),
        ]),
        Rewrite::Code(names),
        example(
            "m.compile('sgd', loss='logcosh', metrics=['kullback_leibler_divergence'])\n",
            ("ValueError", "Could not interpret loss identifier: logcosh"),
            "m.compile('sgd', loss='log_cosh', metrics=['kl_divergence'])\n",
        ),
    ),
    Rule::new(
        "keras-compile-metrics",
        ("keras", "3.0"),
        "the third argument of compile are the weights of losses, and were the metrics",
        Trigger::Error(&[sig("ValueError", "dtype='string' is not a valid dtype for Keras type promotion")]),
        Rewrite::Code(metrics),
        example(
            "m.compile('sgd', 'mse', ['mae'])\n",
            ("ValueError", "dtype='string' is not a valid dtype for Keras type promotion."),
            "m.compile('sgd', 'mse', metrics=['mae'])\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-model-loss",
        ("keras", "3.0"),
        "a loss is added by a layer, and to no model that is put together",
        Trigger::Error(&[sig("NotImplementedError", "")]),
        Rewrite::Code(model_loss),
        example(
            "vae.add_loss(a + b)\n",
            ("NotImplementedError", ""),
            concat!(include_str!("../../data/stand-ins/with_loss.py"), "vae = with_loss(vae, a + b)\n"),
        ),
    )
    .shift("the model is another object from then on, with one more layer"),
    Rule::new(
        "keras-loss-functions",
        ("keras", "3.0"),
        "functions of losses have one name each, which is the long one in keras and the short one in tensorflow.keras",
        Trigger::Error(&[
            sig("AttributeError", "module 'keras* has no attribute"),
            sig("ImportError", "cannot import name '*' from 'keras"),
            sig("ImportError", "cannot import name '*' from 'tensorflow.keras"),
        ]),
        Rewrite::Move(FUNCTIONS),
        example(
            "from keras.losses import mse, logcosh\nfrom tensorflow.keras.losses import mean_squared_error\n",
            ("ImportError", "cannot import name 'mse' from 'keras.losses'"),
            "from keras.losses import mean_squared_error as mse, log_cosh as logcosh\nfrom tensorflow.keras.losses import MSE as mean_squared_error\n",
        ),
    )
    .certain(),
];

/// Losses by the names of Keras 2 and today's. Of metrics the last is one; the others have no name, or had another sign in some releases.
static NAMES: &[(&str, &str)] = &[
    ("logcosh", "log_cosh"),
    ("cosine_proximity", "cosine_similarity"),
    ("cosine", "cosine_similarity"),
    ("kld", "kl_divergence"),
    ("KLD", "kl_divergence"),
    ("kullback_leibler_divergence", "kl_divergence"),
];

fn names(view: &View<'_>, change: &mut Change<'_>) {
    let is_missed = |old: &str| view.errors.iter().any(|error| error.evalue.trim_end().ends_with(&format!(": {old}")));
    if !NAMES.iter().any(|(old, _)| is_missed(old)) {
        return;
    }
    view.calls(|place, call, _| {
        let Some((_, "compile")) = shape::method(call) else { return };
        for (keyword, position) in [("loss", 1), ("metrics", 2)] {
            let given = shape::keyword(call, keyword).map(|keyword| &keyword.value);
            let Some(value) = given.or_else(|| call.arguments.args.get(position)) else { continue };
            for one in shape::elements(value).unwrap_or(std::slice::from_ref(value)) {
                let new = shape::text(one).and_then(|old| NAMES.iter().find(|(name, _)| *name == old));
                if let Some((_, new)) = new.filter(|(_, new)| keyword == "loss" || *new == "kl_divergence") {
                    change.replace(place, one.range(), format!("'{new}'"));
                }
            }
        }
    });
}

/// A list with a name in it is none of weights.
fn metrics(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let (Some((_, "compile")), [_, _, Expr::List(third)]) = (shape::method(call), &call.arguments.args[..]) else {
            return;
        };
        if third.elts.iter().any(|one| shape::text(one).is_some()) && shape::keyword(call, "metrics").is_none() {
            change.edit(place, call.start(), vec![insertion(third.start(), "metrics=")]);
        }
    });
}

/// Statements of a cell, or of the function that makes the model, that the error blames.
fn model_loss(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let (Some((attribute, "add_loss")), [loss]) = (shape::method(call), &call.arguments.args[..]) else { return };
        let Some(model) = shape::name(&attribute.value).filter(|name| *name != "self") else { return };
        let is_alone = around.parent().is_none() && around.statement().is_expr_stmt();
        if is_alone
            && !view.is_own(&attribute.value, "add_loss")
            && call.arguments.keywords.is_empty()
            && view.at_fault(place, call.range())
        {
            let loss = view.parsed(place).text(loss.range());
            change.need_import(place, include_str!("../../data/stand-ins/with_loss.py").trim_end());
            change.replace(place, call.range(), format!("{model} = with_loss({model}, {loss})"));
        }
    });
}

/// Functions by their old names. Modules hold the same ones by the names of classes (`MSE`) in tensorflow.keras.
static FUNCTIONS: &[(&str, &str)] = &[
    ("keras.losses.mse", "keras.losses.mean_squared_error"),
    ("keras.losses.MSE", "keras.losses.mean_squared_error"),
    ("keras.losses.mae", "keras.losses.mean_absolute_error"),
    ("keras.losses.MAE", "keras.losses.mean_absolute_error"),
    ("keras.losses.mape", "keras.losses.mean_absolute_percentage_error"),
    ("keras.losses.MAPE", "keras.losses.mean_absolute_percentage_error"),
    ("keras.losses.msle", "keras.losses.mean_squared_logarithmic_error"),
    ("keras.losses.MSLE", "keras.losses.mean_squared_logarithmic_error"),
    ("keras.losses.kld", "keras.losses.kl_divergence"),
    ("keras.losses.KLD", "keras.losses.kl_divergence"),
    ("keras.losses.kullback_leibler_divergence", "keras.losses.kl_divergence"),
    ("keras.losses.logcosh", "keras.losses.log_cosh"),
    ("keras.metrics.mse", "keras.metrics.mean_squared_error"),
    ("keras.metrics.MSE", "keras.metrics.mean_squared_error"),
    ("keras.metrics.mae", "keras.metrics.mean_absolute_error"),
    ("keras.metrics.MAE", "keras.metrics.mean_absolute_error"),
    ("keras.metrics.mape", "keras.metrics.mean_absolute_percentage_error"),
    ("keras.metrics.MAPE", "keras.metrics.mean_absolute_percentage_error"),
    ("keras.metrics.msle", "keras.metrics.mean_squared_logarithmic_error"),
    ("keras.metrics.MSLE", "keras.metrics.mean_squared_logarithmic_error"),
    ("keras.metrics.kld", "keras.metrics.kl_divergence"),
    ("keras.metrics.KLD", "keras.metrics.kl_divergence"),
    ("keras.metrics.kullback_leibler_divergence", "keras.metrics.kl_divergence"),
    ("keras.metrics.logcosh", "keras.metrics.log_cosh"),
    ("keras.losses.cosine_proximity", "keras.losses.cosine_similarity"),
    ("keras.losses.cosine", "keras.losses.cosine_similarity"),
    ("tensorflow.keras.losses.mean_squared_error", "tensorflow.keras.losses.MSE"),
    ("tensorflow.keras.losses.mean_absolute_error", "tensorflow.keras.losses.MAE"),
    ("tensorflow.keras.losses.mean_absolute_percentage_error", "tensorflow.keras.losses.MAPE"),
    ("tensorflow.keras.losses.mean_squared_logarithmic_error", "tensorflow.keras.losses.MSLE"),
    ("tensorflow.keras.losses.kl_divergence", "tensorflow.keras.losses.KLD"),
    ("tensorflow.keras.losses.log_cosh", "tensorflow.keras.losses.logcosh"),
    ("tensorflow.keras.metrics.mean_squared_error", "tensorflow.keras.metrics.MSE"),
    ("tensorflow.keras.metrics.mean_absolute_error", "tensorflow.keras.metrics.MAE"),
    ("tensorflow.keras.metrics.mean_absolute_percentage_error", "tensorflow.keras.metrics.MAPE"),
    ("tensorflow.keras.metrics.mean_squared_logarithmic_error", "tensorflow.keras.metrics.MSLE"),
    ("tensorflow.keras.metrics.kl_divergence", "tensorflow.keras.metrics.KLD"),
    ("tensorflow.keras.metrics.log_cosh", "tensorflow.keras.metrics.logcosh"),
];
