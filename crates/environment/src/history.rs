//! What the index knows of a distribution: its releases, when each appeared, and what can be installed of it.

mod digest;

use jiff::Timestamp;
use pep440_rs::Version;
use serde::{Deserialize, Serialize};

pub use digest::{NotASha256, Sha256};

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
    pub text: Box<str>,
    /// When its first file appeared (UTC): files of one release may follow years later.
    pub uploaded: Timestamp,
    /// Whether every installable file was yanked (PEP 592).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yanked: bool,
    /// Declared interpreters, as written; `None` on old uploads, where it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_python: Option<Box<str>>,
    /// The installable files that were not yanked (all of them for a yanked release), by name, each name once.
    pub files: Vec<File>,
}

/// One file of a release that pip could install.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// The file's name on the index, such as `six-1.17.0-py2.py3-none-any.whl`.
    pub name: Box<str>,
    /// When it appeared (UTC).
    pub uploaded: Timestamp,
    /// Length in bytes, where the index says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// SHA-256 of the file, where the index says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256>,
}

/// What kind of interpreter and platform a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileTag<'name> {
    /// A source archive: builds anywhere or nowhere.
    Sdist,
    /// A wheel: its three tags (PEP 425), each possibly a dotted set, as in `py2.py3-none-any`.
    Wheel(&'name str),
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
    pub(crate) size: Option<u64>,
    pub(crate) sha256: Option<Sha256>,
    /// Where it can be fetched, absolute or relative to the page that listed it. Kept apart from the history.
    pub(crate) url: String,
    /// Whether the index serves the file's metadata by itself (PEP 658).
    pub(crate) metadata_copy: MetadataCopy,
}

/// Whether an index serves a wheel's `METADATA` beside it, as `<url>.metadata` (PEP 658, PEP 714).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MetadataCopy {
    #[default]
    Missing,
    /// Served, without a digest.
    Served,
    /// Served, with this digest.
    Hashed(Sha256),
}

impl ListedFile {
    /// Whether pip could install it and its name can be the name of a file: names come from outside, and some are
    /// used on disk.
    pub(crate) fn is_installable(&self) -> bool {
        let plain = |found: char| found.is_ascii_graphic() && !matches!(found, '/' | '\\');
        !self.name.starts_with('.') && self.name.chars().all(plain) && FileTag::from_file_name(&self.name).is_some()
    }
}

impl File {
    /// What the file is for. Files of a history are wheels and source archives only.
    #[must_use]
    pub fn tag(&self) -> FileTag<'_> {
        FileTag::from_file_name(&self.name).unwrap_or(FileTag::Sdist)
    }
}

impl<'name> FileTag<'name> {
    /// Reads a file's name; `None` for what no pip installs (eggs, Windows installers, rpm).
    #[must_use]
    pub fn from_file_name(name: &'name str) -> Option<Self> {
        if let Some(stem) = name.strip_suffix(".whl") {
            // name-version(-build)?-python-abi-platform: the tags are the last three parts.
            let start = stem.rmatch_indices('-').nth(2)?.0;
            return stem[..start].contains('-').then_some(Self::Wheel(&stem[start + 1..]));
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
    let stem = sdist_stem(name).or_else(|| built_stem(name))?;
    let named = |at: &usize| normalise(&stem[..*at]) == normalise(distribution);
    let cut = stem.match_indices('-').map(|found| found.0).filter(named).max()?;
    Some(&stem[cut + 1..])
}

/// Name and version of a file that pip does not install: such files date a release too.
fn built_stem(name: &str) -> Option<&str> {
    if let Some(egg) = name.strip_suffix(".egg") {
        return egg.rfind("-py").map(|end| &egg[..end]);
    }
    let installer = name.strip_suffix(".exe").or_else(|| name.strip_suffix(".msi"))?;
    [".win32", ".win-amd64"].iter().find_map(|mark| installer.find(mark)).map(|end| &installer[..end])
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
        let installable = groups.values().flat_map(|group| &group.1).any(ListedFile::is_installable);
        let releases: Vec<Release> = groups
            .into_iter()
            .filter_map(|(version, (text, files))| Release::from_files(version, text, &files))
            .collect();
        (!installable || !releases.is_empty()).then(|| Self { name: normalise(name), releases })
    }

    /// The release of exactly that version.
    #[must_use]
    pub fn release(&self, version: &Version) -> Option<&Release> {
        let at = self.releases.binary_search_by(|release| release.version.cmp(version)).ok()?;
        self.releases.get(at)
    }

    /// Estimated size in memory, in bytes.
    pub(crate) fn weight(&self) -> usize {
        /// What an allocation costs beside its content.
        const ALLOCATION: usize = 16;
        let files = |release: &Release| -> usize {
            release.files.iter().map(|file| size_of::<File>() + file.name.len() + ALLOCATION).sum()
        };
        let texts =
            |release: &Release| release.text.len() + release.requires_python.as_ref().map_or(0, |text| text.len());
        let releases = self.releases.iter();
        releases.map(|release| size_of::<Release>() + 3 * ALLOCATION + texts(release) + files(release)).sum::<usize>()
            + size_of::<Self>()
            + self.name.len()
    }
}

impl Release {
    fn from_files(version: Version, text: String, files: &[ListedFile]) -> Option<Self> {
        let uploaded = files.iter().filter_map(|file| file.uploaded).min()?;
        let installable = || files.iter().filter(|file| file.is_installable());
        let yanked = installable().all(|file| file.yanked);
        let kept: Vec<&ListedFile> = installable().filter(|file| yanked || !file.yanked).collect();
        let requires_python =
            kept.iter().find_map(|file| file.requires_python.as_deref().filter(|text| !text.trim().is_empty()));
        let requires_python = requires_python.map(Box::from);
        // A file without a date of its own appeared with its release at the earliest.
        let mut files: Vec<File> = kept
            .iter()
            .map(|file| File {
                name: file.name.as_str().into(),
                uploaded: file.uploaded.unwrap_or(uploaded),
                size: file.size,
                sha256: file.sha256,
            })
            .collect();
        files.sort_by(|one, other| one.name.cmp(&other.name));
        files.dedup_by(|one, other| one.name == other.name);
        (!files.is_empty()).then_some(Self { version, text: text.into(), uploaded, yanked, requires_python, files })
    }

