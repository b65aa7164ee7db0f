//! Names of repositories, and the many ways in which people write their addresses.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::records::LocalPath;

/// Longest name of an owner that is taken, in bytes. The site's own end at 39, those of managed users at a little more.
const LONGEST_OWNER: usize = 100;
/// Longest name of a repository, in bytes, as the site has it.
const LONGEST_NAME: usize = 100;
/// Longest branch, tag or hash that is taken, in bytes.
const LONGEST_REFERENCE: usize = 255;
/// How much of a refused text is shown, in characters.
const SHOWN: usize = 200;
/// What follows a page's host where the site keeps pages of its own, and no user can be.
const PAGES: [&str; 22] = [
    "about",
    "apps",
    "collections",
    "contact",
    "enterprise",
    "events",
    "explore",
    "features",
    "issues",
    "join",
    "login",
    "marketplace",
    "new",
    "notifications",
    "organizations",
    "orgs",
    "pricing",
    "pulls",
    "search",
    "settings",
    "sponsors",
    "topics",
];
/// What stands before a branch, tag or hash in an address below a repository.
const BEFORE_REFERENCE: [&str; 8] = ["tree", "blob", "raw", "blame", "commit", "commits", "edit", "tarball"];

/// The name of a repository on the host: `owner/name`. Names that differ in case alone are of one repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HubName {
    owner: String,
    name: String,
}

/// A repository as somebody wrote it, perhaps with the branch, tag or commit that was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubAddress {
    /// Its name.
    pub name: HubName,
    /// The branch, tag or hash in the address; of a branch with slashes the first part alone.
    pub reference: Option<String>,
}

/// Why a text names no repository of the host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// Nothing stands there.
    #[error("nothing stands there")]
    Empty,
    /// A gist: a file or two without a repository's name, and without its files.
    #[error("it is a gist, no repository")]
    Gist,
    /// Pages that were made from a repository, which need not have its name.
    #[error("it is a web site made from a repository, whose name it does not tell")]
    WebSite,
    /// Another host.
    #[error("it lies on another host, `{0}`")]
    OtherHost(String),
    /// A page of the site itself, or of a user.
    #[error("it is a page of the site or of a user, no repository")]
    Page,
    /// What stands where a name should is none.
    #[error("`{0}` cannot be the name of a repository")]
    Name(String),
}

impl HubName {
    /// A name from its two parts.
    ///
    /// # Errors
    /// [`AddressFault::Name`] where a part is empty, too long, or holds a character that no name has.
    pub fn new(owner: &str, name: &str) -> Result<Self, AddressFault> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let is_owner =
            (1..=LONGEST_OWNER).contains(&owner.len()) && owner.chars().all(plain) && !owner.starts_with('-');
        let is_name = (1..=LONGEST_NAME).contains(&name.len())
            && name.chars().all(|c| plain(c) || c == '.')
            && !matches!(name, "." | "..");
        if is_owner && is_name {
            return Ok(Self { owner: owner.to_owned(), name: name.to_owned() });
        }
        Err(AddressFault::Name(harmless(&format!("{owner}/{name}"))))
    }

    /// `owner/name`, as an answer has it.
    ///
    /// # Errors
    /// [`AddressFault::Name`].
    pub fn parse(text: &str) -> Result<Self, AddressFault> {
        let (owner, name) = text.split_once('/').ok_or_else(|| AddressFault::Name(harmless(text)))?;
        Self::new(owner, name)
    }

    /// The owner.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The repository's own part.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What tells it from every other: the name in lower case.
    #[must_use]
    pub fn key(&self) -> String {
        self.to_string().to_ascii_lowercase()
    }

    /// The name as a path.
    #[must_use]
    pub(crate) fn path(&self) -> Option<LocalPath> {
        LocalPath::new(&self.to_string()).ok()
    }
}

impl fmt::Display for HubName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl TryFrom<String> for HubName {
    type Error = AddressFault;

    fn try_from(text: String) -> Result<Self, AddressFault> {
        Self::parse(&text)
    }
}

impl From<HubName> for String {
    fn from(name: HubName) -> Self {
        name.to_string()
    }
}

