//! What models are asked: generators, classes and probabilities, and the names in a history.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-generators",
        ("keras", "3.0"),
        "fit, evaluate and predict take generators themselves",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'fit_generator'"),
            sig("AttributeError", "object has no attribute 'predict_generator'"),
            sig("AttributeError", "object has no attribute 'evaluate_generator'"),
        ]),
        Rewrite::Code(generators),
        example(
            "m.fit_generator(g, steps_per_epoch=1, workers=4, verbose=0)\np = m.predict_generator(g, steps=1)\n",
            ("AttributeError", "'Sequential' object has no attribute 'fit_generator'"),
            "m.fit(g, steps_per_epoch=1, verbose=0)\np = m.predict(g, steps=1)\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-generator-of-inputs",
        ("keras", "3.0"),
        "a Python generator for predict yields tuples",
        Trigger::Error(&[
            sig("ValueError", "generator must return a tuple"),
            sig("ValueError", "When passing a Python generator to a Keras model"),
            sig("TypeError", "generator must return a tuple"),
        ]),
        Rewrite::Code(generator_of_inputs),
        example(
            "p = m.predict(batches, steps=1)\n",
            ("ValueError", "When passing a Python generator to a Keras model, the generator must return a tuple"),
            "p = m.predict((batch if isinstance(batch, tuple) else (batch,) for batch in batches), steps=1)\n",
        ),
    ),
    Rule::new(
        "keras-predicted-classes",
        ("keras", "2.6"),
        "predict_classes and predict_proba of sequential models are what predict gives",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'predict_classes'"),
            sig("AttributeError", "'Sequential' object has no attribute 'predict_proba'"),
        ]),
        Rewrite::Code(predicted_classes),
        example(
            "c = m.predict_classes(X)\n",
            ("AttributeError", "'Sequential' object has no attribute 'predict_classes'"),
            "c = (lambda p: p.argmax(axis=-1) if p.shape[-1] > 1 else (p > 0.5).astype('int32'))(m.predict(X))\n",
        ),
    ),
    Rule::new(
        "keras-history-names",
        ("keras", "2.3"),
        "a history keeps metrics under the names by which they were asked for: accuracy, mae",
        Trigger::Error(&[
            sig("KeyError", "'acc'"),
            sig("KeyError", "'val_acc'"),
            sig("KeyError", "mean_squared_error'"),
            sig("KeyError", "mean_absolute_error'"),
        ]),
        Rewrite::Code(history_names),
        example(
            "plt.plot(h.history['acc'])\nplt.plot(h.history['val_acc'])\n",
            ("KeyError", "'acc'"),
            "plt.plot(h.history['accuracy'])\nplt.plot(h.history['val_accuracy'])\n",
        ),
    ),
    Rule::new(
        "keras-monitored-accuracy",
        ("keras", "2.3"),
        "callbacks that watch acc or val_acc watch nothing",
        Trigger::Silent,
        Rewrite::Code(monitored_accuracy),
        example(
            "from keras.callbacks import EarlyStopping\nm.compile('sgd', 'mse', metrics=['accuracy'])\nstop = EarlyStopping(monitor='val_acc', patience=2)\n",
            ("", ""),
            "from keras.callbacks import EarlyStopping\nm.compile('sgd', 'mse', metrics=['accuracy'])\nstop = EarlyStopping(monitor='val_accuracy', patience=2)\n",
        ),
    ),
];

/// Arguments of the generators' workers, which are gone.
const WORKERS: [&str; 6] =
    ["workers", "use_multiprocessing", "max_queue_size", "max_q_size", "nb_worker", "pickle_safe"];

fn generators(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        let new = match method {
            "fit_generator" => "fit",
            "predict_generator" => "predict",
            "evaluate_generator" => "evaluate",
            _ => return,
        };
        let mut edit = CallEdit::new(view.parsed(place), call);
        for name in WORKERS {
            if let Some(number) = edit.find(name) {
                edit.remove(number);
            }
        }
        count_batches(call, &mut edit);
        if let Some(number) = edit.find("generator") {
            edit.set(number, format!("x={}", edit.value_text(number)));
        }
        let mut edits = vec![replacement(attribute.attr.range(), new)];
        edits.extend(edit.finish());
        change.edit(place, call.range().start(), edits);
    });
}

