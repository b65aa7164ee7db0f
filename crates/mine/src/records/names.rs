//! Names that come from outside: nothing but a plain slug becomes one, so that no name leaves its folder, breaks an
//! address or writes to a terminal.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Longest slug that is taken, in bytes. Kaggle's own end at about 60.
const LONGEST_SLUG: usize = 150;
/// Longest path of a local notebook that is taken, in bytes.
const LONGEST_PATH: usize = 1024;
/// How much of a refused text an error shows, in characters.
const SHOWN: usize = 40;

/// One part of a name on Kaggle: of a competition, a user or a notebook. ASCII letters, digits, `-`, `_` and `.`,
/// not beginning with a dot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Slug(String);

/// A text that cannot be a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` cannot be the name of {what}: {why}")]
pub struct NameError {
    /// The beginning of the text, made harmless.
    pub shown: String,
    /// What it should have named.
    pub what: &'static str,
    /// What is wrong with it.
    pub why: NameFault,
}

/// What is wrong with a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing stands there.
    #[error("it is empty")]
    Empty,
    /// It is too long.
    #[error("it has {0} bytes, more than any name has")]
    TooLong(usize),
    /// A character that no name has.
    #[error("it holds the character {0:?}")]
    Character(char),
    /// It would climb out of a folder or hide in it.
    #[error("it begins with a dot")]
    Dot,
    /// Not of the form `owner/slug`.
    #[error("a notebook is named `owner/slug`")]
    Form,
}

impl NameError {
    fn new(text: &str, what: &'static str, why: NameFault) -> Self {
        Self { shown: text.chars().take(SHOWN).flat_map(char::escape_default).collect(), what, why }
    }
}

impl Slug {
    /// A slug from outside text.
    ///
    /// # Errors
    /// [`NameError`] when it is empty, too long, begins with a dot or holds another character than slugs do.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let refuse = |why| Err(NameError::new(text, "a user, notebook or competition", why));
        let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
        match text {
            "" => refuse(NameFault::Empty),
            _ if text.len() > LONGEST_SLUG => refuse(NameFault::TooLong(text.len())),
            _ if text.starts_with('.') => refuse(NameFault::Dot),
            _ => match text.chars().find(|character| !plain(*character)) {
                Some(character) => refuse(NameFault::Character(character)),
                None => Ok(Self(text.to_owned())),
            },
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of a notebook on Kaggle: `owner/slug`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NotebookName {
    /// The user who owns it.
    pub owner: Slug,
    /// Its own part of the name.
    pub slug: Slug,
}

impl NotebookName {
    /// The name in `owner/slug`; a page's address such as `/code/owner/slug` is read too.
    ///
    /// # Errors
    /// [`NameError`] when there are not two parts, or one is no slug.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let bare = text.strip_prefix("/code/").or_else(|| text.strip_prefix("/kernels/")).unwrap_or(text);
        let bare = bare.strip_prefix('/').unwrap_or(bare);
        let Some((owner, slug)) = bare.split_once('/') else {
            let fault = if text.is_empty() { NameFault::Empty } else { NameFault::Form };
            return Err(NameError::new(text, "a notebook", fault));
        };
        let part = |part| Slug::new(part).map_err(|error| NameError::new(text, "a notebook", error.why));
        Ok(Self { owner: part(owner)?, slug: part(slug)? })
    }
}

/// What a notebook is known by, wherever it comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum NotebookKey {
    /// On Kaggle; written `owner/slug`.
    Kaggle(NotebookName),
    /// A file here, by its path below the folder or repository; written `file:path`.
    File(LocalPath),
}

/// A path below a folder, with `/` between its parts: relative, without `..` and without control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LocalPath(String);

impl TryFrom<String> for LocalPath {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        Self::new(&text)
    }
}

impl From<LocalPath> for String {
    fn from(path: LocalPath) -> Self {
        path.0
    }
}

impl LocalPath {
    /// A path below a folder.
    ///
    /// # Errors
    /// [`NameError`] when it is empty, too long, absolute, climbs out or holds a control character.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let refuse = |why| Err(NameError::new(text, "a file below the folder", why));
        match text {
            "" => refuse(NameFault::Empty),
            _ if text.len() > LONGEST_PATH => refuse(NameFault::TooLong(text.len())),
            _ if text.starts_with('/') => refuse(NameFault::Character('/')),
            _ if text.split('/').any(|part| matches!(part, "" | "." | "..")) => refuse(NameFault::Dot),
            _ => match text.chars().find(|character| character.is_control() || *character == '\\') {
                Some(character) => refuse(NameFault::Character(character)),
                None => Ok(Self(text.to_owned())),
            },
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for NotebookKey {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.strip_prefix("file:") {
            Some(path) => Ok(Self::File(LocalPath::new(path)?)),
            None => Ok(Self::Kaggle(NotebookName::new(text)?)),
        }
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Display for NotebookName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.slug)
    }
}

impl fmt::Display for NotebookKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kaggle(name) => name.fmt(f),
            Self::File(path) => write!(f, "file:{}", path.0),
        }
    }
}

impl TryFrom<String> for Slug {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        Self::new(&text)
    }
}

impl TryFrom<String> for NotebookName {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        Self::new(&text)
    }
}

impl TryFrom<String> for NotebookKey {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<Slug> for String {
    fn from(slug: Slug) -> Self {
        slug.0
    }
}

impl From<NotebookName> for String {
    fn from(name: NotebookName) -> Self {
        name.to_string()
    }
}

impl From<NotebookKey> for String {
    fn from(key: NotebookKey) -> Self {
        key.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hostile_slugs_are_refused_and_shown_harmlessly() {
        let long = "a".repeat(10 << 10);
        let cases = ["../../etc/passwd", "", "..", ".hidden", "a b", "a\u{1b}[31m", "a\0", "é", "a/b", &long];
        for text in cases {
            let error = Slug::new(text).unwrap_err().to_string();
            assert!(error.len() < 300 && !error.chars().any(char::is_control), "{error}");
        }
        assert_eq!(Slug::new(&long).unwrap_err().why, NameFault::TooLong(10 << 10));
        assert_eq!(Slug::new("a\u{1b}").unwrap_err().why, NameFault::Character('\u{1b}'));
    }

    #[test]
    fn notebooks_are_named_by_two_slugs() {
        assert_eq!(NotebookName::new("/code/ada/first-try").unwrap().to_string(), "ada/first-try");
        assert_eq!(NotebookName::new("Ada_L/x.y").unwrap().owner.as_str(), "Ada_L");
        for text in ["ada", "ada/", "/x", "ada/../x", "../../etc/passwd", "ada/x/3"] {
            assert!(NotebookName::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_tell_files_from_notebooks() {
        let file: NotebookKey = "file:sub folder/é.ipynb".parse().unwrap();
        assert!(matches!(&file, NotebookKey::File(path) if path.as_str() == "sub folder/é.ipynb"));
        for text in ["file:", "file:/etc/passwd", "file:a/../../b", "file:a\nb", "file:a//b"] {
            assert!(text.parse::<NotebookKey>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_stays_below_its_folder(text in "\\PC{0,30}|[./a]{0,12}|file:[./a]{0,12}") {
            if let Ok(key) = text.parse::<NotebookKey>() {
                prop_assert_eq!(&key.to_string().parse::<NotebookKey>().unwrap(), &key);
                let written = key.to_string();
                let path = written.strip_prefix("file:").unwrap_or(&written);
                let ordinary = |part| matches!(part, std::path::Component::Normal(_));
                prop_assert!(std::path::Path::new(path).components().all(ordinary));
            }
        }
    }
}
