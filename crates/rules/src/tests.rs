//! The tests walk the catalogue: every example is rewritten, and rewritten code is left alone.

mod arrays_and_models;
mod deep_models;
mod pandas;
mod python;
mod removals;
mod series;

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_notebook::{Cell, Notebook};

use crate::engine::{act, rewritten};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Code, Source};
use crate::{CellFeedback, Feedback};
use crate::{Rules, catalogue, moved_to};

fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect())
}

/// An error that blames every line of a cell.
fn errors_on_every_line(cell: usize, source: &str, (ename, evalue): (&str, &str)) -> Vec<CellFeedback> {
    let lines = source.lines().count().max(1);
    (1..=lines)
        .map(|line| CellFeedback {
            cell,
            ename: ename.to_owned(),
            evalue: evalue.to_owned(),
            traceback: String::new(),
            line: u32::try_from(line).ok(),
        })
        .collect()
}

fn feedback<'a>(
    notebook: &'a Notebook,
    errors: Vec<CellFeedback>,
    packages: &'a BTreeMap<String, String>,
) -> Feedback<'a> {
    Feedback { submitted: Some(jiff::civil::date(2017, 6, 1)), ..Feedback::of_errors(notebook, errors, packages) }
}

/// Runs one rule on one cell until it has nothing more to do.
fn rewrite(rule: &'static Rule, source: &str, error: (&str, &str)) -> String {
    let packages = BTreeMap::new();
    let mut text = source.to_owned();
    for _ in 0..6 {
        let notebook = notebook(&[&text]);
        let errors = if error.0.is_empty() { Vec::new() } else { errors_on_every_line(0, &text, error) };
        let feedback = feedback(&notebook, errors, &packages);
        let cells = [Source::new(0, &text)];
        let code = Code::of(&cells);
        let matched: Vec<&CellFeedback> = match rule.trigger {
            Trigger::Error(signatures) | Trigger::Switch { errors: signatures, .. } => {
                feedback.errors.iter().filter(|one| signatures.iter().any(|signature| signature.matches(one))).collect()
            }
            _ => Vec::new(),
        };
        if matches!(rule.trigger, Trigger::Error(_) | Trigger::Switch { .. }) {
            assert!(!matched.is_empty(), "{}: its example's error does not match its signatures", rule.id);
        }
        let finished = act(rule, &code, &matched);
        match finished.texts.into_iter().next() {
            Some((_, new)) => text = new,
            None => break,
        }
        if !finished.again {
            break;
        }
    }
    text
}

