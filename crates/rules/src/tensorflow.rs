//! What changed in TensorFlow, apart from Keras.

mod contrib;
mod optimizers;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::{shape, walk};

pub(crate) static TABLES: &[&[Rule]] = &[optimizers::RULES, RULES, contrib::RULES];

static MISSING: &[Signature] = &[
    sig("AttributeError", "module 'tensorflow' has no attribute"),
    sig("AttributeError", "module 'tensorflow._api* has no attribute"),
    sig("AttributeError", "module 'keras._tf_keras* has no attribute"),
    sig("AttributeError", "module 'tensorflow.keras' has no attribute"),
    sig("ImportError", "cannot import name '*' from 'tensorflow"),
    sig("ModuleNotFoundError", "No module named 'tensorflow."),
];

static RULES: &[Rule] = &[
    Rule::new(
        "tensorflow-graph-mode",
        ("tensorflow", "2.0"),
        "sessions, placeholders and variables of graphs are in compat.v1, with eager execution off",
        Trigger::Error(&[
            sig("AttributeError", "module 'tensorflow' has no attribute '"),
            sig("RuntimeError", "should be a function when eager execution is enabled"),
            sig("RuntimeError", "is not compatible with eager execution"),
        ]),
        Rewrite::Code(graph_mode),
        example(
            "import tensorflow as tf\np = tf.placeholder(tf.float32, shape=(None, 2))\n",
            ("AttributeError", "module 'tensorflow' has no attribute 'placeholder'"),
            "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()\np = tf.placeholder(tf.float32, shape=(None, 2))\n",
        ),
    ),
    Rule::new(
        "tensorflow-moved-names",
        ("tensorflow", "2.0"),
        "names of TensorFlow 1 moved to math, random, compat.v1 and Keras",
        Trigger::Error(MISSING),
        Rewrite::Move(MOVES),
        example(
            "import tensorflow as tf\ntf.set_random_seed(1)\ntf.logging.set_verbosity(tf.logging.ERROR)\nx = tf.log(1.0)\n",
            ("AttributeError", "module 'tensorflow' has no attribute 'set_random_seed'"),
            "import tensorflow as tf\ntf.random.set_seed(1)\ntf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)\nx = tf.math.log(1.0)\n",
        ),
    )
    .certain(),
    Rule::new(
        "tensorflow-inner-keras",
        ("tensorflow", "2.16"),
        "of the Keras among TensorFlow's own modules little is left, and models of it take no layers of tensorflow.keras",
        Trigger::Error(&[
            sig("ModuleNotFoundError", "No module named 'tensorflow.python.keras"),
            sig("ImportError", "cannot import name '*' from 'tensorflow.python.keras"),
            sig("AttributeError", "module 'tensorflow.python.keras* has no attribute"),
        ]),
        Rewrite::Move(INNER_KERAS),
        example(
            "from tensorflow.python.keras.applications import vgg16\nfrom tensorflow.python.keras.layers import Dense\n",
            ("ModuleNotFoundError", "No module named 'tensorflow.python.keras.applications'"),
            "from tensorflow.keras.applications import vgg16\nfrom tensorflow.keras.layers import Dense\n",
        ),
    ),
    Rule::new(
        "tensorflow-first-names",
        ("tensorflow", "1.0"),
        "names from before TensorFlow 1.0 (initialize_all_variables, mul, scalar_summary, …) have others in compat.v1",
        Trigger::Error(EARLY),
        Rewrite::Move(FIRST_NAMES),
        example(
            "import tensorflow.compat.v1 as tf\ny = tf.mul(a, b)\ninit = tf.initialize_all_variables()\nw = tf.train.SummaryWriter('logs')\n",
            ("AttributeError", "module 'tensorflow.compat.v1' has no attribute 'mul'"),
            "import tensorflow.compat.v1 as tf\ny = tf.multiply(a, b)\ninit = tf.global_variables_initializer()\nw = tf.summary.FileWriter('logs')\n",
        ),
    )
    .certain(),
    Rule::new(
        "tensorflow-first-arguments",
        ("tensorflow", "1.0"),
        "concat, split and the cross entropies had their arguments in another order",
        Trigger::Error(EARLY_ARGUMENTS),
        Rewrite::Code(first_arguments),
        example(
            "import tensorflow.compat.v1 as tf\nc = tf.concat(1, [a, b])\np, q = tf.split(0, 2, c)\nl = tf.nn.softmax_cross_entropy_with_logits(scores, y)\n",
            ("ValueError", "Only call `softmax_cross_entropy_with_logits` with named arguments (labels=..., logits=..., ...)"),
            "import tensorflow.compat.v1 as tf\nc = tf.concat([a, b], 1)\np, q = tf.split(c, 2, 0)\nl = tf.nn.softmax_cross_entropy_with_logits(logits=scores, labels=y)\n",
        ),
    )
    .certain(),
    Rule::new(
        "tensorflow-legacy-layers",
        ("tensorflow", "2.16"),
        "tf.layers and tf.nn.rnn_cell are not available beside Keras 3; what they were is among TensorFlow's own modules",
        Trigger::Error(&[
            sig("AttributeError", "is not available with Keras 3"),
            sig("AttributeError", "module 'tensorflow.compat.v1' has no attribute 'contrib'"),
        ]),
        Rewrite::Move(LEGACY_LAYERS),
        example(
            "import tensorflow.compat.v1 as tf\nh = tf.layers.dense(x, 10, name='h')\ncell = tf.nn.rnn_cell.BasicLSTMCell(num_units=5)\n",
            ("AttributeError", "`dense` is not available with Keras 3."),
            "from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl\nfrom tensorflow.python.keras.legacy_tf_layers import core\nimport tensorflow.compat.v1 as tf\nh = core.dense(x, 10, name='h')\ncell = rnn_cell_impl.BasicLSTMCell(num_units=5)\n",
        ),
    )
    .shift("these modules are not part of TensorFlow's documented interface")
    .certain(),
];

