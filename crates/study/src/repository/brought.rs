//! A repository of which there is only history, here or elsewhere: the files of one commit, in a folder of ours that goes when it is let go.

use std::path::Path;

use jiff::Timestamp;
use nbrevive_corpus::{HostTold, Repository};
use nbrevive_files::FileError;
use nbrevive_mine::LocalTrouble;
use nbrevive_mine::git::{CheckOutLimits, CloneLimits, GitAddress, GitError, GitRepository};

use super::SurveyedRepository;
use crate::laboratory::sweep;
use crate::laboratory::working_folder::WorkFolder;

/// Why there are no files of a commit.
#[derive(Debug, thiserror::Error)]
pub enum BringError {
    /// Git could not tell, or the commit is not there.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The files cannot be listed.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no folder for them.
    #[error("cannot make a folder for the repository: {0}")]
    Folder(#[source] std::io::Error),
}

/// The files of a commit, looked through.
#[derive(Debug)]
pub struct BroughtRepository {
    /// What is in it.
    pub surveyed: SurveyedRepository,
    /// The commit's hash.
    pub commit: String,
    /// When it was committed.
    pub committed: Timestamp,
    /// What of the commit was left out, or stands for data that is elsewhere.
    pub left_out: Vec<LocalTrouble>,
    git: GitRepository,
    _folder: WorkFolder,
}

impl BroughtRepository {
    /// Clones a repository and takes a commit of it (default: its HEAD).
    ///
    /// # Errors
    /// [`BringError`].
    pub fn clone_from(address: &GitAddress, commit: Option<&str>, limits: &CloneLimits) -> Result<Self, BringError> {
        let folder = own_folder()?;
        let git = GitRepository::clone_from(address, commit, &folder.path().join("history"), limits)?;
        let name = name(&address.to_string());
        Self::taken(
            git,
            commit,
            Repository {
                name,
                url: Some(address.to_string()),
                commit: None,
                host: HostTold::default(),
                files: folder.working(),
            },
            folder,
        )
    }

    /// Takes a commit (default: its HEAD) of a repository that is here.
    ///
    /// # Errors
    /// [`BringError`].
    pub fn of(git: GitRepository, path: &Path, commit: Option<&str>) -> Result<Self, BringError> {
        let folder = own_folder()?;
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = name(&path.file_name().unwrap_or_default().to_string_lossy());
        Self::taken(
            git,
            commit,
            Repository { name, url: None, commit: None, host: HostTold::default(), files: folder.working() },
            folder,
        )
    }

    fn taken(
        git: GitRepository,
        commit: Option<&str>,
        files: Repository,
        folder: WorkFolder,
    ) -> Result<Self, BringError> {
        let (hash, committed) = git.commit(commit.unwrap_or("HEAD"))?;
        let left_out = git.check_out(&hash, &files.files, &CheckOutLimits::default())?;
        let surveyed = SurveyedRepository::of(Repository { commit: Some(hash.clone()), ..files })?;
        Ok(Self { surveyed, commit: hash, committed, left_out, git, _folder: folder })
    }

    /// When one of these files was last changed before the commit, or by it.
    ///
    /// # Errors
    /// [`GitError`].
    pub fn last_changed(&self, paths: &[&str]) -> Result<Option<Timestamp>, GitError> {
        self.git.last_changed(&self.commit, paths.iter().map(std::path::PathBuf::from))
    }
}

/// A folder that the next run removes, should this one be killed.
fn own_folder() -> Result<WorkFolder, BringError> {
    sweep();
    WorkFolder::make(&std::env::temp_dir()).map_err(BringError::Folder)
}

/// `owner/name` of an address or path, without `.git`.
fn name(address: &str) -> String {
    let parts: Vec<&str> = address.trim_end_matches('/').rsplit(['/', ':']).take(2).collect();
    let parts: Vec<&str> = parts.into_iter().rev().filter(|part| !part.is_empty()).collect();
    parts.join("/").trim_end_matches(".git").to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_repository_is_named_by_the_end_of_its_address() {
        let cases = [
            ("https://example.org/me/it.git", "me/it"),
            ("git@example.org:me/it", "me/it"),
            ("it.git", "it"),
            ("ssh://git@example.org/deep/me/it/", "me/it"),
        ];
        for (address, name) in cases {
            assert_eq!(super::name(address), name, "{address}");
        }
    }
}
