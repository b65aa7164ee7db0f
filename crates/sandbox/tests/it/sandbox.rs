//! Real sandboxes on this machine: what gets in, what does not get out, and how limits end a run.

mod attacks;
mod limits;

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, Notice, Running, start};

const PATIENCE: Duration = Duration::from_secs(600);

/// A run folder and the command that runs in it.
struct Bench {
    folder: tempfile::TempDir,
    command: Command,
    limits: Limits,
}

impl Bench {
    fn shell(script: &str) -> Self {
        Self::new(&["/bin/sh", "-c", script])
    }

    fn perl(script: &str) -> Self {
        Self::new(&["/usr/bin/perl", "-e", script])
    }

    fn new(argv: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a run folder");
        let working = folder.path().join("working");
        fs::create_dir(&working).expect("a working folder");
        let command = Command {
            argv: argv.iter().map(OsString::from).collect(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into()), ("GREETING".into(), "hello".into())],
            read_only: Vec::new(),
            writable: vec![Bind::new(&working, "/kaggle/working")],
            working_directory: "/kaggle/working".into(),
            log: folder.path().join("log"),
        };
        let limits = Limits { wall_clock: PATIENCE, disk_reserve_bytes: 0, ..Limits::default() };
        Self { folder, command, limits }
    }

    fn start(&self) -> Running {
        start(&self.command, &self.limits, &Backend::Bubblewrap).expect("the sandbox starts")
    }

    /// Runs to the end: how it ended and what it said.
    fn run(&self) -> (Ended, String) {
        let running = self.start();
        let ended = running.wait(PATIENCE).expect("the run ends");
        (ended, self.log())
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.command.log).unwrap_or_default()
    }

    fn working(&self) -> PathBuf {
        self.folder.path().join("working")
    }
}

/// Host processes whose command line holds this text.
fn processes_with(text: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("proc is mounted").flatten();
    let own = std::process::id().to_string();
    let others = entries.filter(|entry| entry.file_name().to_str() != Some(own.as_str()));
    let lines = others.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(text)).count()
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "still waiting until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn exit_codes_pass_through() {
    assert_eq!(Bench::shell("exit 0").run().0, Ended::Exited(0));
    assert_eq!(Bench::shell("exit 7").run().0, Ended::Exited(7));
    assert_eq!(Bench::shell("kill -9 $$").run().0, Ended::Signalled(9));
}

#[test]
fn the_environment_holds_what_was_given_and_no_more() {
    let (ended, log) = Bench::shell("env | sort; cat /proc/1/environ 2>/dev/null | tr '\\0' '\\n'").run();
    assert_eq!(ended, Ended::Exited(0), "{log}");
    let names: Vec<&str> = log.lines().map(|line| line.split('=').next().unwrap()).collect();
    assert!(log.contains("GREETING=hello"));
    for name in names {
        assert!(["GREETING", "PATH", "PWD", "_"].contains(&name), "{name} leaked:\n{log}");
    }
}

#[test]
fn host_paths_are_not_on_the_first_command_line() {
    let bench = Bench::shell("tr '\\0' '\\n' < /proc/1/cmdline");
    let (_, log) = bench.run();
    assert!(!log.contains(&*bench.folder.path().to_string_lossy()), "{log}");
}

#[test]
fn no_network_not_even_the_hosts_loopback() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!(
        "use IO::Socket::INET; my $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1:{port}', Timeout => 3); \
         print $s ? 'reached' : \"refused: $!\"; \
         $s = IO::Socket::INET->new(PeerAddr => '169.254.169.254:80', Timeout => 3); print $s ? 'reached' : \" $!\";"
    );
    let (ended, log) = Bench::perl(&script).run();
    assert_eq!(ended, Ended::Exited(0), "{log}");
    assert_eq!(log, "refused: Connection refused Network is unreachable");
}

#[test]
fn the_system_is_read_only_and_the_hosts_home_is_not_there() {
    let home = std::env::var("HOME").unwrap();
    let script = format!(
        "for f in / /usr /etc /dev /run /kaggle /kaggle/input; do touch $f/x 2>/dev/null && echo wrote $f; done; \
         ls {home} 2>&1; cat /etc/shadow 2>&1; ls /sys /var 2>&1; touch ok /tmp/ok /dev/shm/ok && echo own places work"
    );
    let (ended, log) = Bench::shell(&script).run();
    assert_eq!(ended, Ended::Exited(0), "{log}");
    assert!(!log.contains("wrote"), "{log}");
    assert_eq!(log.matches("No such file or directory").count(), 4, "{log}");
    assert!(log.ends_with("own places work\n"), "{log}");
}

