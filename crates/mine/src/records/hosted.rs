//! Repositories on a host, as they were found there: what is known of each, and what became of it. One that cannot be had is a row
//! with a state, as one that can.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::names::LocalPath;
use super::origin::Origin;
use super::words::CodeLanguage;
use crate::content_hash::ContentHash;

nbrevive_corpus::string_enum! {
    /// What became of a repository that was wanted.
    pub enum HostedState ("state of a repository") {
        /// Its files are kept, a notebook of our kernel among them.
        Taken => "taken",
        /// It has notebooks, none of our kernel; nothing is kept but what is told of them.
        NoKernel => "no-kernel",
        /// It has no notebook; nothing of its files is kept.
        NoNotebooks => "no-notebooks",
        /// It has no commit.
        Empty => "empty",
        /// The commit that was asked for is not there.
        NoCommit => "no-commit",
        /// There is none for us: private, removed, or never there; the host does not say which.
        Missing => "missing",
        /// The host blocks it for a legal reason.
        BlockedByLaw => "blocked-by-law",
        /// The host blocks it, for example for its own terms.
        Blocked => "blocked",
        /// The host refuses it to this account.
        Forbidden => "forbidden",
        /// Its answers lead to another host.
        LedAway => "led-away",
        /// Its archive is longer than what is taken, packed or unpacked.
        TooLarge => "too-large",
        /// Its archive, or what the host tells of it, cannot be read, however often it is asked for.
        Unreadable => "unreadable",
        /// It is one that stands elsewhere in the same study under another name.
        Double => "double",
        /// What was listed is no repository of the host.
        NoRepository => "no-repository",
        /// No usable answer came; another run may bring it.
        Unanswered => "unanswered",
    }
}

nbrevive_corpus::string_enum! {
    /// What a notebook of a repository is to us.
    pub enum HostedNotebookState ("state of a notebook") {
        /// It is of our kernel, or says no language, as the oldest do.
        Ours => "ours",
        /// It is of another language.
        OtherKernel => "other-kernel",
        /// It has the name of a notebook and is none.
        NoNotebook => "no-notebook",
    }
}

/// A repository that was wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedRecord {
    /// By what name it was wanted (`owner/name`), or what was listed in its place; outside text, made harmless.
    pub asked: String,
    /// What became of it.
    pub state: HostedState,
    /// More about it, in the host's words or ours; outside text, made harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The tier of the search that drew it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The articles that name it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub articles: Vec<String>,
    /// The lines of the list that name it, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u64>,
    /// What the host tells of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<HostedFacts>,
    /// The commit at which it was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<HostedCommit>,
    /// Its notebooks at that commit, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notebooks: Vec<HostedNotebook>,
    /// Where this was read.
    pub origin: Origin,
}

/// What a host tells of a repository. What it does not tell is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedFacts {
    /// Its number, which a new name does not change.
    pub id: u64,
    /// Its name of today.
    pub name: LocalPath,
    /// Whether that is another one than it was asked for by.
    pub is_renamed: bool,
    /// Its page; outside text.
    pub url: Option<String>,
    /// Its licence as SPDX names it; `NOASSERTION` where the host found one that it does not know.
    pub licence: Option<String>,
    /// Stars.
    pub stars: Option<u64>,
    /// Forks of it.
    pub forks: Option<u64>,
    /// Whether it is a fork itself.
    pub is_fork: Option<bool>,
    /// The one that it is a fork of.
    pub fork_of: Option<String>,
    /// Whether its owner closed it.
    pub is_archived: Option<bool>,
    /// Whether the host switched it off.
    pub is_disabled: Option<bool>,
    /// What it is a mirror of; outside text.
    pub mirror_of: Option<String>,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// When something was last pushed to it.
    pub pushed: Option<Timestamp>,
    /// The language of most of its code, in the host's words.
    pub language: Option<String>,
    /// Its size with its history, in KiB, as the host counts it.
    pub size_kib: Option<u64>,
    /// Its default branch; outside text.
    pub branch: Option<String>,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedCommit {
    /// Its hash, in hexadecimal.
    pub hash: String,
    /// When it was committed.
    pub time: Timestamp,
    /// The branch, tag or hash that was asked for and is not there: it is the default branch's head instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
}

/// A notebook of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedNotebook {
    /// Where it lies in the repository.
    pub path: LocalPath,
    /// Its length.
    pub bytes: u64,
    /// What it is to us.
    pub state: HostedNotebookState,
    /// The language that it says.
    pub language: Option<CodeLanguage>,
    /// Its content in the raw store: notebooks that are the same to the last byte have the same, in whichever repository.
    pub content: ContentHash,
}
