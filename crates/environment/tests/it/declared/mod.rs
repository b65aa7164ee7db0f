//! Files that declare, held against what other programs read of them (`verdicts.py` wrote their verdicts).

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_environment::declared::{
    DeclarationStanding, DeclaredRequirement, RepositoryDeclarations, RepositoryTree, UnreadReason,
};
use nbrevive_environment::versions::{normalise, within};
use nbrevive_files::Folder;

const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/declared");

fn read(files: &[(&str, &[u8])]) -> RepositoryDeclarations {
    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = place.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    RepositoryDeclarations::read(&RepositoryTree::walk(Folder::open(place.path()).unwrap()).unwrap())
}

fn rows(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(Path::new(HERE).join(name)).unwrap();
    let unquoted = |field: &str| match field.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) => inside.replace("\"\"", "\""),
        None => field.to_owned(),
    };
    text.lines().skip(1).map(|line| line.split('\t').map(unquoted).collect()).collect()
}

fn case(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(HERE).join("pip").join(name)).unwrap()
}

/// One requirement as the verdicts of pip have it.
fn as_pip_says(row: &DeclaredRequirement) -> Vec<String> {
    let mut specifiers: Vec<&str> = row.requirement.bound.split(',').filter(|part| !part.is_empty()).collect();
    specifiers.sort_unstable();
    let requirement = &row.requirement;
    vec![
        row.file.clone(),
        row.line.to_string(),
        requirement.name.clone(),
        requirement.extras.join(" "),
        specifiers.join(" "),
        row.hashes.len().to_string(),
        if requirement.marker.is_some() { "marker".into() } else { String::new() },
    ]
}

