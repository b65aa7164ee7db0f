//! Functions on tensors: those of the backend are in `keras.ops`.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
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
.certain()];

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

fn functions(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Attribute(_) = expression else { return };
        let Some(dotted) = view.qualified(expression) else { return };
        let Some(name) = dotted.strip_prefix("keras.backend.") else { return };
        let Some((_, new)) = FUNCTIONS.iter().find(|(old, _)| *old == name) else { return };
        change.need_import(place, "from keras import ops");
        change.edit(place, expression.range().start(), vec![replacement(expression.range(), format!("ops.{new}"))]);
    });
}
