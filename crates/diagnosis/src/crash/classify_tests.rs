use super::super::label::{BugKind, ExceptionType, RootCause};
use super::*;

fn crash<'text>(ename: &'text str, evalue: &'text str, traceback: &'text str) -> CrashText<'text> {
    CrashText { platform: "github", ename, evalue, traceback }
}

fn cause(ename: &str, evalue: &str, traceback: &str) -> RootCause {
    classify(crash(ename, evalue, traceback)).root_cause.label
}

fn in_cell(line: &str) -> String {
    format!("<ipython-input-1-a> in <module>\n----> 1 {line}\n")
}

#[test]
fn what_is_certain_is_labelled_so() {
    assert_eq!(
        cause("ModuleNotFoundError", "No module named 'joypy'", &in_cell("import joypy")),
        RootCause::Environment
    );
    assert_eq!(cause("RuntimeError", "CUDA out of memory. Tried to allocate 1 GiB", ""), RootCause::Resources);
    assert_eq!(cause("NameError", "name 'df' is not defined", &in_cell("df.head()")), RootCause::Notebook);
    let labels =
        classify(crash("ModuleNotFoundError", "No module named 'joypy.plots'", &in_cell("import joypy.plots")));
    assert_eq!(labels.library.as_deref(), Some("joypy"));
    assert!(labels.root_cause.confidence > 0.9 && !labels.root_cause.reason.is_empty());
    assert_eq!(labels.exception_type.label, ExceptionType::Name);
}

#[test]
fn attributes_are_columns_slips_or_none_at_all() {
    let of = |value: &str, line: &str| cause("AttributeError", value, &in_cell(line));
    assert_eq!(of("'DataFrame' object has no attribute 'colums'", "df.colums"), RootCause::Implementation);
    assert_eq!(of("'DataFrame' object has no attribute 'Survived'", "y = df.Survived"), RootCause::Data);
    assert_eq!(of("'DataFrame' object has no attribute 'to_tensor'", "x = df.to_tensor()"), RootCause::Api);
    // Of a class of one's own nobody knows what its attributes should be.
    assert_ne!(of("'Net' object has no attribute 'colums'", "net.colums"), RootCause::Implementation);
}

#[test]
fn a_part_that_a_library_lacks_is_no_missing_module() {
    let of = |name: &str| cause("ModuleNotFoundError", &format!("No module named '{name}'"), &in_cell("import x"));
    assert_eq!(of("keras.engine.topology"), RootCause::Library);
    assert_eq!(of("StringIO"), RootCause::Library);
    // A private part was not compiled; a module of one's own is not on the path.
    assert_eq!(of("statsmodels.tsa._ets"), RootCause::Environment);
    assert_eq!(of("helpers.plots"), RootCause::Environment);
    assert_eq!(of("torch'; 'torch' is not a package"), RootCause::Environment);
}

#[test]
fn lessons_are_told_from_accidents() {
    for (ename, evalue, line) in [
        ("TypeError", "'tuple' object does not support item assignment", "point[1] = 67"),
        ("ZeroDivisionError", "division by zero", "1 / 0"),
        ("ValueError", "invalid literal for int() with base 10: 'a'", "int('a')"),
        ("KeyError", "'b'", "ages['b']  # raises an error"),
        ("Exception", "stop here", "raise Exception('stop here')"),
        ("SystemExit", "0", "sys.exit(0)"),
    ] {
        let labels = classify(crash(ename, evalue, &in_cell(line)));
        assert_eq!(
            (labels.root_cause.label, labels.pipeline_stage.label),
            (RootCause::Intentional, Stage::Outside),
            "{line}"
        );
    }
}

#[test]
fn what_the_cell_gives_no_constants_to_is_data_and_no_lesson() {
    for (ename, evalue, line) in [
        ("ValueError", "operands could not be broadcast together with shapes (3,2) (3,)", "M = M + a"),
        ("TypeError", "unsupported operand type(s) for /: 'str' and 'int'", "df['km'] = df['m'] / 1000"),
        ("TypeError", "'>' not supported between instances of 'str' and 'int'", "df = df[df['Age'] > 18]"),
        ("TypeError", "unsupported operand type(s) for +: 'int' and 'str'", "total = sum(df['price'])"),
        ("ValueError", "invalid literal for int() with base 10: 'abc'", "n = int(x)"),
        ("ZeroDivisionError", "division by zero", "p = tp / n"),
        ("ValueError", "could not convert string to float: '1,200'", "float(price)"),
        ("IndexError", "list index out of range", "contours[0]"),
    ] {
        assert_ne!(cause(ename, evalue, &in_cell(line)), RootCause::Intentional, "{line}");
    }
}

