//! The meeting place: run folder, key, connection file, and sockets opened without trusting what lies there.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use nbrevive_sandbox::{Backend, Bind};
use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use serde_json::json;
use tempfile::TempDir;

/// Longest path of a unix socket, in bytes.
const LONGEST_SOCKET: usize = 107;
/// Where the folder of the sockets is seen inside.
const INSIDE: &str = "/run/k";

/// The channels in use, with the number that ends their socket's name. The others stay unconnected: questions are
/// refused (stdin), interrupts are signals and shutdown is asked on the shell (control), and the supervisor knows of a
/// death before a heartbeat could.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Shell = 1,
    Iopub = 2,
}

/// The folder of one run and what kernel and client agree on.
#[derive(Debug)]
pub(crate) struct Meeting {
    folder: TempDir,
    pub(crate) key: String,
    /// Name of our session.
    pub(crate) session: String,
    isolated: bool,
}

impl Meeting {
    /// Makes the folder below `base` and writes the connection file.
    pub(crate) fn arrange(base: Option<&Path>, backend: &Backend) -> io::Result<Self> {
        let base = base.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let folder =
            tempfile::Builder::new().prefix("nbr-").permissions(fs::Permissions::from_mode(0o700)).tempdir_in(base)?;
        let meeting = Self { folder, key: random_text()?, session: random_text()?, isolated: backend.isolates() };
        let longest = meeting.outside().join("k-5");
        if longest.as_os_str().len() > LONGEST_SOCKET {
            return Err(io::Error::other(format!(
                "{} is longer than the {LONGEST_SOCKET} bytes of a socket address; set a shorter run folder",
                longest.display()
            )));
        }
        fs::create_dir(meeting.outside())?;
        fs::write(meeting.outside().join("c.json"), meeting.connection_file())?;
        Ok(meeting)
    }

    fn outside(&self) -> PathBuf {
        self.folder.path().join("ipc")
    }

    /// Where the kernel sees the folder.
    fn inside(&self) -> PathBuf {
        if self.isolated { INSIDE.into() } else { self.outside() }
    }

    pub(crate) fn bind(&self) -> Bind {
        Bind::new(self.outside(), self.inside())
    }

    /// What stands for `{connection_file}`.
    pub(crate) fn connection_path(&self) -> String {
        self.inside().join("c.json").to_string_lossy().into_owned()
    }

    /// Home of a kernel: private `/tmp` in a sandbox, the run folder without.
    pub(crate) fn home(&self) -> String {
        if self.isolated { "/tmp".into() } else { self.outside().to_string_lossy().into_owned() }
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn connection_file(&self) -> String {
        json!({
            "transport": "ipc",
            "ip": self.inside().join("k").to_string_lossy(),
            "shell_port": 1,
            "iopub_port": 2,
            "stdin_port": 3,
            "control_port": 4,
            "hb_port": 5,
            "key": self.key,
            "signature_scheme": "hmac-sha256",
            "kernel_name": "python",
        })
        .to_string()
    }

    /// Where the sockets of a channel will appear.
    pub(crate) fn sockets(&self) -> Sockets {
        Sockets { folder: self.outside(), doors: self.folder.path().to_path_buf() }
    }
}

/// The folder in which the kernel makes its sockets.
#[derive(Debug, Clone)]
pub(crate) struct Sockets {
    folder: PathBuf,
    /// A folder that the kernel does not see.
    doors: PathBuf,
}

impl Sockets {
    /// Opens the socket of a channel by what it is, not by its name: a link, or anything that is not a socket, is
    /// refused, and whoever replaces it later changes nothing for us. `None` while it is not there.
    pub(crate) fn open(&self, channel: Channel) -> io::Result<Option<Socket>> {
        let path = self.folder.join(format!("k-{}", channel as u8));
        let opened = open(&path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty());
        let descriptor = match opened {
            Ok(descriptor) => descriptor,
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if FileType::from_raw_mode(fstat(&descriptor)?.st_mode) != FileType::Socket {
            return Err(io::Error::other(format!("{} is not a socket", path.display())));
        }
        Ok(Some(Socket { channel, descriptor }))
    }

    /// Where a socket of our own for a channel may be.
    pub(crate) fn door(&self, channel: Channel) -> PathBuf {
        self.doors.join(format!("d-{}", channel as u8))
    }
}

/// A socket that was found genuine. Keep it until the connection is made.
#[derive(Debug)]
pub(crate) struct Socket {
    channel: Channel,
    descriptor: OwnedFd,
}

impl Socket {
    /// Whose socket it is.
    pub(crate) fn channel(&self) -> Channel {
        self.channel
    }

    /// Address that leads to exactly this socket.
    pub(crate) fn address(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.descriptor.as_raw_fd()).into()
    }
}

/// A word that nobody knows beforehand.
pub(crate) fn random_text() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(nbrevive_files::hex(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn a_link_to_a_socket_is_refused() {
        let meeting = Meeting::arrange(None, &Backend::Bubblewrap).unwrap();
        let sockets = meeting.sockets();
        assert!(sockets.open(Channel::Shell).unwrap().is_none());
        let real = meeting.outside().join("elsewhere");
        let _listener = UnixListener::bind(&real).unwrap();
        std::os::unix::fs::symlink(&real, meeting.outside().join("k-1")).unwrap();
        assert!(sockets.open(Channel::Shell).is_err());
        fs::write(meeting.outside().join("k-2"), "not a socket").unwrap();
        assert!(sockets.open(Channel::Iopub).is_err());
        fs::remove_file(meeting.outside().join("k-2")).unwrap();
        let _genuine = UnixListener::bind(meeting.outside().join("k-2")).unwrap();
        assert!(sockets.open(Channel::Iopub).unwrap().unwrap().address().starts_with("/proc/self/fd"));
    }

    #[test]
    fn the_connection_file_names_the_place_inside() {
        let meeting = Meeting::arrange(None, &Backend::Bubblewrap).unwrap();
        assert_eq!(meeting.connection_path(), "/run/k/c.json");
        let text = fs::read_to_string(meeting.outside().join("c.json")).unwrap();
        assert!(text.contains("\"ip\":\"/run/k/k\"") && text.contains(&meeting.key), "{text}");
        assert_eq!(meeting.key.len(), 32);
    }

    #[test]
    fn a_long_folder_is_refused_with_advice() {
        let base = tempfile::tempdir().unwrap();
        let long = base.path().join("x".repeat(100));
        fs::create_dir(&long).unwrap();
        let error = Meeting::arrange(Some(&long), &Backend::Bubblewrap).unwrap_err();
        assert!(error.to_string().contains("set a shorter run folder"), "{error}");
    }
}
