//! The capped log: what the command writes to standard output and error, read from a pipe to its end.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// Line added where the log was cut.
const CUT: &str = "\n[nbrevive] log cut here\n";
/// Read at most this much in a row, so that a flood cannot keep the supervisor from its other duties.
const BURST: usize = 64;

/// Copies a pipe into a file up to a limit and drops the rest, so that the writer never blocks on us.
#[derive(Debug)]
pub(crate) struct Log {
    pipe: File,
    file: File,
    remaining: u64,
    pub(crate) seen: u64,
    open: bool,
}

impl Log {
    /// Creates the file, or empties it; nothing else than a file is written to. The pipe must be non-blocking.
    pub(crate) fn create(path: &Path, pipe: OwnedFd, limit: u64) -> io::Result<Self> {
        // A pipe that an earlier run left in this place would have us wait for a reader.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(path, flags, Mode::from_raw_mode(0o644))?);
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        file.set_len(0)?;
        Ok(Self { pipe: pipe.into(), file, remaining: limit, seen: 0, open: true })
    }

    /// The pipe to poll, while its other end is open.
    pub(crate) fn pollable(&self) -> Option<BorrowedFd<'_>> {
        self.open.then(|| self.pipe.as_fd())
    }

    /// Takes what is there, without blocking.
    pub(crate) fn pump(&mut self) {
        let mut buffer = [0_u8; 16 * 1024];
        for _ in 0..BURST {
            match self.pipe.read(&mut buffer) {
                Ok(0) => {
                    self.open = false;
                    return;
                }
                Ok(length) => self.keep(&buffer[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.open = error.kind() == io::ErrorKind::WouldBlock;
                    return;
                }
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.seen += bytes.len() as u64;
        if self.remaining == 0 {
            return;
        }
        let kept = bytes.len().min(usize::try_from(self.remaining).unwrap_or(usize::MAX));
        self.remaining -= kept as u64;
        // A full host disk must not end the run from here: the disk watch names that cause.
        let mut written = self.file.write_all(&bytes[..kept]);
        if self.remaining == 0 {
            written = written.and_then(|()| self.file.write_all(CUT.as_bytes()));
        }
        if let Err(error) = written {
            tracing::warn!(%error, "cannot write the log of a sandbox");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::pipe::{PipeFlags, pipe_with};

    #[test]
    fn keeps_up_to_the_limit_and_counts_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let (read, write) = pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC).unwrap();
        let mut log = Log::create(&path, read, 10).unwrap();
        let mut writer = File::from(write);
        writer.write_all(b"0123456789abcdef").unwrap();
        log.pump();
        assert!(log.pollable().is_some());
        drop(writer);
        log.pump();
        assert!(log.pollable().is_none());
        assert_eq!(log.seen, 16);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("0123456789{CUT}"));
    }
}