#[test]
fn it_is_nobody_without_capabilities_under_a_filter() {
    let (_, log) = Bench::shell("id -un; grep -E 'Cap|NoNewPrivs|Seccomp:' /proc/self/status; unshare -U true").run();
    assert!(log.starts_with("kaggle\n"), "{log}");
    assert_eq!(log.matches("\t0000000000000000").count(), 5, "{log}");
    assert!(log.contains("NoNewPrivs:\t1") && log.contains("Seccomp:\t2"), "{log}");
    assert!(log.contains("unshare failed: Operation not permitted"), "{log}");
}

#[test]
fn read_only_binds_can_be_read_and_not_written() {
    let mut bench = Bench::shell("cat /kaggle/input/task/train.csv; touch /kaggle/input/task/x");
    let data = bench.folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("train.csv"), "a,b\n").unwrap();
    bench.command.read_only.push(Bind::new(&data, "/kaggle/input/task"));
    bench.command.read_only.push(Bind::new(data.join("train.csv"), "/kaggle/input/train.csv"));
    let (ended, log) = bench.run();
    assert_eq!(ended, Ended::Exited(1));
    assert!(log.starts_with("a,b\n") && log.contains("Read-only file system"), "{log}");
}

#[test]
fn no_descriptor_of_ours_gets_in() {
    // A folder opened without the close-on-exec flag, as a careless parent process would leave it.
    let leaked = rustix::fs::open("/", rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
    let (_, log) = Bench::shell("ls -l /proc/self/fd /proc/1/fd 2>/dev/null").run();
    drop(leaked);
    assert!(!log.contains("-> /\n"), "{log}");
}

#[test]
fn the_wall_clock_leaves_no_survivor() {
    let script = "trap '' TERM INT HUP; (setsid sh -c 'sleep 31531; true' &) ; sleep 31531 & sleep 31531; true";
    let mut bench = Bench::shell(script);
    bench.limits.wall_clock = Duration::from_millis(700);
    let began = Instant::now();
    assert_eq!(bench.run().0, Ended::WallClock);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    until("all are gone", || processes_with("31531") == 0);
}

#[test]
fn a_daemon_does_not_outlive_its_command() {
    let (ended, _) = Bench::shell("(setsid sh -c 'sleep 31537; true' &); sleep 0.2; exit 3").run();
    assert_eq!(ended, Ended::Exited(3));
    until("the daemon is gone", || processes_with("31537") == 0);
}

#[test]
fn kill_and_drop_end_a_run() {
    let bench = Bench::shell("touch ready; sleep 31543; true");
    let running = bench.start();
    until("it runs", || bench.working().join("ready").exists());
    assert_eq!(running.ended(), None);
    running.kill();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Killed));
    // At every stage of the set-up.
    for delay in 0..30 {
        let second = bench.start();
        std::thread::sleep(Duration::from_millis(delay));
        drop(second);
        assert_eq!(processes_with("31543"), 0, "after {delay} ms");
    }
}

#[test]
fn interrupt_reaches_the_command_and_its_group() {
    let bench = Bench::perl("$SIG{INT} = sub { print \"interrupted\\n\"; exit 5 }; open(F, '>', 'ready'); sleep 50;");
    let running = bench.start();
    until("it runs", || bench.working().join("ready").exists());
    running.interrupt();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(5)));
    assert_eq!(bench.log(), "interrupted\n");
}

#[test]
fn an_interrupt_of_what_is_only_being_started_is_kept_for_it() {
    let bench = Bench::perl("sleep 500;");
    let running = bench.start();
    running.interrupt();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Signalled(2)));
}

#[test]
fn the_end_is_announced_once_to_each_who_asked() {
    let bench = Bench::shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 4");
    let running = bench.start();
    let (sender, receiver) = std::sync::mpsc::channel();
    let late = sender.clone();
    running.on_end(move |ended| sender.send(ended.clone()).unwrap());
    assert_eq!(receiver.recv_timeout(PATIENCE), Ok(Ended::Exited(4)));
    running.on_end(move |ended| late.send(ended.clone()).unwrap());
    assert_eq!(receiver.recv_timeout(PATIENCE), Ok(Ended::Exited(4)));
    assert!(running.usage().cpu_seconds > 0.0);
}

