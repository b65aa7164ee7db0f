//! Parameters of estimators that were renamed, removed, or take other values.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::keywords::{Fate, KeywordChange, keyword};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::View;

/// Any class or function of scikit-learn.
const ANY: Callee = Callee::Function("sklearn", "*");

const fn class(name: &'static str) -> Callee {
    Callee::Function("sklearn", name)
}

static UNEXPECTED: &[Signature] = &[
    sig("TypeError", "__init__() got an unexpected keyword argument"),
    sig("TypeError", "got an unexpected keyword argument 'fit_params'"),
    sig("TypeError", "got an unexpected keyword argument 'force_all_finite'"),
    sig("TypeError", "got an unexpected keyword argument 'normalize'"),
    sig("TypeError", "got an unexpected keyword argument 'rotate'"),
    sig("TypeError", "missing a required argument: 'y_"),
    sig("ModuleNotFoundError", "No module named 'sklearn."),
    sig("ImportError", "from 'sklearn"),
];

static INVALID: &[Signature] = &[
    sig("InvalidParameterError", "must be"),
    sig("ValueError", "must be a str among"),
    sig("ValueError", "fits failed"),
    sig("KeyError", "squared_loss"),
    sig("ValueError", "is not a valid scoring value"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "sklearn-calibrated-prefit",
        ("scikit-learn", "1.8"),
        "cv='prefit' of CalibratedClassifierCV is a FrozenEstimator around the fitted one",
        Trigger::Error(&[sig("InvalidParameterError", "The 'cv' parameter of CalibratedClassifierCV must be")]),
        Rewrite::Code(prefit),
        example(
            "from sklearn.calibration import CalibratedClassifierCV\nc = CalibratedClassifierCV(model, cv='prefit')\n",
            ("InvalidParameterError", "The 'cv' parameter of CalibratedClassifierCV must be an int in the range [2, inf)"),
            "from sklearn.frozen import FrozenEstimator\nfrom sklearn.calibration import CalibratedClassifierCV\nc = CalibratedClassifierCV(FrozenEstimator(model))\n",
        ),
    ),
    Rule::new(
        "sklearn-renamed-parameters",
        ("scikit-learn", "1.2"),
        "parameters of estimators were renamed or removed (base_estimator, sparse, n_iter, presort, iid, …)",
        Trigger::Error(UNEXPECTED),
        Rewrite::Keyword(PARAMETERS),
        example(
            "from sklearn.preprocessing import OneHotEncoder\nfrom sklearn.ensemble import AdaBoostClassifier\ne = OneHotEncoder(sparse=False, handle_unknown='ignore')\na = AdaBoostClassifier(base_estimator=t, algorithm='SAMME', n_estimators=5)\n",
            ("TypeError", "OneHotEncoder.__init__() got an unexpected keyword argument 'sparse'"),
            "from sklearn.preprocessing import OneHotEncoder\nfrom sklearn.ensemble import AdaBoostClassifier\ne = OneHotEncoder(sparse_output=False, handle_unknown='ignore')\na = AdaBoostClassifier(estimator=t, n_estimators=5)\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-parameter-values",
        ("scikit-learn", "1.2"),
        "values of parameters were renamed ('mse', 'deviance', 'auto', 'log', …)",
        Trigger::Error(INVALID),
        Rewrite::Keyword(VALUES),
        example(
            "from sklearn.ensemble import RandomForestRegressor\nm = RandomForestRegressor(10, criterion='mse', max_features='auto')\n",
            ("InvalidParameterError", "The 'criterion' parameter of RandomForestRegressor must be a str among {'squared_error'}"),
            "from sklearn.ensemble import RandomForestRegressor\nm = RandomForestRegressor(10, criterion='squared_error', max_features=1.0)\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-normalize",
        ("scikit-learn", "1.2"),
        "linear models have no normalize; a LinearRegression predicts the same without it",
        Trigger::Error(&[sig("TypeError", "__init__() got an unexpected keyword argument 'normalize'")]),
        Rewrite::Keyword(&[
            keyword(class("LinearRegression"), "normalize", Fate::Removed),
            keyword(ANY, "normalize", Fate::RemovedWhen("False")),
        ]),
        example(
            "from sklearn.linear_model import LinearRegression, Ridge\na = LinearRegression(normalize=True)\nb = Ridge(0.5, normalize=False)\n",
            ("TypeError", "LinearRegression.__init__() got an unexpected keyword argument 'normalize'"),
            "from sklearn.linear_model import LinearRegression, Ridge\na = LinearRegression()\nb = Ridge(0.5)\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-logistic-solver",
        ("scikit-learn", "0.22"),
        "the default solver lbfgs has no l1 penalty; liblinear was the default",
        Trigger::Error(&[
            sig("ValueError", "Solver lbfgs supports only 'l2'"),
            sig("ValueError", "Solver lbfgs supports only dual=False"),
        ]),
        Rewrite::Code(logistic_solver),
        example(
            "from sklearn.linear_model import LogisticRegression\nm = LogisticRegression(penalty='l1', C=2)\n",
            ("ValueError", "Solver lbfgs supports only 'l2' or None penalties, got l1 penalty."),
            "from sklearn.linear_model import LogisticRegression\nm = LogisticRegression(penalty='l1', C=2, solver='liblinear')\n",
        ),
    ),
    Rule::new(
        "sklearn-logistic-one-vs-rest",
        ("scikit-learn", "1.8"),
        "LogisticRegression has no multi_class, and liblinear only two classes; OneVsRestClassifier is the old way",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'multi_class'"),
            sig("ValueError", "The 'liblinear' solver does not support multiclass"),
        ]),
        Rewrite::Code(logistic_one_vs_rest),
        example(
            "from sklearn.linear_model import LogisticRegression\na = LogisticRegression(multi_class='multinomial', solver='lbfgs')\nb = LogisticRegression(multi_class='ovr', C=2)\n",
            ("TypeError", "LogisticRegression.__init__() got an unexpected keyword argument 'multi_class'"),
            "from sklearn.multiclass import OneVsRestClassifier\nfrom sklearn.linear_model import LogisticRegression\na = LogisticRegression(solver='lbfgs')\nb = OneVsRestClassifier(LogisticRegression(C=2))\n",
        ),
    ),
    Rule::new(
        "sklearn-random-state-without-shuffle",
        ("scikit-learn", "0.24"),
        "a splitter with random_state and without shuffle is refused; the seed had no effect",
        Trigger::Error(&[sig("ValueError", "Setting a random_state has no effect since shuffle is False")]),
        Rewrite::Code(seed_without_shuffle),
        example(
            "from sklearn.model_selection import KFold\nkf = KFold(n_splits=3, random_state=7)\n",
            ("ValueError", "Setting a random_state has no effect since shuffle is False. You should leave random_state"),
            "from sklearn.model_selection import KFold\nkf = KFold(n_splits=3)\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-one-hot-columns",
        ("scikit-learn", "0.22"),
        "OneHotEncoder has no categorical_features; ColumnTransformer encodes some of the columns",
        Trigger::Error(&[sig("TypeError", "got an unexpected keyword argument 'categorical_features'")]),
        Rewrite::Code(one_hot_columns),
        example(
            "from sklearn.preprocessing import OneHotEncoder\ne = OneHotEncoder(categorical_features=[0])\n",
            ("TypeError", "OneHotEncoder.__init__() got an unexpected keyword argument 'categorical_features'"),
            "from sklearn.compose import ColumnTransformer\nfrom sklearn.preprocessing import OneHotEncoder\ne = ColumnTransformer([('one_hot', OneHotEncoder(), [0])], remainder='passthrough', sparse_threshold=1)\n",
        ),
    )
    .certain(),
];

pub(super) static PARAMETERS: &[KeywordChange] = &[
    keyword(class("OneHotEncoder"), "sparse", Fate::Renamed("sparse_output")),
    keyword(class("OneHotEncoder"), "n_values", Fate::Removed),
    keyword(class("Imputer"), "missing_values", Fate::Values(&[("NaN", "float('nan')")])),
    keyword(class("Imputer"), "axis", Fate::RemovedWhen("0")),
    keyword(class("Imputer"), "verbose", Fate::Removed),
    keyword(class("SimpleImputer"), "axis", Fate::RemovedWhen("0")),
    keyword(class("SimpleImputer"), "verbose", Fate::Removed),
    keyword(class("SGDClassifier"), "n_iter", Fate::Written("max_iter={}, tol=None")),
    keyword(class("SGDRegressor"), "n_iter", Fate::Written("max_iter={}, tol=None")),
    keyword(class("Perceptron"), "n_iter", Fate::Written("max_iter={}, tol=None")),
    keyword(class("PassiveAggressiveClassifier"), "n_iter", Fate::Written("max_iter={}, tol=None")),
    keyword(class("KMeans"), "n_jobs", Fate::Removed),
    keyword(class("KMeans"), "precompute_distances", Fate::Removed),
    keyword(class("SpectralClustering"), "n_jobs", Fate::Removed),
    keyword(class("FunctionTransformer"), "pass_y", Fate::Removed),
    keyword(class("CountVectorizer"), "charset", Fate::Renamed("encoding")),
    keyword(class("TfidfVectorizer"), "charset", Fate::Renamed("encoding")),
    keyword(class("CountVectorizer"), "charset_error", Fate::Renamed("decode_error")),
    keyword(class("TfidfVectorizer"), "charset_error", Fate::Renamed("decode_error")),
    keyword(class("MLPClassifier"), "algorithm", Fate::Renamed("solver")),
    keyword(class("MLPRegressor"), "algorithm", Fate::Renamed("solver")),
    keyword(class("RidgeCV"), "store_cv_values", Fate::Renamed("store_cv_results")),
    keyword(class("RidgeClassifierCV"), "store_cv_values", Fate::Renamed("store_cv_results")),
    keyword(class("LassoCV"), "n_alphas", Fate::Renamed("alphas")),
    keyword(class("ElasticNetCV"), "n_alphas", Fate::Renamed("alphas")),
    keyword(class("RANSACRegressor"), "residual_metric", Fate::RemovedWhen("None")),
    keyword(class("KNeighborsClassifier"), "warn_on_equidistant", Fate::Removed),
    keyword(ANY, "compute_importances", Fate::Removed),
    keyword(class("calibration_curve"), "normalize", Fate::RemovedWhen("False")),
    keyword(class("plot_tree"), "rotate", Fate::Removed),
    keyword(class("precision_recall_curve"), "probas_pred", Fate::Renamed("y_score")),
    keyword(class("brier_score_loss"), "y_prob", Fate::Renamed("y_proba")),
    keyword(class("GridSearchCV"), "iid", Fate::Removed),
    keyword(class("RandomizedSearchCV"), "iid", Fate::Removed),
    keyword(class("cross_val_score"), "fit_params", Fate::Renamed("params")),
    keyword(class("cross_validate"), "fit_params", Fate::Renamed("params")),
    keyword(class("cross_val_predict"), "fit_params", Fate::Renamed("params")),
    keyword(ANY, "min_impurity_split", Fate::Removed),
    keyword(ANY, "presort", Fate::Removed),
    keyword(ANY, "base_estimator", Fate::Renamed("estimator")),
    keyword(class("AdaBoostClassifier"), "algorithm", Fate::RemovedWhen("SAMME")),
    keyword(class("AgglomerativeClustering"), "affinity", Fate::Renamed("metric")),
    keyword(class("FeatureAgglomeration"), "affinity", Fate::Renamed("metric")),
    keyword(class("TSNE"), "n_iter", Fate::Renamed("max_iter")),
    keyword(class("TSNE"), "square_distances", Fate::Removed),
    keyword(class("LatentDirichletAllocation"), "n_topics", Fate::Renamed("n_components")),
    keyword(class("IsolationForest"), "behaviour", Fate::Removed),
    keyword(class("RandomizedPCA"), "iterated_power", Fate::Removed),
    keyword(class("VotingClassifier"), "flatten_transform", Fate::RemovedWhen("None")),
    keyword(class("CalibratedClassifierCV"), "base_estimator", Fate::Renamed("estimator")),
    keyword(class("GaussianMixture"), "n_iter", Fate::Renamed("max_iter")),
    keyword(class("GMM"), "n_iter", Fate::Renamed("max_iter")),
    keyword(class("IncrementalPCA"), "svd_solver", Fate::Removed),
    keyword(class("check_array"), "force_all_finite", Fate::Renamed("ensure_all_finite")),
    keyword(class("check_X_y"), "force_all_finite", Fate::Renamed("ensure_all_finite")),
];

const REGRESSION_CRITERIA: Fate = Fate::Values(&[("mse", "'squared_error'"), ("mae", "'absolute_error'")]);
const BOOSTING_LOSSES: Fate = Fate::Values(&[
    ("ls", "'squared_error'"),
    ("lad", "'absolute_error'"),
    ("least_squares", "'squared_error'"),
    ("least_absolute_deviation", "'absolute_error'"),
    ("deviance", "'log_loss'"),
    ("binary_crossentropy", "'log_loss'"),
    ("categorical_crossentropy", "'log_loss'"),
    ("auto", "'log_loss'"),
]);
const SGD_LOSSES: Fate = Fate::Values(&[("log", "'log_loss'"), ("squared_loss", "'squared_error'")]);
const LINE_LOSSES: Fate = Fate::Values(&[("absolute_loss", "'absolute_error'"), ("squared_loss", "'squared_error'")]);
const SUPPORT_LOSSES: Fate = Fate::Values(&[("l1", "'epsilon_insensitive'"), ("l2", "'squared_epsilon_insensitive'")]);
const AUTO_IS_SQRT: Fate = Fate::Values(&[("auto", "'sqrt'")]);
const AUTO_IS_ALL: Fate = Fate::Values(&[("auto", "1.0")]);

pub(super) static VALUES: &[KeywordChange] = &[
    keyword(ANY, "criterion", REGRESSION_CRITERIA),
    keyword(class("GradientBoostingClassifier"), "loss", BOOSTING_LOSSES),
    keyword(class("GradientBoostingRegressor"), "loss", BOOSTING_LOSSES),
    keyword(class("HistGradientBoostingClassifier"), "loss", BOOSTING_LOSSES),
    keyword(class("HistGradientBoostingRegressor"), "loss", BOOSTING_LOSSES),
    keyword(class("SGDClassifier"), "loss", SGD_LOSSES),
    keyword(class("SGDRegressor"), "loss", SGD_LOSSES),
    keyword(class("RandomForestClassifier"), "max_features", AUTO_IS_SQRT),
    keyword(class("ExtraTreesClassifier"), "max_features", AUTO_IS_SQRT),
    keyword(class("GradientBoostingClassifier"), "max_features", Fate::Values(&[("auto", "None")])),
    keyword(class("DecisionTreeClassifier"), "max_features", AUTO_IS_SQRT),
    keyword(class("RandomForestRegressor"), "max_features", AUTO_IS_ALL),
    keyword(class("ExtraTreesRegressor"), "max_features", AUTO_IS_ALL),
    keyword(class("GradientBoostingRegressor"), "max_features", Fate::Values(&[("auto", "None")])),
    keyword(class("DecisionTreeRegressor"), "max_features", Fate::Values(&[("auto", "None")])),
    keyword(ANY, "class_weight", Fate::Values(&[("auto", "'balanced'")])),
    keyword(ANY, "min_samples_split", Fate::Values(&[("1", "2")])),
    keyword(class("LogisticRegression"), "penalty", Fate::Values(&[("none", "None")])),
    keyword(class("SGDClassifier"), "penalty", Fate::Values(&[("none", "None")])),
    keyword(class("SGDRegressor"), "penalty", Fate::Values(&[("none", "None")])),
    keyword(class("Perceptron"), "penalty", Fate::Values(&[("none", "None")])),
    keyword(class("KMeans"), "algorithm", Fate::Values(&[("full", "'lloyd'"), ("auto", "'lloyd'")])),
    keyword(class("RANSACRegressor"), "loss", LINE_LOSSES),
    keyword(class("AdaBoostRegressor"), "loss", Fate::Values(&[("squared_loss", "'square'")])),
    keyword(class("LinearSVC"), "loss", Fate::Values(&[("l1", "'hinge'"), ("l2", "'squared_hinge'")])),
    keyword(class("LinearSVR"), "loss", SUPPORT_LOSSES),
    keyword(ANY, "gamma", Fate::Values(&[("auto_deprecated", "'auto'")])),
    keyword(class("SVC"), "decision_function_shape", Fate::Values(&[("None", "'ovr'")])),
    keyword(ANY, "return_train_score", Fate::Values(&[("warn", "True")])),
    keyword(class("TfidfVectorizer"), "min_df", Fate::Values(&[("0", "1")])),
    keyword(class("CountVectorizer"), "min_df", Fate::Values(&[("0", "1")])),
    keyword(class("FastICA"), "whiten", Fate::Values(&[("True", "'arbitrary-variance'")])),
];

fn logistic_solver(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(class("LogisticRegression"), place, call) || shape::keyword(call, "solver").is_some() {
            return;
        }
        let l1 = shape::keyword(call, "penalty").is_some_and(|penalty| shape::text(&penalty.value) == Some("l1"))
            || call.arguments.args.first().and_then(shape::text) == Some("l1");
        let dual = shape::keyword(call, "dual").is_some_and(|dual| shape::boolean(&dual.value) == Some(true));
        // A penalty of a grid is that of a model without one of its own.
        let searched = shape::keyword(call, "penalty").is_none() && call.arguments.args.is_empty() && grid_has_l1(view);
        if l1 || dual || searched {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("solver='liblinear'");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

/// Whether a dict of the notebook offers l1 among its penalties.
fn grid_has_l1(view: &View<'_>) -> bool {
    let mut found = false;
    view.expressions(|_, expression, _| {
        let Expr::Dict(dict) = expression else { return };
        found |= dict.iter().any(|item| {
            let penalty = item.key.as_ref().and_then(shape::text).is_some_and(|key| key.ends_with("penalty"));
            penalty
                && shape::elements(&item.value).is_some_and(|all| all.iter().any(|one| shape::text(one) == Some("l1")))
        });
    });
    found
}

fn logistic_one_vs_rest(view: &View<'_>, change: &mut Change<'_>) {
    let liblinear = view.errors.iter().any(|error| error.evalue.contains("does not support multiclass"));
    view.calls(|place, call, around| {
        let logistic = view.is_call_of(class("LogisticRegression"), place, call)
            || view.is_call_of(class("LogisticRegressionCV"), place, call);
        if !logistic || is_wrapped(around.parent()) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let value = |name: &str| shape::keyword(call, name).and_then(|keyword| shape::text(&keyword.value));
        let wrap = value("multi_class") == Some("ovr") || liblinear && value("solver") == Some("liblinear");
        let number = edit.find("multi_class");
        if number.is_none() && !wrap {
            return;
        }
        if let Some(number) = number {
            edit.remove(number);
        }
        if wrap {
            let wrapper = change.spell(place, "sklearn.multiclass.OneVsRestClassifier");
            let model = view.parsed(place).text(call.func.range());
            change.replace(place, call.range(), format!("{wrapper}({model}({}))", edit.render()));
        } else {
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn is_wrapped(parent: Option<&Expr>) -> bool {
    let Some(Expr::Call(call)) = parent else { return false };
    match call.func.as_ref() {
        Expr::Name(name) => name.id.as_str() == "OneVsRestClassifier",
        Expr::Attribute(attribute) => attribute.attr.as_str() == "OneVsRestClassifier",
        _ => false,
    }
}

fn seed_without_shuffle(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let splitter = ["KFold", "StratifiedKFold", "StratifiedGroupKFold"];
        if !splitter.iter().any(|name| view.is_call_of(class(name), place, call)) || call.arguments.args.len() > 1 {
            return;
        }
        let shuffles = shape::keyword(call, "shuffle").is_some_and(|k| shape::boolean(&k.value) != Some(false));
        let mut edit = CallEdit::new(view.parsed(place), call);
        if let Some(number) = edit.find("random_state").filter(|_| !shuffles && !shape::has_stars(call)) {
            edit.remove(number);
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn one_hot_columns(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(class("OneHotEncoder"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("categorical_features") else { return };
        let columns = edit.value_text(number);
        edit.remove(number);
        if columns == "'all'" || columns == "\"all\"" {
            change.edit(place, call.range().start(), edit.finish());
            return;
        }
        let transformer = change.spell(place, "sklearn.compose.ColumnTransformer");
        let encoder = view.parsed(place).text(call.func.range());
        // The old result was sparse however dense, and is asked for `toarray()`.
        let text = format!(
            "{transformer}([('one_hot', {encoder}({}), {columns})], remainder='passthrough', sparse_threshold=1)",
            edit.render()
        );
        change.replace(place, call.range(), text);
    });
}

fn prefit(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(class("CalibratedClassifierCV"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(cv) = edit.find("cv").filter(|number| shape::text(edit.value(*number)) == Some("prefit")) else {
            return;
        };
        let named = edit.find("estimator").or_else(|| edit.find("base_estimator"));
        let Some(model) = named.or_else(|| edit.positional().first().copied()) else { return };
        let frozen = format!("{}({})", change.spell(place, "sklearn.frozen.FrozenEstimator"), edit.value_text(model));
        edit.remove(cv);
        edit.set(model, if named.is_some() { format!("estimator={frozen}") } else { frozen });
        change.edit(place, call.range().start(), edit.finish());
    });
}
