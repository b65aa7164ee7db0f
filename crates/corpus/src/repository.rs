//! What a version belongs to, and repositories.

use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, Folder};
use serde::Deserialize;

/// Where a version's world comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Belongs {
    /// To the competition of this id: its data are shown, and it grades what is submitted.
    Competition(String),
    /// To a repository: the notebook runs in its place among the other files.
    Repository(Repository),
    /// To nothing: the notebook stands alone.
    Nothing,
}

impl Belongs {
    /// The competition's id, where it is one.
    #[must_use]
    pub fn competition(&self) -> Option<&str> {
        match self {
            Belongs::Competition(id) => Some(id),
            Belongs::Repository(_) | Belongs::Nothing => None,
        }
    }

    /// The repository, where it is one.
    #[must_use]
    pub const fn repository(&self) -> Option<&Repository> {
        match self {
            Belongs::Repository(repository) => Some(repository),
            Belongs::Competition(_) | Belongs::Nothing => None,
        }
    }
}

/// A repository at one commit, or any folder with notebooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The name that tables show, for example `owner/name`.
    pub name: String,
    /// Where it is published.
    pub url: Option<String>,
    /// The commit whose files these are.
    pub commit: Option<String>,
    /// What its host told of it when it was looked at.
    pub host: HostTold,
    /// The folder with its files: each execution has a copy of its own.
    pub files: PathBuf,
}

/// What a host tells of a repository; nothing of one that no host has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostTold {
    /// Its stars.
    pub stars: Option<u32>,
    /// Its licence as SPDX names it; `NOASSERTION` where the host found one that it does not know.
    pub licence: Option<String>,
    /// Whether it is a fork of another one.
    pub is_fork: Option<bool>,
    /// Whether its owner closed it.
    pub is_archived: Option<bool>,
}

/// The table `[repository]` of a list of versions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Told {
    name: String,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    commit: Option<String>,
    #[serde(default)]
    stars: Option<u32>,
    #[serde(default)]
    licence: Option<String>,
    #[serde(default)]
    fork: Option<bool>,
    #[serde(default)]
    archived: Option<bool>,
    #[serde(default = "usual_folder")]
    files: String,
}

fn usual_folder() -> String {
    "files".to_owned()
}

/// Longest name or address, in characters.
const LONGEST: usize = 500;

impl Told {
    /// The repository whose list lies in `folder`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn resolve(self, root: &Folder, folder: &Path) -> Result<Repository, String> {
        let is_told = |text: &str| !text.is_empty() && text.len() <= LONGEST && !text.chars().any(char::is_control);
        let named = [Some(&self.name), self.url.as_ref(), self.licence.as_ref()];
        if let Some(bad) = named.into_iter().flatten().find(|text| !is_told(text)) {
            return Err(format!(
                "{bad:?} is no name, address or licence of a repository: one line of at most {LONGEST} characters"
            ));
        }
        let is_commit =
            |text: &&String| matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Some(bad) = self.commit.as_ref().filter(|text| !is_commit(text)) {
            return Err(format!("{bad:?} is no commit: give its 40 hexadecimal digits"));
        }
        if !is_below(&self.files) {
            return Err(format!("files = {:?} is no folder beside the list", self.files));
        }
        let files = folder.join(&self.files);
        if let Err(error @ FileError::Outside { .. }) = root.resolve(&files) {
            return Err(error.to_string());
        }
        let (stars, licence) = (self.stars, self.licence);
        let host = HostTold { stars, licence, is_fork: self.fork, is_archived: self.archived };
        Ok(Repository { name: self.name, url: self.url, commit: self.commit, host, files: root.path().join(files) })
    }
}

/// Whether a path names something below the folder that it is relative to.
pub(crate) fn is_below(path: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    !path.chars().any(char::is_control) && path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(table: &str) -> Result<Repository, String> {
        let folder = tempfile::tempdir().unwrap();
        let told: Told = toml::from_str(table).map_err(|error| error.to_string())?;
        told.resolve(&Folder::open(folder.path()).unwrap(), Path::new("pytudes"))
    }

    #[test]
    fn its_files_lie_beside_the_list_unless_told() {
        let commit = "a".repeat(40);
        let repository = resolved(&format!("name = \"norvig/pytudes\"\ncommit = \"{commit}\"\n")).unwrap();
        assert!(repository.files.ends_with("pytudes/files"), "{repository:?}");
        assert_eq!((repository.name.as_str(), repository.commit), ("norvig/pytudes", Some(commit)));
        let told =
            resolved("name = \"x\"\nstars = 3\nlicence = \"MIT\"\nfork = false\narchived = true\n").unwrap().host;
        let licence = Some("MIT".to_owned());
        assert_eq!(told, HostTold { stars: Some(3), licence, is_fork: Some(false), is_archived: Some(true) });
        assert!(resolved("name = \"x\"\nfiles = \"a/b\"\n").unwrap().files.ends_with("pytudes/a/b"));
    }

    #[test]
    fn what_is_no_repository_says_why() {
        for (table, why) in [
            ("name = \"\"\n", "no name, address"),
            ("name = \"a\\nb\"\n", "no name, address"),
            ("name = \"x\"\ncommit = \"main\"\n", "no commit"),
            ("name = \"x\"\nfiles = \"../y\"\n", "no folder beside the list"),
            ("name = \"x\"\nfiles = \"/y\"\n", "no folder beside the list"),
            ("name = \"x\"\nbranch = \"main\"\n", "unknown field"),
        ] {
            let error = resolved(table).unwrap_err();
            assert!(error.contains(why), "{table}: {error}");
        }
    }
}
