//! What changed in xgboost.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn of(name: &'static str) -> Callee {
    Callee::Function("xgboost", name)
}

const MODELS: [&str; 5] = ["XGBClassifier", "XGBRegressor", "XGBRanker", "XGBRFClassifier", "XGBRFRegressor"];

static RULES: &[Rule] = &[
    Rule::new(
        "xgboost-class-labels",
        ("xgboost", "1.6.0"),
        "class labels must be 0 to K-1; a subclass encodes them for fit and decodes predictions",
        Trigger::Error(&[
            sig("ValueError", "Invalid classes inferred from unique values of `y`"),
            sig("ValueError", "The label must consist of integer labels of form 0, 1, 2"),
        ]),
        Rewrite::Code(class_labels),
        example(
            "import xgboost as xgb\nmodel = xgb.XGBClassifier(n_estimators=3)\nmodel.fit(X, y)\n",
            ("ValueError", "Invalid classes inferred from unique values of `y`.  Expected: [0 1 2], got [1 2 3]"),
            concat!(
                "import xgboost as xgb\n\n\nclass LabelEncodingXGBClassifier(xgb.XGBClassifier):\n",
                "    \"\"\"Takes any class labels, as xgboost did before 1.6: encodes them for fit, decodes predictions.\"\"\"\n\n",
                "    _label_encoder = None\n\n",
                "    @property\n    def classes_(self):\n        encoder = self._label_encoder\n",
                "        return super().classes_ if encoder is None else encoder.classes_\n\n",
                "    def fit(self, X, y, *args, **kwargs):\n        import numpy as np\n        from sklearn.preprocessing import LabelEncoder\n",
                "        self._label_encoder = None\n        encoder = LabelEncoder().fit(np.ravel(y))\n",
                "        if kwargs.get('eval_set') is not None:\n",
                "            kwargs['eval_set'] = [(data, encoder.transform(np.ravel(labels))) for data, labels in kwargs['eval_set']]\n",
                "        super().fit(X, encoder.transform(np.ravel(y)), *args, **kwargs)\n",
                "        self._label_encoder = encoder\n        return self\n\n",
                "    def predict(self, X, *args, **kwargs):\n        codes = super().predict(X, *args, **kwargs)\n",
                "        encoder = self._label_encoder\n",
                "        return codes if encoder is None or codes.ndim > 1 else encoder.inverse_transform(codes.astype(int))\n\n\n",
                "model = LabelEncodingXGBClassifier(n_estimators=3)\nmodel.fit(X, y)\n",
            ),
        ),
    ),
    Rule::new(
        "xgboost-fit-arguments",
        ("xgboost", "2.1.0"),
        "early_stopping_rounds, eval_metric and callbacks of fit are parameters of the model",
        Trigger::Error(&[
            sig("TypeError", "fit() got an unexpected keyword argument 'early_stopping_rounds'"),
            sig("TypeError", "fit() got an unexpected keyword argument 'eval_metric'"),
            sig("TypeError", "fit() got an unexpected keyword argument 'callbacks'"),
        ]),
        Rewrite::Code(fit_arguments),
        example(
            "import xgboost as xgb\nm = xgb.XGBClassifier(n_estimators=20)\nm.fit(X, y, early_stopping_rounds=3, eval_metric='auc', eval_set=[(X, y)])\n",
            ("TypeError", "XGBClassifier.fit() got an unexpected keyword argument 'early_stopping_rounds'"),
            "import xgboost as xgb\nm = xgb.XGBClassifier(n_estimators=20)\nm.set_params(early_stopping_rounds=3, eval_metric='auc').fit(X, y, eval_set=[(X, y)])\n",
        ),
    )
    .certain(),
    Rule::new(
        "xgboost-tree-limit",
        ("xgboost", "2.0.0"),
        "ntree_limit is iteration_range, best_ntree_limit is best_iteration + 1",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'ntree_limit'"),
            sig("AttributeError", "object has no attribute 'best_ntree_limit'"),
        ]),
        Rewrite::Code(tree_limit),
        example(
            "p = m.predict(X, ntree_limit=m.best_ntree_limit)\nb = booster.best_ntree_limit\n",
            ("TypeError", "XGBClassifier.predict() got an unexpected keyword argument 'ntree_limit'"),
            "p = m.predict(X, iteration_range=(0, (m.best_iteration + 1)))\nb = (booster.best_iteration + 1)\n",
        ),
    )
    .certain(),
    Rule::new(
        "xgboost-keywords",
        ("xgboost", "2.0.0"),
        "feval is custom_metric; missing must be a number",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'feval'"),
            sig("XGBoostError", "Invalid type for: `missing`"),
            sig("XGBoostError", "gpu_hist"),
        ]),
        Rewrite::Keyword(&[
            keyword(of("train"), "feval", Fate::Renamed("custom_metric")),
            keyword(of("cv"), "feval", Fate::Renamed("custom_metric")),
            keyword(of("XGBClassifier"), "missing", Fate::Values(&[("None", "float('nan')")])),
            keyword(of("XGBRegressor"), "missing", Fate::Values(&[("None", "float('nan')")])),
            keyword(of("DMatrix"), "missing", Fate::Values(&[("None", "float('nan')")])),
            keyword(of("XGBClassifier"), "tree_method", Fate::Values(&[("gpu_hist", "'hist'"), ("gpu_exact", "'exact'")])),
            keyword(of("XGBRegressor"), "tree_method", Fate::Values(&[("gpu_hist", "'hist'"), ("gpu_exact", "'exact'")])),
            keyword(of("XGBClassifier"), "predictor", Fate::Removed),
            keyword(of("XGBRegressor"), "predictor", Fate::Removed),
        ]),
        example(
            "import xgboost as xgb\nb = xgb.train(p, d, 3, feval=f)\nm = xgb.XGBClassifier(missing=None)\n",
            ("TypeError", "train() got an unexpected keyword argument 'feval'"),
            "import xgboost as xgb\nb = xgb.train(p, d, 3, custom_metric=f)\nm = xgb.XGBClassifier(missing=float('nan'))\n",
        ),
    )
    .certain(),
    Rule::new(
        "xgboost-device",
        ("xgboost", "3.1"),
        "gpu_id is the number of a device, and gpu_hist the method hist on one",
        Trigger::Error(&[sig("XGBoostError", "`gpu_id` has been removed"), sig("XGBoostError", "gpu_hist")]),
        Rewrite::Code(device),
        example(
            "import xgboost as xgb\nm = xgb.XGBClassifier(n_estimators=2, tree_method='hist', gpu_id=0)\nparams = {'tree_method': 'gpu_hist', 'gpu_id': 1}\n",
            ("XGBoostError", "`gpu_id` has been removed since 3.1. Use `device` instead."),
            "import xgboost as xgb\nm = xgb.XGBClassifier(n_estimators=2, tree_method='hist', device='cuda:0')\nparams = {'tree_method': 'hist', 'device': 'cuda:1'}\n",
        ),
    ),
    Rule::new(
        "xgboost-callback-functions",
        ("xgboost", "1.6.0"),
        "callbacks are objects: EvaluationMonitor, EarlyStopping, LearningRateScheduler",
        Trigger::Error(&[sig("AttributeError", "module 'xgboost.callback' has no attribute")]),
        Rewrite::Code(callbacks),
        example(
            "import xgboost as xgb\nc = [xgb.callback.print_evaluation(show_stdv=False), xgb.callback.early_stop(5)]\n",
            ("AttributeError", "module 'xgboost.callback' has no attribute 'print_evaluation'"),
            "import xgboost as xgb\nc = [xgb.callback.EvaluationMonitor(show_stdv=False), xgb.callback.EarlyStopping(5)]\n",
        ),
    )
    .certain(),
    Rule::new(
        "xgboost-booster-method",
        ("xgboost", "1.0.0"),
        "booster() of a fitted model is get_booster()",
        Trigger::Error(&[
            sig("TypeError", "'str' object is not callable"),
            sig("TypeError", "'NoneType' object is not callable"),
            sig("AttributeError", "object has no attribute 'booster'"),
        ]),
        Rewrite::Method(&[renamed(On::AtFault, "booster", "get_booster")]),
        example(
            "b = model.booster().get_fscore()\n",
            ("TypeError", "'str' object is not callable"),
            "b = model.get_booster().get_fscore()\n",
        ),
    ),
];

