//! What the index knows of a distribution: its releases, when each appeared, and what can be installed of it.

use jiff::Timestamp;
use pep440_rs::Version;
use serde::{Deserialize, Serialize};

use crate::versions::normalise;

/// All releases of one distribution that a pip could install, ascending by version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// Normalised name.
    pub name: String,
    /// Releases with at least one wheel or source archive and a version that PEP 440 can read.
    pub releases: Vec<Release>,
}

/// One release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The version, ordered by PEP 440.
    pub version: Version,
    /// The version as the index spells it.
    pub text: String,
    /// When its first file appeared (UTC): files of one release may follow years later.
    pub uploaded: Timestamp,
    /// Whether every installable file was yanked (PEP 592).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yanked: bool,
    /// Declared interpreters, as written; `None` on old uploads, where it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_python: Option<String>,
    /// The installable files that were not yanked (all of them for a yanked release), without duplicates.
    pub files: Vec<FileTag>,
}

/// What kind of interpreter and platform a file is for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileTag {
    /// A source archive: builds anywhere or nowhere.
    Sdist,
    /// A wheel: its three tags (PEP 425), each possibly a dotted set, as in `py2.py3-none-any`.
    Wheel(String),
}

/// One file of an index's answer, before files are grouped into releases.
#[derive(Debug, Clone)]
pub(crate) struct ListedFile {
    pub(crate) name: String,
    /// The release's version where the index says it; otherwise it is read from the file's name.
    pub(crate) version: Option<String>,
    pub(crate) uploaded: Option<Timestamp>,
    pub(crate) yanked: bool,
    pub(crate) requires_python: Option<String>,
}

impl FileTag {
    /// Reads a file's name; `None` for what no pip installs (eggs, Windows installers, rpm).
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        if let Some(stem) = name.strip_suffix(".whl") {
            let parts: Vec<&str> = stem.rsplitn(4, '-').collect();
            let [platform, abi, python, _] = parts.as_slice() else { return None };
            return Some(Self::Wheel(format!("{python}-{abi}-{platform}")));
        }
        let built_elsewhere = [".linux-", ".macosx-", ".win32.", ".win-amd64."].iter().any(|mark| name.contains(mark));
        let archive = sdist_stem(name).is_some();
        (archive && !built_elsewhere).then_some(Self::Sdist)
    }
}

fn sdist_stem(name: &str) -> Option<&str> {
    [".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz"].iter().find_map(|suffix| name.strip_suffix(suffix))
}

/// The version in a file's name, for indexes that list files only.
pub(crate) fn version_in_file_name<'name>(name: &'name str, distribution: &str) -> Option<&'name str> {
    if name.ends_with(".whl") {
        return name.split('-').nth(1);
    }
    let stem = sdist_stem(name)?;
    let named = |at: &usize| normalise(&stem[..*at]) == normalise(distribution);
    let cut = stem.match_indices('-').map(|found| found.0).filter(named).max()?;
    Some(&stem[cut + 1..])
}

impl History {
    /// Groups listed files into releases. `None` when no installable file bears a date, although there are some:
    /// then the date rule cannot be applied to this index's answer.
    pub(crate) fn from_files(name: &str, files: Vec<ListedFile>) -> Option<Self> {
        let mut groups: std::collections::BTreeMap<Version, (String, Vec<ListedFile>)> =
            std::collections::BTreeMap::new();
        for file in files {
            let Some(text) = file.version.clone().or_else(|| version_in_file_name(&file.name, name).map(str::to_owned))
            else {
                continue;
            };
            // Spellings of before PEP 440 (`2004d`) cannot be ordered, nor installed by name.
            let Ok(version) = text.parse::<Version>() else { continue };
            groups.entry(version).or_insert_with(|| (text, Vec::new())).1.push(file);
        }
        let installable =
            groups.values().flat_map(|group| &group.1).any(|file| FileTag::from_file_name(&file.name).is_some());
        let releases: Vec<Release> = groups
            .into_iter()
            .filter_map(|(version, (text, files))| Release::from_files(version, text, &files))
            .collect();
        (!installable || !releases.is_empty()).then(|| Self { name: normalise(name), releases })
    }

