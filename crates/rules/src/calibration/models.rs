//! Defaults of models and statistics.

use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::positional::positional;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::view::{Place, View};

use super::restore;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "sklearn-default-trees",
        ("scikit-learn", "0.22"),
        "forests have 100 trees by default, and had 10",
        Trigger::OldDefault { before: (2019, 12, 3), python: PythonVersion::new(3, 5) },
        Rewrite::Code(|view, change| {
            for class in
                ["RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor"]
            {
                restore(view, change, ("sklearn", class), "n_estimators", Some(0), "10");
            }
        }),
        example(
            "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(random_state=1)\n",
            ("", ""),
            "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(random_state=1, n_estimators=10)\n",
        ),
    ),
    Rule::new(
        "sklearn-default-gamma",
        ("scikit-learn", "0.22"),
        "gamma of support vector machines is 'scale' by default, and was 'auto'",
        Trigger::OldDefault { before: (2019, 12, 3), python: PythonVersion::new(3, 5) },
        Rewrite::Code(|view, change| {
            for class in ["SVC", "SVR", "NuSVC", "NuSVR", "OneClassSVM"] {
                restore(view, change, ("sklearn", class), "gamma", None, "'auto'");
            }
        }),
        example(
            "from sklearn.svm import SVC\nm = SVC(C=2)\n",
            ("", ""),
            "from sklearn.svm import SVC\nm = SVC(C=2, gamma='auto')\n",
        ),
    ),
    Rule::new(
        "sklearn-default-solver",
        ("scikit-learn", "0.22"),
        "LogisticRegression uses lbfgs by default, and used liblinear",
        Trigger::OldDefault { before: (2019, 12, 3), python: PythonVersion::new(3, 5) },
        Rewrite::Code(logistic),
        example(
            "from sklearn.linear_model import LogisticRegression\nm = LogisticRegression(C=2)\n",
            ("", ""),
            "from sklearn.linear_model import LogisticRegression\nm = LogisticRegression(C=2, solver='liblinear')\n",
        ),
    ),
    Rule::new(
        "sklearn-default-folds",
        ("scikit-learn", "0.22"),
        "cross-validation has 5 folds by default, and had 3",
        Trigger::OldDefault { before: (2019, 12, 3), python: PythonVersion::new(3, 5) },
        Rewrite::Code(|view, change| {
            let positions = [("cross_val_score", 5), ("cross_val_predict", 4), ("cross_validate", 5)];
            for (function, position) in positions {
                restore(view, change, ("sklearn", function), "cv", Some(position), "3");
            }
            for search in ["GridSearchCV", "RandomizedSearchCV", "RFECV", "LassoCV", "ElasticNetCV"] {
                restore(view, change, ("sklearn", search), "cv", None, "3");
            }
            for splitter in ["KFold", "StratifiedKFold", "GroupKFold"] {
                restore(view, change, ("sklearn", splitter), "n_splits", Some(0), "3");
            }
        }),
        example(
            "from sklearn.model_selection import GridSearchCV, KFold\ng = GridSearchCV(m, p)\nk = KFold()\n",
            ("", ""),
            "from sklearn.model_selection import GridSearchCV, KFold\ng = GridSearchCV(m, p, cv=3)\nk = KFold(n_splits=3)\n",
        ),
    ),
    Rule::new(
        "sklearn-default-kmeans",
        ("scikit-learn", "1.4"),
        "KMeans starts once by default, and started ten times",
        Trigger::OldDefault { before: (2024, 1, 17), python: PythonVersion::new(3, 9) },
        Rewrite::Code(|view, change| {
            for class in ["KMeans", "MiniBatchKMeans"] {
                let count = if class == "KMeans" { "10" } else { "3" };
                restore(view, change, ("sklearn", class), "n_init", None, count);
            }
        }),
        example(
            "from sklearn.cluster import KMeans\nk = KMeans(2)\n",
            ("", ""),
            "from sklearn.cluster import KMeans\nk = KMeans(2, n_init=10)\n",
        ),
    ),
    Rule::new(
        "sklearn-default-stopping",
        ("scikit-learn", "0.21"),
        "SGD and perceptrons stop by tolerance after at most 1000 rounds, and made five",
        Trigger::OldDefault { before: (2018, 9, 26), python: PythonVersion::new(3, 5) },
        Rewrite::Code(|view, change| {
            for class in ["SGDClassifier", "SGDRegressor", "Perceptron", "PassiveAggressiveClassifier"] {
                restore(view, change, ("sklearn", class), "max_iter", None, "5, tol=None");
            }
        }),
        example(
            "from sklearn.linear_model import SGDClassifier\nm = SGDClassifier()\n",
            ("", ""),
            "from sklearn.linear_model import SGDClassifier\nm = SGDClassifier(max_iter=5, tol=None)\n",
        ),
    ),
    Rule::new(
        "xgboost-positional",
        ("xgboost", "1.1.1"),
        "parameters of models stood in another order",
        Trigger::OldDefault { before: (2020, 2, 20), python: PythonVersion::new(3, 5) },
        Rewrite::Positional(&[
            positional(
                Callee::Function("xgboost", "XGBClassifier"),
                &["max_depth", "learning_rate", "n_estimators"],
                0,
            ),
            positional(Callee::Function("xgboost", "XGBRegressor"), &["max_depth", "learning_rate", "n_estimators"], 0),
        ]),
        example(
            "import xgboost as xgb\nm = xgb.XGBClassifier(3, 0.1, 5)\n",
            ("", ""),
            "import xgboost as xgb\nm = xgb.XGBClassifier(max_depth=3, learning_rate=0.1, n_estimators=5)\n",
        ),
    ),
    Rule::new(
        "xgboost-default-depth",
        ("xgboost", "1.0.0"),
        "models of the scikit-learn interface had trees of depth 3 and a learning rate of 0.1 by default",
        Trigger::OldDefault { before: (2020, 2, 20), python: PythonVersion::new(3, 5) },
        Rewrite::Code(|view, change| {
            for class in ["XGBClassifier", "XGBRegressor"] {
                restore(view, change, ("xgboost", class), "max_depth", None, "3");
                restore(view, change, ("xgboost", class), "learning_rate", None, "0.1");
            }
        }),
        example(
            "import xgboost as xgb\nm = xgb.XGBClassifier(n_estimators=50, learning_rate=0.3)\n",
            ("", ""),
            "import xgboost as xgb\nm = xgb.XGBClassifier(n_estimators=50, learning_rate=0.3, max_depth=3)\n",
        ),
    ),
    Rule::new(
        "xgboost-default-base-score",
        ("xgboost", "2.0.0"),
        "the base score is estimated by default, and was 0.5",
        Trigger::OldDefault { before: (2023, 9, 12), python: PythonVersion::new(3, 8) },
        Rewrite::Code(|view, change| {
            for class in ["XGBClassifier", "XGBRegressor"] {
                restore(view, change, ("xgboost", class), "base_score", None, "0.5");
            }
            base_score_of_train(view, change);
        }),
        example(
            "import xgboost as xgb\nm = xgb.XGBRegressor()\n",
            ("", ""),
            "import xgboost as xgb\nm = xgb.XGBRegressor(base_score=0.5)\n",
        ),
    ),
    Rule::new(
        "scipy-default-mode",
        ("scipy", "1.11.0"),
        "stats.mode drops the axis by default, and kept it",
        Trigger::OldDefault { before: (2023, 6, 25), python: PythonVersion::new(3, 9) },
        Rewrite::Code(crate::scipy::mode_keepdims),
        example(
            "from scipy import stats\nm = stats.mode(x, axis=1)[0]\n",
            ("", ""),
            "from scipy import stats\nm = stats.mode(x, axis=1, keepdims=True)[0]\n",
        ),
    ),
    Rule::new(
        "sklearn-default-whitening",
        ("scikit-learn", "1.3"),
        "sources of FastICA have a variance of one by default, and had any",
        Trigger::OldDefault { before: (2023, 6, 30), python: PythonVersion::new(3, 8) },
        Rewrite::Code(|view, change| {
            restore(view, change, ("sklearn", "FastICA"), "whiten", Some(2), "'arbitrary-variance'");
        }),
        example(
            "from sklearn.decomposition import FastICA\ns = FastICA(2, random_state=0)\n",
            ("", ""),
            "from sklearn.decomposition import FastICA\ns = FastICA(2, random_state=0, whiten='arbitrary-variance')\n",
        ),
    ),
    Rule::new(
        "statsmodels-default-lags",
        ("statsmodels", "0.13.0"),
        "acf has fewer lags by default, and had 40",
        Trigger::OldDefault { before: (2021, 10, 1), python: PythonVersion::new(3, 7) },
        Rewrite::Code(|view, change| restore(view, change, ("statsmodels", "acf"), "nlags", None, "40")),
        example(
            "from statsmodels.tsa.stattools import acf\na = acf(s)\n",
            ("", ""),
            "from statsmodels.tsa.stattools import acf\na = acf(s, nlags=40)\n",
        ),
    ),
];

