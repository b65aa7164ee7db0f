//! The wrappers that made a model of Keras an estimator of scikit-learn.
//!
//! Those of today encode the classes by columns, which a model with one sigmoid output cannot learn, and they hide the
//! arguments of fit from a grid search. So the former wrapper is written into the notebook, in a few lines.

use nbrevive_pysource::ast::{Alias, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

/// What both wrappers have in common, behind the line that names the class.
macro_rules! shared {
    () => {
        r#"    """The wrapper that Keras had: options go to the function that builds the model, to fit and to predict."""
    def __init__(self, build_fn=None, **sk_params):
        self.build_fn, self.sk_params = build_fn, sk_params
    def get_params(self, deep=True):
        return dict(self.sk_params, build_fn=self.build_fn)
    def set_params(self, **params):
        self.build_fn = params.pop('build_fn', self.build_fn)
        self.sk_params.update(params)
        return self
    def options(self, function, **given):
        import inspect
        options = {'epochs' if name == 'nb_epoch' else name: value for name, value in self.sk_params.items()}
        names = inspect.signature(function).parameters
        return {name: value for name, value in dict(options, **given).items() if name in names}
"#
    };
}

macro_rules! classifier {
    () => {
        r"    def fit(self, X, y, **given):
        import numpy
        y = numpy.asarray(y)
        columns = y.ndim == 2 and y.shape[1] > 1
        self.classes_ = numpy.arange(y.shape[1]) if columns else numpy.unique(y)
        codes = y if columns else numpy.searchsorted(self.classes_, y.ravel())
        self.model = self.build_fn(**self.options(self.build_fn))
        if self.model.loss == 'categorical_crossentropy' and not columns:
            codes = numpy.eye(len(self.classes_))[codes]
        return self.model.fit(X, codes, **self.options(self.model.fit, **given))
    def predict_proba(self, X, **given):
        import numpy
        p = self.model.predict(X, **self.options(self.model.predict, **given))
        return numpy.hstack([1 - p, p]) if p.shape[1] == 1 else p
    def predict(self, X, **given):
        p = self.model.predict(X, **self.options(self.model.predict, **given))
        return self.classes_[p.argmax(axis=-1) if p.shape[-1] > 1 else (p > 0.5).astype(int)]
    def score(self, X, y, **given):
        import numpy
        y = numpy.asarray(y)
        y = y.argmax(axis=1) if y.ndim == 2 and y.shape[1] > 1 else y.ravel()
        return numpy.mean(self.predict(X, **given).ravel() == y)"
    };
}

const REGRESSOR: &str = r"    def fit(self, X, y, **given):
        self.model = self.build_fn(**self.options(self.build_fn))
        return self.model.fit(X, y, **self.options(self.model.fit, **given))
    def predict(self, X, **given):
        import numpy
        return numpy.squeeze(self.model.predict(X, **self.options(self.model.predict, **given)))
    def score(self, X, y, **given):
        import numpy
        return -numpy.ravel(self.model.evaluate(X, y, **self.options(self.model.evaluate, **given)))[0]";

pub(super) static RULES: &[Rule] = &[Rule::new(
    "keras-scikit-learn",
    ("keras", "2.12"),
    "the wrappers for scikit-learn are gone, and those of today take other arguments",
    Trigger::Error(&[
        sig("ModuleNotFoundError", "No module named 'keras.wrappers.scikit_learn'"),
        sig("ModuleNotFoundError", "No module named 'tensorflow.keras.wrappers"),
    ]),
    Rewrite::Code(wrappers),
    example(
        "from keras.wrappers.scikit_learn import KerasClassifier\nm = KerasClassifier(build_fn=make, epochs=3, verbose=0)\n",
        ("ModuleNotFoundError", "No module named 'keras.wrappers.scikit_learn'"),
        concat!(
            "import sklearn.base\nclass KerasClassifier(sklearn.base.ClassifierMixin, sklearn.base.BaseEstimator):\n",
            shared!(),
            classifier!(),
            "\nm = KerasClassifier(build_fn=make, epochs=3, verbose=0)\n",
        ),
    ),
)
.certain()];

/// The class that an imported name stands for; `None` for a name that is no wrapper.
fn class(alias: &Alias) -> Option<String> {
    let (mixin, methods) = match alias.name.as_str() {
        "KerasClassifier" => ("ClassifierMixin", classifier!()),
        "KerasRegressor" => ("RegressorMixin", REGRESSOR),
        _ => return None,
    };
    let name = alias.asname.as_ref().unwrap_or(&alias.name);
    Some(format!("class {name}(sklearn.base.{mixin}, sklearn.base.BaseEstimator):\n{}{methods}", shared!()))
}

fn wrappers(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::ImportFrom(import) = statement else { return };
            let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
            let is_former = matches!(module, "keras.wrappers.scikit_learn" | "tensorflow.keras.wrappers.scikit_learn");
            // Inside of a block the lines of a class would need its indentation.
            if !is_former || !around.is_empty() {
                return;
            }
            if let Some(classes) = import.names.iter().map(class).collect::<Option<Vec<String>>>() {
                let text = format!("import sklearn.base\n{}", classes.join("\n"));
                change.replace(Place(position), import.range(), text);
            }
        });
    }
}
