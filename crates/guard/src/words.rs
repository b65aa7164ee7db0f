//! Which words mean a prediction, and which a training.

/// Methods whose results are predictions of a trained model.
const PREDICTING: &[&str] = &[
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_classes",
    "predict_generator",
    "predict_on_batch",
    "predict_on_generator",
    "decision_function",
    "fit_predict",
    "fit_transform_predict",
    "forecast",
    "get_forecast",
    "get_prediction",
    "get_preds",
    "TTA",
    "score_samples",
    "recommend",
    "infer",
    "generate",
    "kneighbors",
    "transduce",
    "staged_predict",
    "staged_predict_proba",
    "predicted_proba",
    "inplace_predict",
    "eval_step",
    "test_step",
    "cross_val_predict",
];

/// Methods that train.
const TRAINING: &[&str] = &[
    "fit",
    "fit_generator",
    "partial_fit",
    "fit_predict",
    "fit_one_cycle",
    "fine_tune",
    "train_on_batch",
    "fit_regularized",
    "backward",
    "fit_resample_predict",
    "learn",
    "fit_flow",
    "train_model",
    "minimize",
];
/// Functions that train, by dotted name.
const TRAINING_FUNCTIONS: &[&str] = &[
    "xgboost.train",
    "xgboost.cv",
    "lightgbm.train",
    "lightgbm.cv",
    "catboost.train",
    "catboost.cv",
    "sklearn.model_selection.cross_val_predict",
    "sklearn.cross_validation.cross_val_predict",
    "scipy.optimize.minimize",
    "scipy.optimize.curve_fit",
    "numpy.linalg.lstsq",
    "scipy.linalg.lstsq",
    "numpy.polyfit",
    "h2o.automl",
];

/// Ends of the names of classes that are fitted and yet predict nothing.
const TRANSFORMERS: &[&str] = &[
    "Scaler",
    "Encoder",
    "Vectorizer",
    "Imputer",
    "Binarizer",
    "Normalizer",
    "Transformer",
    "Discretizer",
    "PCA",
    "SVD",
    "NMF",
    "TSNE",
    "Tokenizer",
    "Features",
    "SelectKBest",
    "SelectPercentile",
    "VarianceThreshold",
    "BinsDiscretizer",
    "UMAP",
    "Isomap",
    "MDS",
    "FactorAnalysis",
    "FastICA",
    "DictVectorizer",
    "FeatureHasher",
    "LabelBinarizer",
    "SMOTE",
];
/// Classes that look like models and learn nothing.
const DUMMIES: &[&str] = &["DummyClassifier", "DummyRegressor", "FunctionTransformer"];

pub(super) fn is_predicting(method: &str) -> bool {
    PREDICTING.contains(&method)
}

pub(super) fn is_training(method: &str) -> bool {
    TRAINING.contains(&method)
}

pub(super) fn is_training_function(dotted: &str) -> bool {
    TRAINING_FUNCTIONS.contains(&dotted)
}

pub(super) fn is_transformer(class: &str) -> bool {
    TRANSFORMERS.iter().any(|end| class.ends_with(end))
}

pub(super) fn is_dummy(class: &str) -> bool {
    DUMMIES.contains(&class)
}