/// `xgb.train({…}, …)`, the parameters as a dict literal in the call or bound to a name.
fn base_score_of_train(view: &View<'_>, change: &mut Change<'_>) {
    let mut names = Vec::new();
    let mut dicts = Vec::new();
    view.calls(|place, call, _| {
        let train = view.is_call_of(Callee::Function("xgboost", "train"), place, call)
            || view.is_call_of(Callee::Function("xgboost", "cv"), place, call);
        match call.arguments.args.first().filter(|_| train) {
            Some(Expr::Dict(dict)) => dicts.push((place, dict)),
            Some(Expr::Name(name)) => names.push(name.id.as_str()),
            _ => {}
        }
    });
    for (position, source) in view.code.cells.iter().enumerate() {
        crate::walk::statements(source.parsed.body(), &mut |statement, _| {
            if let Stmt::Assign(assign) = statement
                && let Some(name) = assign.targets.first().and_then(shape::name)
                && let Expr::Dict(dict) = assign.value.as_ref()
                && names.contains(&name)
            {
                dicts.push((Place(position), dict));
            }
        });
    }
    for (place, dict) in dicts {
        let has = |key: &str| dict.items.iter().any(|item| item.key.as_ref().and_then(shape::text) == Some(key));
        if let Some(last) = dict.items.last().filter(|_| has("objective") && !has("base_score")) {
            change.edit(place, last.value.end(), vec![insertion(last.value.end(), ", 'base_score': 0.5")]);
        }
    }
}

fn logistic(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let free = shape::keyword(call, "solver").is_none() && shape::keyword(call, "multi_class").is_none();
        if !view.is_call_of(Callee::Function("sklearn", "LogisticRegression"), place, call)
            || !free
            || shape::has_stars(call)
        {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        edit.append("solver='liblinear'");
        change.edit(place, call.range().start(), edit.finish());
    });
}
