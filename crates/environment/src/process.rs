//! Runs a helper program with a time limit; whatever it started dies with it.

use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// How a helper program ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Whether it said success (exit status 0) in time.
    pub(crate) success: bool,
    /// Whether the time limit ended it.
    pub(crate) timed_out: bool,
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
    fn kill(&mut self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
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

/// Runs a command to its end or for `limit`, with nothing to read.
pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    run_with(command, limit, Stdio::null())
}

/// Runs a command to its end or for `limit`. Output goes through files: no pipe can fill up, and a
/// grandchild that keeps a stream open cannot hold us.
pub(crate) fn run_with(command: &mut Command, limit: Duration, input: Stdio) -> io::Result<Finished> {
    let mut streams = [tempfile::tempfile()?, tempfile::tempfile()?];
    command.stdin(input).stdout(streams[0].try_clone()?).stderr(streams[1].try_clone()?).process_group(0);
    let started = Instant::now();
    let mut group = Group { child: command.spawn()?, ended: false };
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = group.child.try_wait()? {
            group.ended = true;
            break Some(status);
        }
        if started.elapsed() >= limit {
            group.kill();
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(25));
    };
    let [output, messages] = [read(&mut streams[0])?, read(&mut streams[1])?];
    Ok(Finished {
        success: status.is_some_and(|status| status.success()),
        timed_out: status.is_none(),
        output,
        messages,
    })
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
