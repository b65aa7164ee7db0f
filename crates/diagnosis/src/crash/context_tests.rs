use nbrevive_notebook::{Cell, CellKind, Notebook, Output};

use super::super::explain::{Explanation, explain};
use super::super::label::RootCause;
use super::super::saved::saved_errors;
use super::*;

/// Count, source, name and value of an error.
type TestCell = (Option<u64>, &'static str, Option<(&'static str, &'static str)>);

fn notebook(cells: &[TestCell]) -> Notebook {
    let cell = |(count, source, error): &TestCell| {
        let mut cell = Cell::code(*source);
        let outputs = error.iter().map(|(ename, evalue)| {
            let line = source.lines().last().unwrap_or("");
            let traceback = vec![format!("Cell In[1], line 1\n----> 1 {line}"), format!("{ename}: {evalue}")];
            Output::Error { ename: (*ename).to_owned(), evalue: (*evalue).to_owned(), traceback }
        });
        cell.kind = CellKind::Code { execution_count: *count, outputs: outputs.collect() };
        cell
    };
    Notebook::from_cells(cells.iter().map(cell).collect())
}

fn last(notebook: &Notebook) -> Explanation {
    explain(notebook, saved_errors(notebook).last().unwrap(), "")
}

const X_MISSING: Option<(&str, &str)> = Some(("NameError", "name 'xs' is not defined"));

#[test]
fn a_name_of_a_cell_that_ran_later_failed_or_never_ran_is_the_notebooks() {
    for (cells, expected) in [
        (vec![(Some(5), "xs = 1", None), (Some(3), "print(xs)", X_MISSING)], Absence::RanLater),
        (vec![(Some(3), "print(xs)", X_MISSING), (None, "xs = 1", None)], Absence::NeverRan),
        (vec![(Some(2), "xs = 1", None), (Some(3), "print(xs)", X_MISSING)], Absence::RanBefore),
    ] {
        let notebook = notebook(&cells);
        let found = missing_definition(&notebook, &saved_errors(&notebook)[0]).unwrap();
        assert_eq!(found.defined.unwrap().2, expected);
        assert_eq!(last(&notebook).labels.root_cause.label, RootCause::Notebook);
    }
    let failed = notebook(&[(Some(1), "xs = f()", Some(("TypeError", "a"))), (Some(2), "print(xs)", X_MISSING)]);
    let explanation = last(&failed);
    assert_eq!(explanation.missing.unwrap().defined, Some((0, 1, Absence::Failed)));
    assert!(explanation.evidence.contains("cell 1"), "{}", explanation.evidence);
}

#[test]
fn what_ran_before_an_error_of_its_cell_was_there_and_what_ran_after_the_crash_was_not() {
    // The error of the first cell stops it in line 1: `xs` of line 1 and 2 never came, as the example's traceback says.
    let error = Some(("TypeError", "a"));
    let absence_of = |cells: &[TestCell]| {
        let notebook = notebook(cells);
        let crash = saved_errors(&notebook).into_iter().find(|error| error.ename == "NameError").unwrap();
        missing_definition(&notebook, &crash).unwrap().defined.unwrap().2
    };
    assert_eq!(absence_of(&[(Some(1), "f()\nxs = 1", error), (Some(2), "print(xs)", X_MISSING)]), Absence::Failed);
    // It failed, too, but only after the crash.
    assert_eq!(absence_of(&[(Some(9), "xs = f()", error), (Some(2), "print(xs)", X_MISSING)]), Absence::RanLater);
    // A definition above the line that failed had run.
    let mut early = notebook(&[(Some(1), "xs = 1\nf()", error), (Some(2), "print(xs)", X_MISSING)]);
    if let CellKind::Code { outputs, .. } = &mut early.cells[0].kind {
        let traceback = vec!["Cell In[1], line 2\n      1 xs = 1\n----> 2 f()".to_owned()];
        *outputs = vec![Output::Error { ename: "TypeError".to_owned(), evalue: "a".to_owned(), traceback }];
    }
    let crash = &saved_errors(&early)[1];
    assert_eq!(missing_definition(&early, crash).unwrap().defined, Some((0, 1, Absence::RanBefore)));
}

#[test]
fn a_name_that_a_release_took_away_is_the_librarys() {
    let gone = notebook(&[(
        Some(1),
        "df = df.append(row)",
        Some(("AttributeError", "'DataFrame' object has no attribute 'append'")),
    )]);
    let explanation = last(&gone);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Library);
    assert!(explanation.cause.contains("is gone since pandas 2.0.0; 1.5.0 had it"), "{}", explanation.cause);
    assert!(explanation.advice.contains("nbrevive modernize NOTEBOOK"), "{}", explanation.advice);
}

