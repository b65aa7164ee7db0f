//! Modules and names of Keras that moved.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::rules::call::CallEdit;
use crate::rules::change::Change;
use crate::rules::rule::{Rewrite, Rule, Trigger, example};
use crate::rules::signature::{Signature, sig};
use crate::rules::view::{Place, View};
use crate::rules::walk;

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
        "keras-scikit-learn",
        ("keras", "2.12"),
        "the wrappers for scikit-learn take a model or a function of X and y, and arguments of fit apart",
        Trigger::Error(&[
            sig("ModuleNotFoundError", "No module named 'keras.wrappers.scikit_learn'"),
            sig("ModuleNotFoundError", "No module named 'tensorflow.keras.wrappers"),
            sig("TypeError", "got an unexpected keyword argument 'build_fn'"),
        ]),
        Rewrite::Code(scikit_learn),
        example(
            "from keras.wrappers.scikit_learn import KerasClassifier\nm = KerasClassifier(build_fn=make, epochs=3, verbose=0)\n",
            ("ModuleNotFoundError", "No module named 'keras.wrappers.scikit_learn'"),
            "from keras.wrappers import SKLearnClassifier as KerasClassifier\nm = KerasClassifier(model=lambda X, y, **options: make(**options), fit_kwargs={'epochs': 3, 'verbose': 0})\n",
        ),
    )
    .shift("the wrapper is another class: predict gives labels, and parameters of the model go into model_kwargs")
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
];

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
    ("keras.engine.topology", "keras.layers"),
    ("keras.engine.base_layer", "keras.layers"),
    ("keras.engine.training", "keras.models"),
    ("keras.engine", "keras.layers"),
    ("keras.utils.np_utils", "keras.utils"),
    ("keras.utils.vis_utils", "keras.utils"),
    ("keras.utils.generic_utils", "keras.utils"),
    ("keras.utils.data_utils", "keras.utils"),
    ("keras.utils.layer_utils", "keras.utils"),
    ("keras.utils.visualize_util", "keras.utils"),
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

/// Arguments of the wrapper that are no arguments of fit.
const OWN: [&str; 5] = ["build_fn", "model", "warm_start", "model_kwargs", "fit_kwargs"];

fn scikit_learn(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let wrapper = view
            .qualified(&call.func)
            .is_some_and(|name| name.contains("scikit_learn.Keras") || name.contains("wrappers.SKLearn"));
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(build) = edit.find("build_fn").filter(|_| wrapper) else { return };
        let function = edit.value_text(build);
        edit.set(build, format!("model=lambda X, y, **options: {function}(**options)"));
        let others: Vec<(usize, &str)> = edit
            .arguments()
            .filter_map(|(number, one)| one.keyword.map(|keyword| (number, keyword)))
            .filter(|(_, keyword)| !OWN.contains(keyword))
            .collect();
        let items: Vec<String> =
            others.iter().map(|(number, keyword)| format!("'{keyword}': {}", edit.value_text(*number))).collect();
        others.iter().for_each(|(number, _)| edit.remove(*number));
        if !items.is_empty() {
            edit.append(format!("fit_kwargs={{{}}}", items.join(", ")));
        }
        change.edit(place, call.range().start(), edit.finish());
    });
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::ImportFrom(import) = statement else { return };
            let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
            let Some(root) = module.strip_suffix("wrappers.scikit_learn") else { return };
            if !matches!(root, "keras." | "tensorflow.keras.") {
                return;
            }
            let names: Vec<String> = import
                .names
                .iter()
                .map(|alias| {
                    let local = alias.asname.as_ref().unwrap_or(&alias.name);
                    let new = alias.name.as_str().replace("Keras", "SKLearn");
                    format!("{new} as {local}")
                })
                .collect();
            let text = format!("from keras.wrappers import {}", names.join(", "));
            change.replace(Place(position), import.range(), text);
        });
    }
}
