//! A competition: a task with data, metric, direction and answers, described by the `competition.toml` of its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Direction;
use crate::spelling::string_enum;

string_enum! {
    /// What the target columns of a submission hold.
    pub enum Prediction ("prediction") {
        /// A class label.
        Label => "label",
        /// A probability between 0 and 1.
        Probability => "probability",
        /// A real number.
        Value => "value",
    }
}

/// Where a competition's data comes from, and under which terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSource {
    /// Name and publication of the data.
    pub source: String,
    /// Its licence.
    pub licence: String,
    /// What else a user of the data should know.
    #[serde(default)]
    pub licence_note: Option<String>,
}

/// A task with data, metric, direction and answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Competition {
    /// The slug, also the name of its folder and of its input folder in the sandbox.
    pub id: String,
    /// The name as people read it.
    pub title: String,
    /// The metric's name; the grader knows which there are.
    pub metric: String,
    /// Which way the metric points.
    pub direction: Direction,
    /// The column that names a row of a submission.
    pub id_column: String,
    /// The columns of a submission apart from the id.
    pub target_columns: Vec<String>,
    /// What the target columns hold.
    pub prediction: Prediction,
    /// Source and licence of the data.
    pub data: DataSource,
    /// SHA-256 of each prepared file, by its path below the prepared folder (`public/train.csv`, `private/answers.csv`).
    pub files: BTreeMap<String, String>,
    /// The folder that this description was read from.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Why a competition cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CompetitionError {
    /// Its description cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The description.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Its description is not valid.
    #[error("{path} is not a valid competition description: {message}")]
    Invalid {
        /// The description.
        path: PathBuf,
        /// What is wrong, with line and column.
        message: String,
    },
    /// A data file is not there.
    #[error("data file {path} of competition `{competition}` is missing: run `nbrevive study prepare`")]
    MissingFile {
        /// The slug.
        competition: String,
        /// The file.
        path: PathBuf,
    },
    /// A data file is not the one that the description promises.
    #[error(
        "data file {path} of competition `{competition}` has SHA-256 {found}, expected {expected}: \
         delete it and run `nbrevive study prepare`"
    )]
    WrongHash {
        /// The slug.
        competition: String,
        /// The file.
        path: PathBuf,
        /// The hash in the description.
        expected: String,
        /// The hash of the file.
        found: String,
    },
}

impl Competition {
    /// Reads `competition.toml` in `folder`.
    ///
    /// # Errors
    /// When the file is unreadable, not valid TOML, has unknown keys, or its id is not the folder's name.
    pub fn load(folder: &Path) -> Result<Self, CompetitionError> {
        let path = folder.join("competition.toml");
        let text = std::fs::read_to_string(&path)
            .map_err(|source| CompetitionError::Unreadable { path: path.clone(), source })?;
        let invalid = |message: String| CompetitionError::Invalid { path: path.clone(), message };
        let mut competition: Competition = toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        if folder.file_name().is_none_or(|name| name != competition.id.as_str()) {
            return Err(invalid(format!("its id `{}` is not the name of its folder", competition.id)));
        }
        if let Some(bad) = competition.files.keys().find(|name| !is_plain_path(name)) {
            return Err(invalid(format!("file name `{bad}` must be public/NAME or private/NAME")));
        }
        competition.folder = folder.to_owned();
        Ok(competition)
    }

    /// Every competition below `folder`, by id.
    ///
    /// # Errors
    /// When the folder cannot be listed or one of its competitions cannot be loaded.
    pub fn load_all(folder: &Path) -> Result<BTreeMap<String, Competition>, CompetitionError> {
        let unreadable = |source| CompetitionError::Unreadable { path: folder.to_owned(), source };
        let mut competitions = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.join("competition.toml").is_file() {
                let competition = Competition::load(&path)?;
                competitions.insert(competition.id.clone(), competition);
            }
        }
        Ok(competitions)
    }

    /// Checks that every data file is in `prepared` (the folder with `public/` and `private/`) with the promised hash.
    ///
    /// # Errors
    /// Names the first file that is missing or differs.
    pub fn verify(&self, prepared: &Path) -> Result<(), CompetitionError> {
        for (name, expected) in &self.files {
            let path = prepared.join(name);
            let found = crate::file_sha256(&path)
                .map_err(|_| CompetitionError::MissingFile { competition: self.id.clone(), path: path.clone() })?;
            if found != *expected {
                return Err(CompetitionError::WrongHash {
                    competition: self.id.clone(),
                    path,
                    expected: expected.clone(),
                    found,
                });
            }
        }
        Ok(())
    }

    /// The names of the files that a notebook sees.
    pub fn public_files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().filter_map(|name| name.strip_prefix("public/"))
    }
}

fn is_plain_path(name: &str) -> bool {
    let Some((folder, file)) = name.split_once('/') else {
        return false;
    };
    matches!(folder, "public" | "private") && !file.is_empty() && !file.starts_with('.') && !file.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = r#"
id = "tiny"
title = "Tiny"
metric = "accuracy"
direction = "maximize"
id_column = "Id"
target_columns = ["Label"]
prediction = "label"
[data]
source = "made up"
licence = "CC0-1.0"
[files]
"public/train.csv" = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"#;

    fn folder_with(text: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("tiny");
        std::fs::create_dir_all(folder.join("public")).unwrap();
        std::fs::write(folder.join("competition.toml"), text).unwrap();
        (dir, folder)
    }

    #[test]
    fn loads_and_verifies() {
        let (_dir, folder) = folder_with(VALID);
        let competition = Competition::load(&folder).unwrap();
        assert!(matches!(competition.verify(&folder), Err(CompetitionError::MissingFile { .. })));
        std::fs::write(folder.join("public/train.csv"), "abc").unwrap();
        competition.verify(&folder).unwrap();
        std::fs::write(folder.join("public/train.csv"), "abd").unwrap();
        assert!(matches!(competition.verify(&folder), Err(CompetitionError::WrongHash { .. })));
    }

    #[test]
    fn a_path_that_climbs_out_is_refused() {
        let (_dir, folder) = folder_with(&VALID.replace("public/train.csv", "public/../../etc/passwd"));
        let error = Competition::load(&folder).unwrap_err().to_string();
        assert!(error.contains("must be public/NAME or private/NAME"), "{error}");
    }

    #[test]
    fn an_unknown_key_is_named() {
        let (_dir, folder) = folder_with(&VALID.replace("title", "titel"));
        let error = Competition::load(&folder).unwrap_err().to_string();
        assert!(error.contains("titel"), "{error}");
    }
}
