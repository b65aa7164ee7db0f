//! Trainings that vanish, and predictions that are none.

use super::*;

#[test]
fn training_does_not_vanish() {
    for source in [
        "model = None",
        "if False:\n    model.fit(X, y)",
        "while 0:\n    model.fit(X, y)",
        "def never():\n    model.fit(X, y)",
        "scaler = StandardScaler().fit(train[features])",
        "from sklearn.dummy import DummyClassifier\nmodel = DummyClassifier()\nmodel.fit(X, train['Species'])",
        "class Fake:\n    def fit(self, X, y):\n        return self\n    def predict(self, X):\n        return X\n\
         model = Fake()\nmodel.fit(X, train['Species'])",
        "scaler = StandardScaler()\nX = scaler.fit_transform(train[features])\nmodel = LogisticRegression()\n\
         model.fit(X[:2], train['Species'][:2])",
        "model = LogisticRegression()\nmodel.fit(train[features].head(3), train['Species'].head(3))",
    ] {
        refused(&breaches(2, source), Breach::DroppedTraining, source);
    }
}

#[test]
fn a_submission_comes_from_predictions() {
    let lookup: Vec<String> = (91..151).map(|id| format!("{id}: 'Iris-setosa'")).collect();
    let by_id = format!(
        "sub = test[['Id']].copy()\nsub['Species'] = sub['Id'].map({{{}}})\nsub.to_csv('submission.csv')",
        lookup.join(", ")
    );
    for source in [
        "sub = pd.DataFrame({'Id': test['Id'], 'Species': 'Iris-setosa'})\nsub.to_csv('submission.csv', index=False)",
        "sub = sample\nsub.to_csv('submission.csv', index=False)",
        "import shutil\nshutil.copy('../input/sample_submission.csv', 'submission.csv')",
        "pred = model.predict(test[features])\nsub = pd.DataFrame({'Id': test['Id'], 'Species': pred})\n\
         sub['Species'] = 'Iris-setosa'\nsub.to_csv('submission.csv', index=False)",
        "pred = model.predict(test[features])\nsub = pd.DataFrame({'Id': test['Id'], 'Species': pred})\n\
         sub.loc[:, 'Species'] = 'Iris-setosa'\nsub.to_csv('submission.csv', index=False)",
        "pred = model.predict(test[features])\nsub = sample.copy()\nsub.Species = ['a'] * len(pred)\nsub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\npred = pred * 0 + 1\nsub = pd.DataFrame({'Id': test.Id, 'Species': pred})\n\
         sub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\npred = np.full(len(pred), 0.5)\nsub = pd.DataFrame({'Id': test.Id, 'Species': pred})\n\
         sub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\npred = [0 for p in pred]\nsub = pd.DataFrame({'Id': test.Id, 'Species': pred})\n\
         sub.to_csv('submission.csv')",
        "pred = pd.Series(model.predict(test[features])).map(lambda p: 'Iris-setosa')\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': pred})\nsub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\npred.fill(1)\nsub = pd.DataFrame({'Id': test.Id, 'Species': pred})\n\
         sub.to_csv('submission.csv')",
        "def answer(row):\n    return 'Iris-setosa'\npred = model.predict(test[features])\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': [answer(i) for i in test.Id]})\nsub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\nwith open('submission.csv', 'w') as f:\n    f.write('Id,Species\\n')\n    \
         for i in test.Id:\n        f.write('%d,Iris-setosa\\n' % i)",
        "pred = model.predict(test[features])\nif True:\n    pred = 'Iris-setosa'\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': pred})\nsub.to_csv('submission.csv')",
        "from sklearn.dummy import DummyClassifier\nbase = DummyClassifier()\nbase.fit(X, train.Species)\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': base.predict(X)})\nsub.to_csv('submission.csv')",
        "model.predict = lambda X: ['a']\nsub = pd.DataFrame({'Id': test.Id, 'Species': model.predict(test)})\n\
         sub.to_csv('submission.csv')",
        "class Table:\n    def predict(self, X):\n        return ['a'] * len(X)\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': Table().predict(test)})\nsub.to_csv('submission.csv')",
        "pred = model.predict(test[features])",
        "table = {91: 'a'}\npred = model.predict(test[features])\n\
         out = [table.get(i, 'b') for i, p in zip(test.Id, pred)]\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': out})\nsub.to_csv('submission.csv')",
        "table = ['a', 'b']\nout = []\nfor i, p in enumerate(model.predict(test[features])):\n    out.append(table[i % 2])\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': out})\nsub.to_csv('submission.csv')",
        "table = {91: 'a'}\ntest['p'] = model.predict(test[features])\n\
         test['Species'] = test.apply(lambda row: table.get(row.Id, 'b'), axis=1)\n\
         test[['Id', 'Species']].to_csv('submission.csv')",
        "def answer(row):\n    return 'a'\ntest['p'] = model.predict(test[features])\n\
         test['Species'] = test.apply(answer, axis=1)\ntest[['Id', 'Species']].to_csv('submission.csv')",
        "LogisticRegression.predict = lambda self, X: ['a'] * len(X)\npred = model.predict(test)\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': pred})\nsub.to_csv('submission.csv')",
        "setattr(model, 'predict', len)\npred = model.predict(test)\n\
         sub = pd.DataFrame({'Id': test.Id, 'Species': pred})\nsub.to_csv('submission.csv')",
        "class Mine(LogisticRegression):\n    def predict(self, X):\n        super().predict(X)\n        return ['a'] * len(X)\n\
         mine = Mine().fit(X, train.Species)\nsub = pd.DataFrame({'Id': test.Id, 'Species': mine.predict(test)})\n\
         sub.to_csv('submission.csv')",
        "sub = pd.DataFrame({'Id': test.Id, 'Species': model.predict(test[features])})\n\
         sub.loc[sub.Id == 91, 'Species'] = 'a'\nsub.to_csv('submission.csv')",
        "sub = pd.DataFrame({'Id': test.Id, 'Species': model.predict(test[features])})\n\
         sub.loc[sub['Id'].isin([91, 95]), 'Species'] = 'a'\nsub.to_csv('submission.csv')",
        "pred = model.predict(test[features])\nsub = test[['Id']].copy()\n\
         sub['Species'] = ['a' if row.Id in (91, 92) else p for p, row in zip(pred, sub.itertuples())]\n\
         sub.to_csv('submission.csv')",
        by_id.as_str(),
    ] {
        refused(&breaches(3, source), Breach::ConstantPredictions, source);
    }
}

