use nbrevive_files::Folder;

use super::*;
use crate::declared::RepositoryTree;
use crate::history::History;
use crate::index::IndexEntry;
use crate::plan::Line;
use crate::plan::fixture::{FOR_36, FOR_37, PURE, SDIST, World, day, machine};

fn world() -> World {
    World::new()
        .add("numpy 1.12.0", "2017-01-15", &[FOR_36, PURE], &[])
        .add("numpy 1.13.0", "2017-06-07", &[FOR_36, PURE], &[])
        .add("numpy 1.14.0", "2018-01-06", &[FOR_36, PURE], &[])
        .add("numpy 1.26.0", "2023-09-16", &[PURE], &[])
        .add("pandas 0.22.0", "2017-12-31", &[PURE], &["numpy>=1.13"])
        .add("pandas 2.1.0", "2023-08-30", &[PURE], &["numpy"])
        .add("six 1.11.0", "2017-09-17", &[PURE], &[])
        .add("xlrd 1.1.0", "2017-08-22", &[PURE], &[])
        .add("tqdm 4.19.0", "2017-09-01", &[PURE], &[])
        .add("pillow 5.0.0", "2018-01-01", &[FOR_36, SDIST], &[])
        .add("pillow 5.3.0", "2018-10-01", &[FOR_36, FOR_37, SDIST], &[])
        .add("gym 0.9.0", "2017-10-01", &[PURE], &["numpy<1.14"])
        .add("skater 1.0.0", "2018-01-01", &[PURE], &["numpy>=1.99"])
}

fn planned(strategy: RepositoryStrategy, texts: &[(&str, &str)]) -> RepositoryPlan {
    let date = if strategy == RepositoryStrategy::Dated { day("2018-03-01") } else { day("2024-01-01") };
    planned_at(date, strategy, texts)
}

fn planned_at(date: Timestamp, strategy: RepositoryStrategy, texts: &[(&str, &str)]) -> RepositoryPlan {
    let place = tempfile::tempdir().unwrap();
    for (name, text) in texts {
        let path = place.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let files = RepositoryTree::walk(Folder::open(place.path()).unwrap()).unwrap();
    let (declared, inferred) = (RepositoryDeclarations::read(&files), InferredNames::read(&files));
    let request = RepositoryRequest::new(&declared, &inferred, strategy, date);
    let mut entries: Vec<IndexEntry> = world().entries().collect();
    let history = History { name: "no-such-thing".into(), releases: Vec::new() };
    entries.push(IndexEntry { history, metadata: BTreeMap::new() });
    RepositoryPlan::make(&request, &Index::fixed(entries), &machine()).unwrap()
}

fn shown(strategy: RepositoryStrategy, texts: &[(&str, &str)]) -> String {
    let plan = planned(strategy, texts).plan;
    let mut lines: Vec<String> = plan.lines.iter().map(|line| format!("{} {}", line.requirement(), line.why)).collect();
    lines.retain(|line| !line.starts_with("setuptools") && !line.starts_with("wheel"));
    lines.extend(plan.expected_failure.map(|failure| format!("{}: {}", failure.class, failure.words)));
    format!("{}\n{}", plan.interpreter.minor(), lines.join("\n"))
}

const NOTEBOOK: &str = r#"{"cells":[{"cell_type":"code","execution_count":null,"metadata":{},"outputs":[],
"source":["import os, pandas\n","import helpers\n","import tqdm"]}],"metadata":{},"nbformat":4,"nbformat_minor":2}"#;

