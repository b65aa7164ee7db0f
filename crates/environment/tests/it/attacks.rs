//! Wheels that attack who installs them, from an index on loopback.

use std::io::{Cursor, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use nbrevive_environment::build::{BuildEnd, BuildJob, Workshop};
use nbrevive_environment::index::IndexAddress;
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_environment::{BuildError, BuildSettings, Builder, Environment, Home, Interpreter, Interpreters, Spec};
use zip::write::SimpleFileOptions;

use crate::loopback::{Loopback, Shop};
use crate::{lock_for, new_home, newest};

/// Builds nothing: what is tried here are wheels.
#[derive(Debug)]
struct Closed;

impl Workshop for Closed {
    fn run(&self, _: &BuildJob<'_>) -> std::io::Result<BuildEnd> {
        Ok(BuildEnd::Failed("is not wanted here".into()))
    }
}

struct Place {
    folder: tempfile::TempDir,
    home: Home,
    interpreters: Interpreters,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = new_home(folder.path());
        let interpreters = Interpreters::installed_only(&home);
        Self { folder, home, interpreters }
    }

    /// The newest interpreter, which uv serves, and, where they are installed, one that has pip alone.
    fn both(&self) -> Vec<&Interpreter> {
        let old = self.interpreters.all().iter().find(|found| !found.is_modern());
        std::iter::once(newest(&self.interpreters)).chain(old).collect()
    }

    fn marker(&self) -> PathBuf {
        self.folder.path().join("marker")
    }

    fn build(
        &self,
        settings: BuildSettings,
        on: &Interpreter,
        lock: &str,
        extra: &[&str],
    ) -> Result<Environment, BuildError> {
        let settings = BuildSettings { workshop: Some(Arc::new(Closed)), ..settings };
        let extra: Vec<NamedRequirement> = extra.iter().map(|text| NamedRequirement::parse(text).unwrap()).collect();
        let lock = lock_for(on, lock);
        Builder::new(&self.home, &self.interpreters, settings).build(Spec::Extended {
            lock: &lock,
            extra: &extra,
            fetched: &[],
        })
    }

    /// What stands in a folder above the environments under a name that begins so.
    fn escaped(&self, name: &str) -> Vec<PathBuf> {
        let environments = self.home.environments();
        let entries = environments.ancestors().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(name))
            .map(|entry| entry.path())
            .collect()
    }
}

/// A wheel of version 1.0 with these files and requirements.
fn wheel(name: &str, files: &[(&str, &[u8])], requires: &[&str]) -> Vec<u8> {
    wheel_of((name, "1.0"), files, requires, "")
}

