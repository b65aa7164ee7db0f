//! The section `[mine]` of a study's file: where its notebooks come from, and how politely they are asked for.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use nbrevive_mine::examples::{ExampleDraw, ExampleSort};
use nbrevive_mine::github::{HubSearch, ListDraw};
use nbrevive_mine::records::{LocalPath, MiningSource, Slug};
use serde::Deserialize;

use super::manners::MineManners;

/// What is mined. Every path is resolved against the study's folder.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MineSettings {
    /// The sources, in the order in which they are asked. Default: the API alone.
    pub sources: Vec<MiningSource>,
    /// The competitions. Default: all of the study's.
    pub competitions: Vec<Slug>,
    /// Which versions of a notebook. Default: the current one.
    pub versions: MinedVersions,
    /// Whether leaderboards are fetched. Default no: no step needs them.
    pub leaderboards: bool,
    /// Whether the API is asked for the status of each current version. Default no: it refuses for other people's notebooks.
    pub statuses: bool,
    /// Most notebooks of a competition, the first by name. Default all.
    pub at_most: Option<usize>,
    /// Longest notebook that is taken, in MiB. Default 64.
    pub largest_notebook_mib: u64,
    /// Answers that were kept before this instant are asked for again. Default: every kept answer is used.
    pub reuse_since: Option<Timestamp>,
    /// How politely servers are asked.
    pub manners: MineManners,
    /// Folders of notebooks that are already here, for the source `folder`.
    pub folder: Vec<LocalPlace>,
    /// Git repositories that are already here, for the source `git`.
    pub git: Vec<LocalPlace>,
    /// The official dump, for the source `meta-kaggle`.
    pub meta_kaggle: DumpPlace,
    /// The pages, for the source `browser`.
    pub browser: BrowserPlace,
    /// Repositories on GitHub, for the source `github`.
    pub github: HubPlace,
    /// Releases of libraries, for the source `examples`.
    pub examples: Vec<ExamplesPlace>,
}

impl Default for MineSettings {
    fn default() -> Self {
        Self {
            sources: vec![MiningSource::KaggleApi],
            competitions: Vec::new(),
            versions: MinedVersions::Current,
            leaderboards: false,
            statuses: false,
            at_most: None,
            largest_notebook_mib: 64,
            reuse_since: None,
            manners: MineManners::default(),
            folder: Vec::new(),
            git: Vec::new(),
            meta_kaggle: DumpPlace::default(),
            browser: BrowserPlace::default(),
            github: HubPlace::default(),
            examples: Vec::new(),
        }
    }
}

nbrevive_corpus::string_enum! {
    /// Which versions of a notebook are mined.
    pub enum MinedVersions ("choice of versions") {
        /// The current one.
        Current => "current",
        /// Every one that can be had.
        All => "all",
    }
}

/// A folder or git repository that is already here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalPlace {
    /// Where it is.
    pub path: PathBuf,
    /// The competition that its notebooks belong to. Default: the one that the first folder of a notebook's path names, if any.
    #[serde(default)]
    pub competition: Option<Slug>,
    /// Whether scripts count too. Default no.
    #[serde(default)]
    pub scripts: bool,
    /// The name of the repository that this is, for example `owner/name`: it is taken whole then, at one commit, its notebooks with the
    /// files around them. Default: its notebooks alone, each by itself.
    #[serde(default)]
    pub repository: Option<LocalPath>,
    /// Where that is published.
    #[serde(default)]
    pub url: Option<String>,
    /// Which commit of it: a branch, a tag, a hash. Default `HEAD`; a folder has none.
    #[serde(default)]
    pub commit: Option<String>,
    /// When a folder was last changed. Default: as the repository that it lies in says.
    #[serde(default)]
    pub date: Option<Date>,
    /// How many MiB of its files are kept, notebooks first, then the smaller ones. Default 200.
    #[serde(default)]
    pub files_mib: Option<u64>,
}

impl LocalPlace {
    /// What is wrong with it, if anything is: keys that go with another one, which is not there.
    fn fault(&self, source: MiningSource) -> Option<&'static str> {
        let whole = self.repository.is_some();
        let of_whole = self.url.is_some() || self.commit.is_some() || self.date.is_some() || self.files_mib.is_some();
        match (source, whole) {
            (_, false) if of_whole => {
                Some("url, commit, date and files_mib go with `repository`, the name of the repository")
            }
            (_, true) if self.scripts || self.competition.is_some() => {
                Some("`repository` takes all files, and goes with neither `scripts` nor `competition`")
            }
            (MiningSource::Git, true) if self.date.is_some() => Some("`date` is for folders: a commit has its own"),
            (MiningSource::Folder, true) if self.commit.is_some() => {
                Some("`commit` is for [[mine.git]]: a folder is taken as it is")
            }
            _ => None,
        }
    }
}

/// Where the official dump lies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DumpPlace {
    /// The folder of its CSV files (Meta Kaggle).
    pub dump: Option<PathBuf>,
    /// The folder of its sources (Meta Kaggle Code); without it versions have no code.
    pub code: Option<PathBuf>,
}

/// How pages are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrowserPlace {
    /// The site. Default: the official one.
    pub site: Option<String>,
    /// A file with the cookies of a session that you opened yourself; the variable `NBREVIVE_BROWSER_COOKIES` names it too.
    pub cookies: Option<PathBuf>,
    /// Most notebooks of a competition whose pages are read, the first by name. Default: as `at_most` of `[mine]`.
    pub at_most: Option<usize>,
    /// Selectors in place of the built-in ones, for the day after the pages have changed.
    pub selectors: Option<PathBuf>,
}