impl HubAddress {
    /// A repository from whatever people write: addresses with and without scheme, of git over ssh, with `.git`, of a
    /// folder or file in it, of viewers that show its notebooks, with the full stop of a sentence behind it; or
    /// `owner/name`.
    ///
    /// # Errors
    /// [`AddressFault`].
    pub fn read(text: &str) -> Result<Self, AddressFault> {
        let text = text.trim_matches(|c: char| c.is_whitespace() || "<>\"'()[]{},;.\u{200b}\u{feff}".contains(c));
        let text = text.split(['?', '#']).next().unwrap_or_default();
        let (host, path) = split(text).ok_or(AddressFault::Empty)?;
        let parts: Vec<&str> = path.split('/').map(str::trim).filter(|part| !part.is_empty()).collect();
        match host.as_str() {
            "" | "github.com" => of_site(&parts),
            "api.github.com" if parts.first() == Some(&"repos") => of_site(&parts[1..]),
            "codeload.github.com" | "raw.githubusercontent.com" => raw(&parts),
            "gist.github.com" | "gist.githubusercontent.com" => Err(AddressFault::Gist),
            "nbviewer.org" | "nbviewer.jupyter.org" | "nbviewer.ipython.org" | "colab.research.google.com" => {
                viewer(&host, &parts)
            }
            "mybinder.org" | "beta.mybinder.org" if parts.starts_with(&["v2", "gh"]) => raw(&parts[2..]),
            _ if host.ends_with(".github.io") => Err(AddressFault::WebSite),
            _ => Err(AddressFault::OtherHost(harmless(&host))),
        }
    }
}

/// The host in lower case without `www.`, and what follows it. The host of `owner/name` is empty.
fn split(text: &str) -> Option<(String, &str)> {
    if text.is_empty() {
        return None;
    }
    let bare = text.strip_prefix("git+").unwrap_or(text);
    let (authority, path) = match bare.split_once("://") {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        // As ssh writes it: `git@host:owner/name`.
        None => match bare.split_once(':') {
            Some((before, path)) if before.contains('@') && !before.contains('/') => (before, path),
            _ => match bare.split_once('/') {
                Some((first, rest)) if first.contains('.') => (first, rest),
                Some(_) => ("", bare),
                None => (bare, ""),
            },
        },
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let host = host.strip_prefix("www.").map(str::to_owned).unwrap_or(host);
    if host.is_empty() && !authority.is_empty() { None } else { Some((host, path)) }
}

/// `owner/name` with whatever the site puts below it.
fn of_site(parts: &[&str]) -> Result<HubAddress, AddressFault> {
    let [owner, name, below @ ..] = parts else { return Err(AddressFault::Page) };
    if PAGES.contains(&owner.to_ascii_lowercase().as_str()) {
        return Err(AddressFault::Page);
    }
    let reference = match below {
        ["releases", "tag", tag, ..] => Some(*tag),
        [word, reference, ..] if BEFORE_REFERENCE.contains(word) => Some(*reference),
        _ => None,
    };
    Ok(HubAddress { name: named(owner, name)?, reference: reference.and_then(plain_reference) })
}

/// `owner/name/reference`.
fn raw(parts: &[&str]) -> Result<HubAddress, AddressFault> {
    let [owner, name, below @ ..] = parts else { return Err(AddressFault::Page) };
    let reference = below.first().copied().filter(|part| !matches!(*part, "zip" | "tar.gz" | "legacy.tar.gz"));
    Ok(HubAddress { name: named(owner, name)?, reference: reference.and_then(plain_reference) })
}

fn viewer(host: &str, parts: &[&str]) -> Result<HubAddress, AddressFault> {
    match parts {
        ["github", rest @ ..] => of_site(rest),
        ["gist", ..] => Err(AddressFault::Gist),
        _ => Err(AddressFault::OtherHost(harmless(host))),
    }
}

fn named(owner: &str, name: &str) -> Result<HubName, AddressFault> {
    let end = name.len().saturating_sub(4);
    let has_ending = name.get(end..).is_some_and(|ending| ending.eq_ignore_ascii_case(".git"));
    HubName::new(owner, if has_ending { &name[..end] } else { name })
}

/// A branch, tag or hash; nothing where it could not be one.
pub(crate) fn plain_reference(text: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+/@".contains(c);
    let is_one = (1..=LONGEST_REFERENCE).contains(&text.len()) && text.chars().all(plain);
    (is_one && !text.starts_with(['-', '/', '.']) && !text.contains("..")).then(|| text.to_owned())
}

/// Whether a reference is a commit's hash, whole or its beginning.
pub(crate) fn is_hash(reference: &str) -> bool {
    (7..=64).contains(&reference.len()) && reference.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Foreign text, short and without what moves a terminal's cursor.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
#[path = "name_tests.rs"]
mod tests;
