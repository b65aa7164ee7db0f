//! Install lines that want more than names from the index.

use std::os::unix::fs::symlink;

use nbrevive_notebook::Cell;

use super::*;

fn taken(source: &str, beside: &Beside) -> Installs {
    take_installs(&Notebook::from_cells(vec![Cell::code(source)]), beside)
}

fn named(installs: &Installs) -> Vec<&str> {
    installs.requirements.iter().map(NamedRequirement::as_str).collect()
}

fn refused(installs: &Installs) -> Vec<String> {
    installs.refused.iter().map(|one| format!("{} {}", one.why.as_str(), one.piece)).collect()
}

/// Held twice: who reads the lines refuses most pieces, and [`NamedRequirement`] all of them.
#[test]
fn only_names_are_carried_out_whatever_else_a_line_says() {
    let pieces = [
        "/srv/private-1.0-py3-none-any.whl",
        "./x.whl",
        "../input/x.tar.gz",
        "~/x.zip",
        ".",
        "x.whl",
        "file:///etc/x.whl",
        "http://127.0.0.1:1/x.whl",
        "https://h/x.tar.gz",
        "ftp://h/x.zip",
        "git+http://127.0.0.1/x",
        "git+file:///srv/x",
        "'six @ http://h/six.whl'",
        "'six@file:///srv'",
        "-e .",
        "-e git+https://h/x#egg=x",
        "--editable=/srv",
        "-r /etc/passwd",
        "-r ../secret.txt",
        "-r http://h/r.txt",
        "--req=/etc/passwd",
        "-c /etc/passwd",
        "-i http://h/simple",
        "-ihttp://h/simple",
        "--index-url=http://h",
        "--index-u http://h",
        "--extra-index-url http://h",
        "-f /srv",
        "--find /srv",
        "--proxy http://h",
        "--cache-dir /srv",
        "-t /srv",
        "--target=/srv",
        "--prefix /srv",
        "--root /srv",
        "--src /srv",
        "--trusted-host h",
        "--config-settings x=y",
        "--global-option x",
        "--install-option=--prefix=/srv",
        "--cert /srv/c",
        "--log /srv/log",
        "--python /srv/python",
        "--unheard-of",
        "$PWD/x.whl",
        "{path}",
    ];
    for piece in pieces {
        for line in [
            format!("!pip install {piece} attrs"),
            format!("%pip install attrs {piece}"),
            format!("%%bash\nPIP_INDEX_URL=http://h pip install {piece} attrs"),
            format!("import os\nos.system(\"pip install {piece} attrs\")"),
        ] {
            let installs = taken(&line, &Beside::default());
            assert_eq!(named(&installs), ["attrs"], "{line}");
            assert!(!installs.refused.is_empty(), "{line}");
            assert!(!installs.notebook.code_sources()[0].lines().any(|line| line.starts_with("!pip")), "{line}");
        }
    }
}

#[test]
fn every_refused_piece_is_told_on_one_line_without_escapes() {
    let source = "!PIP_FIND_LINKS=/srv pip install 'six @ file:///\u{1b}]52;c;eA==\u{7}' -i http://h/simple";
    let installs = taken(source, &Beside::default());
    let told: Vec<String> = installs.refused.iter().map(|one| one.told().as_str().to_owned()).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.iter().all(|line| line.starts_with("install line refused in cell 1: ")));
    assert!(!told.concat().chars().any(char::is_control), "{told:?}");
    assert!(told[0].contains("PIP_FIND_LINKS=/srv"), "{told:?}");
}

