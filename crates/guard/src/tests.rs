//! Patches that cheat are refused with the rule that they break, and honest ones pass.

mod bundled;
mod constants;
mod honest;
mod outside;
mod training;

use nbrevive_notebook::Cell;

use super::*;

/// A notebook as people write them: reads, trains, predicts, submits.
const ORIGINAL: [&str; 4] = [
    "import os\nimport numpy as np\nimport pandas as pd\nfrom sklearn.linear_model import LogisticRegression\n\
     from sklearn.preprocessing import StandardScaler",
    "train = pd.read_csv('../input/train.csv')\ntest = pd.read_csv('../input/test.csv')\n\
     features = ['SepalLengthCm', 'PetalLengthCm']\nsample = pd.read_csv('../input/sample_submission.csv')",
    "scaler = StandardScaler()\nX = scaler.fit_transform(train[features])\n\
     model = LogisticRegression()\nmodel.fit(X, train['Species'])",
    "pred = model.predict(scaler.transform(test[features]))\n\
     sub = pd.DataFrame({'Id': test['Id'], 'Species': pred})\nsub.to_csv('submission.csv', index=False)",
];

fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect())
}

fn contract() -> Contract {
    Contract {
        target: Some(0.96667),
        id_column: Some("Id".to_owned()),
        target_columns: vec!["Species".to_owned()],
        answer_files: vec!["answers.csv".to_owned()],
        ..Contract::default()
    }
}

/// The rules that a patch of some original breaks.
fn breaches_of(original: &[&str], patched: &[&str]) -> BTreeSet<Breach> {
    let findings = Guard::new(&notebook(original), contract()).check(&notebook(patched));
    findings.iter().map(|finding| finding.breach).collect()
}

/// The rules that [`ORIGINAL`] with one cell replaced breaks.
fn breaches(cell: usize, source: &str) -> BTreeSet<Breach> {
    let mut patched = ORIGINAL;
    patched[cell] = source;
    breaches_of(&ORIGINAL, &patched)
}

/// The same with a cell put in before the last one.
fn breaches_with(source: &str) -> BTreeSet<Breach> {
    let mut patched = ORIGINAL.to_vec();
    patched.insert(3, source);
    breaches_of(&ORIGINAL, &patched)
}

#[track_caller]
fn refused(breaches: &BTreeSet<Breach>, rule: Breach, what: &str) {
    assert!(breaches.contains(&rule), "{rule} does not refuse:\n{what}\nfound: {breaches:?}");
}

#[test]
fn a_finding_says_rule_place_and_thing() {
    let guard = Guard::new(&notebook(&ORIGINAL), contract());
    let mut patched = ORIGINAL;
    patched[1] = "import requests\ntrain = pd.read_csv('../input/train.csv')\ntest = train";
    let words: Vec<String> = guard.check(&notebook(&patched)).iter().map(ToString::to_string).collect();
    assert_eq!(words, ["network: cell 2, line 1: the import of `requests`"]);
}

#[test]
fn a_cell_that_was_broken_before_may_stay_so_and_no_more() {
    let old = ["print 'hello'", "model.fit(X)"];
    assert!(breaches_of(&old, &["print 'hello!'", "model.fit(X)"]).is_empty());
    refused(&breaches_of(&old, &["print 'hello'", "model.fit(X"]), Breach::Unreadable, "a bracket lost");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(96))]

    /// Whatever a model writes, the guards answer, and the original itself is never refused.
    #[test]
    fn no_code_is_too_strange(
        pieces in proptest::collection::vec(
            "(import os|as|f\\(|\\)|\\[|\\]|x = |lambda x: |'/etc/|'|\\+|%|\\{|\\}|for x in |: |\n|    |def f\\(x\\):|.predict|!ls|%%|\u{e4}|0|getattr)",
            0..40,
        ),
    ) {
        let source = pieces.concat();
        let strange = notebook(&[&source, ORIGINAL[3]]);
        let findings = Guard::new(&strange, contract()).check(&strange);
        proptest::prop_assert!(findings.is_empty(), "{:?}", findings);
        let _ = Guard::new(&notebook(&ORIGINAL), contract()).check(&strange);
    }
}