static EARLY: &[Signature] = &[
    sig("AttributeError", "module 'tensorflow' has no attribute"),
    sig("AttributeError", "module 'tensorflow.compat.v1' has no attribute"),
    sig("AttributeError", "module 'tensorflow._api* has no attribute"),
];

static EARLY_ARGUMENTS: &[Signature] = &[
    sig("ValueError", "with named arguments (labels=..., logits=..., ...)"),
    sig("ValueError", "must have rank 0"),
    sig("TypeError", "Input 'split_dim' of 'Split' Op has type"),
];

/// What stands for layers of graphs stays.
static INNER_KERAS: &[(&str, &str)] = &[
    ("tensorflow.python.keras.legacy_tf_layers", "tensorflow.python.keras.legacy_tf_layers"),
    ("tensorflow.python.keras.layers.legacy_rnn", "tensorflow.python.keras.layers.legacy_rnn"),
    ("tensorflow.python.keras", "tensorflow.keras"),
];

/// Names of `compat.v1`, where the rule for graphs has led them.
static LEGACY_LAYERS: &[(&str, &str)] = &[
    ("tensorflow.compat.v1.layers.dense", "tensorflow.python.keras.legacy_tf_layers:core.dense"),
    ("tensorflow.compat.v1.layers.dropout", "tensorflow.python.keras.legacy_tf_layers:core.dropout"),
    ("tensorflow.compat.v1.layers.flatten", "tensorflow.python.keras.legacy_tf_layers:core.flatten"),
    (
        "tensorflow.compat.v1.layers.batch_normalization",
        "tensorflow.python.keras.legacy_tf_layers:normalization.batch_normalization",
    ),
    ("tensorflow.compat.v1.contrib.layers.flatten", "tensorflow.python.keras.legacy_tf_layers:core.flatten"),
    ("tensorflow.compat.v1.layers.conv1d", "tensorflow.python.keras.legacy_tf_layers:convolutional.conv1d"),
    ("tensorflow.compat.v1.layers.conv2d", "tensorflow.python.keras.legacy_tf_layers:convolutional.conv2d"),
    (
        "tensorflow.compat.v1.layers.conv2d_transpose",
        "tensorflow.python.keras.legacy_tf_layers:convolutional.conv2d_transpose",
    ),
    ("tensorflow.compat.v1.layers.conv3d", "tensorflow.python.keras.legacy_tf_layers:convolutional.conv3d"),
    (
        "tensorflow.compat.v1.layers.separable_conv2d",
        "tensorflow.python.keras.legacy_tf_layers:convolutional.separable_conv2d",
    ),
    (
        "tensorflow.compat.v1.layers.average_pooling2d",
        "tensorflow.python.keras.legacy_tf_layers:pooling.average_pooling2d",
    ),
    ("tensorflow.compat.v1.layers.max_pooling1d", "tensorflow.python.keras.legacy_tf_layers:pooling.max_pooling1d"),
    ("tensorflow.compat.v1.layers.max_pooling2d", "tensorflow.python.keras.legacy_tf_layers:pooling.max_pooling2d"),
    (
        "tensorflow.compat.v1.nn.rnn_cell.BasicLSTMCell",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.BasicLSTMCell",
    ),
    (
        "tensorflow.compat.v1.contrib.rnn.BasicLSTMCell",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.BasicLSTMCell",
    ),
    (
        "tensorflow.compat.v1.nn.rnn_cell.BasicRNNCell",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.BasicRNNCell",
    ),
    (
        "tensorflow.compat.v1.contrib.rnn.BasicRNNCell",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.BasicRNNCell",
    ),
    (
        "tensorflow.compat.v1.nn.rnn_cell.DropoutWrapper",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.DropoutWrapper",
    ),
    (
        "tensorflow.compat.v1.contrib.rnn.DropoutWrapper",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.DropoutWrapper",
    ),
    ("tensorflow.compat.v1.nn.rnn_cell.GRUCell", "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.GRUCell"),
    ("tensorflow.compat.v1.contrib.rnn.GRUCell", "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.GRUCell"),
    ("tensorflow.compat.v1.nn.rnn_cell.LSTMCell", "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.LSTMCell"),
    ("tensorflow.compat.v1.contrib.rnn.LSTMCell", "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.LSTMCell"),
    (
        "tensorflow.compat.v1.nn.rnn_cell.LSTMStateTuple",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.LSTMStateTuple",
    ),
    (
        "tensorflow.compat.v1.contrib.rnn.LSTMStateTuple",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.LSTMStateTuple",
    ),
    (
        "tensorflow.compat.v1.nn.rnn_cell.MultiRNNCell",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.MultiRNNCell",
    ),
    (
        "tensorflow.compat.v1.contrib.rnn.MultiRNNCell",
        "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.MultiRNNCell",
    ),
    ("tensorflow.compat.v1.nn.rnn_cell.RNNCell", "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.RNNCell"),
    ("tensorflow.compat.v1.contrib.rnn.RNNCell", "tensorflow.python.keras.layers.legacy_rnn:rnn_cell_impl.RNNCell"),
    ("tensorflow.compat.v1.contrib.rnn.static_rnn", "tensorflow.compat.v1.nn.static_rnn"),
    (
        "tensorflow.compat.v1.contrib.layers.variance_scaling_initializer",
        "tensorflow.compat.v1.variance_scaling_initializer",
    ),
    ("tensorflow.compat.v1.contrib.layers.xavier_initializer", "tensorflow.compat.v1.glorot_uniform_initializer"),
];

