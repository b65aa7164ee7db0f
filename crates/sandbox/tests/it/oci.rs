//! Real containers of a real podman on this machine: the same limits and the same ends as behind bubblewrap. `scripts/test-apptainer` runs them
//! with Apptainer.

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use jiff::civil::{Date, date};
use nbrevive_sandbox::{
    Backend, Bind, Command, DatedImage, Ended, Limits, Notice, OciSettings, Running, SandboxSettings, check, start,
};

/// An engine is slow on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(600);

/// Root's own folder in an image.
const ROOT: &str = "/root";

struct Bench {
    folder: tempfile::TempDir,
    settings: OciSettings,
    backend: Backend,
    command: Command,
    limits: Limits,
}

impl Bench {
    fn shell(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a run folder");
        let working = folder.path().join("working");
        fs::create_dir(&working).expect("a working folder");
        let command = Command {
            argv: ["/bin/sh", "-c", script].map(OsString::from).to_vec(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into()), ("GREETING".into(), "hello".into())],
            read_only: vec![Bind::same("/usr")],
            writable: vec![Bind::new(&working, "/kaggle/working")],
            working_directory: "/kaggle/working".into(),
            log: folder.path().join("log"),
        };
        let limits =
            Limits { wall_clock: PATIENCE, memory_bytes: 256 << 20, disk_reserve_bytes: 0, ..Limits::default() };
        let settings = crate::image::settings();
        let backend = Backend::contained(&settings).expect("podman and the image");
        Self { folder, settings, backend, command, limits }
    }

    fn start(&self) -> Running {
        start(&self.command, &self.limits, &self.backend).expect("the container starts")
    }

    fn run(&self) -> (Ended, String) {
        let ended = self.start().wait(PATIENCE).expect("the run ends");
        (ended, self.log())
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.command.log).unwrap_or_default()
    }

    /// What podman says to a subcommand.
    fn engine(&self, words: &[&str]) -> String {
        let output = crate::image::podman(&self.settings).args(words).output().expect("podman");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Makes another image of that of the tests; how it is named.
    fn commit(&self, image: &str, change: &str, act: impl FnOnce(&Path)) -> String {
        if crate::image::is_apptainer() {
            let (folder, file) = (self.folder.path().join("image"), self.folder.path().join("image.sif"));
            crate::image::lay_out(&folder);
            act(&folder);
            crate::image::build(&folder, &file);
            return file.to_string_lossy().into_owned();
        }
        let container = format!("{}-of-{}", image.replace(['/', ':'], "-"), std::process::id());
        self.engine(&["create", "--name", &container, &self.settings.image, "/bin/true"]);
        act(Path::new(&self.engine(&["mount", &container])));
        self.engine(&["umount", &container]);
        self.engine(&["commit", "--change", change, &container, image]);
        self.engine(&["rm", &container]);
        image.to_owned()
    }

    fn remove_image(&self, image: &str) {
        if !crate::image::is_apptainer() {
            self.engine(&["rmi", image]);
        }
    }

    fn working(&self) -> PathBuf {
        self.folder.path().join("working")
    }

    /// Containers of this process.
    fn own_containers(&self) -> Vec<String> {
        let own = format!("nbrevive-{}-", std::process::id());
        crate::image::containers(&self.settings).into_iter().filter(|name| name.starts_with(&own)).collect()
    }
}

fn processes_with(text: &str) -> Vec<i32> {
    let entries = fs::read_dir("/proc").expect("proc is mounted").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let own = i32::try_from(std::process::id()).expect("a pid");
    let holds = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text)
    };
    pids.filter(|&pid| pid != own).filter(holds).collect()
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "still waiting until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn exit_codes_and_signals_pass_through_and_the_container_goes() {
    let mut bench = Bench::shell("echo $GREETING; exit 7");
    assert_eq!(bench.run(), (Ended::Exited(7), "hello\n".to_owned()));
    bench.command.argv[2] = "kill -9 $$".into();
    assert_eq!(bench.run().0, Ended::Signalled(9));
    bench.command.argv = vec!["/no/such/program".into()];
    let (ended, log) = bench.run();
    assert!(log.contains("No such file"), "{log}");
    assert!(matches!(ended, Ended::Exited(1 | 126 | 127) | Ended::NotStarted { .. }), "{ended:?}");
    assert_eq!(bench.own_containers(), [] as [&str; 0]);
}

#[test]
fn what_the_engine_cannot_set_up_is_not_started() {
    let mut bench = Bench::shell("true");
    bench.command.read_only.push(Bind::new(bench.working(), "/proc/1/no-such-folder"));
    let (ended, log) = bench.run();
    assert!(matches!(&ended, Ended::NotStarted { message } if !message.is_empty()), "{ended:?} {log}");
}

