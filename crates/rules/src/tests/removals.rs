//! Names and arguments that libraries gave up: forms beyond the examples, and what looks alike and is left alone.

use super::*;

const ELSEWHERE: (&str, &str) = ("ZeroDivisionError", "division by zero");

#[test]
fn the_input_stands_in_front_of_the_first_layer_alone() {
    let error = ("ValueError", "Unrecognized keyword arguments passed to LSTM: {'batch_input_shape': (1, 3, 1)}");
    let source = "from keras.models import Sequential\nfrom keras.layers import Input, LSTM\ndef make(n):\n    m = Sequential()\n    m.add(LSTM(n, batch_input_shape=(1, 3, 1), return_sequences=True))\n    m.add(LSTM(n, batch_input_shape=(1, 3, 1)))\n    return m\nlisted = Sequential([LSTM(4, batch_input_shape=(1, 3, 1)), LSTM(4)])\ngiven = LSTM(4, batch_input_shape=(1, 3, 1))(x)\n";
    insta::assert_snapshot!(mended(source, error).unwrap(), @"
    from keras.models import Sequential
    from keras.layers import Input, LSTM
    def make(n):
        m = Sequential()
        m.add(Input(batch_shape=(1, 3, 1)))
        m.add(LSTM(n, return_sequences=True))
        m.add(LSTM(n))
        return m
    listed = Sequential([Input(batch_shape=(1, 3, 1)), LSTM(4), LSTM(4)])
    given = LSTM(4)(x)
    ");
    let branches = "import tensorflow as tf\nm = tf.keras.Sequential()\nif stateful:\n    m.add(tf.keras.layers.LSTM(4, batch_input_shape=(1, 3, 1)))\nelse:\n    m.add(tf.keras.layers.LSTM(4, batch_input_shape=(None, 3, 1)))\n";
    insta::assert_snapshot!(mended(branches, error).unwrap(), @"
    import tensorflow as tf
    m = tf.keras.Sequential()
    if stateful:
        m.add(tf.keras.layers.Input(batch_shape=(1, 3, 1)))
        m.add(tf.keras.layers.LSTM(4))
    else:
        m.add(tf.keras.layers.Input(batch_shape=(None, 3, 1)))
        m.add(tf.keras.layers.LSTM(4))
    ");
    // Which round of a loop makes the first layer, nobody knows; and others may have an argument of that name.
    let open = "from keras.layers import LSTM\nfor n in [1, 2]:\n    m.add(LSTM(n, batch_input_shape=(1, 3, 1)))\n";
    assert_eq!(mended(open, error), None);
    assert_eq!(mended("from mine import Layer\nm.add(Layer(batch_input_shape=(1, 3)))\n", error), None);
}

#[test]
fn states_are_those_of_layers_and_of_metrics() {
    let error = ("AttributeError", "'Sequential' object has no attribute 'reset_states'");
    let source = "import tensorflow as tf\nm = tf.keras.Sequential()\nloss = tf.keras.metrics.Mean()\nfor _ in range(3):\n    m.fit(X, y)\n    m.reset_states()\nloss.reset_states(); m.reset_states()\nm.layers[0].reset_states()\n";
    let after = mended(source, ELSEWHERE).unwrap();
    insta::assert_snapshot!(after, @"
    import tensorflow as tf
    m = tf.keras.Sequential()
    loss = tf.keras.metrics.Mean()
    for _ in range(3):
        m.fit(X, y)
        for recurrent in m.layers:
            if hasattr(recurrent, 'reset_states'):
                recurrent.reset_states()
    loss.reset_state(); [recurrent.reset_states() for recurrent in m.layers if hasattr(recurrent, 'reset_states')]
    m.layers[0].reset_states()
    ");
    let own = "class Env:\n    def reset_states(self):\n        return 1\nenv = Env()\nenv.reset_states()\n";
    assert_eq!(mended(own, error), None);
    assert_eq!(
        mended("robot.reset_states()\n", ("AttributeError", "'Robot' object has no attribute 'reset_states'")),
        None
    );
    assert_eq!(mended("robot.reset_states()\n", ELSEWHERE), None);
}
