//! The function `merge` of Keras 1, which put tensors together by the name of a mode.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// The function under a name, before what follows it.
macro_rules! function {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(inputs, mode='sum', concat_axis=-1, name=None, **options):\n",
            "    \"\"\"What Keras had before 2.0: several tensors as one.\"\"\"\n",
            "    from keras import layers\n",
            "    if callable(mode):\n",
            "        return layers.Lambda(mode, name=name)(inputs)\n",
            "    if mode == 'concat':\n",
            "        return layers.concatenate(inputs, axis=concat_axis, name=name)\n",
            "    functions = {'sum': layers.add, 'mul': layers.multiply, 'ave': layers.average, 'max': layers.maximum}\n",
            "    return functions[mode](inputs, name=name)\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "keras-merge",
    ("keras", "2.2"),
    "merge is a function for each mode: add, multiply, average, maximum, concatenate",
    Trigger::Error(&[
        sig("ImportError", "cannot import name 'merge' from 'keras.layers'"),
        sig("AttributeError", "module 'keras.layers' has no attribute 'merge'"),
        sig("TypeError", "'module' object is not callable"),
    ]),
    Rewrite::Code(merge),
    example(
        "from keras.layers import merge\nm = merge([a, b], mode='concat', concat_axis=1)\n",
        ("ImportError", "cannot import name 'merge' from 'keras.layers' (__init__.py)"),
        function!("merge", "m = merge([a, b], mode='concat', concat_axis=1)\n"),
    ),
)
.certain()];

const MERGE: &str = "keras.layers.merge";

/// Where it is called: in Keras 2 a module had the name.
fn merge(view: &View<'_>, change: &mut Change<'_>) {
    let mut is_called = false;
    view.calls(|_, call, _| is_called |= view.qualified(&call.func).as_deref() == Some(MERGE));
    if is_called {
        let function = StandIn { module: "keras.layers", name: "merge", definition: function!("{name}", "") };
        write_out(&[function], view, change);
    }
}
