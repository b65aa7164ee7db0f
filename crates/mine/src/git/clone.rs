//! Brings a repository here that is elsewhere: its history alone, into a folder of ours.
//!
//! Only the transports of [`super::GitAddress`] are on. There is no working tree, so that no filter, no link and no submodule of it comes
//! to life, and no template, so that there are no hooks. Nobody is asked for a password: who needs one has it in an agent of ssh.

use std::fs;
use std::io::{Read, Seek};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::address::GitAddress;
use super::command::{GitError, GitRepository, hardened, said};

/// How long, and how large, a clone may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloneLimits {
    /// Wall clock. Default: 15 minutes.
    pub time: Duration,
    /// What it may take of the disk, in bytes. Default: 8 GiB.
    pub bytes: u64,
}

impl Default for CloneLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(15 * 60), bytes: 8 << 30 }
    }
}

/// How often a running clone is looked at.
const PAUSE: Duration = Duration::from_millis(50);
/// Longest text that git may say, in bytes: a server can send any.
const LONGEST_SAID: u64 = 1 << 20;

impl GitRepository {
    /// Clones a repository into a folder that is not there yet, and fetches the commit besides where no branch and no tag leads to it.
    ///
    /// # Errors
    /// [`GitError::Clone`] when it cannot be reached or is over a limit. Whether the commit is there, [`GitRepository::commit`] tells.
    pub fn clone_from(
        address: &GitAddress,
        commit: Option<&str>,
        folder: &Path,
        limits: &CloneLimits,
    ) -> Result<Self, GitError> {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let running = Running { address, folder: &folder, until: Instant::now() + limits.time, limits };
        let mut command = reaching(hardened());
        command.args(["clone", "--bare", "--quiet", "--no-local", "--template="]);
        command.arg("--").arg(address.as_given()).arg(&folder).current_dir(folder.parent().unwrap_or(Path::new("/")));
        running.run(&mut command)?;
        let cloned = Self::bare(folder.clone());
        if let Some(hash) = commit.filter(|commit| is_hash(commit) && cloned.commit(commit).is_err()) {
            let mut command = reaching(cloned.command("fetch"));
            command.args(["--quiet", "--no-tags", "--no-recurse-submodules", "--", address.as_given(), hash]);
            // Many servers give nothing away that no branch leads to: then it is a commit that is not there.
            let _ = running.run(&mut command);
        }
        Ok(cloned)
    }
}

/// With the transports that an address may name.
fn reaching(mut command: Command) -> Command {
    command.env("GIT_ALLOW_PROTOCOL", "https:http:ssh:git");
    command.env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=30");
    command.env("GIT_ASKPASS", "false").env("SSH_ASKPASS", "false");
    // Where a company's own certificates are, its environment says.
    if let Some(file) = std::env::var_os("GIT_SSL_CAINFO") {
        command.env("GIT_SSL_CAINFO", file);
    }
    command
}

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A git that reaches out, and what it may take.
struct Running<'a> {
    address: &'a GitAddress,
    folder: &'a Path,
    until: Instant,
    limits: &'a CloneLimits,
}

impl Running<'_> {
    fn run(&self, command: &mut Command) -> Result<(), GitError> {
        let mut complaints = tempfile::tempfile().map_err(GitError::NotInstalled)?;
        let stderr = complaints.try_clone().map_err(GitError::NotInstalled)?;
        // Its helpers belong to its group, and end with it.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr).process_group(0);
        let mut child = command.spawn().map_err(GitError::NotInstalled)?;
        let ended = loop {
            if let Some(status) = child.try_wait().map_err(GitError::NotInstalled)? {
                break Ok(status);
            }
            let length = complaints.metadata().map_or(0, |found| found.len());
            if let Some(why) = self.over_limit(length) {
                break Err(why);
            }
            std::thread::sleep(PAUSE);
        };
        match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => {
                let mut text = Vec::new();
                let _ = complaints.rewind().and_then(|()| (&mut complaints).take(LONGEST_SAID).read_to_end(&mut text));
                Err(self.failed(&said(&text)))
            }
            Err(why) => {
                end(&mut child);
                Err(self.failed(&why))
            }
        }
    }

    fn over_limit(&self, said: u64) -> Option<String> {
        if Instant::now() > self.until {
            return Some(format!("it takes more than {} s", self.limits.time.as_secs()));
        }
        if size(self.folder) > self.limits.bytes {
            return Some(format!("it is larger than {} MiB", self.limits.bytes >> 20));
        }
        (said > LONGEST_SAID).then(|| "the server does not stop talking".to_owned())
    }

    fn failed(&self, message: &str) -> GitError {
        // Git repeats the address that it was given.
        let message = message.replace(self.address.as_given(), &self.address.to_string());
        GitError::Clone { address: self.address.to_string(), message }
    }
}

fn end(child: &mut Child) -> Option<ExitStatus> {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    child.wait().ok()
}

/// What the files of a folder take, in bytes, as far as they can be listed now: git moves them while it works.
fn size(folder: &Path) -> u64 {
    let (mut total, mut open): (u64, Vec<PathBuf>) = (0, vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => open.push(entry.path()),
                Ok(found) => total = total.saturating_add(found.len()),
                Err(_) => {}
            }
        }
    }
    total
}
