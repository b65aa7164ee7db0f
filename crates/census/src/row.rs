//! A row of the census: one thing that a library took away, changed or added, with its releases and what stands in its place.

use nbrevive_spelling::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// What became of a name, a parameter or a word.
    pub enum ApiRowKind ("kind of change") {
        /// The name is there from this release on.
        Added => "added",
        /// The name is gone.
        Removed => "removed",
        /// The name is gone, and what it stood for lives elsewhere under the same last name.
        Moved => "moved",
        /// The name is gone, and what it stood for has another last name.
        Renamed => "renamed",
        /// A class became a function.
        ClassBecameFunction => "class-became-function",
        /// A function or class takes this keyword from this release on.
        ParameterAdded => "parameter-added",
        /// A keyword is taken no more.
        ParameterGone => "parameter-gone",
        /// A keyword is taken under another name.
        ParameterRenamed => "parameter-renamed",
        /// A parameter can be given by keyword alone.
        KeywordOnly => "keyword-only",
        /// Parameters stand in another order.
        Reordered => "reordered",
        /// A word is accepted no more.
        WordGone => "word-gone",
        /// A default has another value.
        DefaultChanged => "default-changed",
    }
}

string_enum! {
    /// How sure a row is.
    pub enum ApiCertainty ("certainty") {
        /// The library announced it, or the same body lives on elsewhere.
        Certain => "certain",
        /// The text of both releases says so.
        Likely => "likely",
        /// Names may be made at run time, or documentation alone says so.
        Unsure => "unsure",
    }
}

/// One change of a library's public names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiRow {
    /// Normalised name of the distribution.
    pub library: String,
    /// The name as users spell it, such as `pandas.DataFrame.append`.
    pub name: String,
    /// What became of it.
    pub kind: ApiRowKind,
    /// The parameter, where the row is about one.
    pub parameter: String,
    /// The word, or the default before, where the row is about one.
    pub word: String,
    /// The last release with it; empty for what was added.
    pub last_with: String,
    /// The day of that release.
    pub last_day: String,
    /// The first release without it; for what was added, the first with it.
    pub first_without: String,
    /// The day of the first release of that minor version.
    pub first_day: String,
    /// What the library said before, shortened.
    pub text: String,
    /// What stands in its place today: a name, a parameter, a word, or the new default; empty where nothing was found.
    pub successor: String,
    /// By what the successor was found: `text`, `body`, `signature`, `position`, `import`; empty without one.
    pub evidence: String,
    /// How sure the row is.
    pub certainty: ApiCertainty,
}

impl ApiRow {
    /// Whether something can no longer be written as before.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        !matches!(self.kind, ApiRowKind::Added | ApiRowKind::ParameterAdded | ApiRowKind::DefaultChanged)
    }
}

/// A release, as rows name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CensusRelease {
    /// The version whose files are read: the last patch of its minor version.
    pub version: String,
    /// The day of that version.
    pub day: String,
    /// The day of the first release of the minor version.
    pub since: String,
}
