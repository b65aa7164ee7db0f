//! Real notebooks in the world: a corpus of this repository's form, so that what is mined from the server really runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;

use crate::moment::Moment;
use crate::world::data::Sources;
use crate::world::{
    Accelerator, FakeKernel, FakeKernelKind, FakeLanguage, FakeOutcome, FakeScore, FakeVersion, FakeWorld, Lines,
    TEAMS_PER_USER, Visibility, kernel_id, run_id, version_id,
};

/// Seconds of a run of which the corpus tells none.
const SECONDS: f64 = 30.0;

/// A notebook with what Kaggle would know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundled {
    /// Slug of its competition.
    pub competition: String,
    /// Its own slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// When it was submitted.
    pub submitted: Moment,
    /// Its score, public and private.
    pub score: f64,
    /// Seconds of its run.
    pub seconds: f64,
    /// Its file.
    pub code: String,
}

/// A corpus that cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not valid.
    #[error("{} is not valid: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

#[derive(Deserialize)]
struct List {
    version: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    slug: String,
    title: String,
    submitted: Timestamp,
}

#[derive(Deserialize)]
struct Targets {
    target: BTreeMap<String, Target>,
}

#[derive(Deserialize)]
struct Target {
    score: f64,
    seconds: Option<f64>,
}

impl Bundled {
    /// The notebooks of a corpus (one folder a competition with `versions.toml`) that have a target score, sorted by slug.
    pub fn read(notebooks: &Path, targets: &Path) -> Result<Vec<Self>, BundleError> {
        let targets: Targets = parse(targets)?;
        let mut found = Vec::new();
        let entries = std::fs::read_dir(notebooks);
        for entry in entries.map_err(|source| BundleError::Unreadable { path: notebooks.to_owned(), source })? {
            let folder = entry.map_err(|source| BundleError::Unreadable { path: notebooks.to_owned(), source })?.path();
            if !folder.join("versions.toml").is_file() {
                continue;
            }
            let competition = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let list: List = parse(&folder.join("versions.toml"))?;
            for listed in list.version {
                let Some(target) = targets.target.get(&listed.slug) else { continue };
                found.push(Self {
                    competition: competition.clone(),
                    submitted: Moment(listed.submitted.as_millisecond()),
                    score: target.score,
                    seconds: target.seconds.unwrap_or(SECONDS),
                    code: text(&folder.join(format!("{}.ipynb", listed.slug)))?,
                    title: listed.title,
                    slug: listed.slug,
                });
            }
        }
        found.sort_by(|a, b| a.slug.cmp(&b.slug));
        Ok(found)
    }

    /// The notebook as one of the world's, with one version that ran well.
    pub(super) fn kernel(&self, world: &FakeWorld, index: u64) -> Option<FakeKernel> {
        let competition = world.competitions().iter().find(|competition| competition.slug == self.competition)?;
        let (author, team_slot) = team(world, competition.index, index);
        let version = FakeVersion {
            number: 1,
            run_id: run_id(index, 1),
            version_id: version_id(index, 1),
            outcome: FakeOutcome::Complete,
            created: self.submitted,
            evaluated: Some(self.submitted.plus_seconds(self.seconds + 7.0)),
            run_seconds: Some(self.seconds),
            score: Some(FakeScore { public: self.score, private: self.score }),
            second_score: None,
            sources: Sources { competitions: vec![competition.index], ..Sources::default() },
            accelerator: Accelerator::None,
            has_internet: false,
            lines: Lines::default(),
        };
        Some(FakeKernel {
            index,
            id: kernel_id(index),
            author,
            team_slot,
            competition: competition.index,
            title: self.title.clone(),
            slug: self.slug.clone(),
            created: self.submitted,
            language: FakeLanguage::Python,
            kind: FakeKernelKind::Notebook,
            is_python2: false,
            is_mislabelled: false,
            is_empty: false,
            is_nbformat3: false,
            visibility: Visibility::Public,
            parent: None,
            votes: 0,
            views: 3,
            comments: 0,
            medal: None,
            versions: vec![version],
        })
    }
}

/// A team of the competition, another one for another notebook where there are several.
fn team(world: &FakeWorld, competition: u64, index: u64) -> (u64, u64) {
    let users = world.spec().users;
    let pairs = (0..users).flat_map(|step| {
        let user = (index + step) % users;
        (0..TEAMS_PER_USER).map(move |slot| (user, slot))
    });
    let mut fitting = pairs.filter(|(user, slot)| world.team_competition(*user, *slot) == competition);
    fitting.next().unwrap_or((index % users, 0))
}

fn text(path: &Path) -> Result<String, BundleError> {
    std::fs::read_to_string(path).map_err(|source| BundleError::Unreadable { path: path.to_owned(), source })
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, BundleError> {
    let invalid = |error: toml::de::Error| BundleError::Invalid { path: path.to_owned(), message: error.to_string() };
    toml::from_str(&text(path)?).map_err(invalid)
}