#[test]
fn a_command_that_is_not_there_is_told() {
    let (ended, log) = Bench::new(&["/no/such/program"]).run();
    assert!(matches!(ended, Ended::Exited(127) | Ended::NotStarted { .. }), "{ended:?}");
    assert!(log.contains("/no/such/program"), "{log}");
}

#[test]
fn what_bubblewrap_cannot_mount_is_not_started() {
    let mut bench = Bench::shell("true");
    bench.command.read_only.push(Bind::new(bench.working(), "/usr/no-such-folder-here"));
    let (ended, _) = bench.run();
    assert!(matches!(&ended, Ended::NotStarted { message } if message.contains("no-such-folder-here")), "{ended:?}");
}

#[test]
fn two_runs_at_once_have_different_uids() {
    let (first, second) = (Bench::shell("id -u; sleep 1"), Bench::shell("id -u; sleep 1"));
    let (one, two) = (first.start(), second.start());
    assert_eq!((one.wait(PATIENCE), two.wait(PATIENCE)), (Some(Ended::Exited(0)), Some(Ended::Exited(0))));
    if rustix::process::geteuid().is_root() {
        assert_ne!(first.log(), second.log());
    }
}

#[test]
fn no_control_group_is_left_behind() {
    let bench = Bench::shell("cat /proc/self/cgroup");
    let (_, log) = bench.run();
    let own = format!("nbrevive-{}-", std::process::id());
    let Some(line) = log.lines().find(|line| line.contains(&own)) else { return };
    let name = line.rsplit('/').next().unwrap();
    let hierarchies = fs::read_dir("/sys/fs/cgroup").unwrap().flatten();
    for hierarchy in hierarchies {
        assert!(!hierarchy.path().join(name).exists(), "{} is left in {}", name, hierarchy.path().display());
    }
}

#[test]
fn a_run_keeps_to_its_cores_and_cannot_widen_them() {
    let core = *nbrevive_sandbox::available_cores().last().expect("there is a core");
    let mut bench =
        Bench::shell("nproc; taskset -p ffffffff $$ >/dev/null 2>&1; grep Cpus_allowed_list /proc/self/status");
    bench.limits.core_ids = vec![core];
    let running = bench.start();
    let is_held = |notice: &Notice| matches!(notice, Notice::Enforced { limit, by } if limit == "core_ids" && by.contains("cpuset"));
    let held = running.notices().iter().any(is_held);
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(0)));
    let said = bench.log();
    assert_eq!(said.lines().next(), Some("1"), "{said}");
    if held {
        assert_eq!(said.split_whitespace().last(), Some(core.to_string().as_str()), "{said}");
    }
}

#[test]
fn a_plain_process_is_limited_and_supervised_too() {
    let mut bench = Bench::shell("echo here > file; echo $GREETING; sleep 31547; true");
    bench.limits.wall_clock = Duration::from_millis(600);
    let running = start(&bench.command, &bench.limits, &Backend::None).unwrap();
    assert_eq!(running.wait(PATIENCE), Some(Ended::WallClock));
    assert_eq!(bench.log(), "hello\n");
    assert!(bench.working().join("file").exists());
    until("all are gone", || processes_with("31547") == 0);
    bench.command.argv = ["/bin/sh", "-c", "exit 6"].map(OsString::from).to_vec();
    let running = start(&bench.command, &bench.limits, &Backend::None).unwrap();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(6)));
}

/// Not a test by itself: the process that [`the_sandbox_dies_with_its_supervisor`] starts and kills.
#[test]
fn a_supervisor_to_be_killed() {
    if std::env::var_os("NBREVIVE_TEST_VICTIM").is_some() {
        let bench = Bench::shell("(setsid sh -c 'sleep 31549; true' &); sleep 31549; true");
        let _ = bench.run();
    }
}

#[test]
fn the_sandbox_dies_with_its_supervisor() {
    let mut victim = Process::new(std::env::current_exe().unwrap())
        .args(["--exact", "sandbox::a_supervisor_to_be_killed"])
        .env("NBREVIVE_TEST_VICTIM", "1")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until("it runs", || processes_with("sleep\u{0}31549") >= 2);
    victim.kill().unwrap();
    victim.wait().unwrap();
    until("all are gone", || processes_with("31549") == 0);
}
