//! Metadata and archives that want to break their readers; see the crate `fuzz`.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};

use super::archive::{LONGEST_MEMBER, Members, tarred, zipped};
use super::{sdist, wheel};
use crate::requires::Headers;

/// Begins a member of a source archive: its path follows.
const MEMBER: &str = "=== ";
const SDIST: &[u8] = b"=== setup.py
need = ['a>=1'] + ('b',)\nkw = dict(install_requires=need, extras_require={'t': ['c']})\nsetup(**kw)
=== setup.cfg\n[options]\ninstall_requires =\n    d\n[options.extras_require]\nt = e\n";
const TOOLS: &[u8] = b"=== my_x.egg-info/requires.txt\nnumpy>=1.0\n[:python_version<'3']\nsix ; os_name == 'posix'\n[test]\npytest
=== my_x.egg-info/top_level.txt\nmy_x\n=== PKG-INFO\nMetadata-Version: 2.2\nName: my-x\nRequires-Dist: pytz (>=2011k)
=== pyproject.toml\n[build-system]\nrequires = [\"a\"]\n[project]\ndependencies = []\noptional-dependencies.t = [\"b\"]\n";

/// The members that a text describes, but for those that no archive's reader would take.
fn members(text: &str) -> Members {
    let member = |part: &str| {
        let (path, content) = part.split_once('\n')?;
        Some((path.trim().to_owned(), content.as_bytes().to_vec()))
    };
    text.split(MEMBER).filter(|part| part.len() as u64 <= LONGEST_MEMBER).filter_map(member).collect()
}

fn read(bytes: &[u8]) -> u64 {
    let headers = Headers::read(bytes).map_or(0, |headers| headers.requires().len().min(3) as u64);
    let metadata = sdist::read(&members(&String::from_utf8_lossy(bytes)), "my-x");
    let metadata = metadata.map_or_else(
        |_| String::new(),
        |metadata| {
            let counts = [metadata.requires.len(), metadata.modules.len(), metadata.build_requires.len()];
            format!("{:?} {:?}", metadata.source, counts.map(|count| count.min(3)))
        },
    );
    headers ^ code_of(&metadata)
}

#[test]
fn requirements() {
    attack(&FuzzTarget {
        name: "index-metadata",
        test: "index::metadata::fuzz::requirements",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[SDIST, TOOLS],
        words: &[
            b"=== setup.py\n",
            b"=== setup.cfg\n",
            b"=== pyproject.toml\n",
            b"=== my_x.egg-info/requires.txt\n",
            b"setup(",
            b"**kw",
            b"kw = dict(**kw)\n",
            b"kw = {",
            b"install_requires=",
            b"[",
            b"]",
            b"(",
            b")",
            b"+",
            b"a.",
            b"[x]\n",
            b"a\n",
            b" a\n",
            b"Name: a\n",
            b"'",
            b"\"\"\"",
            b"a = [a]\n",
        ],
        shapes: &[
            Shape {
                name: "a long heading",
                make: |size| {
                    format!("=== my_x.egg-info/requires.txt\n[{}]\n{}", "x".repeat(size / 2), "a\n".repeat(size / 4))
                        .into_bytes()
                },
            },
            Shape {
                name: "a long extra",
                make: |size| {
                    let requires = vec!["\"a\""; size / 8].join(",");
                    format!(
                        "=== pyproject.toml\n[project]\noptional-dependencies.{} = [{requires}]\n",
                        "x".repeat(size / 2)
                    )
                    .into_bytes()
                },
            },
            Shape {
                name: "a long section",
                make: |size| {
                    let section = format!("[options.extras_require]\n{} =\n", "x".repeat(size / 2));
                    format!("=== setup.cfg\n{section}{}", "  a\n".repeat(size / 8)).into_bytes()
                },
            },
            Shape {
                name: "keywords",
                make: |size| format!("=== setup.py\nsetup({})\n", "**kw,".repeat(size / 5)).into_bytes(),
            },
            Shape {
                name: "stores",
                make: |size| {
                    let stores: String = (0..size / 12).map(|number| format!("kw['{number}'] = 1\n")).collect();
                    format!("=== setup.py\n{stores}setup(**kw)\n").into_bytes()
                },
            },
            Shape {
                name: "sums",
                make: |size| {
                    format!("=== setup.py\na = [{}]\nsetup(install_requires=a+a+a+a+a+a+a)\n", "'x',".repeat(size / 4))
                        .into_bytes()
                },
            },
        ],
        bytes_per_byte: 1000,
        most_bytes: 3 << 30,
        mutations: 6000,
        parse: read,
    });
}

/// A wheel, and a source archive in a zip.
fn zip(paths: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in paths {
        archive.start_file(*path, zip::write::SimpleFileOptions::default()).expect("memory takes files");
        archive.write_all(text.as_bytes()).expect("memory takes files");
    }
    archive.finish().expect("memory takes files").into_inner()
}

fn tar(paths: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, text) in paths {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, path, text.as_bytes()).expect("memory takes files");
    }
    archive.into_inner().expect("memory takes files")
}

/// Reads bytes as every kind of archive, the tar archive packed.
fn unpack(bytes: &[u8]) -> u64 {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).expect("memory takes bytes");
    let packed = packer.finish().expect("memory takes bytes");
    let count = |members: Result<Members, super::Unread>| members.map_or(0, |members| 1 + members.len().min(3));
    let counts = [count(tarred(&packed[..])), count(tarred(bytes)), count(zipped(Cursor::new(bytes)))];
    let modules = wheel::read(Cursor::new(bytes), "my-x").map_or(0, |metadata| 1 + metadata.modules.len().min(3));
    code_of(&format!("{counts:?} {modules}"))
}

#[test]
fn archives() {
    let metadata = ("my_x-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: my-x\nRequires-Dist: a\n");
    let wheel = zip(&[("my_x/__init__.py", ""), metadata, ("my_x-1.0.dist-info/namespace_packages.txt", "my_x\n")]);
    let source = [("my-x-1.0/setup.py", "setup()"), ("my-x-1.0/src/my_x.egg-info/PKG-INFO", "Name: my-x\n")];
    let long = "x/".repeat(120);
    let (zipped, tarred) = (zip(&source), tar(&[source[0], source[1], (&long, "x")]));
    attack(&FuzzTarget {
        name: "index-archive",
        test: "index::metadata::fuzz::archives",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[&wheel, &zipped, &tarred],
        words: &[
            b"PK\x01\x02",
            b"PK\x03\x04",
            b"PK\x05\x06",
            b"\xff\xff\xff\xff",
            b"\x00",
            b"ustar",
            b"setup.py",
            b"/",
        ],
        shapes: &[
            Shape {
                name: "long name",
                make: |size| {
                    let name = "x".repeat(size);
                    tar(&[(&format!("x/{name}"), "")])
                },
            },
            Shape { name: "members", make: |size| tar(&vec![("x/y", ""); size / 512]) },
        ],
        bytes_per_byte: 100,
        most_bytes: 1 << 30,
        mutations: 4000,
        parse: unpack,
    });
}
