//! What every source yields: competitions, leaderboard rows, notebooks and versions.
//!
//! A field that a source does not tell is `None`: nothing here is inferred. Every record names the request that gave
//! it and the hash of the bytes that it was read from, which the raw store keeps.
//!
//! | file | purpose |
//! |---|---|
//! | `hosted.rs` | repositories on a host, and what became of each |
//! | `names.rs` | names from outside, refused unless plain |
//! | `origin.rs` | where a record was read |
//! | `words.rs` | kind, language, status |

mod hosted;
mod names;
mod origin;
mod words;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use crate::source::{MiningSource, Precedence};
pub use hosted::{HostedCommit, HostedFacts, HostedNotebook, HostedNotebookState, HostedRecord, HostedState};
pub use names::{LocalPath, NameError, NameFault, NotebookKey, NotebookName, Slug};
pub use origin::Origin;
pub use words::{CodeKind, CodeLanguage, DataKind, RunStatus};

use crate::content_hash::ContentHash;

/// A competition, as a source describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompetitionRecord {
    /// Its name in addresses.
    pub slug: Slug,
    /// Its number.
    pub id: Option<u64>,
    /// As its host called it.
    pub title: Option<String>,
    /// `Featured`, `Playground` …, in Kaggle's words.
    pub category: Option<String>,
    /// The metric, in Kaggle's words.
    pub metric: Option<String>,
    /// When it opened.
    pub enabled: Option<Timestamp>,
    /// When it closed.
    pub deadline: Option<Timestamp>,
    /// Teams on its leaderboard.
    pub teams: Option<u64>,
    /// Public notebooks, as the source counts them.
    pub notebooks: Option<u64>,
    /// Whether only notebooks may submit.
    pub notebooks_only: Option<bool>,
    /// Where this was read.
    pub origin: Origin,
}

/// One row of a leaderboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeaderboardRow {
    /// The competition.
    pub competition: Slug,
    /// The team's place, from 1.
    pub rank: Option<u64>,
    /// The team's number.
    pub team_id: Option<u64>,
    /// The team's name.
    pub team: String,
    /// When the team last submitted.
    pub last_submission: Option<Timestamp>,
    /// The score, if it is a finite number.
    pub score: Option<f64>,
    /// Submissions made.
    pub submissions: Option<u64>,
    /// Where this was read.
    pub origin: Origin,
}

/// A notebook, without its versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotebookRecord {
    /// What it is known by.
    pub key: NotebookKey,
    /// Its number on Kaggle.
    pub id: Option<u64>,
    /// As its author called it; outside text, to be escaped wherever it is shown.
    pub title: Option<String>,
    /// The author's display name; outside text.
    pub author: Option<String>,
    /// The language of its current version.
    pub language: Option<CodeLanguage>,
    /// Cells or one text.
    pub kind: Option<CodeKind>,
    /// When it last ran.
    pub last_run: Option<Timestamp>,
    /// Votes.
    pub votes: Option<u64>,
    /// Number of its current version, from 1.
    pub current_version: Option<u32>,
    /// The notebook that it was copied from.
    pub copied_from: Option<NotebookKey>,
    /// Where this was read.
    pub origin: Origin,
}

/// Something that a version reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MinedDataSource {
    /// What kind of thing.
    pub kind: DataKind,
    /// Its name as the source gives it (`slug`, `owner/slug` …); outside text.
    pub name: String,
}

/// One saved version of a notebook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionRecord {
    /// The notebook.
    pub notebook: NotebookKey,
    /// Kaggle's `scriptVersionId`, or `None`; the commit for git is in `revision`.
    pub id: Option<u64>,
    /// Its number within the notebook, from 1.
    pub number: Option<u32>,
    /// The commit that saved it, in hexadecimal.
    pub revision: Option<String>,
    /// Title of this version; outside text.
    pub title: Option<String>,
    /// When it was saved (for Kaggle) or committed (for git).
    pub created: Option<Timestamp>,
    /// When its run ended.
    pub evaluated: Option<Timestamp>,
    /// The language of its code.
    pub language: Option<CodeLanguage>,
    /// Cells or one text.
    pub kind: Option<CodeKind>,
    /// How its run ended.
    pub status: Option<RunStatus>,
    /// Score on the public part of the test set.
    pub public_score: Option<f64>,
    /// Score on the private part.
    pub private_score: Option<f64>,
    /// Seconds that its run took.
    pub run_seconds: Option<f64>,
    /// What it reads, sorted; `Some` of an empty list when the source says that it reads nothing.
    pub data_sources: Option<Vec<MinedDataSource>>,
    /// The image that it ran in, in the source's words.
    pub image: Option<String>,
    /// Whether it had a GPU.
    pub gpu: Option<bool>,
    /// Whether it had the internet.
    pub internet: Option<bool>,
    /// The notebook that it was copied from.
    pub copied_from: Option<NotebookKey>,
    /// Votes.
    pub votes: Option<u64>,
    /// The code itself (`.ipynb` or text) in the raw store.
    pub code: Option<ContentHash>,
    /// Where this was read.
    pub origin: Origin,
}

impl VersionRecord {
    /// A version of which nothing but its notebook and its origin is known.
    #[must_use]
    pub fn unknown(notebook: NotebookKey, origin: Origin) -> Self {
        Self {
            notebook,
            id: None,
            number: None,
            revision: None,
            title: None,
            created: None,
            evaluated: None,
            language: None,
            kind: None,
            status: None,
            public_score: None,
            private_score: None,
            run_seconds: None,
            data_sources: None,
            image: None,
            gpu: None,
            internet: None,
            copied_from: None,
            votes: None,
            code: None,
            origin,
        }
    }

    /// What tells this version from every other: the notebook and its number, id, commit, or else its code.
    #[must_use]
    pub fn natural_key(&self) -> String {
        let notebook = &self.notebook;
        match (self.number, self.id, &self.revision, &self.code) {
            (Some(number), ..) => format!("{notebook}#{number}"),
            (None, Some(id), ..) => format!("{notebook}@{id}"),
            (None, None, Some(revision), _) => format!("{notebook}@{revision}"),
            (None, None, None, Some(code)) => format!("{notebook}={code}"),
            (None, None, None, None) => notebook.to_string(),
        }
    }
}

/// A repository at one commit, or a folder with notebooks, with the files that are kept of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryRecord {
    /// What it is known by, for example `owner/name`.
    pub name: LocalPath,
    /// Where it is published; outside text.
    pub url: Option<String>,
    /// The commit, in hexadecimal.
    pub revision: Option<String>,
    /// When a notebook of it was last changed, as far as the history tells; else the commit's time.
    pub changed: Timestamp,
    /// Notebooks that are kept.
    pub notebooks: u32,
    /// Files that are kept, notebooks among them.
    pub files: u32,
    /// Their size.
    pub bytes: u64,
    /// Files, links and submodules that are not kept.
    pub left_out: u32,
    /// Where this was read; its bytes are the archive of the files ([`crate::archive`]).
    pub origin: Origin,
}

/// Whatever a source yields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum MinedRecord {
    /// A competition.
    Competition(CompetitionRecord),
    /// A row of a leaderboard.
    Leaderboard(LeaderboardRow),
    /// A notebook.
    Notebook(NotebookRecord),
    /// A version.
    Version(Box<VersionRecord>),
    /// A repository.
    Repository(RepositoryRecord),
    /// A repository on a host, whether it could be had or not.
    Hosted(Box<HostedRecord>),
}