#[test]
fn a_name_that_python_took_away_is_no_slip_of_the_code() {
    let old = notebook(&[(Some(1), "print(xrange(3))", Some(("NameError", "name 'xrange' is not defined")))]);
    let explanation = last(&old);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Library);
    assert!(explanation.cause.contains("gone since python 3.0"), "{}", explanation.cause);
    // Unless a cell gives the name back.
    let later = [
        (Some(3), "xrange = range", None),
        (Some(1), "xrange(3)", Some(("NameError", "name 'xrange' is not defined"))),
    ];
    assert_eq!(last(&notebook(&later)).labels.root_cause.label, RootCause::Notebook);
}

#[test]
fn a_name_that_no_cell_defines_is_an_error_of_the_code() {
    let nowhere = notebook(&[(Some(1), "def f():\n    xs = 1", None), (Some(2), "print(xs)", X_MISSING)]);
    let explanation = last(&nowhere);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Implementation);
    assert_eq!(explanation.missing.unwrap().defined, None);
    let slip = notebook(&[
        (Some(1), "random_search = 1", None),
        (Some(2), "random_serch", Some(("NameError", "name 'random_serch' is not defined"))),
    ]);
    assert_eq!(last(&slip).missing.unwrap().nearly.as_deref(), Some("random_search"));
}

#[test]
fn where_an_import_of_everything_may_define_it_nothing_is_said() {
    let starred = notebook(&[(Some(1), "from lib import *", None), (Some(2), "print(xs)", X_MISSING)]);
    assert_eq!(missing_definition(&starred, &saved_errors(&starred)[0]), None);
}

#[test]
fn columns_count_as_names() {
    let key = Some(("KeyError", "'Age2'"));
    let later = notebook(&[(Some(4), "df['Age2'] = df['Age'] ** 2", None), (Some(3), "df['Age2']", key)]);
    let explanation = last(&later);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Notebook);
    assert_eq!(explanation.missing.unwrap().defined, Some((0, 1, Absence::RanLater)));
    let nowhere = notebook(&[(Some(4), "df = 1", None), (Some(5), "df['Age2']", key)]);
    assert_eq!(last(&nowhere).labels.root_cause.label, RootCause::Data);
}

#[test]
fn a_column_that_a_cell_took_away_is_told_with_that_cell() {
    let key = Some(("KeyError", "'Age'"));
    let given = (Some(1), "df = pd.DataFrame({'Age': [1]})", None);
    // Further down, and run before: the order is to blame.
    let order = notebook(&[given, (Some(9), "df['Age'].mean()", key), (Some(4), "df = df.drop('Age', axis=1)", None)]);
    let explanation = last(&order);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Notebook);
    assert!(explanation.evidence.starts_with("cell 3 takes the column or key `Age` away in line 1"), "{explanation:?}");
    // Above: the code would fail in any order, and the cell is told.
    let renamed =
        [given, (Some(2), "df = df.rename(columns={'Age': 'age'})", None), (Some(3), "df['Age'].mean()", key)];
    let explanation = last(&notebook(&renamed));
    assert_eq!(explanation.labels.root_cause.label, RootCause::Data);
    assert!(explanation.evidence.starts_with("cell 2 takes the column or key `Age` away"), "{}", explanation.evidence);
    let twice = Some(("KeyError", "\"['Age'] not found in axis\""));
    let explanation = last(&notebook(&[given, (Some(5), "df.drop(['Age'], axis=1, inplace=True)", twice)]));
    assert_eq!(explanation.labels.root_cause.label, RootCause::Notebook);
    assert!(explanation.evidence.contains("itself, as it does when it runs twice"), "{}", explanation.evidence);
}

#[test]
fn a_name_that_was_deleted_is_told_with_its_cell() {
    let deleted = notebook(&[(Some(1), "xs = 1", None), (Some(2), "del xs", None), (Some(3), "print(xs)", X_MISSING)]);
    let explanation = last(&deleted);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Implementation);
    assert!(explanation.evidence.starts_with("cell 2 takes `xs` away in line 1"), "{}", explanation.evidence);
    let order = notebook(&[(Some(1), "xs = 1", None), (Some(3), "print(xs)", X_MISSING), (Some(2), "del xs", None)]);
    assert_eq!(last(&order).labels.root_cause.label, RootCause::Notebook);
}

