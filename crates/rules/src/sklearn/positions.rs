//! Parameters of scikit-learn that must be named.

use crate::change::Change;
use crate::positional::{Positional, name_from, positional};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::View;

const fn of(name: &'static str, parameters: &'static [&'static str], still: usize) -> Positional {
    positional(Callee::Function("sklearn", name), parameters, still)
}

pub(super) static RULES: &[Rule] = &[
Rule::new(
    "sklearn-old-orders",
    ("scikit-learn", "0.20"),
    "the functions of cross_validation and learning_curve took their parameters in another order",
    Trigger::Error(&[
        sig("ModuleNotFoundError", "No module named 'sklearn."),
        sig("ImportError", "cannot import name '*' from 'sklearn"),
        sig("AttributeError", "module 'sklearn* has no attribute"),
    ]),
    Rewrite::Code(old_orders),
    example(
        "from sklearn.learning_curve import learning_curve\nt = learning_curve(m, X, y, sizes, 3)\n",
        ("ModuleNotFoundError", "No module named 'sklearn.learning_curve'"),
        "from sklearn.learning_curve import learning_curve\nt = learning_curve(m, X, y, train_sizes=sizes, cv=3)\n",
    ),
)
.certain(),
Rule::new(
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

/// Functions of modules that are gone, with their parameters as they stood there (scikit-learn 0.17).
const OLD_ORDERS: [(&str, &[&str]); 4] = [
    ("sklearn.cross_validation.cross_val_score", &["estimator", "X", "y", "scoring", "cv", "n_jobs", "verbose"]),
    ("sklearn.cross_validation.cross_val_predict", &["estimator", "X", "y", "cv", "n_jobs", "verbose"]),
    ("sklearn.learning_curve.learning_curve", &["estimator", "X", "y", "train_sizes", "cv", "scoring"]),
    ("sklearn.learning_curve.validation_curve", &["estimator", "X", "y", "param_name", "param_range", "cv", "scoring"]),
];

fn old_orders(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(called) = view.qualified(&call.func) else { return };
        let old = OLD_ORDERS.iter().find(|(function, _)| *function == called);
        if let Some((_, parameters)) = old.filter(|_| call.arguments.args.len() > 3) {
            name_from(3, parameters, (view, change), place, call);
        }
    });
}

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
    of("KernelDensity", &["bandwidth", "algorithm", "kernel"], 0),
    of("NearestNeighbors", &["n_neighbors", "radius", "algorithm"], 0),
    of("DBSCAN", &["eps", "min_samples", "metric"], 1),
    of("AgglomerativeClustering", &["n_clusters"], 1),
    of("SpectralClustering", &["n_clusters", "eigen_solver"], 1),
    of("MeanShift", &["bandwidth", "seeds"], 0),
    of("GaussianMixture", &["n_components", "covariance_type"], 1),
    of("TSNE", &["n_components", "perplexity", "early_exaggeration", "learning_rate"], 1),
    of("Isomap", &["n_neighbors"], 0),
    of("LocallyLinearEmbedding", &["n_neighbors", "n_components", "reg"], 0),
    of("MDS", &["n_components", "metric", "n_init", "max_iter"], 1),
    of("TruncatedSVD", &["n_components", "algorithm", "n_iter"], 1),
    of("KernelPCA", &["n_components", "kernel", "gamma"], 1),
    of("FastICA", &["n_components", "algorithm"], 1),
    of("MLPClassifier", &["hidden_layer_sizes", "activation", "solver", "alpha"], 1),
    of("Perceptron", &["penalty", "alpha", "fit_intercept"], 0),
    of("MultinomialNB", &["alpha", "fit_prior"], 0),
    of("BernoulliNB", &["alpha", "binarize"], 0),
    of("OneClassSVM", &["kernel", "degree", "gamma"], 0),
    of("IsolationForest", &["n_estimators", "max_samples", "contamination"], 0),
    of("StandardScaler", &["copy", "with_mean", "with_std"], 0),
    of("Normalizer", &["norm", "copy"], 1),
    of("Binarizer", &["threshold", "copy"], 0),
    of("LabelBinarizer", &["neg_label", "pos_label"], 0),
    of("make_blobs", &["n_samples", "n_features", "centers", "cluster_std"], 2),
    of("make_moons", &["n_samples", "shuffle", "noise", "random_state"], 1),
    of("make_circles", &["n_samples", "shuffle", "noise", "random_state", "factor"], 1),
    of("make_classification", &["n_samples", "n_features", "n_informative", "n_redundant"], 2),
    of("make_regression", &["n_samples", "n_features", "n_informative", "n_targets"], 2),
    of("silhouette_score", &["X", "labels", "metric", "sample_size"], 2),
    of("precision_recall_curve", &["y_true", "probas_pred", "pos_label"], 2),
    of("export_graphviz", &["decision_tree", "out_file", "max_depth"], 2),
    of("normalize", &["X", "norm", "axis", "copy"], 1),
    of("scale", &["X", "axis", "with_mean", "with_std"], 1),
    of("CalibratedClassifierCV", &["estimator", "method", "cv"], 1),
    of("RFECV", &["estimator", "step", "min_features_to_select", "cv"], 1),
    of("OneVsRestClassifier", &["estimator", "n_jobs"], 1),
    of("OneVsOneClassifier", &["estimator", "n_jobs"], 1),
    of("ColumnTransformer", &["transformers", "remainder", "sparse_threshold"], 1),
    of("SimpleImputer", &["missing_values", "strategy", "fill_value"], 0),
    of("Imputer", &["missing_values", "strategy"], 0),
    of("QuantileTransformer", &["n_quantiles", "output_distribution"], 0),
    of("PowerTransformer", &["method", "standardize"], 1),
    of("KBinsDiscretizer", &["n_bins", "encode", "strategy"], 1),
    of("MultiLabelBinarizer", &["classes", "sparse_output"], 0),
    of("GaussianNB", &["priors", "var_smoothing"], 0),
    of("MLPRegressor", &["hidden_layer_sizes", "activation", "solver", "alpha"], 1),
    of("f_regression", &["X", "y", "center"], 2),
    of("mutual_info_classif", &["X", "y", "discrete_features"], 2),
    of("mutual_info_regression", &["X", "y", "discrete_features"], 2),
    of("load_iris", &["return_X_y", "as_frame"], 0),
    of("load_digits", &["n_class", "return_X_y"], 0),
    of("load_wine", &["return_X_y", "as_frame"], 0),
    of("load_breast_cancer", &["return_X_y", "as_frame"], 0),
    of("load_diabetes", &["return_X_y", "as_frame"], 0),
    of("KNNImputer", &["missing_values", "n_neighbors", "weights"], 0),
    of("SGDRegressor", &["loss", "penalty", "alpha"], 1),
    of("RidgeClassifier", &["alpha", "fit_intercept"], 1),
    of("LassoCV", &["eps", "n_alphas", "alphas"], 0),
    of("RobustScaler", &["with_centering", "with_scaling", "quantile_range"], 0),
    of("NuSVC", &["nu", "kernel", "degree", "gamma"], 0),
    of("LabelPropagation", &["kernel", "gamma", "n_neighbors"], 1),
    of("MiniBatchKMeans", &["n_clusters", "init", "max_iter", "batch_size"], 1),
    of("NMF", &["n_components", "init", "solver"], 1),
    of("SparsePCA", &["n_components", "alpha"], 1),
    of("AffinityPropagation", &["damping", "max_iter", "convergence_iter"], 0),
    of("balanced_accuracy_score", &["y_true", "y_pred", "sample_weight"], 2),
    of("cohen_kappa_score", &["y1", "y2", "labels", "weights"], 2),
    of("average_precision_score", &["y_true", "y_score", "average"], 2),
    of("brier_score_loss", &["y_true", "y_proba", "sample_weight"], 2),
    of("mean_squared_log_error", &["y_true", "y_pred", "sample_weight"], 2),
    of("explained_variance_score", &["y_true", "y_pred", "sample_weight"], 2),
    of("jaccard_score", &["y_true", "y_pred", "labels", "pos_label", "average"], 2),
    of("matthews_corrcoef", &["y_true", "y_pred", "sample_weight"], 2),
    of("permutation_importance", &["estimator", "X", "y", "scoring", "n_repeats"], 3),
    of("calibration_curve", &["y_true", "y_prob", "normalize", "n_bins"], 2),
    of("make_s_curve", &["n_samples", "noise", "random_state"], 1),
    of("make_swiss_roll", &["n_samples", "noise", "random_state"], 1),
];
