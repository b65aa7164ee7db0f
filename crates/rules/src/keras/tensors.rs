//! Functions of TensorFlow on what stands for a tensor while a model is put together: Keras 3 takes its own functions there, and layers.

use std::collections::HashSet;

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::walk::Surroundings;

use super::backend::{self, Ops};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-tensor-functions",
        ("keras", "3.0"),
        "while a model is put together its tensors go through keras.ops; functions of TensorFlow refuse them",
        Trigger::Error(REFUSED),
        Rewrite::Code(functions),
        example(
            "import tensorflow as tf\ni = tf.keras.Input((4, 3))\nm = tf.reduce_mean(i, axis=1, keepdims=True)\nc = tf.concat([i, tf.nn.relu(m)], axis=1)\no = tf.keras.Model(i, tf.reshape(c, [-1, 15]))\n",
            REFUSAL,
            "from keras import ops\nimport tensorflow as tf\ni = tf.keras.Input((4, 3))\nm = ops.mean(i, axis=1, keepdims=True)\nc = ops.concatenate([i, ops.relu(m)], axis=1)\no = tf.keras.Model(i, ops.reshape(c, [-1, 15]))\n",
        ),
    ),
    Rule::new(
        "keras-tensor-layers",
        ("keras", "3.0"),
        "what keras.ops has not is asked of TensorFlow within a layer",
        Trigger::Error(REFUSED),
        Rewrite::Code(layers),
        example(
            "import tensorflow as tf\ni = tf.keras.Input((4, 4, 1))\nb = tf.image.resize(i, (8, 8))\n",
            REFUSAL,
            "import tensorflow as tf\ni = tf.keras.Input((4, 4, 1))\nb = tf.keras.layers.Lambda(lambda tensor: tf.image.resize(tensor, (8, 8)))(i)\n",
        ),
    ),
];

static REFUSED: &[Signature] = &[sig("ValueError", "A KerasTensor cannot be used as input to a TensorFlow function")];
const REFUSAL: (&str, &str) = (
    "ValueError",
    "A KerasTensor cannot be used as input to a TensorFlow function. A KerasTensor is a symbolic placeholder for a shape and dtype",
);

/// A function of TensorFlow that `keras.ops` has.
struct Same {
    old: &'static str,
    new: &'static str,
    /// Arguments with their names here and there. Those that are given by position stand in one order in both.
    arguments: &'static [(&'static str, &'static str)],
    /// How many may be given by position.
    positions: usize,
    /// What is told where the argument of that name is not given, since the default is another one.
    told: Option<(&'static str, &'static str)>,
}

const fn same(old: &'static str, new: &'static str, arguments: &'static [(&'static str, &'static str)]) -> Same {
    Same { old, new, arguments, positions: arguments.len(), told: None }
}

const ONE: &[(&str, &str)] = &[("x", "x")];
const FEATURES: &[(&str, &str)] = &[("features", "x")];
const TWO: &[(&str, &str)] = &[("x", "x1"), ("y", "x2")];
const REDUCED: &[(&str, &str)] = &[("input_tensor", "x"), ("axis", "axis"), ("keepdims", "keepdims")];
const SCORES: &[(&str, &str)] = &[("logits", "x"), ("axis", "axis")];
const PLACES: &[(&str, &str)] = &[("input", "x"), ("axis", "axis")];
const LIKE: &[(&str, &str)] = &[("input", "x"), ("dtype", "dtype")];

