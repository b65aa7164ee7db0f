//! Rules of statsmodels, and of names that numpy, scipy and imbalanced-learn took away, beyond their examples.

use super::*;

#[test]
fn kinds_that_are_told_by_a_name_are_chosen_when_it_runs() {
    let error = ("TypeError", "SMOTE.__init__() got an unexpected keyword argument 'kind'");
    let source = "from imblearn.over_sampling import SMOTE\nsm = [SMOTE(kind=k, random_state=0) for k in kinds]\n";
    let after = mended(source, error).unwrap();
    assert!(after.ends_with("sm = [smote_of_kind(kind=k, random_state=0) for k in kinds]\n"), "{after}");
}