/// Old and new names in `compat.v1`; each also where TensorFlow itself is imported.
static FIRST_NAMES: &[(&str, &str)] = &[
    ("tensorflow.compat.v1.initialize_all_variables", "tensorflow.compat.v1.global_variables_initializer"),
    ("tensorflow.initialize_all_variables", "tensorflow.compat.v1.global_variables_initializer"),
    ("tensorflow.compat.v1.initialize_local_variables", "tensorflow.compat.v1.local_variables_initializer"),
    ("tensorflow.compat.v1.initialize_variables", "tensorflow.compat.v1.variables_initializer"),
    ("tensorflow.compat.v1.all_variables", "tensorflow.compat.v1.global_variables"),
    ("tensorflow.compat.v1.train.SummaryWriter", "tensorflow.compat.v1.summary.FileWriter"),
    ("tensorflow.compat.v1.scalar_summary", "tensorflow.compat.v1.summary.scalar"),
    ("tensorflow.compat.v1.histogram_summary", "tensorflow.compat.v1.summary.histogram"),
    ("tensorflow.compat.v1.image_summary", "tensorflow.compat.v1.summary.image"),
    ("tensorflow.compat.v1.merge_summary", "tensorflow.compat.v1.summary.merge"),
    ("tensorflow.compat.v1.merge_all_summaries", "tensorflow.compat.v1.summary.merge_all"),
    ("tensorflow.compat.v1.mul", "tensorflow.compat.v1.multiply"),
    ("tensorflow.mul", "tensorflow.multiply"),
    ("tensorflow.compat.v1.sub", "tensorflow.compat.v1.subtract"),
    ("tensorflow.sub", "tensorflow.subtract"),
    ("tensorflow.compat.v1.neg", "tensorflow.compat.v1.negative"),
    ("tensorflow.neg", "tensorflow.negative"),
    ("tensorflow.compat.v1.pack", "tensorflow.compat.v1.stack"),
    ("tensorflow.pack", "tensorflow.stack"),
    ("tensorflow.compat.v1.unpack", "tensorflow.compat.v1.unstack"),
    ("tensorflow.unpack", "tensorflow.unstack"),
    ("tensorflow.compat.v1.inv", "tensorflow.compat.v1.reciprocal"),
    ("tensorflow.compat.v1.complex_abs", "tensorflow.compat.v1.abs"),
    ("tensorflow.compat.v1.batch_matmul", "tensorflow.compat.v1.matmul"),
    ("tensorflow.compat.v1.select", "tensorflow.compat.v1.where"),
    ("tensorflow.compat.v1.listdiff", "tensorflow.compat.v1.setdiff1d"),
];

