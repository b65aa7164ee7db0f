//! The repository that is checked: a folder as it is, or a commit, brought from where it is into a folder of ours.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_mine::git::{CloneLimits, GitAddress, GitError, GitRepository};
use nbrevive_shown::shown;
use nbrevive_study::{BringError, BroughtRepository, SurveyedRepository};

use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// What is checked.
pub(crate) enum Subject {
    /// A folder, with what is in it now.
    Folder(PathBuf, Box<SurveyedRepository>),
    /// A commit.
    Commit(Box<BroughtRepository>),
}

impl Subject {
    /// Finds what the user named: a folder, `FOLDER@COMMIT`, a bare repository, or an address with or without a commit.
    pub(crate) fn find(named: &str) -> Result<Self, Failure> {
        let named = named.strip_prefix("file://").unwrap_or(named);
        let (place, commit) = match Path::new(named).is_dir() {
            true => (named, None),
            false => folder_at(named).unwrap_or_else(|| GitAddress::split_commit(named)),
        };
        let path = Path::new(place);
        if path.is_file() {
            let message = shown!("{} is a file: name its folder, and the file with --only", path.display());
            return Err(Failure { exit: Exit::BadInput, message });
        }
        if !path.is_dir() {
            let address = GitAddress::parse(place).map_err(|error| Failure::new(Exit::BadInput, &error))?;
            printer::note(&shown!("cloning {}", &address));
            let brought = BroughtRepository::clone_from(&address, commit, &CloneLimits::default());
            return Ok(Self::Commit(Box::new(brought.map_err(|error| bring_failure(&error))?)));
        }
        let git = GitRepository::open(path);
        match (commit, git) {
            (None, Ok(git)) if !git.has_tree() => Self::brought(git, path, None),
            (None, _) => {
                let surveyed = SurveyedRepository::read(path).map_err(|error| file_failure(&error))?;
                Ok(Self::Folder(path.to_owned(), Box::new(surveyed)))
            }
            (Some(commit), git) => {
                Self::brought(git.map_err(|error| Failure::new(Exit::BadInput, &error))?, path, Some(commit))
            }
        }
    }

    fn brought(git: GitRepository, path: &Path, commit: Option<&str>) -> Result<Self, Failure> {
        let brought = BroughtRepository::of(git, path, commit).map_err(|error| bring_failure(&error))?;
        Ok(Self::Commit(Box::new(brought)))
    }

    pub(crate) fn surveyed(&self) -> &SurveyedRepository {
        match self {
            Self::Folder(_, surveyed) => surveyed,
            Self::Commit(brought) => &brought.surveyed,
        }
    }

    /// The user's own folder, where it is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder, _) => Some(folder),
            Self::Commit(_) => None,
        }
    }

    /// When one of these notebooks was last committed, where git knows it.
    pub(crate) fn last_changed(&self, notebooks: &[&str]) -> Option<Timestamp> {
        match self {
            Self::Folder(folder, _) => {
                GitRepository::around(folder).and_then(|git| git.last_committed(folder, notebooks).ok().flatten())
            }
            Self::Commit(brought) => brought.last_changed(notebooks).ok().flatten().or(Some(brought.committed)),
        }
    }
}

/// A folder that is here with the commit behind it, also where no slash says that it is one: `it@v1`. `git@host:it` is none, for no
/// commit's name has a colon.
fn folder_at(named: &str) -> Option<(&str, Option<&str>)> {
    let (folder, commit) = named.rsplit_once('@')?;
    (!commit.contains(':') && Path::new(folder).is_dir()).then_some((folder, Some(commit)))
}

fn bring_failure(error: &BringError) -> Failure {
    let exit = match error {
        BringError::Git(GitError::NotInstalled(_)) => Exit::Missing,
        BringError::Git(GitError::Clone { .. }) => Exit::Unreachable,
        BringError::Git(GitError::CheckOut { .. }) | BringError::Folder(_) => Exit::CannotWrite,
        BringError::Git(_) => Exit::BadInput,
        BringError::File(error) => return file_failure(error),
    };
    Failure::new(exit, error)
}