const CLASS_NAME: &str = "LabelEncodingXGBClassifier";

/// The subclass; `{base}` is how the notebook names the classifier.
const CLASS: &str = concat!(
    "class LabelEncodingXGBClassifier({base}):\n",
    "    \"\"\"Takes any class labels, as xgboost did before 1.6: encodes them for fit, decodes predictions.\"\"\"\n\n",
    "    _label_encoder = None\n\n",
    "    @property\n    def classes_(self):\n        encoder = self._label_encoder\n",
    "        return super().classes_ if encoder is None else encoder.classes_\n\n",
    "    def fit(self, X, y, *args, **kwargs):\n        import numpy as np\n        from sklearn.preprocessing import LabelEncoder\n",
    "        self._label_encoder = None\n        encoder = LabelEncoder().fit(np.ravel(y))\n",
    "        if kwargs.get('eval_set') is not None:\n",
    "            kwargs['eval_set'] = [(data, encoder.transform(np.ravel(labels))) for data, labels in kwargs['eval_set']]\n",
    "        super().fit(X, encoder.transform(np.ravel(y)), *args, **kwargs)\n",
    "        self._label_encoder = encoder\n        return self\n\n",
    "    def predict(self, X, *args, **kwargs):\n        codes = super().predict(X, *args, **kwargs)\n",
    "        encoder = self._label_encoder\n",
    "        return codes if encoder is None or codes.ndim > 1 else encoder.inverse_transform(codes.astype(int))\n",
);

