//! What a version has around it when it runs: the data of its competition, the files of its repository, or nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use nbrevive_corpus::{Belongs, Competition, Exclusion, Fingerprint, Repository, Version};
use nbrevive_grade::GRADERS_VERSION;
use nbrevive_repair::{Contract, PromptTask};

use crate::corpus::prompt_facts::{contract, file_names, task};
use crate::laboratory::copies::Tree;
use crate::laboratory::{Laboratory, LaboratoryError};
use crate::repository::SurveyedRepository;
use crate::{Beside, KagglePlace, StudyLimits};

/// What a version has around it.
#[derive(Debug, Clone)]
pub enum Around {
    /// The data of a competition, which also grades what is submitted.
    Competition(Arc<Competition>),
    /// The files of a repository.
    Repository(Arc<RepositoryFiles>),
    /// Nothing.
    Nothing,
}

/// The files of a repository, looked through.
#[derive(Debug)]
pub struct RepositoryFiles {
    /// The repository.
    pub repository: Repository,
    /// Hash of all names and contents, so that changed files are executed again.
    pub content: String,
    /// The newest date of its notebooks.
    pub latest: Timestamp,
    surveyed: OnceLock<Result<SurveyedRepository, String>>,
}

impl RepositoryFiles {
    /// Files whose hash and newest date are known.
    pub(crate) const fn new(repository: Repository, content: String, latest: Timestamp) -> Self {
        RepositoryFiles { repository, content, latest, surveyed: OnceLock::new() }
    }

    /// What its files declare and import, which is looked for once.
    ///
    /// # Errors
    /// When its folder can no longer be listed.
    pub(crate) fn surveyed(&self) -> Result<&SurveyedRepository, LaboratoryError> {
        let read = || SurveyedRepository::read(&self.repository.files).map_err(|error| error.to_string());
        self.surveyed.get_or_init(read).as_ref().map_err(|why| LaboratoryError::Io {
            path: self.repository.files.clone(),
            source: std::io::Error::other(why.clone()),
        })
    }
}

impl Around {
    /// The competition, where it is one.
    #[must_use]
    pub fn competition(&self) -> Option<&Competition> {
        match self {
            Around::Competition(competition) => Some(competition),
            Around::Repository(_) | Around::Nothing => None,
        }
    }

    /// What an outcome depends on of it.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        match self {
            Around::Competition(competition) => match GRADERS_VERSION {
                // What was graded before graders had a version keeps its name.
                1 => competition.fingerprint(),
                version => competition.fingerprint().with("grading.version", version),
            },
            Around::Repository(files) => Fingerprint::of("repository", 1).with("repository.files", &files.content),
            Around::Nothing => Fingerprint::of("nothing", 1),
        }
    }

    /// What an execution of the version finds.
    pub(crate) fn place(&self, laboratory: &Laboratory, version: &Version) -> KagglePlace {
        match self {
            Around::Competition(competition) => {
                KagglePlace::of(competition, &laboratory.prepared_folder(competition), version.submitted)
            }
            Around::Repository(files) => KagglePlace::of_repository(&files.repository, version.starts_in()),
            Around::Nothing => KagglePlace::default(),
        }
    }

    /// The files that its code may import or name: those of a repository.
    pub(crate) fn beside(&self, version: &Version) -> Beside {
        match self {
            Around::Repository(files) => Beside::of(&files.repository.files.join(version.starts_in())),
            Around::Competition(_) | Around::Nothing => Beside::default(),
        }
    }

    /// What a model is told of the task, and what the guards know of it.
    pub(crate) fn task(
        &self,
        version: &Version,
        limits: &StudyLimits,
        most_new_constants: usize,
    ) -> (PromptTask, Contract) {
        match self {
            Around::Competition(competition) => {
                (task(competition, version.submitted, limits), contract(competition, most_new_constants))
            }
            Around::Repository(_) | Around::Nothing => (
                PromptTask { limit_seconds: limits.seconds as u64, ..PromptTask::default() },
                Contract { most_new_constants, ..Contract::default() },
            ),
        }
    }

    /// Names of the files and folders that it finds, in lower case; none where there are too many to list.
    pub(crate) fn file_names(&self, version: &Version) -> Option<BTreeSet<String>> {
        match self {
            Around::Competition(competition) => Some(file_names(competition)),
            Around::Repository(files) => {
                KagglePlace::of_repository(&files.repository, version.starts_in()).file_names()
            }
            Around::Nothing => Some(BTreeSet::new()),
        }
    }
}

