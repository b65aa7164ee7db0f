//! Functions on tensors: those of the backend are in `keras.ops`.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
    "keras-backend-functions",
    ("keras", "3.0"),
    "functions of the backend are in keras.ops",
    Trigger::Error(&[
        sig("AttributeError", "module 'keras.backend' has no attribute"),
        sig("AttributeError", "module 'keras.api.backend' has no attribute"),
    ]),
    Rewrite::Code(functions),
    example(
        "from keras import backend as K\ndef loss(a, b):\n    return K.sqrt(K.mean(K.square(a - b), axis=-1))\nx = K.eval(K.ones((2,)))\n",
        ("AttributeError", "module 'keras.backend' has no attribute 'eval'"),
        "from keras import ops\nfrom keras import backend as K\ndef loss(a, b):\n    return ops.sqrt(ops.mean(ops.square(a - b), axis=-1))\nx = ops.convert_to_numpy(ops.ones((2,)))\n",
    ),
)
.certain(),
    Rule::new(
        "keras-backend-calls",
        ("keras", "3.0"),
        "what the backend did with variables and shapes they do themselves",
        Trigger::Error(&[
            sig("AttributeError", "module 'keras.backend' has no attribute"),
            sig("AttributeError", "module 'keras.api.backend' has no attribute"),
        ]),
        Rewrite::Code(calls),
        example(
            "from keras import backend as K\ns = K.int_shape(x)\nK.set_value(v, [0.5, 0.5])\n",
            ("AttributeError", "module 'keras.backend' has no attribute 'int_shape'"),
            "from keras import backend as K\ns = tuple(x.shape)\nv.assign([0.5, 0.5])\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-optimizer-rate",
        ("keras", "3.0"),
        "lr of an optimizer is learning_rate",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'lr'")]),
        Rewrite::Code(rate),
        example(
            "r = float(m.optimizer.lr)\n",
            ("AttributeError", "'Adam' object has no attribute 'lr'"),
            "r = float(m.optimizer.learning_rate)\n",
        ),
    ),
];

/// Old names and what they are called in `keras.ops`.
static FUNCTIONS: &[(&str, &str)] = &[
    ("eval", "convert_to_numpy"),
    ("get_value", "convert_to_numpy"),
    ("constant", "convert_to_tensor"),
    ("abs", "abs"),
    ("all", "all"),
    ("any", "any"),
    ("argmax", "argmax"),
    ("argmin", "argmin"),
    ("cast", "cast"),
    ("clip", "clip"),
    ("concatenate", "concatenate"),
    ("cos", "cos"),
    ("cumprod", "cumprod"),
    ("cumsum", "cumsum"),
    ("dot", "matmul"),
    ("elu", "elu"),
    ("equal", "equal"),
    ("exp", "exp"),
    ("expand_dims", "expand_dims"),
    ("eye", "eye"),
    ("greater", "greater"),
    ("greater_equal", "greater_equal"),
    ("hard_sigmoid", "hard_sigmoid"),
    ("less", "less"),
    ("less_equal", "less_equal"),
    ("log", "log"),
    ("max", "max"),
    ("maximum", "maximum"),
    ("mean", "mean"),
    ("min", "min"),
    ("minimum", "minimum"),
    ("not_equal", "not_equal"),
    ("one_hot", "one_hot"),
    ("ones", "ones"),
    ("ones_like", "ones_like"),
    ("pow", "power"),
    ("prod", "prod"),
    ("relu", "relu"),
    ("repeat_elements", "repeat"),
    ("reverse", "flip"),
    ("permute_dimensions", "transpose"),
    ("flatten", "ravel"),
    ("l2_normalize", "normalize"),
    ("switch", "where"),
    ("arange", "arange"),
    ("logsumexp", "logsumexp"),
    ("softplus", "softplus"),
    ("softsign", "softsign"),
    ("stop_gradient", "stop_gradient"),
    ("ndim", "ndim"),
    ("binary_crossentropy", "binary_crossentropy"),
    ("categorical_crossentropy", "categorical_crossentropy"),
    ("sparse_categorical_crossentropy", "sparse_categorical_crossentropy"),
    ("reshape", "reshape"),
    ("round", "round"),
    ("shape", "shape"),
    ("sigmoid", "sigmoid"),
    ("sign", "sign"),
    ("sin", "sin"),
    ("softmax", "softmax"),
    ("sqrt", "sqrt"),
    ("square", "square"),
    ("stack", "stack"),
    ("std", "std"),
    ("sum", "sum"),
    ("tanh", "tanh"),
    ("tile", "tile"),
    ("transpose", "transpose"),
    ("squeeze", "squeeze"),
    ("var", "var"),
    ("zeros", "zeros"),
    ("zeros_like", "zeros_like"),
];

