//! Which competition is meant, and where its answers lie.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_corpus::Competition;
use nbrevive_grade::{Grader, GradingRules, mle_competition};
use nbrevive_shown::shown;
use nbrevive_study::{competitions_folder, imported_folder};

use crate::commands::setting::home;
use crate::exit_code::{Exit, Failure};

/// A competition with the place of its data.
pub(super) struct Chosen {
    pub(super) competition: Competition,
    /// The folder with `public` and `private`; none where only the answers were named.
    pub(super) prepared: Option<PathBuf>,
    answers: PathBuf,
}

impl Chosen {
    /// The competition that somebody named by its slug or its folder.
    pub(super) fn named(name: &str, answers: Option<&Path>) -> Result<Self, Failure> {
        if Path::new(name).join("competition.toml").is_file() {
            return Self::described(Path::new(name), answers);
        }
        let rules = mle_competition(name).ok_or_else(|| Failure {
            exit: Exit::Usage,
            message: shown!("there is no competition `{}`: it is neither one of MLE-bench (`nbrevive grade list` names them all) nor a \
                 folder with a competition.toml", name),
        })?;
        let imported = imported_folder(&home()?).join(name);
        match answers {
            Some(answers) => Ok(Self::at(described(rules), answers)),
            None if imported.is_dir() => Self::described(&imported, None),
            None => Err(Failure {
                exit: Exit::BadInput,
                message: shown!(
                    "competition `{}` has no answers here: `nbrevive competitions import FOLDER` takes over what MLE-bench \
                     prepared, --answers names its folder or the answers themselves",
                    name
                ),
            }),
        }
    }

    /// This competition, where its data was prepared and is as it should be.
    pub(super) fn if_prepared(competition: Competition) -> Result<Option<Self>, Failure> {
        let prepared = competition.prepared_folder(&competitions_folder(&home()?));
        let is_whole = competition.verify(&prepared).is_ok();
        Ok(is_whole.then(|| Self::at(competition, &prepared)))
    }

    /// The folder with `public` and `private`.
    pub(super) fn folder(&self) -> PathBuf {
        self.prepared.clone().unwrap_or_default()
    }

    /// The competition of a folder: one with a description, or one that MLE-bench's `prepare` wrote.
    pub(super) fn of_folder(folder: &Path) -> Result<Self, Failure> {
        if folder.join("competition.toml").is_file() {
            return Self::described(folder, None);
        }
        let (rules, prepared) = GradingRules::of_prepared(folder).ok_or_else(|| Failure {
            exit: Exit::BadInput,
            message: shown!(
                "{} has no competition.toml, and is not named after a competition of MLE-bench",
                folder.display()
            ),
        })?;
        Ok(Self::at(described(rules), &prepared))
    }

    fn described(folder: &Path, answers: Option<&Path>) -> Result<Self, Failure> {
        let bad = |error: &dyn std::error::Error| Failure::new(Exit::BadInput, error);
        let folder = folder.canonicalize().map_err(|error| bad(&error))?;
        let competition = Competition::load(&folder).map_err(|error| bad(&error))?;
        if let Some(answers) = answers {
            return Ok(Self::at(competition, answers));
        }
        let prepared = competition.prepared_folder(&competitions_folder(&home()?));
        competition.verify_file(&prepared, &competition.answers).map_err(|error| bad(&error))?;
        Ok(Self::at(competition, &prepared))
    }

    /// A competition with its answers in a folder, or in a file.
    fn at(competition: Competition, answers: &Path) -> Self {
        if !answers.is_dir() {
            return Chosen { competition, prepared: None, answers: answers.to_owned() };
        }
        let inner = answers.join("prepared");
        let prepared = if inner.is_dir() { inner } else { answers.to_owned() };
        Chosen { answers: prepared.join(&competition.answers), prepared: Some(prepared), competition }
    }

    /// Its answers, read.
    pub(super) fn grader(&self) -> Result<Grader, Failure> {
        Grader::with_answers(&self.competition, &self.answers).map_err(|error| Failure::new(Exit::BadInput, &error))
    }
}

fn described(rules: &GradingRules) -> Competition {
    rules.description("MLE-bench", BTreeMap::new())
}

/// The folders of all competitions that were imported.
pub(super) fn imported() -> Result<Vec<PathBuf>, Failure> {
    let folder = imported_folder(&home()?);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.join("competition.toml").is_file()).collect();
    found.retain(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    found.sort();
    Ok(found)
}