#[test]
fn the_three_strategies_take_what_they_say() {
    let texts = [("requirements.txt", "numpy==1.13.0\n"), ("a.ipynb", NOTEBOOK), ("helpers.py", "import six\n")];
    insta::assert_snapshot!(shown(RepositoryStrategy::Declared, &texts), @r"
    3.10
    numpy==1.13.0 requirements.txt:1
    ");
    insta::assert_snapshot!(shown(RepositoryStrategy::Paper, &texts), @r"
    3.10
    numpy==1.13.0 requirements.txt:1
    pandas<=2.1.0 the newest before the date
    six<=1.11.0 the newest before the date
    tqdm<=4.19.0 the newest before the date
    ");
    insta::assert_snapshot!(shown(RepositoryStrategy::Dated, &texts), @r"
    3.6
    numpy==1.13.0 requirements.txt:1 numpy==1.13.0
    pandas==0.22.0 the newest before the date
    six==1.11.0 the newest before the date
    tqdm==4.19.0 the newest before the date
    ");
}

#[test]
fn the_kernel_alone_where_nothing_is_declared() {
    let plan = planned(RepositoryStrategy::Declared, &[("a.ipynb", NOTEBOOK)]).plan;
    assert!(plan.lines.is_empty() && plan.expected_failure.is_none());
    assert_eq!(plan.interpreter.minor(), PYTHON_OF_THE_PAPER);
}

#[test]
fn what_a_notebook_calls_for_without_importing_it_is_had_at_a_date() {
    let texts = [("a.ipynb", NOTEBOOK.replace("import tqdm", "pandas.read_excel('a.xlsx')"))];
    let texts = texts.each_ref().map(|(name, text)| (*name, text.as_str()));
    let has_reader = |strategy| planned(strategy, &texts).plan.line("xlrd").is_some();
    assert!(has_reader(RepositoryStrategy::Dated));
    assert!(!has_reader(RepositoryStrategy::Paper) && !has_reader(RepositoryStrategy::Declared), "imports alone");
}

#[test]
fn what_few_files_import_gives_way_where_all_cannot_be_had() {
    let odd = NOTEBOOK.replace("import tqdm", "import skater");
    let texts = [("a.ipynb", NOTEBOOK), ("b.ipynb", NOTEBOOK), ("c.ipynb", odd.as_str())];
    let plan = planned(RepositoryStrategy::Dated, &texts).plan;
    assert_eq!(plan.expected_failure, None);
    let names: Vec<&str> = plan.lines.iter().map(|line| line.distribution.as_str()).collect();
    assert!(names.contains(&"pandas") && names.contains(&"tqdm") && !names.contains(&"skater"), "{names:?}");
    assert!(plan.skipped.iter().any(|left| left.import == "skater" && left.reason.contains("numpy>=1.99")));
}

#[test]
fn what_cannot_be_installed_fails_with_file_and_line() {
    let failure = |text: &str| {
        let strategies = [RepositoryStrategy::Declared, RepositoryStrategy::Paper];
        let [one, other] = strategies.map(|strategy| {
            let failure = planned(strategy, &[("requirements.txt", text)]).plan.expected_failure.unwrap();
            format!("{}: {}", failure.class, failure.words)
        });
        assert_eq!(one, other);
        one
    };
    insta::assert_snapshot!(failure("six\nnumpy==1.13.0\n\nnumpy==1.14.0\n"), @"conflict: requirements.txt:2 asks for numpy==1.13.0; requirements.txt:4 asks for numpy==1.14.0: no release of numpy is within all of them");
    insta::assert_snapshot!(failure("six\nnumpy==99\n"), @"no-matching-version: requirements.txt:2 asks for numpy==99, but no release is within that bound");
    insta::assert_snapshot!(failure("six\nno-such-thing>=1\n"), @"no-distribution: requirements.txt:2 asks for no-such-thing>=1, which the index does not have");
}

#[test]
fn bounds_that_fit_are_joined_and_markers_decide() {
    let text = "numpy>=1.13\nnumpy<1.20\nsix; python_version < '3'\n-c limits.txt\n";
    let texts = [("requirements.txt", text), ("limits.txt", "numpy!=1.14.0\ntqdm<4\n")];
    insta::assert_snapshot!(shown(RepositoryStrategy::Declared, &texts), @r"
    3.10
    numpy>=1.13,<1.20,!=1.14.0 requirements.txt:1, requirements.txt:2, limits.txt:1
    ");
}

#[test]
fn a_wish_for_a_python_decides_a_dated_plan_alone() {
    let minor = |strategy, name: &str, text: &str| {
        planned(strategy, &[(name, text), ("a.ipynb", NOTEBOOK)]).plan.interpreter.minor().to_string()
    };
    let dated = |name, text| minor(RepositoryStrategy::Dated, name, text);
    // 3.6 is the newest of that day.
    assert_eq!(dated("runtime.txt", "python-3.7\n"), "3.7");
    assert_eq!(dated("runtime.txt", "python-3.6.2\n"), "3.6");
    assert_eq!(dated("setup.cfg", "[options]\npython_requires = >=3.5\n"), "3.6");
    assert_eq!(dated("setup.cfg", "[options]\npython_requires = >=3.8,<3.10\n"), "3.8");
    assert_eq!(dated("runtime.txt", "python-2.7\n"), "2.7");
    // Neither is on the machine.
    assert_eq!(dated("runtime.txt", "python-3.5\n"), "3.6");
    assert_eq!(dated("runtime.txt", "python-3.99\n"), "3.11");
    assert_eq!(minor(RepositoryStrategy::Paper, "runtime.txt", "python-3.7\n"), "3.10");
}

#[test]
fn a_python_that_is_declared_and_not_here_is_told() {
    let told = |name: &str, text: &str| {
        let plan = planned(RepositoryStrategy::Dated, &[(name, text), ("a.ipynb", NOTEBOOK)]).plan;
        let warnings = plan.warnings.iter().filter(|warning| warning.kind == WarningKind::OtherInterpreter);
        (plan.python_reason, warnings.map(|warning| warning.words.clone()).collect::<Vec<_>>().join("; "))
    };
    assert_eq!(told("runtime.txt", "python-3.7\n"), (PythonReason::Wished, String::new()));
    assert_eq!(told("runtime.txt", "python-3.6.2\n"), (PythonReason::Date, String::new()));
    let words = "runtime.txt:1 asks for `python-3.99`, which is not here: Python 3.11 instead".to_owned();
    assert_eq!(told("runtime.txt", "python-3.99\n"), (PythonReason::Nearest, words));
    let words = "setup.cfg:2 asks for `>=3.98`, which is not here: Python 3.6 instead".to_owned();
    assert_eq!(told("setup.cfg", "[options]\npython_requires = >=3.98\n"), (PythonReason::Nearest, words));
}

#[test]
fn declared_versions_that_have_wheels_for_another_python_alone_decide_a_dated_plan() {
    let planned = |text: &str, more: &str| {
        let texts = [("requirements.txt", text), ("a.ipynb", NOTEBOOK), ("setup.cfg", more)];
        let plan = planned_at(day("2018-12-01"), RepositoryStrategy::Dated, &texts).plan;
        let told = plan.warnings.iter().filter(|warning| warning.kind == WarningKind::OtherInterpreter);
        let told: Vec<&str> = told.map(|warning| warning.words.as_str()).collect();
        (plan.interpreter.minor().to_string(), plan.python_reason, told.join("; "))
    };
    let (python, reason, told) = planned("pillow==5.0.0\n", "");
    assert_eq!((python.as_str(), reason), ("3.6", PythonReason::Declared));
    assert_eq!(told, "Python 3.6 instead of 3.7, for which there are no wheels of pillow==5.0.0 (requirements.txt:1)");
    for (text, more) in [
        ("pillow\n", ""),
        ("pillow>=5\n", ""),
        ("six==1.11.0\n", ""),
        ("pillow==5.0.0\n", "[options]\npython_requires = ==3.7.*\n"),
    ] {
        let (python, reason, told) = planned(text, more);
        assert_eq!((python.as_str(), told.as_str()), ("3.7", ""), "{text}{more}");
        assert_ne!(reason, PythonReason::Declared);
    }
    let old = NOTEBOOK.replace("import os, pandas", "print 1");
    let texts = [("requirements.txt", "pillow==5.3.0\n"), ("a.ipynb", old.as_str())];
    let plan = planned_at(day("2018-12-01"), RepositoryStrategy::Dated, &texts).plan;
    assert_eq!((plan.interpreter.minor().to_string().as_str(), plan.python_reason), ("3.7", PythonReason::Declared));
    let plan = planned_at(day("2018-12-01"), RepositoryStrategy::Dated, &texts[1..]).plan;
    assert_eq!(plan.interpreter.minor().to_string(), "2.7");
}

/// What gave way in a dated plan, and what is installed.
fn gave_way(date: &str, texts: &[(&str, &str)]) -> String {
    let plan = planned_at(day(date), RepositoryStrategy::Dated, texts).plan;
    let told = plan.warnings.iter().filter(|warning| warning.kind == WarningKind::Loosened);
    let mut words: Vec<String> = told.map(|warning| warning.words.clone()).collect();
    words.extend(plan.expected_failure.iter().map(|failure| format!("{}: {}", failure.class, failure.words)));
    let lines = plan.lines.iter().map(Line::requirement);
    let lines: Vec<String> =
        lines.filter(|line| !line.starts_with("setuptools") && !line.starts_with("wheel")).collect();
    words.push(format!("{}: {}", plan.interpreter.minor(), lines.join(" ")));
    words.join("\n")
}

#[test]
fn what_is_declared_gives_way_in_a_dated_plan_as_little_as_it_can() {
    let of = |text: &str| gave_way("2018-03-01", &[("requirements.txt", text)]);
    // A release that is not there, and lines that contradict each other: the nearest one.
    insta::assert_snapshot!(of("six\nnumpy==1.13.5\n"), @r"
    requirements.txt:2 asks for numpy==1.13.5, and there is no such release: numpy 1.14.0 instead
    3.6: numpy==1.14.0 six==1.11.0
    ");
    insta::assert_snapshot!(of("numpy==1.13.0\nnumpy==1.14.0\n"), @r"
    requirements.txt:1 asks for numpy==1.13.0; requirements.txt:2 asks for numpy==1.14.0, and there is no such release: numpy 1.13.0 instead
    3.6: numpy==1.13.0
    ");
    // What the index does not have at all is left out.
    insta::assert_snapshot!(of("six\nno-such-thing>=1\n"), @r"
    requirements.txt:2 asks for no-such-thing>=1, which the index does not have: left out
    3.6: six==1.11.0
    ");
    // Two that do not go together: the younger bound is the odd one, whichever line it is on.
    insta::assert_snapshot!(of("gym==0.9.0\nnumpy==1.14.0\n"), @r"
    gym 0.9.0 (asked for by requirements.txt:1 with gym==0.9.0) needs numpy<1.14; requirements.txt:2 asks for numpy==1.14.0: numpy 1.13.0 instead
    3.6: gym==0.9.0 numpy==1.13.0
    ");
    insta::assert_snapshot!(of("numpy==1.14.0\ngym==0.9.0\n"), @r"
    gym 0.9.0 (asked for by requirements.txt:2 with gym==0.9.0) needs numpy<1.14; requirements.txt:1 asks for numpy==1.14.0: numpy 1.13.0 instead
    3.6: gym==0.9.0 numpy==1.13.0
    ");
    // Where that does not help, it gets its bound back.
    insta::assert_snapshot!(of("pandas==0.22.0\nnumpy<1.13\n"), @r"
    pandas 0.22.0 (asked for by requirements.txt:1 with pandas==0.22.0) needs numpy>=1.13; requirements.txt:2 asks for numpy<1.13: numpy 1.14.0 instead
    3.6: numpy==1.14.0 pandas==0.22.0
    ");
    // Nothing that it needs is there: nothing else gives way for it.
    insta::assert_snapshot!(of("numpy==1.13.0\nskater\n"), @r"
    skater 1.0.0 (asked for by requirements.txt:2 with skater) needs numpy>=1.99, but no release of numpy is within the bound (requirements.txt:1): left out
    3.6: numpy==1.13.0
    ");
    // What can be had as it is declared stays as it is.
    insta::assert_snapshot!(of("pandas==0.22.0\nnumpy==1.13.0\n"), @"3.6: numpy==1.13.0 pandas==0.22.0");
}

#[test]
fn a_pin_without_a_wheel_for_the_wished_python_goes_to_the_nearest_release_that_has_one() {
    let texts = [("requirements.txt", "pillow==5.0.0\nnumpy==1.13.0\n"), ("runtime.txt", "python-3.7\n")];
    insta::assert_snapshot!(gave_way("2018-12-01", &texts), @r"
    requirements.txt:1 asks for pillow==5.0.0, which cannot be installed on Python 3.7.16: pillow 5.3.0 instead
    3.7: numpy==1.13.0 pillow==5.3.0
    ");
}

#[test]
fn a_plan_goes_without_what_could_not_be_built_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("requirements.txt"), "six==1.11.0\ntqdm\n").unwrap();
    let files = RepositoryTree::walk(Folder::open(place.path()).unwrap()).unwrap();
    let (declared, inferred) = (RepositoryDeclarations::read(&files), InferredNames::read(&files));
    let unbuilt = ["six", "pandas"].map(|name| (name.to_owned(), "which could not be built".to_owned()));
    let asked = RepositoryRequest::new(&declared, &inferred, RepositoryStrategy::Dated, day("2018-03-01"));
    let request = RepositoryRequest { unbuilt: &unbuilt, ..asked };
    let plan = RepositoryPlan::make(&request, &world().index(), &machine()).unwrap().plan;
    assert!(plan.line("six").is_none() && plan.line("tqdm").is_some());
    let words: Vec<&str> = plan.warnings.iter().map(|warning| warning.words.as_str()).collect();
    assert_eq!(words, ["requirements.txt:1 asks for six==1.11.0, which could not be built: left out"]);
}
