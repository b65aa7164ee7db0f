//! What the layers of a model are asked: what goes in and out of them, its shape, and functions from the one to the other.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

use super::stateful;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-layer-shapes",
        ("keras", "3.0"),
        "a layer has an input and an output, and they have shapes; it is not asked for those of a node",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'output_shape'"),
            sig("AttributeError", "object has no attribute 'input_shape'"),
            sig("AttributeError", "object has no attribute 'get_output_at'"),
            sig("AttributeError", "object has no attribute 'get_input_at'"),
            sig("AttributeError", "object has no attribute 'get_output_shape_at'"),
            sig("AttributeError", "object has no attribute 'get_input_shape_at'"),
        ]),
        Rewrite::Code(shapes),
        example(
            "s = [layer.output_shape for layer in m.layers]\nt = m.get_layer('d').get_output_at(0)\n",
            ("AttributeError", "'Dense' object has no attribute 'output_shape'"),
            "s = [layer.output.shape for layer in m.layers]\nt = m.get_layer('d').output\n",
        ),
    ),
    Rule::new(
        "keras-sequential-input",
        ("keras", "3.0"),
        "a sequential model has inputs and outputs, and the one of each where it was called as a layer alone",
        Trigger::Error(&[
            sig("AttributeError", "has never been called and thus has no defined input"),
            sig("AttributeError", "has never been called and thus has no defined output"),
        ]),
        Rewrite::Code(ends),
        example(
            "from keras.models import Model\nf = Model(inputs=m.input, outputs=[m.get_layer('d').output, m.output])\n",
            ("AttributeError", "The layer sequential has never been called and thus has no defined input."),
            "from keras.models import Model\nf = Model(inputs=m.inputs[0], outputs=[m.get_layer('d').output, m.outputs[0]])\n",
        ),
    ),
    Rule::new(
        "keras-backend-function",
        ("keras", "3.0"),
        "a function from tensors of a model to others is a model, which is called with arrays",
        Trigger::Error(&[
            sig("AttributeError", "module 'keras* has no attribute 'function'"),
            sig("AttributeError", "module 'keras* has no attribute 'learning_phase'"),
        ]),
        Rewrite::Code(function),
        example(
            "from keras import backend as K\nf = K.function([m.layers[0].input], [m.layers[1].output])\n",
            ("AttributeError", "module 'keras.backend' has no attribute 'function'"),
            FUNCTION_AFTER,
        ),
    )
    .certain(),
    Rule::new(
        "keras-learning-phase",
        ("keras", "3.0"),
        "a model is told when it is called whether it learns, and predicts where it is not told",
        Trigger::Error(&[sig("AttributeError", "module 'keras* has no attribute 'set_learning_phase'")]),
        Rewrite::Code(learning_phase),
        example(
            "from keras import backend as K\nK.set_learning_phase(0)\nx = 1\n",
            ("AttributeError", "module 'keras.backend' has no attribute 'set_learning_phase'"),
            "from keras import backend as K\nx = 1\n",
        ),
    )
    .certain(),
];

/// What a layer was asked, and what says the same today.
const ASKED: [(&str, &str); 2] = [("output_shape", "output.shape"), ("input_shape", "input.shape")];
const ASKED_AT: [(&str, &str); 4] = [
    ("get_output_at", "output"),
    ("get_input_at", "input"),
    ("get_output_shape_at", "output.shape"),
    ("get_input_shape_at", "input.shape"),
];

fn shapes(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| match expression {
        Expr::Attribute(asked) if asked.ctx.is_load() => {
            let found = ASKED.iter().find(|(old, _)| *old == asked.attr.as_str());
            if let Some((_, new)) = found.filter(|_| is_layer(view, place, &asked.value, expression.range())) {
                change.replace(place, asked.attr.range(), *new);
            }
        }
        Expr::Call(call) => {
            let Some((attribute, method)) = shape::method(call) else { return };
            let is_of_first = matches!(&call.arguments.args[..], [node] if shape::integer(node) == Some(0));
            let found = ASKED_AT.iter().find(|(old, _)| *old == method).filter(|_| is_of_first);
            if let Some((_, new)) = found.filter(|_| is_layer(view, place, &attribute.value, call.range())) {
                change.replace(place, TextRange::new(attribute.attr.start(), call.end()), *new);
            }
        }
        _ => {}
    });
}

