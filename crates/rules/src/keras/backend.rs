//! Functions on tensors: those of the backend are in `keras.ops`.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

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
        "keras-backend-legacy",
        ("keras", "3.0"),
        "functions of the backend that keras.ops has not are kept among the legacy modules of Keras",
        Trigger::Error(&[
            sig("AttributeError", "module 'keras.backend' has no attribute"),
            sig("AttributeError", "module 'keras.api.backend' has no attribute"),
            sig("ImportError", "cannot import name '*' from 'keras.backend'"),
        ]),
        Rewrite::Move(LEGACY),
        example(
            "from keras import backend as K\ns = K.batch_dot(a, b, axes=1)\nt = K.gather(w, [0, 2])\n",
            ("AttributeError", "module 'keras.backend' has no attribute 'batch_dot'"),
            "from keras.src.legacy.backend import batch_dot\nfrom keras.src.legacy.backend import gather\nfrom keras import backend as K\ns = batch_dot(a, b, axes=1)\nt = gather(w, [0, 2])\n",
        ),
    )
    .shift("these modules are not part of the documented interface of Keras, and need TensorFlow")
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

/// What works on tensors of TensorFlow as it did, and has no counterpart with the same arguments.
static LEGACY: &[(&str, &str)] = &[
    ("keras.backend.batch_dot", "keras.src.legacy.backend.batch_dot"),
    ("keras.backend.batch_flatten", "keras.src.legacy.backend.batch_flatten"),
    ("keras.backend.batch_get_value", "keras.src.legacy.backend.batch_get_value"),
    ("keras.backend.batch_normalization", "keras.src.legacy.backend.batch_normalization"),
    ("keras.backend.batch_set_value", "keras.src.legacy.backend.batch_set_value"),
    ("keras.backend.bias_add", "keras.src.legacy.backend.bias_add"),
    ("keras.backend.cast_to_floatx", "keras.src.legacy.backend.cast_to_floatx"),
    ("keras.backend.conv1d", "keras.src.legacy.backend.conv1d"),
    ("keras.backend.conv2d", "keras.src.legacy.backend.conv2d"),
    ("keras.backend.conv2d_transpose", "keras.src.legacy.backend.conv2d_transpose"),
    ("keras.backend.conv3d", "keras.src.legacy.backend.conv3d"),
    ("keras.backend.ctc_batch_cost", "keras.src.legacy.backend.ctc_batch_cost"),
    ("keras.backend.ctc_decode", "keras.src.legacy.backend.ctc_decode"),
    ("keras.backend.ctc_label_dense_to_sparse", "keras.src.legacy.backend.ctc_label_dense_to_sparse"),
    ("keras.backend.depthwise_conv2d", "keras.src.legacy.backend.depthwise_conv2d"),
    ("keras.backend.dropout", "keras.src.legacy.backend.dropout"),
    ("keras.backend.dtype", "keras.src.legacy.backend.dtype"),
    ("keras.backend.foldl", "keras.src.legacy.backend.foldl"),
    ("keras.backend.foldr", "keras.src.legacy.backend.foldr"),
    ("keras.backend.gather", "keras.src.legacy.backend.gather"),
    ("keras.backend.in_top_k", "keras.src.legacy.backend.in_top_k"),
    ("keras.backend.map_fn", "keras.src.legacy.backend.map_fn"),
    ("keras.backend.moving_average_update", "keras.src.legacy.backend.moving_average_update"),
    ("keras.backend.name_scope", "keras.src.legacy.backend.name_scope"),
    ("keras.backend.pool2d", "keras.src.legacy.backend.pool2d"),
    ("keras.backend.pool3d", "keras.src.legacy.backend.pool3d"),
    ("keras.backend.random_normal_variable", "keras.src.legacy.backend.random_normal_variable"),
    ("keras.backend.random_uniform_variable", "keras.src.legacy.backend.random_uniform_variable"),
    ("keras.backend.resize_images", "keras.src.legacy.backend.resize_images"),
    ("keras.backend.resize_volumes", "keras.src.legacy.backend.resize_volumes"),
    ("keras.backend.rnn", "keras.src.legacy.backend.rnn"),
    ("keras.backend.separable_conv2d", "keras.src.legacy.backend.separable_conv2d"),
    ("keras.backend.spatial_2d_padding", "keras.src.legacy.backend.spatial_2d_padding"),
    ("keras.backend.spatial_3d_padding", "keras.src.legacy.backend.spatial_3d_padding"),
    ("keras.backend.temporal_padding", "keras.src.legacy.backend.temporal_padding"),
    ("keras.backend.to_dense", "keras.src.legacy.backend.to_dense"),
    ("keras.backend.update_add", "keras.src.legacy.backend.update_add"),
    ("keras.backend.update_sub", "keras.src.legacy.backend.update_sub"),
    ("keras.backend.variable", "keras.src.legacy.backend.variable"),
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
    let ops = Ops::of(view);
    view.expressions(|place, expression, around| {
        let Some(name) = of_backend(view, expression) else { return };
        if let Some((_, new)) = RANDOM.iter().find(|(old, _)| *old == name) {
            change.need_import(place, "import keras");
            change.replace(place, expression.range(), *new);
        }
        let Some((_, new)) = FUNCTIONS.iter().find(|(old, _)| *old == name) else { return };
        let mut edits = vec![replacement(expression.range(), format!("{}.{new}", ops.imported(place, change)))];
        if let Some(Expr::Call(call)) = around.parent()
            && call.func.range() == expression.range()
        {
            edits.extend(with_axis(view, place, call, &name));
        }
        change.edit(place, expression.range().start(), edits);
    });
}

/// How the functions on tensors are written: `ops` is a module of TensorFlow's own as well.
pub(super) struct Ops<'v, 'a> {
    view: &'v View<'a>,
    is_taken: std::cell::OnceCell<bool>,
}

impl<'v, 'a> Ops<'v, 'a> {
    pub(super) fn of(view: &'v View<'a>) -> Self {
        Self { view, is_taken: std::cell::OnceCell::new() }
    }

    /// Their module, as cells write it.
    pub(super) fn name(&self) -> &'static str {
        let is_other = |bound: &str| bound != "keras.ops";
        let own = || self.view.own_names().contains("ops");
        let is_taken = || self.view.code.names.bound("ops").is_some_and(is_other) || own();
        if *self.is_taken.get_or_init(is_taken) { "keras.ops" } else { "ops" }
    }

    /// The same, where a cell is to have its import.
    pub(super) fn imported(&self, place: Place, change: &mut Change<'_>) -> &'static str {
        let name = self.name();
        change.need_import(place, if name == "ops" { "from keras import ops" } else { "import keras" });
        name
    }
}

/// The axis that a call of the backend left to its default, where that is another one.
fn with_axis(view: &View<'_>, place: Place, call: &ExprCall, name: &str) -> Vec<Edit> {
    let axis = AXES.iter().find(|(function, _)| *function == name);
    let (Some((_, axis)), [_], None) = (axis, &call.arguments.args[..], shape::keyword(call, "axis")) else {
        return Vec::new();
    };
    let mut edit = CallEdit::new(view.parsed(place), call);
    edit.append(*axis);
    edit.finish()
}

/// The name in `keras.ops` of a function of the backend, and what is changed of the arguments of a call.
pub(super) fn in_ops(view: &View<'_>, place: Place, call: &ExprCall, name: &str) -> Option<(&'static str, Vec<Edit>)> {
    let (_, new) = FUNCTIONS.iter().find(|(old, _)| *old == name)?;
    Some((new, with_axis(view, place, call, name)))
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