/// A wheel with more lines in its record.
fn wheel_of((name, version): (&str, &str), files: &[(&str, &[u8])], requires: &[&str], record: &str) -> Vec<u8> {
    let info = format!("{name}-{version}.dist-info");
    let requires: String = requires.iter().map(|one| format!("Requires-Dist: {one}\n")).collect();
    let about = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{requires}");
    let tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py2-none-any\nTag: py3-none-any\n";
    let mut entries: Vec<(String, &[u8])> = files.iter().map(|(path, bytes)| ((*path).to_owned(), *bytes)).collect();
    entries.push((format!("{info}/METADATA"), about.as_bytes()));
    entries.push((format!("{info}/WHEEL"), tags.as_bytes()));
    let listed: String = entries.iter().map(|(path, _)| format!("{path},,\n")).collect();
    let listed = format!("{listed}{record}{info}/RECORD,,\n");
    entries.push((format!("{info}/RECORD"), listed.as_bytes()));
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in entries {
        archive.start_file(path, SimpleFileOptions::default().large_file(true)).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn shop(wheels: &[(&str, Vec<u8>)]) -> Loopback {
    let add = |shop: Shop, (name, bytes): &(&str, Vec<u8>)| {
        shop.file(&format!("{name}-1.0-py2.py3-none-any.whl"), bytes.clone())
    };
    wheels.iter().fold(Shop::default(), add).open()
}

/// Paths are held by uv and pip themselves; what lies behind a linked folder of an old environment by its being a copy.
#[test]
fn nothing_of_a_wheel_lands_outside_of_its_environment() {
    let place = Place::new();
    let mark =
        format!("nbescaped-{}", place.folder.path().file_name().unwrap().to_string_lossy().trim_start_matches('.'));
    let absolute = place.folder.path().join(format!("{mark}.py")).to_string_lossy().into_owned();
    let libraries = |on: &Interpreter| format!("lib/python{}/lib-dynload/{mark}.so", on.minor());
    let mut wheels = vec![("nbabsolute", wheel("nbabsolute", &[(&absolute, b"")], &[]))];
    let below = [
        ("nbup", "x/../"),
        ("nbplain", ""),
        ("nbdata", "nbdata-1.0.data/data/"),
        ("nbscripts", "nbscripts-1.0.data/scripts/"),
        ("nbpurelib", "nbpurelib-1.0.data/purelib/"),
        ("nbheaders", "nbheaders-1.0.data/headers/"),
    ];
    for (name, start) in below {
        let paths: Vec<String> = (1..9).map(|up| format!("{start}{}{mark}.{up}.py", "../".repeat(up))).collect();
        let files: Vec<(&str, &[u8])> = paths.iter().map(|path| (path.as_str(), b"".as_slice())).collect();
        wheels.push((name, wheel(name, &files, &[])));
    }
    let scripts: String = (1..9).map(|up| format!("{}{mark}.{up} = nbentry:x\n", "../".repeat(up))).collect();
    let entry_points = format!("[console_scripts]\n{scripts}");
    let path = "nbentry-1.0.dist-info/entry_points.txt";
    wheels.push(("nbentry", wheel("nbentry", &[(path, entry_points.as_bytes())], &[])));
    for (name, interpreter) in ["nbnew", "nbold"].iter().zip(place.both()) {
        let path = format!("{name}-1.0.data/data/{}", libraries(interpreter));
        wheels.push((name, wheel(name, &[(&path, b"")], &[])));
    }
    let shop = shop(&wheels);
    for interpreter in place.both() {
        for (name, _) in &wheels {
            // Installers refuse some of them and leave the file away from others.
            let built = place.build(shop.settings(), interpreter, "", &[name]);
            assert_eq!(
                place.escaped(&mark),
                [""; 0].map(PathBuf::from),
                "{name} on {}: {built:?}",
                interpreter.version
            );
            // Removed at once: a failure leaves nothing in an interpreter that others use.
            let reached = std::fs::remove_file(interpreter.prefix.join(libraries(interpreter)));
            assert!(reached.is_err(), "{name} reached {}", interpreter.version);
        }
    }
}

/// Held by uv and pip themselves.
#[test]
fn what_is_replaced_takes_nothing_else_along() {
    let place = Place::new();
    let victim = place.folder.path().join("victim");
    std::fs::write(&victim, "the user's").unwrap();
    let lines: String = (1..12).map(|up| format!("{}victim,,\n", "../".repeat(up))).collect();
    let record = format!("{lines}{},,\n", victim.display());
    let old = wheel_of(("nbrecord", "1.0"), &[("nbrecord.py", b"")], &[], &record);
    let new = wheel_of(("nbrecord", "2.0"), &[("nbrecord.py", b"")], &[], "");
    // Installers write a record of their own: another wheel brings one as data.
    let (about, info) = ("Metadata-Version: 2.1\nName: nbrecord\nVersion: 1.0\n", "nbrecord-1.0.dist-info");
    let record = format!("nbrecord.py,,\n{info}/METADATA,,\n{info}/INSTALLER,,\n{info}/RECORD,,\n{record}");
    let planted = [("METADATA", about), ("INSTALLER", "pip\n"), ("RECORD", &record)];
    let planted = planted.map(|(name, text)| (format!("nbplant-1.0.data/purelib/{info}/{name}"), text.as_bytes()));
    let planted: Vec<(&str, &[u8])> = planted.iter().map(|(path, bytes)| (path.as_str(), *bytes)).collect();
    let shop = Shop::default()
        .file("nbrecord-1.0-py2.py3-none-any.whl", old)
        .file("nbrecord-2.0-py2.py3-none-any.whl", new)
        .file("nbplant-1.0-py2.py3-none-any.whl", wheel("nbplant", &planted, &[]))
        .open();
    for interpreter in place.both() {
        for lock in ["nbrecord==1.0\n", "nbplant==1.0\n"] {
            let built = place.build(shop.settings(), interpreter, lock, &["nbrecord>=2"]);
            assert!(victim.exists(), "it was removed on {}: {built:?}", interpreter.version);
            let built = built.unwrap();
            assert_eq!(built.version_of("nbrecord"), Some("2.0"), "it was not replaced on {}", interpreter.version);
            assert!(!built.site_packages.join(info).exists(), "the record was not followed on {}", interpreter.version);
        }
    }
}

/// What a wheel holds that wants to run wherever a Python starts near it, and where it leaves its mark.
fn everywhere(marker: &Path) -> Vec<(String, Vec<u8>)> {
    let act = format!("open({:?}, 'a').write(__name__ + '\\n')\n", marker.to_str().unwrap());
    let modules = [
        "sitecustomize",
        "usercustomize",
        "compileall",
        "py_compile",
        "struct",
        "importlib",
        "keyring",
        "encodings",
        "site",
        "json",
        "multiprocessing/__init__",
        "pip/__init__",
        "pip/__main__",
        "pip/_internal/__init__",
        "setuptools/__init__",
        "pkg_resources/__init__",
        "OpenSSL/__init__",
        "simplejson",
        "lockfile",
        "subprocess",
        "distutils/__init__",
    ];
    let mut files: Vec<(String, Vec<u8>)> =
        modules.iter().map(|module| (format!("{module}.py"), act.clone().into_bytes())).collect();
    files.push(("nbrun.pth".into(), format!("import sys; {act}").into_bytes()));
    let script = format!("#!/bin/sh\necho program >> {}\n", marker.display());
    files.push(("nbrun-1.0.data/data/pyvenv.cfg".into(), b"home = /nowhere\n".to_vec()));
    files.push(("nbrun-1.0.data/data/bin/python2.7".into(), script.clone().into_bytes()));
    files.push(("nbrun-1.0.data/data/bin/uv".into(), script.into_bytes()));
    files
}

#[test]
fn what_is_installed_does_not_run_outside_however_often_an_installer_comes_back() {
    let place = Place::new();
    let marker = place.marker();
    let files = everywhere(&marker);
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let pth: Vec<(&str, &[u8])> = files.iter().copied().filter(|(path, _)| path.ends_with(".pth")).collect();
    let shop = shop(&[
        ("nbrun", wheel("nbrun", &files, &[])),
        ("nbpth", wheel("nbpth", &pth, &[])),
        ("nblater", wheel("nblater", &[("nblater.py", b"x = 1\n")], &["nbpth"])),
    ]);
    for interpreter in place.both() {
        // Installed from the lock, there when the rest is installed and all is compiled.
        let built = place.build(shop.settings(), interpreter, "nbrun==1.0\n", &["nblater"]).unwrap();
        assert!(built.site_packages.join("nbrun.pth").exists() && built.version_of("nblater").is_some());
        let ran = std::fs::read_to_string(&marker).unwrap_or_default();
        assert_eq!(ran, "", "it ran on {}", interpreter.version);
        // It would have: the interpreter of an environment starts with what is installed.
        let plain = place.build(shop.settings(), interpreter, "nbpth==1.0\n", &["nblater"]).unwrap();
        Command::new(&plain.python).args(["-c", "pass"]).current_dir("/").status().unwrap();
        assert!(marker.exists(), "the attack is none on {}", interpreter.version);
        std::fs::remove_file(&marker).unwrap();
    }
}

#[test]
fn compiled_files_are_there_and_named_alike_everywhere() {
    let place = Place::new();
    let shop = shop(&[("nbplain", wheel("nbplain", &[("nbplain.py", b"x = 1\n")], &[]))]);
    for interpreter in place.both() {
        let built = place.build(shop.settings(), interpreter, "nbplain==1.0\n", &["nbplain"]).unwrap();
        let show = "import nbplain, sys; print(getattr(nbplain, '__cached__', None) or nbplain.__file__)";
        let output = Command::new(&built.python).args(["-B", "-c", show]).current_dir("/").output().unwrap();
        let compiled = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
        assert!(compiled.extension().is_some_and(|end| end == "pyc"), "{compiled:?} on {}", interpreter.version);
        let bytes = std::fs::read(&compiled).unwrap();
        let holds = |text: &str| bytes.windows(text.len()).any(|found| found == text.as_bytes());
        assert!(holds("nbplain.py") && !holds(built.path.to_str().unwrap()), "on {}", interpreter.version);
    }
}

#[test]
fn a_wheel_brings_nothing_from_an_address() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let requires = [
        format!("nbevil @ http://127.0.0.1:{port}/nbevil-1.0.tar.gz"),
        format!("nbevil @ git+http://127.0.0.1:{port}/nbevil"),
        format!("nbevil @ file://{}", place.folder.path().join("nbevil-1.0.tar.gz").display()),
    ];
    let names = ["nbhttp", "nbgit", "nbfile"];
    let wheels: Vec<(&str, Vec<u8>)> =
        names.iter().zip(&requires).map(|(name, requires)| (*name, wheel(name, &[], &[requires]))).collect();
    let setup = format!("open({:?}, 'w').close()\n", place.marker().to_str().unwrap());
    std::fs::write(place.folder.path().join("setup.py"), setup).unwrap();
    let archive = place.folder.path().join("nbevil-1.0.tar.gz");
    let status = Command::new("tar")
        .arg("-C")
        .arg(place.folder.path())
        .arg("-czf")
        .arg(&archive)
        .arg("setup.py")
        .status()
        .unwrap();
    assert!(status.success());
    let shop = shop(&wheels);
    for interpreter in place.both() {
        for name in names {
            let built = place.build(shop.settings(), interpreter, "", &[name]);
            assert!(matches!(built, Err(BuildError::Failed(_))), "{name} on {}: {built:?}", interpreter.version);
            assert!(listener.accept().is_err() && !place.marker().exists(), "{name} on {}", interpreter.version);
        }
    }
}

#[test]
fn a_wheel_that_unpacks_to_too_much_is_stopped() {
    let place = Place::new();
    let zeros = vec![0; 96 << 20];
    let bomb = wheel("nbbomb", &[("nbbomb.bin", &zeros), ("nbbomb-more.bin", &zeros)], &[]);
    assert!(bomb.len() < 1 << 20);
    let shop = shop(&[("nbbomb", bomb)]);
    for interpreter in place.both() {
        let settings = BuildSettings { most_written: 64 << 20, ..shop.settings() };
        match place.build(settings, interpreter, "", &["nbbomb"]) {
            Err(BuildError::Failed(failed)) => assert!(failed.tail.contains("wrote more than 64 MiB"), "{failed}"),
            other => panic!("it was installed on {}: {other:?}", interpreter.version),
        }
    }
}

#[test]
fn python_2_compiles_into_no_file_that_another_environment_has() {
    let place = Place::new();
    let Some(old) = place.interpreters.all().iter().find(|found| !found.is_modern()) else { return };
    let text = format!("x = {:?}\n", (0..3000).map(|number| format!("{number}")).collect::<Vec<_>>());
    let honest = shop(&[("nbhonest", wheel("nbhonest", &[("nbsame.py", text.as_bytes())], &[]))]);
    let one = place.build(honest.settings(), old, "nbhonest==1.0\n", &["nbhonest"]).unwrap();
    let compiled = one.site_packages.join("nbsame.pyc");
    let before = std::fs::read(&compiled).unwrap();
    assert!(before.len() > 4096, "it is large enough to be shared");
    // The same compiled file beside another source.
    let files: [(&str, &[u8]); 2] = [("nbsame.py", b"x = 'planted'\n"), ("nbsame.pyc", &before)];
    let hostile = shop(&[("nbplant", wheel("nbplant", &files, &[]))]);
    let two = place.build(hostile.settings(), old, "nbplant==1.0\n", &["nbplant"]).unwrap();
    assert_ne!(std::fs::read(two.site_packages.join("nbsame.pyc")).unwrap(), before, "it was compiled");
    assert_eq!(std::fs::read(&compiled).unwrap(), before, "the other notebook's file was written");
}

/// Held by uv and pip themselves: both keep what they fetched by its address.
#[test]
fn one_index_does_not_serve_what_another_planted() {
    let place = Place::new();
    // A name of this test run alone: what installers keep is known by the address of its index, and ports come again.
    let unique = place.folder.path().file_name().unwrap().to_string_lossy().to_lowercase();
    let name = format!("nb{}", unique.replace(|letter: char| !letter.is_ascii_alphanumeric(), ""));
    let module = format!("{name}.py");
    let of = |text: &[u8]| shop(&[(name.as_str(), wheel(&name, &[(module.as_str(), text)], &[]))]);
    let (hostile, honest) = (of(b"x = 'planted'\n"), of(b"x = 'honest'\n"));
    let pinned = format!("{name}==1.0");
    for interpreter in place.both() {
        for (index, extra, text) in
            [(&hostile, name.as_str(), "x = 'planted'\n"), (&honest, pinned.as_str(), "x = 'honest'\n")]
        {
            let built = place.build(index.settings(), interpreter, "", &[extra]).unwrap();
            assert_eq!(std::fs::read_to_string(built.site_packages.join(&module)).unwrap(), text);
        }
    }
}

/// Held twice: they are given in variables alone, and uv and pip write none into what they install.
#[test]
fn nobody_who_runs_in_an_environment_reads_the_credentials_of_the_index() {
    let place = Place::new();
    let shop = shop(&[("nbplain", wheel("nbplain", &[("nbplain.py", b"")], &[]))]);
    let address = shop.simple().replace("http://", "http://someone:the-pass-word@");
    for interpreter in place.both() {
        let settings = BuildSettings { index: Some(IndexAddress::given(&address)), ..shop.settings() };
        let built = place.build(settings, interpreter, "nbplain==1.0\n", &["nbplain"]).unwrap();
        let found = Command::new("grep").args(["-rl", "the-pass-word"]).arg(&built.path).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&found.stdout), "", "on {}", interpreter.version);
    }
}

#[test]
fn modules_in_the_current_folder_are_not_taken_for_pythons_own() {
    let place = Place::new();
    let shop = shop(&[("nbplain", wheel("nbplain", &[("nbplain.py", b"")], &[]))]);
    let (beside, marker) = (tempfile::tempdir().unwrap(), place.marker());
    for (path, bytes) in everywhere(&marker).iter().filter(|(path, _)| path.ends_with(".py")) {
        let path = beside.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    std::env::set_current_dir(beside.path()).unwrap();
    for interpreter in place.both() {
        place.build(shop.settings(), interpreter, "nbplain==1.0\n", &["nbplain"]).unwrap();
        // Where nothing is remembered, each interpreter is asked what it is.
        let elsewhere = Home::at(place.folder.path().join("elsewhere"));
        assert!(!Interpreters::installed_only(&elsewhere).all().is_empty());
        let ran = std::fs::read_to_string(&marker).unwrap_or_default();
        assert_eq!(ran, "", "on {}", interpreter.version);
        Command::new(&interpreter.path).args(["-m", "compileall", "-h"]).output().unwrap();
        assert!(marker.exists(), "the attack is none on {}", interpreter.version);
        std::fs::remove_file(&marker).unwrap();
    }
}