/// Names and attributes that the error blames and that hold a sequential model, as far as is known.
fn ends(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Attribute(end) = expression else { return };
        let new = match end.attr.as_str() {
            "input" => "inputs[0]",
            "output" => "outputs[0]",
            _ => return,
        };
        let is_named = shape::dotted(&end.value).is_some() && !stateful::is_layer(&end.value, around);
        let class = view.class_of(&end.value);
        let is_model = match class {
            Some(class) => class.rsplit('.').next() == Some("Sequential"),
            None => is_used_as_model(view, &end.value),
        };
        if end.ctx.is_load() && is_named && is_model && view.at_fault(place, expression.range()) {
            change.replace(place, end.attr.range(), new);
        }
    });
}

/// What models alone are asked.
const OF_MODELS: [&str; 6] = ["layers", "get_layer", "compile", "fit", "predict", "summary"];

/// Whether what stands under a name is asked elsewhere for what layers have not.
fn is_used_as_model(view: &View<'_>, named: &Expr) -> bool {
    let mut is_used = false;
    view.expressions(|_, expression, _| {
        if let Expr::Attribute(asked) = expression {
            let is_of_models = OF_MODELS.contains(&asked.attr.as_str());
            is_used |= is_of_models && shape::dotted(&asked.value) == shape::dotted(named);
        }
    });
    is_used
}

/// Whether a receiver is a layer: one of a model's, or what an error blames. Models have shapes themselves.
fn is_layer(view: &View<'_>, place: Place, receiver: &Expr, range: TextRange) -> bool {
    let is_of_model = match receiver {
        Expr::Subscript(one) => matches!(one.value.as_ref(), Expr::Attribute(of) if of.attr.as_str() == "layers"),
        Expr::Call(call) => matches!(shape::method(call), Some((_, "get_layer"))),
        _ => false,
    };
    is_of_model || view.at_fault(place, range)
}

/// Whether a dotted name is one of the backend of Keras, and its last part this one.
fn is_of_backend(view: &View<'_>, expression: &Expr, name: &str) -> bool {
    view.qualified(expression).is_some_and(|dotted| {
        let backend = dotted.strip_suffix(name).and_then(|before| before.strip_suffix('.'));
        matches!(backend, Some("keras.backend" | "tensorflow.keras.backend"))
    })
}

/// What Keras had.
const FUNCTION: &str = include_str!("../../data/stand-ins/backend_function.py");
const FUNCTION_AFTER: &str = concat!(
    include_str!("../../data/stand-ins/backend_function.py"),
    "from keras import backend as K\nf = backend_function([m.layers[0].input], [m.layers[1].output])\n"
);

fn function(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !is_of_backend(view, &call.func, "function") {
            return;
        }
        change.need_import(place, FUNCTION.trim_end());
        let mut edits = vec![replacement(call.func.range(), "backend_function")];
        edits.extend(told_of_phase(view, call));
        change.edit(place, call.start(), edits);
    });
}

/// The places among the inputs where a number was taken that says whether the model learns.
fn told_of_phase(view: &View<'_>, call: &ExprCall) -> Vec<Edit> {
    let inputs = call.arguments.args.first().or_else(|| shape::keyword(call, "inputs").map(|inputs| &inputs.value));
    let inputs = inputs.and_then(shape::elements).unwrap_or_default();
    let is_phase =
        |one: &&Expr| one.as_call_expr().is_some_and(|call| is_of_backend(view, &call.func, "learning_phase"));
    inputs.iter().filter(is_phase).map(|one| replacement(one.range(), "'learning_phase'")).collect()
}

/// Drops what says that nothing is learned, which is so where nothing is said.
fn learning_phase(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let says_no = |value: &Expr| shape::integer(value) == Some(0) || shape::boolean(value) == Some(false);
        let is_said = matches!(&call.arguments.args[..], [value] if says_no(value));
        if is_said && is_of_backend(view, &call.func, "set_learning_phase") && around.parent().is_none() {
            let around = around.statements;
            if let Some((statement, outer)) = around.split_last() {
                change.remove(place, statement, outer);
            }
        }
    });
}
