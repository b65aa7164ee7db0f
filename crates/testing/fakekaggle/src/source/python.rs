//! Python notebooks and scripts: the habits of their years, from Python 2 to today.

use crate::source::{Cell, fails};
use crate::world::{FakeCompetition, FakeKernel, FakeVersion, FakeWorld};
use nbrevive_loopback::RandomStream;

/// A model, its import, and its call; `{}` stands for the number that differs between versions.
type Model = (&'static str, &'static str);

const CLASSIFIERS: &[Model] = &[
    ("from sklearn.ensemble import RandomForestClassifier", "RandomForestClassifier(n_estimators={}, random_state=0)"),
    ("from sklearn.linear_model import LogisticRegression", "LogisticRegression(C={}.0, max_iter=200)"),
    ("from sklearn.ensemble import ExtraTreesClassifier", "ExtraTreesClassifier(n_estimators={}, random_state=1)"),
    ("from sklearn.tree import DecisionTreeClassifier", "DecisionTreeClassifier(min_samples_leaf=3, max_depth={})"),
];
const REGRESSORS: &[Model] = &[
    ("from sklearn.ensemble import RandomForestRegressor", "RandomForestRegressor(n_estimators={}, random_state=0)"),
    ("from sklearn.linear_model import Ridge", "Ridge(alpha={}.0)"),
    ("from sklearn.linear_model import Lasso", "Lasso(alpha=0.{})"),
];

pub(super) fn cells(
    world: &FakeWorld,
    kernel: &FakeKernel,
    version: &FakeVersion,
    stream: &mut RandomStream,
) -> Vec<Cell> {
    let competition = &world.competitions()[kernel.competition as usize];
    let year = version.created.year();
    let models = if competition.scale.abbreviation == "RMSE" { REGRESSORS } else { CLASSIFIERS };
    let (import, call) = stream.pick(models);
    let number = version.number + 9 * u32::from(call.contains("n_estimators"));
    let mut cells = vec![
        Cell::text(format!("# {}\n\nNotes on *{}*, version {}. 🙂", kernel.title, competition.title, version.number)),
        Cell::code(imports(kernel, year, import)),
        load(kernel, competition, year),
    ];
    if stream.chance(0.5) {
        cells.push(Cell::text("## A first look\n\n<div style=\"color:teal\">Mind the <b>types</b></div>"));
        cells.push(Cell::code("train.head()"));
        cells.push(Cell::code("train.describe()"));
    }
    cells.extend(foreign(world, version));
    cells.push(features(year));
    cells.push(Cell::code(format!("model = {}\nmodel.fit(X, y)", call.replace("{}", &number.to_string()))));
    cells.push(validation(kernel, year));
    if fails(version) {
        cells.push(Cell::code("best_model.predict(X_test)"));
    }
    cells.push(submission(competition));
    cells
}

fn imports(kernel: &FakeKernel, year: i16, model: &str) -> String {
    let mut lines = vec!["import numpy as np", "import pandas as pd", model];
    lines.push(if year < 2018 || kernel.is_python2 {
        "from sklearn.cross_validation import cross_val_score"
    } else {
        "from sklearn.model_selection import cross_val_score"
    });
    if (2018..2020).contains(&year) {
        lines.push("from sklearn.externals import joblib");
    }
    if year < 2021 {
        lines.push("import warnings; warnings.filterwarnings('ignore')");
    }
    lines.join("\n")
}

fn load(kernel: &FakeKernel, competition: &FakeCompetition, year: i16) -> Cell {
    let folder = if year < 2019 { "../input".to_owned() } else { format!("/kaggle/input/{}", competition.slug) };
    let count = if kernel.is_python2 { "print \"rows:\", len(train)" } else { "print(\"rows:\", len(train))" };
    Cell::code(format!(
        "train = pd.read_csv('{folder}/train.csv')\ntest = pd.read_csv('{folder}/test.csv')\n\
         sample = pd.read_csv('{folder}/sample_submission.csv')\n{count}"
    ))
}

fn foreign(world: &FakeWorld, version: &FakeVersion) -> Option<Cell> {
    let dataset = world.dataset(*version.sources.datasets.first()?);
    Some(Cell::code(format!("extra = pd.read_csv('/kaggle/input/{}/extra.csv')\nextra.shape", dataset.slug)))
}

fn features(year: i16) -> Cell {
    let both = if (2020..2023).contains(&year) {
        "train.drop(target, axis=1).append(test)"
    } else {
        "pd.concat([train.drop(target, axis=1), test])"
    };
    Cell::code(format!(
        "identity, answers = sample.columns[0], list(sample.columns[1:])\n\
         target = [c for c in train.columns if c not in test.columns][0]\n\
         everything = pd.get_dummies({both}.drop(identity, axis=1)).fillna(0)\n\
         X, X_test = everything[:len(train)], everything[len(train):]\n\
         y = train[target]"
    ))
}

fn validation(kernel: &FakeKernel, year: i16) -> Cell {
    let kind = if (2019..2022).contains(&year) { "np.float" } else { "float" };
    Cell::code(if kernel.is_python2 {
        "scores = cross_val_score(model, X, y, cv=3)\nfor i in xrange(3):\n    print \"fold %d: %.4f\" % (i, scores[i])"
            .into()
    } else {
        format!("scores = cross_val_score(model, X, y, cv=3).astype({kind})\nprint('CV', scores.mean())")
    })
}

fn submission(competition: &FakeCompetition) -> Cell {
    let answer = match competition.scale.abbreviation {
        "AUC" => "sample[answers[0]] = model.predict_proba(X_test)[:, 1]",
        "MulticlassLoss" => "sample[answers] = model.predict_proba(X_test)",
        _ => "sample[answers[0]] = model.predict(X_test)",
    };
    Cell::code(format!("{answer}\nsample.to_csv('submission.csv', index=False)\nsample.head()"))
}
