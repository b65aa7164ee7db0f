//! Calls the `git` program so that a hostile repository runs nothing.
//!
//! A repository's own configuration can name programs (signature check, file watcher, external diff, transports). All
//! of it that our commands would look at is overridden; lazy fetching and every transport are off; hooks are not run
//! by reading commands, and lie nowhere for the rest.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Git could not tell what was asked.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program is missing.
    #[error("cannot run git: {0}; install it (apt-get install git)")]
    NotInstalled(std::io::Error),
    /// The folder holds no repository.
    #[error("{} is no git repository: it has neither .git nor HEAD, objects and refs", .0.display())]
    NotARepository(PathBuf),
    /// Git failed.
    #[error("git {command} failed in {}: {message}", repository.display())]
    Failed {
        /// The subcommand.
        command: &'static str,
        /// The repository.
        repository: PathBuf,
        /// What git said, shortened.
        message: String,
    },
    /// Git said something that is not understood.
    #[error("git {command} gave an answer that is not understood in {}: {what}", repository.display())]
    Answer {
        /// The subcommand.
        command: &'static str,
        /// The repository.
        repository: PathBuf,
        /// What is not understood.
        what: String,
    },
    /// A repository elsewhere cannot be brought here.
    #[error("cannot clone {address}: {message}")]
    Clone {
        /// Its address, without a password.
        address: String,
        /// What git said, shortened, or which limit was reached.
        message: String,
    },
    /// A file of a commit cannot be put into a folder.
    #[error("cannot write {}: {source}", path.display())]
    CheckOut {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The raw store cannot be used.
    #[error(transparent)]
    Raw(#[from] crate::raw::RawError),
}

/// Configuration that wins over the repository's.
const OVERRIDES: [&str; 10] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "log.showSignature=false",
    "log.showRoot=true",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "protocol.allow=never",
    "core.quotePath=false",
];

/// Variables that switch off the user's and the machine's configuration, prompts and everything that reaches out.
const VARIABLES: [(&str, &str); 10] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // No transport has this name, and this list wins over every configuration.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_LITERAL_PATHSPECS", "1"),
];

/// A git repository that is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitRepository {
    /// The folder of git's own files.
    pub(super) git_folder: PathBuf,
    /// The folder of the working tree; `None` for a bare repository.
    tree: Option<PathBuf>,
}

impl GitRepository {
    /// The repository in this folder, bare or not.
    ///
    /// # Errors
    /// [`GitError::NotARepository`].
    pub fn open(folder: &Path) -> Result<Self, GitError> {
        if let Some(git_folder) = git_folder(folder) {
            return Ok(Self { git_folder, tree: Some(folder.to_owned()) });
        }
        let bare = ["HEAD", "objects", "refs"].iter().all(|part| folder.join(part).exists()) && is_readable(folder);
        let git_folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        if bare { Ok(Self { git_folder, tree: None }) } else { Err(GitError::NotARepository(git_folder)) }
    }

    /// The repository whose working tree this folder lies in, if any.
    #[must_use]
    pub fn around(folder: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok()?;
        folder.ancestors().find_map(|tree| Some(Self { git_folder: git_folder(tree)?, tree: Some(tree.to_owned()) }))
    }

    /// Whether there is a working tree, and not only history.
    #[must_use]
    pub fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// A repository of git's own files alone, in a folder that is there or will be.
    pub(super) fn bare(git_folder: PathBuf) -> Self {
        Self { git_folder, tree: None }
    }

    /// The folder of the working tree.
    pub(crate) fn tree(&self) -> Option<&Path> {
        self.tree.as_deref()
    }

    /// A command on this repository, without anything that could run a program of the repository's choice.
    pub(super) fn command(&self, subcommand: &str) -> Command {
        let mut command = hardened();
        command.arg("--git-dir").arg(&self.git_folder);
        // Relative paths are meant from the repository, and nothing else is looked up here.
        command.current_dir(&self.git_folder).arg(subcommand);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(super) fn failed(&self, command: &'static str, stderr: &[u8]) -> GitError {
        GitError::Failed { command, repository: self.git_folder.clone(), message: said(stderr) }
    }

    pub(super) fn not_understood(&self, command: &'static str, what: &str) -> GitError {
        let what = what.chars().take(100).flat_map(char::escape_default).collect();
        GitError::Answer { command, repository: self.git_folder.clone(), what }
    }
}

/// Git without anything that the user, the machine or a repository configured, and with every transport off.
pub(super) fn hardened() -> Command {
    let mut command = Command::new("git");
    let inherited = std::env::vars_os().map(|(name, _)| name);
    for name in inherited.filter(|name| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env_remove("HOME").env_remove("XDG_CONFIG_HOME").env("LC_ALL", "C").envs(VARIABLES);
    command.arg("--no-pager");
    for setting in OVERRIDES {
        command.args(["-c", setting]);
    }
    command
}

/// What git said, on one line, shortened.
pub(super) fn said(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.trim().chars().take(300).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Git's own folder of a working tree: `.git`, or where a file of that name points.
fn git_folder(tree: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(tree.join(".git")).ok()?;
    if path.join("HEAD").exists() {
        return is_readable(&path).then_some(path);
    }
    let pointed = nbrevive_files::read_text(&path, 4096).ok()?;
    let folder = path.parent()?.join(pointed.trim().strip_prefix("gitdir: ")?);
    (folder.join("HEAD").exists() && is_readable(&folder)).then_some(folder)
}

/// Whether what git reads before anything else are files: for a pipe it would wait for ever.
fn is_readable(git_folder: &Path) -> bool {
    let files =
        ["HEAD", "config", "config.worktree", "packed-refs", "shallow", "commondir", "index", "info/attributes"];
    files.iter().all(|name| git_folder.join(name).metadata().map_or(true, |found| found.is_file()))
}
