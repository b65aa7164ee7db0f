//! Modules and names of Keras that moved.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::moves;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::walk;

static MISSING: &[Signature] = &[
    sig("ModuleNotFoundError", "No module named 'keras."),
    sig("ModuleNotFoundError", "No module named 'tensorflow.keras."),
    sig("ImportError", "cannot import name '*' from 'keras"),
    sig("ImportError", "cannot import name '*' from 'tensorflow.keras"),
    sig("AttributeError", "module 'keras* has no attribute"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-set-session",
        ("keras", "2.3"),
        "there is no session to set",
        Trigger::Error(MISSING),
        Rewrite::Code(set_session),
        example(
            "from keras.backend.tensorflow_backend import set_session\nset_session(None)\nx = 1\n",
            ("ModuleNotFoundError", "No module named 'keras.backend.tensorflow_backend'; 'keras.backend' is not a package"),
            "x = 1\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-moved-modules",
        ("keras", "2.6"),
        "the inner modules of layers, utils and engine are gone; preprocessing of text and images is legacy",
        Trigger::Error(MISSING),
        Rewrite::Move(MOVES),
        example(
            "from keras.layers.core import Dense, Dropout\nfrom keras.layers import CuDNNLSTM\nfrom keras.utils import np_utils\nfrom keras.preprocessing.text import Tokenizer\n",
            ("ModuleNotFoundError", "No module named 'keras.layers.core'"),
            "from keras.layers import Dense, Dropout\nfrom keras.layers import LSTM as CuDNNLSTM\nfrom keras import utils as np_utils\nfrom keras.src.legacy.preprocessing.text import Tokenizer\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-mixed-precision",
        ("tensorflow", "2.9"),
        "mixed_precision is no experiment any more; set_policy is set_global_policy",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'experimental' from 'tensorflow.keras.mixed_precision'"),
            sig("AttributeError", "module * has no attribute 'experimental'"),
            sig("ModuleNotFoundError", "No module named 'tensorflow.keras.mixed_precision.experimental'"),
        ]),
        Rewrite::Code(mixed_precision),
        example(
            "from tensorflow.keras.mixed_precision import experimental as mp\nmp.set_policy(mp.Policy('mixed_float16'))\n",
            ("ImportError", "cannot import name 'experimental' from 'tensorflow.keras.mixed_precision' (__init__.py)"),
            "from tensorflow.keras import mixed_precision as mp\nmp.set_global_policy(mp.Policy('mixed_float16'))\n",
        ),
    )
    .certain(),
];

static MIXED_PRECISION: &[(&str, &str)] = &[
    ("tensorflow.keras.mixed_precision.experimental.set_policy", "tensorflow.keras.mixed_precision.set_global_policy"),
    ("tensorflow.keras.mixed_precision.experimental.global_policy", "tensorflow.keras.mixed_precision.global_policy"),
    ("tensorflow.keras.mixed_precision.experimental.Policy", "tensorflow.keras.mixed_precision.Policy"),
    (
        "tensorflow.keras.mixed_precision.experimental.LossScaleOptimizer",
        "tensorflow.keras.mixed_precision.LossScaleOptimizer",
    ),
    ("tensorflow.keras.mixed_precision.experimental", "tensorflow.keras.mixed_precision"),
];

/// The module under its new name, and the function in it that has another one.
fn mixed_precision(view: &View<'_>, change: &mut Change<'_>) {
    moves::apply(MIXED_PRECISION, view, change);
    view.expressions(|place, expression, _| {
        let Expr::Attribute(function) = expression else { return };
        let is_old = function.attr.as_str() == "set_policy"
            && function.value.is_name_expr()
            && view.qualified(&function.value).as_deref() == Some("tensorflow.keras.mixed_precision.experimental");
        if is_old {
            change.replace(place, function.attr.range(), "set_global_policy");
        }
    });
}