/// Finds what versions have around them; the files of each repository are looked through once.
pub(crate) struct Finder<'a> {
    competitions: BTreeMap<&'a str, Arc<Competition>>,
    /// The newest date of each repository's versions.
    latest: BTreeMap<&'a Path, Timestamp>,
    repositories: BTreeMap<PathBuf, Result<Arc<RepositoryFiles>, String>>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(competitions: &'a BTreeMap<String, Competition>, versions: &'a [Version]) -> Self {
        let shared = |(id, competition): (&'a String, &Competition)| (id.as_str(), Arc::new(competition.clone()));
        let mut latest: BTreeMap<&Path, Timestamp> = BTreeMap::new();
        for version in versions {
            let Some(repository) = version.belongs.repository() else { continue };
            let newest = latest.entry(&repository.files).or_insert(version.submitted);
            *newest = version.submitted.max(*newest);
        }
        Finder { competitions: competitions.iter().map(shared).collect(), latest, repositories: BTreeMap::new() }
    }

    /// What a version has around it.
    ///
    /// # Errors
    /// Why the version is left out, and the detail.
    pub(crate) fn find(&mut self, version: &Version) -> Result<Around, (Exclusion, String)> {
        match &version.belongs {
            Belongs::Competition(id) => self.competition(id).map(Around::Competition),
            Belongs::Repository(repository) => {
                let looked = self.repositories.entry(repository.files.clone());
                let latest = self.latest.get(repository.files.as_path()).copied().unwrap_or(version.submitted);
                let files = looked.or_insert_with(|| look_through(repository, latest)).clone();
                files.map(Around::Repository).map_err(|why| (Exclusion::Unreadable, why))
            }
            Belongs::Nothing => Ok(Around::Nothing),
        }
    }

    fn competition(&self, id: &str) -> Result<Arc<Competition>, (Exclusion, String)> {
        self.competitions.get(id).cloned().ok_or_else(|| {
            let known = self.competitions.keys().copied().collect::<Vec<_>>().join(", ");
            (Exclusion::UnknownCompetition, format!("there is no competition `{id}`; known: {known}"))
        })
    }
}

fn look_through(repository: &Repository, latest: Timestamp) -> Result<Arc<RepositoryFiles>, String> {
    let content = Tree::of(Path::new(&repository.files)).and_then(|tree| tree.content());
    let content = content.map_err(|error| format!("the repository `{}` cannot be read: {error}", repository.name))?;
    Ok(Arc::new(RepositoryFiles::new(repository.clone(), content, latest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_repository_are_known_by_names_and_contents() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository {
            name: "me/it".to_owned(),
            url: None,
            commit: None,
            host: nbrevive_corpus::HostTold::default(),
            files: folder.path().join("files"),
        };
        let put = |name: &str, text: &str| {
            let path = repository.files.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let content = || look_through(&repository, Timestamp::UNIX_EPOCH).map(|files| files.content.clone());
        assert!(content().unwrap_err().starts_with("the repository `me/it` cannot be read"));
        put("a/one.ipynb", "{}");
        put("data.csv", "a\n1\n");
        let first = content().unwrap();
        assert_eq!(content().unwrap(), first);
        put("data.csv", "a\n2\n");
        let second = content().unwrap();
        std::fs::rename(repository.files.join("data.csv"), repository.files.join("dat.csv")).unwrap();
        let all: BTreeSet<String> = [first, second, content().unwrap()].into();
        assert_eq!(all.len(), 3);
    }
}
