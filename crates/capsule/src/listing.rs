//! The list of a capsule: every file and link, and which names are taken.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::CapsuleError;

/// The name of the list, the first entry of each archive.
pub const LISTING: &str = "capsule.json";
/// By what a list says that it is one.
const FORMAT: &str = "nbrevive-capsule";
/// The version that this program writes, and the last one that it reads.
const VERSION: u32 = 1;
/// Most files and links.
pub(crate) const MOST_FILES: usize = 1_000_000;
/// Longest path in bytes, and longest part of one: what Linux takes, with room for the folder that it is unpacked in.
const LONGEST_PATH: usize = 3_000;
const LONGEST_PART: usize = 255;

/// One file of a capsule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedFile {
    /// Its path in the capsule: parts joined by `/`.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its content, 64 hexadecimal digits.
    pub sha256: String,
    /// Whether it can be executed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// One symbolic link of a capsule, to something else in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedLink {
    /// Its path in the capsule.
    pub path: String,
    /// Where it leads, from the folder that it lies in.
    pub target: String,
}

/// What a capsule holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapsuleListing {
    format: String,
    version: u32,
    /// What the capsule is about, for who packed it.
    pub about: serde_json::Value,
    /// Its files, by path; of equal content each.
    pub files: Vec<PackedFile>,
    /// Its links, by path.
    #[serde(default)]
    pub links: Vec<PackedLink>,
}

impl CapsuleListing {
    pub(crate) fn new(about: serde_json::Value, files: Vec<PackedFile>, links: Vec<PackedLink>) -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION, about, files, links }
    }

    /// Reads a list; `from` is the capsule that it stands in.
    pub(crate) fn read(bytes: &[u8], from: &Path) -> Result<Self, CapsuleError> {
        let no_capsule = |why: String| CapsuleError::NoCapsule { path: from.to_owned(), why };
        /// What lists of every version have.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head =
            serde_json::from_slice(bytes).map_err(|error| no_capsule(format!("its {LISTING}: {error}")))?;
        if head.format != FORMAT {
            return Err(no_capsule(format!("its {LISTING} is of the format {:?}", head.format)));
        }
        if head.version > VERSION {
            return Err(CapsuleError::Newer { found: head.version, known: VERSION });
        }
        let listing: Self =
            serde_json::from_slice(bytes).map_err(|error| no_capsule(format!("its {LISTING}: {error}")))?;
        listing.check()?;
        Ok(listing)
    }

    /// The text of the list.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Bytes of all its files, each name counted: what a folder without hard links takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.bytes))
    }

    /// Bytes of all its files, equal content counted once: what is packed.
    #[must_use]
    pub fn unique_bytes(&self) -> u64 {
        let contents: BTreeMap<&str, u64> = self.files.iter().map(|file| (file.sha256.as_str(), file.bytes)).collect();
        contents.values().fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }

    /// Sees that no name leads out of the folder, stands twice, or lies below something that is no folder.
    pub(crate) fn check(&self) -> Result<(), CapsuleError> {
        let refuse = |name: &str, why| Err(CapsuleError::Name { name: name.to_owned(), why });
        if self.files.len().saturating_add(self.links.len()) > MOST_FILES {
            return Err(CapsuleError::TooLarge { bytes: self.bytes(), files: self.files.len(), most: u64::MAX });
        }
        let mut taken = BTreeSet::from([LISTING]);
        let links: BTreeSet<&str> = self.links.iter().map(|link| link.path.as_str()).collect();
        for path in self.files.iter().map(|file| &file.path).chain(self.links.iter().map(|link| &link.path)) {
            if let Some(why) = wrong(path) {
                return refuse(path, why);
            }
            if !taken.insert(path) {
                return refuse(path, "stands twice in its list");
            }
        }
        for path in &taken {
            if above(path).any(|folder| taken.contains(folder)) {
                return refuse(path, "lies below a file or a link");
            }
        }
        for file in &self.files {
            let is_digest = file.sha256.len() == 64 && file.sha256.bytes().all(|digit| digit.is_ascii_hexdigit());
            if !is_digest {
                return refuse(&file.path, "has no SHA-256 in its list");
            }
        }
        for link in &self.links {
            let Some(end) = end_of(link) else { return refuse(&link.path, "is a link that leads out of its folder") };
            // Through another link `..` would be that of another folder.
            if above(&end).any(|folder| links.contains(folder)) {
                return refuse(&link.path, "is a link that leads through another link");
            }
        }
        Ok(())
    }
}

/// The folders above a path, from the nearest.
fn above(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| path.get(..at).unwrap_or_default())
}

/// What keeps a path from being one of a capsule.
fn wrong(path: &str) -> Option<&'static str> {
    let parts = || path.split('/');
    match path {
        _ if path.is_empty() => Some("has no name"),
        _ if path.starts_with('/') => Some("is an absolute path"),
        _ if parts().any(|part| part == "..") => Some("leads out of its folder"),
        _ if parts().any(|part| part.is_empty() || part == ".") => Some("is no plain path"),
        _ if path.chars().any(char::is_control) => Some("has a control character"),
        _ if path.len() > LONGEST_PATH || parts().any(|part| part.len() > LONGEST_PART) => Some("is too long"),
        _ => None,
    }
}

/// The path in the capsule to which a link leads, if it stays there: `..` only in front, names only behind.
fn end_of(link: &PackedLink) -> Option<String> {
    if link.target.is_empty() || link.target.len() > LONGEST_PATH || link.target.chars().any(char::is_control) {
        return None;
    }
    let mut folder: Vec<&str> = link.path.split('/').collect();
    folder.pop();
    let mut has_names = false;
    for part in Path::new(&link.target).components() {
        match part {
            Component::ParentDir if !has_names => drop(folder.pop()?),
            Component::Normal(name) => {
                has_names = true;
                folder.push(name.to_str()?);
            }
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(folder.join("/"))
}

#[cfg(test)]
mod tests;