/// Functions whose axis had another default than in `keras.ops`, or had one.
static AXES: &[(&str, &str)] = &[
    ("argmax", "axis=-1"),
    ("argmin", "axis=-1"),
    ("concatenate", "axis=-1"),
    ("expand_dims", "axis=-1"),
    ("cumsum", "axis=0"),
    ("cumprod", "axis=0"),
];

/// What draws numbers, and where.
static RANDOM: &[(&str, &str)] = &[
    ("random_normal", "keras.random.normal"),
    ("random_uniform", "keras.random.uniform"),
    ("truncated_normal", "keras.random.truncated_normal"),
];

fn functions(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Some(name) = of_backend(view, expression) else { return };
        if let Some((_, new)) = RANDOM.iter().find(|(old, _)| *old == name) {
            change.need_import(place, "import keras");
            change.replace(place, expression.range(), *new);
        }
        let Some((_, new)) = FUNCTIONS.iter().find(|(old, _)| *old == name) else { return };
        change.need_import(place, "from keras import ops");
        let mut edits = vec![replacement(expression.range(), format!("ops.{new}"))];
        if let Some(Expr::Call(call)) = around.parent()
            && call.func.range() == expression.range()
            && let ([_], None) = (&call.arguments.args[..], shape::keyword(call, "axis"))
            && let Some((_, axis)) = AXES.iter().find(|(function, _)| *function == name)
        {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append(*axis);
            edits.extend(edit.finish());
        }
        change.edit(place, expression.range().start(), edits);
    });
}

/// The name of a function of the backend.
fn of_backend(view: &View<'_>, expression: &Expr) -> Option<String> {
    let dotted = expression.as_attribute_expr().and_then(|_| view.qualified(expression))?;
    dotted.strip_prefix("keras.backend.").map(str::to_owned)
}

/// The order of a picture's axes, by its name in Keras 1.
fn order_of_axes(name: &Expr) -> Option<&'static str> {
    match shape::text(name)? {
        "th" => Some("'channels_first'"),
        "tf" => Some("'channels_last'"),
        _ => None,
    }
}

/// `K.image_dim_ordering()` where its value is compared: elsewhere nobody knows with what it will be.
fn axes(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let function = of_backend(view, &call.func).unwrap_or_default();
        let (name, new) = match (&function[..], &call.arguments.args[..], around.parent()) {
            ("set_image_dim_ordering", [name], _) => (name, "set_image_data_format"),
            ("image_dim_ordering", [], Some(Expr::Compare(compare))) => (&compare.comparators[0], "image_data_format"),
            _ => return,
        };
        if let (Some(order), Expr::Attribute(function)) = (order_of_axes(name), call.func.as_ref()) {
            let edits = vec![replacement(function.attr.range(), new), replacement(name.range(), order)];
            change.edit(place, call.start(), edits);
        }
    });
}

fn calls(view: &View<'_>, change: &mut Change<'_>) {
    axes(view, change);
    view.calls(|place, call, _| {
        let Some(name) = of_backend(view, &call.func) else { return };
        let arguments: Vec<&str> = call.arguments.args.iter().map(|one| view.parsed(place).text_of(one)).collect();
        let text = match (&name[..], &arguments[..]) {
            ("int_shape", [tensor]) => format!("tuple({tensor}.shape)"),
            ("set_value" | "update", [variable, value]) => format!("{variable}.assign({value})"),
            ("tensorflow_backend._get_available_gpus", []) => {
                let devices = change.spell(place, "tensorflow.config.list_logical_devices");
                format!("[device.name for device in {devices}('GPU')]")
            }
            ("count_params", [tensor]) => format!("int({}({tensor}.shape))", change.spell(place, "numpy.prod")),
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

fn rate(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Attribute(rate) = expression else { return };
        let is_of_optimizer =
            matches!(rate.value.as_ref(), Expr::Attribute(optimizer) if optimizer.attr.as_str() == "optimizer");
        if rate.attr.as_str() == "lr" && (is_of_optimizer || view.at_fault(place, expression.range())) {
            change.replace(place, rate.attr.range(), "learning_rate");
        }
    });
}
