//! Imports tried in real environments in the sandbox.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::collections::BTreeMap;
use std::path::Path;

use nbrevive_environment::{BuildSettings, Builder, Environment, Home, Interpreters, Pinned, PinnedSet, Spec};
use nbrevive_execute::{
    ExecutionSettings, ImportOutcome, ImportResult, Owners, Trial, TrialImport, clash, try_imports,
};
use nbrevive_notebook::PythonVersion;

/// The newest of 1 June 2019 for Python 3.7, with the dates of their uploads.
const JUNE_2019: [(&str, &str, &str); 8] = [
    ("numpy", "1.16.4", "2019-05-28"),
    ("pandas", "0.24.2", "2019-03-13"),
    ("patsy", "0.5.1", "2018-10-19"),
    ("python-dateutil", "2.8.0", "2019-02-05"),
    ("pytz", "2019.1", "2019-04-06"),
    ("scipy", "1.3.0", "2019-05-17"),
    ("six", "1.12.0", "2018-12-10"),
    ("statsmodels", "0.9.0", "2018-05-14"),
];

/// An environment with these, in a home that later runs share; `None` where the interpreter is missing.
pub(crate) fn environment(minor: PythonVersion, distributions: &[(&str, &str, &str)]) -> Option<Environment> {
    let home = Home::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("environment-home"));
    let interpreters = Interpreters::installed_only(&home);
    let interpreter = interpreters.all().iter().rfind(|found| found.minor() == minor)?.clone();
    let pin = |(name, version, _): &(&str, &str, &str)| Pinned::new(name, version.parse().unwrap());
    let set = PinnedSet { interpreter, distributions: distributions.iter().map(pin).collect(), build: Vec::new() };
    let builder = Builder::new(&home, &interpreters, BuildSettings::default());
    Some(builder.build(Spec::Pinned(&set)).unwrap())
}

fn import(module: &str, names: &[&str]) -> TrialImport {
    TrialImport { module: module.into(), names: names.iter().map(ToString::to_string).collect() }
}

fn tried(environment: &Environment, imports: &[TrialImport], behind: &[&Path]) -> Vec<ImportResult> {
    let mut read_only = vec![environment.interpreter.prefix.clone(), environment.path.clone()];
    read_only.extend(behind.iter().map(|path| path.to_path_buf()));
    let behind = behind.iter().map(|path| path.to_path_buf()).collect();
    let trial = Trial { python: environment.python.clone(), behind, read_only };
    let mut settings = ExecutionSettings::default();
    settings.limits.memory_bytes = 2 << 30;
    settings.limits.disk_reserve_bytes = 0;
    try_imports(imports, &trial, &settings).unwrap()
}

#[test]
fn the_younger_of_two_that_do_not_go_together_is_found() {
    let Some(environment) = environment(PythonVersion::new(3, 7), &JUNE_2019) else { return };
    let imports = [
        import("pandas", &[]),
        import("statsmodels.api", &[]),
        import("numpy", &["array", "nosuch"]),
        import("scipy.stats", &["norm"]),
        import("xgboost", &[]),
    ];
    let results = tried(&environment, &imports, &[]);
    let words: Vec<String> = results
        .iter()
        .map(|result| match &result.outcome {
            ImportOutcome::Raised(raised) => format!("{}: {}", raised[0].exception, raised[0].message),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(words[0], "Imported");
    assert!(words[1].starts_with("ImportError: cannot import name 'factorial' from 'scipy.misc'"), "{}", words[1]);
    assert!(words[2].starts_with("ImportError: cannot import name 'nosuch' from 'numpy'"), "{}", words[2]);
    assert_eq!(words[3..], ["Imported", "ModuleNotFoundError: No module named 'xgboost'"]);
    let owners = Owners::read(&environment.site_packages);
    let day = |date: &str| format!("{date}T00:00:00Z").parse().unwrap();
    let uploaded: BTreeMap<_, _> = JUNE_2019.iter().map(|(name, _, date)| ((*name).to_owned(), day(date))).collect();
    let found = clash(&results[1], &owners, &uploaded).expect("a pair");
    assert_eq!(
        (found.importing.as_str(), found.other.as_deref(), found.younger.as_str()),
        ("statsmodels", Some("scipy"), "scipy")
    );
    assert!(results.iter().skip(2).all(|result| clash(result, &owners, &uploaded).is_none()));
}

/// Modules that do what modules should not.
fn hostile(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("nba_loud.py", "import os, sys\nprint('x' * 5000000)\nos.write(1, b'y' * 100000)\nsys.stderr.write('z')\n");
    write("nba_leaves.py", "import sys\nsys.exit(3)\n");
    write("nba_cause.py", "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ImportError('made of it')\n");
    write("nba_dies.py", "import os\nos._exit(7)\n");
    write("nba_fine.py", "x = 1\n");
    write("nba_broken.py", "def f(:\n");
    write("nba_network.py", "import socket\nsocket.create_connection(('192.0.2.1', 80), 5)\n");
}

fn hostile_modules_on(minor: PythonVersion) {
    let Some(environment) = environment(minor, &[("six", "1.12.0", "")]) else { return };
    let folder =
        tempfile::Builder::new().permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755)).tempdir().unwrap();
    hostile(folder.path());
    let imports = [
        import("nba_loud", &[]),
        import("nba_leaves", &[]),
        import("nba_cause", &[]),
        import("nba_broken", &[]),
        import("nba_network", &[]),
        import("os; import nba_fine", &[]),
        import("nba_fine", &["x"]),
        import("six", &["*"]),
        import("nba_dies", &[]),
        import("nba_fine", &[]),
    ];
    let results = tried(&environment, &imports, &[folder.path()]);
    let words: Vec<String> = results
        .into_iter()
        .map(|result| match result.outcome {
            ImportOutcome::Raised(raised) => raised[0].exception.clone(),
            ImportOutcome::Died(why) => why,
            other => format!("{other:?}"),
        })
        .collect();
    let network = if minor.major == 2 { "error" } else { "OSError" };
    let expected = [
        "Imported",
        "SystemExit",
        "ImportError",
        "SyntaxError",
        network,
        "ValueError",
        "Imported",
        "Imported",
        "the process exited with code 7",
        "NotTried",
    ];
    assert_eq!(words, expected);
}

#[test]
fn hostile_modules_are_results_too() {
    hostile_modules_on(PythonVersion::new(3, 7));
}

#[test]
fn hostile_modules_are_results_too_on_python_2() {
    hostile_modules_on(PythonVersion::new(2, 7));
}