#[test]
fn errors_that_are_measured_announce_none() {
    let value = "Found input variables with inconsistent numbers of samples: [20, 30]";
    for (comment, is_meant) in [
        ("# mean squared error of the test set", false),
        ("# Errors by class", false),
        ("# crash rate by weather, invalid rows removed", false),
        ("# this gives an error", true),
        ("# Error: the sizes differ", true),
        ("# ValueError", true),
        ("# will raise", true),
        ("# this fails: the sizes differ", true),
    ] {
        let traceback =
            format!("<ipython-input-1-a> in <module>\n      4 {comment}\n----> 5 score = f(y_test, y_pred)\n");
        assert_eq!(cause("ValueError", value, &traceback) == RootCause::Intentional, is_meant, "{comment}");
    }
}

#[test]
fn formulas_in_functions_are_no_lessons() {
    let called = |call: &str| format!("{}<ipython-input-1-a> in f(a, b)\n----> 1     return a / b\n", in_cell(call));
    assert_eq!(cause("ZeroDivisionError", "division by zero", &called("divide(1, 0)")), RootCause::Intentional);
    assert_ne!(cause("ZeroDivisionError", "division by zero", &called("precision(tp, fp)")), RootCause::Intentional);
    let exercise =
        in_cell("agent.act(state)") + "<ipython-input-2-a> in act(self, s)\n----> 9     raise NotImplementedError\n";
    assert_eq!(cause("NotImplementedError", "", &exercise), RootCause::Intentional);
}

#[test]
fn a_cell_of_constants_alone_is_an_example() {
    let example = |first: u32, lines: [&str; 3]| {
        let [one, two, failing] = lines;
        format!(
            "<ipython-input-7-a> in <module>\n{:>7} {one}\n{:>7} {two}\n----> {} {failing}\n",
            first,
            first + 1,
            first + 2
        )
    };
    let lesson = ["fruits = {'apple': 1, 'pear': 2}", "print(fruits['apple'])", "fruits['grape']"];
    assert_eq!(cause("KeyError", "'grape'", &example(1, lesson)), RootCause::Intentional);
    // What came before may give the names another meaning.
    assert_ne!(cause("KeyError", "'grape'", &example(4, lesson)), RootCause::Intentional);
    let of_data = ["fruits = load('fruits.csv')", "print(fruits['apple'])", "fruits['grape']"];
    assert_ne!(cause("KeyError", "'grape'", &example(1, of_data)), RootCause::Intentional);
    let shown = example(1, lesson);
    let kaggle = CrashText { platform: "kaggle", ..crash("KeyError", "'grape'", &shown) };
    assert_ne!(classify(kaggle).root_cause.label, RootCause::Intentional);
}

#[test]
fn a_name_of_itself_is_unknown_only_where_nothing_is_known() {
    assert_eq!(cause("", "", ""), RootCause::Unknown);
    assert_eq!(cause("", "\u{1b}[0m", "\u{7}"), RootCause::Unknown);
    // Another language, and a name that is no exception: something is said, and nothing breaks.
    let julia = classify(crash(
        "LoadError",
        "MethodError: `+` has no method matching +(::UTF8String)",
        "in _colwise at x.jl:20",
    ));
    assert!(julia.root_cause.confidence <= 1.0);
    assert!(classify(crash("drop table\u{0}", "a'\"`<>'", "<ipython-input-\u{1b}[31m")).root_cause.confidence <= 1.0);
}

