//! The stage of an attack: what lies outside, and what must not have changed when it is over.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nbrevive_execute::{ExecutionSettings, NotebookWorld, execute};
use nbrevive_notebook::Output;

use crate::kernel::{Ran, kernel, notebook};

/// How long what was killed may take to be gone.
const GONE: Duration = Duration::from_secs(5);

/// An attack that is over.
pub(crate) struct Attacked {
    pub(crate) ran: Ran,
}

impl Attacked {
    /// Everything that the notebook's outputs say.
    pub(crate) fn told(&self) -> String {
        let cells = &self.ran.execution.notebook.cells;
        let outputs = cells.iter().flat_map(|cell| cell.outputs().iter().map(output_text));
        format!("{}\n{}", self.ran.execution.ended, outputs.collect::<Vec<_>>().join("\n"))
    }

    /// A file that the notebook left in its folder.
    pub(crate) fn left_behind(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.ran.working.path().join("working").join(name)).ok()
    }

    /// Asserts that this program never held more than that in memory.
    pub(crate) fn took_at_most(&self, bytes: u64) {
        let status = fs::read_to_string("/proc/self/status").expect("Linux tells");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak is told");
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").trim().parse().expect("a number");
        assert!(kibibytes * 1024 <= bytes, "the program took {kibibytes} KiB, {bytes} bytes are the most");
    }
}

fn output_text(output: &Output) -> String {
    match output {
        Output::Stream { text, .. } => text.clone(),
        Output::Error { ename, evalue, .. } => format!("{ename}: {evalue}"),
        _ => String::new(),
    }
}

/// Runs an attack, and checks what holds for all of them.
pub(crate) fn attack(name: &str, settings: &ExecutionSettings) -> Attacked {
    let stage = Stage::set();
    let source =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/execute/attacks/{name}.py")))
            .expect("the attack is there");
    // What stands before the first mark says what is tried.
    let cells: Vec<&str> = source.split("# %%\n").skip(1).collect();
    assert!(!cells.is_empty(), "{name} has no cells");
    let working = stage.folder.path().join("working");
    fs::create_dir(&working).expect("a working folder");
    let world =
        NotebookWorld { input: vec![(stage.input(), "/kaggle/input".into())], working, starts_in: PathBuf::new() };
    let before = stage.listing();
    let execution = execute(&notebook(&cells), &kernel(), &world, settings).expect("the execution starts");
    stage.must_be_alone();
    let attacked = Attacked { ran: Ran { execution, working: stage.folder } };
    let told = attacked.told();
    assert!(!told.contains("ESCAPED"), "{name}: {told}");
    assert!(!told.contains(&stage.secret), "{name} read the secret: {told}");
    let after = listing(attacked.ran.working.path());
    assert_eq!(after, before, "{name} changed what lies outside");
    attacked
}

/// What lies outside.
struct Stage {
    folder: tempfile::TempDir,
    /// Names what is looked for. The notebook knows it.
    marker: String,
    /// Stands in every file that must not be read. The notebook does not know it.
    secret: String,
    tcp: TcpListener,
    socket: UnixListener,
    unnamed: UnixListener,
}

impl Stage {
    fn set() -> Self {
        let folder = tempfile::Builder::new().prefix("attack-").tempdir().expect("a folder");
        // As far as modes go, all of it may be read by everybody: only the sandbox stands before it.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("its mode");
        let number = format!("{:x}-{:x}", std::process::id(), Instant::now().elapsed().as_nanos());
        let name = folder.path().file_name().expect("a name").to_string_lossy().into_owned();
        let (marker, secret) = (format!("marker-{number}-{name}"), format!("secret-{number}-{}", name.len()));
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let socket = UnixListener::bind(folder.path().join("daemon.sock")).expect("a socket");
        let address = SocketAddr::from_abstract_name(&marker).expect("a short name");
        let unnamed = UnixListener::bind_addr(&address).expect("an abstract socket");
        let stage = Self { folder, marker, secret, tcp, socket, unnamed };
        stage.furnish();
        stage
    }

    fn furnish(&self) {
        let secret = format!("{} {}\n", self.secret, self.marker);
        let other = format!("other/{}.csv", self.marker);
        for path in
            ["home/.kaggle/kaggle.json", "other/submission.csv", &other, "private/answers.csv", "store/results.db"]
        {
            let path = self.path(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(&path, &secret).expect("a file");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("its mode");
        }
        fs::create_dir_all(self.path("input/data")).expect("a folder");
        fs::write(self.path("input/data/train.csv"), "Id,Label\n1,0\n").expect("a file");
        let stage = serde_json::json!({
            "marker": self.marker,
            "folder": self.folder.path(),
            "home": self.path("home"),
            "other": self.path("other"),
            "answers": self.path("private/answers.csv"),
            "store": self.path("store/results.db"),
            "port": self.tcp.local_addr().expect("an address").port(),
            "socket": self.path("daemon.sock"),
            "supervisor": std::process::id(),
        });
        fs::write(self.path("input/stage.json"), stage.to_string()).expect("a file");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn input(&self) -> PathBuf {
        self.path("input")
    }

    fn listing(&self) -> Vec<(PathBuf, String)> {
        listing(self.folder.path())
    }

    /// Nobody came in, and no process is left that knows the marker.
    fn must_be_alone(&self) {
        self.tcp.set_nonblocking(true).expect("a mode");
        assert!(
            self.tcp.accept().is_err_and(|error| error.kind() == ErrorKind::WouldBlock),
            "somebody reached loopback"
        );
        for listener in [&self.socket, &self.unnamed] {
            listener.set_nonblocking(true).expect("a mode");
            let refused = listener.accept().is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
            assert!(refused, "somebody reached a unix socket");
        }
        let (began, mut left) = (Instant::now(), survivors(&self.marker));
        while !left.is_empty() && began.elapsed() < GONE {
            std::thread::sleep(Duration::from_millis(20));
            left = survivors(&self.marker);
        }
        assert!(left.is_empty(), "left behind: {left:?}");
        assert!(!mounted(self.folder.path()), "a mount is left behind");
    }
}

/// Files and their contents, but for the notebook's own folder.
fn listing(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder of the stage").flatten() {
            let path = entry.path();
            if path == folder.join("working") {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else {
                found.push((path.clone(), fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}

/// Command lines of processes with this text, and sandboxes whose supervisor is this process.
fn survivors(text: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("Linux has it").flatten();
    let pids = entries.filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()));
    let lines = pids.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(text)).collect()
}

fn mounted(folder: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("Linux has it");
    mounts.contains(&folder.to_string_lossy().into_owned())
}
