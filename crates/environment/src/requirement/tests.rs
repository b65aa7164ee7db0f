//! Requirements as they occur, and the promise that no text at all breaks the reader.

use super::*;
use crate::plan::fixture::interpreter;
use proptest::prelude::*;

fn environment(version: &str) -> MarkerEnvironment {
    MarkerEnvironment::of(&interpreter(version))
}

fn admits(text: &str, version: &str) -> bool {
    Requirement::read(text).unwrap_or_else(|| panic!("{text}")).admits(&version.parse().unwrap())
}

#[test]
fn names_extras_and_bounds() {
    let read =
        Requirement::read(" Requests[Security, socks ,] ( >= 2.8.1 , == 2.8.* ) ; python_version < '3' ").unwrap();
    assert_eq!((read.name.as_str(), read.bound.as_str()), ("requests", ">=2.8.1,==2.8.*"));
    assert_eq!(read.extras, ["security", "socks"]);
    assert_eq!(read.to_string(), r#"requests[security,socks]>=2.8.1,==2.8.*; python_version < "3""#);
    assert!(!read.is_exact() && Requirement::read("a===1").unwrap().is_exact());
}

#[test]
fn old_spellings_bound_what_they_can() {
    let cases = [
        ("pytz (>=2011k)", "2010.1", true),
        ("pytz>=2004d,<2019", "2019.1", false),
        ("numpy (>=1,<2)", "1.5", true),
        ("x>=2.7.*", "2.7", true),
        ("x<3.10.*", "3.10.1", false),
        ("x>=1.0,", "0.9", false),
        ("x~=1.4.2", "1.4.9", true),
        ("x~=1.4.2", "1.5", false),
        ("x===1.0", "1.0", true),
        ("x==1.0.*", "1.0.7", true),
        ("x (0.5)", "0.4", true),
        ("x", "1", true),
    ];
    for (text, version, expected) in cases {
        assert_eq!(admits(text, version), expected, "{text} {version}");
    }
}

#[test]
fn places_and_nonsense_are_told_apart() {
    for place in ["git+https://host/x.git", "./local", "x @ https://host/x.whl", "~/x", "a/b", "x-1.0.tar.gz", "y.whl"]
    {
        assert!(matches!(Requirement::parse(place), Err(NotARequirement::Location(_))), "{place}");
    }
    for nonsense in ["", "  ", "hello world", "x=1.0", "-r", "x[y", "x>=", "x>=1 2;", "_", "x>>1", "x 1.0"] {
        let read = Requirement::parse(nonsense);
        // Blanks inside a bound are lost, as installers of old lose them.
        let fine = nonsense == "x>=1 2;";
        assert_eq!(matches!(read, Err(NotARequirement::Unreadable(_))), !fine, "{nonsense}: {read:?}");
    }
}

#[test]
fn markers_are_evaluated_for_linux() {
    let cases = [
        ("python_version < '3'", "2.7.18", true),
        ("python_version < '3.10'", "3.9.18", true),
        ("python_version >= '3.10'", "3.9.18", false),
        ("python_version < '3.10.*'", "3.10.13", false),
        ("python_version == '3.7.*'", "3.7.16", true),
        ("python_full_version < '3.7.1'", "3.7.16", false),
        ("'3.6' <= python_version", "3.7.16", true),
        ("python_version in '2.6 2.7 3.1'", "2.7.18", true),
        ("python_version in '3.10, 3.11'", "3.1", false),
        ("python_version not in '2.6, 2.7'", "3.6.15", true),
        ("sys_platform == 'win32'", "3.6.15", false),
        ("'linux' in sys_platform", "2.7.18", true),
        ("sys_platform == 'linux2'", "2.7.18", true),
        ("os.name == \"posix\" and (platform_machine == 'x86_64' or extra == 'x')", "3.6.15", true),
        ("platform_system != 'Darwin' and platform_python_implementation == 'CPython'", "3.8.18", true),
        ("implementation_name == 'cpython'", "3.8.18", true),
        ("extra == 'test'", "3.8.18", false),
        ("extra == 'test' or python_version > '3'", "3.8.18", true),
        ("python_version ?? 3", "3.8.18", true),
        ("extra is test", "3.8.18", false),
        ("unheard_of == 'x'", "3.8.18", true),
    ];
    for (marker, version, expected) in cases {
        let read = Requirement::read(&format!("x; {marker}")).unwrap();
        assert_eq!(read.applies(&environment(version), None), expected, "{marker} on {version}");
    }
    let extra = Requirement::read("x; extra == 'Dev_Tools' and python_version > '3'").unwrap();
    assert!(extra.applies(&environment("3.8.18"), Some("dev-tools")));
    assert!(!extra.applies(&environment("2.7.18"), Some("dev-tools")));
    assert!(!extra.applies(&environment("3.8.18"), Some("doc")));
}

#[test]
fn deep_nesting_is_given_up() {
    let text = format!("x; {}python_version > '3'{}", "(".repeat(5000), ")".repeat(5000));
    assert!(matches!(Requirement::read(&text).unwrap().marker, Some(EnvironmentMarker::Unreadable(_))));
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "numpy",
        "[",
        "]",
        "(",
        ")",
        ">=",
        "==",
        "<",
        "~=",
        "!=",
        "1.0",
        "2011k",
        "*",
        ",",
        ";",
        " ",
        "extra",
        "'",
        "\"",
        "and",
        "or",
        "not",
        "in",
        "python_version",
        "'3.7'",
        "sys_platform",
        "@",
        "é",
        ".",
        "-",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "\\PC*", other in pieces()) {
        for text in [text, other] {
            if let Some(read) = Requirement::read(&text) {
                let _ = read.applies(&environment("3.8.18"), Some("x"));
                let written = read.to_string();
                prop_assert_eq!(Requirement::read(&written), Some(read), "{} -> {}", text, written);
            }
        }
    }

    #[test]
    fn well_formed_ones_come_back_as_written(
        name in "[a-z][a-z0-9]{0,8}", extra in "[a-z]{1,5}", major in 0_u32..30, minor in 0_u32..30,
        operator in prop::sample::select(OPERATORS.to_vec()),
    ) {
        let text = format!(r#"{name}[{extra}]{operator}{major}.{minor}; python_version >= "3.{minor}" and extra == "{extra}""#);
        let read = Requirement::read(&text).unwrap();
        prop_assert_eq!(read.specifiers.iter().count(), 1);
        prop_assert_eq!(read.to_string(), text);
    }
}
