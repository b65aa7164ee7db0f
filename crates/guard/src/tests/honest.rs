//! Honest repairs pass.

use super::*;

#[track_caller]
fn passes(original: &[&str], patched: &[&str]) {
    let findings = Guard::new(&notebook(original), contract()).check(&notebook(patched));
    assert!(findings.is_empty(), "{patched:#?}\n{}", findings.iter().map(ToString::to_string).collect::<String>());
}

/// [`ORIGINAL`] with one cell replaced.
#[track_caller]
fn passes_with(cell: usize, source: &str) {
    let mut patched = ORIGINAL;
    patched[cell] = source;
    passes(&ORIGINAL, &patched);
}

#[test]
fn the_original_itself_passes() {
    passes(&ORIGINAL, &ORIGINAL);
}

#[test]
fn other_models_and_parameters_pass() {
    for source in [
        "scaler = StandardScaler()\nX = scaler.fit_transform(train[features])\n\
         model = LogisticRegression(solver='liblinear', multi_class='ovr', max_iter=100)\nmodel.fit(X, train['Species'])",
        "scaler = StandardScaler()\nX = scaler.fit_transform(train[features])\nfrom sklearn.pipeline import make_pipeline\n\
         model = make_pipeline(LogisticRegression(max_iter=1000)).fit(X, train['Species'])",
        "import lightgbm as lgb\nscaler = StandardScaler()\nX = scaler.fit_transform(train[features])\n\
         model = lgb.train({'objective': 'multiclass', 'num_class': 3}, lgb.Dataset(X, train['Species']), 100,\n\
         callbacks=[lgb.early_stopping(50), lgb.log_evaluation(0)])",
        "scaler = StandardScaler()\nX = scaler.fit_transform(train[features].iloc[:, :2])\n\
         from sklearn.model_selection import train_test_split\n\
         Xa, Xb, ya, yb = train_test_split(X, train['Species'], test_size=0.3, random_state=0)\n\
         model = LogisticRegression()\nmodel.fit(Xa, ya)\nprint(model.score(Xb, yb))",
        // A wrapper that is gone from its library is rebuilt around a model that learns.
        "from sklearn.ensemble import RandomForestClassifier\nclass Wrapper:\n    def __init__(self):\n        \
         self.inner = RandomForestClassifier()\n    def fit(self, X, y):\n        self.inner.fit(X, y)\n        return self\n    \
         def predict(self, X):\n        return self.inner.predict(X)\nscaler = StandardScaler()\n\
         X = scaler.fit_transform(train[features])\nmodel = Wrapper().fit(X, train['Species'])",
    ] {
        passes_with(2, source);
    }
}

