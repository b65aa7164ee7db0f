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

/// Well-known names and what binds them.
const KNOWN: [(&str, &str); 25] = [
    ("np", "import numpy as np"),
    ("numpy", "import numpy"),
    ("pd", "import pandas as pd"),
    ("pandas", "import pandas"),
    ("plt", "import matplotlib.pyplot as plt"),
    ("mpl", "import matplotlib as mpl"),
    ("matplotlib", "import matplotlib"),
    ("sns", "import seaborn as sns"),
    ("sm", "import statsmodels.api as sm"),
    ("smf", "import statsmodels.formula.api as smf"),
    ("xgb", "import xgboost as xgb"),
    ("lgb", "import lightgbm as lgb"),
    ("tf", "import tensorflow as tf"),
    ("nx", "import networkx as nx"),
    ("go", "import plotly.graph_objs as go"),
    ("px", "import plotly.express as px"),
    ("cb", "import catboost as cb"),
    ("stats", "from scipy import stats"),
    ("tqdm", "from tqdm import tqdm"),
    ("Counter", "from collections import Counter"),
    ("defaultdict", "from collections import defaultdict"),
    ("OrderedDict", "from collections import OrderedDict"),
    ("joblib", "import joblib"),
    ("display", "from IPython.display import display"),
    ("HTML", "from IPython.display import HTML"),
];

/// Modules of the standard library that notebooks use by their name.
const STANDARD: [&str; 20] = [
    "os",
    "re",
    "sys",
    "gc",
    "math",
    "json",
    "time",
    "random",
    "pickle",
    "string",
    "itertools",
    "functools",
    "operator",
    "collections",
    "warnings",
    "glob",
    "copy",
    "csv",
    "shutil",
    "datetime",
];

/// Names of scikit-learn by module.
const SKLEARN: [(&str, &[&str]); 14] = [
    (
        "model_selection",
        &[
            "train_test_split",
            "cross_val_score",
            "cross_val_predict",
            "KFold",
            "StratifiedKFold",
            "GridSearchCV",
            "RandomizedSearchCV",
            "ShuffleSplit",
            "learning_curve",
        ],
    ),
    (
        "preprocessing",
        &["StandardScaler", "MinMaxScaler", "RobustScaler", "LabelEncoder", "OneHotEncoder", "PolynomialFeatures"],
    ),
    (
        "metrics",
        &[
            "accuracy_score",
            "mean_squared_error",
            "mean_absolute_error",
            "r2_score",
            "roc_auc_score",
            "roc_curve",
            "auc",
            "f1_score",
            "log_loss",
            "confusion_matrix",
            "classification_report",
            "precision_score",
            "recall_score",
        ],
    ),
    (
        "ensemble",
        &[
            "RandomForestClassifier",
            "RandomForestRegressor",
            "GradientBoostingClassifier",
            "GradientBoostingRegressor",
            "ExtraTreesClassifier",
            "ExtraTreesRegressor",
            "AdaBoostClassifier",
            "AdaBoostRegressor",
            "BaggingClassifier",
            "VotingClassifier",
        ],
    ),
    (
        "linear_model",
        &[
            "LogisticRegression",
            "LinearRegression",
            "Ridge",
            "Lasso",
            "ElasticNet",
            "RidgeCV",
            "LassoCV",
            "SGDClassifier",
        ],
    ),
    ("svm", &["SVC", "SVR", "LinearSVC"]),
    ("neighbors", &["KNeighborsClassifier", "KNeighborsRegressor"]),
    ("tree", &["DecisionTreeClassifier", "DecisionTreeRegressor"]),
    ("naive_bayes", &["GaussianNB", "MultinomialNB", "BernoulliNB"]),
    ("cluster", &["KMeans", "DBSCAN"]),
    ("decomposition", &["PCA", "TruncatedSVD"]),
    ("pipeline", &["Pipeline", "make_pipeline"]),
    ("impute", &["SimpleImputer", "KNNImputer"]),
    ("feature_extraction.text", &["CountVectorizer", "TfidfVectorizer"]),
];

fn import_of(name: &str) -> Option<String> {
    if let Some((_, import)) = KNOWN.iter().find(|(known, _)| *known == name) {
        return Some((*import).to_owned());
    }
    if STANDARD.contains(&name) {
        return Some(format!("import {name}"));
    }
    let (module, _) = SKLEARN.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("from sklearn.{module} import {name}"))
}

fn missing_imports(view: &View<'_>, change: &mut Change<'_>) {
    let mut seen = BTreeSet::new();
    for error in &view.errors {
        let Some(name) = missing_name(&error.evalue) else { continue };
        if !seen.insert(name) {
            continue;
        }
        let Some(mut import) = import_of(name).filter(|import| !is_bound(view, name, import)) else { continue };
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