static MOVES: &[(&str, &str)] = &[
    ("tensorflow.set_random_seed", "tensorflow.random.set_seed"),
    ("tensorflow.random.set_random_seed", "tensorflow.random.set_seed"),
    ("tensorflow.random_normal", "tensorflow.random.normal"),
    ("tensorflow.random_uniform", "tensorflow.random.uniform"),
    ("tensorflow.truncated_normal", "tensorflow.random.truncated_normal"),
    ("tensorflow.log", "tensorflow.math.log"),
    ("tensorflow.lgamma", "tensorflow.math.lgamma"),
    ("tensorflow.digamma", "tensorflow.math.digamma"),
    ("tensorflow.is_nan", "tensorflow.math.is_nan"),
    ("tensorflow.is_inf", "tensorflow.math.is_inf"),
    ("tensorflow.matrix_inverse", "tensorflow.linalg.inv"),
    ("tensorflow.diag", "tensorflow.linalg.tensor_diag"),
    ("tensorflow.to_float", "tensorflow.compat.v1.to_float"),
    ("tensorflow.to_int32", "tensorflow.compat.v1.to_int32"),
    ("tensorflow.mod", "tensorflow.math.floormod"),
    ("tensorflow.ceil", "tensorflow.math.ceil"),
    ("tensorflow.rsqrt", "tensorflow.math.rsqrt"),
    ("tensorflow.unsorted_segment_sum", "tensorflow.math.unsorted_segment_sum"),
    ("tensorflow.bincount", "tensorflow.math.bincount"),
    ("tensorflow.confusion_matrix", "tensorflow.math.confusion_matrix"),
    ("tensorflow.ConfigProto", "tensorflow.compat.v1.ConfigProto"),
    ("tensorflow.GPUOptions", "tensorflow.compat.v1.GPUOptions"),
    ("tensorflow.global_variables_initializer", "tensorflow.compat.v1.global_variables_initializer"),
    ("tensorflow.local_variables_initializer", "tensorflow.compat.v1.local_variables_initializer"),
    ("tensorflow.global_variables", "tensorflow.compat.v1.global_variables"),
    ("tensorflow.trainable_variables", "tensorflow.compat.v1.trainable_variables"),
    ("tensorflow.get_default_graph", "tensorflow.compat.v1.get_default_graph"),
    ("tensorflow.get_default_session", "tensorflow.compat.v1.get_default_session"),
    ("tensorflow.reset_default_graph", "tensorflow.compat.v1.reset_default_graph"),
    ("tensorflow.enable_eager_execution", "tensorflow.compat.v1.enable_eager_execution"),
    ("tensorflow.logging", "tensorflow.compat.v1.logging"),
    ("tensorflow.app", "tensorflow.compat.v1.app"),
    ("tensorflow.flags", "tensorflow.compat.v1.flags"),
    ("tensorflow.gfile", "tensorflow.compat.v1.gfile"),
    ("tensorflow.layers", "tensorflow.compat.v1.layers"),
    ("tensorflow.losses.softmax_cross_entropy", "tensorflow.compat.v1.losses.softmax_cross_entropy"),
    ("tensorflow.losses.mean_squared_error", "tensorflow.compat.v1.losses.mean_squared_error"),
    ("tensorflow.metrics.accuracy", "tensorflow.compat.v1.metrics.accuracy"),
    ("tensorflow.summary.FileWriter", "tensorflow.compat.v1.summary.FileWriter"),
    ("tensorflow.summary.merge_all", "tensorflow.compat.v1.summary.merge_all"),
    ("tensorflow.train.AdamOptimizer", "tensorflow.compat.v1.train.AdamOptimizer"),
    ("tensorflow.train.GradientDescentOptimizer", "tensorflow.compat.v1.train.GradientDescentOptimizer"),
    ("tensorflow.train.RMSPropOptimizer", "tensorflow.compat.v1.train.RMSPropOptimizer"),
    ("tensorflow.train.AdagradOptimizer", "tensorflow.compat.v1.train.AdagradOptimizer"),
    ("tensorflow.train.MomentumOptimizer", "tensorflow.compat.v1.train.MomentumOptimizer"),
    ("tensorflow.train.Saver", "tensorflow.compat.v1.train.Saver"),
    ("tensorflow.contrib.layers.xavier_initializer", "tensorflow.keras.initializers.GlorotUniform"),
    ("tensorflow.contrib.layers.l2_regularizer", "tensorflow.keras.regularizers.L2"),
    ("tensorflow.contrib.layers.variance_scaling_initializer", "tensorflow.keras.initializers.VarianceScaling"),
    ("tensorflow.keras.layers.experimental.preprocessing", "tensorflow.keras.layers"),
    ("tensorflow.keras.utils.np_utils", "tensorflow.keras.utils"),
    ("tensorflow.keras.experimental.CosineDecay", "tensorflow.keras.optimizers.schedules.CosineDecay"),
    ("tensorflow.keras.experimental.CosineDecayRestarts", "tensorflow.keras.optimizers.schedules.CosineDecayRestarts"),
];

