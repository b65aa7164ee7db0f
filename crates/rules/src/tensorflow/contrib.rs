//! Layers of `tf.contrib`, of which nothing is left.

use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "tensorflow-fully-connected",
    ("tensorflow", "2.0"),
    "tf.contrib.layers.fully_connected is a dense layer with a rectifier unless told; what that was is among TensorFlow's own modules",
    Trigger::Error(&[
        sig("AttributeError", "module 'tensorflow.compat.v1' has no attribute 'contrib'"),
        sig("AttributeError", "is not available with Keras 3"),
    ]),
    Rewrite::Code(fully_connected),
    example(
        "import tensorflow.compat.v1 as tf\nh = tf.contrib.layers.fully_connected(x, 4)\no = tf.contrib.layers.fully_connected(h, 1, activation_fn=None, scope='out')\n",
        ("AttributeError", "module 'tensorflow.compat.v1' has no attribute 'contrib'"),
        "from tensorflow.python.keras.legacy_tf_layers import core\nimport tensorflow.compat.v1 as tf\nh = core.dense(x, 4, activation=tf.nn.relu)\no = core.dense(h, 1, activation=None, name='out')\n",
    ),
)
.shift("these modules are not part of TensorFlow's documented interface")
.certain()];

/// Arguments with their names in both. What normalizes, and where variables are collected, has no counterpart.
const ARGUMENTS: [(&str, &str); 9] = [
    ("inputs", "inputs"),
    ("num_outputs", "units"),
    ("activation_fn", "activation"),
    ("weights_initializer", "kernel_initializer"),
    ("weights_regularizer", "kernel_regularizer"),
    ("biases_initializer", "bias_initializer"),
    ("biases_regularizer", "bias_regularizer"),
    ("scope", "name"),
    ("reuse", "reuse"),
];

fn fully_connected(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_this = view.qualified(&call.func).is_some_and(|name| {
            matches!(
                &name[..],
                "tensorflow.compat.v1.contrib.layers.fully_connected" | "tensorflow.contrib.layers.fully_connected"
            )
        });
        let mut edit = CallEdit::new(view.parsed(place), call);
        let positional = edit.positional().len();
        if !is_this || positional > 3 || shape::has_stars(call) {
            return;
        }
        let named: Vec<(usize, &str)> =
            edit.arguments().filter_map(|(number, argument)| Some((number, argument.keyword?))).collect();
        for (number, keyword) in named {
            match ARGUMENTS.iter().find(|(old, _)| *old == keyword) {
                Some((old, new)) if old != new => edit.name(number, new),
                Some(_) => {}
                None => return,
            }
        }
        if positional < 3 && shape::keyword(call, "activation_fn").is_none() {
            let relu = change.spell(place, "tensorflow.compat.v1.nn.relu");
            edit.append(format!("activation={relu}"));
        }
        change.need_import(place, "from tensorflow.python.keras.legacy_tf_layers import core");
        let mut edits = vec![replacement(call.func.range(), "core.dense")];
        edits.extend(edit.finish());
        change.edit(place, call.start(), edits);
    });
}