/// Which repositories of GitHub are taken, and what of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HubPlace {
    /// A file of repositories, with the articles that name them.
    pub list: Option<PathBuf>,
    /// How many of that file are taken. Default: all.
    pub draw: ListDraw,
    /// What is searched for besides.
    pub search: Option<HubSearch>,
    /// Longest file, in MiB, that is neither a notebook nor names what is to be installed. Default 10.
    pub data_mib: u64,
    /// How many MiB of a repository's files are kept, notebooks first, then what names what is to be installed, then the smaller ones.
    /// Default 200.
    pub files_mib: u64,
    /// Longest archive that is taken, in MiB, as it comes. Default 512.
    pub archive_mib: u64,
}

impl Default for HubPlace {
    fn default() -> Self {
        Self { list: None, draw: ListDraw::default(), search: None, data_mib: 10, files_mib: 200, archive_mib: 512 }
    }
}

impl HubPlace {
    /// What makes no sense, in words.
    fn fault(&self) -> Option<String> {
        let sizes = [("data_mib", self.data_mib), ("files_mib", self.files_mib), ("archive_mib", self.archive_mib)];
        if let Some((name, _)) = sizes.into_iter().find(|(_, size)| !(1..=16_384).contains(size)) {
            return Some(format!("mine.github.{name} must be 1 to 16384"));
        }
        if self.list.is_none() && self.draw != ListDraw::default() {
            return Some("mine.github.draw draws of a list: add `list`, a file of repositories".to_owned());
        }
        let fault = self.search.as_ref().and_then(|search| search.check().err());
        fault.map(|fault| format!("mine.github.search: {fault}"))
    }
}

/// A release of a library whose official examples are taken.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamplesPlace {
    /// The distribution.
    pub library: String,
    /// Its version.
    pub version: String,
    /// Which of its examples. Default: those of its gallery.
    #[serde(default)]
    pub sort: ExampleSort,
    /// How many of them. Default: all but the tenth that is put aside.
    #[serde(default)]
    pub draw: ExampleDraw,
}

impl MineSettings {
    /// Resolves paths against the study's folder, and checks what serde cannot.
    ///
    /// # Errors
    /// What makes no sense, in words.
    pub(crate) fn resolve(mut self, folder: &Path) -> Result<Self, String> {
        if let Some(fault) = self.manners.fault().or_else(|| self.github.fault()) {
            return Err(fault);
        }
        if self.largest_notebook_mib == 0 || self.largest_notebook_mib > 4096 {
            return Err("mine.largest_notebook_mib must be 1 to 4096".to_owned());
        }
        for (place, source) in self.sources.iter().enumerate() {
            if self.sources[..place].contains(source) {
                return Err(format!("mine.sources names `{source}` twice: keep one"));
            }
        }
        for (source, places) in [(MiningSource::Folder, &self.folder), (MiningSource::Git, &self.git)] {
            if let Some((place, fault)) = places.iter().find_map(|place| Some((place, place.fault(source)?))) {
                return Err(format!("[[mine.{source}]] of {}: {fault}", place.path.display()));
            }
        }
        for local in self.folder.iter_mut().chain(&mut self.git) {
            local.path = folder.join(&local.path);
        }
        let named = [&mut self.meta_kaggle.dump, &mut self.meta_kaggle.code];
        for path in named
            .into_iter()
            .chain([&mut self.browser.cookies, &mut self.browser.selectors, &mut self.github.list])
            .flatten()
        {
            *path = folder.join(&*path);
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<MineSettings, String> {
        let settings: MineSettings = toml::from_str(text).map_err(|error| error.to_string())?;
        settings.resolve(Path::new("here"))
    }

    #[test]
    fn what_is_not_said_is_polite() {
        let settings = resolve("").unwrap();
        assert_eq!(settings, MineSettings::default());
        assert_eq!((settings.manners.requests_per_second, settings.manners.concurrency), (1.0, 1));
    }

    #[test]
    fn the_bundled_study_says_what_the_defaults_are() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/mle-modernizer/study.toml");
        assert_eq!(crate::Study::load(&path).unwrap().mine, MineSettings::default());
    }

    #[test]
    fn paths_are_below_the_studys_folder() {
        let settings =
            resolve("[[folder]]\npath = \"mine\"\n[meta_kaggle]\ndump = \"/dump\"\n[github]\nlist = \"list.csv\"\n")
                .unwrap();
        assert_eq!(settings.folder[0].path, Path::new("here/mine"));
        assert_eq!(settings.meta_kaggle.dump.as_deref(), Some(Path::new("/dump")));
        assert_eq!(settings.github.list.as_deref(), Some(Path::new("here/list.csv")));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(resolve("sources = [\"git\", \"git\"]").unwrap_err().contains("twice"));
        assert!(resolve("sources = [\"gopher\"]").unwrap_err().contains("kaggle-api, browser"));
        assert!(resolve("[manners]\nrequests_per_second = 0.0").unwrap_err().contains("requests_per_second"));
        assert!(resolve("[manners]\nrequests_per_second = nan").is_err());
        assert!(resolve("competitions = [\"../../etc\"]").unwrap_err().contains("cannot be the name"));
        let github = |text: &str| resolve(&format!("[github]\n{text}")).unwrap_err();
        assert!(github("data_mib = 0").contains("mine.github.data_mib"));
        assert!(github("draw = { first = 3 }").contains("add `list`"));
        assert!(github("search = { tiers = [] }").contains("mine.github.search: a search has at least one tier"));
        assert!(github("search = { tiers = [{ stars = \"9..1\", count = 1 }] }").contains("no range of stars"));
        assert!(resolve("polite = true").unwrap_err().contains("polite"));
    }
}