#[test]
fn the_command_is_nobody_and_writes_in_its_own_places_only() {
    let bench = Bench::shell(
        "for f in / /usr /etc /dev /run /kaggle /var/tmp /sys; do touch $f/x 2>/dev/null && echo wrote $f; done; \
         touch ok /tmp/ok /dev/shm/ok && echo own places work; \
         grep -E 'Cap|NoNewPrivs|Seccomp:' /proc/self/status; unshare -U true; id -u; env | sort; tr '\\0' '\\n' < /proc/1/environ; exit 0",
    );
    let (ended, log) = bench.run();
    assert_eq!(ended, Ended::Exited(0), "{log}");
    assert!(!log.contains("wrote") && log.contains("own places work\n"), "{log}");
    assert_eq!(log.matches("\t0000000000000000").count(), 5, "{log}");
    assert!(log.contains("NoNewPrivs:\t1") && log.contains("Seccomp:\t2"), "{log}");
    assert!(log.contains("unshare failed: Operation not permitted"), "{log}");
    assert!(!log.lines().any(|line| line == "0"), "it is root: {log}");
    assert!(!log.contains("CARGO") && !log.contains(env!("CARGO_MANIFEST_DIR")), "{log}");
}

#[test]
fn no_network_and_no_foreign_sockets() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut bench = Bench::shell("");
    bench.command.argv = vec![
        "/usr/bin/perl".into(),
        "-e".into(),
        OsString::from(format!(
            "use IO::Socket::INET; use Socket; \
         for my $a ('127.0.0.1:{port}', '169.254.169.254:80') {{ \
         print IO::Socket::INET->new(PeerAddr => $a, Timeout => 3) ? 'reached;' : \"$!;\"; }} \
         print socket(my $v, 40, SOCK_STREAM, 0) ? 'vsock' : $!; print socket(my $u, AF_UNIX, SOCK_STREAM, 0) ? ';unix' : $!;"
        )),
    ];
    let (ended, log) = bench.run();
    assert_eq!(ended, Ended::Exited(0), "{log}");
    assert_eq!(log, "Connection refused;Network is unreachable;Operation not permitted;unix");
}

#[test]
fn the_wall_clock_leaves_no_survivor() {
    let script = "trap '' TERM INT HUP; (setsid sh -c 'sleep 31631; true' &) ; sleep 31631; true";
    let mut bench = Bench::shell(script);
    bench.limits.wall_clock = Duration::from_millis(1500);
    assert_eq!(bench.run().0, Ended::WallClock);
    assert!(processes_with("sleep\u{0}31631").is_empty());
    assert_eq!(bench.own_containers(), [] as [&str; 0]);
}

#[test]
fn a_memory_bomb_ends_as_memory_also_in_a_child() {
    let bomb = "perl -e 'my @a; while (1) { push @a, \"x\" x 10_000_000; }'";
    let mut bench = Bench::shell(&format!("exec {bomb}"));
    bench.limits.memory_bytes = 128 << 20;
    let running = bench.start();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Memory), "{}", bench.log());
    assert!(running.usage().peak_memory_bytes < 200 << 20);
    bench.command.argv[2] = format!("{bomb}; sleep 50; echo survived").into();
    assert_eq!(bench.run().0, Ended::Memory);
}

#[test]
fn a_fork_bomb_stays_small_and_its_death_ends_as_processes() {
    let mut bench = Bench::shell("");
    let script = "my $n = 0; while (1) { my $p = fork(); if (!defined $p) { print \"$n\\n\"; sleep 1; exit 3; } \
                  if (!$p) { sleep 50; exit } $n++; }";
    bench.command.argv = ["/usr/bin/perl", "-e", script].map(OsString::from).to_vec();
    bench.limits.processes = 40;
    let (ended, log) = bench.run();
    assert_eq!(ended, Ended::Processes, "{log}");
    // Apptainer's own first process may be the one that is refused.
    let is_counted = !crate::image::is_apptainer();
    assert!(!is_counted || log.trim().parse::<u32>().is_ok_and(|count| (10..40).contains(&count)), "{log}");
}