#[test]
fn every_example_is_rewritten_as_the_table_says() {
    let mut wrong = Vec::new();
    for rule in catalogue() {
        let after = rewrite(rule, rule.example.before, rule.example.error);
        if after != rule.example.after {
            wrong.push(format!("{}:\n--- wanted\n{}\n--- got\n{after}", rule.id, rule.example.after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A rule that no catalogue has: a row.
pub(crate) static ONE_MORE: Rule = Rule::new(
    "toybox-moved-names",
    ("toybox", "2.0"),
    "toybox.balls is part of toybox",
    Trigger::Error(&[sig("ModuleNotFoundError", "No module named 'toybox.balls'")]),
    Rewrite::Move(&[("toybox.balls.Ball", "toybox.Ball")]),
    example(
        "from toybox.balls import Ball\nball = Ball()\n",
        ("ModuleNotFoundError", "No module named 'toybox.balls'"),
        "from toybox import Ball\nball = Ball()\n",
    ),
);

#[test]
fn a_rule_more_is_a_row_and_its_example_is_its_test() {
    let Rule { id, example, .. } = ONE_MORE;
    assert!(catalogue().all(|rule| rule.id != id));
    assert_eq!(rewrite(&ONE_MORE, example.before, example.error), example.after);
    assert_eq!(rewrite(&ONE_MORE, example.after, example.error), example.after);
}

#[test]
fn examples_parse_after_the_rewrite() {
    for rule in catalogue() {
        let parsed = nbrevive_pysource::parse::parse(rule.example.after);
        assert!(parsed.errors().is_empty(), "{}: {:?}", rule.id, parsed.errors());
    }
}

#[test]
fn ids_are_unique_and_there_are_enough_rules() {
    let ids: BTreeSet<&str> = catalogue().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), catalogue().count());
    assert!(ids.len() >= 45, "{}", ids.len());
}

#[test]
fn code_without_a_trigger_is_left_alone() {
    let cells = [
        "import pandas as pd\ndf = pd.read_csv('a.csv')\n",
        "rows = []\nrows.append(1)\nprint(df.mean(numeric_only=True))\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let errors = errors_on_every_line(1, cells[1], ("ZeroDivisionError", "division by zero"));
    assert!(Rules.propose(&feedback(&notebook, errors, &packages)).is_none());
}

#[test]
fn one_error_mends_all_places_of_all_cells() {
    let cells = [
        "import numpy as np\nimport pandas as pd\ntrain = pd.read_csv('a.csv')\n",
        "x = train.a.astype(np.float)\n",
        "def f(data):\n    return data.append(train)\ny = f(train)\n",
        "z = np.zeros(3, dtype=np.int)\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let errors = errors_on_every_line(1, cells[1], ("AttributeError", "module 'numpy' has no attribute 'float'. `np"));
    let proposal = Rules.propose(&feedback(&notebook, errors, &packages)).unwrap();
    let sources: Vec<&str> = proposal.notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!(sources[1], "x = train.a.astype(float)\n");
    assert_eq!(
        sources[2],
        "def f(data):\n    return pd.concat([data, train], sort=not data.columns.equals(train.columns))\ny = f(train)\n"
    );
    assert_eq!(sources[3], "z = np.zeros(3, dtype=int)\n");
    assert!(proposal.applied.iter().any(|applied| applied.rule == "numpy-removed-names" && applied.cell == 3));
    assert!(proposal.plan.contains("numpy-removed-names"));
}

#[test]
fn an_import_whose_failure_is_provided_for_is_left_alone() {
    let cells = [
        "try:\n    from sklearn.impute import SimpleImputer\nexcept ImportError:\n    from sklearn.preprocessing import Imputer as SimpleImputer\n",
        "from sklearn.cross_validation import KFold\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let missing = ("ModuleNotFoundError", "No module named 'sklearn.cross_validation'");
    let proposal = Rules.propose(&feedback(&notebook, errors_on_every_line(1, cells[1], missing), &packages));
    let proposal = proposal.unwrap();
    assert_eq!(proposal.notebook.cells[0].source, cells[0]);
    assert_eq!(proposal.notebook.cells[1].source, "from sklearn.model_selection import KFold\n");
}

/// The first cell's text after one proposal, given an error that blames each of its lines.
fn mended(source: &str, error: (&str, &str)) -> Option<String> {
    let notebook = notebook(&[source]);
    let packages = BTreeMap::new();
    let proposal = Rules.propose(&feedback(&notebook, errors_on_every_line(0, source, error), &packages));
    proposal.map(|proposal| proposal.notebook.cells[0].source.clone())
}

/// The same where nothing raised, and the score is another one.
fn mended_silently(source: &str) -> Option<String> {
    let notebook = notebook(&[source]);
    let packages = BTreeMap::new();
    let feedback = Feedback { score: Some(0.4), target: Some(0.5), ..feedback(&notebook, Vec::new(), &packages) };
    Rules.propose(&feedback).map(|proposal| proposal.notebook.cells[0].source.clone())
}

/// The same, given an error that blames one line alone.
fn mended_in_line(source: &str, line: u32, error: (&str, &str)) -> Option<String> {
    let notebook = notebook(&[source]);
    let packages = BTreeMap::new();
    let errors = errors_on_every_line(0, source, error).into_iter().filter(|one| one.line == Some(line)).collect();
    let proposal = Rules.propose(&feedback(&notebook, errors, &packages));
    proposal.map(|proposal| proposal.notebook.cells[0].source.clone())
}

#[test]
fn defaults_of_a_notebook_known_to_be_older_come_back_with_its_repair() {
    let cells = ["import pandas as pd\ndf = pd.read_csv('a.csv')\nd = pd.get_dummies(df)\nd.ix[0]\n"];
    let packages = BTreeMap::new();
    let proposed = |notebook: &Notebook, date: Option<(i16, i8, i8)>| {
        let error = errors_on_every_line(
            0,
            &notebook.cells[0].source,
            ("AttributeError", "'DataFrame' object has no attribute 'ix'"),
        );
        let last_day = date.map(|(year, month, day)| jiff::civil::date(year, month, day));
        let feedback = Feedback { submitted: None, last_day, ..feedback(notebook, error, &packages) };
        Rules.propose(&feedback).unwrap().notebook.cells[0].source.contains("dtype='uint8'")
    };
    let mut notebook = notebook(&cells);
    assert!(!proposed(&notebook, None));
    assert!(!proposed(&notebook, Some((2023, 4, 3))));
    assert!(proposed(&notebook, Some((2023, 4, 2))));
    notebook.metadata.insert("language_info".to_owned(), serde_json::json!({ "name": "python", "version": "3.8.1" }));
    assert!(!proposed(&notebook, None));
    notebook.metadata.insert("language_info".to_owned(), serde_json::json!({ "name": "python", "version": "3.7.4" }));
    assert!(proposed(&notebook, None));
}

#[test]
fn two_imports_that_fail_do_not_pass_each_other_for_ever() {
    let packages = BTreeMap::new();
    let mut text = "import one\nimport numpy as np\nimport two\nx = np.zeros(one.n + two.n)\n".to_owned();
    for missing in ["one", "two", "one", "two"] {
        let notebook = notebook(&[&text]);
        let line = text.lines().position(|line| line.starts_with(&format!("import {missing}"))).unwrap();
        let error = CellFeedback {
            cell: 0,
            ename: "ModuleNotFoundError".to_owned(),
            evalue: format!("No module named '{missing}'"),
            traceback: String::new(),
            line: u32::try_from(line + 1).ok(),
        };
        if let Some(proposal) = Rules.propose(&feedback(&notebook, vec![error], &packages)) {
            text.clone_from(&proposal.notebook.cells[0].source);
        }
    }
    insta::assert_snapshot!(text, @"
    import numpy as np
    import two
    import one  # fails: moved behind what does not need it
    x = np.zeros(one.n + two.n)
    ");
}

#[test]
fn an_old_installed_version_keeps_the_old_form() {
    let cells = ["import pandas as pd\na = pd.read_csv('a.csv')\nb = a.append(a)\n", "x = undefined\n"];
    let notebook = notebook(&cells);
    let packages = BTreeMap::from([("pandas".to_owned(), "1.5.3".to_owned())]);
    let errors = errors_on_every_line(1, cells[1], ("NameError", "name 'undefined' is not defined"));
    assert!(Rules.propose(&feedback(&notebook, errors, &packages)).is_none());
}

#[test]
fn calibration_restores_silent_changes_before_defaults() {
    let cells = [
        "import pandas as pd\nfrom sklearn.ensemble import RandomForestClassifier\ndf = pd.read_csv('a.csv')\ndf['a'].fillna(0, inplace=True)\nm = RandomForestClassifier()\n",
    ];
    let first = notebook(&cells);
    let packages = BTreeMap::new();
    let proposal = Rules.propose(&feedback(&first, Vec::new(), &packages)).unwrap();
    let source = &proposal.notebook.cells[0].source;
    assert!(source.contains("df['a'] = df['a'].fillna(0)"), "{source}");
    assert!(source.contains("RandomForestClassifier()"), "{source}");
    let second = Rules.propose(&feedback(&proposal.notebook, Vec::new(), &packages)).unwrap();
    assert!(second.notebook.cells[0].source.contains("RandomForestClassifier(n_estimators=10)"));
    let mut recent = feedback(&proposal.notebook, Vec::new(), &packages);
    recent.submitted = Some(jiff::civil::date(2025, 1, 1));
    assert!(Rules.propose(&recent).is_none());
}

#[test]
fn a_rule_leaves_its_own_result_alone() {
    let mut wrong = Vec::new();
    for rule in catalogue().filter(|rule| !matches!(rule.trigger, Trigger::Slow { .. })) {
        let again = rewrite(rule, rule.example.after, rule.example.error);
        if again != rule.example.after {
            wrong.push(format!("{}:\n--- first\n{}\n--- again\n{again}", rule.id, rule.example.after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Uses that an example does not show: keywords that reach a call as options, and names with another local name.
fn in_other_words(rule: &Rule) -> Vec<String> {
    let before = rule.example.before;
    let mut texts = vec![before.to_owned()];
    if let Some((import, rest)) = before.split_once('\n').filter(|(import, _)| import.starts_with("from ")) {
        let name = import.rsplit(' ').next().unwrap_or_default();
        texts.push(format!("{import} as local\n{}", rest.replace(name, "local")));
    }
    if let Rewrite::Keyword(table) = rule.rewrite {
        let keys: Vec<String> = table.iter().map(|row| format!("'{}': 1", row.keyword)).collect();
        let without =
            table.iter().fold(before.to_owned(), |text, row| text.replace(&format!("{}=", row.keyword), "other="));
        let (call, rest) = without.rsplit_once(')').unwrap_or_default();
        texts.push(format!("{call}, **options){rest}\noptions = {{{}}}\n", keys.join(", ")));
    }
    texts
}

/// What a table makes of the code when every line is blamed, with and without a look at the words before.
#[test]
fn words_keep_no_table_from_what_it_would_change() {
    let tables = || catalogue().filter(|rule| !matches!(rule.rewrite, Rewrite::Code(_)));
    let mut changed = 0;
    for text in tables().flat_map(in_other_words) {
        let errors = errors_on_every_line(0, &text, ("Error", ""));
        let errors: Vec<&CellFeedback> = errors.iter().collect();
        let cells = [Source::new(0, &text)];
        let code = Code::of(&cells);
        for rule in tables() {
            let texts = act(rule, &code, &errors).texts;
            assert_eq!(texts, rewritten(rule, &code, &errors).texts, "{}", rule.id);
            changed += texts.len();
        }
    }
    assert!(changed > tables().count(), "{changed}");
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]

    #[test]
    fn no_text_makes_the_rules_panic(
        cell in "(df|x|np\\.float|print|\\.append|\\.ix|\\[|\\]|\\(|\\)|=|==|:|,|'| |\n|lambda|for|in|0|L|`|<>|é|\\.dtype|object|inplace=True|fillna|import numpy as np\n){0,40}",
        error in 0usize..6,
    ) {
        let errors = [
            ("SyntaxError", "invalid syntax"),
            ("AttributeError", "'DataFrame' object has no attribute 'append'"),
            ("AttributeError", "module 'numpy' has no attribute 'float'"),
            ("TypeError", "'float' object cannot be interpreted as an integer"),
            ("KeyError", "0"),
            ("ValueError", "could not convert string to float: 'x'"),
        ];
        let notebook = notebook(&[&cell, "# untouched é\n"]);
        let packages = BTreeMap::new();
        let errors = errors_on_every_line(0, &cell, errors[error]);
        let proposal = Rules.propose(&feedback(&notebook, errors, &packages));
        if let Some(proposal) = proposal {
            proptest::prop_assert_eq!(&proposal.notebook.cells[1].source, "# untouched é\n");
        }
    }
}

#[test]
fn a_module_is_known_where_it_lives_today() {
    assert_eq!(moved_to("sklearn.externals.joblib").as_deref(), Some("joblib"));
    assert_eq!(moved_to("sklearn.cross_validation").as_deref(), Some("sklearn.model_selection"));
    assert_eq!(moved_to("fbprophet").as_deref(), Some("prophet"));
    assert_eq!(moved_to("numpy.float"), None, "a built-in needs no import");
    assert_eq!(moved_to("numpy"), None);
}
