//! Which commit changed which file, and the bytes of a version.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use jiff::Timestamp;

use super::command::{GitError, Repository};

/// Ends of lines that begin a commit in our format; no path can be mistaken for it, as paths follow their change.
const COMMIT: char = '\u{2}';

/// A commit that added or changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path in the repository, as git has it.
    pub path: String,
    /// The commit, in hexadecimal.
    pub commit: String,
    /// The content, as git names it.
    pub blob: String,
    /// When it was committed; `None` where the history was cut off (a shallow clone) or the date is none.
    pub time: Option<Timestamp>,
}

impl Repository {
    /// Every change of a plain file below a path, in the history of HEAD, newest commit first. Merges count for
    /// nothing of their own; a renamed file is a new one.
    ///
    /// # Errors
    /// [`GitError`].
    pub fn changes(&self, below: Option<&str>) -> Result<Vec<Change>, GitError> {
        if !self.has_commits()? {
            return Ok(Vec::new());
        }
        let mut command = self.command("log");
        command.args(["-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"]);
        command.args(["--no-show-signature", "--no-notes", "--no-decorate", "--no-mailmap", "--no-follow"]);
        command.args(["--diff-filter=AMT", "--no-diff-merges", "--format=format:%x02%H %ct", "HEAD", "--"]);
        command.args(below.filter(|path| !path.is_empty()));
        let output = command.output().map_err(GitError::NotInstalled)?;
        if !output.status.success() {
            return Err(self.failed("log", &output.stderr));
        }
        self.parse(&output.stdout, &self.shallow())
    }

    fn has_commits(&self) -> Result<bool, GitError> {
        let mut command = self.command("rev-parse");
        let output = command.args(["--verify", "--quiet", "HEAD^{commit}"]).output().map_err(GitError::NotInstalled)?;
        match output.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(self.failed("rev-parse", &output.stderr)),
        }
    }

    /// The commits at which the history was cut off: their files are older than they.
    fn shallow(&self) -> HashSet<String> {
        let common = std::fs::read_to_string(self.git_folder.join("commondir")).unwrap_or_default();
        let common = self.git_folder.join(common.trim());
        let text = std::fs::read_to_string(common.join("shallow")).unwrap_or_default();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    fn parse(&self, bytes: &[u8], shallow: &HashSet<String>) -> Result<Vec<Change>, GitError> {
        let mut changes = Vec::new();
        let (mut commit, mut time) = (String::new(), None);
        let mut tokens = bytes.split(|byte| *byte == 0);
        while let Some(token) = tokens.next() {
            let token = String::from_utf8_lossy(token);
            let token = token.trim_start_matches('\n');
            if let Some(line) = token.strip_prefix(COMMIT) {
                let (hash, seconds) = line.split_once(' ').ok_or_else(|| self.not_understood("log", token))?;
                // The line of the first change may follow without a nought.
                let (seconds, change) = seconds.split_once('\n').unwrap_or((seconds, ""));
                hash.clone_into(&mut commit);
                time = seconds.trim().parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
                time = time.filter(|_| !shallow.contains(hash));
                if !change.is_empty() {
                    let path = tokens.next().ok_or_else(|| self.not_understood("log", change))?;
                    changes.extend(self.change(change, path, &commit, time)?);
                }
            } else if token.starts_with(':') {
                let path = tokens.next().ok_or_else(|| self.not_understood("log", token))?;
                changes.extend(self.change(token, path, &commit, time)?);
            } else if !token.is_empty() {
                return Err(self.not_understood("log", token));
            }
        }
        Ok(changes)
    }

    /// One raw line `:mode mode blob blob status`; `None` for what is no plain file.
    fn change(
        &self,
        line: &str,
        path: &[u8],
        commit: &str,
        time: Option<Timestamp>,
    ) -> Result<Option<Change>, GitError> {
        let words: Vec<&str> = line.trim_start_matches(':').split(' ').collect();
        let [_, mode, _, blob, _] = words.as_slice() else { return Err(self.not_understood("log", line)) };
        let plain = matches!(*mode, "100644" | "100755" | "100664");
        Ok(plain.then(|| Change {
            path: String::from_utf8_lossy(path).into_owned(),
            commit: commit.to_owned(),
            blob: (*blob).to_owned(),
            time,
        }))
    }

    /// A reader of contents by their names.
    ///
    /// # Errors
    /// [`GitError::NotInstalled`].
    pub(super) fn blobs(&self) -> Result<Blobs<'_>, GitError> {
        let mut command = self.command("cat-file");
        command.arg("--batch").stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(GitError::NotInstalled)?;
        let ask = child.stdin.take().expect("standard input is piped");
        let answers = BufReader::new(child.stdout.take().expect("standard output is piped"));
        Ok(Blobs { repository: self, child, ask: Some(ask), answers })
    }

    /// How git would name the present content of these files, in their order.
    pub(crate) fn names_of(&self, folder: &Path, paths: &[&str]) -> Result<Vec<String>, GitError> {
        let mut command = self.command("hash-object");
        command.args(["--no-filters", "--stdin-paths"]).stdin(Stdio::piped());
        let mut child = command.spawn().map_err(GitError::NotInstalled)?;
        let mut ask = child.stdin.take().expect("standard input is piped");
        let lines: String = paths.iter().map(|path| format!("{}\n", folder.join(path).display())).collect();
        let writer = std::thread::spawn(move || ask.write_all(lines.as_bytes()));
        let output = child.wait_with_output().map_err(GitError::NotInstalled)?;
        let _ = writer.join();
        if !output.status.success() {
            return Err(self.failed("hash-object", &output.stderr));
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }
}

/// A running `git cat-file`.
pub(super) struct Blobs<'a> {
    repository: &'a Repository,
    child: Child,
    ask: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// A content that was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Blob {
    Here(Vec<u8>),
    TooLarge,
    Missing,
}

impl Blobs<'_> {
    pub(super) fn read(&mut self, blob: &str, limit: u64) -> Result<Blob, GitError> {
        let broken = |what: &str| self.repository.not_understood("cat-file", what);
        let ask = self.ask.as_mut().ok_or_else(|| broken("closed"))?;
        writeln!(ask, "{blob}").and_then(|()| ask.flush()).map_err(|error| broken(&error.to_string()))?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|error| broken(&error.to_string()))?;
        if line.trim_end().ends_with(" missing") {
            return Ok(Blob::Missing);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "blob", size] = words.as_slice() else { return Err(broken(&line)) };
        let size: u64 = size.parse().map_err(|_| broken(&line))?;
        let mut content = self.answers.by_ref().take(size + 1);
        if size > limit {
            std::io::copy(&mut content, &mut std::io::sink()).map_err(|error| broken(&error.to_string()))?;
            return Ok(Blob::TooLarge);
        }
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(|error| broken(&error.to_string()))?;
        if bytes.len() as u64 != size + 1 {
            return Err(broken("the content ended early"));
        }
        bytes.pop();
        Ok(Blob::Here(bytes))
    }
}

impl Drop for Blobs<'_> {
    fn drop(&mut self) {
        self.ask = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
