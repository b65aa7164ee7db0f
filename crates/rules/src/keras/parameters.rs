//! Arguments of layers, optimizers, callbacks and models that have other names.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::keywords::{Fate, KeywordChange, keyword};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

/// Rows for `keras` and for `tensorflow.keras`.
macro_rules! both {
    ($(($name:literal, $old:literal, $fate:expr)),* $(,)?) => {
        &[$(
            keyword(Callee::Function("keras", $name), $old, $fate),
            keyword(Callee::Function("tensorflow", $name), $old, $fate),
        )*]
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-learning-rate",
        ("keras", "3.0"),
        "lr of optimizers is learning_rate",
        Trigger::Error(&[
            sig("ValueError", "Argument(s) not recognized: {'lr'"),
            sig("TypeError", "got an unexpected keyword argument 'lr'"),
        ]),
        Rewrite::Keyword(OPTIMIZERS),
        example(
            "from keras.optimizers import Adam\nm.compile(Adam(lr=0.01), 'mse')\n",
            ("ValueError", "Argument(s) not recognized: {'lr': 0.01}"),
            "from keras.optimizers import Adam\nm.compile(Adam(learning_rate=0.01), 'mse')\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-fit-arguments",
        ("keras", "2.3"),
        "nb_epoch is epochs, nb_words of texts num_words; show_accuracy is gone",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'nb_epoch'"),
            sig("TypeError", "got an unexpected keyword argument 'show_accuracy'"),
            sig("TypeError", "compile() got an unexpected keyword argument 'class_mode'"),
            sig("TypeError", "fit() got an unexpected keyword argument"),
            sig("TypeError", "to_categorical() got an unexpected keyword argument 'dtype'"),
            sig("TypeError", "load_data() got an unexpected keyword argument 'nb_words'"),
            sig("TypeError", "TensorBoard.__init__() got an unexpected keyword argument"),
        ]),
        Rewrite::Keyword(&[
            keyword(Callee::Method(On::Any, "fit"), "nb_epoch", Fate::Renamed("epochs")),
            keyword(Callee::Method(On::Any, "fit_generator"), "nb_epoch", Fate::Renamed("epochs")),
            keyword(Callee::Method(On::Any, "fit"), "show_accuracy", Fate::Removed),
            keyword(Callee::Method(On::Any, "evaluate"), "show_accuracy", Fate::Removed),
            keyword(Callee::Method(On::Any, "compile"), "class_mode", Fate::Removed),
            keyword(Callee::Method(On::AtFault, "fit"), "workers", Fate::Removed),
            keyword(Callee::Method(On::AtFault, "fit"), "use_multiprocessing", Fate::Removed),
            keyword(Callee::Method(On::AtFault, "fit"), "max_queue_size", Fate::Removed),
            keyword(Callee::Function("keras", "TensorBoard"), "batch_size", Fate::Removed),
            keyword(Callee::Function("tensorflow", "TensorBoard"), "batch_size", Fate::Removed),
            keyword(Callee::Function("keras", "TensorBoard"), "write_grads", Fate::Removed),
            keyword(Callee::Function("tensorflow", "TensorBoard"), "write_grads", Fate::Removed),
            keyword(Callee::Function("keras", "to_categorical"), "dtype", Fate::Removed),
            keyword(Callee::Function("tensorflow", "to_categorical"), "dtype", Fate::Removed),
            keyword(Callee::Function("keras", "load_data"), "nb_words", Fate::Renamed("num_words")),
            keyword(Callee::Function("tensorflow", "load_data"), "nb_words", Fate::Renamed("num_words")),
        ]),
        example(
            "m.fit(X, y, nb_epoch=3, verbose=0)\n",
            ("TypeError", "TensorFlowTrainer.fit() got an unexpected keyword argument 'nb_epoch'"),
            "m.fit(X, y, epochs=3, verbose=0)\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-kernel-size",
        ("keras", "2.4"),
        "rows and columns of a convolution's kernel are one argument",
        Trigger::Error(&[
            sig("ValueError", "Unrecognized keyword arguments passed to Conv2D"),
            sig("TypeError", "Conv2D.__init__()"),
            sig("ValueError", "`strides`"),
            sig("ValueError", "The `strides` argument"),
        ]),
        Rewrite::Code(kernel_size),
        example(
            "from keras.layers import Convolution2D\nc = Convolution2D(4, 3, 3, activation='relu')\nd = Convolution2D(nb_filter=4, nb_row=3, nb_col=3)\n",
            ("ValueError", "Unrecognized keyword arguments passed to Conv2D: {'border_mode': 'same'}"),
            "from keras.layers import Convolution2D\nc = Convolution2D(4, (3, 3), activation='relu')\nd = Convolution2D(nb_filter=4, kernel_size=(3, 3))\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-layer-arguments",
        ("keras", "2.4"),
        "arguments of layers have the names of Keras 2",
        Trigger::Error(&[
            sig("ValueError", "Unrecognized keyword arguments passed to"),
            sig("TypeError", "__init__() missing 1 required positional argument: 'units'"),
            sig("TypeError", "__init__() missing 1 required positional argument: 'filters'"),
            sig("TypeError", "__init__() missing 2 required positional arguments: 'filters' and 'kernel_size'"),
            sig("TypeError", "__init__() missing 1 required positional argument: 'rate'"),
            sig("TypeError", "__init__() got an unexpected keyword argument"),
        ]),
        Rewrite::Keyword(LAYERS),
        example(
            "from keras.layers import Dense, Conv2D, Dropout\na = Dense(output_dim=1, init='uniform')\nb = Conv2D(4, (3, 3), border_mode='same')\nc = Dropout(p=0.5)\n",
            ("TypeError", "Dense.__init__() missing 1 required positional argument: 'units'"),
            "from keras.layers import Dense, Conv2D, Dropout\na = Dense(units=1, kernel_initializer='uniform')\nb = Conv2D(4, (3, 3), padding='same')\nc = Dropout(rate=0.5)\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-model-arguments",
        ("keras", "2.4"),
        "input and output of Model are inputs and outputs",
        Trigger::Error(&[sig("ValueError", "Unrecognized keyword arguments passed to Model")]),
        Rewrite::Keyword(both![
            ("Model", "input", Fate::Renamed("inputs")),
            ("Model", "output", Fate::Renamed("outputs")),
        ]),
        example(
            "from keras.models import Model\nm = Model(input=i, output=o)\n",
            ("ValueError", "Unrecognized keyword arguments passed to Model: {'input': <KerasTensor>}"),
            "from keras.models import Model\nm = Model(inputs=i, outputs=o)\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-checkpoint-period",
        ("keras", "3.0"),
        "period of ModelCheckpoint is save_freq",
        Trigger::Error(&[sig("TypeError", "ModelCheckpoint.__init__() got an unexpected keyword argument 'period'")]),
        Rewrite::Keyword(both![("ModelCheckpoint", "period", Fate::WrittenWhen("1", "save_freq='epoch'"))]),
        example(
            "from keras.callbacks import ModelCheckpoint\nc = ModelCheckpoint('b.keras', period=1)\n",
            ("TypeError", "ModelCheckpoint.__init__() got an unexpected keyword argument 'period'"),
            "from keras.callbacks import ModelCheckpoint\nc = ModelCheckpoint('b.keras', save_freq='epoch')\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-file-names",
        ("keras", "3.0"),
        "files of models end in .keras, those of weights in .weights.h5",
        Trigger::Error(&[
            sig("ValueError", "The filename must end in `.weights.h5`. Received: filepath="),
            sig("ValueError", "The filepath provided must end in `*` (Keras model format). Received: filepath="),
            sig("ValueError", "the filepath provided must end in `.weights.h5` (Keras weights format). Received: filepath="),
            sig("ValueError", "Invalid filepath extension for saving. Please add either a `.keras` extension"),
        ]),
        Rewrite::Code(file_names),
        example(
            "from keras.callbacks import ModelCheckpoint\nc = ModelCheckpoint('best.hdf5', save_best_only=True)\nm.load_weights('best.hdf5')\n",
            (
                "ValueError",
                "The filepath provided must end in `.keras` (Keras model format). Received: filepath=best.hdf5",
            ),
            "from keras.callbacks import ModelCheckpoint\nc = ModelCheckpoint('best.keras', save_best_only=True)\nm.load_weights('best.keras')\n",
        ),
    ),
];

static OPTIMIZERS: &[KeywordChange] = both![
    ("Adam", "lr", Fate::Renamed("learning_rate")),
    ("SGD", "lr", Fate::Renamed("learning_rate")),
    ("RMSprop", "lr", Fate::Renamed("learning_rate")),
    ("Adagrad", "lr", Fate::Renamed("learning_rate")),
    ("Adadelta", "lr", Fate::Renamed("learning_rate")),
    ("Adamax", "lr", Fate::Renamed("learning_rate")),
    ("Nadam", "lr", Fate::Renamed("learning_rate")),
    ("Ftrl", "lr", Fate::Renamed("learning_rate")),
];

static LAYERS: &[KeywordChange] = both![
    ("Dense", "output_dim", Fate::Renamed("units")),
    ("LSTM", "output_dim", Fate::Renamed("units")),
    ("GRU", "output_dim", Fate::Renamed("units")),
    ("SimpleRNN", "output_dim", Fate::Renamed("units")),
    ("Dropout", "p", Fate::Renamed("rate")),
    ("SpatialDropout1D", "p", Fate::Renamed("rate")),
    ("GaussianDropout", "p", Fate::Renamed("rate")),
    ("*", "init", Fate::Renamed("kernel_initializer")),
    ("*", "inner_init", Fate::Renamed("recurrent_initializer")),
    ("*", "W_regularizer", Fate::Renamed("kernel_regularizer")),
    ("*", "b_regularizer", Fate::Renamed("bias_regularizer")),
    ("*", "U_regularizer", Fate::Renamed("recurrent_regularizer")),
    ("*", "W_constraint", Fate::Renamed("kernel_constraint")),
    ("*", "b_constraint", Fate::Renamed("bias_constraint")),
    ("*", "dropout_W", Fate::Renamed("dropout")),
    ("*", "dropout_U", Fate::Renamed("recurrent_dropout")),
    ("*", "border_mode", Fate::Renamed("padding")),
    ("*", "subsample", Fate::Renamed("strides")),
    ("*", "subsample_length", Fate::Renamed("strides")),
    ("*", "nb_filter", Fate::Renamed("filters")),
    ("*", "filter_length", Fate::Renamed("kernel_size")),
    ("*", "pool_length", Fate::Renamed("pool_size")),
    ("*", "dim_ordering", Fate::WrittenWhen("tf", "data_format='channels_last'")),
    ("*", "dim_ordering", Fate::WrittenWhen("th", "data_format='channels_first'")),
    ("*", "dim_ordering", Fate::Renamed("data_format")),
    ("BatchNormalization", "mode", Fate::RemovedWhen("0")),
];

const CONVOLUTIONS: [&str; 2] = ["Conv2D", "Convolution2D"];

/// `Conv2D(4, 3, 3)` and `nb_row`, `nb_col`: in Keras 1 these were the sides of the kernel. A third number has been
/// the stride since, so it is one only beside another argument of Keras 1 or where the error blames the line.
fn kernel_size(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is = CONVOLUTIONS.iter().any(|name| {
            view.is_call_of(Callee::Function("keras", name), place, call)
                || view.is_call_of(Callee::Function("tensorflow", name), place, call)
        });
        if !is || shape::has_stars(call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        if let (Some(rows), Some(columns)) = (edit.find("nb_row"), edit.find("nb_col")) {
            edit.set(rows, format!("kernel_size=({}, {})", edit.value_text(rows), edit.value_text(columns)));
            edit.remove(columns);
        } else if let [_, rows, columns] = edit.positional()[..]
            && [rows, columns].iter().all(|number| shape::integer(edit.value(*number)).is_some())
            && is_first_version(call, view, place)
        {
            edit.set(rows, format!("({}, {})", edit.value_text(rows), edit.value_text(columns)));
            edit.remove(columns);
        } else {
            return;
        }
        change.edit(place, call.range().start(), edit.finish());
    });
}

/// Whether a call is written for Keras 1.
fn is_first_version(call: &nbrevive_pysource::ast::ExprCall, view: &View<'_>, place: crate::view::Place) -> bool {
    let old = ["border_mode", "init", "subsample", "dim_ordering", "W_regularizer", "nb_filter"];
    let long = matches!(call.func.as_ref(), Expr::Name(name) if name.id.as_str() == "Convolution2D");
    long || old.iter().any(|name| shape::keyword(call, name).is_some()) || view.at_fault(place, call.range())
}

/// The ending that a message asks for, and the file that it complains of.
fn complaint(message: &str) -> Option<(&'static str, &str)> {
    let file = message.split("Received: filepath=").nth(1)?.trim();
    let file = if message.starts_with("Invalid filepath") { file.trim_end_matches(['.', '/']) } else { file };
    let name = file.rsplit('/').next().unwrap_or(file);
    let ending = if message.contains(".weights.h5") { ".weights.h5" } else { ".keras" };
    (!name.is_empty()).then_some((ending, name))
}

/// Whether an expression is a call that saves or loads a model.
fn is_of_files(expression: &Expr) -> bool {
    let last = expression.as_call_expr().map(|call| match call.func.as_ref() {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => "",
    });
    matches!(last, Some("save" | "save_model" | "load_model"))
}

/// Renames the file wherever the notebook names it.
fn file_names(view: &View<'_>, change: &mut Change<'_>) {
    let wanted: Vec<(&str, &str)> = view.errors.iter().filter_map(|error| complaint(&error.evalue)).collect();
    view.expressions(|place, expression, around| {
        let Some(text) = shape::text(expression) else { return };
        let name = text.trim_end_matches('/').rsplit('/').next().unwrap_or(text);
        // A name without an ending may be any text but where it is given to what saves or loads.
        if !name.contains('.') && !around.parent().is_some_and(is_of_files) {
            return;
        }
        let Some((ending, _)) = wanted.iter().find(|(_, file)| *file == name) else { return };
        let stem = name.rfind('.').map_or(name, |at| &name[..at]);
        let stem = stem.strip_suffix(".weights").unwrap_or(stem);
        let source = view.parsed(place).text(expression.range());
        if let Some(at) = source.rfind(name) {
            let rest = source[at + name.len()..].trim_start_matches('/');
            let new = format!("{}{stem}{ending}{rest}", &source[..at]);
            change.replace(place, expression.range(), new);
        }
    });
}