#[test]
fn requirements_files_are_read_as_pip_reads_them() {
    let verdicts = rows("pip.tsv");
    let cases: BTreeSet<&String> = verdicts.iter().map(|row| &row[0]).collect();
    assert_eq!(cases.len(), 6);
    for name in cases {
        let of_case = || verdicts.iter().filter(|row| row[0] == *name);
        let expected: BTreeSet<Vec<String>> = of_case()
            .map(|row| {
                let file = if row[1] == *name { "requirements.txt".to_owned() } else { row[1].clone() };
                let extras: BTreeSet<String> = row[4].split(' ').map(normalise).collect();
                let extras = extras.into_iter().collect::<Vec<_>>().join(" ");
                let name = normalise(&row[3]);
                vec![file, row[2].clone(), name, extras, row[5].clone(), row[8].clone(), row[9].clone()]
            })
            .collect();
        let declared = read(&[("requirements.txt", &case(name)), ("plain_base.txt", &case("plain_base.txt"))]);
        let found: BTreeSet<Vec<String>> = declared.requirements.iter().map(as_pip_says).collect();
        assert_eq!(found, expected, "{name}");
        let places = of_case().filter(|row| !row[6].is_empty());
        let expected: Vec<(String, bool)> = places.map(|row| (row[2].clone(), !row[7].is_empty())).collect();
        let found = declared.unread.iter().map(|row| (row.line.to_string(), row.reason == UnreadReason::Editable));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn constraints_of_poetry_admit_what_poetry_admits() {
    let text = std::fs::read_to_string(Path::new(HERE).join("poetry.tsv")).unwrap();
    let versions: Vec<&str> = text.lines().next().unwrap().split("\tof ").nth(1).unwrap().split(' ').collect();
    for row in rows("poetry.tsv") {
        let file = format!("[tool.poetry.dependencies]\nsix = \"{}\"\n", row[0]);
        let declared = read(&[("pyproject.toml", file.as_bytes())]);
        let specifiers = &declared.requirements[0].requirement.specifiers;
        let admitted = versions.iter().filter(|version| within(specifiers, &version.parse().unwrap()));
        assert_eq!(admitted.copied().collect::<Vec<_>>().join(" "), row[1], "{} is {specifiers}", row[0]);
    }
}

#[test]
fn setup_cfg_is_read_as_setuptools_reads_it() {
    let text = std::fs::read_to_string(Path::new(HERE).join("setup_cfg.txt")).unwrap();
    for (number, text) in text.split("=====\n").enumerate() {
        let declared = read(&[("setup.cfg", text.as_bytes())]);
        let of_row = |row: &DeclaredRequirement| {
            let extra = row.note.strip_prefix("extra ").unwrap_or("install").to_owned();
            (extra, row.requirement.to_string())
        };
        let mut found: BTreeSet<(String, String)> = declared.requirements.iter().map(of_row).collect();
        found.extend(declared.pythons.iter().map(|wish| ("python".to_owned(), wish.specifiers.clone())));
        let verdicts = rows("setup_cfg.tsv").into_iter().filter(|row| row[0] == number.to_string());
        let expected: BTreeSet<(String, String)> = verdicts
            .map(|row| {
                let read = nbrevive_environment::requirement::Requirement::read(&row[2]);
                let text = if row[1] == "python" { row[2].clone() } else { read.unwrap().to_string() };
                (row[1].clone(), text)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
        assert!(declared.unread.is_empty(), "{:?}", declared.unread);
    }
}

#[test]
fn lists_of_conda_are_those_that_another_parser_reads() {
    let text = std::fs::read_to_string(Path::new(HERE).join("environment_yml.txt")).unwrap();
    for (number, text) in text.split("=====\n").enumerate() {
        let declared = read(&[("environment.yml", text.as_bytes())]);
        let mut found: Vec<String> = declared.requirements.iter().map(|row| row.written.clone()).collect();
        found.extend(declared.pythons.iter().map(|wish| format!("python{}", wish.specifiers)));
        found.sort();
        let verdicts = rows("environment_yml.tsv").into_iter().filter(|row| row[0] == number.to_string());
        let expected = verdicts.map(|row| row[2].replace("python=3", "python==3")).filter(|text| text != "pip");
        let mut expected: Vec<String> =
            expected.map(|text| if text.starts_with("python==") { format!("{text}.*") } else { text }).collect();
        expected.sort();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn nothing_leads_out_of_a_repository() {
    let place = tempfile::tempdir().unwrap();
    let inside = place.path().join("inside");
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::write(place.path().join("secret.txt"), "secret==1\n").unwrap();
    std::os::unix::fs::symlink("../secret.txt", inside.join("requirements-link.txt")).unwrap();
    let text = "-r ../secret.txt\n-r /etc/hostname\n-r requirements-link.txt\n-r gone.txt\n-r https://h/x.txt\n\
        -i https://me:word@h/simple\n--find-links /tmp\nsix\n-r .\n";
    std::fs::write(inside.join("requirements.txt"), text).unwrap();
    let declared = RepositoryDeclarations::read(&RepositoryTree::walk(Folder::open(&inside).unwrap()).unwrap());
    assert_eq!(declared.requirements.len(), 1);
    let said: Vec<String> = declared
        .unread
        .iter()
        .map(|row| format!("{}:{} {} {}", row.file, row.line, row.piece, row.reason.as_str()))
        .collect();
    insta::assert_snapshot!(said.join("\n"));
    assert!(!said.join("").contains("word"));
}

fn shown(declared: &RepositoryDeclarations) -> String {
    let mut lines: Vec<String> = declared
        .requirements
        .iter()
        .map(|row| format!("{} {} [{}] {}", row.place(), row.requirement, row.standing, row.note).trim_end().to_owned())
        .collect();
    let python = |row: &nbrevive_environment::declared::PythonWish| {
        format!("python {}:{} {} [{}]", row.file, row.line, row.specifiers, row.standing)
    };
    lines.extend(declared.pythons.iter().map(python));
    let system = declared.system.iter();
    lines.extend(
        system.map(|row| format!("system {}:{} {} {}", row.file, row.line, row.name, row.note).trim_end().to_owned()),
    );
    let unread = declared.unread.iter();
    lines.extend(unread.map(|row| format!("left {}:{} {} ({})", row.file, row.line, row.piece, row.reason.as_str())));
    lines.join("\n")
}

#[test]
fn every_kind_of_file_gives_its_rows() {
    let pyproject = "[build-system]\nrequires = [\"setuptools>=61\"]\n[project]\nrequires-python = \">=3.8\"\ndependencies = [\n  \"numpy>=1.20\",\n  \"x @ git+https://h/x\",\n]\n[project.optional-dependencies]\ntest = [\"pytest\"]\n[dependency-groups]\ndev = [\"ruff\", {include-group = \"x\"}]\n[tool.uv.sources]\nx = {git = \"https://h/x\"}\n[[tool.uv.index]]\nurl = \"https://me:pw@h/simple\"\n";
    let poetry = "[tool.poetry.dependencies]\npython = \"^3.8\"\nnumpy = \"^1.2\"\nfoo = {version = \"~2.0\", extras = [\"a\"], optional = true}\nbar = {git = \"https://h/bar.git\", branch = \"x\"}\nloc = {path = \"../loc\"}\nmulti = [{version = \"<2\", python = \"<3.9\"}, {version = \">=2\", python = \">=3.9\"}]\nold = \"1.0 || 2.0\"\n[tool.poetry.group.dev.dependencies]\nblack = \"*\"\n[[tool.poetry.source]]\nname = \"s\"\nurl = \"https://h/simple\"\n";
    let pipfile = "[[source]]\nurl = \"https://h/simple\"\n[packages]\nrequests = \"*\"\nnumpy = \"==1.18\"\nr2 = {git = \"https://h/r2.git\", editable = true}\nme = {path = \".\", editable = true}\ndj = {version = \">=2\", extras = [\"bcrypt\"], markers = \"python_version < '3.8'\"}\n[dev-packages]\npytest = \">=5\"\n[requires]\npython_version = \"3.7\"\n";
    let lock = "{\n    \"_meta\": {\n        \"requires\": {\n            \"python_version\": \"3.7\"\n        }\n    },\n    \"default\": {\n        \"numpy\": {\n            \"hashes\": [],\n            \"version\": \"==1.18.1\"\n        },\n        \"six\": {\n            \"markers\": \"python_version >= '2.7'\",\n            \"version\": \"==1.14.0\"\n        }\n    },\n    \"develop\": {\n        \"six\": {\n            \"version\": \"==1.14.0\"\n        }\n    }\n}\n";
    let setup = "from setuptools import setup\nsetup(install_requires=['a>=1', 'b==' + v], python_requires='>=3.5',\n  extras_require={'x': ['c']}, setup_requires=['cython'])\n";
    let conda = "channels: [defaults, bad]\ndependencies:\n- python=3.6\n- pytorch::pytorch=1.4\n- cudatoolkit=10.1\n- anaconda\n- opencv=4.1\n- numpy[version='>=1.18,<2']\n- https://h/x.tar.bz2\n- pip:\n  - -r extra.txt\n";
    let docker = "FROM python:3.8-slim\nRUN apt-get update && \\\n    apt-get install -y git && \\\n    pip install numpy==1.19 \\\n       six\n";
    let readme = "# Title\n\n```bash\n$ pip install foo==1.0\n```\n\nor `conda install bar`, then\n\n    python -m pip install -r x.txt baz\n";
    let mut said = Vec::new();
    for (name, text) in [
        ("pyproject.toml", pyproject),
        ("pyproject.toml", poetry),
        ("Pipfile", pipfile),
        ("Pipfile.lock", lock),
        ("setup.py", setup),
        ("environment.yml", conda),
        ("Dockerfile", docker),
        ("README.md", readme),
        ("runtime.txt", "python-3.7.9\n"),
        (".python-version", "3.8.5\nmyenv\n"),
        ("apt.txt", "graphviz  # for plots\n$(id)\n"),
        ("binder/postBuild", "#!/bin/bash\npip install x\n"),
        ("pyproject.toml", "[project\n"),
        ("Pipfile.lock", "{"),
        ("environment.yml", "dependencies:\n  - numpy=1.0\n - : {\n"),
    ] {
        let declared = read(&[(name, text.as_bytes()), ("extra.txt", b"tqdm\n")]);
        assert!(!declared.files.is_empty(), "{name}");
        said.push(format!(
            "== {name}
{}
",
            shown(&declared)
        ));
    }
    insta::assert_snapshot!("kinds", said.join("\n"));
}

#[test]
fn one_file_goes_before_another() {
    let requirements = ("requirements.txt", b"numpy==1.19\nscipy\n".as_slice());
    let environment = ("environment.yml", b"dependencies:\n- numpy=1.11\n- scipy=1.0\n- tqdm\n".as_slice());
    let further = ("requirements-gpu.txt", b"cupy\n".as_slice());
    let developers = ("requirements-dev.txt", b"pytest\n".as_slice());
    let notebook = ("work/a.ipynb", b"{}".as_slice());
    let nested = ("work/requirements.txt", b"numpy==1.0\npandas\n".as_slice());
    let elsewhere = ("vendor/requirements.txt", b"six\n".as_slice());
    let binder = ("binder/requirements.txt", b"-r ../requirements.txt\nattrs\n".as_slice());
    let all = [requirements, environment, further, developers, notebook, nested, elsewhere];
    insta::assert_snapshot!("several", shown(&read(&all)));
    insta::assert_snapshot!("binder", shown(&read(&[&all[..], &[binder]].concat())));
    let alone = read(&[developers, notebook]);
    assert_eq!(alone.requirements[0].standing, DeclarationStanding::Extra);
    assert!(!alone.declares());
}