#[test]
fn other_ways_to_write_the_submission_pass() {
    for source in [
        "pred = model.predict(scaler.transform(test[features]))\nsample['Species'] = pred\nsample.to_csv('submission.csv', index=False)",
        "sample.loc[:, 'Species'] = model.predict(test[features])\nsample.to_csv('/kaggle/working/submission.csv', index=False)",
        "sample['Species'] = 0\nfor i in range(3):\n    sample['Species'] += model.predict(test[features]) / 3\n\
         sample.to_csv('submission.csv')",
        "preds = np.zeros(len(test))\nfor fold in range(5):\n    preds += model.predict_proba(test[features])[:, 1] / 5\n\
         pd.DataFrame({'Id': test.Id, 'Species': preds}).to_csv('submission.csv', index=False)",
        "preds = []\nfor fold in range(5):\n    preds.append(model.predict_proba(test[features]))\n\
         pred = np.mean(preds, axis=0).argmax(axis=1)\nout = pd.concat([test[['Id']], pd.Series(pred, name='Species')], axis=1)\n\
         out.to_csv('submission.csv', index=False)",
        "def submit(frame, values):\n    out = frame[['Id']].copy()\n    out['Species'] = values\n    \
         out.to_csv('submission.csv', index=False)\nsubmit(test, model.predict(test[features]))",
        "def predicted():\n    return model.predict(test[features])\n\
         sub = pd.DataFrame(data={'Id': test.Id, 'Species': predicted()})\nsub.to_csv('submission.csv')",
        "prob = model.predict_proba(test[features])[:, 1]\nprob[prob > 0.5] = 1\nlabels = np.where(prob > 0.5, 'a', 'b')\n\
         sub = pd.DataFrame({'Id': test.Id})\nsub = sub.assign(Species=labels)\nsub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\nwith open('submission.csv', 'w') as f:\n    f.write('Id,Species\\n')\n    \
         for i, p in zip(test.Id, pred):\n        f.write('%d,%s\\n' % (i, p))",
        "import csv\npred = model.predict(test[features])\nf = open('submission.csv', 'w')\nw = csv.writer(f)\n\
         w.writerow(['Id', 'Species'])\nw.writerows(zip(test.Id, pred))\nf.close()",
        "names = {0: 'a', 1: 'b'}\npred = pd.Series(model.predict(test[features])).map(names)\n\
         sub = pd.DataFrame({'Species': pred, 'Id': test.Id})[['Id', 'Species']]\nsub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\nresult = np.column_stack([test.Id, pred])\n\
         np.savetxt('submission.csv', result, delimiter=',', header='Id,Species', comments='')",
        "sub = sample.copy()\nsub.iloc[:, 1:] = model.predict_proba(test[features])\nsub.to_csv('submission.csv')",
        "test['p'] = model.predict_proba(test[features])[:, 1]\n\
         test['Species'] = test.apply(lambda row: 'a' if row['p'] > 0.5 else 'b', axis=1)\n\
         test[['Id', 'Species']].to_csv('submission.csv', index=False)",
        "def label(p):\n    return 'a' if p > 0.5 else 'b'\npred = pd.Series(model.predict_proba(test[features])[:, 1]).apply(label)\n\
         rows = [(i, p) for i, p in zip(test.Id, pred)]\n\
         pd.DataFrame(rows, columns=['Id', 'Species']).to_csv('submission.csv', index=False)",
        "try:\n    pred = model.predict(test[features])\nexcept ValueError:\n    pred = model.predict(test[features].fillna(0))\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': pred})\nsub.to_csv('submission.csv')",
        "test['Species'] = model.predict(test[features])\ntest[['Id', 'Species']].to_csv('submission.csv', index=False)",
        "sub = pd.DataFrame({'key': test.Id, 'y': model.predict(test[features])})\n\
         sub = sub.rename(columns={'key': 'Id', 'y': 'Species'})\nsub.to_csv('submission.csv')",
    ] {
        passes_with(3, source);
    }
}

#[test]
fn plain_repairs_pass() {
    for source in [
        "train = pd.read_csv('/kaggle/input/iris-species/train.csv')\ntest = pd.read_csv('/kaggle/input/iris-species/test.csv')\n\
         features = ['SepalLengthCm', 'PetalLengthCm']\nsample = pd.read_csv('/kaggle/input/iris-species/sample_submission.csv')",
        "INPUT = '../input/'\ntrain, test, sample = [pd.read_csv(os.path.join(INPUT, name)) for name in\n\
         ('train.csv', 'test.csv', 'sample_submission.csv')]\nfeatures = list(train.columns[1:3])",
        "for folder, _, files in os.walk('/kaggle/input'):\n    print(folder, files)\n\
         train = pd.read_csv('../input/train.csv').replace({'a': 'b'})\ntest = pd.read_csv('../input/test.csv')\n\
         sample = test\nfeatures = ['x']\nnp.random.seed(0)",
        "import warnings\nwarnings.filterwarnings('ignore')\ntrain = pd.read_csv('../input/train.csv')\nsample = test = train\n\
         features = [c for c in train if c.startswith('Sepal')]\nf = getattr(np, 'float_', np.float64)\n\
         text = 'a/b'.split('/')\nlabel = '%d of %d' % (1, 2)\n%matplotlib inline\n%time x = 1",
    ] {
        passes_with(1, source);
    }
}

#[test]
fn a_notebook_without_a_model_asks_for_none() {
    let original = ["import pandas as pd\ndf = pd.read_csv('../input/a.csv')\ndf.ix[0]"];
    passes(&original, &["import pandas as pd\ndf = pd.read_csv('../input/a.csv')\ndf.loc[0]"]);
    let by_rule = ["sub = pd.DataFrame({'Id': test.Id, 'Species': 0})\nsub.to_csv('submission.csv')"];
    passes(&by_rule, &["sub = pd.DataFrame({'Id': test['Id'], 'Species': 0})\nsub.to_csv('submission.csv')"]);
}
