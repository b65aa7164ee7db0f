//! Texts that want to be more than a name with a version range.

use proptest::prelude::*;

use super::*;

#[test]
fn nothing_but_names_with_ranges_is_read() {
    let attacks = [
        "http://127.0.0.1:1/x.whl",
        "https://h/x.whl",
        "ftp://h/x",
        "file:///etc/passwd",
        "file:x",
        "x @ http://h/x.whl",
        "x@file:///x",
        "x[y]@ http://h",
        "git+https://h/x",
        "git+ssh://h/x",
        "hg+http://h",
        "svn+http://h",
        "bzr+http://h",
        "/x.whl",
        "./x.whl",
        "../x",
        "..",
        ".",
        "~",
        "~/x",
        "x/y",
        "x\\y",
        "x.whl",
        "x-1.0.tar.gz",
        "x.zip",
        "x.tar.bz2",
        "x.tgz",
        "-e",
        "-e .",
        "-r/etc/passwd",
        "--index-url=http://h",
        "-ihttp://h",
        "--",
        "-",
        "@x",
        "x @ x",
        "$X",
        "${X}",
        "`x`",
        "x --index-url http://h",
        "x\n--index-url http://h",
        "x\r-r y",
        "x==1.0 --global-option=y",
        "x==1.0 -r y",
        "x[a\n-r y]==1.0",
        "x[a -r y]",
        "x; python_version > '3' -r y",
        "x; python_version > '3\n-r y'",
        "x\0",
        "é",
        "х",
        "x; os_name == 'a -r y'",
        "x; nonsense",
        "x; os_name == '/etc'",
        "x #y",
        "x==1.0#y",
        "x==1;2",
        "x y",
        "x=1",
        "%s",
        "x;@ http://h",
        "x ;python_version>'3' @ file:///y",
        "x>=1@http://h",
        "\u{202e}x",
        "",
        " ",
    ];
    for attack in attacks {
        let read = NamedRequirement::parse(attack);
        assert!(read.is_err(), "{attack:?} was read as {read:?}");
    }
    assert!(NamedRequirement::parse(&"x".repeat(LONGEST + 1)).is_err());
}

#[test]
fn names_with_ranges_stay_what_they_are() {
    let cases = [
        ("Scikit_Learn==0.19.1", "scikit-learn==0.19.1"),
        (" a [x, Y_z] >= 1 , <2 ; python_version<'3'", "a[x,y-z]>=1,<2; python_version < \"3\""),
        ("a===1.0+local", "a===1.0+local"),
        ("zope.interface (>=3)", "zope-interface>=3"),
    ];
    for (text, expected) in cases {
        let read = NamedRequirement::parse(text).unwrap();
        assert_eq!(read.as_str(), expected);
        assert_eq!(Some(read.name()), expected.split(['=', '[', '>']).next());
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "numpy",
        "http://h/",
        "file:",
        "git+",
        "/",
        "./",
        "..",
        "~",
        ".whl",
        ".tar.gz",
        "@",
        " @ ",
        "-",
        "--",
        "-r ",
        "-e ",
        "--index-url=",
        "[",
        "]",
        "(",
        ")",
        "==",
        ">=",
        "1.0",
        "*",
        ",",
        ";",
        " ",
        "\n",
        "\r",
        "\t",
        "\0",
        "\\",
        "#",
        "$X",
        "'",
        "\"",
        "python_version",
        "os_name",
        "extra",
        " and ",
        "in ",
        "\u{a0}",
        "\u{2028}",
        "é",
        "%",
        "`",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|parts| parts.concat())
}

/// Whether a text is what PEP 508 calls a name with extras, specifiers and marker, by a grammar written for this test alone.
fn is_plain(text: &str) -> bool {
    let (requirement, marker) = text.split_once(';').unwrap_or((text, ""));
    let end = requirement.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
    let (name, rest) = requirement.split_at(end.unwrap_or(requirement.len()));
    let rest = rest.strip_prefix('[').map_or(rest, |inside| inside.split_once(']').map_or("?", |(_, rest)| rest));
    let specifier = |part: &str| {
        let version = part.trim_start_matches(['=', '<', '>', '!', '~']);
        version.len() < part.len()
            && !version.is_empty()
            && version.chars().all(|c| c.is_ascii_alphanumeric() || ".*+!-_".contains(c))
    };
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && (rest.is_empty() || rest.split(',').all(specifier))
        && text.chars().all(|c| matches!(c, ' '..='~'))
        && !marker.contains(['@', '/', '\\', '#', '$', ';', '%', '`'])
        && !text.contains("://")
        && !text.contains(" -")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn what_an_installer_gets_is_plain_and_reads_back(text in "\\PC*", other in pieces()) {
        for text in [text, other] {
            if let Ok(read) = NamedRequirement::parse(&text) {
                prop_assert!(is_plain(read.as_str()), "{:?} -> {}", text, read);
                prop_assert_eq!(NamedRequirement::parse(read.as_str()).ok(), Some(read.clone()));
            }
        }
    }
}
