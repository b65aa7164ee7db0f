//! Source archives that attack who builds them, from an index on loopback.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use nbrevive_environment::build::{BuildEnd, BuildJob, Workshop};
use nbrevive_environment::index::IndexAddress;
use nbrevive_environment::link::{Fetched, HostName, Link, given};
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_environment::{
    BuildError, BuildSettings, Builder, Environment, FailureClass, Home, Interpreter, Interpreters, Pinned, PinnedFile,
    PinnedSet, Spec,
};
use nbrevive_loopback::{Delivery, Reply, Request, Server, Site};
use nbrevive_notebook::PythonVersion;
use nbrevive_sandbox::Backend;
use nbrevive_study::SandboxedBuilds;

/// Archives by name.
struct Shop(BTreeMap<String, Vec<u8>>);

impl Site for Shop {
    type Mark = ();
    fn begin(&self, _: &Request) {}
    fn answer(&self, request: &Request) -> (Reply, Delivery) {
        let reply = match request.segments().iter().map(String::as_str).collect::<Vec<_>>()[..] {
            // The real distributions that are needed: where the configured index has them.
            ["simple", name @ ("setuptools" | "six" | "wheel")] => {
                Reply::redirect(&format!("{}/{name}/", IndexAddress::find().expect("a package index")))
            }
            ["simple", name] => {
                let of = |file: &&String| file.starts_with(&format!("{name}-"));
                let link = |file: &String| format!("<a href=\"/files/{file}\">{file}</a>");
                let links: Vec<String> = self.0.keys().filter(of).map(link).collect();
                Reply::html(
                    if links.is_empty() { 404 } else { 200 },
                    format!("<h1>Links for {name}</h1>{}", links.concat()),
                )
            }
            ["files", file] => match self.0.get(file) {
                Some(bytes) => Reply::new(200, "application/octet-stream", bytes.clone()),
                None => Reply::new(404, "text/plain", "no such file"),
            },
            _ => Reply::new(404, "text/plain", "no such page"),
        };
        (reply, Delivery::Whole)
    }
    fn note(&self, (): &(), _: u16) {}
    fn end(&self, (): &(), _: Option<u16>) {}
}

/// A source archive of these files.
fn archive(stem: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(stem).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let packed = folder.path().join("packed.tar.gz");
    let status = Command::new("tar").arg("-C").arg(folder.path()).arg("-czf").arg(&packed).arg(stem).status().unwrap();
    assert!(status.success());
    fs::read(packed).unwrap()
}

/// A home of its own with the tools of the one that tests share.
struct Place {
    folder: tempfile::TempDir,
    home: Home,
    interpreters: Interpreters,
}

impl Place {
    fn new() -> Self {
        let shared = Home::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("environment-home"));
        fs::create_dir_all(shared.tools()).unwrap();
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let home = Home::at(folder.path().join("home"));
        fs::create_dir_all(home.root()).unwrap();
        std::os::unix::fs::symlink(shared.tools(), home.tools()).unwrap();
        let place = Self { folder, home, interpreters: Interpreters::installed_only(&shared) };
        // Building nothing much makes sure that the shared tools are there, and lie where they stay.
        let nothing = format!("# python: {}\n", place.newest().minor());
        Builder::new(&shared, &place.interpreters, BuildSettings::default()).build(Spec::Lock(&nothing)).unwrap();
        place
    }

    fn newest(&self) -> &Interpreter {
        let known = |found: &&Interpreter| found.minor() <= PythonVersion::new(3, 14);
        self.interpreters.all().iter().rfind(known).expect("these tests need a Python 3")
    }

    fn settings(index: &str, apart: bool) -> BuildSettings {
        let workshop = apart.then(|| Arc::new(SandboxedBuilds::new(Backend::Bubblewrap)) as Arc<dyn Workshop>);
        BuildSettings { index: Some(IndexAddress::given(index)), workshop, ..BuildSettings::default() }
    }

    fn build(&self, index: &str, spec: Spec<'_>, apart: bool) -> Result<Environment, BuildError> {
        Builder::new(&self.home, &self.interpreters, Self::settings(index, apart)).build(spec)
    }

    fn set(&self, name: &str) -> PinnedSet {
        let file = Some(PinnedFile { name: format!("{name}-1.0.tar.gz"), sha256: None });
        let distributions = vec![Pinned { file, ..Pinned::new(name, "1.0".parse().unwrap()) }];
        PinnedSet { interpreter: self.newest().clone(), distributions, build: Vec::new() }
    }
}

