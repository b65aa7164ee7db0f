//! A process that waits for our end, whatever brings it, and then removes what would outlive us.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

/// Reads a line, and removes. An end of the pipe without a line means that we were killed, perhaps while an engine was
/// still at work on a container: a moment later it is there to be removed.
/// What we had on the disk for it goes last. The removal finds in `$killed` whether we were.
const SCRIPT: &str = "folder=$1; shift; export killed=; read -r line || { killed=yes; sleep 1; }; \"$@\" >/dev/null 2>&1; \
                      exec rm -rf -- \"$folder\"";
/// How long the removal may take before it is left to itself.
const REMOVAL: Duration = Duration::from_secs(30);

/// Does nothing but wait for the end of a pipe that we hold.
#[derive(Debug)]
pub(crate) struct Undertaker(Child);

impl Undertaker {
    /// Runs `remove` and removes `folder` once it is [dismissed](Self::dismiss), or we are no more.
    pub(crate) fn new(folder: &Path, remove: &Process) -> io::Result<Self> {
        let mut process = Process::new("/bin/sh");
        process.args(["-c", SCRIPT, "sh"]).arg(folder).arg(remove.get_program()).args(remove.get_args());
        process.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().map(Self)
    }

    /// Begins to remove.
    pub(crate) fn dismiss(&mut self) {
        if let Some(mut pipe) = self.0.stdin.take() {
            // The end of the pipe alone would do; the line spares the wait.
            let _ = pipe.write_all(b"\n");
        }
    }

    /// Removes and waits until it is done.
    pub(crate) fn finish(&mut self) {
        self.dismiss();
        let deadline = Instant::now() + REMOVAL;
        while self.0.try_wait().is_ok_and(|status| status.is_none()) {
            if Instant::now() >= deadline {
                tracing::warn!("the removal of a container takes long");
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Undertaker {
    fn drop(&mut self) {
        self.finish();
    }
}
