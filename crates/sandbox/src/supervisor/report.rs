//! What bubblewrap reports of its command, and what that says about the end.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::ExitStatus;

use crate::apptainer::{FAILED, LAST_WORDS};
use crate::oci::Container;
use crate::{Backend, Ended};

/// Bytes of the log in which the last line is looked for.
const MOST_SAID: u64 = 4 << 20;
/// Exit code of what SIGKILL ended.
const KILLED: i32 = 137;

/// What bubblewrap reports: the pid of the first process inside, and the exit code if the command ever ran.
#[derive(Debug)]
pub(super) struct Report {
    text: Vec<u8>,
    pub(super) child: Option<i32>,
    exit_code: Option<i32>,
    pub(super) open: bool,
}

impl Default for Report {
    fn default() -> Self {
        Self { text: Vec::new(), child: None, exit_code: None, open: true }
    }
}

impl Report {
    pub(super) fn read(&mut self, pipe: Option<&mut File>) {
        let Some(pipe) = pipe else { return };
        let mut buffer = [0_u8; 1024];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => {
                    self.open = false;
                    break;
                }
                Ok(length) => self.text.extend_from_slice(&buffer[..length]),
                Err(_) => break,
            }
        }
        for document in serde_json::Deserializer::from_slice(&self.text).into_iter::<serde_json::Value>() {
            let Ok(document) = document else { break };
            let number = |key: &str| document.get(key)?.as_i64().and_then(|number| i32::try_from(number).ok());
            self.child = number("child-pid").or(self.child);
            self.exit_code = number("exit-code").or(self.exit_code);
        }
    }

    pub(super) fn ended(&self, backend: &Backend, status: Option<ExitStatus>, log: &Path) -> Ended {
        let Some(status) = status else { return Ended::Killed };
        if let Some(signal) = status.signal() {
            return Ended::Signalled(signal);
        }
        let code = status.code().unwrap_or(0);
        if *backend == Backend::None {
            return Ended::Exited(code);
        }
        match self.exit_code {
            None => Ended::NotStarted { message: last_line(log) },
            Some(code @ 129..=192) => Ended::Signalled(code - 128),
            Some(code) => Ended::Exited(code),
        }
    }
}

/// How a container ended, from the engine's own exit code: that of the command, or 125 when there was no container.
pub(super) fn of_container(container: &Container, status: Option<ExitStatus>, log: &Path) -> Ended {
    let Some(status) = status else { return Ended::Killed };
    match status.code() {
        None => Ended::Signalled(status.signal().unwrap_or(0)),
        // A process of the runtime's own may have been seen inside, so only the engine knows.
        Some(125..=127) if !container.ran() => Ended::NotStarted { message: last_line(log) },
        Some(KILLED) if container.out_of_memory() => Ended::Memory,
        Some(code @ 129..=192) => Ended::Signalled(code - 128),
        Some(code) => Ended::Exited(code),
    }
}

/// How a container of Apptainer ended, which has an exit code of its own where there was none; `ran` says that the command was seen.
pub(super) fn of_apptainer(ran: bool, status: Option<ExitStatus>, log: &Path) -> Ended {
    let Some(status) = status else { return Ended::Killed };
    match status.code() {
        None => Ended::Signalled(status.signal().unwrap_or(0)),
        Some(FAILED) if !ran && last_line(log).starts_with(LAST_WORDS) => Ended::NotStarted { message: last_line(log) },
        Some(code @ 129..=192) => Ended::Signalled(code - 128),
        Some(code) => Ended::Exited(code),
    }
}

fn last_line(log: &Path) -> String {
    let mut text = Vec::new();
    // What cannot be read says nothing.
    let _ = nbrevive_files::open(log).map(|file| file.take(MOST_SAID).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Report {
        let file = tempfile::tempfile().unwrap();
        let mut file = file;
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        let mut report = Report::default();
        report.read(Some(&mut file));
        report
    }

    #[test]
    fn exit_codes_and_signals_are_told_apart() {
        let log = std::path::Path::new("/dev/null");
        let status = Some(ExitStatus::from_raw(0));
        let ended = |text: &str| report(text).ended(&Backend::Bubblewrap, status, log);
        assert_eq!(ended("{ \"child-pid\": 12 }\n{ \"exit-code\": 7 }\n"), Ended::Exited(7));
        assert_eq!(ended("{ \"child-pid\": 12 }\n{ \"exit-code\": 137 }\n"), Ended::Signalled(9));
        assert_eq!(ended("{ \"child-pid\": 12 }\n"), Ended::NotStarted { message: "no message".into() });
        assert_eq!(report("{ \"child-pid\": 12 }\n{ \"exi").child, Some(12));
    }
}