#[test]
fn disk_processor_time_and_one_file_are_limited() {
    let mut bench = Bench::shell("while :; do head -c 4000000 /dev/zero >> big; sleep 0.02; done");
    bench.limits.disk_bytes = 20 << 20;
    let running = bench.start();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Disk), "{}", bench.log());
    assert!(running.usage().written_bytes > 10 << 20, "{:?}", running.usage());
    fs::remove_file(bench.working().join("big")).unwrap();
    bench.limits.cpu_time = Some(Duration::from_millis(600));
    bench.command.argv[2] = "while :; do :; done & while :; do :; done & sleep 55".into();
    assert_eq!(bench.run().0, Ended::Cpu);
    (bench.limits.cpu_time, bench.limits.file_bytes, bench.limits.temporary_bytes) = (None, 1 << 20, 1 << 20);
    bench.command.argv[2] =
        "head -c 4000000 /dev/zero > two; head -c 4000000 /dev/zero > /tmp/x; wc -c < two; wc -c < /tmp/x".into();
    let (_, log) = bench.run();
    // What the shell says of it may come in between.
    assert_eq!(log.lines().filter(|line| *line == "1048576").count(), 2, "{log}");
}

#[test]
fn an_interrupt_reaches_the_command_and_a_kill_ends_it_at_every_stage() {
    let mut bench = Bench::shell("");
    let script = "$SIG{INT} = sub { print \"interrupted\\n\"; exit 5 }; open(F, '>', 'ready'); sleep 550;";
    bench.command.argv = ["/usr/bin/perl", "-e", script].map(OsString::from).to_vec();
    let running = bench.start();
    until("it runs", || bench.working().join("ready").exists());
    running.interrupt();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(5)));
    assert_eq!(bench.log(), "interrupted\n");
    // Also one that comes while the engine is still at work; the command may not have said yet what it does then.
    let running = bench.start();
    running.interrupt();
    let ended = running.wait(PATIENCE);
    assert!(matches!(ended, Some(Ended::Exited(5) | Ended::Signalled(2))), "{ended:?}");
    for delay in [0, 150, 400] {
        let running = bench.start();
        std::thread::sleep(Duration::from_millis(delay));
        drop(running);
        assert_eq!(bench.own_containers(), [] as [&str; 0], "after {delay} ms");
    }
}

#[test]
fn a_container_keeps_to_its_cores_and_cannot_widen_them() {
    let core = *nbrevive_sandbox::available_cores().last().expect("there is a core");
    let mut bench =
        Bench::shell("nproc; taskset -p ffffffff $$ >/dev/null 2>&1; grep Cpus_allowed_list /proc/self/status");
    bench.limits.core_ids = vec![core];
    let running = bench.start();
    let is_held = |notice: &Notice| matches!(notice, Notice::Enforced { limit, by } if limit == "core_ids" && by.contains("cpuset"));
    assert!(running.notices().iter().any(is_held), "{:?}", running.notices());
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(0)), "{}", bench.log());
    assert_eq!(bench.log(), format!("1\nCpus_allowed_list:\t{core}\n"));
}

#[test]
fn the_check_speaks_of_every_limit_and_a_missing_image_says_what_to_do() {
    let mut bench = Bench::shell("");
    let text: Vec<String> = check(&bench.backend).unwrap().iter().map(Notice::to_string).collect();
    for limit in ["memory_bytes: enforced", "processes: enforced", "disk_bytes: watched", "wall_clock", "file_bytes"] {
        assert!(text.iter().any(|line| line.starts_with(limit)), "{limit} missing in {text:?}");
    }
    bench.settings.image = "localhost/no-such-image:latest".into();
    let error = Backend::contained(&bench.settings).unwrap_err().to_string();
    assert!(error.contains("no-such-image") && error.contains("@sha256:…"), "{error}");
}

/// Not a test by itself: the process that the next two start and kill.
#[test]
fn what_is_bound_below_the_images_closed_folder_of_root_is_in_reach() {
    let mut bench = Bench::shell("cd $OF_ROOT && cat deep/er/said file && ls && ! touch x 2>/dev/null");
    bench.command.env.push(("OF_ROOT".into(), ROOT.into()));
    let said = bench.folder.path().join("said");
    fs::create_dir(&said).expect("a folder");
    fs::write(said.join("said"), "hello\n").expect("a file");
    bench.command.read_only.push(Bind::new(&said, Path::new(ROOT).join("deep/er")));
    bench.command.read_only.push(Bind::new(said.join("said"), Path::new(ROOT).join("file")));
    let image = bench.commit("localhost/nbrevive-test:closed-root", "LABEL root=closed", |root| {
        fs::create_dir_all(root.join("root/own")).expect("a folder");
        fs::set_permissions(root.join("root"), fs::Permissions::from_mode(0o700)).expect("its mode");
    });
    let settings = OciSettings { image: image.clone(), ..bench.settings.clone() };
    bench.backend = Backend::contained(&settings).expect("the image");
    assert_eq!(bench.run(), (Ended::Exited(0), "hello\nhello\ndeep\nfile\n".to_owned()));
    bench.remove_image(&image);
}

