//! `nbrevive changes` as a person uses it, offline: what of a notebook is gone, and when it can have been written.

use crate::support::{nbrevive, scratch};
use predicates::prelude::*;
use predicates::str::contains;

/// A script whose names were all there in 2016, and are not today.
const OLD: &str = "import pandas as pd\nfrom sklearn.cross_validation import KFold\nframe = pd.DataFrame({'a': [1]})\nframe.append(frame)\n";

#[test]
fn gone_names_are_told_with_what_stands_in_their_place() {
    let folder = scratch();
    let path = folder.path().join("old.py");
    std::fs::write(&path, OLD).expect("it is written");
    let check = |more: &[&str]| nbrevive().args(["changes", "check"]).arg(&path).args(more).assert();
    check(&[]).code(10).stdout(
        contains("line 2: sklearn.cross_validation.KFold: moved since 0.20")
            .and(contains("now sklearn.model_selection.KFold"))
            .and(contains("line 4: pandas.DataFrame.append: renamed since 2.0")),
    );
    check(&["--date", "2016-01-01"]).code(0).stdout("");
    check(&["--json"]).code(10).stdout(contains("\"successor\":\"sklearn.model_selection.KFold\""));
    nbrevive().args(["changes", "date"]).arg(&path).assert().code(0).stdout(contains("(sklearn.cross_validation"));
    std::fs::write(&path, "import os\n").expect("it is written");
    check(&[]).code(0).stdout("");
}

#[test]
fn names_are_shown_and_listed() {
    let changes = |words: &[&str]| nbrevive().arg("changes").args(words).assert();
    changes(&["show", "pandas.DataFrame.append"]).code(0).stdout(contains("renamed since 2.0"));
    changes(&["show", "pandas.DataFrame.no_such"]).code(2).stderr(contains("no change of"));
    changes(&["list"]).code(0).stdout(contains("scikit-learn"));
    changes(&["list", "scikit-learn", "--name", "cross_validation"])
        .code(0)
        .stdout(contains("sklearn.cross_validation"));
    changes(&["list", "no-such-library"]).code(2).stderr(contains("no rows of"));
}

#[test]
fn what_is_said_to_be_gone_is_gone() {
    let prove = |library: &str| nbrevive().args(["changes", "prove", library]).assert();
    prove("networkx")
        .code(0)
        .stdout("")
        .stderr(predicates::str::is_match("0 of [1-9][0-9]{3,} rows").expect("a pattern"));
    prove("no-such-library").code(2).stderr(contains("no rows of"));
}
