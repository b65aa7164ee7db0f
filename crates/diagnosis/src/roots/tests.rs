use nbrevive_notebook::Cell;

use super::*;

fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect())
}

fn failed(cell: usize, line: u32, ename: &str, evalue: &str) -> CellFeedback {
    let traceback = String::new();
    CellFeedback { cell, ename: ename.to_owned(), evalue: evalue.to_owned(), traceback, line: Some(line) }
}

/// The chain of each failed cell as `cell<above:link`, or `cell` for a root.
fn told(cells: &[&str], failures: &[CellFeedback]) -> String {
    let roots = error_roots(&notebook(cells), failures);
    let one = |root: &ErrorRoot| match root.follows {
        None => root.cell.to_string(),
        Some((above, link)) => format!("{}<{above}:{link}", root.cell),
    };
    roots.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_name_follows_from_the_nearest_failed_cell_that_binds_it() {
    let cells = ["import a\ndf = 1", "df = read()", "x = df", "y = x", "print(z)"];
    let failures = [
        failed(0, 1, "ModuleNotFoundError", "No module named 'a'"),
        failed(1, 1, "NameError", "name 'read' is not defined"),
        failed(2, 1, "NameError", "name 'df' is not defined"),
        failed(3, 1, "NameError", "name 'x' is not defined"),
        failed(4, 1, "NameError", "name 'z' is not defined"),
    ];
    assert_eq!(told(&cells, &failures), "0 1 2<1:name 3<2:name 4");
    let roots = error_roots(&notebook(&cells), &failures);
    assert_eq!((roots[3].root, roots[3].is_certain), (1, true));
}

#[test]
fn what_is_missed_again_has_one_root() {
    let cells = ["import cv2", "import cv2", "open('a.txt')", "open('a.txt')", "open('b.txt')"];
    let module = |cell| failed(cell, 1, "ModuleNotFoundError", "No module named 'cv2'");
    let file =
        |cell, name| failed(cell, 1, "FileNotFoundError", &format!("[Errno 2] No such file or directory: '{name}'"));
    let failures = [module(0), module(1), file(2, "a.txt"), file(3, "a.txt"), file(4, "b.txt")];
    assert_eq!(told(&cells, &failures), "0 1<0:same 2 3<2:same 4");
}

#[test]
fn columns_files_and_fits_that_a_failed_cell_left_undone() {
    let cells = [
        "df['a'] = 1\ndf['b'] = fail()\ndf.to_csv('out/b.csv')\nmodel.fit(df)",
        "df['b'].mean()",
        "df['a'].mean()",
        "pd.read_csv('out/b.csv')",
        "model.predict(df)",
    ];
    let failures = [
        failed(0, 2, "NameError", "name 'fail' is not defined"),
        failed(1, 1, "KeyError", "'b'"),
        failed(2, 1, "KeyError", "'a'"),
        failed(3, 1, "FileNotFoundError", "[Errno 2] No such file or directory: 'out/b.csv'"),
        failed(4, 1, "NotFittedError", "This instance is not fitted yet"),
    ];
    assert_eq!(told(&cells, &failures), "0 1<0:column 2<0:value 3<0:file 4<0:fit");
    assert!(!error_roots(&notebook(&cells), &failures)[2].is_certain, "the frame was to be changed by the failed cell");
}

#[test]
fn a_value_that_was_not_renewed_is_only_likely() {
    let cells = ["df = df.dropna(bad=1)", "model.fit(df)", "plot(df)", "other()"];
    let failures = [
        failed(0, 1, "TypeError", "dropna() got an unexpected keyword argument 'bad'"),
        failed(1, 1, "ValueError", "Input contains NaN"),
        failed(3, 1, "ValueError", "no"),
    ];
    assert_eq!(told(&cells, &failures), "0 1<0:value 3");
}

#[test]
fn a_name_that_a_failed_star_or_script_may_have_bound_is_only_likely() {
    let cells = ["import os\nfrom made import *\n", "%run own.py", "one()", "x = two()", "def two(): pass"];
    let failures = [
        failed(0, 2, "ModuleNotFoundError", "No module named 'made'"),
        failed(2, 1, "NameError", "name 'one' is not defined"),
        failed(3, 1, "NameError", "name 'two' is not defined"),
    ];
    assert_eq!(told(&cells, &failures), "0 2<0:value 3");
    assert!(!error_roots(&notebook(&cells), &failures)[1].is_certain);
    // The star was through before the cell failed.
    let later = [failed(0, 3, "ValueError", "no"), failures[1].clone()];
    assert_eq!(told(&cells, &later), "0 2");
}

#[test]
fn what_a_library_took_away_follows_from_no_value() {
    let cells = [
        "model.fit(x)",
        "model.predict_classes(x)",
        "import tensorflow as tf\nsess = tf.Session()",
        "sess.run(tf.placeholder(x))",
    ];
    let failures = [
        failed(0, 1, "ValueError", "no"),
        failed(1, 1, "AttributeError", "'Sequential' object has no attribute 'predict_classes'"),
        failed(2, 2, "AttributeError", "module 'tensorflow' has no attribute 'Session'"),
        failed(3, 1, "AttributeError", "module 'tensorflow' has no attribute 'placeholder'"),
    ];
    assert_eq!(told(&cells, &failures), "0 1 2 3");
}

#[test]
fn what_a_model_has_once_it_is_fitted_follows_from_its_fit() {
    let cells = ["grid.fit(x, y)", "grid.best_score_", "import pyLDAvis.sklearn", "pyLDAvis.sklearn.prepare(grid)"];
    let failures = [
        failed(0, 1, "ValueError", "no"),
        failed(1, 1, "AttributeError", "'GridSearchCV' object has no attribute 'best_score_'"),
        failed(2, 1, "ModuleNotFoundError", "No module named 'pyLDAvis.sklearn'"),
        failed(3, 1, "AttributeError", "module 'pyLDAvis' has no attribute 'sklearn'"),
    ];
    assert_eq!(told(&cells, &failures), "0 1<0:fit 2 3<2:same");
}

#[test]
fn values_that_were_given_anew_are_not_to_blame() {
    let cells =
        ["ax = plot(bad)", "ax = axes()", "ax.draw()", "ax = bad()", "ax = axes()\nax.draw()", "f(lambda: ax.draw())"];
    let value = |cell, line| failed(cell, line, "ValueError", "no");
    assert_eq!(told(&cells, &[value(0, 1), value(2, 1), value(3, 1), value(4, 2), value(5, 1)]), "0 2 3 4 5");
    let later = ["ax = bad()", "f(lambda: ax.draw())"];
    assert_eq!(told(&later, &[value(0, 1), value(1, 1)]), "0 1<0:value");
    let derived = ["x = x + bad()", "y = list(x)", "y.index(1)"];
    assert_eq!(told(&derived, &[value(0, 1), value(2, 1)]), "0 2");
    let rest = ["for i in y: x.append(bad())", "x = array(x)", "x[0]"];
    assert_eq!(told(&rest, &[value(0, 1), value(2, 1)]), "0 2<0:value");
    let module = ["data = data.get()", "data.plot(x)"];
    let attribute = failed(1, 1, "AttributeError", "module 'pandas_datareader.data' has no attribute 'plot'");
    assert_eq!(told(&module, &[value(0, 1), attribute]), "0 1<0:value");
    let last = ["sum(x)", "assert _ == 3", "assert _ == 4"];
    let asserted = |cell| failed(cell, 1, "AssertionError", "");
    assert_eq!(told(&last, &[value(0, 1), asserted(1)]), "0 1<0:value");
    assert_eq!(told(&last, &[value(0, 1), asserted(2)]), "0 2");
}

#[test]
fn names_are_looked_up_by_key_and_bound_by_code_that_is_no_python_of_today() {
    let cells =
        ["in1 = data(1)", "def do(day): return globals()[f'in{day}']", "do(1)", "a, b = f()\nprint a", "b + 1", "c"];
    let failures = [
        failed(0, 1, "FileNotFoundError", "[Errno 2] No such file or directory: 'input1.txt'"),
        failed(2, 1, "KeyError", "'in1'"),
        failed(3, 2, "SyntaxError", "Missing parentheses in call to 'print'"),
        failed(4, 1, "NameError", "name 'b' is not defined"),
        failed(5, 1, "NameError", "name 'c' is not defined"),
    ];
    assert_eq!(told(&cells, &failures), "0 2<0:name 3 4<3:name 5");
}

#[test]
fn files_are_written_under_a_name_and_unpacked() {
    let cells = [
        "target = 'aclImdb_v1.tar.gz'\nsource = 'http://a/' + target",
        "urllib.request.urlretrieve(source, target)",
        "with tarfile.open(target) as tar:\n    tar.extractall()",
        "os.listdir('aclImdb/test/pos')",
        "open('other/test/pos')",
    ];
    let missed = |cell, path: &str| {
        failed(cell, 1, "FileNotFoundError", &format!("[Errno 2] No such file or directory: '{path}'"))
    };
    let failures = [
        failed(1, 1, "URLError", "no"),
        missed(2, "aclImdb_v1.tar.gz"),
        missed(3, "aclImdb/test/pos"),
        missed(4, "other/test/pos"),
    ];
    assert_eq!(told(&cells, &failures), "1 2<1:file 3<2:file 4");
}

#[test]
fn lines_and_cells_that_are_not_there_invent_nothing() {
    let cells = ["x = (", "%%bash\nfalse"];
    let failures = [
        CellFeedback { line: None, ..failed(0, 1, "SyntaxError", "") },
        failed(7, 900, "NameError", "name 'x' is not defined"),
        failed(9, 1, "KeyError", "'"),
    ];
    let roots = error_roots(&notebook(&cells), &failures);
    assert!(roots.len() == 3 && roots.iter().all(ErrorRoot::is_root), "{roots:?}");
}

#[test]
fn cells_are_counted_among_those_of_code() {
    let cells =
        vec![Cell::markdown("# One"), Cell::code("df = read()"), Cell::markdown("then"), Cell::code("df.head()")];
    let name = |name: &str| format!("name '{name}' is not defined");
    let failures = [failed(1, 1, "NameError", &name("read")), failed(3, 1, "NameError", &name("df"))];
    let roots = error_roots(&Notebook::from_cells(cells), &failures);
    assert_eq!((roots[1].cell, roots[1].root, roots[1].follows), (1, 0, Some((0, ErrorLink::Name))));
}