/// Every construction of the classifier is one of the subclass, which is defined at the top level of each cell that
/// needs it, before the statement of the first construction: wrapped in a search, pipeline or vote it works too.
fn class_labels(view: &View<'_>, change: &mut Change<'_>) {
    let mut defined = std::collections::BTreeSet::new();
    let blamed = blamed_names(view);
    let all = !blamed.is_empty() && !constructs_one_of(view, &blamed);
    view.calls(|place, call, around| {
        if !view.is_call_of(of("XGBClassifier"), place, call) {
            return;
        }
        // The error came from a fit: only that model takes other labels.
        let fits = all || view.at_fault(place, call.range()) || is_bound_to(around.statement(), &blamed);
        if !fits {
            return;
        }
        let Some(top) = around.statements.first() else { return };
        let base = view.parsed(place).text(call.func.range());
        if !change.replace(place, call.func.range(), CLASS_NAME) {
            return;
        }
        if !view.parsed(place).source().contains(CLASS_NAME) && defined.insert(place) {
            let class = CLASS.replace("{base}", base);
            let first = first_construction(view, place).unwrap_or(top);
            change.line_before(place, first, &format!("\n\n{class}\n"));
        }
    });
}

/// Names in the lines that the errors blame.
fn blamed_names<'v>(view: &View<'v>) -> Vec<&'v str> {
    let mut blamed = Vec::new();
    view.expressions(|place, expression, _| {
        if let Some(name) = shape::name(expression).filter(|_| view.at_fault(place, expression.range())) {
            blamed.push(name);
        }
    });
    blamed
}

/// Whether one of the names is bound to a classifier by an assignment, or one is made in a blamed line; else it came
/// there by other ways, and every classifier may be meant.
fn constructs_one_of(view: &View<'_>, names: &[&str]) -> bool {
    let mut found = false;
    view.calls(|place, call, around| {
        let made = view.is_call_of(of("XGBClassifier"), place, call);
        found |= made && (view.at_fault(place, call.range()) || is_bound_to(around.statement(), names));
    });
    found
}

fn is_bound_to(statement: &Stmt, names: &[&str]) -> bool {
    match statement {
        Stmt::Assign(assign) => {
            assign.targets.iter().any(|target| shape::name(target).is_some_and(|t| names.contains(&t)))
        }
        _ => false,
    }
}

fn first_construction<'a>(view: &View<'a>, place: crate::view::Place) -> Option<&'a Stmt> {
    view.parsed(place).body().iter().find(|statement| {
        let mut found = false;
        crate::walk::expressions(std::slice::from_ref(statement), &mut |expression, _| {
            found |= matches!(expression, Expr::Call(call) if view.is_call_of(of("XGBClassifier"), place, call));
        });
        found
    })
}

fn is_model(view: &View<'_>, call: &ExprCall, name: &str) -> bool {
    let Some((attribute, method)) = shape::method(call) else { return false };
    let class = view.class_of(&attribute.value);
    method == name && class.is_some_and(|class| MODELS.iter().any(|model| class.ends_with(model)))
}