#[test]
fn requirements_files_beside_the_notebook_pass_the_same_gate_and_links_lead_nowhere() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("given");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(place.path().join("secret.txt"), "the-secret\n").unwrap();
    let text = "six==1.16.0\nhttp://127.0.0.1:1/x.whl\n-e .\n-i http://h\n--pre\nattrs; python_version > '3' -r x\n-c limits.txt\n\
                -r linked.txt\n-r ../secret.txt\n-r deep/linked.txt\n${SECRET}\n./x.whl\ndecorator==5.1.1 --global-option=x\n";
    std::fs::write(folder.join("requirements.txt"), text).unwrap();
    std::fs::write(folder.join("limits.txt"), "six<1\n").unwrap();
    symlink("../secret.txt", folder.join("linked.txt")).unwrap();
    symlink(place.path(), folder.join("deep")).unwrap();
    let installs = taken("!pip install -r requirements.txt -r /etc/passwd", &Beside::of(&folder));
    assert_eq!(named(&installs), ["six==1.16.0", "decorator==5.1.1"]);
    let expected = [
        "location http://127.0.0.1:1/x.whl",
        "editable -e .",
        "option -i http://h",
        "unreadable attrs; python_version > '3' -r x",
        "variable ${SECRET}",
        "location ./x.whl",
        "option -c limits.txt",
        "file -r linked.txt",
        "file -r ../secret.txt",
        "file -r deep/linked.txt",
        "file -r /etc/passwd",
    ];
    assert_eq!(refused(&installs), expected);
    // Without its folder a notebook has no files.
    assert_eq!(named(&taken("!pip install -r requirements.txt", &Beside::default())), [""; 0]);
}

#[test]
fn a_notebook_that_asks_for_everything_gets_a_bounded_list() {
    let many = |prefix: &str| (0..20_000).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>().join(" ");
    let installs = taken(&format!("!pip install {} {}", many("a"), many("/srv/")), &Beside::default());
    assert_eq!((installs.requirements.len(), installs.refused.len()), (MOST_REQUIREMENTS, MOST_REFUSED));
    let long = taken(&format!("!pip install a=={} /{}", "1".repeat(100_000), "x".repeat(100_000)), &Beside::default());
    assert!(long.requirements.is_empty() && long.refused.iter().all(|one| one.piece.len() <= LONGEST_PIECE));
}

#[test]
fn files_are_fetched_from_hosts_that_are_allowed_alone_and_their_trouble_is_told() {
    let file = "nbx-1.0-py3-none-any.whl";
    let source = format!(
        "!pip install https://files.example.org/{file} 'nbx @ https://files.example.org/{file}' attrs\n\
         %pip install https://other.example.org/{file} http://files.example.org/{file} git+https://files.example.org/{file}\n\
         !pip install -e https://files.example.org/{file} -f https://files.example.org/ https://me:it@files.example.org/{file}\n\
         !pip install -i https://files.example.org/simple https://127.0.0.1/{file} https://files.example.org:8443/{file}\n"
    );
    let notebook = Notebook::from_cells(vec![Cell::code(source)]);
    let hosts = [HostName::try_from("files.example.org".to_owned()).unwrap()];
    let none = take_installs(&notebook, &Beside::default());
    let mut some = take_allowed(&notebook, &Beside::default(), &hosts);
    assert!(none.asked.is_empty() && none.refused.len() > some.refused.len());
    assert_eq!(named(&some), ["attrs"]);
    let asked: Vec<String> = some.asked.iter().map(|(_, link)| link.to_string()).collect();
    assert_eq!(asked, [format!("https://files.example.org/{file}")]);
    let before = some.refused.len();
    some.fetch(|link| Err(FetchError { link: link.to_string(), why: "it is \u{1b}[31mgone".into() }));
    assert!(some.fetched.is_empty() && some.refused.len() == before + 1);
    assert_eq!(refused(&some).last().unwrap(), &format!("unfetched https://files.example.org/{file}"));
    let many: String = (0..50).map(|number| format!(" https://files.example.org/nbx-{number}.zip")).collect();
    let many = Notebook::from_cells(vec![Cell::code(format!("!pip install{many}"))]);
    let many = take_allowed(&many, &Beside::default(), &hosts);
    assert_eq!((many.asked.len(), many.refused.len()), (MOST_FILES, 50 - MOST_FILES));
}