#[test]
fn images_go_by_date_and_one_that_is_missing_is_named() {
    let mut bench = Bench::shell("echo \"of ${DAY:-any day}\"");
    let (settings, image) = (bench.settings.clone(), "localhost/nbrevive-test:dated");
    bench.commit(image, "ENV DAY=2020", |_| ());
    let of = |from: Date, image: &str| DatedImage { from, image: image.to_owned() };
    let images = vec![of(date(2020, 1, 1), image), of(date(2018, 6, 1), &settings.image)];
    let with = |images| SandboxSettings::Oci(OciSettings { images, ..settings.clone() });
    let found = with(images).find().expect("both images");
    let days: Vec<Date> = found.dated.iter().map(|(from, _)| *from).collect();
    assert_eq!(days, [date(2018, 6, 1), date(2020, 1, 1)]);
    for ((_, backend), said) in found.dated.into_iter().zip(["of any day\n", "of 2020\n"]) {
        bench.backend = backend;
        assert_eq!(bench.run(), (Ended::Exited(0), said.to_owned()));
    }
    bench.engine(&["rmi", image]);
    let missing = with(vec![of(date(2020, 1, 1), image)]).find().unwrap_err().to_string();
    assert!(missing.contains(image), "{missing}");
}

#[test]
fn a_supervisor_to_be_killed() {
    if let Some(marker) = std::env::var_os("NBREVIVE_TEST_VICTIM") {
        let bench = Bench::shell(&format!("sleep {}; true", marker.to_string_lossy()));
        let _ = bench.run();
    }
}

/// Starts a supervisor whose container runs `sleep marker`.
fn victim(marker: &str) -> std::process::Child {
    let victim = Process::new(std::env::current_exe().expect("our own program"))
        .args(["--exact", "oci::a_supervisor_to_be_killed"])
        .env("NBREVIVE_TEST_VICTIM", marker)
        .stdout(Stdio::null())
        .spawn()
        .expect("a supervisor");
    until("it runs", || !processes_with(&format!("sleep\u{0}{marker}")).is_empty());
    victim
}

#[test]
fn a_container_is_removed_when_its_supervisor_is_killed() {
    let settings = crate::image::settings();
    let mut victim = victim("31641");
    let name = format!("nbrevive-{}-", victim.id());
    assert!(crate::image::containers(&settings).iter().any(|known| known.starts_with(&name)));
    let folder = folder_of(victim.id());
    assert!(folder.is_dir(), "{}", folder.display());
    victim.kill().unwrap();
    victim.wait().unwrap();
    until("the container is gone", || {
        !crate::image::containers(&settings).iter().any(|known| known.starts_with(&name))
    });
    until("its folder is gone", || !folder.exists());
    until("its process is gone", || processes_with("sleep\u{0}31641").is_empty());
}

/// The folder that goes with the container of a supervisor: its undertaker is told of it.
fn folder_of(supervisor: u32) -> PathBuf {
    let of = |pid: i32, file: &str| fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let is_child = |pid: &i32| of(*pid, "status").lines().any(|line| line == format!("PPid:\t{supervisor}"));
    let undertaker = processes_with("read -r line ||").into_iter().find(is_child).expect("an undertaker");
    of(undertaker, "cmdline").split('\0').map(PathBuf::from).find(|word| word.is_dir()).expect("its folder")
}

/// Kills a supervisor with its undertaker; the beginning of its container's name, unless another start has removed that already.
fn left_behind(marker: &str) -> Option<String> {
    let mut victim = victim(marker);
    let name = format!("nbrevive-{}-", victim.id());
    for undertaker in processes_with("read -r line ||") {
        let line = fs::read_to_string(format!("/proc/{undertaker}/cmdline")).unwrap_or_default();
        if line.contains(&name) {
            let pid = rustix::process::Pid::from_raw(undertaker).expect("a process");
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it is there");
        }
    }
    victim.kill().expect("it is there");
    victim.wait().expect("it is ours");
    std::thread::sleep(Duration::from_millis(1500));
    (!processes_with(&format!("sleep\u{0}{marker}")).is_empty()).then_some(name)
}

#[test]
fn what_even_the_undertaker_missed_the_next_start_removes() {
    let settings = crate::image::settings();
    // Other tests start containers meanwhile.
    let name = (0..5).find_map(|_| left_behind("31643")).expect("it was to be left behind");
    Backend::contained(&settings).unwrap();
    assert!(!crate::image::containers(&settings).iter().any(|known| known.starts_with(&name)));
    until("its process is gone", || processes_with("sleep\u{0}31643").is_empty());
}
