//! Optimizers of TensorFlow 1 that a model of Keras is compiled with.

use std::collections::HashSet;

use nbrevive_pysource::ast::{ExprCall, Stmt};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "tensorflow-keras-optimizers",
    ("tensorflow", "2.16"),
    "Keras 3 is compiled with optimizers of its own, and takes none of tf.train",
    Trigger::Error(&[
        sig("ValueError", "Could not interpret optimizer identifier"),
        sig("AttributeError", "module 'tensorflow* has no attribute '*Optimizer'"),
    ]),
    Rewrite::Code(own_optimizers),
    example(
        "import tensorflow as tf\nm.compile(optimizer=tf.train.RMSPropOptimizer(0.001, decay=0.8), loss='mse')\n",
        ("AttributeError", "module 'tensorflow._api.v2.train' has no attribute 'RMSPropOptimizer'"),
        "import tensorflow as tf\nm.compile(optimizer=tf.keras.optimizers.RMSprop(0.001, rho=0.8), loss='mse')\n",
    ),
)
.certain()];

/// Classes of `tf.train` and of Keras. The first argument of each is the learning rate.
const CLASSES: [(&str, &str); 7] = [
    ("AdamOptimizer", "Adam"),
    ("RMSPropOptimizer", "RMSprop"),
    ("GradientDescentOptimizer", "SGD"),
    ("MomentumOptimizer", "SGD"),
    ("AdagradOptimizer", "Adagrad"),
    ("AdadeltaOptimizer", "Adadelta"),
    ("FtrlOptimizer", "Ftrl"),
];

/// Keywords with another name, and those that Keras has not.
const KEYWORDS: [(&str, &str); 5] =
    [("beta1", "beta_1"), ("beta2", "beta_2"), ("decay", "rho"), ("use_nesterov", "nesterov"), ("use_locking", "")];

/// Only where the optimizer reaches `compile`: others minimize a loss in a graph, as they did.
fn own_optimizers(view: &View<'_>, change: &mut Change<'_>) {
    let mut compiled: HashSet<(Place, TextRange)> = HashSet::new();
    let mut names: HashSet<&str> = HashSet::new();
    view.calls(|place, call, _| {
        if shape::method(call).is_none_or(|(_, method)| method != "compile") {
            return;
        }
        let named = shape::keyword(call, "optimizer").map(|keyword| &keyword.value);
        if let Some(optimizer) = named.or_else(|| call.arguments.args.first()) {
            compiled.insert((place, optimizer.range()));
            names.extend(shape::name(optimizer));
        }
    });
    view.calls(|place, call, around| {
        let bound = match around.statement() {
            Stmt::Assign(assign) if assign.value.range() == call.range() => {
                assign.targets.iter().filter_map(shape::name).any(|name| names.contains(name))
            }
            _ => false,
        };
        if bound || compiled.contains(&(place, call.range())) {
            rewrite(view, change, place, call);
        }
    });
}

fn rewrite(view: &View<'_>, change: &mut Change<'_>, place: Place, call: &ExprCall) {
    let Some(dotted) = view.qualified(&call.func) else { return };
    let Some((module, class)) = dotted.rsplit_once('.') else { return };
    let Some((_, new)) = CLASSES.iter().find(|(old, _)| *old == class) else { return };
    // What stands behind the learning rate is in another order.
    if !matches!(module, "tensorflow.train" | "tensorflow.compat.v1.train") || call.arguments.args.len() > 1 {
        return;
    }
    let mut edit = CallEdit::new(view.parsed(place), call);
    for (old, new) in KEYWORDS {
        match edit.find(old) {
            Some(number) if new.is_empty() => edit.remove(number),
            Some(number) => edit.name(number, new),
            None => {}
        }
    }
    let spelt = match module {
        // The module of version 1 has optimizers of Keras too, and they are the same.
        "tensorflow.compat.v1.train" => change.spell(place, &format!("tensorflow.compat.v1.keras.optimizers.{new}")),
        _ => change.spell(place, &format!("tensorflow.keras.optimizers.{new}")),
    };
    let mut edits = vec![replacement(call.func.range(), spelt)];
    edits.extend(edit.finish());
    change.edit(place, call.range().start(), edits);
}