/// Names by which graph code is known.
const GRAPHS: [&str; 5] = ["Session", "InteractiveSession", "placeholder", "get_variable", "reset_default_graph"];

/// Graph code runs as it was when `tf` is the module of version 1.
fn graph_mode(view: &View<'_>, change: &mut Change<'_>) {
    let mut graphs = false;
    view.expressions(|_, expression, _| {
        if let Expr::Attribute(attribute) = expression
            && GRAPHS.contains(&attribute.attr.as_str())
        {
            graphs |= view.qualified(expression).is_some_and(|name| name.starts_with("tensorflow."));
        }
    });
    if !graphs {
        return;
    }
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Import(import) = statement else { return };
            let [alias] = &import.names[..] else { return };
            if alias.name.as_str() != "tensorflow" {
                return;
            }
            let local = alias.asname.as_ref().map_or("tensorflow", |name| name.as_str());
            let text = format!("import tensorflow.compat.v1 as {local}; {local}.disable_v2_behavior()");
            change.replace(Place(position), import.range(), text);
        });
    }
}

const CROSS_ENTROPIES: [&str; 3] = [
    "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits",
    "sigmoid_cross_entropy_with_logits",
];

fn first_arguments(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func).filter(|name| name.starts_with("tensorflow.")) else { return };
        let name = dotted.rsplit('.').next().unwrap_or_default();
        let mut edit = CallEdit::new(view.parsed(place), call);
        let positional = edit.positional();
        let axis_first = call.arguments.args.first().and_then(shape::integer).is_some();
        match (name, &positional[..]) {
            ("concat", [axis, values]) if axis_first => swap(&mut edit, *axis, *values),
            ("split", [axis, _, value]) if axis_first => swap(&mut edit, *axis, *value),
            (name, [scores, classes]) if CROSS_ENTROPIES.contains(&name) => {
                edit.name(*scores, "logits");
                edit.name(*classes, "labels");
            }
            _ => return,
        }
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn swap(edit: &mut CallEdit<'_>, one: usize, other: usize) {
    let (first, second) = (edit.value_text(one).to_owned(), edit.value_text(other).to_owned());
    edit.set(one, second);
    edit.set(other, first);
}
