//! The files of one commit.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::command::{GitError, GitRepository};
use super::history::{Blob, Blobs};

/// Most files that git is asked for at once: a command line has room for them.
const MOST_NAMED: usize = 1000;

/// Longest list of the files of a commit, in bytes: a tree of trees can name more files than fit on any disk.
const LONGEST_LIST: u64 = 256 << 20;

/// A file of a commit.
pub(crate) struct TreeFile {
    mode: String,
    pub(crate) blob: String,
    /// None where its content is not here, as in a partial clone.
    pub(crate) bytes: Option<u64>,
    pub(crate) path: String,
}

impl TreeFile {
    /// Why it is no file that can be taken, if it is none.
    pub(crate) fn why_not(&self) -> Option<&'static str> {
        match self.mode.as_str() {
            "100644" | "100755" | "100664" if self.bytes.is_none() => Some("its content is not here"),
            "100644" | "100755" | "100664" => None,
            "120000" => Some("it is a link"),
            "160000" => Some("it is a submodule"),
            _ => Some("it is no regular file"),
        }
    }

    pub(crate) fn is_program(&self) -> bool {
        self.mode == "100755"
    }
}

impl GitRepository {
    /// The hash and time of a commit.
    ///
    /// # Errors
    /// [`GitError`], also where there is no such commit.
    pub fn commit(&self, named: &str) -> Result<(String, Timestamp), GitError> {
        let mut command = self.command("rev-parse");
        let asked = format!("{named}^{{commit}}");
        let output = command.args(["--verify", "--quiet", "--end-of-options", &asked]).output();
        let output = output.map_err(GitError::NotInstalled)?;
        let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || hash.is_empty() || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let what: String = named.chars().take(100).collect();
            return Err(self.failed("rev-parse", format!("there is no commit `{what}`").as_bytes()));
        }
        let mut command = self.command("log");
        let output = command.args(["-1", "--no-show-signature", "--format=%ct", &hash]).output();
        let output = output.map_err(GitError::NotInstalled)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let seconds: i64 = text.trim().parse().map_err(|_| self.not_understood("log", text.trim()))?;
        let time = Timestamp::from_second(seconds).map_err(|_| self.not_understood("log", text.trim()))?;
        Ok((hash, time))
    }

    /// When what is checked out was committed.
    ///
    /// # Errors
    /// [`GitError`], also where nothing was committed.
    pub fn changed(&self) -> Result<Timestamp, GitError> {
        self.commit("HEAD").map(|(_, time)| time)
    }

    /// When one of these files was last committed, each named by its path in `folder`, which lies in the working tree; `None` where none
    /// of them ever was.
    ///
    /// # Errors
    /// [`GitError`].
    pub fn last_committed(&self, folder: &Path, files: &[&str]) -> Result<Option<Timestamp>, GitError> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let within = self.tree().and_then(|tree| folder.strip_prefix(tree).ok()).unwrap_or(Path::new(""));
        self.last_changed("HEAD", files.iter().map(|file| within.join(file)))
    }

    /// When one of these files, each named by its path from the root, was last changed in the history of a commit, by its hash; `None`
    /// where none of them ever was.
    ///
    /// # Errors
    /// [`GitError`].
    pub fn last_changed(
        &self,
        hash: &str,
        files: impl Iterator<Item = PathBuf>,
    ) -> Result<Option<Timestamp>, GitError> {
        let mut command = self.command("log");
        command.args(["-1", "--no-show-signature", "--format=%ct", hash, "--"]).args(files.take(MOST_NAMED));
        let output = command.output().map_err(GitError::NotInstalled)?;
        if !output.status.success() {
            return Err(self.failed("log", &output.stderr));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        if text.trim().is_empty() {
            return Ok(None);
        }
        let time = text.trim().parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
        time.map(Some).ok_or_else(|| self.not_understood("log", text.trim()))
    }

    /// The commit that is checked out, where all these files, each named by its path in `folder`, are as they are in it.
    pub(crate) fn head_of(&self, folder: &Path, files: &[&str]) -> Result<Option<String>, GitError> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let Some(within) = self.tree().and_then(|tree| folder.strip_prefix(tree).ok()) else { return Ok(None) };
        let (hash, _) = self.commit("HEAD")?;
        let committed: HashMap<String, String> =
            self.files_at(&hash)?.into_iter().map(|file| (file.path, file.blob)).collect();
        let committed = |path: &&str| within.join(path).to_str().and_then(|path| committed.get(path));
        let wanted: Option<Vec<&String>> = files.iter().map(committed).collect();
        let Some(wanted) = wanted else { return Ok(None) };
        let here = self.names_of(&folder, files)?;
        Ok(wanted.into_iter().eq(&here).then_some(hash))
    }

    /// The files of a commit, by its hash.
    pub(crate) fn files_at(&self, hash: &str) -> Result<Vec<TreeFile>, GitError> {
        let mut command = self.command("ls-tree");
        command.args(["-r", "-l", "-z", "--full-tree", hash]).stderr(std::process::Stdio::null());
        let mut child = command.spawn().map_err(GitError::NotInstalled)?;
        let mut list = Vec::new();
        let mut output = child.stdout.take().expect("standard output is piped").take(LONGEST_LIST + 1);
        let read = output.read_to_end(&mut list);
        if list.len() as u64 > LONGEST_LIST {
            let _ = child.kill();
        }
        let status = child.wait().map_err(GitError::NotInstalled)?;
        if list.len() as u64 > LONGEST_LIST {
            return Err(self.failed("ls-tree", b"the commit has more files than are listed"));
        }
        if read.is_err() || !status.success() {
            return Err(self.failed("ls-tree", format!("the files of {hash} cannot be listed").as_bytes()));
        }
        let lines = list.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        lines.map(|line| self.file(&String::from_utf8_lossy(line))).collect()
    }

    /// `<mode> <type> <object> <size>`, a tab and the path; a submodule has `-` for its size, and what is not here has `BAD`.
    fn file(&self, line: &str) -> Result<TreeFile, GitError> {
        let broken = || self.not_understood("ls-tree", line);
        let (told, path) = line.split_once('\t').ok_or_else(broken)?;
        let words: Vec<&str> = told.split_whitespace().collect();
        let [mode, _, blob, size] = words.as_slice() else { return Err(broken()) };
        let bytes = match *size {
            "-" | "BAD" => None,
            size => Some(size.parse().map_err(|_| broken())?),
        };
        Ok(TreeFile { mode: (*mode).to_owned(), blob: (*blob).to_owned(), bytes, path: path.to_owned() })
    }
}

impl Blobs<'_> {
    /// The content of a file; none where it is not here, or longer than `limit`.
    pub(crate) fn content(&mut self, blob: &str, limit: u64) -> Result<Option<Vec<u8>>, GitError> {
        Ok(match self.read(blob, limit)? {
            Blob::Here(bytes) => Some(bytes),
            Blob::TooLarge | Blob::Missing => None,
        })
    }
}
