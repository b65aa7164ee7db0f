//! Imports that are missing: names that every reader of notebooks knows.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Alias, Expr, ExprContext, Stmt};
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::document::missing_name;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-missing-import",
    ("python", "3.0"),
    "a well-known name is used and never imported",
    Trigger::Error(&[sig("NameError", "name '*' is not defined")]),
    Rewrite::Code(missing_imports),
    example(
        "x = np.zeros(3)\na, b = train_test_split(x)\n",
        ("NameError", "name 'np' is not defined"),
        "import numpy as np\nx = np.zeros(3)\na, b = train_test_split(x)\n",
    ),
)];

/// Well-known names and what binds them, where that is no module of their own name and no `from … import`.
const KNOWN: [(&str, &str); 19] = [
    ("np", "import numpy as np"),
    ("pd", "import pandas as pd"),
    ("plt", "import matplotlib.pyplot as plt"),
    ("mpl", "import matplotlib as mpl"),
    ("sns", "import seaborn as sns"),
    ("sm", "import statsmodels.api as sm"),
    ("smf", "import statsmodels.formula.api as smf"),
    ("xgb", "import xgboost as xgb"),
    ("lgb", "import lightgbm as lgb"),
    ("cb", "import catboost as cb"),
    ("tf", "import tensorflow as tf"),
    ("nx", "import networkx as nx"),
    ("go", "import plotly.graph_objs as go"),
    ("px", "import plotly.express as px"),
    ("F", "import torch.nn.functional as F"),
    ("optim", "import torch.optim as optim"),
    ("PIL", "import PIL.Image"),
    ("urllib", "import urllib.request"),
    ("concurrent", "import concurrent.futures"),
];

/// Modules that notebooks use by their name.
#[rustfmt::skip]
const MODULES: [&str; 62] = [
    "os", "re", "sys", "gc", "math", "json", "time", "random", "pickle", "string", "itertools", "functools", "operator", "collections", "warnings",
    "glob", "copy", "csv", "shutil", "datetime", "ast", "base64", "bisect", "calendar", "cmath", "decimal", "difflib", "fractions", "gzip",
    "hashlib", "heapq", "inspect", "io", "logging", "multiprocessing", "pathlib", "platform", "sqlite3", "statistics", "struct", "subprocess",
    "tarfile", "tempfile", "textwrap", "threading", "timeit", "typing", "unicodedata", "uuid", "zipfile", "numpy", "pandas", "matplotlib", "seaborn",
    "tensorflow", "keras", "torch", "nltk", "gensim", "spacy", "joblib", "requests",
];