/// A cell with an error in this line.
fn failing(count: u64, source: &str, line: u32, ename: &str, evalue: &str) -> Cell {
    let mut cell = Cell::code(source);
    let blamed = source.lines().nth(line as usize - 1).unwrap();
    let traceback = vec![format!("Cell In[{count}], line {line}\n----> {line} {blamed}"), format!("{ename}: {evalue}")];
    let error = Output::Error { ename: ename.to_owned(), evalue: evalue.to_owned(), traceback };
    cell.kind = CellKind::Code { execution_count: Some(count), outputs: vec![error] };
    cell
}

fn ran(count: u64, source: &str) -> Cell {
    let mut cell = Cell::code(source);
    cell.kind = CellKind::Code { execution_count: Some(count), outputs: Vec::new() };
    cell
}

#[test]
fn a_variable_of_a_function_and_a_name_of_a_package_are_none_that_a_cell_defines() {
    let unbound = "local variable 'c' referenced before assignment";
    let source = "def f():\n    c += 1\nc = 0\nf()";
    let own = Notebook::from_cells(vec![failing(2, source, 4, "UnboundLocalError", unbound)]);
    assert_eq!(last(&own).missing, None);
    let mut cell = failing(3, "old.prep(1)", 1, "NameError", "name 'Scaler' is not defined");
    if let CellKind::Code { outputs, .. } = &mut cell.kind
        && let Output::Error { traceback, .. } = &mut outputs[0]
    {
        traceback.insert(1, "File /lib/python3.10/site-packages/old/a.py:12, in f(x)\n---> 12     Scaler()".to_owned());
    }
    let explanation = last(&Notebook::from_cells(vec![cell]));
    assert_eq!((explanation.missing, explanation.labels.root_cause.label), (None, RootCause::Environment));
}

#[test]
fn a_name_that_its_own_cell_defines_below_or_another_in_a_branch_is_the_codes() {
    let missing = "name 'total' is not defined";
    let below = Notebook::from_cells(vec![failing(2, "print(total)\ntotal = 5", 1, "NameError", missing)]);
    let explanation = last(&below);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Implementation);
    assert_eq!(explanation.evidence, "cell 1 defines `total` in line 2, and fails above it");
    // A statement that needs the name itself does not define it.
    let itself = Notebook::from_cells(vec![failing(2, "total = total + 1", 1, "NameError", missing)]);
    assert_eq!(last(&itself).evidence, "no cell defines `total`");
    for source in ["if ok:\n    total = 1", "try:\n    total = 1\nexcept OSError as e:\n    print(e)"] {
        let cells = vec![ran(1, source), failing(2, "print(total)", 1, "NameError", missing)];
        let explanation = last(&Notebook::from_cells(cells));
        assert_eq!(explanation.labels.root_cause.label, RootCause::Implementation, "{source}");
        assert!(explanation.evidence.contains("in a branch, a loop or a `try`"), "{}", explanation.evidence);
    }
}

#[test]
fn slips_are_swapped_letters_pythons_own_proposals_and_columns_in_another_case() {
    for (defined, source, ename, evalue, nearly) in [
        ("df_train = 1", "df_trian", "NameError", "name 'df_trian' is not defined", "df_train"),
        (
            "scores_all = 1",
            "scores",
            "NameError",
            "name 'scores' is not defined. Did you mean: 'scores_all'?",
            "scores_all",
        ),
        ("df = pd.DataFrame({'price': [1]})", "df['Price'].sum()", "KeyError", "'Price'", "price"),
        ("df['Fare '] = 1", "df['Fare'].sum()", "KeyError", "'Fare'", "Fare "),
    ] {
        let notebook = Notebook::from_cells(vec![ran(1, defined), failing(2, source, 1, ename, evalue)]);
        let explanation = last(&notebook);
        assert_eq!(explanation.missing.unwrap().nearly.as_deref(), Some(nearly), "{source}");
        assert_eq!(explanation.advice, "write the name as it is defined");
    }
}

