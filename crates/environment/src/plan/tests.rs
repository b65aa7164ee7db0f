//! Plans over a small made-up index, both strategies.

use super::fixture::{FOR_36, FOR_37, PURE, SDIST, World, day, machine, needs};
use super::*;
use crate::failure_class::FailureClass;
use Strategy::{Dated, Paper};
use std::fmt::Write;

/// Each line with its reason, then failures, warnings and what is left.
fn summary(plan: &EnvironmentPlan) -> String {
    let mut text = String::new();
    for line in plan.lines.iter().filter(|line| !["setuptools", "wheel"].contains(&line.distribution.as_str())) {
        let _ = writeln!(text, "{} {}: {}", line.requirement(), line.reason.as_str(), line.why);
    }
    for warning in &plan.warnings {
        let _ = writeln!(text, "! {}", warning.words);
    }
    if let Some(failure) = &plan.expected_failure {
        let _ = writeln!(text, "x {}: {}", failure.class, failure.words);
    }
    for left in &plan.unresolved {
        let _ = writeln!(text, "? {}: {}", left.what, left.reason);
    }
    text
}

fn science() -> World {
    World::new()
        .add("numpy 1.13.3", "2017-09-29", &[FOR_36, SDIST], &[])
        .add("numpy 1.14.5", "2018-06-12", &[FOR_36, FOR_37, SDIST], &[])
        .add("numpy 1.16.4", "2019-05-28", &[FOR_36, FOR_37, SDIST], &[])
        .add("numpy 1.17.0", "2019-07-26", &[FOR_36, FOR_37, SDIST], &[])
        .add("pytz 2018.5", "2018-07-02", &[PURE], &[])
        .add("pandas 0.11.0", "2013-04-22", &[SDIST], &[])
        .add("pandas 0.23.0", "2018-05-16", &[FOR_36, SDIST], &["numpy>=1.9.0", "pytz (>=2011k)"])
        .add("pandas 0.24.2", "2019-03-13", &[FOR_36, FOR_37, SDIST], &["numpy>=1.12.0", "pytz (>=2011k)"])
        .add("pandas 0.25.0", "2019-07-18", &[FOR_36, FOR_37, SDIST], &["numpy>=1.13.3", "pytz>=2017.2"])
        .add("scipy 1.1.0", "2018-05-05", &[FOR_36, FOR_37], &["numpy>=1.8.2"])
        .add("scipy 1.3.0", "2019-05-17", &[FOR_36, FOR_37], &["numpy>=1.13.3"])
        .add("statsmodels 0.9.0", "2018-05-14", &[FOR_36, FOR_37], &["pandas", "scipy"])
}