#[test]
fn of_other_languages_and_of_what_is_no_exception_nothing_is_guessed() {
    for (ename, evalue, traceback) in [
        (
            "ERROR",
            "Error in eval(expr, envir, enclos): object 'y' not found",
            "Error in eval(expr): object\nTraceback:\n1. f(x)",
        ),
        (
            "LoadError",
            "UndefVarError: x not defined",
            "UndefVarError: x not defined\n\nStacktrace:\n [1] top-level scope at In[3]:1",
        ),
        ("ReferenceError", "x is not defined", "evalmachine.<anonymous>:1\n    at Script.runInContext (vm.js:130:18)"),
        ("drop table", "; select", ""),
        ("404 Client", "x", "Cell In[3], line 1\n----> 1 f()\n"),
    ] {
        let labels = classify(crash(ename, evalue, traceback));
        assert_eq!(labels.root_cause.label, RootCause::Unknown, "{ename}: {}", labels.root_cause.reason);
        assert!(!labels.root_cause.reason.contains('='), "{}", labels.root_cause.reason);
    }
    let coloured = classify(crash("Value\u{7}Error\u{1b}[0m", "could not convert string to float: 'a'", ""));
    assert_eq!((coloured.exception_type.label, coloured.root_cause.label), (ExceptionType::Type, RootCause::Data));
    let raw = classify(crash("drop table", "; select", ""));
    assert_eq!(raw.exception_type.label, ExceptionType::Other);
    assert_eq!(raw.exception_type.reason, "`drop table` is no name of an exception");
    // Python's own error that tells of another language is Python's.
    assert_ne!(cause("error", "Error: the camera is busy", &in_cell("cap.read()")), RootCause::Unknown);
}

#[test]
fn a_traceback_of_megabytes_costs_no_more_than_its_reading() {
    let huge = format!("{}{}", in_cell("f()"), "x = '".repeat(2_000_000));
    assert_eq!(cause("MemoryError", "", &huge), RootCause::Resources);
    let long_value = "name 'a' ".repeat(1_000_000);
    assert_eq!(cause("NameError", &format!("name 'a' is not defined {long_value}"), ""), RootCause::Notebook);
}

#[test]
fn labels_outside_the_scheme_are_none() {
    assert_eq!(RootCause::of("data"), Some(RootCause::Data));
    assert_eq!(RootCause::of("COSMIC RAYS"), None);
    assert_eq!(Stage::of(""), None);
}

#[test]
fn a_release_that_came_after_what_ran_took_nothing_away() {
    let value = "module 'collections' has no attribute 'Mapping'";
    let in_python = |minor: &str| {
        let library = format!("/usr/lib/{minor}/site-packages/a/b.py in f()\n----> 9 collections.Mapping\n");
        classify(crash("AttributeError", value, &(in_cell("a.f()") + &library)))
    };
    let (new, old) = (in_python("python3.10"), in_python("python3.6"));
    assert_eq!(new.root_cause.label, RootCause::Library);
    assert!(old.root_cause.label != RootCause::Library && !old.root_cause.reason.contains("gone since"));
    assert_eq!(old.ran_in.as_deref(), Some("Python 3.6"));
}

#[test]
fn messages_that_one_cause_has_are_labelled_so() {
    for (ename, evalue, line, expected) in [
        (
            "AttributeError",
            "'float' object has no attribute 'lower'",
            "df['t'].apply(lambda x: x.lower())",
            RootCause::Data,
        ),
        ("XLRDError", "Excel xlsx file; not supported", "pd.read_excel('a.xlsx')", RootCause::Library),
        (
            "AttributeError",
            "'Rectangle' object has no property 'normed'",
            "plt.hist(x, normed=True)",
            RootCause::Library,
        ),
        (
            "AttributeError",
            "'_SingleProcessDataLoaderIter' object has no attribute 'next'",
            "images = dataiter.next()",
            RootCause::Library,
        ),
        ("LightGBMError", "Do not support special JSON characters in feature name.", "m.fit(X, y)", RootCause::Data),
        ("CellTimeoutError", "A cell timed out while it was being executed", "f()", RootCause::Resources),
        ("NameError", "name 'radom' is not defined. Did you mean: 'random'?", "radom", RootCause::Implementation),
    ] {
        assert_eq!(cause(ename, evalue, &in_cell(line)), expected, "{evalue}");
    }
}

#[test]
fn a_name_alone_tells_a_cause_only_where_it_has_one() {
    for (ename, expected) in [
        ("ModuleNotFoundError", RootCause::Environment),
        ("MemoryError", RootCause::Resources),
        ("NameError", RootCause::Unknown),
        ("SyntaxError", RootCause::Unknown),
        ("DeadKernelError", RootCause::Unknown),
        ("Exception", RootCause::Unknown),
    ] {
        assert_eq!(cause(ename, "", ""), expected, "{ename}");
    }
}