/// Functions of `tensorflow`, of its modules `math`, `nn` and `linalg`.
static FUNCTIONS: &[Same] = &[
    same("abs", "abs", ONE),
    same("add", "add", TWO),
    same("cast", "cast", &[("x", "x"), ("dtype", "dtype")]),
    same("clip_by_value", "clip", &[("t", "x"), ("clip_value_min", "x_min"), ("clip_value_max", "x_max")]),
    same("concat", "concatenate", &[("values", "xs"), ("axis", "axis")]),
    same("cos", "cos", ONE),
    same("divide", "divide", TWO),
    same("elu", "elu", FEATURES),
    same("equal", "equal", TWO),
    same("exp", "exp", ONE),
    same("expand_dims", "expand_dims", PLACES),
    same("greater", "greater", TWO),
    same("greater_equal", "greater_equal", TWO),
    same("leaky_relu", "leaky_relu", &[("features", "x"), ("alpha", "negative_slope")]),
    same("less", "less", TWO),
    same("less_equal", "less_equal", TWO),
    same("log", "log", ONE),
    same("log1p", "log1p", ONE),
    same("log_softmax", "log_softmax", SCORES),
    same("logical_and", "logical_and", TWO),
    same("logical_not", "logical_not", ONE),
    same("logical_or", "logical_or", TWO),
    same("matmul", "matmul", &[("a", "x1"), ("b", "x2")]),
    same("maximum", "maximum", TWO),
    same("minimum", "minimum", TWO),
    same("multiply", "multiply", TWO),
    same("not_equal", "not_equal", TWO),
    same("one_hot", "one_hot", &[("indices", "x"), ("depth", "num_classes")]),
    same("ones_like", "ones_like", LIKE),
    same("pow", "power", TWO),
    same("reduce_all", "all", REDUCED),
    same("reduce_any", "any", REDUCED),
    same("reduce_logsumexp", "logsumexp", REDUCED),
    same("reduce_max", "max", REDUCED),
    same("reduce_mean", "mean", REDUCED),
    same("reduce_min", "min", REDUCED),
    same("reduce_prod", "prod", REDUCED),
    same("reduce_std", "std", REDUCED),
    same("reduce_sum", "sum", REDUCED),
    same("reduce_variance", "var", REDUCED),
    same("relu", "relu", FEATURES),
    same("relu6", "relu6", FEATURES),
    same("reshape", "reshape", &[("tensor", "x"), ("shape", "newshape")]),
    same("round", "round", ONE),
    same("rsqrt", "rsqrt", ONE),
    same("selu", "selu", FEATURES),
    same("sigmoid", "sigmoid", ONE),
    same("sign", "sign", ONE),
    same("silu", "silu", FEATURES),
    same("sin", "sin", ONE),
    same("softmax", "softmax", SCORES),
    same("softplus", "softplus", FEATURES),
    same("softsign", "softsign", FEATURES),
    same("sqrt", "sqrt", ONE),
    same("square", "square", ONE),
    same("squeeze", "squeeze", PLACES),
    same("stack", "stack", &[("values", "x"), ("axis", "axis")]),
    same("subtract", "subtract", TWO),
    same("swish", "silu", FEATURES),
    same("tanh", "tanh", ONE),
    same("tensordot", "tensordot", &[("a", "x1"), ("b", "x2"), ("axes", "axes")]),
    same("tile", "tile", &[("input", "x"), ("multiples", "repeats")]),
    same("transpose", "transpose", &[("a", "x"), ("perm", "axes")]),
    same("where", "where", &[("condition", "condition"), ("x", "x1"), ("y", "x2")]),
    same("zeros_like", "zeros_like", LIKE),
    Same { told: Some(("axis", "axis=0")), ..same("argmax", "argmax", PLACES) },
    Same { told: Some(("axis", "axis=0")), ..same("argmin", "argmin", PLACES) },
    Same {
        positions: 2,
        told: Some(("axis", "axis=0")),
        ..same("gather", "take", &[("params", "x"), ("indices", "indices"), ("axis", "axis")])
    },
    Same {
        told: Some(("approximate", "approximate=False")),
        ..same("gelu", "gelu", &[("features", "x"), ("approximate", "approximate")])
    },
];

/// Rooms of TensorFlow in which these functions are.
const ROOMS: [&str; 4] = ["", "math.", "nn.", "linalg."];

/// What a dotted name of TensorFlow is in `keras.ops`.
fn counterpart(dotted: &str) -> Option<&'static Same> {
    let rest = dotted.strip_prefix("tensorflow.")?;
    let name = ROOMS.iter().find_map(|room| rest.strip_prefix(room).filter(|name| !name.contains('.')))?;
    FUNCTIONS.iter().find(|one| one.old == name)
}

/// The stretch of code in which tensors have a common use: a function, or the part of a cell that is in none.
type Stretch = (Place, Option<TextRange>);

/// Where a call stands; `None` within a lambda, which a layer calls with real tensors.
fn stretch(place: Place, around: &Surroundings<'_, '_>) -> Option<Stretch> {
    let is_lambda = |one: &&Expr| one.is_lambda_expr();
    if around.parents.iter().any(is_lambda) {
        return None;
    }
    let function = around.statements.iter().rev().find(|one| one.is_function_def_stmt());
    Some((place, function.map(Ranged::range)))
}

/// Whether a function is one that refuses what stands for a tensor: TensorFlow's, also by way of the old backend of Keras.
fn refuses(dotted: &str) -> bool {
    let Some(rest) = dotted.strip_prefix("tensorflow.") else { return false };
    !rest.starts_with("keras.") || rest.starts_with("keras.backend.")
}

/// The stretches through which the errors came.
fn blamed(view: &View<'_>) -> HashSet<Stretch> {
    let mut found = HashSet::new();
    view.calls(|place, call, around| {
        if view.at_fault(place, call.range()) && view.qualified(&call.func).is_some_and(|name| refuses(&name)) {
            found.extend(stretch(place, around));
        }
    });
    found
}

/// Whether nothing that is given can stand for a tensor.
fn is_plain(view: &View<'_>, call: &ExprCall) -> bool {
    let named = call.arguments.keywords.iter().map(|keyword| &keyword.value);
    call.arguments.args.iter().chain(named).all(|value| is_plain_value(view, value))
}

