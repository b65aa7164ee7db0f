//! Environments and kernels for real: installs a few small distributions from the configured index into a home
//! below cargo's target folder, which later runs reuse.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod attacks;
mod declared;
mod interrupted;
mod loopback;
mod oracle;
mod pinned;
mod shelf;

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_environment::{
    BuildError, BuildSettings, Builder, Environment, FailureClass, Home, Interpreter, Interpreters, KernelLayer, Spec,
    bind_paths, kernel_command,
};
use nbrevive_notebook::PythonVersion;

/// The home that runs share.
fn shared_home() -> Home {
    Home::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("environment-home"))
}

/// A new home that borrows the shared one's tools, so that uv is not installed again.
fn new_home(folder: &Path) -> Home {
    let home = Home::at(folder.join("home"));
    let shared = shared_home();
    let interpreters = Interpreters::installed_only(&shared);
    // Building nothing much makes sure that the shared tools are there.
    build(&shared, &interpreters, &lock_for(newest(&interpreters), ""), BuildSettings::default()).unwrap();
    fs::create_dir_all(home.root()).unwrap();
    let _ = fs::create_dir_all(shared.tools());
    std::os::unix::fs::symlink(shared.tools(), home.tools()).unwrap();
    home
}

/// The newest interpreter that the kernel sets know.
fn newest(interpreters: &Interpreters) -> &Interpreter {
    let known = |found: &&Interpreter| found.minor() <= PythonVersion::new(3, 14);
    interpreters.all().iter().rfind(known).expect("these tests need a Python 3")
}

fn lock_for(interpreter: &Interpreter, lines: &str) -> String {
    format!("# python: {}\n{lines}", interpreter.minor())
}

fn build(
    home: &Home,
    interpreters: &Interpreters,
    lock: &str,
    settings: BuildSettings,
) -> Result<Environment, BuildError> {
    Builder::new(home, interpreters, settings).build(Spec::Lock(lock))
}

fn failure(result: Result<Environment, BuildError>) -> FailureClass {
    match result {
        Err(BuildError::Failed(failed)) => failed.class,
        other => panic!("expected a failed build, got {other:?}"),
    }
}

#[test]
fn a_lock_becomes_an_environment_once() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let interpreters = Interpreters::installed_only(&home);
    let lock = lock_for(newest(&interpreters), "Six==1.17.0\n");
    // Two builders at once: one builds, the other waits and takes the same.
    let (one, other) = std::thread::scope(|scope| {
        let start = || build(&home, &interpreters, &lock, BuildSettings::default()).unwrap();
        let one = scope.spawn(start);
        let other = scope.spawn(start);
        (one.join().unwrap(), other.join().unwrap())
    });
    assert_eq!(one, other);
    assert_eq!((one.lock.as_slice(), one.version_of("six")), (["six==1.17.0".to_owned()].as_slice(), Some("1.17.0")));
    assert!(one.site_packages.join("__pycache__").is_dir(), "locks are byte-compiled");
    let made = |environment: &Environment| fs::metadata(&environment.site_packages).unwrap().modified().unwrap();
    let first = made(&one);
    let again = build(&home, &interpreters, &format!("{lock}\n# the same\n"), BuildSettings::default()).unwrap();
    assert_eq!(again, one);
    assert_eq!(made(&again), first, "it was built twice");
}

#[test]
fn a_notebooks_own_requirements_come_on_top_of_a_lock() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let interpreters = Interpreters::installed_only(&home);
    let lock = lock_for(newest(&interpreters), "six==1.17.0\ndecorator==5.1.1\n");
    let extra = [NamedRequirement::parse("six<1.17").unwrap()];
    let builder = Builder::new(&home, &interpreters, BuildSettings::default());
    let extended = builder.build(Spec::Extended { lock: &lock, extra: &extra, fetched: &[] }).unwrap();
    assert_eq!((extended.version_of("six"), extended.version_of("decorator")), (Some("1.16.0"), Some("5.1.1")));
}

#[test]
fn failures_have_a_class_and_are_kept_until_only_later_ones_count() {
    let folder = tempfile::tempdir().unwrap();
    let home = new_home(folder.path());
    let interpreters = Interpreters::installed_only(&home);
    let lock = lock_for(newest(&interpreters), "six==999.0\n");
    let class = failure(build(&home, &interpreters, &lock, BuildSettings::default()));
    assert_eq!(class, FailureClass::NoMatchingVersion);
    // Kept: with no time at all a real try would end as a timeout.
    let hasty = BuildSettings { time_limit: Duration::ZERO, ..BuildSettings::default() };
    assert_eq!(failure(build(&home, &interpreters, &lock, hasty.clone())), FailureClass::NoMatchingVersion);
    let minute_ago = SystemTime::now() - Duration::from_secs(60);
    let is_failure = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let kept = fs::read_dir(home.environments()).unwrap().map(|entry| entry.unwrap().path()).find(is_failure).unwrap();
    fs::File::open(&kept).unwrap().set_modified(minute_ago - Duration::from_secs(60)).unwrap();
    let again = BuildSettings { failures_since: Some(minute_ago), ..hasty };
    assert_eq!(failure(build(&home, &interpreters, &lock, again)), FailureClass::Timeout);
    // That one is of after, and counts: with all the time of the world it is not tried.
    let patient = BuildSettings { failures_since: Some(minute_ago), ..BuildSettings::default() };
    assert_eq!(failure(build(&home, &interpreters, &lock, patient.clone())), FailureClass::Timeout);
    // Unless it is of a program that could build less.
    fs::write(&kept, fs::read_to_string(&kept).unwrap().replace("\"ability\"", "\"before\"")).unwrap();
    assert_eq!(failure(build(&home, &interpreters, &lock, patient)), FailureClass::NoMatchingVersion);
    let absent = build(&home, &interpreters, "# python: 3.2\nsix==1.0\n", BuildSettings::default());
    assert_eq!(failure(absent), FailureClass::NoInterpreter);
}

