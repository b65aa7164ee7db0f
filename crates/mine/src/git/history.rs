//! Which commit changed which file, and the bytes of a version.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use jiff::Timestamp;
use nbrevive_files::read_text;

use super::command::{GitError, GitRepository};

/// Ends of lines that begin a commit in our format; no path can be mistaken for it, as paths follow their change.
const COMMIT: char = '\u{2}';

/// The longest name of a folder that is read from a file of git's.
const LONGEST_NAME: u64 = 4096;

/// The longest list of commits that is read: 41 bytes each.
const LONGEST_LIST: u64 = 64 << 20;

/// A commit that added or changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// The path in the repository, as git has it.
    pub(crate) path: String,
    /// The commit, in hexadecimal.
    pub(crate) commit: String,
    /// The content, as git names it.
    pub(crate) blob: String,
    /// When it was committed; `None` where the history was cut off (a shallow clone) or the date is none.
    pub(crate) time: Option<Timestamp>,
}

impl GitRepository {
    /// Every change of a wanted plain file below a path, in the history of HEAD, newest commit first. Merges count for
    /// nothing of their own; a renamed file is a new one.
    pub(crate) fn changes(&self, below: Option<&str>, wanted: impl Fn(&str) -> bool) -> Result<Vec<Change>, GitError> {
        if !self.has_commits()? {
            return Ok(Vec::new());
        }
        let mut complaints = tempfile::tempfile().map_err(GitError::NotInstalled)?;
        let mut command = self.command("log");
        command.args(["-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"]);
        command.args(["--no-show-signature", "--no-notes", "--no-decorate", "--no-mailmap", "--no-follow"]);
        command.args(["--diff-filter=AMT", "--no-diff-merges", "--format=format:%x02%H %ct", "HEAD", "--"]);
        command.args(below.filter(|path| !path.is_empty()));
        command.stderr(complaints.try_clone().map_err(GitError::NotInstalled)?);
        let mut child = command.spawn().map_err(GitError::NotInstalled)?;
        let output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let changes = self.parse(output, &self.shallow(), wanted);
        if changes.is_err() {
            // What is not understood would be written on for ever.
            let _ = child.kill();
        }
        let status = child.wait().map_err(GitError::NotInstalled)?;
        if changes.is_ok() && !status.success() {
            let mut text = Vec::new();
            let _ = complaints.rewind().and_then(|()| complaints.read_to_end(&mut text));
            return Err(self.failed("log", &text));
        }
        changes
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
        let common = read_text(&self.git_folder.join("commondir"), LONGEST_NAME).unwrap_or_default();
        let common = self.git_folder.join(common.trim());
        let text = read_text(&common.join("shallow"), LONGEST_LIST).unwrap_or_default();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    fn parse(
        &self,
        output: impl BufRead,
        shallow: &HashSet<String>,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Change>, GitError> {
        let mut changes = Vec::new();
        let (mut commit, mut time) = (String::new(), None);
        let mut tokens = output.split(0).map_while(Result::ok);
        while let Some(token) = tokens.next() {
            let token = String::from_utf8_lossy(&token);
            let token = token.trim_start_matches('\n');
            let mut change = token;
            if let Some(line) = token.strip_prefix(COMMIT) {
                let (hash, seconds) = line.split_once(' ').ok_or_else(|| self.not_understood("log", token))?;
                // The line of the first change may follow without a nought.
                let (seconds, first) = seconds.split_once('\n').unwrap_or((seconds, ""));
                hash.clone_into(&mut commit);
                time = seconds.trim().parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
                time = time.filter(|_| !shallow.contains(hash));
                change = first;
            }
            if change.is_empty() {
                continue;
            }
            let path = tokens.next().ok_or_else(|| self.not_understood("log", change))?;
            let path = String::from_utf8_lossy(&path);
            let change = self.change(change, &path, &commit, time)?;
            changes.extend(change.filter(|_| wanted(&path)));
        }
        Ok(changes)
    }

    /// One raw line `:mode mode blob blob status`; `None` for what is no plain file.
    fn change(
        &self,
        line: &str,
        path: &str,
        commit: &str,
        time: Option<Timestamp>,
    ) -> Result<Option<Change>, GitError> {
        let words: Vec<&str> = line.split(' ').collect();
        let [first, mode, _, blob, _] = words.as_slice() else { return Err(self.not_understood("log", line)) };
        if !first.starts_with(':') {
            return Err(self.not_understood("log", line));
        }
        let plain = matches!(*mode, "100644" | "100755" | "100664");
        Ok(plain.then(|| Change { path: path.to_owned(), commit: commit.to_owned(), blob: (*blob).to_owned(), time }))
    }

    /// A reader of contents by their names.
    ///
    /// # Errors
    /// [`GitError::NotInstalled`].
    pub(crate) fn blobs(&self) -> Result<Blobs<'_>, GitError> {
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
pub(crate) struct Blobs<'a> {
    repository: &'a GitRepository,
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