#[test]
fn the_closure_is_of_the_date_and_old_metadata_bounds_nothing() {
    let plan = science().plan(Dated, "2019-06-15", &["pandas", "os"], &[]);
    insta::assert_snapshot!(summary(&plan), @r"
    numpy==1.16.4 newest-before-date: the newest before the date
    pandas==0.24.2 newest-before-date: the newest before the date
    pytz==2018.5 newest-before-date: the newest before the date
    ");
    assert_eq!(plan.interpreter.version.to_string(), "3.7.16");
    assert_eq!(plan.skipped, [Skipped { import: "os".into(), reason: "standard library".into() }]);
    let pytz = plan.line("pytz").unwrap();
    assert_eq!(pytz.asked_by, [AskedBy { who: "pandas 0.24.2".into(), requirement: "pytz>=2011k".into() }]);
    let file = plan.line("numpy").unwrap().file.clone().unwrap();
    assert_eq!((file.name.as_str(), file.is_wheel()), ("numpy-1.16.4-cp37-cp37m-manylinux1_x86_64.whl", true));
    assert_eq!(plan.line("setuptools").unwrap().version.as_ref().unwrap().to_string(), "40.0.0");
    assert_eq!(plan.line("setuptools").unwrap().asked_by[0].who, "environment");
}

#[test]
fn the_paper_bounds_direct_imports_only() {
    let plan = science().plan(Paper, "2019-06-15", &["pandas", "statsmodels.api"], &["numpy==99", "wheel"]);
    insta::assert_snapshot!(summary(&plan), @r"
    numpy==99 notebook-pin: the notebook's own install line
    pandas<=0.24.2 newest-before-date: the newest before the date
    statsmodels<=0.9.0 newest-before-date: the newest before the date
    x no-matching-version: no release of numpy satisfies numpy==99
    ");
    assert_eq!(plan.requirements_text(), "numpy==99\npandas<=0.24.2\nstatsmodels<=0.9.0\nwheel<=0.31.0\n");
}

#[test]
fn the_paper_falls_back_to_the_oldest_that_fits_and_then_to_the_oldest() {
    let world = World::new()
        .add("xgboost 0.6", "2016-07-29", &[SDIST], &[])
        .python("<3")
        .add("xgboost 0.72", "2018-06-01", &["py3-none-manylinux1_x86_64"], &[])
        .add("numpy 1.0", "2010-01-01", &[FOR_36], &[])
        .add("numpy 1.1", "2011-01-01", &[FOR_36], &[]);
    let plan = world.plan(Paper, "2018-03-01", &["xgboost"], &[]);
    insta::assert_snapshot!(summary(&plan), @"xgboost<=0.72 oldest-compatible: the oldest that Python 3.6.15 can use: none of before the date");
    let plan = world.plan(Paper, "2019-03-01", &["numpy"], &[]);
    insta::assert_snapshot!(summary(&plan), @r"
    numpy<=1.0 oldest-available: the oldest there is: Python 3.7.16 can use none
    x no-matching-version: Python 3.7.16 can use no release of numpy that the bound admits
    ");
}

#[test]
fn before_is_strict_and_a_release_appears_with_its_first_file() {
    let world = World::new().add("six 1.0", "2018-01-01", &[PURE, SDIST], &[]).uploaded(PURE, "2020-01-01").add(
        "six 1.1",
        "2018-02-01",
        &[PURE],
        &[],
    );
    for (date, paper) in [("2018-02-01", "1.0"), ("2018-02-02", "1.1"), ("2018-01-01", "1.0")] {
        let plan = world.plan(Paper, date, &["six"], &[]);
        assert_eq!(plan.line("six").unwrap().bound, format!("<={paper}"), "{date}");
    }
    let plan = world.plan(Dated, "2018-02-01", &["six"], &[]);
    assert_eq!(plan.line("six").unwrap().file.as_ref().unwrap().name, "six-1.0.tar.gz");
}

#[test]
fn pre_releases_only_where_nothing_else_fits() {
    let world = World::new()
        .add("six 1.0", "2018-01-01", &[PURE], &[])
        .add("six 1.1rc1", "2018-02-01", &[PURE], &[])
        .add("tpot 2.0rc1", "2018-02-01", &[PURE], &["six>=1.1rc1"])
        .add("requests 1.0", "2018-01-01", &[PURE], &["six>=1.0rc1"]);
    for strategy in Strategy::ALL.iter().copied() {
        let plan = world.plan(strategy, "2018-03-01", &["six"], &[]);
        assert_eq!(plan.line("six").unwrap().version, Some("1.0".parse().unwrap()), "{strategy}");
        let plan = world.plan(strategy, "2018-03-01", &["tpot"], &[]);
        assert_eq!(plan.line("tpot").unwrap().version, Some("2.0rc1".parse().unwrap()), "{strategy}");
    }
    let version = |imports: &[&str]| world.plan(Dated, "2018-03-01", imports, &[]).line("six").unwrap().bound.clone();
    assert_eq!(version(&["tpot"]), "==1.1rc1");
    assert_eq!(version(&["requests"]), "==1.0");
}

#[test]
fn yanked_ones_count_only_for_an_exact_pin() {
    let world =
        World::new().add("six 1.0", "2018-01-01", &[PURE], &[]).add("six 1.1", "2018-02-01", &[PURE], &[]).yanked();
    for strategy in Strategy::ALL.iter().copied() {
        let of =
            |pins: &[&str]| world.plan(strategy, "2018-03-01", &["six"], pins).line("six").unwrap().version.clone();
        assert_eq!(of(&[]), Some("1.0".parse().unwrap()), "{strategy}");
        assert_eq!(of(&["six>=1.0"]), Some("1.0".parse().unwrap()), "{strategy}");
        let plan = world.plan(strategy, "2018-03-01", &[], &["six==1.1"]);
        assert_eq!(plan.line("six").unwrap().version, Some("1.1".parse().unwrap()), "{strategy}");
        assert_eq!(plan.warnings[0].kind, WarningKind::Yanked, "{strategy}");
    }
}

#[test]
fn the_notebooks_pins_win_over_the_date_and_lead_the_rest_beyond_it() {
    let plan = science().plan(Dated, "2018-03-01", &["pandas"], &["pandas==0.24.2", "git+https://host/x.git"]);
    insta::assert_snapshot!(summary(&plan), @r"
    numpy==1.13.3 newest-before-date: the newest before the date
    pandas==0.24.2 notebook-pin: the notebook's own install line pandas==0.24.2
    pytz==2018.5 oldest-after-date: nothing of before the date fits Python 3.6.15
    ! pandas 0.24.2 can be installed on Python 3.6.15 only since 2019-03-13, after the date
    ! pytz 2018.5 can be installed on Python 3.6.15 only since 2018-07-02, after the date
    ? git+https://host/x.git: no requirement that an index can serve
    ");
}

#[test]
fn a_pin_that_nothing_satisfies_fails_before_anything_is_installed() {
    let plan = science().plan(Dated, "2019-06-15", &[], &["numpy==99", "no-such-thing==1; python_version < '3'"]);
    insta::assert_snapshot!(summary(&plan), @"x no-matching-version: the notebook's install line asks for numpy==99, but no release of numpy is within the bound");
    assert_eq!(plan.expected_failure.unwrap().class, FailureClass::NoMatchingVersion);
    let plan = science().plan(Dated, "2022-06-15", &[], &["numpy==1.16.4"]);
    insta::assert_snapshot!(summary(&plan), @"x no-wheel-and-build-failed: the notebook's install line asks for numpy==1.16.4, but no wheel of numpy within the bound fits Python 3.10.13, and it is not built from source");
    assert_eq!(plan.expected_failure.unwrap().class, FailureClass::NoWheelAndBuildFailed);
}

#[test]
fn extras_and_markers_are_followed() {
    let world = World::new()
        .add("six 1.0", "2018-01-01", &[PURE], &[])
        .add("enum34 1.0", "2018-01-01", &[PURE], &[])
        .add("pyopenssl 1.0", "2018-01-01", &[PURE], &["six"])
        .add("pyopenssl 2.0", "2018-02-01", &[PURE], &["six"])
        .add(
            "requests 2.0",
            "2018-01-01",
            &[PURE],
            &[
                "enum34; python_version < '3.4'",
                "pyopenssl<2; extra == 'security'",
                "requests[security]; extra == 'all'",
            ],
        );
    let plan = world.plan(Dated, "2018-03-01", &["requests"], &[]);
    assert!(plan.line("pyopenssl").is_none() && plan.line("enum34").is_none());
    let plan = world.plan(Dated, "2018-03-01", &["requests"], &["requests[all]"]);
    insta::assert_snapshot!(summary(&plan), @r#"
    pyopenssl==1.0 required: not 2.0: requests[security] 2.0 needs pyopenssl<2; extra == "security"
    requests[all,security]==2.0 newest-before-date: the newest before the date
    six==1.0 newest-before-date: the newest before the date
    "#);
    assert_eq!(plan.line("pyopenssl").unwrap().asked_by[0].who, "requests[security] 2.0");
}

#[test]
fn wheels_that_straddle_the_date_are_told() {
    let world = World::new()
        .add("numpy 1.14.4", "2018-06-06", &[FOR_36, SDIST], &[])
        .add("numpy 1.14.5", "2018-06-12", &[FOR_36, FOR_37, SDIST], &[])
        .uploaded(FOR_37, "2018-08-01")
        .add("xgboost 0.80", "2018-08-13", &["py2.py3-none-manylinux1_x86_64"], &["numpy"])
        .add("xgboost 0.81", "2018-11-04", &["py2.py3-none-manylinux1_x86_64"], &["numpy"]);
    let plan = world.plan(Dated, "2018-07-02", &["numpy", "xgboost"], &[]);
    insta::assert_snapshot!(summary(&plan), @r"
    numpy==1.14.5 wheel-after-date: released before the date, but for Python 3.7.16 only later; nothing older fits
    xgboost==0.80 oldest-after-date: nothing of before the date fits Python 3.7.16
    ! numpy 1.14.5 can be installed on Python 3.7.16 only since 2018-08-01, after the date
    ! xgboost 0.80 can be installed on Python 3.7.16 only since 2018-08-13, after the date
    ");
}

#[test]
fn others_go_by_what_has_nothing_of_before_the_date() {
    let world = World::new()
        .add("keras 2.7", "2018-01-01", &[PURE], &[])
        .add("keras 2.8", "2018-08-01", &[PURE], &[])
        .add("keras 2.9", "2018-09-01", &[PURE], &[])
        .add("tensorflow 2.7", "2018-01-01", &[FOR_36], &["keras<2.8"])
        .add("tensorflow 2.8", "2018-08-01", &[FOR_37], &["keras>=2.8,<2.9"])
        .add("tensorflow 2.9", "2018-09-01", &[FOR_37], &["keras>=2.9"]);
    let plan = world.plan(Dated, "2018-07-10", &["keras", "tensorflow"], &[]);
    assert_eq!((&*plan.line("keras").unwrap().bound, &*plan.line("tensorflow").unwrap().bound), ("==2.8", "==2.8"));
    assert_eq!(plan.line("keras").unwrap().reason, PlanReason::OldestAfterDate);
    insta::assert_snapshot!(plan.line("keras").unwrap().why, @"not 2.7: tensorflow 2.8 needs keras>=2.8,<2.9");
}

#[test]
fn a_step_back_becomes_part_of_the_lock() {
    let scipy = StepBack {
        distribution: "scipy".into(),
        below: "1.3.0".parse().unwrap(),
        because: "statsmodels 0.9.0 does not import beside it".into(),
    };
    let plan =
        science().plan_with(Dated, "2019-06-15", &needs(&["statsmodels.api"], &[]), std::slice::from_ref(&scipy));
    insta::assert_snapshot!(summary(&plan), @r"
    numpy==1.16.4 newest-before-date: the newest before the date
    pandas==0.24.2 newest-before-date: the newest before the date
    pytz==2018.5 newest-before-date: the newest before the date
    scipy==1.1.0 stepped-back: 1.1.0 instead of 1.3.0: statsmodels 0.9.0 does not import beside it
    statsmodels==0.9.0 newest-before-date: the newest before the date
    ");
    let pinned = science().plan_with(Dated, "2019-06-15", &needs(&[], &["scipy==1.3.0"]), &[scipy]);
    assert_eq!(pinned.line("scipy").unwrap().bound, "==1.3.0");
    insta::assert_snapshot!(pinned.warnings[0].words, @"scipy 1.3.0 stays although statsmodels 0.9.0 does not import beside it: the notebook pins it");
}

#[test]
fn what_clashes_is_told_in_words() {
    let world = science()
        .add("tpot 2.0.0", "2017-03-14", &[PURE], &["numpy<1.15"])
        .add("lightgbm 2.0", "2017-06-01", &[PURE], &["numpy>=1.15"])
        .add("lightgbm 2.1", "2017-07-01", &[PURE], &["numpy>=1.16"])
        .add("theano 0.9", "2017-03-20", &[PURE], &["numpy<1.10"]);
    let failure = |imports: &[&str], pins: &[&str]| {
        let plan = world.plan(Dated, "2019-06-15", imports, pins);
        assert!(plan.lines.is_empty(), "{plan:?}");
        summary(&plan)
    };
    insta::assert_snapshot!(failure(&["tpot", "lightgbm"], &[]), @"x conflict: tpot 2.0.0 (import tpot) needs numpy<1.15; lightgbm 2.1 (import lightgbm) needs numpy>=1.16");
    insta::assert_snapshot!(failure(&["tpot", "lightgbm"], &["lightgbm==2.0"]), @"x conflict: lightgbm 2.0 (asked for by the notebook's install line lightgbm==2.0) needs numpy>=1.15; tpot 2.0.0 (import tpot) needs numpy<1.15");
    insta::assert_snapshot!(failure(&["lightgbm"], &["numpy==1.14.5"]), @"x conflict: lightgbm 2.1 (import lightgbm) needs numpy>=1.16; the notebook's install line asks for numpy==1.14.5");
    insta::assert_snapshot!(failure(&["theano"], &["pandas==0.24.2"]), @"x no-matching-version: theano 0.9 (import theano) needs numpy<1.10, but no release of numpy is within the bound");
    insta::assert_snapshot!(failure(&["pandas"], &["numpy==1.14.5", "numpy<1.13"]), @"x no-matching-version: the notebook's install line asks for numpy<1.13, but no release of numpy is within the bound");
}

#[test]
fn an_older_release_is_taken_where_the_newest_does_not_fit_the_rest() {
    let world = World::new()
        .add("numpy 1.16", "2019-01-01", &[PURE], &[])
        .add("numpy 1.17", "2019-02-01", &[PURE], &[])
        .python(">=3.7.17")
        .add("scipy 1.2", "2019-01-01", &[PURE], &["numpy"])
        .add("scipy 1.3", "2019-02-01", &[PURE], &["numpy>=1.17"])
        .add("tpot 2.1", "2019-01-01", &[PURE], &["scipy<1.3", "theano"])
        .add("tpot 2.2", "2019-02-01", &[PURE], &["scipy<1.3", "theano>=2"])
        .add("theano 1.0", "2019-01-01", &[PURE], &[]);
    let plan = world.plan(Dated, "2019-06-15", &["scipy", "tpot"], &[]);
    insta::assert_snapshot!(summary(&plan), @r"
    numpy==1.16 newest-before-date: the newest before the date
    scipy==1.2 required: not 1.3: tpot 2.1 needs scipy<1.3
    theano==1.0 newest-before-date: the newest before the date
    tpot==2.1 required: the newest beside the others (2.2 is not)
    ");
    let again = world.plan(Dated, "2019-06-15", &["scipy", "tpot"], &[]);
    assert_eq!(again.to_json(), plan.to_json());
}

#[test]
fn an_optional_import_gives_way() {
    let world = science().add("tpot 2.0.0", "2017-03-14", &[PURE], &["numpy<1.10"]);
    let needs = Needs { optional: vec!["tpot.builtins".into()], ..needs(&["tpot.builtins", "pandas"], &[]) };
    let plan = world.plan_with(Dated, "2019-06-15", &needs, &[]);
    insta::assert_snapshot!(summary(&plan), @r"
    numpy==1.16.4 newest-before-date: the newest before the date
    pandas==0.24.2 newest-before-date: the newest before the date
    pytz==2018.5 newest-before-date: the newest before the date
    ");
    assert_eq!(plan.skipped[0].import, "tpot.builtins");
    assert!(plan.skipped[0].reason.starts_with("optional, and it cannot be had: "), "{:?}", plan.skipped);
}

#[test]
fn source_archives_are_built_with_tools_of_the_date() {
    let world = science()
        .add("theano 0.9", "2017-03-20", &[SDIST], &["numpy"])
        .add("cython 0.29", "2018-10-14", &[PURE], &[])
        .add("hdbscan 0.8", "2019-01-01", &[SDIST], &["numpy<1.15"])
        .built_with(&["cython>=0.27", "numpy>=1.13", "setuptools; python_version > '4'"]);
    let plan = world.plan(Dated, "2019-06-15", &["theano", "hdbscan"], &["theano", "hdbscan"]);
    let build: Vec<String> = plan.build.iter().map(Line::requirement).collect();
    assert_eq!(build, ["cython==0.29", "numpy==1.14.5", "setuptools==40.0.0", "wheel==0.31.0"]);
    assert_eq!(plan.build[0].asked_by[0].who, "building hdbscan 0.8");
    assert_eq!(plan.line("theano").unwrap().wheels, Wheels::SourceOnly);
}

#[test]
fn setuptools_stays_old_unless_a_requirement_says_otherwise() {
    let world = World::new().add("six 1.0", "2018-01-01", &[PURE], &[]).add(
        "requests 2.0",
        "2018-01-01",
        &[PURE],
        &["setuptools>=60"],
    );
    let setuptools = |date: &str, import: &str| {
        let needs = needs(&[import], &[]);
        let request =
            PlanRequest { python: Some("3.9".parse().unwrap()), ..PlanRequest::new(&needs, day(date), Dated) };
        let plan = plan(&request, &world.index(), &machine()).unwrap();
        plan.line("setuptools").unwrap().bound.clone()
    };
    assert_eq!(setuptools("2022-06-01", "six"), "==57.5.0");
    assert_eq!(setuptools("2022-06-01", "requests"), "==62.0.0");
    let newer = world.plan(Dated, "2022-06-01", &["six"], &[]);
    assert_eq!(newer.line("setuptools").unwrap().bound, "==62.0.0");
}

#[test]
fn the_python_follows_date_syntax_and_the_saved_version() {
    let python = |date: &str, needs: &Needs| {
        let plan = science().plan_with(Paper, date, needs, &[]);
        (plan.interpreter.minor().to_string(), plan.python_reason)
    };
    let of = |hint: Option<&str>, minimum_minor: u32| Needs {
        interpreter_hint: hint.and_then(|text| text.parse().ok()),
        minimum_minor,
        ..needs(&[], &[])
    };
    assert_eq!(python("2018-01-01", &of(None, 0)), ("3.6".into(), PythonReason::Date));
    assert_eq!(python("2018-01-01", &of(Some("3.7.1"), 0)), ("3.7".into(), PythonReason::SavedBy));
    assert_eq!(python("2018-01-01", &of(Some("2.7.15"), 8)), ("3.8".into(), PythonReason::Syntax));
    assert_eq!(python("2021-01-01", &of(Some("3.6.9"), 0)), ("3.9".into(), PythonReason::Date));
    assert_eq!(python("2018-01-01", &of(Some("nonsense"), 0)), ("3.6".into(), PythonReason::Date));
    let needs = of(None, 0);
    let python = Some("3.7".parse().unwrap());
    let request = PlanRequest { python, ..PlanRequest::new(&needs, day("2021-01-01"), Paper) };
    let plan = plan(&request, &science().index(), &machine()).unwrap();
    assert_eq!((plan.interpreter.version.to_string().as_str(), plan.python_reason), ("3.7.16", PythonReason::Asked));
    assert_eq!(plan.python_latest_patch.to_string(), "3.7.17");
}

#[test]
fn impossible_dates_majors_and_machines_are_refused() {
    let refused = |major: u32, date: &str| {
        let needs = Needs { major, ..Needs::default() };
        plan(&PlanRequest::new(&needs, day(date), Dated), &World::new().index(), &machine()).unwrap_err().to_string()
    };
    insta::assert_snapshot!(refused(3, "2010-07-02"), @"2010-07-02T00:00:00Z is before the first release of Python 2.7 (2010-07-03T00:00:00Z); name a date from then on");
    insta::assert_snapshot!(refused(3, "2999-01-01"), @"2999-01-01T00:00:00Z is in the future, when nothing was uploaded yet; name a date up to now");
    insta::assert_snapshot!(refused(4, "2019-01-01"), @"Python 4 has no releases; the major must be 2 or 3");
    let needs = Needs { major: 3, ..Needs::default() };
    let strict = plan(&PlanRequest::new(&needs, day("2016-01-01"), Paper), &World::new().index(), &machine());
    assert!(strict.unwrap_err().to_string().starts_with("no Python 3.5 on this machine"));
}

#[test]
fn dated_plans_for_the_nearest_interpreter_that_is_here() {
    let world = World::new().add("numpy 1.11.3", "2016-12-18", &[FOR_36], &[]);
    let plan = world.plan(Dated, "2016-08-01", &["numpy"], &[]);
    assert_eq!((plan.interpreter.minor().to_string().as_str(), plan.python_reason), ("3.6", PythonReason::Nearest));
    assert_eq!(plan.warnings.iter().filter(|warning| warning.kind == WarningKind::OtherInterpreter).count(), 1);
    assert_eq!(plan.line("numpy").unwrap().reason, PlanReason::OldestAfterDate);
}

#[test]
fn what_nobody_declared_is_asked_for_by_who_imports_it() {
    let missing = [UnrequiredModule { module: "scipy.stats".into(), by: "pandas 0.24.2".into() }];
    let world = science().add("scipy 1.2.0", "2018-12-17", &[PURE], &["numpy"]);
    let needs = needs(&["pandas"], &[]);
    let request = PlanRequest { missing: &missing, ..PlanRequest::new(&needs, day("2019-06-15"), Dated) };
    let plan = plan(&request, &world.index(), &machine()).unwrap();
    let asked: Vec<&str> = plan.line("scipy").unwrap().asked_by.iter().map(|asked| asked.who.as_str()).collect();
    assert_eq!(asked, ["pandas 0.24.2 (imports scipy.stats without requiring it)"]);
}

#[test]
fn what_is_called_for_without_an_import_is_had_where_it_can_be() {
    let sheets = |module: &str| vec![UnrequiredModule { module: module.into(), by: "read_excel".into() }];
    let world = science().add("xlrd 1.2.0", "2018-12-15", &[PURE], &[]).add(
        "openpyxl 2.6.0",
        "2019-02-06",
        &[PURE],
        &["pandas<0.20"],
    );
    let of = |strategy, module| {
        let needs = Needs { unasked: sheets(module), ..needs(&["pandas"], &[]) };
        world.plan_with(strategy, "2019-06-15", &needs, &[])
    };
    let had = of(Dated, "xlrd");
    let asked: Vec<&str> = had.line("xlrd").unwrap().asked_by.iter().map(|asked| asked.who.as_str()).collect();
    assert_eq!(asked, ["read_excel (imports xlrd without requiring it)"]);
    assert!(of(Paper, "xlrd").line("xlrd").is_none(), "the paper goes by imports");
    let clashing = of(Dated, "openpyxl");
    assert!(clashing.line("openpyxl").is_none() && clashing.line("pandas").is_some(), "{clashing:?}");
    assert_eq!(clashing.skipped[0].import, "read_excel");
}

#[test]
fn local_modules_and_unheard_of_ones_install_nothing() {
    let needs = Needs { local: vec!["helpers".into()], ..needs(&["helpers.text", "kaggle_secrets", ".near"], &[]) };
    let plan = science().plan_with(Dated, "2019-06-15", &needs, &[]);
    assert!(plan.lines.iter().all(|line| line.asked_by[0].who == "environment"), "{plan:?}");
    insta::assert_snapshot!(summary(&plan), @"? kaggle_secrets: exists only in Kaggle's image");
    assert_eq!(plan.skipped.iter().map(|skipped| skipped.reason.as_str()).collect::<Vec<_>>(), ["local", "local"]);
}
