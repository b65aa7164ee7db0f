//! Puts the files of one commit into a folder, byte by byte as they were committed.
//!
//! Git would do it too, with the filters, the line ends and the links that the commit asks for. Here nothing of it is carried out, and what
//! is no plain file is left out and told.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::command::{GitError, GitRepository};
use crate::content::LocalTrouble;
use crate::lfs::is_pointer;
use crate::records::LocalPath;

/// How much is put into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckOutLimits {
    /// Longest file, in bytes. Default: 2 GiB.
    pub file: u64,
    /// All files together, in bytes. Default: 16 GiB.
    pub all: u64,
    /// How many files. Default: 200,000, the most that a repository is looked through for.
    pub files: usize,
}

impl Default for CheckOutLimits {
    fn default() -> Self {
        Self { file: 2 << 30, all: 16 << 30, files: 200_000 }
    }
}

impl GitRepository {
    /// Puts the files of a commit, by its hash, into an empty folder of ours. What is left out is told: links, submodules, files over a
    /// limit, names that lead out or into `.git`; and files that only stand for the data that git-lfs would bring.
    ///
    /// # Errors
    /// [`GitError`] when the commit cannot be read, or a file not written.
    pub fn check_out(&self, hash: &str, to: &Path, limits: &CheckOutLimits) -> Result<Vec<LocalTrouble>, GitError> {
        let mut troubles = Vec::new();
        let (mut room, mut left) = (limits.all, limits.files);
        let mut blobs = self.blobs()?;
        for file in self.files_at(hash)? {
            let why = match (file.why_not(), file.bytes.unwrap_or_default()) {
                (Some(why), _) => Some(why.to_owned()),
                (None, bytes) if bytes > limits.file => Some(format!("longer than {} bytes", limits.file)),
                (None, bytes) if bytes > room => Some("the files before it have all the room".to_owned()),
                (None, _) if left == 0 => Some(format!("more than {} files", limits.files)),
                (None, _) => place(&file.path).err(),
            };
            if let Some(why) = why {
                troubles.push(LocalTrouble::new(&file.path, &why));
                continue;
            }
            let Some(content) = blobs.content(&file.blob, limits.file)? else {
                troubles.push(LocalTrouble::new(&file.path, &"its content is not here"));
                continue;
            };
            if is_pointer(&content) {
                troubles.push(LocalTrouble::new(&file.path, &"its data is with git-lfs, and is not fetched"));
            }
            (room, left) = (room.saturating_sub(content.len() as u64), left - 1);
            let path = to.join(&file.path);
            if let Err(source) = write(&path, &content, file.is_program()) {
                // Two names of one place, as a crafted tree can have.
                match source.kind() {
                    std::io::ErrorKind::AlreadyExists | std::io::ErrorKind::NotADirectory => {
                        troubles.push(LocalTrouble::new(&file.path, &"its place is taken"));
                    }
                    _ => return Err(GitError::CheckOut { path, source }),
                }
            }
        }
        Ok(troubles)
    }
}

/// Whether a name of a commit is a place below the folder, and none of git's own.
fn place(path: &str) -> Result<(), String> {
    LocalPath::new(path).map_err(|error| error.to_string())?;
    match path.split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
        true => Err("it lies in .git".to_owned()),
        false => Ok(()),
    }
}

fn write(path: &Path, content: &[u8], is_program: bool) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mode = if is_program { 0o755 } else { 0o644 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?.write_all(content)
}