/// What a hostile build tries, and writes into the module that it builds.
fn hostile(secret: &Path, port: u16, outside: &Path) -> String {
    let (secret, outside) = (secret.display(), outside.display());
    format!(
        r#"
import os, socket, subprocess
got = []
def attempt(what, act):
    try:
        if act() is not False:
            got.append(what)
    except Exception:
        pass
attempt("secret", lambda: open("{secret}").read())
attempt("network", lambda: socket.create_connection(("127.0.0.1", {port}), 3))
attempt("write", lambda: open("{outside}", "w").close())
attempt("environment", lambda: "CARGO_MANIFEST_DIR" in os.environ)
attempt("child", lambda: subprocess.check_output(["/bin/cat", "{secret}"]))
"#
    )
}

/// A package that is its own backend (PEP 517), so that the index needs nothing else. `prepare` is code that runs first; what it gives `says`
/// is metadata, too.
fn own_backend(name: &str, prepare: &str, wheel_of: &str) -> Vec<u8> {
    let backend = format!(
        r#"
says = ""
{prepare}
import os, zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    info = "{name}-1.0.dist-info"
    files = [("{name}.py", "got = %r\n" % (got,)), (info + "/METADATA", "Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n" + says),
        (info + "/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    record = "".join(path + ",,\n" for path, _ in files) + info + "/RECORD,,\n"
    wheel = "{wheel_of}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w") as archive:
        for path, text in files + [(info + "/RECORD", record)]:
            archive.writestr(path, text)
    return wheel
"#
    );
    let pyproject = "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\".\"]\n";
    let about = format!("Metadata-Version: 1.0\nName: {name}\nVersion: 1.0\n");
    let files = [("backend.py", backend.as_str()), ("pyproject.toml", pyproject), ("PKG-INFO", &about)];
    archive(&format!("{name}-1.0"), &files)
}

fn open(files: Vec<(&str, Vec<u8>)>) -> (Server<Shop>, String) {
    let files = files.into_iter().map(|(name, bytes)| (format!("{name}-1.0.tar.gz"), bytes)).collect();
    let server = Server::start(0, Shop(files)).unwrap();
    let simple = format!("{}/simple", server.url());
    (server, simple)
}

fn module(environment: &Environment, name: &str) -> String {
    fs::read_to_string(environment.site_packages.join(format!("{name}.py"))).unwrap()
}

#[test]
fn a_hostile_archive_gets_nothing_in_the_sandbox_and_everything_without() {
    let place = Place::new();
    let secret = place.folder.path().join("secret");
    fs::write(&secret, "the key\n").unwrap();
    let outside: PathBuf = place.folder.path().join("written");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let attack = hostile(&secret, listener.local_addr().unwrap().port(), &outside);
    let (_server, index) = open(vec![("nbhostile", own_backend("nbhostile", &attack, "nbhostile"))]);

    let environment = place.build(&index, Spec::Pinned(&place.set("nbhostile")), true).unwrap();
    assert_eq!(module(&environment, "nbhostile"), "got = []\n");
    assert_eq!(
        (environment.lock.join(" "), environment.why.as_str()),
        ("nbhostile==1.0".into(), "source archives were built apart")
    );
    assert!(!outside.exists() && listener.accept().is_err(), "it reached out");
    assert!(!place.home.builds().join(&environment.id).exists(), "a build is left");
    assert_eq!(environment.built_with, [""; 0], "it is its own backend");

    // A lock and an installer that meets the archive by itself take the same way.
    let lock = format!("# python: {}\nnbhostile==1.0\n", place.newest().minor());
    let environment = place.build(&index, Spec::Lock(&lock), true).unwrap();
    assert_eq!(module(&environment, "nbhostile"), "got = []\n");
    let (empty, extra) =
        (format!("# python: {}\n", place.newest().minor()), [NamedRequirement::parse("nbhostile").unwrap()]);
    let environment = place.build(&index, Spec::Extended { lock: &empty, extra: &extra, fetched: &[] }, true).unwrap();
    assert_eq!(module(&environment, "nbhostile"), "got = []\n");

    // The attack is one: with the user's rights it succeeds.
    let trusting = Place::new();
    let environment = trusting.build(&index, Spec::Pinned(&trusting.set("nbhostile")), false).unwrap();
    assert_eq!(module(&environment, "nbhostile"), "got = ['secret', 'network', 'write', 'environment', 'child']\n");
}

#[test]
fn a_build_that_fails_or_leaves_something_else_is_named_with_its_last_words() {
    let place = Place::new();
    let link = "got = []\nimport os\nos.symlink('/etc/passwd', 'nblink')";
    let (_server, index) = open(vec![
        ("nbbad", own_backend("nbbad", "raise SystemExit('no compiler')", "nbbad")),
        ("nbother", own_backend("nbother", "got = []", "setuptools")),
        ("nblink", own_backend("nblink", link, "../nblink")),
    ]);
    for (name, words) in [("nbbad", "no compiler"), ("nbother", "no wheel of nbother"), ("nblink", "left no wheel")] {
        match place.build(&index, Spec::Pinned(&place.set(name)), true) {
            Err(BuildError::Failed(failed)) => {
                assert_eq!(failed.class, FailureClass::NoWheelAndBuildFailed, "{failed}");
                assert_eq!(failed.distributions, [name], "{failed}");
                assert!(failed.tail.contains(words), "{failed}");
            }
            other => panic!("{name} was built: {other:?}"),
        }
    }
}

#[test]
fn an_archive_whose_metadata_uv_does_not_read_is_installed_all_the_same() {
    let place = Place::new();
    // As gym 0.18.0 says.
    let says = "says = \"Requires-Dist: opencv-python (>=3.) ; extra == 'all'\\n\"\ngot = []";
    let (_server, index) = open(vec![("nbodd", own_backend("nbodd", says, "nbodd"))]);
    let environment = place.build(&index, Spec::Pinned(&place.set("nbodd")), true).unwrap();
    assert_eq!((environment.lock.join(" "), environment.tool.as_str()), ("nbodd==1.0".into(), "uv"));
}

#[test]
fn an_archive_finds_what_is_installed_where_isolation_fails_it() {
    let place = Place::new();
    let (_server, index) = open(vec![
        ("nbfirst", own_backend("nbfirst", "got = []", "nbfirst")),
        ("nbneeds", own_backend("nbneeds", "import nbfirst\ngot = ['nbfirst']", "nbneeds")),
        // As enum34 does, which takes no place of the standard library's where it is installed.
        ("enum", own_backend("enum", "got = 'no IntFlag'", "enum")),
    ]);
    let mut set = place.set("nbneeds");
    set.distributions.extend(["nbfirst", "enum"].iter().flat_map(|name| place.set(name).distributions));
    let environment = place.build(&index, Spec::Pinned(&set), true).unwrap();
    assert_eq!(environment.lock, ["enum==1.0", "nbfirst==1.0", "nbneeds==1.0"]);
    assert!(environment.why.contains("what is installed"), "{}", environment.why);
}

#[test]
fn an_archive_is_built_once_in_a_run() {
    let place = Place::new();
    let by_chance = "import os\ngot = [os.urandom(8).hex()]";
    let (_server, index) = open(vec![
        ("nbchance", own_backend("nbchance", by_chance, "nbchance")),
        ("nbmore", own_backend("nbmore", "got = []", "nbmore")),
    ]);
    let mut more = place.set("nbchance");
    more.distributions.extend(place.set("nbmore").distributions);
    let built = |settings: &BuildSettings, set: &PinnedSet| {
        let builder = Builder::new(&place.home, &place.interpreters, settings.clone());
        let environment = builder.build(Spec::Pinned(set)).unwrap();
        (module(&environment, "nbchance"), environment.built_with)
    };
    let settings = Place::settings(&index, true);
    let first = built(&settings, &place.set("nbchance"));
    assert_eq!(built(&settings, &more), first);
    let other_run = Place::settings(&index, true);
    let elsewhere = Place::new();
    let builder = Builder::new(&elsewhere.home, &elsewhere.interpreters, other_run);
    assert_ne!(module(&builder.build(Spec::Pinned(&place.set("nbchance"))).unwrap(), "nbchance"), first.0);
}

#[test]
fn a_setup_script_of_old_is_built_with_setuptools_and_what_it_asks_for() {
    let place = Place::new();
    let script = "from setuptools import setup\nopen('made.py', 'w').write('made = 1\\n')\n\
                  setup(name='nbold', version='1.0', py_modules=['made'], setup_requires=['six'])\n";
    let (_server, index) = open(vec![("nbold", archive("nbold-1.0", &[("setup.py", script)]))]);
    let environment = place.build(&index, Spec::Pinned(&place.set("nbold")), true).unwrap();
    assert_eq!((module(&environment, "made"), environment.lock.join(" ")), ("made = 1\n".into(), "nbold==1.0".into()));
    // A snapshot of the index takes along what it was built with.
    for name in ["setuptools", "six", "wheel"] {
        let noted = environment.built_with.iter().filter(|line| line.split("==").next() == Some(name)).count();
        assert_eq!(noted, 1, "{name} in {:?}", environment.built_with);
    }
    // Where it is installed, an interpreter that uv does not know as well: there pip says what it lacks.
    let Some(oldest) = place.interpreters.all().iter().find(|found| !found.is_modern()) else { return };
    let lock = format!("# python: {}\nnbold==1.0\n", oldest.minor());
    let environment = place.build(&index, Spec::Lock(&lock), true).unwrap();
    assert_eq!((module(&environment, "made"), environment.version_of("nbold")), ("made = 1\n".into(), Some("1.0")));
}

#[test]
fn a_setup_script_that_fails_with_what_it_asks_for_is_built_without() {
    let place = Place::new();
    // As pyspark's does with pypandoc, which can do no more what it is asked for.
    let script = "from setuptools import setup\ntry:\n    import six\n    six.convert('README.md')\nexcept ImportError:\n    pass\n\
                  setup(name='nbgoes', version='1.0', setup_requires=['six'])\n";
    let (_server, index) = open(vec![("nbgoes", archive("nbgoes-1.0", &[("setup.py", script)]))]);
    let environment = place.build(&index, Spec::Pinned(&place.set("nbgoes")), true).unwrap();
    assert_eq!(environment.lock.join(" "), "nbgoes==1.0");
    assert!(!environment.why.contains("what is installed"), "{}", environment.why);
}

/// A wheel of version 1.0 with one module and lines in its metadata.
fn wheel(name: &str, text: &str, lines: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("packed.whl");
    let script = "import sys, zipfile\nfile, name, text, lines = sys.argv[1:]\ninfo = name + '-1.0.dist-info/'\n\
        files = {name + '.py': text, info + 'METADATA': 'Metadata-Version: 2.1\\nName: %s\\nVersion: 1.0\\n%s' % (name, lines),\n\
        \x20   info + 'WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py2-none-any\\nTag: py3-none-any\\n'}\n\
        files[info + 'RECORD'] = ''.join(path + ',,\\n' for path in files) + info + 'RECORD,,\\n'\n\
        with zipfile.ZipFile(file, 'w') as archive:\n    for path in files:\n        archive.writestr(path, files[path])\n";
    let done = Command::new("python3").args(["-c", script]).arg(&file).args([name, text, lines]).status().unwrap();
    assert!(done.success());
    fs::read(file).unwrap()
}

impl Place {
    fn fetched(&self, file: &str, bytes: &[u8]) -> Fetched {
        let hosts = [HostName::try_from("files.example.org".to_owned()).unwrap()];
        let link = Link::parse(&format!("https://files.example.org/{file}"), &hosts).unwrap();
        given(&self.home, &link, bytes).unwrap()
    }

    /// Installs a fetched file and names on top of a lock.
    fn on_top(
        &self,
        index: &str,
        lines: &str,
        fetched: &Fetched,
        extra: &[&str],
        apart: bool,
    ) -> Result<Environment, BuildError> {
        let lock = format!("# python: {}\n{lines}", self.newest().minor());
        let extra: Vec<NamedRequirement> = extra.iter().map(|text| NamedRequirement::parse(text).unwrap()).collect();
        let fetched = std::slice::from_ref(fetched);
        self.build(index, Spec::Extended { lock: &lock, extra: &extra, fetched }, apart)
    }
}

#[test]
fn a_fetched_wheel_is_installed_with_what_it_requires_from_the_index() {
    let place = Place::new();
    let (_server, index) = open(vec![
        ("nbneeded", own_backend("nbneeded", "got = []", "nbneeded")),
        ("nbwheel", own_backend("nbwheel", "got = ['index']", "nbwheel")),
    ]);
    let lines = "Requires-Dist: nbneeded\nRequires-Dist: nbnone; extra == 'more'\n";
    let file = place.fetched("nbwheel-1.0-py3-none-any.whl", &wheel("nbwheel", "x = 'fetched'\n", lines));
    // The lock has the same version: the file takes its place, and a name that it satisfies leaves it there.
    let built = place.on_top(&index, "nbwheel==1.0\n", &file, &["nbwheel"], true).unwrap();
    assert_eq!(
        (module(&built, "nbwheel"), built.lock.join(" ")),
        ("x = 'fetched'\n".into(), "nbneeded==1.0 nbwheel==1.0".into())
    );
    let ran =
        Command::new(&built.python).args(["-c", "import nbwheel, nbneeded; assert nbwheel.x == 'fetched'"]).status();
    assert!(ran.unwrap().success());
    // Other content is another environment.
    let other = place.fetched("nbwheel-1.0-py3-none-any.whl", &wheel("nbwheel", "x = 'other'\n", lines));
    let other = place.on_top(&index, "nbwheel==1.0\n", &other, &["nbwheel"], true).unwrap();
    assert_eq!((module(&other, "nbwheel").as_str(), other.id == built.id), ("x = 'other'\n", false));
    // The same by pip, where uv does not know the interpreter.
    if let Some(oldest) = place.interpreters.all().iter().find(|found| !found.is_modern()) {
        let file = place.fetched("nbwheel-1.0-py2.py3-none-any.whl", &wheel("nbwheel", "x = 'old'\n", ""));
        let lock = format!("# python: {}\n", oldest.minor());
        let extra = [NamedRequirement::parse("nbwheel").unwrap()];
        let spec = Spec::Extended { lock: &lock, extra: &extra, fetched: &[file] };
        assert_eq!(module(&place.build(&index, spec, true).unwrap(), "nbwheel"), "x = 'old'\n");
    }
    // Who asks for the name gets the index's, whatever is in the installer's cache.
    for lines in ["", "nbwheel==1.0\n"] {
        let lock = format!("# python: {}\n{lines}", place.newest().minor());
        let extra = [NamedRequirement::parse("nbwheel").unwrap()];
        let plain = place.build(&index, Spec::Extended { lock: &lock, extra: &extra, fetched: &[] }, true).unwrap();
        assert_eq!(module(&plain, "nbwheel"), "got = ['index']\n");
    }
}

#[test]
fn a_fetched_archive_is_built_in_the_sandbox() {
    let place = Place::new();
    let (_server, index) = open(Vec::new());
    let file = place.fetched("nbsource-1.0.tar.gz", &own_backend("nbsource", "got = ['built']", "nbsource"));
    let built = place.on_top(&index, "", &file, &[], true).unwrap();
    assert_eq!(
        (module(&built, "nbsource"), built.lock.join(" ")),
        ("got = ['built']\n".into(), "nbsource==1.0".into())
    );
}

mod attacks {
    use super::*;

    #[test]
    fn a_fetched_archive_gets_nothing_in_the_sandbox_and_is_not_built_without() {
        let place = Place::new();
        let secret = place.folder.path().join("secret");
        fs::write(&secret, "the key\n").unwrap();
        let outside: PathBuf = place.folder.path().join("written");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let attack = hostile(&secret, listener.local_addr().unwrap().port(), &outside);
        let (_server, index) = open(Vec::new());
        let file = place.fetched("nbfetched-1.0.tar.gz", &own_backend("nbfetched", &attack, "nbfetched"));
        let without = place.on_top(&index, "", &file, &[], false);
        assert!(matches!(without, Err(BuildError::Failed(_))) && !outside.exists(), "{without:?}");
        let retried = Place::new();
        let file = retried.fetched("nbfetched-1.0.tar.gz", &own_backend("nbfetched", &attack, "nbfetched"));
        let built = retried.on_top(&index, "", &file, &[], true).unwrap();
        assert_eq!(module(&built, "nbfetched"), "got = []\n");
        assert!(!outside.exists() && listener.accept().is_err(), "it reached out");
    }

    #[test]
    fn a_fetched_wheel_brings_nothing_from_an_address() {
        let place = Place::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (_server, index) = open(Vec::new());
        for (name, address) in [("nbhttp", "http"), ("nbgit", "git+http")] {
            let lines = format!("Requires-Dist: nbevil @ {address}://127.0.0.1:{port}/nbevil-1.0-py3-none-any.whl\n");
            let file = place.fetched(&format!("{name}-1.0-py3-none-any.whl"), &wheel(name, "x = 1\n", &lines));
            match place.on_top(&index, "", &file, &[], true) {
                Err(BuildError::Failed(failed)) => assert!(failed.tail.contains("requires what"), "{failed}"),
                other => panic!("{name} was installed: {other:?}"),
            }
        }
        assert!(listener.accept().is_err(), "it reached out");
    }

    #[test]
    fn a_fetched_archive_that_becomes_another_version_is_refused() {
        let place = Place::new();
        let (_server, index) = open(Vec::new());
        let file = place.fetched("nblies-2.0.tar.gz", &own_backend("nblies", "got = []", "nblies"));
        match place.on_top(&index, "", &file, &[], true) {
            Err(BuildError::Failed(failed)) => assert!(failed.tail.contains("no wheel of nblies 2.0"), "{failed}"),
            other => panic!("it was installed: {other:?}"),
        }
    }

    /// Builds one archive of a name and version 1.0, with code that its backend begins with.
    fn built(place: &Place, name: &str, prepare: &str) -> Result<Environment, BuildError> {
        let (_server, index) = open(vec![(name, own_backend(name, prepare, name))]);
        place.build(&index, Spec::Pinned(&place.set(name)), true)
    }

    #[test]
    fn a_build_hands_out_no_file_of_the_host_by_a_link_in_the_place_of_its_folder() {
        let place = Place::new();
        let host = place.folder.path().join("private");
        fs::create_dir(&host).unwrap();
        fs::write(host.join("nbprivate-1.0-py3-none-any.whl"), "the host's own").unwrap();
        let away = format!(
            "got = []\nimport atexit, os, shutil, sys\ndef away():\n    shutil.rmtree('/build/out')\n    \
             os.symlink({:?}, '/build/out')\nif 'wheel' in sys.argv:\n    atexit.register(away)",
            host.to_str().unwrap()
        );
        match built(&place, "nbprivate", &away) {
            Err(BuildError::Failed(failed)) => assert!(failed.tail.contains("left no wheel"), "{failed}"),
            other => panic!("it was taken: {other:?}"),
        }
    }

    #[test]
    fn a_build_asks_for_names_alone() {
        let place = Place::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asks = format!(
            "got = []\ndef get_requires_for_build_wheel(config_settings=None):\n    return ['nbx @ http://127.0.0.1:{port}/x.whl', \
             'git+http://127.0.0.1:{port}/x', '--index-url=http://127.0.0.1:{port}', '-r/etc/passwd', './x.whl', \
             'six\\n--index-url http://127.0.0.1:{port}', 'six[a\\n-r /etc/passwd]', 'six; os_name == \"a -r /etc/passwd\"']"
        );
        let environment = built(&place, "nbasks", &asks).unwrap();
        assert_eq!(environment.lock, ["nbasks==1.0"]);
        assert!(listener.accept().is_err(), "it reached out");
    }

    /// An attack on ordinary users: nothing is closed to root.
    #[test]
    fn a_build_that_closes_its_folders_leaves_none() {
        let place = Place::new();
        let close = "got = []\nimport atexit, os\ndef close():\n    os.makedirs('/build/deep/er')\n    \
                     os.chmod('/build/deep/er', 0)\n    os.chmod('/build/deep', 0)\natexit.register(close)";
        let environment = built(&place, "nbcloses", close);
        // The second step finds the folder of the first closed or made: what counts is that nothing stays.
        let left = fs::read_dir(place.home.builds()).into_iter().flatten().count();
        assert_eq!(left, 0, "{environment:?}");
    }
}

/// No archive is ever done.
#[derive(Debug)]
struct Slow;

impl Workshop for Slow {
    fn run(&self, _: &BuildJob<'_>) -> std::io::Result<BuildEnd> {
        Ok(BuildEnd::TimedOut)
    }
}

#[test]
fn an_archive_that_takes_too_long_is_named_so_that_others_can_go_without_it() {
    let place = Place::new();
    let (_server, index) = open(vec![("nbslow", own_backend("nbslow", "got = []", "nbslow"))]);
    let settings = BuildSettings { workshop: Some(Arc::new(Slow)), ..Place::settings(&index, true) };
    let builder = Builder::new(&place.home, &place.interpreters, settings);
    let Err(BuildError::Failed(failed)) = builder.build(Spec::Pinned(&place.set("nbslow"))) else {
        panic!("it is built")
    };
    assert_eq!((failed.class, failed.distributions), (FailureClass::Timeout, vec!["nbslow".to_owned()]));
}
