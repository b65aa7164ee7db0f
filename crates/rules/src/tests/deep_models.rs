//! Rules of Keras and TensorFlow, beyond their examples.

use super::*;

const REFUSED: (&str, &str) = (
    "ValueError",
    "A KerasTensor cannot be used as input to a TensorFlow function. A KerasTensor is a symbolic placeholder",
);

#[test]
fn tensors_of_a_model_are_told_from_those_of_a_run() {
    let source = "import tensorflow as tf\n\
                  def block(x, n):\n    y = tf.nn.swish(x)\n    y = tf.squeeze(tf.reshape(y, [-1, n, 1]), axis=-1)\n    return y\n\
                  def loss(a, b):\n    return tf.reduce_mean(tf.square(a - b))\n\
                  scale = tf.keras.layers.Lambda(lambda t: tf.sqrt(t))\n\
                  v = block(i, 3)\n";
    // Only the function through which the error came is rewritten, and all of it.
    insta::assert_snapshot!(mended_in_line(source, 3, REFUSED).unwrap(), @"
    from keras import ops
    import tensorflow as tf
    def block(x, n):
        y = ops.silu(x)
        y = ops.squeeze(ops.reshape(y, [-1, n, 1]), axis=-1)
        return y
    def loss(a, b):
        return tf.reduce_mean(tf.square(a - b))
    scale = tf.keras.layers.Lambda(lambda t: tf.sqrt(t))
    v = block(i, 3)
    ");
}

#[test]
fn functions_on_tensors_keep_defaults_and_names_that_are_taken() {
    let source = "import tensorflow as tf\nfrom tensorflow.python.framework import ops\n\
                  k = 1 - tf.reduce_sum(1 + x - tf.square(x))\na = tf.argmax(x)\nb = tf.gather(x, [0, 1])\nc = tf.matmul(x, y, transpose_a=True, name='c')\nd = tf.nn.gelu(x)\n";
    insta::assert_snapshot!(mended(source, REFUSED).unwrap(), @"
    import keras
    import tensorflow as tf
    from tensorflow.python.framework import ops
    k = 1 - keras.ops.sum(1 + x - keras.ops.square(x))
    a = keras.ops.argmax(x, axis=0)
    b = keras.ops.take(x, [0, 1], axis=0)
    c = keras.ops.matmul(keras.ops.swapaxes(x, -1, -2), y)
    d = keras.ops.gelu(x, approximate=False)
    ");
}

#[test]
fn what_no_layer_and_no_function_of_keras_gives_is_left_alone() {
    // A shape is known when the model runs; numbers are no tensors of it; another library has its own.
    assert_eq!(mended("import tensorflow as tf\ns = tf.shape(x)\n", REFUSED), None);
    assert_eq!(
        mended("import tensorflow as tf\nimport numpy as np\nw = tf.sqrt(2.0)\nv = tf.square(np.arange(3))\n", REFUSED),
        None
    );
    assert_eq!(mended("import torch\nr = torch.relu(x)\nd = draw.resize(x, (8, 8))\n", REFUSED), None);
}

#[test]
fn ends_of_layers_and_of_functional_models_are_left_alone() {
    let never = ("AttributeError", "The layer sequential has never been called and thus has no defined input.");
    let source = "from keras.models import Model, Sequential\nlast = m.get_layer('a')\nf = Model(m.layers[0].input, m.get_layer('a').output, last.output)\ng = [layer.output for layer in m.layers]\n";
    assert_eq!(mended(source, never), None);
    let source =
        "from keras.models import Model, Sequential\nm = Sequential(layers)\ng = Model(i, o)\nx = [m.input, g.input]\n";
    insta::assert_snapshot!(mended(source, never).unwrap(), @"
    from keras.models import Model, Sequential
    m = Sequential(layers)
    g = Model(i, o)
    x = [m.inputs[0], g.input]
    ");
}

#[test]
fn a_rate_that_falls_is_a_schedule_unless_something_sets_the_rate() {
    let source = "from keras.optimizers import SGD\nlearning_rate = 0.1\ns = SGD(learning_rate, decay=learning_rate / 10)\nt = SGD(decay=0.0)\n";
    insta::assert_snapshot!(mended_silently(source).unwrap(), @"
    from keras.optimizers import schedules
    from keras.optimizers import SGD
    learning_rate = 0.1
    s = SGD(learning_rate=schedules.InverseTimeDecay(learning_rate, 1, learning_rate / 10))
    t = SGD(decay=0.0)
    ");
    let told =
        |rest: &str| mended_silently(&format!("from keras.optimizers import SGD\ns = SGD(0.1, decay=0.01)\n{rest}"));
    assert_eq!(told("from keras.callbacks import ReduceLROnPlateau\nc = ReduceLROnPlateau()\n"), None);
    assert_eq!(told("print(m.optimizer.lr)\n"), None);
}

#[test]
fn a_model_is_saved_under_a_name_with_an_ending_and_other_text_stays() {
    let refused = (
        "ValueError",
        "Invalid filepath extension for saving. Please add either a `.keras` extension for the native Keras format (recommended) or a `.h5` extension. Received: filepath=out/model.",
    );
    let source = "from keras.models import load_model\nkinds = {'model': 1}\nm.save('out/model')\nn = load_model('out/model/')\n";
    insta::assert_snapshot!(mended(source, refused).unwrap(), @"
    from keras.models import load_model
    kinds = {'model': 1}
    m.save('out/model.keras')
    n = load_model('out/model.keras')
    ");
}

#[test]
fn a_learning_phase_is_an_input_of_a_function_by_its_name() {
    let missing = ("AttributeError", "module 'keras.backend' has no attribute 'function'");
    let source = "from keras import backend as K\nf = K.function([i, K.learning_phase()], [o])\n";
    let after = mended(source, missing).unwrap();
    assert!(after.ends_with("f = backend_function([i, 'learning_phase'], [o])\n"), "{after}");
    assert_eq!(mended("from mine import backend as K\nf = K.function([i], [o])\n", missing), None);
}

#[test]
fn a_loss_is_added_to_the_model_that_the_error_blames() {
    let refused = ("NotImplementedError", "");
    let after = |source| mended_in_line(source, 2, refused);
    let source = "vae = Model(x, o)\nvae.add_loss(kl)\n";
    assert!(after(source).is_some_and(|text| text.ends_with("\nvae = Model(x, o)\nvae = with_loss(vae, kl)\n")));
    // A layer adds its own, and the error of another line is of something else.
    assert_eq!(after("def call(self, x):\n    self.add_loss(kl)\n    return x\n"), None);
    assert_eq!(after("vae = Model(x, o)\nother()\nvae.add_loss(kl)\n"), None);
}
