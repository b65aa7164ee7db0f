//! Runs a helper program with a time limit; whatever it started dies with it.

use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};

/// How a helper program ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Whether it said success (exit status 0) in time.
    pub(crate) success: bool,
    /// Whether the time limit ended it.
    pub(crate) timed_out: bool,
    /// Whether it was ended because it wrote too much.
    pub(crate) too_much: bool,
    /// What it wrote to stdout.
    pub(crate) output: String,
    /// What it wrote to stderr.
    pub(crate) messages: String,
}

impl Finished {
    /// All that it wrote.
    pub(crate) fn text(&self) -> String {
        format!(
            "{}{}{}",
            self.output,
            if self.output.is_empty() || self.output.ends_with('\n') { "" } else { "\n" },
            self.messages
        )
    }
}

/// A child with its own process group, killed when dropped before it ended.
struct Group {
    child: Child,
    ended: bool,
}

impl Group {
    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }

    fn kill(&mut self) {
        if let Some(pid) = self.pid() {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.child.wait();
        self.ended = true;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.ended {
            self.kill();
        }
    }
}

/// What a helper program may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Longest time.
    pub(crate) time: Duration,
    /// Most bytes that it writes; what it starts is not counted. `None` for no limit.
    pub(crate) written: Option<u64>,
    /// Most bytes of address space of each of its processes. `None` for no limit.
    pub(crate) memory: Option<u64>,
}

impl Limits {
    /// Of time alone.
    pub(crate) fn time(time: Duration) -> Self {
        Self { time, written: None, memory: None }
    }
}

/// Runs a command to its end or for `limit`, with nothing to read.
pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    run_with(command, Limits::time(limit), Stdio::null())
}

/// Runs a command to its end or its limits. Output goes through files: no pipe can fill up, and a
/// grandchild that keeps a stream open cannot hold us.
///
/// It runs in `/`: the folder that the user is in may hold a stranger's notebook with modules beside it, which Python would take
/// for its own.
pub(crate) fn run_with(command: &mut Command, limits: Limits, input: Stdio) -> io::Result<Finished> {
    let mut streams = [tempfile::tempfile()?, tempfile::tempfile()?];
    command.stdin(input).stdout(streams[0].try_clone()?).stderr(streams[1].try_clone()?).process_group(0);
    command.current_dir("/");
    let started = Instant::now();
    let mut group = Group { child: command.spawn()?, ended: false };
    if let (Some(memory), Some(pid)) = (limits.memory, group.pid()) {
        let bound = Rlimit { current: Some(memory), maximum: Some(memory) };
        prlimit(Some(pid), Resource::As, bound)?;
    }
    let mut pause = Duration::from_millis(1);
    let (mut timed_out, mut too_much) = (false, false);
    let status = loop {
        if let Some(status) = group.child.try_wait()? {
            group.ended = true;
            break Some(status);
        }
        timed_out = started.elapsed() >= limits.time;
        too_much = limits.written.is_some_and(|most| written_by(group.child.id()) > most);
        if timed_out || too_much {
            group.kill();
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(25));
    };
    let [output, messages] = [read(&mut streams[0])?, read(&mut streams[1])?];
    Ok(Finished {
        success: status.is_some_and(|status| status.success()),
        timed_out: timed_out && status.is_none(),
        too_much: too_much && status.is_none(),
        output,
        messages,
    })
}

/// Bytes that a process has handed to the system to write.
fn written_by(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let number = text.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok());
    number.unwrap_or(0)
}

/// The last megabyte of a stream as text.
fn read(file: &mut std::fs::File) -> io::Result<String> {
    let length = file.seek(io::SeekFrom::End(0))?;
    file.seek(io::SeekFrom::Start(length.saturating_sub(1 << 20)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Finished {
        run(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    #[test]
    fn output_and_status_are_kept() {
        let finished = shell("echo out; echo err >&2; exit 3", Duration::from_secs(10));
        assert_eq!((finished.success, finished.timed_out), (false, false));
        assert_eq!(finished.text(), "out\nerr\n");
        assert!(shell("true", Duration::from_secs(10)).success);
    }

    #[test]
    fn who_writes_too_much_is_stopped() {
        let limits = Limits { written: Some(10 << 20), ..Limits::time(Duration::from_secs(60)) };
        let mut endless = Command::new("cat");
        let zeros = std::fs::File::open("/dev/zero").unwrap();
        let finished = run_with(&mut endless, limits, zeros.into()).unwrap();
        assert!(finished.too_much && !finished.success && !finished.timed_out);
    }

    #[test]
    fn the_limit_kills_grandchildren_too() {
        let folder = tempfile::tempdir().unwrap();
        let script = format!("(sleep 1; touch {}/alive) & sleep 30", folder.path().display());
        let started = Instant::now();
        let finished = shell(&script, Duration::from_millis(100));
        assert!(finished.timed_out && !finished.success);
        assert!(started.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(1300));
        assert!(!folder.path().join("alive").exists());
    }
}