static MOVES: &[(&str, &str)] = &[
    ("keras.optimizers.adam", "keras.optimizers.Adam"),
    ("keras.optimizers.sgd", "keras.optimizers.SGD"),
    ("keras.optimizers.rmsprop", "keras.optimizers.RMSprop"),
    ("keras.optimizers.adagrad", "keras.optimizers.Adagrad"),
    ("keras.optimizers.adadelta", "keras.optimizers.Adadelta"),
    ("keras.optimizers.adamax", "keras.optimizers.Adamax"),
    ("keras.optimizers.nadam", "keras.optimizers.Nadam"),
    ("keras.layers.core", "keras.layers"),
    ("keras.layers.convolutional", "keras.layers"),
    ("keras.layers.pooling", "keras.layers"),
    ("keras.layers.normalization", "keras.layers"),
    ("keras.layers.embeddings", "keras.layers"),
    ("keras.layers.recurrent", "keras.layers"),
    ("keras.layers.advanced_activations", "keras.layers"),
    ("keras.layers.merge", "keras.layers"),
    ("keras.layers.noise", "keras.layers"),
    ("keras.layers.local", "keras.layers"),
    ("keras.layers.wrappers", "keras.layers"),
    ("keras.layers.CuDNNLSTM", "keras.layers.LSTM"),
    ("keras.layers.CuDNNGRU", "keras.layers.GRU"),
    ("keras.layers.convolutional_recurrent", "keras.layers"),
    ("keras.layers.Deconvolution2D", "keras.layers.Conv2DTranspose"),
    ("keras.layers.Deconvolution3D", "keras.layers.Conv3DTranspose"),
    ("keras.layers.Deconv2D", "keras.layers.Conv2DTranspose"),
    ("keras.layers.Deconv3D", "keras.layers.Conv3DTranspose"),
    ("keras.models.Input", "keras.layers.Input"),
    ("keras.engine.network.Network", "keras.models.Model"),
    ("keras.engine.training.Model", "keras.models.Model"),
    ("keras.engine.sequential", "keras.models"),
    ("keras.initializers.normal", "keras.initializers.RandomNormal"),
    ("keras.initializers.uniform", "keras.initializers.RandomUniform"),
    ("keras.initializers.zero", "keras.initializers.Zeros"),
    ("keras.initializers.one", "keras.initializers.Ones"),
    ("keras.engine.topology", "keras.layers"),
    ("keras.engine.base_layer", "keras.layers"),
    ("keras.engine.training", "keras.models"),
    ("keras.engine", "keras.layers"),
    ("keras.utils.np_utils", "keras.utils"),
    ("keras.utils.vis_utils", "keras.utils"),
    ("keras.utils.generic_utils", "keras.utils"),
    ("keras.utils.data_utils", "keras.utils"),
    ("keras.utils.layer_utils", "keras.utils"),
    ("keras.utils.visualize_util.plot", "keras.utils.plot_model"),
    ("keras.utils.visualize_util", "keras.utils"),
    ("keras.constraints.maxnorm", "keras.constraints.MaxNorm"),
    ("keras.constraints.nonneg", "keras.constraints.NonNeg"),
    ("keras.constraints.unitnorm", "keras.constraints.UnitNorm"),
    ("keras.regularizers.l1l2", "keras.regularizers.L1L2"),
    ("keras.regularizers.activity_l1", "keras.regularizers.L1"),
    ("keras.regularizers.activity_l2", "keras.regularizers.L2"),
    ("keras.objectives", "keras.losses"),
    ("keras.initializations", "keras.initializers"),
    ("keras.preprocessing.image.ImageDataGenerator", "keras.src.legacy.preprocessing.image.ImageDataGenerator"),
    ("keras.preprocessing.image.Iterator", "keras.src.legacy.preprocessing.image.Iterator"),
    ("keras.preprocessing.text", "keras.src.legacy.preprocessing.text"),
    ("keras.preprocessing.sequence.TimeseriesGenerator", "keras.src.legacy.preprocessing.sequence.TimeseriesGenerator"),
    ("keras.preprocessing.sequence.skipgrams", "keras.src.legacy.preprocessing.sequence.skipgrams"),
    ("keras.preprocessing.sequence.make_sampling_table", "keras.src.legacy.preprocessing.sequence.make_sampling_table"),
    ("tensorflow.keras.layers.CuDNNLSTM", "tensorflow.keras.layers.LSTM"),
    ("tensorflow.keras.layers.CuDNNGRU", "tensorflow.keras.layers.GRU"),
    ("tensorflow.keras.utils.np_utils", "tensorflow.keras.utils"),
    ("tensorflow.keras.callbacks.experimental.BackupAndRestore", "tensorflow.keras.callbacks.BackupAndRestore"),
    ("tensorflow.keras.layers.experimental.EinsumDense", "tensorflow.keras.layers.EinsumDense"),
];

/// Drops the import of `set_session` and what calls it.
fn set_session(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, around| match statement {
            Stmt::ImportFrom(import)
                if import.module.as_ref().is_some_and(|module| module.as_str().ends_with("tensorflow_backend"))
                    && import.names.iter().all(|alias| alias.name.as_str() == "set_session") =>
            {
                change.remove(Place(position), statement, around);
            }
            Stmt::Expr(expression) => {
                let Expr::Call(call) = expression.value.as_ref() else { return };
                let sets = view.qualified(&call.func).is_some_and(|name| {
                    name.ends_with("tensorflow_backend.set_session") || name == "keras.backend.set_session"
                });
                if sets {
                    change.remove(Place(position), statement, around);
                }
            }
            _ => {}
        });
    }
}