/// Keras 1 counted samples, and asked a generator for batches until it had that many.
fn count_batches(call: &ExprCall, edit: &mut CallEdit<'_>) {
    let generator = edit.find("generator").or(edit.positional().first().copied());
    let validation = edit.find("validation_data");
    for (samples, steps, given) in [
        ("samples_per_epoch", "steps_per_epoch", generator),
        ("nb_val_samples", "validation_steps", validation),
        ("val_samples", "steps", generator),
    ] {
        let number = shape::keyword(call, samples).and_then(|_| edit.find(samples));
        if let (Some(number), Some(given)) = (number, given.filter(|given| edit.value(*given).is_name_expr())) {
            let (count, batches) = (edit.value_text(number), edit.value_text(given));
            edit.set(number, format!("{steps}=-(-({count}) // {batches}.batch_size)"));
        }
    }
}

fn generator_of_inputs(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "predict")) = shape::method(call) else { return };
        let Some(first) = call.arguments.args.first().filter(|_| view.at_fault(place, call.range())) else { return };
        let source = view.parsed(place).text(first.range());
        if source.contains("isinstance(batch, tuple)") {
            return;
        }
        let text = format!("(batch if isinstance(batch, tuple) else (batch,) for batch in {source})");
        change.replace(place, first.range(), text);
    });
}

fn predicted_classes(view: &View<'_>, change: &mut Change<'_>) {
    let probabilities = view.errors.iter().any(|error| error.evalue.contains("'predict_proba'"));
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        match method {
            "predict_classes" => {
                let receiver = receiver_text(view.parsed(place), attribute);
                let rest = CallEdit::new(view.parsed(place), call).render();
                let text = format!(
                    "(lambda p: p.argmax(axis=-1) if p.shape[-1] > 1 else (p > 0.5).astype('int32'))({receiver}.predict({rest}))"
                );
                change.replace(place, call.range(), text);
            }
            // Estimators of scikit-learn have the method too.
            "predict_proba" if probabilities && is_sequential(view, attribute, place, call.range()) => {
                change.replace(place, attribute.attr.range(), "predict");
            }
            _ => {}
        }
    });
}

fn is_sequential(
    view: &View<'_>,
    attribute: &nbrevive_pysource::ast::ExprAttribute,
    place: crate::view::Place,
    range: nbrevive_pysource::text_size::TextRange,
) -> bool {
    view.receiver_is(crate::receiver::On::Instance("Sequential"), place, &attribute.value, range)
}

fn new_metric(name: &str) -> Option<&'static str> {
    match name {
        "acc" => Some("accuracy"),
        "val_acc" => Some("val_accuracy"),
        _ => None,
    }
}

/// The short name of a metric that Keras once spelled out.
fn short_metric(name: &str) -> Option<&'static str> {
    match name {
        "mean_squared_error" => Some("mse"),
        "val_mean_squared_error" => Some("val_mse"),
        "mean_absolute_error" => Some("mae"),
        "val_mean_absolute_error" => Some("val_mae"),
        _ => None,
    }
}

fn history_names(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Some(old) = shape::text(&subscript.slice) else { return };
        let missing = || view.errors.iter().any(|error| error.evalue == format!("'{old}'"));
        let Some(new) = new_metric(old).or_else(|| short_metric(old).filter(|_| missing())) else { return };
        let history = matches!(subscript.value.as_ref(), Expr::Attribute(one) if one.attr.as_str() == "history");
        if history || view.at_fault(place, subscript.range()) {
            change.replace(place, subscript.slice.range(), format!("'{new}'"));
        }
    });
}

/// Where the model is compiled with `accuracy`, and never with `acc`, whose name a history keeps.
fn monitored_accuracy(view: &View<'_>, change: &mut Change<'_>) {
    let (mut long, mut short) = (false, false);
    view.calls(|_, call, _| {
        if matches!(shape::method(call), Some((_, "compile")))
            && let Some(metrics) = shape::keyword(call, "metrics")
        {
            let names = shape::elements(&metrics.value).unwrap_or_default().iter().filter_map(shape::text);
            names.for_each(|name| {
                long |= name == "accuracy";
                short |= name == "acc";
            });
        }
    });
    if !long || short {
        return;
    }
    view.calls(|place, call, _| {
        let callback =
            view.qualified(&call.func).is_some_and(|name| name.contains("keras") && name.contains("callbacks"));
        let value = shape::keyword(call, "monitor")
            .map(|keyword| &keyword.value)
            .or_else(|| call.arguments.args.iter().find(|value| shape::text(value).and_then(new_metric).is_some()));
        if let Some(value) = value.filter(|_| callback)
            && let Some(new) = shape::text(value).and_then(new_metric)
        {
            change.replace(place, value.range(), format!("'{new}'"));
        }
    });
}
