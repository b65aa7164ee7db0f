//! Parameters of scikit-learn that must be named.

use crate::rules::positional::{Positional, positional};
use crate::rules::receiver::Callee;
use crate::rules::rule::{Rewrite, Rule, Trigger, example};
use crate::rules::signature::sig;

const fn of(name: &'static str, parameters: &'static [&'static str], still: usize) -> Positional {
    positional(Callee::Function("sklearn", name), parameters, still)
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-keyword-only",
    ("scikit-learn", "1.0"),
    "all but the first parameters of estimators and functions must be named",
    Trigger::Error(&[
        sig("TypeError", "too many positional arguments"),
        sig("TypeError", "takes * positional argument"),
    ]),
    Rewrite::Positional(TABLE),
    example(
        "from sklearn.cluster import KMeans\nfrom sklearn.model_selection import GridSearchCV\nk = KMeans(3, 'random')\ng = GridSearchCV(m, p, 'accuracy', cv=3)\n",
        ("TypeError", "KMeans.__init__() takes from 1 to 2 positional arguments but 3 were given"),
        "from sklearn.cluster import KMeans\nfrom sklearn.model_selection import GridSearchCV\nk = KMeans(3, init='random')\ng = GridSearchCV(m, p, scoring='accuracy', cv=3)\n",
    ),
)
.certain()];

static TABLE: &[Positional] = &[
    of("KMeans", &["n_clusters", "init", "n_init", "max_iter"], 1),
    of("LogisticRegression", &["penalty", "dual", "tol", "C", "fit_intercept"], 0),
    of("LinearRegression", &["fit_intercept"], 0),
    of("Ridge", &["alpha", "fit_intercept"], 1),
    of("Lasso", &["alpha", "fit_intercept"], 1),
    of("ElasticNet", &["alpha", "l1_ratio", "fit_intercept"], 0),
    of("SVC", &["C", "kernel", "degree", "gamma"], 0),
    of("SVR", &["kernel", "degree", "gamma", "coef0", "tol", "C"], 0),
    of("LinearSVC", &["penalty", "loss", "dual", "tol", "C"], 0),
    of("SGDClassifier", &["loss", "penalty", "alpha"], 1),
    of("KNeighborsClassifier", &["n_neighbors", "weights", "algorithm", "leaf_size", "p"], 1),
    of("KNeighborsRegressor", &["n_neighbors", "weights", "algorithm", "leaf_size", "p"], 1),
    of("DecisionTreeClassifier", &["criterion", "splitter", "max_depth"], 0),
    of("DecisionTreeRegressor", &["criterion", "splitter", "max_depth"], 0),
    of("RandomForestClassifier", &["n_estimators", "criterion", "max_depth"], 1),
    of("RandomForestRegressor", &["n_estimators", "criterion", "max_depth"], 1),
    of("ExtraTreesClassifier", &["n_estimators", "criterion", "max_depth"], 1),
    of("ExtraTreesRegressor", &["n_estimators", "criterion", "max_depth"], 1),
    of("GradientBoostingClassifier", &["loss", "learning_rate", "n_estimators"], 0),
    of("GradientBoostingRegressor", &["loss", "learning_rate", "n_estimators"], 0),
    of("AdaBoostClassifier", &["estimator", "n_estimators", "learning_rate"], 1),
    of("AdaBoostRegressor", &["estimator", "n_estimators", "learning_rate"], 1),
    of("BaggingClassifier", &["estimator", "n_estimators", "max_samples", "max_features"], 1),
    of("VotingClassifier", &["estimators", "voting", "weights"], 1),
    of("RFE", &["estimator", "n_features_to_select", "step"], 1),
    of("PCA", &["n_components", "copy", "whiten"], 1),
    of("PolynomialFeatures", &["degree", "interaction_only", "include_bias"], 1),
    of("SelectKBest", &["score_func", "k"], 1),
    of("SelectPercentile", &["score_func", "percentile"], 1),
    of("MinMaxScaler", &["feature_range", "copy"], 1),
    of("KFold", &["n_splits", "shuffle", "random_state"], 1),
    of("StratifiedKFold", &["n_splits", "shuffle", "random_state"], 1),
    of("ShuffleSplit", &["n_splits", "test_size", "train_size", "random_state"], 1),
    of("StratifiedShuffleSplit", &["n_splits", "test_size", "train_size", "random_state"], 1),
    of("GridSearchCV", &["estimator", "param_grid", "scoring"], 2),
    of("RandomizedSearchCV", &["estimator", "param_distributions", "n_iter", "scoring"], 2),
    of("cross_val_score", &["estimator", "X", "y", "groups", "scoring", "cv", "n_jobs", "verbose"], 3),
    of("cross_val_predict", &["estimator", "X", "y", "groups", "cv", "n_jobs"], 3),
    of("cross_validate", &["estimator", "X", "y", "groups", "scoring", "cv", "n_jobs"], 3),
    of("learning_curve", &["estimator", "X", "y", "groups", "train_sizes", "cv"], 3),
    of("validation_curve", &["estimator", "X", "y", "param_name", "param_range", "groups", "cv"], 3),
    of("classification_report", &["y_true", "y_pred", "labels", "target_names"], 2),
    of("confusion_matrix", &["y_true", "y_pred", "labels", "sample_weight"], 2),
    of("accuracy_score", &["y_true", "y_pred", "normalize", "sample_weight"], 2),
    of("f1_score", &["y_true", "y_pred", "labels", "pos_label", "average"], 2),
    of("precision_score", &["y_true", "y_pred", "labels", "pos_label", "average"], 2),
    of("recall_score", &["y_true", "y_pred", "labels", "pos_label", "average"], 2),
    of("fbeta_score", &["y_true", "y_pred", "beta", "labels", "pos_label", "average"], 2),
    of("roc_auc_score", &["y_true", "y_score", "average", "sample_weight"], 2),
    of("roc_curve", &["y_true", "y_score", "pos_label", "sample_weight"], 2),
    of("log_loss", &["y_true", "y_pred", "normalize", "sample_weight"], 2),
    of("mean_squared_error", &["y_true", "y_pred", "sample_weight", "multioutput"], 2),
    of("mean_absolute_error", &["y_true", "y_pred", "sample_weight", "multioutput"], 2),
    of("r2_score", &["y_true", "y_pred", "sample_weight", "multioutput"], 2),
    of("compute_class_weight", &["class_weight", "classes", "y"], 0),
    of("label_binarize", &["y", "classes", "neg_label"], 1),
    of("make_scorer", &["score_func", "greater_is_better"], 1),
];
