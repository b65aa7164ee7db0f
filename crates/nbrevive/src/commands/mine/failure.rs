//! The exit codes of what ends mining.

use nbrevive_mine::api::ApiError;
use nbrevive_mine::browser::BrowserError;
use nbrevive_mine::folder::FolderError;
use nbrevive_mine::git::GitError;
use nbrevive_mine::github::HubError;
use nbrevive_mine::metakaggle::DumpError;
use nbrevive_mine::raw::RawError;
use nbrevive_study::{CorpusError, MiningError};

use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};

/// The code for an error that ended a run over a source.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn failure(error: &MiningError) -> Failure {
    let exit = match error {
        MiningError::Store(error) => return store_failure(error),
        MiningError::Raw(error) => return raw_failure(error),
        MiningError::Corpus(error) => return corpus_failure(error),
        MiningError::Api(error) => return api_failure(error),
        MiningError::Pages(error) => return pages_failure(error),
        MiningError::Hub(error) => return hub_failure(error),
        MiningError::Dump(error) => return dump_failure(error),
        MiningError::Folder(error) => return folder_failure(error),
        MiningError::Git(error) => return git_failure(error),
        MiningError::Home(_) | MiningError::Budget(_) => Exit::CannotWrite,
        MiningError::Credentials(_) | MiningError::Session(_) | MiningError::HubToken(_) => Exit::Credentials,
        MiningError::Settings(_)
        | MiningError::Competition(_)
        | MiningError::Name(_)
        | MiningError::Endpoint(_)
        | MiningError::HubEndpoint(_)
        | MiningError::HubList(_)
        | MiningError::Date(_)
        | MiningError::NoAnswers(_)
        | MiningError::NothingNamed
        | MiningError::NoDump
        | MiningError::NoRepositories
        | MiningError::NoPlace(_)
        | MiningError::Undated(_) => Exit::BadInput,
    };
    Failure::new(exit, error)
}

/// The code for an error of the raw answers.
pub(super) fn raw_failure(error: &RawError) -> Failure {
    let exit = match error {
        RawError::System { .. } => Exit::CannotWrite,
        RawError::Damaged { .. } => Exit::BadInput,
    };
    Failure::new(exit, error)
}

/// The code for an error of a corpus folder.
pub(crate) fn corpus_failure(error: &CorpusError) -> Failure {
    let exit = match error {
        CorpusError::Io { .. } | CorpusError::File(_) | CorpusError::NotOurs(_) | CorpusError::Stray { .. } => {
            Exit::CannotWrite
        }
        CorpusError::Invalid { .. } => Exit::BadInput,
        CorpusError::Raw(error) => return raw_failure(error),
    };
    Failure::new(exit, error)
}

fn api_failure(error: &ApiError) -> Failure {
    let exit = match error {
        ApiError::CredentialsWrong { .. } => Exit::Credentials,
        ApiError::RulesNotAccepted { .. } => Exit::Rules,
        ApiError::Raw(error) => return raw_failure(error),
        ApiError::SetUp(_) | ApiError::Name(_) => Exit::Other,
        _ => Exit::Unreachable,
    };
    Failure::new(exit, error)
}

fn pages_failure(error: &BrowserError) -> Failure {
    let exit = match error {
        BrowserError::Missing { .. } => Exit::Missing,
        BrowserError::LoginWall { .. } | BrowserError::Session(_) => Exit::Credentials,
        BrowserError::Raw(error) => return raw_failure(error),
        BrowserError::File { .. } => Exit::CannotWrite,
        BrowserError::Site { .. } | BrowserError::Selectors(_) => Exit::BadInput,
        BrowserError::Layout { .. } => Exit::Incomplete,
        _ => Exit::Unreachable,
    };
    Failure::new(exit, error)
}

fn hub_failure(error: &HubError) -> Failure {
    let exit = match error {
        HubError::TokenWrong { .. } => Exit::Credentials,
        HubError::Raw(error) => return raw_failure(error),
        HubError::SetUp(_) => Exit::Other,
        _ => Exit::Unreachable,
    };
    Failure::new(exit, error)
}

fn dump_failure(error: &DumpError) -> Failure {
    match error {
        DumpError::Raw(error) => raw_failure(error),
        DumpError::Unreadable { .. }
        | DumpError::NoTable { .. }
        | DumpError::NoColumn { .. }
        | DumpError::NoCompetition { .. } => Failure::new(Exit::BadInput, error),
    }
}

fn folder_failure(error: &FolderError) -> Failure {
    match error {
        FolderError::Unreadable { .. } => Failure::new(Exit::BadInput, error),
        FolderError::Git(error) => git_failure(error),
    }
}

fn git_failure(error: &GitError) -> Failure {
    match error {
        GitError::NotInstalled(_) => Failure::new(Exit::Missing, error),
        GitError::Raw(error) => raw_failure(error),
        GitError::Clone { .. } => Failure::new(Exit::Unreachable, error),
        GitError::CheckOut { .. } => Failure::new(Exit::CannotWrite, error),
        GitError::NotARepository(_) | GitError::Failed { .. } | GitError::Answer { .. } => {
            Failure::new(Exit::BadInput, error)
        }
    }
}