/// Whether a value is a number, an array or text, as far as the code says.
fn is_plain_value(view: &View<'_>, value: &Expr) -> bool {
    match value {
        Expr::BinOp(operation) => {
            return is_plain_value(view, &operation.left) && is_plain_value(view, &operation.right);
        }
        Expr::UnaryOp(operation) => return is_plain_value(view, &operation.operand),
        _ => {}
    }
    if let Some(elements) = shape::elements(value) {
        return elements.iter().all(|one| is_plain_value(view, one));
    }
    let is_array = |kind: &Kind| matches!(kind, Kind::Number | Kind::Text | Kind::Array | Kind::Frame | Kind::Series);
    let kinds = view.kinds(value);
    value.is_literal_expr() || !kinds.is_empty() && kinds.iter().all(is_array)
}

fn functions(view: &View<'_>, change: &mut Change<'_>) {
    let (stretches, ops) = (blamed(view), Ops::of(view));
    if stretches.is_empty() {
        return;
    }
    view.calls(|place, call, around| {
        if !stretch(place, around).is_some_and(|one| stretches.contains(&one)) || is_plain(view, call) {
            return;
        }
        let Some(dotted) = view.qualified(&call.func) else { return };
        let written = match dotted.strip_prefix("tensorflow.keras.backend.") {
            Some(name) => backend::in_ops(view, place, call, name),
            None => counterpart(&dotted).and_then(|same| in_ops(view, (place, call), same, ops.name())),
        };
        let Some((name, mut edits)) = written else { return };
        edits.insert(0, replacement(call.func.range(), format!("{}.{name}", ops.imported(place, change))));
        change.edit(place, call.start(), edits);
    });
}

/// The name in `keras.ops`, and what is changed of the arguments; `None` for a call of which `keras.ops` has not all.
fn in_ops(
    view: &View<'_>,
    (place, call): (Place, &ExprCall),
    same: &Same,
    ops: &str,
) -> Option<(&'static str, Vec<Edit>)> {
    if shape::has_stars(call) {
        return None;
    }
    let parsed = view.parsed(place);
    let mut edit = CallEdit::new(parsed, call);
    let positional = edit.positional();
    let given: Vec<(usize, Option<&str>)> =
        edit.arguments().map(|(number, argument)| (number, argument.keyword)).collect();
    if positional.len() > same.positions || positional.is_empty() && given.is_empty() {
        return None;
    }
    for (number, keyword) in given.iter().filter_map(|(number, keyword)| Some((*number, (*keyword)?))) {
        let turned = if same.old == "matmul" { keyword.strip_prefix("transpose_") } else { None };
        if let Some(operand) = turned {
            let turned = positional.get(usize::from(operand == "b")).copied()?;
            if shape::boolean(edit.value(number))? {
                let last = edit.value_text(turned);
                edit.set(turned, format!("{ops}.swapaxes({last}, -1, -2)"));
            }
            edit.remove(number);
        } else if keyword == "name" {
            edit.remove(number);
        } else {
            let (_, new) = same.arguments.iter().find(|(old, _)| *old == keyword)?;
            if *new != keyword && !edit.is_set(number) {
                edit.name(number, new);
            }
        }
    }
    if let Some((argument, text)) = same.told {
        let position = same.arguments.iter().position(|(old, _)| *old == argument);
        let by_position = position.is_some_and(|position| position < same.positions.min(positional.len()));
        if !by_position && shape::keyword(call, argument).is_none() {
            edit.append(text);
        }
    }
    Some((same.new, edit.finish()))
}

/// A function of TensorFlow alone, within a layer that calls it: at the lines that are blamed.
fn layers(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        if stretch(place, around).is_none() || !view.at_fault(place, call.range()) || is_plain(view, call) {
            return;
        }
        let name = view.qualified(&call.func).filter(|name| is_of_tensors(name));
        let is_in_ops =
            |name: &String| counterpart(name).and_then(|same| in_ops(view, (place, call), same, "ops")).is_some();
        if name.is_none_or(|name| is_in_ops(&name)) || shape::has_stars(call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(first) = edit.positional().first().copied() else { return };
        let tensors = edit.value_text(first).to_owned();
        edit.set(first, "tensor");
        let root = if view.code.names.spelling("tensorflow.keras.layers.Lambda").is_some() {
            "tensorflow.keras"
        } else {
            "keras"
        };
        let layer = change.spell(place, &format!("{root}.layers.Lambda"));
        let function = view.parsed(place).text(call.func.range());
        let text = format!("{layer}(lambda tensor: {function}({}))({tensors})", edit.render());
        change.replace(place, call.range(), text);
    });
}

/// Whether a name is that of a function that gives tensors: what it gives may be the output of a layer. Shapes are asked for to be written
/// into the arguments of others, which take no outputs of layers.
fn is_of_tensors(dotted: &str) -> bool {
    let last = dotted.rsplit('.').next().unwrap_or_default();
    let is_shape = matches!(last, "shape" | "size" | "rank");
    refuses(dotted) && !dotted.starts_with("tensorflow.keras.") && last.starts_with(char::is_lowercase) && !is_shape
}