    /// The release of exactly that version.
    #[must_use]
    pub fn release(&self, version: &Version) -> Option<&Release> {
        self.releases.iter().find(|release| release.version == *version)
    }
}

impl Release {
    fn from_files(version: Version, text: String, files: &[ListedFile]) -> Option<Self> {
        let uploaded = files.iter().filter_map(|file| file.uploaded).min()?;
        let installable: Vec<(&ListedFile, FileTag)> =
            files.iter().filter_map(|file| Some((file, FileTag::from_file_name(&file.name)?))).collect();
        let yanked = installable.iter().all(|(file, _)| file.yanked);
        let kept = installable.iter().filter(|(file, _)| yanked || !file.yanked);
        let requires_python =
            kept.clone().find_map(|(file, _)| file.requires_python.clone().filter(|text| !text.trim().is_empty()));
        let mut files: Vec<FileTag> = kept.map(|(_, tag)| tag.clone()).collect();
        files.sort();
        files.dedup();
        (!files.is_empty()).then_some(Self { version, text, uploaded, yanked, requires_python, files })
    }

    /// Whether the release has a source archive.
    #[must_use]
    pub fn has_sdist(&self) -> bool {
        self.files.contains(&FileTag::Sdist)
    }

    /// The tags of its wheels.
    pub fn wheels(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| match file {
            FileTag::Wheel(tags) => Some(tags.as_str()),
            FileTag::Sdist => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, uploaded: &str, yanked: bool) -> ListedFile {
        ListedFile { name: name.into(), version: None, uploaded: uploaded.parse().ok(), yanked, requires_python: None }
    }

    #[test]
    fn file_names_are_told_apart() {
        assert_eq!(
            FileTag::from_file_name("numpy-1.16.4-cp36-cp36m-manylinux1_x86_64.whl"),
            Some(FileTag::Wheel("cp36-cp36m-manylinux1_x86_64".into()))
        );
        assert_eq!(FileTag::from_file_name("x-1.0-2-py3-none-any.whl"), Some(FileTag::Wheel("py3-none-any".into())));
        assert_eq!(FileTag::from_file_name("scikit-learn-0.18.tar.gz"), Some(FileTag::Sdist));
        for other in [
            "x-1.0-py2.7.egg",
            "x-1.0.win32.exe",
            "x-1.0.linux-x86_64.tar.gz",
            "x-1.0.win-amd64-py2.7.msi",
            "broken.whl",
        ] {
            assert_eq!(FileTag::from_file_name(other), None, "{other}");
        }
    }

    #[test]
    fn versions_are_found_in_file_names() {
        assert_eq!(version_in_file_name("scikit_learn-0.18-cp27-none-any.whl", "scikit-learn"), Some("0.18"));
        assert_eq!(version_in_file_name("scikit-learn-0.18.tar.gz", "scikit_learn"), Some("0.18"));
        assert_eq!(version_in_file_name("backports.zoneinfo-0.2-1.zip", "backports-zoneinfo"), Some("0.2-1"));
        assert_eq!(version_in_file_name("other-1.0.tar.gz", "scikit-learn"), None);
    }

    #[test]
    fn the_first_upload_dates_a_release_and_only_whole_releases_are_yanked() {
        let history = History::from_files(
            "X",
            vec![
                file("X-1.0.tar.gz", "2018-01-02T00:00:00Z", true),
                file("X-1.0-py3-none-any.whl", "2021-01-01T00:00:00Z", false),
                file("X-1.1.tar.gz", "2019-01-01T00:00:00Z", true),
                file("X-0.9-py2.7.egg", "2011-01-01T00:00:00Z", false),
            ],
        )
        .unwrap();
        let read: Vec<_> = history
            .releases
            .iter()
            .map(|r| (r.text.as_str(), r.uploaded.to_string(), r.yanked, r.files.len()))
            .collect();
        assert_eq!(
            read,
            [("1.0", "2018-01-02T00:00:00Z".into(), false, 1), ("1.1", "2019-01-01T00:00:00Z".into(), true, 1)]
        );
    }

    #[test]
    fn files_without_dates_make_no_history() {
        assert_eq!(History::from_files("x", vec![file("x-1.0.tar.gz", "", false)]), None);
        assert!(History::from_files("x", vec![]).unwrap().releases.is_empty());
    }
}
