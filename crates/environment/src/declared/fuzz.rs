//! Declarations that want to break their readers; see the crate `fuzz`.

use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};
use nbrevive_pysource::script::decode;

use super::precedence::Declaring;
use super::row::{DeclarationKind, DeclarationStanding};
use super::sheet::Sheet;
use super::text_of;

/// What is made of the bytes as a file of each of these kinds.
fn said_as(kinds: &[DeclarationKind], bytes: &[u8]) -> u64 {
    kinds.iter().fold(0_u64, |code, kind| code.rotate_left(7) ^ said(*kind, bytes))
}

/// What a reader says of some bytes, by its first rows.
fn said(kind: DeclarationKind, bytes: &[u8]) -> u64 {
    let standing = DeclarationStanding::Counts;
    let mut sheet = Sheet::of(&Declaring { path: "x".into(), kind, standing, rank: 0 });
    text_of(&decode(bytes), &mut sheet);
    let rows = sheet.requirements.iter().take(3).map(|row| (row.standing, row.requirement.bound.len().min(9)));
    let left = sheet.unread.iter().take(3).map(|row| row.reason);
    let counts = [sheet.follow.len().min(2), sheet.pythons.len().min(2), sheet.system.len().min(2)];
    for row in &sheet.unread {
        assert!(row.piece.chars().count() <= 300 && !row.piece.contains('\n'));
    }
    code_of(&format!("{:?}{:?}{counts:?}", rows.collect::<Vec<_>>(), left.collect::<Vec<_>>()))
}

fn target<'a>(name: &'a str, test: &'a str) -> FuzzTarget<'a> {
    FuzzTarget {
        name,
        test,
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[],
        words: &[],
        shapes: &[],
        bytes_per_byte: 1000,
        most_bytes: 3 << 30,
        mutations: 1500,
        parse: |_| 0,
    }
}

fn repeated(head: &str, piece: &str, size: usize) -> Vec<u8> {
    [head, &piece.repeat(size / piece.len())].concat().into_bytes()
}

#[test]
fn texts() {
    attack(&FuzzTarget {
        examples: &[
            b"numpy==1.0 --hash=sha256:00 \\\n --hash=sha256:11\n-r x.txt\n-e git+https://a:b@h/x@v#egg=y\n-i https://h\nz @ file:///x ; python_version<'3'",
            b"# platform: linux-64\nnumpy=1.0=py36_0\n",
            b"FROM python:3.8\nRUN apt-get install -y git && \\\n# c\n pip install a==1 'b>=2'\n",
            b"text `pip install x` more\n```\n$ conda install -c f y=1\n```\n",
        ],
        words: &[b"\\\n", b"://", b"`", b"RUN pip install ", b"["],
        shapes: &[
            Shape { name: "one long line", make: |size| repeated("", "a==1 \\\n", size) },
            Shape { name: "addresses", make: |size| repeated("x @ ", "a://b@", size) },
            Shape { name: "commands", make: |size| repeated("RUN ", "pip install a && \\\n", size) },
            Shape { name: "extras", make: |size| repeated("a[", "b,", size) },
        ],
        mutations: 200,
        parse: |bytes| {
            let kinds = [DeclarationKind::RequirementsFile, DeclarationKind::Dockerfile, DeclarationKind::Readme, DeclarationKind::SetupCfg];
            said_as(&kinds, bytes)
        },
        ..target("declared-texts", "declared::fuzz::texts")
    });
}

#[test]
fn yaml() {
    attack(&FuzzTarget {
        examples: &[
            b"name: x\nchannels: [a]\ndependencies:\n  - python=3.6\n  - a::b=1=c\n  - d[version='>=1']\n  - pip:\n    - e==1\n    - -r f\n",
            b"x: &x [a, b]\ndependencies: *x\n",
            b"dependencies: [a, {pip: [b, \"c\"]}]",
        ],
        words: &[b"- ", b"[", b"*a", b"|\n", b"dependencies:\n"],
        shapes: &[
            Shape { name: "packages", make: |size| repeated("dependencies:\n", "- a=1\n", size) },
            Shape { name: "aliases", make: |size| repeated("x: &x [a]\ndependencies:\n", "- *x\n", size) },
            Shape { name: "one long key", make: |size| repeated("", "a ", size) },
        ],
        parse: |bytes| said(DeclarationKind::CondaEnvironment, bytes),
        ..target("declared-yaml", "declared::fuzz::yaml")
    });
}

#[test]
fn toml_and_json() {
    attack(&FuzzTarget {
        examples: &[
            b"[project]\nrequires-python='>=3'\ndependencies=['a>=1']\n[project.optional-dependencies]\nx=['b']\n[tool.uv.sources]\na={git='u'}",
            b"[tool.poetry.dependencies]\npython='^3.8'\na='^1.2.3'\nb={version='~1',optional=true,python='<3.9'}\nc=[{version='1'}]\n[tool.poetry.group.g.dependencies]\nd='*'",
            b"[[source]]\nurl='u'\n[packages]\na='*'\nb={git='g',editable=true}\n[requires]\npython_version='3'",
            b"{\"_meta\":{\"requires\":{\"python_version\":\"3.7\"}},\n\"default\":{\n\"a\":{\"version\":\"==1\",\"markers\":\"x\"}},\"develop\":{}}",
        ],
        words: &[b"[", b"{", b"=", b"'", b".", b",", b"\n", b"^", b"[packages]\n", b"a='1'\n"
        ],
        shapes: &[
            Shape {
                name: "packages",
                make: |size| {
                    let packages: Vec<String> = (0..size / 10).map(|number| format!("a{number}='*'\n")).collect();
                    format!("[packages]\n{}", packages.concat()).into_bytes()
                },
            },
            Shape {
                name: "locked",
                make: |size| {
                    let packages: Vec<String> = (0..size / 20).map(|number| format!("\n\"a{number}\":{{}}")).collect();
                    format!("{{\"default\":{{{}}}}}", packages.join(",")).into_bytes()
                },
            },
            Shape { name: "constraint", make: |size| [repeated("[tool.poetry.dependencies]\na='", ">1,", size), b"'".to_vec()].concat() },
        ],
        parse: |bytes| {
            let kinds = [DeclarationKind::Pyproject, DeclarationKind::Pipfile, DeclarationKind::PipfileLock];
            said_as(&kinds, bytes)
        },
        ..target("declared-toml", "declared::fuzz::toml_and_json")
    });
}

#[test]
fn scripts() {
    attack(&FuzzTarget {
        examples: &[
            b"from setuptools import setup\nneed = ['a>=1', 'b']\nneed += ['c']\nsetup(install_requires=need, python_requires='>=3', extras_require={'x': ['d']})",
            b"kw = dict(install_requires=open('requirements.txt').read())\nsetup(**kw)",
            b"setup(tests_require='''\na\nb\n''', setup_requires=('c',))",
        ],
        words: &[b"setup(", b"a+a", b"a=a\n", b"[", b"(", b"'''", b"**kw", b","],
        shapes: &[
            Shape { name: "sums", make: |size| [repeated("a=['x']\nsetup(install_requires=", "a+", size.min(4000)), b"a)".to_vec()].concat() },
            Shape { name: "bindings", make: |size| [repeated("", "a=b\nb=a\n", size), b"setup(install_requires=a)".to_vec()].concat() },
        ],
        mutations: 500,
        parse: |bytes| said(DeclarationKind::SetupScript, bytes),
        ..target("declared-scripts", "declared::fuzz::scripts")
    });
}