    /// Whether the release has a source archive.
    #[must_use]
    pub fn has_sdist(&self) -> bool {
        self.files.iter().any(|file| file.tag() == FileTag::Sdist)
    }

    /// The tags of its wheels.
    pub fn wheels(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| match file.tag() {
            FileTag::Wheel(tags) => Some(tags),
            FileTag::Sdist => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, uploaded: &str, yanked: bool) -> ListedFile {
        ListedFile {
            name: name.into(),
            version: None,
            uploaded: uploaded.parse().ok(),
            yanked,
            requires_python: None,
            size: None,
            sha256: None,
            url: name.into(),
            metadata_copy: MetadataCopy::Missing,
        }
    }

    #[test]
    fn file_names_are_told_apart() {
        assert_eq!(
            FileTag::from_file_name("numpy-1.16.4-cp36-cp36m-manylinux1_x86_64.whl"),
            Some(FileTag::Wheel("cp36-cp36m-manylinux1_x86_64"))
        );
        assert_eq!(FileTag::from_file_name("x-1.0-2-py3-none-any.whl"), Some(FileTag::Wheel("py3-none-any")));
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
        assert_eq!(version_in_file_name("statsmodels-0.6.0.win-amd64-py2.7.exe", "statsmodels"), Some("0.6.0"));
        assert_eq!(version_in_file_name("pandas-0.8.0-py2.7-win32.egg", "pandas"), Some("0.8.0"));
        assert_eq!(version_in_file_name("setuptools-0.6c11-py2.7.egg", "setuptools"), Some("0.6c11"));
        assert_eq!(version_in_file_name("x-1.0.src.rpm", "x"), None);
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
        let read: Vec<_> =
            history.releases.iter().map(|r| (&*r.text, r.uploaded.to_string(), r.yanked, r.files.len())).collect();
        assert_eq!(
            read,
            [("1.0", "2018-01-02T00:00:00Z".into(), false, 1), ("1.1", "2019-01-01T00:00:00Z".into(), true, 1)]
        );
    }

    #[test]
    fn names_that_are_paths_are_no_files() {
        let history = History::from_files(
            "x",
            vec![
                file("x-1.0/../../evil.tar.gz", "2018-01-02T00:00:00Z", false),
                file(".x-1.0.tar.gz", "2018-01-02T00:00:00Z", false),
                file("x-1.1.tar.gz", "2018-01-02T00:00:00Z", false),
            ],
        )
        .unwrap();
        let names: Vec<_> =
            history.releases.iter().flat_map(|release| &release.files).map(|file| &*file.name).collect();
        assert_eq!(names, ["x-1.1.tar.gz"]);
        assert_eq!(history.release(&"1.1".parse().unwrap()), history.releases.first());
        assert_eq!(history.release(&"1.0".parse().unwrap()), None);
    }

    #[test]
    fn files_without_dates_make_no_history() {
        assert_eq!(History::from_files("x", vec![file("x-1.0.tar.gz", "", false)]), None);
        assert!(History::from_files("x", vec![]).unwrap().releases.is_empty());
    }
}