/// A kernel that is killed when the test is over.
struct Kernel(Child);

impl Drop for Kernel {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Five free ports at an address of the loopback that is this process's own: between here and the kernel's start nobody else takes them.
fn free_ports() -> Vec<SocketAddr> {
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    let address = Ipv4Addr::new(127, 64 | high, middle, low);
    let listeners: Vec<TcpListener> = (0..5).map(|_| TcpListener::bind((address, 0)).unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap()).collect()
}

/// Writes a connection file and starts the kernel, which first runs `code`. Returns where its heartbeat is too.
fn start_kernel(environment: &Environment, layer: &KernelLayer, folder: &Path, code: &str) -> (Kernel, SocketAddr) {
    let places = free_ports();
    let ports: Vec<u16> = places.iter().map(SocketAddr::port).collect();
    let connection = folder.join("connection.json");
    let text = format!(
        r#"{{"transport":"tcp","ip":"{}","shell_port":{},"iopub_port":{},"stdin_port":{},"control_port":{},"hb_port":{},"key":"k","signature_scheme":"hmac-sha256"}}"#,
        places[4].ip(),
        ports[0],
        ports[1],
        ports[2],
        ports[3],
        ports[4]
    );
    fs::write(&connection, text).unwrap();
    let argv: Vec<String> = kernel_command(environment, layer)
        .into_iter()
        .map(|word| word.replace("{connection_file}", &connection.to_string_lossy()))
        .collect();
    let log = fs::File::create(folder.join("log")).unwrap();
    let child = Command::new(&argv[0])
        .args(&argv[1..])
        .arg(format!("--IPKernelApp.code_to_run={code}"))
        .env_clear()
        .env("HOME", folder)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    (Kernel(child), places[4])
}

/// Which copies of modules a notebook gets: one that both have, one of the layer alone, the kernel's own; and what
/// comes first on its path, how many unread outputs wait before others are dropped (0: all), and whether a future import runs below a magic;
/// then what it sees of what was typed before.
const PROBE: &str = r#"
import six, zmq, dateutil, sys, io
from ipykernel.kernelapp import IPKernelApp
shell = get_ipython()
shell.run_line_magic("history", "-g -f typed")
unread = str(IPKernelApp.instance().iopub_thread.socket.getsockopt(zmq.SNDHWM))
future = str(shell.run_cell("%time\n\nfrom __future__ import print_function\nimport re").success)
history = [str(shell.history_manager.hist_file), open("typed").read()]
text = "\n".join([six.__file__, dateutil.__file__, zmq.__file__, repr(sys.path[0]), unread, future] + history)
import os
open("probe.part", "w").write(text); os.rename("probe.part", "probe")
"#;

fn wait_for(what: &str, folder: &Path, mut ready: impl FnMut() -> bool) {
    let started = Instant::now();
    while !ready() {
        let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
        assert!(started.elapsed() < Duration::from_secs(600), "no {what}:\n{}", log());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn kernel_runs_on(minor: PythonVersion) {
    let home = shared_home();
    let interpreters = Interpreters::installed_only(&home);
    let Some(interpreter) = interpreters.all().iter().rfind(|found| found.minor() == minor) else { return };
    let builder = Builder::new(&home, &interpreters, BuildSettings::default());
    let environment = builder.build(Spec::Lock(&lock_for(interpreter, "six==1.16.0\n"))).unwrap();
    let layer = KernelLayer::ensure(&builder, interpreter).unwrap();
    let bound = bind_paths(&environment, &layer);
    assert!(bound.contains(&layer.path) && bound.contains(&environment.path), "{bound:?}");
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join(".ipython/profile_default/history.sqlite");
    fs::create_dir_all(history.parent().unwrap()).unwrap();
    // A kernel that used it would put a database in its place.
    fs::write(&history, "somebody's").unwrap();
    let (_kernel, heartbeat) = start_kernel(&environment, &layer, folder.path(), PROBE);
    let probe = folder.path().join("probe");
    wait_for("probe", folder.path(), || probe.exists());
    wait_for("heartbeat", folder.path(), || TcpStream::connect(heartbeat).is_ok());
    let text = fs::read_to_string(probe).unwrap();
    let paths: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
    assert!(paths[0].starts_with(&environment.site_packages), "six is the environment's: {text}");
    assert!(paths[1].starts_with(layer.packages()), "dateutil is the layer's, for want of another: {text}");
    assert!(paths[2].starts_with(layer.packages()), "zmq stays the kernel's: {text}");
    assert!(!paths[3].to_string_lossy().contains("packages"), "the layer is not first: {text}");
    assert_eq!(paths[4], PathBuf::from("0"), "outputs wait until they are read");
    assert_eq!(paths[5], PathBuf::from("True"), "a future import may stand below a magic");
    assert_eq!(paths[6..], [PathBuf::from(":memory:")], "no history is seen");
    assert_eq!(fs::read_to_string(history).unwrap(), "somebody's", "none is left");
}

#[test]
fn a_kernel_runs_on_python_2_7() {
    kernel_runs_on(PythonVersion::new(2, 7));
}

#[test]
fn a_kernel_runs_on_python_3_6() {
    kernel_runs_on(PythonVersion::new(3, 6));
}

#[test]
fn a_kernel_runs_on_the_newest_python() {
    let home = shared_home();
    let minor = newest(&Interpreters::installed_only(&home)).minor();
    kernel_runs_on(minor);
}