#[test]
fn types_kinds_and_stages_are_told_by_message_library_and_call() {
    let of = |ename, evalue, line: &str| classify(crash(ename, evalue, &in_cell(line)));
    let value = "cannot import name 'plot_confusion_matrix' from 'sklearn.metrics' (/a.py)";
    let labels = of("ImportError", value, "from sklearn.metrics import plot_confusion_matrix");
    assert_eq!((labels.exception_type.label, labels.ml_bug.label), (ExceptionType::Environment, BugKind::Ml));
    let labels = of("OSError", "[Errno 28] No space left on device", "model.save('a')");
    assert_eq!(labels.exception_type.label, ExceptionType::Resource);
    let labels = of("ValueError", "Invalid parameter clf__C for estimator Pipeline()", "grid.fit(X, y)");
    assert_eq!(
        (labels.exception_type.label, labels.pipeline_stage.label),
        (ExceptionType::ApiArgument, Stage::Training)
    );
    let labels = of("RuntimeError", "expected scalar type Long but found Float", "loss.backward()");
    assert_eq!((labels.exception_type.label, labels.pipeline_stage.label), (ExceptionType::Type, Stage::Training));
    let labels = of("ValueError", "stop here", "raise ValueError('stop here')");
    assert_eq!(labels.ml_bug.label, BugKind::Python);
    let labels = of("ValueError", "inconsistent numbers of samples: [2, 3]", "f1_score(y, p)");
    assert_eq!(labels.pipeline_stage.label, Stage::Evaluation);
    let value = "x and y must have same first dimension, but have shapes (3,) and (4,)";
    assert_eq!(of("ValueError", value, "plt.plot(xs, ys)").pipeline_stage.label, Stage::Visualization);
}

#[test]
fn syntax_of_what_we_ran_is_the_codes_and_of_what_was_saved_unknown() {
    let value = "invalid syntax (<ipython-input-1-a>, line 1)";
    let crash = CrashText { platform: "", ename: "SyntaxError", evalue: value, traceback: "" };
    assert_eq!(classify(crash).root_cause.label, RootCause::Unknown);
    let missing = CrashText { ename: "ModuleNotFoundError", evalue: "No module named 'fbprophet'", ..crash };
    let causes = root_causes(&[crash, missing, crash]);
    assert_eq!(causes, [RootCause::Implementation, RootCause::Environment, RootCause::Implementation]);
}

#[test]
fn a_cell_that_is_one_operation_is_a_lesson_and_no_other_line_is() {
    let value = "operands could not be broadcast together with shapes (3,2) (3,)";
    let of = |line: &str| {
        cause(
            "ValueError",
            value,
            &format!("<ipython-input-13-9> in <module>()\n----> 1 {line}\n\nValueError: {value}"),
        )
    };
    let shown = format!("<ipython-input-13-9> in <module>()\n----> 1 M + a\n\nValueError: {value}");
    assert_eq!(classify(crash("ValueError", value, &shown)).ml_bug.label, BugKind::Ml, "arrays say so");
    let frames = "The truth value of a DataFrame is ambiguous. Use a.empty, a.bool(), a.item(), a.any() or a.all().";
    let shown = format!("<ipython-input-13-9> in <module>()\n----> 1 A or B\n\nValueError: {frames}");
    assert_eq!(classify(crash("ValueError", frames, &shown)).ml_bug.label, BugKind::Ml, "and frames");
    for lesson in ["M + a", "(x > 4) and (x < 8)", "text + 'a' + 5"] {
        assert_eq!(of(lesson), RootCause::Intentional, "{lesson}");
    }
    for other in ["c = M + a", "df['a'] + df['b']", "mape(y, preds)", "preds", "M + a\n      2 print(M)"] {
        assert_ne!(of(other), RootCause::Intentional, "{other}");
    }
    let kaggle = CrashText {
        platform: "kaggle",
        ..crash("ValueError", value, "<ipython-input-13-9> in <module>()\n----> 1 M + a")
    };
    assert_ne!(classify(kaggle).root_cause.label, RootCause::Intentional);
}