/// Names by the module that they are taken from. Left out are those that several modules have, such as `sqrt`, `shuffle` and `Image`, and those
/// that people give to things of their own.
#[rustfmt::skip]
const FROM: &[(&str, &[&str])] = &[
    ("collections", &["Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"]),
    ("itertools", &["accumulate", "chain", "combinations", "combinations_with_replacement", "groupby", "islice", "permutations", "product", "zip_longest"]),
    ("functools", &["lru_cache", "partial", "reduce", "wraps"]),
    ("typing", &["Any", "Callable", "Dict", "Iterable", "Iterator", "List", "NamedTuple", "Optional", "Sequence", "Set", "Tuple", "Union"]),
    ("datetime", &["timedelta"]),
    ("pathlib", &["Path"]),
    ("io", &["BytesIO", "StringIO"]),
    ("copy", &["deepcopy"]),
    ("dataclasses", &["dataclass"]),
    ("enum", &["Enum"]),
    ("abc", &["ABC", "abstractmethod"]),
    ("contextlib", &["contextmanager"]),
    ("urllib.request", &["urlopen", "urlretrieve"]),
    ("tqdm", &["tqdm"]),
    ("bs4", &["BeautifulSoup"]),
    ("IPython.display", &["HTML", "Markdown", "clear_output", "display"]),
    ("scipy", &["stats"]),
    ("scipy.optimize", &["curve_fit", "fsolve"]),
    ("scipy.integrate", &["odeint", "solve_ivp"]),
    ("scipy.cluster.hierarchy", &["dendrogram", "linkage"]),
    ("matplotlib", &["pyplot"]),
    ("matplotlib.colors", &["ListedColormap", "LogNorm"]),
    ("mpl_toolkits.mplot3d", &["Axes3D"]),
    ("xgboost", &["XGBClassifier", "XGBRegressor"]),
    ("lightgbm", &["LGBMClassifier", "LGBMRegressor"]),
    ("catboost", &["CatBoostClassifier", "CatBoostRegressor"]),
    ("nltk.corpus", &["stopwords", "wordnet"]),
    ("nltk.tokenize", &["sent_tokenize", "word_tokenize"]),
    ("nltk.stem", &["PorterStemmer", "SnowballStemmer", "WordNetLemmatizer"]),
    ("wordcloud", &["WordCloud"]),
    ("torch", &["nn"]),
    ("torch.utils.data", &["DataLoader", "TensorDataset"]),
    ("torchvision", &["transforms"]),
    ("sklearn.base", &["BaseEstimator", "ClassifierMixin", "RegressorMixin", "TransformerMixin", "clone"]),
    ("sklearn.calibration", &["CalibratedClassifierCV"]),
    ("sklearn.cluster", &["AgglomerativeClustering", "DBSCAN", "KMeans", "MiniBatchKMeans"]),
    ("sklearn.compose", &["ColumnTransformer", "make_column_transformer"]),
    ("sklearn.datasets", &[
        "fetch_20newsgroups", "fetch_california_housing", "fetch_openml", "load_breast_cancer", "load_diabetes", "load_digits", "load_iris", "load_wine",
        "make_blobs", "make_circles", "make_classification", "make_moons", "make_regression",
    ]),
    ("sklearn.decomposition", &["FastICA", "KernelPCA", "LatentDirichletAllocation", "NMF", "PCA", "TruncatedSVD"]),
    ("sklearn.discriminant_analysis", &["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]),
    ("sklearn.dummy", &["DummyClassifier", "DummyRegressor"]),
    ("sklearn.ensemble", &[
        "AdaBoostClassifier", "AdaBoostRegressor", "BaggingClassifier", "ExtraTreesClassifier", "ExtraTreesRegressor", "GradientBoostingClassifier",
        "GradientBoostingRegressor", "IsolationForest", "RandomForestClassifier", "RandomForestRegressor", "StackingClassifier", "VotingClassifier",
    ]),
    ("sklearn.feature_extraction.text", &["CountVectorizer", "TfidfTransformer", "TfidfVectorizer"]),
    ("sklearn.feature_selection", &["RFE", "SelectFromModel", "SelectKBest", "VarianceThreshold", "chi2", "f_classif", "mutual_info_classif"]),
    ("sklearn.impute", &["KNNImputer", "SimpleImputer"]),
    ("sklearn.inspection", &["permutation_importance"]),
    ("sklearn.linear_model", &[
        "BayesianRidge", "ElasticNet", "ElasticNetCV", "Lasso", "LassoCV", "LinearRegression", "LogisticRegression", "LogisticRegressionCV",
        "Perceptron", "Ridge", "RidgeCV", "RidgeClassifier", "SGDClassifier", "SGDRegressor",
    ]),
    ("sklearn.manifold", &["Isomap", "TSNE"]),
    ("sklearn.metrics", &[
        "accuracy_score", "auc", "average_precision_score", "classification_report", "cohen_kappa_score", "confusion_matrix", "f1_score", "log_loss",
        "make_scorer", "mean_absolute_error", "mean_squared_error", "precision_recall_curve", "precision_score", "r2_score", "recall_score",
        "roc_auc_score", "roc_curve", "silhouette_score",
    ]),
    ("sklearn.metrics.pairwise", &["cosine_similarity", "euclidean_distances"]),
    ("sklearn.mixture", &["GaussianMixture"]),
    ("sklearn.model_selection", &[
        "GridSearchCV", "GroupKFold", "KFold", "LeaveOneOut", "RandomizedSearchCV", "RepeatedKFold", "ShuffleSplit", "StratifiedKFold",
        "StratifiedShuffleSplit", "TimeSeriesSplit", "cross_val_predict", "cross_val_score", "cross_validate", "learning_curve", "train_test_split",
        "validation_curve",
    ]),
    ("sklearn.multiclass", &["OneVsRestClassifier"]),
    ("sklearn.naive_bayes", &["BernoulliNB", "GaussianNB", "MultinomialNB"]),
    ("sklearn.neighbors", &["KNeighborsClassifier", "KNeighborsRegressor", "KernelDensity", "LocalOutlierFactor", "NearestNeighbors"]),
    ("sklearn.neural_network", &["MLPClassifier", "MLPRegressor"]),
    ("sklearn.pipeline", &["FeatureUnion", "Pipeline", "make_pipeline", "make_union"]),
    ("sklearn.preprocessing", &[
        "FunctionTransformer", "LabelBinarizer", "LabelEncoder", "MaxAbsScaler", "MinMaxScaler", "Normalizer", "OneHotEncoder", "OrdinalEncoder",
        "PolynomialFeatures", "PowerTransformer", "QuantileTransformer", "RobustScaler", "StandardScaler",
    ]),
    ("sklearn.svm", &["LinearSVC", "LinearSVR", "OneClassSVM", "SVC", "SVR"]),
    ("sklearn.tree", &["DecisionTreeClassifier", "DecisionTreeRegressor", "export_graphviz", "plot_tree"]),
    ("sklearn.utils", &["resample"]),
];

/// Names of Keras by the module below it, which is TensorFlow's or by itself.
#[rustfmt::skip]
const KERAS: &[(&str, &[&str])] = &[
    ("callbacks", &["EarlyStopping", "LearningRateScheduler", "ModelCheckpoint", "ReduceLROnPlateau"]),
    ("layers", &[
        "Activation", "AveragePooling2D", "BatchNormalization", "Bidirectional", "Conv1D", "Conv2D", "Conv2DTranspose", "Dense", "Dropout", "Embedding",
        "Flatten", "GRU", "GlobalAveragePooling2D", "LSTM", "LeakyReLU", "MaxPooling1D", "MaxPooling2D", "Reshape", "SimpleRNN", "TimeDistributed",
    ]),
    ("models", &["Sequential", "load_model"]),
    ("optimizers", &["Adadelta", "Adagrad", "Adam", "RMSprop", "SGD"]),
    ("utils", &["plot_model", "to_categorical"]),
];

fn import_of(name: &str, view: &View<'_>) -> Option<String> {
    let is_letter_of_torch = ["F", "nn", "optim", "transforms"].contains(&name);
    if is_letter_of_torch && !has(view, &["torch"]) {
        return None;
    }
    if let Some((_, import)) = KNOWN.iter().find(|(known, _)| *known == name) {
        return Some((*import).to_owned());
    }
    if MODULES.contains(&name) {
        return Some(format!("import {name}"));
    }
    if let Some((module, _)) = FROM.iter().find(|(_, names)| names.contains(&name)) {
        return is_used_as_such(name, view).then(|| format!("from {module} import {name}"));
    }
    let (module, _) = KERAS.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("from {}.{module} import {name}", keras(view)))
}

/// Decorators among the names of one small word, which mean nothing else.
const DECORATORS: [&str; 3] = ["abstractmethod", "contextmanager", "dataclass"];
/// Modules among them.
const TAKEN_MODULES: [&str; 6] = ["nn", "pyplot", "stats", "stopwords", "transforms", "wordnet"];

/// Whether a name of one small word, which may as well be that of a value in a cell that is gone, is called somewhere, or asked as a module is.
fn is_used_as_such(name: &str, view: &View<'_>) -> bool {
    if DECORATORS.contains(&name) || name.contains(|letter: char| letter == '_' || letter.is_uppercase()) {
        return true;
    }
    let mut found = false;
    view.expressions(|_, expression, _| {
        let is_name = |expression: &Expr| expression.as_name_expr().is_some_and(|one| one.id.as_str() == name);
        found |= match expression {
            Expr::Call(call) => is_name(&call.func),
            Expr::Attribute(attribute) => TAKEN_MODULES.contains(&name) && is_name(&attribute.value),
            _ => false,
        };
    });
    found
}

/// Keras as the notebook has it elsewhere; TensorFlow's where it has none.
fn keras(view: &View<'_>) -> &'static str {
    let is_alone = has(view, &["from keras", "import keras"]) && !has(view, &["tensorflow.keras", "tf.keras"]);
    if is_alone { "keras" } else { "tensorflow.keras" }
}

/// Whether some cell has one of these texts.
fn has(view: &View<'_>, texts: &[&str]) -> bool {
    view.code.cells.iter().any(|cell| texts.iter().any(|text| cell.parsed.source().contains(text)))
}

fn missing_imports(view: &View<'_>, change: &mut Change<'_>) {
    let mut seen = BTreeSet::new();
    for error in &view.errors {
        let Some(name) = missing_name(&error.evalue) else { continue };
        if !seen.insert(name) {
            continue;
        }
        let Some(mut import) = import_of(name, view).filter(|import| !is_bound(view, name, import)) else { continue };
        let Some(cell) = view.code.cells.iter().position(|source| source.cell == error.cell) else { continue };
        if name == "datetime" && calls_the_class(view) {
            "from datetime import datetime".clone_into(&mut import);
        }
        let first =
            view.code.cells[cell].parsed.body().iter().find(|statement| !statement.is_ipy_escape_command_stmt());
        if let Some(first) = first {
            change.line_before(Place(cell), first, &import);
        }
    }
}

/// Whether any cell binds the name, other than by the same import in a branch or function that did not run. What was
/// recovered of cells that do not parse counts as well: the name is the notebook's own there, too.
fn is_bound(view: &View<'_>, name: &str, import: &str) -> bool {
    let mut bound = false;
    for source in view.code.cells {
        let parsed = &source.parsed;
        walk::statements(parsed.body(), &mut |statement, around| {
            bound |= match statement {
                Stmt::FunctionDef(function) => function.name.as_str() == name,
                Stmt::ClassDef(class) => class.name.as_str() == name,
                Stmt::Import(one) => {
                    one.names.iter().any(|alias| local_name(alias) == name)
                        && !is_same(parsed, statement, around, import)
                }
                Stmt::ImportFrom(one) => {
                    one.names.iter().any(|alias| local_name(alias) == name)
                        && !is_same(parsed, statement, around, import)
                }
                _ => false,
            };
        });
        walk::expressions(parsed.body(), &mut |expression, _| {
            if let Expr::Name(found) = expression {
                bound |= found.id.as_str() == name && found.ctx != ExprContext::Load;
            }
        });
    }
    bound
}

/// The name that an import binds.
fn local_name(alias: &Alias) -> &str {
    alias.asname.as_ref().map_or_else(|| alias.name.split('.').next().unwrap_or_default(), |local| local.as_str())
}

/// The import as the table has it, inside of another statement.
fn is_same(parsed: &Parsed, statement: &Stmt, around: &[&Stmt], import: &str) -> bool {
    !around.is_empty() && parsed.text(statement.range()) == import
}

/// `datetime.now()` and the like ask for the class, `datetime.datetime` and `datetime.timedelta` for the module.
fn calls_the_class(view: &View<'_>) -> bool {
    let (mut class, mut module) = (false, false);
    view.expressions(|place, expression, _| {
        if let Expr::Attribute(attribute) = expression
            && view.parsed(place).text(attribute.value.range()) == "datetime"
        {
            let of_module = matches!(attribute.attr.as_str(), "datetime" | "timedelta" | "date" | "time" | "timezone");
            module |= of_module;
            class |= !of_module;
        }
    });
    class && !module
}