/// Keywords of models, and keys of dicts where the notebook names the library.
fn device(view: &View<'_>, change: &mut Change<'_>) {
    let written = |value: &Expr| match shape::integer(value)? {
        -1 => Some("'cpu'".to_owned()),
        number => Some(format!("'cuda:{number}'")),
    };
    view.expressions(|place, expression, _| match expression {
        Expr::Call(call) => {
            let is_of_library = view.qualified(&call.func).is_some_and(|name| name.starts_with("xgboost."));
            let keyword = shape::keyword(call, "gpu_id").filter(|_| shape::keyword(call, "device").is_none());
            let device = keyword.and_then(|keyword| Some((keyword, written(&keyword.value)?)));
            if let Some((keyword, device)) = device.filter(|_| is_of_library) {
                change.replace(place, keyword.range(), format!("device={device}"));
            }
        }
        Expr::Dict(dict) => {
            let has = |name: &str| dict.items.iter().any(|item| item.key.as_ref().and_then(shape::text) == Some(name));
            if has("device") || !has("tree_method") {
                return;
            }
            for item in &dict.items {
                let Some(key) = &item.key else { continue };
                let edits = match (shape::text(key), written(&item.value), shape::text(&item.value)) {
                    (Some("gpu_id"), Some(device), _) => {
                        vec![replacement(key.range(), "'device'"), replacement(item.value.range(), device)]
                    }
                    (Some("tree_method"), _, Some("gpu_hist")) => vec![replacement(item.value.range(), "'hist'")],
                    _ => continue,
                };
                change.edit(place, key.start(), edits);
            }
        }
        _ => {}
    });
}

/// A function that made a callback.
struct Made {
    function: &'static str,
    class: &'static str,
    /// What its arguments were called, in order, and are called today. What is empty is not told.
    arguments: &'static [(&'static str, &'static str)],
}

const CALLBACKS: [Made; 3] = [
    Made {
        function: "print_evaluation",
        class: "EvaluationMonitor",
        arguments: &[("period", "period"), ("show_stdv", "show_stdv")],
    },
    Made {
        function: "early_stop",
        class: "EarlyStopping",
        arguments: &[("stopping_rounds", "rounds"), ("maximize", "maximize"), ("verbose", "")],
    },
    Made {
        function: "reset_learning_rate",
        class: "LearningRateScheduler",
        arguments: &[("learning_rates", "learning_rates")],
    },
];

fn callbacks(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func) else { return };
        let Some(function) = dotted.strip_prefix("xgboost.callback.") else { return };
        let Some(Made { class, arguments, .. }) = CALLBACKS.iter().find(|made| made.function == function) else {
            return;
        };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let positional = edit.positional();
        let given: Vec<(usize, Option<&str>)> =
            edit.arguments().map(|(number, argument)| (number, argument.keyword)).collect();
        for (number, keyword) in given {
            let position = positional.iter().position(|one| *one == number);
            let found = match keyword {
                Some(keyword) => arguments.iter().find(|(old, _)| *old == keyword),
                None => position.and_then(|position| arguments.get(position)),
            };
            match found {
                None => return,
                Some((_, "")) => edit.remove(number),
                // The first of each stands where it stood.
                Some((old, new))
                    if keyword.is_some() && old == new || position == Some(0) && *class != "EvaluationMonitor" => {}
                Some((_, new)) => edit.name(number, new),
            }
        }
        let class = change.spell(place, &format!("xgboost.callback.{class}"));
        let mut edits = vec![replacement(call.func.range(), class)];
        edits.extend(edit.finish());
        change.edit(place, call.start(), edits);
    });
}

fn fit_arguments(view: &View<'_>, change: &mut Change<'_>) {
    let xgboost_error = view.errors.iter().any(|error| error.evalue.contains("XGB"));
    view.calls(|place, call, _| {
        let Some((attribute, "fit")) = shape::method(call) else { return };
        // Models of others that know these arguments by other ways may stand in lines that are blamed as well.
        let is_open = view.class_of(&attribute.value).is_none_or(|class| class.starts_with("xgboost."));
        let is_blamed = xgboost_error && is_open && view.at_fault(place, call.range());
        if !is_blamed && !is_model(view, call, "fit") {
            return;
        }
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let mut moved = Vec::new();
        for name in ["early_stopping_rounds", "eval_metric", "callbacks"] {
            if let Some(number) = edit.find(name) {
                moved.push(format!("{name}={}", edit.value_text(number)));
                edit.remove(number);
            }
        }
        if !moved.is_empty() {
            let model = receiver_text(parsed, attribute);
            let text = format!("{model}.set_params({}).fit({})", moved.join(", "), edit.render());
            change.replace(place, call.range(), text);
        }
    });
}

fn tree_limit(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !shape::method(call).is_some_and(|(_, name)| name.starts_with("predict")) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        if let Some(number) = edit.find("ntree_limit") {
            let text = format!("iteration_range=(0, {})", edit.value_text(number));
            edit.set(number, text);
            change.edit(place, call.range().start(), edit.finish());
        }
    });
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        if attribute.attr.as_str() == "best_ntree_limit" {
            let owner = receiver_text(view.parsed(place), attribute);
            let text = format!("({owner}.best_iteration + 1)");
            change.edit(place, expression.range().start(), vec![replacement(expression.range(), text)]);
        }
    });
}