#[test]
fn other_frames_have_columns_of_their_own() {
    let frames = |made: &str, asks: &str| {
        let cells = vec![failing(2, asks, 1, "KeyError", "'a'"), ran(3, made)];
        last(&Notebook::from_cells(cells)).labels.root_cause.label
    };
    assert_eq!(frames("train['a'] = 1", "test['a'].sum()"), RootCause::Data);
    assert_eq!(frames("train['a'] = 1", "train['a'].sum()"), RootCause::Notebook);
    // What is made from the frame has its columns; of a frame that the line does not name nothing is known.
    let cells =
        vec![ran(1, "X = df.dropna()"), failing(2, "X['a'].sum()", 1, "KeyError", "'a'"), ran(3, "df['a'] = 1")];
    assert_eq!(last(&Notebook::from_cells(cells)).labels.root_cause.label, RootCause::Notebook);
    assert_eq!(frames("train['a'] = 1", "plot(x='a', data=train)"), RootCause::Notebook);
}

#[test]
fn attributes_of_frames_and_fits_of_models_are_looked_up() {
    let lacks = "'DataFrame' object has no attribute 'b'";
    let cells = vec![failing(3, "df.b.sum()", 1, "AttributeError", lacks), ran(4, "df['b'] = 2")];
    assert_eq!(last(&Notebook::from_cells(cells)).labels.root_cause.label, RootCause::Notebook);
    let unfitted = "This SVC instance is not fitted yet. Call 'fit' first.";
    let made = || ran(2, "from sklearn import metrics\nclf = SVC()");
    let scored = || failing(3, "print(metrics.f1_score(y, clf.predict(X)))", 1, "NotFittedError", unfitted);
    let explanation = last(&Notebook::from_cells(vec![made(), scored(), ran(4, "clf.fit(X, y)")]));
    assert_eq!(explanation.labels.root_cause.label, RootCause::Notebook);
    assert_eq!(explanation.evidence, "cell 3 fits `clf` in line 1, and ran later, by its count");
    assert_eq!(last(&Notebook::from_cells(vec![made(), scored()])).labels.root_cause.label, RootCause::Api);
}

#[test]
fn what_a_platform_gives_is_its_surroundings() {
    let spark = Notebook::from_cells(vec![failing(1, "sc.parallelize(x)", 1, "NameError", "name 'sc' is not defined")]);
    assert_eq!(last(&spark).labels.root_cause.label, RootCause::Environment);
    let defined = failing(1, "sc.parallelize(x)", 1, "NameError", "name 'sc' is not defined");
    let defined = Notebook::from_cells(vec![defined, ran(2, "sc = SparkContext()")]);
    assert_eq!(last(&defined).labels.root_cause.label, RootCause::Notebook);
}

#[test]
fn of_notebooks_in_other_languages_nothing_is_guessed() {
    let mut notebook = Notebook::from_cells(vec![failing(1, "x", 1, "NameError", "undefined local variable 'x'")]);
    notebook.metadata.insert("language_info".to_owned(), serde_json::json!({"name": "ruby"}));
    let explanation = last(&notebook);
    assert_eq!((explanation.labels.root_cause.label, explanation.missing), (RootCause::Unknown, None));
    assert!(explanation.cause.contains("the notebook is in ruby"), "{}", explanation.cause);
    assert!(!explanation.advice.contains("NOTEBOOK"), "{}", explanation.advice);
}

#[test]
fn the_advice_is_the_command_for_the_place_of_the_definition() {
    let missing = || failing(3, "print(xs)", 1, "NameError", "name 'xs' is not defined");
    let advice = |cells: Vec<Cell>| last(&Notebook::from_cells(cells)).advice;
    assert!(advice(vec![missing(), ran(4, "xs = 1")]).contains("nbrevive order NOTEBOOK"));
    assert!(advice(vec![ran(4, "xs = 1"), missing()]).contains("nbrevive execute NOTEBOOK"));
    let failed = failing(1, "xs = f()", 1, "TypeError", "a");
    assert_eq!(advice(vec![failed, missing()]), "mend cell 1 first: `nbrevive explain NOTEBOOK --cell 1`");
    let file = failing(1, "open('a')", 1, "FileNotFoundError", "[Errno 2] No such file or directory: 'a'");
    assert!(advice(vec![file]).contains("nbrevive restore NOTEBOOK"));
}

#[test]
fn code_that_is_no_python_still_is_the_codes_and_what_was_mended_is_unknown() {
    let error = Some(("SyntaxError", "invalid syntax (<ipython-input-1-a>, line 1)"));
    let cause = |source| last(&notebook(&[(Some(1), source, error)])).labels.root_cause.label;
    assert_eq!(cause("4you = 6"), RootCause::Implementation);
    assert_eq!(cause("%matplotlib inline\nyou = 6"), RootCause::Unknown);
}
