//! What can go wrong with mining, by who says so.

use std::path::PathBuf;

use nbrevive_corpus::CompetitionError;
use nbrevive_environment::home::NoHome;
use nbrevive_mine::api::{ApiError, EndpointError};
use nbrevive_mine::browser::{BrowserError, SessionError};
use nbrevive_mine::budget::BudgetError;
use nbrevive_mine::folder::FolderError;
use nbrevive_mine::git::GitError;
use nbrevive_mine::github::{HubAccessError, HubError, HubListError};
use nbrevive_mine::metakaggle::DumpError;
use nbrevive_mine::raw::RawError;
use nbrevive_mine::records::{MiningSource, NameError};
use nbrevive_mine::secret::CredentialsError;
use nbrevive_store::StoreError;

use crate::corpus::selection::CorpusError;
use crate::settings::SettingsError;

/// Why mining ended early, or could not begin. What was told before is stored.
#[derive(Debug, thiserror::Error)]
pub enum MiningError {
    /// The study's file cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A competition of the study cannot be read.
    #[error(transparent)]
    Competition(#[from] CompetitionError),
    /// A name in the study, its store or a list is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The raw answers cannot be used.
    #[error(transparent)]
    Raw(#[from] RawError),
    /// A corpus cannot be read or written.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// There is no folder for the budget of requests.
    #[error(transparent)]
    Home(#[from] NoHome),
    /// The budget of requests cannot be opened.
    #[error(transparent)]
    Budget(BudgetError),
    /// There are no credentials for the API of Kaggle.
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    /// The address of the API of Kaggle is none.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The API of Kaggle gave no answer with which the run goes on.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// There is no session for the pages of Kaggle.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The pages of Kaggle cannot be read.
    #[error(transparent)]
    Pages(#[from] BrowserError),
    /// There is no token for GitHub.
    #[error(transparent)]
    HubToken(HubAccessError),
    /// The address of GitHub is none.
    #[error(transparent)]
    HubEndpoint(HubAccessError),
    /// The list of repositories cannot be read.
    #[error(transparent)]
    HubList(#[from] HubListError),
    /// GitHub gave no answer with which the run goes on.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The dump cannot be read.
    #[error(transparent)]
    Dump(#[from] DumpError),
    /// A folder cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A git repository cannot be read.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A date of the study's file is none.
    #[error(transparent)]
    Date(#[from] jiff::Error),
    /// No answer of the API is kept that could be read again.
    #[error("no answer of the API is kept in {}: run `nbrevive mine` first", .0.display())]
    NoAnswers(PathBuf),
    /// The pages of no notebook can be read.
    #[error("no notebook is known by name: put kaggle-api or meta-kaggle before browser in mine.sources")]
    NothingNamed,
    /// The study's file names no dump.
    #[error("the study's file names no dump for source `meta-kaggle`: set dump in [mine.meta_kaggle]")]
    NoDump,
    /// The study's file names no repositories of GitHub.
    #[error("the study's file names no repositories for source `github`: set list or search in [mine.github]")]
    NoRepositories,
    /// The study's file names no folder, or no git repository.
    #[error("the study's file names no place for source `{0}`: add a [[mine.{0}]] with a path")]
    NoPlace(MiningSource),
    /// Nothing says how old a folder is.
    #[error("nothing says when {} was last changed: add `date` to its [[mine.folder]]", .0.display())]
    Undated(PathBuf),
}

impl MiningError {
    /// Whether a folder or a git repository is at fault, so that others can be taken all the same.
    pub(super) const fn is_of_a_place(&self) -> bool {
        matches!(self, MiningError::Folder(_) | MiningError::Git(_) | MiningError::Date(_) | MiningError::Undated(_))
    }
}
