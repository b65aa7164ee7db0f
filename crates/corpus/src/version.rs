//! One saved version of a notebook, as a `versions.toml` lists it.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One saved version of a notebook: what is executed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Unique in a study.
    pub slug: String,
    /// As the author called it.
    pub title: String,
    /// The competition it was submitted to.
    pub competition: String,
    /// When it was submitted.
    pub submitted: Timestamp,
    /// The environment of its date in which its target score is measured: the name of a lock in `study/eras`.
    pub era: Option<String>,
    /// The notebook file.
    pub path: PathBuf,
}

/// Why a list of versions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The list or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not valid.
    #[error("{path} is not a valid list of versions: {message}")]
    Invalid {
        /// The list.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Two versions share a slug.
    #[error("slug `{slug}` stands in {first} and in {second}: slugs are unique in a study, rename one")]
    Duplicate {
        /// The slug.
        slug: String,
        /// The notebook that has it first.
        first: PathBuf,
        /// The notebook that has it again.
        second: PathBuf,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VersionList {
    #[serde(default)]
    version: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    slug: String,
    title: String,
    submitted: Timestamp,
    #[serde(default)]
    era: Option<String>,
    #[serde(default)]
    file: Option<String>,
}

/// Every version below `folder`: one sub-folder a competition, each with a `versions.toml` and its notebooks.
/// Sorted by slug.
///
/// # Errors
/// When a list is unreadable or not valid, or a slug stands twice.
pub fn load_versions(folder: &Path) -> Result<Vec<Version>, VersionError> {
    let unreadable = |source| VersionError::Unreadable { path: folder.to_owned(), source };
    let mut versions = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.join("versions.toml").is_file() {
            versions.extend(load_list(&path)?);
        }
    }
    versions.sort_by(|a, b| a.slug.cmp(&b.slug));
    if let Some(pair) = versions.windows(2).find(|pair| pair[0].slug == pair[1].slug) {
        return Err(VersionError::Duplicate {
            slug: pair[0].slug.clone(),
            first: pair[0].path.clone(),
            second: pair[1].path.clone(),
        });
    }
    Ok(versions)
}

fn load_list(folder: &Path) -> Result<Vec<Version>, VersionError> {
    let path = folder.join("versions.toml");
    let text =
        std::fs::read_to_string(&path).map_err(|source| VersionError::Unreadable { path: path.clone(), source })?;
    let invalid = |message: String| VersionError::Invalid { path: path.clone(), message };
    let list: VersionList = toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
    let competition = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    list.version
        .into_iter()
        .map(|entry| {
            let file = entry.file.unwrap_or_else(|| format!("{}.ipynb", entry.slug));
            if !is_slug(&entry.slug) || file.contains('/') || file.starts_with('.') {
                return Err(invalid(format!("slug `{}` or its file is not a plain lower-case name", entry.slug)));
            }
            Ok(Version {
                slug: entry.slug,
                title: entry.title,
                competition: competition.clone(),
                submitted: entry.submitted,
                era: entry.era,
                path: folder.join(file),
            })
        })
        .collect()
}

fn is_slug(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(plain) && !text.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus(list: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("tiny")).unwrap();
        std::fs::write(dir.path().join("tiny/versions.toml"), list).unwrap();
        dir
    }

    #[test]
    fn the_folder_names_the_competition() {
        let dir = corpus("[[version]]\nslug = \"a-b\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n");
        let versions = load_versions(dir.path()).unwrap();
        assert_eq!(versions[0].competition, "tiny");
        assert_eq!(versions[0].path, dir.path().join("tiny/a-b.ipynb"));
    }

    #[test]
    fn a_slug_stands_once() {
        let one = "[[version]]\nslug = \"a\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n";
        let dir = corpus(&format!("{one}{one}"));
        assert!(matches!(load_versions(dir.path()), Err(VersionError::Duplicate { .. })));
    }

    #[test]
    fn a_slug_that_climbs_out_is_refused() {
        let dir = corpus("[[version]]\nslug = \"../x\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n");
        assert!(load_versions(dir.path()).unwrap_err().to_string().contains("plain lower-case name"));
    }
}