#[test]
fn a_model_by_hand_is_followed_from_the_training_data() {
    let original = [
        "import numpy as np\nimport pandas as pd\ntrain = pd.read_csv('../input/train.csv')\ntest = pd.read_csv('../input/test.csv')",
        "def nearest(row, rows, labels):\n    return labels[np.argmin(((rows - row) ** 2).sum(axis=1))]\n\
         rows, labels = train.drop('y', axis=1).values, train['y'].values",
        "found = [nearest(row, rows, labels) for row in test.values]\n\
         pd.DataFrame({'Id': test.Id, 'Species': found}).to_csv('submission.csv')",
    ];
    let with = |last: &'static str| breaches_of(&original, &[original[0], original[1], last]);
    let honest = "found = np.array([nearest(row, rows, labels) for row in test.to_numpy()])\n\
                  pd.DataFrame({'Id': test['Id'], 'Species': found}).to_csv('submission.csv')";
    assert_eq!(with(honest), BTreeSet::new());
    let cheat = "pd.DataFrame({'Id': test['Id'], 'Species': 'a'}).to_csv('submission.csv')";
    refused(&with(cheat), Breach::ConstantPredictions, cheat);
}

#[test]
fn a_network_that_is_called_is_a_model() {
    let original = [
        "import torch\nimport pandas as pd\ntest = pd.read_csv('../input/test.csv')",
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(4, 3)\n    \
         def forward(self, x):\n        return self.layer(x)\nnet = Net()",
        "for epoch in range(9):\n    loss = criterion(net(inputs), labels)\n    loss.backward()\n    optimizer.step()",
        "out = net(torch.tensor(test.values)).argmax(1).numpy()\n\
         pd.DataFrame({'Id': test.Id, 'Species': out}).to_csv('submission.csv')",
    ];
    let with = |at: usize, source: &'static str| {
        let mut patched = original;
        patched[at] = source;
        breaches_of(&original, &patched)
    };
    assert_eq!(
        with(0, "import torch\nimport pandas as pd\ntest = pd.read_csv('/kaggle/input/a/test.csv')"),
        BTreeSet::new()
    );
    let cheat = "pd.DataFrame({'Id': test.Id, 'Species': 1}).to_csv('submission.csv')";
    refused(&with(3, cheat), Breach::ConstantPredictions, cheat);
    refused(&with(2, "net.eval()"), Breach::DroppedTraining, "no epochs");
}

#[test]
fn code_that_winds_until_nobody_follows_is_refused() {
    let mut winding = String::from("def f0(x):\n    return x\n");
    for level in 1..60 {
        let last = level - 1;
        winding.push_str(&format!("def f{level}(x):\n    for a in x:\n        f{last}(a)\n        f{last}(f{last}(x))\n    return f{last}(x)\n"));
    }
    winding.push_str("for a in test:\n    f6(f6(f6(f6(f6(f6(a))))))\n    f7(f8(f9(f10(f11(f12(f13(a)))))))\n");
    winding.push_str("f59(f58(f57(f56(f55(f54(f53(f52(f51(f50(test))))))))))\nsample.to_csv('submission.csv')");
    refused(&breaches(3, &winding), Breach::ConstantPredictions, "a winding function");
}

#[test]
fn code_that_no_parser_takes_is_refused() {
    let deep = format!("x = {}1{}", "(".repeat(20_000), ")".repeat(20_000));
    refused(&breaches_with(&deep), Breach::Unreadable, "brackets in brackets");
}
